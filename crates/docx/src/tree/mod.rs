//! The document tree: the input of the layout, without XML.
//!
//! Some enumerations, such as [`BorderStyle`], can be parsed from the values that files use.
//!
//! All values are resolved:
//! - Run properties combine document defaults, table style, paragraph style, character style and direct formatting
//!   (ECMA-376 part 1, §17.7.2).
//! - Numbering labels are counted.
//! - Theme fonts and colours are looked up.
//! - `left` and `right` become start and end where Word means the leading and trailing edge.
//!
//! Lengths are points (`f32`), angles are degrees clockwise, colours are sRGB.

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
use waraq_rules::{Diagnostic, DiagnosticCode};

use bytes::Bytes;
pub use drawing::*;
pub use math::*;
pub(crate) use number_words::capitalize_first;
pub use paragraph::*;
pub use run::*;
pub use section::*;
pub use table::*;
pub use waraq_graphics::{anchor::*, chart::model::*, metafile::marks::*, shape::*};

use crate::Meter;

/// The identifier of a node. Each new node gets a new identifier; a copy of the node keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(u64);

impl Default for NodeId {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A complete document.
#[derive(Debug, Clone, Default)]
pub struct Document {
    pub sections: Vec<Section>,
    pub footnotes: BTreeMap<i64, Note>,
    pub endnotes: BTreeMap<i64, Note>,
    pub footnote_separators: NoteSeparators,
    pub endnote_separators: NoteSeparators,
    pub comments: Vec<Comment>,
    /// The images, indexed by [`ImageId`]. Each image part occurs once.
    pub images: Vec<Image>,
    /// Chains of two or more linked text boxes. The first box holds the text of the chain. Each box is in at most one
    /// chain.
    pub text_chains: Vec<Vec<TextBoxId>>,
    /// The fonts embedded in the document, de-obfuscated (§17.8.1).
    pub embedded_fonts: Vec<EmbeddedFont>,
    /// Properties of fonts from the font table (§17.8.3), used to choose substitutes.
    pub font_table: BTreeMap<String, FontHint>,
    pub settings: Settings,
    pub properties: CoreProperties,
    /// The formatting of line numbers (§17.6.8).
    pub line_number_run: Arc<RunProperties>,
    /// The language of most of the text (a BCP 47 tag), for the PDF.
    pub language: Option<String>,
    pub warnings: Vec<Diagnostic>,
    /// The meter that counts the work on this document.
    pub meter: Meter,
}

/// A footnote or an endnote.
#[derive(Debug, Clone, Default)]
pub struct Note {
    pub blocks: Vec<Block>,
}

/// The separators between the text and its notes (§17.11.1, §17.11.23, §17.11.11). `None`: the document does not define
/// the separator, and Word's default line is used.
#[derive(Debug, Clone, Default)]
pub struct NoteSeparators {
    pub separator: Option<NoteSeparator>,
    /// The separator above notes that continue from the previous page.
    pub continuation: Option<NoteSeparator>,
    /// The notice below notes that continue on the next page.
    pub continuation_notice: Option<Vec<Block>>,
}

#[derive(Debug, Clone, Default)]
pub struct NoteSeparator {
    pub blocks: Vec<Block>,
    /// The first paragraph contains Word's separator line. It is two inches long, or as wide as the text above
    /// continued notes.
    pub line: bool,
}

/// A comment (§17.13.4). `parent` comes from commentsExtended.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Comment {
    pub id: String,
    pub author: String,
    /// The reviewer number, as in [`Revision::reviewer`].
    pub reviewer: usize,
    pub initials: String,
    /// The date as written in the document (ISO 8601).
    pub date: Option<String>,
    pub parent: Option<String>,
    pub done: bool,
    #[serde(rename = "content", serialize_with = "crate::inspect::plain_text")]
    pub blocks: Vec<Block>,
}

/// The position of an item in the file, for warnings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// The name of the part. Empty if the part is not known.
    pub part: Arc<str>,
    /// The number of the paragraph in the part, counted from 1.
    pub paragraph: Option<usize>,
}

impl Location {
    /// Returns a diagnostic for this position.
    pub fn finding(&self, code: DiagnosticCode, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, message).in_part(&*self.part).at_paragraph(self.paragraph)
    }

    /// Returns the position of the first paragraph in `blocks`.
    pub fn first_in(blocks: &[Block]) -> Self {
        blocks.iter().find_map(Block::location).cloned().unwrap_or_default()
    }
}

#[derive(Clone)]
pub struct Image {
    /// The name of the image part, for warnings.
    pub part: String,
    pub data: Bytes,
    pub format: ImageFormat,
    /// The position of the first paragraph that shows the image.
    pub location: Location,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({} {:?} {} bytes)", self.part, self.format, self.data.len())
    }
}

/// The format of an image, detected from its magic bytes. The file name is ignored.
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

/// The family of a font (§17.18.30).
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

/// The core properties in `docProps/core.xml`.
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
    /// The creation date (ISO 8601).
    pub created: Option<String>,
    pub modified: Option<String>,
}

/// The settings in `word/settings.xml` that affect pages (§17.15.1).
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
    /// The compatibility mode, from 11 to 15 (w:compatibilityMode). It is 12 for documents without the setting.
    #[default(12)]
    pub compatibility_mode: u8,
    /// A `w:br` in a justified paragraph does not justify the line before it (§17.15.3.14).
    pub do_not_expand_shift_return: bool,
    pub do_not_use_html_paragraph_auto_spacing: bool,
    /// East Asian punctuation is compressed if a line needs the space (§17.15.1.18 w:characterSpacingControl).
    pub compress_punctuation: bool,
    pub footnotes: NoteProperties,
    pub endnotes: NoteProperties,
    pub track_revisions: bool,
    /// The indent in points of the continuation lines of a displayed formula (§22.1.2.121).
    #[default(72.0)]
    pub formula_wrap_indent: f32,
    /// The document variables for DOCVARIABLE fields.
    pub variables: BTreeMap<String, String>,
}

/// The rule for an automatic hyphen at the end of a page or column ([MS-DOCX] 2.3.7, 2.3.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum HyphenAtPageEnd {
    /// The line keeps its hyphen (w:compatSetting allowHyphenationAtTrackBottom).
    Stays,
    /// The line moves to the next page (useWord2013TrackBottomHyphenation, or neither of the two settings).
    #[default]
    LineGoes,
    /// The word moves to the next page; the rest of the line stays.
    WordGoes,
}

/// A block of the text flow.
#[derive(Debug, Clone)]
pub enum Block {
    Paragraph(Paragraph),
    Table(Table),
}

impl Block {
    /// Returns the position of the first paragraph in the block.
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
