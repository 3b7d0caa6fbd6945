//! The document tree: what the layout needs to know of a Word document, and nothing of its XML. (Lists of words, such as
//! [`BorderStyle`], can be parsed from the words that files have for them.)
//!
//! Everything is resolved: a run's properties are the outcome of document defaults, table style, paragraph style,
//! character style and direct formatting (ECMA-376 part 1, §17.7.2); numbering labels are counted; theme fonts and colours
//! are looked up; `left`/`right` are turned into start/end where Word means the leading and trailing edge.
//! Lengths are points (`f32`), angles degrees clockwise, colours sRGB.

mod drawing;
mod math;
mod number;
mod number_east;
mod number_words;
mod paragraph;
mod run;
mod section;
mod table;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;
use waraq_rules::{Finding, FindingCode};

use bytes::Bytes;
pub use drawing::*;
pub use math::*;
pub(crate) use number_words::first_capital;
pub use paragraph::*;
pub use run::*;
pub use section::*;
pub use table::*;
pub use waraq_graphics::{anchor::*, chart::model::*, metafile::marks::*, shape::*};

use crate::Meter;

/// What a node of the tree is known by, wherever it is kept or copied to: it is given as the node is made, to no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(u64);

impl Default for NodeId {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A whole document.
#[derive(Debug, Clone, Default)]
pub struct Document {
    pub sections: Vec<Section>,
    pub footnotes: BTreeMap<i64, Note>,
    pub endnotes: BTreeMap<i64, Note>,
    pub footnote_separators: NoteSeparators,
    pub endnote_separators: NoteSeparators,
    pub comments: Vec<Comment>,
    /// Pictures by [`ImageId`]; the same part is here once.
    pub images: Vec<Image>,
    /// Text boxes that a text flows through, two and more: the first holds it. A box is in one chain at most.
    pub text_chains: Vec<Vec<TextBoxId>>,
    /// Fonts the document brings along, de-obfuscated (§17.8.1).
    pub embedded_fonts: Vec<EmbeddedFont>,
    /// What the font table says of the named fonts (§17.8.3): a hint for their substitution.
    pub font_table: BTreeMap<String, FontHint>,
    pub settings: Settings,
    pub properties: CoreProperties,
    /// The look of the numbers beside lines (§17.6.8).
    pub line_number_run: Arc<RunProperties>,
    /// The language most of its text is in (a BCP 47 tag), for the PDF.
    pub language: Option<String>,
    pub warnings: Vec<Finding>,
    /// What is done with the document counts here.
    pub meter: Meter,
}

/// A footnote or an endnote.
#[derive(Debug, Clone, Default)]
pub struct Note {
    pub blocks: Vec<Block>,
}

/// What stands between the text and its notes (§17.11.1, §17.11.23, §17.11.11). `None`: the document has no such note, and
/// Word's own line stands there.
#[derive(Debug, Clone, Default)]
pub struct NoteSeparators {
    pub separator: Option<NoteSeparator>,
    /// Above notes that go on from the page before.
    pub continuation: Option<NoteSeparator>,
    /// Below notes that go on on the next page.
    pub continuation_notice: Option<Vec<Block>>,
}

#[derive(Debug, Clone, Default)]
pub struct NoteSeparator {
    pub blocks: Vec<Block>,
    /// Word's line stands in its first paragraph: two inches long, or as long as the text is wide above notes that go on.
    pub line: bool,
}

/// A comment (§17.13.4); `parent` from commentsExtended.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Comment {
    pub id: String,
    pub author: String,
    /// As of a [`Revision`].
    pub reviewer: usize,
    pub initials: String,
    /// As the document has it: ISO 8601.
    pub date: Option<String>,
    pub parent: Option<String>,
    pub done: bool,
    #[serde(rename = "content", serialize_with = "crate::inspect::plain_text")]
    pub blocks: Vec<Block>,
}

/// Where something stands in the file, for warnings about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// The name of the part; empty where it is of none.
    pub part: Arc<str>,
    /// The paragraph of that part, counted from 1.
    pub paragraph: Option<usize>,
}

impl Location {
    /// A warning about what stands here.
    pub fn finding(&self, code: FindingCode, message: impl Into<String>) -> Finding {
        Finding::new(code, message).in_part(&*self.part).at(self.paragraph)
    }

