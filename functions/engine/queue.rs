//! The order in which documents are rendered. Rendering takes milliseconds to seconds of processor time, so documents
//! wait in a queue. The queue is bounded and fair between callers: start-time fair queueing (Goyal, Vin, Cheng 1996),
//! weighted by estimated cost. Fifty large documents of one caller delay a small document of another caller by one
//! document, not by fifty. One large document may take seconds. If there are several processors, large documents
//! therefore never occupy all of them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use waraq_core::{Error, ErrorCode, Result};

/// Maximum number of documents of one caller, waiting and running together. A caller may be a whole office, because all
/// guests with the same address are the same caller.
pub const MOST_PER_CALLER: usize = 64;
/// Maximum number of documents of all callers together, waiting and running.
pub const MOST_DOCUMENTS: usize = 256;
/// Estimated cost above which a document is large. If there are several processors, large documents may not occupy all
/// of them.
const LARGE: Cost = Cost(250);
/// Maximum time that a document waits for its turn. After a longer wait, the platform would end the request before the
/// response is ready.
const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// Estimated cost of a document in milliseconds of processor time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u64);

impl Cost {
    /// Estimates the cost of filling a template from its number of pages and the size of the values in bytes. Measured:
    /// 10 ms a page, and 4 s for the maximum of 200 kB of values.
    pub fn of_filling(pages: u32, values_bytes: usize) -> Self {
        Self(1 + u64::from(pages) * 10 + values_bytes as u64 / 50)
    }

    /// Estimates the cost of an uploaded file from its size, because its number of pages is not known yet. Measured: up
    /// to a second for 100 kB.
    pub fn of_file(bytes: usize) -> Self {
        Self(1 + bytes as u64 / 100)
    }

    /// Estimates the cost of encoding pictures again from their size in bytes: about a second for 1 MB.
    pub fn of_pictures(bytes: usize) -> Self {
        Self(1 + bytes as u64 / 1_000)
    }
}

pub struct Queue {
    /// Number of documents that are rendered at the same time: one per processor. Rendering more at the same time would
    /// only use more memory.
    processors: usize,
    state: Mutex<QueueState>,
}

#[derive(Default)]
struct QueueState {
    callers: HashMap<String, CallerState>,
    /// Number of reserved slots of all callers together. A slot is for one document.
    slots: usize,
    running: usize,
    running_large: usize,
    /// Virtual time of the queue: the latest virtual start time of all documents that were started.
    now: u64,
    /// Number of turns created so far, which is also the number of the newest turn.
    turns: u64,
}

#[derive(Default)]
struct CallerState {
    slots: usize,
    /// Waiting documents in order of arrival.
    waiting: VecDeque<WaitingDocument>,
    /// Virtual time at which all documents of this caller will be finished.
    finish: u64,
}

struct WaitingDocument {
    turn: u64,
    start: u64,
    large: bool,
    begin: oneshot::Sender<()>,
}

/// A reserved slot for one document of a caller. Dropping this value frees the slot.
pub struct QueueSlot {
    queue: Arc<Queue>,
    caller: String,
}

/// The turn of a document. The document waits in the queue until [`QueueSlot::wait_for_turn`] returns, and has a
/// processor from then on. Dropping the turn removes the document from the queue or frees the processor.
pub struct RenderTurn {
    queue: Arc<Queue>,
    caller: String,
    number: u64,
    large: bool,
}

impl Queue {
    pub fn new(processors: usize) -> Arc<Self> {
        Arc::new(Self { processors: processors.max(1), state: Mutex::default() })
    }

    /// Returns the error `too_busy` if `caller` cannot have one more document now. Reserves nothing.
    pub fn check(&self, caller: &str) -> Result<()> {
        self.state().check(caller)
    }

