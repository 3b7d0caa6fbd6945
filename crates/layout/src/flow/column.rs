//! A column while it is filled: what it is given, the cursor that moves down it, and what it is filled with.

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Block, Drawing, Paragraph};

use super::areas::Frame;
use super::notes::NoteRoom;
use super::setter::Setter;
use super::spacing::{as_paragraph, is_empty};
use super::unit::{Exclusion, Float, Galley, Keep, MergedRests, Resume, TableLayout, Unit, Within};
use crate::text::ParagraphLines;

/// Why a column ended.
#[derive(Debug, Clone)]
pub(super) enum End {
    /// All blocks are set.
    Finished,
    Full(Resume),
    PageBreak(Resume),
    ColumnBreak(Resume),
}

/// What stands above a column that begins a section or a band: in the band above, or at the end of the section before.
#[derive(Clone, Copy, Default)]
pub(super) struct TextAbove<'a> {
    /// What it wants below itself.
    pub space: f32,
    /// The last paragraph of the section before, if the section begins with this column.
    pub paragraph: Option<&'a Paragraph>,
}

/// What a column is given. Nothing of it changes while the column is filled.
#[derive(Clone)]
pub(super) struct Given<'s, 'a> {
    pub setter: &'s Setter<'a>,
    pub blocks: &'a [Block],
    pub frame: Frame,
    /// Of floats that stand on the page already, or are known to come.
    pub outer: Vec<Exclusion>,
    /// What is set below this is not wanted: only in columns without end.
    pub enough: f32,
    /// Of an endnote.
    pub in_endnote: bool,
    /// Its blocks are those of a section, and the next one begins a page of its own.
    pub page_follows: bool,
    pub text_above: TextAbove<'a>,
    /// It takes no more units than these.
    pub most_units: usize,
}

impl<'s, 'a> Given<'s, 'a> {
    /// For a column that nothing but its blocks and its frame is known of.
    pub fn new(setter: &'s Setter<'a>, blocks: &'a [Block], frame: Frame) -> Self {
        Self {
            setter,
            blocks,
            frame,
            outer: Vec::new(),
            enough: f32::INFINITY,
            in_endnote: false,
            page_follows: false,
            text_above: TextAbove::default(),
            most_units: usize::MAX,
        }
    }

    /// Whether the column has an end that its content may not reach.
    pub fn bounded(&self) -> bool {
        self.frame.height.is_finite()
    }

    /// Page and column breaks count in the text; not in a text without end, nor in endnotes, whose pages nobody breaks in Word.
    pub fn obeys_breaks(&self) -> bool {
        self.bounded() && !self.in_endnote
    }

    /// Whether this block bears the mark of its section, and the next section begins a page of its own (§17.6.22, §17.18.77). Word then
    /// opens no page for what cannot be seen of the paragraph: a page break in it or before it, at the end of the paragraph above too, or an
    /// empty line without room.
    pub fn closes_section(&self, block: usize) -> bool {
        self.page_follows && self.bounded() && block + 1 == self.blocks.len()
    }

    /// Whether it closes its section so, and nothing of it is to be seen.
    pub fn closes_unseen(&self, block: usize) -> bool {
        self.closes_section(block) && self.blocks.get(block).and_then(as_paragraph).is_some_and(is_empty)
    }
}

/// Where the next unit may begin, and what the space above it depends on.
pub(super) struct Cursor<'a> {
    /// From the column's top.
    pub y: f32,
    /// The space that the block above wants below it.
    pub space_below: f32,
    /// The paragraph above, if the block above is one.
    pub above: Option<&'a Paragraph>,
    /// The block above is to stay with what comes next (w:keepNext; of a table: its last row).
    pub keeps_next: bool,
    /// Nothing of this column, or of the page above it, was set.
    pub fresh: bool,
}

