//! The words of a search, and the test whether a template matches all of them.

use super::rows::{TemplateRow, TemplateRows};
use super::synonyms::{self, DocumentKinds};
use super::vocabulary::WordSet;
use super::words::{is_stop_word, stem, words};
use crate::fold::fold;

/// The words of a search. A template matches if each word matches in one of these places:
///
/// - anywhere in the title;
/// - at the start of a word of the keywords or category names;
/// - in the synonyms of the template's kind of document, such as *tenancy* for a lease (`synonyms.txt`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchTerms(Vec<SearchWord>);

/// A word of a search, which is the text between two spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchWord {
    /// The folded word.
    pub folded: String,
    /// The parts of the word between punctuation marks: `non-disclosure` has two parts.
    parts: Vec<WordPart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct WordPart {
    stem: String,
    meanings: DocumentKinds,
}

impl SearchTerms {
    pub fn new(text: &str) -> Self {
        let mut all: Vec<SearchWord> =
            fold(text).split(' ').filter(|word| !word.is_empty()).map(SearchWord::new).collect();
        // Stop words need not match, unless the search has no other words.
        if all.iter().any(|word| !is_stop_word(&word.folded)) {
            all.retain(|word| !is_stop_word(&word.folded));
        }
        Self(all)
    }

    pub fn words(&self) -> &[SearchWord] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Looks up the words of the search in `rows`. With the result, many rows can be tested quickly.
    pub fn resolve(&self, rows: &TemplateRows) -> ResolvedTerms {
        ResolvedTerms(self.0.iter().flat_map(|word| word.resolved_parts(rows)).collect())
    }
}

impl SearchWord {
    fn new(folded: &str) -> Self {
        let mut pieces = words(folded);
        // Removes articles that were shortened by elision, such as the `l` of `l'employé`.
        if pieces.iter().any(|piece| !is_stop_word(piece)) {
            pieces.retain(|piece| !is_stop_word(piece));
        }
        let pieces = pieces
            .iter()
            .map(|piece| WordPart { stem: stem(piece).to_owned(), meanings: synonyms::kinds_of_word(piece) });
        Self { folded: folded.to_owned(), parts: pieces.collect() }
    }

    fn resolved_parts(&self, rows: &TemplateRows) -> Vec<ResolvedPart> {
        if self.parts.is_empty() {
            // A word without letters and digits can match only in titles.
            let title_words = rows.vocabulary.words_containing(&self.folded);
            return vec![ResolvedPart { title_words, ..ResolvedPart::default() }];
        }
        // A template that contains the whole word also contains its parts.
        self.parts.iter().map(|piece| piece.resolve(rows)).collect()
    }

    /// Looks up this word in `rows`. The result is a search for this word alone.
    pub fn resolve(&self, rows: &TemplateRows) -> ResolvedTerms {
        ResolvedTerms(self.resolved_parts(rows))
    }
}

impl WordPart {
    fn resolve(&self, rows: &TemplateRows) -> ResolvedPart {
        let categories = rows.lists_with_word_prefix(&self.stem);
        ResolvedPart {
            title_words: rows.vocabulary.words_containing(&self.stem),
            keyword_words: rows.vocabulary.words_starting_with(&self.stem),
            categories: if categories.contains(&true) { categories } else { Vec::new() },
            meanings: self.meanings,
        }
    }
}

/// The words of a search, looked up in the rows of a catalogue. A row matches the search if it matches every part of every word.
#[derive(Debug, Default)]
pub struct ResolvedTerms(Vec<ResolvedPart>);

/// A part of a search word, with everything found for this part: title words that contain it, keyword words and categories that
/// start with it, and the kinds of documents that it may name.
#[derive(Debug, Default)]
struct ResolvedPart {
    title_words: WordSet,
    keyword_words: WordSet,
    /// For each list of categories in the catalogue, whether the list matches this part. Empty if no list matches.
    categories: Vec<bool>,
    meanings: DocumentKinds,
}

impl ResolvedTerms {
    /// Returns whether the row matches all words of the search.
    pub fn match_row(&self, row: &TemplateRow, rows: &TemplateRows) -> bool {
        self.0.iter().all(|needle| needle.matches(row, rows))
    }

    /// Returns whether the title alone matches all words of the search.
    pub fn match_title(&self, row: &TemplateRow, rows: &TemplateRows) -> bool {
        self.0.iter().all(|needle| rows.title_words(row).iter().any(|word| needle.title_words.contains(*word)))
    }

    /// Returns whether the search has a word that matches no row at all.
    pub fn match_nothing(&self) -> bool {
        self.0.iter().any(|needle| {
            needle.title_words.is_empty()
                && needle.keyword_words.is_empty()
                && needle.categories.is_empty()
                && needle.meanings == DocumentKinds::default()
        })
    }
}

impl ResolvedPart {
    fn matches(&self, row: &TemplateRow, rows: &TemplateRows) -> bool {
        self.meanings.intersects(row.meanings)
            || self.categories.get(row.categories as usize).copied().unwrap_or(false)
            || rows.title_words(row).iter().any(|word| self.title_words.contains(*word))
            || rows.keyword_words(row).iter().any(|word| self.keyword_words.contains(*word))
    }
}
