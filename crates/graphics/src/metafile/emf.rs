//! Enhanced metafiles ([MS-EMF] 2.3): records of four-byte kinds and sizes.

use super::MOST_RECORDS;
use super::bitmap::Mask;
use super::bytes::{f32_at, i32_at, long, points, u16_at, u32_at};
use super::emf_bitmap::blit;
use super::emf_text::{small_text, text};
use super::mapping::{Mapping, Matrix};
use super::objects::{Font, Object, Pen, brush, color};
use super::player::{MOST_BITMAPS, Player};
use super::shapes::{self, ArcKind, Step};
use crate::Rgb;

/// Points of an inch, and millimetres.
const POINTS: f64 = 72.0 / 25.4;
/// A number of one of the system's own objects ([MS-EMF] 2.1.31).
const STOCK: u32 = 0x8000_0000;
/// The kind of the last record.
const END: u32 = 14;

pub(super) fn play(data: &[u8]) -> Option<(Player, f64, f64)> {
    let (mapping, width, height) = sheet(data)?;
    let mut player = Player::new(mapping);
    let mut mask = None;
    for (kind, record) in Records(data).take(MOST_RECORDS) {
        if play_record(&mut player, kind, record, &mut mask).is_none() {
            player.incomplete = true;
        }
    }
    Some((player, width, height))
}

/// The records up to the last.
struct Records<'d>(&'d [u8]);

impl<'d> Iterator for Records<'d> {
    type Item = (u32, &'d [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (kind, size) = (u32_at(self.0, 0).filter(|kind| *kind != END)?, u32_at(self.0, 4)? as usize);
        let record = self.0.get(..size).filter(|record| record.len() >= 8)?;
        self.0 = self.0.get(size..)?;
        Some((kind, record))
    }
}

/// [MS-EMFPLUS] 2.3.5.1: image objects with a whole picture file in them.
pub(super) fn whole_pictures(data: &[u8]) -> Vec<Vec<u8>> {
    const COMMENT: u32 = 70;
    let comments = Records(data).take(MOST_RECORDS).filter(|(kind, _)| *kind == COMMENT);
    let mut files = Vec::new();
    for (_, comment) in comments {
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

/// The device and the sheet, in points: the frame, else the bounds of what is drawn.
fn sheet(data: &[u8]) -> Option<(Mapping, f64, f64)> {
    let edge = |at| long(data, at);
    let pixels = (edge(72)? / edge(80)?, edge(76)? / edge(84)?);
    if ![pixels.0, pixels.1].iter().all(|pixels| pixels.is_finite() && *pixels > 0.0) {
        return None;
    }
    // The frame is in hundredths of a millimetre.
    let frame = [edge(24)? / 100.0, edge(28)? / 100.0, edge(32)? / 100.0, edge(36)? / 100.0];
    let bounds =
        [edge(8)? / pixels.0, edge(12)? / pixels.1, (edge(16)? + 1.0) / pixels.0, (edge(20)? + 1.0) / pixels.1];
    let sound = |[l, t, r, b]: &[f64; 4]| r - l > 0.01 && b - t > 0.01 && r - l < 1e5 && b - t < 1e5;
    let [left, top, right, bottom] = [frame, bounds].into_iter().find(sound)?;
    let scale = Matrix::scale(POINTS / pixels.0, POINTS / pixels.1);
    let base = scale.then(Matrix::shift(-left * POINTS, -top * POINTS));
    Some((Mapping::new(pixels, base), (right - left) * POINTS, (bottom - top) * POINTS))
}

/// `None`: torn, or of a kind that draws and is not known.
fn play_record<'d>(player: &mut Player, kind: u32, record: &'d [u8], mask: &mut Option<Mask<'d>>) -> Option<()> {
    match kind {
        2..=8 | 85..=91 => poly(player, kind, record)?,
        9..=12 | 17 | 31 | 32 | 35 | 36 => map(player, kind, record)?,
        18 => player.device.opaque = u32_at(record, 8)? == 2,
        19 => player.device.even_odd = u32_at(record, 8)? != 2,
        22 => player.device.text_align = u32_at(record, 8)?,
        24 => player.device.text_color = color(u32_at(record, 8)?),
        25 => player.device.ground = color(u32_at(record, 8)?),
        27 => {
            player.device.at = point(record, 8)?;
            if player.path.is_some() {
                let at = player.device.at;
                player.outline(vec![Step::Move(at)], false);
            }
        }
        30 => player.clip(bounds(record, 8)?),
        33 => player.save(),
        34 => player.restore(i32_at(record, 8)?),
        37..=40 | 82 | 93..=95 => objects(player, kind, record)?,
        41..=47 | 54 | 55 => shape(player, kind, record)?,
        57 => player.device.clockwise = u32_at(record, 8)? == 2,
        59..=64 | 67 | 68 => path(player, kind)?,
        75 => region(player, record)?,
        76 | 77 | 80 | 81 | 114 | 116 => blit(player, kind, record, mask)?,
        83 | 84 => text(player, record, kind == 84)?,
        108 => small_text(player, record)?,
        // They draw, or cut what is drawn.
        15 | 26 | 29 | 53 | 56 | 71..=74 | 78 | 79 | 92 | 96 | 97 | 118 => return None,
        _ => {}
    }
    Some(())
}

pub(super) fn point(record: &[u8], at: usize) -> Option<(f64, f64)> {
    Some((long(record, at)?, long(record, at + 4)?))
}

pub(super) fn bounds(record: &[u8], at: usize) -> Option<[f64; 4]> {
    Some([long(record, at)?, long(record, at + 4)?, long(record, at + 8)?, long(record, at + 12)?])
}

fn map(player: &mut Player, kind: u32, record: &[u8]) -> Option<()> {
    let mapping = &mut player.device.mapping;
    let matrix = || {
        let mut numbers = [0.0; 6];
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = f32_at(record, 8 + 4 * index)?;
        }
        Some(Matrix(numbers))
    };
    match kind {
        9 => mapping.window_extent = Some(point(record, 8)?),
        10 => mapping.window_origin = point(record, 8)?,
        11 => mapping.viewport_extent = Some(point(record, 8)?),
        12 => mapping.viewport_origin = point(record, 8)?,
        17 => mapping.mode = u32_at(record, 8)?,
        31 | 32 => {
            let extent = if kind == 31 { &mut mapping.viewport_extent } else { &mut mapping.window_extent };
            let factor =
                |at: usize| Some(long(record, at)? / long(record, at + 4)?).filter(|factor| factor.is_finite());
            let (x, y) = (factor(8)?, factor(16)?);
            *extent = extent.map(|(width, height)| (width * x, height * y));
        }
        35 => mapping.world = matrix()?,
        _ => {
            mapping.world = match u32_at(record, 32)? {
                1 => Matrix::PLAIN,
                2 => matrix()?.then(mapping.world),
                3 => mapping.world.then(matrix()?),
                _ => matrix()?,
            };
        }
    }
    Some(())
}

