//! Floating objects: their position and the space they leave for lines (ECMA-376 part 1, §20.4.2, §17.3.1.11, §17.4.57).

use waraq_docx::tree::{
    Anchor, Drawing, FrameAnchor, Justification, Placement, Position, PositionValue, RelativeTo, Settings, Wrap,
    WrapSides,
};

use super::areas::Frame;
use super::fragment::Exclusion;
use super::geometry::{length_or, positive_length_or};
use crate::geometry::HorizontalExtent;
use crate::page::{Point, Rect};
use crate::text::LineSlot;

/// Minimum width in points of a gap beside a float. Word places no text in gaps of less than one inch.
pub(super) const MIN_SLOT_WIDTH: f32 = 72.0;

/// Maximum number of floats, one below the other, that a line moves past to find space.
const MAX_ROUNDS: usize = 200;
/// Maximum number of floats in a column that lines avoid. Only hostile files have more. Text overlaps the floats beyond this
/// number.
pub(super) const MAX_EXCLUSIONS: usize = 1_000;

/// The space for a line beside floats.
pub(super) struct FreeSlots {
    /// Distance of the line's top from the top of the column, in points.
    pub y: f32,
    /// The horizontal ranges that are free for text at the position `y`, from left to right.
    pub slots: Vec<LineSlot>,
}

/// Returns the first vertical position at or below `y` with space for a line of this height, and the slots for text at that
/// position. `width` is the width of the column.
pub(super) fn find_slots<'x>(
    exclusions: impl Iterator<Item = &'x Exclusion> + Clone,
    y: f32,
    height: f32,
    width: f32,
) -> FreeSlots {
    let mut y = y;
    // Each round moves the position below at least one float, so the number of floats limits the rounds.
    let rounds = exclusions.clone().count().min(MAX_ROUNDS) + 1;
    for _ in 0..rounds {
        let reach = |area: &Rect| area.y < y + height.max(0.1) && area.bottom() > y + 0.01;
        let near = exclusions.clone().filter(|e| reach(&e.area) && e.area.x < width && e.area.right() > 0.0);
        let mut free = vec![HorizontalExtent { left: 0.0, right: width }];
        let mut lowest = f32::INFINITY;
        for exclusion in near {
            lowest = lowest.min(exclusion.area.bottom());
            free = match exclusion.wrap {
                Wrap::None => free,
                Wrap::TopAndBottom => Vec::new(),
                Wrap::Square(sides) | Wrap::Tight(sides) => subtract_area(&free, &exclusion.area, sides, width),
            };
        }
        if lowest == f32::INFINITY {
            break;
        }
        free.retain(|gap| gap.right - gap.left >= MIN_SLOT_WIDTH.min(width - 1.0));
        if !free.is_empty() {
            let slot =
                |gap: HorizontalExtent| LineSlot { left: gap.left, width: gap.right - gap.left, column_width: width };
            return FreeSlots { y, slots: free.into_iter().map(slot).collect() };
        }
        y = lowest;
    }
    FreeSlots { y, slots: vec![LineSlot::whole_column(width)] }
}

/// Removes the area of a float from the free ranges of a line. `sides` are the sides of the float at which text may be.
fn subtract_area(free: &[HorizontalExtent], area: &Rect, sides: WrapSides, width: f32) -> Vec<HorizontalExtent> {
    let (left_room, right_room) = (area.x, width - area.right());
    let (use_left, use_right) = match sides {
        WrapSides::Both => (true, true),
        WrapSides::Left => (true, false),
        WrapSides::Right => (false, true),
        WrapSides::Largest => (left_room >= right_room, right_room > left_room),
    };
    let mut rest = Vec::with_capacity(free.len() + 1);
    for &HorizontalExtent { left, right } in free {
        if use_left && left < area.x {
            rest.push(HorizontalExtent { left, right: right.min(area.x) });
        }
        if use_right && right > area.right() {
            rest.push(HorizontalExtent { left: left.max(area.right()), right });
        }
    }
    rest
}

/// Returns the area of an anchored drawing in the column. `at` is the position of the anchor: the x of its character and the y
/// of its paragraph or line.
pub(super) fn drawing_area(drawing: &Drawing, anchor: &Anchor, frame: &Frame, at: Point) -> Rect {
    let along = |position: Position, relative: Option<(RelativeTo, f32)>, size: f32, horizontal: bool| {
        let size = match relative {
            Some((to, share)) if share > 0.0 => {
                positive_length_or(reference_range(to, frame, horizontal, at).length * share, size)
            }
            _ => positive_length_or(size, 0.0),
        };
        let span = reference_range(position.relative_to, frame, horizontal, at);
        (resolve_position(position.value, span, size, frame.even_page), size)
    };
    let (x, width) = along(anchor.horizontal, anchor.relative_width, drawing.width, true);
    let (y, height) = along(anchor.vertical, anchor.relative_height, drawing.height, false);
    Rect { x, y, width, height }
}

/// Returns true if a drawing that is anchored in a cell is positioned as if there were no table (§20.4.2.3, layoutInCell). Word
/// does this up to compatibility mode 14. Since Word 2013 (mode 15), every drawing of a cell is laid out in the cell.
pub(super) fn ignores_cell(anchor: &Anchor, settings: &Settings) -> bool {
    !anchor.layout_in_cell && settings.compatibility_mode < 15
}

