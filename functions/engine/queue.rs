//! Whose document is made next. Making one takes processor time, from milliseconds to seconds, so they wait for a processor in a queue
//! that is bounded and fair by caller: start-time fair queueing (Goyal, Vin, Cheng 1996), weighted by what each is estimated to take. A
//! caller with fifty large ones delays another's small one by the one that is being made, not by fifty; and since that one may take
//! seconds, large ones never hold the last processor.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use waraq_core::{Error, ErrorCode, Result};

/// Documents of one caller at once, made and waiting: an office shares one address.
pub const MOST_PER_CALLER: usize = 64;
/// Documents of all at once.
pub const MOST: usize = 256;
/// Past this a document is large.
const LARGE: Cost = Cost(250);
/// Who has waited so long would not have an answer before the platform ends his request.
const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// What making a document is estimated to take, in milliseconds of a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u64);

impl Cost {
    /// Of so many pages, with so many bytes of values: measured, 10 ms a page and 4 s for the 200 kB that values may have.
    pub fn of_filling(pages: u32, values_bytes: usize) -> Self {
        Self(1 + u64::from(pages) * 10 + values_bytes as u64 / 50)
    }

    /// Of a file whose pages nobody has counted yet: measured, up to a second for 100 kB.
    pub fn of_file(bytes: usize) -> Self {
        Self(1 + bytes as u64 / 100)
    }
}

pub struct Queue {
    /// As many documents at once as there are processors: more would only take memory.
    processors: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    callers: HashMap<String, Caller>,
    /// Shares given out to all callers.
    shares: usize,
    running: usize,
    running_large: usize,
    /// The start tag of what was begun last: virtual time.
    now: u64,
    /// Numbers turns.
    turns: u64,
}

#[derive(Default)]
struct Caller {
    shares: usize,
    /// In the order they came.
    waiting: VecDeque<Waiting>,
    /// The virtual time at which all he has asked for will be done.
    finish: u64,
}

struct Waiting {
    turn: u64,
    start: u64,
    large: bool,
    begin: oneshot::Sender<()>,
}

/// One of the documents a caller may have at once.
pub struct Share {
    queue: Arc<Queue>,
    caller: String,
}

/// A document's place: in the queue at first, on a processor once [`Share::turn`] has answered with it. Dropped, it gives up either.
pub struct Turn {
    queue: Arc<Queue>,
    caller: String,
    number: u64,
    large: bool,
}

impl Queue {
    pub fn new(processors: usize) -> Arc<Self> {
        Arc::new(Self { processors: processors.max(1), state: Mutex::default() })
    }

