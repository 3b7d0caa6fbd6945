//! A column while it is filled: its input, the current position, and its content so far.

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Block, Drawing, Paragraph};

use super::areas::Frame;
use super::notes::NoteRoom;
use super::setter::Setter;
use super::spacing::{as_paragraph, is_empty};
use super::unit::{Exclusion, Float, Galley, Keep, MergedRests, Resume, TableLayout, Unit, Within};
use crate::text::ParagraphLines;

/// The reason why a column ended.
#[derive(Debug, Clone)]
pub(super) enum End {
    /// All blocks are laid out.
    Finished,
    /// A fragment did not fit.
    Full(Resume),
    PageBreak(Resume),
    ColumnBreak(Resume),
}

/// The text above the first column of a band: the text of the band above on the same page, or the end of the previous section.
#[derive(Clone, Copy, Default)]
pub(super) struct TextAbove<'a> {
    /// Space in points that this text requires below it.
    pub space: f32,
    /// The last paragraph of the previous section, if the section begins with this column.
    pub paragraph: Option<&'a Paragraph>,
}

/// The input of a column, which does not change while the column is filled.
#[derive(Clone)]
pub(super) struct Given<'s, 'a> {
    pub setter: &'s Setter<'a>,
    pub blocks: &'a [Block],
    pub frame: Frame,
    /// Areas of floats that are already on the page or known in advance.
    pub outer: Vec<Exclusion>,
    /// Height in points after which layout may stop. Used only for columns of unlimited height.
    pub enough: f32,
    /// True if the blocks are those of an endnote.
    pub in_endnote: bool,
    /// True if the blocks are those of a section and the next section begins on its own page.
    pub page_follows: bool,
    pub text_above: TextAbove<'a>,
    /// Maximum number of fragments in the column.
    pub most_units: usize,
}

impl<'s, 'a> Given<'s, 'a> {
    /// Creates the input of a column from its blocks and frame, with defaults for everything else.
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

    /// Returns true if the column has a limited height.
    pub fn bounded(&self) -> bool {
        self.frame.height.is_finite()
    }

    /// Returns true if page and column breaks apply. As in Word, they do not apply in columns of unlimited height or in
    /// endnotes.
    pub fn obeys_breaks(&self) -> bool {
        self.bounded() && !self.in_endnote
    }

    /// Returns true if the block is the last of its section and the next section begins on its own page (§17.6.22, §17.18.77).
    /// For such a block, Word adds no empty page. It ignores a page break in or before the paragraph, a page break at the end
    /// of the previous paragraph, and an empty line that does not fit.
    pub fn closes_section(&self, block: usize) -> bool {
        self.page_follows && self.bounded() && block + 1 == self.blocks.len()
    }

    /// Returns true if the block is an empty paragraph at the end of its section, and the next section begins on its own page.
    pub fn closes_unseen(&self, block: usize) -> bool {
        self.closes_section(block) && self.blocks.get(block).and_then(as_paragraph).is_some_and(is_empty)
    }
}

/// The position of the next fragment, and the data from which the space above the fragment is computed.
pub(super) struct Cursor<'a> {
    /// Distance from the top of the column in points.
    pub y: f32,
    /// Space in points that the block above requires below it.
    pub space_below: f32,
    /// The paragraph above, if the block above is one.
    pub above: Option<&'a Paragraph>,
    /// True if the block above must stay on the page of the next one (w:keepNext; for a table, that of its last row).
    pub keeps_next: bool,
    /// True if the column is still empty and its first paragraph keeps its space before, as at the start of a section.
    pub fresh: bool,
}

/// The content of a column so far.
#[derive(Default)]
pub(super) struct Filled<'a> {
    pub units: Vec<Unit<'a>>,
    pub floats: Vec<Float<'a>>,
    /// Number of repeated header rows at the top of the column. At least one more fragment must follow them before the column
    /// may end.
    pub repeated: usize,
    /// If the column begins inside a table: the remaining content of merged cells that began in earlier columns.
    pub merged: Rc<MergedRests>,
}

impl<'a> Filled<'a> {
    /// Returns true if the column is empty or has only repeated rows.
    pub fn is_bare(&self) -> bool {
        self.units.len() <= self.repeated
    }

    /// Returns the bottom of the last fragment.
    pub fn bottom(&self) -> f32 {
        self.units.last().map_or(0.0, Unit::bottom)
    }

    /// Returns the height that the content needs above the notes. `y` is the position of the cursor.
    pub fn room_bottom(&self, y: f32) -> f32 {
        match &self.units[..] {
            [above @ .., last] if last.hangs() => above.last().map_or(0.0, Unit::room_bottom),
            [.., last] if last.bottom() >= y => last.room_bottom(),
            _ => y,
        }
    }

    /// Returns the index of the first fragment that moves to the next column, after a further fragment with the rule `keep` did
    /// not fit. Returns `None` if only that further fragment moves. `full` is true if no column is higher.
    fn best_break(&self, keep: Keep, full: bool) -> Option<usize> {
        let count = self.units.len();
        let keep_before = |at: &usize| self.units.get(*at).map_or(keep, |unit| unit.keep);
        // Among equally good breaks, choose the last.
        let best = (self.repeated + 1..=count).rev().min_by_key(keep_before)?;
        if !full && self.repeated == 0 && keep_before(&best) > Keep::Free {
            return Some(0);
        }
        (best < count).then_some(best)
    }