/// Lines, polygons and curves, of points of longs or shorts.
fn poly(player: &mut Player, kind: u32, record: &[u8]) -> Option<()> {
    let (kind, wide) = if kind >= 85 { (kind - 83, false) } else { (kind, true) };
    if matches!(kind, 7 | 8) {
        let (count, total) = (u32_at(record, 24)? as usize, u32_at(record, 28)? as usize);
        let all = points(record, 32_usize.checked_add(count.checked_mul(4)?)?, total, wide)?;
        let mut steps = Vec::with_capacity(all.len());
        let mut first = 0_usize;
        for index in 0..count {
            let length = u32_at(record, 32 + 4 * index)? as usize;
            let end = first.checked_add(length)?;
            steps.extend(shapes::polygon(all.get(first..end)?, kind == 8));
            first = end;
        }
        player.outline(steps, kind == 8);
        return Some(());
    }
    let all = points(record, 28, u32_at(record, 24)? as usize, wide)?;
    let last = *all.last()?;
    match kind {
        2 => player.outline(shapes::curves(&all, false), false),
        3 => player.outline(shapes::polygon(&all, true), true),
        4 => player.outline(shapes::polygon(&all, false), false),
        _ => {
            let steps =
                if kind == 5 { shapes::curves(&all, true) } else { all.iter().map(|to| Step::Line(*to)).collect() };
            let from = std::mem::replace(&mut player.device.at, last);
            player.outline_from(from, steps);
        }
    }
    Some(())
}