/// Returns the area of a drawing that is positioned as if there were no table, in the coordinates of the table's column. `inside`
/// is the area of the drawing as laid out in the cell. A position relative to a paragraph, line or character is taken from
/// `inside`.
pub(super) fn area_outside_cell(anchor: &Anchor, column: &Frame, inside: Rect) -> Rect {
    let across = reference_range(anchor.horizontal.relative_to, column, true, Point::default());
    let down = reference_range(anchor.vertical.relative_to, column, false, Point::default());
    let x = match anchor.horizontal.relative_to {
        RelativeTo::Character => inside.x,
        _ => resolve_position(anchor.horizontal.value, across, inside.width, column.even_page),
    };
    let y = match anchor.vertical.relative_to {
        RelativeTo::Column | RelativeTo::Paragraph | RelativeTo::Line | RelativeTo::Character => inside.y,
        _ => resolve_position(anchor.vertical.value, down, inside.height, column.even_page),
    };
    Rect { x, y, ..inside }
}

/// A part of a horizontal or vertical axis, in points in the coordinates of the column.
#[derive(Debug, Clone, Copy)]
struct AxisRange {
    /// The left edge of a horizontal range, or the top of a vertical range.
    start: f32,
    /// The width of a horizontal range, or the height of a vertical range.
    length: f32,
}

impl AxisRange {
    fn new(start: f32, length: f32) -> Self {
        Self { start, length }
    }
}

/// Returns the range to which a position is relative, such as the page or the margin area. If `horizontal` is true, this is the
/// range from left to right, else the range from top to bottom. `at` is the position of the anchor.
fn reference_range(to: RelativeTo, frame: &Frame, horizontal: bool, at: Point) -> AxisRange {
    let (page, margin) = (&frame.page, &frame.margin);
    if horizontal {
        let left = AxisRange::new(page.x, margin.x - page.x);
        let right = AxisRange::new(margin.right(), page.right() - margin.right());
        match to {
            RelativeTo::Page => AxisRange::new(page.x, page.width),
            RelativeTo::Margin | RelativeTo::TopMargin | RelativeTo::BottomMargin => {
                AxisRange::new(margin.x, margin.width)
            }
            RelativeTo::Column | RelativeTo::Paragraph | RelativeTo::Line => AxisRange::new(0.0, frame.width),
            RelativeTo::Character => AxisRange::new(at.x, 0.0),
            RelativeTo::InsideMargin if frame.even_page => right,
            RelativeTo::OutsideMargin if !frame.even_page => right,
            RelativeTo::LeftMargin | RelativeTo::InsideMargin | RelativeTo::OutsideMargin => left,
            RelativeTo::RightMargin => right,
        }
    } else {
        match to {
            RelativeTo::Page => AxisRange::new(page.y, page.height),
            RelativeTo::Margin | RelativeTo::LeftMargin | RelativeTo::RightMargin => {
                AxisRange::new(margin.y, margin.height)
            }
            RelativeTo::TopMargin | RelativeTo::InsideMargin => AxisRange::new(page.y, margin.y - page.y),
            RelativeTo::BottomMargin | RelativeTo::OutsideMargin => {
                AxisRange::new(margin.bottom(), page.bottom() - margin.bottom())
            }
            RelativeTo::Line | RelativeTo::Character | RelativeTo::Column | RelativeTo::Paragraph => {
                AxisRange::new(at.y, 0.0)
            }
        }
    }
}

/// Returns the left edge or the top of an object in the range, in points. `size` is the width or the height of the object.
fn resolve_position(place: PositionValue, range: AxisRange, size: f32, even_page: bool) -> f32 {
    let AxisRange { start, length } = range;
    let end = start + length - size;
    length_or(
        match place {
            PositionValue::Offset(offset) => start + offset,
            PositionValue::Fraction(share) => start + length * share,
            PositionValue::Center => start + (length - size) / 2.0,
            PositionValue::Inside if even_page => end,
            PositionValue::Outside if !even_page => end,
            PositionValue::Start | PositionValue::Inside | PositionValue::Outside => start,
            PositionValue::End => end,
        },
        start,
    )
}

/// Returns the anchor of a drawing, or `None` if the drawing is inline.
pub(super) fn anchor_of(drawing: &Drawing) -> Option<&Anchor> {
    match &drawing.placement {
        Placement::Anchored(anchor) => Some(anchor),
        Placement::Inline | Placement::Rule(_) => None,
    }
}

/// Returns the left edge (if `horizontal`) or the top of a text frame or floating table. `size` is the width or the height of
/// this object. `top` is the top that the object would have in the normal flow.
pub(super) fn frame_position(
    anchor: FrameAnchor,
    requested: Option<PositionValue>,
    size: f32,
    frame: &Frame,
    horizontal: bool,
    top: f32,
) -> f32 {
    let relative_to = match anchor {
        FrameAnchor::Text => RelativeTo::Paragraph,
        FrameAnchor::Margin => RelativeTo::Margin,
        FrameAnchor::Page => RelativeTo::Page,
    };
    let span = reference_range(relative_to, frame, horizontal, Point { x: 0.0, y: top });
    resolve_position(requested.unwrap_or(PositionValue::Start), span, size, frame.even_page)
}

/// Returns the distance between the left edge of the available space and an object of this width. If `right_to_left` is true, the
/// alignment `Start` puts the object at the right edge, and `End` at the left edge.
pub(super) fn aligned_x(alignment: Justification, room: f32, width: f32, right_to_left: bool) -> f32 {
    match (alignment, right_to_left) {
        (Justification::Center, _) => (room - width) / 2.0,
        (Justification::Start, false) | (Justification::End, true) => 0.0,
        _ => room - width,
    }
}
