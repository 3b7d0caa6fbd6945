//! Sections and their pages (ECMA-376 part 1, §17.6).

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{Block, Border, NumberFormat, TextDirection, VerticalAlignment};

/// A section of the body with its pages.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// The page size, margins, columns and other properties (w:sectPr).
    pub properties: SectionProperties,
    /// The content in reading order.
    pub blocks: Vec<Block>,
    /// The headers of the section, including headers inherited from earlier sections (§17.10.1).
    pub headers: HeaderSet,
    /// The footers of the section, including footers inherited from earlier sections (§17.10.1).
    pub footers: HeaderSet,
    /// The headers and footers to which the w:sectPr of this section refers. Inherited headers and footers are not
    /// included.
    pub header_references: Vec<HeaderReference>,
}

/// A reference of a section to a header or footer.
#[derive(Debug, Clone, Serialize)]
pub struct HeaderReference {
    /// The kind of the target: `header` or `footer`.
    pub kind: &'static str,
    /// The kind of pages that show the header or footer: `default`, `first` or `even`.
    pub page: String,
    /// The id of the relationship (r:id).
    pub id: String,
    /// The name of the part with the header or footer. `None`: the relationship does not exist.
    pub target: Option<String>,
}

/// The headers or the footers of a section, for three kinds of pages.
#[derive(Debug, Clone, Default)]
pub struct HeaderSet {
    /// The header or footer of all pages that do not use `first` or `even`. `None`: these pages have none.
    pub default: Option<std::sync::Arc<Vec<Block>>>,
    /// The header or footer of the first page, used only if [`SectionProperties::title_page`] is set. `None`: the first
    /// page has none.
    pub first: Option<std::sync::Arc<Vec<Block>>>,
    /// The header or footer of even pages, used only if
    /// [`Settings::even_and_odd_headers`](super::Settings::even_and_odd_headers) is set. `None`: even pages have none.
    pub even: Option<std::sync::Arc<Vec<Block>>>,
}

/// The properties of a section. The default is US Letter with margins of one inch, which Word uses for a body without
/// w:sectPr.
#[derive(Debug, Clone, PartialEq, SmartDefault, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SectionProperties {
    /// The start of the section relative to the previous one (w:type).
    pub start: SectionStart,
    /// The page width in points, from 7 to 14,400 (w:pgSz, §17.6.13).
    #[default(612.0)]
    pub page_width: f32,
    /// The page height in points, from 7 to 14,400.
    #[default(792.0)]
    pub page_height: f32,
    /// The pages are in landscape orientation (w:orient). The layout uses `page_width` and `page_height` as they are
    /// and does not exchange them.
    pub landscape: bool,
    /// The page margins.
    pub margins: PageMargins,
    /// The text columns (w:cols, §17.6.4).
    pub columns: Columns,
    /// The first page has its own header and footer (w:titlePg).
    pub title_page: bool,
    /// The first column is on the right, and so is the gutter (w:bidi).
    pub bidi: bool,
    /// The format of page numbers (w:pgNumType w:fmt).
    pub page_number_format: NumberFormat,
    /// The page number of the first page of the section, from 0 to 1,000,000 (w:pgNumType w:start). `None`: the page
    /// numbers continue from the previous section.
    pub page_number_start: Option<u32>,
    /// The borders around the pages (w:pgBorders).
    pub page_borders: PageBorders,
    /// The vertical alignment of the text on the page (w:vAlign).
    pub vertical_alignment: VerticalAlignment,
    /// The line numbers beside the text. `None`: no line numbers.
    pub line_numbers: Option<LineNumbers>,
    /// The footnote properties of this section.
    pub footnotes: NoteProperties,
    /// The endnote properties of this section.
    pub endnotes: NoteProperties,
    /// The direction of the text on all pages of the section (w:textDirection).
    pub text_direction: TextDirection,
    /// The distance in points between the lines of the document grid (w:docGrid of type lines, linesAndChars or
    /// snapToChars). `None`: the section has no such grid.
    pub line_pitch: Option<f32>,
}

/// The start of a section relative to the previous one (w:type).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum SectionStart {
    /// The section starts on a new page.
    #[default]
    NextPage,
    /// The section starts on the same page, below the previous section.
    Continuous,
    /// The section starts in the next column.
    NextColumn,
    /// The section starts on the next page with an even number.
    EvenPage,
    /// The section starts on the next page with an odd number.
    OddPage,
}

