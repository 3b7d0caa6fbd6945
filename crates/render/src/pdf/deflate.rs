//! The streams of a PDF compressed (ISO 32000-1, 7.4.4), on as many processors as it is worth: it takes an eighth of a report's
//! time, and no stream waits for another.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use flate2::{Compress, Compression, FlushCompress, Status};

/// Fewer bytes a thread are compressed sooner than another has started.
const WORTH_A_THREAD: usize = 64 << 10;
/// How hard it is tried, of 9: a third less time than the usual 6 for a twentieth more bytes.
const FOR_TEXT: u32 = 5;
/// Half the time for a twentieth more.
const FOR_PICTURES: u32 = 4;
/// What zlib knows (RFC 1950, 2.2; 256 bytes it takes for 512), as powers of two.
const WINDOW: RangeInclusive<u8> = 9..=15;
/// A compressor holds a quarter of a megabyte.
const MOST_THREADS: usize = 8;

/// How many there are for this process. (To ask takes longer than to compress a page.)
pub(super) fn processors() -> usize {
    static KNOWN: OnceLock<usize> = OnceLock::new();
    *KNOWN.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// One compressor for all that this thread compresses: its tables take longer to clear than a page to compress.
pub(super) struct Zlib {
    /// Once there is something to compress.
    compress: Option<Compress>,
    /// How far it looks back, as a power of two.
    bits: u8,
    level: u32,
}

impl Zlib {
    /// For streams of at most so many bytes; longer ones are compressed less well.
    pub(super) fn new(longest: usize) -> Self {
        Self::of_window(WINDOW.into_iter().find(|bits| longest <= 1 << bits).unwrap_or(*WINDOW.end()))
    }

    /// What does not look back so far need not be cleared.
    fn of_window(bits: u8) -> Self {
        Self { compress: None, bits, level: 0 }
    }

    /// For pixels as well.
    pub(super) fn for_pictures() -> Self {
        Self::of_window(*WINDOW.end())
    }

    /// Each of them as a zlib stream, in their order: the same bytes however many threads made them.
    pub(super) fn all(&mut self, streams: &[&[u8]]) -> Option<Vec<Vec<u8>>> {
        let bytes = streams.iter().map(|stream| stream.len()).sum::<usize>();
        let threads = match bytes / WORTH_A_THREAD {
            0 | 1 => 1,
            worth => worth.min(MOST_THREADS).min(processors()),
        };
        let (next, bits) = (AtomicUsize::new(0), self.bits);
        let mut made = thread::scope(|scope| {
            // where no thread can be had (WebAssembly) this one does it all
            let start =
                |_| thread::Builder::new().spawn_scoped(scope, || Self::of_window(bits).some(streams, &next)).ok();
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
        self.at_level(FOR_TEXT, stream)
    }

    /// Pixels, by one [for pictures](Self::for_pictures).
    pub(super) fn pixels(&mut self, pixels: &[u8]) -> Option<Vec<u8>> {
        self.at_level(FOR_PICTURES, pixels)
    }

    fn at_level(&mut self, level: u32, stream: &[u8]) -> Option<Vec<u8>> {
        let level_before = std::mem::replace(&mut self.level, level);
        let compress = match &mut self.compress {
            Some(used) => {
                used.reset();
                if level != level_before {
                    used.set_level(Compression::new(level)).ok()?;
                }
                used
            }
            none => none.insert(Compress::new_with_window_bits(Compression::new(level), true, self.bits)),
        };
        // more than zlib ever makes of it
        let mut out = Vec::with_capacity(stream.len() + stream.len() / 1000 + 64);
        match compress.compress_vec(stream, &mut out, FlushCompress::Finish) {
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
        let longest = streams.iter().map(|stream| stream.len()).max().unwrap();
        let together = Zlib::new(longest).all(&streams).unwrap();
        let mut zlib = Zlib::new(longest);
        let alone: Vec<Vec<u8>> = streams.iter().map(|stream| zlib.one(stream).unwrap()).collect();
        assert!(together == alone);
        assert!(zlib.all(&[]).unwrap().is_empty());
        assert!(zlib.one(b"").is_some() && zlib.one(b"") == Zlib::new(longest).one(b""), "nothing, twice");
    }

    #[test]
    fn what_it_compressed_before_changes_nothing() {
        let stream: Vec<u8> = (0..70_000_u32).map(|at| (at % 251 * (at >> 9)) as u8).collect();
        let (mut zlib, mut other) = (Zlib::for_pictures(), Zlib::of_window(15));
        let (pixels, text) = (zlib.pixels(&stream), other.one(&stream));
        assert!(pixels.is_some() && text.is_some() && pixels != text);
        assert!(zlib.one(&stream) == text && zlib.pixels(&stream) == pixels);
        assert!(other.pixels(&stream) == pixels && other.one(&stream) == text);
    }

    #[test]
    fn whatever_the_window_all_is_there() {
        let stream: Vec<u8> = (0..70_000_u32).map(|at| (at.wrapping_mul(at) >> 7) as u8).collect();
        for longest in [0, 1, 512, 513, 5_000, 32_768, 70_000] {
            let made = Zlib::new(longest).one(&stream).unwrap();
            let mut read = Vec::with_capacity(stream.len());
            let status =
                flate2::Decompress::new(true).decompress_vec(&made, &mut read, flate2::FlushDecompress::Finish);
            assert!(matches!(status, Ok(Status::StreamEnd)) && read == stream, "{longest}");
        }
    }
}
