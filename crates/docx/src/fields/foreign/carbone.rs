//! The marks of Carbone: `{d.name}`, `{d.items[i].name}` with the example of a second entry `{d.items[i+1].name}`, and
//! `{c.name}`.

use std::collections::{BTreeMap, BTreeSet};

use waraq_rules::name;

use super::carbone_loops;
use super::docxtemplater::braced;
use super::lexer::{Braces, Token, Tokens, is_identifier, is_path};
use super::{Mark, MarkKind, PartMarks};
use crate::fields::text_parts::ScannedPart;

/// A list in the path of a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListLevel {
    /// The names up to the list, without indices, such as `order.items`. It is the key of the list.
    pub key: String,
    /// The names after the list around this one, such as `items`.
    pub own: String,
    pub index: Entry,
}

/// The entry of a list that a mark shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// `[i]`.
    Current,
    /// `[i+1]`, the example that shows where the repetition ends.
    Next,
    /// A number, a filter or a sort order.
    Other,
}

/// A mark of Carbone without its braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CarboneMark {
    /// The lists in the path, from the outside to the inside.
    pub levels: Vec<ListLevel>,
    /// The names after the last list. Empty for the entry itself.
    pub rest: String,
    /// The mark has formatters.
    pub is_formatted: bool,
}

impl CarboneMark {
    /// Returns the first level that shows the next entry.
    pub fn next_level(&self) -> Option<&ListLevel> {
        self.levels.iter().find(|level| level.index == Entry::Next)
    }
}

/// Parses the text between the braces. `None`: the text is not a mark of Carbone.
pub(super) fn parse(inner: &str) -> Option<CarboneMark> {
    let path = inner.strip_prefix("d.");
    let Some(path) = path else {
        let complement = inner.strip_prefix("c.")?;
        let (path, is_formatted) = split_formatters(complement);
        let rest = inner.get(..2 + path.len())?.to_owned();
        return is_path(path).then_some(CarboneMark { levels: Vec::new(), rest, is_formatted });
    };
    let (path, is_formatted) = split_formatters(path);
    let mut mark = CarboneMark { levels: Vec::new(), rest: String::new(), is_formatted };
    let (mut key, mut own) = (String::new(), String::new());
    let mut rest = path;
    loop {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (segment, after) = rest.split_at(end);
        if !is_identifier(segment) {
            return None;
        }
        for text in [&mut key, &mut own] {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(segment);
        }
        rest = after;
        if let Some(indexed) = rest.strip_prefix('[') {
            let (index, after) = indexed.split_once(']')?;
            let index = match index.replace(' ', "").as_str() {
                "i" => Entry::Current,
                "i+1" => Entry::Next,
                _ => Entry::Other,
            };
            mark.levels.push(ListLevel { key: key.clone(), own: std::mem::take(&mut own), index });
            rest = after;
        }
        match rest.strip_prefix('.') {
            Some(after) => rest = after,
            None if rest.is_empty() => break,
            None => return None,
        }
    }
    mark.rest = own;
    Some(mark)
}

/// Splits a path and its formatters, such as `price:formatC`. A filter in brackets may also contain a colon.
fn split_formatters(path: &str) -> (&str, bool) {
    let mut depth = 0_usize;
    for (at, character) in path.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return (path.get(..at).unwrap_or_default().trim_end(), true),
            _ => {}
        }
    }
    (path, false)
}

/// Returns `true` for a token that can only be a mark of Carbone.
pub(super) fn is_evidence(token: &Token) -> bool {
    token.braces == Braces::Single && parse(&token.inner).is_some()
}

/// The names of fields and columns in Waraq.
pub(super) struct Names {
    /// The names of columns by the key of their list and their path.
    columns: BTreeMap<String, BTreeMap<String, String>>,
}

