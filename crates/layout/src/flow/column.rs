//! A column that is being filled: its input, the position of the next fragment, and its content so far.

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Block, Drawing, Paragraph};

use super::areas::Frame;
use super::context::LayoutContext;
use super::fragment::{
    BreakPosition, BreakToken, Exclusion, Float, Fragment, FragmentNote, Keep, MergedCellBreaks, TableLayout,
    UnboundedColumn,
};
use super::notes::NoteBuilder;
use super::spacing::{as_paragraph, is_empty};
use crate::text::ParagraphLines;

/// The reason why a column ended.
#[derive(Debug, Clone)]
pub(super) enum ColumnEnd {
    /// The column ended because all blocks are laid out.
    Finished,
    /// The column ended because a fragment did not fit.
    Full(BreakToken),
    PageBreak(BreakToken),
    ColumnBreak(BreakToken),
}

/// The text above the first column of a band. (A band is a group of columns side by side.) This text is in the band above on the
/// same page, or at the end of the previous section.
#[derive(Clone, Copy, Default)]
pub(super) struct TextAbove<'a> {
    /// Space in points that the text above requires between itself and the column.
    pub space: f32,
    /// The last paragraph of the previous section. `None` unless the section begins with this column.
    pub paragraph: Option<&'a Paragraph>,
}

/// The input of a column, which does not change while the column is filled.
#[derive(Clone)]
pub(super) struct ColumnInput<'s, 'a> {
    pub ctx: &'s LayoutContext<'a>,
    pub blocks: &'a [Block],
    pub frame: Frame,
    /// Areas of floats outside this column that lines must avoid. Some of these floats are already on the page. The others are
    /// anchored in text that follows. Their areas are known, because this text was already laid out once before.
    pub outer_floats: Vec<Exclusion>,
    /// Height in points at which layout may stop, because the caller needs no more content. Used only for columns of unlimited
    /// height.
    pub sufficient_height: f32,
    /// True if the blocks are those of an endnote.
    pub is_endnote: bool,
    /// True if the blocks are those of a section and the next section begins on a new page.
    pub next_section_begins_page: bool,
    pub text_above: TextAbove<'a>,
    /// Maximum number of fragments in the column.
    pub max_fragments: usize,
}

impl<'s, 'a> ColumnInput<'s, 'a> {
    /// Creates the input of a column from its blocks and frame, with defaults for everything else.
    pub fn new(ctx: &'s LayoutContext<'a>, blocks: &'a [Block], frame: Frame) -> Self {
        Self {
            ctx,
            blocks,
            frame,
            outer_floats: Vec::new(),
            sufficient_height: f32::INFINITY,
            is_endnote: false,
            next_section_begins_page: false,
            text_above: TextAbove::default(),
            max_fragments: usize::MAX,
        }
    }

    /// Returns true if the column has a limited height.
    pub fn has_limited_height(&self) -> bool {
        self.frame.height.is_finite()
    }

    /// Returns true if page and column breaks apply. As in Word, they do not apply in columns of unlimited height or in
    /// endnotes.
    pub fn obeys_breaks(&self) -> bool {
        self.has_limited_height() && !self.is_endnote
    }

    /// Returns true if the block is the last of its section and the next section begins on a new page (§17.6.22, §17.18.77). Word
    /// adds no empty page for such a block. It ignores a page break in or before the block, and a page break at the end of the
    /// paragraph above. It also ignores an empty line that does not fit.
    pub fn ends_section_before_page(&self, block: usize) -> bool {
        self.next_section_begins_page && self.has_limited_height() && block + 1 == self.blocks.len()
    }

    /// Returns true if the block is an empty paragraph at the end of its section, and the next section begins on a new page.
    pub fn is_invisible_section_end(&self, block: usize) -> bool {
        self.ends_section_before_page(block) && self.blocks.get(block).and_then(as_paragraph).is_some_and(is_empty)
    }
}

/// The position of the next fragment, and the data from which the space above the fragment is computed.
pub(super) struct Cursor<'a> {
    /// Distance from the top of the column in points.
    pub y: f32,
    /// Space in points that the block above requires between itself and the next block.
    pub space_below: f32,
    /// The block above, if it is a paragraph.
    pub above: Option<&'a Paragraph>,
    /// True if the block above must stay on the same page as the next block (w:keepNext). For a table, w:keepNext of its last
    /// row applies.
    pub keeps_next: bool,
    /// True if the column is still empty and the space before its first paragraph is kept, as at the start of a section. (At the
    /// top of other columns, that space is dropped.)
    pub keeps_space_before: bool,
}

/// The content of a column so far.
#[derive(Default)]
pub(super) struct ColumnOutput<'a> {
    pub fragments: Vec<Fragment<'a>>,
    pub floats: Vec<Float<'a>>,
    /// Number of repeated header rows of a table at the top of the column. At least one more fragment must follow them before
    /// the column may end.
    pub repeated_rows: usize,
    /// The vertically merged cells that began in earlier columns. The value for each cell is the break at which its content
    /// resumes. Empty unless the column begins inside a table.
    pub merged: Rc<MergedCellBreaks>,
}

