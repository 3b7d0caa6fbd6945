//! The document model as data.

use std::collections::BTreeMap;

use serde::Serialize;

use waraq_rules::Finding;

use crate::package::Relationship;
use crate::tree::{BorderStyle, CoreProperties, NoteProperties, NumberFormat, PageMargins, SectionStart};

/// All of it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentModel {
    pub parts: Parts,
    pub core: CoreProperties,
    pub extended: ExtendedProperties,
    /// By name; values as text.
    pub custom: BTreeMap<String, String>,
    pub settings: SettingsModel,
    /// The families the font table names.
    pub fonts: Vec<String>,
    pub embedded_fonts: Vec<String>,
    /// The language most of the text is in (BCP 47).
    pub language: Option<String>,
    pub comments: Vec<CommentModel>,
    pub sections: Vec<SectionModel>,
    /// How many.
    pub footnotes: usize,
    pub endnotes: usize,
    /// By the part they belong to; the package's own under the empty name.
    pub relationships: BTreeMap<String, Vec<Relationship>>,
    /// What cannot be set as Word would.
    pub warnings: Vec<Finding>,
}

/// Names of the parts, by what they are for.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parts {
    pub main: String,
    pub fonts: Option<String>,
    pub numbering: Option<String>,
    pub styles: Option<String>,
    pub settings: Option<String>,
    pub theme: Option<String>,
    pub footnotes: Option<String>,
    pub endnotes: Option<String>,
    pub comments: Option<String>,
    pub headers: Vec<String>,
    pub footers: Vec<String>,
    pub all: Vec<String>,
}

/// docProps/app.xml: what the program that saved the document counted.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExtendedProperties {
    pub template: Option<String>,
    pub pages: Option<u32>,
    pub words: Option<u32>,
    pub characters: Option<u32>,
    pub application: Option<String>,
    pub lines: Option<u32>,
    pub paragraphs: Option<u32>,
    pub company: Option<String>,
    pub app_version: Option<String>,
}

/// word/settings.xml.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingsModel {
    pub default_tab_stop: f32,
    pub auto_hyphenation: bool,
    pub even_and_odd_headers: bool,
    pub mirror_margins: bool,
    pub track_revisions: bool,
    pub compatibility_mode: u8,
    pub footnotes: NoteProperties,
    pub endnotes: NoteProperties,
}

/// A comment; `parent` is the id of the comment it answers.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentModel {
    pub id: String,
    pub author: String,
    pub initials: String,
    pub date: Option<String>,
    /// Its text, a line a paragraph.
    pub content: String,
    pub parent: Option<String>,
    pub done: bool,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SectionModel {
    pub start: SectionStart,
    pub page_size: PageSize,
    pub margins: PageMargins,
    pub columns: ColumnsModel,
    pub header_footer_references: Vec<HeaderReference>,
    pub title_page: bool,
    pub right_to_left: bool,
    pub page_borders: PageBordersModel,
    pub page_number: PageNumberModel,
}

#[derive(Debug, Clone, Serialize)]
pub struct PageSize {
    pub width: f32,
    pub height: f32,
    pub orientation: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub struct ColumnsModel {
    pub count: usize,
    pub space: f32,
    pub separator: bool,
    /// Only where they are not alike.
    pub columns: Vec<ColumnModel>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ColumnModel {
    pub width: f32,
    pub space: f32,
}

/// A header or footer a section names itself.
#[derive(Debug, Clone, Serialize)]
pub struct HeaderReference {
    /// `header` or `footer`.
    pub kind: &'static str,
    /// `default`, `first` or `even`.
    pub page: String,
    pub id: String,
    pub target: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct PageBordersModel {
    pub top: Option<BorderModel>,
    pub bottom: Option<BorderModel>,
    pub left: Option<BorderModel>,
    pub right: Option<BorderModel>,
}

#[derive(Debug, Clone, Serialize)]
pub struct BorderModel {
    pub style: BorderStyle,
    pub width: f32,
    pub space: f32,
    /// `None` is automatic.
    pub color: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct PageNumberModel {
    pub format: NumberFormat,
    pub start: Option<u32>,
}
