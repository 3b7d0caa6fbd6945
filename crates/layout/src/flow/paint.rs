//! Converts laid-out fragments to items on a canvas.

use std::rc::Rc;
use std::sync::Arc;

use waraq_docx::tree::{Anchor, Drawing};

use super::areas::Frame;
use super::context::LayoutContext;
use super::drawing;
use super::fragment::{
    CellBreak, Float, FloatContent, Fragment, FragmentContent, LineFragment, MergedCellBreaks, RowBreak, RowFragment,
    UnboundedColumn, footnote_ids,
};
use super::table::{paint as table, row_break::nested_row_height};
use super::{decorate, float, walk};
use crate::geometry::move_item;
use crate::page::{DisplayItem, ElementId, Rect, TaggedItem};
use crate::text::Line;

/// A canvas for columns: three layers of items, and data collected while painting.
#[derive(Default)]
pub(super) struct Canvas {
    /// Items behind the text, with their z-order. `front` has the items in front of the text.
    pub behind: Vec<(i64, Vec<TaggedItem>)>,
    pub body: Vec<TaggedItem>,
    pub front: Vec<(i64, Vec<TaggedItem>)>,
    /// Names of bookmarks with their positions on the page.
    pub bookmarks: Vec<(Arc<str>, f32, f32)>,
    /// Headings: title, level, vertical position on the page.
    pub headings: Vec<(String, u8, f32)>,
    /// Ids of the footnotes whose marks are on the canvas.
    pub footnotes: Vec<i64>,
    /// Ids of comments with the positions of their references.
    pub comments: Vec<(Arc<str>, f32, f32)>,
    /// Top and bottom on the page of lines with tracked changes.
    pub changed_lines: Vec<(f32, f32)>,
    /// Baselines of lines that are counted by line numbering.
    pub baselines: Vec<f32>,
}

impl Canvas {
    /// Takes the layers and returns them in one list in painting order.
    pub fn take_items(&mut self) -> Vec<TaggedItem> {
        self.behind.sort_by_key(|(order, _)| *order);
        self.front.sort_by_key(|(order, _)| *order);
        let mut items: Vec<TaggedItem> = self.behind.drain(..).flat_map(|(_, items)| items).collect();
        items.append(&mut self.body);
        items.extend(self.front.drain(..).flat_map(|(_, items)| items));
        items
    }
}

/// Converts fragments to items, and collects them on its canvas.
pub(super) struct Painter<'s, 'a> {
    pub ctx: &'s LayoutContext<'a>,
    pub canvas: Canvas,
    /// Remaining content of merged cells for the next column.
    pub merged: MergedCellBreaks,
    /// True for headers, footers and repeated rows, which are not part of the logical structure.
    pub artifact: bool,
    /// The frame of the column that is being painted.
    pub frame: Frame,
    /// The frame of the column that contains the outermost table, with the column's top left corner on the canvas. `None`
    /// outside tables, and in rotated cells, which are painted in their own coordinates.
    pub table_column: Option<(Frame, f32, f32)>,
    /// Number of enclosing tables.
    depth: u8,
}

impl<'s, 'a> Painter<'s, 'a> {
    pub fn new(ctx: &'s LayoutContext<'a>, frame: Frame) -> Self {
        Self {
            ctx,
            canvas: Canvas::default(),
            merged: MergedCellBreaks::new(),
            artifact: false,
            frame,
            table_column: None,
            depth: 0,
        }
    }

    /// Paints the content of an unbounded column and its floats, with the top left corner at (x, y).
    pub fn paint_unbounded(&mut self, content: &UnboundedColumn<'a>, x: f32, y: f32) {
        self.paint_fragments(&content.fragments, x, y);
        for float in &content.floats {
            self.paint_float(float, x, y);
        }
    }

