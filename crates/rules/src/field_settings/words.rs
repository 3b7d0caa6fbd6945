//! Splits a name into words for comparison. The words are folded with [`fold`], and Arabic articles are removed.

use crate::name::fold;

/// The words of a text in order, folded with [`fold`] and without Arabic articles.
pub(crate) struct NameWords {
    words: Vec<String>,
    /// `true` if the text names two things, such as `Date et lieu de naissance`.
    pub(crate) names_two_things: bool,
}

/// Conjunctions that join two things.
const CONJUNCTIONS: &[&str] = &["and", "et", "or", "ou", "و", "او", "ام"];

/// Arabic words. If one of them follows the letter و without a space, the و is the word “and”.
const WORDS_AFTER_WAW: &[&str] = &[
    "مكان",
    "محل",
    "رقم",
    "عنوان",
    "اسم",
    "توقيع",
    "جهه",
    "هاتف",
    "بريد",
    "تاريخ",
    "ساعه",
    "وقت",
    "مده",
    "فرع",
    "مبلغ",
    "صفه",
    "جهات",
    "مستوياتها",
    "شهادات",
    "ادوات",
    "سنه",
];

impl NameWords {
    pub(crate) fn split(text: &str) -> Self {
        let pieces = text.split(|letter: char| !letter.is_alphanumeric() && !is_mark(letter));
        let mut several = text.contains(['&', '/']);
        let mut words = Vec::new();
        for piece in pieces {
            let folded = fold(piece);
            if folded.is_empty() {
                continue;
            }
            several |= CONJUNCTIONS.contains(&folded.as_str());
            let word = without_article(&folded);
            several |= word.strip_prefix('و').is_some_and(|rest| WORDS_AFTER_WAW.contains(&without_article(rest)));
            words.push(word.to_owned());
        }
        Self { words, names_two_things: several }
    }

    pub(crate) fn as_slice(&self) -> &[String] {
        &self.words
    }

    /// Returns the words without numbers at the end, because `Unit price 3` has the same meaning as `Unit price`.
    pub(crate) fn without_final_numbers(&self) -> &[String] {
        let is_number = |word: &String| word.chars().all(char::is_numeric);
        let numbers = self.words.iter().rev().take_while(|word| is_number(word)).count();
        self.words.get(..self.words.len() - numbers).unwrap_or_default()
    }

    pub(crate) fn contains_any(&self, any: &[&str]) -> bool {
        self.words.iter().any(|word| any.contains(&word.as_str()))
    }
}

/// Returns whether a character is a combining mark or a tatweel. Both are parts of a word and do not separate words.
fn is_mark(letter: char) -> bool {
    unicode_normalization::char::is_combining_mark(letter) || letter == '\u{640}'
}

/// Removes the Arabic article: `الهاتف`, `للهاتف`, `بالأرقام` → `هاتف`, `هاتف`, `ارقام`.
fn without_article(word: &str) -> &str {
    let stem = ["ال", "لل", "بال", "وال"].iter().find_map(|article| word.strip_prefix(article));
    stem.filter(|stem| stem.chars().count() > 2).unwrap_or(word)
}
