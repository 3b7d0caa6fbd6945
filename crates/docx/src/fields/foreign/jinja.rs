//! The marks of docxtpl, which are those of Jinja: `{{ x.y }}`, `{% for i in items %}…{% endfor %}` and `{% if x %}…{% else
//! %}…{% endif %}`, with the prefixes of docxtpl for rows, paragraphs, cells and runs (`{%tr`, `{%p`, `{%tc`, `{%r`).

use waraq_rules::TemplateProgram;

use super::blocks::{self, Blocks, Name};
use super::docxtemplater::braced;
use super::lexer::{Braces, Token, Tokens, is_identifier, is_path};
use super::{Mark, MarkKind, PartMarks};
use crate::fields::text_parts::ScannedPart;

/// A statement without its braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statement<'t> {
    /// `for variable in list`.
    For {
        variable: &'t str,
        list: &'t str,
    },
    /// `if condition`. The condition is a path.
    If {
        condition: &'t str,
        negated: bool,
    },
    /// `elif condition`.
    ElseIf {
        condition: &'t str,
        negated: bool,
    },
    Else,
    EndFor,
    EndIf,
    /// A loop that has no equivalent.
    OtherFor,
    /// A condition that has no equivalent.
    OtherIf,
    /// An `elif` that has no equivalent.
    OtherElseIf,
    /// Any other statement, such as `set`.
    Other,
}

/// The element that the statement replaces.
fn without_element(inner: &str) -> (Option<&str>, &str) {
    let inner = inner.trim_start_matches(['-', '+']).trim_start();
    let inner = inner.trim_end_matches(['-', '+']).trim_end();
    match inner.split_once(' ') {
        Some((element @ ("tr" | "tc" | "p" | "r"), rest)) => (Some(element), rest.trim_start_matches(['-', ' '])),
        _ => (None, inner),
    }
}

pub(super) fn statement_of(inner: &str) -> Option<Statement<'_>> {
    let (element, statement) = without_element(inner);
    let (keyword, rest) = statement.split_once(' ').unwrap_or((statement, ""));
    let rest = rest.trim();
    // Columns of a table cannot be repeated.
    let is_cell = element == Some("tc");
    let condition = || {
        let negated = rest.strip_prefix("not ").map(str::trim);
        let path = negated.unwrap_or(rest);
        let path = path.strip_prefix('(').and_then(|path| path.strip_suffix(')')).unwrap_or(path).trim();
        (is_path(path) && !is_cell).then_some((path, negated.is_some()))
    };
    Some(match keyword {
        "for" => match rest.split_once(" in ") {
            Some((variable, list)) if is_identifier(variable.trim()) && is_path(list.trim()) && !is_cell => {
                Statement::For { variable: variable.trim(), list: list.trim() }
            }
            _ => Statement::OtherFor,
        },
        "if" => condition().map_or(Statement::OtherIf, |(condition, negated)| Statement::If { condition, negated }),
        "elif" => {
            condition().map_or(Statement::OtherElseIf, |(condition, negated)| Statement::ElseIf { condition, negated })
        }
        "else" => Statement::Else,
        "endfor" => Statement::EndFor,
        "endif" => Statement::EndIf,
        "set" | "endset" | "include" | "macro" | "endmacro" | "call" | "filter" | "endfilter" | "with" | "endwith"
        | "raw" | "endraw" | "block" | "endblock" | "extends" | "import" | "from" | "do" | "break" | "continue"
        | "cellbg" | "colspan" | "hm" | "vm" | "trans" | "endtrans" | "autoescape" | "endautoescape" => {
            Statement::Other
        }
        _ => return None,
    })
}

/// Returns `true` for a token that can only be a mark of docxtpl.
pub(super) fn is_evidence(token: &Token) -> bool {
    match token.braces {
        Braces::Statement => statement_of(&token.inner).is_some(),
        Braces::Comment => !token.inner.is_empty(),
        Braces::Single | Braces::Double => false,
    }
}

