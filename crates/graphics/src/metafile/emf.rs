//! Enhanced metafiles ([MS-EMF] 2.3). A record begins with its type and its size, of four bytes each.

use kurbo::{Affine, Point, Rect, Vec2};

use super::MAX_RECORDS;
use super::bytes::{f32_at, i32_at, i32_coordinate, point, points, u16_at, u32_at};
use super::emf_bitmap::draw_bitmap_record;
use super::emf_text::{draw_small_text_record, draw_text_record};
use super::mapping::Mapping;
use super::objects::{Font, GraphicsObject, Pen, color_from_u32, new_brush};
use super::player::{MAX_BITMAPS, Player};
use super::shapes::{self, ArcKind, PathStep};
use crate::Rgb;

/// Points in a millimetre.
const POINTS_PER_MILLIMETRE: f64 = 72.0 / 25.4;
/// The bit that is set in the index of a stock object ([MS-EMF] 2.1.31).
const STOCK_OBJECT_FLAG: u32 = 0x8000_0000;
/// The type of the last record.
const END_RECORD: u32 = 14;

/// Plays the records of a metafile. Returns a player that contains the marks, and the width and height of the drawing
/// area in points. Returns `None` if the metafile is truncated or has no valid size.
pub(super) fn play(data: &[u8]) -> Option<(Player<'_>, f64, f64)> {
    let (mapping, width, height) = read_sheet(data)?;
    Some((Player::new(mapping).play(records(data), play_record), width, height))
}

/// Returns the type and the bytes of each record before the end record.
fn records(mut data: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let next = move || {
        let (kind, size) = (u32_at(data, 0).filter(|kind| *kind != END_RECORD)?, u32_at(data, 4)? as usize);
        let record = data.get(..size).filter(|record| record.len() >= 8)?;
        data = data.get(size..)?;
        Some((kind, record))
    };
    std::iter::from_fn(next).take(MAX_RECORDS)
}

/// Returns the picture files that are stored in the image objects of EMF+ records ([MS-EMFPLUS] 2.3.5.1).
pub(super) fn whole_pictures(data: &[u8]) -> Vec<Vec<u8>> {
    const COMMENT: u32 = 70;
    let mut files = Vec::new();
    for (_, comment) in records(data).filter(|(kind, _)| *kind == COMMENT) {
        let mut rest = comment.get(12..).and_then(|plus| plus.strip_prefix(b"EMF+")).unwrap_or_default();
        while let (Some(kind), Some(flags), Some(size)) = (u16_at(rest, 0), u16_at(rest, 2), u32_at(rest, 4)) {
            let Some(record) = rest.get(..size as usize).filter(|record| record.len() >= 12) else { break };
            rest = rest.get(size as usize..).unwrap_or_default();
            let is_image = kind == 0x4008 && flags >> 8 & 0x7F == 5;
            let is_file = u32_at(record, 16) == Some(1) && u32_at(record, 36) == Some(1);
            if let Some(file) = record.get(40..).filter(|_| is_image && is_file && files.len() < MAX_BITMAPS) {
                files.push(file.to_vec());
            }
        }
    }
    files
}

/// Returns the device mapping, and the width and height of the drawing area in points. The drawing area is the frame in
/// the header or, if the frame is invalid, the bounds in the header.
fn read_sheet(data: &[u8]) -> Option<(Mapping, f64, f64)> {
    let edge = |at| i32_coordinate(data, at);
    let pixels = Vec2::new(edge(72)? / edge(80)?, edge(76)? / edge(84)?);
    if ![pixels.x, pixels.y].iter().all(|pixels| pixels.is_finite() && *pixels > 0.0) {
        return None;
    }
    // The frame is in hundredths of a millimetre.
    let frame = [edge(24)? / 100.0, edge(28)? / 100.0, edge(32)? / 100.0, edge(36)? / 100.0];
    let bounds =
        [edge(8)? / pixels.x, edge(12)? / pixels.y, (edge(16)? + 1.0) / pixels.x, (edge(20)? + 1.0) / pixels.y];
    let sound = |[l, t, r, b]: &[f64; 4]| r - l > 0.01 && b - t > 0.01 && r - l < 1e5 && b - t < 1e5;
    let [left, top, right, bottom] = [frame, bounds].into_iter().find(sound)?;
    let scale = Affine::scale_non_uniform(POINTS_PER_MILLIMETRE / pixels.x, POINTS_PER_MILLIMETRE / pixels.y);
    let base = Affine::translate((-left * POINTS_PER_MILLIMETRE, -top * POINTS_PER_MILLIMETRE)) * scale;
    Some((
        Mapping { pixels_per_millimetre: pixels, device_to_points: base, ..Mapping::default() },
        (right - left) * POINTS_PER_MILLIMETRE,
        (bottom - top) * POINTS_PER_MILLIMETRE,
    ))
}

