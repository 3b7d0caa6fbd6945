//! Detection and marking of blanks. A blank is a place in an ordinary Word file that people fill in by hand.
//!
//! # Forms
//!
//! [`BlankForm`] lists the forms of blanks. Gaps in the text are runs of underscores or dots, tab leaders, underlined
//! spaces, and dates such as `__/__/____`. Texts to replace are in brackets or braces, highlighted, or in the placeholder
//! style. The other forms are objects: check boxes, content controls without a tag, form fields and merge fields, empty cells
//! beside a label, and placeholder pictures. A `{{name}}` and a control with a tag are fields already, so they are not blanks.
//!
//! # Search
//!
//! The body, notes, headers and footers are searched, with tables and text boxes. The scan for filling gives each paragraph
//! as characters with byte ranges (`scanner`). Results of fields (such as a table of contents), deleted text and copies in
//! `mc:Fallback` are skipped. `text.rs` finds the forms in the characters, `format.rs` reads the formatting, `objects.rs`
//! and `tables.rs` find the other forms.
//!
//! # Names
//!
//! A name comes from the first of these sources that has one (`names.rs`):
//! 1. the words of the blank itself: `[Company name]`, a highlighted text, the title of a control
//! 2. a definition after the blank: `____ (the “Tenant”)`
//! 3. the label before a colon, the label cell and the heading of the column, or the text in parentheses after the blank
//! 4. a known phrase before the blank (`born on`, `demeurant à`, `بتاريخ`), a unit after it (`euros`, `months`)
//! 5. the last noun phrase before the blank, or the label on the line below
//!
//! The word lists of English, French and Arabic are in `words.rs`. A general name such as *Address* gets the party that the
//! heading or the paragraph names, if several blanks have that name. Blanks with the same words of their own have one key
//! and one name. All other blanks have distinct names.
//!
//! # Confidence
//!
//! The form decides first: a run of ten underscores is certain, three dots are not. A blank without a name of its own loses
//! a level, and a highlighted blank gains one.
//!
//! # Limits
//!
//! At most [`MAX_BLANKS`] blanks are returned, each with at most 200 characters of text. Only 200 characters before and
//! after a blank are read for its name, so that the work is linear. It counts against the budget of the package.

mod candidates;
mod find;
mod format;
mod lines;
mod mark;
mod marking;
mod names;
mod objects;
mod parties;
mod phrases;
mod tables;
mod text;
mod unmark;
mod words;

use serde::{Deserialize, Serialize};
use waraq_rules::derivation::Language;
use waraq_rules::field_settings::ValueKind;

pub use find::{FoundPlaces, MAX_OTHER_PLACES, Place, Selection, find_places};
pub use mark::{FieldMark, MAX_MARKS, Marked, SkipReason, SkippedMark, mark_fields};
pub use unmark::{MarkChange, Unmarked, unmark_fields};

use super::text_parts;
use crate::{Package, Result};

/// The maximum number of blanks that [`detect_blanks`] returns.
pub const MAX_BLANKS: usize = 1_000;
/// The maximum number of characters of [`Blank::text`].
const MAX_TEXT_CHARACTERS: usize = 200;

/// The form of a blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlankForm {
    /// Three or more underscores.
    Underscores,
    /// A run of dots or ellipses.
    Dots,
    /// A tab that is drawn as a line or as dots.
    TabLeader,
    /// Underlined spaces.
    UnderlinedSpace,
    /// A date to complete, such as `__/__/____`, `DD/MM/YYYY` or `20__`.
    DatePattern,
    /// A run of the letter X.
    Letters,
    /// Text in square brackets, angle brackets or guillemets, or brackets around a gap.
    Brackets,
    /// Text in braces: `{name}`, `${name}`.
    Braces,
    /// Highlighted text.
    Highlight,
    /// Text in the style *Placeholder Text*.
    Placeholder,
    /// A check box in the text, such as `☐` or `[ ]`.
    CheckBox,
    /// A content control without a tag.
    ContentControl,
    /// A legacy form field (FORMTEXT, FORMCHECKBOX, FORMDROPDOWN).
    FormField,
    /// A merge field.
    MergeField,
    /// An empty table cell.
    EmptyCell,
    /// A picture in a content control for pictures.
    Picture,
}

