//! Single-line texts that are shown to people: user names, template titles, category names. Invisible characters are refused. So
//! texts that look equal are equal, and no text changes how the words around it are displayed.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use unicode_normalization::char::is_combining_mark;

/// The reason why a text is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineError {
    /// The text has no visible character.
    Empty,
    TooLong,
    /// The text contains this character: a control character, an invisible character, or a directional formatting character that
    /// is not closed.
    Invisible(char),
}

const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// Characters that have no glyph, or an empty one, without being white space, a control character or default ignorable: the blank
/// Braille pattern, interlinear annotation characters, blanks of Egyptian hieroglyphs, and the null notehead.
const BLANKS: [char; 7] = ['\u{2800}', '\u{fff9}', '\u{fffa}', '\u{fffb}', '\u{13441}', '\u{13442}', '\u{1d159}'];

/// Returns whether a character is invisible and is not white space. The Hangul fillers (U+115F, U+1160, U+3164, U+FFA0), zero-width
/// characters, variation selectors and directional formatting characters are default ignorable.
pub(crate) fn is_invisible(letter: char) -> bool {
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    letter.is_control() || ignorable.contains(letter) || BLANKS.contains(&letter)
}

/// Returns whether a character is visible: neither white space nor invisible.
pub(crate) fn is_visible(letter: char) -> bool {
    !letter.is_whitespace() && !is_invisible(letter)
}

/// Normalizes and checks a single-line text of 1 to `most` characters. Runs of white space become one space, and spaces at the
/// start and end are removed.
///
/// Some invisible characters are allowed:
/// - joiners between two visible characters (Persian needs them);
/// - a variation selector after a visible character (as in emoji);
/// - embeddings and isolates that are closed (UAX #9, BD8 to BD13).
///
/// All others are refused. That includes directional overrides, which display a text in another order than it is written.
///
/// # Errors
/// The first [`LineError`] found.
pub fn one_line(typed: &str, most: usize) -> Result<String, LineError> {
    // A text of this length is too long in any form, because a character has at most four bytes.
    if typed.len() > most.saturating_mul(16).max(4_096) {
        return Err(LineError::TooLong);
    }
    let line = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    let seen = |letter: Option<&char>| letter.is_some_and(|letter| is_visible(*letter));
    let letters: Vec<char> = line.chars().collect();
    // The characters that close the open embeddings and isolates, innermost last.
    let mut open = Vec::new();
    for (place, letter) in letters.iter().copied().enumerate() {
        let before = place.checked_sub(1).and_then(|place| letters.get(place));
        match letter {
            // LRE and RLE, closed by PDF (pop directional formatting).
            '\u{202a}' | '\u{202b}' => open.push(('\u{202c}', letter)),
            // LRI, RLI and FSI, closed by PDI.
            '\u{2066}'..='\u{2068}' => open.push(('\u{2069}', letter)),
            '\u{202c}' | '\u{2069}' => {
                open.pop().filter(|(closing, _)| *closing == letter).ok_or(LineError::Invisible(letter))?;
            }
            ZERO_WIDTH_JOINER | ZERO_WIDTH_NON_JOINER => {
                // An emoji may have a variation selector before the joiner.
                let joins = seen(before) || before.is_some_and(|before| is_selector(*before));
                if !joins || !seen(letters.get(place + 1)) {
                    return Err(LineError::Invisible(letter));
                }
            }
            _ if is_selector(letter) && seen(before) => {}
            _ if is_invisible(letter) => return Err(LineError::Invisible(letter)),
            _ => {}
        }
    }
    if let Some((_, opening)) = open.first() {
        return Err(LineError::Invisible(*opening));
    }
    // A combining mark has no base character in such a text, and marks like U+0301 are hardly visible without one.
    if !letters.iter().any(|letter| seen(Some(letter)) && !is_combining_mark(*letter)) {
        return Err(LineError::Empty);
    }
    if letters.len() > most { Err(LineError::TooLong) } else { Ok(line) }
}

/// Removes the characters that [`one_line`] would refuse, and truncates to `most` characters. Used for names from other
/// systems. The result may be empty.
pub fn to_one_line(text: &str, most: usize) -> String {
    let plain: String =
        text.chars().take(4_096).filter(|letter| letter.is_whitespace() || !is_invisible(*letter)).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(most).collect::<String>().trim_end().to_owned()
}

