//! Old metafiles ([MS-WMF] 2.3). A record has a size in 16-bit words and a two-byte type. Its parameters are stored in
//! reverse order.

use kurbo::{Point, Rect, Vec2};

use super::MOST_RECORDS;
use super::bitmap::{Dib, seen};
use super::bytes::{points, short, sized, u16_at, u32_at};
use super::mapping::Mapping;
use super::objects::{Font, Object, Pen, brush, color};
use super::player::Player;
use super::shapes::{self, ArcKind};
use crate::Rgb;

/// Logical units per inch, if the file does not specify them.
const UNITS: f64 = 1440.0;

/// Plays the records of a metafile. Returns the player with its marks, and the width and height of the sheet in points.
pub(super) fn play(data: &[u8]) -> Option<(Player<'_>, f64, f64)> {
    let placeable = u32_at(data, 0) == Some(0x9AC6_CDD7);
    let start = if placeable { 22 } else { 0 };
    let rest = data.get(start..)?;
    let rest = rest.get(usize::from(u16_at(rest, 2)?) * 2..)?;
    let edge = |at| short(data, at);
    let placed = placeable.then(|| Some(Rect::new(edge(6)?, edge(8)?, edge(10)?, edge(12)?))).flatten();
    let inch = f64::from(u16_at(data, 14)?);
    let inch = if placeable && inch > 0.0 { inch } else { UNITS };
    let window = placed.or_else(|| window(rest))?;
    let (width, height) = (window.width().abs() / inch * 72.0, window.height().abs() / inch * 72.0);
    if width <= 0.0 || height <= 0.0 {
        return None;
    }
    // The window covers the whole sheet. In a file without a window record, the logical units are those of the box in
    // the file header.
    let mapping = Mapping {
        mode: 8,
        window_origin: window.origin(),
        window_extent: Some(window.size().to_vec2()),
        viewport_extent: Some(Vec2::new(width, height)),
        pixels: Vec2::new(1440.0 / 25.4, 1440.0 / 25.4),
        ..Mapping::default()
    };
    Some((Player::new(mapping).play(records(rest), play_record), width, height))
}

/// Returns the types and bytes of the records.
fn records(mut data: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    let next = move || {
        let size = (u32_at(data, 0)? as usize).checked_mul(2)?;
        let kind = u16_at(data, 4).filter(|kind| *kind != 0)?;
        let record = data.get(..size).filter(|record| record.len() >= 6)?;
        data = data.get(size..)?;
        Some((kind, record))
    };
    std::iter::from_fn(next).take(MOST_RECORDS)
}

/// Returns the first window of the file or, if it has none, the box of the first bitmap.
fn window(data: &[u8]) -> Option<Rect> {
    let (mut origin, mut extent) = (Point::ORIGIN, None);
    let mut first = None;
    for (kind, record) in records(data) {
        match kind {
            0x020B => origin = pair(record, 6)?,
            0x020C => {
                extent = pair(record, 6);
                break;
            }
            0x0F43 | 0x0B41 | 0x0940 | 0x0D33 if first.is_none() => first = placed(record, bitmap_at(kind).0 - 8),
            _ => {}
        }
    }
    extent.map(|extent: Point| sized(origin, extent.to_vec2())).or(first)
}

/// Reads a point that is stored as y, x.
fn pair(record: &[u8], at: usize) -> Option<Point> {
    Some(Point::new(short(record, at + 2)?, short(record, at)?))
}

/// Reads a box that is stored as bottom, right, top, left.
fn bounds(record: &[u8], at: usize) -> Option<Rect> {
    let (Point { x: x1, y: y1 }, Point { x: x0, y: y0 }) = (pair(record, at)?, pair(record, at + 4)?);
    Some(Rect { x0, y0, x1, y1 })
}

