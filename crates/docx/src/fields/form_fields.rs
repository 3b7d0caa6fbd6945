//! Legacy form fields (§17.16.17): text, check box and drop-down list.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::scan::Index;
use crate::package::attribute;

/// The maximum number of choices of a list, and the maximum number of characters of a choice or a name.
const MAX_CHOICES: usize = 50;
const MAX_CHARACTERS: usize = 100;

/// The maximum number of byte ranges of a form field. A form field with more fields in its result is not recorded, so that
/// nested form fields need no more than linear memory.
pub(super) const MAX_RANGES: usize = 32;

/// The kind of a form field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FormFieldKind {
    /// FORMTEXT.
    Text { is_date: bool },
    /// FORMCHECKBOX.
    CheckBox,
    /// FORMDROPDOWN with its entries.
    List(Vec<String>),
}

/// A legacy form field that begins and ends in one paragraph.
#[derive(Debug)]
pub(super) struct FormField {
    /// The name (w:name).
    pub name: Option<String>,
    /// The help text (w:statusText or w:helpText).
    pub help: Option<String>,
    pub kind: FormFieldKind,
    /// The byte range from the first to the last field character.
    pub range: Range<usize>,
    /// The byte ranges of the field characters and of the instruction.
    pub deleted_ranges: Vec<Range<usize>>,
    pub paragraph: Index,
    pub fallback: bool,
    /// The namespace prefix of the run with its colon.
    pub prefix: String,
}

/// Returns the kind, the name and the help text of a form field. `field` is the name of the field in upper case, and
/// `begin` is the markup of its first field character with the form field data (w:ffData). Returns `None` for other fields.
pub(super) fn read_form_field(field: &str, begin: &str) -> Option<(FormFieldKind, Option<String>, Option<String>)> {
    let mut kind = match field {
        "FORMTEXT" => FormFieldKind::Text { is_date: false },
        "FORMCHECKBOX" => FormFieldKind::CheckBox,
        "FORMDROPDOWN" => FormFieldKind::List(Vec::new()),
        _ => return None,
    };
    let (mut name, mut help) = (None, None);
    let mut reader = Reader::from_str(begin);
    // The markup was scanned before, so an error only ends the search.
    while let Ok(event) = reader.read_event() {
        let tag = match event {
            Event::Start(tag) | Event::Empty(tag) => tag,
            Event::Eof => break,
            _ => continue,
        };
        let value = || attribute(&tag, "val").filter(|text| text.chars().nth(MAX_CHARACTERS).is_none());
        match (tag.local_name().as_ref(), &mut kind) {
            ("name", _) => name = value(),
            ("statusText" | "helpText", _) => help = help.or_else(value).filter(|text| !text.trim().is_empty()),
            ("type", FormFieldKind::Text { is_date }) => *is_date = value().as_deref() == Some("date"),
            ("listEntry", FormFieldKind::List(choices)) if choices.len() < MAX_CHOICES => {
                choices.extend(value().filter(|text| !text.trim().is_empty()));
            }
            _ => {}
        }
    }
    Some((kind, name, help))
}
