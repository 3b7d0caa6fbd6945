//! Detection of `{{name}}` in the text of one paragraph, and of text that only looks like a field.

use std::ops::Range;
use waraq_rules::{DiagnosticCode, ENTRY_COLUMN};

use super::bidi::has_right_to_left;
use super::scan::{OBJECT_PLACEHOLDER, TextCell};
use waraq_rules::name;

/// A field `{{name}}` in the text of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldMatch {
    pub name: String,
    /// The characters of the placeholder, from the first `{` to the last `}`, as indices into the `cells` of the paragraph. A cell
    /// is one character.
    pub cells: Range<usize>,
}

/// A tag of a section in the text of a paragraph: `{{#name}}`, `{{^name}}` or `{{/name}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagMatch {
    pub sign: TagSign,
    /// The normalized name of the section.
    pub name: String,
    /// The characters of the tag with its braces, as indices into the `cells` of the paragraph.
    pub cells: Range<usize>,
}

/// The sign before the name in a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagSign {
    /// `#`: the section is repeated for each row of a list, or kept if a yes/no field is yes.
    Open,
    /// `^`: the section is kept if the list is empty or the answer is no.
    OpenInverted,
    /// `/`: the end of a section.
    Close,
}

/// Text that looks like a field but is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InvalidField {
    pub code: DiagnosticCode,
    pub cells: Range<usize>,
    /// The invalid name. `None`: the problem is not the name.
    pub name: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct ParagraphFields {
    pub matches: Vec<FieldMatch>,
    /// The tags of sections, in the order of the text.
    pub tags: Vec<TagMatch>,
    /// The backslashes before literal `{{`, as indices into the `cells` of the paragraph. These backslashes are removed
    /// when the template is filled.
    pub escapes: Vec<usize>,
    pub invalid_fields: Vec<InvalidField>,
}

impl ParagraphFields {
    /// Reports tags as syntax that is not known, because there are no sections in texts outside paragraphs.
    pub(super) fn without_tags(mut self) -> Self {
        let tags = std::mem::take(&mut self.tags).into_iter();
        let invalid =
            |tag: TagMatch| InvalidField { code: DiagnosticCode::FieldNotFillable, cells: tag.cells, name: None };
        self.invalid_fields.extend(tags.map(invalid));
        self
    }
}

/// Finds each `{{name}}` in the characters of a paragraph. `belongs_to_other_field` returns `true` for characters in
/// the result of a merge field or in a content control. A `{{name}}` cannot contain such characters.
pub(super) fn find_fields(cells: &[TextCell], belongs_to_other_field: impl Fn(&TextCell) -> bool) -> ParagraphFields {
    let visible: Vec<(usize, char)> = cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| !name::is_ignorable(cell.character))
        .map(|(at, cell)| (at, if belongs_to_other_field(cell) { OBJECT_PLACEHOLDER } else { cell.character }))
        .collect();
    let mut found = ParagraphFields::default();
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
            found.invalid_fields.push(InvalidField {
                code: DiagnosticCode::StrayClose,
                cells: range(at, at + 2),
                name: None,
            });
            at += 2;
        } else {
            at += 1;
        }
    }
    find_foreign_syntax(&visible, &range, &mut found);
    found
}

