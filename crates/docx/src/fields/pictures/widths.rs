//! The width that is available for a picture in a paragraph: that of its table cell, text box or text column.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use waraq_graphics::xml::values::{emu, twips};

use crate::package::attribute;

/// The left and right margins of a table cell in points if the table has no others (§17.4.42).
const CELL_MARGIN: f32 = 5.4;
/// The left and right insets of a text box in points if it has no others (§20.4.2.22).
const TEXT_BOX_INSET: f32 = 7.2;
/// The width that a picture has at least, in points, however narrow its cell is.
const MIN_WIDTH: f32 = 3.0;

/// The elements whose children are properties that this module reads.
const PARENTS: [&str; 7] = ["pPr", "tblGrid", "tblCellMar", "tcMar", "tcPr", "sectPr", "sectPrChange"];

/// The available width in each paragraph of a part.
#[derive(Debug, Default)]
pub(super) struct AvailableWidths {
    /// The paragraphs in the order of their starts: the byte offsets where they start and end, and the width in points.
    /// `None`: the width is not known.
    paragraphs: Vec<(usize, usize, Option<f32>)>,
    /// The width of the narrowest text column of the part in points. `None`: the part has no sections.
    pub narrowest_column: Option<f32>,
}

impl AvailableWidths {
    /// Reads the widths of a part. `column` is the width in points of the text columns, for a part without sections, such
    /// as a header. Reading stops at the first XML error.
    pub(super) fn read(source: &str, column: Option<f32>) -> Self {
        let mut reader = Reader::from_str(source);
        let mut state = WidthReader { column, ..WidthReader::default() };
        loop {
            let start = reader.buffer_position() as usize;
            match reader.read_event() {
                Ok(Event::Start(tag)) => state.open(&tag, start),
                Ok(Event::Empty(tag)) => {
                    state.open(&tag, start);
                    state.close(reader.buffer_position() as usize);
                }
                Ok(Event::End(_)) => state.close(reader.buffer_position() as usize),
                Ok(Event::Eof) | Err(_) => return state.finish(),
                Ok(_) => {}
            }
        }
    }

    /// Returns the width in points that is available at a byte offset of the part. Returns `None` if it is not known.
    pub(super) fn at(&self, position: usize) -> Option<f32> {
        let begun = self.paragraphs.partition_point(|(start, ..)| *start <= position);
        // Text boxes nest paragraphs, so the innermost paragraph is the last one that has not ended.
        let around = self.paragraphs.get(..begun)?.iter().rev().find(|(_, end, _)| position < *end);
        around.and_then(|(.., width)| *width).map(|width| width.max(MIN_WIDTH))
    }
}

/// An open element that determines widths.
enum Container {
    Paragraph {
        index: usize,
        indent: f32,
    },
    Table {
        grid: Vec<f32>,
        column: usize,
        margins: [f32; 2],
    },
    Cell {
        width: Option<f32>,
        span: usize,
        margins: [f32; 2],
    },
    /// A drawing or VML shape with its width.
    Drawing(Option<f32>),
    TextBox(Option<f32>),
    Section(Section),
    Other,
}

/// The widths of a section in points.
#[derive(Default)]
struct Section {
    page: Option<f32>,
    margins: f32,
    columns: usize,
    space: f32,
    /// The width of the narrowest column that has a width of its own.
    narrowest: Option<f32>,
}

impl Section {
    fn column_width(&self) -> Option<f32> {
        let columns = self.columns.max(1) as f32;
        let even = (self.page? - self.margins - self.space * (columns - 1.0)) / columns;
        Some(self.narrowest.map_or(even, |width| width.min(even.max(width))))
    }
}

#[derive(Default)]
struct WidthReader {
    widths: AvailableWidths,
    column: Option<f32>,
    /// The open elements, each with its local name if it is one of [`PARENTS`], or else with an empty name.
    open: Vec<(&'static str, Container)>,
    /// The paragraphs of the current section that are directly in its columns: the index and the indents in points.
    pending: Vec<(usize, f32)>,
}

impl WidthReader {
    fn finish(mut self) -> AvailableWidths {
        let column = self.column;
        self.end_section(column);
        self.widths
    }

