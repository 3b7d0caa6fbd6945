//! Enhanced metafiles ([MS-EMF] 2.3). A record begins with its type and its size, of four bytes each.

use kurbo::{Affine, Point, Rect, Vec2};

use super::MOST_RECORDS;
use super::bytes::{f32_at, i32_at, long, point, points, u16_at, u32_at};
use super::emf_bitmap::blit;
use super::emf_text::{small_text, text};
use super::mapping::Mapping;
use super::objects::{Font, Object, Pen, brush, color};
use super::player::{MOST_BITMAPS, Player};
use super::shapes::{self, ArcKind, Step};
use crate::Rgb;

/// Points in a millimetre.
const POINTS: f64 = 72.0 / 25.4;
/// The flag in the number of a stock object ([MS-EMF] 2.1.31).
const STOCK: u32 = 0x8000_0000;
/// The type of the last record.
const END: u32 = 14;

/// Plays the records of a metafile. Returns the player with its marks, and the width and height of the sheet in points.
pub(super) fn play(data: &[u8]) -> Option<(Player<'_>, f64, f64)> {
    let (mapping, width, height) = sheet(data)?;
    Some((Player::new(mapping).play(records(data), play_record), width, height))
}

/// Returns the types and bytes of the records before the last one.
fn records(mut data: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let next = move || {
        let (kind, size) = (u32_at(data, 0).filter(|kind| *kind != END)?, u32_at(data, 4)? as usize);
        let record = data.get(..size).filter(|record| record.len() >= 8)?;
        data = data.get(size..)?;
        Some((kind, record))
    };
    std::iter::from_fn(next).take(MOST_RECORDS)
}

/// Returns the picture files in image objects ([MS-EMFPLUS] 2.3.5.1).
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
            if let Some(file) = record.get(40..).filter(|_| is_image && is_file && files.len() < MOST_BITMAPS) {
                files.push(file.to_vec());
            }
        }
    }
    files
}

/// Returns the device mapping, and the width and height of the sheet in points. The sheet is the frame of the header
/// or, if that is invalid, the bounds of the drawing.
fn sheet(data: &[u8]) -> Option<(Mapping, f64, f64)> {
    let edge = |at| long(data, at);
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
    let scale = Affine::scale_non_uniform(POINTS / pixels.x, POINTS / pixels.y);
    let base = Affine::translate((-left * POINTS, -top * POINTS)) * scale;
    Some((Mapping { pixels, base, ..Mapping::default() }, (right - left) * POINTS, (bottom - top) * POINTS))
}

/// Plays a record. Returns `None` if the record is truncated or draws something that is not supported.
fn play_record<'d>(player: &mut Player<'d>, kind: u32, record: &'d [u8]) -> Option<()> {
    let mapping = &mut player.device.mapping;
    let number = |at| u32_at(record, at);
    match kind {
        2..=6 | 85..=89 => poly(player, kind, record)?,
        7 | 8 | 90 | 91 => several(player, kind, record)?,
        9 => mapping.window_extent = Some(point(record, 8)?.to_vec2()),
        10 => mapping.window_origin = point(record, 8)?,
        11 => mapping.viewport_extent = Some(point(record, 8)?.to_vec2()),
        12 => mapping.viewport_origin = point(record, 8)?,
        17 => mapping.mode = number(8)?,
        18 => player.device.opaque = number(8)? == 2,
        19 => player.device.even_odd = number(8)? != 2,
        22 => player.device.text_align = number(8)?,
        24 => player.device.text_color = color(number(8)?),
        25 => player.device.ground = color(number(8)?),
        27 => {
            player.device.at = point(record, 8)?;
            if player.path.is_some() {
                let at = player.device.at;
                player.outline(vec![Step::Move(at)], false);
            }
        }
        30 => player.clip(bounds(record, 8)?),
        31 => scale(&mut mapping.viewport_extent, record)?,
        32 => scale(&mut mapping.window_extent, record)?,
        33 => player.save(),
        34 => player.restore(i32_at(record, 8)?),
        35 => mapping.world = matrix(record)?,
        36 => {
            mapping.world = match number(32)? {
                1 => Affine::IDENTITY,
                2 => mapping.world * matrix(record)?,
                3 => matrix(record)? * mapping.world,
                _ => matrix(record)?,
            };
        }
        37 => match number(8)?.checked_sub(STOCK) {
            Some(stocked) => stock(player, stocked),
            None => player.select(number(8)?),
        },
        38 => {
            let pen = Pen::new(number(12)?, long(record, 16)?, color(number(24)?));
            player.create(number(8)?, Object::Pen(pen));
        }
        39 => player.create(number(8)?, Object::Brush(brush(number(12)?, color(number(16)?)))),
        40 => player.delete(number(8)?),
        41 => angle_arc(player, record)?,
        42 => player.outline(shapes::ellipse(bounds(record, 8)?), true),
        43 => player.outline(shapes::rectangle(bounds(record, 8)?), true),
        44 => player.outline(shapes::rounded(bounds(record, 8)?, point(record, 24)?.to_vec2()), true),
        45..=47 => {
            let kind = [ArcKind::Open, ArcKind::Chord, ArcKind::Pie].get(kind as usize - 45).copied()?;
            player.arc(bounds(record, 8)?, point(record, 24)?, point(record, 32)?, kind);
        }
        54 => player.line_to(point(record, 8)?),
        55 => arc_to(player, record)?,
        57 => player.device.clockwise = number(8)? == 2,
        // Paths ([MS-EMF] 2.3.10): the steps between 59 and 60 are collected, and a later record draws them.
        59 => player.path = Some(Vec::new()),
        60 => player.finished = player.path.take().unwrap_or_default(),
        61 => player.outline(vec![Step::Close], false),
        62..=64 => {
            let steps = std::mem::take(&mut player.finished);
            player.draw(&steps, kind != 64, kind != 62);
        }
        67 => {
            player.finished.clear();
            return None;
        }
        68 => {
            player.path = None;
            player.finished.clear();
        }
        75 => region(player, record)?,
        76 | 77 | 80 | 81 | 114 | 116 => blit(player, kind, record)?,
        82 => player.create(number(8)?, Object::Font(Font::read(record.get(12..)?, true)?)),
        83 | 84 => text(player, record, kind == 84)?,
        // Brushes with a bitmap pattern are replaced by grey.
        93 | 94 => {
            player.create(number(8)?, Object::Brush(Some(Rgb(0xC0, 0xC0, 0xC0))));
            return None;
        }
        95 => {
            let style = number(28)?;
            let mut pen = Pen::new(style, f64::from(number(32)?), color(number(40)?));
            // The width of a pen that is not geometric is in device pixels.
            pen.cosmetic = style & 0x000F_0000 == 0;
            if number(36)? == 1 {
                pen.dash = None;
            }
            player.create(number(8)?, Object::Pen(pen));
        }
        108 => small_text(player, record)?,
        // These records draw or clip, but are not supported.
        15 | 26 | 29 | 53 | 56 | 71..=74 | 78 | 79 | 92 | 96 | 97 | 118 => return None,
        _ => {}
    }
    Some(())
}