    /// Paints fragments of a column whose top left corner is at (x, y).
    pub fn paint_fragments(&mut self, fragments: &[Fragment<'a>], x: f32, y: f32) {
        decorate::paint_decorations(&mut self.canvas.body, fragments, self.frame.width, x, y);
        let of_one_table = |a: &Fragment<'_>, b: &Fragment<'_>| {
            a.row_fragment().zip(b.row_fragment()).is_some_and(|(a, b)| Rc::ptr_eq(&a.table, &b.table))
        };
        for together in fragments.chunk_by(of_one_table) {
            match together {
                [Fragment { content: FragmentContent::Line(line), y: top, .. }] => self.paint_line(line, x, y + top),
                rows => self.paint_table_rows(rows, x, y),
            }
        }
    }

    /// Paints adjacent rows of one table.
    fn paint_table_rows(&mut self, fragments: &[Fragment<'a>], x: f32, y: f32) {
        if self.depth > 30 {
            return;
        }
        self.depth += 1;
        let rows: Vec<_> = fragments
            .iter()
            .filter_map(|fragment| Some((fragment.row_fragment()?, y + fragment.y, fragment.height)))
            .collect();
        let outer = self.table_column;
        self.table_column = outer.or(Some((self.frame, x, y)));
        table::paint_rows(self, &rows, x);
        self.table_column = outer;
        self.depth -= 1;
    }

    /// Paints the content of an unbounded column between two breaks, with the top of that part at `y`. Without `from`, the part
    /// begins at the start; without `to`, it ends at the end.
    pub fn paint_between(
        &mut self,
        content: &UnboundedColumn<'a>,
        from: Option<&CellBreak>,
        to: Option<&CellBreak>,
        x: f32,
        y: f32,
    ) {
        let first = from.map_or(0, |cell_break| cell_break.fragment_index);
        let end_inner = to.and_then(|cell_break| cell_break.inner.clone());
        let end = to
            .map_or(content.fragments.len(), |cell_break| cell_break.fragment_index + usize::from(end_inner.is_some()));
        let end = end.min(content.fragments.len());
        let Some(fragments) = content.fragments.get(first..end) else { return };
        let begun = from.and_then(|cell_break| cell_break.inner.clone());
        let top = if first == 0 { 0.0 } else { fragments.first().map_or(0.0, |fragment| fragment.y) };
        if begun.is_none() && end_inner.is_none() {
            self.paint_fragments(fragments, x, y - top);
        } else {
            self.paint_split_rows(fragments, begun, end_inner, x, y);
        }
        for float in content.floats.iter().filter(|float| {
            float.fragment_index >= first && (float.fragment_index < end || end == content.fragments.len())
        }) {
            self.paint_float(float, x, y - top);
        }
    }

    /// Paints fragments of which the first or the last is a row of a nested table that is itself split. The first row begins at
    /// the break `begun`, and the last ends at the break `ended`.
    fn paint_split_rows(
        &mut self,
        fragments: &[Fragment<'a>],
        begun: Option<Rc<RowBreak>>,
        ended: Option<Rc<RowBreak>>,
        x: f32,
        y: f32,
    ) {
        let mut top = y;
        let mut run_start = 0;
        let last = fragments.len().saturating_sub(1);
        for (index, fragment) in fragments.iter().enumerate() {
            let Some(row_fragment) = fragment.row_fragment() else { continue };
            let from = if index == 0 { begun.clone() } else { None };
            let to = if index == last { ended.clone() } else { None };
            if from.is_none() && to.is_none() {
                continue;
            }
            if let Some(first) = fragments.get(run_start..index).and_then(|run| run.first()) {
                self.paint_fragments(&fragments[run_start..index], x, top - first.y);
                top += fragment.y - first.y;
            }
            let height = nested_row_height(&row_fragment.table, row_fragment.row, from.as_deref(), to.as_deref());
            let row_fragment = RowFragment { from, to, ..row_fragment.clone() };
            table::paint_rows(self, &[(&row_fragment, top, height)], x);
            top += height + fragments.get(index + 1).map_or(0.0, |next| next.y - fragment.bottom());
            run_start = index + 1;
        }
        if let Some(first) = fragments.get(run_start) {
            self.paint_fragments(&fragments[run_start..], x, top - first.y);
        }
    }

    fn paint_line(&mut self, fragment: &LineFragment<'_>, x: f32, y: f32) {
        let paragraph = fragment.paragraph;
        let element = if self.artifact { None } else { self.ctx.elements.get(paragraph.id) };
        if fragment.first
            && !self.artifact
            && let Some(level) = paragraph.properties.outline_level
        {
            let title = walk::paragraph_text(paragraph);
            if !title.is_empty() {
                self.canvas.headings.push((title, level, y));
            }
        }
        if !paragraph.properties.suppress_line_numbers && !self.artifact && self.depth == 0 {
            self.canvas.baselines.push(y + fragment.border_above + fragment.line.baseline);
        }
        if fragment.line.has_tracked_change {
            let top = y + fragment.border_above;
            self.canvas.changed_lines.push((top, top + fragment.line.height));
        }
        self.paint_line_part(&fragment.line, element, x, y + fragment.border_above);
        for row_fragment in &fragment.parts_beside_floats {
            self.paint_line_part(row_fragment, element, x, y + fragment.border_above);
        }
    }

    fn paint_line_part(&mut self, line: &Line, element: Option<ElementId>, x: f32, y: f32) {
        for (index, placed) in line.items.iter().enumerate() {
            let mut item = placed.item.clone();
            move_item(&mut item, x, y);
            let object = line.objects.get(line.objects.partition_point(|(items, _)| items.end <= index));
            let object = object.filter(|(items, _)| items.contains(&index));
            let object = object.and_then(|(_, node)| self.ctx.elements.get(*node));
            let text = matches!(item, DisplayItem::Glyphs(_) | DisplayItem::Image(_) | DisplayItem::Group { .. });
            let element = object.or(placed.element).or(element.filter(|_| text));
            self.canvas.body.push(TaggedItem { item, element: element.filter(|_| !self.artifact) });
        }
        for (area, target) in &line.links {
            let item = DisplayItem::Link { area: area.translated(x, y), target: target.clone() };
            self.canvas.body.push(TaggedItem { item, element });
        }
        for (area, field) in &line.value_areas {
            let item = DisplayItem::Value { area: area.translated(x, y), field: *field };
            self.canvas.body.push(TaggedItem { item, element });
        }
        for (drawing, area) in &line.inline_drawings {
            let area = area.translated(x, y);
            self.canvas.body.extend(drawing::drawing_items(self.ctx, drawing, area, &self.frame, self.artifact));
        }
        for name in &line.bookmarks {
            self.canvas.bookmarks.push((name.clone(), x + line.text_left, y));
        }
        for (id, left) in &line.comments {
            self.canvas.comments.push((Arc::clone(id), x + left, y + line.baseline));
        }
        self.canvas.footnotes.extend(footnote_ids(line));
    }

    /// Paints a float of a column with its origin at (x, y).
    pub fn paint_float(&mut self, float: &Float<'a>, x: f32, y: f32) {
        let area = float.area.translated(x, y);
        let items = match &float.content {
            FloatContent::Drawing(drawing) => {
                let area = self.drawing_area(drawing, area);
                drawing::drawing_items(self.ctx, drawing, area, &self.frame, self.artifact)
            }
            FloatContent::Frame(content) => {
                let outer = self.frame;
                self.frame = Frame { width: area.width, ..outer };
                let items = self.paint_separately(|painter| painter.paint_unbounded(content, area.x, area.y));
                self.frame = outer;
                items
            }
            FloatContent::Table(row_fragments) => {
                let rows: Vec<_> = row_fragments
                    .iter()
                    .map(|(row_fragment, top, height)| (row_fragment, area.y + top, *height))
                    .collect();
                // The position of the float replaces the position that the table would have in the flow.
                let left = area.x - row_fragments.first().map_or(0.0, |(row_fragment, ..)| row_fragment.table.x);
                let outer = self.table_column;
                self.table_column = outer.or(Some((self.frame, x, y)));
                let items = self.paint_separately(|painter| table::paint_rows(painter, &rows, left));
                self.table_column = outer;
                items
            }
        };
        let layer = if float.behind { &mut self.canvas.behind } else { &mut self.canvas.front };
        layer.push((float.z_order, items));
    }

    /// Returns the area of a drawing, which differs from `area` if the drawing is placed as if there were no table. `area` is
    /// its area as laid out in the cell.
    fn drawing_area(&self, drawing: &Drawing, area: Rect) -> Rect {
        let leaves = |anchor: &&Anchor| float::ignores_cell(anchor, &self.ctx.document.settings);
        match (float::anchor_of(drawing).filter(leaves), self.table_column) {
            (Some(anchor), Some((column, x, y))) => {
                float::area_outside_cell(anchor, &column, area.translated(-x, -y)).translated(x, y)
            }
            _ => area,
        }
    }

    /// Paints on separate layers and returns their items. Line numbering does not count the lines painted there.
    fn paint_separately(&mut self, paint: impl FnOnce(&mut Self)) -> Vec<TaggedItem> {
        let Canvas { behind, body, front, baselines, .. } = &mut self.canvas;
        let counted = baselines.len();
        let outer = (std::mem::take(behind), std::mem::take(body), std::mem::take(front));
        paint(self);
        let items = self.canvas.take_items();
        (self.canvas.behind, self.canvas.body, self.canvas.front) = outer;
        self.canvas.baselines.truncate(counted);
        items
    }
}
