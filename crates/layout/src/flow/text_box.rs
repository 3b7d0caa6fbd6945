//! Text boxes: where in a shape its text stands and how much room it has, and chains of boxes that one text flows through: each takes
//! what fits it, the last all that is left.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use waraq_docx::tree::{Alignment, Block, Content, Document, Shape, TextBox, TextBoxId, TextDirection};

use super::areas::{self, Frame};
use super::float::{anchor_of, drawing_area};
use super::geometry::positive;
use super::unit::{Galley, MergedRests, Resume};
use super::walk;
use crate::page::Rect;

/// Text that is longer than its box by less than this is no line too long.
pub(super) const CUT_OFF: f32 = 2.0;

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

/// The chains of a document, and how far their texts are set.
pub(super) struct Chains<'a> {
    chains: Vec<Chain<'a>>,
    /// Which box of which chain a text box is.
    places: HashMap<TextBoxId, (usize, usize)>,
}

/// Boxes that one text flows through.
pub(super) struct Chain<'a> {
    pub blocks: &'a [Block],
    pub rooms: Vec<Room>,
    /// Where the text of each box begins, as far as they were asked for; `None`: it ends before.
    pub starts: RefCell<Vec<Option<Resume>>>,
    pub merged: RefCell<MergedRests>,
}

/// What a box of a chain has for text. It does not hang on where its drawing comes to stand: any box can be asked for its text
/// at any time, and what one shows is where the next begins.
#[derive(Clone, Copy)]
pub(super) struct Room {
    section: usize,
    pub width: f32,
    /// Infinite of a box that grows with its text: then those after it have none, as in Word.
    pub height: f32,
}

/// The text of one text box.
pub(super) struct Share<'a> {
    pub galley: Galley<'a>,
    pub frame: Frame,
    /// What does not fit goes nowhere else.
    pub last: bool,
    /// What of merged cells is left for the box after the one painted last; of a box in a chain.
    pub merged: Option<&'a RefCell<MergedRests>>,
}

impl<'a> Chains<'a> {
    pub fn of(document: &'a Document) -> Self {
        let (mut chains, mut places) = (Vec::new(), HashMap::new());
        if document.text_chains.is_empty() {
            return Self { chains, places };
        }
        let found = boxes(document);
        for ids in &document.text_chains {
            let Some((text, _)) = ids.first().and_then(|first| found.get(first)) else { continue };
            let mut rooms = Vec::new();
            for id in ids {
                // A box that is not shown has no text, and none has two.
                if let (Some((_, room)), Entry::Vacant(place)) = (found.get(id), places.entry(*id)) {
                    place.insert((chains.len(), rooms.len()));
                    rooms.push(*room);
                }
            }
            let (starts, merged) = Default::default();
            chains.push(Chain { blocks: &text.blocks, rooms, starts, merged });
        }
        Self { chains, places }
    }

    /// Page numbers in the text may have changed: it is to be set again.
    pub fn again(&self) {
        for chain in &self.chains {
            chain.starts.borrow_mut().clear();
            chain.merged.borrow_mut().clear();
        }
    }

    /// The chain that a box is of, its place there and the room it has.
    pub fn find(&'a self, text: &TextBox) -> Option<(&'a Chain<'a>, usize, &'a Room)> {
        let &(chain, place) = self.places.get(&text.id?)?;
        let chain = self.chains.get(chain)?;
        Some((chain, place, chain.rooms.get(place)?))
    }
}

impl Room {
    pub fn frame(&self, outer: &Frame) -> Frame {
        Frame { section: self.section, ..outer.inner(self.width) }
    }
}

/// The text boxes that have an id, with their room.
fn boxes(document: &Document) -> HashMap<TextBoxId, (&TextBox, Room)> {
    let mut found = HashMap::new();
    for (index, section) in document.sections.iter().enumerate() {
        let areas = areas::of_page(&section.properties, &document.settings, false);
        let page = Frame::of_header(index, &areas, 0.0);
        blocks(&section.blocks, &page, &mut found);
        for set in [&section.headers, &section.footers] {
            for part in [&set.default, &set.first, &set.even].into_iter().flatten() {
                blocks(part, &page, &mut found);
            }
        }
        if index == 0 {
            for note in document.footnotes.values().chain(document.endnotes.values()) {
                blocks(&note.blocks, &page, &mut found);
            }
        }
    }
    found
}

fn blocks<'a>(blocks: &'a [Block], page: &Frame, found: &mut HashMap<TextBoxId, (&'a TextBox, Room)>) {
    walk::paragraphs(blocks, 0, &mut |paragraph| {
        for inline in paragraph.inlines.iter().filter(|inline| !inline.run.hidden) {
            let Content::Drawing(drawing) = &inline.content else { continue };
            let area = match anchor_of(drawing) {
                Some(anchor) => drawing_area(drawing, anchor, page, (0.0, 0.0)),
                None => Rect::new(0.0, 0.0, drawing.width, drawing.height),
            };
            walk::shapes(&drawing.graphic, (area.width, area.height), 0, &mut |shape, (width, height)| {
                let Some((text, id)) = shape.text.as_ref().and_then(|text| Some((text, text.id?))) else { return };
                let area = Rect::new(0.0, 0.0, positive(width, 0.0), positive(height, 0.0));
                let room = text_room(text, text_area(shape, area));
                let height = if grows(text) { f32::INFINITY } else { room.height };
                found.entry(id).or_insert((text, Room { section: page.section, width: room.wide, height }));
            });
        }
    });
}
