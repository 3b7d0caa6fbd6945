//! Conversion of HTML to document content: paragraphs, headings, lists, tables, bold, italic, underline, colours,
//! alignment, direction and links.

use std::sync::Arc;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use super::html_style::{ElementStyle, attribute};
use super::part_reader::PartReader;
use crate::tree::*;

/// The maximum nesting depth of elements. Deeper elements are ignored, but their text is kept.
const MAX_ELEMENT_DEPTH: usize = 200;
const MAX_TABLE_DEPTH: usize = 20;

/// Converts an HTML page. Its text has the default formatting of the document.
pub(crate) fn read_html(story: &mut PartReader<'_, '_>, html: &str) -> Vec<Block> {
    let mut reader = HtmlReader {
        story,
        blocks: Vec::new(),
        inlines: Vec::new(),
        open: Vec::new(),
        tables: Vec::new(),
        pending_label: None,
    };
    let mut emitter = DefaultEmitter::default();
    // Elements whose text has no tags (such as `script`) end only at their own end tag.
    emitter.naively_switch_states(true);
    let mut shown = true;
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        if !reader.story.charge(1, 0) {
            break;
        }
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                shown = !matches!(name.as_str(), "script" | "style" | "title" | "iframe" | "noembed" | "noscript");
                reader.open_element(name, &tag);
            }
            Token::EndTag(tag) => {
                shown = true;
                reader.close_element(&String::from_utf8_lossy(&tag.name));
            }
            Token::String(text) if shown => reader.add_text(&String::from_utf8_lossy(&text)),
            Token::String(_) | Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    reader.end_paragraph(false);
    while !reader.tables.is_empty() {
        reader.close_element("table");
    }
    reader.blocks
}

struct HtmlReader<'p, 't, 's> {
    story: &'p mut PartReader<'t, 's>,
    blocks: Vec<Block>,
    inlines: Vec<Inline>,
    open: Vec<OpenElement>,
    tables: Vec<OpenTable>,
    /// The bullet or number to write before the first text of the open list item. `None`: nothing is to be written.
    pending_label: Option<String>,
}

struct OpenElement {
    name: String,
    link: Option<Arc<Link>>,
    style: ElementStyle,
    /// The number of the next item of a list.
    number: i64,
}

/// A table whose end was not read yet: the blocks before it and its rows so far.
struct OpenTable {
    before: Vec<Block>,
    rows: Vec<Row>,
    border: Option<Border>,
    width: Width,
}

