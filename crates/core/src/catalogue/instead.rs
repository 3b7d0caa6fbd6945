//! Where nothing is found: what else may be looked for.

use std::collections::HashMap;

use super::rows::{Row, Rows};
use super::synonyms::{self, Meanings};
use super::vocabulary::WordSet;
use super::words::says_nothing;
use super::{Search, Wanted, Word};
use crate::fold::fold;

/// Texts that are offered at most.
const MOST_OFFERED: usize = 3;
/// Words of a search in whose place others are looked for; a longer one is no slip of the keyboard.
const MOST_WORDS: usize = 6;
/// Letters of a word that may be mistyped.
const FEWEST_LETTERS: usize = 3;

/// What may be looked for instead of what finds nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instead {
    /// Searches that find something as the list is filtered, the likeliest first; at most three.
    pub titles: Vec<String>,
    /// How many the same words find in all languages, countries and categories.
    pub unfiltered: u64,
}

impl Search {
    /// What may be looked for instead; only sensible where this search finds nothing.
    pub fn instead(&self, rows: &Rows) -> Instead {
        let unfiltered = Search { title: self.title.clone(), status: self.status, ..Search::default() };
        let filtered = self.language.is_some() || self.country.is_some() || !self.categories.is_empty();
        let unfiltered = if filtered { unfiltered.finding(rows).count() as u64 } else { 0 };
        Instead { titles: self.other_titles(rows), unfiltered }
    }

    fn other_titles(&self, rows: &Rows) -> Vec<String> {
        let typed = self.title.words();
        if typed.is_empty() || typed.len() > MOST_WORDS {
            return Vec::new();
        }
        let everything = Search { title: Wanted::default(), ..self.clone() };
        let mut there = There::new(rows, everything.finding(rows).collect());
        let unknown: Vec<bool> = typed.iter().map(|word| !there.has(&[word])).collect();
        let mut offered: Vec<String> = Vec::new();
        let known = if unknown.contains(&true) { known_words(&there) } else { Vec::new() };
        let nearest: Vec<Vec<String>> = typed
            .iter()
            .zip(&unknown)
            .map(|(word, unknown)| if *unknown { nearest(&word.folded, &known, &there) } else { Vec::new() })
            .collect();
        let mut offer = |text: String| {
            if text.is_empty() || offered.len() == MOST_OFFERED || offered.contains(&text) {
                return;
            }
            let wanted = Wanted::new(&text);
            if there.has(&wanted.words().iter().collect::<Vec<_>>()) {
                offered.push(text);
            }
        };
        let of_words = |replace: &dyn Fn(usize, &Word) -> Option<String>| {
            typed.iter().enumerate().filter_map(|(index, word)| replace(index, word)).collect::<Vec<_>>().join(" ")
        };
        if let Some(first) = unknown.iter().position(|unknown| *unknown) {
            // A word that is like none is left out.
            let choices = nearest.get(first).map_or(0, Vec::len).max(1);
            for choice in 0..choices {
                offer(of_words(&|index, word| match unknown.get(index) {
                    Some(true) => nearest.get(index)?.get(if index == first { choice } else { 0 }).cloned(),
                    _ => Some(word.folded.clone()),
                }));
            }
        }
        // Each is known, but nothing has them all: all but one, then each alone.
        for left_out in (0..typed.len()).rev() {
            offer(of_words(&|index, word| (index != left_out).then(|| word.folded.clone())));
        }
        for alone in 0..typed.len() {
            offer(of_words(&|index, word| (index == alone).then(|| word.folded.clone())));
        }
        offered
    }
}

/// The rows that a search finds whatever its words, and which of them each word finds.
struct There<'a> {
    rows: &'a Rows,
    /// The newest first.
    there: Vec<&'a Row>,
    /// By word, folded: for each of the rows, whether it is found; `None` for a word that finds none at all.
    found: HashMap<String, Option<Vec<bool>>>,
}

