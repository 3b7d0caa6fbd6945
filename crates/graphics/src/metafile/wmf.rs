//! Metafiles in the old format, WMF ([MS-WMF] 2.3). A record has a size in 16-bit words and a two-byte type. The
//! parameters of its drawing function are stored in reverse order.

use kurbo::{Point, Rect, Vec2};

use super::MAX_RECORDS;
use super::bitmap::{Dib, file_or_store_mask};
use super::bytes::{i16_coordinate, points, rect_from_size, u16_at, u32_at};
use super::mapping::Mapping;
use super::objects::{Font, GraphicsObject, Pen, color_from_u32, new_brush};
use super::player::Player;
use super::shapes::{self, ArcKind};
use crate::Rgb;

/// Logical units per inch, if the file does not specify them.
const DEFAULT_UNITS_PER_INCH: f64 = 1440.0;

/// Plays the records of a metafile. Returns a player that contains the marks, and the width and height of the drawing
/// area in points. Returns `None` if the metafile is truncated or has no valid size.
pub(super) fn play(data: &[u8]) -> Option<(Player<'_>, f64, f64)> {
    let placeable = u32_at(data, 0) == Some(0x9AC6_CDD7);
    let start = if placeable { 22 } else { 0 };
    let rest = data.get(start..)?;
    let rest = rest.get(usize::from(u16_at(rest, 2)?) * 2..)?;
    let edge = |at| i16_coordinate(data, at);
    let placed = placeable.then(|| Some(Rect::new(edge(6)?, edge(8)?, edge(10)?, edge(12)?))).flatten();
    let inch = f64::from(u16_at(data, 14)?);
    let inch = if placeable && inch > 0.0 { inch } else { DEFAULT_UNITS_PER_INCH };
    let window = placed.or_else(|| find_window(rest))?;
    let (width, height) = (window.width().abs() / inch * 72.0, window.height().abs() / inch * 72.0);
    if width <= 0.0 || height <= 0.0 {
        return None;
    }
    // The window covers the whole drawing area. In a file without a window record, the logical units are those of the
    // box in the file header.
    let mapping = Mapping {
        mode: 8,
        window_origin: window.origin(),
        window_extent: Some(window.size().to_vec2()),
        viewport_extent: Some(Vec2::new(width, height)),
        pixels_per_millimetre: Vec2::new(1440.0 / 25.4, 1440.0 / 25.4),
        ..Mapping::default()
    };
    Some((Player::new(mapping).play(records(rest), play_record), width, height))
}

/// Returns the type and the bytes of each record before the end record.
fn records(mut data: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    let next = move || {
        let size = (u32_at(data, 0)? as usize).checked_mul(2)?;
        let kind = u16_at(data, 4).filter(|kind| *kind != 0)?;
        let record = data.get(..size).filter(|record| record.len() >= 6)?;
        data = data.get(size..)?;
        Some((kind, record))
    };
    std::iter::from_fn(next).take(MAX_RECORDS)
}

/// Returns the first window that the records define or, if they define none, the box of the first bitmap. Returns
/// `None` if there is neither.
fn find_window(data: &[u8]) -> Option<Rect> {
    let (mut origin, mut extent) = (Point::ORIGIN, None);
    let mut first = None;
    for (kind, record) in records(data) {
        match kind {
            0x020B => origin = read_point(record, 6)?,
            0x020C => {
                extent = read_point(record, 6);
                break;
            }
            0x0F43 | 0x0B41 | 0x0940 | 0x0D33 if first.is_none() => {
                first = read_sized_box(record, bitmap_offsets(kind).0 - 8)
            }
            _ => {}
        }
    }
    extent.map(|extent: Point| rect_from_size(origin, extent.to_vec2())).or(first)
}

/// Reads a point that is stored as y, x.
fn read_point(record: &[u8], at: usize) -> Option<Point> {
    Some(Point::new(i16_coordinate(record, at + 2)?, i16_coordinate(record, at)?))
}

/// Reads a box that is stored as bottom, right, top, left.
fn read_bounds(record: &[u8], at: usize) -> Option<Rect> {
    let (Point { x: x1, y: y1 }, Point { x: x0, y: y0 }) = (read_point(record, at)?, read_point(record, at + 4)?);
    Some(Rect { x0, y0, x1, y1 })
}

