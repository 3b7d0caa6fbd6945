//! Decoding of pictures that users upload, within limits of memory. The size in the header is checked before decoding.

use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use crate::{Error, Result};

/// Maximum number of pixels of an uploaded picture whose pixels take at most four bytes each. This is twice the number of
/// pixels in photos that phones take by default. The web page scales pictures down before it uploads them.
pub const MOST_PIXELS: u64 = 25_000_000;

/// Maximum memory in bytes for a decoded picture. So a picture with eight bytes per pixel may have only half of [`MOST_PIXELS`].
const MOST_UNPACKED_BYTES: u64 = MOST_PIXELS * 4;
/// Maximum memory in bytes that a decoder may allocate. Half of it is for the decoded picture, the other half for temporary data.
const MOST_DECODER_BYTES: u64 = MOST_UNPACKED_BYTES * 2;
/// Maximum number of pictures that wait while another one is decoded.
const MOST_WAITING: usize = 16;

/// A decoded picture. It is not rotated yet, because rotating a smaller copy is cheaper.
pub(crate) struct DecodedPicture {
    pub image: DynamicImage,
    /// The EXIF orientation. A picture without an orientation is upright.
    pub orientation: Orientation,
}

/// The reason why a picture is not decoded.
#[derive(Debug)]
pub(crate) enum DecodeError {
    /// The file has none of the accepted formats.
    Format,
    /// The picture has more pixels than the number.
    TooManyPixels(u64),
    /// The picture has no pixels.
    Empty,
    /// The file is damaged. The text is the cause.
    Damaged(String),
}

impl From<image::ImageError> for DecodeError {
    fn from(error: image::ImageError) -> Self {
        match error {
            image::ImageError::Limits(_) => Self::TooManyPixels(MOST_PIXELS),
            _ => Self::Damaged(error.to_string()),
        }
    }
}

/// Decodes a picture of one of these formats. The format is detected from the magic bytes; the file name is ignored.
pub(crate) fn decode(bytes: &[u8], formats: &[ImageFormat]) -> std::result::Result<DecodedPicture, DecodeError> {
    let format =
        image::guess_format(bytes).ok().filter(|format| formats.contains(format)).ok_or(DecodeError::Format)?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MOST_DECODER_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    // The size is checked before decoding, because a file of a few bytes can claim to be a picture of many gigabytes.
    let most = MOST_PIXELS.min(MOST_UNPACKED_BYTES / u64::from(decoder.color_type().bytes_per_pixel()).max(1));
    if u64::from(width) * u64::from(height) > most {
        return Err(DecodeError::TooManyPixels(most));
    }
    if width == 0 || height == 0 {
        return Err(DecodeError::Empty);
    }
    decoder.set_limits(limits)?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    Ok(DecodedPicture { image: DynamicImage::from_decoder(decoder)?, orientation })
}

/// Runs `work` while no other picture is being decoded. A process decodes one picture at a time, so that it needs the memory
/// for only one picture (at most about 300 MB).
///
/// # Errors
/// `unavailable` if too many pictures wait, and the errors of `work`.
pub(crate) fn one_at_a_time<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    static TURN: Mutex<()> = Mutex::new(());
    let waiting = WaitingGuard::new();
    if waiting.before > MOST_WAITING {
        return Err(Error::unavailable(format!("{} pictures wait", waiting.before)));
    }
    // A panic during another picture leaves no inconsistent state.
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// A guard for one picture that is waiting or being processed. `WAITING` is the number of these guards.
struct WaitingGuard {
    /// The number of pictures that were already waiting or being processed when this guard was created.
    before: usize,
}

static WAITING: AtomicUsize = AtomicUsize::new(0);

impl WaitingGuard {
    fn new() -> Self {
        Self { before: WAITING.fetch_add(1, Ordering::SeqCst) }
    }
}

impl Drop for WaitingGuard {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::SeqCst);
    }
}