impl Names {
    fn new<'m>(marks: impl Iterator<Item = &'m CarboneMark>) -> Self {
        let mut root: BTreeSet<String> = BTreeSet::new();
        let mut columns: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        // The key of the list around each list.
        let mut outer: BTreeMap<String, Option<String>> = BTreeMap::new();
        for mark in marks {
            let mut around: Option<&str> = None;
            let mut add = |around: Option<&str>, name: &str| match around {
                Some(key) => {
                    columns.entry(key.to_owned()).or_default().insert(name.to_owned(), name.to_owned());
                }
                None => {
                    root.insert(name.to_owned());
                }
            };
            for level in &mark.levels {
                add(around, &level.own);
                outer.insert(level.key.clone(), around.map(str::to_owned));
                around = Some(&level.key);
            }
            if !mark.rest.is_empty() {
                add(around, &mark.rest);
            }
        }
        // The keys of outer lists come first, because a key begins with the key of the list around it.
        let mut taken: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (key, columns) in &mut columns {
            let around: Vec<&String> = std::iter::successors(outer.get(key).and_then(Option::as_ref), |outer_key| {
                outer.get(*outer_key).and_then(Option::as_ref)
            })
            .take(MAX_LEVELS)
            .collect();
            for (column, name) in columns.iter_mut() {
                let is_taken = root.contains(column)
                    || around.iter().any(|key| taken.get(*key).is_some_and(|names| names.contains(column)));
                if is_taken {
                    *name = format!("{key}.{column}");
                }
            }
            taken.insert(key.clone(), columns.values().cloned().collect());
        }
        Self { columns }
    }

    fn column(&self, key: &str, column: &str) -> String {
        let named = self.columns.get(key).and_then(|columns| columns.get(column));
        named.map_or_else(|| column.to_owned(), Clone::clone)
    }

    /// Returns the name of the list at a level of a mark.
    pub fn list(&self, mark: &CarboneMark, level: usize) -> Option<String> {
        let own = &mark.levels.get(level)?.own;
        let outer = level.checked_sub(1).and_then(|outer| mark.levels.get(outer));
        let name = outer.map_or_else(|| own.clone(), |outer| self.column(&outer.key, own));
        name::is_valid(&name).then_some(name)
    }

    /// Returns the mark of Waraq for a value.
    fn field(&self, mark: &CarboneMark) -> Option<String> {
        match mark.levels.last() {
            Some(_) if mark.rest.is_empty() => Some("{{.}}".to_owned()),
            Some(list) => braced("", &self.column(&list.key, &mark.rest)),
            None => braced("", &mark.rest),
        }
    }
}

/// The maximum number of lists in a path. Waraq allows four.
pub(super) const MAX_LEVELS: usize = 8;

/// A mark with its token.
pub(super) struct Found<'t> {
    pub token: &'t Token,
    pub mark: CarboneMark,
}

pub(super) fn find_marks(parts: &[ScannedPart<'_>], tokens: &[Tokens]) -> Vec<PartMarks> {
    let found: Vec<Vec<Found<'_>>> = tokens.iter().map(|part| found_in(&part.tokens)).collect();
    let names = Names::new(found.iter().flatten().map(|one| &one.mark).filter(|mark| mark.levels.len() <= MAX_LEVELS));
    let loops = carbone_loops::find_loops(parts, &found, &names);
    let mut all: Vec<PartMarks> = Vec::with_capacity(parts.len());
    for (index, (part, found)) in parts.iter().zip(&found).enumerate() {
        let mut marks: Vec<Mark> = found
            .iter()
            .map(|one| {
                let is_repeated = one.mark.levels.first().is_none_or(|list| loops.converts(&list.key));
                let (kind, instead) = if one.mark.next_level().is_some() {
                    (MarkKind::Section, Some(String::new()))
                } else if one.mark.is_formatted || one.mark.levels.len() > MAX_LEVELS {
                    (MarkKind::NoEquivalent, None)
                } else {
                    (MarkKind::Field, names.field(&one.mark))
                };
                Mark::new(part, one.token, kind, instead.filter(|_| is_repeated))
            })
            .collect();
        let changes = loops.apply(index, &mut marks);
        all.push(PartMarks { marks, changes });
    }
    all
}

fn found_in(tokens: &[Token]) -> Vec<Found<'_>> {
    let singles = tokens.iter().filter(|token| token.braces == Braces::Single);
    singles.filter_map(|token| Some(Found { token, mark: parse(&token.inner)? })).collect()
}