impl HtmlReader<'_, '_, '_> {
    fn is_open(&self, names: &[&str]) -> bool {
        self.open.iter().any(|element| names.contains(&element.name.as_str()))
    }

    fn heading_level(&self) -> Option<u8> {
        self.open.iter().rev().find_map(|element| heading_level_of(&element.name))
    }

    /// Returns a property of the innermost open element that specifies it.
    fn inherited<T>(&self, property: impl Fn(&ElementStyle) -> Option<T>) -> Option<T> {
        self.open.iter().rev().find_map(|element| property(&element.style))
    }

    fn run_properties(&self) -> Arc<RunProperties> {
        let mut run = self.story.resolve_run(&self.story.default_base(), &[None], &[]);
        let heading = self.heading_level();
        let bold = self.is_open(&["b", "strong", "th"]) || heading.is_some();
        if self.inherited(|looks| looks.bold).unwrap_or(bold) {
            (run.bold, run.bold_complex) = (true, true);
        }
        if self.inherited(|looks| looks.italic).unwrap_or_else(|| self.is_open(&["i", "em", "cite"])) {
            (run.italic, run.italic_complex) = (true, true);
        }
        if self.is_open(&["u", "ins", "a"]) || self.inherited(|looks| looks.underline) == Some(true) {
            run.underline = Some(Underline { kind: UnderlineKind::Single, color: None });
        }
        let size =
            heading.map(|level| [24.0, 18.0, 14.0, 12.0, 10.0, 8.0].get(usize::from(level)).copied().unwrap_or(12.0));
        if let Some(size) = self.inherited(|looks| looks.size).or(size) {
            (run.size, run.size_complex) = (size, size);
        }
        let link = self.is_open(&["a"]).then_some(Rgb(0, 0, 255));
        run.color = self.inherited(|looks| looks.color).or(link).or(run.color);
        if self.is_open(&["sup"]) {
            run.vertical_position = VerticalPosition::Superscript;
        } else if self.is_open(&["sub"]) {
            run.vertical_position = VerticalPosition::Subscript;
        }
        Arc::new(run)
    }

    /// Adds text. White space is collapsed to one space, and removed at the start of a line.
    fn add_text(&mut self, text: &str) {
        let mut words = String::with_capacity(text.len());
        let mut at_start = self.is_at_line_start();
        for character in text.chars() {
            let space = character.is_ascii_whitespace();
            if !(space && at_start) {
                words.push(if space { ' ' } else { character });
            }
            at_start = space;
        }
        if words.is_empty() {
            return;
        }
        let link = self.open.iter().rev().find_map(|element| element.link.clone());
        let run = self.run_properties();
        self.inlines.push(Inline { content: Content::Text(words), run, link });
    }

    fn is_at_line_start(&self) -> bool {
        match self.inlines.last().map(|inline| &inline.content) {
            Some(Content::Text(text)) => text.ends_with(' '),
            Some(Content::Break(_)) | None => true,
            _ => false,
        }
    }

    fn open_element(&mut self, name: String, tag: &StartTag<()>) {
        match name.as_str() {
            "br" => {
                let run = self.run_properties();
                return self.inlines.push(Inline { content: Content::Break(Break::Line), run, link: None });
            }
            "hr" => return self.end_paragraph(false),
            "area" | "base" | "col" | "embed" | "img" | "input" | "link" | "meta" | "source" | "track" | "wbr" => {
                return;
            }
            "table" if self.tables.len() < MAX_TABLE_DEPTH => {
                self.end_paragraph(false);
                let before = std::mem::take(&mut self.blocks);
                let (border, width) = (table_border(tag), table_width(tag));
                self.tables.push(OpenTable { before, rows: Vec::new(), border, width });
            }
            "tr" => {
                self.end_paragraph(false);
                if let Some(table) = self.tables.last_mut() {
                    table.rows.push(Row::default());
                }
            }
            "td" | "th" => self.end_paragraph(false),
            "li" => {
                self.end_paragraph(false);
                self.pending_label = Some(self.next_label());
            }
            name if is_block(name) => self.end_paragraph(false),
            _ => {}
        }
        if self.open.len() < MAX_ELEMENT_DEPTH && !tag.self_closing {
            let link = attribute(tag, "href").filter(|_| name == "a");
            let link = link.map(|target| Arc::new(Link::Uri(target.into_owned())));
            let number = attribute(tag, "start").and_then(|start| start.trim().parse().ok()).unwrap_or(1);
            self.open.push(OpenElement { style: ElementStyle::from_tag(&name, tag), name, link, number });
        }
    }

    /// Returns the number of the next item of the innermost list, or a bullet.
    fn next_label(&mut self) -> String {
        match self.open.iter_mut().rev().find(|element| is_list(&element.name)) {
            Some(list) if list.name == "ol" => {
                list.number = list.number.saturating_add(1);
                format!("{}.", list.number.saturating_sub(1))
            }
            _ => "•".to_owned(),
        }
    }

    fn close_element(&mut self, name: &str) {
        match name {
            "td" | "th" => {
                self.end_paragraph(true);
                let looks = self.open.iter().rev().find(|element| element.name == name).map(|element| element.style);
                if let Some(table) = self.tables.last_mut()
                    && let Some(row) = table.rows.last_mut()
                {
                    row.cells.push(new_cell(std::mem::take(&mut self.blocks), looks.unwrap_or_default(), table.border));
                }
            }
            "table" => {
                self.end_paragraph(false);
                if let Some(table) = self.tables.pop() {
                    // Text inside the table but outside its cells is placed before the table.
                    let mut stray = std::mem::replace(&mut self.blocks, table.before);
                    self.blocks.append(&mut stray);
                    let rows: Vec<Row> = table.rows.into_iter().filter(|row| !row.cells.is_empty()).collect();
                    if !rows.is_empty() {
                        let properties = TableProperties { width: table.width, ..TableProperties::default() };
                        self.blocks.push(Block::Table(Table { properties, rows, ..Table::default() }));
                    }
                }
            }
            "p" => self.end_paragraph(true),
            _ if is_block(name) => self.end_paragraph(false),
            _ => {}
        }
        if let Some(place) = self.open.iter().rposition(|element| element.name == name) {
            self.open.truncate(place);
        }
    }

    fn end_paragraph(&mut self, even_if_empty: bool) {
        let blank =
            self.inlines.iter().all(|inline| matches!(&inline.content, Content::Text(text) if text.trim().is_empty()));
        if blank && !(even_if_empty && self.blocks.is_empty() && !self.tables.is_empty()) {
            self.inlines.clear();
            return;
        }
        let mut inlines = std::mem::take(&mut self.inlines);
        let level = self.open.iter().filter(|element| is_list(&element.name)).count();
        let mark = self.run_properties();
        let mut properties =
            ParagraphProperties { outline_level: self.heading_level(), ..ParagraphProperties::default() };
        // Paragraphs, headings and complete lists have margins; other elements have none.
        let begins_list =
            level == 1 && matches!(self.pending_label.as_deref(), Some("•" | "1.")) && !self.blocks_end_in_list();
        let spaced = level == 0 && (self.heading_level().is_some() || self.is_open(&["p", "blockquote"]));
        properties.spacing.before_auto = spaced || begins_list;
        properties.spacing.after_auto = spaced;
        properties.bidi = self.inherited(|looks| looks.right_to_left).unwrap_or(false);
        properties.directions_from_letters = true;
        properties.alignment = match self.inherited(|looks| looks.alignment).unwrap_or_default() {
            // In HTML, left and right are sides of the page; in a paragraph, they follow its direction.
            Alignment::End if properties.bidi => Alignment::Start,
            Alignment::Start if properties.bidi && self.inherited(|looks| looks.alignment).is_some() => Alignment::End,
            other => other,
        };
        if level > 0 && self.is_open(&["li"]) {
            properties.indent.start = 36.0 * level as f32;
            if let Some(label) = self.pending_label.take() {
                properties.indent.first_line = -18.0;
                inlines.insert(0, Inline { content: Content::Tab, run: mark.clone(), link: None });
                inlines.insert(0, Inline { content: Content::Text(label), run: mark.clone(), link: None });
            }
        }
        self.blocks.push(Block::Paragraph(Paragraph {
            properties: Arc::new(properties),
            mark,
            inlines,
            ..Paragraph::default()
        }));
    }

    fn blocks_end_in_list(&self) -> bool {
        let last = self.blocks.last();
        matches!(last, Some(Block::Paragraph(paragraph)) if paragraph.properties.indent.first_line < 0.0)
    }
}

