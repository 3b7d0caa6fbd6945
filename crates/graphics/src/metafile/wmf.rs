//! Old metafiles ([MS-WMF] 2.3): records of sizes in words and two-byte kinds, their numbers last first.

use super::MOST_RECORDS;
use super::bitmap::{self, Bitmap, Dib, Mask};
use super::bytes::{points, short, u16_at, u32_at};
use super::mapping::{Mapping, Matrix};
use super::objects::{Font, Object, Pen, brush, color};
use super::player::Player;
use super::shapes::{self, ArcKind};
use crate::Rgb;

/// Units of an inch where the file names none.
const UNITS: f64 = 1440.0;

pub(super) fn play(data: &[u8]) -> Option<(Player, f64, f64)> {
    let placeable = u32_at(data, 0) == Some(0x9AC6_CDD7);
    let start = if placeable { 22 } else { 0 };
    let records = data.get(start..)?;
    let records = records.get(usize::from(u16_at(records, 2)?) * 2..)?;
    let edge = |at| short(data, at);
    let placed = placeable.then(|| Some([edge(6)?, edge(8)?, edge(10)?, edge(12)?])).flatten();
    let inch = f64::from(u16_at(data, 14)?);
    let inch = if placeable && inch > 0.0 { inch } else { UNITS };
    let [left, top, right, bottom] = placed.or_else(|| window(records))?;
    let (width, height) = ((right - left).abs() / inch * 72.0, (bottom - top).abs() / inch * 72.0);
    if width <= 0.0 || height <= 0.0 {
        return None;
    }
    // The window fills the sheet, whatever its units; a file that names none draws in the units of its box.
    let mut mapping = Mapping::new((1440.0 / 25.4, 1440.0 / 25.4), Matrix::PLAIN);
    mapping.mode = 8;
    (mapping.window_origin, mapping.window_extent) = ((left, top), Some((right - left, bottom - top)));
    mapping.viewport_extent = Some((width, height));
    let mut player = Player::new(mapping);
    let mut mask = None;
    for (kind, record) in Records(records).take(MOST_RECORDS) {
        if play_record(&mut player, kind, record, &mut mask).is_none() {
            player.incomplete = true;
        }
    }
    Some((player, width, height))
}

struct Records<'d>(&'d [u8]);

impl<'d> Iterator for Records<'d> {
    type Item = (u16, &'d [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let size = (u32_at(self.0, 0)? as usize).checked_mul(2)?;
        let kind = u16_at(self.0, 4).filter(|kind| *kind != 0)?;
        let record = self.0.get(..size).filter(|record| record.len() >= 6)?;
        self.0 = self.0.get(size..)?;
        Some((kind, record))
    }
}

/// The first window that is named; else the box of the first bitmap.
fn window(records: &[u8]) -> Option<[f64; 4]> {
    let (mut origin, mut extent) = ((0.0, 0.0), None);
    let mut first = None;
    for (kind, record) in Records(records).take(MOST_RECORDS) {
        match kind {
            0x020B => origin = pair(record, 6)?,
            0x020C => {
                extent = pair(record, 6);
                break;
            }
            0x0F43 | 0x0B41 | 0x0940 | 0x0D33 if first.is_none() => first = destination(record, bitmap_at(kind)),
            _ => {}
        }
    }
    let Some((width, height)) = extent else {
        return first.map(|[x, y, width, height]| [x, y, x + width, y + height]);
    };
    Some([origin.0, origin.1, origin.0 + width, origin.1 + height])
}

/// y, then x.
fn pair(record: &[u8], at: usize) -> Option<(f64, f64)> {
    Some((short(record, at + 2)?, short(record, at)?))
}

/// Bottom, right, top, left.
fn bounds(record: &[u8], at: usize) -> Option<[f64; 4]> {
    let ((right, bottom), (left, top)) = (pair(record, at)?, pair(record, at + 4)?);
    Some([left, top, right, bottom])
}

