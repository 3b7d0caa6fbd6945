//! Lays out blocks into a column, into a column of unlimited height, and into text boxes.

use waraq_docx::tree::{Block, TextBox};

use super::areas::Frame;
use super::column::{End, Filler, Given, Memory};
use super::notes::NoteRoom;
use super::setter::Setter;
use super::table::place as table;
use super::text_box::{CUT_OFF, Chain, Share};
use super::unit::{Galley, Resume, Within};
use super::{frames, paragraph};

/// Work units charged to the meter for each paragraph or table, in addition to its content.
const BLOCK_WORK: usize = 8;

/// Fills a column with blocks from `start` until it is full or all blocks are laid out.
pub(super) fn fill<'a>(filler: &mut Filler<'_, 'a>, start: Resume) -> End {
    let mut resume = start;
    let blocks = filler.given.blocks;
    filler.begin(&resume);
    while let Some(block) = blocks.get(resume.block).filter(|_| filler.cursor.y <= filler.given.enough) {
        // The meter keeps the reason, and the layout of the document returns it as an error.
        if !filler.given.setter.meter().spend(BLOCK_WORK) {
            return End::Finished;
        }
        let end = match block {
            Block::Paragraph(of) => match &of.properties.frame {
                // Word lays out text frames in cells in the normal flow.
                Some(frame) if !filler.given.frame.in_cell => {
                    resume = frames::set(filler, resume.block, frame);
                    continue;
                }
                _ => paragraph::set(filler, &resume, of),
            },
            Block::Table(of) => table::set(filler, &resume, of),
        };
        match end {
            Some(End::Full(next)) => return End::Full(table::with_merged(filler, next)),
            Some(end) => return end,
            None => resume = Resume::at(resume.block + 1),
        }
    }
    End::Finished
}

/// Lays out blocks vertically with unlimited height, until they are `enough` points high.
pub(super) fn galley<'a>(setter: &Setter<'a>, blocks: &'a [Block], frame: Frame, enough: f32) -> Galley<'a> {
    if frame.too_deep() {
        return Galley::default();
    }
    let frame = Frame { height: f32::INFINITY, ..frame };
    let mut memory = Memory::default();
    let mut filler = Filler::new(Given { enough, ..Given::new(setter, blocks, frame) }, true, &mut memory, None);
    fill(&mut filler, Resume::at(0));
    filler.into_galley()
}

/// Lays out the text of a text box whose drawing is in `frame`, with lines of `width` points. For a box in a chain, this is the
/// part of the chain's text that fits in it.
pub(super) fn text_of_box<'a>(setter: &Setter<'a>, text: &'a TextBox, frame: &Frame, width: f32) -> Share<'a> {
    let Some((chain, place, room)) = setter.chains.find(text) else {
        let frame = frame.inner(width);
        return Share { galley: setter.galley(&text.blocks, frame), frame, last: true, merged: None };
    };
    let start = start_in_chain(setter, chain, place, frame);
    let set = start.and_then(|start| fill_box(setter, (chain, place), &start, frame, &mut Memory::default()));
    let (galley, _) = set.unwrap_or_default();
    let last = place + 1 == chain.rooms.len();
    Share { galley, frame: room.frame(frame), last, merged: Some(&chain.merged) }
}

/// Returns the position in the text of a chain at which the box with index `place` begins. Lays out the boxes before it if
/// necessary. Returns `None` if the text ends before the box.
fn start_in_chain<'a>(setter: &Setter<'a>, chain: &Chain<'a>, place: usize, frame: &Frame) -> Option<Resume> {
    let mut memory = Memory::default();
    loop {
        // The borrow must end before text is laid out.
        let (known, last) = {
            let starts = chain.starts.borrow();
            if let Some(start) = starts.get(place) {
                return start.clone();
            }
            (starts.len(), starts.last().cloned())
        };
        let next = match last {
            None => Some(Resume::at(0)),
            Some(start) => start.and_then(|start| fill_box(setter, (chain, known - 1), &start, frame, &mut memory)?.1),
        };
        chain.starts.borrow_mut().push(next);
    }
}

/// Lays out the text of a box in a chain from `start`. Also returns the position at which the next box resumes, or `None` if
/// the text ends in this box. Returns `None` for both if the boxes are nested too deep.
fn fill_box<'a>(
    setter: &Setter<'a>,
    (chain, place): (&Chain<'a>, usize),
    start: &Resume,
    frame: &Frame,
    memory: &mut Memory<'a>,
) -> Option<(Galley<'a>, Option<Resume>)> {
    let (room, next) = (chain.rooms.get(place)?, chain.rooms.get(place + 1));
    // Text that does not fit in the last box is shown nowhere else, so its height is unlimited.
    let height = next.map_or(f32::INFINITY, |_| room.height);
    let frame = Frame { height, ..room.frame(frame) };
    if frame.too_deep() {
        return None;
    }
    let fresh = start.block == 0 && matches!(start.within, Within::Start);
    let notes = next.map(|_| NoteRoom::new(frame));
    let mut filler = Filler::new(Given::new(setter, chain.blocks, frame), fresh, memory, notes);
    let mut resume = start.clone();
    let mut end = loop {
        match fill(&mut filler, resume) {
            // A text box has no pages, so page breaks are ignored. A column break ends the box.
            End::PageBreak(after) => resume = after,
            End::Full(after) | End::ColumnBreak(after) => break Some(after),
            End::Finished => break None,
        }
    };
    let Some(next) = next else { return Some((filler.into_galley(), None)) };
    if let Some(Resume { within: Within::Table { cut: cut @ Some(_), .. }, .. }) = &mut end
        && next.width.to_bits() != room.width.to_bits()
    {
        // A split row must have the same lines in both boxes. If the next box has another width, the whole row moves to it.
        *cut = None;
        filler.filled.units.pop();
        filler.cursor.y = filler.filled.bottom();
    }
    // A line that is too high for the box moves to the next one.
    let alone = filler.filled.units.len() == filler.filled.repeated + 1;
    if alone && filler.filled.units.last().is_some_and(|unit| unit.text_bottom() > height + CUT_OFF) {
        return Some((Galley::default(), Some(start.clone())));
    }
    Some((filler.into_galley(), end))
}
