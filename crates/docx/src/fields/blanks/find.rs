//! Finds the place in a document that an author has selected on a page.
//!
//! A page does not know the bytes that it was made of. The author's selection is therefore a text, with the text before and after
//! it. The page differs from the document in white space, in letter case (`w:caps`), in the numbers of lists and in fields that are
//! filled. So only letters and signs are compared, and the place with the longest equal text on both sides counts.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::fields::matching::surrounding_text;
use crate::fields::scan::{Index, KeptCells, OBJECT_PLACEHOLDER};
use crate::fields::text_parts::{self, ScannedPart};
use crate::{Meter, Package, Result};

/// The maximum number of characters of a selection that are compared.
const MAX_SELECTION: usize = 4_000;
/// The maximum number of characters before and after a selection that are compared.
const MAX_CONTEXT: usize = 120;
/// The maximum number of [`FoundPlaces::others`].
pub const MAX_OTHER_PLACES: usize = 200;
/// The minimum number of equal characters around a position. With fewer, the position may be anywhere.
const MIN_CONTEXT: usize = 3;

/// The selection of an author on a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Selection {
    /// The selected text. Empty: a position between two characters.
    pub text: String,
    /// The text of the page before the selection.
    pub before: String,
    /// The text of the page after the selection.
    pub after: String,
}

/// A place in the text of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The part of the package.
    pub part: String,
    /// The number of the paragraph in the part, from 1.
    pub paragraph: usize,
    /// The number of the paragraph in which the place ends. `None`: it ends in the paragraph where it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_paragraph: Option<usize>,
    /// The start in the characters of the paragraph, from 0.
    pub start: usize,
    /// The end in the characters of the last paragraph.
    pub end: usize,
    /// The place is in a row of a table, which can be repeated.
    pub in_row: bool,
    /// The text around the place.
    pub context: String,
}

/// The places with a selected text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FoundPlaces {
    /// The place that was selected. `None`: the document does not have this text, as with the numbers of lists.
    pub selected: Option<Place>,
    /// The other places with the same text, at most [`MAX_OTHER_PLACES`]. Each is in one paragraph.
    pub others: Vec<Place>,
}

/// Finds the place that an author has selected on a page, and the other places with the same text.
///
/// ```
/// use waraq_docx::Package;
/// use waraq_docx::build::{DocumentBuilder, paragraph};
/// use waraq_docx::fields::{Selection, find_places};
///
/// # fn main() -> waraq_docx::Result<()> {
/// let body = paragraph("Acme sells.") + &paragraph("Acme pays.");
/// let package = Package::open(&DocumentBuilder::new(&body).to_bytes())?;
/// let selection = Selection { text: "Acme".into(), after: " pays".into(), ..Selection::default() };
/// let found = find_places(&package, &selection)?;
/// assert_eq!(found.selected.unwrap().paragraph, 2);
/// assert_eq!(found.others[0].paragraph, 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The errors of [`crate::fields::list`].
pub fn find_places(package: &Package, selection: &Selection) -> Result<FoundPlaces> {
    let parts = text_parts::scan_text_parts(package, KeptCells::All)?;
    let meter = package.meter();
    let folded = Folded {
        text: fold(&selection.text).take(MAX_SELECTION).collect(),
        // The characters next to the selection come first.
        before: fold_back(&selection.before),
        after: fold(&selection.after).take(MAX_CONTEXT).collect(),
    };
    if folded.text.is_empty() && !selection.text.is_empty() {
        return Ok(FoundPlaces::default());
    }
    let mut found: Vec<(usize, Range<usize>, usize)> = Vec::new();
    let texts: Vec<PartText> = parts.iter().map(PartText::new).collect();
    for (index, text) in texts.iter().enumerate() {
        meter.spend(text.characters.len());
        text.find(&folded, meter, |range, score| {
            if !folded.text.is_empty() || score >= MIN_CONTEXT {
                found.push((index, range, score));
            }
        });
        meter.outcome()?;
        if folded.text.is_empty() {
            // Most positions of a long text are worse than the best one so far.
            let best = found.iter().map(|(_, _, score)| *score).max().unwrap_or(0);
            found.retain(|(_, _, score)| *score == best);
            found.truncate(1);
        }
    }
    let best = found.iter().map(|(_, _, score)| *score).max();
    let Some(at) = found.iter().position(|(_, _, score)| Some(*score) == best) else {
        return Ok(FoundPlaces::default());
    };
    let place = |(index, range, _): &(usize, Range<usize>, usize)| {
        let (part, text) = (parts.get(*index)?, texts.get(*index)?);
        text.place(part, range, folded.text.is_empty())
    };
    let mut others = Vec::new();
    if !folded.text.is_empty() {
        let rest = found.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, place)| place);
        others.extend(rest.filter_map(place).filter(|place| place.last_paragraph.is_none()).take(MAX_OTHER_PLACES));
    }
    Ok(FoundPlaces { selected: found.get(at).and_then(place), others })
}