/// The text between `{{` and `}}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expression<'t> {
    /// A path. `rewritten` is `true` if it is written with a sign of docxtpl, which Waraq would read as a part of the name.
    Path { path: &'t str, rewritten: bool },
    /// A filter, a call, a computation or a document in the document.
    Other,
    /// A field of Waraq.
    Field,
}

pub(super) fn expression_of(inner: &str) -> Expression<'_> {
    let trimmed = inner.trim_start_matches('-').trim_end_matches('-').trim();
    let (sign, path) = match trimmed.split_once(' ') {
        Some((sign @ ("r" | "p"), rest)) if is_path(rest.trim()) => (Some(sign), rest.trim()),
        _ => (None, trimmed),
    };
    if sign == Some("p") {
        return Expression::Other;
    }
    if is_path(path) {
        return Expression::Path { path, rewritten: sign.is_some() || trimmed.len() != inner.len() };
    }
    const SIGNS: [char; 12] = ['|', '[', '"', '+', '*', '~', '=', '<', '>', '{', '?', '!'];
    let is_call = || path.split_once('(').is_some_and(|(before, _)| is_path(before));
    let is_division = || path.split_once(" / ").is_some_and(|(before, after)| is_path(before) && is_path(after));
    if path.contains(SIGNS) || path.starts_with('\'') || is_call() || is_division() {
        return Expression::Other;
    }
    Expression::Field
}

pub(super) fn find_marks(parts: &[ScannedPart<'_>], tokens: &[Tokens]) -> Vec<PartMarks> {
    let mut blocks: Vec<Blocks<'_>> =
        parts.iter().zip(tokens).map(|(part, tokens)| blocks::find_blocks(part, &tokens.tokens)).collect();
    blocks::name_fields(&mut blocks, tokens);
    let parts = parts.iter().zip(tokens).zip(&blocks);
    parts.map(|((part, tokens), blocks)| marks_of(part, &tokens.tokens, blocks)).collect()
}

fn marks_of(part: &ScannedPart<'_>, tokens: &[Token], blocks: &Blocks<'_>) -> PartMarks {
    let mut scopes = blocks.scopes();
    let marks = tokens.iter().enumerate().filter_map(|(at, token)| {
        let scope = scopes.enter(token.bytes.start);
        match token.braces {
            Braces::Single => None,
            Braces::Comment => Some(Mark::new(part, token, MarkKind::Comment, Some(String::new()))),
            Braces::Statement => {
                let statement = statement_of(&token.inner)?;
                let instead = blocks.replacements.get(&at).cloned();
                let mut mark = Mark::new(part, token, MarkKind::Section, instead);
                mark.starts_list = matches!(statement, Statement::For { .. });
                Some(mark)
            }
            Braces::Double => match expression_of(&token.inner) {
                Expression::Field => None,
                Expression::Other => Some(Mark::new(part, token, MarkKind::NoEquivalent, None)),
                Expression::Path { path, rewritten } => {
                    let instead = match blocks.name_of(path, scope) {
                        Name::Unknown => None,
                        Name::Entry => Some("{{.}}".to_owned()),
                        // A name that stays as it is needs no report.
                        Name::Known(name) if name == path && !rewritten => return None,
                        Name::Known(name) => braced("", &name),
                    };
                    let mut mark = Mark::new(part, token, MarkKind::Field, instead);
                    mark.is_printed = false;
                    Some(mark)
                }
            },
        }
    });
    PartMarks { marks: marks.collect(), changes: Vec::new() }
}

/// Returns the name of a program as its users know it.
pub(super) fn program_name(program: TemplateProgram) -> &'static str {
    match program {
        TemplateProgram::Docxtemplater => "docxtemplater",
        TemplateProgram::Docxtpl => "docxtpl",
        TemplateProgram::Carbone => "Carbone",
    }
}
