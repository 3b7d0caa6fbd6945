//! Arabic letters join across the borders of runs: a word with one letter in red is still one word.

/// Whether letters outside a piece of text join its first and its last letter; asked only where the piece begins or ends
/// its item, for inside an item nothing parts a word but spaces.
pub(super) fn around(text: &str, start: usize, end: usize, first: bool, last: bool) -> (bool, bool) {
    let before = text.get(..start).filter(|_| first).and_then(last_solid);
    let after = text.get(end..).filter(|_| last).and_then(first_solid);
    (before.is_some_and(joins_next), after.is_some_and(joins_previous))
}

/// The first character that is no mark.
pub(super) fn first_solid(text: &str) -> Option<char> {
    text.chars().take(16).find(|c| !is_transparent(*c))
}

pub(super) fn last_solid(text: &str) -> Option<char> {
    text.chars().rev().take(16).find(|c| !is_transparent(*c))
}

/// The word with a tatweel between letters that are joined, and the bytes those are at. Lam and alef stay together. `None`: no
/// letters are joined.
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

/// Marks, which letters join through (Joining_Type=Transparent).
pub(super) fn is_transparent(c: char) -> bool {
    matches!(c, '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}' | '\u{ad}')
}

/// Joining_Type is Dual_Joining or Join_Causing.
pub(super) fn joins_next(c: char) -> bool {
    joins_previous(c) && !is_right_joining(c)
}

pub(super) fn joins_previous(c: char) -> bool {
    matches!(
        c,
        '\u{620}' | '\u{622}'..='\u{64a}' | '\u{66e}'..='\u{66f}' | '\u{671}'..='\u{673}' | '\u{675}'..='\u{6d3}' | '\u{6d5}'
            | '\u{6ee}'..='\u{6ef}' | '\u{6fa}'..='\u{6fc}' | '\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{200d}'
    )
}

/// Joins the letter before it, but none after it.
fn is_right_joining(c: char) -> bool {
    matches!(
        c,
        '\u{622}'..='\u{625}' | '\u{627}' | '\u{629}' | '\u{62f}'..='\u{632}' | '\u{648}' | '\u{671}'..='\u{673}'
            | '\u{675}'..='\u{677}' | '\u{688}'..='\u{699}' | '\u{6c0}' | '\u{6c3}'..='\u{6cb}' | '\u{6cd}' | '\u{6cf}'
            | '\u{6d2}'..='\u{6d3}' | '\u{6d5}' | '\u{6ee}'..='\u{6ef}' | '\u{759}'..='\u{75b}' | '\u{76b}'..='\u{76c}' | '\u{771}'
            | '\u{773}'..='\u{774}' | '\u{778}'..='\u{779}'
    )
}