    /// Reserves a slot for one more document of `caller`, or returns the error `too_busy`.
    pub fn reserve(self: &Arc<Self>, caller: &str) -> Result<QueueSlot> {
        let mut state = self.state();
        state.check(caller)?;
        state.slots += 1;
        state.callers.entry(caller.to_owned()).or_default().slots += 1;
        Ok(QueueSlot { queue: Arc::clone(self), caller: caller.to_owned() })
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn too_busy() -> Error {
    let message = "Too many documents are being created right now. Please try again in a moment.";
    Error::too_many(ErrorCode::TooBusy, message, 2)
}

impl QueueSlot {
    /// Waits for this document's turn. Returns `too_busy` after `LONGEST_WAIT`.
    pub async fn wait_for_turn(&self, cost: Cost) -> Result<RenderTurn> {
        let (turn, begun) = self.enqueue(cost);
        match tokio::time::timeout(LONGEST_WAIT, begun).await {
            Ok(Ok(())) => Ok(turn),
            _ => Err(too_busy()),
        }
    }

    fn enqueue(&self, cost: Cost) -> (RenderTurn, oneshot::Receiver<()>) {
        let (begin, begun) = oneshot::channel();
        let mut state = self.queue.state();
        state.turns += 1;
        let (number, large, now) = (state.turns, cost > LARGE, state.now);
        let caller = state.callers.entry(self.caller.clone()).or_default();
        let start = caller.finish.max(now);
        caller.finish = start + cost.0;
        caller.waiting.push_back(WaitingDocument { turn: number, start, large, begin });
        state.start_next(self.queue.processors);
        (RenderTurn { queue: Arc::clone(&self.queue), caller: self.caller.clone(), number, large }, begun)
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.slots -= 1;
        if let Some(caller) = state.callers.get_mut(&self.caller) {
            caller.slots -= 1;
        }
        // A caller who holds no slots and whose finish time is not ahead of virtual time needs no entry.
        let now = state.now;
        state.callers.retain(|_, caller| caller.slots > 0 || caller.finish > now);
        if state.slots == 0 && state.running == 0 {
            state.callers.clear();
        }
    }
}

impl Drop for RenderTurn {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        let waiting = state.callers.get_mut(&self.caller).map(|caller| &mut caller.waiting);
        let place = waiting.and_then(|waiting| {
            let place = waiting.iter().position(|waiting| waiting.turn == self.number)?;
            waiting.remove(place)
        });
        if place.is_none() {
            state.running -= 1;
            state.running_large -= usize::from(self.large);
        }
        state.start_next(self.queue.processors);
    }
}

impl QueueState {
    fn check(&self, caller: &str) -> Result<()> {
        let shares = self.callers.get(caller).map_or(0, |caller| caller.slots);
        if self.slots >= MOST_DOCUMENTS || shares >= MOST_PER_CALLER { Err(too_busy()) } else { Ok(()) }
    }

