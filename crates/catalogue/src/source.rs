//! The markup language of the templates.
//!
//! A source has a head of `key: value` lines, a line `---`, then blocks. A paragraph ends at an empty line or at the
//! start of the next block; its lines are joined with spaces. The mark at the start of a paragraph selects its style:
//!
//! | mark | style | | mark | style |
//! |---|---|---|---|---|
//! | `= ` | title | | `- ` | bullet |
//! | `~ ` | subtitle | | `> ` | small note |
//! | `# `, `## ` | headings | | `>> ` | aligned at the trailing edge |
//! | `+ ` | clause heading, numbered | | `>< ` | centred |
//! | `++ ` | clause, numbered | | `" ` | indented on both sides |
//! | `+++ ` | point of a clause, numbered | | (none) | body text |
//!
//! Inline markup is `**bold**`, `//italic//`, `\\` for a line break, `⇥` for a tab, and `{{a field}}`. Directives:
//!
//! - `:break` starts a page, and `:restart` starts the clauses at 1 again.
//! - `:table look=ledger widths=10,60,30 align=c,l,r head=1 total=1` … rows of `| cells |` … `:end` is a table. A cell
//!   that begins with `^3 ` spans three columns. The looks are `ledger`, `grid`, `facts` and `plain`. `labels=1,3`
//!   lists the columns that label the cells next to them.
//! - `:signatures` … rows of `left || right` … `:end` is a signature block. A row of `_ caption || _ caption` has lines
//!   for signatures above the captions. In `_{{field}} caption`, a signature field takes the place of the line.
//! - `:fields` … `:end` declares settings of fields that are not detected; see `source_fields.rs`.
//!
//! Sections (`{{#name}} … {{/name}}`, `{{^name}} … {{/name}}`) are written as in Word: each tag in a paragraph of its own,
//! both tags in one row of a table, or both in one paragraph. A paragraph that consists of a tag needs no empty lines around it.

use std::fmt;

use waraq_rules::derivation::Currency;
use waraq_rules::field_settings::FieldSettings;

/// A parsed source: its head and its blocks.
#[derive(Debug, Clone)]
pub struct Source {
    pub head: SourceHead,
    pub blocks: Vec<Block>,
    /// The declared settings of the fields, in the order of the source.
    pub settings: Vec<FieldSettings>,
}

/// A mistake in a source. Lines are counted from 1; line 0 means that the mistake is not in a line of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    pub line: usize,
    pub message: String,
}

impl Mistake {
    pub fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Mistake {}

/// The language of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    French,
    Arabic,
}

impl Language {
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
            Self::Arabic => "ar",
        }
    }

    pub fn is_right_to_left(self) -> bool {
        self == Self::Arabic
    }
}

/// The settings above the `---` of a source.
#[derive(Debug, Clone)]
pub struct SourceHead {
    pub slug: &'static str,
    pub title: &'static str,
    pub language: Language,
    /// BCP 47 tag, such as `en-GB`.
    pub locale: &'static str,
    pub country: Option<&'static str>,
    pub categories: Vec<&'static str>,
    /// Search terms in addition to the title.
    pub keywords: Vec<&'static str>,
    /// The currency of all derived amounts. `None`: derived amounts have no currency and are not rounded.
    pub currency: Option<Currency>,
    pub look: Look,
    /// The two texts of the header line. The first is at the start of the line (in Arabic, on the right), the second at
    /// the end. In the source, they are written `left | right`. If both are empty, the pages have no header.
    pub header: (&'static str, &'static str),
    /// The text before the page number in the footer; may be empty.
    pub footer: &'static str,
    /// True if the first page has no header, because it begins with a letterhead or a title.
    pub no_header_on_first_page: bool,
    pub levels: [Level; 3],
}

/// The numbering of one level of the clauses.
#[derive(Debug, Clone, Copy)]
pub struct Level {
    /// The number format `w:numFmt`: `decimal`, `lowerLetter`, `arabicAbjad` …
    pub format: &'static str,
    /// The number text `w:lvlText`, such as `%1.%2`.
    pub text: &'static str,
}

/// Fonts, sizes and colours.
#[derive(Debug, Clone)]
pub struct Look {
    /// The font of the text. The font of an Arabic template must have Latin letters too, so that Arabic and Latin words
    /// next to each other have the same family and size.
    pub font: &'static str,
    pub heading_font: &'static str,
    /// Font size of the text in half points.
    pub size: u32,
    /// Accent colour as six hexadecimal digits.
    pub accent: &'static str,
    pub justified: bool,
    /// True if the paper is US Letter instead of A4.
    pub letter: bool,
    /// The vertical margin (top and bottom) and the horizontal margin (left and right), in twentieths of a point.
    pub margins: (u32, u32),
    /// Line height in 240ths of a single line: 240 is single line spacing.
    pub line: u32,
}

