//! Results of layout. A fragment is a part of a column that no page break divides: a line, a table row or a part of a row. Each
//! fragment stores the position where layout must resume if the fragment moves to the next column. An unbounded column is a list
//! of fragments that are laid out with unlimited height. Tables and floats contain unbounded columns.

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Break, Cell, Drawing, NodeId, NoteKind, Paragraph, Row, Table, Wrap};

use super::border::thickness;
use super::geometry::positive_length_or;
use super::spacing::visible_border;
use crate::page::Rect;
use crate::text::{Line, LineEnd, LineStart};

/// The rule that forbids a break before a fragment (§17.3.1.14, §17.3.1.15, §17.3.1.44), from the weakest to the strongest. If
/// every possible break in a column is forbidden, the break with the weakest rule is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keep {
    Free,
    /// The previous paragraph or row must stay on the same page as this fragment (w:keepNext).
    Next,
    /// All lines of the paragraph must stay on one page (w:keepLines).
    Lines,
    /// A break here would leave a single line of the paragraph at the top or the bottom of a page (w:widowControl).
    Widow,
    /// A break here would separate header rows of a table from each other, or the header rows from the first other row.
    HeaderRows,
}

impl Keep {
    /// Returns the stronger one of `self` and `other` if `condition` is true, else `self`.
    pub fn strengthened_if(self, other: Keep, condition: bool) -> Keep {
        if condition { self.max(other) } else { self }
    }
}

/// A position in a sequence of blocks where layout resumes.
#[derive(Debug, Clone)]
pub(super) struct BreakToken {
    pub block: usize,
    pub position: BreakPosition,
    /// True if the column begins here because of w:pageBreakBefore, a page break inside a paragraph, or a column break. Word then
    /// keeps the space before the paragraph. False if the previous column was full. Also false after a page break at the end of
    /// the previous paragraph, because Word then drops that space.
    pub after_hard_break: bool,
}

impl BreakToken {
    pub fn at_block(block: usize) -> Self {
        Self { block, position: BreakPosition::Start, after_hard_break: false }
    }
}

/// The position within a block where layout resumes.
#[derive(Debug, Clone)]
pub(super) enum BreakPosition {
    Start,
    Paragraph(LineStart, ParagraphProgress),
    Table {
        row: usize,
        /// The position where each cell resumes, if the row is split. `None` if the row begins here.
        row_break: Option<Rc<RowBreak>>,
        /// The breaks at which vertically merged cells resume. These cells cover this row and began in an earlier column of text.
        merged_cells: Rc<MergedCellBreaks>,
    },
}

/// The number of lines, drawings and breaks of a paragraph that are already laid out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ParagraphProgress {
    pub lines: usize,
    /// Number of drawings whose anchors are in the part that is already laid out.
    pub anchors: usize,
    /// Number of page and column breaks in the part that is already laid out.
    pub breaks: usize,
}

/// The break at which the content of each cell resumes, for cells that are merged vertically across a page break. The key is the
/// id of the cell.
pub(super) type MergedCellBreaks = HashMap<NodeId, CellBreak>;

/// The break of a split row. Each entry is the position where the content of one cell resumes, in the order of the cells.
pub(super) type RowBreak = Vec<CellBreak>;

/// A break in an unbounded column, such as the content of a cell. It is before the fragment with the index `fragment_index`. If
/// that fragment is a row of a nested table, the break may be inside the row, at `inner`.
#[derive(Debug, Clone, Default)]
pub(super) struct CellBreak {
    pub fragment_index: usize,
    pub inner: Option<Rc<RowBreak>>,
}

impl CellBreak {
    /// Returns true if this break is after the break `start`. (If content cannot be divided, the search for a break returns
    /// `start`.)
    pub fn is_after(&self, start: &CellBreak) -> bool {
        self.fragment_index > start.fragment_index
            || match (&self.inner, &start.inner) {
                (Some(inner), Some(before)) => !Rc::ptr_eq(inner, before),
                (inner, _) => inner.is_some(),
            }
    }
}

/// A part of a column that no page break divides: a line, a table row, or a part of a row.
pub(super) struct Fragment<'a> {
    /// Distance of the fragment's top from the top of the column, in points.
    pub y: f32,
    pub height: f32,
    pub keep: Keep,
    pub resume: BreakToken,
    pub content: FragmentContent<'a>,
    /// Ids of the footnotes referenced in the fragment.
    pub notes: Vec<i64>,
}

