//! Text in single bytes, by the code pages of Windows.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodePage {
    Western,
    Arabic,
}

/// The upper halves of the code pages of Windows.
const WESTERN: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
const ARABIC: &str = "€پ‚ƒ„…†‡ˆ‰ٹ‹Œچژڈگ‘’“”•–—ک™ڑ›œ\u{200c}\u{200d}ں\u{a0}،¢£¤¥¦§¨©ھ«¬\u{ad}®¯°±²³´µ¶·¸¹؛»¼½¾؟\
                      ہءآأؤإئابةتثجحخدذرزسشصض×طظعغـفقكàلâمنهوçèéêëىيîï\u{64b}\u{64c}\u{64d}\u{64e}ô\u{64f}\u{650}÷\u{651}ù\u{652}ûü\u{200e}\u{200f}ے";

impl CodePage {
    pub fn character(self, byte: u8) -> char {
        let upper = match self {
            _ if byte < 0x80 => None,
            Self::Western => WESTERN.chars().nth(usize::from(byte) - 0x80),
            Self::Arabic => ARABIC.chars().nth(usize::from(byte) - 0x80),
        };
        upper.unwrap_or(char::from(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_pages_have_all_their_characters() {
        assert_eq!((WESTERN.chars().count(), ARABIC.chars().count()), (32, 128));
        assert_eq!((CodePage::Western.character(0xE9), CodePage::Western.character(0x80)), ('é', '€'));
        let word: String = [0xE3, 0xD1, 0xCD, 0xC8, 0xC7].map(|byte| CodePage::Arabic.character(byte)).iter().collect();
        assert_eq!(word, "مرحبا");
    }
}