impl<'a> There<'a> {
    fn new(rows: &'a Rows, there: Vec<&'a Row>) -> Self {
        Self { rows, there, found: HashMap::new() }
    }

    /// Whether any row is found by all of these words.
    fn has(&mut self, words: &[&Word]) -> bool {
        for word in words {
            if !self.found.contains_key(&word.folded) {
                let needles = word.among(self.rows);
                let of = |row: &&Row| needles.are_of(row, self.rows);
                let found = (!needles.are_nowhere()).then(|| self.there.iter().map(of).collect::<Vec<bool>>());
                self.found.insert(word.folded.clone(), found.filter(|found| found.contains(&true)));
            }
        }
        let found: Option<Vec<&Vec<bool>>> =
            words.iter().map(|word| self.found.get(&word.folded).and_then(Option::as_ref)).collect();
        let Some(found) = found else { return false };
        (0..self.there.len()).any(|row| found.iter().all(|found| found.get(row).copied().unwrap_or(false)))
    }
}

/// The words by which these templates are found, folded; some more than once.
fn known_words<'a>(there: &There<'a>) -> Vec<&'a str> {
    let rows = there.rows;
    let meanings = there.there.iter().fold(Meanings::default(), |all, row| all.with(row.meanings));
    let said = there.there.iter().flat_map(|row| rows.titled(row).iter().chain(rows.keyed(row)).copied());
    let (said, categories) = (WordSet::of(said), there.there.iter().map(|row| row.categories).collect());
    let mut known = rows.category_words(&categories);
    synonyms::words_of(meanings).for_each(|word| known.push(word));
    known.extend(rows.vocabulary.words().filter(|(number, _)| said.holds(*number)).map(|(_, word)| word));
    known.retain(|word| word.chars().nth(FEWEST_LETTERS - 1).is_some() && !says_nothing(word));
    known
}

/// Which letters a word has, and how many. Several letters may share a bit: two words differ in no more bits than in letters.
fn letters_of(word: &str) -> (u64, usize) {
    let bits = word.chars().fold(0, |bits: u64, letter| bits | 1 << (u32::from(letter) % 64));
    (bits, word.chars().count())
}

/// The words most like `typed`, all as near, as they are written where they stand. One letter in four may be wrong.
fn nearest(typed: &str, known: &[&str], there: &There) -> Vec<String> {
    let (bits, letters) = letters_of(typed);
    if letters < FEWEST_LETTERS {
        return Vec::new();
    }
    let most = letters.div_ceil(4);
    // A letter that only one of them has takes an edit of its own: few words are compared letter by letter.
    let close = known.iter().filter(|word| {
        let (others, count) = letters_of(word);
        let lacking = (bits & !others).count_ones().max((others & !bits).count_ones());
        count.abs_diff(letters) <= most && lacking as usize <= most
    });
    let mut near: Vec<(usize, &str)> =
        close.map(|word| (strsim::osa_distance(typed, word), *word)).filter(|(edits, _)| *edits <= most).collect();
    near.sort_unstable();
    near.dedup();
    let least = near.first().map_or(0, |(edits, _)| *edits);
    near.retain(|(edits, _)| *edits == least);
    near.into_iter().take(MOST_OFFERED).map(|(_, word)| as_written(word, there)).collect()
}

/// A folded word with its accents, from a title or keyword that has it.
fn as_written(folded: &str, there: &There) -> String {
    let said = there.rows.vocabulary.known(folded).map(|number| WordSet::of([number]));
    let having = said.and_then(|said| there.there.iter().find(|row| there.rows.says(row, &said)));
    let texts = having.into_iter().flat_map(|row| row.said());
    let written = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !is_mark(c)));
    let mut same = written.filter(|word| fold(word) == folded);
    same.next().map_or_else(|| folded.to_owned(), str::to_lowercase)
}

fn is_mark(letter: char) -> bool {
    unicode_normalization::char::is_combining_mark(letter)
}
