//! Fields in text outside paragraphs: attributes such as alternative texts, and the texts of charts and properties.
//!
//! Such a text is a [`TextSlot`]. Its fields are found by the same search as those of a paragraph. A value is written
//! as plain text: an attribute can hold no marks, runs or formatting.

use std::ops::Range;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use quick_xml::escape::escape;
use waraq_graphics::xml::Ns;

use super::edits::Editor;
use super::scan::{Index, ScannedParagraph, TextCell};
use super::text_parts::ScannedPart;
use crate::CountedMemory;
use crate::package::xml::attribute_ranges;

/// The place of a text outside paragraphs. It decides how a value is written there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotKind {
    /// Text that is shown or read aloud: an alternative text, a tooltip, a watermark or a text of a chart.
    Shown,
    /// The text of a numbering label (w:lvlText). `%1` to `%9` are the numbers of the levels.
    NumberingLabel,
    /// The target of a link: a percent-encoded URI.
    LinkTarget,
    /// Text that fields or content controls may show: a document property, a document variable or custom XML.
    Stored,
}

/// A text outside paragraphs that may contain fields.
#[derive(Debug)]
pub(super) struct TextSlot {
    pub kind: SlotKind,
    /// The characters of the text. In this value, `fallback` is `true` if the text usually repeats another text. An
    /// example is a text in `mc:Fallback`.
    pub text: ScannedParagraph,
    /// The index of the paragraph that contains the element with the text. `None`: the element is not in a paragraph.
    pub paragraph: Option<Index>,
}

/// Returns the attributes of an element that contain text or the target of a link. Each entry is the local name of an
/// attribute and the kind of its text. The list is empty if the element has no such attribute.
pub(super) fn text_attributes(ns: Ns, element: &str) -> &'static [(&'static str, SlotKind)] {
    use SlotKind::{LinkTarget, NumberingLabel, Shown, Stored};
    match (ns, element) {
        (Ns::Wp, "docPr") | (_, "cNvPr") => &[("descr", Shown), ("title", Shown)],
        (Ns::A, "hlinkClick" | "hlinkHover") | (Ns::W, "hyperlink") => &[("tooltip", Shown)],
        (Ns::W, "tblCaption" | "tblDescription") => &[("val", Shown)],
        (Ns::W, "lvlText") => &[("val", NumberingLabel)],
        (Ns::W, "docVar") => &[("val", Stored)],
        (Ns::V, "textpath") => &[("string", Shown)],
        (
            Ns::V,
            "shape" | "rect" | "oval" | "roundrect" | "line" | "polyline" | "arc" | "curve" | "image" | "group",
        ) => &[("alt", Shown), ("title", Shown), ("href", LinkTarget)],
        _ => &[],
    }
}

/// Returns the unescaped values of attributes of a start tag. Only values that contain `{{` are returned, and the
/// attributes in `texts` are skipped. Names are also skipped because users never see them, and field codes because they are
/// checked elsewhere.
pub(super) fn other_attributes_with_braces<'s>(
    tag: &'s str,
    texts: &'s [(&'static str, SlotKind)],
) -> impl Iterator<Item = String> + 's {
    let attributes = attribute_ranges(tag).filter_map(|(key, range)| Some((key, tag.get(range)?)));
    let others = attributes.filter(|(key, value)| {
        let name = key.rsplit(':').next().unwrap_or(key);
        value.contains("{{")
            && !["name", "id", "instr", "fldCharType"].contains(&name)
            && texts.iter().all(|(text, _)| *text != name)
    });
    others.map(|(_, value)| {
        quick_xml::escape::unescape(value).map_or_else(|_| value.to_owned(), |text| text.into_owned())
    })
}

/// Returns `true` if a text with this markup may contain a field. The markup may contain a character reference instead
/// of `{`. In the target of a link, it may also contain `%7B` instead of `{`.
pub(super) fn may_have_field(markup: &str) -> bool {
    markup.contains('{') || markup.contains("&#") || markup.contains("%7B") || markup.contains("%7b")
}

/// Returns the texts in the attributes of a start tag. Only texts that may contain fields are returned. `tag` is the
/// byte range of the start tag in `source`. `kind_of` receives the local name of an attribute and returns the kind of
/// its text. It returns `None` if the attribute is not text. `held` counts the memory of the texts. A text is skipped
/// if the memory for it is exhausted.
pub(super) fn slots_of_tag(
    source: &str,
    tag: &Range<usize>,
    kind_of: &dyn Fn(&str) -> Option<SlotKind>,
    held: &mut CountedMemory,
) -> Vec<TextSlot> {
    let markup = source.get(tag.clone()).unwrap_or_default();
    let mut slots = Vec::new();
    for (key, value) in attribute_ranges(markup).filter(|(key, _)| !key.starts_with("xmlns")) {
        if let Some(kind) = kind_of(key.rsplit(':').next().unwrap_or(key))
            && markup.get(value.clone()).is_some_and(may_have_field)
            && held.grow(value.len().saturating_mul(size_of::<TextCell>()))
        {
            let cells = cells_of(source, tag.start + value.start..tag.start + value.end);
            slots.push(TextSlot::new(kind, cells));
        }
    }
    slots
}