pub(super) fn bounds(record: &[u8], at: usize) -> Option<Rect> {
    let (Point { x: x0, y: y0 }, Point { x: x1, y: y1 }) = (point(record, at)?, point(record, at + 8)?);
    Some(Rect { x0, y0, x1, y1 })
}

fn matrix(record: &[u8]) -> Option<Affine> {
    let mut numbers = [0.0; 6];
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = f32_at(record, 8 + 4 * index)?;
    }
    Some(Affine::new(numbers))
}

/// Multiplies an extent by the two fractions in a record.
fn scale(extent: &mut Option<Vec2>, record: &[u8]) -> Option<()> {
    let factor = |at| Some(long(record, at)? / long(record, at + 4)?).filter(|factor| factor.is_finite());
    let (x, y) = (factor(8)?, factor(16)?);
    *extent = extent.map(|extent| Vec2::new(extent.x * x, extent.y * y));
    Some(())
}

/// Draws a polyline, a polygon or curves. Record types from 85 on store 16-bit integers, the others 32-bit integers.
fn poly(player: &mut Player, kind: u32, record: &[u8]) -> Option<()> {
    let all = points(record, 28, u32_at(record, 24)? as usize, kind < 85)?;
    let last = *all.last()?;
    match kind {
        2 | 85 => player.outline(shapes::curves(&all, false), false),
        3 | 86 => player.outline(shapes::polygon(&all, true), true),
        4 | 87 => player.outline(shapes::polygon(&all, false), false),
        _ => {
            let is_curve = matches!(kind, 5 | 88);
            let steps =
                if is_curve { shapes::curves(&all, true) } else { all.iter().map(|to| Step::Line(*to)).collect() };
            let from = std::mem::replace(&mut player.device.at, last);
            player.outline_from(from, steps);
        }
    }
    Some(())
}

/// Draws several polylines or polygons, whose points are stored in the same way.
fn several(player: &mut Player, kind: u32, record: &[u8]) -> Option<()> {
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
    player.outline(steps, closed);
    Some(())
}

/// Draws a line to the start of an arc and the arc, and moves the current position to its end.
fn angle_arc(player: &mut Player, record: &[u8]) -> Option<()> {
    let (center, radius) = (point(record, 8)?, f64::from(u32_at(record, 16)?));
    let (from, sweep) = (-f32_at(record, 20)?.to_radians(), -f32_at(record, 24)?.to_radians());
    let sweep = sweep.clamp(-std::f64::consts::TAU, std::f64::consts::TAU);
    let end = center + radius * Vec2::from_angle(from + sweep);
    let at = std::mem::replace(&mut player.device.at, end);
    player.outline_from(at, shapes::swept(center, Vec2::new(radius, radius), from, sweep, ArcKind::Continued));
    Some(())
}

/// Draws the same for an arc that is given by a box and two rays.
fn arc_to(player: &mut Player, record: &[u8]) -> Option<()> {
    let (start, end, clockwise) = (point(record, 24)?, point(record, 32)?, player.device.clockwise);
    let steps = shapes::arc(bounds(record, 8)?, start, end, clockwise, ArcKind::Continued);
    let at = player.device.at;
    if let Some(Step::Cubic(_, _, last)) = steps.last() {
        player.device.at = *last;
    }
    player.outline_from(at, steps);
    Some(())
}

/// Replaces the clip by the bounding box of a region in device pixels, or removes it. Returns `None` if the region has
/// several boxes, because the clip is then not exact.
fn region(player: &mut Player, record: &[u8]) -> Option<()> {
    const COPY: u32 = 5;
    let (size, mode) = (u32_at(record, 8)?, u32_at(record, 12)?);
    if mode != COPY {
        return None;
    }
    player.device.clip = None;
    if size >= 32 {
        let count = u32_at(record, 24)?;
        let base = player.device.mapping.base;
        let (Point { x: x0, y: y0 }, end) = (base * point(record, 32)?, base * point(record, 40)?);
        player.device.clip = Some(Rect { x0, y0, x1: end.x.max(x0), y1: end.y.max(y0) });
        if count > 1 {
            return None;
        }
    }
    Some(())
}

/// Selects a stock object, by its number without the flag.
fn stock(player: &mut Player, number: u32) {
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
