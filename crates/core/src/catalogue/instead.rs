//! Where nothing is found: what else may be looked for.

use std::collections::HashSet;

use super::synonyms::{self, Meanings};
use super::words::says_nothing;
use super::{Row, Rows, Search, Wanted, Word};
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
        Instead {
            titles: self.other_titles(rows),
            unfiltered: if filtered {
                rows.by_age.iter().filter(|row| unfiltered.finds(row)).count() as u64
            } else {
                0
            },
        }
    }

    fn other_titles(&self, rows: &Rows) -> Vec<String> {
        let typed = self.title.words();
        if typed.is_empty() || typed.len() > MOST_WORDS {
            return Vec::new();
        }
        let everything = Search { title: Wanted::default(), ..self.clone() };
        let there: Vec<&Row> = rows.by_age.iter().map(AsRef::as_ref).filter(|row| everything.finds(row)).collect();
        let unknown: Vec<bool> = typed.iter().map(|word| !there.iter().any(|row| word.is_of(row))).collect();
        let mut offered: Vec<String> = Vec::new();
        let mut offer = |text: String| {
            if text.is_empty() || offered.len() == MOST_OFFERED || offered.contains(&text) {
                return;
            }
            let wanted = Wanted::new(&text);
            if there.iter().any(|row| wanted.is_of(row)) {
                offered.push(text);
            }
        };
        let of_words = |replace: &dyn Fn(usize, &Word) -> Option<String>| {
            typed.iter().enumerate().filter_map(|(index, word)| replace(index, word)).collect::<Vec<_>>().join(" ")
        };
        if let Some(first) = unknown.iter().position(|unknown| *unknown) {
            let known = known_words(&there);
            let nearest: Vec<Vec<String>> = typed
                .iter()
                .zip(&unknown)
                .map(|(word, unknown)| if *unknown { nearest(&word.folded, &known, &there) } else { Vec::new() })
                .collect();
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

/// The words by which these templates are found, folded.
fn known_words<'a>(rows: &[&'a Row]) -> HashSet<&'a str> {
    let meanings = rows.iter().fold(Meanings::default(), |all, row| all.with(row.meanings));
    let mut known: HashSet<&str> = synonyms::words_of(meanings).collect();
    for row in rows {
        known.extend(row.folded_title.split(|letter: char| !letter.is_alphanumeric()));
        known.extend(row.words.iter().map(String::as_str));
    }
    known.retain(|word| word.chars().count() >= FEWEST_LETTERS && !says_nothing(word));
    known
}

/// The words most like `typed`, all as near, as they are written where they stand. One letter in four may be wrong.
fn nearest(typed: &str, known: &HashSet<&str>, rows: &[&Row]) -> Vec<String> {
    let letters = typed.chars().count();
    if letters < FEWEST_LETTERS {
        return Vec::new();
    }
    let most = letters.div_ceil(4);
    let close = known.iter().filter(|word| word.chars().count().abs_diff(letters) <= most);
    let mut near: Vec<(usize, &str)> =
        close.map(|word| (strsim::osa_distance(typed, word), *word)).filter(|(edits, _)| *edits <= most).collect();
    near.sort_unstable();
    let least = near.first().map_or(0, |(edits, _)| *edits);
    near.retain(|(edits, _)| *edits == least);
    near.into_iter().take(MOST_OFFERED).map(|(_, word)| as_written(word, rows)).collect()
}

/// A folded word with its accents, from a title or keyword that has it.
fn as_written(folded: &str, rows: &[&Row]) -> String {
    let texts = rows.iter().flat_map(|row| std::iter::once(&row.template.title).chain(&row.template.keywords));
    let written = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !is_mark(c)));
    let mut same = written.filter(|word| fold(word) == folded);
    same.next().map_or_else(|| folded.to_owned(), str::to_lowercase)
}

fn is_mark(letter: char) -> bool {
    unicode_normalization::char::is_combining_mark(letter)
}