/// Reads the field whose `{{` is at index `open` of `visible`. Adds it to `found`, as a field or as an invalid field.
/// Returns the index in `visible` where the search continues.
fn read_field(
    visible: &[(usize, char)],
    open: usize,
    range: &impl Fn(usize, usize) -> Range<usize>,
    pair: &impl Fn(usize, char) -> bool,
    found: &mut ParagraphFields,
) -> usize {
    // In `{{{`, the field starts at the first brace, as in other template engines.
    let triple = visible.get(open + 2).is_some_and(|(_, character)| *character == '{');
    let mut at = open + 2;
    while at < visible.len() {
        if pair(at, '}') {
            let raw: String =
                visible.get(open + 2..at).unwrap_or_default().iter().map(|(_, character)| *character).collect();
            let name = name::normalize(&raw);
            let is_foreign = triple || is_foreign_name(&raw, &name);
            let cells = range(open, at + 2 + usize::from(triple && pair(at + 1, '}')));
            if let Some((sign, name)) = tag_of(&name).filter(|_| !is_foreign) {
                found.tags.push(TagMatch { sign, name, cells });
                return at + 2;
            }
            if is_foreign {
                found.invalid_fields.push(InvalidField { code: DiagnosticCode::ForeignSyntax, cells, name: None });
                return at + 2 + usize::from(triple && pair(at + 1, '}'));
            }
            if name.is_empty() {
                found.invalid_fields.push(InvalidField { code: DiagnosticCode::EmptyField, cells, name: None });
            } else if name::is_valid(&name) {
                found.matches.push(FieldMatch { name, cells });
            } else {
                found.invalid_fields.push(InvalidField { code: DiagnosticCode::InvalidName, cells, name: Some(name) });
            }
            return at + 2;
        }
        if pair(at, '{') && at > open + 2 {
            found.invalid_fields.push(InvalidField {
                code: DiagnosticCode::NestedField,
                cells: range(open, at + 2),
                name: None,
            });
            return at;
        }
        at += 1;
    }
    found.invalid_fields.push(InvalidField {
        code: DiagnosticCode::UnclosedField,
        cells: range(open, visible.len()),
        name: None,
    });
    visible.len()
}

/// Returns the sign and the name of a tag. `text` is the normalized text between `{{` and `}}`. Returns `None` if the text
/// is not a tag with a valid name.
fn tag_of(text: &str) -> Option<(TagSign, String)> {
    let mut rest = text.chars();
    let sign = match rest.next()? {
        '#' => TagSign::Open,
        '^' => TagSign::OpenInverted,
        '/' => TagSign::Close,
        _ => return None,
    };
    let name = name::normalize(rest.as_str());
    (name::is_valid(&name) && !name.starts_with(['#', '/']) && name != ENTRY_COLUMN).then_some((sign, name))
}

/// Returns `true` if the text after the sign of a tag is a helper of Handlebars, such as `each items`.
fn is_helper(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| ["if", "each", "unless", "with", "else"].contains(&word))
}

/// Returns `true` if the text between `{{` and `}}` is syntax of another template engine (Handlebars, Jinja or
/// docx-templates). Such syntax is a loop, condition, partial, helper or filter. `raw` is the text as written, and
/// `name` is the normalized text.
fn is_foreign_name(raw: &str, name: &str) -> bool {
    /// The texts of loops and conditions that have no sign such as `#` before them.
    const WORDS: [&str; 6] = ["else", "this", "..", "endif", "endfor", "endeach"];
    /// The texts with which an expression starts. A space after a word prevents a match with a longer word.
    const STARTS: [&str; 12] =
        ["this.", "../", "else if ", "@", "FOR ", "END-FOR", "IF ", "END-IF", "EACH ", "INS ", "EXEC ", "="];
    let mut characters = raw.trim_start().chars();
    let sign = characters.next();
    match sign {
        Some('#' | '/' | '^') => is_helper(characters.as_str()),
        Some('&') => characters.next().is_some_and(|next| next.is_alphabetic() || next == '_'),
        Some('>' | '!' | '~') => true,
        _ => {
            WORDS.contains(&name)
                || STARTS.iter().any(|start| name.starts_with(start))
                // A bar without spaces is more likely a mistake in a name than a filter.
                || name.contains(" | ")
                || name.ends_with('~')
        }
    }
}

