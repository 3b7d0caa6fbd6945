//! What one document may cost. There is no clock here: work is counted in units, memory in bytes, so that the same
//! document is refused on every machine and in every run, or on none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use waraq_rules::ErrorCode;

use crate::{Error, Result};

/// The limits of one document, and the flag that says that nobody waits for it any more.
///
/// A copy has the same flag: whoever keeps one can [`Budget::cancel`] the work that another was handed to.
#[derive(Debug, Clone)]
pub struct Budget {
    /// Units of work: one is about what it takes to read, shape and set one character that is not known yet, and some forty million
    /// are a second of a processor. The dearest of a hundred real documents takes two million. (`too_complex`)
    pub work: u64,
    /// Bytes of what is held at the same time: XML trees, the document, its lines and pages. (`too_complex`)
    pub memory: u64,
    cancelled: Arc<AtomicBool>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { work: 300_000_000, memory: 320 << 20, cancelled: Arc::default() }
    }
}

impl Budget {
    /// Ends the work this was handed to, at its next step: `cancelled`.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

const ON: u8 = 0;
const TOO_COMPLEX: u8 = 1;
const CANCELLED: u8 = 2;
const FAULT: u8 = 3;

/// What the work on one document has cost so far. Copies count together.
///
/// Loops ask [`Meter::spend`] before each step and end early, with whatever they have, once it says no; it then says no for
/// ever. Whoever began them asks [`Meter::outcome`] and throws away what they left.
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
    /// Counts against these limits.
    pub fn new(budget: &Budget) -> Self {
        Self(Arc::new(Counts { budget: budget.clone(), ..Counts::default() }))
    }

    /// Counts work that is about to be done. `false`: it is not to be done.
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

    /// Counts memory that is about to be taken. `false`: it is not to be taken.
    pub fn hold(&self, bytes: usize) -> bool {
        let counts = &*self.0;
        let before = counts.memory.fetch_add(bytes as u64, Ordering::Relaxed);
        if before.saturating_add(bytes as u64) > counts.budget.memory {
            self.end(TOO_COMPLEX);
        }
        !self.is_over()
    }

    /// What is to be done is past a limit of its own, and to leave a part of it out would lose text.
    pub fn refuse(&self) {
        self.end(TOO_COMPLEX);
    }

    /// What must be there, or a part of the text would be lost: where it is not, this is a fault of ours, and the outcome is
    /// `internal` instead of pages without it.
    pub fn expect<T: Default>(&self, part: Option<T>) -> T {
        part.unwrap_or_else(|| {
            debug_assert!(false, "a part of the text is not where it was");
            self.end(FAULT);
            T::default()
        })
    }

    /// Memory that was counted is free again.
    pub fn release(&self, bytes: usize) {
        // an update cannot fail: the closure never says no
        let _ = self
            .0
            .memory
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| Some(held.saturating_sub(bytes as u64)));
    }

    /// Whether the limits are passed, or nobody waits any more.
    pub fn is_over(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) != ON
    }

    /// # Errors
    /// `too_complex` past a limit, `cancelled` where nobody waits any more, `internal` where a part of the text is lost.
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

    /// Units of work so far.
    pub fn work(&self) -> u64 {
        self.0.work.load(Ordering::Relaxed)
    }

    /// Bytes held now.
    pub fn memory(&self) -> u64 {
        self.0.memory.load(Ordering::Relaxed)
    }

    /// Bytes that may be held besides.
    pub fn memory_left(&self) -> u64 {
        self.0.budget.memory.saturating_sub(self.memory())
    }

    fn end(&self, state: u8) {
        // the first reason stands
        let _ = self.0.state.compare_exchange(ON, state, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Memory that is counted until this is dropped.
#[derive(Debug, Default)]
pub struct Held {
    meter: Meter,
    bytes: usize,
}

impl Held {
    /// Nothing yet.
    pub fn of(meter: &Meter) -> Self {
        Self { meter: meter.clone(), bytes: 0 }
    }

    /// So many bytes; past the limit they are counted all the same, and the meter is over.
    pub fn new(meter: &Meter, bytes: usize) -> Self {
        meter.hold(bytes);
        Self { meter: meter.clone(), bytes }
    }

    /// So many of them are given back.
    pub fn less(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.meter.release(bytes);
    }

    /// As [`Meter::hold`].
    pub fn more(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.meter.hold(bytes)
    }
}

impl Clone for Held {
    /// A copy takes as much again.
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
