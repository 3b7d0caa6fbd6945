//! What floats: where it stands and which room it leaves the lines (ECMA-376 part 1, §20.4.2, §17.3.1.11, §17.4.57).

use waraq_docx::tree::{
    Anchor, Drawing, FrameAnchor, Justification, Place, Placement, RelativeTo, Settings, Wrap, WrapSides,
};

use super::areas::Frame;
use super::geometry::{positive, sane};
use super::unit::Exclusion;
use crate::page::Rect;
use crate::text::Slot;

/// Word sets no text in a gap beside a float that is narrower than an inch.
const NARROWEST_SLOT: f32 = 72.0;

/// So many floats one below the other are looked past for one line.
const MOST_ROUNDS: usize = 200;
/// Lines of a column make room for so many floats; what a hostile file has beyond them overlaps the text.
pub(super) const MOST_EXCLUSIONS: usize = 1_000;

/// Where a line of this height may stand at `y` or below: the height that was found, and its slots from left to right.
pub(super) fn slots<'x>(
    exclusions: impl Iterator<Item = &'x Exclusion> + Clone,
    y: f32,
    height: f32,
    width: f32,
) -> (f32, Vec<Slot>) {
    let mut y = y;
    // Every round goes below at least one float, so their number bounds the rounds.
    let rounds = exclusions.clone().count().min(MOST_ROUNDS) + 1;
    for _ in 0..rounds {
        let reach = |area: &Rect| area.y < y + height.max(0.1) && area.bottom() > y + 0.01;
        let near = exclusions.clone().filter(|e| reach(&e.area) && e.area.x < width && e.area.right() > 0.0);
        let mut free = vec![(0.0_f32, width)];
        let mut lowest = f32::INFINITY;
        let mut any = false;
        for exclusion in near {
            any = true;
            lowest = lowest.min(exclusion.area.bottom());
            free = match exclusion.wrap {
                Wrap::None => free,
                Wrap::TopAndBottom => Vec::new(),
                Wrap::Square(sides) | Wrap::Tight(sides) => cut_out(&free, &exclusion.area, sides, width),
            };
        }
        if !any {
            break;
        }
        free.retain(|(left, right)| right - left >= NARROWEST_SLOT.min(width - 1.0));
        if !free.is_empty() {
            let slot = |(left, right): (f32, f32)| Slot { left, width: right - left, column_width: width };
            return (y, free.into_iter().map(slot).collect());
        }
        y = lowest;
    }
    (y, vec![Slot::column(width)])
}

fn cut_out(free: &[(f32, f32)], area: &Rect, sides: WrapSides, width: f32) -> Vec<(f32, f32)> {
    let (left_room, right_room) = (area.x, width - area.right());
    let (use_left, use_right) = match sides {
        WrapSides::Both => (true, true),
        WrapSides::Left => (true, false),
        WrapSides::Right => (false, true),
        WrapSides::Largest => (left_room >= right_room, right_room > left_room),
    };
    let mut rest = Vec::with_capacity(free.len() + 1);
    for &(left, right) in free {
        if use_left && left < area.x {
            rest.push((left, right.min(area.x)));
        }
        if use_right && right > area.right() {
            rest.push((left.max(area.right()), right));
        }
    }
    rest
}

/// Where an anchored drawing stands, and the room it takes from lines.
///
/// `top` is the anchoring paragraph's, `line` its line's and `character` the anchor's own x, in the column's coordinates.
pub(super) fn drawing_area(
    drawing: &Drawing,
    anchor: &Anchor,
    frame: &Frame,
    top: f32,
    line: f32,
    character: f32,
) -> Rect {
    let share = |relative: Option<(RelativeTo, f32)>, horizontal: bool, size: f32| match relative {
        Some((to, share)) if share > 0.0 => {
            let span = span_of(to, frame, horizontal, top, line, character);
            positive(span.1 * share, size)
        }
        _ => positive(size, 0.0),
    };
    let width = share(anchor.relative_width, true, drawing.width);
    let height = share(anchor.relative_height, false, drawing.height);
    let horizontal = span_of(anchor.horizontal.relative_to, frame, true, top, line, character);
    let vertical = span_of(anchor.vertical.relative_to, frame, false, top, line, character);
    let x = place(anchor.horizontal.place, horizontal, width, frame.even_page);
    let y = place(anchor.vertical.place, vertical, height, frame.even_page);
    Rect { x, y, width, height }
}

/// Whether a drawing that is anchored in a cell is placed as if there were no table (§20.4.2.3, layoutInCell). Word does so up to
/// compatibility mode 14; since 2013 every drawing of a cell is laid out in it.
pub(super) fn leaves_cells(anchor: &Anchor, settings: &Settings) -> bool {
    !anchor.layout_in_cell && settings.compatibility_mode < 15
}