    /// A share for one more document of `caller`, or `too_busy`.
    pub fn share(self: &Arc<Self>, caller: &str) -> Result<Share> {
        let mut state = self.state();
        if state.shares >= MOST || state.callers.get(caller).is_some_and(|caller| caller.shares >= MOST_PER_CALLER) {
            return Err(too_busy());
        }
        state.shares += 1;
        state.callers.entry(caller.to_owned()).or_default().shares += 1;
        Ok(Share { queue: Arc::clone(self), caller: caller.to_owned() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn too_busy() -> Error {
    Error::too_many(ErrorCode::TooBusy, "Too many documents are being made just now. Please try again in a moment.", 2)
}

impl Share {
    /// Waits for this document's turn.
    pub async fn turn(&self, cost: Cost) -> Result<Turn> {
        let (turn, begun) = self.wait(cost);
        match tokio::time::timeout(LONGEST_WAIT, begun).await {
            Ok(Ok(())) => Ok(turn),
            _ => Err(too_busy()),
        }
    }

    fn wait(&self, cost: Cost) -> (Turn, oneshot::Receiver<()>) {
        let (begin, begun) = oneshot::channel();
        let mut state = self.queue.state();
        state.turns += 1;
        let (number, large, now) = (state.turns, cost > LARGE, state.now);
        let caller = state.callers.entry(self.caller.clone()).or_default();
        let start = caller.finish.max(now);
        caller.finish = start + cost.0;
        caller.waiting.push_back(Waiting { turn: number, start, large, begin });
        state.begin_next(self.queue.processors);
        (Turn { queue: Arc::clone(&self.queue), caller: self.caller.clone(), number, large }, begun)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.shares -= 1;
        if let Some(caller) = state.callers.get_mut(&self.caller) {
            caller.shares -= 1;
        }
        // Whoever has nothing here and is not ahead of the others is as good as new.
        let now = state.now;
        state.callers.retain(|_, caller| caller.shares > 0 || caller.finish > now);
        if state.shares == 0 && state.running == 0 {
            state.callers.clear();
        }
    }
}

impl Drop for Turn {
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
        state.begin_next(self.queue.processors);
    }
}

impl State {
    /// Begins what may be begun: of each caller's next, the one with the lowest start tag.
    fn begin_next(&mut self, processors: usize) {
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
            // Whoever does not wait any more drops his turn, which gives the place back.
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

    fn begun(receiver: &mut oneshot::Receiver<()>) -> bool {
        receiver.now_or_never().is_some_and(|told| told.is_ok())
    }

    #[test]
    fn a_caller_with_many_delays_another_by_one() {
        let queue = Queue::new(1);
        let one = queue.share("one").unwrap();
        let mut many: Vec<_> = (0..5).map(|_| one.wait(BIG)).collect();
        let other = queue.share("other").unwrap();
        let (mut turn, mut waits) = other.wait(BIG);
        assert!(begun(&mut many[0].1) && !begun(&mut waits));
        drop(many.remove(0));
        assert!(begun(&mut waits) && !begun(&mut many[0].1), "the other's first goes before the one's second");
        let (second, mut second_waits) = other.wait(BIG);
        drop(turn);
        assert!(begun(&mut many[0].1) && !begun(&mut second_waits), "then it is the one's turn again");
        turn = second;
        drop(many.remove(0));
        assert!(begun(&mut second_waits));
        drop(turn);
        assert!(begun(&mut many[0].1));
    }

    #[test]
    fn one_callers_come_in_the_order_he_asked() {
        let queue = Queue::new(1);
        let share = queue.share("one").unwrap();
        let mut all: Vec<_> = [BIG, SMALL, BIG, SMALL].into_iter().map(|cost| share.wait(cost)).collect();
        while !all.is_empty() {
            assert!(begun(&mut all[0].1));
            assert!(all.iter_mut().skip(1).all(|(_, waits)| !begun(waits)));
            drop(all.remove(0));
        }
    }

    #[test]
    fn large_ones_leave_a_processor_to_small_ones() {
        let queue = Queue::new(2);
        let (one, other) = (queue.share("one").unwrap(), queue.share("other").unwrap());
        let mut large: Vec<_> = (0..3).map(|_| one.wait(BIG)).collect();
        assert!(begun(&mut large[0].1) && !begun(&mut large[1].1));
        let mut small: Vec<_> = (0..2).map(|_| other.wait(SMALL)).collect();
        assert!(begun(&mut small[0].1) && !begun(&mut small[1].1));
        drop(small.remove(0));
        assert!(begun(&mut small[0].1));
        drop(large.remove(0));
        assert!(begun(&mut large[0].1) && !begun(&mut large[1].1));
    }

    #[test]
    fn whoever_leaves_gives_up_his_place() {
        let queue = Queue::new(1);
        let (one, other) = (queue.share("one").unwrap(), queue.share("other").unwrap());
        let (first, _begun) = one.wait(SMALL);
        let (second, waits) = one.wait(SMALL);
        let (_third, mut third_waits) = other.wait(SMALL);
        drop((second, waits));
        drop(first);
        assert!(begun(&mut third_waits));
        // Told to begin, and gone before he heard of it.
        let newcomer = queue.share("newcomer").unwrap();
        let (fourth, fourth_waits) = newcomer.wait(SMALL);
        let (_fifth, mut fifth_waits) = other.wait(SMALL);
        drop(fourth_waits);
        drop(_third);
        assert!(!begun(&mut fifth_waits));
        drop(fourth);
        assert!(begun(&mut fifth_waits));
    }

    #[test]
    fn shares_are_bounded_for_one_and_for_all() {
        let queue = Queue::new(1);
        let shares: Vec<_> = (0..MOST_PER_CALLER).map(|_| queue.share("one").unwrap()).collect();
        let refused = queue.share("one").err().unwrap();
        assert_eq!(
            (refused.code.as_str(), refused.kind().status(), refused.details.retry_after),
            ("too_busy", 429, Some(2))
        );
        let others: Vec<_> =
            (0..MOST - MOST_PER_CALLER).map(|number| queue.share(&number.to_string()).unwrap()).collect();
        assert!(queue.share("another").is_err());
        drop(shares);
        assert!(queue.share("another").is_ok() && queue.share("one").is_ok());
        drop(others);
        assert!(queue.state().callers.is_empty(), "nobody is remembered");
    }
}