    /// Starts waiting documents while processors are free. It compares the first waiting document of each caller and
    /// starts the one with the earliest virtual start time.
    fn start_next(&mut self, processors: usize) {
        while self.running < processors {
            let large_may = self.running_large < (processors - 1).max(1);
            let next = self
                .callers
                .values_mut()
                .filter(|caller| caller.waiting.front().is_some_and(|waiting| large_may || !waiting.large));
            let next = next.min_by_key(|caller| caller.waiting.front().map(|waiting| (waiting.start, waiting.turn)));
            let Some(waiting) = next.and_then(|caller| caller.waiting.pop_front()) else { return };
            self.now = self.now.max(waiting.start);
            self.running += 1;
            self.running_large += usize::from(waiting.large);
            // Sending fails if the caller no longer waits. Their turn is then dropped, which frees the processor.
            let _ = waiting.begin.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const SMALL: Cost = Cost(10);
    const BIG: Cost = Cost(4_000);

    fn has_started(receiver: &mut oneshot::Receiver<()>) -> bool {
        receiver.now_or_never().is_some_and(|told| told.is_ok())
    }

    #[test]
    fn caller_with_many_requests_delays_others_by_one_request() {
        let queue = Queue::new(1);
        let one = queue.reserve("one").unwrap();
        let mut many: Vec<_> = (0..5).map(|_| one.enqueue(BIG)).collect();
        let other = queue.reserve("other").unwrap();
        let (mut turn, mut waits) = other.enqueue(BIG);
        assert!(has_started(&mut many[0].1) && !has_started(&mut waits));
        drop(many.remove(0));
        assert!(
            has_started(&mut waits) && !has_started(&mut many[0].1),
            "the first request of `other` comes before the second of `one`"
        );
        let (second, mut second_waits) = other.enqueue(BIG);
        drop(turn);
        assert!(has_started(&mut many[0].1) && !has_started(&mut second_waits), "then `one` has the turn again");
        turn = second;
        drop(many.remove(0));
        assert!(has_started(&mut second_waits));
        drop(turn);
        assert!(has_started(&mut many[0].1));
    }

    #[test]
    fn requests_of_one_caller_keep_their_order() {
        let queue = Queue::new(1);
        let share = queue.reserve("one").unwrap();
        let mut all: Vec<_> = [BIG, SMALL, BIG, SMALL].into_iter().map(|cost| share.enqueue(cost)).collect();
        while !all.is_empty() {
            assert!(has_started(&mut all[0].1));
            assert!(all.iter_mut().skip(1).all(|(_, waits)| !has_started(waits)));
            drop(all.remove(0));
        }
    }

    #[test]
    fn large_requests_leave_a_processor_for_small_ones() {
        let queue = Queue::new(2);
        let (one, other) = (queue.reserve("one").unwrap(), queue.reserve("other").unwrap());
        let mut large: Vec<_> = (0..3).map(|_| one.enqueue(BIG)).collect();
        assert!(has_started(&mut large[0].1) && !has_started(&mut large[1].1));
        let mut small: Vec<_> = (0..2).map(|_| other.enqueue(SMALL)).collect();
        assert!(has_started(&mut small[0].1) && !has_started(&mut small[1].1));
        drop(small.remove(0));
        assert!(has_started(&mut small[0].1));
        drop(large.remove(0));
        assert!(has_started(&mut large[0].1) && !has_started(&mut large[1].1));
    }

    #[test]
    fn cancelled_request_frees_its_queue_slot() {
        let queue = Queue::new(1);
        let (one, other) = (queue.reserve("one").unwrap(), queue.reserve("other").unwrap());
        let (first, _begun) = one.enqueue(SMALL);
        let (second, waits) = one.enqueue(SMALL);
        let (_third, mut third_waits) = other.enqueue(SMALL);
        drop((second, waits));
        drop(first);
        assert!(has_started(&mut third_waits));
        // The turn was started, but the caller left before receiving the signal.
        let newcomer = queue.reserve("newcomer").unwrap();
        let (fourth, fourth_waits) = newcomer.enqueue(SMALL);
        let (_fifth, mut fifth_waits) = other.enqueue(SMALL);
        drop(fourth_waits);
        drop(_third);
        assert!(!has_started(&mut fifth_waits));
        drop(fourth);
        assert!(has_started(&mut fifth_waits));
    }

    #[test]
    fn queue_slots_are_limited_per_caller_and_in_total() {
        let queue = Queue::new(1);
        let shares: Vec<_> = (0..MOST_PER_CALLER).map(|_| queue.reserve("one").unwrap()).collect();
        let refused = queue.reserve("one").err().unwrap();
        assert_eq!(
            (refused.code.as_str(), refused.kind().status(), refused.details.retry_after),
            ("too_busy", 429, Some(2))
        );
        let others: Vec<_> =
            (0..MOST_DOCUMENTS - MOST_PER_CALLER).map(|number| queue.reserve(&number.to_string()).unwrap()).collect();
        assert!(queue.reserve("another").is_err());
        drop(shares);
        assert!(queue.reserve("another").is_ok() && queue.reserve("one").is_ok());
        drop(others);
        assert!(queue.state().callers.is_empty(), "callers without requests are removed");
    }
}