/// The margins of a page in points (§17.6.11). If the top or bottom margin is negative, its absolute value is used, and
/// a tall header or footer does not move the body text.
#[derive(Debug, Clone, Copy, PartialEq, SmartDefault, Serialize)]
pub struct PageMargins {
    /// The left margin, without the gutter.
    #[default(72.0)]
    pub left: f32,
    /// The right margin, without the gutter.
    #[default(72.0)]
    pub right: f32,
    /// The top margin.
    #[default(72.0)]
    pub top: f32,
    /// The bottom margin.
    #[default(72.0)]
    pub bottom: f32,
    /// The distance from the top page edge to the header.
    #[default(36.0)]
    pub header: f32,
    /// The distance from the bottom page edge to the footer.
    #[default(36.0)]
    pub footer: f32,
    /// The additional margin for binding. It is at the top with
    /// [`Settings::gutter_at_top`](super::Settings::gutter_at_top), on the right with [`SectionProperties::bidi`], and
    /// on the left otherwise.
    pub gutter: f32,
}

/// The text columns of a section (w:cols, §17.6.4).
#[derive(Debug, Clone, PartialEq, SmartDefault, Serialize)]
pub struct Columns {
    /// The number of columns, from 1 to 45.
    #[default(1)]
    pub count: usize,
    /// The space in points between columns of equal width.
    #[default(36.0)]
    pub space: f32,
    /// A vertical line is between the columns (w:sep).
    pub separator: bool,
    /// The width of each column and the space after it, in points. Empty if all columns have the same width; otherwise,
    /// `count` is the length of this list.
    pub unequal: Vec<(f32, f32)>,
}

/// The borders around the pages of a section (w:pgBorders).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageBorders {
    /// The top border.
    pub top: Option<Border>,
    /// The bottom border.
    pub bottom: Option<Border>,
    /// The border on the left side of the page.
    pub left: Option<Border>,
    /// The border on the right side of the page.
    pub right: Option<Border>,
    /// The distances of the borders ([`Border::space`]) are measured from the text (w:offsetFrom `text`). If `false`,
    /// they are measured from the page edge.
    pub from_text: bool,
    /// Only the first page of the section has borders (w:display `firstPage`).
    pub first_page_only: bool,
    /// All pages of the section except the first have borders (w:display `notFirstPage`).
    pub not_first_page: bool,
    /// The borders are behind the text (w:zOrder `back`).
    pub behind: bool,
}

/// The line numbers of a section (§17.6.8 w:lnNumType).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LineNumbers {
    /// The interval between printed numbers, at least 1 (w:countBy). For example, 5 prints only 5, 10, 15 …
    pub every: u32,
    /// The number of the first line, from 1. It is w:start plus one, because w:start counts from 0.
    pub start: u32,
    /// The distance in points between the line number and the text. 0: automatic.
    pub distance: f32,
    /// The place where the line numbers restart (w:restart). The default is each page.
    pub restart: NumberRestart,
}

/// The place where a count restarts (w:restart, w:numRestart).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum NumberRestart {
    /// The count does not restart.
    #[default]
    Continuous,
    /// The count restarts in each section.
    #[strum(serialize = "eachSect", serialize = "newSection")]
    EachSection,
    /// The count restarts on each page.
    EachPage,
}

/// The properties of footnotes or endnotes (§17.11.4, §17.11.12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct NoteProperties {
    /// The format of the note numbers. `None`: decimal for footnotes, lower-case Roman for endnotes.
    pub format: Option<NumberFormat>,
    /// The number of the first note, from 0 to 1,000,000 (w:numStart). `None`: 1.
    pub start: Option<u32>,
    /// The place where the numbers restart (w:numRestart).
    pub restart: NumberRestart,
    /// The place where the notes are printed (w:pos).
    pub position: NotePosition,
}

/// The place where footnotes or endnotes are printed (w:pos).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum NotePosition {
    /// Footnotes are at the bottom of the page. For endnotes, this default means the end of the document.
    #[default]
    PageBottom,
    /// The footnotes are directly below the text of the page.
    BeneathText,
    /// The endnotes are at the end of the section.
    #[strum(serialize = "sectEnd")]
    SectionEnd,
    /// The endnotes are at the end of the document.
    #[strum(serialize = "docEnd")]
    DocumentEnd,
}
