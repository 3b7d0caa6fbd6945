//! Numbers for generated documents.

/// A small deterministic generator (xorshift), so that failures are reproducible.
pub struct Random(pub u64);

impl Random {
    /// Returns a number from 0 to `end` - 1.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap()
    }
}
