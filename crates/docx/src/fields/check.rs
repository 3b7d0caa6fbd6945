//! Checks of a template. All problems are reported at once, with their positions.

use std::collections::BTreeMap;
use waraq_rules::{DeclaredTypes, Diagnostic, DiagnosticCode, Severity, Structure, TemplateProgram};

use super::Field;
use super::check_fields;
use super::check_slots;
use super::control_kind::ControlKind;
use super::external::{self, ExternalContent};
use super::foreign::{self, ForeignMarks};
use super::matching::{InvalidField, surrounding_text};
use super::scan::{PartScan, TextCell};
use super::sections;
use super::text_parts::{self, ScannedPart};
use crate::{Package, Result};
use waraq_rules::name;

/// The fields of a template and its diagnostics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateCheck {
    /// The fields of the template in reading order, without duplicates.
    pub fields: Vec<Field>,
    /// The types of the fields. A list contains its columns.
    pub structure: Structure,
    /// The marks of other programs, then the other diagnostics in the order of parts and paragraphs.
    pub findings: Vec<Diagnostic>,
    /// The program for which the template was written. `None`: it has no marks of another program.
    pub program: Option<TemplateProgram>,
    /// [`super::convert_marks`] rewrites marks of the template.
    pub convertible: bool,
}

/// Returns the fields and all diagnostics of a template.
///
/// # Errors
/// Returns the errors of [`super::list`].
pub fn check(package: &Package) -> Result<TemplateCheck> {
    check_with_types(package, &DeclaredTypes::new())
}

/// Returns the fields and all diagnostics of a template. `declared` has the types that the author declares for fields.
///
/// # Errors
/// Returns the errors of [`super::list`].
pub fn check_with_types(package: &Package, declared: &DeclaredTypes) -> Result<TemplateCheck> {
    let parts = text_parts::scan_with_fields(package)?;
    let sections = sections::find_sections(&parts);
    let types = sections::template_types(&parts, &sections, declared);
    let foreign = foreign::find_foreign_marks(&parts);
    let mut findings = FindingCollector::default();
    if let Some(found) = &foreign {
        foreign::report_marks(found, &parts, &mut findings);
    }
    for (index, part) in parts.iter().enumerate() {
        // Reviewers may write anything in a comment.
        if !part.is_comments() {
            check_text((index, part), foreign.as_ref(), &mut findings);
            let problems = sections.problems.iter().chain(&types.problems);
            sections::report_problems((index, part), problems, &mut findings);
            check_slots::check_slots(part, &mut findings);
        }
        check_fields::check_merge_fields(&part.scan, &mut findings);
        check_controls(part, &mut findings);
        check_unfillable_texts(&part.scan, &mut findings);
    }
    check_fields::check_word_fields(&parts, &mut findings);
    check_external_content(package, &parts, &mut findings);
    if package.has_macros() {
        let message = "The file contains macros. They are removed from the documents that are made of it.";
        findings.push(Diagnostic::new(DiagnosticCode::MacrosRemoved, message).in_part(package.main_part()));
    }
    check_slots::check_other_parts(package, &parts, &mut findings);
    check_lookalike_names(package, &parts, &types.all_names, &mut findings);
    Ok(TemplateCheck {
        fields: types.fields,
        structure: types.structure,
        findings: findings.finish(package.main_part()),
        program: foreign.as_ref().map(ForeignMarks::program),
        convertible: foreign.as_ref().is_some_and(ForeignMarks::is_convertible),
    })
}

/// The maximum number of diagnostics of one severity.
const MAX_FINDINGS_PER_SEVERITY: usize = 500;