/// A block of the body.
#[derive(Debug, Clone)]
pub enum Block {
    Paragraph { style: Style, text: String },
    Table(Table),
    Signatures(Vec<SignatureRow>),
    PageBreak,
    RestartClauses,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Title,
    Subtitle,
    Heading1,
    Heading2,
    Clause1,
    Clause2,
    Clause3,
    Bullet,
    Note,
    TrailingAligned,
    Centred,
    Block,
    Body,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub look: TableLook,
    /// Relative widths of the columns. Only their ratios matter, because the table always has the full width of the
    /// text.
    pub widths: Vec<u32>,
    /// The alignment of each column: `l`, `c` or `r`.
    pub align: Vec<char>,
    /// Numbers, from 1, of the columns whose cells label the cells next to them.
    pub labels: Vec<usize>,
    /// Number of rows at the start that are repeated on each page.
    pub header_rows: usize,
    /// Number of rows at the end with totals, in bold.
    pub total_rows: usize,
    pub rows: Vec<Vec<Cell>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableLook {
    Ledger,
    Grid,
    Facts,
    Plain,
}

#[derive(Debug, Clone)]
pub struct Cell {
    pub span: usize,
    pub text: String,
}

/// A row of a signature block: the texts of its left and right side.
#[derive(Debug, Clone)]
pub struct SignatureRow {
    /// True if there is space for a signature above the text.
    pub has_signature_line: bool,
    pub sides: [String; 2],
    /// For each side, the signature field above the text, such as `{{Signature}}`. Empty for a line, or for no signature.
    pub signature_fields: [String; 2],
}

const STYLE_MARKS: [(&str, Style); 12] = [
    ("= ", Style::Title),
    ("~ ", Style::Subtitle),
    ("# ", Style::Heading1),
    ("## ", Style::Heading2),
    ("+ ", Style::Clause1),
    ("++ ", Style::Clause2),
    ("+++ ", Style::Clause3),
    ("- ", Style::Bullet),
    ("> ", Style::Note),
    (">> ", Style::TrailingAligned),
    (">< ", Style::Centred),
    ("\" ", Style::Block),
];

impl Source {
    /// Parses a source. Stops at the first mistake.
    pub fn parse(text: &'static str) -> Result<Self, Mistake> {
        let (head, body) = text.split_once("\n---\n").ok_or_else(|| Mistake::new(1, "no line `---` after the head"))?;
        let first_line = head.lines().count() + 2;
        let head = crate::source::head::parse(head)?;
        let mut reader = SourceParser {
            lines: body.lines().collect(),
            at: 0,
            first_line,
            currency: head.currency,
            blocks: Vec::new(),
            settings: Vec::new(),
        };
        reader.parse_blocks()?;
        Ok(Self { head, blocks: reader.blocks, settings: reader.settings })
    }
}

#[path = "source_head.rs"]
mod head;

#[path = "source_fields.rs"]
mod fields;

struct SourceParser {
    lines: Vec<&'static str>,
    at: usize,
    first_line: usize,
    currency: Option<Currency>,
    blocks: Vec<Block>,
    settings: Vec<FieldSettings>,
}

impl SourceParser {
    fn parse_blocks(&mut self) -> Result<(), Mistake> {
        let mut open = false; // whether the next unmarked line continues the last paragraph
        while let Some(line) = self.next_line() {
            if line.is_empty() {
                open = false;
            } else if let Some(directive) = line.strip_prefix(':') {
                open = false;
                self.parse_directive(directive)?;
            } else if is_section_tag(line) {
                open = false;
                self.blocks.push(Block::Paragraph { style: Style::Body, text: line.to_owned() });
            } else if let Some((mark, style)) = STYLE_MARKS.iter().find(|(mark, _)| line.starts_with(mark)) {
                open = true;
                self.blocks.push(Block::Paragraph { style: *style, text: line[mark.len()..].trim().to_owned() });
            } else if let (true, Some(Block::Paragraph { text, .. })) = (open, self.blocks.last_mut()) {
                text.push(' ');
                text.push_str(line);
            } else {
                open = true;
                self.blocks.push(Block::Paragraph { style: Style::Body, text: line.to_owned() });
            }
        }
        Ok(())
    }

    fn next_line(&mut self) -> Option<&'static str> {
        let line = self.lines.get(self.at)?.trim();
        self.at += 1;
        Some(line)
    }

    fn mistake<T>(&self, message: impl Into<String>) -> Result<T, Mistake> {
        Err(Mistake::new(self.first_line + self.at - 1, message))
    }