/// Plays a record. Returns `None` if the record is truncated or draws something that is not supported.
fn play_record<'d>(player: &mut Player<'d>, kind: u16, record: &'d [u8]) -> Option<()> {
    let mapping = &mut player.device.mapping;
    match kind {
        0x001E => player.save(),
        0x0127 => player.restore(i16_coordinate(record, 6)? as i32),
        0x0102 => player.device.has_text_background = u16_at(record, 6)? == 2,
        0x0106 => player.device.fills_even_odd = u16_at(record, 6)? != 2,
        0x012E => player.device.text_align = u32::from(u16_at(record, 6)?),
        0x0201 => player.device.background_color = color_from_u32(u32_at(record, 6)?),
        0x0209 => player.device.text_color = color_from_u32(u32_at(record, 6)?),
        0x020B => mapping.window_origin = read_point(record, 6)?,
        0x020C => mapping.window_extent = Some(read_point(record, 6)?.to_vec2()),
        0x020F => mapping.window_origin += read_point(record, 6)?.to_vec2(),
        0x0410 => {
            let (below, above) = (read_point(record, 6)?, read_point(record, 10)?);
            let factor = Vec2::new(above.x / below.x, above.y / below.y);
            if factor.is_finite() {
                mapping.window_extent =
                    mapping.window_extent.map(|extent| Vec2::new(extent.x * factor.x, extent.y * factor.y));
            }
        }
        0x0214 => player.device.position = read_point(record, 6)?,
        0x0213 => player.line_to(read_point(record, 6)?),
        0x0324 | 0x0325 => {
            let all = points(record, 8, usize::from(u16_at(record, 6)?), false)?;
            let closed = kind == 0x0324;
            player.add_outline(shapes::polygon(&all, closed), closed);
        }
        0x0538 => draw_polygons(player, record)?,
        0x0418 => player.add_outline(shapes::ellipse(read_bounds(record, 6)?), true),
        0x041B => player.add_outline(shapes::rectangle(read_bounds(record, 6)?), true),
        0x061C => player
            .add_outline(shapes::rounded_rectangle(read_bounds(record, 10)?, read_point(record, 6)?.to_vec2()), true),
        0x0817 | 0x081A | 0x0830 => {
            let (end, start) = (read_point(record, 6)?, read_point(record, 10)?);
            let kind = match kind {
                0x0817 => ArcKind::Open,
                0x081A => ArcKind::Pie,
                _ => ArcKind::Chord,
            };
            player.draw_arc(read_bounds(record, 14)?, start, end, kind);
        }
        0x0416 => player.intersect_clip(read_bounds(record, 6)?),
        0x012C => player.device.clip = None,
        0x012D => player.select_object(u16_at(record, 6)?.into()),
        0x01F0 => player.delete_object(u16_at(record, 6)?.into()),
        0x02FA => {
            let pen =
                Pen::new(u16_at(record, 6)?.into(), i16_coordinate(record, 8)?, color_from_u32(u32_at(record, 12)?));
            player.store_at_free_number(GraphicsObject::Pen(pen));
        }
        0x02FB => player.store_at_free_number(GraphicsObject::Font(Font::parse(record.get(6..)?, false)?)),
        0x02FC => player.store_at_free_number(GraphicsObject::Brush(new_brush(
            u16_at(record, 6)?.into(),
            color_from_u32(u32_at(record, 8)?),
        ))),
        // Brushes with a bitmap pattern are replaced by grey.
        0x01F9 | 0x0142 => {
            player.store_at_free_number(GraphicsObject::Brush(Some(Rgb(0xC0, 0xC0, 0xC0))));
            return None;
        }
        0x00F7 | 0x06FF => player.store_at_free_number(GraphicsObject::Other),
        0x0521 => {
            let length = usize::from(u16_at(record, 6)?);
            let text = super::text::decode_text(record.get(8..8 + length)?, &player.device.font);
            player.draw_text(&text, read_point(record, 8 + length.next_multiple_of(2))?, None, true);
        }
        0x0A32 => draw_text_record(player, record)?,
        0x061D => {
            let color = match u32_at(record, 6)? {
                0x00FF_0062 => Some(Rgb(255, 255, 255)),
                0x0000_0042 => Some(Rgb(0, 0, 0)),
                _ => player.device.brush,
            };
            if let Some(color) = color {
                player.fill_box(read_sized_box(record, 10)?, color);
            }
        }
        0x0F43 | 0x0B41 | 0x0940 | 0x0D33 => draw_bitmap_record(player, kind, record)?,
        // These records draw or clip, but are not supported.
        0x0415 | 0x0220 | 0x041F | 0x0419 | 0x0228 | 0x0429 | 0x012A | 0x012B | 0x0922 | 0x0B23 => return None,
        _ => {}
    }
    Some(())
}

