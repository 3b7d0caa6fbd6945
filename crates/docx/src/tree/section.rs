//! Sections and their pages (ECMA-376 part 1, §17.6).

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{Block, Border, NumberFormat, TextDirection, VerticalAlignment};

#[derive(Debug, Clone, Default)]
pub struct Section {
    pub properties: SectionProperties,
    pub blocks: Vec<Block>,
    /// Headers and footers, inherited from earlier sections where needed (§17.10.1). `None`: no header or footer.
    pub headers: HeaderSet,
    pub footers: HeaderSet,
    /// The header and footer references of the section itself.
    pub header_references: Vec<HeaderReference>,
}

/// A reference of a section to a header or footer.
#[derive(Debug, Clone, Serialize)]
pub struct HeaderReference {
    /// The kind: `header` or `footer`.
    pub kind: &'static str,
    /// The pages: `default`, `first` or `even`.
    pub page: String,
    pub id: String,
    pub target: Option<String>,
}

/// The three headers (or footers) a section may have.
#[derive(Debug, Clone, Default)]
pub struct HeaderSet {
    pub default: Option<std::sync::Arc<Vec<Block>>>,
    /// The header of the first page, used with [`SectionProperties::title_page`]. `None` prints no header.
    pub first: Option<std::sync::Arc<Vec<Block>>>,
    /// The header of even pages, used with [`Settings::even_and_odd_headers`](super::Settings::even_and_odd_headers).
    pub even: Option<std::sync::Arc<Vec<Block>>>,
}

/// The properties of a section. The default is US Letter with margins of one inch, which Word uses for a body without
/// w:sectPr.
#[derive(Debug, Clone, PartialEq, SmartDefault, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SectionProperties {
    pub start: SectionStart,
    #[default(612.0)]
    pub page_width: f32,
    #[default(792.0)]
    pub page_height: f32,
    pub landscape: bool,
    pub margins: PageMargins,
    pub columns: Columns,
    pub title_page: bool,
    /// Columns are right-to-left and the gutter is on the right (w:bidi).
    pub bidi: bool,
    pub page_number_format: NumberFormat,
    pub page_number_start: Option<u32>,
    pub page_borders: PageBorders,
    pub vertical_alignment: VerticalAlignment,
    pub line_numbers: Option<LineNumbers>,
    pub footnotes: NoteProperties,
    pub endnotes: NoteProperties,
    pub text_direction: TextDirection,
    /// The line pitch in points of a w:docGrid of type lines, linesAndChars or snapToChars.
    pub line_pitch: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum SectionStart {
    #[default]
    NextPage,
    Continuous,
    NextColumn,
    EvenPage,
    OddPage,
}

/// The margins of a page in points (§17.6.11). A negative top or bottom margin is exact: headers do not move the body.
#[derive(Debug, Clone, Copy, PartialEq, SmartDefault, Serialize)]
pub struct PageMargins {
    #[default(72.0)]
    pub left: f32,
    #[default(72.0)]
    pub right: f32,
    #[default(72.0)]
    pub top: f32,
    #[default(72.0)]
    pub bottom: f32,
    #[default(36.0)]
    pub header: f32,
    #[default(36.0)]
    pub footer: f32,
    pub gutter: f32,
}

#[derive(Debug, Clone, PartialEq, SmartDefault, Serialize)]
pub struct Columns {
    #[default(1)]
    pub count: usize,
    /// The space between columns of equal width.
    #[default(36.0)]
    pub space: f32,
    pub separator: bool,
    /// The width of each column and the space after it, if widths differ. `count` is then the length of this list.
    pub unequal: Vec<(f32, f32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageBorders {
    pub top: Option<Border>,
    pub bottom: Option<Border>,
    pub left: Option<Border>,
    pub right: Option<Border>,
    /// Distances are measured from the text instead of the page edge.
    pub from_text: bool,
    pub first_page_only: bool,
    pub not_first_page: bool,
    pub behind: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LineNumbers {
    pub every: u32,
    pub start: u32,
    pub distance: f32,
    pub restart: NumberRestart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum NumberRestart {
    #[default]
    Continuous,
    #[strum(serialize = "eachSect", serialize = "newSection")]
    EachSection,
    EachPage,
}

/// The properties of footnotes or endnotes (§17.11.4, §17.11.12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct NoteProperties {
    /// The number format. `None`: decimal for footnotes, lower-case Roman for endnotes.
    pub format: Option<NumberFormat>,
    pub start: Option<u32>,
    pub restart: NumberRestart,
    pub position: NotePosition,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum NotePosition {
    #[default]
    PageBottom,
    BeneathText,
    #[strum(serialize = "sectEnd")]
    SectionEnd,
    #[strum(serialize = "docEnd")]
    DocumentEnd,
}
