//! The words of a search, and whether a template matches them.

use super::rows::{Row, Rows};
use super::synonyms::{self, Meanings};
use super::vocabulary::WordSet;
use super::words::{says_nothing, stem, words};
use crate::fold::fold;

/// The words of a search. A template matches if each word matches in one of these places:
///
/// - anywhere in the title;
/// - at the start of a word of the keywords or category names;
/// - in the synonyms of the kind of document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted(Vec<Word>);

/// A word of a search: the text between two spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The folded word.
    pub folded: String,
    /// The parts between punctuation: `non-disclosure` has two.
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    stem: String,
    meanings: Meanings,
}

impl Wanted {
    pub fn new(text: &str) -> Self {
        let mut all: Vec<Word> = fold(text).split(' ').filter(|word| !word.is_empty()).map(Word::new).collect();
        // Stop words need not match, unless the search has no other words.
        if all.iter().any(|word| !says_nothing(&word.folded)) {
            all.retain(|word| !says_nothing(&word.folded));
        }
        Self(all)
    }

    pub fn words(&self) -> &[Word] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Resolves the words to the numbers that these rows use.
    pub fn among(&self, rows: &Rows) -> Needles {
        Needles(self.0.iter().flat_map(|word| word.needles(rows)).collect())
    }
}

impl Word {
    fn new(folded: &str) -> Self {
        let mut pieces = words(folded);
        // Removes the rest of an elision, such as the `l` of `l'employé`.
        if pieces.iter().any(|piece| !says_nothing(piece)) {
            pieces.retain(|piece| !says_nothing(piece));
        }
        let pieces =
            pieces.iter().map(|piece| Piece { stem: stem(piece).to_owned(), meanings: synonyms::of_word(piece) });
        Self { folded: folded.to_owned(), pieces: pieces.collect() }
    }

    fn needles(&self, rows: &Rows) -> Vec<Needle> {
        if self.pieces.is_empty() {
            // A word without letters and digits can match only in titles.
            let titled = rows.vocabulary.holding(&self.folded);
            return vec![Needle { titled, ..Needle::default() }];
        }
        // Searching for the parts finds the whole word too.
        self.pieces.iter().map(|piece| piece.needle(rows)).collect()
    }

    /// Resolves this word alone.
    pub fn among(&self, rows: &Rows) -> Needles {
        Needles(self.needles(rows))
    }
}

impl Piece {
    fn needle(&self, rows: &Rows) -> Needle {
        let categories = rows.called(&self.stem);
        Needle {
            titled: rows.vocabulary.holding(&self.stem),
            keyed: rows.vocabulary.beginning(&self.stem),
            categories: if categories.contains(&true) { categories } else { Vec::new() },
            meanings: self.meanings,
        }
    }
}

/// The words of a search, resolved for some rows. A row must match each needle.
#[derive(Debug, Default)]
pub struct Needles(Vec<Needle>);

/// A part of a search word, resolved: title words that contain it, keyword words and categories that start with it, and its
/// meanings.
#[derive(Debug, Default)]
struct Needle {
    titled: WordSet,
    keyed: WordSet,
    /// For each category list of the rows, whether it matches. Empty if none matches.
    categories: Vec<bool>,
    meanings: Meanings,
}

impl Needles {
    /// Returns whether the row matches all needles.
    pub fn are_of(&self, row: &Row, rows: &Rows) -> bool {
        self.0.iter().all(|needle| needle.is_of(row, rows))
    }

    /// Returns whether the title matches all needles.
    pub fn are_titled(&self, row: &Row, rows: &Rows) -> bool {
        self.0.iter().all(|needle| rows.titled(row).iter().any(|word| needle.titled.holds(*word)))
    }

    /// Returns whether one of the needles matches no row at all.
    pub fn are_nowhere(&self) -> bool {
        self.0.iter().any(|needle| {
            needle.titled.is_empty()
                && needle.keyed.is_empty()
                && needle.categories.is_empty()
                && needle.meanings == Meanings::default()
        })
    }
}

impl Needle {
    fn is_of(&self, row: &Row, rows: &Rows) -> bool {
        self.meanings.any_of(row.meanings)
            || self.categories.get(row.categories as usize).copied().unwrap_or(false)
            || rows.titled(row).iter().any(|word| self.titled.holds(*word))
            || rows.keyed(row).iter().any(|word| self.keyed.holds(*word))
    }
}