    fn parse_directive(&mut self, directive: &'static str) -> Result<(), Mistake> {
        let (name, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        let block = match name {
            "fields" => return self.parse_fields(),
            "break" => Block::PageBreak,
            "restart" => Block::RestartClauses,
            "table" => self.parse_table(rest)?,
            "signatures" => self.parse_signatures()?,
            _ => return self.mistake(format!("unknown directive :{name}")),
        };
        self.blocks.push(block);
        Ok(())
    }

    /// Reads the lines up to the next `:end` and returns them without the empty ones. Fails if `:end` is missing.
    fn lines_until_end(&mut self) -> Result<Vec<&'static str>, Mistake> {
        let mut inner = Vec::new();
        loop {
            match self.next_line() {
                Some(":end") => return Ok(inner),
                Some("") => {}
                Some(line) => inner.push(line),
                None => return self.mistake("no :end"),
            }
        }
    }

    fn parse_table(&mut self, options: &'static str) -> Result<Block, Mistake> {
        let mut table = Table {
            look: TableLook::Grid,
            widths: vec![],
            align: vec![],
            labels: vec![],
            header_rows: 0,
            total_rows: 0,
            rows: vec![],
        };
        for option in options.split_whitespace() {
            match option.split_once('=') {
                Some(("look", "ledger")) => table.look = TableLook::Ledger,
                Some(("look", "grid")) => table.look = TableLook::Grid,
                Some(("look", "facts")) => (table.look, table.labels) = (TableLook::Facts, vec![1]),
                Some(("look", "plain")) => table.look = TableLook::Plain,
                Some(("widths", list)) => table.widths = list.split(',').filter_map(|w| w.parse().ok()).collect(),
                Some(("align", list)) => table.align = list.split(',').filter_map(|a| a.chars().next()).collect(),
                Some(("labels", list)) => table.labels = list.split(',').filter_map(|l| l.parse().ok()).collect(),
                Some(("head", count)) => table.header_rows = count.parse().unwrap_or(0),
                Some(("total", count)) => table.total_rows = count.parse().unwrap_or(0),
                _ => return self.mistake(format!("unknown table option {option}")),
            }
        }
        for line in self.lines_until_end()? {
            let Some(inside) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) else {
                return self.mistake(format!("a row stands between bars: {line}"));
            };
            let row: Vec<Cell> = inside.split('|').map(|cell| Cell::parse(cell.trim())).collect();
            if row.iter().map(|cell| cell.span).sum::<usize>() != table.widths.len() {
                return self.mistake(format!("a row of {} columns is needed: {line}", table.widths.len()));
            }
            table.rows.push(row);
        }
        Ok(Block::Table(table))
    }

    fn parse_signatures(&mut self) -> Result<Block, Mistake> {
        let mut rows = Vec::new();
        for line in self.lines_until_end()? {
            let Some((left, right)) = line.split_once("||") else {
                return self.mistake("a row of signatures has two sides: left || right");
            };
            let sides = [left, right].map(|side| SignatureSide::parse(side.trim()));
            rows.push(SignatureRow {
                has_signature_line: sides.iter().any(|side| side.is_signed),
                signature_fields: sides.clone().map(|side| side.field.to_owned()),
                sides: sides.map(|side| side.text.to_owned()),
            });
        }
        Ok(Block::Signatures(rows))
    }
}

/// Returns whether a line consists of one tag of a section.
fn is_section_tag(line: &str) -> bool {
    let name = line.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
    name.is_some_and(|name| name.starts_with(['#', '^', '/']) && !name.contains("}}"))
}

/// One side of a row of a signature block.
#[derive(Clone)]
struct SignatureSide {
    /// True if there is space for a signature above the text.
    is_signed: bool,
    /// The signature field, with its braces. Empty for a line.
    field: &'static str,
    text: &'static str,
}

impl SignatureSide {
    fn parse(side: &'static str) -> Self {
        let Some(rest) = side.strip_prefix('_') else { return Self { is_signed: false, field: "", text: side } };
        let field = rest.find("}}").filter(|_| rest.starts_with("{{")).map_or(0, |end| end + 2);
        let (field, text) = rest.split_at(field);
        Self { is_signed: true, field, text: text.trim() }
    }
}

impl Cell {
    fn parse(text: &str) -> Self {
        let spanned = text.strip_prefix('^').and_then(|rest| rest.split_once(' ').or(Some((rest, ""))));
        match spanned.and_then(|(count, rest)| Some((count.parse::<usize>().ok()?, rest))) {
            Some((span, text)) if span > 0 => Self { span, text: text.to_owned() },
            _ => Self { span: 1, text: text.to_owned() },
        }
    }
}
