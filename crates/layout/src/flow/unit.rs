//! What is set: units that no page break goes through, each with where to go on if a break is put before it; the galleys they make,
//! and the tables and floats that hold galleys themselves.

use std::collections::HashMap;
use std::rc::Rc;

use waraq_docx::tree::{Break, Cell, Drawing, NodeId, NoteKind, Paragraph, Row, Table, Wrap};

use super::border::thickness;
use super::geometry::positive;
use super::spacing::visible;
use crate::page::Rect;
use crate::text::{Line, LineEnd, LineStart};

/// Why no break should be put before a unit (§17.3.1.14, §17.3.1.15, §17.3.1.44). Where a column has no better place for a break, what is
/// least is given up first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keep {
    Free,
    /// The paragraph before keeps with this one.
    Next,
    /// The paragraph keeps its lines together.
    Lines,
    /// One line alone would stand at the top or the bottom of a page.
    Widow,
    /// The repeated head of a table and its first row.
    Head,
}

impl Keep {
    pub fn with(self, other: Keep, condition: bool) -> Keep {
        if condition { self.max(other) } else { self }
    }
}

/// A place in a sequence of blocks where setting goes on.
#[derive(Debug, Clone)]
pub(super) struct Resume {
    pub block: usize,
    pub within: Within,
    /// It begins there by a break of its own or in the midst of a paragraph, or by a column break: not for want of room, nor by a page break
    /// at the end of the paragraph above.
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
        /// Of a row that was split: where each cell goes on.
        cut: Option<Rc<Cut>>,
        /// Of cells merged over this row and rows of the columns before: what is left of them.
        merged: Rc<MergedRests>,
    },
}

/// What of a paragraph was set before.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    pub lines: usize,
    /// Anchored drawings.
    pub anchors: usize,
    /// Page and column breaks.
    pub breaks: usize,
}

/// Where cells go on that are merged over rows on both sides of a break.
pub(super) type MergedRests = HashMap<NodeId, Point>;

/// Where each cell of a split row goes on.
pub(super) type Cut = Vec<Point>;

/// A place in a cell's units: before `unit`, or inside it where it is a row of a nested table.
#[derive(Debug, Clone, Default)]
pub(super) struct Point {
    pub unit: usize,
    pub inner: Option<Rc<Cut>>,
}

impl Point {
    /// Whether this, cut from what begins there, is further on. (What cannot be cut gives the beginning itself back.)
    pub fn is_beyond(&self, start: &Point) -> bool {
        self.unit > start.unit
            || match (&self.inner, &start.inner) {
                (Some(inner), Some(before)) => !Rc::ptr_eq(inner, before),
                (inner, _) => inner.is_some(),
            }
    }
}

pub(super) struct Unit<'a> {
    /// From the top of the column.
    pub y: f32,
    pub height: f32,
    pub keep: Keep,
    pub resume: Resume,
    pub content: Content<'a>,
    /// Footnotes called in it.
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

    /// Whether it takes no room of its column.
    pub fn hangs(&self) -> bool {
        self.line().is_some_and(LineUnit::is_hanging_break)
    }

    /// The bottom of the room it must have above the notes of a page. The line spacing below a line is part of that.
    pub fn room_bottom(&self) -> f32 {
        match &self.content {
            Content::Row(piece) if piece.to.is_none() && !piece.repeated => {
                self.bottom() + piece.table.border_below(piece.row)
            }
            _ => self.bottom(),
        }
    }

    /// The bottom of the room it must have on a page without notes: Word lets the line spacing below the last line hang out of it. (Measured
    /// on Word's own page starts and page counts: ten pages of six documents, and none above notes.)
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

/// A line of a paragraph; `beside` are its further pieces on the other side of floats.
pub(super) struct LineUnit<'a> {
    pub paragraph: &'a Paragraph,
    pub line: Line,
    pub beside: Vec<Line>,
    pub first: bool,
    pub last: bool,
    /// Above and below the line, inside the paragraph's borders.
    pub border_above: f32,
    pub border_below: f32,
}

impl LineUnit<'_> {
    /// Its pieces from left to right.
    pub fn pieces(&self) -> impl Iterator<Item = &Line> {
        std::iter::once(&self.line).chain(&self.beside)
    }

    /// Nothing but a break that ends the column it stands in, however full that is, not the next: a column break (§17.18.3), or a page break
    /// that text of its paragraph follows. (A page break that ends its paragraph goes with the paragraph's mark, which needs its line.)
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

