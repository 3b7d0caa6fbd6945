//! The decision for which program a document was written. The whole document decides, because braces also occur in
//! ordinary texts.

use waraq_rules::TemplateProgram;

use super::lexer::{Braces, Token, Tokens, is_identifier, is_path};
use super::{carbone, docxtemplater, jinja};
use crate::fields::text_parts::ScannedPart;

/// Returns the program for which the document was written, and `true` if its marks prove that. Returns `None` for documents
/// that only use braces in their text.
///
/// - docxtpl: a statement `{% … %}` that starts with a keyword of Jinja, or a comment `{# … #}`.
/// - Carbone: a mark that starts with `{d.` or `{c.`.
/// - docxtemplater, proved: `{#name}` or `{^name}` with its end tag `{/name}` or `{/}` in the same part, a raw mark
///   `{@name}`, a picture `{%name}`, or a filter `{name | filter}`.
/// - docxtemplater, not proved: the document has no field of Waraq, every brace belongs to a mark `{name}`, and there are
///   at least two such marks. A name has at least two letters, is not a number and contains no space.
pub(super) fn program_of(parts: &[ScannedPart<'_>], tokens: &[Tokens]) -> Option<(TemplateProgram, bool)> {
    let all = || tokens.iter().flat_map(|part| &part.tokens);
    if all().any(jinja::is_evidence) {
        return Some((TemplateProgram::Docxtpl, true));
    }
    if all().any(carbone::is_evidence) {
        return Some((TemplateProgram::Carbone, true));
    }
    if tokens.iter().any(|part| docxtemplater::is_evidence(&part.tokens)) {
        return Some((TemplateProgram::Docxtemplater, true));
    }
    let has_field = parts.iter().any(|part| {
        let is_used = |found: &crate::fields::matching::ParagraphFields| !found.matches.is_empty();
        !part.field_controls.is_empty()
            || part.scan.filled_merge_fields().next().is_some()
            || part.paragraph_fields.iter().any(is_used)
    });
    let is_simple = |token: &Token| token.braces == Braces::Single && is_plain_name(&token.inner);
    let has_other = tokens.iter().any(|part| part.has_other_braces);
    let is_likely = !has_field && !has_other && all().all(is_simple) && all().count() > 1;
    is_likely.then_some((TemplateProgram::Docxtemplater, false))
}

/// Returns `true` for a path whose first name has at least two letters. `{x}` is more likely a set or a formula.
fn is_plain_name(text: &str) -> bool {
    is_path(text) && text.split('.').next().is_some_and(|first| is_identifier(first) && first.chars().count() > 1)
}
