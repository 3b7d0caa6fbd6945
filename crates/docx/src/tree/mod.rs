//! The document tree: the input of the layout, without XML.
//!
//! Some enumerations, such as [`BorderStyle`], implement `FromStr` for the attribute values in files.
//!
//! All values are resolved:
//! - Run properties combine document defaults, table style, paragraph style, character style and direct formatting
//!   (ECMA-376 part 1, §17.7.2).
//! - Numbering labels contain the counted numbers.
//! - Theme fonts and colours are looked up.
//! - `left` and `right` become start and end where Word means the leading and trailing edge.
//!
//! Lengths are points (`f32`), angles are degrees clockwise, colours are sRGB.

mod computed_field;
mod drawing;
mod field_expression;
mod field_number;
mod formula;
mod math;
mod paragraph;
mod property_value;
mod run;
mod section;
mod style_reference;
mod table;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;
use waraq_rules::{Diagnostic, DiagnosticCode};

use bytes::Bytes;
pub use computed_field::*;
pub use drawing::*;
pub(crate) use field_expression::chooses_number_format;
pub use field_expression::*;
pub use field_number::FieldNumber;
pub use formula::CellSelection;
pub use math::*;
pub use paragraph::*;
pub use property_value::PropertyValue;
pub use run::*;
pub use section::*;
pub use style_reference::*;
pub use table::*;
pub use waraq_graphics::{anchor::*, chart::model::*, metafile::marks::*, shape::*};
pub use waraq_rules::format::NumberFormat;

use crate::Meter;

/// The identifier of a node. Each new node gets a new identifier. A copy of a node keeps the identifier of the
/// original.
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
    /// The properties of fonts in the font table (§17.8.3), by font name. They are used to choose substitutes.
    pub font_table: BTreeMap<String, FontHint>,
    /// The settings of the whole document.
    pub settings: Settings,
    /// The core properties, for fields and for the metadata of the PDF.
    pub properties: CoreProperties,
    /// The formatting of the line numbers beside the text (§17.6.8).
    pub line_number_run: Arc<RunProperties>,
    /// The language of most of the text (a BCP 47 tag), for the PDF. `None`: the document specifies no language.
    pub language: Option<String>,
    /// The bytes of text in each language (BCP 47), from which `language` is determined.
    pub language_lengths: HashMap<Arc<str>, usize>,
    /// Diagnostics for content that is left out, and for content that looks different from Word.
    pub warnings: Vec<Diagnostic>,
    /// The meter that counts the work on this document.
    pub meter: Meter,
}

/// A footnote or an endnote.
#[derive(Debug, Clone, Default)]
pub struct Note {
    /// The content of the note. An item [`Content::NoteMark`] in the content is the place where the note number is
    /// printed.
    pub blocks: Vec<Block>,
}

/// The separators between the text and its notes, and the notice below notes that continue (§17.11.1, §17.11.23,
/// §17.11.11). A field is `None` if the document does not define it.
#[derive(Debug, Clone, Default)]
pub struct NoteSeparators {
    /// The separator above notes that begin on the page. `None`: Word's default line.
    pub separator: Option<NoteSeparator>,
    /// The separator above notes that continue from the previous page. `None`: Word's default line.
    pub continuation: Option<NoteSeparator>,
    /// The notice below notes that continue on the next page. `None`: no notice.
    pub continuation_notice: Option<Vec<Block>>,
}

/// One separator between the text and its notes.
#[derive(Debug, Clone, Default)]
pub struct NoteSeparator {
    /// The content of the separator, without the line that the field `line` describes.
    pub blocks: Vec<Block>,
    /// Word's separator line is in the first paragraph of the separator. The line is two inches long. Above notes that
    /// continue from the previous page, the line is as wide as the text.
    pub line: bool,
}

/// A comment (§17.13.4).
#[derive(Debug, Clone, Default, Serialize)]
pub struct Comment {
    /// The id of the comment (w:id). [`Content::CommentReference`] contains the same id.
    pub id: String,
    /// The name of the author (w:author). Empty if the document has none.
    pub author: String,
    /// The index of the author among all reviewers, from 0 in order of first appearance. [`Revision::reviewer`] uses
    /// the same index.
    pub reviewer: usize,
    /// The initials of the author (w:initials). Empty if the document has none.
    pub initials: String,
    /// The date as written in the document (ISO 8601). `None`: the comment has no date.
    pub date: Option<String>,
    /// The id of the comment to which this comment is a reply (w15:paraIdParent of the part commentsExtended). `None`:
    /// this comment is not a reply.
    pub parent: Option<String>,
    /// The comment is marked as resolved (w15:done).
    pub done: bool,
    /// The content of the comment. It is serialized as plain text, in a field named `content`.
    #[serde(rename = "content", serialize_with = "crate::inspect::plain_text")]
    pub blocks: Vec<Block>,
}

/// The position of content in the file, for warnings: the part and the paragraph.
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

    /// Returns the position of the first paragraph in `blocks`. If `blocks` contains no paragraph, returns a position
    /// without part and paragraph.
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
    /// The category (cp:category).
    pub category: Option<String>,
    /// The language in the core properties (dc:language). The language of most of the text is [`Document::language`].
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
    /// The gap in points that may remain at the end of a line (§17.15.1.53 w:hyphenationZone). A word is hyphenated
    /// only if the gap without hyphenation would be larger.
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
    /// The footnote properties of the document. The properties of a section override them.
    pub footnotes: NoteProperties,
    /// The endnote properties of the document. The properties of a section override them.
    pub endnotes: NoteProperties,
    /// Word records changes as tracked changes (w:trackRevisions). This setting does not affect the layout.
    pub track_revisions: bool,
    /// The indent in points of the second and later lines of a long displayed formula (§22.1.2.121).
    #[default(72.0)]
    pub formula_wrap_indent: f32,
    /// The values of document variables by name, for DOCVARIABLE fields.
    pub variables: BTreeMap<String, String>,
}

/// The rule for an automatic hyphen at the end of a page or column ([MS-DOCX] 2.3.7, 2.3.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum HyphenAtPageEnd {
    /// The line stays on the page and keeps its hyphen (w:compatSetting allowHyphenationAtTrackBottom).
    Stays,
    /// The complete line moves to the next page (useWord2013TrackBottomHyphenation). This is also the default if the
    /// document has neither this setting nor allowHyphenationAtTrackBottom.
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