/// What stands in a column so far.
#[derive(Default)]
pub(super) struct Filled<'a> {
    pub units: Vec<Unit<'a>>,
    pub floats: Vec<Float<'a>>,
    /// How many of the units are header rows set again at the top: a break must come after more than these.
    pub repeated: usize,
    /// Of the table that the column begins in: where merged cells go on that columns before have parts of.
    pub merged: Rc<MergedRests>,
}

impl<'a> Filled<'a> {
    /// Whether it holds nothing, or only rows set again.
    pub fn is_bare(&self) -> bool {
        self.units.len() <= self.repeated
    }

    /// The bottom of the last unit.
    pub fn bottom(&self) -> f32 {
        self.units.last().map_or(0.0, Unit::bottom)
    }

    /// How far down it needs the column, the cursor standing at `y`.
    pub fn room_bottom(&self, y: f32) -> f32 {
        match &self.units[..] {
            [above @ .., last] if last.hangs() => above.last().map_or(0.0, Unit::room_bottom),
            [.., last] if last.bottom() >= y => last.room_bottom(),
            _ => y,
        }
    }

    /// The index of the unit that the next column begins with if one does not fit; `None`: that one. `full`: no column has more room.
    fn best_break(&self, keep: Keep, full: bool) -> Option<usize> {
        let count = self.units.len();
        let keep_before = |at: &usize| self.units.get(*at).map_or(keep, |unit| unit.keep);
        // Of equally good places the last.
        let best = (self.repeated + 1..=count).rev().min_by_key(keep_before)?;
        if !full && self.repeated == 0 && keep_before(&best) > Keep::Free {
            return Some(0);
        }
        (best < count).then_some(best)
    }

    /// Leaves the units from `at` on, and the floats that go with them, to the next column.
    fn truncate(&mut self, at: usize) {
        self.units.truncate(at);
        self.floats.retain(|float| float.unit < at);
    }

    /// Footnotes called in it.
    fn notes(&self) -> impl Iterator<Item = i64> + '_ {
        let of_floats = self.floats.iter().flat_map(|float| float.notes.iter().copied());
        of_floats.chain(self.units.iter().flat_map(|unit| unit.notes.iter().copied()))
    }
}

/// What is worth keeping of blocks from one column to the next: lent to each of them. A block is known by its place among the blocks.
#[derive(Default)]
pub(super) struct Memory<'a> {
    /// The paragraph that was broken last.
    pub broken: Option<(usize, Looks<'a>, ParagraphLines<'a>)>,
    /// Tables are measured once: by block and width.
    pub tables: HashMap<(usize, u32), Rc<TableLayout<'a>>>,
}

/// What of a paragraph every column asks that has lines of it: looked up once, or a paragraph of many lines on many pages
/// would be searched from end to end for each of them.
pub(super) struct Looks<'a> {
    /// Its anchored drawings, in the order of their anchors.
    pub anchored: Vec<&'a Drawing>,
    /// Its lines depend on the page they are on.
    pub shows_page: bool,
    /// Which of its page and column breaks ends it.
    pub ending_break: Option<usize>,
}

/// A column that is being filled.
pub(super) struct Filler<'s, 'a> {
    pub given: Given<'s, 'a>,
    pub cursor: Cursor<'a>,
    pub filled: Filled<'a>,
    pub memory: &'s mut Memory<'a>,
    /// Of a column with an end: the footnotes called in it.
    pub notes: Option<NoteRoom<'a>>,
}

impl<'s, 'a> Filler<'s, 'a> {
    /// `fresh`: nothing of the column, or of the page above it, was set.
    pub fn new(given: Given<'s, 'a>, fresh: bool, memory: &'s mut Memory<'a>, notes: Option<NoteRoom<'a>>) -> Self {
        let cursor = Cursor { y: 0.0, space_below: 0.0, above: None, keeps_next: false, fresh };
        Self { given, cursor, filled: Filled::default(), memory, notes }
    }

