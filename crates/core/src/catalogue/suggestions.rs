//! Suggestions for searches that find nothing.

use std::collections::HashMap;

use super::rows::{TemplateRow, TemplateRows};
use super::synonyms::{self, DocumentKinds};
use super::vocabulary::WordSet;
use super::words::is_stop_word;
use super::{Search, SearchTerms, SearchWord};
use crate::fold::fold;

/// Maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;
/// Maximum number of words in a search for which suggestions are made. Longer searches are unlikely to be typing mistakes.
const MOST_WORDS: usize = 6;
/// Minimum number of letters of a word that is checked for typing mistakes.
const FEWEST_LETTERS: usize = 3;

/// Suggestions for a search that finds nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Suggestions {
    /// Other search texts that find templates with the same filters, best first. At most three.
    pub titles: Vec<String>,
    /// The number of templates that the words of the search find without the language, country and category filters. It is 0 if
    /// none of these filters is set.
    pub unfiltered: u64,
}

impl Search {
    /// Returns suggestions for the user. Call this only if the search finds nothing.
    pub fn suggestions(&self, rows: &TemplateRows) -> Suggestions {
        let unfiltered = Search { title: self.title.clone(), status: self.status, ..Search::default() };
        let filtered = self.language.is_some() || self.country.is_some() || !self.categories.is_empty();
        let unfiltered = if filtered { unfiltered.matching_rows(rows).count() as u64 } else { 0 };
        Suggestions { titles: self.suggested_titles(rows), unfiltered }
    }

    fn suggested_titles(&self, rows: &TemplateRows) -> Vec<String> {
        let typed = self.title.words();
        if typed.is_empty() || typed.len() > MOST_WORDS {
            return Vec::new();
        }
        let everything = Search { title: SearchTerms::default(), ..self.clone() };
        let mut there = Candidates::new(rows, everything.matching_rows(rows).collect());
        let unknown: Vec<bool> = typed.iter().map(|word| !there.any_matches(&[word])).collect();
        let mut offered: Vec<String> = Vec::new();
        let known = if unknown.contains(&true) { known_words(&there) } else { Vec::new() };
        let nearest: Vec<Vec<String>> = typed
            .iter()
            .zip(&unknown)
            .map(|(word, unknown)| if *unknown { nearest(&word.folded, &known, &there) } else { Vec::new() })
            .collect();
        let mut offer = |text: String| {
            if text.is_empty() || offered.len() == MAX_SUGGESTIONS || offered.contains(&text) {
                return;
            }
            let wanted = SearchTerms::new(&text);
            if there.any_matches(&wanted.words().iter().collect::<Vec<_>>()) {
                offered.push(text);
            }
        };
        let of_words = |replace: &dyn Fn(usize, &SearchWord) -> Option<String>| {
            typed.iter().enumerate().filter_map(|(index, word)| replace(index, word)).collect::<Vec<_>>().join(" ")
        };
        if let Some(first) = unknown.iter().position(|unknown| *unknown) {
            // Unknown words are replaced by similar ones. A word without a similar one is left out.
            let choices = nearest.get(first).map_or(0, Vec::len).max(1);
            for choice in 0..choices {
                offer(of_words(&|index, word| match unknown.get(index) {
                    Some(true) => nearest.get(index)?.get(if index == first { choice } else { 0 }).cloned(),
                    _ => Some(word.folded.clone()),
                }));
            }
        }
        // All words are known, but no template matches all of them. Tries all words but one, then each word alone.
        for left_out in (0..typed.len()).rev() {
            offer(of_words(&|index, word| (index != left_out).then(|| word.folded.clone())));
        }
        for alone in 0..typed.len() {
            offer(of_words(&|index, word| (index == alone).then(|| word.folded.clone())));
        }
        offered
    }
}

/// The rows that match the filters of a search, with a cache of the rows that each word finds.
struct Candidates<'a> {
    rows: &'a TemplateRows,
    /// The rows that match the filters, newest first.
    candidates: Vec<&'a TemplateRow>,
    /// The cached results by folded word: for each row in `candidates`, whether the word finds it. `None` for a word that finds
    /// no row.
    matches_by_word: HashMap<String, Option<Vec<bool>>>,
}

