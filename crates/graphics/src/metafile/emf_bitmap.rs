//! Records of enhanced metafiles that draw bitmaps ([MS-EMF] 2.3.1).

use kurbo::Point;

use super::bitmap::{Dib, file_or_store_mask};
use super::bytes::{point, rect_from_size, u32_at};
use super::player::Player;
use crate::Rgb;

/// The raster operation that paints with the brush.
const PATTERN: u32 = 0x00F0_0021;
/// The raster operation that paints in white.
const WHITENESS: u32 = 0x00FF_0062;
/// The raster operation that paints in black.
const BLACKNESS: u32 = 0x0000_0042;

/// Plays a record that draws a bitmap ([MS-EMF] 2.3.1). If the record contains no bitmap, its raster operation fills
/// the destination box with the brush, white or black.
pub(super) fn draw_bitmap_record<'d>(player: &mut Player<'d>, kind: u32, record: &'d [u8]) -> Option<()> {
    // The byte offsets of these values in the record: the location of the bitmap, the destination size, the raster
    // operation, the source position and the source size.
    let (offsets, size, operation, from, from_size) = match kind {
        76 => (84, 32, Some(40), 44, None),
        77 | 114 | 116 => (84, 32, Some(40), 44, Some(100)),
        80 => (48, 40, None, 32, Some(40)),
        _ => (48, 72, Some(68), 32, Some(40)),
    };
    let operation = operation.filter(|_| kind < 114).and_then(|at| u32_at(record, at));
    let area = rect_from_size(point(record, 24)?, point(record, size)?.to_vec2());
    let at = |index: usize| u32_at(record, offsets + 4 * index).map(|at| at as usize);
    let (head, head_size, bits, bits_size) = (at(0)?, at(1)?, at(2)?, at(3)?);
    if head_size < 40 {
        let color = match operation? {
            PATTERN => player.device.brush,
            WHITENESS => Some(Rgb(255, 255, 255)),
            BLACKNESS => Some(Rgb(0, 0, 0)),
            // This operation changes nothing.
            0x00AA_0029 => None,
            _ => return None,
        };
        if let Some(color) = color {
            player.fill_box(area, color);
        }
        return Some(());
    }
    let head = record.get(head..head.checked_add(head_size)?)?;
    let dib = Dib { header: head, bits: record.get(bits..bits.checked_add(bits_size)?)? };
    let Some(mut file) = file_or_store_mask(dib, area, operation, &mut player.pending_mask) else { return Some(()) };
    if kind == 114 && record.get(43) == Some(&1) {
        file = dib.blended_file().or(file);
    }
    let size = from_size.map_or(Some(area.size().to_vec2()), |at| point(record, at).map(Point::to_vec2))?;
    let part = rect_from_size(point(record, from)?, size);
    // Records 80 and 81, whose source is not a device context, measure the source box from the bottom of the bitmap.
    let crop = dib.crop(part, matches!(kind, 80 | 81))?;
    player.draw_bitmap(file?, crop, area);
    Some(())
}