impl<'a> Fragment<'a> {
    pub fn line(&self) -> Option<&LineFragment<'a>> {
        if let FragmentContent::Line(line) = &self.content { Some(line) } else { None }
    }

    pub fn row_fragment(&self) -> Option<&RowFragment<'a>> {
        if let FragmentContent::Row(part) = &self.content { Some(part) } else { None }
    }

    pub fn bottom(&self) -> f32 {
        self.y + self.height
    }

    /// Returns true if the fragment takes no space in its column, so that it fits even if the column is full.
    pub fn takes_no_space(&self) -> bool {
        self.line().is_some_and(LineFragment::is_hanging_break)
    }

    /// Returns the lowest position that the fragment needs on a page with footnotes. The footnotes must be below this position.
    /// The line spacing below a line and the border below a row are included.
    pub fn bottom_with_border(&self) -> f32 {
        match &self.content {
            FragmentContent::Row(part) if part.to.is_none() && !part.repeated => {
                self.bottom() + part.table.border_below(part.row)
            }
            _ => self.bottom(),
        }
    }

    /// Returns the lowest position that the fragment needs on a page without footnotes. The line spacing below a line is not
    /// included. Word lets the line spacing below the last line extend into the bottom margin. (This follows from ten pages of
    /// six documents laid out by Word. On pages with notes, Word does not do this.)
    pub fn bottom_without_line_spacing(&self) -> f32 {
        match &self.content {
            FragmentContent::Line(line) if line.border_below <= 0.0 => {
                self.bottom() - line.parts().map(|part| part.spacing_below).fold(f32::INFINITY, f32::min)
            }
            _ => self.bottom_with_border(),
        }
    }
}

pub(super) enum FragmentContent<'a> {
    Line(Box<LineFragment<'a>>),
    Row(RowFragment<'a>),
}

/// A line of a paragraph. If floats divide the line into parts, `line` is the first part and `parts_beside_floats` has the
/// others, from left to right.
pub(super) struct LineFragment<'a> {
    pub paragraph: &'a Paragraph,
    pub line: Line,
    pub parts_beside_floats: Vec<Line>,
    /// True if this is the first line of the paragraph. `last` is true if it is the last one.
    pub first: bool,
    pub last: bool,
    /// Space in points for borders above the line. `border_below` is the space for borders below it.
    pub border_above: f32,
    pub border_below: f32,
}

impl LineFragment<'_> {
    /// Returns the parts of the line from left to right.
    pub fn parts(&self) -> impl Iterator<Item = &Line> {
        std::iter::once(&self.line).chain(&self.parts_beside_floats)
    }

    /// Returns true if the line consists of a single break that takes no space. Such a break ends its column and stays in it,
    /// even if the column is full. It is either a column break (§17.18.3) or a page break that is not at the end of its
    /// paragraph. (A page break at the end of a paragraph is in the line of the paragraph mark, which needs space.)
    fn is_hanging_break(&self) -> bool {
        let line = &self.line;
        let bare = line.items.is_empty() && line.anchors.is_empty() && line.inline_drawings.is_empty();
        let hangs = match line.end {
            LineEnd::Break(Break::Column) => true,
            LineEnd::Break(Break::Page) => !self.last,
            _ => false,
        };
        hangs && self.parts_beside_floats.is_empty() && bare && line.notes.is_empty()
    }
}

/// A table row in a column of the page. If the row is split over several columns, only the part in this column.
#[derive(Clone)]
pub(super) struct RowFragment<'a> {
    pub table: Rc<TableLayout<'a>>,
    pub row: usize,
    /// The break at which this part of the row begins, or `None` if it begins at the top of the row.
    pub from: Option<Rc<RowBreak>>,
    /// The break at which this part of the row ends, or `None` if it ends at the bottom of the row.
    pub to: Option<Rc<RowBreak>>,
    /// True for a header row that is repeated at the top of a column.
    pub repeated: bool,
}

