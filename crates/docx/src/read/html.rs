//! HTML reduced to what a document has: paragraphs, headings, lists and tables, bold, italic, underline and links.

use std::sync::Arc;

use super::run_format::{BOLD, BOLD_COMPLEX, ITALIC, ITALIC_COMPLEX, RunFormat, Toggles};
use super::story::Story;
use crate::tree::*;

/// Elements nested deeper are read as if they were not.
const DEPTH_LIMIT: usize = 200;
const TABLE_LIMIT: usize = 20;

/// Reads a page; its text takes the document's default formatting.
pub(crate) fn read(story: &mut Story<'_, '_>, html: &str) -> Vec<Block> {
    let mut page =
        Page { story, blocks: Vec::new(), inlines: Vec::new(), open: Vec::new(), tables: Vec::new(), heading: None };
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let (text, after) = rest.split_at(start);
        page.text(text);
        if let Some(comment) = after.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let Some((tag, after)) = after.get(1..).and_then(|after| after.split_once('>')) else {
            rest = "";
            break;
        };
        rest = after;
        let name =
            tag.trim_start_matches('/').split([' ', '\t', '\n', '\r', '/']).next().unwrap_or("").to_ascii_lowercase();
        // What these hold is no text.
        if matches!(name.as_str(), "script" | "style" | "head" | "title") && !tag.starts_with('/') {
            rest = rest.get(end_tag(rest, &name)..).unwrap_or("");
            continue;
        }
        if tag.starts_with('/') { page.close(&name) } else { page.open(&name, tag) }
    }
    page.text(rest);
    page.end_paragraph(false);
    while !page.tables.is_empty() {
        page.close("table");
    }
    page.blocks
}

/// Where the end tag of that name begins, or the end.
fn end_tag(html: &str, name: &str) -> usize {
    let found = html.match_indices("</").find(|(place, _)| {
        html.get(place + 2..place + 2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
    });
    found.map_or(html.len(), |(place, _)| place)
}

struct Page<'p, 't, 's> {
    story: &'p mut Story<'t, 's>,
    blocks: Vec<Block>,
    inlines: Vec<Inline>,
    open: Vec<(String, Option<Arc<Link>>)>,
    tables: Vec<OpenTable>,
    heading: Option<u8>,
}

/// A table whose end has not come: what stood before it, its rows so far.
struct OpenTable {
    before: Vec<Block>,
    rows: Vec<Row>,
}

