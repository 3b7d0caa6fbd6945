//! Field names: their normal form, their valid characters, and the search for the most similar name.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Maximum number of characters of a name.
pub const MAX_NAME_CHARACTERS: usize = 100;

/// Returns whether a character is invisible and usually typed by accident: bidi controls, zero-width spaces, soft
/// hyphens. The joiners ZWJ and ZWNJ are not ignorable, because they change the shape of letters.
pub fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}'
    )
}

/// Returns the normal form of a name: NFC, without ignorable characters, with single spaces, trimmed.
pub fn normalize(raw: &str) -> String {
    let composed: String = raw.chars().filter(|&character| !is_ignorable(character)).nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a normalised name is valid: 1 to 100 letters, marks, digits, spaces and `_ - . ' ’ / ( ) : , & # %
/// °`.
pub fn is_valid(name: &str) -> bool {
    (1..=MAX_NAME_CHARACTERS).contains(&name.chars().count()) && name.chars().all(is_name_character)
}

/// Letters and marks that have no glyph (Default_Ignorable_Code_Point). They are not white space, so two names that look alike could
/// differ in them.
fn is_invisible_letter(character: char) -> bool {
    matches!(
        character,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}'
    )
}

fn is_name_character(character: char) -> bool {
    if is_invisible_letter(character) {
        return false;
    }
    character.is_alphabetic()
        || is_combining_mark(character)
        || is_decimal_digit(character)
        || matches!(character, ' ' | '_' | '-' | '.' | '\'' | '’' | '/' | '(' | ')' | ':' | ',' | '&' | '#' | '%' | '°')
        || matches!(character, '\u{200c}' | '\u{200d}')
}

/// Returns whether a character has the Unicode category Nd (decimal digit). The ten digits of each script are consecutive.
fn is_decimal_digit(character: char) -> bool {
    const ZEROS: [u32; 38] = [
        0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0,
        0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620,
        0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0,
    ];
    let code = u32::from(character);
    ZEROS.iter().any(|&zero| (zero..zero + 10).contains(&code))
}

/// Returns a form of the name that is equal for all names that look alike. It contains only lower-case letters and
/// digits, without accents, tashkeel and tatweel. Compatibility forms are decomposed, and Arabic letters that people
/// confuse become the same letter.
pub fn fold(name: &str) -> String {
    name.nfkd()
        .filter(|&character| !is_combining_mark(character) && character != '\u{640}')
        .flat_map(char::to_lowercase)
        .filter(|character| character.is_alphanumeric())
        .flat_map(|character| match character {
            'أ' | 'إ' | 'آ' | 'ٱ' => vec!['ا'],
            'ى' => vec!['ي'],
            'ة' => vec!['ه'],
            'œ' => vec!['o', 'e'],
            'æ' => vec!['a', 'e'],
            other => vec![other],
        })
        .collect()
}

/// Returns the name in `known` that is most similar to `name`, to suggest it for a mistyped name. The similarity is the
/// edit distance (insert, delete, replace, swap neighbours) between the folded names. If several names have the
/// smallest distance, the distance between the unfolded names decides. Returns `None` if the distance is more than half
/// the length of the folded `name`.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let short = |text: &str| text.chars().take(2 * MAX_NAME_CHARACTERS).collect::<String>();
    let (name, folded) = (short(name), short(&fold(name)));
    let distances = known.map(|candidate| {
        let between = strsim::osa_distance(&folded, &short(&fold(candidate)));
        (between, strsim::osa_distance(&name, &short(candidate)), candidate)
    });
    let (between, _, nearest) = distances.min_by_key(|(folded, own, _)| (*folded, *own))?;
    (between * 2 <= folded.chars().count().max(2)).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_invisible_letters_are_invalid() {
        for letter in ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}', '\u{2800}', '\u{34f}', '\u{fe0f}'] {
            assert!(!is_valid(&normalize(&format!("a{letter}"))), "{letter:?}");
        }
        assert!(is_valid("Cafe\u{301}") && is_valid("می\u{200c}خواهم"));
    }

    #[test]
    fn the_nearest_name_is_found_whatever_its_accents_and_case() {
        let known = ["اسم العميل", "Nom du client", "Date"];
        let nearest = |name| nearest(name, known.into_iter());
        assert_eq!(nearest("nom du cliènt"), Some("Nom du client"));
        assert_eq!(nearest("Datum"), Some("Date"));
        assert_eq!(nearest("Daet"), Some("Date"));
        assert_eq!(nearest("أسم العميل"), Some("اسم العميل"));
        assert_eq!(nearest("something else"), None);
    }
}
