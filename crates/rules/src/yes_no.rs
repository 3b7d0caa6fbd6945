//! Yes and no, as users write them in the fields of check boxes.

use crate::derivation::Language;
use crate::name::fold;

/// Words and signs that check a box, folded with [`fold`].
const YES_WORDS: [&str; 13] =
    ["yes", "y", "true", "on", "checked", "oui", "o", "vrai", "coche", "cochee", "x", "1", "نعم"];
/// Words and signs that leave a box empty, folded with [`fold`].
const NO_WORDS: [&str; 10] = ["no", "n", "false", "off", "unchecked", "non", "faux", "decoche", "0", "لا"];
/// Signs that check a box. They are compared before folding, because [`fold`] removes them.
const YES_SIGNS: [char; 6] = ['☒', '☑', '✓', '✔', '✗', '✘'];

/// Returns whether a value checks a box. An empty value leaves the box empty. Returns `None` if the value is neither
/// yes nor no.
pub fn parse_yes_no(value: &str) -> Option<bool> {
    let text = value.trim();
    if crate::is_empty(text) || text == "☐" || text == "-" {
        return Some(false);
    }
    if text.chars().all(|character| YES_SIGNS.contains(&character)) {
        return Some(true);
    }
    let folded = fold(text);
    if YES_WORDS.contains(&folded.as_str()) {
        return Some(true);
    }
    NO_WORDS.contains(&folded.as_str()).then_some(false)
}

/// Returns the words for yes and no in a language (a BCP 47 tag). Languages other than French and Arabic use English.
pub fn yes_no_words(language: Option<&str>) -> [&'static str; 2] {
    match language.and_then(Language::from_code) {
        Some(Language::French) => ["Oui", "Non"],
        Some(Language::Arabic) => ["نعم", "لا"],
        _ => ["Yes", "No"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_check_boxes_are_read() {
        for yes in ["yes", "Yes ", "TRUE", "oui", "Oui", "نعم", "نَعَم", "1", "x", "X", "☒", "☑", "✓", "Cochée"]
        {
            assert_eq!(parse_yes_no(yes), Some(true), "{yes}");
        }
        for no in ["", "  ", "\u{200f}", "no", "False", "non", "لا", "لَا", "0", "☐", "-"] {
            assert_eq!(parse_yes_no(no), Some(false), "{no}");
        }
        for other in ["perhaps", "2", "yes and no", "ربما", "10"] {
            assert_eq!(parse_yes_no(other), None, "{other}");
        }
        for language in [None, Some("fr-FR"), Some("ar"), Some("de")] {
            let [yes, no] = yes_no_words(language);
            assert_eq!((parse_yes_no(yes), parse_yes_no(no)), (Some(true), Some(false)));
        }
    }
}
