//! What somebody types into the search, and whether a template is what he looks for.

use super::Row;
use super::synonyms::{self, Meanings};
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

    /// Whether all of it is found.
    pub fn is_of(&self, row: &Row) -> bool {
        self.0.iter().all(|word| word.is_of(row))
    }

    /// Whether all of it stands in the title.
    pub fn is_titled(&self, row: &Row) -> bool {
        self.0.iter().all(|word| word.is_titled(row))
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

    pub fn is_of(&self, row: &Row) -> bool {
        row.folded_title.contains(&self.folded)
            || !self.pieces.is_empty() && self.pieces.iter().all(|piece| piece.is_of(row))
    }

    fn is_titled(&self, row: &Row) -> bool {
        row.folded_title.contains(&self.folded)
            || !self.pieces.is_empty() && self.pieces.iter().all(|piece| row.folded_title.contains(&piece.stem))
    }
}

impl Piece {
    fn is_of(&self, row: &Row) -> bool {
        self.meanings.any_of(row.meanings)
            || row.folded_title.contains(&self.stem)
            || row.words.iter().any(|word| word.starts_with(&self.stem))
    }
}
