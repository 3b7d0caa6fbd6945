//! Border conflicts between adjacent cells (ECMA-376 part 1, §17.4.66).

use std::cmp::Reverse;

use waraq_docx::tree::{Border, BorderStyle, Cell, Rgb};

use super::super::border::{line_count, thickness};
use super::super::geometry::positive_length_or;
use super::super::spacing::visible_border;

/// The distances in points between the sides of a cell and its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextInsets {
    /// The distance at the left side.
    pub left: f32,
    /// The distance at the right side.
    pub right: f32,
}

/// Returns the insets of a cell's text. Each inset is the cell margin or half the thickness of the border, whichever is larger.
/// (The other half of the border is outside the cell.)
pub(super) fn text_insets(cell: &Cell) -> TextInsets {
    let inset = |margin, border| positive_length_or(margin, 0.0).max(thickness(visible_border(border)) / 2.0);
    TextInsets {
        left: inset(cell.margins.left, cell.borders.left),
        right: inset(cell.margins.right, cell.borders.right),
    }
}

/// Returns the border that wins at the edge between two cells: the one with the larger weight (its width times the number of its
/// lines). If the weights are equal, the style that comes first in the standard wins, and then the darker colour. Returns `None`
/// if neither border is visible.
pub(crate) fn winning_border(a: Option<Border>, b: Option<Border>) -> Option<Border> {
    match (visible_border(a), visible_border(b)) {
        (Some(a), Some(b)) => Some(if precedence(&a) >= precedence(&b) { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// The precedence of a border. The larger value wins; the fields are compared in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Precedence {
    /// The width in eighths of a point times the number of lines.
    weight: i64,
    /// The style. The one that comes first in the standard wins.
    style: Reverse<BorderStyle>,
    /// The negative brightness of the colour, so that the darker colour wins.
    darkness: i64,
}

/// Returns the precedence of a border.
fn precedence(border: &Border) -> Precedence {
    let weight = (border.width.clamp(0.0, 100.0) * 8.0).round() as i64 * line_count(border) as i64;
    let Rgb(r, g, b) = border.color.unwrap_or(Rgb(0, 0, 0));
    let brightness = i64::from(r) + i64::from(b) + 2 * i64::from(g);
    Precedence { weight, style: Reverse(border.style), darkness: -brightness }
}
