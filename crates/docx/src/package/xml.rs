//! Checks that a part is well-formed XML and within the limits. Parts that Word refuses are refused too.

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

/// Parses a part completely, like [`check_well_formed`], and calls `visit` for each start tag and empty element.
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

/// The events of a part, each checked before it is returned.
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

    /// Returns the byte offset of the next event in the text.
    pub(crate) fn position(&self) -> usize {
        self.reader.buffer_position() as usize
    }

    /// Returns the next event, or `None` at the end of a complete part.
    ///
    /// # Errors
    /// Returns `malformed_xml` or `xml_too_deep`, like [`check_well_formed`].
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
