//! Border lines in all styles (ECMA-376 part 1, §17.18.2).

use waraq_docx::tree::{Border, BorderStyle, Rgb};

use crate::geometry::{cubic_to, line_to, move_to};
use crate::page::{DisplayItem, PathCommand, Point, Rect, StrokePath, TaggedItem};

const BLACK: Rgb = Rgb(0, 0, 0);
/// Amplitude of a wavy border in points. `HALF_WAVE_LENGTH` is half the length of one wave.
const WAVE_AMPLITUDE: f32 = 1.0;
const HALF_WAVE_LENGTH: f32 = 2.5;
/// Maximum number of half waves in a border. A border that would need more gets longer waves.
const MAX_HALF_WAVES: f32 = 4_000.0;

/// Returns the widths in points of a border's lines and gaps, from the outside to the text: line, gap, line and so on. In a
/// thin-thick border the thin line is the inner one (§17.18.2).
fn stripe_widths(border: &Border) -> Vec<f32> {
    let w = if border.width.is_finite() { border.width.clamp(0.25, 12.0) } else { 0.5 };
    let thin = 0.75_f32.min(w);
    match border.style {
        BorderStyle::Double => vec![w, w, w],
        BorderStyle::DoubleWave => vec![w, 2.0 * WAVE_AMPLITUDE, w],
        BorderStyle::Triple => vec![w, w, w, w, w],
        BorderStyle::ThinThickSmallGap => vec![w, thin, thin],
        BorderStyle::ThickThinSmallGap => vec![thin, thin, w],
        BorderStyle::ThinThickThinSmallGap => vec![thin, thin, w, thin, thin],
        BorderStyle::ThinThickMediumGap => vec![w, w / 2.0, w / 2.0],
        BorderStyle::ThickThinMediumGap => vec![w / 2.0, w / 2.0, w],
        BorderStyle::ThinThickThinMediumGap => vec![w / 2.0, w / 2.0, w, w / 2.0, w / 2.0],
        BorderStyle::ThinThickLargeGap => vec![1.5, w, thin],
        BorderStyle::ThickThinLargeGap => vec![thin, w, 1.5],
        BorderStyle::ThinThickThinLargeGap => vec![thin, w, 1.5, w, thin],
        _ => vec![w],
    }
}

/// Returns the total thickness of a border in points, including its gaps. A missing border has the thickness 0.
pub(super) fn thickness(border: Option<Border>) -> f32 {
    border.filter(|border| border.style != BorderStyle::None).map_or(0.0, |border| stripe_widths(&border).iter().sum())
}

/// Returns the number of lines of a border. If two borders conflict, this number helps to decide which one is drawn (§17.4.66).
pub(super) fn line_count(border: &Border) -> usize {
    stripe_widths(border).len().div_ceil(2)
}

/// Returns the lengths of the dashes and gaps of a border in points. The list is empty for a solid line.
fn dash_lengths(style: BorderStyle, width: f32) -> Vec<f32> {
    let unit = width.max(0.5);
    match style {
        BorderStyle::Dotted => vec![unit, unit],
        BorderStyle::Dashed => vec![unit * 4.0, unit * 4.0],
        BorderStyle::DashSmallGap => vec![unit * 4.0, unit * 2.0],
        BorderStyle::DotDash => vec![unit * 4.0, unit * 2.0, unit, unit * 2.0],
        BorderStyle::DotDotDash => vec![unit * 4.0, unit * 2.0, unit, unit * 2.0, unit, unit * 2.0],
        _ => Vec::new(),
    }
}

