//! Checks of the fields of Word in a template. Fields that are not computed are reported, and so are fields that may
//! show the data of another record.

use std::collections::HashSet;

use waraq_rules::{Diagnostic, DiagnosticCode, name};

use super::check::FindingCollector;
use super::matching::is_foreign_merge_name;
use super::merge::MergeContent;
use super::scan::PartScan;
use super::text_parts::ScannedPart;
use crate::read::field_catalogue::{FieldTreatment, not_computed_message, treatment};

/// Reports merge fields with invalid names. Also reports address blocks and greetings in which no part has a field of
/// the template.
pub(super) fn check_merge_fields(story: &PartScan, findings: &mut FindingCollector) {
    for merge in story.merge_fields.iter().filter(|merge| merge.ended && !merge.fallback) {
        let paragraph = merge.paragraph.map(|at| at + 1);
        match &merge.content {
            MergeContent::Value(value) => {
                let name = name::normalize(&value.name);
                if value.field_name().is_some() {
                    continue;
                }
                if is_foreign_merge_name(&name) {
                    let message =
                        format!("“{name}” looks like a mark of another program; it will be printed as it is.");
                    let finding = Diagnostic::new(DiagnosticCode::ForeignSyntax, message).in_part(&*story.part);
                    findings.push(finding.at_paragraph(paragraph).with_context(format!("«{name}»")));
                    continue;
                }
                let code = if name.is_empty() { DiagnosticCode::EmptyField } else { DiagnosticCode::InvalidName };
                let message = format!("The merge field “{name}” has a name that cannot be filled.");
                let finding = Diagnostic::new(code, message).in_part(&*story.part).at_paragraph(paragraph);
                findings.push(finding.with_context(format!("«{}»", value.name)).with_fields([name]));
            }
            MergeContent::Block(block) if block.names().next().is_none() => {
                findings.push(other_record(&block.field, story, paragraph));
            }
            MergeContent::Block(_) | MergeContent::Text(_) => {}
        }
    }
}

/// Reports the fields of Word that are not computed, and those that may show the data of another record. A field code
/// may also be only the name of a bookmark. Such a field is not reported.
pub(super) fn check_word_fields(parts: &[ScannedPart<'_>], findings: &mut FindingCollector) {
    let bookmarks: HashSet<String> = parts
        .iter()
        .flat_map(|part| {
            let starts = part.scan.bookmarks.iter().map(|bookmark| bookmark.name.to_uppercase());
            starts.chain(part.scan.defined_bookmarks.iter().map(|name| name.to_uppercase()))
        })
        .collect();
    for story in parts.iter().map(|part| &part.scan) {
        for field in story.word_fields.iter().filter(|field| !field.fallback) {
            let paragraph = field.paragraph.map(|at| at + 1);
            match treatment(&field.name) {
                Some(FieldTreatment::OtherRecords | FieldTreatment::Filled) => {
                    findings.push(other_record(&field.name, story, paragraph));
                }
                // The author wants the result of a locked field to stay.
                _ if field.locked => {}
                None if bookmarks.contains(&field.name) || field.name.contains(['{', '«']) => {}
                _ => {
                    let message = not_computed_message(&field.name);
                    let finding = Diagnostic::new(DiagnosticCode::FieldNotComputed, message);
                    let finding = finding.in_part(&*story.part).at_paragraph(paragraph);
                    findings.push(finding.with_context(field.name.clone()));
                }
            }
        }
    }
}

fn other_record(field: &str, story: &PartScan, paragraph: Option<usize>) -> Diagnostic {
    let message =
        format!("The field {field} belongs to a merge of several records. It may show the data of another record.");
    let finding = Diagnostic::new(DiagnosticCode::FieldOfAnotherRecord, message);
    finding.in_part(&*story.part).at_paragraph(paragraph).with_context(field)
}
