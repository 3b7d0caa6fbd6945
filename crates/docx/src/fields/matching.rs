//! Detection of `{{name}}` in the text of one paragraph, and of text that only looks like a field.

use std::ops::Range;
use waraq_rules::FindingCode;

use super::bidi::has_right_to_left;
use super::scan::{Cell, OBJECT};
use waraq_rules::name;

/// A field in the text of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Match {
    pub name: String,
    /// The cells from the first `{` to the last `}`.
    pub cells: Range<usize>,
}

/// Text that looks like a field but is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark {
    pub code: FindingCode,
    pub cells: Range<usize>,
    /// The invalid name, if there is one.
    pub name: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Found {
    pub matches: Vec<Match>,
    /// The cells of backslashes before a literal `{{`. They are not printed.
    pub escapes: Vec<usize>,
    pub remarks: Vec<Remark>,
}

/// Finds the fields of a paragraph. `own` returns `true` for cells that belong to a field of another kind: the result
/// of a merge field or the content of a control. A `{{name}}` cannot contain such cells.
pub(super) fn find(cells: &[Cell], own: impl Fn(&Cell) -> bool) -> Found {
    let visible: Vec<(usize, char)> = cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| !name::is_ignorable(cell.character))
        .map(|(at, cell)| (at, if own(cell) { OBJECT } else { cell.character }))
        .collect();
    let mut found = Found::default();
    let character = |at: usize| visible.get(at).map(|(_, character)| *character);
    let pair = |at: usize, brace: char| character(at) == Some(brace) && character(at + 1) == Some(brace);
    let cell = |at: usize| visible.get(at).map_or(cells.len(), |(cell, _)| *cell);
    let range = |from: usize, to: usize| {
        cell(from)..visible.get(to.saturating_sub(1)).map_or(cells.len(), |(cell, _)| cell + 1)
    };
    let mut at = 0;
    while at < visible.len() {
        if character(at) == Some('\\') && pair(at + 1, '{') {
            found.escapes.push(cell(at));
            at += 3;
        } else if pair(at, '{') {
            at = read_field(&visible, at, &range, &pair, &mut found);
        } else if pair(at, '}') {
            found.remarks.push(Remark { code: FindingCode::StrayClose, cells: range(at, at + 2), name: None });
            at += 2;
        } else {
            at += 1;
        }
    }
    foreign(&visible, &range, &mut found);
    found
}

/// Reads a field from its `{{` and returns the index after it.
fn read_field(
    visible: &[(usize, char)],
    open: usize,
    range: &impl Fn(usize, usize) -> Range<usize>,
    pair: &impl Fn(usize, char) -> bool,
    found: &mut Found,
) -> usize {
    // In `{{{`, the field starts at the first brace, as in other template engines.
    let mut at = open + 2;
    while at < visible.len() {
        if pair(at, '}') {
            let raw: String =
                visible.get(open + 2..at).unwrap_or_default().iter().map(|(_, character)| *character).collect();
            let name = name::normalize(&raw);
            let cells = range(open, at + 2);
            if name.is_empty() {
                found.remarks.push(Remark { code: FindingCode::EmptyField, cells, name: None });
            } else if name::is_valid(&name) {
                found.matches.push(Match { name, cells });
            } else {
                found.remarks.push(Remark { code: FindingCode::InvalidName, cells, name: Some(name) });
            }
            return at + 2;
        }
        if pair(at, '{') && at > open + 2 {
            found.remarks.push(Remark { code: FindingCode::NestedField, cells: range(open, at + 2), name: None });
            return at;
        }
        at += 1;
    }
    found.remarks.push(Remark { code: FindingCode::UnclosedField, cells: range(open, visible.len()), name: None });
    visible.len()
}

/// Reports the syntax of other tools: `{% … %}`, `${ … }`, `[[ … ]]`, `« … »`.
fn foreign(visible: &[(usize, char)], range: &impl Fn(usize, usize) -> Range<usize>, found: &mut Found) {
    const KINDS: [(&[char], &[char]); 4] =
        [(&['{', '%'], &['%', '}']), (&['$', '{'], &['}']), (&['[', '['], &[']', ']']), (&['«'], &['»'])];
    let is = |at: usize, mark: &[char]| {
        mark.iter().enumerate().all(|(i, c)| visible.get(at + i).is_some_and(|(_, v)| v == c))
    };
    for (open, close) in KINDS {
        let mut at = 0;
        while at < visible.len() {
            if !is(at, open) {
                at += 1;
                continue;
            }
            let inside = at + open.len();
            let Some(end) = (inside..visible.len().min(inside + 400)).find(|&end| is(end, close)) else {
                at = inside;
                continue;
            };
            // «…» may be a quotation. A mark of another tool is one word without spaces; Arabic quotations also have no
            // inner spaces.
            let text: String = visible.get(inside..end).unwrap_or_default().iter().map(|(_, c)| *c).collect();
            let arabic_word = has_right_to_left(text.chars()) && !text.contains('_');
            let is_quote = open == ['«']
                && (text.is_empty() || text.contains(char::is_whitespace) || text.contains(OBJECT) || arabic_word);
            if !is_quote {
                let cells = range(at, end + close.len());
                found.remarks.push(Remark { code: FindingCode::ForeignSyntax, cells, name: None });
            }
            at = end + close.len();
        }
    }
}

/// Returns the visible text around some cells, with at most forty characters on either side.
pub(super) fn context(cells: &[Cell], around: &Range<usize>) -> String {
    const SIDE: usize = 40;
    let start = around.start.saturating_sub(SIDE);
    let end = around.end.min(around.start + 4 * SIDE).saturating_add(SIDE).min(cells.len());
    let shown = cells.get(start..end).unwrap_or_default().iter().map(|cell| match cell.character {
        '\n' | '\t' => ' ',
        other => other,
    });
    let mut text: String = shown.filter(|character| *character != OBJECT).collect();
    if start > 0 {
        text.insert(0, '…');
    }
    if end < cells.len() {
        text.push('…');
    }
    text
}
