//! Recognition of JPEG files (ITU-T T.81, annex B) that contain a picture and nothing else.

const START_OF_IMAGE: [u8; 2] = [0xff, 0xd8];
const END_OF_IMAGE: u8 = 0xd9;
const START_OF_SCAN: u8 = 0xda;

/// Returns `true` if a JPEG file has no metadata: no EXIF, colour profile, comment, thumbnail or bytes after the picture. The
/// picture is grey or has three colours. Files with fill bytes between the segments count as files with metadata.
pub(crate) fn is_plain(file: &[u8]) -> bool {
    file.strip_prefix(&START_OF_IMAGE).is_some_and(|segments| has_only_picture(segments).unwrap_or(false))
}

/// Reads the segments after the start of the image. Returns `None` if the file is damaged.
fn has_only_picture(mut rest: &[u8]) -> Option<bool> {
    loop {
        let (&[mark, kind], after) = rest.split_first_chunk::<2>()?;
        if mark != 0xff {
            return None;
        }
        if kind == END_OF_IMAGE {
            return Some(after.is_empty());
        }
        let length = usize::from(u16::from_be_bytes(*after.first_chunk::<2>()?));
        let content = after.get(2..length)?;
        rest = after.get(length..)?;
        if !is_picture_segment(kind, content) {
            return Some(false);
        }
        if kind == START_OF_SCAN {
            rest = rest.get(scan_length(rest)?..)?;
        }
    }
}

/// Returns `true` for segments that a decoder needs: tables, frames and scans, and the headers of JFIF and Adobe without more
/// data.
fn is_picture_segment(kind: u8, content: &[u8]) -> bool {
    match kind {
        // Frames: baseline, extended and progressive. Byte 5 is the number of components.
        0xc0..=0xc2 => matches!(content.get(5), Some(1 | 3)),
        // Huffman tables, scans, quantization tables, restart interval.
        0xc4 | START_OF_SCAN | 0xdb | 0xdd => true,
        0xe0 => content.len() == 14 && content.starts_with(b"JFIF\0"),
        0xee => content.len() == 12 && content.starts_with(b"Adobe"),
        _ => false,
    }
}

/// Returns the length of the compressed data at the beginning of `bytes`. In it, 0xff is followed by 0 or by a restart marker.
fn scan_length(bytes: &[u8]) -> Option<usize> {
    bytes.windows(2).position(|pair| matches!(pair, [0xff, next] if *next != 0 && !(0xd0..=0xd7).contains(next)))
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, ImageFormat, RgbImage};

    use super::*;

    fn encoded(image: &image::DynamicImage) -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
        bytes.into_inner()
    }

    /// Returns the file with a segment after the start of the image.
    fn with_segment(file: &[u8], kind: u8, content: &[u8]) -> Vec<u8> {
        let mut segment = vec![0xff, kind];
        segment.extend(u16::try_from(content.len() + 2).unwrap().to_be_bytes());
        segment.extend(content);
        let mut bytes = file.to_vec();
        bytes.splice(2..2, segment);
        bytes
    }

    #[test]
    fn metadata_and_other_data_are_found() {
        let colours = RgbImage::from_fn(60, 40, |x, y| image::Rgb([(x * 4) as u8, (y * 6) as u8, (x * y) as u8]));
        let colours = encoded(&colours.into());
        assert!(is_plain(&colours));
        assert!(is_plain(&encoded(&GrayImage::new(9, 9).into())));
        let cases = [
            ("EXIF", with_segment(&colours, 0xe1, b"Exif\0\0MM\0\x2a\0\0\0\x08\0\0")),
            ("colour profile", with_segment(&colours, 0xe2, b"ICC_PROFILE\0\x01\x01")),
            ("comment", with_segment(&colours, 0xfe, b"Rabat")),
            ("thumbnail", with_segment(&colours, 0xe0, b"JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01abc")),
            ("trailing bytes", [&colours[..], b"secret"].concat()),
            ("second picture", [&colours[..], &colours].concat()),
            ("no end", colours[..colours.len() - 2].to_vec()),
            ("cut segment", colours[..30].to_vec()),
            ("no picture", b"\xff\xd8".to_vec()),
            ("PNG", b"\x89PNG\r\n\x1a\n".to_vec()),
            ("empty", Vec::new()),
        ];
        for (what, file) in cases {
            assert!(!is_plain(&file), "{what}");
        }
    }
}
