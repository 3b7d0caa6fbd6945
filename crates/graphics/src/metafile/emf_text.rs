//! Records of enhanced metafiles that draw text ([MS-EMF] 2.3.5).

use super::bytes::{i32_coordinate, point, u32_at};
use super::emf::read_bounds;
use super::objects::Font;
use super::player::Player;

/// Plays the records EMR_EXTTEXTOUTA and EMR_EXTTEXTOUTW ([MS-EMF] 2.3.5.7, 2.3.5.8), which draw text. `wide` is true
/// if the text is UTF-16.
pub(super) fn draw_text_record(player: &mut Player, record: &[u8], wide: bool) -> Option<()> {
    const OPAQUE: u32 = 2;
    const GLYPHS: u32 = 0x10;
    const BOTH_WAYS: u32 = 0x2000;
    let (count, offset) = (u32_at(record, 44)? as usize, u32_at(record, 48)? as usize);
    let options = u32_at(record, 52)?;
    let area = read_bounds(record, 56)?;
    if options & OPAQUE != 0 && area.width() > 0.0 && area.height() > 0.0 {
        let ground = player.device.background_color;
        player.fill_box(area, ground);
    }
    if count == 0 {
        return Some(());
    }
    // The text is given as glyph numbers of the original font, which is not available.
    if options & GLYPHS != 0 {
        return None;
    }
    let text = read_letters(record, offset, count, wide, &player.device.font)?;
    let advances = u32_at(record, 72)? as usize;
    let step = if options & BOTH_WAYS != 0 { 8 } else { 4 };
    let sum: Option<f64> =
        (0..count).map(|index| i32_coordinate(record, advances.checked_add(index.checked_mul(step)?)?)).sum();
    let at = point(record, 36)?;
    player.draw_text(&text, at, sum.filter(|_| advances > 0), options & OPAQUE == 0);
    Some(())
}

/// Reads `count` characters from the byte offset `offset` on. They are UTF-16 if `wide` is true, else bytes in the
/// character set of the font.
fn read_letters(record: &[u8], offset: usize, count: usize, wide: bool, font: &Font) -> Option<String> {
    if !wide {
        return Some(super::text::decode_text(record.get(offset..offset.checked_add(count)?)?, font));
    }
    let bytes = record.get(offset..offset.checked_add(count.checked_mul(2)?)?)?;
    Some(super::text::symbols_to_unicode(&super::text::decode_utf16(bytes), font))
}

/// Plays the record EMR_SMALLTEXTOUT ([MS-EMF] 2.3.5.37), which draws text.
pub(super) fn draw_small_text_record(player: &mut Player, record: &[u8]) -> Option<()> {
    const NO_BOX: u32 = 0x100;
    const NARROW: u32 = 0x200;
    let (count, options) = (u32_at(record, 16)? as usize, u32_at(record, 20)?);
    let offset = if options & NO_BOX != 0 { 36 } else { 52 };
    let text = read_letters(record, offset, count, options & NARROW == 0, &player.device.font)?;
    player.draw_text(&text, point(record, 8)?, None, true);
    Some(())
}
