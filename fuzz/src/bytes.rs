//! Decisions read from bytes.

/// Reads decisions from an input. After the end of the input, every decision is 0, the simplest choice.
#[derive(Debug, Clone)]
pub struct Choices<'a> {
    left: &'a [u8],
}

impl<'a> Choices<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Self { left: data }
    }

    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.left.split_first() else { return 0 };
        self.left = rest;
        *first
    }

    /// Returns a number below `choices`, which is at most 256.
    pub fn below(&mut self, choices: usize) -> usize {
        usize::from(self.byte()) % choices.max(1)
    }

    pub fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Returns true for one in `times` byte values.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.left.split_at(count.min(self.left.len()));
        self.left = rest;
        taken
    }

    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.left)
    }
}
