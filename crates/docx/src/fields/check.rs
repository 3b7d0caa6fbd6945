//! Checks of a template. All problems are reported at once, with their positions.

use std::collections::{BTreeMap, BTreeSet};
use waraq_rules::{Finding, FindingCode, Severity};

use super::Field;
use super::external::{self, External};
use super::matching::{Remark, context};
use super::scan::{Cell, Story};
use super::stories::{self, ScannedPart};
use crate::{Package, Result};
use waraq_rules::name;

/// The fields of a template and its diagnostics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The fields, as returned by [`super::list`].
    pub fields: Vec<Field>,
    /// The diagnostics in the order of parts and paragraphs.
    pub findings: Vec<Finding>,
}

/// Returns the fields and all diagnostics of a template.
///
/// # Errors
/// Returns the errors of [`super::list`].
pub fn check(package: &Package) -> Result<Checked> {
    let parts = stories::read(package)?;
    let mut findings = Findings::default();
    for part in &parts {
        of_text(part, &mut findings);
        of_names(&part.story, &mut findings);
        of_elsewhere(&part.story, &mut findings);
    }
    from_outside(package, &parts, &mut findings);
    other_parts(package, &parts, &mut findings);
    lookalikes(package, &parts, &mut findings);
    Ok(Checked { fields: stories::fields(&parts), findings: findings.finish(package.main_part()) })
}

/// The maximum number of diagnostics of one severity.
const MOST_FINDINGS: usize = 500;

/// The diagnostics so far. Errors and warnings have separate limits, so that neither displaces the other.
#[derive(Default)]
struct Findings {
    kept: Vec<Finding>,
    errors: usize,
    warnings: usize,
}

impl Findings {
    fn push(&mut self, finding: Finding) {
        let count = if finding.severity == Severity::Error { &mut self.errors } else { &mut self.warnings };
        *count += 1;
        if *count <= MOST_FINDINGS {
            self.kept.push(finding);
        }
    }

    fn finish(mut self, main: &str) -> Vec<Finding> {
        let left_out = self.errors.saturating_sub(MOST_FINDINGS) + self.warnings.saturating_sub(MOST_FINDINGS);
        if left_out > 0 {
            let message = format!("There are {left_out} more findings like those listed.");
            self.kept.push(Finding::new(FindingCode::MoreFindings, message).in_part(main));
        }
        self.kept
    }
}

fn of_text(part: &ScannedPart<'_>, findings: &mut Findings) {
    let spans = across_paragraphs(part);
    for (index, (paragraph, found)) in part.story.paragraphs.iter().zip(&part.found).enumerate() {
        if paragraph.fallback {
            continue;
        }
        let mut remarks: Vec<&Remark> = found.remarks.iter().collect();
        remarks.sort_by_key(|remark| remark.cells.start);
        for remark in remarks {
            let code = match spans.get(&(index, remark.cells.start)) {
                Some(true) => FindingCode::FieldAcrossParagraphs,
                Some(false) => continue,
                None => remark.code,
            };
            let around = if remark.code == FindingCode::UnclosedField {
                remark.cells.start..remark.cells.start + 2
            } else {
                remark.cells.clone()
            };
            let finding = Finding::new(code, sentence(code, remark, &paragraph.cells)).in_part(&*part.story.part);
            let finding = finding.at(Some(index + 1)).around(context(&paragraph.cells, &around));
            findings.push(finding.about(remark.name.iter().cloned()));
        }
    }
}

