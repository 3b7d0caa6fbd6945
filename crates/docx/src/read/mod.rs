//! Conversion of a package to the document tree.
//!
//! Content that cannot be displayed gives a [`Diagnostic`](waraq_rules::Diagnostic) with the position of the content.
//! The text of such content is kept.

mod alternative_format;
pub(crate) mod binding;
mod block;
mod cascade;
mod color;
mod contents;
mod contents_code;
mod contents_entry;
mod controls;
mod document;
mod drawing;
pub(crate) mod expression;
mod field;
pub(crate) mod field_catalogue;
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
mod part_reader;
pub(crate) mod properties;
pub(crate) mod property_fields;
mod retyping;
mod rtf;
mod ruby;
mod run_format;
mod section;
mod settings;
mod style_names;
mod styles;
mod table;
mod table_format;
mod table_style;
mod values;

pub(crate) use waraq_graphics::xml::{Element, Tree};
use waraq_graphics::{symbols, theme, xml};

use crate::tree::Document;
use crate::{Package, Result};

/// The way in which tracked changes are read (§17.13.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TrackedChanges {
    /// Read the document as if every change were accepted.
    #[default]
    Final,
    /// Read insertions and deletions, marked as such.
    All,
}

/// Options for reading a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The way in which tracked changes are read. The default is [`TrackedChanges::Final`].
    pub tracked_changes: TrackedChanges,
    /// Read comments and their reference marks.
    pub comments: bool,
    /// Read the marks around field values that [`crate::fields::Template::fill_marked`] writes. If `false`, they are
    /// read as ordinary characters.
    pub values: bool,
}

/// Reads a document into its tree. Missing parts are treated as empty.
///
/// # Errors
/// - `malformed_xml` with the name of the part, if a part is not well-formed XML.
/// - `no_document_body` if the main part has no `w:body`.
/// - `too_complex` or `cancelled`, from the budget of the package.
pub fn read(package: &Package, options: &ReadOptions) -> Result<Document> {
    document::read_document(package, options)
}
