//! Text encodings of XML parts: UTF-8 or UTF-16 (ECMA-376 part 2, §6.2.5). The readers of this crate only see UTF-8.

use std::char::DecodeUtf16Error;

use waraq_rules::ErrorCode;

use crate::{Error, Result};

const BYTE_ORDER_MARK: u16 = 0xFEFF;

/// Converts the bytes of an XML part to UTF-8 without a byte order mark. Bytes that already have this form are not
/// copied.
pub(super) fn to_utf8(part: &str, mut bytes: Vec<u8>) -> Result<String> {
    let malformed = |problem: String| Error::new(ErrorCode::MalformedXml, format!("{part}: {problem}")).in_part(part);
    let decode_unit = match bytes.as_slice() {
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] | [0, b'<', ..] => u16::from_be_bytes,
        _ => {
            if bytes.starts_with(b"\xEF\xBB\xBF") {
                bytes.drain(..3);
            }
            return String::from_utf8(bytes)
                .map_err(|error| malformed(format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to())));
        }
    };
    if !bytes.len().is_multiple_of(2) {
        return Err(malformed("not UTF-16".into()));
    }
    let text: std::result::Result<String, _> = utf16(&bytes, decode_unit).collect();
    text.map(declare_utf8).map_err(|error| malformed(error.to_string()))
}

/// Decodes UTF-16 and removes the byte order mark. `decode_unit` converts two bytes to a code unit, in the byte order
/// of `bytes`.
pub(crate) fn utf16(
    bytes: &[u8],
    decode_unit: fn([u8; 2]) -> u16,
) -> impl Iterator<Item = std::result::Result<char, DecodeUtf16Error>> {
    let units = bytes.as_chunks().0.iter().copied().map(decode_unit);
    char::decode_utf16(units.skip_while(|unit| *unit == BYTE_ORDER_MARK))
}

/// Changes the encoding in the XML declaration from UTF-16 to UTF-8.
fn declare_utf8(text: String) -> String {
    let Some(end) = text.starts_with("<?xml").then(|| text.find("?>")).flatten() else { return text };
    let standalone = if text.get(..end).is_some_and(|declaration| declaration.contains("standalone")) {
        " standalone=\"yes\""
    } else {
        ""
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"{standalone}?>{}", text.get(end + 2..).unwrap_or_default())
}
