//! Converts laid-out fragments to items on a canvas.

use std::rc::Rc;
use std::sync::Arc;

use waraq_docx::tree::{Anchor, Drawing};

use super::areas::Frame;
use super::drawing;
use super::setter::Setter;
use super::table::{cut::nested_height, paint as table};
use super::unit::{Content, Cut, Float, FloatContent, Galley, LineUnit, MergedRests, Point, RowPiece, Unit, footnotes};
use super::{decorate, float, walk};
use crate::geometry::move_item;
use crate::page::{ElementId, Item, Placed, Rect};
use crate::text::Line;

/// A canvas for columns: three layers of items, and data collected while painting.
#[derive(Default)]
pub(super) struct Canvas {
    /// Items behind the text, with their z-order. `front` has the items in front of the text.
    pub behind: Vec<(i64, Vec<Placed>)>,
    pub body: Vec<Placed>,
    pub front: Vec<(i64, Vec<Placed>)>,
    /// Names of bookmarks with their positions on the page.
    pub bookmarks: Vec<(Arc<str>, f32, f32)>,
    /// Headings: title, level, vertical position on the page.
    pub headings: Vec<(String, u8, f32)>,
    /// Ids of the footnotes whose marks are on the canvas.
    pub notes: Vec<i64>,
    /// Ids of comments with the positions of their references.
    pub comments: Vec<(Arc<str>, f32, f32)>,
    /// Top and bottom on the page of lines with tracked changes.
    pub changed: Vec<(f32, f32)>,
    /// Baselines of lines that are counted by line numbering.
    pub baselines: Vec<f32>,
}

impl Canvas {
    /// Takes the layers and returns them in one list in painting order.
    pub fn flatten(&mut self) -> Vec<Placed> {
        self.behind.sort_by_key(|(order, _)| *order);
        self.front.sort_by_key(|(order, _)| *order);
        let mut items: Vec<Placed> = self.behind.drain(..).flat_map(|(_, items)| items).collect();
        items.append(&mut self.body);
        items.extend(self.front.drain(..).flat_map(|(_, items)| items));
        items
    }
}

/// Converts fragments to items, and collects them on its canvas.
pub(super) struct Painter<'s, 'a> {
    pub setter: &'s Setter<'a>,
    pub canvas: Canvas,
    /// Remaining content of merged cells for the next column.
    pub merged: MergedRests,
    /// True for headers, footers and repeated rows, which are not part of the logical structure.
    pub artifact: bool,
    /// The frame of the column that is being painted.
    pub frame: Frame,
    /// The frame of the column that contains the outermost table, with the column's top left corner on the canvas. `None`
    /// outside tables, and in rotated cells, which are painted in their own coordinates.
    pub column: Option<(Frame, f32, f32)>,
    /// Number of enclosing tables.
    depth: u8,
}

impl<'s, 'a> Painter<'s, 'a> {
    pub fn new(setter: &'s Setter<'a>, frame: Frame) -> Self {
        Self {
            setter,
            canvas: Canvas::default(),
            merged: MergedRests::new(),
            artifact: false,
            frame,
            column: None,
            depth: 0,
        }
    }

    /// Paints the content of an unbounded column and its floats, with the top left corner at (x, y).
    pub fn galley(&mut self, galley: &Galley<'a>, x: f32, y: f32) {
        self.units(&galley.units, x, y);
        for float in &galley.floats {
            self.float(float, x, y);
        }
    }

