//! The resource limits of one document. Work is counted in units and memory in bytes. No clock is used, so the result
//! for a document is the same on every machine and in every run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use waraq_rules::ErrorCode;

use crate::{Error, Result};

/// The limits of one document, and a flag that cancels the work on it.
///
/// Copies share the flag: [`Budget::cancel`] on one copy also cancels the work that uses another copy.
#[derive(Debug, Clone)]
pub struct Budget {
    /// The maximum work in units. A document that needs more is refused with `too_complex`. Reading, shaping and laying
    /// out one character for the first time costs about one unit. A processor does about forty million units a second.
    /// The most expensive of a hundred real documents needs two million units.
    pub work: u64,
    /// The maximum memory in bytes that the XML trees, the document, its lines and its pages occupy at the same time. A
    /// document that needs more is refused with `too_complex`.
    pub memory: u64,
    cancelled: Arc<AtomicBool>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { work: 300_000_000, memory: 320 << 20, cancelled: Arc::default() }
    }
}

impl Budget {
    /// Cancels the work that uses this budget. The work stops at its next step, and its outcome is `cancelled`.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

// The states of a meter: the work continues, a limit is exceeded, the work is cancelled, a part of the text is missing.
const RUNNING: u8 = 0;
const TOO_COMPLEX: u8 = 1;
const CANCELLED: u8 = 2;
const INTERNAL_ERROR: u8 = 3;

/// The work and memory used for one document so far. Copies share their counts.
///
/// A loop calls [`Meter::spend`] before each step. When `spend` returns false, the loop ends early with a partial
/// result. All later calls of `spend` return false too. The code that started the loop calls [`Meter::outcome`] and
/// drops the partial result.
#[derive(Debug, Clone, Default)]
pub struct Meter(Arc<MeterCounts>);

#[derive(Debug, Default)]
struct MeterCounts {
    budget: Budget,
    work: AtomicU64,
    memory: AtomicU64,
    state: AtomicU8,
}

impl Meter {
    /// Creates a meter that has counted nothing yet and enforces the limits of `budget`.
    pub fn new(budget: &Budget) -> Self {
        Self(Arc::new(MeterCounts { budget: budget.clone(), ..MeterCounts::default() }))
    }

    /// Counts work that is about to be done, in units. Returns false if the caller must not do the work: a limit is
    /// exceeded, or the work was stopped for another reason.
    pub fn spend(&self, units: usize) -> bool {
        let counts = &*self.0;
        let before = counts.work.fetch_add(units as u64, Ordering::Relaxed);
        if before.saturating_add(units as u64) > counts.budget.work {
            self.stop(TOO_COMPLEX);
        } else if counts.budget.cancelled.load(Ordering::Relaxed) {
            self.stop(CANCELLED);
        }
        !self.must_stop()
    }

    /// Counts memory that is about to be allocated, in bytes. Returns false if the caller must not allocate the memory:
    /// a limit is exceeded, or the work was stopped for another reason.
    pub fn allocate(&self, bytes: usize) -> bool {
        let counts = &*self.0;
        let before = counts.memory.fetch_add(bytes as u64, Ordering::Relaxed);
        if before.saturating_add(bytes as u64) > counts.budget.memory {
            self.stop(TOO_COMPLEX);
        }
        !self.must_stop()
    }

    /// Refuses the document as too complex. Callers use this function if a limit that is not part of the budget is
    /// exceeded. Otherwise, a part of the text would be missing on the pages.
    pub fn refuse_document(&self) {
        self.stop(TOO_COMPLEX);
    }

    /// Returns the text in `part`. `part` can be `None` only because of a bug in this program. In that case, the
    /// function returns the default value and changes the outcome to `internal`, so that pages without the text are
    /// never produced.
    pub fn expect_text<T: Default>(&self, part: Option<T>) -> T {
        part.unwrap_or_else(|| {
            debug_assert!(false, "a part of the text is not where it was");
            self.stop(INTERNAL_ERROR);
            T::default()
        })
    }

    /// Subtracts freed memory, in bytes, from the memory in use.
    pub fn release(&self, bytes: usize) {
        // The update cannot fail, because the closure always returns `Some`.
        let _ = self
            .0
            .memory
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| Some(held.saturating_sub(bytes as u64)));
    }