/// The diagnostics collected so far. Errors and warnings have separate limits, so that many warnings do not hide the
/// errors, or many errors the warnings.
#[derive(Default)]
pub(super) struct FindingCollector {
    kept: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl FindingCollector {
    pub(super) fn push(&mut self, finding: Diagnostic) {
        let count = if finding.severity == Severity::Error { &mut self.errors } else { &mut self.warnings };
        *count += 1;
        if *count <= MAX_FINDINGS_PER_SEVERITY {
            self.kept.push(finding);
        }
    }

    fn finish(mut self, main: &str) -> Vec<Diagnostic> {
        let omitted = self.errors.saturating_sub(MAX_FINDINGS_PER_SEVERITY)
            + self.warnings.saturating_sub(MAX_FINDINGS_PER_SEVERITY);
        if omitted > 0 {
            let message = format!("There are {omitted} more findings like those listed.");
            self.kept.push(Diagnostic::new(DiagnosticCode::MoreFindings, message).in_part(main));
        }
        self.kept
    }
}

/// Reports text that looks like a field. Marks of another program have reports of their own.
fn check_text(
    (part_index, part): (usize, &ScannedPart<'_>),
    foreign: Option<&ForeignMarks>,
    findings: &mut FindingCollector,
) {
    let spans = find_fields_across_paragraphs(part);
    for (index, (paragraph, found)) in part.scan.paragraphs.iter().zip(&part.paragraph_fields).enumerate() {
        if paragraph.fallback {
            continue;
        }
        let mut remarks: Vec<&InvalidField> = found.invalid_fields.iter().collect();
        remarks.sort_by_key(|remark| remark.cells.start);
        let is_foreign =
            |remark: &InvalidField| foreign.is_some_and(|found| found.covers(part_index, index, &remark.cells));
        for remark in remarks.into_iter().filter(|remark| !is_foreign(remark)) {
            let code = match spans.get(&(index, remark.cells.start)) {
                Some(true) => DiagnosticCode::FieldAcrossParagraphs,
                Some(false) => continue,
                None => remark.code,
            };
            let around = if remark.code == DiagnosticCode::UnclosedField {
                remark.cells.start..remark.cells.start + 2
            } else {
                remark.cells.clone()
            };
            let finding = Diagnostic::new(code, message_for(code, remark, &paragraph.cells)).in_part(&*part.scan.part);
            let finding =
                finding.at_paragraph(Some(index + 1)).with_context(surrounding_text(&paragraph.cells, &around));
            findings.push(finding.with_fields(remark.name.iter().cloned()));
        }
    }
}

/// Finds fields that begin in one paragraph and end in a later one. The result has an entry for the `{{` and an entry
/// for the `}}` of each field. The key is the index of the paragraph, and the index of the first brace in the `cells`
/// of that paragraph. The value is `true` for `{{` and `false` for `}}`. The field is reported only at its `{{`, so
/// that it is reported once.
fn find_fields_across_paragraphs(part: &ScannedPart<'_>) -> BTreeMap<(usize, usize), bool> {
    const MAX_PARAGRAPH_DISTANCE: usize = 5;
    let mut spans = BTreeMap::new();
    let mut open: Option<(usize, usize)> = None;
    for (index, (paragraph, found)) in part.scan.paragraphs.iter().zip(&part.paragraph_fields).enumerate() {
        if paragraph.fallback {
            continue;
        }
        let first_match = found.matches.iter().map(|one| one.cells.start).min().unwrap_or(usize::MAX);
        let stray = found
            .invalid_fields
            .iter()
            .filter(|remark| remark.code == DiagnosticCode::StrayClose)
            .map(|remark| remark.cells.start)
            .min();
        if let (Some(opened), Some(stray)) = (open, stray.filter(|&stray| stray < first_match))
            && index - opened.0 <= MAX_PARAGRAPH_DISTANCE
        {
            spans.insert(opened, true);
            spans.insert((index, stray), false);
        }
        if stray.is_some() || first_match != usize::MAX {
            open = None;
        }
        let unclosed = found.invalid_fields.iter().find(|remark| remark.code == DiagnosticCode::UnclosedField);
        open = unclosed.map(|remark| (index, remark.cells.start)).or(open);
    }
    spans
}

/// Returns the message for text in `cells` that looks like a field but is not valid.
pub(super) fn message_for(code: DiagnosticCode, remark: &InvalidField, cells: &[TextCell]) -> String {
    let text = || -> String {
        cells.get(remark.cells.clone()).unwrap_or_default().iter().map(|cell| cell.character).take(60).collect()
    };
    match code {
        DiagnosticCode::UnclosedField => "A field is opened with {{ and not closed with }}.".into(),
        DiagnosticCode::NestedField => "A field is opened inside another one.".into(),
        DiagnosticCode::EmptyField => "A field has no name.".into(),
        DiagnosticCode::InvalidName => format!(
            "“{}” is no name for a field: letters, digits, spaces and _ - . ' ’ / ( ) : , & # % ° are, up to {} of them.",
            remark.name.as_deref().unwrap_or_default(),
            name::MAX_NAME_CHARACTERS
        ),
        DiagnosticCode::FieldAcrossParagraphs => "A field begins in one paragraph and ends in another.".into(),
        DiagnosticCode::FieldNotFillable => format!("The section {} stands where sections cannot be filled.", text()),
        DiagnosticCode::StrayClose => "There is a }} without its {{.".into(),
        _ => format!("“{}” looks like a mark of another program; it will be printed as it is.", text()),
    }
}

/// Reports content controls whose tag is not a valid field name. Also reports tagged controls that cannot be filled,
/// such as pictures. A control that cannot be filled is not reported if it contains `{{`, because the fields inside it
/// are filled.
fn check_controls(part: &ScannedPart<'_>, findings: &mut FindingCollector) {
    let with_braces = text_parts::controls_with_braces(&part.scan);
    for (at, control) in part.scan.controls.iter().enumerate() {
        let tag = control.name();
        if tag.is_empty() || control.deleted || control.fallback {
            continue;
        }
        let what = match &control.kind {
            ControlKind::NotFillable(what) => Some(*what),
            ControlKind::RichText if control.has_objects => Some("more than text"),
            _ => None,
        };
        let (code, message) = match what {
            Some(_) if with_braces.contains(&at) => continue,
            Some(what) => (
                DiagnosticCode::ControlNotFillable,
                format!("The content control with the tag “{tag}” holds {what}; it will not be filled."),
            ),
            None if !name::is_valid(&tag) => (
                DiagnosticCode::InvalidTag,
                format!("The tag “{tag}” of a content control is no name for a field; it will not be filled."),
            ),
            None => continue,
        };
        let finding = Diagnostic::new(code, message).in_part(&*part.scan.part);
        findings.push(finding.at_paragraph(control.paragraph_number()).with_context(tag));
    }
}

fn check_unfillable_texts(story: &PartScan, findings: &mut FindingCollector) {
    for text in &story.unfillable_texts {
        for name in check_slots::field_names_in(&text.text) {
            push_not_fillable(&story.part, text.paragraph, text.description, name, findings);
        }
    }
}

/// Reports a field that cannot be filled because of its place. `what` describes the text that contains the field.
pub(super) fn push_not_fillable(
    part: &str,
    paragraph: Option<usize>,
    what: &str,
    name: String,
    findings: &mut FindingCollector,
) {
    let message = format!("The field “{name}” stands in {what}, where it cannot be filled.");
    let finding = Diagnostic::new(DiagnosticCode::FieldNotFillable, message).in_part(part).at_paragraph(paragraph);
    findings.push(finding.with_context(format!("{{{{{name}}}}}")).with_fields([name]));
}

/// Reports external content, which Word would load or start when a user opens a filled document.
fn check_external_content(package: &Package, parts: &[ScannedPart<'_>], findings: &mut FindingCollector) {
    let mut report = |part: &str, paragraph: Option<usize>, found: ExternalContent| {
        let ExternalContent { description: what, target, loads_automatically: unasked, is_unsafe_link } = found;
        let target: String = target.chars().take(200).collect();
        let (code, message) = if is_unsafe_link {
            (DiagnosticCode::UnsafeLink, format!("There is {what}: {target}. It is removed from filled documents."))
        } else {
            let message = format!("There is {what}: {target}. Whoever opens a filled document would load it.");
            (DiagnosticCode::ExternalContent, message)
        };
        let mut finding = Diagnostic::new(code, message).in_part(part).at_paragraph(paragraph).with_context(target);
        finding.severity = if unasked { Severity::Error } else { Severity::Warning };
        findings.push(finding);
    };
    for part in parts {
        for (paragraph, found) in &part.scan.external {
            report(&part.scan.part, *paragraph, found.clone());
        }
    }
    for part in std::iter::once("").chain(package.part_names()) {
        let found = external::in_relationships(package, part).chain(external::in_shapes(package, part));
        found.for_each(|found| report(part, None, found));
    }
}

/// Reports field names that differ only in case, accents or signs. Usually the author meant the same field.
fn check_lookalike_names(
    package: &Package,
    parts: &[ScannedPart<'_>],
    names: &[String],
    findings: &mut FindingCollector,
) {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in names {
        let folded = name::fold(name);
        if !folded.is_empty() {
            groups.entry(folded).or_default().push(name.clone());
        }
    }
    groups.retain(|_, names| names.len() > 1);
    let positions = if groups.is_empty() { BTreeMap::new() } else { first_positions(parts) };
    for names in groups.into_values() {
        let listed = names.iter().map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ");
        let position = names.last().and_then(|name| positions.get(name.as_str()).cloned());
        let (part, paragraph, around) = position.unwrap_or((package.main_part().to_owned(), None, listed.clone()));
        let message = format!("The fields {listed} look alike; are they meant to be one?");
        let finding = Diagnostic::new(DiagnosticCode::LookalikeNames, message).in_part(part).at_paragraph(paragraph);
        findings.push(finding.with_context(around).with_fields(names));
    }
}

/// Returns the position of the first occurrence of each field: part, paragraph number from 1, and surrounding text.
fn first_positions<'t>(parts: &'t [ScannedPart<'_>]) -> BTreeMap<&'t str, (String, Option<usize>, String)> {
    let mut positions = BTreeMap::new();
    for part in parts {
        for (index, (paragraph, found)) in part.scan.paragraphs.iter().zip(&part.paragraph_fields).enumerate() {
            let fields = found.matches.iter().map(|one| (&one.name, &one.cells));
            for (name, cells) in fields.chain(found.tags.iter().map(|tag| (&tag.name, &tag.cells))) {
                positions.entry(name.as_str()).or_insert_with(|| {
                    (part.scan.part.clone(), Some(index + 1), surrounding_text(&paragraph.cells, cells))
                });
            }
        }
    }
    positions
}
