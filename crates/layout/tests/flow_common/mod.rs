//! Helpers for the tests of page layout: builders for documents, and functions that read the laid-out pages.
#![allow(dead_code)]

use std::sync::Arc;

use waraq_docx::tree::*;
use waraq_layout::{DisplayItem, LayoutOptions, Pages, Rect, TaggedItem};

pub use crate::book::book;

/// Line height of [`text`], in points.
pub const LINE: f32 = 20.0;

/// Lays out a document with the bundled fonts and the default options.
pub fn lay_out(document: &Document) -> Pages {
    waraq_layout::layout(document, book(), &LayoutOptions::default()).unwrap()
}

/// Returns a page of 400 by 300 points with margins of 50 points, which fits ten lines of 20 points.
pub fn small_page() -> SectionProperties {
    SectionProperties {
        page_width: 400.0,
        page_height: 300.0,
        margins: PageMargins {
            top: 50.0,
            bottom: 50.0,
            left: 50.0,
            right: 50.0,
            header: 20.0,
            footer: 20.0,
            gutter: 0.0,
        },
        ..SectionProperties::default()
    }
}

/// Creates a document with one section of [`small_page`].
pub fn document(blocks: Vec<Block>) -> Document {
    let section = Section { properties: small_page(), blocks, ..Section::default() };
    Document { sections: vec![section], settings: settings(), ..Document::default() }
}

pub fn section(properties: SectionProperties, blocks: Vec<Block>) -> Section {
    Section { properties, blocks, ..Section::default() }
}

pub fn sections(sections: Vec<Section>) -> Document {
    Document { sections, settings: settings(), ..Document::default() }
}

pub fn settings() -> Settings {
    Settings { compatibility_mode: 15, ..Settings::default() }
}

pub fn run() -> Arc<RunProperties> {
    Arc::new(RunProperties::default())
}

pub fn inline(content: Content) -> Inline {
    Inline { content, run: run(), link: None }
}

/// Creates a paragraph with line breaks between its lines. Each line is 20 points high, and widow control is off.
pub fn text(lines: &[&str]) -> Paragraph {
    let mut inlines = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            inlines.push(inline(Content::Break(Break::Line)));
        }
        inlines.push(inline(Content::Text((*line).to_owned())));
    }
    let properties = ParagraphProperties {
        spacing: Spacing { line: LineSpacing::Exactly(LINE), ..Spacing::default() },
        widow_control: false,
        ..ParagraphProperties::default()
    };
    Paragraph { properties: Arc::new(properties), mark: run(), label: None, inlines, ..Paragraph::default() }
}

/// Builder methods for test paragraphs: change the properties, append content, convert to a block.
pub trait ParagraphBuilder {
    fn with_properties(self, change: impl FnOnce(&mut ParagraphProperties)) -> Self;
    fn with_content(self, content: Content) -> Self;
    fn into_block(self) -> Block;
}

impl ParagraphBuilder for Paragraph {
    fn with_properties(mut self, change: impl FnOnce(&mut ParagraphProperties)) -> Self {
        let mut properties = (*self.properties).clone();
        change(&mut properties);
        self.properties = Arc::new(properties);
        self
    }

    fn with_content(mut self, content: Content) -> Self {
        self.inlines.push(inline(content));
        self
    }

    fn into_block(self) -> Block {
        Block::Paragraph(self)
    }
}

/// Creates `count` paragraphs of one line each. Their texts are the name with a number: a1, a2 and so on.
pub fn numbered_paragraphs(name: &str, count: usize) -> Vec<Block> {
    (1..=count).map(|n| text(&[&format!("{name}{n}")]).into_block()).collect()
}

/// Creates a cell with one line of text for each of `lines`. Its left and right margins are 5 points.
pub fn cell(lines: &[&str]) -> Cell {
    Cell {
        span: 1,
        margins: CellMargins { top: 0.0, bottom: 0.0, left: 5.0, right: 5.0 },
        blocks: vec![text(lines).into_block()],
        ..Cell::default()
    }
}

pub fn row(cells: Vec<Cell>) -> Row {
    Row { cells, ..Row::default() }
}

/// Creates a table of fixed layout with these grid columns.
pub fn table(grid: &[f32], rows: Vec<Row>) -> Table {
    let properties = TableProperties {
        layout: TableLayout::Fixed,
        margins: CellMargins { top: 0.0, bottom: 0.0, left: 5.0, right: 5.0 },
        ..TableProperties::default()
    };
    Table { properties, grid: grid.to_vec(), rows, ..Table::default() }
}