/// Where a drawing that leaves its cell stands, seen from the column its table is in; `inside` is where it stands in the cell, which
/// holds for what goes with its paragraph, line or character.
pub(super) fn area_outside_cell(anchor: &Anchor, column: &Frame, inside: Rect) -> Rect {
    let across = span_of(anchor.horizontal.relative_to, column, true, 0.0, 0.0, 0.0);
    let down = span_of(anchor.vertical.relative_to, column, false, 0.0, 0.0, 0.0);
    let x = match anchor.horizontal.relative_to {
        RelativeTo::Character => inside.x,
        _ => place(anchor.horizontal.place, across, inside.width, column.even_page),
    };
    let y = match anchor.vertical.relative_to {
        RelativeTo::Column | RelativeTo::Paragraph | RelativeTo::Line | RelativeTo::Character => inside.y,
        _ => place(anchor.vertical.place, down, inside.height, column.even_page),
    };
    Rect { x, y, ..inside }
}

/// Start and length of what a position is relative to.
fn span_of(to: RelativeTo, frame: &Frame, horizontal: bool, top: f32, line: f32, character: f32) -> (f32, f32) {
    let (page, margin) = (&frame.page, &frame.margin);
    if horizontal {
        let left = (page.x, margin.x - page.x);
        let right = (margin.right(), page.right() - margin.right());
        match to {
            RelativeTo::Page => (page.x, page.width),
            RelativeTo::Margin | RelativeTo::TopMargin | RelativeTo::BottomMargin => (margin.x, margin.width),
            RelativeTo::Column | RelativeTo::Paragraph | RelativeTo::Line => (0.0, frame.width),
            RelativeTo::Character => (character, 0.0),
            RelativeTo::InsideMargin if frame.even_page => right,
            RelativeTo::OutsideMargin if !frame.even_page => right,
            RelativeTo::LeftMargin | RelativeTo::InsideMargin | RelativeTo::OutsideMargin => left,
            RelativeTo::RightMargin => right,
        }
    } else {
        match to {
            RelativeTo::Page => (page.y, page.height),
            RelativeTo::Margin | RelativeTo::LeftMargin | RelativeTo::RightMargin => (margin.y, margin.height),
            RelativeTo::TopMargin | RelativeTo::InsideMargin => (page.y, margin.y - page.y),
            RelativeTo::BottomMargin | RelativeTo::OutsideMargin => (margin.bottom(), page.bottom() - margin.bottom()),
            RelativeTo::Line | RelativeTo::Character => (line, 0.0),
            RelativeTo::Column | RelativeTo::Paragraph => (top, 0.0),
        }
    }
}

fn place(place: Place, (start, length): (f32, f32), size: f32, even_page: bool) -> f32 {
    let end = start + length - size;
    sane(
        match place {
            Place::Offset(offset) => start + offset,
            Place::Share(share) => start + length * share,
            Place::Center => start + (length - size) / 2.0,
            Place::Inside if even_page => end,
            Place::Outside if !even_page => end,
            Place::Start | Place::Inside | Place::Outside => start,
            Place::End => end,
        },
        start,
    )
}

/// The room an anchored drawing takes from lines.
pub(super) fn drawing_exclusion(anchor: &Anchor, area: Rect) -> Option<Exclusion> {
    if anchor.wrap == Wrap::None {
        return None;
    }
    let distances = [anchor.distance_left, anchor.distance_right, anchor.distance_top, anchor.distance_bottom];
    Some(Exclusion::around(area, distances, anchor.wrap))
}

pub(super) fn anchor_of(drawing: &Drawing) -> Option<&Anchor> {
    match &drawing.placement {
        Placement::Anchored(anchor) => Some(anchor),
        Placement::Inline | Placement::Rule(_) => None,
    }
}

/// Where a text frame or a floating table of this size stands; `top` is where it would stand in the flow.
pub(super) fn frame_place(
    anchors: (FrameAnchor, FrameAnchor),
    (x, y): (Option<Place>, Option<Place>),
    (width, height): (f32, f32),
    frame: &Frame,
    top: f32,
) -> (f32, f32) {
    let horizontal = match anchors.0 {
        FrameAnchor::Text => (0.0, frame.width),
        FrameAnchor::Margin => (frame.margin.x, frame.margin.width),
        FrameAnchor::Page => (frame.page.x, frame.page.width),
    };
    let vertical = match anchors.1 {
        FrameAnchor::Text => (top, 0.0),
        FrameAnchor::Margin => (frame.margin.y, frame.margin.height),
        FrameAnchor::Page => (frame.page.y, frame.page.height),
    };
    let along = |way: Option<Place>, span, size| place(way.unwrap_or(Place::Start), span, size, frame.even_page);
    (along(x, horizontal, width), along(y, vertical, height))
}

/// How far something of this width stands from the left edge of the room; start is the leading edge.
pub(super) fn aligned(alignment: Justification, room: f32, width: f32, right_to_left: bool) -> f32 {
    match (alignment, right_to_left) {
        (Justification::Center, _) => (room - width) / 2.0,
        (Justification::Start, false) | (Justification::End, true) => 0.0,
        _ => room - width,
    }
}
