//! Fields whose results are computed when the document is laid out (ECMA-376 part 1, §17.16.5).

use std::sync::Arc;

use jiff::civil::DateTime;
use waraq_rules::format::FieldFormat;

use super::{FieldExpression, NodeId, PropertyValue, StyleReference};

/// Fields that the layout computes (§17.16.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ComputedField {
    /// The number of the page (PAGE). If the field has no number format, the number has the page number format of the
    /// section.
    Page(FieldFormat),
    /// The number of pages of the document (NUMPAGES).
    Pages(FieldFormat),
    /// The number of pages of the section (SECTIONPAGES).
    SectionPages(FieldFormat),
    /// The number of the section, from 1 (SECTION).
    Section(FieldFormat),
    /// The number of the page that contains a bookmark (PAGEREF).
    PageReference {
        /// The identity of the field.
        origin: FieldOrigin,
        /// The name of the bookmark.
        bookmark: Arc<str>,
        /// The format of the number. If the field has no number format, the page number has the format of its section.
        format: FieldFormat,
    },
    /// The text of a bookmark (REF, or the name of a bookmark alone).
    Reference {
        /// The identity of the field.
        origin: FieldOrigin,
        /// The name of the bookmark. Bookmarks are found regardless of letter case.
        bookmark: Arc<str>,
        /// The format of the text.
        format: FieldFormat,
    },
    /// The number of the paragraph in which the bookmark begins (REF with a switch \n, \r, \w or \p).
    ReferenceNumber {
        /// The identity of the field.
        origin: FieldOrigin,
        /// The name of the bookmark.
        bookmark: Arc<str>,
        /// The levels of the paragraph number that are shown. `None`: the number itself is not shown.
        number: Option<NumberContext>,
        /// True if the word "above" or "below" is shown (switch \p). It follows the number if the number is shown too.
        with_position: bool,
    },
    /// The mark of the note whose reference is in a bookmark (NOTEREF).
    NoteReference {
        /// The identity of the field.
        origin: FieldOrigin,
        /// The name of the bookmark.
        bookmark: Arc<str>,
        /// The format of the mark.
        format: FieldFormat,
    },
    /// The current date (DATE). Without a date picture (switch \@), it has the short date format of the language.
    Date(FieldFormat),
    /// The current time (TIME). Without a date picture (switch \@), it has the short time format of the language.
    Time(FieldFormat),
    /// A date in the properties of the document (CREATEDATE, SAVEDATE, PRINTDATE).
    DocumentDate {
        /// The identity of the field.
        origin: FieldOrigin,
        /// The date and time in UTC.
        date: DateTime,
        /// The format of the date. Without a date picture (switch \@), the date has the short date and time format of
        /// the language.
        format: FieldFormat,
    },
    /// A property or variable of the document (DOCPROPERTY, DOCVARIABLE, INFO, TITLE and similar fields).
    Property {
        /// The identity of the field.
        origin: FieldOrigin,
        /// The value of the property.
        value: PropertyValue,
        /// The format of the value.
        format: FieldFormat,
    },
    /// The name of the file (FILENAME).
    FileName {
        /// The identity of the field.
        origin: FieldOrigin,
        /// The format of the name.
        format: FieldFormat,
    },
    /// The number of words or characters of the body (NUMWORDS, NUMCHARS).
    TextLength {
        /// The unit that is counted.
        unit: LengthUnit,
        /// The format of the number.
        format: FieldFormat,
    },
    /// The nearest text that has a style (STYLEREF).
    StyleReference(Arc<StyleReference>),
    /// A field that is computed from other fields and texts (IF, COMPARE, QUOTE, SET and formulas).
    Expression(Arc<FieldExpression>),
}

impl ComputedField {
    /// Returns the identity of the field. Returns `None` for fields such as PAGE and DATE. Word computes the results of
    /// such fields when it opens a document.
    pub fn origin(&self) -> Option<&FieldOrigin> {
        match self {
            Self::PageReference { origin, .. }
            | Self::Reference { origin, .. }
            | Self::ReferenceNumber { origin, .. }
            | Self::NoteReference { origin, .. }
            | Self::DocumentDate { origin, .. }
            | Self::Property { origin, .. }
            | Self::FileName { origin, .. } => Some(origin),
            Self::Expression(expression) => Some(&expression.origin),
            _ => None,
        }
    }

    /// Returns `true` if the text of the field may be different on each page that shows the field.
    pub fn depends_on_page(&self) -> bool {
        match self {
            Self::Page(_) | Self::SectionPages(_) | Self::Section(_) | Self::StyleReference(_) => true,
            Self::Expression(expression) => expression.fields().any(Self::depends_on_page),
            _ => false,
        }
    }
}

/// The unit of the length of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthUnit {
    /// Words, separated by white space.
    Words,
    /// Characters without white space.
    Characters,
}

/// The identity of a field, and its position in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldOrigin {
    /// The identifier of the field. The layout uses it to find the position of the field in the document.
    pub id: NodeId,
    /// The position of the field in the file. `None`: the field is in an imported document, or was not read from a file.
    pub source: Option<FieldSource>,
}

/// The position of a field in the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldSource {
    /// The name of the part.
    pub part: Arc<str>,
    /// The byte offset of the start of the field: of its `w:fldChar` with the type `begin`, or of its `w:fldSimple`. A
    /// byte order mark at the start of the part is not counted.
    pub offset: usize,
}

/// The levels of a multilevel number that a reference shows (§17.16.5.50).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberContext {
    /// Switch \n: only the level of the paragraph itself.
    Own,
    /// Switch \r: only the levels of the number that differ from the number of the paragraph with the field.
    Relative,
    /// Switch \w: all levels.
    Full,
}
