//! Text frames and drop caps (ECMA-376 part 1, §17.3.1.11).

use std::rc::Rc;

use waraq_docx::tree::{Block, Frame as FrameProperties, FrameWrap, Wrap, WrapSides};

use super::areas::Frame;
use super::column::ColumnBuilder;
use super::float::frame_position;
use super::fragment::{BreakToken, Exclusion, Float, FloatContent};
use super::geometry::positive_length_or;
use super::spacing::as_paragraph;
use super::table::columns::content_widths;
use crate::page::Rect;

/// Lays out a text frame as a float. The frame consists of the paragraph with index `block` and the paragraphs after it that
/// have the same frame properties. Returns the position after these paragraphs.
pub(super) fn lay_out_text_frame<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    block: usize,
    frame: &FrameProperties,
) -> BreakToken {
    let ColumnBuilder { input, cursor, .. } = &*builder;
    let (ctx, blocks) = (input.ctx, input.blocks);
    let count = blocks[block..]
        .iter()
        .take_while(|block| as_paragraph(block).is_some_and(|p| p.properties.frame.as_ref() == Some(frame)))
        .count()
        .max(1);
    let inside: &'a [Block] = &blocks[block..block + count];
    let bidi = inside.first().and_then(as_paragraph).is_some_and(|p| p.properties.bidi);
    let most = input.frame.page.width.max(input.frame.width);
    // If the document gives no width, the frame is as wide as its text without trailing tabs.
    let (lines, width) = match frame.width.filter(|width| *width > 0.0) {
        Some(width) => (width.min(most), width.min(most)),
        None => {
            let widths = content_widths(ctx, inside, input.frame.section, input.frame.depth);
            let text = if bidi { widths.max_content } else { widths.max_content_without_tabs };
            ((widths.max_content + 0.5).min(most), (text + 0.5).min(most))
        }
    };
    let within = Frame { in_cell: true, ..input.frame.inner(lines) };
    let content = ctx.lay_out_unbounded(inside, within);
    let height = match frame.height {
        Some(height) if frame.height_exact => positive_length_or(height, content.height),
        Some(height) => content.height.max(positive_length_or(height, 0.0)),
        None => content.height,
    };
    let top = cursor.y + cursor.space_below;
    let mut x = frame_position(frame.horizontal_anchor, frame.x, width, &input.frame, true, top);
    let y = frame_position(frame.vertical_anchor, frame.y, height, &input.frame, false, top);
    if bidi && frame.x.is_none() {
        x = input.frame.width - width;
    }
    let in_margin = frame.drop_cap.is_some_and(|cap| cap.in_margin);
    if in_margin {
        x = if bidi { input.frame.width } else { -width };
    }
    let area = Rect { x, y, width, height };
    let wrap = match frame.drop_cap {
        // Text continues beside a drop cap even in a narrow column.
        Some(_) => Wrap::Tight(WrapSides::Both),
        None if frame.wrap == FrameWrap::NotBeside => Wrap::TopAndBottom,
        None => Wrap::Square(WrapSides::Both),
    };
    let notes: Vec<i64> = content.fragments.iter().flat_map(|fragment| fragment.notes.iter().copied()).collect();
    let distances = [frame.horizontal_space, frame.horizontal_space, frame.vertical_space, frame.vertical_space];
    let in_the_way = !in_margin && frame.wrap != FrameWrap::None;
    builder.register_notes(&notes);
    builder.output.floats.push(Float {
        area,
        exclusion: in_the_way.then(|| Exclusion::around(area, distances, wrap)),
        fragment_index: builder.output.fragments.len(),
        behind: false,
        z_order: 0,
        content: FloatContent::Frame(Rc::new(content)),
        notes,
    });
    BreakToken::at_block(block + count)
}
