//! Text of metafiles in single bytes, and in fonts of symbols.

use super::objects::Font;
use crate::code_page::CodePage;

/// [MS-WMF] 2.1.1.5
const SYMBOL: u8 = 2;
const ARABIC: u8 = 178;

/// Bytes by the font's character set.
pub(super) fn decoded(bytes: &[u8], font: &Font) -> String {
    let page = if font.charset == ARABIC { CodePage::Arabic } else { CodePage::Western };
    let bytes = bytes.iter().copied().take_while(|byte| *byte != 0);
    if font.charset == SYMBOL { bytes.map(symbol).collect() } else { bytes.map(|byte| page.character(byte)).collect() }
}

/// Letters of a font of symbols stand where Word has them, in the private area.
pub(super) fn symbols(text: &str, font: &Font) -> String {
    if font.charset != SYMBOL {
        return text.to_owned();
    }
    text.chars().map(|c| u8::try_from(c).map_or(c, symbol)).collect()
}

fn symbol(byte: u8) -> char {
    char::from_u32(0xF000 + u32::from(byte)).unwrap_or(' ')
}
