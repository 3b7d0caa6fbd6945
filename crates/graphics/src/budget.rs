//! The resource limits of one document. Work is counted in units and memory in bytes. No clock is used, so the result
//! for a document is the same on every machine and in every run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use waraq_rules::ErrorCode;

use crate::{Error, Result};

/// The limits of one document, and a flag that cancels the work on it.
///
/// Copies share the flag: [`Budget::cancel`] on one copy cancels the work that uses another.
#[derive(Debug, Clone)]
pub struct Budget {
    /// The maximum work in units (`too_complex` beyond it). Reading, shaping and laying out one new character costs
    /// about one unit. A processor does about forty million units a second. The most expensive of a hundred real
    /// documents needs two million.
    pub work: u64,
    /// The maximum memory in use at the same time, in bytes (`too_complex` beyond it): XML trees, the document, its
    /// lines and pages.
    pub memory: u64,
    cancelled: Arc<AtomicBool>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { work: 300_000_000, memory: 320 << 20, cancelled: Arc::default() }
    }
}

impl Budget {
    /// Cancels the work that uses this budget, at its next step. The outcome is `cancelled`.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

// The states of a meter: the work continues, a limit is exceeded, the work is cancelled, a part of the text is missing.
const ON: u8 = 0;
const TOO_COMPLEX: u8 = 1;
const CANCELLED: u8 = 2;
const FAULT: u8 = 3;

/// The work and memory used for one document so far. Copies share their counts.
///
/// Loops call [`Meter::spend`] before each step. When it returns false, they end early with a partial result; all later
/// calls return false too. The code that started the loops calls [`Meter::outcome`] and drops the partial results.
#[derive(Debug, Clone, Default)]
pub struct Meter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    budget: Budget,
    work: AtomicU64,
    memory: AtomicU64,
    state: AtomicU8,
}

impl Meter {
    /// Creates a meter with these limits.
    pub fn new(budget: &Budget) -> Self {
        Self(Arc::new(Counts { budget: budget.clone(), ..Counts::default() }))
    }

    /// Counts work before it is done. Returns false if the work must not be done.
    pub fn spend(&self, units: usize) -> bool {
        let counts = &*self.0;
        let before = counts.work.fetch_add(units as u64, Ordering::Relaxed);
        if before.saturating_add(units as u64) > counts.budget.work {
            self.end(TOO_COMPLEX);
        } else if counts.budget.cancelled.load(Ordering::Relaxed) {
            self.end(CANCELLED);
        }
        !self.is_over()
    }

    /// Counts memory before it is allocated. Returns false if the memory must not be allocated.
    pub fn hold(&self, bytes: usize) -> bool {
        let counts = &*self.0;
        let before = counts.memory.fetch_add(bytes as u64, Ordering::Relaxed);
        if before.saturating_add(bytes as u64) > counts.budget.memory {
            self.end(TOO_COMPLEX);
        }
        !self.is_over()
    }

    /// Refuses the document as too complex. Called if the document exceeds another limit and leaving out the rest would
    /// lose text.
    pub fn refuse(&self) {
        self.end(TOO_COMPLEX);
    }

    /// Returns a part of the text that always exists. `None` is a bug: the outcome becomes `internal`, so that pages
    /// without that text are never produced.
    pub fn expect<T: Default>(&self, part: Option<T>) -> T {
        part.unwrap_or_else(|| {
            debug_assert!(false, "a part of the text is not where it was");
            self.end(FAULT);
            T::default()
        })
    }

