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
    /// The sections of the body. A document has at least one.
    pub sections: Vec<Section>,
    /// The footnotes by w:id. Separators are not included.
    pub footnotes: BTreeMap<i64, Note>,
    /// The endnotes by w:id. Separators are not included.
    pub endnotes: BTreeMap<i64, Note>,
    /// The separators between the text and the footnotes.
    pub footnote_separators: NoteSeparators,
    /// The separators between the text and the endnotes.
    pub endnote_separators: NoteSeparators,
    /// The comments. The list is empty unless [`crate::ReadOptions::comments`] is set.
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
    /// The settings of the whole document.
    pub settings: Settings,
    /// The core properties, for fields and for the metadata of the PDF.
    pub properties: CoreProperties,
    /// The formatting of the line numbers beside the text (§17.6.8).
    pub line_number_run: Arc<RunProperties>,
    /// The language of most of the text (a BCP 47 tag), for the PDF.
    pub language: Option<String>,
    /// Diagnostics for content that is left out or that looks different from Word.
    pub warnings: Vec<Diagnostic>,
    /// The meter that counts the work on this document.
    pub meter: Meter,
}

/// A footnote or an endnote.
#[derive(Debug, Clone, Default)]
pub struct Note {
    /// The content of the note. [`Content::NoteMark`] is the place of the note number in it.
    pub blocks: Vec<Block>,
}

/// The separators between the text and its notes (§17.11.1, §17.11.23, §17.11.11). If the document does not define a
/// separator, the field is `None`, and Word's default line is used.
#[derive(Debug, Clone, Default)]
pub struct NoteSeparators {
    /// The separator above notes that begin on the page.
    pub separator: Option<NoteSeparator>,
    /// The separator above notes that continue from the previous page.
    pub continuation: Option<NoteSeparator>,
    /// The notice below notes that continue on the next page.
    pub continuation_notice: Option<Vec<Block>>,
}

/// One separator between the text and its notes.
#[derive(Debug, Clone, Default)]
pub struct NoteSeparator {
    /// The content of the separator. Word's separator line is not in it, but in `line`.
    pub blocks: Vec<Block>,
    /// The first paragraph contains Word's separator line. It is two inches long, or as wide as the text above
    /// continued notes.
    pub line: bool,
}

/// A comment (§17.13.4).
#[derive(Debug, Clone, Default, Serialize)]
pub struct Comment {
    /// The id (w:id), as in [`Content::CommentReference`].
    pub id: String,
    /// The name of the author (w:author). Empty if the document has none.
    pub author: String,
    /// The reviewer number, as in [`Revision::reviewer`].
    pub reviewer: usize,
    /// The initials of the author (w:initials). Empty if the document has none.
    pub initials: String,
    /// The date as written in the document (ISO 8601).
    pub date: Option<String>,
    /// The id of the comment that this one replies to (w15:paraIdParent of the part commentsExtended). `None`: it is
    /// not a reply.
    pub parent: Option<String>,
    /// The comment is marked as resolved (w15:done).
    pub done: bool,
    /// The content of the comment. It is serialized as plain text under the name `content`.
    #[serde(rename = "content", serialize_with = "crate::inspect::plain_text")]
    pub blocks: Vec<Block>,
}

/// The position of an item in the file, for warnings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// The name of the part. Empty if the part is not known.
    pub part: Arc<str>,
    /// The number of the paragraph in the part, counted from 1. `None`: the position is not in a paragraph.
    pub paragraph: Option<usize>,
}

impl Location {
    /// Returns a diagnostic for this position.
    pub fn finding(&self, code: DiagnosticCode, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, message).in_part(&*self.part).at_paragraph(self.paragraph)
    }

    /// Returns the position of the first paragraph in `blocks`. Returns an empty position if `blocks` contains no
    /// paragraph.
    pub fn first_in(blocks: &[Block]) -> Self {
        blocks.iter().find_map(Block::location).cloned().unwrap_or_default()
    }
}

/// An image of the document.
#[derive(Clone)]
pub struct Image {
    /// The name of the image part, for warnings.
    pub part: String,
    /// The bytes of the image file, as stored in the package or extracted from a metafile.
    pub data: Bytes,
    /// The format of `data`.
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
    /// Portable Network Graphics.
    Png,
    /// JPEG in any variant.
    Jpeg,
    /// Graphics Interchange Format.
    Gif,
    /// Windows bitmap.
    Bmp,
    /// Tagged Image File Format in either byte order.
    Tiff,
    /// WebP in a RIFF container.
    WebP,
    /// Scalable Vector Graphics, detected from `<svg` in the first 1,024 bytes.
    Svg,
    /// Enhanced Windows metafile ([MS-EMF]).
    Emf,
    /// Windows metafile ([MS-WMF]), with or without the placeable header.
    Wmf,
    /// Any other format. Such an image cannot be drawn.
    Unknown,
}

