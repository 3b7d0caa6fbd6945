//! Layout results: units that no page break divides, each with the position where layout resumes after a break before it. Also
//! galleys, which are columns of units, and the tables and floats that contain galleys.

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Break, Cell, Drawing, NodeId, NoteKind, Paragraph, Row, Table, Wrap};

use super::border::thickness;
use super::geometry::positive;
use super::spacing::visible;
use crate::page::Rect;
use crate::text::{Line, LineEnd, LineStart};

/// The reason against a break before a unit (§17.3.1.14, §17.3.1.15, §17.3.1.44), from the weakest to the strongest. If a
/// column has no free break, the break with the weakest reason is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keep {
    Free,
    /// The previous paragraph keeps with this one.
    Next,
    /// The paragraph keeps its lines together.
    Lines,
    /// A break would leave a single line at the top or the bottom of a page.
    Widow,
    /// The repeated header of a table and its first row.
    Head,
}

impl Keep {
    pub fn with(self, other: Keep, condition: bool) -> Keep {
        if condition { self.max(other) } else { self }
    }
}

/// A position in a sequence of blocks where layout resumes.
#[derive(Debug, Clone)]
pub(super) struct Resume {
    pub block: usize,
    pub within: Within,
    /// True if the column begins there because of w:pageBreakBefore, a page break inside a paragraph, or a column break. False
    /// if space ran out or a page break ended the previous paragraph.
    pub after_hard_break: bool,
}

impl Resume {
    pub fn at(block: usize) -> Self {
        Self { block, within: Within::Start, after_hard_break: false }
    }
}

#[derive(Debug, Clone)]
pub(super) enum Within {
    Start,
    Paragraph(LineStart, Progress),
    Table {
        row: usize,
        /// For a split row, the position where each cell resumes.
        cut: Option<Rc<Cut>>,
        /// Remaining content of cells that are merged over this row and rows of earlier columns.
        merged: Rc<MergedRests>,
    },
}

/// The parts of a paragraph that are already laid out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    pub lines: usize,
    /// Number of anchored drawings.
    pub anchors: usize,
    /// Number of page and column breaks.
    pub breaks: usize,
}

/// Positions where cells resume that are merged over rows on both sides of a break.
pub(super) type MergedRests = HashMap<NodeId, Point>;

/// Position where each cell of a split row resumes.
pub(super) type Cut = Vec<Point>;

/// A position in the units of a cell: before `unit`, or inside it if it is a row of a nested table.
#[derive(Debug, Clone, Default)]
pub(super) struct Point {
    pub unit: usize,
    pub inner: Option<Rc<Cut>>,
}

impl Point {
    /// Returns true if this cut is after the position `start` from which it was made. (Content that cannot be cut returns
    /// `start`.)
    pub fn is_beyond(&self, start: &Point) -> bool {
        self.unit > start.unit
            || match (&self.inner, &start.inner) {
                (Some(inner), Some(before)) => !Rc::ptr_eq(inner, before),
                (inner, _) => inner.is_some(),
            }
    }
}

pub(super) struct Unit<'a> {
    /// Distance from the top of the column.
    pub y: f32,
    pub height: f32,
    pub keep: Keep,
    pub resume: Resume,
    pub content: Content<'a>,
    /// Footnotes referenced in the unit.
    pub notes: Vec<i64>,
}

impl<'a> Unit<'a> {
    pub fn line(&self) -> Option<&LineUnit<'a>> {
        if let Content::Line(line) = &self.content { Some(line) } else { None }
    }

    pub fn row(&self) -> Option<&RowPiece<'a>> {
        if let Content::Row(piece) = &self.content { Some(piece) } else { None }
    }

    pub fn bottom(&self) -> f32 {
        self.y + self.height
    }

    /// Returns true if the unit takes no space in its column.
    pub fn hangs(&self) -> bool {
        self.line().is_some_and(LineUnit::is_hanging_break)
    }

    /// Returns the bottom of the space that the unit needs above the notes of a page, including the line spacing below a line.
    pub fn room_bottom(&self) -> f32 {
        match &self.content {
            Content::Row(piece) if piece.to.is_none() && !piece.repeated => {
                self.bottom() + piece.table.border_below(piece.row)
            }
            _ => self.bottom(),
        }
    }

    /// Returns the bottom of the space that the unit needs on a page without notes. Word lets the line spacing below the last
    /// line extend beyond the page. (Measured on Word's page starts and page counts: ten pages of six documents, and none above
    /// notes.)
    pub fn text_bottom(&self) -> f32 {
        match &self.content {
            Content::Line(line) if line.border_below <= 0.0 => {
                self.bottom() - line.pieces().map(|piece| piece.spacing_below).fold(f32::INFINITY, f32::min)
            }
            _ => self.room_bottom(),
        }
    }
}