fn new_cell(mut blocks: Vec<Block>, looks: ElementStyle, border: Option<Border>) -> Cell {
    if blocks.is_empty() {
        blocks.push(Block::Paragraph(Paragraph::default()));
    }
    let borders = TableBorders { top: border, bottom: border, left: border, right: border, ..TableBorders::default() };
    Cell { span: looks.span.max(1), borders, blocks, ..Cell::default() }
}

/// Returns the border of every cell, from an attribute of the table such as `border="1"`. Returns `None` without such
/// an attribute, or if its value is 0 or invalid.
fn table_border(tag: &StartTag<()>) -> Option<Border> {
    let pixels = attribute(tag, "border")?;
    let pixels: f32 = if pixels.trim().is_empty() { 1.0 } else { pixels.trim().parse().ok()? };
    (pixels > 0.0).then_some(Border { style: BorderStyle::Single, width: 0.5, color: None, space: 0.0, shadow: false })
}

/// Returns the width of a table from its `width` attribute, in pixels or as a percentage of the text width.
fn table_width(tag: &StartTag<()>) -> Width {
    let Some(width) = attribute(tag, "width") else { return Width::Auto };
    let width = width.trim();
    let number = |text: &str| text.trim().parse::<f32>().ok().filter(|number| (1.0..10_000.0).contains(number));
    match width.strip_suffix('%') {
        Some(share) => number(share).map_or(Width::Auto, |share| Width::Fraction((share / 100.0).min(1.0))),
        None => number(width).map_or(Width::Auto, |pixels| Width::Points(pixels * 0.75)),
    }
}

fn is_list(name: &str) -> bool {
    matches!(name, "ul" | "ol")
}

fn heading_level_of(name: &str) -> Option<u8> {
    let level = name.strip_prefix('h')?.parse::<u8>().ok()?;
    (1..=6).contains(&level).then(|| level - 1)
}

fn is_block(name: &str) -> bool {
    const BLOCKS: &str = "p div li ul ol blockquote pre section article header footer dl \
                          dt dd body html center address main nav form caption tr tbody thead";
    BLOCKS.split(' ').any(|block| block == name) || heading_level_of(name).is_some()
}
