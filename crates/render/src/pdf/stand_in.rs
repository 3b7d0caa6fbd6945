//! What krilla is given of a picture that it does not take as it is to be in the file: a JPEG of the same size, a head
//! without a picture, which it passes on untouched. [`compact`](super::compact) puts the picture in its place.

use waraq_layout::ImageId;

use crate::picture::Head;

/// What the stand-ins begin with: a JPEG's first marker and a comment.
const STAND_IN: &[u8] = b"\xFF\xD8\xFF\xFE\x00\x13waraq png";

/// The JPEG; `None`: none is so large.
pub(super) fn of(id: ImageId, Head { size: (width, height), gray }: Head) -> Option<Vec<u8>> {
    let channels = if gray { 1_u8 } else { 3 };
    let mut head = STAND_IN.to_vec();
    head.extend_from_slice(&(id.0 as u64).to_be_bytes());
    // the frame: eight bits, its size, its channels (ITU-T T.81, B.2.2); then the scan's head (B.2.3)
    head.extend_from_slice(&[0xFF, 0xC0, 0, 8 + 3 * channels, 8]);
    head.extend_from_slice(&u16::try_from(height).ok()?.to_be_bytes());
    head.extend_from_slice(&u16::try_from(width).ok()?.to_be_bytes());
    head.push(channels);
    (1..=channels).for_each(|channel| head.extend_from_slice(&[channel, 0x11, 0]));
    head.extend_from_slice(&[0xFF, 0xDA, 0, 6 + 2 * channels, channels]);
    (1..=channels).for_each(|channel| head.extend_from_slice(&[channel, 0]));
    head.extend_from_slice(&[0, 63, 0, 0xFF, 0xD9]);
    Some(head)
}

/// Whether a JPEG could be taken for a stand-in.
pub(super) fn is_like_one(data: &[u8]) -> bool {
    data.starts_with(STAND_IN)
}

/// Which picture a stream stands for.
pub(super) fn stands_for(data: &[u8]) -> Option<ImageId> {
    let id = data.strip_prefix(STAND_IN)?.first_chunk::<8>()?;
    usize::try_from(u64::from_be_bytes(*id)).ok().map(ImageId)
}

/// The dictionary that krilla wrote for a stand-in.
pub(super) struct Dictionary<'a> {
    /// All entries but those named here, in two parts.
    pub before: String,
    pub after: &'a str,
    /// The colour space.
    pub space: &'a str,
}

impl<'a> Dictionary<'a> {
    /// `None`: it is not as krilla writes it. The entries are those but for the length.
    pub(super) fn read(entries: &'a str) -> Option<Self> {
        let (before, rest) = entries.split_once("/Filter/DCTDecode")?;
        let (middle, rest) = rest.split_once("/ColorSpace")?;
        let (space, after) = rest.split_once("/BitsPerComponent 8")?;
        Some(Self { before: format!("{before}{middle}"), after, space })
    }
}