pub(super) enum Content<'a> {
    Line(Box<LineUnit<'a>>),
    Row(RowPiece<'a>),
}

/// A line of a paragraph. `beside` contains its other parts beside floats.
pub(super) struct LineUnit<'a> {
    pub paragraph: &'a Paragraph,
    pub line: Line,
    pub beside: Vec<Line>,
    pub first: bool,
    pub last: bool,
    /// Space above the line inside the paragraph's borders. `border_below` is the space below it.
    pub border_above: f32,
    pub border_below: f32,
}

impl LineUnit<'_> {
    /// Returns the parts of the line from left to right.
    pub fn pieces(&self) -> impl Iterator<Item = &Line> {
        std::iter::once(&self.line).chain(&self.beside)
    }

    /// Returns true if the line is only a break that ends its column even if the column is full. This is a column break
    /// (§17.18.3), or a page break followed by text of its paragraph. (A page break that ends its paragraph is in the line of
    /// the paragraph mark, which needs space.)
    fn is_hanging_break(&self) -> bool {
        let line = &self.line;
        let bare = line.items.is_empty() && line.anchors.is_empty() && line.inline_drawings.is_empty();
        let hangs = match line.end {
            LineEnd::Break(Break::Column) => true,
            LineEnd::Break(Break::Page) => !self.last,
            _ => false,
        };
        hangs && self.beside.is_empty() && bare && line.notes.is_empty()
    }
}

/// A row of a table, or the part of it that is in this column.
#[derive(Clone)]
pub(super) struct RowPiece<'a> {
    pub table: Rc<TableLayout<'a>>,
    pub row: usize,
    pub from: Option<Rc<Cut>>,
    pub to: Option<Rc<Cut>>,
    /// True for a header row that is repeated at the top of a column.
    pub repeated: bool,
}

/// Blocks laid out vertically in a given width with unlimited height.
#[derive(Default)]
pub(super) struct Galley<'a> {
    pub units: Vec<Unit<'a>>,
    pub floats: Vec<Float<'a>>,
    /// Height including the space after the last paragraph.
    pub height: f32,
    /// Height without floats.
    pub text_height: f32,
    /// Referenced footnotes with the index of their unit. Few units have any, and a row over many pages is searched on each
    /// page.
    pub notes: Vec<(usize, i64)>,
}

impl Galley<'_> {
    /// Returns the bottom of the last visible line, without the space below it and without empty paragraphs.
    pub fn seen_bottom(&self) -> f32 {
        let is_empty = |line: &Line| line.items.is_empty() && line.inline_drawings.is_empty();
        let shows = |unit: &&Unit<'_>| unit.line().is_none_or(|line| !line.pieces().all(is_empty));
        self.units.iter().filter(shows).map(Unit::text_bottom).fold(0.0, f32::max)
    }
}

/// A table with measured columns and rows.
#[derive(Clone)]
pub(super) struct TableLayout<'a> {
    pub table: &'a Table,
    /// Distance from the column's left edge.
    pub x: f32,
    pub width: f32,
    pub rows: Vec<RowLayout<'a>>,
    /// Number of rows at the top that are repeated on every page.
    pub header_rows: usize,
    /// Space below the last row for its borders.
    pub bottom_border: f32,
}

#[derive(Clone)]
pub(super) struct RowLayout<'a> {
    pub row: &'a Row,
    pub cells: Vec<CellLayout<'a>>,
    pub height: f32,
    /// Space for the borders above the row's cells.
    pub top_border: f32,
    /// Part of the height that only a vertically merged cell needs.
    pub stretched: f32,
    /// True if the height comes from the row's height rule instead of its content.
    pub higher_than_content: bool,
}

