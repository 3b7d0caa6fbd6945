//! Decisions from bytes.

/// Reads decisions from an input; when it is at its end, every further one is the plainest.
#[derive(Debug, Clone)]
pub struct Bytes<'a> {
    left: &'a [u8],
}

impl<'a> Bytes<'a> {
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

    /// Below `choices`, which is at most 256.
    pub fn below(&mut self, choices: usize) -> usize {
        usize::from(self.byte()) % choices.max(1)
    }

    pub fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// True for one of `times` bytes.
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
