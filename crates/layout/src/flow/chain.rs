//! Text that flows through a chain of text boxes: each takes what fits it, the last all that is left.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use waraq_docx::tree::{Block, Content, Document, Drawing, Graphic, TextBox, TextBoxId};

use super::drawing::{CUT_OFF, DEEPEST};
use super::fill::{End, Filler, Memory};
use super::float::{anchor_of, drawing_area};
use super::geometry::positive;
use super::setter::{Frame, Setter};
use super::text_room::{grows, text_area, text_room};
use super::unit::{Galley, MergedRests, Resume, Unit, Within};
use super::{geometry_of_page, header, notes, walk};
use crate::page::Rect;

/// The chains of a document, and how far their texts are set.
pub(super) struct Chains<'a> {
    chains: Vec<Chain<'a>>,
    /// Which box of which chain a text box is.
    places: HashMap<TextBoxId, (usize, usize)>,
}

struct Chain<'a> {
    blocks: &'a [Block],
    rooms: Vec<Room>,
    /// Where the text of each box begins, as far as they were asked for; `None`: it ends before.
    starts: RefCell<Vec<Option<Resume>>>,
    merged: RefCell<MergedRests>,
}

/// What a box of a chain has for text. It does not hang on where its drawing comes to stand: any box can be asked for its text
/// at any time, and what one shows is where the next begins.
#[derive(Clone, Copy)]
struct Room {
    section: usize,
    width: f32,
    /// Infinite of a box that grows with its text: then those after it have none, as in Word.
    height: f32,
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

    /// The text a box has of its chain; `None`: it is in none. `frame` is the one its drawing stands in.
    pub fn share(&'a self, setter: &Setter<'a>, text: &TextBox, frame: &Frame) -> Option<Share<'a>> {
        let &(chain, place) = self.places.get(&text.id?)?;
        let chain = self.chains.get(chain)?;
        let room = chain.rooms.get(place)?;
        let last = place + 1 == chain.rooms.len();
        let galley = chain.start(setter, place, frame).and_then(|start| {
            let (galley, _) = chain.fill(setter, place, &start, frame, &mut Memory::default())?;
            Some(galley)
        });
        Some(Share { galley: galley.unwrap_or_default(), frame: room.frame(frame), last, merged: Some(&chain.merged) })
    }
}

impl Room {
    fn frame(&self, outer: &Frame) -> Frame {
        Frame { section: self.section, ..outer.inner(self.width) }
    }
}

impl<'a> Chain<'a> {
    /// Where the text of a box begins, after those before it are set.
    fn start(&self, setter: &Setter<'a>, place: usize, frame: &Frame) -> Option<Resume> {
        let mut memory = Memory::default();
        loop {
            // Not held while text is set.
            let (known, last) = {
                let starts = self.starts.borrow();
                if let Some(start) = starts.get(place) {
                    return start.clone();
                }
                (starts.len(), starts.last().cloned())
            };
            let next = match last {
                None => Some(Resume::at(0)),
                Some(start) => start.and_then(|start| self.fill(setter, known - 1, &start, frame, &mut memory)?.1),
            };
            self.starts.borrow_mut().push(next);
        }
    }

    /// The text of a box from `start` on, and where the next goes on.
    fn fill(
        &self,
        setter: &Setter<'a>,
        place: usize,
        start: &Resume,
        frame: &Frame,
        memory: &mut Memory<'a>,
    ) -> Option<(Galley<'a>, Option<Resume>)> {
        let (room, next) = (self.rooms.get(place)?, self.rooms.get(place + 1));
        // Nothing that the last box does not show would be shown elsewhere.
        let height = next.map_or(f32::INFINITY, |_| room.height);
        let frame = Frame { height, ..room.frame(frame) };
        if frame.too_deep() {
            return None;
        }
        let mut filler = Filler::new(setter, self.blocks, frame);
        filler.memory = std::mem::take(memory);
        filler.fresh = start.block == 0 && matches!(start.within, Within::Start);
        let mut notes = notes::NoteRoom::new(frame);
        let mut resume = start.clone();
        let mut end = loop {
            match filler.fill(resume, Some(&mut notes)) {
                // There are no pages within a text box, and a column is the box.
                End::PageBreak(after) => resume = after,
                End::Full(after) | End::ColumnBreak(after) => break Some(after),
                End::Finished => break None,
            }
        };
        *memory = std::mem::take(&mut filler.memory);
        let Some(next) = next else { return Some((filler.into_galley(), None)) };
        if let Some(Resume { within: Within::Table { cut: cut @ Some(_), .. }, .. }) = &mut end
            && next.width.to_bits() != room.width.to_bits()
        {
            // The lines of a cell are others in a box of another width: the row goes there whole.
            *cut = None;
            filler.units.pop();
            filler.y = filler.units.last().map_or(0.0, Unit::bottom);
        }
        // A line that no part of the box can hold is left to the next one.
        let alone = filler.units.len() == filler.floor + 1;
        if alone && filler.units.last().is_some_and(|unit| unit.room_bottom() > height + CUT_OFF) {
            return Some((Galley::default(), Some(start.clone())));
        }
        Some((filler.into_galley(), end))
    }
}

/// The text boxes that have an id, with their room.
fn boxes(document: &Document) -> HashMap<TextBoxId, (&TextBox, Room)> {
    let mut found = HashMap::new();
    for (index, section) in document.sections.iter().enumerate() {
        let areas = geometry_of_page::areas(&section.properties, &document.settings, false);
        let page = header::frame(index, &areas, 0.0);
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
    let mut visit = |drawing: &'a Drawing| {
        let area = match anchor_of(drawing) {
            Some(anchor) => drawing_area(drawing, anchor, page, 0.0, 0.0, 0.0),
            None => Rect::new(0.0, 0.0, positive(drawing.width, 0.0), positive(drawing.height, 0.0)),
        };
        graphic(&drawing.graphic, area, page.section, found, 0);
    };
    walk::paragraphs(
        blocks,
        &mut |paragraph| {
            for inline in paragraph.inlines.iter().filter(|inline| !inline.run.hidden) {
                if let Content::Drawing(drawing) = &inline.content {
                    visit(drawing);
                }
            }
        },
        0,
    );
}

fn graphic<'a>(
    of: &'a Graphic,
    area: Rect,
    section: usize,
    found: &mut HashMap<TextBoxId, (&'a TextBox, Room)>,
    depth: u8,
) {
    match of {
        Graphic::Shape(shape) => {
            let Some((text, id)) = shape.text.as_ref().and_then(|text| Some((text, text.id?))) else { return };
            let room = text_room(text, text_area(shape, area));
            let height = if grows(text) { f32::INFINITY } else { room.height };
            found.entry(id).or_insert((text, Room { section, width: room.wide, height }));
        }
        Graphic::Group(group) if depth < DEEPEST => {
            for child in &group.children {
                let area = Rect::new(0.0, 0.0, positive(child.width, 0.0), positive(child.height, 0.0));
                graphic(&child.graphic, area, section, found, depth + 1);
            }
        }
        _ => {}
    }
}