    /// Paints fragments of a column whose top left corner is at (x, y).
    pub fn units(&mut self, units: &[Unit<'a>], x: f32, y: f32) {
        decorate::paragraphs(&mut self.canvas.body, units, self.frame.width, x, y);
        let of_one_table =
            |a: &Unit<'_>, b: &Unit<'_>| a.row().zip(b.row()).is_some_and(|(a, b)| Rc::ptr_eq(&a.table, &b.table));
        for together in units.chunk_by(of_one_table) {
            match together {
                [Unit { content: Content::Line(line), y: top, .. }] => self.line(line, x, y + top),
                rows => self.fragment(rows, x, y),
            }
        }
    }

    /// Paints adjacent rows of one table.
    fn fragment(&mut self, units: &[Unit<'a>], x: f32, y: f32) {
        if self.depth > 30 {
            return;
        }
        self.depth += 1;
        let rows: Vec<_> = units.iter().filter_map(|unit| Some((unit.row()?, y + unit.y, unit.height))).collect();
        let outer = self.column;
        self.column = outer.or(Some((self.frame, x, y)));
        table::rows(self, &rows, x);
        self.column = outer;
        self.depth -= 1;
    }

    /// Paints the content of an unbounded column between two breaks, with the top of that part at `y`. Without `from`, the part
    /// begins at the start; without `to`, it ends at the end.
    pub fn part(&mut self, galley: &Galley<'a>, from: Option<&Point>, to: Option<&Point>, x: f32, y: f32) {
        let first = from.map_or(0, |point| point.unit);
        let end_inner = to.and_then(|point| point.inner.clone());
        let end = to.map_or(galley.units.len(), |point| point.unit + usize::from(end_inner.is_some()));
        let end = end.min(galley.units.len());
        let Some(units) = galley.units.get(first..end) else { return };
        let begun = from.and_then(|point| point.inner.clone());
        let top = if first == 0 { 0.0 } else { units.first().map_or(0.0, |unit| unit.y) };
        if begun.is_none() && end_inner.is_none() {
            self.units(units, x, y - top);
        } else {
            self.split_part(units, begun, end_inner, x, y);
        }
        for float in
            galley.floats.iter().filter(|float| float.unit >= first && (float.unit < end || end == galley.units.len()))
        {
            self.float(float, x, y - top);
        }
    }

    /// Paints fragments of which the first or the last is a row of a nested table that is itself split. The first row begins at
    /// the break `begun`, and the last ends at the break `ended`.
    fn split_part(&mut self, units: &[Unit<'a>], begun: Option<Rc<Cut>>, ended: Option<Rc<Cut>>, x: f32, y: f32) {
        let mut top = y;
        let mut run_start = 0;
        let last = units.len().saturating_sub(1);
        for (index, unit) in units.iter().enumerate() {
            let Some(piece) = unit.row() else { continue };
            let from = if index == 0 { begun.clone() } else { None };
            let to = if index == last { ended.clone() } else { None };
            if from.is_none() && to.is_none() {
                continue;
            }
            if let Some(first) = units.get(run_start..index).and_then(|run| run.first()) {
                self.units(&units[run_start..index], x, top - first.y);
                top += unit.y - first.y;
            }
            let height = nested_height(&piece.table, piece.row, from.as_deref(), to.as_deref());
            let piece = RowPiece { from, to, ..piece.clone() };
            table::rows(self, &[(&piece, top, height)], x);
            top += height + units.get(index + 1).map_or(0.0, |next| next.y - unit.bottom());
            run_start = index + 1;
        }
        if let Some(first) = units.get(run_start) {
            self.units(&units[run_start..], x, top - first.y);
        }
    }

    fn line(&mut self, unit: &LineUnit<'_>, x: f32, y: f32) {
        let paragraph = unit.paragraph;
        let element = if self.artifact { None } else { self.setter.elements.get(paragraph.id) };
        if unit.first
            && !self.artifact
            && let Some(level) = paragraph.properties.outline_level
        {
            let title = walk::text_of_paragraph(paragraph);
            if !title.is_empty() {
                self.canvas.headings.push((title, level, y));
            }
        }
        if !paragraph.properties.suppress_line_numbers && !self.artifact && self.depth == 0 {
            self.canvas.baselines.push(y + unit.border_above + unit.line.baseline);
        }
        if unit.line.changed {
            let top = y + unit.border_above;
            self.canvas.changed.push((top, top + unit.line.height));
        }
        self.line_piece(&unit.line, element, x, y + unit.border_above);
        for piece in &unit.beside {
            self.line_piece(piece, element, x, y + unit.border_above);
        }
    }

    fn line_piece(&mut self, line: &Line, element: Option<ElementId>, x: f32, y: f32) {
        for (index, placed) in line.items.iter().enumerate() {
            let mut item = placed.item.clone();
            move_item(&mut item, x, y);
            let object = line.objects.get(line.objects.partition_point(|(items, _)| items.end <= index));
            let object = object.filter(|(items, _)| items.contains(&index));
            let object = object.and_then(|(_, node)| self.setter.elements.get(*node));
            let text = matches!(item, Item::Glyphs(_) | Item::Image(_) | Item::Group { .. });
            let element = object.or(placed.element).or(element.filter(|_| text));
            self.canvas.body.push(Placed { item, element: element.filter(|_| !self.artifact) });
        }
        for (area, target) in &line.links {
            let item = Item::Link { area: area.moved(x, y), target: target.clone() };
            self.canvas.body.push(Placed { item, element });
        }
        for (area, field) in &line.values {
            let item = Item::Value { area: area.moved(x, y), field: *field };
            self.canvas.body.push(Placed { item, element });
        }
        for (drawing, area) in &line.inline_drawings {
            let area = area.moved(x, y);
            self.canvas.body.extend(drawing::items(self.setter, drawing, area, &self.frame, self.artifact));
        }
        for name in &line.bookmarks {
            self.canvas.bookmarks.push((name.clone(), x + line.text_left, y));
        }
        for (id, left) in &line.comments {
            self.canvas.comments.push((Arc::clone(id), x + left, y + line.baseline));
        }
        self.canvas.notes.extend(footnotes(line));
    }

    /// Paints a float of a column with its origin at (x, y).
    pub fn float(&mut self, float: &Float<'a>, x: f32, y: f32) {
        let area = float.area.moved(x, y);
        let items = match &float.content {
            FloatContent::Drawing(drawing) => {
                let area = self.outside_cell(drawing, area);
                drawing::items(self.setter, drawing, area, &self.frame, self.artifact)
            }
            FloatContent::Frame(galley) => {
                let outer = self.frame;
                self.frame = Frame { width: area.width, ..outer };
                let items = self.apart(|painter| painter.galley(galley, area.x, area.y));
                self.frame = outer;
                items
            }
            FloatContent::Table(pieces) => {
                let rows: Vec<_> = pieces.iter().map(|(piece, top, height)| (piece, area.y + top, *height)).collect();
                // The position of the float replaces the position that the table would have in the flow.
                let left = area.x - pieces.first().map_or(0.0, |(piece, ..)| piece.table.x);
                let outer = self.column;
                self.column = outer.or(Some((self.frame, x, y)));
                let items = self.apart(|painter| table::rows(painter, &rows, left));
                self.column = outer;
                items
            }
        };
        let layer = if float.behind { &mut self.canvas.behind } else { &mut self.canvas.front };
        layer.push((float.z_order, items));
    }

    /// Returns the area of a drawing, which differs from `area` if the drawing is placed as if there were no table. `area` is
    /// its area as laid out in the cell.
    fn outside_cell(&self, drawing: &Drawing, area: Rect) -> Rect {
        let leaves = |anchor: &&Anchor| float::leaves_cells(anchor, &self.setter.document.settings);
        match (float::anchor_of(drawing).filter(leaves), self.column) {
            (Some(anchor), Some((column, x, y))) => {
                float::area_outside_cell(anchor, &column, area.moved(-x, -y)).moved(x, y)
            }
            _ => area,
        }
    }

    /// Paints on separate layers and returns their items. Line numbering does not count the lines painted there.
    fn apart(&mut self, paint: impl FnOnce(&mut Self)) -> Vec<Placed> {
        let Canvas { behind, body, front, baselines, .. } = &mut self.canvas;
        let counted = baselines.len();
        let outer = (std::mem::take(behind), std::mem::take(body), std::mem::take(front));
        paint(self);
        let items = self.canvas.flatten();
        (self.canvas.behind, self.canvas.body, self.canvas.front) = outer;
        self.canvas.baselines.truncate(counted);
        items
    }
}
