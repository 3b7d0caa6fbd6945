//! Single-line texts that are shown to people: user names, template titles, category names. Invisible characters are refused. So
//! texts that look equal are equal, and no text changes how the words around it are displayed.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;

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
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let seen = |letter: Option<&char>| {
        letter.is_some_and(|letter| !letter.is_whitespace() && !letter.is_control() && !ignorable.contains(*letter))
    };
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
            // Interlinear annotation characters (U+FFF9 to U+FFFB) are not default ignorable, but they are invisible.
            '\u{fff9}'..='\u{fffb}' => return Err(LineError::Invisible(letter)),
            _ if letter.is_control() || ignorable.contains(letter) => return Err(LineError::Invisible(letter)),
            _ => {}
        }
    }
    if let Some((_, opening)) = open.first() {
        return Err(LineError::Invisible(*opening));
    }
    if !letters.iter().any(|letter| seen(Some(letter))) {
        return Err(LineError::Empty);
    }
    if letters.len() > most { Err(LineError::TooLong) } else { Ok(line) }
}

/// Removes the characters that [`one_line`] would refuse, and truncates to `most` characters. Used for names from other
/// systems. The result may be empty.
pub fn to_one_line(text: &str, most: usize) -> String {
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let plain: String = text
        .chars()
        .take(4_096)
        .filter(|letter| letter.is_whitespace() || !letter.is_control() && !ignorable.contains(*letter))
        .filter(|letter| !('\u{fff9}'..='\u{fffb}').contains(letter))
        .collect();
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
        for typed in ["", " \t\n", "\u{2066}\u{2069}", "\u{2066} \u{2069}"] {
            assert_eq!(one_line(typed, 30), Err(LineError::Empty), "{typed:?}");
        }
        assert_eq!(one_line(&"ح".repeat(31), 30), Err(LineError::TooLong));
        assert_eq!(one_line(&" ".repeat(1_000_000), 30), Err(LineError::TooLong), "not looked into");
    }

    #[test]
    fn names_from_other_services_are_cleaned() {
        assert_eq!(to_one_line(" A\u{202e}\u{200b}mina \u{0}\n B\u{3164}", 30), "Amina B");
        assert_eq!(to_one_line("\u{200b}\u{3164}", 30), "");
        assert!(one_line(&to_one_line(&"a b".repeat(99), 30), 30).is_ok());
    }
}
