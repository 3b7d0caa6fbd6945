//! Text frames and drop caps (ECMA-376 part 1, §17.3.1.11).

use std::rc::Rc;

use waraq_docx::tree::{Block, Frame as FrameProperties, FrameWrap, Wrap, WrapSides};

use super::areas::Frame;
use super::column::Filler;
use super::float::frame_place;
use super::geometry::positive;
use super::spacing::as_paragraph;
use super::table::columns::content_widths;
use super::unit::{Exclusion, Float, FloatContent, Resume};
use crate::page::Rect;

/// Lays out a text frame as a float. It contains the paragraph with index `block` and the paragraphs after it that have the
/// same frame properties. Returns the position after them.
pub(super) fn set<'a>(filler: &mut Filler<'_, 'a>, block: usize, frame: &FrameProperties) -> Resume {
    let Filler { given, cursor, .. } = &*filler;
    let (setter, blocks) = (given.setter, given.blocks);
    let count = blocks[block..]
        .iter()
        .take_while(|block| as_paragraph(block).is_some_and(|p| p.properties.frame.as_ref() == Some(frame)))
        .count()
        .max(1);
    let inside: &'a [Block] = &blocks[block..block + count];
    let bidi = inside.first().and_then(as_paragraph).is_some_and(|p| p.properties.bidi);
    let most = given.frame.page.width.max(given.frame.width);
    // If the document gives no width, the frame is as wide as its text without trailing tabs.
    let (lines, width) = match frame.width.filter(|width| *width > 0.0) {
        Some(width) => (width.min(most), width.min(most)),
        None => {
            let widths = content_widths(setter, inside, given.frame.section, given.frame.depth);
            let text = if bidi { widths.most } else { widths.text };
            ((widths.most + 0.5).min(most), (text + 0.5).min(most))
        }
    };
    let within = Frame { in_cell: true, ..given.frame.inner(lines) };
    let galley = setter.galley(inside, within);
    let height = match frame.height {
        Some(height) if frame.height_exact => positive(height, galley.height),
        Some(height) => galley.height.max(positive(height, 0.0)),
        None => galley.height,
    };
    let top = cursor.y + cursor.space_below;
    let mut x = frame_place(frame.horizontal_anchor, frame.x, width, &given.frame, true, top);
    let y = frame_place(frame.vertical_anchor, frame.y, height, &given.frame, false, top);
    if bidi && frame.x.is_none() {
        x = given.frame.width - width;
    }
    let in_margin = frame.drop_cap.is_some_and(|cap| cap.in_margin);
    if in_margin {
        x = if bidi { given.frame.width } else { -width };
    }
    let area = Rect { x, y, width, height };
    let wrap = match frame.drop_cap {
        // Text continues beside a drop cap even in a narrow column.
        Some(_) => Wrap::Tight(WrapSides::Both),
        None if frame.wrap == FrameWrap::NotBeside => Wrap::TopAndBottom,
        None => Wrap::Square(WrapSides::Both),
    };
    let notes: Vec<i64> = galley.units.iter().flat_map(|unit| unit.notes.iter().copied()).collect();
    let distances = [frame.horizontal_space, frame.horizontal_space, frame.vertical_space, frame.vertical_space];
    let in_the_way = !in_margin && frame.wrap != FrameWrap::None;
    filler.call(&notes);
    filler.filled.floats.push(Float {
        area,
        exclusion: in_the_way.then(|| Exclusion::around(area, distances, wrap)),
        unit: filler.filled.units.len(),
        behind: false,
        z_order: 0,
        content: FloatContent::Frame(Rc::new(galley)),
        notes,
    });
    Resume::at(block + count)
}
