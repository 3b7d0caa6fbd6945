//! XML parts are UTF-8 or UTF-16 (ECMA-376 part 2, §6.2.5); readers here see UTF-8 only.

use encoding_rs::{UTF_16BE, UTF_16LE};
use waraq_rules::ErrorCode;

use crate::{Error, Result};

/// The part as UTF-8 without a byte order mark; not copied where it is so already.
pub(super) fn to_utf8(part: &str, mut bytes: Vec<u8>) -> Result<String> {
    let malformed = |problem: String| Error::new(ErrorCode::MalformedXml, format!("{part}: {problem}")).in_part(part);
    let encoding = match bytes.as_slice() {
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => UTF_16LE,
        [0xFE, 0xFF, ..] | [0, b'<', ..] => UTF_16BE,
        _ => {
            if bytes.starts_with(b"\xEF\xBB\xBF") {
                bytes.drain(..3);
            }
            return String::from_utf8(bytes)
                .map_err(|error| malformed(format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to())));
        }
    };
    match encoding.decode_with_bom_removal(&bytes) {
        (text, false) => Ok(declare_utf8(text.into_owned())),
        (_, true) => Err(malformed("not UTF-16".into())),
    }
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