/// A row of a table, or the part of it that stands in this column.
#[derive(Clone)]
pub(super) struct RowPiece<'a> {
    pub table: Rc<TableLayout<'a>>,
    pub row: usize,
    pub from: Option<Rc<Cut>>,
    pub to: Option<Rc<Cut>>,
    /// A header row set again at the top of a column.
    pub repeated: bool,
}

/// Blocks set one below the other in a given width and as much height as they need.
#[derive(Default)]
pub(super) struct Galley<'a> {
    pub units: Vec<Unit<'a>>,
    pub floats: Vec<Float<'a>>,
    /// To the bottom of the last paragraph's space after.
    pub height: f32,
    /// The same, without regard to floats.
    pub text_height: f32,
    /// Footnotes called, with the unit each is called in: few units call any, and a row over many pages asks on each.
    pub notes: Vec<(usize, i64)>,
}

impl Galley<'_> {
    /// The bottom of its last line that shows something: without the space below it, and without empty paragraphs.
    pub fn seen_bottom(&self) -> f32 {
        let is_empty = |line: &Line| line.items.is_empty() && line.inline_drawings.is_empty();
        let shows = |unit: &&Unit<'_>| unit.line().is_none_or(|line| !line.pieces().all(is_empty));
        self.units.iter().filter(shows).map(Unit::text_bottom).fold(0.0, f32::max)
    }
}

/// A table whose columns and rows are measured.
#[derive(Clone)]
pub(super) struct TableLayout<'a> {
    pub table: &'a Table,
    /// From the column's left edge.
    pub x: f32,
    pub width: f32,
    pub rows: Vec<RowLayout<'a>>,
    /// Rows at the top that are set again on every page.
    pub header_rows: usize,
    /// Below the last row, for its borders.
    pub bottom_border: f32,
}

#[derive(Clone)]
pub(super) struct RowLayout<'a> {
    pub row: &'a Row,
    pub cells: Vec<CellLayout<'a>>,
    pub height: f32,
    /// Room for the borders above its cells.
    pub top_border: f32,
    /// How much of its height is there only for a cell that is merged over rows.
    pub stretched: f32,
    /// Its rule, not its content, makes it as high as it is.
    pub higher_than_content: bool,
}

#[derive(Clone)]
pub(super) struct CellLayout<'a> {
    pub cell: &'a Cell,
    /// From the table's left edge.
    pub x: f32,
    pub width: f32,
    pub galley: Rc<Galley<'a>>,
    pub merge: Merge,
    /// Of a cell whose text is turned: the length of its lines.
    pub turned: Option<f32>,
    /// The largest of its row.
    pub top_margin: f32,
}

/// A cell's part in a vertical merge (§17.4.84).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merge {
    None,
    /// It covers so many rows.
    Start(usize),
    /// It is covered by the cell of that row.
    Covered {
        row: usize,
        cell: usize,
    },
}

impl<'a> TableLayout<'a> {
    /// The cell itself or, if it is covered, the one that covers it; and the row it begins in.
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

    /// What the border below a row takes where the row ends its page: Word lets no border hang out of a page. (That of the last row is
    /// part of the table's height.)
    pub fn border_below(&self, row: usize) -> f32 {
        if row + 1 >= self.rows.len() || self.table.properties.cell_spacing > 0.0 {
            return 0.0;
        }
        let ending = self.cells(row).iter().filter(|cell| !matches!(cell.merge, Merge::Start(_)));
        ending.map(|cell| thickness(visible(cell.cell.borders.bottom))).fold(0.0, f32::max)
    }
}

impl CellLayout<'_> {
    /// Whether this is merged over the rows from `start`, its own, to `row`.
    pub fn ends_in(&self, start: usize, row: usize) -> bool {
        matches!(self.merge, Merge::Start(span) if start + span == row + 1)
    }

    pub fn vertical_margins(&self) -> f32 {
        self.top_margin + positive(self.cell.margins.bottom, 0.0)
    }
}

/// Room that lines stay out of, in the coordinates of the column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Exclusion {
    /// What floats.
    pub object: Rect,
    /// The same with the distances that text is to keep from it.
    pub area: Rect,
    pub wrap: Wrap,
}

impl Exclusion {
    /// Of an object that text keeps these distances from: at the left, at the right, above and below.
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
    /// The unit it goes with: if that moves to another column, so does the float.
    pub unit: usize,
    pub behind: bool,
    pub z_order: i64,
    pub content: FloatContent<'a>,
    /// Footnotes called in it.
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