fn is_selector(letter: char) -> bool {
    ('\u{fe00}'..='\u{fe0f}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_all_scripts_are_accepted() {
        for (typed, line) in [
            ("  Amina\t B. ", "Amina B."),
            ("أمينة بنت محمد", "أمينة بنت محمد"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("Zoe\u{301} \u{2764}\u{fe0f}", "Zoe\u{301} \u{2764}\u{fe0f}"),
            ("👩\u{200d}⚖\u{fe0f} Maître", "👩\u{200d}⚖\u{fe0f} Maître"),
            ("🏳\u{fe0f}\u{200d}🌈", "🏳\u{fe0f}\u{200d}🌈"),
            ("عقد \u{2066}ABC (1)\u{2069} جديد", "عقد \u{2066}ABC (1)\u{2069} جديد"),
            ("\u{202b}\u{2067}ا\u{2069}\u{202c}", "\u{202b}\u{2067}ا\u{2069}\u{202c}"),
        ] {
            assert_eq!(one_line(typed, 30).as_deref(), Ok(line));
        }
    }

    #[test]
    fn invisible_characters_and_empty_or_long_lines_are_refused() {
        for (typed, letter) in [
            ("a\u{0}b", '\u{0}'),
            ("a\u{1b}[31m", '\u{1b}'),
            ("a\u{200b}b", '\u{200b}'),
            ("a\u{200d}", '\u{200d}'),
            ("\u{200c}a", '\u{200c}'),
            ("a\u{200d}\u{200d}b", '\u{200d}'),
            ("a\u{200e}", '\u{200e}'),
            ("\u{200f}ا", '\u{200f}'),
            ("a\u{ad}b", '\u{ad}'),
            ("a\u{feff}", '\u{feff}'),
            ("a\u{3164}b", '\u{3164}'),
            ("a\u{e0041}", '\u{e0041}'),
            ("a\u{115f}b", '\u{115f}'),
            ("\u{1160}", '\u{1160}'),
            ("a\u{ffa0}", '\u{ffa0}'),
            ("\u{2800}", '\u{2800}'),
            ("A\u{2800}", '\u{2800}'),
            ("\u{1d159}", '\u{1d159}'),
            ("\u{13441}\u{13442}", '\u{13441}'),
            ("a\u{fff9}b", '\u{fff9}'),
            ("\u{fe0f}a", '\u{fe0f}'),
            // Formatting characters that are never closed, closed twice or closed by the wrong character; and an override, which
            // is refused even if it is closed.
            ("a\u{2067}b", '\u{2067}'),
            ("a\u{202b}b", '\u{202b}'),
            ("a\u{2067}b\u{2069}\u{2069}", '\u{2069}'),
            ("a\u{2067}b\u{202c}", '\u{202c}'),
            ("\u{202e}cod.exe\u{202c}", '\u{202e}'),
        ] {
            assert_eq!(one_line(typed, 30), Err(LineError::Invisible(letter)), "{typed:?}");
        }
        for typed in [
            "",
            " \t\n",
            "\u{a0}\u{1680}\u{2003}\u{202f}\u{205f}\u{3000}",
            "\u{301}\u{64b}",
            "\u{2066}\u{2069}",
            "\u{2066} \u{2069}",
        ] {
            assert_eq!(one_line(typed, 30), Err(LineError::Empty), "{typed:?}");
        }
        assert_eq!(one_line(&"ح".repeat(31), 30), Err(LineError::TooLong));
        assert_eq!(one_line(&" ".repeat(1_000_000), 30), Err(LineError::TooLong), "not looked into");
    }

    #[test]
    fn names_from_other_services_are_cleaned() {
        assert_eq!(to_one_line(" A\u{202e}\u{200b}mina\u{2800} \u{0}\n B\u{3164}", 30), "Amina B");
        assert_eq!(to_one_line("\u{200b}\u{3164}", 30), "");
        assert!(one_line(&to_one_line(&"a b".repeat(99), 30), 30).is_ok());
    }
}
