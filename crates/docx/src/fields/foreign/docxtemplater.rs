//! The marks of docxtemplater: `{name}`, `{#items}…{/items}`, `{^items}…{/}`, `{@raw}` and `{%image}`.

use std::collections::HashMap;

use waraq_rules::name;

use super::lexer::{Braces, Token, Tokens, is_path};
use super::{Mark, MarkKind, PartMarks};
use crate::fields::text_parts::ScannedPart;

/// A mark without its braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax<'t> {
    /// A value. It may be a path or `.`, the entry of a list.
    Value(&'t str),
    /// `{#name}`, or `{-w:tr name}`, which repeats the row.
    Open(&'t str),
    /// `{^name}`.
    OpenInverted(&'t str),
    /// `{/name}`. The name may be empty.
    Close(&'t str),
    Picture(&'t str),
    /// A mark that is known and has no equivalent.
    Unsupported,
    /// Ordinary text in braces.
    Other,
}

fn syntax_of(inner: &str) -> Syntax<'_> {
    let mut characters = inner.chars();
    let sign = characters.next();
    let rest = characters.as_str().trim();
    match sign {
        Some('#') => Syntax::Open(rest),
        Some('^') => Syntax::OpenInverted(rest),
        Some('/') => Syntax::Close(rest),
        Some('%') if is_path(rest.trim_start_matches('%')) => Syntax::Picture(rest.trim_start_matches('%')),
        Some('@' | '~' | '*' | '$' | ':' | '>' | '!') if is_path(rest.trim_start_matches(['@', '~', '$', ':'])) => {
            Syntax::Unsupported
        }
        Some('-') => match rest.split_once(' ') {
            Some(("w:tr", list)) => Syntax::Open(list.trim()),
            Some((element, _)) if element.starts_with("w:") => Syntax::Unsupported,
            _ => Syntax::Other,
        },
        _ if inner == "." || is_path(inner) => Syntax::Value(inner),
        _ if is_expression(inner) => Syntax::Unsupported,
        // docxtemplater also accepts names with spaces, as Waraq does.
        _ if name::is_valid(inner) && inner.starts_with(char::is_alphabetic) && !inner.contains([',', ':', '/']) => {
            Syntax::Value(inner)
        }
        _ => Syntax::Other,
    }
}

/// Returns `true` for a filter or a computation, such as `name | upper` or `price * count`.
fn is_expression(inner: &str) -> bool {
    const OPERATORS: [&str; 12] = ["|", "+", "-", "*", "/", "==", "!=", ">", "<", "&&", "||", "?"];
    let mut words = inner.split_whitespace();
    let starts_with_path = words.next().is_some_and(is_path);
    (starts_with_path && words.next().is_some_and(|word| OPERATORS.contains(&word)))
        || is_filter(inner)
        || inner.split_once('(').is_some_and(|(before, _)| is_path(before) && inner.ends_with(')'))
        || inner.split_once('[').is_some_and(|(before, _)| is_path(before) && inner.contains(']'))
}

/// Returns `true` for a path and filters: `name | upper` or `price|toFixed:2`.
fn is_filter(inner: &str) -> bool {
    let mut pieces = inner.split('|').map(str::trim);
    let is_named = |piece: &str| super::lexer::is_identifier(piece.split([':', '(']).next().unwrap_or_default().trim());
    pieces.next().is_some_and(is_path) && inner.contains('|') && pieces.all(is_named)
}

/// Returns `true` if the tokens of a part can only be marks of docxtemplater.
pub(super) fn is_evidence(tokens: &[Token]) -> bool {
    let mut open: HashMap<&str, usize> = HashMap::new();
    let mut count = 0_usize;
    for token in tokens.iter().filter(|token| token.braces == Braces::Single) {
        match syntax_of(&token.inner) {
            Syntax::Open(name) | Syntax::OpenInverted(name) if is_path(name) || is_expression(name) => {
                *open.entry(name).or_default() += 1;
                count += 1;
            }
            Syntax::Close("") if count > 0 => return true,
            Syntax::Close(name) if open.contains_key(name) => return true,
            Syntax::Picture(_) => return true,
            Syntax::Unsupported if token.inner.starts_with('@') || is_filter(&token.inner) => return true,
            _ => {}
        }
    }
    false
}

pub(super) fn find_marks(parts: &[ScannedPart<'_>], tokens: &[Tokens]) -> Vec<PartMarks> {
    parts.iter().zip(tokens).map(|(part, tokens)| marks_of(part, &tokens.tokens)).collect()
}

fn marks_of(part: &ScannedPart<'_>, tokens: &[Token]) -> PartMarks {
    let tokens: Vec<&Token> = tokens.iter().filter(|token| token.braces == Braces::Single).collect();
    let sections = pair_sections(part, &tokens);
    let marks = tokens.iter().enumerate().filter_map(|(at, token)| {
        let in_section = || sections.contains_key(&at).then(|| sections.get(&at).cloned().flatten());
        let (kind, instead) = match syntax_of(&token.inner) {
            Syntax::Other => return None,
            Syntax::Unsupported => (MarkKind::NoEquivalent, None),
            Syntax::Value(".") => (MarkKind::Field, Some("{{.}}".to_owned())),
            Syntax::Value(value) => (MarkKind::Field, braced("", value)),
            Syntax::Picture(value) => (MarkKind::Picture, braced("", value)),
            Syntax::Open(_) | Syntax::OpenInverted(_) | Syntax::Close(_) => (MarkKind::Section, in_section()?),
        };
        Some(Mark::new(part, token, kind, instead))
    });
    PartMarks { marks: marks.collect(), changes: Vec::new() }
}

/// Returns the mark of Waraq with this sign and name. Returns `None` if the name is not valid.
pub(super) fn braced(sign: &str, text: &str) -> Option<String> {
    let name = name::normalize(text);
    name::is_valid(&name).then(|| format!("{{{{{sign}{name}}}}}"))
}

/// Returns the replacement of each tag of a section, by the index of its token. The replacement is `None` if the section has
/// no equivalent. If a tag has no partner, no section of the part is converted.
fn pair_sections(part: &ScannedPart<'_>, tokens: &[&Token]) -> HashMap<usize, Option<String>> {
    let mut stacks: HashMap<usize, Vec<(usize, &str, char)>> = HashMap::new();
    let mut found = HashMap::new();
    let mut is_balanced = true;
    for (at, token) in tokens.iter().enumerate() {
        let story = part.scan.paragraphs.get(token.paragraph).map_or(0, |paragraph| paragraph.container.story);
        let stack = stacks.entry(story).or_default();
        match syntax_of(&token.inner) {
            Syntax::Open(name) => stack.push((at, name, '#')),
            Syntax::OpenInverted(name) => stack.push((at, name, '^')),
            Syntax::Close(name) => match stack.pop() {
                Some((open, opened, sign)) if name.is_empty() || name == opened => {
                    let is_replaceable =
                        token.is_replaceable && tokens.get(open).is_some_and(|token| token.is_replaceable);
                    let tag = |sign: &str| braced(sign, opened).filter(|_| is_replaceable && is_section_name(opened));
                    found.insert(open, tag(&sign.to_string()));
                    found.insert(at, tag("/"));
                }
                _ => {
                    found.insert(at, None);
                    is_balanced = false;
                }
            },
            _ => {}
        }
    }
    for (open, ..) in stacks.into_values().flatten() {
        found.insert(open, None);
        is_balanced = false;
    }
    if !is_balanced {
        found.values_mut().for_each(|instead| *instead = None);
    }
    found
}

fn is_section_name(text: &str) -> bool {
    is_path(text) || (name::is_valid(text) && !is_expression(text) && text.starts_with(char::is_alphabetic))
}
