//! Text boxes: the area of a shape's text, and chains of linked boxes. Each box of a chain shows the text that fits, and the
//! last box shows the rest.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use waraq_docx::tree::{Alignment, Block, Content, Document, Shape, TextBox, TextBoxId, TextDirection};

use super::areas::{self, Frame};
use super::float::{anchor_of, drawing_area};
use super::fragment::{BreakToken, MergedCellBreaks, UnboundedColumn};
use super::geometry::positive_length_or;
use super::walk;
use crate::page::Rect;

/// Tolerance in points. Text that is higher than its box by less than this is not cut off.
pub(super) const CUT_OFF_TOLERANCE: f32 = 2.0;

/// Returns the area of a shape's text.
pub(super) fn text_area(shape: &Shape, area: Rect) -> Rect {
    let [left, top, right, bottom] = shape.text_area.unwrap_or([0.0, 0.0, 1.0, 1.0]);
    Rect::new(
        area.x + left * area.width,
        area.y + top * area.height,
        positive_length_or((right - left) * area.width, 0.0),
        positive_length_or((bottom - top) * area.height, 0.0),
    )
}

/// The space for the text of a text box, in the direction of its lines: for rotated text, `height` is horizontal on the page.
pub(super) struct TextSpace {
    pub width: f32,
    /// Maximum length of its lines. Larger than `width` if the lines do not wrap.
    pub line_width: f32,
    pub height: f32,
}

pub(super) fn text_space(text: &TextBox, area: Rect) -> TextSpace {
    let [left, top, right, bottom] = text.insets.map(|inset| positive_length_or(inset, 0.0));
    let upright = text.text_direction == TextDirection::Horizontal;
    let (across, along) = if upright { (area.width, area.height) } else { (area.height, area.width) };
    let width = (across - left - right).max(1.0);
    // Unwrapped lines may have any length, but tables keep the box width; they would extend far outside.
    let lines_only = !text.blocks.iter().any(|block| matches!(block, Block::Table(_)));
    let wide = if text.no_wrap && lines_only { width.max(2_000.0) } else { width };
    TextSpace { width, line_width: wide, height: (along - top - bottom).max(0.0) }
}

/// Returns true if the height of a box follows its text.
pub(super) fn height_follows_text(text: &TextBox) -> bool {
    text.auto_fit && text.text_direction == TextDirection::Horizontal
}

/// Returns the horizontal alignment of the first paragraph: 0 for left, 0.5 for centred, 1 for right.
pub(super) fn first_alignment(blocks: &[Block]) -> f32 {
    let Some(Block::Paragraph(paragraph)) = blocks.first() else { return 0.0 };
    let back = paragraph.properties.bidi;
    match paragraph.properties.alignment {
        Alignment::Center => 0.5,
        Alignment::End => f32::from(u8::from(!back)),
        _ => f32::from(u8::from(back)),
    }
}

/// The chains of linked text boxes of a document, with the progress of their layout.
pub(super) struct TextBoxChains<'a> {
    chains: Vec<TextBoxChain<'a>>,
    /// The index of the chain of each text box, and the index of the box in the chain.
    positions: HashMap<TextBoxId, (usize, usize)>,
}

/// Linked text boxes that share one text.
pub(super) struct TextBoxChain<'a> {
    pub blocks: &'a [Block],
    pub boxes: Vec<BoxSpace>,
    /// The position at which the text of each box begins, for the boxes whose start is known so far. `None` if the text ends
    /// before the box.
    pub starts: RefCell<Vec<Option<BreakToken>>>,
    /// Remaining content of merged cells after the last painted box.
    pub merged: RefCell<MergedCellBreaks>,
}

/// The space of a box in a chain. It does not depend on the position of the drawing, so that a box can be laid out before the
/// drawing is placed. This is necessary, because the text of each box begins where that of the previous box ends.
#[derive(Clone, Copy)]
pub(super) struct BoxSpace {
    section: usize,
    pub width: f32,
    /// Infinite for a box that grows with its text. The boxes after it are then empty, as in Word.
    pub height: f32,
}

