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
use super::style_references::StyledTextKey;
use super::table::paint::{self as table, PlacedRow};
use super::table::row_break::nested_row_height;
use super::{decorate, float, walk};
use crate::geometry::{VerticalExtent, move_item};
use crate::page::{DisplayItem, ElementId, Point, Rect, TaggedItem};
use crate::text::Line;

/// A canvas on which columns are painted: three layers of items, and data about the painted content.
#[derive(Default)]
pub(super) struct Canvas {
    /// Floats behind the text.
    pub behind: Vec<PaintedFloat>,
    pub body: Vec<TaggedItem>,
    /// Floats in front of the text.
    pub front: Vec<PaintedFloat>,
    /// Bookmarks, by name.
    pub bookmarks: Vec<NamedPosition>,
    pub headings: Vec<PaintedHeading>,
    /// Texts on the canvas that STYLEREF fields may show.
    pub styled_texts: Vec<StyledTextKey>,
    /// Ids of the footnotes whose marks are on the canvas.
    pub footnotes: Vec<i64>,
    /// References to comments, by the id of the comment.
    pub comments: Vec<NamedPosition>,
    /// The top and bottom of each line with tracked changes, as positions on the page.
    pub changed_lines: Vec<VerticalExtent>,
    /// Baselines of the lines that line numbering counts.
    pub baselines: Vec<f32>,
}

/// The items of a float.
pub(super) struct PaintedFloat {
    /// Floats with a larger number are in front of floats with a smaller number in the same layer.
    pub z_order: i64,
    /// The items in painting order.
    pub items: Vec<TaggedItem>,
}

/// A bookmark or a reference to a comment, with its position on the page.
pub(super) struct NamedPosition {
    /// The name of the bookmark, or the id of the comment.
    pub name: Arc<str>,
    /// For a bookmark, the top of its line, at the left end of the line's text. For a comment, the point on the baseline at which
    /// the comment is referenced.
    pub position: Point,
}

/// A heading for the outline of the document.
pub(super) struct PaintedHeading {
    /// The text of the heading. It is not empty.
    pub title: String,
    /// Outline level, where 0 is the top level.
    pub level: u8,
    /// Top of the heading on the page in points.
    pub y: f32,
}

/// A column with its position on the canvas.
#[derive(Clone, Copy)]
pub(super) struct PlacedColumn {
    /// The frame of the column.
    pub frame: Frame,
    /// The top left corner of the column.
    pub origin: Point,
}

impl Canvas {
    /// Empties the layers and returns their items in painting order.
    pub fn take_items(&mut self) -> Vec<TaggedItem> {
        self.behind.sort_by_key(|float| float.z_order);
        self.front.sort_by_key(|float| float.z_order);
        let mut items: Vec<TaggedItem> = self.behind.drain(..).flat_map(|float| float.items).collect();
        items.append(&mut self.body);
        items.extend(self.front.drain(..).flat_map(|float| float.items));
        items
    }
}

/// Converts fragments to items, and collects the items on its canvas.
pub(super) struct Painter<'s, 'a> {
    pub ctx: &'s LayoutContext<'a>,
    pub canvas: Canvas,
    /// The breaks at which vertically merged cells resume in the next column, by the id of the cell.
    pub merged: MergedCellBreaks,
    /// True for headers, footers and repeated rows, which are not part of the logical structure.
    pub artifact: bool,
    /// The frame of the column that is being painted.
    pub frame: Frame,
    /// The column that contains the outermost table. `None` outside tables, and in rotated cells, which are painted in their
    /// own coordinates.
    pub table_column: Option<PlacedColumn>,
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