    /// Gives the paragraphs of the section their width.
    fn end_section(&mut self, column: Option<f32>) {
        for (index, indent) in std::mem::take(&mut self.pending) {
            if let Some((.., width)) = self.widths.paragraphs.get_mut(index) {
                *width = column.map(|column| column - indent);
            }
        }
    }

    fn is_parent(&self, name: &str) -> bool {
        self.open.last().is_some_and(|(open, _)| *open == name)
    }

    fn table(&mut self) -> Option<(&mut Vec<f32>, &mut usize, &mut [f32; 2])> {
        self.open.iter_mut().rev().find_map(|(_, container)| match container {
            Container::Table { grid, column, margins } => Some((grid, column, margins)),
            _ => None,
        })
    }

    fn open(&mut self, tag: &BytesStart<'_>, start: usize) {
        let local_name = tag.local_name();
        let name = local_name.as_ref();
        let number = |attribute_name: &str| attribute(tag, attribute_name).as_deref().and_then(twips);
        let container = match name {
            "p" => {
                self.widths.paragraphs.push((start, usize::MAX, None));
                Container::Paragraph { index: self.widths.paragraphs.len() - 1, indent: 0.0 }
            }
            "tbl" => Container::Table { grid: Vec::new(), column: 0, margins: [CELL_MARGIN; 2] },
            "tc" => {
                let margins = self.table().map_or([CELL_MARGIN; 2], |(_, _, margins)| *margins);
                Container::Cell { width: None, span: 1, margins }
            }
            "sectPr" if !self.is_parent("sectPrChange") => Container::Section(Section::default()),
            "inline" | "anchor" => Container::Drawing(None),
            "shape" | "rect" | "roundrect" | "oval" => {
                let style = attribute(tag, "style").unwrap_or_default();
                Container::Drawing(waraq_graphics::vml::VmlStyle(&style).length("width"))
            }
            "txbxContent" => {
                let drawing = self.open.iter().rev().find_map(|(_, container)| match container {
                    Container::Drawing(width) => Some(*width),
                    _ => None,
                });
                Container::TextBox(drawing.flatten().map(|width| width - 2.0 * TEXT_BOX_INSET))
            }
            _ => {
                self.read_property(name, tag, &number);
                Container::Other
            }
        };
        let parent = PARENTS.into_iter().find(|parent| *parent == name).unwrap_or_default();
        self.open.push((parent, container));
    }