/// The laid-out text of one text box.
pub(super) struct BoxText<'a> {
    pub content: UnboundedColumn<'a>,
    pub frame: Frame,
    /// True if no other box continues the text that does not fit.
    pub last: bool,
    /// Remaining content of merged cells after the last painted box, for a box in a chain.
    pub merged: Option<&'a RefCell<MergedCellBreaks>>,
}

impl<'a> TextBoxChains<'a> {
    pub fn from_document(document: &'a Document) -> Self {
        let (mut chains, mut places) = (Vec::new(), HashMap::new());
        if document.text_chains.is_empty() {
            return Self { chains, positions: places };
        }
        let found = boxes_with_id(document);
        for ids in &document.text_chains {
            let Some((text, _)) = ids.first().and_then(|first| found.get(first)) else { continue };
            let mut rooms = Vec::new();
            for id in ids {
                // Skip boxes that are not shown, and boxes that are already in a chain.
                if let (Some((_, room)), Entry::Vacant(place)) = (found.get(id), places.entry(*id)) {
                    place.insert((chains.len(), rooms.len()));
                    rooms.push(*room);
                }
            }
            let (starts, merged) = Default::default();
            chains.push(TextBoxChain { blocks: &text.blocks, boxes: rooms, starts, merged });
        }
        Self { chains, positions: places }
    }

    /// Resets the layout of the chains, because page numbers in the text may have changed.
    pub fn reset(&self) {
        for chain in &self.chains {
            chain.starts.borrow_mut().clear();
            chain.merged.borrow_mut().clear();
        }
    }

    /// Returns the chain of a text box, the index of the box in the chain, and its space. Returns `None` if the box is in no
    /// chain.
    pub fn chain_of(&'a self, text: &TextBox) -> Option<(&'a TextBoxChain<'a>, usize, &'a BoxSpace)> {
        let &(chain, place) = self.positions.get(&text.id?)?;
        let chain = self.chains.get(chain)?;
        Some((chain, place, chain.boxes.get(place)?))
    }
}

impl BoxSpace {
    pub fn frame(&self, outer: &Frame) -> Frame {
        Frame { section: self.section, ..outer.inner(self.width) }
    }
}

/// Returns all text boxes of a document that have an id, with their space.
fn boxes_with_id(document: &Document) -> HashMap<TextBoxId, (&TextBox, BoxSpace)> {
    let mut found = HashMap::new();
    for (index, section) in document.sections.iter().enumerate() {
        let areas = areas::page_areas(&section.properties, &document.settings, false);
        let page = Frame::of_header(index, &areas, 0.0);
        collect_boxes(&section.blocks, &page, &mut found);
        for set in [&section.headers, &section.footers] {
            for part in [&set.default, &set.first, &set.even].into_iter().flatten() {
                collect_boxes(part, &page, &mut found);
            }
        }
        if index == 0 {
            for note in document.footnotes.values().chain(document.endnotes.values()) {
                collect_boxes(&note.blocks, &page, &mut found);
            }
        }
    }
    found
}

/// Adds the text boxes in these blocks that have an id.
fn collect_boxes<'a>(blocks: &'a [Block], page: &Frame, found: &mut HashMap<TextBoxId, (&'a TextBox, BoxSpace)>) {
    walk::visit_paragraphs(blocks, 0, &mut |paragraph| {
        for inline in paragraph.inlines.iter().filter(|inline| !inline.run.hidden) {
            let Content::Drawing(drawing) = &inline.content else { continue };
            let area = match anchor_of(drawing) {
                Some(anchor) => drawing_area(drawing, anchor, page, (0.0, 0.0)),
                None => Rect::new(0.0, 0.0, drawing.width, drawing.height),
            };
            walk::visit_shapes(&drawing.graphic, (area.width, area.height), 0, &mut |shape, (width, height)| {
                let Some((text, id)) = shape.text.as_ref().and_then(|text| Some((text, text.id?))) else { return };
                let area = Rect::new(0.0, 0.0, positive_length_or(width, 0.0), positive_length_or(height, 0.0));
                let room = text_space(text, text_area(shape, area));
                let height = if height_follows_text(text) { f32::INFINITY } else { room.height };
                found.entry(id).or_insert((text, BoxSpace { section: page.section, width: room.line_width, height }));
            });
        }
    });
}
