//! Joining of Arabic letters across the edges of runs: a word in which one letter is red is still joined.

use icu_properties::CodePointMapData;
use icu_properties::props::JoiningType;

/// Returns whether the letters before and after a word (`start..end`) join its first and its last letter. `first` and
/// `last` are true for the first and last word of an item; all other words are between spaces and are not checked.
pub(super) fn joins_neighbours(text: &str, start: usize, end: usize, first: bool, last: bool) -> (bool, bool) {
    let before = text.get(..start).filter(|_| first).and_then(last_base_character);
    let after = text.get(end..).filter(|_| last).and_then(first_base_character);
    (before.is_some_and(joins_next), after.is_some_and(joins_previous))
}

/// Returns the first character that is not a combining mark, if it is among the first 16 characters.
pub(super) fn first_base_character(text: &str) -> Option<char> {
    text.chars().take(16).find(|c| !is_transparent(*c))
}

/// Returns the last character that is not a combining mark, if it is among the last 16 characters.
pub(super) fn last_base_character(text: &str) -> Option<char> {
    text.chars().rev().take(16).find(|c| !is_transparent(*c))
}

/// Returns the word with a tatweel between joined letters, and the byte offsets of the tatweels. Lam and alef are not
/// separated, because they form a ligature. Returns `None` if no letters are joined.
pub(super) fn with_tatweels(word: &str) -> Option<(String, Vec<usize>)> {
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
    (!tatweels.is_empty()).then_some((wide, tatweels))
}

/// Returns true for combining marks, which do not interrupt joining.
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
