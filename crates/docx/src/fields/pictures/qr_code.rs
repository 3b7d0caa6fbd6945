//! QR codes (ISO/IEC 18004) as PNG files.

use qrcode::{Color, EcLevel, QrCode};
use waraq_rules::{ErrorCode, RuleViolation};

use super::POINTS_PER_MILLIMETRE;
use super::header::PixelSize;
use crate::{Error, Result};

/// The width of the empty border, in modules (ISO/IEC 18004, 9.1).
const QUIET_ZONE: usize = 4;
/// The width of a module in pixels. One pixel would be enough, but viewers blur small pictures when they enlarge them.
const MODULE_PIXELS: usize = 8;
/// The maximum number of bytes in a QR code of error correction level M (version 40).
pub(super) const MAX_BYTES: usize = 2_331;
/// The width of a module on paper in points, so that phones can read it (0.5 mm).
const MODULE_POINTS: f32 = 0.5 * POINTS_PER_MILLIMETRE;
/// The minimum width of a QR code on paper in millimetres.
pub(super) const LEAST_MILLIMETRES: u16 = 20;

/// A QR code as a PNG file.
pub(super) struct QrPicture {
    pub png: Vec<u8>,
    pub size: PixelSize,
    /// The width and height on paper in points.
    pub points: f32,
}

/// Encodes a text with error correction level M. The PNG has one bit per pixel and includes the quiet zone.
///
/// # Errors
/// `qr_code_too_long` with the name of the field if the text does not fit the largest QR code.
pub(super) fn encode(text: &str, field: &str) -> Result<QrPicture> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(|_| {
        Error::from(RuleViolation {
            code: ErrorCode::QrCodeTooLong,
            message: format!("The text of the QR code “{field}” is too long: at most {MAX_BYTES} bytes fit."),
            fields: vec![field.to_owned()],
            suggestions: Vec::new(),
            limit: Some(MAX_BYTES),
        })
    })?;
    let width = code.width();
    let side = (width + 2 * QUIET_ZONE) * MODULE_PIXELS;
    let row_bytes = side.div_ceil(8);
    let colors = code.to_colors();
    // A bit of 1 is white.
    let mut pixels = vec![0xff_u8; row_bytes * side];
    for (at, _) in colors.iter().enumerate().filter(|(_, color)| **color == Color::Dark) {
        let (x, y) = ((at % width + QUIET_ZONE) * MODULE_PIXELS, (at / width + QUIET_ZONE) * MODULE_PIXELS);
        for row in pixels.chunks_mut(row_bytes).skip(y).take(MODULE_PIXELS) {
            for pixel in x..x + MODULE_PIXELS {
                if let Some(byte) = row.get_mut(pixel / 8) {
                    *byte &= !(0x80 >> (pixel % 8));
                }
            }
        }
    }
    let side = u32::try_from(side).map_err(Error::internal)?;
    let points =
        ((width + 2 * QUIET_ZONE) as f32 * MODULE_POINTS).max(f32::from(LEAST_MILLIMETRES) * POINTS_PER_MILLIMETRE);
    let png = write_png(side, &pixels).map_err(Error::internal)?;
    Ok(QrPicture { png, size: PixelSize { width: side, height: side }, points })
}

/// Writes a square PNG with one bit per pixel.
fn write_png(side: u32, pixels: &[u8]) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(bytes)
}