fn shape(player: &mut Player, kind: u32, record: &[u8]) -> Option<()> {
    if kind == 54 {
        player.line_to(point(record, 8)?);
        return Some(());
    }
    if kind == 41 {
        let (center, radius) = (point(record, 8)?, f64::from(u32_at(record, 16)?));
        let (from, sweep) = (-f32_at(record, 20)?.to_radians(), -f32_at(record, 24)?.to_radians());
        let sweep = sweep.clamp(-std::f64::consts::TAU, std::f64::consts::TAU);
        let at = player.device.at;
        player.outline_from(at, shapes::swept(center, (radius, radius), from, sweep, ArcKind::Continued));
        let end = from + sweep;
        player.device.at = (center.0 + radius * end.cos(), center.1 + radius * end.sin());
        return Some(());
    }
    let area = bounds(record, 8)?;
    let rays = || Some((point(record, 24)?, point(record, 32)?));
    match kind {
        42 => player.outline(shapes::ellipse(area), true),
        43 => player.outline(shapes::rectangle(area), true),
        44 => player.outline(shapes::rounded(area, point(record, 24)?), true),
        55 => {
            let (start, end) = rays()?;
            let at = player.device.at;
            let steps = shapes::arc(area, start, end, player.device.clockwise, ArcKind::Continued);
            if let Some(Step::Cubic(_, _, last)) = steps.last() {
                player.device.at = *last;
            }
            player.outline_from(at, steps);
        }
        _ => {
            let (start, end) = rays()?;
            let kind = [ArcKind::Open, ArcKind::Chord, ArcKind::Pie].get(kind as usize - 45).copied()?;
            player.arc(area, start, end, kind);
        }
    }
    Some(())
}

/// Paths ([MS-EMF] 2.3.10).
fn path(player: &mut Player, kind: u32) -> Option<()> {
    match kind {
        59 => player.path = Some(Vec::new()),
        // What is collected is drawn by a record that follows.
        60 => player.finished = player.path.take().unwrap_or_default(),
        61 => player.outline(vec![Step::Close], false),
        62..=64 => {
            let steps = std::mem::take(&mut player.finished);
            player.draw(&steps, kind != 64, kind != 62);
        }
        68 => {
            player.path = None;
            player.finished.clear();
        }
        _ => {
            player.finished.clear();
            return None;
        }
    }
    Some(())
}

/// A new clip: its boxes as one, or none at all. In pixels of the device.
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
        let ((l, t), (r, b)) = (base.point(point(record, 32)?), base.point(point(record, 40)?));
        player.device.clip = Some([l, t, r.max(l), b.max(t)]);
        if count > 1 {
            return None;
        }
    }
    Some(())
}

fn objects(player: &mut Player, kind: u32, record: &[u8]) -> Option<()> {
    let number = u32_at(record, 8)?;
    match kind {
        37 if number >= STOCK => stock(player, number - STOCK),
        37 => player.select(number),
        38 => {
            let pen = Pen::new(u32_at(record, 12)?, long(record, 16)?, color(u32_at(record, 24)?));
            player.create(number, Object::Pen(pen));
        }
        39 => {
            let brush = brush(u32_at(record, 12)?, color(u32_at(record, 16)?));
            player.create(number, Object::Brush(brush));
        }
        40 => player.delete(number),
        82 => player.create(number, Object::Font(font(record)?)),
        // Patterns of pixels are taken as a grey.
        93 | 94 => {
            player.create(number, Object::Brush(Some(Rgb(0xC0, 0xC0, 0xC0))));
            player.incomplete = true;
        }
        _ => {
            let style = u32_at(record, 28)?;
            let mut pen = Pen::new(style, f64::from(u32_at(record, 32)?), color(u32_at(record, 40)?));
            // Not geometric: of the device's pixels.
            pen.cosmetic = style & 0x000F_0000 == 0;
            if u32_at(record, 36)? == 1 {
                pen.dash = None;
            }
            player.create(number, Object::Pen(pen));
        }
    }
    Some(())
}

fn stock(player: &mut Player, number: u32) {
    let grey = |level: u8| Some(Rgb(level, level, level));
    let device = &mut player.device;
    match number {
        0 => device.brush = grey(255),
        1 => device.brush = grey(0xC0),
        2 => device.brush = grey(0x80),
        3 => device.brush = grey(0x40),
        4 => device.brush = grey(0),
        5 => device.brush = None,
        6 => device.pen = Pen::WHITE,
        7 | 19 => device.pen = Pen::BLACK,
        8 => device.pen = Pen::NONE,
        18 => device.brush = grey(255),
        10 | 11 | 16 => device.font = Font { family: "Courier New".into(), ..Font::default() },
        12..=14 | 17 => device.font = Font { family: "Arial".into(), ..Font::default() },
        _ => {}
    }
}

/// [MS-EMF] 2.2.13
fn font(record: &[u8]) -> Option<Font> {
    let units: Vec<u16> =
        (0..32).map_while(|index| u16_at(record, 40 + 2 * index)).take_while(|unit| *unit != 0).collect();
    let flag = |at: usize| record.get(at).is_some_and(|byte| *byte != 0);
    Some(Font {
        height: long(record, 12)?,
        escapement: long(record, 20)?,
        bold: i32_at(record, 28)? >= 600,
        italic: flag(32),
        underline: flag(33),
        strike: flag(34),
        charset: *record.get(35)?,
        family: String::from_utf16_lossy(&units),
    })
}