/// Plays a record. Returns `None` if the record is truncated or draws something that is not supported.
fn play_record<'d>(player: &mut Player<'d>, kind: u32, record: &'d [u8]) -> Option<()> {
    let mapping = &mut player.device.mapping;
    let number = |at| u32_at(record, at);
    match kind {
        2..=6 | 85..=89 => draw_poly(player, kind, record)?,
        7 | 8 | 90 | 91 => draw_several_polys(player, kind, record)?,
        9 => mapping.window_extent = Some(point(record, 8)?.to_vec2()),
        10 => mapping.window_origin = point(record, 8)?,
        11 => mapping.viewport_extent = Some(point(record, 8)?.to_vec2()),
        12 => mapping.viewport_origin = point(record, 8)?,
        17 => mapping.mode = number(8)?,
        18 => player.device.has_text_background = number(8)? == 2,
        19 => player.device.fills_even_odd = number(8)? != 2,
        22 => player.device.text_align = number(8)?,
        24 => player.device.text_color = color_from_u32(number(8)?),
        25 => player.device.background_color = color_from_u32(number(8)?),
        27 => {
            player.device.position = point(record, 8)?;
            if player.path.is_some() {
                let at = player.device.position;
                player.add_outline(vec![PathStep::Move(at)], false);
            }
        }
        30 => player.intersect_clip(read_bounds(record, 8)?),
        31 => scale_extent(&mut mapping.viewport_extent, record)?,
        32 => scale_extent(&mut mapping.window_extent, record)?,
        33 => player.save(),
        34 => player.restore(i32_at(record, 8)?),
        35 => mapping.world = read_matrix(record)?,
        36 => {
            mapping.world = match number(32)? {
                1 => Affine::IDENTITY,
                2 => mapping.world * read_matrix(record)?,
                3 => read_matrix(record)? * mapping.world,
                _ => read_matrix(record)?,
            };
        }
        37 => match number(8)?.checked_sub(STOCK_OBJECT_FLAG) {
            Some(stocked) => select_stock_object(player, stocked),
            None => player.select_object(number(8)?),
        },
        38 => {
            let pen = Pen::new(number(12)?, i32_coordinate(record, 16)?, color_from_u32(number(24)?));
            player.store_object(number(8)?, GraphicsObject::Pen(pen));
        }
        39 => {
            player.store_object(number(8)?, GraphicsObject::Brush(new_brush(number(12)?, color_from_u32(number(16)?))))
        }
        40 => player.delete_object(number(8)?),
        41 => draw_angle_arc(player, record)?,
        42 => player.add_outline(shapes::ellipse(read_bounds(record, 8)?), true),
        43 => player.add_outline(shapes::rectangle(read_bounds(record, 8)?), true),
        44 => {
            player.add_outline(shapes::rounded_rectangle(read_bounds(record, 8)?, point(record, 24)?.to_vec2()), true)
        }
        45..=47 => {
            let kind = [ArcKind::Open, ArcKind::Chord, ArcKind::Pie].get(kind as usize - 45).copied()?;
            player.draw_arc(read_bounds(record, 8)?, point(record, 24)?, point(record, 32)?, kind);
        }
        54 => player.line_to(point(record, 8)?),
        55 => draw_arc_to(player, record)?,
        57 => player.device.draws_arcs_clockwise = number(8)? == 2,
        // Paths ([MS-EMF] 2.3.10): the steps between record 59 and record 60 are collected, and a later record draws
        // them.
        59 => player.path = Some(Vec::new()),
        60 => player.finished_path = player.path.take().unwrap_or_default(),
        61 => player.add_outline(vec![PathStep::Close], false),
        62..=64 => {
            let steps = std::mem::take(&mut player.finished_path);
            player.draw_outline(&steps, kind != 64, kind != 62);
        }
        67 => {
            player.finished_path.clear();
            return None;
        }
        68 => {
            player.path = None;
            player.finished_path.clear();
        }
        75 => select_clip_region(player, record)?,
        76 | 77 | 80 | 81 | 114 | 116 => draw_bitmap_record(player, kind, record)?,
        82 => player.store_object(number(8)?, GraphicsObject::Font(Font::parse(record.get(12..)?, true)?)),
        83 | 84 => draw_text_record(player, record, kind == 84)?,
        // Brushes with a bitmap pattern are replaced by grey.
        93 | 94 => {
            player.store_object(number(8)?, GraphicsObject::Brush(Some(Rgb(0xC0, 0xC0, 0xC0))));
            return None;
        }
        95 => {
            let style = number(28)?;
            let mut pen = Pen::new(style, f64::from(number(32)?), color_from_u32(number(40)?));
            // The width of a pen that is not geometric is in device pixels.
            pen.has_device_width = style & 0x000F_0000 == 0;
            if number(36)? == 1 {
                pen.dash = None;
            }
            player.store_object(number(8)?, GraphicsObject::Pen(pen));
        }
        108 => draw_small_text_record(player, record)?,
        // These records draw or clip, but are not supported.
        15 | 26 | 29 | 53 | 56 | 71..=74 | 78 | 79 | 92 | 96 | 97 | 118 => return None,
        _ => {}
    }
    Some(())
}