    /// The column goes on with its blocks from there.
    pub fn begin(&mut self, start: &Resume) {
        self.filled.merged = match &start.within {
            Within::Table { merged, .. } => Rc::clone(merged),
            _ => Rc::default(),
        };
        self.cursor.above = match start.within {
            Within::Start => start.block.checked_sub(1).and_then(|i| as_paragraph(self.given.blocks.get(i)?)),
            _ => None,
        };
        self.cursor.keeps_next = self.cursor.above.is_some_and(|paragraph| paragraph.properties.keep_next);
        // The space a paragraph leaves below it ends with its column.
        self.cursor.space_below = 0.0;
    }

    pub fn into_galley(self) -> Galley<'a> {
        let Filled { units, mut floats, .. } = self.filled;
        floats.sort_by_key(|float| float.unit);
        let text_height = self.cursor.y + self.cursor.space_below;
        let areas = floats.iter().filter_map(|float| float.exclusion).map(|e| e.area.bottom());
        let height = areas.fold(text_height, f32::max);
        let of_units = units.iter().enumerate().map(|(index, unit)| (index, &unit.notes));
        let called = of_units.chain(floats.iter().map(|float| (float.unit, &float.notes)));
        let mut notes: Vec<_> = called.flat_map(|(unit, notes)| notes.iter().map(move |note| (unit, *note))).collect();
        notes.sort_by_key(|(unit, _)| *unit);
        Galley { units, floats, height, text_height, notes }
    }

    /// What lines stay out of.
    pub fn exclusions(&self) -> impl Iterator<Item = &Exclusion> + Clone {
        self.given.outer.iter().chain(self.filled.floats.iter().filter_map(|float| float.exclusion.as_ref()))
    }

    /// Whether there is nothing in this column yet, and would be no more room in the next.
    pub fn must(&self) -> bool {
        self.filled.is_bare() && self.given.frame.full
    }

    /// Adds a unit at the cursor, and the cursor goes below it.
    pub fn push(&mut self, unit: Unit<'a>) {
        self.call(&unit.notes);
        self.cursor.y = unit.bottom();
        self.filled.units.push(unit);
    }

    /// Footnotes are called in what stands now.
    pub fn call(&mut self, notes: &[i64]) {
        if let Some(room) = &mut self.notes {
            room.add(self.given.setter, notes);
        }
    }

    /// The height of the column that notes need if these are called as well.
    pub fn height_of_notes(&mut self, new: &[i64]) -> f32 {
        self.notes.as_mut().map_or(0.0, |room| room.height_with(self.given.setter, new))
    }

    /// Adds a unit, or says where the column ends because the unit does not fit.
    pub fn admit(&mut self, unit: Unit<'a>) -> Option<End> {
        if !self.has_room(&unit) {
            return Some(self.break_before(unit));
        }
        self.push(unit);
        None
    }

    /// Whether the column takes the unit as it stands.
    pub fn has_room(&mut self, unit: &Unit<'a>) -> bool {
        if !self.given.bounded() {
            return true;
        }
        if self.filled.units.len() >= self.given.most_units {
            return false;
        }
        let below = self.height_of_notes(&unit.notes);
        let bottom = if below > 0.0 { unit.room_bottom() } else { unit.text_bottom() };
        // A hundredth of a point: sums of floats.
        unit.hangs() || bottom + below <= self.given.frame.height + 0.01 || self.must()
    }

    /// Ends the column at the best place before a unit that did not fit.
    fn break_before(&mut self, unit: Unit<'a>) -> End {
        let mut resume = unit.resume;
        if let Some(at) = self.filled.best_break(unit.keep, self.given.frame.full) {
            resume = self.filled.units[at].resume.clone();
            self.filled.truncate(at);
            if let Some(notes) = &mut self.notes {
                notes.reset(self.given.setter, self.filled.notes());
            }
        }
        // What was to stand between them does not: notes have that room.
        (self.cursor.y, self.cursor.space_below) = (self.filled.bottom(), 0.0);
        End::Full(resume)
    }
}
