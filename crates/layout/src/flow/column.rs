//! A column while it is filled: its input, the current position, and its content so far.

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Block, Drawing, Paragraph};

use super::areas::Frame;
use super::context::LayoutContext;
use super::fragment::{
    BreakPosition, BreakToken, Exclusion, Float, Fragment, Keep, MergedCellBreaks, TableLayout, UnboundedColumn,
};
use super::notes::NoteBuilder;
use super::spacing::{as_paragraph, is_empty};
use crate::text::ParagraphLines;

/// The reason why a column ended.
#[derive(Debug, Clone)]
pub(super) enum ColumnEnd {
    /// All blocks are laid out.
    Finished,
    /// A fragment did not fit.
    Full(BreakToken),
    PageBreak(BreakToken),
    ColumnBreak(BreakToken),
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
pub(super) struct ColumnInput<'s, 'a> {
    pub ctx: &'s LayoutContext<'a>,
    pub blocks: &'a [Block],
    pub frame: Frame,
    /// Areas of floats that are already on the page or known in advance.
    pub outer_floats: Vec<Exclusion>,
    /// Height in points after which layout may stop. Used only for columns of unlimited height.
    pub sufficient_height: f32,
    /// True if the blocks are those of an endnote.
    pub is_endnote: bool,
    /// True if the blocks are those of a section and the next section begins on its own page.
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

    /// Returns true if the block is the last of its section and the next section begins on its own page (§17.6.22, §17.18.77).
    /// For such a block, Word adds no empty page. It ignores a page break in or before the paragraph, a page break at the end
    /// of the previous paragraph, and an empty line that does not fit.
    pub fn ends_section_before_page(&self, block: usize) -> bool {
        self.next_section_begins_page && self.has_limited_height() && block + 1 == self.blocks.len()
    }

    /// Returns true if the block is an empty paragraph at the end of its section, and the next section begins on its own page.
    pub fn is_invisible_section_end(&self, block: usize) -> bool {
        self.ends_section_before_page(block) && self.blocks.get(block).and_then(as_paragraph).is_some_and(is_empty)
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
    pub keeps_space_before: bool,
}

/// The content of a column so far.
#[derive(Default)]
pub(super) struct ColumnOutput<'a> {
    pub fragments: Vec<Fragment<'a>>,
    pub floats: Vec<Float<'a>>,
    /// Number of repeated header rows at the top of the column. At least one more fragment must follow them before the column
    /// may end.
    pub repeated_rows: usize,
    /// If the column begins inside a table: the remaining content of merged cells that began in earlier columns.
    pub merged: Rc<MergedCellBreaks>,
}

impl<'a> ColumnOutput<'a> {
    /// Returns true if the column is empty or has only repeated rows.
    pub fn has_only_repeated_rows(&self) -> bool {
        self.fragments.len() <= self.repeated_rows
    }

    /// Returns the bottom of the last fragment.
    pub fn bottom(&self) -> f32 {
        self.fragments.last().map_or(0.0, Fragment::bottom)
    }

    /// Returns the height that the content needs above the notes. `y` is the position of the cursor.
    pub fn required_height(&self, y: f32) -> f32 {
        match &self.fragments[..] {
            [above @ .., last] if last.takes_no_space() => above.last().map_or(0.0, Fragment::bottom_with_border),
            [.., last] if last.bottom() >= y => last.bottom_with_border(),
            _ => y,
        }
    }

    /// Returns the index of the first fragment that moves to the next column, after a further fragment with the rule `keep` did
    /// not fit. Returns `None` if only that further fragment moves. `full` is true if no column is higher.
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

    /// Removes the fragments from index `at` on, with their floats. They move to the next column.
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

/// Results about blocks that a column keeps for the next column, so that they are not computed again. Blocks are identified by
/// their index.
#[derive(Default)]
pub(super) struct BlockCache<'a> {
    /// The last paragraph that was divided between columns: the index of its block, its properties and its lines.
    pub divided_paragraph: Option<(usize, ParagraphTraits<'a>, ParagraphLines<'a>)>,
    /// Measured tables, by the index of the block and the bits of the column's width.
    pub tables: HashMap<(usize, u32), Rc<TableLayout<'a>>>,
}

/// Properties of a paragraph that every column with a part of the paragraph needs. They are computed once, because each page
/// would otherwise search the whole paragraph.
pub(super) struct ParagraphTraits<'a> {
    /// Anchored drawings in the order of their anchors.
    pub anchored_drawings: Vec<&'a Drawing>,
    /// True if the lines depend on the page they are on.
    pub depends_on_page: bool,
    /// Index, among the page and column breaks of the paragraph, of the break that ends it. `None` if text follows the last
    /// break.
    pub ending_break: Option<usize>,
}