    /// Paints the content of an unbounded column and its floats. The top left corner of the column is at (x, y).
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
            .filter_map(|fragment| {
                Some(PlacedRow { fragment: fragment.row_fragment()?, top: y + fragment.y, height: fragment.height })
            })
            .collect();
        let outer = self.table_column;
        self.table_column = outer.or(Some(PlacedColumn { frame: self.frame, origin: Point { x, y } }));
        table::paint_rows(self, &rows, x);
        self.table_column = outer;
        self.depth -= 1;
    }

    /// Paints the part of an unbounded column between two breaks. The top of that part is at `y`. If `from` is `None`, the part
    /// begins at the start of the column. If `to` is `None`, it ends at the end of the column.
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

    /// Paints fragments of a cell. The first and the last fragment may be split rows of a nested table. The first one begins at
    /// the break `begun`, and the last one ends at the break `ended`. `None` means that the row is not split there.
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
            table::paint_rows(self, &[PlacedRow { fragment: &row_fragment, top, height }], x);
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
                self.canvas.headings.push(PaintedHeading { title, level, y });
            }
        }
        self.record_styled_texts(fragment);
        if !paragraph.properties.suppress_line_numbers && !self.artifact && self.depth == 0 {
            self.canvas.baselines.push(y + fragment.border_above + fragment.line.baseline);
        }
        if fragment.line.has_tracked_change {
            let top = y + fragment.border_above;
            self.canvas.changed_lines.push(VerticalExtent { top, bottom: top + fragment.line.height });
        }
        let label = self.ctx.elements.label_of(paragraph.id).filter(|_| !self.artifact);
        for part in fragment.parts() {
            self.paint_line_part(part, element, label, x, y + fragment.border_above);
        }
    }

    /// Records the texts that begin in the line and that STYLEREF fields may show.
    fn record_styled_texts(&mut self, fragment: &LineFragment<'_>) {
        if self.artifact {
            return;
        }
        let inlines = fragment.parts().flat_map(|part| &part.styled_texts).map(|inline| Some(*inline));
        let begun = fragment.first.then_some(None).into_iter().chain(inlines);
        let keys = begun.map(|inline| StyledTextKey { paragraph: fragment.paragraph.id, inline });
        self.canvas.styled_texts.extend(keys.filter(|key| self.ctx.field_results.is_styled_text(key)));
    }

    /// Paints a line or a part of a line. `element` is the structure element of the paragraph. `label` is the structure element
    /// of the paragraph's numbering label.
    fn paint_line_part(&mut self, line: &Line, element: Option<ElementId>, label: Option<ElementId>, x: f32, y: f32) {
        for (index, placed) in line.items.iter().enumerate() {
            let mut item = placed.item.clone();
            move_item(&mut item, x, y);
            let object = line.objects.get(line.objects.partition_point(|object| object.items.end <= index));
            let object = object.filter(|object| object.items.contains(&index));
            let object = object.and_then(|object| self.ctx.elements.get(object.node));
            let text = matches!(item, DisplayItem::Glyphs(_) | DisplayItem::Image(_) | DisplayItem::Group { .. });
            let own = if line.label_items.contains(&index) { label.or(element) } else { element };
            let element = object.or(placed.element).or(own.filter(|_| text));
            self.canvas.body.push(TaggedItem { item, element: element.filter(|_| !self.artifact) });
        }
        for link in &line.links {
            let item = DisplayItem::Link { area: link.area.translated(x, y), target: link.target.clone() };
            self.canvas.body.push(TaggedItem { item, element });
        }
        for value in &line.value_areas {
            let item = DisplayItem::Value { area: value.area.translated(x, y), field: value.field };
            self.canvas.body.push(TaggedItem { item, element });
        }
        for inline in &line.inline_drawings {
            let (drawing, area) = (&inline.drawing, inline.area.translated(x, y));
            self.canvas.body.extend(drawing::drawing_items(self.ctx, drawing, area, &self.frame, self.artifact));
        }
        for name in &line.bookmarks {
            let position = Point { x: x + line.text_left, y };
            self.canvas.bookmarks.push(NamedPosition { name: name.clone(), position });
        }
        for comment in &line.comments {
            let position = Point { x: x + comment.x, y: y + line.baseline };
            self.canvas.comments.push(NamedPosition { name: Arc::clone(&comment.id), position });
        }
        self.canvas.footnotes.extend(footnote_ids(line));
    }

    /// Paints a float of a column. The origin of the column is at (x, y).
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
                    .map(|row| PlacedRow { fragment: &row.fragment, top: area.y + row.top, height: row.height })
                    .collect();
                // The table is painted at the position of the float instead of the position that it would have in the flow.
                let left = area.x - row_fragments.first().map_or(0.0, |row| row.fragment.table.x);
                let outer = self.table_column;
                self.table_column = outer.or(Some(PlacedColumn { frame: self.frame, origin: Point { x, y } }));
                let items = self.paint_separately(|painter| table::paint_rows(painter, &rows, left));
                self.table_column = outer;
                items
            }
        };
        let layer = if float.behind { &mut self.canvas.behind } else { &mut self.canvas.front };
        layer.push(PaintedFloat { z_order: float.z_order, items });
    }

    /// Returns the area of a drawing on the canvas. `area` is its area as laid out in the cell. The result differs from `area`
    /// only if the drawing is positioned as if there were no table.
    fn drawing_area(&self, drawing: &Drawing, area: Rect) -> Rect {
        let leaves = |anchor: &&Anchor| float::ignores_cell(anchor, &self.ctx.document.settings);
        match (float::anchor_of(drawing).filter(leaves), self.table_column) {
            (Some(anchor), Some(PlacedColumn { frame, origin: Point { x, y } })) => {
                float::area_outside_cell(anchor, &frame, area.translated(-x, -y)).translated(x, y)
            }
            _ => area,
        }
    }

    /// Runs `paint` on separate layers and returns the items of these layers. Line numbering does not count the lines painted
    /// there.
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
