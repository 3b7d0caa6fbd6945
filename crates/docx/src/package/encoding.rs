//! XML parts are UTF-8 or UTF-16 (ECMA-376 part 2, §6.2.5); readers here see UTF-8 only.

use waraq_rules::ErrorCode;

use crate::{Error, Result};

/// The part as UTF-8 without a byte order mark; not copied where it is so already.
pub(super) fn to_utf8(part: &str, mut bytes: Vec<u8>) -> Result<String> {
    let malformed = |problem: String| Error::new(ErrorCode::MalformedXml, format!("{part}: {problem}")).in_part(part);
    let little = match bytes.as_slice() {
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => true,
        [0xFE, 0xFF, ..] | [0, b'<', ..] => false,
        _ => {
            if bytes.starts_with(b"\xEF\xBB\xBF") {
                bytes.drain(..3);
            }
            return String::from_utf8(bytes)
                .map_err(|error| malformed(format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to())));
        }
    };
    if !bytes.len().is_multiple_of(2) {
        return Err(malformed("UTF-16 with half a character at its end".into()));
    }
    let units = bytes.chunks_exact(2).map(|pair| match pair {
        [a, b] if little => u16::from_le_bytes([*a, *b]),
        [a, b] => u16::from_be_bytes([*a, *b]),
        _ => 0,
    });
    let mut text = String::with_capacity(bytes.len());
    for (index, unit) in char::decode_utf16(units).enumerate() {
        match unit {
            Ok('\u{feff}') if index == 0 => {}
            Ok(character) => text.push(character),
            Err(_) => return Err(malformed(format!("UTF-16 with half a surrogate pair near character {index}"))),
        }
    }
    Ok(declare_utf8(text))
}

/// The XML declaration must not go on saying UTF-16.
fn declare_utf8(text: String) -> String {
    let Some(end) = text.starts_with("<?xml").then(|| text.find("?>")).flatten() else { return text };
    let standalone = if text.get(..end).is_some_and(|declaration| declaration.contains("standalone")) {
        " standalone=\"yes\""
    } else {
        ""
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"{standalone}?>{}", text.get(end + 2..).unwrap_or_default())
}