    /// Removes the fragments from index `at` on, with their floats. They move to the next column.
    fn truncate(&mut self, at: usize) {
        self.units.truncate(at);
        self.floats.retain(|float| float.unit < at);
    }

    /// Returns the ids of the footnotes referenced in the column.
    fn notes(&self) -> impl Iterator<Item = i64> + '_ {
        let of_floats = self.floats.iter().flat_map(|float| float.notes.iter().copied());
        of_floats.chain(self.units.iter().flat_map(|unit| unit.notes.iter().copied()))
    }
}

/// Results about blocks that a column keeps for the next column, so that they are not computed again. Blocks are identified by
/// their index.
#[derive(Default)]
pub(super) struct Memory<'a> {
    /// The last paragraph that was divided between columns: the index of its block, its properties and its lines.
    pub broken: Option<(usize, Looks<'a>, ParagraphLines<'a>)>,
    /// Measured tables, by the index of the block and the bits of the column's width.
    pub tables: HashMap<(usize, u32), Rc<TableLayout<'a>>>,
}

/// Properties of a paragraph that every column with a part of the paragraph needs. They are computed once, because each page
/// would otherwise search the whole paragraph.
pub(super) struct Looks<'a> {
    /// Anchored drawings in the order of their anchors.
    pub anchored: Vec<&'a Drawing>,
    /// True if the lines depend on the page they are on.
    pub shows_page: bool,
    /// Index, among the page and column breaks of the paragraph, of the break that ends it. `None` if text follows the last
    /// break.
    pub ending_break: Option<usize>,
}

/// A column that is being filled.
pub(super) struct Filler<'s, 'a> {
    pub given: Given<'s, 'a>,
    pub cursor: Cursor<'a>,
    pub filled: Filled<'a>,
    pub memory: &'s mut Memory<'a>,
    /// The footnotes of the column. `None` if the column has no notes of its own, like that of a cell.
    pub notes: Option<NoteRoom<'a>>,
}

impl<'s, 'a> Filler<'s, 'a> {
    /// Creates an empty column. `fresh` is true if the first paragraph keeps its space before at the top of the column.
    pub fn new(given: Given<'s, 'a>, fresh: bool, memory: &'s mut Memory<'a>, notes: Option<NoteRoom<'a>>) -> Self {
        let cursor = Cursor { y: 0.0, space_below: 0.0, above: None, keeps_next: false, fresh };
        Self { given, cursor, filled: Filled::default(), memory, notes }
    }

    /// Prepares the column for content that begins at `start`.
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
        // The space below a paragraph is dropped at the end of its column.
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

    /// Returns the areas of floats that lines must avoid.
    pub fn exclusions(&self) -> impl Iterator<Item = &Exclusion> + Clone {
        self.given.outer.iter().chain(self.filled.floats.iter().filter_map(|float| float.exclusion.as_ref()))
    }

    /// Returns true if the next fragment must be placed in this column even if it does not fit: the column is empty, and the
    /// next one would not have more space.
    pub fn must(&self) -> bool {
        self.filled.is_bare() && self.given.frame.full
    }

    /// Adds a fragment and moves the cursor below it.
    pub fn push(&mut self, unit: Unit<'a>) {
        self.call(&unit.notes);
        self.cursor.y = unit.bottom();
        self.filled.units.push(unit);
    }

    /// Registers footnotes that the content of the column references.
    pub fn call(&mut self, notes: &[i64]) {
        if let Some(room) = &mut self.notes {
            room.add(self.given.setter, notes);
        }
    }

    /// Returns the height in points that the footnotes take from the column if the footnotes `new` are added to them.
    pub fn height_of_notes(&mut self, new: &[i64]) -> f32 {
        self.notes.as_mut().map_or(0.0, |room| room.height_with(self.given.setter, new))
    }

    /// Adds a fragment. If it does not fit, ends the column and returns the reason, with the position where the next column
    /// resumes.
    pub fn admit(&mut self, unit: Unit<'a>) -> Option<End> {
        if !self.has_room(&unit) {
            return Some(self.break_before(unit));
        }
        self.push(unit);
        None
    }

    /// Returns true if the fragment fits in the column, or must be placed in it.
    pub fn has_room(&mut self, unit: &Unit<'a>) -> bool {
        if !self.given.bounded() {
            return true;
        }
        if self.filled.units.len() >= self.given.most_units {
            return false;
        }
        let below = self.height_of_notes(&unit.notes);
        let bottom = if below > 0.0 { unit.room_bottom() } else { unit.text_bottom() };
        // The tolerance covers rounding errors.
        unit.hangs() || bottom + below <= self.given.frame.height + 0.01 || self.must()
    }

    /// Ends the column at the best break before a fragment that did not fit.
    fn break_before(&mut self, unit: Unit<'a>) -> End {
        let mut resume = unit.resume;
        if let Some(at) = self.filled.best_break(unit.keep, self.given.frame.full) {
            resume = self.filled.units[at].resume.clone();
            self.filled.truncate(at);
            if let Some(notes) = &mut self.notes {
                notes.reset(self.given.setter, self.filled.notes());
            }
        }
        // The space of the removed fragments is now available for notes.
        (self.cursor.y, self.cursor.space_below) = (self.filled.bottom(), 0.0);
        End::Full(resume)
    }
}
