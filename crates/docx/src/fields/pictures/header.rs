//! The size of a picture from the header of its file. The pixels are never decoded here.

use waraq_rules::PictureFormat;

/// The maximum width and the maximum height of a picture in pixels.
pub(super) const MAX_SIDE: u32 = 10_000;
/// The maximum number of pixels of a picture.
pub(super) const MAX_PIXELS: u64 = 40_000_000;

/// The width and height of a picture in pixels. Both are greater than 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::fields) struct PixelSize {
    pub width: u32,
    pub height: u32,
}

impl PixelSize {
    /// Returns `true` if the picture has more pixels than a field accepts.
    pub(super) fn is_too_large(self) -> bool {
        self.width > MAX_SIDE || self.height > MAX_SIDE || u64::from(self.width) * u64::from(self.height) > MAX_PIXELS
    }
}

/// Reads the size of a picture. Returns `None` if the file is not of this format or has no size.
pub(super) fn read_size(bytes: &[u8], format: PictureFormat) -> Option<PixelSize> {
    let (width, height) = match format {
        PictureFormat::Png => png_size(bytes)?,
        PictureFormat::Jpeg => jpeg_size(bytes)?,
    };
    (width > 0 && height > 0).then_some(PixelSize { width, height })
}

/// Reads the size from the IHDR chunk of a PNG file, which is always the first chunk (ISO/IEC 15948, 11.2.2).
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let header = rest.get(4..)?.strip_prefix(b"IHDR")?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    Some((number(0)?, number(4)?))
}

/// Reads the size from the frame header of a JPEG file (ISO/IEC 10918-1, B.2.2).
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let [0xff, marker, after @ ..] = rest else { return None };
        match marker {
            // A fill byte before a marker.
            0xff => rest = rest.get(1..)?,
            // Markers without a segment.
            0x01 | 0xd0..=0xd7 => rest = after,
            // The frame headers SOF0 to SOF15. C4, C8 and CC are other markers.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                let number = |at: usize| Some(u32::from(u16::from_be_bytes(after.get(at..at + 2)?.try_into().ok()?)));
                return Some((number(5)?, number(3)?));
            }
            // The scan or the end of the picture precedes a frame header.
            0xd9 | 0xda => return None,
            _ => {
                let length = u16::from_be_bytes(after.get(..2)?.try_into().ok()?);
                rest = after.get(usize::from(length).max(2)..)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes
    }

    #[test]
    fn the_size_comes_from_the_header() {
        let size = |width, height| Some(PixelSize { width, height });
        assert_eq!(read_size(&png(640, 480), PictureFormat::Png), size(640, 480));
        let segments = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xff\xc2\0\x11\x08\0\x90\x01\0\x03";
        assert_eq!(read_size(segments, PictureFormat::Jpeg), size(256, 144));
    }

    #[test]
    fn damaged_headers_have_no_size() {
        assert_eq!(read_size(&png(0, 480), PictureFormat::Png), None);
        assert_eq!(read_size(&png(640, 480), PictureFormat::Jpeg), None);
        for bytes in
            [&b""[..], b"\xff\xd8", b"\xff\xd8\xff", b"\xff\xd8\xff\xda\0\x02", b"\xff\xd8\xff\xe0\0\0\xff\xe0"]
        {
            assert_eq!(read_size(bytes, PictureFormat::Jpeg), None, "{bytes:?}");
            assert_eq!(read_size(bytes, PictureFormat::Png), None, "{bytes:?}");
        }
    }

    #[test]
    fn the_limits_are_inclusive() {
        let is_too_large = |width, height| PixelSize { width, height }.is_too_large();
        assert!(!is_too_large(10_000, 4_000));
        assert!(is_too_large(10_001, 1));
        assert!(is_too_large(8_000, 5_001));
    }
}
