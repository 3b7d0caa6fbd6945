//! Checks of the texts outside paragraphs, and of the parts that are not filled.

use std::collections::BTreeSet;

use waraq_rules::{Diagnostic, DiagnosticCode, Severity, name};

use super::attributes::SlotKind;
use super::check::{FindingCollector, message_for, push_not_fillable};
use super::matching::surrounding_text;
use super::text_parts::ScannedPart;
use crate::Package;

/// Checks the texts of a part that are outside paragraphs. Reports text that looks like a field but is not valid. Such
/// a text may also be a formula or a URI. The reports are therefore warnings, and stored texts and links are not
/// checked at all.
pub(super) fn check_slots(part: &ScannedPart<'_>, findings: &mut FindingCollector) {
    for (slot, found) in part.scan.slots.iter().zip(&part.slot_fields) {
        if slot.text.fallback || matches!(slot.kind, SlotKind::Stored | SlotKind::LinkTarget) {
            continue;
        }
        let cells = &slot.text.cells;
        for remark in found.invalid_fields.iter().filter(|remark| remark.code != DiagnosticCode::ForeignSyntax) {
            let message = message_for(remark.code, remark, cells);
            let mut finding = Diagnostic::new(remark.code, message).in_part(&*part.scan.part);
            finding = finding
                .at_paragraph(slot.paragraph.map(|at| at + 1))
                .with_context(surrounding_text(cells, &remark.cells))
                .with_fields(remark.name.iter().cloned());
            finding.severity = Severity::Warning;
            findings.push(finding);
        }
    }
}

/// Reports fields in attached documents, because they are not filled.
pub(super) fn check_other_parts(package: &Package, parts: &[ScannedPart<'_>], findings: &mut FindingCollector) {
    for part in parts {
        let mut seen = BTreeSet::new();
        for attached in package.related_parts(&part.scan.part, "aFChunk") {
            if !seen.insert(attached) {
                continue;
            }
            let Some(text) = package.part_text(attached) else { continue };
            for name in field_names_in(&without_tags(text)) {
                push_not_fillable(attached, None, "an attached document", name, findings);
            }
        }
    }
}

/// Returns the valid names between `{{` and `}}` in plain text.
pub(super) fn field_names_in(text: &str) -> Vec<String> {
    let pieces = text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
    pieces.map(|(raw, _)| name::normalize(raw)).filter(|name| name::is_valid(name)).collect()
}

fn without_tags(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((words, after)) = rest.split_once('<') {
        plain.push_str(words);
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    plain.replace("&amp;", "&")
}
