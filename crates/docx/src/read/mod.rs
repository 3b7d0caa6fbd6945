//! From the parts of a package to the document tree.
//!
//! What of a document cannot be set is a [`Finding`](waraq_rules::Finding) with its place; its text is kept.

mod alternative;
mod binding;
mod block;
mod cascade;
mod color;
mod document;
mod drawing;
mod field;
pub(crate) mod field_code;
mod font_table;
mod frame;
mod html;
mod html_style;
mod inline;
mod math;
mod math_linear;
mod media;
mod notes;
mod numbering;
mod paragraph;
mod paragraph_format;
pub(crate) mod properties;
mod rtf;
mod ruby;
mod run_format;
mod section;
mod settings;
mod story;
mod styles;
mod table;
mod table_format;
mod table_style;
mod values;

pub(crate) use waraq_graphics::xml::{Element, Tree};
use waraq_graphics::{symbols, theme, xml};

use crate::tree::Document;
use crate::{Package, Result};

/// Which text of a document with tracked changes is read (§17.13.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TrackedChanges {
    /// As if every change were accepted.
    #[default]
    Final,
    /// Insertions and deletions both, marked as such.
    All,
}

/// How a document is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadOptions {
    pub tracked_changes: TrackedChanges,
    /// Whether comments and their marks are read.
    pub comments: bool,
    /// Whether the marks of [`crate::fields::Template::fill_marked`] are read: else they are characters like others.
    pub values: bool,
}

/// Reads a document into its tree.
///
/// Errors: `malformed_xml` naming the part, where a part is no well-formed XML; `no_document_body` where the main part
/// holds no `w:body`. A part that is missing is taken for empty.
pub fn read(package: &Package, options: &ReadOptions) -> Result<Document> {
    document::read(package, options)
}
