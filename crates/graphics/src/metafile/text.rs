//! Text of metafiles in code pages, and in fonts of symbols.

use super::objects::Font;
use crate::{code_page::CodePage, symbols};

/// [MS-WMF] 2.1.1.5
const SYMBOL: u8 = 2;

/// Bytes by the font's character set.
pub(super) fn decoded(bytes: &[u8], font: &Font) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    if font.charset == SYMBOL {
        return looks(&bytes.iter().copied().map(char::from).collect::<String>(), font);
    }
    CodePage::of_charset(font.charset).decode(bytes)
}

/// The signs that letters are in a font of symbols.
pub(super) fn looks(text: &str, font: &Font) -> String {
    if font.charset != SYMBOL {
        return text.to_owned();
    }
    // Where such fonts have them (see [`symbols`]), so that a font that is not known shows its bullets at least.
    let private = |c: char| char::from_u32(0xF000 + u32::from(c)).filter(|_| c <= '\u{ff}').unwrap_or(c);
    symbols::in_font(&text.chars().map(private).collect::<String>(), Some(&font.family))
}

/// UTF-16, little end first.
pub(super) fn utf16(bytes: &[u8]) -> String {
    let (units, _) = bytes.as_chunks::<2>();
    let letters = char::decode_utf16(units.iter().map(|unit| u16::from_le_bytes(*unit)));
    letters.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
