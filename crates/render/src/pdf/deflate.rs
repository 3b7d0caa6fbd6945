//! The streams of a PDF compressed (ISO 32000-1, 7.4.4), on as many processors as it is worth: it takes an eighth of a report's
//! time, and no stream waits for another.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use flate2::{Compress, Compression, FlushCompress, Status};

/// Fewer bytes a thread are compressed sooner than another has started.
const WORTH_A_THREAD: usize = 64 << 10;
/// A compressor holds a quarter of a megabyte.
const MOST_THREADS: usize = 8;

/// One compressor for all that this thread compresses: its tables take longer to clear than a page to compress.
pub(super) struct Zlib {
    compress: Compress,
    /// It is to be cleared before the next stream.
    used: bool,
}

impl Zlib {
    pub(super) fn new() -> Self {
        Self { compress: Compress::new(Compression::default(), true), used: false }
    }

    /// Each of them as a zlib stream, in their order: the same bytes however many threads made them.
    pub(super) fn all(&mut self, streams: &[&[u8]]) -> Option<Vec<Vec<u8>>> {
        let bytes = streams.iter().map(|stream| stream.len()).sum::<usize>();
        let threads = match bytes / WORTH_A_THREAD {
            0 | 1 => 1,
            worth => worth.min(MOST_THREADS).min(thread::available_parallelism().map_or(1, NonZero::get)),
        };
        let next = AtomicUsize::new(0);
        let mut made = thread::scope(|scope| {
            // where no thread can be had (WebAssembly) this one does it all
            let start = |_| thread::Builder::new().spawn_scoped(scope, || Self::new().some(streams, &next)).ok();
            let others: Vec<_> = (1..threads).map_while(start).collect();
            let mut made = self.some(streams, &next)?;
            for other in others {
                made.extend(other.join().ok()??);
            }
            Some(made)
        })?;
        made.sort_unstable_by_key(|(index, _)| *index);
        Some(made.into_iter().map(|(_, stream)| stream).collect())
    }

    /// Those that nobody else takes, with their places.
    fn some(&mut self, streams: &[&[u8]], next: &AtomicUsize) -> Option<Vec<(usize, Vec<u8>)>> {
        let mut made = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(stream) = streams.get(index) else { return Some(made) };
            made.push((index, self.one(stream)?));
        }
    }

    pub(super) fn one(&mut self, stream: &[u8]) -> Option<Vec<u8>> {
        if std::mem::replace(&mut self.used, true) {
            self.compress.reset();
        }
        // more than zlib ever makes of it
        let mut out = Vec::with_capacity(stream.len() + stream.len() / 1000 + 64);
        match self.compress.compress_vec(stream, &mut out, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => Some(out),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_threads_make_what_one_makes_in_the_same_order() {
        let streams: Vec<Vec<u8>> = (0..40_u32)
            .map(|number| (0..10_000 + 700 * number).flat_map(|at| (at * number).to_le_bytes()).collect())
            .collect();
        let streams: Vec<&[u8]> = streams.iter().map(Vec::as_slice).collect();
        let together = Zlib::new().all(&streams).unwrap();
        let mut zlib = Zlib::new();
        let alone: Vec<Vec<u8>> = streams.iter().map(|stream| zlib.one(stream).unwrap()).collect();
        assert!(together == alone);
        assert!(zlib.all(&[]).unwrap().is_empty());
        assert!(zlib.one(b"").is_some() && zlib.one(b"") == Zlib::new().one(b""), "nothing, twice");
    }
}