    /// Reads an element that is a property of an open element.
    fn read_property(&mut self, name: &str, tag: &BytesStart<'_>, number: &dyn Fn(&str) -> Option<f32>) {
        let side = match name {
            "left" | "start" => 0,
            _ => 1,
        };
        match name {
            "gridCol" if self.is_parent("tblGrid") => {
                let width = number("w").unwrap_or(0.0);
                if let Some((grid, ..)) = self.table() {
                    grid.push(width);
                }
            }
            "tr" => {
                if let Some((_, column, _)) = self.table() {
                    *column = 0;
                }
            }
            "gridBefore" => {
                let skipped = attribute(tag, "val").and_then(|value| value.parse::<usize>().ok()).unwrap_or(0);
                if let Some((_, column, _)) = self.table() {
                    *column = column.saturating_add(skipped);
                }
            }
            "left" | "start" | "right" | "end" if self.is_parent("tblCellMar") => {
                let margin = number("w").unwrap_or(CELL_MARGIN);
                if let Some((_, _, margins)) = self.table()
                    && let Some(kept) = margins.get_mut(side)
                {
                    *kept = margin;
                }
            }
            "left" | "start" | "right" | "end" if self.is_parent("tcMar") => {
                if let (Some(margin), Some(Container::Cell { margins, .. })) = (number("w"), self.nearest_cell())
                    && let Some(kept) = margins.get_mut(side)
                {
                    *kept = margin;
                }
            }
            "tcW" if self.is_parent("tcPr") => {
                let is_fixed = attribute(tag, "type").is_none_or(|kind| kind == "dxa");
                let own = number("w").filter(|width| is_fixed && *width > 0.0);
                if let Some(Container::Cell { width, .. }) = self.nearest_cell() {
                    *width = own;
                }
            }
            "gridSpan" => {
                let columns = attribute(tag, "val").and_then(|value| value.parse().ok()).unwrap_or(1);
                if let Some(Container::Cell { span, .. }) = self.nearest_cell() {
                    *span = columns;
                }
            }
            "extent" => {
                if let Some((_, Container::Drawing(width))) = self.open.last_mut() {
                    *width = attribute(tag, "cx").as_deref().and_then(emu);
                }
            }
            "ind" if self.is_parent("pPr") => {
                let of = |names: [&str; 2]| names.into_iter().find_map(number).unwrap_or(0.0);
                let both = of(["start", "left"]).max(0.0) + of(["end", "right"]).max(0.0);
                let parent = self.open.len().checked_sub(2).and_then(|at| self.open.get_mut(at));
                if let Some((_, Container::Paragraph { indent, .. })) = parent {
                    *indent = both;
                }
            }
            _ => {
                let Some((_, Container::Section(section))) =
                    self.open.iter_mut().rev().find(|(open, _)| *open == "sectPr")
                else {
                    return;
                };
                match name {
                    "pgSz" => section.page = number("w"),
                    "pgMar" => {
                        section.margins = ["left", "right", "gutter"].iter().filter_map(|side| number(side)).sum()
                    }
                    "cols" => {
                        section.columns = attribute(tag, "num").and_then(|num| num.parse().ok()).unwrap_or(1);
                        section.space = number("space").unwrap_or(36.0);
                    }
                    "col" => {
                        if let Some(width) = number("w") {
                            section.narrowest = Some(section.narrowest.map_or(width, |known| known.min(width)));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn nearest_cell(&mut self) -> Option<&mut Container> {
        self.open.iter_mut().rev().map(|(_, container)| container).find(|open| matches!(open, Container::Cell { .. }))
    }

    fn close(&mut self, end: usize) {
        let Some((_, container)) = self.open.pop() else { return };
        match container {
            Container::Paragraph { index, indent } => {
                let width = self.container_width();
                if let Some(paragraph) = self.widths.paragraphs.get_mut(index) {
                    paragraph.1 = end;
                    paragraph.2 = width.flatten().map(|width| width - indent);
                }
                if width.flatten().is_none() {
                    self.pending.push((index, indent));
                }
            }
            Container::Cell { span, .. } => {
                if let Some((_, column, _)) = self.table() {
                    *column = column.saturating_add(span);
                }
            }
            Container::Section(section) => {
                let width = section.column_width();
                if let Some(width) = width {
                    let narrowest = self.widths.narrowest_column;
                    self.widths.narrowest_column = Some(narrowest.map_or(width, |known| known.min(width)));
                }
                // The paragraph that contains a section break belongs to the section before the break.
                let around = self.open.iter().rev().find_map(|(_, open)| match open {
                    Container::Paragraph { index, indent } => Some((*index, *indent)),
                    _ => None,
                });
                self.pending.extend(around);
                self.end_section(width.or(self.column));
            }
            _ => {}
        }
    }

    /// Returns the width in points inside the innermost open cell or text box. Returns `None` if no cell or text box is
    /// open, and `Some(None)` if its width is not known.
    fn container_width(&mut self) -> Option<Option<f32>> {
        let container = self.open.iter().rev().find_map(|(_, container)| match container {
            Container::Cell { width, span, margins } => Some((*width, *span, margins.iter().sum::<f32>())),
            Container::TextBox(width) => Some((*width, 0, 0.0)),
            _ => None,
        });
        let (width, span, margins) = container?;
        if span == 0 || width.is_some() {
            return Some(width.map(|width| width - margins));
        }
        let of_grid = self.table().and_then(|(grid, column, _)| {
            let columns = grid.get(*column..column.checked_add(span)?)?;
            Some(columns.iter().sum::<f32>()).filter(|width| *width > 0.0)
        });
        Some(of_grid.map(|width| width - margins))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width_at_mark(body: &str, column: Option<f32>) -> Option<f32> {
        let source = format!("<w:document><w:body>{body}</w:body></w:document>");
        AvailableWidths::read(&source, column).at(source.find('*').unwrap())
    }

    const MARK: &str = "<w:p><w:r><w:t>*</w:t></w:r></w:p>";
    const SECTION: &str =
        "<w:sectPr><w:pgSz w:w=\"12000\"/><w:pgMar w:left=\"1000\" w:right=\"1000\" w:gutter=\"0\"/></w:sectPr>";

    #[test]
    fn columns_have_the_width_of_their_section() {
        assert_eq!(width_at_mark(&format!("{MARK}{SECTION}"), None), Some(500.0));
        let earlier = format!("<w:p><w:pPr>{}</w:pPr></w:p>", SECTION.replace("12000", "8000"));
        assert_eq!(width_at_mark(&format!("{MARK}{earlier}<w:p/>{SECTION}"), None), Some(300.0));
        assert_eq!(width_at_mark(&format!("{earlier}{MARK}{SECTION}"), None), Some(500.0));
        let two = SECTION.replace("</w:sectPr>", "<w:cols w:num=\"2\" w:space=\"400\"/></w:sectPr>");
        assert_eq!(width_at_mark(&format!("{MARK}{two}"), None), Some(240.0));
        let indented = MARK.replace("<w:p>", "<w:p><w:pPr><w:ind w:left=\"400\" w:right=\"100\"/></w:pPr>");
        assert_eq!(width_at_mark(&format!("{indented}{SECTION}"), None), Some(475.0));
        assert_eq!(width_at_mark(MARK, Some(123.0)), Some(123.0));
        assert_eq!(width_at_mark(MARK, None), None);
    }

    #[test]
    fn cells_have_their_own_width_or_that_of_the_grid() {
        let table = |cells: &str, properties: &str| {
            format!(
                "<w:tbl><w:tblPr>{properties}</w:tblPr><w:tblGrid><w:gridCol w:w=\"1000\"/><w:gridCol w:w=\"2000\"/>\
                 <w:gridCol w:w=\"3000\"/></w:tblGrid><w:tr>{cells}</w:tr></w:tbl><w:p/>{SECTION}"
            )
        };
        let cell = |properties: &str, content: &str| format!("<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>");
        let at = |cells: &str, properties: &str| width_at_mark(&table(cells, properties), None);
        assert_eq!(at(&cell("<w:tcW w:w=\"1500\" w:type=\"dxa\"/>", MARK), ""), Some(75.0 - 10.8));
        assert_eq!(at(&(cell("", "<w:p/>") + &cell("<w:gridSpan w:val=\"2\"/>", MARK)), ""), Some(250.0 - 10.8));
        let margins = "<w:tblCellMar><w:left w:w=\"0\"/><w:right w:w=\"100\"/></w:tblCellMar>";
        assert_eq!(at(&cell("<w:tcW w:w=\"50\" w:type=\"pct\"/>", MARK), margins), Some(45.0));
        let own = "<w:tcMar><w:end w:w=\"0\"/></w:tcMar>";
        assert_eq!(at(&cell(own, MARK), margins), Some(50.0));
        // A cell beyond the grid has the width of the column.
        assert_eq!(at(&cell("<w:gridSpan w:val=\"9\"/>", MARK), ""), Some(500.0));
    }

    #[test]
    fn text_boxes_have_the_width_of_their_drawing() {
        let box_of = |drawing: &str| format!("<w:p><w:r>{drawing}</w:r></w:p>{SECTION}");
        let inline = format!("<wp:inline><wp:extent cx=\"1270000\"/><w:txbxContent>{MARK}</w:txbxContent></wp:inline>");
        assert_eq!(width_at_mark(&box_of(&inline), None), Some(100.0 - 14.4));
        let vml = format!("<v:shape style=\"width:90pt\"><w:txbxContent>{MARK}</w:txbxContent></v:shape>");
        assert_eq!(width_at_mark(&box_of(&vml), None), Some(90.0 - 14.4));
    }
}