/// The compared characters of a selection.
struct Folded {
    text: Vec<char>,
    /// From the selection backwards.
    before: Vec<char>,
    after: Vec<char>,
}

/// Returns a character as it is compared. `None`: it is not compared, because a page may have it and the document not.
fn folded(character: char) -> Option<char> {
    let is_control = matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    if character.is_whitespace() || character.is_control() || is_control || character == OBJECT_PLACEHOLDER {
        return None;
    }
    character.to_lowercase().next()
}

fn fold(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter_map(folded)
}

/// Returns the last characters of a text, from the end.
fn fold_back(text: &str) -> Vec<char> {
    text.chars().rev().filter_map(folded).take(MAX_CONTEXT).collect()
}

/// The compared characters of a part, with their places.
struct PartText {
    characters: Vec<char>,
    /// The paragraph of each character, and its index in the characters of the paragraph.
    places: Vec<(Index, usize)>,
}

impl PartText {
    fn new(part: &ScannedPart<'_>) -> Self {
        let mut text = Self { characters: Vec::new(), places: Vec::new() };
        for (at, paragraph) in part.scan.paragraphs.iter().enumerate().filter(|(_, one)| !one.fallback) {
            for (index, cell) in paragraph.cells.iter().enumerate() {
                if let Some(character) = folded(cell.character) {
                    text.characters.push(character);
                    text.places.push((at, index));
                }
            }
        }
        text
    }

    /// Calls `found` with each range that has the selected text, and the number of equal characters around it.
    fn find(&self, selected: &Folded, meter: &Meter, mut found: impl FnMut(Range<usize>, usize)) {
        let length = selected.text.len();
        let Some(last) = self.characters.len().checked_sub(length) else { return };
        let failure = failure_table(&selected.text);
        let mut check = |start: usize| {
            let before = self.characters.get(..start).unwrap_or_default().iter().rev();
            let after = self.characters.get(start + length..).unwrap_or_default().iter();
            let score = equal_length(before, &selected.before) + equal_length(after, &selected.after);
            meter.spend(score);
            found(start..start + length, score);
        };
        if length == 0 {
            (0..=last).for_each(check);
            return;
        }
        // Knuth, Morris and Pratt: the work is linear in the text, however often the selection repeats itself.
        let mut matched = 0;
        for (at, character) in self.characters.iter().enumerate() {
            while matched > 0 && selected.text.get(matched) != Some(character) {
                matched = failure.get(matched - 1).copied().unwrap_or(0);
            }
            if selected.text.get(matched) == Some(character) {
                matched += 1;
            }
            if matched == length {
                check(at + 1 - length);
                // Places do not overlap.
                matched = 0;
            }
        }
    }

    /// Returns the place of a range. A position is after the character before it, or before the character after it if that one
    /// begins a paragraph.
    fn place(&self, part: &ScannedPart<'_>, range: &Range<usize>, is_position: bool) -> Option<Place> {
        let (first, start, last, end) = if is_position {
            let before = range.start.checked_sub(1).and_then(|at| self.places.get(at).copied());
            let after = self.places.get(range.start).copied();
            match (before, after) {
                (Some((paragraph, index)), Some((next, _))) if paragraph == next => {
                    (paragraph, index + 1, paragraph, index + 1)
                }
                (Some((paragraph, index)), None) => (paragraph, index + 1, paragraph, index + 1),
                (_, Some((paragraph, index))) => (paragraph, index, paragraph, index),
                (None, None) => return None,
            }
        } else {
            let (first, start) = *self.places.get(range.start)?;
            let (last, end) = *self.places.get(range.end.checked_sub(1)?)?;
            (first, start, last, end + 1)
        };
        let paragraph = part.scan.paragraphs.get(first)?;
        let shown = start..if first == last { end } else { paragraph.cells.len() };
        Some(Place {
            part: part.scan.part.clone(),
            paragraph: first + 1,
            last_paragraph: (last != first).then_some(last + 1),
            start,
            end,
            in_row: part.scan.containers.row_of(paragraph.container).is_some(),
            context: surrounding_text(&paragraph.cells, &shown),
        })
    }
}

/// Returns the number of equal items at the start of both.
fn equal_length<'a>(one: impl Iterator<Item = &'a char>, other: &[char]) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// Returns for each start of a text the length of the longest proper start that is also its end.
fn failure_table(text: &[char]) -> Vec<usize> {
    let mut table = vec![0; text.len()];
    let mut length = 0;
    for (at, character) in text.iter().enumerate().skip(1) {
        while length > 0 && text.get(length) != Some(character) {
            length = table.get(length - 1).copied().unwrap_or(0);
        }
        if text.get(length) == Some(character) {
            length += 1;
        }
        if let Some(entry) = table.get_mut(at) {
            *entry = length;
        }
    }
    table
}