/// Draws a border centred on the horizontal or vertical segment between two points. A border may have several parallel strokes,
/// for example a thin and a thick one. `reversed` must be true if the text is above the border or at its left. The strokes are
/// then drawn in reverse order.
pub(super) fn draw_border(items: &mut Vec<TaggedItem>, border: &Border, from: Point, to: Point, reversed: bool) {
    if border.style == BorderStyle::None || !(from.x + from.y + to.x + to.y).is_finite() {
        return;
    }
    let color = border.color.unwrap_or(BLACK);
    let horizontal = (from.y - to.y).abs() < (from.x - to.x).abs();
    let mut stripes = stripe_widths(border);
    if reversed {
        stripes.reverse();
    }
    let mut offset = -stripes.iter().sum::<f32>() / 2.0;
    for (index, width) in stripes.iter().enumerate() {
        let middle = offset + width / 2.0;
        offset += width;
        if index % 2 == 1 {
            continue;
        }
        let (x, y) = if horizontal { (0.0, middle) } else { (middle, 0.0) };
        let (from, to) = (Point { x: from.x + x, y: from.y + y }, Point { x: to.x + x, y: to.y + y });
        let dashes = dash_lengths(border.style, *width);
        items.push(untagged(if matches!(border.style, BorderStyle::Wave | BorderStyle::DoubleWave) {
            DisplayItem::Stroke(StrokePath::solid(wave_path(from, to), color, *width))
        } else if dashes.is_empty() && horizontal {
            let area = Rect::new(from.x, from.y - width / 2.0, to.x - from.x, *width);
            DisplayItem::Rectangle { area, color, opacity: 1.0 }
        } else if dashes.is_empty() && (from.x - to.x).abs() < 0.01 {
            let area = Rect::new(from.x - width / 2.0, from.y, *width, to.y - from.y);
            DisplayItem::Rectangle { area, color, opacity: 1.0 }
        } else {
            let path = vec![move_to(from), line_to(to)];
            DisplayItem::Stroke(StrokePath { dashes, ..StrokePath::solid(path, color, *width) })
        }));
    }
}

/// Draws the four borders of a box, centred on its sides. If `reversed` is true, the strokes of the bottom and right borders are
/// drawn in reverse order. The outer stroke of every border is then at the outside of the box. If `reversed` is false, all four
/// borders draw their strokes in the same order, from top to bottom or from left to right.
pub(super) fn draw_box(
    items: &mut Vec<TaggedItem>,
    borders: [Option<Border>; 4],
    top_left: Point,
    bottom_right: Point,
    reversed: bool,
) {
    let top_right = Point { x: bottom_right.x, y: top_left.y };
    let bottom_left = Point { x: top_left.x, y: bottom_right.y };
    let sides = [
        (top_left, top_right, false),
        (bottom_left, bottom_right, reversed),
        (top_left, bottom_left, false),
        (top_right, bottom_right, reversed),
    ];
    for (border, (from, to, reversed)) in borders.iter().zip(sides) {
        if let Some(border) = border {
            draw_border(items, border, from, to, reversed);
        }
    }
}

/// Returns a wavy path along the line between two points.
fn wave_path(from: Point, to: Point) -> Vec<PathCommand> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy);
    if length < 0.01 {
        return Vec::new();
    }
    let count = (length / HALF_WAVE_LENGTH).clamp(1.0, MAX_HALF_WAVES).round();
    let (ux, uy) = (dx / length, dy / length);
    let at =
        |along: f32, aside: f32| Point { x: from.x + ux * along - uy * aside, y: from.y + uy * along + ux * aside };
    let mut path = vec![move_to(from)];
    let step = length / count;
    for index in 0..count as usize {
        let start = index as f32 * step;
        // A Bézier curve reaches only three quarters of the height of its control points, so they are higher than the wave.
        let aside = if index % 2 == 0 { -WAVE_AMPLITUDE } else { WAVE_AMPLITUDE } * 4.0 / 3.0;
        path.push(cubic_to(at(start + step * 0.36, aside), at(start + step * 0.64, aside), at(start + step, 0.0)));
    }
    path
}

/// Draws a border along a line of any direction, for the diagonals of a cell.
pub(super) fn draw_diagonal(items: &mut Vec<TaggedItem>, border: &Border, from: Point, to: Point) {
    let path = vec![move_to(from), line_to(to)];
    let width = border.width.clamp(0.25, 12.0);
    let dashes = dash_lengths(border.style, width);
    let color = border.color.unwrap_or(BLACK);
    items.push(untagged(DisplayItem::Stroke(StrokePath { path, color, width, dashes, round_caps: false })));
}

/// Wraps an item that belongs to no structure element. In a tagged PDF, such an item is an artifact.
pub(super) fn untagged(item: DisplayItem) -> TaggedItem {
    TaggedItem { item, element: None }
}
