//! Records of enhanced metafiles that draw text ([MS-EMF] 2.3.5).

use super::bytes::{long, point, u32_at};
use super::emf::bounds;
use super::objects::Font;
use super::player::Player;

/// Plays EMR_EXTTEXTOUTA and EMR_EXTTEXTOUTW ([MS-EMF] 2.3.5.7, 2.3.5.8).
pub(super) fn text(player: &mut Player, record: &[u8], wide: bool) -> Option<()> {
    const OPAQUE: u32 = 2;
    const GLYPHS: u32 = 0x10;
    const BOTH_WAYS: u32 = 0x2000;
    let (count, offset) = (u32_at(record, 44)? as usize, u32_at(record, 48)? as usize);
    let options = u32_at(record, 52)?;
    let area = bounds(record, 56)?;
    if options & OPAQUE != 0 && area.width() > 0.0 && area.height() > 0.0 {
        let ground = player.device.ground;
        player.fill_box(area, ground);
    }
    if count == 0 {
        return Some(());
    }
    // The text is given as glyph numbers of the original font, which is not available.
    if options & GLYPHS != 0 {
        return None;
    }
    let text = letters(record, offset, count, wide, &player.device.font)?;
    let advances = u32_at(record, 72)? as usize;
    let step = if options & BOTH_WAYS != 0 { 8 } else { 4 };
    let sum: Option<f64> = (0..count).map(|index| long(record, advances.checked_add(index.checked_mul(step)?)?)).sum();
    let at = point(record, 36)?;
    player.text(&text, at, sum.filter(|_| advances > 0), options & OPAQUE == 0);
    Some(())
}

/// Reads `count` characters, which are UTF-16 if `wide` is true, else bytes.
fn letters(record: &[u8], offset: usize, count: usize, wide: bool, font: &Font) -> Option<String> {
    if !wide {
        return Some(super::text::decoded(record.get(offset..offset.checked_add(count)?)?, font));
    }
    let bytes = record.get(offset..offset.checked_add(count.checked_mul(2)?)?)?;
    Some(super::text::looks(&super::text::utf16(bytes), font))
}

/// Plays EMR_SMALLTEXTOUT ([MS-EMF] 2.3.5.37).
pub(super) fn small_text(player: &mut Player, record: &[u8]) -> Option<()> {
    const NO_BOX: u32 = 0x100;
    const NARROW: u32 = 0x200;
    let (count, options) = (u32_at(record, 16)? as usize, u32_at(record, 20)?);
    let offset = if options & NO_BOX != 0 { 36 } else { 52 };
    let text = letters(record, offset, count, options & NARROW == 0, &player.device.font)?;
    player.text(&text, point(record, 8)?, None, true);
    Some(())
}