impl<'a> Candidates<'a> {
    fn new(rows: &'a TemplateRows, there: Vec<&'a TemplateRow>) -> Self {
        Self { rows, candidates: there, matches_by_word: HashMap::new() }
    }

    /// Returns whether at least one row matches all of these words.
    fn any_matches(&mut self, words: &[&SearchWord]) -> bool {
        for word in words {
            if !self.matches_by_word.contains_key(&word.folded) {
                let needles = word.resolve(self.rows);
                let of = |row: &&TemplateRow| needles.match_row(row, self.rows);
                let found = (!needles.match_nothing()).then(|| self.candidates.iter().map(of).collect::<Vec<bool>>());
                self.matches_by_word.insert(word.folded.clone(), found.filter(|found| found.contains(&true)));
            }
        }
        let found: Option<Vec<&Vec<bool>>> =
            words.iter().map(|word| self.matches_by_word.get(&word.folded).and_then(Option::as_ref)).collect();
        let Some(found) = found else { return false };
        (0..self.candidates.len()).any(|row| found.iter().all(|found| found.get(row).copied().unwrap_or(false)))
    }
}

/// Returns the folded words by which searches find the candidates. A word may occur more than once.
fn known_words<'a>(there: &Candidates<'a>) -> Vec<&'a str> {
    let rows = there.rows;
    let meanings = there.candidates.iter().fold(DocumentKinds::default(), |all, row| all.union(row.meanings));
    let said =
        there.candidates.iter().flat_map(|row| rows.title_words(row).iter().chain(rows.keyword_words(row)).copied());
    let (said, categories) = (WordSet::from_numbers(said), there.candidates.iter().map(|row| row.categories).collect());
    let mut known = rows.category_words(&categories);
    synonyms::words_of_kinds(meanings).for_each(|word| known.push(word));
    known.extend(rows.vocabulary.words().filter(|(number, _)| said.contains(*number)).map(|(_, word)| word));
    known.retain(|word| word.chars().nth(FEWEST_LETTERS - 1).is_some() && !is_stop_word(word));
    known
}

/// Returns the letters of a word as a bit set, and the number of letters. Each letter sets one bit, and different letters may share a
/// bit. If only one of two words has a certain bit, it has at least one letter that the other word does not have.
fn letter_bits(word: &str) -> (u64, usize) {
    let bits = word.chars().fold(0, |bits: u64, letter| bits | 1 << (u32::from(letter) % 64));
    (bits, word.chars().count())
}

/// Returns the words of `known` with the smallest edit distance to `typed`, spelled as in the templates. At most a quarter of the
/// letters (rounded up) may be wrong.
fn nearest(typed: &str, known: &[&str], there: &Candidates) -> Vec<String> {
    let (bits, letters) = letter_bits(typed);
    if letters < FEWEST_LETTERS {
        return Vec::new();
    }
    let most = letters.div_ceil(4);
    // Each letter that is in only one of the two words requires at least one edit. This quick test excludes most words.
    let close = known.iter().filter(|word| {
        let (others, count) = letter_bits(word);
        let lacking = (bits & !others).count_ones().max((others & !bits).count_ones());
        count.abs_diff(letters) <= most && lacking as usize <= most
    });
    let mut near: Vec<(usize, &str)> =
        close.map(|word| (strsim::osa_distance(typed, word), *word)).filter(|(edits, _)| *edits <= most).collect();
    near.sort_unstable();
    near.dedup();
    let least = near.first().map_or(0, |(edits, _)| *edits);
    near.retain(|(edits, _)| *edits == least);
    near.into_iter().take(MAX_SUGGESTIONS).map(|(_, word)| original_spelling(word, there)).collect()
}

/// Returns the spelling that a folded word has in a title or keyword (for example with accents), in lower case.
fn original_spelling(folded: &str, there: &Candidates) -> String {
    let said = there.rows.vocabulary.number_of(folded).map(|number| WordSet::from_numbers([number]));
    let having = said.and_then(|said| there.candidates.iter().find(|row| there.rows.contains_any(row, &said)));
    let texts = having.into_iter().flat_map(|row| row.title_and_keywords());
    let written = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !is_mark(c)));
    let mut same = written.filter(|word| fold(word) == folded);
    same.next().map_or_else(|| folded.to_owned(), str::to_lowercase)
}

fn is_mark(letter: char) -> bool {
    unicode_normalization::char::is_combining_mark(letter)
}
