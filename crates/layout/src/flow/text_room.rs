//! Where in a shape its text stands, and how much room it has.

use waraq_docx::tree::{Alignment, Block, Shape, TextBox, TextDirection};

use super::geometry::positive;
use crate::page::Rect;

/// Where in its box a shape's text stands.
pub(super) fn text_area(shape: &Shape, area: Rect) -> Rect {
    let [left, top, right, bottom] = shape.text_area.unwrap_or([0.0, 0.0, 1.0, 1.0]);
    Rect::new(
        area.x + left * area.width,
        area.y + top * area.height,
        positive((right - left) * area.width, 0.0),
        positive((bottom - top) * area.height, 0.0),
    )
}

/// The room a text box has for text, in the direction of its lines.
pub(super) struct TextRoom {
    pub width: f32,
    /// How long its lines may be.
    pub wide: f32,
    pub height: f32,
}

pub(super) fn text_room(text: &TextBox, area: Rect) -> TextRoom {
    let [left, top, right, bottom] = text.insets.map(|inset| positive(inset, 0.0));
    let upright = text.text_direction == TextDirection::Horizontal;
    let (across, along) = if upright { (area.width, area.height) } else { (area.height, area.width) };
    let width = (across - left - right).max(1.0);
    // Lines are as long as they like, tables are not: they would stand far outside.
    let lines_only = !text.blocks.iter().any(|block| matches!(block, Block::Table(_)));
    let wide = if text.no_wrap && lines_only { width.max(2_000.0) } else { width };
    TextRoom { width, wide, height: (along - top - bottom).max(0.0) }
}

/// Whether a box is as high as its text.
pub(super) fn grows(text: &TextBox) -> bool {
    text.auto_fit && text.text_direction == TextDirection::Horizontal
}

/// Which part of a line stands at that part of the box: 0 their beginnings, 1 their ends, as the first paragraph has it.
pub(super) fn standing(blocks: &[Block]) -> f32 {
    let Some(Block::Paragraph(paragraph)) = blocks.first() else { return 0.0 };
    let back = paragraph.properties.bidi;
    match paragraph.properties.alignment {
        Alignment::Center => 0.5,
        Alignment::End => f32::from(u8::from(!back)),
        _ => f32::from(u8::from(back)),
    }
}
