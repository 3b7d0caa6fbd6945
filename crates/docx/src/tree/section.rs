//! Sections and their pages (ECMA-376 part 1, §17.6).

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{Block, Border, NumberFormat, TextDirection, VerticalAlignment};

#[derive(Debug, Clone, Default)]
pub struct Section {
    pub properties: SectionProperties,
    pub blocks: Vec<Block>,
    /// Headers and footers after inheritance from earlier sections (§17.10.1). `None`: nothing to print.
    pub headers: HeaderSet,
    pub footers: HeaderSet,
    /// Those it names itself.
    pub header_references: Vec<HeaderReference>,
}

/// A header or footer as a section names it.
#[derive(Debug, Clone, Serialize)]
pub struct HeaderReference {
    /// `header` or `footer`.
    pub kind: &'static str,
    /// `default`, `first` or `even`.
    pub page: String,
    pub id: String,
    pub target: Option<String>,
}

/// The three headers (or footers) a section may have.
#[derive(Debug, Clone, Default)]
pub struct HeaderSet {
    pub default: Option<std::sync::Arc<Vec<Block>>>,
    /// Used on the first page if [`SectionProperties::title_page`]; `None` then prints nothing.
    pub first: Option<std::sync::Arc<Vec<Block>>>,
    /// Used on even pages if the settings say so.
    pub even: Option<std::sync::Arc<Vec<Block>>>,
}

/// By default US Letter with margins of an inch: what Word assumes for a body without w:sectPr.
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
    /// w:bidi: right-to-left columns, gutter on the right.
    pub bidi: bool,
    pub page_number_format: NumberFormat,
    pub page_number_start: Option<u32>,
    pub page_borders: PageBorders,
    pub vertical_alignment: VerticalAlignment,
    pub line_numbers: Option<LineNumbers>,
    pub footnotes: NoteProperties,
    pub endnotes: NoteProperties,
    pub text_direction: TextDirection,
    /// w:docGrid of type lines, linesAndChars or snapToChars: the pitch of a line, in points.
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

/// §17.6.11. A negative top or bottom margin is exact: headers do not push the body.
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
    /// Between equal columns.
    #[default(36.0)]
    pub space: f32,
    pub separator: bool,
    /// Width of each and the space after it, where they differ; then `count` is its length.
    pub unequal: Vec<(f32, f32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageBorders {
    pub top: Option<Border>,
    pub bottom: Option<Border>,
    pub left: Option<Border>,
    pub right: Option<Border>,
    /// Measured from the text rather than from the page's edge.
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

/// §17.11.4, §17.11.12
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct NoteProperties {
    /// `None`: decimal for footnotes, lower roman for endnotes.
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
