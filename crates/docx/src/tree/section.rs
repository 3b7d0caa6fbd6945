//! Sections and their pages (ECMA-376 part 1, §17.6).

use super::{Block, Border, NumberFormat, TextDirection, VerticalAlignment};

#[derive(Debug, Clone, Default)]
pub struct Section {
    pub properties: SectionProperties,
    pub blocks: Vec<Block>,
    /// Headers and footers after inheritance from earlier sections (§17.10.1). `None`: nothing to print.
    pub headers: HeaderSet,
    pub footers: HeaderSet,
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

#[derive(Debug, Clone, PartialEq)]
pub struct SectionProperties {
    pub start: SectionStart,
    pub page_width: f32,
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

impl Default for SectionProperties {
    /// US Letter with margins of an inch: what Word assumes for a body without w:sectPr.
    fn default() -> Self {
        Self {
            start: SectionStart::NextPage,
            page_width: 612.0,
            page_height: 792.0,
            landscape: false,
            margins: PageMargins::default(),
            columns: Columns::default(),
            title_page: false,
            bidi: false,
            page_number_format: NumberFormat::Decimal,
            page_number_start: None,
            page_borders: PageBorders::default(),
            vertical_alignment: VerticalAlignment::Top,
            line_numbers: None,
            footnotes: NoteProperties::default(),
            endnotes: NoteProperties::default(),
            text_direction: TextDirection::Horizontal,
            line_pitch: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SectionStart {
    #[default]
    NextPage,
    Continuous,
    NextColumn,
    EvenPage,
    OddPage,
}

/// §17.6.11. A negative top or bottom margin is exact: headers do not push the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageMargins {
    pub top: f32,
    pub bottom: f32,
    pub left: f32,
    pub right: f32,
    pub header: f32,
    pub footer: f32,
    pub gutter: f32,
}

impl Default for PageMargins {
    fn default() -> Self {
        Self { top: 72.0, bottom: 72.0, left: 72.0, right: 72.0, header: 36.0, footer: 36.0, gutter: 0.0 }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    pub count: usize,
    /// Between equal columns.
    pub space: f32,
    pub separator: bool,
    /// Width of each and the space after it, where they differ; then `count` is its length.
    pub unequal: Vec<(f32, f32)>,
}

impl Default for Columns {
    fn default() -> Self {
        Self { count: 1, space: 36.0, separator: false, unequal: Vec::new() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
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

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineNumbers {
    pub every: u32,
    pub start: u32,
    pub distance: f32,
    pub restart: NumberRestart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NumberRestart {
    #[default]
    Continuous,
    EachSection,
    EachPage,
}

/// §17.11.4, §17.11.12
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoteProperties {
    /// `None`: decimal for footnotes, lower roman for endnotes.
    pub format: Option<NumberFormat>,
    pub start: Option<u32>,
    pub restart: NumberRestart,
    pub position: NotePosition,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NotePosition {
    #[default]
    PageBottom,
    BeneathText,
    SectionEnd,
    DocumentEnd,
}
