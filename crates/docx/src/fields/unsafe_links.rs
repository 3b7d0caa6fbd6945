//! Links that run a script or open a file or program of the reader's computer, such as `javascript:` and `file:`.
//!
//! The check at upload reports these links. In filled documents they lead to the beginning of the document instead, so the
//! text and its formatting stay. Values can be link targets, so the filled document is examined and not only the template. The PDF
//! has no such links (`waraq_render`).

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::Package;
use crate::package::attribute;
use crate::package::relationships_part;
use crate::package::xml::{TagEdit, attribute_ranges, edit_tags};
use crate::read::field_code::FieldCode;

/// Schemes of links that stay. Every other scheme may start a program.
const SAFE_SCHEMES: [&str; 8] = ["http", "https", "mailto", "tel", "sms", "ftp", "sip", "geo"];
/// The target of a link that was unsafe: the beginning of the document.
const HARMLESS: &str = "#";
/// The field code of a link that was unsafe.
const HARMLESS_CODE: &str = r##" HYPERLINK "#" "##;

/// Returns whether a link target has a scheme that is not known to be safe, or names a file of Windows. Relative targets are
/// safe.
pub(super) fn is_unsafe(target: &str) -> bool {
    // Programs ignore white space and control characters around and inside a scheme.
    let plain: String =
        target.chars().filter(|letter| !letter.is_whitespace() && !letter.is_control()).take(100).collect();
    if plain.starts_with(r"\\") {
        return true;
    }
    let Some((scheme, _)) = plain.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'));
    is_scheme && !SAFE_SCHEMES.iter().any(|safe| scheme.eq_ignore_ascii_case(safe))
}

/// Returns the unsafe target of a HYPERLINK field, or `None` for other field codes.
pub(super) fn in_field_code(code: &str) -> Option<String> {
    let parsed = FieldCode::parse(code);
    let target = parsed.first_argument().filter(|_| parsed.name == "HYPERLINK")?;
    is_unsafe(target).then(|| target.to_owned())
}

/// Returns the unsafe targets of the shapes (VML) in a part.
pub(super) fn in_shapes(text: &str) -> Vec<String> {
    if text.contains("href") { UnsafeLinks::find(text).shapes } else { Vec::new() }
}

/// Returns the package with harmless targets in place of unsafe ones.
pub(super) fn without_unsafe_links(mut package: Package) -> Package {
    let parts: Vec<String> = std::iter::once("").chain(package.part_names()).map(str::to_owned).collect();
    for part in parts {
        let mut relationships = package.relationships_of(&part).iter();
        if relationships.any(|known| known.external && known.kind == "hyperlink" && is_unsafe(&known.target)) {
            let part = relationships_part(&part);
            if let Some(edited) = package.part_text(&part).and_then(|text| edit_tags(text, &mut replace_target)) {
                package = package.with_part(&part, edited.into_bytes());
            }
        }
        let text = package.part_text(&part).filter(|_| part.ends_with(".xml"));
        let text = text.filter(|text| ["nstrText", "fldSimple", "href"].iter().any(|name| text.contains(name)));
        if let Some(edited) = text.and_then(|text| UnsafeLinks::find(text).replaced(text)) {
            package = package.with_part(&part, edited.into_bytes());
        }
    }
    package
}

fn replace_target(tag: &BytesStart<'_>) -> TagEdit {
    let is_link = attribute(tag, "Type").is_some_and(|kind| kind.rsplit('/').next() == Some("hyperlink"));
    match is_link && attribute(tag, "Target").is_some_and(|target| is_unsafe(&target)) {
        true => TagEdit::SetAttribute("Target", HARMLESS),
        false => TagEdit::Keep,
    }
}

/// A Word field whose code is being read: the byte ranges of the pieces of its code, and their text.
#[derive(Default)]
struct OpenField {
    ranges: Vec<Range<usize>>,
    code: String,
    in_result: bool,
}

/// The unsafe links in the text of a part.
#[derive(Default)]
struct UnsafeLinks {
    /// The byte ranges that are replaced, in any order, and their replacements.
    edits: Vec<(Range<usize>, &'static str)>,
    /// The targets of shapes.
    shapes: Vec<String>,
    fields: Vec<OpenField>,
}

impl UnsafeLinks {
    fn find(text: &str) -> Self {
        let mut found = Self::default();
        let mut reader = Reader::from_str(text);
        loop {
            let start = reader.buffer_position() as usize;
            let (tag, is_empty) = match reader.read_event() {
                Ok(Event::Empty(tag)) => (tag, true),
                Ok(Event::Start(tag)) => (tag, false),
                Ok(Event::Eof) | Err(_) => return found,
                Ok(_) => continue,
            };
            let tag = tag.into_owned();
            let span = start..reader.buffer_position() as usize;
            match tag.local_name().as_ref() {
                "instrText" | "delInstrText" if !is_empty => {
                    let Ok(content) = reader.read_to_end(tag.name()) else { return found };
                    found.add_code(text, content.start as usize..content.end as usize);
                }
                "fldChar" => found.pass_field_character(&attribute(&tag, "fldCharType").unwrap_or_default()),
                "fldSimple" if attribute(&tag, "instr").is_some_and(|code| in_field_code(&code).is_some()) => {
                    found.replace_attribute(text, span, "instr", HARMLESS_CODE);
                }
                _ => {
                    if let Some(target) = attribute(&tag, "href").filter(|target| is_unsafe(target)) {
                        found.replace_attribute(text, span, "href", HARMLESS);
                        found.shapes.push(target.to_string());
                    }
                }
            }
        }
    }

    fn add_code(&mut self, text: &str, range: Range<usize>) {
        let Some(field) = self.fields.last_mut().filter(|field| !field.in_result) else { return };
        let raw = text.get(range.clone()).unwrap_or_default().replace("<![CDATA[", "").replace("]]>", "");
        field.code.push_str(&quick_xml::escape::unescape(&raw).unwrap_or_default());
        field.ranges.push(range);
    }

    fn pass_field_character(&mut self, kind: &str) {
        match kind {
            "begin" => self.fields.push(OpenField::default()),
            "separate" => {
                if let Some(field) = self.fields.last_mut() {
                    field.in_result = true;
                }
            }
            "end" => {
                let Some(field) = self.fields.pop().filter(|field| in_field_code(&field.code).is_some()) else {
                    return;
                };
                let replacements = std::iter::once(HARMLESS_CODE).chain(std::iter::repeat(""));
                self.edits.extend(field.ranges.into_iter().zip(replacements));
            }
            _ => {}
        }
    }

    /// Replaces the value of an attribute, whatever the prefix of its name is.
    fn replace_attribute(&mut self, text: &str, tag: Range<usize>, name: &str, value: &'static str) {
        let markup = text.get(tag.clone()).unwrap_or_default();
        let is_named = |key: &str| key.rsplit(':').next() == Some(name);
        let range = attribute_ranges(markup).find(|(key, _)| is_named(key)).map(|(_, range)| range);
        self.edits.extend(range.map(|range| (tag.start + range.start..tag.start + range.end, value)));
    }

    /// Returns the text with all replacements, or `None` if nothing is replaced.
    fn replaced(mut self, text: &str) -> Option<String> {
        self.edits.sort_by_key(|(range, _)| range.start);
        let (mut edited, mut at) = (String::new(), 0);
        for (range, replacement) in &self.edits {
            edited.push_str(text.get(at..range.start)?);
            edited.push_str(&quick_xml::escape::escape(*replacement));
            at = range.end;
        }
        edited.push_str(text.get(at..)?);
        (!self.edits.is_empty()).then_some(edited)
    }
}
