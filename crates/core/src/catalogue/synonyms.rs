//! Synonyms for searches. `synonyms.txt` lists kinds of documents with their names in three languages.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::{is_stop_word, stem, words, words_in};
use crate::InterfaceLanguage;

/// A set of kinds of documents, such as lease or invoice. Each line of `synonyms.txt` is one kind and has one bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DocumentKinds(u64);

impl DocumentKinds {
    pub fn intersects(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    pub fn union(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    fn from_line(line: usize) -> Self {
        // Lines after the 64th have no bit and no effect. A test checks that there are at most 64 lines.
        Self(u32::try_from(line).ok().and_then(|line| 1_u64.checked_shl(line)).unwrap_or(0))
    }
}

/// A phrase of `synonyms.txt`, without stop words: `power of attorney` → `power`, `attorney`.
struct Phrase {
    words: Vec<String>,
    language: InterfaceLanguage,
    kinds: DocumentKinds,
}

struct Synonyms {
    phrases: Vec<Phrase>,
    /// The indexes of phrases in `phrases`, by the stem of their first word.
    by_first: HashMap<String, Vec<usize>>,
    /// Every word of every phrase, with the kinds of documents that it may name. Sorted by word, without duplicates.
    by_word: Vec<(String, DocumentKinds)>,
}

static SYNONYMS: LazyLock<Synonyms> = LazyLock::new(|| Synonyms::parse(include_str!("synonyms.txt")));

/// Returns the lines of `synonyms.txt`, without comments and empty lines.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn significant_words(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| !is_stop_word(word)).collect()
}

impl Synonyms {
    fn parse(text: &str) -> Self {
        let mut phrases = Vec::new();
        for (number, line) in lines(text).enumerate() {
            let meaning = DocumentKinds::from_line(number);
            for (language, cell) in InterfaceLanguage::ALL.into_iter().zip(line.split('|')) {
                for phrase in cell.split(',') {
                    let words = significant_words(phrase);
                    if !words.is_empty() {
                        phrases.push(Phrase { words, language, kinds: meaning });
                    }
                }
            }
        }
        let mut by_first: HashMap<String, Vec<usize>> = HashMap::new();
        let mut meanings: HashMap<String, DocumentKinds> = HashMap::new();
        for (index, phrase) in phrases.iter().enumerate() {
            if let Some(first) = phrase.words.first() {
                by_first.entry(stem(first).to_owned()).or_default().push(index);
            }
            for word in &phrase.words {
                let known = meanings.entry(word.clone()).or_default();
                *known = known.union(phrase.kinds);
            }
        }
        let mut by_word: Vec<(String, DocumentKinds)> = meanings.into_iter().collect();
        by_word.sort_by(|one, other| one.0.cmp(&other.0));
        Self { phrases, by_first, by_word }
    }
}

/// Returns the kinds of documents that a folded title or keyword names. A text names a kind if it contains a whole phrase that
/// `synonyms.txt` lists for this kind. If `language` is given, only phrases in this language are compared.
pub fn kinds_of_text(text: &str, language: Option<&str>) -> DocumentKinds {
    let stems: Vec<&str> = words_in(text).filter(|word| !is_stop_word(word)).map(stem).collect();
    let mut all = DocumentKinds::default();
    for from in 0..stems.len() {
        let Some(rest) = stems.get(from..) else { continue };
        let starting = rest.first().and_then(|first| SYNONYMS.by_first.get(*first)).into_iter().flatten();
        for phrase in starting.filter_map(|index| SYNONYMS.phrases.get(*index)) {
            let ours = language.is_none_or(|code| code == phrase.language.code());
            if ours && rest.len() >= phrase.words.len() && phrase.words.iter().zip(rest).all(|(a, b)| stem(a) == *b) {
                all = all.union(phrase.kinds);
            }
        }
    }
    all
}

/// Returns the kinds of documents that a typed word may mean. Each kind has phrases that name it. A kind matches if a word of its
/// phrases starts with the typed word, which may be incomplete. A typed word of one or two letters must equal the word of the phrase.
pub fn kinds_of_word(word: &str) -> DocumentKinds {
    let begins = stem(word);
    let whole = begins.chars().count() < 3;
    let from = SYNONYMS.by_word.partition_point(|(known, _)| known.as_str() < begins);
    let known = SYNONYMS.by_word.iter().skip(from).take_while(|(known, _)| known.starts_with(begins));
    known.filter(|(known, _)| !whole || known == begins).fold(DocumentKinds::default(), |all, (_, one)| all.union(*one))
}

/// Returns the folded words of all phrases for any of these kinds of documents.
pub fn words_of_kinds(meanings: DocumentKinds) -> impl Iterator<Item = &'static str> {
    SYNONYMS.by_word.iter().filter(move |(_, one)| one.intersects(meanings)).map(|(word, _)| word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::fold;

    fn of_text(text: &str, language: Option<&str>) -> DocumentKinds {
        kinds_of_text(&fold(text), language)
    }

    #[test]
    fn synonym_list_has_a_valid_format() {
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
    fn titles_match_whole_phrases_of_their_language() {
        let lease = kinds_of_word("loyer");
        assert_ne!(lease, DocumentKinds::default());
        for (title, language) in [
            ("Bail d’habitation", "fr"),
            ("Residential tenancy agreement", "en"),
            ("عقد إيجار سكني", "ar"),
            ("Leases", "en"),
        ] {
            assert!(of_text(title, Some(language)).intersects(lease), "{title}");
        }
        // In French `location` means renting; in English it means a place.
        assert!(of_text("Location", Some("fr")).intersects(lease));
        assert!(!of_text("Location scout", Some("en")).intersects(lease));
        assert_eq!(of_text("Attorney at sea", Some("en")), DocumentKinds::default(), "half a phrase");
    }

    #[test]
    fn typed_prefixes_and_variants_match_synonyms() {
        let lease = of_text("Bail", Some("fr"));
        for typed in ["ren", "rent", "rents", "leases", "loyers", "الإيجار", "للإيجار", "كراء"] {
            let folded = crate::fold::fold(typed);
            assert!(kinds_of_word(&folded).intersects(lease), "{typed}");
        }
        for typed in ["re", "renticle", "of", "x"] {
            assert_eq!(kinds_of_word(typed), DocumentKinds::default(), "{typed}");
        }
        assert!(kinds_of_word("cv").intersects(of_text("Curriculum vitæ", Some("fr"))));
    }
}