fn play_record<'d>(player: &mut Player, kind: u16, record: &'d [u8], mask: &mut Option<Mask<'d>>) -> Option<()> {
    match kind {
        0x001E => player.save(),
        0x0127 => player.restore(short(record, 6)? as i32),
        0x0102 => player.device.opaque = u16_at(record, 6)? == 2,
        0x0106 => player.device.even_odd = u16_at(record, 6)? != 2,
        0x012E => player.device.text_align = u32::from(u16_at(record, 6)?),
        0x0201 => player.device.ground = color(u32_at(record, 6)?),
        0x0209 => player.device.text_color = color(u32_at(record, 6)?),
        0x020B | 0x020C | 0x020F | 0x0410 => window_record(player, kind, record)?,
        0x0214 => player.device.at = pair(record, 6)?,
        0x0213 => player.line_to(pair(record, 6)?),
        0x0324 | 0x0325 => {
            let all = points(record, 8, usize::from(u16_at(record, 6)?), false)?;
            let closed = kind == 0x0324;
            player.outline(shapes::polygon(&all, closed), closed);
        }
        0x0538 => polygons(player, record)?,
        0x0418 => player.outline(shapes::ellipse(bounds(record, 6)?), true),
        0x041B => player.outline(shapes::rectangle(bounds(record, 6)?), true),
        0x061C => player.outline(shapes::rounded(bounds(record, 10)?, pair(record, 6)?), true),
        0x0817 | 0x081A | 0x0830 => {
            let (end, start) = (pair(record, 6)?, pair(record, 10)?);
            let kind = match kind {
                0x0817 => ArcKind::Open,
                0x081A => ArcKind::Pie,
                _ => ArcKind::Chord,
            };
            player.arc(bounds(record, 14)?, start, end, kind);
        }
        0x0416 => player.clip(bounds(record, 6)?),
        0x012C => player.device.clip = None,
        0x012D | 0x01F0 | 0x02FA | 0x02FB | 0x02FC | 0x00F7 | 0x01F9 | 0x0142 | 0x06FF => {
            objects(player, kind, record)?;
        }
        0x0521 => {
            let length = usize::from(u16_at(record, 6)?);
            let text = super::text::decoded(record.get(8..8 + length)?, &player.device.font);
            player.text(&text, pair(record, 8 + length.next_multiple_of(2))?, None, true);
        }
        0x0A32 => text(player, record)?,
        0x061D => {
            let (width, height) = pair(record, 10)?;
            let (x, y) = pair(record, 14)?;
            let color = match u32_at(record, 6)? {
                0x00FF_0062 => Some(Rgb(255, 255, 255)),
                0x0000_0042 => Some(Rgb(0, 0, 0)),
                _ => player.device.brush,
            };
            if let Some(color) = color {
                player.fill_box([x, y, x + width, y + height], color);
            }
        }
        0x0F43 | 0x0B41 | 0x0940 | 0x0D33 => blit(player, kind, record, mask)?,
        // They draw, or cut what is drawn.
        0x0415 | 0x0220 | 0x041F | 0x0419 | 0x0228 | 0x0429 | 0x012A | 0x012B | 0x0922 | 0x0B23 => return None,
        _ => {}
    }
    Some(())
}

fn window_record(player: &mut Player, kind: u16, record: &[u8]) -> Option<()> {
    let mapping = &mut player.device.mapping;
    match kind {
        0x020B => mapping.window_origin = pair(record, 6)?,
        0x020C => mapping.window_extent = Some(pair(record, 6)?),
        0x020F => {
            let (x, y) = pair(record, 6)?;
            mapping.window_origin = (mapping.window_origin.0 + x, mapping.window_origin.1 + y);
        }
        _ => {
            let (below, above) = (pair(record, 6)?, pair(record, 10)?);
            let (x, y) = (above.0 / below.0, above.1 / below.1);
            if x.is_finite() && y.is_finite() {
                mapping.window_extent = mapping.window_extent.map(|(width, height)| (width * x, height * y));
            }
        }
    }
    Some(())
}

fn polygons(player: &mut Player, record: &[u8]) -> Option<()> {
    let count = usize::from(u16_at(record, 6)?);
    let mut at = 8 + 2 * count;
    let mut steps = Vec::new();
    for index in 0..count {
        let length = usize::from(u16_at(record, 8 + 2 * index)?);
        steps.extend(shapes::polygon(&points(record, at, length, false)?, true));
        at += 4 * length;
    }
    player.outline(steps, true);
    Some(())
}