impl<'a> ColumnOutput<'a> {
    /// Returns true if the column is empty or has only repeated header rows of a table.
    pub fn has_only_repeated_rows(&self) -> bool {
        self.fragments.len() <= self.repeated_rows
    }

    /// Returns the bottom of the last fragment in the column, or 0 if the column is empty.
    pub fn bottom(&self) -> f32 {
        self.fragments.last().map_or(0.0, Fragment::bottom)
    }

    /// Returns the height in points that the content of the column needs above its footnotes. `y` is the position of the cursor.
    pub fn required_height(&self, y: f32) -> f32 {
        match &self.fragments[..] {
            [above @ .., last] if last.takes_no_space() => above.last().map_or(0.0, Fragment::bottom_with_border),
            [.., last] if last.bottom() >= y => last.bottom_with_border(),
            _ => y,
        }
    }

    /// Chooses the break for a column that is full. Returns the index of the first fragment that moves to the next column, or
    /// `None` if all fragments stay. `keep` is the rule that forbids a break before the fragment that did not fit. `full` is true
    /// if the column has the full height of a page body, so that no other column has more space.
    fn best_break(&self, keep: Keep, full: bool) -> Option<usize> {
        let count = self.fragments.len();
        let keep_before = |at: &usize| self.fragments.get(*at).map_or(keep, |fragment| fragment.keep);
        // Among equally good breaks, choose the last.
        let best = (self.repeated_rows + 1..=count).rev().min_by_key(keep_before)?;
        if !full && self.repeated_rows == 0 && keep_before(&best) > Keep::Free {
            return Some(0);
        }
        (best < count).then_some(best)
    }

    /// Removes the fragments with the index `at` and higher, and their floats. They move to the next column.
    fn truncate(&mut self, at: usize) {
        self.fragments.truncate(at);
        self.floats.retain(|float| float.fragment_index < at);
    }

    /// Returns the ids of the footnotes referenced in the column.
    fn referenced_notes(&self) -> impl Iterator<Item = i64> + '_ {
        let of_floats = self.floats.iter().flat_map(|float| float.notes.iter().copied());
        of_floats.chain(self.fragments.iter().flat_map(|fragment| fragment.notes.iter().copied()))
    }
}

/// Results that a column keeps for the next column, so that they are not computed again: measured tables, and the lines of a
/// divided paragraph. Blocks are identified by their index.
#[derive(Default)]
pub(super) struct BlockCache<'a> {
    /// The last paragraph that was divided between two columns. `None` if no paragraph was divided yet.
    pub divided_paragraph: Option<PreparedParagraph<'a>>,
    /// The tables that are already measured.
    pub tables: HashMap<TableKey, Rc<TableLayout<'a>>>,
}

/// A shaped paragraph, whose lines are placed one after the other in one or more columns.
pub(super) struct PreparedParagraph<'a> {
    /// Index of the paragraph in the list of blocks.
    pub block: usize,
    /// Properties of the paragraph that are the same in all of its columns.
    pub traits: ParagraphTraits<'a>,
    /// Breaks the paragraph into lines. Continues after the last line that is already in a column.
    pub lines: ParagraphLines<'a>,
}

/// The key of a measured table in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TableKey {
    /// Index of the table in the list of blocks.
    pub block: usize,
    /// The width of the column in points, as the bits of an `f32`. (An `f32` itself cannot be part of a hash key.)
    pub column_width_bits: u32,
}

/// Properties of a paragraph that are the same in all of its columns. They are computed only once, because the computation
/// searches the whole paragraph.
pub(super) struct ParagraphTraits<'a> {
    /// Anchored drawings in the order of their anchors.
    pub anchored_drawings: Vec<&'a Drawing>,
    /// True if the text of a line depends on the page that contains the line.
    pub depends_on_page: bool,
    /// Index of the break that ends the paragraph. All page and column breaks of the paragraph are counted, and the first one has
    /// the index 0. `None` if the paragraph ends with other content.
    pub ending_break: Option<usize>,
}

/// A column that is being filled.
pub(super) struct ColumnBuilder<'s, 'a> {
    pub input: ColumnInput<'s, 'a>,
    pub cursor: Cursor<'a>,
    pub output: ColumnOutput<'a>,
    pub cache: &'s mut BlockCache<'a>,
    /// The footnotes of the column. `None` for columns without footnotes of their own, such as the content of a cell.
    pub notes: Option<NoteBuilder<'a>>,
}

impl<'s, 'a> ColumnBuilder<'s, 'a> {
    /// Creates an empty column. If `fresh` is true, the space before the first paragraph is kept, although the paragraph is at
    /// the top of the column.
    pub fn new(
        input: ColumnInput<'s, 'a>,
        fresh: bool,
        memory: &'s mut BlockCache<'a>,
        notes: Option<NoteBuilder<'a>>,
    ) -> Self {
        let cursor = Cursor { y: 0.0, space_below: 0.0, above: None, keeps_next: false, keeps_space_before: fresh };
        Self { input, cursor, output: ColumnOutput::default(), cache: memory, notes }
    }

