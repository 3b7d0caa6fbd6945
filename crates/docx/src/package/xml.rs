//! Is a part well-formed XML, and within the limits? What Word refuses to open is refused here.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use waraq_rules::ErrorCode;

use super::limits::MAX_XML_DEPTH;
use crate::{Error, Meter, Result};

/// Reads a part to its end. `malformed_xml` or `xml_too_deep`, with the part's name; those of
/// [`Meter::outcome`].
pub(crate) fn check(part: &str, text: &str, meter: &Meter) -> Result<()> {
    let malformed = |problem: String| Error::new(ErrorCode::MalformedXml, format!("{part}: {problem}")).in_part(part);
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_comments = true;
    let (mut depth, mut roots) = (0_usize, 0_usize);
    loop {
        let at = reader.buffer_position();
        let event = reader.read_event().map_err(|error| malformed(format!("{error} (near byte {at})")))?;
        if !meter.spend(1) {
            meter.outcome()?;
        }
        match event {
            Event::Eof => break,
            Event::Start(tag) => {
                roots += usize::from(depth == 0);
                depth += 1;
                if depth > MAX_XML_DEPTH {
                    let message = format!("{part}: elements nested more than {MAX_XML_DEPTH} deep");
                    return Err(Error::new(ErrorCode::XmlTooDeep, message).in_part(part));
                }
                check_attributes(&tag).map_err(|problem| malformed(format!("{problem} (near byte {at})")))?;
            }
            Event::Empty(tag) => {
                roots += usize::from(depth == 0);
                check_attributes(&tag).map_err(|problem| malformed(format!("{problem} (near byte {at})")))?;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::DocType(_) => return Err(malformed("a document type, which packages must not have".into())),
            Event::Text(text) if depth == 0 && !text.as_ref().trim().is_empty() => {
                return Err(malformed(format!("text outside the root element (near byte {at})")));
            }
            Event::Text(text) => {
                if let Some(bad) = text.as_ref().chars().find(|c| !waraq_rules::is_xml_character(*c)) {
                    return Err(malformed(format!("the character U+{:04X} (near byte {at})", u32::from(bad))));
                }
            }
            Event::GeneralRef(reference) => {
                let known = matches!(reference.as_ref(), "amp" | "lt" | "gt" | "quot" | "apos")
                    || matches!(reference.resolve_char_ref(), Ok(Some(character)) if waraq_rules::is_xml_character(character));
                if !known || depth == 0 {
                    return Err(malformed(format!("the reference &{}; (near byte {at})", reference.as_ref())));
                }
            }
            Event::CData(_) if depth == 0 => {
                return Err(malformed(format!("text outside the root element (near byte {at})")));
            }
            Event::CData(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
        if roots > 1 {
            return Err(malformed(format!("a second root element (near byte {at})")));
        }
    }
    match (roots, depth) {
        (0, _) => Err(malformed("no root element".into())),
        (_, 0) => Ok(()),
        _ => Err(malformed("ends before its elements are closed".into())),
    }
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
