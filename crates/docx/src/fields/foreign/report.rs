//! Diagnostics of the marks of another program.

use waraq_rules::{Diagnostic, DiagnosticCode, ForeignMark, Severity};

use super::jinja::program_name;
use super::{ForeignMarks, Mark, MarkKind};
use crate::fields::check::FindingCollector;
use crate::fields::matching::surrounding_text;
use crate::fields::text_parts::ScannedPart;

/// The maximum number of marks that are reported. The others are counted.
const MAX_REPORTED: usize = 50;

/// Reports the marks of another program, up to [`MAX_REPORTED`], and the number of the others.
pub(in crate::fields) fn report_marks(
    found: &ForeignMarks,
    parts: &[ScannedPart<'_>],
    findings: &mut FindingCollector,
) {
    let mut count = 0_usize;
    for (part, marks) in parts.iter().zip(&found.parts) {
        for mark in &marks.marks {
            let paragraph = part.scan.paragraphs.get(mark.paragraph).filter(|paragraph| !paragraph.fallback);
            let Some(paragraph) = paragraph else { continue };
            count += 1;
            if count > MAX_REPORTED {
                continue;
            }
            let context = surrounding_text(&paragraph.cells, &mark.cells);
            let finding = diagnostic(found, mark).in_part(&*part.scan.part).at_paragraph(Some(mark.paragraph + 1));
            findings.push(finding.with_context(context));
        }
    }
    let omitted = count.saturating_sub(MAX_REPORTED);
    if omitted > 0 {
        let program = program_name(found.program);
        let message = format!("There are {omitted} more marks of {program} like those listed.");
        findings.push(Diagnostic::new(DiagnosticCode::MoreFindings, message));
    }
}

fn diagnostic(found: &ForeignMarks, mark: &Mark) -> Diagnostic {
    let (text, program) = (&mark.text, program_name(found.program));
    let instead = mark.instead.as_ref().map(|instead| format!("{}{instead}{}", mark.before, mark.after));
    let (code, advice) = match (mark.kind, instead.as_deref()) {
        (MarkKind::Field, Some(instead)) => (DiagnosticCode::ForeignField, format!("write {instead} instead")),
        (MarkKind::Picture, Some(instead)) => (
            DiagnosticCode::ForeignPicture,
            format!("write {instead} instead, and choose the kind picture for the field"),
        ),
        (MarkKind::Comment, _) => (DiagnosticCode::ForeignComment, "remove it, or use a comment of Word".to_owned()),
        (MarkKind::Section, Some("")) => (DiagnosticCode::ForeignSection, "remove it".to_owned()),
        (MarkKind::Section, None) => (
            DiagnosticCode::ForeignSection,
            "it cannot be converted; write a section such as {{#name}} … {{/name}} instead".to_owned(),
        ),
        (MarkKind::Section, Some(instead)) => (DiagnosticCode::ForeignSection, format!("write {instead} instead")),
        _ => (DiagnosticCode::ForeignExpression, "it has no equivalent; give the finished value as a field".to_owned()),
    };
    let mut finding = Diagnostic::new(code, format!("“{text}” is a mark of {program}: {advice}."));
    // A mark that may be ordinary text must not prevent publishing.
    finding.severity = if mark.is_printed && found.is_certain { Severity::Error } else { Severity::Warning };
    finding.with_mark(ForeignMark { program: found.program, text: text.clone(), instead })
}