/// Plays a record. Returns `None` if the record is truncated or draws something that is not supported.
fn play_record<'d>(player: &mut Player<'d>, kind: u16, record: &'d [u8]) -> Option<()> {
    let mapping = &mut player.device.mapping;
    match kind {
        0x001E => player.save(),
        0x0127 => player.restore(short(record, 6)? as i32),
        0x0102 => player.device.opaque = u16_at(record, 6)? == 2,
        0x0106 => player.device.even_odd = u16_at(record, 6)? != 2,
        0x012E => player.device.text_align = u32::from(u16_at(record, 6)?),
        0x0201 => player.device.ground = color(u32_at(record, 6)?),
        0x0209 => player.device.text_color = color(u32_at(record, 6)?),
        0x020B => mapping.window_origin = pair(record, 6)?,
        0x020C => mapping.window_extent = Some(pair(record, 6)?.to_vec2()),
        0x020F => mapping.window_origin += pair(record, 6)?.to_vec2(),
        0x0410 => {
            let (below, above) = (pair(record, 6)?, pair(record, 10)?);
            let factor = Vec2::new(above.x / below.x, above.y / below.y);
            if factor.is_finite() {
                mapping.window_extent =
                    mapping.window_extent.map(|extent| Vec2::new(extent.x * factor.x, extent.y * factor.y));
            }
        }
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
        0x061C => player.outline(shapes::rounded(bounds(record, 10)?, pair(record, 6)?.to_vec2()), true),
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
        0x012D => player.select(u16_at(record, 6)?.into()),
        0x01F0 => player.delete(u16_at(record, 6)?.into()),
        0x02FA => {
            let pen = Pen::new(u16_at(record, 6)?.into(), short(record, 8)?, color(u32_at(record, 12)?));
            player.create_next(Object::Pen(pen));
        }
        0x02FB => player.create_next(Object::Font(Font::read(record.get(6..)?, false)?)),
        0x02FC => player.create_next(Object::Brush(brush(u16_at(record, 6)?.into(), color(u32_at(record, 8)?)))),
        // Brushes with a bitmap pattern are replaced by grey.
        0x01F9 | 0x0142 => {
            player.create_next(Object::Brush(Some(Rgb(0xC0, 0xC0, 0xC0))));
            return None;
        }
        0x00F7 | 0x06FF => player.create_next(Object::Other),
        0x0521 => {
            let length = usize::from(u16_at(record, 6)?);
            let text = super::text::decoded(record.get(8..8 + length)?, &player.device.font);
            player.text(&text, pair(record, 8 + length.next_multiple_of(2))?, None, true);
        }
        0x0A32 => text(player, record)?,
        0x061D => {
            let color = match u32_at(record, 6)? {
                0x00FF_0062 => Some(Rgb(255, 255, 255)),
                0x0000_0042 => Some(Rgb(0, 0, 0)),
                _ => player.device.brush,
            };
            if let Some(color) = color {
                player.fill_box(placed(record, 10)?, color);
            }
        }
        0x0F43 | 0x0B41 | 0x0940 | 0x0D33 => blit(player, kind, record)?,
        // These records draw or clip, but are not supported.
        0x0415 | 0x0220 | 0x041F | 0x0419 | 0x0228 | 0x0429 | 0x012A | 0x012B | 0x0922 | 0x0B23 => return None,
        _ => {}
    }
    Some(())
}

/// Draws several polygons.
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

/// Plays META_EXTTEXTOUT ([MS-WMF] 2.3.3.5).
fn text(player: &mut Player, record: &[u8]) -> Option<()> {
    const OPAQUE: u16 = 2;
    const BOXED: u16 = 6;
    const GLYPHS: u16 = 0x10;
    let at = pair(record, 6)?;
    let (count, options) = (usize::from(u16_at(record, 10)?), u16_at(record, 12)?);
    let mut offset = 14;
    if options & BOXED != 0 {
        let area = Rect::new(short(record, 14)?, short(record, 16)?, short(record, 18)?, short(record, 20)?);
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

/// Returns the offset of the bitmap in a record of this type, the offset of its source box, and whether the bitmap is
/// stretched.
fn bitmap_at(kind: u16) -> (usize, Option<usize>, bool) {
    match kind {
        0x0F43 => (28, Some(12), true),
        0x0B41 => (26, Some(10), false),
        0x0940 => (22, None, false),
        _ => (24, None, false),
    }
}

/// Reads a box that is stored as height, width, top, left.
fn placed(record: &[u8], at: usize) -> Option<Rect> {
    Some(sized(pair(record, at + 4)?, pair(record, at)?.to_vec2()))
}

/// Plays a record that draws a bitmap. The bitmap is at the end of the record, after the height, width, y and x of its
/// destination box.
fn blit<'d>(player: &mut Player<'d>, kind: u16, record: &'d [u8]) -> Option<()> {
    let (at, from, stretched) = bitmap_at(kind);
    let area = placed(record, at - 8)?;
    let dib = Dib::packed(record.get(at..)?)?;
    let Some(file) = seen(dib, area, u32_at(record, 6), &mut player.mask) else { return Some(()) };
    let part = from.and_then(|at| placed(record, at)).unwrap_or(dib.size()?.to_rect());
    let crop = dib.crop(part, stretched)?;
    player.bitmap(file?, crop, area);
    Some(())
}