/// A font file embedded in the document, for one style of a family.
#[derive(Clone)]
pub struct EmbeddedFont {
    /// The font family (w:name of w:font).
    pub family: String,
    /// The file is for bold text (w:embedBold, w:embedBoldItalic).
    pub bold: bool,
    /// The file is for italic text (w:embedItalic, w:embedBoldItalic).
    pub italic: bool,
    /// The bytes of the TrueType or OpenType file.
    pub data: Arc<[u8]>,
}

impl std::fmt::Debug for EmbeddedFont {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EmbeddedFont({} {} bytes)", self.family, self.data.len())
    }
}

/// The properties of a font in the font table (w:font).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FontHint {
    /// Another name of the font (w:altName).
    pub alternative_name: Option<String>,
    /// The general look of the font (w:family).
    pub family: FontFamily,
    /// All characters have the same width (w:pitch `fixed`).
    pub fixed_pitch: bool,
}

/// The family of a font (§17.18.30).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FontFamily {
    /// A novelty font.
    Decorative,
    /// A font with a constant stroke width, usually monospaced.
    Modern,
    /// A proportional font with serifs.
    Roman,
    /// A font that looks like handwriting.
    Script,
    /// A proportional font without serifs.
    Swiss,
    /// A font whose family is not known.
    #[default]
    Auto,
}

/// The core properties in `docProps/core.xml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CoreProperties {
    /// The title (dc:title).
    pub title: Option<String>,
    /// The description or comment (dc:description).
    pub description: Option<String>,
    /// The subject (dc:subject).
    pub subject: Option<String>,
    /// The author (dc:creator).
    pub creator: Option<String>,
    /// The keywords in one text (cp:keywords).
    pub keywords: Option<String>,
    /// The language in the core properties (dc:language). [`Document::language`] is the language of most of the text
    /// instead.
    pub language: Option<String>,
    /// The user who saved the document last (cp:lastModifiedBy).
    pub last_modified_by: Option<String>,
    /// The number of times the document was saved, as written in the file (cp:revision).
    pub revision: Option<String>,
    /// The creation date (ISO 8601).
    pub created: Option<String>,
    /// The date of the last change (ISO 8601).
    pub modified: Option<String>,
}

/// The settings in `word/settings.xml` that affect pages (§17.15.1).
#[derive(Debug, Clone, SmartDefault, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The distance in points between default tab stops (w:defaultTabStop).
    #[default(36.0)]
    pub default_tab_stop: f32,
    /// Even pages have their own headers and footers (w:evenAndOddHeaders, §17.10.1).
    pub even_and_odd_headers: bool,
    /// The left and right margins are exchanged on even pages (w:mirrorMargins).
    pub mirror_margins: bool,
    /// The gutter is at the top of the page instead of the side (w:gutterAtTop).
    pub gutter_at_top: bool,
    /// Words are hyphenated automatically (w:autoHyphenation).
    pub auto_hyphenation: bool,
    /// The gap in points that may remain at the end of a line. A word is hyphenated only if the gap would be larger
    /// (§17.15.1.53 w:hyphenationZone).
    #[default(18.0)]
    pub hyphenation_zone: f32,
    /// Words in capitals are not hyphenated (w:doNotHyphenateCaps).
    pub do_not_hyphenate_caps: bool,
    /// The maximum number of consecutive lines that end in an automatic hyphen. 0: no limit (w:consecutiveHyphenLimit).
    pub consecutive_hyphen_limit: u32,
    /// The rule for an automatic hyphen at the end of a page or column.
    pub hyphen_at_page_end: HyphenAtPageEnd,
    /// The compatibility mode, from 11 to 15 (w:compatibilityMode). It is 12 for documents without the setting.
    #[default(12)]
    pub compatibility_mode: u8,
    /// In a justified paragraph, a line that ends with a `w:br` is not stretched (§17.15.3.14).
    pub do_not_expand_shift_return: bool,
    /// The space after a paragraph and the space before the next one are added. If `false`, only the larger one is used
    /// (§17.15.3.21).
    pub do_not_use_html_paragraph_auto_spacing: bool,
    /// East Asian punctuation is compressed if a line needs the space (§17.15.1.18 w:characterSpacingControl).
    pub compress_punctuation: bool,
    /// The footnote properties of the document. Those of a section override them.
    pub footnotes: NoteProperties,
    /// The endnote properties of the document. Those of a section override them.
    pub endnotes: NoteProperties,
    /// Word records changes as tracked changes (w:trackRevisions). The layout ignores it.
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
    /// The line stays on the page and keeps its hyphen (w:compatSetting allowHyphenationAtTrackBottom).
    Stays,
    /// The complete line moves to the next page (useWord2013TrackBottomHyphenation, or neither of the two settings).
    #[default]
    LineGoes,
    /// Only the hyphenated word moves to the next page; the rest of the line stays.
    WordGoes,
}

/// A block of the text flow.
#[derive(Debug, Clone)]
pub enum Block {
    /// A paragraph (w:p).
    Paragraph(Paragraph),
    /// A table (w:tbl) with at least one row.
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