pub(super) fn read_bounds(record: &[u8], at: usize) -> Option<Rect> {
    let (Point { x: x0, y: y0 }, Point { x: x1, y: y1 }) = (point(record, at)?, point(record, at + 8)?);
    Some(Rect { x0, y0, x1, y1 })
}

fn read_matrix(record: &[u8]) -> Option<Affine> {
    let mut numbers = [0.0; 6];
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = f32_at(record, 8 + 4 * index)?;
    }
    Some(Affine::new(numbers))
}

/// Multiplies the width and the height of an extent by the two fractions in a record.
fn scale_extent(extent: &mut Option<Vec2>, record: &[u8]) -> Option<()> {
    let factor =
        |at| Some(i32_coordinate(record, at)? / i32_coordinate(record, at + 4)?).filter(|factor| factor.is_finite());
    let (x, y) = (factor(8)?, factor(16)?);
    *extent = extent.map(|extent| Vec2::new(extent.x * x, extent.y * y));
    Some(())
}

/// Draws a polyline, a polygon or curves. Record types from 85 on store 16-bit integers, the others 32-bit integers.
fn draw_poly(player: &mut Player, kind: u32, record: &[u8]) -> Option<()> {
    let all = points(record, 28, u32_at(record, 24)? as usize, kind < 85)?;
    let last = *all.last()?;
    match kind {
        2 | 85 => player.add_outline(shapes::curves(&all, false), false),
        3 | 86 => player.add_outline(shapes::polygon(&all, true), true),
        4 | 87 => player.add_outline(shapes::polygon(&all, false), false),
        _ => {
            let is_curve = matches!(kind, 5 | 88);
            let steps =
                if is_curve { shapes::curves(&all, true) } else { all.iter().map(|to| PathStep::Line(*to)).collect() };
            let from = std::mem::replace(&mut player.device.position, last);
            player.continue_outline(from, steps);
        }
    }
    Some(())
}

