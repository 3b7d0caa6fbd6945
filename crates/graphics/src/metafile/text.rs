//! Decodes the text of metafiles, which is encoded in Windows code pages or for symbol fonts.

use super::objects::Font;
use crate::{code_page::CodePage, symbols};

/// The character set of symbol fonts ([MS-WMF] 2.1.1.5).
const SYMBOL_CHARSET: u8 = 2;

/// Decodes bytes up to the first zero byte, in the character set of the font.
pub(super) fn decode_text(bytes: &[u8], font: &Font) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    if font.charset == SYMBOL_CHARSET {
        return symbols_to_unicode(&bytes.iter().copied().map(char::from).collect::<String>(), font);
    }
    CodePage::from_charset(font.charset).decode(bytes)
}

/// Converts text in a symbol font to Unicode characters that look the same. Text in other fonts is returned unchanged.
pub(super) fn symbols_to_unicode(text: &str, font: &Font) -> String {
    if font.charset != SYMBOL_CHARSET {
        return text.to_owned();
    }
    // The characters are mapped to the private-use code points of symbol fonts (see [`symbols`]). So at least bullets
    // are recognised in an unknown symbol font.
    let private = |c: char| char::from_u32(0xF000 + u32::from(c)).filter(|_| c <= '\u{ff}').unwrap_or(c);
    symbols::to_unicode(&text.chars().map(private).collect::<String>(), Some(&font.family))
}

/// Decodes little-endian UTF-16.
pub(super) fn decode_utf16(bytes: &[u8]) -> String {
    let (units, _) = bytes.as_chunks::<2>();
    let letters = char::decode_utf16(units.iter().map(|unit| u16::from_le_bytes(*unit)));
    letters.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
