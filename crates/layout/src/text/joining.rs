//! Joining of Arabic letters across the edges of runs: a word in which one letter is red is still joined.

use icu_properties::CodePointMapData;
use icu_properties::props::JoiningType;

/// The joins between a word and the letters around it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NeighbourJoins {
    /// True if the letter before the word is joined to the first letter of the word.
    pub before: bool,
    /// True if the letter after the word is joined to the last letter of the word.
    pub after: bool,
}

/// Returns the joins between the word at `start..end` and the letters around it. `first` is true if the word is the first word of
/// its item, and `last` is true if it is the last. Two words of the same item are separated by a space, so their letters are not
/// joined.
pub(super) fn neighbour_joins(text: &str, start: usize, end: usize, first: bool, last: bool) -> NeighbourJoins {
    let before = text.get(..start).filter(|_| first).and_then(last_base_character);
    let after = text.get(end..).filter(|_| last).and_then(first_base_character);
    NeighbourJoins { before: before.is_some_and(joins_next), after: after.is_some_and(joins_previous) }
}

/// Returns the first character that is not a combining mark. Returns `None` if it is not among the first 16 characters.
pub(super) fn first_base_character(text: &str) -> Option<char> {
    text.chars().take(16).find(|c| !is_transparent(*c))
}

/// Returns the last character that is not a combining mark. Returns `None` if it is not among the last 16 characters.
pub(super) fn last_base_character(text: &str) -> Option<char> {
    text.chars().rev().take(16).find(|c| !is_transparent(*c))
}

/// A word with tatweels (U+0640) between its letters.
pub(super) struct WordWithTatweels {
    /// The word, including the tatweels.
    pub word: String,
    /// Byte offsets of the tatweels in `word`, in ascending order.
    pub tatweels: Vec<usize>,
}

/// Inserts a tatweel between all joined letters of a word. Lam and alef are not separated, because they form a ligature.
/// Returns `None` if no letters are joined.
pub(super) fn with_tatweels(word: &str) -> Option<WordWithTatweels> {
    let (mut wide, mut tatweels) = (String::with_capacity(2 * word.len()), Vec::new());
    let mut last = None;
    for c in word.chars() {
        if !is_transparent(c) {
            let lam_alef = last == Some('ل') && matches!(c, 'ا' | 'أ' | 'إ' | 'آ' | 'ٱ');
            if last.is_some_and(joins_next) && joins_previous(c) && !lam_alef {
                tatweels.push(wide.len());
                wide.push('\u{640}');
            }
            last = Some(c);
        }
        wide.push(c);
    }
    (!tatweels.is_empty()).then_some(WordWithTatweels { word: wide, tatweels })
}

/// Returns true for combining marks. They do not interrupt the joining of the letters around them.
pub(super) fn is_transparent(c: char) -> bool {
    joining_type(c) == JoiningType::Transparent
}

/// Returns true if the letter can join the next letter.
pub(super) fn joins_next(c: char) -> bool {
    matches!(joining_type(c), JoiningType::DualJoining | JoiningType::LeftJoining | JoiningType::JoinCausing)
}

/// Returns true if the letter can join the previous letter.
pub(super) fn joins_previous(c: char) -> bool {
    matches!(joining_type(c), JoiningType::DualJoining | JoiningType::RightJoining | JoiningType::JoinCausing)
}

fn joining_type(c: char) -> JoiningType {
    CodePointMapData::<JoiningType>::new().get(c)
}