/// Returns the kind of the text in the attribute `name`, from the result of [`text_attributes`].
pub(super) fn kind_of(texts: &[(&str, SlotKind)], name: &str) -> Option<SlotKind> {
    texts.iter().find(|(text, _)| *text == name).map(|(_, kind)| *kind)
}

impl TextSlot {
    pub(super) fn new(kind: SlotKind, cells: Vec<TextCell>) -> Self {
        let cells = if kind == SlotKind::LinkTarget { percent_decoded(cells) } else { cells };
        Self { kind, text: ScannedParagraph { cells, ..ScannedParagraph::default() }, paragraph: None }
    }
}

/// Returns the characters of escaped text or of the value of an attribute, with their byte ranges in `source`.
pub(super) fn cells_of(source: &str, range: Range<usize>) -> Vec<TextCell> {
    let mut cells = Vec::new();
    let mut rest = source.get(range.clone()).unwrap_or_default();
    let mut at = range.start;
    while let Some(first) = rest.chars().next() {
        let (character, length) = match rest.strip_prefix('&').and_then(reference_at_start) {
            Some((character, length)) => (character, length + 1),
            None => (first, first.len_utf8()),
        };
        cells.push(TextCell::outside_paragraphs(character, at..at + length));
        at += length;
        rest = rest.get(length..).unwrap_or_default();
    }
    cells
}

/// Returns the character of the reference at the start of `text`, such as `amp;`, and the length of the reference in
/// bytes. `text` does not contain the `&`.
fn reference_at_start(text: &str) -> Option<(char, usize)> {
    const MAX_REFERENCE_BYTES: usize = 32;
    let end = text.bytes().take(MAX_REFERENCE_BYTES).position(|byte| byte == b';')?;
    Some((referenced_character(text.get(..end)?)?, end + 1))
}

/// Returns the character of a reference such as `amp` or `#x7B`. Returns `None` if the reference is not known.
fn referenced_character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

/// Decodes percent escapes such as `%7B`. A decoded character has the byte range of all its escapes.
fn percent_decoded(cells: Vec<TextCell>) -> Vec<TextCell> {
    let byte_at = |at: usize| -> Option<u8> {
        let digit = |at: usize| cells.get(at).and_then(|cell| cell.character.to_digit(16));
        cells.get(at).filter(|cell| cell.character == '%')?;
        u8::try_from(digit(at + 1)? * 16 + digit(at + 2)?).ok()
    };
    let mut decoded = Vec::with_capacity(cells.len());
    let mut at = 0;
    while let Some(cell) = cells.get(at) {
        // A character has at most four bytes in UTF-8.
        let bytes: Vec<u8> = (0..4).map_while(|count| byte_at(at + 3 * count)).collect();
        let character = (1..=bytes.len()).find_map(|count| {
            let text = std::str::from_utf8(bytes.get(..count)?).ok()?;
            text.chars().next().map(|character| (character, count))
        });
        match character.and_then(|(character, count)| Some((character, cells.get(at + 3 * count - 1)?, count))) {
            Some((character, last, count)) => {
                decoded.push(TextCell::outside_paragraphs(character, cell.span.start..last.span.end));
                at += 3 * count;
            }
            None => {
                decoded.push(cell.clone());
                at += 1;
            }
        }
    }
    decoded
}