pub fn line_border(width: f32) -> Option<Border> {
    Some(Border { style: BorderStyle::Single, width, color: None, space: 0.0, shadow: false })
}

/// The text of a glyph run, without surrounding spaces, and its position on the page.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedText {
    pub page: usize,
    pub text: String,
    pub x: f32,
    pub y: f32,
    /// True if the text has a structure element. False if it is an artifact.
    pub tagged: bool,
}

fn collect_texts(items: &[TaggedItem], page: usize, found: &mut Vec<PlacedText>) {
    for placed in items {
        match &placed.item {
            DisplayItem::Glyphs(run) if !run.text.trim().is_empty() => found.push(PlacedText {
                page,
                text: run.text.trim().to_owned(),
                x: run.x,
                y: run.y,
                tagged: placed.element.is_some(),
            }),
            DisplayItem::Group { items, .. } => collect_texts(items, page, found),
            _ => {}
        }
    }
}

/// Returns the texts of all pages in painting order.
pub fn placed_texts(pages: &Pages) -> Vec<PlacedText> {
    let mut found = Vec::new();
    for (index, page) in pages.pages.iter().enumerate() {
        collect_texts(&page.items, index, &mut found);
    }
    found
}

/// Returns the first glyph run with exactly this text.
pub fn find_text(pages: &Pages, text: &str) -> PlacedText {
    let all = placed_texts(pages);
    match all.iter().find(|found| found.text == text) {
        Some(found) => found.clone(),
        None => panic!("no {text:?} in {:?}", all.iter().map(|f| (f.page, &f.text)).collect::<Vec<_>>()),
    }
}

pub fn page_of(pages: &Pages, text: &str) -> usize {
    find_text(pages, text).page
}

/// Returns the texts of a page in painting order.
pub fn page_text(pages: &Pages, page: usize) -> Vec<String> {
    placed_texts(pages).into_iter().filter(|found| found.page == page).map(|found| found.text).collect()
}

/// Returns the rectangles on a page with their colours.
pub fn rectangles(pages: &Pages, page: usize) -> Vec<(Rect, Rgb)> {
    let items = pages.pages.get(page).map_or(&[][..], |page| &page.items);
    items
        .iter()
        .filter_map(|placed| match &placed.item {
            DisplayItem::Rectangle { area, color, .. } => Some((*area, *color)),
            _ => None,
        })
        .collect()
}

#[track_caller]
pub fn assert_near(a: f32, b: f32) {
    assert!((a - b).abs() < 0.2, "{a} is not {b}");
}

/// Returns a picture of this size with image number 0.
pub fn picture(width: f32, height: f32, placement: Placement) -> Content {
    let picture = Picture {
        metafile: None,
        image: ImageId(0),
        crop: [0.0; 4],
        orientation: Orientation::default(),
        outline: None,
        geometry: Geometry::Rectangle,
        opacity: 1.0,
    };
    drawing(Drawing {
        id: NodeId::default(),
        width,
        height,
        placement,
        graphic: Graphic::Picture(picture),
        description: None,
        link: None,
    })
}

pub fn drawing(drawing: Drawing) -> Content {
    Content::Drawing(drawing.into())
}

/// Creates an anchor at an offset from the left edge of the column and the top of the paragraph.
pub fn anchor(x: f32, y: f32, wrap: Wrap) -> Anchor {
    let place = |relative_to, offset| (relative_to, PositionValue::Offset(offset));
    let (horizontal, vertical) = (place(RelativeTo::Column, x), place(RelativeTo::Paragraph, y));
    Anchor {
        horizontal: Position { relative_to: horizontal.0, value: horizontal.1 },
        vertical: Position { relative_to: vertical.0, value: vertical.1 },
        wrap,
        behind_text: false,
        distance_top: 0.0,
        distance_bottom: 0.0,
        distance_left: 0.0,
        distance_right: 0.0,
        z_order: 0,
        allow_overlap: true,
        layout_in_cell: true,
        relative_width: None,
        relative_height: None,
    }
}

/// Returns the areas of the pictures on a page.
pub fn pictures(pages: &Pages, page: usize) -> Vec<Rect> {
    let items = pages.pages.get(page).map_or(&[][..], |page| &page.items);
    items
        .iter()
        .filter_map(|placed| match &placed.item {
            DisplayItem::Image(image) => Some(image.area),
            _ => None,
        })
        .collect()
}
