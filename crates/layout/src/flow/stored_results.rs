//! The results of fields that a filled `.docx` stores, and diagnostics about fields without a result.

use waraq_docx::tree::{Block, ComputedField, Content, Document, FieldOperation, Paragraph};
use waraq_rules::{Diagnostic, DiagnosticCode};

use super::field_index::blocks_outside_body;
use super::field_results::FieldResults;
use super::walk;
use crate::page::FieldResult;

/// Maximum total length in bytes of the results of one document.
const MAX_TOTAL_BYTES: usize = 4_000_000;
/// Maximum number of diagnostics about fields.
const MAX_DIAGNOSTICS: usize = 100;

/// The results of the fields of a document.
#[derive(Default)]
pub(super) struct StoredResults {
    /// The results, sorted by the position of their fields.
    pub results: Vec<FieldResult>,
    /// Diagnostics about fields that show the result that was saved last, because they cannot be computed.
    pub diagnostics: Vec<Diagnostic>,
    total_bytes: usize,
}

impl StoredResults {
    /// Computes the results of all fields whose text does not depend on the page that shows them.
    pub fn compute(document: &Document, fields: &FieldResults<'_>) -> Self {
        let mut stored = Self::default();
        let body = document.sections.iter().map(|section| &section.blocks);
        let visit: Vec<&Vec<Block>> = body.chain(blocks_outside_body(document)).collect();
        for blocks in visit {
            walk::visit_paragraphs(blocks, 0, &mut |paragraph| stored.add_paragraph(paragraph, fields));
        }
        stored.results.sort_by(|a, b| a.source.cmp(&b.source));
        stored
    }

    fn add_paragraph(&mut self, paragraph: &Paragraph, fields: &FieldResults<'_>) {
        for inline in &paragraph.inlines {
            let Content::Field { field, .. } = &inline.content else { continue };
            let Some(origin) = field.origin() else { continue };
            if field.depends_on_page() || is_assignment(field) {
                continue;
            }
            let text = fields.text_at(field, inline.run.main_language().map(AsRef::as_ref), true);
            match (text, &origin.source) {
                (Some(text), Some(source)) => {
                    self.total_bytes = self.total_bytes.saturating_add(text.len());
                    if self.total_bytes <= MAX_TOTAL_BYTES {
                        self.results.push(FieldResult { source: source.clone(), text });
                    }
                }
                (Some(_), None) => {}
                (None, _) => self.diagnostics.extend(
                    missing_result(field, fields).filter(|_| self.diagnostics.len() < MAX_DIAGNOSTICS).map(
                        |(name, message)| {
                            let found = paragraph.location.finding(DiagnosticCode::FieldNotComputed, message);
                            found.with_context(name)
                        },
                    ),
                ),
            }
        }
    }
}

/// Returns true for SET fields. Their result is the text of a bookmark, and is not shown.
fn is_assignment(field: &ComputedField) -> bool {
    let ComputedField::Expression(expression) = field else { return false };
    matches!(expression.operation, FieldOperation::Set { .. })
}

/// Returns the context and the message of the diagnostic about a field without a result. The context is the name of the
/// bookmark or of the field. Returns `None` if another diagnostic gives the reason, or if the field is not filled yet.
fn missing_result(field: &ComputedField, fields: &FieldResults<'_>) -> Option<(String, String)> {
    match field {
        ComputedField::Reference { bookmark, .. } if !fields.index.has_bookmark(bookmark) => {
            let message =
                format!("the bookmark {bookmark} is not in the document, and its field is shown as it last was");
            Some((bookmark.to_string(), message))
        }
        ComputedField::Expression(expression) if !expression.has_unknown_field() => {
            let name = expression.name().to_owned();
            let message = format!("the field {name} is shown as it last was");
            Some((name, message))
        }
        _ => None,
    }
}