/// Fills the fields in the texts of a part that are outside paragraphs. `value_of` returns the value of a field in a text
/// of this kind.
pub(super) fn fill_slots(part: &ScannedPart<'_>, editor: &mut Editor<'_>, value_of: &dyn Fn(&str, SlotKind) -> String) {
    for (slot, found) in part.scan.slots.iter().zip(&part.slot_fields) {
        let cells = &slot.text.cells;
        for escape in found.escapes.iter().filter_map(|&at| cells.get(at)) {
            editor.delete(escape.span.clone());
        }
        let first = found.matches.first().map_or(0, |one| one.cells.start);
        let link = LinkTarget::new(cells, 0..cells.len(), first);
        // The last character of the last value, and the index of the cell after its field.
        let mut last_value: (Option<char>, usize) = (None, 0);
        for one in &found.matches {
            let value = value_of(&one.name, slot.kind);
            let before = one.cells.start.checked_sub(1).and_then(|at| cells.get(at)).map(|cell| cell.character);
            let before = if one.cells.start == last_value.1 && last_value.0.is_some() { last_value.0 } else { before };
            let value = match slot.kind {
                SlotKind::Shown | SlotKind::Stored => value,
                SlotKind::NumberingLabel => {
                    label_value(&value, before, cells.get(one.cells.end).map(|cell| cell.character))
                }
                SlotKind::LinkTarget => link.encode(&value, one.cells.start),
            };
            last_value = (value.chars().next_back().or(before), one.cells.end);
            let mut replaced =
                cells.get(one.cells.clone()).unwrap_or_default().iter().filter(|cell| !cell.span.is_empty());
            if let Some(first) = replaced.next() {
                editor.replace_range(first.span.clone(), escape(&value).replace('\n', "&#10;"));
            }
            replaced.for_each(|cell| editor.delete(cell.span.clone()));
        }
    }
}

/// Returns the text of a value in a numbering label. `before` and `after` are the characters around the value.
///
/// A word joiner (U+2060) separates a percent sign from a digit, so that a value never counts as the number of a level.
fn label_value(value: &str, before: Option<char>, after: Option<char>) -> String {
    const WORD_JOINER: char = '\u{2060}';
    let is_digit = |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
    let mut label = String::with_capacity(value.len());
    let mut last = before;
    for character in value.replace(['\n', '\t'], " ").chars() {
        if last == Some('%') && is_digit(Some(character)) {
            label.push(WORD_JOINER);
        }
        label.push(character);
        last = Some(character);
    }
    if last == Some('%') && is_digit(after) {
        label.push(WORD_JOINER);
    }
    label
}

/// The characters that are percent-encoded in the part of a link: all except the unreserved ones (RFC 3986, §2.3).
const ENCODED_IN_PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The characters that are percent-encoded in an e-mail address or telephone number.
const ENCODED_IN_ADDRESS: &AsciiSet = &ENCODED_IN_PART.remove(b'@').remove(b'+').remove(b',');
/// The characters that are percent-encoded in a complete link: those that no URI may contain (RFC 3986, §2).
const ENCODED_IN_LINK: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`').add(b'{').add(b'|').add(b'}');
/// The schemes with which a value may begin if it is at the start of a link target.
const SAFE_SCHEMES: [&str; 3] = ["https:", "http:", "mailto:"];

/// The target of a link in which values are filled.
pub(super) struct LinkTarget {
    /// The index of the first cell.
    start: Index,
    /// The index of the first question mark. `None`: the target has no question mark.
    query: Option<Index>,
    /// The scheme before the first value, in lower case and without its colon. `None`: no scheme is before the value.
    scheme: Option<String>,
}

impl LinkTarget {
    /// Creates the target that consists of the cells in `range`. `first_value` is the index of the first cell that a value
    /// replaces.
    pub(super) fn new(cells: &[TextCell], range: Range<Index>, first_value: Index) -> Self {
        let before = cells.get(range.start..first_value).unwrap_or_default();
        let before: String = before.iter().map(|cell| cell.character).collect();
        let inside = cells.get(range.clone()).unwrap_or_default();
        Self {
            start: range.start,
            query: inside.iter().position(|cell| cell.character == '?').map(|at| range.start + at),
            scheme: before.split_once(':').map(|(scheme, _)| scheme.trim().to_ascii_lowercase()),
        }
    }

    /// Returns a value with percent escapes. `at` is the index of the first cell that the value replaces.
    ///
    /// The value cannot change the scheme that the link has in the template, because characters such as `:` are
    /// escaped. Only a value at the start of the target may be a complete link. Its scheme must then be one of
    /// [`SAFE_SCHEMES`].
    pub(super) fn encode(&self, value: &str, at: Index) -> String {
        let value = value.trim();
        let is_query = self.query.is_some_and(|query| query < at);
        let starts_with =
            |scheme: &&str| value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
        let (value, encoded) = match self.scheme.as_deref() {
            None if at == self.start && SAFE_SCHEMES.iter().any(starts_with) => (value.to_owned(), ENCODED_IN_LINK),
            // The letters and digits of a telephone number have no spaces between them (RFC 3966, §3).
            Some("tel" | "sms") => (value.split_whitespace().collect(), ENCODED_IN_ADDRESS),
            Some("mailto" | "sip" | "sips") if !is_query => (value.to_owned(), ENCODED_IN_ADDRESS),
            _ => (value.to_owned(), ENCODED_IN_PART),
        };
        utf8_percent_encode(&value, encoded).to_string()
    }
}