    /// Returns true if the work must stop: a limit is exceeded, the work is cancelled, or a part of the text is
    /// missing.
    pub fn must_stop(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) != RUNNING
    }

    /// Returns `Ok` if the work may continue, or else the reason why it must stop.
    ///
    /// # Errors
    /// `too_complex` if a limit is exceeded, `cancelled` if the work was cancelled, `internal` if a part of the text is
    /// missing.
    pub fn outcome(&self) -> Result<()> {
        match self.0.state.load(Ordering::Relaxed) {
            RUNNING => Ok(()),
            CANCELLED => Err(Error::new(ErrorCode::Cancelled, "Nobody waits for this document any more.")),
            INTERNAL_ERROR => Err(Error::internal("a part of its text is not where it was")),
            _ => Err(Error::new(
                ErrorCode::TooComplex,
                "This document is too complex: to set it would take more work or memory than one document may take.",
            )),
        }
    }

    /// Returns the work that has been counted so far, in units.
    pub fn work(&self) -> u64 {
        self.0.work.load(Ordering::Relaxed)
    }

    /// Returns the memory in use, in bytes.
    pub fn memory(&self) -> u64 {
        self.0.memory.load(Ordering::Relaxed)
    }

    /// Returns the memory that can still be allocated, in bytes.
    pub(crate) fn memory_left(&self) -> u64 {
        self.0.budget.memory.saturating_sub(self.memory())
    }

    /// Stops the work. `state` is the reason.
    fn stop(&self, state: u8) {
        // Only the first reason is kept.
        let _ = self.0.state.compare_exchange(RUNNING, state, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// An amount of memory that is counted by a meter until this value is dropped.
#[derive(Debug, Default)]
pub struct CountedMemory {
    meter: Meter,
    bytes: usize,
}

impl CountedMemory {
    /// Creates an amount of 0 bytes.
    pub fn empty(meter: &Meter) -> Self {
        Self { meter: meter.clone(), bytes: 0 }
    }

    /// Counts `bytes` bytes. They are counted even if they exceed the limit; the work must then stop.
    pub fn new(meter: &Meter, bytes: usize) -> Self {
        meter.allocate(bytes);
        Self { meter: meter.clone(), bytes }
    }

    /// Releases `bytes` bytes of this amount.
    pub fn shrink(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.meter.release(bytes);
    }

    /// Counts `bytes` more bytes. Returns false if the caller must not allocate them: the limit is exceeded, or the
    /// work was stopped for another reason.
    pub fn grow(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.meter.allocate(bytes)
    }
}

impl Clone for CountedMemory {
    /// Counts the same number of bytes again for the copy.
    fn clone(&self) -> Self {
        Self::new(&self.meter, self.bytes)
    }
}

impl Drop for CountedMemory {
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
    fn after_a_limit_is_exceeded_everything_is_refused() {
        let meter = Meter::new(&Budget { work: 10, memory: 10, ..Budget::default() });
        assert!(meter.spend(10) && meter.allocate(10));
        assert_eq!(code(&meter), "");
        assert!(!meter.clone().spend(1), "copies count together");
        assert!(!meter.spend(0) && !meter.allocate(0));
        assert_eq!(code(&meter), "too_complex");
    }

    #[test]
    fn released_memory_can_be_allocated_again() {
        let meter = Meter::new(&Budget { memory: 10, ..Budget::default() });
        for _ in 0..3 {
            assert!(CountedMemory::empty(&meter).grow(10));
        }
        let mut held = CountedMemory::empty(&meter);
        assert!(held.grow(6) && !held.grow(6));
        assert_eq!(code(&meter), "too_complex");
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "not where it was"))]
    fn missing_text_is_an_internal_error() {
        let meter = Meter::default();
        assert_eq!(meter.expect_text("text".get(1..)), "ext");
        assert_eq!(code(&meter), "");
        assert_eq!(meter.expect_text("é".get(1..)), "");
        assert_eq!(code(&meter), "internal");
    }

    #[test]
    fn a_copy_of_the_budget_can_cancel_the_work() {
        let budget = Budget::default();
        let meter = Meter::new(&budget);
        assert!(meter.spend(1));
        budget.cancel();
        assert!(!meter.spend(1));
        assert_eq!(code(&meter), "cancelled");
    }
}