/// A column that is being filled.
pub(super) struct ColumnBuilder<'s, 'a> {
    pub input: ColumnInput<'s, 'a>,
    pub cursor: Cursor<'a>,
    pub output: ColumnOutput<'a>,
    pub cache: &'s mut BlockCache<'a>,
    /// The footnotes of the column. `None` if the column has no notes of its own, like that of a cell.
    pub notes: Option<NoteBuilder<'a>>,
}

impl<'s, 'a> ColumnBuilder<'s, 'a> {
    /// Creates an empty column. `fresh` is true if the first paragraph keeps its space before at the top of the column.
    pub fn new(
        input: ColumnInput<'s, 'a>,
        fresh: bool,
        memory: &'s mut BlockCache<'a>,
        notes: Option<NoteBuilder<'a>>,
    ) -> Self {
        let cursor = Cursor { y: 0.0, space_below: 0.0, above: None, keeps_next: false, keeps_space_before: fresh };
        Self { input, cursor, output: ColumnOutput::default(), cache: memory, notes }
    }

    /// Prepares the column for content that begins at `start`.
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
        // The space below a paragraph is dropped at the end of its column.
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
        let mut notes: Vec<_> =
            called.flat_map(|(fragment, notes)| notes.iter().map(move |note| (fragment, *note))).collect();
        notes.sort_by_key(|(fragment, _)| *fragment);
        UnboundedColumn { fragments, floats, height, text_height, notes }
    }

    /// Returns the areas of floats that lines must avoid.
    pub fn exclusions(&self) -> impl Iterator<Item = &Exclusion> + Clone {
        self.input.outer_floats.iter().chain(self.output.floats.iter().filter_map(|float| float.exclusion.as_ref()))
    }

    /// Returns true if the next fragment must be placed in this column even if it does not fit: the column is empty, and the
    /// next one would not have more space.
    pub fn must_accept(&self) -> bool {
        self.output.has_only_repeated_rows() && self.input.frame.full_height
    }

    /// Adds a fragment and moves the cursor below it.
    pub fn push(&mut self, fragment: Fragment<'a>) {
        self.register_notes(&fragment.notes);
        self.cursor.y = fragment.bottom();
        self.output.fragments.push(fragment);
    }

    /// Registers footnotes that the content of the column references.
    pub fn register_notes(&mut self, notes: &[i64]) {
        if let Some(room) = &mut self.notes {
            room.add_references(self.input.ctx, notes);
        }
    }

    /// Returns the height in points that the footnotes take from the column if the footnotes `new` are added to them.
    pub fn notes_height_with(&mut self, new: &[i64]) -> f32 {
        self.notes.as_mut().map_or(0.0, |room| room.height_with_notes(self.input.ctx, new))
    }

    /// Adds a fragment. If it does not fit, ends the column and returns the reason, with the position where the next column
    /// resumes.
    pub fn push_if_fits(&mut self, fragment: Fragment<'a>) -> Option<ColumnEnd> {
        if !self.fits(&fragment) {
            return Some(self.break_before(fragment));
        }
        self.push(fragment);
        None
    }

    /// Returns true if the fragment fits in the column, or must be placed in it.
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

    /// Ends the column at the best break before a fragment that did not fit.
    fn break_before(&mut self, fragment: Fragment<'a>) -> ColumnEnd {
        let mut resume = fragment.resume;
        if let Some(at) = self.output.best_break(fragment.keep, self.input.frame.full_height) {
            resume = self.output.fragments[at].resume.clone();
            self.output.truncate(at);
            if let Some(notes) = &mut self.notes {
                notes.replace_references(self.input.ctx, self.output.referenced_notes());
            }
        }
        // The space of the removed fragments is now available for notes.
        (self.cursor.y, self.cursor.space_below) = (self.output.bottom(), 0.0);
        ColumnEnd::Full(resume)
    }
}
