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
use crate::page::{Point, Rect, Size};

/// Tolerance in points for text that is higher than its box. Text is cut off only if it extends beyond the box by more than this.
pub(super) const CUT_OFF_TOLERANCE: f32 = 2.0;

/// Returns the area for the text of a shape whose own area is `area`.
pub(super) fn text_area(shape: &Shape, area: Rect) -> Rect {
    let [left, top, right, bottom] = shape.text_area.unwrap_or([0.0, 0.0, 1.0, 1.0]);
    Rect::new(
        area.x + left * area.width,
        area.y + top * area.height,
        positive_length_or((right - left) * area.width, 0.0),
        positive_length_or((bottom - top) * area.height, 0.0),
    )
}

/// The space for the text of a text box. Its width is measured along the lines, so for rotated text `height` is horizontal on
/// the page.
pub(super) struct TextSpace {
    pub width: f32,
    /// Maximum length of the lines of the text. It is larger than `width` if the lines do not wrap.
    pub line_width: f32,
    pub height: f32,
}

pub(super) fn text_space(text: &TextBox, area: Rect) -> TextSpace {
    let [left, top, right, bottom] = text.insets.map(|inset| positive_length_or(inset, 0.0));
    let upright = text.text_direction == TextDirection::Horizontal;
    let (across, along) = if upright { (area.width, area.height) } else { (area.height, area.width) };
    let width = (across - left - right).max(1.0);
    // Lines that do not wrap may have any length. But tables in such a box keep the width of the box, because they would
    // otherwise extend far outside.
    let lines_only = !text.blocks.iter().any(|block| matches!(block, Block::Table(_)));
    let wide = if text.no_wrap && lines_only { width.max(2_000.0) } else { width };
    TextSpace { width, line_width: wide, height: (along - top - bottom).max(0.0) }
}

/// Returns true if the height of a text box depends on the height of its text.
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

/// The chains of linked text boxes of a document, and how far each chain is laid out.
pub(super) struct TextBoxChains<'a> {
    chains: Vec<TextBoxChain<'a>>,
    /// The position of each text box in the chains, by the id of the text box.
    positions: HashMap<TextBoxId, ChainPosition>,
}

/// The position of a text box in the chains of a document.
#[derive(Debug, Clone, Copy)]
struct ChainPosition {
    /// Index of the chain.
    chain: usize,
    /// Index of the box in its chain.
    index: usize,
}

/// A text box of a chain.
pub(super) struct ChainedBox<'a> {
    /// The chain that contains the box.
    pub chain: &'a TextBoxChain<'a>,
    /// Index of the box in the chain.
    pub index: usize,
    /// The space for the text in the box.
    pub space: &'a BoxSpace,
}

/// Linked text boxes that share one text.
pub(super) struct TextBoxChain<'a> {
    pub blocks: &'a [Block],
    pub boxes: Vec<BoxSpace>,
    /// The position in the text at which each box begins, for the boxes whose start is already known. An entry is `None` if the
    /// text ends before the box.
    pub starts: RefCell<Vec<Option<BreakToken>>>,
    /// The breaks at which merged cells resume after the most recently painted box.
    pub merged: RefCell<MergedCellBreaks>,
}

/// The space for text in a box of a chain. It does not depend on the position of the drawing, so that a box can be laid out
/// before the drawing is placed. This is necessary, because the text of each box begins where that of the previous box ends.
#[derive(Clone, Copy)]
pub(super) struct BoxSpace {
    section: usize,
    pub width: f32,
    /// Height in points. Infinite for a box that grows with its text; the boxes after it are then empty, as in Word.
    pub height: f32,
}

/// The laid-out text of one text box.
pub(super) struct BoxText<'a> {
    pub content: UnboundedColumn<'a>,
    pub frame: Frame,
    /// True if no further box of a chain follows this box. Text that does not fit is then not continued in another box.
    pub last: bool,
    /// The breaks at which merged cells resume after the most recently painted box of the chain. `None` for a box that is in no
    /// chain.
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
            let Some(FoundBox { text, .. }) = ids.first().and_then(|first| found.get(first)) else { continue };
            let mut rooms = Vec::new();
            for id in ids {
                // Skip boxes that are not shown, and boxes that are already in a chain.
                if let (Some(found), Entry::Vacant(place)) = (found.get(id), places.entry(*id)) {
                    place.insert(ChainPosition { chain: chains.len(), index: rooms.len() });
                    rooms.push(found.space);
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

    /// Finds a text box in the chains. Returns `None` if the box is in no chain.
    pub fn find_box(&'a self, text: &TextBox) -> Option<ChainedBox<'a>> {
        let ChainPosition { chain, index } = *self.positions.get(&text.id?)?;
        let chain = self.chains.get(chain)?;
        Some(ChainedBox { chain, index, space: chain.boxes.get(index)? })
    }
}

impl BoxSpace {
    pub fn frame(&self, outer: &Frame) -> Frame {
        Frame { section: self.section, ..outer.inner(self.width) }
    }
}

/// A text box of the document with the space for its text.
struct FoundBox<'a> {
    /// The text box.
    text: &'a TextBox,
    /// The space for the text in the box.
    space: BoxSpace,
}

/// Returns all text boxes of a document that have an id, each with the space for its text.
fn boxes_with_id(document: &Document) -> HashMap<TextBoxId, FoundBox<'_>> {
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

/// Collects the text boxes in `blocks` that have an id, and adds them to `found`.
fn collect_boxes<'a>(blocks: &'a [Block], page: &Frame, found: &mut HashMap<TextBoxId, FoundBox<'a>>) {
    walk::visit_paragraphs(blocks, 0, &mut |paragraph| {
        for inline in paragraph.inlines.iter().filter(|inline| !inline.run.hidden) {
            let Content::Drawing(drawing) = &inline.content else { continue };
            let area = match anchor_of(drawing) {
                Some(anchor) => drawing_area(drawing, anchor, page, Point::default()),
                None => Rect::new(0.0, 0.0, drawing.width, drawing.height),
            };
            let size = Size { width: area.width, height: area.height };
            walk::visit_shapes(&drawing.graphic, size, 0, &mut |shape, Size { width, height }| {
                let Some((text, id)) = shape.text.as_ref().and_then(|text| Some((text, text.id?))) else { return };
                let area = Rect::new(0.0, 0.0, positive_length_or(width, 0.0), positive_length_or(height, 0.0));
                let room = text_space(text, text_area(shape, area));
                let height = if height_follows_text(text) { f32::INFINITY } else { room.height };
                let space = BoxSpace { section: page.section, width: room.line_width, height };
                found.entry(id).or_insert(FoundBox { text, space });
            });
        }
    });
}