/// Blocks that are laid out vertically in a column of a given width and unlimited height.
#[derive(Default)]
pub(super) struct UnboundedColumn<'a> {
    pub fragments: Vec<Fragment<'a>>,
    pub floats: Vec<Float<'a>>,
    /// Height of the content in points, including the space after the last paragraph.
    pub height: f32,
    /// Height of the content without floats, in points.
    pub text_height: f32,
    /// The footnotes that the fragments reference, in the order of the fragments. Few fragments reference a footnote, so this
    /// list is faster to search than the fragments. (A row over many pages is searched on each page.)
    pub notes: Vec<FragmentNote>,
}

/// A footnote referenced in a fragment of a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct FragmentNote {
    /// Index of the fragment that references the note. If a float references it, index of the fragment with the float's anchor.
    pub fragment_index: usize,
    /// Id of the footnote.
    pub id: i64,
}

impl<'a> UnboundedColumn<'a> {
    /// Returns the paragraph of the first visible line whose letters end below `limit` points. For a nested table, the paragraph
    /// is in one of its cells. Returns `None` if all visible lines end above the limit.
    pub fn first_line_below(&self, limit: f32) -> Option<&'a Paragraph> {
        if !limit.is_finite() {
            return None;
        }
        let is_visible = |line: &Line| !line.items.is_empty() || !line.inline_drawings.is_empty();
        self.fragments.iter().filter(|fragment| fragment.bottom() > limit).find_map(|fragment| {
            match &fragment.content {
                FragmentContent::Line(line) => {
                    let ends_below = fragment.bottom_without_line_spacing() > limit;
                    (ends_below && line.parts().any(is_visible)).then_some(line.paragraph)
                }
                FragmentContent::Row(row) => row.table.cells(row.row).iter().find_map(|cell| {
                    let limit = limit - fragment.y - cell.top_margin;
                    cell.content.first_line_below(limit)
                }),
            }
        })
    }

    /// Returns the bottom of the last visible line, without the space below it and without empty paragraphs.
    pub fn visible_bottom(&self) -> f32 {
        let is_empty = |line: &Line| line.items.is_empty() && line.inline_drawings.is_empty();
        let shows = |fragment: &&Fragment<'_>| fragment.line().is_none_or(|line| !line.parts().all(is_empty));
        self.fragments.iter().filter(shows).map(Fragment::bottom_without_line_spacing).fold(0.0, f32::max)
    }
}

/// A table with measured columns and rows.
#[derive(Clone)]
pub(super) struct TableLayout<'a> {
    pub table: &'a Table,
    /// Distance of the table from the left edge of the column, in points.
    pub x: f32,
    pub width: f32,
    pub rows: Vec<RowLayout<'a>>,
    /// Number of header rows at the top of the table. They are repeated on every page.
    pub header_rows: usize,
    /// Space in points for the borders below the last row.
    pub bottom_border: f32,
}

#[derive(Clone)]
pub(super) struct RowLayout<'a> {
    pub row: &'a Row,
    pub cells: Vec<CellLayout<'a>>,
    pub height: f32,
    /// Space in points for the borders above the row's cells. It is part of the row's height.
    pub top_border: f32,
    /// The part of the row's height that only a vertically merged cell needs, in points.
    pub merged_excess_height: f32,
    /// True if the row is higher than its content, because of its height rule (w:trHeight).
    pub higher_than_content: bool,
}

#[derive(Clone)]
pub(super) struct CellLayout<'a> {
    pub cell: &'a Cell,
    /// Distance of the cell from the left edge of the table, in points.
    pub x: f32,
    pub width: f32,
    pub content: Rc<UnboundedColumn<'a>>,
    pub merge: MergeRole,
    /// The length of the lines in points if the text of the cell is rotated, else `None`.
    pub rotated_line_length: Option<f32>,
    /// The largest top margin of the cells in the row. Word uses it as the top margin of all of them.
    pub top_margin: f32,
}

/// The role of a cell in a vertical merge (§17.4.84).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MergeRole {
    None,
    /// The cell begins a merge that covers this number of rows, including its own.
    Start(usize),
    /// The cell is hidden, because a merged cell that begins in an earlier row covers it.
    Covered {
        row: usize,
        cell: usize,
    },
}

/// A cell whose content is shown in a row: a cell of that row, or the cell that covers it in a vertical merge.
#[derive(Clone, Copy)]
pub(super) struct CoveringCell<'l, 'a> {
    /// Index of the row in which the cell begins.
    pub first_row: usize,
    /// The cell with the content.
    pub cell: &'l CellLayout<'a>,
}

