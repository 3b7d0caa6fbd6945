//! Checks that a part is well-formed XML and within the limits. Parts that Word refuses are refused too.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use waraq_rules::ErrorCode;

use super::limits::MAX_XML_DEPTH;
use crate::{Error, Meter, Result};

/// Parses a part completely and checks that it is well-formed.
///
/// # Errors
/// `malformed_xml` or `xml_too_deep`, with the name of the part, and the errors of [`Meter::outcome`].
pub(crate) fn check_well_formed(part: &str, text: &str, meter: &Meter) -> Result<()> {
    for_each_tag(part, text, meter, |_| Ok(()))
}

/// Parses a part completely and calls `visit` for each start tag and empty element.
///
/// # Errors
/// `malformed_xml` or `xml_too_deep`, with the name of the part, the errors of [`Meter::outcome`], and the errors of
/// `visit`.
pub(crate) fn for_each_tag(
    part: &str,
    text: &str,
    meter: &Meter,
    mut visit: impl FnMut(&BytesStart<'_>) -> Result<()>,
) -> Result<()> {
    let mut events = CheckedEvents::new(part, text);
    while let Some(event) = events.next()? {
        if !meter.spend(1) {
            meter.outcome()?;
        }
        if let Event::Start(tag) | Event::Empty(tag) = event {
            visit(&tag)?;
        }
    }
    meter.outcome()
}

/// A reader of the XML events of a part. Each event is checked before it is returned.
pub(crate) struct CheckedEvents<'p> {
    part: &'p str,
    reader: Reader<&'p [u8]>,
    depth: usize,
    roots: usize,
}

impl<'p> CheckedEvents<'p> {
    pub(crate) fn new(part: &'p str, text: &'p str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().check_comments = true;
        Self { part, reader, depth: 0, roots: 0 }
    }

    /// Returns the byte offset in the text of the part at which the next event begins.
    pub(crate) fn position(&self) -> usize {
        self.reader.buffer_position() as usize
    }

    /// Returns the next event, or `None` at the end of the part.
    ///
    /// # Errors
    /// `malformed_xml` or `xml_too_deep`, with the name of the part. A part that ends before all elements are closed is
    /// malformed.
    pub(crate) fn next(&mut self) -> Result<Option<Event<'p>>> {
        let at = self.reader.buffer_position();
        let part = self.part;
        let near = |problem: String| malformed(part, format!("{problem} (near byte {at})"));
        let event = self.reader.read_event().map_err(|error| near(error.to_string()))?;
        match &event {
            Event::Eof => {
                return match (self.roots, self.depth) {
                    (0, _) => Err(malformed(part, "no root element".into())),
                    (_, 0) => Ok(None),
                    _ => Err(malformed(part, "ends before its elements are closed".into())),
                };
            }
            Event::Start(tag) => {
                self.roots += usize::from(self.depth == 0);
                self.depth += 1;
                if self.depth > MAX_XML_DEPTH {
                    let message = format!("{}: elements nested more than {MAX_XML_DEPTH} deep", self.part);
                    return Err(Error::new(ErrorCode::XmlTooDeep, message).in_part(self.part));
                }
                check_attributes(tag).map_err(near)?;
            }
            Event::Empty(tag) => {
                self.roots += usize::from(self.depth == 0);
                check_attributes(tag).map_err(near)?;
            }
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            Event::DocType(_) => return Err(malformed(part, "a document type, which packages must not have".into())),
            Event::Text(text) if self.depth == 0 && !text.as_ref().trim().is_empty() => {
                return Err(near("text outside the root element".into()));
            }
            Event::Text(text) => {
                if let Some(bad) = text.as_ref().chars().find(|c| !waraq_rules::is_xml_character(*c)) {
                    return Err(near(format!("the character U+{:04X}", u32::from(bad))));
                }
            }
            Event::GeneralRef(reference) => {
                let known = matches!(reference.as_ref(), "amp" | "lt" | "gt" | "quot" | "apos")
                    || matches!(reference.resolve_char_ref(), Ok(Some(character)) if waraq_rules::is_xml_character(character));
                if !known || self.depth == 0 {
                    return Err(near(format!("the reference &{};", reference.as_ref())));
                }
            }
            Event::CData(_) if self.depth == 0 => return Err(near("text outside the root element".into())),
            Event::CData(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
        if self.roots > 1 {
            return Err(near("a second root element".into()));
        }
        Ok(Some(event))
    }
}

/// The edit of one tag by [`edit_tags`].
pub(crate) enum TagEdit {
    /// The tag does not change.
    Keep,
    /// The element is removed together with its content.
    Remove,
    /// The attribute with this qualified name gets this value. The element must have the attribute.
    SetAttribute(&'static str, &'static str),
}

/// Returns the text of a part after `edit` has edited its start tags and empty elements. All other bytes are unchanged.
/// Returns `None` if nothing changes. Editing stops at the first XML error.
pub(crate) fn edit_tags(text: &str, edit: &mut dyn FnMut(&BytesStart<'_>) -> TagEdit) -> Option<String> {
    let mut reader = Reader::from_str(text);
    let (mut edited, mut at) = (String::new(), 0);
    loop {
        let start = reader.buffer_position() as usize;
        let (tag, is_empty) = match reader.read_event() {
            Ok(Event::Empty(tag)) => (tag, true),
            Ok(Event::Start(tag)) => (tag, false),
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => continue,
        };
        match edit(&tag) {
            TagEdit::Keep => {}
            TagEdit::Remove => {
                if !is_empty && reader.read_to_end(tag.name()).is_err() {
                    break;
                }
                edited.push_str(text.get(at..start).unwrap_or_default());
                at = reader.buffer_position() as usize;
            }
            TagEdit::SetAttribute(name, value) => {
                let markup = text.get(start..reader.buffer_position() as usize).unwrap_or_default();
                let Some((_, range)) = attribute_ranges(markup).find(|(key, _)| *key == name) else { continue };
                edited.push_str(text.get(at..start + range.start).unwrap_or_default());
                edited.push_str(&quick_xml::escape::escape(value));
                at = start + range.end;
            }
        }
    }
    if at == 0 {
        return None;
    }
    edited.push_str(text.get(at..).unwrap_or_default());
    Some(edited)
}

/// Returns the attributes of a start tag: the qualified names, and the byte ranges of the values without quotes.
pub(crate) fn attribute_ranges(tag: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut at = tag.find(char::is_whitespace);
    std::iter::from_fn(move || {
        let (key, after) = tag.get(at?..)?.split_once('=')?;
        let value = after.trim_start();
        let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        let start = tag.len() - value.len() + 1;
        let end = start + tag.get(start..)?.find(quote)?;
        at = Some(end + 1);
        Some((key.trim(), start..end))
    })
}

fn malformed(part: &str, problem: String) -> Error {
    Error::new(ErrorCode::MalformedXml, format!("{part}: {problem}")).in_part(part)
}

fn check_attributes(tag: &BytesStart<'_>) -> std::result::Result<(), String> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        if attribute.value.contains('<') {
            return Err("`<` in an attribute".into());
        }
    }
    Ok(())
}