    /// Releases memory that was counted.
    pub fn release(&self, bytes: usize) {
        // The update cannot fail, because the closure always returns `Some`.
        let _ = self
            .0
            .memory
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| Some(held.saturating_sub(bytes as u64)));
    }

    /// Returns true if the work must stop: a limit is exceeded, the work is cancelled, or a part of the text is
    /// missing.
    pub fn is_over(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) != ON
    }

    /// Returns the outcome so far.
    ///
    /// # Errors
    /// `too_complex` if a limit is exceeded, `cancelled` if the work was cancelled, `internal` if a part of the text is
    /// missing.
    pub fn outcome(&self) -> Result<()> {
        match self.0.state.load(Ordering::Relaxed) {
            ON => Ok(()),
            CANCELLED => Err(Error::new(ErrorCode::Cancelled, "Nobody waits for this document any more.")),
            FAULT => Err(Error::internal("a part of its text is not where it was")),
            _ => Err(Error::new(
                ErrorCode::TooComplex,
                "This document is too complex: to set it would take more work or memory than one document may take.",
            )),
        }
    }

    /// Returns the units of work so far.
    pub fn work(&self) -> u64 {
        self.0.work.load(Ordering::Relaxed)
    }

    /// Returns the bytes in use.
    pub fn memory(&self) -> u64 {
        self.0.memory.load(Ordering::Relaxed)
    }

    /// Returns the bytes that can still be used.
    pub fn memory_left(&self) -> u64 {
        self.0.budget.memory.saturating_sub(self.memory())
    }

    /// Stops the work with this state.
    fn end(&self, state: u8) {
        // Only the first reason is kept.
        let _ = self.0.state.compare_exchange(ON, state, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// An amount of memory that is counted by a meter until this value is dropped.
#[derive(Debug, Default)]
pub struct Held {
    meter: Meter,
    bytes: usize,
}

impl Held {
    /// Creates an amount of 0 bytes.
    pub fn of(meter: &Meter) -> Self {
        Self { meter: meter.clone(), bytes: 0 }
    }

    /// Counts `bytes` bytes. They are counted even if they exceed the limit; the work must then stop.
    pub fn new(meter: &Meter, bytes: usize) -> Self {
        meter.hold(bytes);
        Self { meter: meter.clone(), bytes }
    }

    /// Releases `bytes` bytes of this amount.
    pub fn less(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.meter.release(bytes);
    }

    /// Adds `bytes` bytes. Returns false if they must not be allocated.
    pub fn more(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.meter.hold(bytes)
    }
}

impl Clone for Held {
    /// Counts the same number of bytes again for the copy.
    fn clone(&self) -> Self {
        Self::new(&self.meter, self.bytes)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.meter.release(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(meter: &Meter) -> &'static str {
        meter.outcome().map_or_else(|error| error.code.as_str(), |()| "")
    }

    #[test]
    fn what_is_past_a_limit_is_refused_for_ever() {
        let meter = Meter::new(&Budget { work: 10, memory: 10, ..Budget::default() });
        assert!(meter.spend(10) && meter.hold(10));
        assert_eq!(code(&meter), "");
        assert!(!meter.clone().spend(1), "copies count together");
        assert!(!meter.spend(0) && !meter.hold(0));
        assert_eq!(code(&meter), "too_complex");
    }

    #[test]
    fn memory_that_is_given_back_can_be_taken_again() {
        let meter = Meter::new(&Budget { memory: 10, ..Budget::default() });
        for _ in 0..3 {
            assert!(Held::of(&meter).more(10));
        }
        let mut held = Held::of(&meter);
        assert!(held.more(6) && !held.more(6));
        assert_eq!(code(&meter), "too_complex");
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "not where it was"))]
    fn what_would_be_lost_is_told() {
        let meter = Meter::default();
        assert_eq!(meter.expect("text".get(1..)), "ext");
        assert_eq!(code(&meter), "");
        assert_eq!(meter.expect("é".get(1..)), "");
        assert_eq!(code(&meter), "internal");
    }

    #[test]
    fn who_keeps_a_copy_can_cancel() {
        let budget = Budget::default();
        let meter = Meter::new(&budget);
        assert!(meter.spend(1));
        budget.cancel();
        assert!(!meter.spend(1));
        assert_eq!(code(&meter), "cancelled");
    }
}