impl<'a> TableLayout<'a> {
    /// Returns the cell whose content is shown for `cell` in this row: `cell` itself, or the cell that covers it in a vertical
    /// merge. Returns `None` if the table has no such covering cell.
    pub fn covering_cell<'l>(&'l self, row: usize, cell: &'l CellLayout<'a>) -> Option<CoveringCell<'l, 'a>> {
        match cell.merge {
            MergeRole::Covered { row, cell } => {
                Some(CoveringCell { first_row: row, cell: self.rows.get(row)?.cells.get(cell)? })
            }
            MergeRole::None | MergeRole::Start(_) => Some(CoveringCell { first_row: row, cell }),
        }
    }

    pub fn cells(&self, row: usize) -> &[CellLayout<'a>] {
        self.rows.get(row).map_or(&[], |row| &row.cells)
    }

    pub fn height(&self) -> f32 {
        self.rows.iter().map(|row| row.height).sum::<f32>() + self.bottom_border
    }

    /// Returns the height of the border below a row. At the end of a page, the row needs this space, because Word does not let
    /// borders extend beyond a page. (For the last row this function returns 0, because that border is part of the table's
    /// height.)
    pub fn border_below(&self, row: usize) -> f32 {
        if row + 1 >= self.rows.len() || self.table.properties.cell_spacing > 0.0 {
            return 0.0;
        }
        let ending = self.cells(row).iter().filter(|cell| !matches!(cell.merge, MergeRole::Start(_)));
        ending.map(|cell| thickness(visible_border(cell.cell.borders.bottom))).fold(0.0, f32::max)
    }
}

impl CellLayout<'_> {
    /// Returns true if this vertically merged cell, which begins in the row `start`, ends in the row `row`.
    pub fn ends_in(&self, start: usize, row: usize) -> bool {
        matches!(self.merge, MergeRole::Start(span) if start + span == row + 1)
    }

    pub fn vertical_margins(&self) -> f32 {
        self.top_margin + positive_length_or(self.cell.margins.bottom, 0.0)
    }
}

/// An area that lines of text avoid, in the coordinates of the column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Exclusion {
    /// The area of the floating object itself.
    pub object: Rect,
    /// The area that text avoids: the object with the distances that text must keep from it.
    pub area: Rect,
    pub wrap: Wrap,
}

impl Exclusion {
    /// Creates the exclusion of an object. `distances` are the distances between text and the object at the left, right, top and
    /// bottom.
    pub fn around(object: Rect, distances: [f32; 4], wrap: Wrap) -> Self {
        let [left, right, above, below] = distances.map(|distance| positive_length_or(distance, 0.0));
        let (width, height) = (object.width + (left + right), object.height + (above + below));
        Self { object, area: Rect::new(object.x - left, object.y - above, width, height), wrap }
    }

    pub fn moved(self, x: f32, y: f32) -> Self {
        Self { object: self.object.translated(x, y), area: self.area.translated(x, y), ..self }
    }
}

/// A floating object in a column.
pub(super) struct Float<'a> {
    pub area: Rect,
    pub exclusion: Option<Exclusion>,
    /// The index of the fragment that contains the float's anchor. If that fragment moves to another column, so does the float.
    pub fragment_index: usize,
    pub behind: bool,
    pub z_order: i64,
    pub content: FloatContent<'a>,
    /// Ids of the footnotes referenced in the float.
    pub notes: Vec<i64>,
}

#[derive(Clone)]
pub(super) enum FloatContent<'a> {
    Drawing(&'a Drawing),
    /// The float is a text frame with these paragraphs.
    Frame(Rc<UnboundedColumn<'a>>),
    /// The float is a table, or a part of one, with these rows.
    Table(Rc<Vec<FloatRow<'a>>>),
}

/// A row of a floating table.
pub(super) struct FloatRow<'a> {
    /// The row, or the part of the row that is in the float.
    pub fragment: RowFragment<'a>,
    /// Distance of the row from the top of the float in points.
    pub top: f32,
    /// Height of the row, or of its part, in points.
    pub height: f32,
}

/// Returns the ids of the footnotes referenced in a line.
pub(super) fn footnote_ids(line: &Line) -> impl Iterator<Item = i64> + '_ {
    line.notes.iter().filter(|note| note.kind == NoteKind::Footnote).map(|note| note.id)
}
