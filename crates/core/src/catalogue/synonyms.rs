//! Meanings of words. `synonyms.txt` lists kinds of documents with their names in three languages.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::{says_nothing, stem, words, words_in};
use crate::InterfaceLanguage;

/// A set of meanings, with one bit for each line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Meanings(u64);

impl Meanings {
    pub fn any_of(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    pub fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    fn of_line(line: usize) -> Self {
        // A line after the 64th has no bit and no meaning. A test checks that there are at most 64 lines.
        Self(u32::try_from(line).ok().and_then(|line| 1_u64.checked_shl(line)).unwrap_or(0))
    }
}

/// A phrase of the list, without stop words: `power of attorney` → `power`, `attorney`.
struct Phrase {
    words: Vec<String>,
    language: InterfaceLanguage,
    meaning: Meanings,
}

struct Synonyms {
    phrases: Vec<Phrase>,
    /// The indexes of phrases by the stem of their first word.
    by_first: HashMap<String, Vec<usize>>,
    /// Every word of every phrase with its meanings, sorted and without duplicates.
    by_word: Vec<(String, Meanings)>,
}

static SYNONYMS: LazyLock<Synonyms> = LazyLock::new(|| Synonyms::read(include_str!("synonyms.txt")));

/// Returns the lines of the list, without comments and empty lines.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn telling_words(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| !says_nothing(word)).collect()
}

impl Synonyms {
    fn read(text: &str) -> Self {
        let mut phrases = Vec::new();
        for (number, line) in lines(text).enumerate() {
            let meaning = Meanings::of_line(number);
            for (language, cell) in InterfaceLanguage::ALL.into_iter().zip(line.split('|')) {
                for phrase in cell.split(',') {
                    let words = telling_words(phrase);
                    if !words.is_empty() {
                        phrases.push(Phrase { words, language, meaning });
                    }
                }
            }
        }
        let mut by_first: HashMap<String, Vec<usize>> = HashMap::new();
        let mut meanings: HashMap<String, Meanings> = HashMap::new();
        for (index, phrase) in phrases.iter().enumerate() {
            if let Some(first) = phrase.words.first() {
                by_first.entry(stem(first).to_owned()).or_default().push(index);
            }
            for word in &phrase.words {
                let known = meanings.entry(word.clone()).or_default();
                *known = known.with(phrase.meaning);
            }
        }
        let mut by_word: Vec<(String, Meanings)> = meanings.into_iter().collect();
        by_word.sort_by(|one, other| one.0.cmp(&other.0));
        Self { phrases, by_first, by_word }
    }
}

/// Returns the meanings of a folded title or keyword: those of all phrases that it contains as a whole. With `language`, only
/// phrases of this language count.
pub fn of_folded(text: &str, language: Option<&str>) -> Meanings {
    let stems: Vec<&str> = words_in(text).filter(|word| !says_nothing(word)).map(stem).collect();
    let mut all = Meanings::default();
    for from in 0..stems.len() {
        let Some(rest) = stems.get(from..) else { continue };
        let starting = rest.first().and_then(|first| SYNONYMS.by_first.get(*first)).into_iter().flatten();
        for phrase in starting.filter_map(|index| SYNONYMS.phrases.get(*index)) {
            let ours = language.is_none_or(|code| code == phrase.language.code());
            if ours && rest.len() >= phrase.words.len() && phrase.words.iter().zip(rest).all(|(a, b)| stem(a) == *b) {
                all = all.with(phrase.meaning);
            }
        }
    }
    all
}

/// Returns the possible meanings of a typed word, which may be incomplete: those of all phrases with a word that starts with
/// it. A word of one or two letters must match as a whole.
pub fn of_word(word: &str) -> Meanings {
    let begins = stem(word);
    let whole = begins.chars().count() < 3;
    let from = SYNONYMS.by_word.partition_point(|(known, _)| known.as_str() < begins);
    let known = SYNONYMS.by_word.iter().skip(from).take_while(|(known, _)| known.starts_with(begins));
    known.filter(|(known, _)| !whole || known == begins).fold(Meanings::default(), |all, (_, one)| all.with(*one))
}

/// Returns the folded words of all phrases that have any of these meanings.
pub fn words_of(meanings: Meanings) -> impl Iterator<Item = &'static str> {
    SYNONYMS.by_word.iter().filter(move |(_, one)| one.any_of(meanings)).map(|(word, _)| word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::fold;

    fn of_text(text: &str, language: Option<&str>) -> Meanings {
        of_folded(&fold(text), language)
    }

    #[test]
    fn the_list_is_as_its_head_says() {
        let text = include_str!("synonyms.txt");
        assert!(lines(text).count() <= 64);
        for line in lines(text) {
            let cells: Vec<&str> = line.split('|').collect();
            assert_eq!(cells.len(), 3, "{line}");
            for cell in cells {
                let mut folded: Vec<String> = cell.split(',').map(crate::fold::fold).collect();
                assert!(folded.iter().all(|phrase| !words(phrase).is_empty()), "{line}");
                folded.sort();
                let all = folded.len();
                folded.dedup();
                assert_eq!(folded.len(), all, "twice in {cell}");
            }
        }
    }

    #[test]
    fn a_title_means_what_its_whole_phrases_name_in_its_language() {
        let lease = of_word("loyer");
        assert_ne!(lease, Meanings::default());
        for (title, language) in [
            ("Bail d’habitation", "fr"),
            ("Residential tenancy agreement", "en"),
            ("عقد إيجار سكني", "ar"),
            ("Leases", "en"),
        ] {
            assert!(of_text(title, Some(language)).any_of(lease), "{title}");
        }
        // In French `location` means renting; in English it means a place.
        assert!(of_text("Location", Some("fr")).any_of(lease));
        assert!(!of_text("Location scout", Some("en")).any_of(lease));
        assert_eq!(of_text("Attorney at sea", Some("en")), Meanings::default(), "half a phrase");
    }

    #[test]
    fn what_is_typed_means_what_it_may_become() {
        let lease = of_text("Bail", Some("fr"));
        for typed in ["ren", "rent", "rents", "leases", "loyers", "الإيجار", "للإيجار", "كراء"] {
            let folded = crate::fold::fold(typed);
            assert!(of_word(&folded).any_of(lease), "{typed}");
        }
        for typed in ["re", "renticle", "of", "x"] {
            assert_eq!(of_word(typed), Meanings::default(), "{typed}");
        }
        assert!(of_word("cv").any_of(of_text("Curriculum vitæ", Some("fr"))));
    }
}
