//! Records of enhanced metafiles that draw bitmaps ([MS-EMF] 2.3.1).

use super::bitmap::{self, Bitmap, Dib, Mask};
use super::bytes::{long, u32_at};
use super::player::Player;
use crate::Rgb;

/// A raster operation that paints with the brush, in white, in black.
const PATTERN: u32 = 0x00F0_0021;
const WHITENESS: u32 = 0x00FF_0062;
const BLACKNESS: u32 = 0x0000_0042;

/// A record that draws a bitmap, or paints its box ([MS-EMF] 2.3.1).
pub(super) fn blit<'d>(player: &mut Player, kind: u32, record: &'d [u8], waiting: &mut Option<Mask<'d>>) -> Option<()> {
    // Where the offsets of head and bits stand, the destination's size, the operation, the box in the bitmap.
    let (offsets, size, operation, from, from_size) = match kind {
        76 => (84, 32, Some(40), 44, None),
        77 | 114 | 116 => (84, 32, Some(40), 44, Some(100)),
        80 => (48, 40, None, 32, Some(40)),
        _ => (48, 72, Some(68), 32, Some(40)),
    };
    let operation = operation.filter(|_| kind < 114).and_then(|at| u32_at(record, at));
    let area = [long(record, 24)?, long(record, 28)?, long(record, size)?, long(record, size + 4)?];
    let at = |index: usize| u32_at(record, offsets + 4 * index).map(|at| at as usize);
    let (head, head_size, bits, bits_size) = (at(0)?, at(1)?, at(2)?, at(3)?);
    if head_size < 40 {
        let color = match operation? {
            PATTERN => player.device.brush,
            WHITENESS => Some(Rgb(255, 255, 255)),
            BLACKNESS => Some(Rgb(0, 0, 0)),
            // The destination stays as it is.
            0x00AA_0029 => None,
            _ => return None,
        };
        if let Some(color) = color {
            player.fill_box([area[0], area[1], area[0] + area[2], area[1] + area[3]], color);
        }
        return Some(());
    }
    let head = record.get(head..head.checked_add(head_size)?)?;
    let dib = Dib { head, bits: record.get(bits..bits.checked_add(bits_size)?)? };
    let Some(mut file) = bitmap::seen(dib, area, operation, waiting) else { return Some(()) };
    if kind == 114 && record.get(43) == Some(&1) {
        file = dib.blended().or(file);
    }
    let whole = dib.size()?;
    let (x, y) = (long(record, from)?, long(record, from + 4)?);
    let (width, height) = match from_size {
        Some(at) => (long(record, at)?, long(record, at + 4)?),
        None => (area[2], area[3]),
    };
    // Boxes in bitmaps that begin at the bottom are measured from there, but for those drawn through a device.
    let y = if matches!(kind, 80 | 81) && dib.bottom_up() { whole.1 - y - height } else { y };
    let crop = bitmap::crop([x, y, width, height], whole);
    player.bitmap(Bitmap { file: file?, crop }, area);
    Some(())
}