    /// Prepares the column for content that begins at `start`. Determines the paragraph above this content, and the merged cells
    /// that resume in the column.
    pub fn begin_at(&mut self, start: &BreakToken) {
        self.output.merged = match &start.position {
            BreakPosition::Table { merged_cells: merged, .. } => Rc::clone(merged),
            _ => Rc::default(),
        };
        self.cursor.above = match start.position {
            BreakPosition::Start => start.block.checked_sub(1).and_then(|i| as_paragraph(self.input.blocks.get(i)?)),
            _ => None,
        };
        self.cursor.keeps_next = self.cursor.above.is_some_and(|paragraph| paragraph.properties.keep_next);
        // If the paragraph above ended the previous column, its space below is dropped.
        self.cursor.space_below = 0.0;
    }

    pub fn into_unbounded_column(self) -> UnboundedColumn<'a> {
        let ColumnOutput { fragments, mut floats, .. } = self.output;
        floats.sort_by_key(|float| float.fragment_index);
        let text_height = self.cursor.y + self.cursor.space_below;
        let areas = floats.iter().filter_map(|float| float.exclusion).map(|e| e.area.bottom());
        let height = areas.fold(text_height, f32::max);
        let of_fragments = fragments.iter().enumerate().map(|(index, fragment)| (index, &fragment.notes));
        let called = of_fragments.chain(floats.iter().map(|float| (float.fragment_index, &float.notes)));
        let of_fragment = |(fragment_index, ids)| {
            let ids: &Vec<i64> = ids;
            ids.iter().map(move |id| FragmentNote { fragment_index, id: *id })
        };
        let mut notes: Vec<_> = called.flat_map(of_fragment).collect();
        notes.sort_by_key(|note| note.fragment_index);
        UnboundedColumn { fragments, floats, height, text_height, notes }
    }

    /// Returns the areas of floats that lines must avoid.
    pub fn exclusions(&self) -> impl Iterator<Item = &Exclusion> + Clone {
        self.input.outer_floats.iter().chain(self.output.floats.iter().filter_map(|float| float.exclusion.as_ref()))
    }

    /// Returns true if the next fragment must be placed in this column even if it does not fit. This is so if the column is empty
    /// and the next column would not have more space.
    pub fn must_accept(&self) -> bool {
        self.output.has_only_repeated_rows() && self.input.frame.full_height
    }

    /// Adds a fragment and moves the cursor below it.
    pub fn push(&mut self, fragment: Fragment<'a>) {
        self.register_notes(&fragment.notes);
        self.cursor.y = fragment.bottom();
        self.output.fragments.push(fragment);
    }

    /// Records that the content of the column references these footnotes.
    pub fn register_notes(&mut self, notes: &[i64]) {
        if let Some(room) = &mut self.notes {
            room.add_references(self.input.ctx, notes);
        }
    }

    /// Returns the height in points that all footnotes of the column would need if the footnotes `new` were added.
    pub fn notes_height_with(&mut self, new: &[i64]) -> f32 {
        self.notes.as_mut().map_or(0.0, |room| room.height_with_notes(self.input.ctx, new))
    }

    /// Adds a fragment and returns `None` if the fragment fits. Otherwise ends the column and returns the reason. The reason
    /// contains the position where layout resumes in the next column.
    pub fn push_if_fits(&mut self, fragment: Fragment<'a>) -> Option<ColumnEnd> {
        if !self.fits(&fragment) {
            return Some(self.break_before(fragment));
        }
        self.push(fragment);
        None
    }

    /// Returns true if the fragment fits in the column, or if the column must accept it anyway (see [`Self::must_accept`]).
    pub fn fits(&mut self, fragment: &Fragment<'a>) -> bool {
        if !self.input.has_limited_height() {
            return true;
        }
        if self.output.fragments.len() >= self.input.max_fragments {
            return false;
        }
        let below = self.notes_height_with(&fragment.notes);
        let bottom = if below > 0.0 { fragment.bottom_with_border() } else { fragment.bottom_without_line_spacing() };
        // The tolerance covers rounding errors.
        fragment.takes_no_space() || bottom + below <= self.input.frame.height + 0.01 || self.must_accept()
    }

    /// Ends the column because `fragment` did not fit. The column ends at the best break before that fragment. All fragments
    /// after this break move to the next column.
    fn break_before(&mut self, fragment: Fragment<'a>) -> ColumnEnd {
        let mut resume = fragment.resume;
        if let Some(at) = self.output.best_break(fragment.keep, self.input.frame.full_height) {
            resume = self.output.fragments[at].resume.clone();
            self.output.truncate(at);
            if let Some(notes) = &mut self.notes {
                notes.replace_references(self.input.ctx, self.output.referenced_notes());
            }
        }
        // The space of the removed fragments is now available for footnotes.
        (self.cursor.y, self.cursor.space_below) = (self.output.bottom(), 0.0);
        ColumnEnd::Full(resume)
    }
}