#[derive(Clone)]
pub(super) struct CellLayout<'a> {
    pub cell: &'a Cell,
    /// Distance from the table's left edge.
    pub x: f32,
    pub width: f32,
    pub galley: Rc<Galley<'a>>,
    pub merge: Merge,
    /// Line length of a cell with rotated text.
    pub turned: Option<f32>,
    /// The largest top margin of the cells in its row.
    pub top_margin: f32,
}

/// The role of a cell in a vertical merge (§17.4.84).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merge {
    None,
    /// The cell covers this number of rows.
    Start(usize),
    /// The cell is covered by the cell of an earlier row.
    Covered {
        row: usize,
        cell: usize,
    },
}

impl<'a> TableLayout<'a> {
    /// Returns the cell or, if it is covered, the cell that covers it, with the row in which that cell begins.
    pub fn source<'l>(&'l self, row: usize, cell: &'l CellLayout<'a>) -> Option<(usize, &'l CellLayout<'a>)> {
        match cell.merge {
            Merge::Covered { row, cell } => Some((row, self.rows.get(row)?.cells.get(cell)?)),
            Merge::None | Merge::Start(_) => Some((row, cell)),
        }
    }

    pub fn cells(&self, row: usize) -> &[CellLayout<'a>] {
        self.rows.get(row).map_or(&[], |row| &row.cells)
    }

    pub fn height(&self) -> f32 {
        self.rows.iter().map(|row| row.height).sum::<f32>() + self.bottom_border
    }

    /// Returns the height of the border below a row at the end of a page. Word does not let borders extend beyond a page. (The
    /// border of the last row is part of the table's height.)
    pub fn border_below(&self, row: usize) -> f32 {
        if row + 1 >= self.rows.len() || self.table.properties.cell_spacing > 0.0 {
            return 0.0;
        }
        let ending = self.cells(row).iter().filter(|cell| !matches!(cell.merge, Merge::Start(_)));
        ending.map(|cell| thickness(visible(cell.cell.borders.bottom))).fold(0.0, f32::max)
    }
}

impl CellLayout<'_> {
    /// Returns true if the cell is merged from row `start`, its own row, to `row`.
    pub fn ends_in(&self, start: usize, row: usize) -> bool {
        matches!(self.merge, Merge::Start(span) if start + span == row + 1)
    }

    pub fn vertical_margins(&self) -> f32 {
        self.top_margin + positive(self.cell.margins.bottom, 0.0)
    }
}

/// An area that lines avoid, in the coordinates of the column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Exclusion {
    /// The floating object.
    pub object: Rect,
    /// The object with the distances that text keeps from it.
    pub area: Rect,
    pub wrap: Wrap,
}

impl Exclusion {
    /// Creates the area around an object with distances at its left, right, top and bottom.
    pub fn around(object: Rect, distances: [f32; 4], wrap: Wrap) -> Self {
        let [left, right, above, below] = distances.map(|distance| positive(distance, 0.0));
        let (width, height) = (object.width + (left + right), object.height + (above + below));
        Self { object, area: Rect::new(object.x - left, object.y - above, width, height), wrap }
    }

    pub fn moved(self, x: f32, y: f32) -> Self {
        Self { object: self.object.moved(x, y), area: self.area.moved(x, y), ..self }
    }
}

pub(super) struct Float<'a> {
    pub area: Rect,
    pub exclusion: Option<Exclusion>,
    /// The unit that the float belongs to. If that unit moves to another column, so does the float.
    pub unit: usize,
    pub behind: bool,
    pub z_order: i64,
    pub content: FloatContent<'a>,
    /// Footnotes referenced in the float.
    pub notes: Vec<i64>,
}

#[derive(Clone)]
pub(super) enum FloatContent<'a> {
    Drawing(&'a Drawing),
    /// The paragraphs of a text frame.
    Frame(Rc<Galley<'a>>),
    /// Rows of one table, with their tops and heights.
    Table(Rc<Vec<(RowPiece<'a>, f32, f32)>>),
}

pub(super) fn footnotes(line: &Line) -> impl Iterator<Item = i64> + '_ {
    line.notes.iter().filter(|(kind, _)| *kind == NoteKind::Footnote).map(|(_, id)| *id)
}