/// Draws the polygons of the record META_POLYPOLYGON.
fn draw_polygons(player: &mut Player, record: &[u8]) -> Option<()> {
    let count = usize::from(u16_at(record, 6)?);
    let mut at = 8 + 2 * count;
    let mut steps = Vec::new();
    for index in 0..count {
        let length = usize::from(u16_at(record, 8 + 2 * index)?);
        steps.extend(shapes::polygon(&points(record, at, length, false)?, true));
        at += 4 * length;
    }
    player.add_outline(steps, true);
    Some(())
}

/// Plays the record META_EXTTEXTOUT ([MS-WMF] 2.3.3.5), which draws text.
fn draw_text_record(player: &mut Player, record: &[u8]) -> Option<()> {
    const OPAQUE: u16 = 2;
    const BOXED: u16 = 6;
    const GLYPHS: u16 = 0x10;
    let at = read_point(record, 6)?;
    let (count, options) = (usize::from(u16_at(record, 10)?), u16_at(record, 12)?);
    let mut offset = 14;
    if options & BOXED != 0 {
        let area = Rect::new(
            i16_coordinate(record, 14)?,
            i16_coordinate(record, 16)?,
            i16_coordinate(record, 18)?,
            i16_coordinate(record, 20)?,
        );
        if options & OPAQUE != 0 {
            let ground = player.device.background_color;
            player.fill_box(area, ground);
        }
        offset += 8;
    }
    if options & GLYPHS != 0 {
        return None;
    }
    let text = super::text::decode_text(record.get(offset..offset + count)?, &player.device.font);
    let advances = offset + count.next_multiple_of(2);
    let sum: Option<f64> = (0..count).map(|index| i16_coordinate(record, advances + 2 * index)).sum();
    player.draw_text(&text, at, sum, options & OPAQUE == 0);
    Some(())
}

/// Returns the byte offset of the bitmap in a record of this type, the byte offset of the source box, and whether the
/// bitmap is stretched. Without a source box (`None`), the whole bitmap is drawn.
fn bitmap_offsets(kind: u16) -> (usize, Option<usize>, bool) {
    match kind {
        0x0F43 => (28, Some(12), true),
        0x0B41 => (26, Some(10), false),
        0x0940 => (22, None, false),
        _ => (24, None, false),
    }
}

/// Reads a box that is stored as height, width, top, left.
fn read_sized_box(record: &[u8], at: usize) -> Option<Rect> {
    Some(rect_from_size(read_point(record, at + 4)?, read_point(record, at)?.to_vec2()))
}

/// Plays a record that draws a bitmap. The bitmap is at the end of the record, after the height, width, y and x of its
/// destination box.
fn draw_bitmap_record<'d>(player: &mut Player<'d>, kind: u16, record: &'d [u8]) -> Option<()> {
    let (at, from, stretched) = bitmap_offsets(kind);
    let area = read_sized_box(record, at - 8)?;
    let dib = Dib::from_packed(record.get(at..)?)?;
    let Some(file) = file_or_store_mask(dib, area, u32_at(record, 6), &mut player.pending_mask) else {
        return Some(());
    };
    let part = from.and_then(|at| read_sized_box(record, at)).unwrap_or(dib.size()?.to_rect());
    let crop = dib.crop(part, stretched)?;
    player.draw_bitmap(file?, crop, area);
    Some(())
}
