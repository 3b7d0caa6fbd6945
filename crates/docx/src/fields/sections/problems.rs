//! The reports about sections.

use waraq_rules::{Diagnostic, DiagnosticCode};

use super::SectionProblem;
use crate::fields::check::FindingCollector;
use crate::fields::matching::surrounding_text;
use crate::fields::text_parts::ScannedPart;

/// Reports the problems of sections in one part. Problems in `mc:Fallback` are skipped, because they repeat others.
pub(in crate::fields) fn report_problems<'s>(
    part: (usize, &ScannedPart<'_>),
    problems: impl Iterator<Item = &'s SectionProblem>,
    findings: &mut FindingCollector,
) {
    let (index, part) = part;
    let mut here: Vec<&SectionProblem> = problems.filter(|problem| problem.part == index).collect();
    here.sort_by_key(|problem| (problem.paragraph, problem.cells.start));
    for problem in here {
        let Some(paragraph) = part.scan.paragraphs.get(problem.paragraph).filter(|paragraph| !paragraph.fallback)
        else {
            continue;
        };
        let finding = Diagnostic::new(problem.code, message_for(problem.code, &problem.name)).in_part(&*part.scan.part);
        let around = surrounding_text(&paragraph.cells, &problem.cells);
        findings
            .push(finding.at_paragraph(Some(problem.paragraph + 1)).with_context(around).with_fields([&problem.name]));
    }
}

fn message_for(code: DiagnosticCode, name: &str) -> String {
    match code {
        DiagnosticCode::UnclosedSection => {
            format!("The section “{name}” is opened and not closed with {{{{/{name}}}}}.")
        }
        DiagnosticCode::UnopenedSection => format!("There is {{{{/{name}}}}} without {{{{#{name}}}}}."),
        DiagnosticCode::CrossedSections => format!("The section “{name}” ends after the section in which it begins."),
        DiagnosticCode::SectionBesideText => {
            format!("A tag of the section “{name}” has text beside it, and the other tag is in another paragraph.")
        }
        DiagnosticCode::EmptySection => format!("The section “{name}” has no content."),
        DiagnosticCode::ListUsedAsText => format!("“{name}” is a list and cannot be printed as a text."),
        DiagnosticCode::SectionsTooDeep => {
            format!("The section “{name}” is in more than {} other sections.", waraq_rules::MAX_LIST_DEPTH - 1)
        }
        DiagnosticCode::EntryOutsideList => "The entry {{.}} is used outside a list.".to_owned(),
        _ => format!("The section “{name}” begins and ends in different containers."),
    }
}
