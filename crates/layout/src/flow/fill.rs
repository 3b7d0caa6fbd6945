//! Fills a column with blocks until it is full, and finds the best place to break it.

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Block, Paragraph};

use super::float::{Exclusion, Float};
use super::notes::NoteRoom;
use super::paragraph::Looks;
use super::setter::{Frame, Setter};
use super::spacing;
use super::table::TableLayout;
use super::unit::{Galley, Keep, MergedRests, Resume, Unit, Within};
use crate::text::ParagraphLines;

/// To begin a paragraph or a table.
const BLOCK_WORK: usize = 8;

/// Why a column ended.
#[derive(Debug, Clone)]
pub(super) enum End {
    /// All blocks are set.
    Finished,
    Full(Resume),
    PageBreak(Resume),
    ColumnBreak(Resume),
}

/// What is worth keeping from one column to the next.
#[derive(Default)]
pub(super) struct Memory<'a> {
    /// The paragraph that was broken last, by its address.
    pub lines: Option<(usize, ParagraphLines<'a>)>,
    pub looks: Option<(usize, Rc<Looks<'a>>)>,
    /// Tables are measured once: by address and width.
    pub tables: HashMap<(usize, u32), Rc<TableLayout<'a>>>,
}

pub(super) struct Filler<'s, 'a> {
    pub setter: &'s Setter<'a>,
    pub blocks: &'a [Block],
    pub frame: Frame,
    pub units: Vec<Unit<'a>>,
    pub floats: Vec<Float<'a>>,
    /// Of floats that stand on the page already, or are known to come.
    pub outer: Vec<Exclusion>,
    /// Where the next unit may begin.
    pub y: f32,
    /// The space that the block above wants below it.
    pub space_below: f32,
    /// The paragraph above, if the block above is one.
    pub above: Option<&'a Paragraph>,
    /// The block above is a table whose last row keeps with what follows.
    pub row_above_keeps: bool,
    /// Whether something of this column, or the page above it, was set: spacing at its top depends on it.
    pub fresh: bool,
    /// Header rows set again at the top: a break must come after more than these.
    pub floor: usize,
    pub memory: Memory<'a>,
    /// Of the table that the column begins in: merged cells that columns before have parts of.
    pub merged: Rc<MergedRests>,
    /// What is set below this is not wanted: only in columns without end.
    pub enough: f32,
    /// Of an endnote.
    pub in_endnote: bool,
    /// Its blocks are those of a section, and the next one begins a page of its own.
    pub page_follows: bool,
    /// Of the space above the column, what the text there wants below itself.
    pub space_of_band_above: f32,
}

impl<'s, 'a> Filler<'s, 'a> {
    pub fn new(setter: &'s Setter<'a>, blocks: &'a [Block], frame: Frame) -> Self {
        Self {
            setter,
            blocks,
            frame,
            units: Vec::new(),
            floats: Vec::new(),
            outer: Vec::new(),
            y: 0.0,
            space_below: 0.0,
            above: None,
            row_above_keeps: false,
            fresh: true,
            floor: 0,
            memory: Memory::default(),
            merged: Rc::default(),
            enough: f32::INFINITY,
            in_endnote: false,
            page_follows: false,
            space_of_band_above: 0.0,
        }
    }

    /// Sets blocks from `start` on.
    pub fn fill(&mut self, start: Resume, mut notes: Option<&mut NoteRoom<'a>>) -> End {
        let mut resume = start;
        self.merged = match &resume.within {
            Within::Table { merged, .. } => Rc::clone(merged),
            _ => Rc::default(),
        };
        self.above = match resume.within {
            Within::Start => resume.block.checked_sub(1).and_then(|i| paragraph(self.blocks.get(i)?)),
            _ => None,
        };
        // The space a paragraph leaves below it ends with its column.
        (self.space_below, self.row_above_keeps) = (0.0, false);
        while let Some(block) = self.blocks.get(resume.block).filter(|_| self.y <= self.enough) {
            // the caller of it all asks why
            if !self.setter.meter().spend(BLOCK_WORK) {
                return End::Finished;
            }
            let end = match block {
                Block::Paragraph(paragraph) => match spacing::frame_of(paragraph) {
                    // Word sets frames in cells where they stand.
                    Some(frame) if !self.frame.in_cell => {
                        resume = self.text_frame(resume.block, frame, notes.as_deref_mut());
                        continue;
                    }
                    _ => self.paragraph(&resume, paragraph, notes.as_deref_mut()),
                },
                Block::Table(table) => self.table(&resume, table, notes.as_deref_mut()),
            };
            if let Some(end) = end {
                return end;
            }
            resume = Resume::at(resume.block + 1);
        }
        End::Finished
    }

    pub fn into_galley(self) -> Galley<'a> {
        let floats = self.floats.iter().filter_map(|f| f.exclusion).map(|e| e.area.bottom());
        let text_height = self.y + self.space_below;
        let height = floats.fold(text_height, f32::max);
        let units = self.units.iter().enumerate();
        let notes = units.flat_map(|(index, unit)| unit.notes.iter().map(move |note| (index, *note))).collect();
        Galley { units: self.units, floats: self.floats, height, text_height, notes }
    }

    /// As far down as what stands in it needs.
    pub fn text_bottom(&self) -> f32 {
        self.units.last().filter(|unit| unit.bottom() >= self.y).map_or(self.y, Unit::room_bottom)
    }

    pub fn bounded(&self) -> bool {
        self.frame.height.is_finite()
    }

    /// Adds a unit, or says where the column ends because the unit does not fit.
    pub fn admit(&mut self, unit: Unit<'a>, notes: Option<&mut NoteRoom<'a>>) -> Option<End> {
        let Some(notes) = notes.filter(|_| self.bounded()) else {
            self.y = unit.bottom();
            self.units.push(unit);
            return None;
        };
        if self.has_room(&unit, Some(&mut *notes)) {
            notes.add(self.setter, &unit.notes);
            self.y = unit.bottom();
            self.units.push(unit);
            return None;
        }
        let resume = unit.resume.clone();
        Some(self.break_before(unit.keep, resume, notes))
    }

    /// Whether the column takes the unit as it stands.
    pub fn has_room(&self, unit: &Unit<'a>, notes: Option<&mut NoteRoom<'a>>) -> bool {
        let Some(notes) = notes.filter(|_| self.bounded()) else { return true };
        let nothing_yet = self.units.len() <= self.floor;
        let room = self.frame.height - notes.height_with(self.setter, &unit.notes);
        // A hundredth of a point: sums of floats.
        unit.room_bottom() <= room + 0.01 || (nothing_yet && self.frame.full)
    }

    /// Ends the column at the best place before a unit that did not fit.
    pub fn break_before(&mut self, keep: Keep, resume: Resume, notes: &mut NoteRoom<'a>) -> End {
        let at = self.best_break(keep);
        let Some(at) = at else {
            // What was to stand between them does not: notes have that room.
            (self.y, self.space_below) = (self.units.last().map_or(0.0, Unit::bottom), 0.0);
            return End::Full(self.with_merged(resume));
        };
        let resume = self.units.get(at).map_or(resume, |unit| unit.resume.clone());
        self.units.truncate(at);
        (self.y, self.space_below) = (self.units.last().map_or(0.0, Unit::bottom), 0.0);
        self.floats.retain(|float| float.unit < at);
        let of_floats = self.floats.iter().flat_map(|float| float.notes.iter().copied());
        let of_units = self.units.iter().flat_map(|unit| unit.notes.iter().copied());
        notes.reset(self.setter, of_floats.chain(of_units));
        End::Full(self.with_merged(resume))
    }

    /// The index of the unit that the next column begins with; `None`: the one that did not fit.
    fn best_break(&self, keep: Keep) -> Option<usize> {
        let count = self.units.len();
        for respected in Keep::RELAXING {
            if keep.allows(respected) && count > self.floor {
                return None;
            }
            let allowed = (self.floor + 1..count).rev().find(|&i| self.units[i].keep.allows(respected));
            if allowed.is_some() {
                return allowed;
            }
            if !self.frame.full && self.floor == 0 && count > 0 {
                return Some(0);
            }
        }
        None
    }

    pub fn exclusions(&self) -> impl Iterator<Item = &Exclusion> + Clone {
        self.outer.iter().chain(self.floats.iter().filter_map(|float| float.exclusion.as_ref()))
    }
}

pub(super) fn paragraph(block: &Block) -> Option<&Paragraph> {
    match block {
        Block::Paragraph(paragraph) => Some(paragraph),
        Block::Table(_) => None,
    }
}