/// Finds fields that begin in one paragraph and end in one of the next. The keys are the positions of their braces: the
/// index of the paragraph and the index of the first cell. The value is `true` for `{{`. It is `false` for `}}`, which
/// is not reported separately.
fn across_paragraphs(part: &ScannedPart<'_>) -> BTreeMap<(usize, usize), bool> {
    const REACH: usize = 5;
    let mut spans = BTreeMap::new();
    let mut open: Option<(usize, usize)> = None;
    for (index, (paragraph, found)) in part.story.paragraphs.iter().zip(&part.found).enumerate() {
        if paragraph.fallback {
            continue;
        }
        let first_match = found.matches.iter().map(|one| one.cells.start).min().unwrap_or(usize::MAX);
        let stray = found
            .remarks
            .iter()
            .filter(|remark| remark.code == FindingCode::StrayClose)
            .map(|remark| remark.cells.start)
            .min();
        if let (Some(opened), Some(stray)) = (open, stray.filter(|&stray| stray < first_match))
            && index - opened.0 <= REACH
        {
            spans.insert(opened, true);
            spans.insert((index, stray), false);
        }
        if stray.is_some() || first_match != usize::MAX {
            open = None;
        }
        let unclosed = found.remarks.iter().find(|remark| remark.code == FindingCode::UnclosedField);
        open = unclosed.map(|remark| (index, remark.cells.start)).or(open);
    }
    spans
}

fn sentence(code: FindingCode, remark: &Remark, cells: &[Cell]) -> String {
    let text = || -> String {
        cells.get(remark.cells.clone()).unwrap_or_default().iter().map(|cell| cell.character).take(60).collect()
    };
    match code {
        FindingCode::UnclosedField => "A field is opened with {{ and not closed with }}.".into(),
        FindingCode::NestedField => "A field is opened inside another one.".into(),
        FindingCode::EmptyField => "A field has no name.".into(),
        FindingCode::InvalidName => format!(
            "“{}” is no name for a field: letters, digits, spaces and _ - . ' ’ / ( ) : , & # % ° are, up to {} of them.",
            remark.name.as_deref().unwrap_or_default(),
            name::MAX_NAME_CHARACTERS
        ),
        FindingCode::FieldAcrossParagraphs => "A field begins in one paragraph and ends in another.".into(),
        FindingCode::StrayClose => "There is a }} without its {{.".into(),
        _ => format!("“{}” looks like a mark of another program; it will be printed as it is.", text()),
    }
}

/// Reports merge fields and control tags with invalid names.
fn of_names(story: &Story, findings: &mut Findings) {
    let number = |at: Option<usize>| at.map(|at| at + 1);
    for merge in story.merges.iter().filter(|merge| !merge.fallback) {
        let name = name::normalize(&merge.name);
        if !name::is_valid(&name) {
            let code = if name.is_empty() { FindingCode::EmptyField } else { FindingCode::InvalidName };
            let message = format!("The merge field “{name}” has a name that cannot be filled.");
            let finding = Finding::new(code, message).in_part(&*story.part).at(number(merge.paragraph));
            findings.push(finding.around(format!("«{}»", merge.name)).about([name]));
        }
    }
    for control in
        story.controls.iter().filter(|control| control.is_plain_text && !control.deleted && !control.fallback)
    {
        let tag = name::normalize(control.tag.as_deref().unwrap_or_default());
        if !tag.is_empty() && !name::is_valid(&tag) {
            let paragraph = control.paragraph.or(control.first_paragraph.as_ref().map(|(at, _)| *at));
            let message =
                format!("The tag “{tag}” of a content control is no name for a field; it will not be filled.");
            let finding = Finding::new(FindingCode::InvalidTag, message).in_part(&*story.part);
            findings.push(finding.at(number(paragraph)).around(tag));
        }
    }
}

fn of_elsewhere(story: &Story, findings: &mut Findings) {
    for text in &story.elsewhere {
        for name in names_in(&text.text) {
            not_fillable(&story.part, text.paragraph, text.what, name, findings);
        }
    }
}

fn not_fillable(part: &str, paragraph: Option<usize>, what: &str, name: String, findings: &mut Findings) {
    let message = format!("The field “{name}” stands in {what}, where it cannot be filled.");
    let finding = Finding::new(FindingCode::FieldNotFillable, message).in_part(part).at(paragraph);
    findings.push(finding.around(format!("{{{{{name}}}}}")).about([name]));
}