/// Draws several polylines or polygons. Record types from 85 on store 16-bit integers, the others 32-bit integers.
fn draw_several_polys(player: &mut Player, kind: u32, record: &[u8]) -> Option<()> {
    let closed = matches!(kind, 8 | 91);
    let (count, total) = (u32_at(record, 24)? as usize, u32_at(record, 28)? as usize);
    let all = points(record, 32_usize.checked_add(count.checked_mul(4)?)?, total, kind < 85)?;
    let mut left = all.as_slice();
    let mut steps = Vec::with_capacity(all.len());
    for index in 0..count {
        let (one, others) = left.split_at_checked(u32_at(record, 32 + 4 * index)? as usize)?;
        steps.extend(shapes::polygon(one, closed));
        left = others;
    }
    player.add_outline(steps, closed);
    Some(())
}

/// Draws a line to the start of an arc and then the arc. The end of the arc becomes the current position.
fn draw_angle_arc(player: &mut Player, record: &[u8]) -> Option<()> {
    let (center, radius) = (point(record, 8)?, f64::from(u32_at(record, 16)?));
    let (from, sweep) = (-f32_at(record, 20)?.to_radians(), -f32_at(record, 24)?.to_radians());
    let sweep = sweep.clamp(-std::f64::consts::TAU, std::f64::consts::TAU);
    let end = center + radius * Vec2::from_angle(from + sweep);
    let at = std::mem::replace(&mut player.device.position, end);
    player.continue_outline(
        at,
        shapes::arc_from_sweep(center, Vec2::new(radius, radius), from, sweep, ArcKind::Continued),
    );
    Some(())
}

/// Draws a line to the start of an arc and then the arc, which is specified by a box and two rays. The end of the arc
/// becomes the current position.
fn draw_arc_to(player: &mut Player, record: &[u8]) -> Option<()> {
    let (start, end, clockwise) = (point(record, 24)?, point(record, 32)?, player.device.draws_arcs_clockwise);
    let steps = shapes::arc(read_bounds(record, 8)?, start, end, clockwise, ArcKind::Continued);
    let at = player.device.position;
    if let Some(PathStep::Cubic(_, _, last)) = steps.last() {
        player.device.position = *last;
    }
    player.continue_outline(at, steps);
    Some(())
}

/// Replaces the clip by the bounding box of a region in device pixels. Removes the clip if the record has no region.
/// Returns `None` if the new clip is not exact. This is the case if the region has several boxes, or must be combined
/// with the previous clip.
fn select_clip_region(player: &mut Player, record: &[u8]) -> Option<()> {
    const COPY: u32 = 5;
    let (size, mode) = (u32_at(record, 8)?, u32_at(record, 12)?);
    if mode != COPY {
        return None;
    }
    player.device.clip = None;
    if size >= 32 {
        let count = u32_at(record, 24)?;
        let base = player.device.mapping.device_to_points;
        let (Point { x: x0, y: y0 }, end) = (base * point(record, 32)?, base * point(record, 40)?);
        player.device.clip = Some(Rect { x0, y0, x1: end.x.max(x0), y1: end.y.max(y0) });
        if count > 1 {
            return None;
        }
    }
    Some(())
}

/// Selects the stock object with this number, from which [`STOCK_OBJECT_FLAG`] has been removed.
fn select_stock_object(player: &mut Player, number: u32) {
    let grey = |level: u8| Some(Rgb(level, level, level));
    let device = &mut player.device;
    match number {
        0 | 18 => device.brush = grey(255),
        1 => device.brush = grey(0xC0),
        2 => device.brush = grey(0x80),
        3 => device.brush = grey(0x40),
        4 => device.brush = grey(0),
        5 => device.brush = None,
        6 => device.pen = Pen::WHITE,
        7 | 19 => device.pen = Pen::BLACK,
        8 => device.pen = Pen::NONE,
        10 | 11 | 16 => device.font = Font { family: "Courier New".into(), ..Font::default() },
        12..=14 | 17 => device.font = Font { family: "Arial".into(), ..Font::default() },
        _ => {}
    }
}
