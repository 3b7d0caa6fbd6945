//! What somebody types into the search, and whether a template is what he looks for.

use super::rows::{Row, Rows};
use super::synonyms::{self, Meanings};
use super::vocabulary::WordSet;
use super::words::{says_nothing, stem, words};
use crate::fold::fold;

/// What is typed, word by word. A template is found if each is in its title, wherever, begins a word of its keywords or categories, or
/// means what the template is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted(Vec<Word>);

/// What stands between two spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Folded.
    pub folded: String,
    /// What signs part: `non-disclosure` has two.
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
        // Words that say nothing need not be found, unless nothing else is looked for.
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

    /// What is to be looked for among these rows.
    pub fn among(&self, rows: &Rows) -> Needles {
        Needles(self.0.iter().flat_map(|word| word.needles(rows)).collect())
    }
}

impl Word {
    fn new(folded: &str) -> Self {
        let mut pieces = words(folded);
        // What is left of an elision: `l'employé`.
        if pieces.iter().any(|piece| !says_nothing(piece)) {
            pieces.retain(|piece| !says_nothing(piece));
        }
        let pieces =
            pieces.iter().map(|piece| Piece { stem: stem(piece).to_owned(), meanings: synonyms::of_word(piece) });
        Self { folded: folded.to_owned(), pieces: pieces.collect() }
    }

    fn needles(&self, rows: &Rows) -> Vec<Needle> {
        if self.pieces.is_empty() {
            // Signs alone: they stand in the title or nowhere.
            let titled = rows.vocabulary.holding(&self.folded);
            return vec![Needle { titled, ..Needle::default() }];
        }
        // Where the word stands, its pieces stand.
        self.pieces.iter().map(|piece| piece.needle(rows)).collect()
    }

    /// The word alone, among these rows.
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

/// What is typed, as rows are asked for it: each of its needles must be there.
#[derive(Debug, Default)]
pub struct Needles(Vec<Needle>);

/// A piece of what is typed: the words of titles in which it stands, those of keywords that it begins, the categories that a word of theirs
/// it begins, and what it means.
#[derive(Debug, Default)]
struct Needle {
    titled: WordSet,
    keyed: WordSet,
    /// By the number rows have of their categories; empty: none.
    categories: Vec<bool>,
    meanings: Meanings,
}

impl Needles {
    /// Whether all of it is found.
    pub fn are_of(&self, row: &Row, rows: &Rows) -> bool {
        self.0.iter().all(|needle| needle.is_of(row, rows))
    }

    /// Whether all of it stands in the title.
    pub fn are_titled(&self, row: &Row, rows: &Rows) -> bool {
        self.0.iter().all(|needle| rows.titled(row).iter().any(|word| needle.titled.holds(*word)))
    }

    /// Whether there is none of one of them, whatever the row.
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