impl Page<'_, '_, '_> {
    fn is_open(&self, names: &[&str]) -> bool {
        self.open.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    fn run(&self) -> Arc<RunProperties> {
        let mut toggles = Toggles::default();
        let mut set = |bits: u16| {
            toggles.given |= bits;
            toggles.on |= bits;
        };
        if self.is_open(&["b", "strong", "th"]) || self.heading.is_some() {
            set(BOLD | BOLD_COMPLEX);
        }
        if self.is_open(&["i", "em", "cite"]) {
            set(ITALIC | ITALIC_COMPLEX);
        }
        let underline =
            self.is_open(&["u", "ins", "a"]).then_some(Some(Underline { kind: UnderlineKind::Single, color: None }));
        let size = self
            .heading
            .map(|level| [24.0, 18.0, 14.0, 12.0, 10.0, 8.0].get(usize::from(level)).copied().unwrap_or(12.0));
        let format = RunFormat {
            toggles,
            underline,
            size,
            size_complex: size,
            color: self.is_open(&["a"]).then_some(Some(Rgb(0, 0, 255))),
            vertical_position: if self.is_open(&["sup"]) {
                Some(VerticalPosition::Superscript)
            } else {
                self.is_open(&["sub"]).then_some(VerticalPosition::Subscript)
            },
            ..RunFormat::default()
        };
        let base = self.base();
        Arc::new(self.story.resolve_run(&base, &[&format]))
    }

    fn base(&self) -> std::rc::Rc<super::cascade::ParagraphBase> {
        self.story.default_base()
    }

    fn text(&mut self, html: &str) {
        let text = entities(html);
        let mut words = String::new();
        let mut space = false;
        for character in text.chars() {
            if matches!(character, ' ' | '\t' | '\n' | '\r') {
                space = true;
                continue;
            }
            if space && !(words.is_empty() && self.at_start()) {
                words.push(' ');
            }
            space = false;
            words.push(character);
        }
        if space && !(words.is_empty() && self.at_start()) {
            words.push(' ');
        }
        if words.is_empty() {
            return;
        }
        let link = self.open.iter().rev().find_map(|(_, link)| link.clone());
        let run = self.run();
        self.inlines.push(Inline { content: Content::Text(words), run, link });
    }

    fn at_start(&self) -> bool {
        match self.inlines.last().map(|inline| &inline.content) {
            Some(Content::Text(text)) => text.ends_with(' '),
            Some(Content::Break(_)) | None => true,
            _ => false,
        }
    }

    fn open(&mut self, name: &str, tag: &str) {
        match name {
            "br" => {
                let run = self.run();
                return self.inlines.push(Inline { content: Content::Break(Break::Line), run, link: None });
            }
            "hr" => return self.end_paragraph(false),
            "img" | "meta" | "link" | "input" | "col" | "wbr" | "!doctype" | "?xml" => return,
            "table" if self.tables.len() < TABLE_LIMIT => {
                self.end_paragraph(false);
                self.tables.push(OpenTable { before: std::mem::take(&mut self.blocks), rows: Vec::new() });
            }
            "tr" => {
                self.end_paragraph(false);
                if let Some(table) = self.tables.last_mut() {
                    table.rows.push(Row::default());
                }
            }
            "td" | "th" => self.end_paragraph(false),
            _ if is_block(name) => self.end_paragraph(false),
            _ => {}
        }
        self.heading = heading(name).or(self.heading);
        if self.open.len() < DEPTH_LIMIT && !tag.ends_with('/') {
            let link =
                if name == "a" { attribute(tag, "href").map(|target| Arc::new(Link::Uri(target))) } else { None };
            self.open.push((name.to_owned(), link));
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "td" | "th" => {
                self.end_paragraph(true);
                let blocks = std::mem::take(&mut self.blocks);
                if let Some(row) = self.tables.last_mut().and_then(|table| table.rows.last_mut()) {
                    row.cells.push(cell(blocks));
                }
            }
            "table" => {
                self.end_paragraph(false);
                if let Some(table) = self.tables.pop() {
                    // Text outside cells stays with the table's surroundings.
                    let mut stray = std::mem::replace(&mut self.blocks, table.before);
                    self.blocks.append(&mut stray);
                    let rows: Vec<Row> = table.rows.into_iter().filter(|row| !row.cells.is_empty()).collect();
                    if !rows.is_empty() {
                        self.blocks.push(Block::Table(Table { rows, ..Table::default() }));
                    }
                }
            }
            "p" => self.end_paragraph(true),
            _ if is_block(name) => self.end_paragraph(false),
            _ => {}
        }
        if heading(name).is_some() {
            self.heading = None;
        }
        if let Some(place) = self.open.iter().rposition(|(known, _)| known == name) {
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
        let level = self.open.iter().filter(|(name, _)| matches!(name.as_str(), "ul" | "ol")).count();
        let mark = self.run();
        let mut properties = ParagraphProperties::default();
        properties.spacing.before_auto = level == 0;
        properties.spacing.after_auto = level == 0;
        properties.outline_level = self.heading;
        if level > 0 && self.is_open(&["li"]) {
            properties.indent = Indent { start: 36.0 * level as f32, end: 0.0, first_line: -18.0 };
            let bullet = Content::Text("•".to_owned());
            inlines.insert(0, Inline { content: Content::Tab, run: mark.clone(), link: None });
            inlines.insert(0, Inline { content: bullet, run: mark.clone(), link: None });
        }
        self.blocks.push(Block::Paragraph(Paragraph { properties: Arc::new(properties), mark, label: None, inlines }));
    }
}

fn cell(mut blocks: Vec<Block>) -> Cell {
    if blocks.is_empty() {
        blocks.push(Block::Paragraph(Paragraph::default()));
    }
    Cell { span: 1, margins: CellMargins::default(), blocks, ..Cell::default() }
}

fn heading(name: &str) -> Option<u8> {
    let level = name.strip_prefix('h')?.parse::<u8>().ok()?;
    (1..=6).contains(&level).then(|| level - 1)
}

fn is_block(name: &str) -> bool {
    heading(name).is_some()
        || matches!(
            name,
            "p" | "div"
                | "li"
                | "ul"
                | "ol"
                | "blockquote"
                | "pre"
                | "section"
                | "article"
                | "header"
                | "footer"
                | "dl"
                | "dt"
                | "dd"
                | "body"
                | "html"
                | "center"
                | "address"
                | "main"
                | "nav"
                | "form"
                | "caption"
                | "tr"
                | "tbody"
                | "thead"
        )
}

/// An attribute's value out of a tag's text.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let place = tag.to_ascii_lowercase().find(&format!("{name}="))?;
    let value = tag.get(place + name.len() + 1..)?;
    let text = match value.chars().next()? {
        quote @ ('"' | '\'') => value.get(1..)?.split(quote).next()?,
        _ => value.split([' ', '>', '\t', '\n']).next()?,
    };
    Some(entities(text))
}

/// The entities people use; others stay as they are written.
fn entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find('&') {
        out.push_str(rest.get(..place).unwrap_or(""));
        let after = rest.get(place + 1..).unwrap_or("");
        let end = after.find(';').filter(|end| *end <= 10);
        let character = end.and_then(|end| after.get(..end)).and_then(|name| match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            "nbsp" => Some('\u{A0}'),
            "copy" => Some('©'),
            "reg" => Some('®'),
            "euro" => Some('€'),
            "mdash" => Some('—'),
            "ndash" => Some('–'),
            "hellip" => Some('…'),
            "laquo" => Some('«'),
            "raquo" => Some('»'),
            "rsquo" => Some('’'),
            "lsquo" => Some('‘'),
            "ldquo" => Some('“'),
            "rdquo" => Some('”'),
            "bull" => Some('•'),
            "eacute" => Some('é'),
            "egrave" => Some('è'),
            "agrave" => Some('à'),
            "ccedil" => Some('ç'),
            _ => {
                let code = name.strip_prefix('#')?;
                let code = match code.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => code.parse().ok()?,
                };
                char::from_u32(code).filter(|c| !c.is_control())
            }
        });
        match (character, end) {
            (Some(character), Some(end)) => {
                out.push(character);
                rest = after.get(end + 1..).unwrap_or("");
            }
            _ => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