    /// Of the first paragraph there is.
    pub fn of(blocks: &[Block]) -> Self {
        blocks.iter().find_map(Block::location).cloned().unwrap_or_default()
    }
}

#[derive(Clone)]
pub struct Image {
    /// The name of the part, for warnings.
    pub part: String,
    pub data: Bytes,
    pub format: ImageFormat,
    /// Of the first paragraph that shows it.
    pub location: Location,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({} {:?} {} bytes)", self.part, self.format, self.data.len())
    }
}

/// By the file's first bytes, not by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    Png,
    Jpeg,
    Gif,
    Bmp,
    Tiff,
    WebP,
    Svg,
    Emf,
    Wmf,
    Unknown,
}

#[derive(Clone)]
pub struct EmbeddedFont {
    pub family: String,
    pub bold: bool,
    pub italic: bool,
    pub data: Arc<[u8]>,
}

impl std::fmt::Debug for EmbeddedFont {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EmbeddedFont({} {} bytes)", self.family, self.data.len())
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FontHint {
    pub alternative_name: Option<String>,
    pub family: FontFamily,
    pub fixed_pitch: bool,
}

/// §17.18.30
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FontFamily {
    Decorative,
    Modern,
    Roman,
    Script,
    Swiss,
    #[default]
    Auto,
}

/// docProps/core.xml.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CoreProperties {
    pub title: Option<String>,
    pub description: Option<String>,
    pub subject: Option<String>,
    pub creator: Option<String>,
    pub keywords: Option<String>,
    pub language: Option<String>,
    pub last_modified_by: Option<String>,
    pub revision: Option<String>,
    /// Dates are ISO 8601.
    pub created: Option<String>,
    pub modified: Option<String>,
}

/// word/settings.xml, as far as it changes a page (§17.15.1).
#[derive(Debug, Clone, SmartDefault, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    #[default(36.0)]
    pub default_tab_stop: f32,
    pub even_and_odd_headers: bool,
    pub mirror_margins: bool,
    pub gutter_at_top: bool,
    pub auto_hyphenation: bool,
    #[default(18.0)]
    pub hyphenation_zone: f32,
    pub do_not_hyphenate_caps: bool,
    pub consecutive_hyphen_limit: u32,
    pub hyphen_at_page_end: HyphenAtPageEnd,
    /// w:compatibilityMode: 11 to 15; a document without it is 12.
    #[default(12)]
    pub compatibility_mode: u8,
    /// A `w:br` in a justified paragraph does not stretch its line (§17.15.3.14).
    pub do_not_expand_shift_return: bool,
    pub do_not_use_html_paragraph_auto_spacing: bool,
    /// East Asian punctuation gives way where a line needs its room (§17.15.1.18 w:characterSpacingControl).
    pub compress_punctuation: bool,
    pub footnotes: NoteProperties,
    pub endnotes: NoteProperties,
    pub track_revisions: bool,
    /// How far the further lines of a displayed formula are indented that is too long for one (§22.1.2.121), in points.
    #[default(72.0)]
    pub formula_wrap_indent: f32,
    /// The document's own variables for DOCVARIABLE fields.
    pub variables: BTreeMap<String, String>,
}

/// What becomes of a line that would end its page or column with a hyphen that its author did not write ([MS-DOCX] 2.3.7, 2.3.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum HyphenAtPageEnd {
    /// It stays as it is (w:compatSetting allowHyphenationAtTrackBottom).
    Stays,
    /// The line goes to the next page (useWord2013TrackBottomHyphenation, or neither of the two).
    #[default]
    LineGoes,
    /// The word goes to the next page, the rest of the line stays.
    WordGoes,
}

/// What stands one below the other on a page.
#[derive(Debug, Clone)]
pub enum Block {
    Paragraph(Paragraph),
    Table(Table),
}

impl Block {
    /// Of its first paragraph.
    fn location(&self) -> Option<&Location> {
        match self {
            Block::Paragraph(paragraph) => Some(&paragraph.location),
            Block::Table(table) => {
                let mut cells = table.rows.iter().flat_map(|row| &row.cells);
                cells.find_map(|cell| cell.blocks.iter().find_map(Block::location))
            }
        }
    }
}