/// Reports external content, which readers of a filled document would load or start.
fn from_outside(package: &Package, parts: &[ScannedPart<'_>], findings: &mut Findings) {
    let mut tell = |part: &str, paragraph: Option<usize>, found: External| {
        let External { what, target, unasked } = found;
        let target: String = target.chars().take(200).collect();
        let message = format!("There is {what}: {target}. Whoever opens a filled document would load it.");
        let mut finding =
            Finding::new(FindingCode::ExternalContent, message).in_part(part).at(paragraph).around(target);
        finding.severity = if unasked { Severity::Error } else { Severity::Warning };
        findings.push(finding);
    };
    for part in parts {
        for (paragraph, found) in &part.story.external {
            tell(&part.story.part, *paragraph, found.clone());
        }
    }
    for part in std::iter::once("").chain(package.part_names()) {
        external::of_part(package, part).for_each(|found| tell(part, None, found));
    }
}

/// Returns the valid names between `{{` and `}}` in plain text.
fn names_in(text: &str) -> Vec<String> {
    let pieces = text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
    pieces.map(|(raw, _)| name::normalize(raw)).filter(|name| name::is_valid(name)).collect()
}

/// Reports fields in comments, charts, diagrams, link targets and attached documents, because they are not filled.
fn other_parts(package: &Package, parts: &[ScannedPart<'_>], findings: &mut Findings) {
    for part in parts {
        let mut seen = BTreeSet::new();
        for relationship in package.relationships_of(&part.story.part) {
            let what = match relationship.kind.as_str() {
                "comments" => "a comment",
                "chart" | "chartEx" => "a chart",
                "diagramData" => "a diagram",
                "aFChunk" => "an attached document",
                "hyperlink" if relationship.external => {
                    let target = relationship.target.replace("%7B", "{").replace("%7D", "}").replace("%20", " ");
                    for name in names_in(&target) {
                        not_fillable(&part.story.part, None, "the target of a link", name, findings);
                    }
                    continue;
                }
                _ => continue,
            };
            if relationship.external || !seen.insert(relationship.target.as_str()) {
                continue;
            }
            let Some(text) = package.text(&relationship.target) else { continue };
            for name in names_in(&without_tags(text)) {
                not_fillable(&relationship.target, None, what, name, findings);
            }
        }
    }
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

/// Reports names that differ only in case, accents or signs. Usually they are one field in two spellings.
fn lookalikes(package: &Package, parts: &[ScannedPart<'_>], findings: &mut Findings) {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for field in stories::fields(parts) {
        let folded = name::fold(&field.name);
        if !folded.is_empty() {
            groups.entry(folded).or_default().push(field.name);
        }
    }
    groups.retain(|_, names| names.len() > 1);
    let places = if groups.is_empty() { BTreeMap::new() } else { first_places(parts) };
    for names in groups.into_values() {
        let listed = names.iter().map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ");
        let place = names.last().and_then(|name| places.get(name.as_str()).cloned());
        let (part, paragraph, around) = place.unwrap_or((package.main_part().to_owned(), None, listed.clone()));
        let message = format!("The fields {listed} look alike; are they meant to be one?");
        let finding = Finding::new(FindingCode::LookalikeNames, message).in_part(part).at(paragraph);
        findings.push(finding.around(around).about(names));
    }
}

/// Returns the position of the first occurrence of each field: part, paragraph number from 1, and surrounding text.
fn first_places<'t>(parts: &'t [ScannedPart<'_>]) -> BTreeMap<&'t str, (String, Option<usize>, String)> {
    let mut places = BTreeMap::new();
    for part in parts {
        for (index, (paragraph, found)) in part.story.paragraphs.iter().zip(&part.found).enumerate() {
            for one in &found.matches {
                places.entry(one.name.as_str()).or_insert_with(|| {
                    (part.story.part.clone(), Some(index + 1), context(&paragraph.cells, &one.cells))
                });
            }
        }
    }
    places
}