/// The probability that a blank is one. The order of the variants is ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// The text may be something else. The author should look at it.
    Low,
    /// The text is a blank in most documents.
    Medium,
    /// The text is a blank in nearly all documents.
    High,
}

impl Confidence {
    /// Returns the level below.
    fn lowered(self) -> Self {
        if self == Self::High { Self::Medium } else { Self::Low }
    }

    /// Returns the level above.
    fn raised(self) -> Self {
        if self == Self::Low { Self::Medium } else { Self::High }
    }
}

/// A blank in a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Blank {
    /// The suggested field name. It is valid, and no other blank has it, except blanks with the same key.
    pub name: String,
    /// The key of equal blanks. Blanks with the same key are one field.
    pub key: String,
    /// The text of the blank, at most 200 characters.
    pub text: String,
    /// The form of the blank.
    pub form: BlankForm,
    /// The kind of the value.
    pub kind: ValueKind,
    /// The choices of a value of the kind `choice`. Empty for other kinds.
    pub choices: Vec<String>,
    /// The part of the package.
    pub part: String,
    /// The number of the paragraph in the part, from 1.
    pub paragraph: usize,
    /// The start of the blank in the characters of the paragraph, from 0. A tab, a break and a picture are one character.
    pub start: usize,
    /// The end of the blank in the characters of the paragraph. An empty cell ends where it starts.
    pub end: usize,
    /// The index of the content control, form field or merge field in the part, from 0. `None` for other forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<usize>,
    /// The numbers of the paragraphs after this one that only continue the line. Marking removes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub continuation: Vec<usize>,
    /// The confidence of the detection.
    pub confidence: Confidence,
    /// The text around the blank.
    pub context: String,
}

/// The blanks of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DetectedBlanks {
    /// The blanks in the order of the parts (body, notes, headers, footers) and their paragraphs.
    pub blanks: Vec<Blank>,
    /// The number of blanks that are not listed because of [`MAX_BLANKS`].
    pub omitted: usize,
    /// The language of most of the text: `en`, `fr` or `ar`. Names without words in the document are in this language.
    pub language: &'static str,
}

/// Finds the blanks of a document and suggests a field for each of them.
///
/// ```
/// use waraq_docx::Package;
/// use waraq_docx::build::{DocumentBuilder, paragraph};
/// use waraq_docx::fields::{FieldMark, detect_blanks, list, mark_fields};
///
/// # fn main() -> waraq_docx::Result<()> {
/// let bytes = DocumentBuilder::new(&paragraph("Name of the tenant: ____________")).to_bytes();
/// let package = Package::open(&bytes)?;
/// let found = detect_blanks(&package)?;
/// assert_eq!(found.blanks[0].name, "Name of the tenant");
/// let marks: Vec<FieldMark> = found.blanks.iter().map(FieldMark::from).collect();
/// let marked = mark_fields(&package, &marks)?;
/// assert_eq!(list(&marked.package)?[0].name, "Name of the tenant");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The errors of [`super::list`].
pub fn detect_blanks(package: &Package) -> Result<DetectedBlanks> {
    let parts = text_parts::scan_text_parts(package, super::scan::KeptCells::All)?;
    let styles = format::StyleTable::read(package)?;
    let language = words::language_of_document(&parts);
    let mut found = candidates::Collector::new(package.meter());
    for (index, part) in parts.iter().enumerate() {
        lines::find_in_part((index, part), &styles, &mut found);
        package.meter().outcome()?;
    }
    let omitted = found.omitted;
    let blanks = names::name_candidates(&parts, &styles, found.candidates, language, package.meter());
    package.meter().outcome()?;
    Ok(DetectedBlanks { blanks, omitted, language: language_code(language) })
}

/// Returns the BCP 47 code of a language.
fn language_code(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::French => "fr",
        Language::Arabic => "ar",
    }
}