/// Returns `true` if the name of a merge field is syntax of another template engine. Such syntax is a loop or condition
/// of Sablon, or a region of Aspose.
pub(super) fn is_foreign_merge_name(name: &str) -> bool {
    const STARTS: [&str; 8] =
        ["=", "TableStart:", "TableEnd:", "BeginGroup:", "EndGroup:", "Image:", "#foreach", "@before-"];
    const ENDS: [&str; 5] = [":if", ":endIf", ":endEach", ":else", ":comment"];
    STARTS.iter().any(|start| name.starts_with(start))
        || ENDS.iter().any(|end| name.ends_with(end))
        || name.contains(":each(")
        || name.contains(":if(")
}

/// Reports the syntax of other tools: `{% … %}`, `${ … }`, `[[ … ]]`, `« … »`, `{#…}`, `{/…}`.
fn find_foreign_syntax(
    visible: &[(usize, char)],
    range: &impl Fn(usize, usize) -> Range<usize>,
    found: &mut ParagraphFields,
) {
    const DELIMITERS: [(&[char], &[char]); 9] = [
        (&['{', '%'], &['%', '}']),
        (&['$', '{'], &['}']),
        (&['[', '['], &[']', ']']),
        (&['«'], &['»']),
        (&['+', '+', '+'], &['+', '+', '+']),
        (&['{', '#'], &['}']),
        (&['{', '/'], &['}']),
        (&['{', '^'], &['}']),
        (&['{', '@'], &['}']),
    ];
    let starts_with = |at: usize, mark: &[char]| {
        mark.iter().enumerate().all(|(i, c)| visible.get(at + i).is_some_and(|(_, v)| v == c))
    };
    for (open, close) in DELIMITERS {
        let mut at = 0;
        while at < visible.len() {
            if !starts_with(at, open) {
                at += 1;
                continue;
            }
            let inside = at + open.len();
            let Some(end) = (inside..visible.len().min(inside + 400)).find(|&end| starts_with(end, close)) else {
                at = inside;
                continue;
            };
            // «…» may be a quotation. A field of another tool is one word without spaces. An Arabic quotation may have
            // no spaces either, so Arabic text without an underscore counts as a quotation.
            let text: String = visible.get(inside..end).unwrap_or_default().iter().map(|(_, c)| *c).collect();
            let arabic_word = has_right_to_left(text.chars()) && !text.contains('_');
            let is_quote = open == ['«']
                && (text.is_empty()
                    || text.contains(char::is_whitespace)
                    || text.contains(OBJECT_PLACEHOLDER)
                    || arabic_word);
            // In `{{#…}}`, the text between two braces is a mark already.
            let is_word = || !text.is_empty() && !text.contains(char::is_whitespace);
            let is_inner = open.first() == Some(&'{')
                && open != ['{', '%']
                && (!is_word() || at.checked_sub(1).is_some_and(|before| starts_with(before, &['{'])));
            let is_empty = open == ['+', '+', '+'] && text.trim().is_empty();
            if !is_quote && !is_inner && !is_empty {
                let cells = range(at, end + close.len());
                found.invalid_fields.push(InvalidField { code: DiagnosticCode::ForeignSyntax, cells, name: None });
            }
            at = end + close.len();
        }
    }
}

/// Returns the text of the cells in `around`, with up to 40 cells before and up to 40 cells after it. If `around` has
/// more than 160 cells, the text ends at most 200 cells after the start of `around`. The character `…` marks omitted
/// text.
pub(super) fn surrounding_text(cells: &[TextCell], around: &Range<usize>) -> String {
    const SIDE: usize = 40;
    let start = around.start.saturating_sub(SIDE);
    let end = around.end.min(around.start + 4 * SIDE).saturating_add(SIDE).min(cells.len());
    let shown = cells.get(start..end).unwrap_or_default().iter().map(|cell| match cell.character {
        '\n' | '\t' => ' ',
        other => other,
    });
    let mut text: String = shown.filter(|character| *character != OBJECT_PLACEHOLDER).collect();
    if start > 0 {
        text.insert(0, '…');
    }
    if end < cells.len() {
        text.push('…');
    }
    text
}