fn objects(player: &mut Player, kind: u16, record: &[u8]) -> Option<()> {
    if matches!(kind, 0x012D | 0x01F0) {
        let number = u32::from(u16_at(record, 6)?);
        if kind == 0x012D {
            player.select(number);
        } else {
            player.delete(number);
        }
        return Some(());
    }
    let object = match kind {
        0x02FA => Object::Pen(Pen::new(u32::from(u16_at(record, 6)?), short(record, 8)?, color(u32_at(record, 12)?))),
        0x02FB => Object::Font(font(record)?),
        0x02FC => Object::Brush(brush(u16_at(record, 6)?.into(), color(u32_at(record, 8)?))),
        0x01F9 | 0x0142 => {
            player.incomplete = true;
            Object::Brush(Some(Rgb(0xC0, 0xC0, 0xC0)))
        }
        _ => Object::Other,
    };
    player.create_next(object);
    Some(())
}

/// [MS-WMF] 2.2.1.2
fn font(record: &[u8]) -> Option<Font> {
    let flag = |at: usize| record.get(at).is_some_and(|byte| *byte != 0);
    let name: Vec<u8> = record.get(24..)?.iter().copied().take(32).take_while(|byte| *byte != 0).collect();
    Some(Font {
        height: short(record, 6)?,
        escapement: short(record, 10)?,
        bold: short(record, 14)? >= 600.0,
        italic: flag(16),
        underline: flag(17),
        strike: flag(18),
        charset: *record.get(19)?,
        family: super::text::decoded(&name, &Font::default()),
    })
}

/// [MS-WMF] 2.3.3.5
fn text(player: &mut Player, record: &[u8]) -> Option<()> {
    const OPAQUE: u16 = 2;
    const BOXED: u16 = 6;
    const GLYPHS: u16 = 0x10;
    let at = pair(record, 6)?;
    let (count, options) = (usize::from(u16_at(record, 10)?), u16_at(record, 12)?);
    let mut offset = 14;
    if options & BOXED != 0 {
        let area = [short(record, 14)?, short(record, 16)?, short(record, 18)?, short(record, 20)?];
        if options & OPAQUE != 0 {
            let ground = player.device.ground;
            player.fill_box(area, ground);
        }
        offset += 8;
    }
    if options & GLYPHS != 0 {
        return None;
    }
    let text = super::text::decoded(record.get(offset..offset + count)?, &player.device.font);
    let advances = offset + count.next_multiple_of(2);
    let sum: Option<f64> = (0..count).map(|index| short(record, advances + 2 * index)).sum();
    player.text(&text, at, sum, options & OPAQUE == 0);
    Some(())
}

/// Where the bitmap begins in a record that draws one.
fn bitmap_at(kind: u16) -> usize {
    match kind {
        0x0F43 => 28,
        0x0B41 => 26,
        0x0940 => 22,
        _ => 24,
    }
}

/// The box that a bitmap fills: left, top, width and height stand before it, the last first.
fn destination(record: &[u8], at: usize) -> Option<[f64; 4]> {
    let number = |at: usize| short(record, at);
    Some([number(at - 2)?, number(at - 4)?, number(at - 6)?, number(at - 8)?])
}

/// A bitmap at the end of its record; before it stand height, width, y and x of its box.
fn blit<'d>(player: &mut Player, kind: u16, record: &'d [u8], waiting: &mut Option<Mask<'d>>) -> Option<()> {
    let at = bitmap_at(kind);
    // Where height, width, y and x of the box in the bitmap stand.
    let (stretched, from) = match kind {
        0x0F43 => (true, Some(12)),
        0x0B41 => (false, Some(10)),
        _ => (false, None),
    };
    let number = |at: usize| short(record, at);
    let area = destination(record, at)?;
    let dib = Dib::packed(record.get(at..)?)?;
    let Some(file) = bitmap::seen(dib, area, u32_at(record, 6), waiting) else { return Some(()) };
    let whole = dib.size()?;
    let part = from.and_then(|at| Some([number(at + 6)?, number(at + 4)?, number(at + 2)?, number(at)?]));
    let crop = part.map_or([0.0; 4], |[x, y, width, height]| {
        let y = if stretched && dib.bottom_up() { whole.1 - y - height } else { y };
        bitmap::crop([x, y, width, height], whole)
    });
    player.bitmap(Bitmap { file: file?, crop }, area);
    Some(())
}
