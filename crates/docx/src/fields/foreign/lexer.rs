//! Detection of text in braces, as the template languages of other programs write their marks.

use std::ops::Range;

use waraq_rules::name;

use crate::fields::scan::{Index, OBJECT_PLACEHOLDER, TextCell};
use crate::fields::text_parts::ScannedPart;

/// The braces around a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Braces {
    /// `{…}`.
    Single,
    /// `{{…}}`.
    Double,
    /// `{%…%}`.
    Statement,
    /// `{#…#}`.
    Comment,
}

/// Text in braces in a paragraph.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub braces: Braces,
    /// The index of the paragraph.
    pub paragraph: Index,
    /// The characters with their braces, as indices into the `cells` of the paragraph.
    pub cells: Range<usize>,
    /// The byte range in the part, from the first to the last character.
    pub bytes: Range<usize>,
    /// The text between the braces, with straight quotation marks and trimmed white space.
    pub inner: String,
    /// All characters are text of runs. Only such a mark can be replaced.
    pub is_replaceable: bool,
}

impl Token {
    /// Returns the mark as it is written, with at most 80 characters.
    pub fn text(&self, part: &ScannedPart<'_>) -> String {
        let cells = part.scan.paragraphs.get(self.paragraph).map_or(&[][..], |paragraph| &paragraph.cells);
        cells.get(self.cells.clone()).unwrap_or_default().iter().map(|cell| cell.character).take(80).collect()
    }
}

/// The texts in braces of one part.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// The tokens in the order of their bytes.
    pub tokens: Vec<Token>,
    /// There is a brace that belongs to no token.
    pub has_other_braces: bool,
}

/// The maximum number of characters between the braces of a mark.
const MAX_CHARACTERS: usize = 400;

/// Finds the texts in braces in the paragraphs of a part. Text in merge fields and in content controls that are fields does
/// not count, because their values replace it.
pub(super) fn find_tokens(part: &ScannedPart<'_>) -> Tokens {
    let mut found = Tokens::default();
    let is_field = |at: Index| part.field_controls.binary_search(&at).is_ok();
    let is_other = |cell: &TextCell| cell.merge_field.is_some() || part.scan.control_chain(cell.control).any(is_field);
    for (index, paragraph) in part.scan.paragraphs.iter().enumerate() {
        if paragraph.cells.iter().any(|cell| matches!(cell.character, '{' | '}')) {
            find_in_paragraph(index, &paragraph.cells, is_other, &mut found);
        }
    }
    found.tokens.sort_by_key(|token| token.bytes.start);
    found
}

fn find_in_paragraph(paragraph: Index, cells: &[TextCell], is_other: impl Fn(&TextCell) -> bool, found: &mut Tokens) {
    let visible: Vec<(usize, char)> = cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| !name::is_ignorable(cell.character))
        .map(|(at, cell)| (at, if is_other(cell) { OBJECT_PLACEHOLDER } else { cell.character }))
        .collect();
    let character = |at: usize| visible.get(at).map(|(_, character)| *character);
    let mut at = 0;
    while let Some(current) = character(at) {
        let escaped = current == '\\' && character(at + 1) == Some('{') && character(at + 2) == Some('{');
        if escaped {
            at += 3;
            found.has_other_braces = true;
        } else if current == '{' {
            match read_token(&visible, at) {
                Some((braces, inner, end)) => {
                    let token = token_of(paragraph, cells, &visible, (braces, at..end, inner));
                    found.tokens.extend(token);
                    at = end;
                }
                None => {
                    found.has_other_braces = true;
                    // The other braces of `{{{` do not start a mark either.
                    while character(at) == Some('{') {
                        at += 1;
                    }
                }
            }
        } else {
            found.has_other_braces |= current == '}';
            at += 1;
        }
    }
}

/// Reads the mark that starts at index `open` of `visible`. Returns its braces, the range of its inner text and its end.
/// Returns `None` if no mark starts there.
fn read_token(visible: &[(usize, char)], open: usize) -> Option<(Braces, Range<usize>, usize)> {
    let character = |at: usize| visible.get(at).map(|(_, character)| *character);
    let close_of = |inner: usize, first: char, stop_at_braces: bool| {
        let last = visible.len().min(inner + MAX_CHARACTERS);
        for at in inner..last {
            let current = character(at)?;
            if current == OBJECT_PLACEHOLDER {
                return None;
            }
            if current == first && character(at + 1) == Some('}') {
                return Some(at);
            }
            if stop_at_braces && matches!(current, '{' | '}') {
                return None;
            }
        }
        None
    };
    match character(open + 1)? {
        '{' if character(open + 2) == Some('{') => None,
        '{' => {
            let end = close_of(open + 2, '}', true)?;
            Some((Braces::Double, open + 2..end, end + 2))
        }
        sign => {
            if sign == '%'
                && let Some(end) = close_of(open + 2, '%', true)
            {
                return Some((Braces::Statement, open + 2..end, end + 2));
            }
            if sign == '#'
                && let Some(end) = close_of(open + 2, '#', true)
            {
                return Some((Braces::Comment, open + 2..end, end + 2));
            }
            let last = visible.len().min(open + 1 + MAX_CHARACTERS);
            let end = (open + 1..last).find(|&at| matches!(character(at), Some('{' | '}' | OBJECT_PLACEHOLDER)))?;
            // `${name}` is a mark of another kind of program.
            let is_dollar = open.checked_sub(1).and_then(character) == Some('$');
            let is_mark = character(end) == Some('}') && character(end + 1) != Some('}') && !is_dollar;
            is_mark.then_some((Braces::Single, open + 1..end, end + 1))
        }
    }
}

fn token_of(
    paragraph: Index,
    cells: &[TextCell],
    visible: &[(usize, char)],
    (braces, whole, inner): (Braces, Range<usize>, Range<usize>),
) -> Option<Token> {
    let inner: String = visible.get(inner)?.iter().map(|(_, character)| straight(*character)).collect();
    let range = visible.get(whole.start)?.0..visible.get(whole.end.checked_sub(1)?)?.0 + 1;
    let own = cells.get(range.clone())?;
    let bytes = own.first()?.span.start..own.last()?.span.end;
    let is_replaceable =
        own.first().is_some_and(|cell| cell.text.is_some()) && own.iter().all(|cell| !cell.span.is_empty());
    Some(Token { braces, paragraph, cells: range, bytes, inner: inner.trim().to_owned(), is_replaceable })
}

/// Returns the character that the author typed. Word replaces straight quotation marks and spaces while people type.
fn straight(character: char) -> char {
    match character {
        '“' | '”' | '„' => '"',
        '‘' | '’' => '\'',
        '\u{a0}' | '\t' | '\n' => ' ',
        other => other,
    }
}

/// Returns `true` for a name in a program: letters, digits and `_`, and no digit at the start.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|character| character.is_alphanumeric() || character == '_')
}

/// Returns `true` for identifiers separated by dots, such as `order.client.name`.
pub(super) fn is_path(text: &str) -> bool {
    text.split('.').all(is_identifier)
}
