//! Labels of yes/no fields, in English, French or Arabic.

use super::words::NameWords;
use super::{capitalized, readable_name};
use crate::derivation::Language;

/// First words of a name that ask whether its section is included, such as `with_deposit`. The label does not repeat them.
const INCLUDE_WORDS: &[&str] =
    &["with", "has", "have", "include", "includes", "show", "avec", "inclure", "afficher", "مع"];
/// First words of a name that is a question already, such as `is_company`.
const QUESTION_WORDS: &[&str] = &["is", "are", "was", "does", "do", "can", "est", "sont", "هل"];
/// Words by which a name is French. Accents are removed.
const FRENCH_WORDS: &[&str] = &[
    "le",
    "la",
    "les",
    "l",
    "du",
    "de",
    "des",
    "d",
    "et",
    "ou",
    "avec",
    "sans",
    "en",
    "au",
    "aux",
    "un",
    "une",
    "est",
    "sont",
    "inclure",
    "afficher",
    "garant",
    "garante",
    "caution",
    "bailleur",
    "locataire",
    "employeur",
    "salarie",
    "essai",
    "remise",
    "preavis",
    "prime",
    "loyer",
    "signature",
    "colocataire",
    "conjoint",
    "annexe",
    "clause",
    "tva",
];

/// Returns the label of a yes/no field: `guarantor` → `Guarantor: include?`, `is_company` → `Is company?`. Without a
/// `language`, it is detected from the name.
pub(super) fn yes_no_label(name: &str, language: Option<Language>) -> String {
    let readable = readable_name(name);
    let words = NameWords::split(&readable);
    let language = language.unwrap_or_else(|| language_of_name(&readable, &words));
    let first = words.as_slice().first().map(String::as_str).unwrap_or_default();
    let mark = if language == Language::Arabic { "؟" } else { "?" };
    let space = if language == Language::French { "\u{a0}" } else { "" };
    if QUESTION_WORDS.contains(&first) {
        return format!("{}{space}{mark}", capitalized(&readable));
    }
    let subject = match readable.split_once(' ') {
        Some((_, rest)) if INCLUDE_WORDS.contains(&first) => rest,
        _ => readable.as_str(),
    };
    let question = match language {
        Language::English => "include",
        Language::French => "inclure",
        Language::Arabic => "هل يُدرج",
    };
    format!("{}{space}: {question}{space}{mark}", capitalized(subject))
}

fn language_of_name(readable: &str, words: &NameWords) -> Language {
    if readable.chars().any(|letter| matches!(letter, '\u{600}'..='\u{6ff}')) {
        return Language::Arabic;
    }
    let has_accent = readable.chars().any(|letter| "éèêëàâçîïôûùœ".contains(letter));
    if has_accent || words.contains_any(FRENCH_WORDS) { Language::French } else { Language::English }
}
