//! Blanks that are objects of Word: content controls, legacy form fields, merge fields and pictures.

use std::ops::Range;

use waraq_rules::field_settings::ValueKind;
use waraq_rules::{name, yes_no_words};

use super::candidates::{Candidate, Collector};
use super::{BlankForm, Confidence};
use crate::fields::ControlInput;
use crate::fields::control_kind::ControlKind;
use crate::fields::form_fields::FormFieldKind;
use crate::fields::merge::MergeContent;
use crate::fields::scan::{ContentControl, Index, OBJECT_PLACEHOLDER, PartScan, ScannedParagraph};
use crate::fields::text_parts::ScannedPart;

/// The maximum number of characters in a content control without a placeholder that counts as empty.
const MAX_EMPTY_CONTROL_CHARACTERS: usize = 200;

/// Finds the blanks of a part that are objects. Returns the byte ranges in which no other blanks are searched: objects, fields
/// and the results of computed fields. The ranges are in order and do not overlap.
pub(super) fn find_objects((index, part): (usize, &ScannedPart<'_>), found: &mut Collector<'_>) -> Vec<Range<usize>> {
    let scan = &part.scan;
    let mut taken: Vec<Range<usize>> = Vec::new();
    taken.extend(scan.complex_fields.iter().cloned());
    find_controls((index, scan), &mut taken, found);
    find_form_fields((index, scan), found);
    find_merge_fields((index, scan), found);
    joined(taken)
}

/// Returns the ranges in order, with overlapping ranges joined.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut all: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match all.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => all.push(range),
        }
    }
    all
}

fn find_controls((index, scan): (usize, &PartScan), taken: &mut Vec<Range<usize>>, found: &mut Collector<'_>) {
    for (at, control) in scan.controls.iter().enumerate() {
        if control.deleted || control.fallback {
            continue;
        }
        if scan.is_field(at) && name::is_valid(&control.name()) {
            taken.push(control.range.clone());
            continue;
        }
        if control.kind.is_picture() {
            find_picture((index, scan), control, found);
            continue;
        }
        if !is_blank_control(scan, control) {
            continue;
        }
        let Some(paragraph) = control.paragraph_number().map(|number| number - 1) else { continue };
        let Some(cells) = scan.paragraphs.get(paragraph).map(|paragraph| cells_inside(paragraph, &control.range))
        else {
            continue;
        };
        taken.push(control.range.clone());
        let shown: String = text_of(scan, paragraph, &cells);
        let title = control.alias.clone().filter(|title| !title.trim().is_empty());
        let prompt = Some(shown).filter(|text| control.showing_placeholder && text.chars().any(char::is_alphanumeric));
        let input = control.kind.input();
        let is_check_box = input == Some(ControlInput::YesNo);
        let (kind, choices) = match input {
            Some(ControlInput::Date) => (Some(ValueKind::Date), Vec::new()),
            Some(ControlInput::LongText) => (Some(ValueKind::LongText), Vec::new()),
            Some(ControlInput::Choice(choices)) => (Some(ValueKind::Choice), choices),
            Some(ControlInput::YesNo) => (Some(ValueKind::Choice), yes_no_words(None).map(str::to_owned).to_vec()),
            None => (None, Vec::new()),
        };
        let confidence = if control.showing_placeholder { Confidence::High } else { Confidence::Medium };
        found.push(Candidate {
            object: Some(at),
            own_words: title.or(prompt),
            kind,
            choices,
            confidence,
            is_check_box,
            ..Candidate::new(index, paragraph, cells, BlankForm::ContentControl)
        });
    }
}

/// Returns `true` if a control without a tag asks for a value: it shows a placeholder, has no text, or is a date, a list or
/// a check box.
fn is_blank_control(scan: &PartScan, control: &ContentControl) -> bool {
    let is_fillable = control.can_be_filled()
        && control.content.start > control.range.start
        && (control.has_text || control.paragraph.is_some() || control.first_paragraph.is_some());
    let is_inner = scan.control_chain(control.parent).any(|outer| scan.is_field(outer));
    let is_generated = control.tag.as_deref().is_some_and(|tag| !tag.trim().is_empty()) && control.name().is_empty();
    if !is_fillable || is_inner || is_generated {
        return false;
    }
    match control.kind {
        ControlKind::Date(_) | ControlKind::List(_) | ControlKind::CheckBox(_) => true,
        _ => control.showing_placeholder || !control.has_text || is_short_gap(scan, control),
    }
}

/// Returns `true` if the text of a control is only a gap, such as spaces or underscores.
fn is_short_gap(scan: &PartScan, control: &ContentControl) -> bool {
    let Some(paragraph) = control.paragraph_number().and_then(|number| scan.paragraphs.get(number - 1)) else {
        return false;
    };
    let cells = cells_inside(paragraph, &control.range);
    let text = paragraph.cells.get(cells).unwrap_or_default();
    let is_gap = |character: char| character.is_whitespace() || matches!(character, '_' | '.' | '…');
    control.paragraphs.len() <= 1
        && text.len() <= MAX_EMPTY_CONTROL_CHARACTERS
        && text.iter().all(|cell| is_gap(cell.character))
}

/// Returns the characters of a paragraph whose bytes are in a range. The characters of a paragraph are in the order of their
/// bytes.
pub(super) fn cells_inside(paragraph: &ScannedParagraph, range: &Range<usize>) -> Range<usize> {
    let start = paragraph.cells.partition_point(|cell| cell.span.start < range.start);
    let end = paragraph.cells.partition_point(|cell| cell.span.start < range.end);
    start..end.max(start)
}

fn text_of(scan: &PartScan, paragraph: Index, cells: &Range<usize>) -> String {
    let cells = scan.paragraphs.get(paragraph).and_then(|paragraph| paragraph.cells.get(cells.clone()));
    cells.unwrap_or_default().iter().map(|cell| cell.character).take(super::MAX_TEXT_CHARACTERS).collect()
}

/// Finds the picture of a content control for pictures.
fn find_picture((index, scan): (usize, &PartScan), control: &ContentControl, found: &mut Collector<'_>) {
    let first = scan.drawings.partition_point(|drawing| drawing.range.start < control.range.start);
    let Some(drawing) = scan.drawings.get(first).filter(|drawing| drawing.range.end <= control.range.end) else {
        return;
    };
    let Some(paragraph) = control.paragraph_number().map(|number| number - 1) else { return };
    let Some(cells) = scan.paragraphs.get(paragraph).map(|paragraph| paragraph.cells.as_slice()) else { return };
    let start = cells.partition_point(|cell| cell.span.start < drawing.range.start);
    if cells
        .get(start)
        .is_none_or(|cell| cell.character != OBJECT_PLACEHOLDER || cell.span.start != drawing.range.start)
    {
        return;
    }
    let confidence = if control.showing_placeholder { Confidence::High } else { Confidence::Low };
    found.push(Candidate {
        own_words: control.alias.clone(),
        kind: Some(ValueKind::Picture),
        confidence,
        ..Candidate::new(index, paragraph, start..start + 1, BlankForm::Picture)
    });
}

fn find_form_fields((index, scan): (usize, &PartScan), found: &mut Collector<'_>) {
    for (at, field) in scan.form_fields.iter().enumerate().filter(|(_, field)| !field.fallback) {
        let Some(paragraph) = scan.paragraphs.get(field.paragraph) else { continue };
        let (kind, choices) = match &field.kind {
            FormFieldKind::Text { is_date: true } => (Some(ValueKind::Date), Vec::new()),
            FormFieldKind::Text { .. } => (None, Vec::new()),
            FormFieldKind::CheckBox => (Some(ValueKind::YesNo), Vec::new()),
            FormFieldKind::List(choices) => (Some(ValueKind::Choice), choices.clone()),
        };
        // Word names form fields `Text1`, `Check1` and `Dropdown1` unless the author names them.
        let is_default = |given: &String| {
            let stem = given.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
            ["text", "texte", "check", "dropdown", "listedéroulante", "casesàcocher", "caseàcocher", "kontrollkästchen"]
                .contains(&stem.as_str())
                || given.trim().is_empty()
        };
        found.push(Candidate {
            object: Some(at),
            own_words: field.help.clone().or_else(|| field.name.clone().filter(|given| !is_default(given))),
            kind,
            choices,
            is_check_box: matches!(field.kind, FormFieldKind::CheckBox),
            ..Candidate::new(index, field.paragraph, cells_inside(paragraph, &field.range), BlankForm::FormField)
        });
    }
}

fn find_merge_fields((index, scan): (usize, &PartScan), found: &mut Collector<'_>) {
    for (at, merge) in scan.filled_merge_fields().filter(|(_, merge)| !merge.fallback) {
        let MergeContent::Value(value) = &merge.content else { continue };
        let (Some(given), Some(at_paragraph)) = (value.field_name(), merge.paragraph) else { continue };
        let Some(paragraph) = scan.paragraphs.get(at_paragraph) else { continue };
        let start = paragraph.cells.partition_point(|cell| cell.span.start < merge.start);
        let result = paragraph.cells.get(start..).unwrap_or_default();
        let length = result.iter().take_while(|cell| cell.merge_field == Some(at)).count();
        found.push(Candidate {
            object: Some(at),
            own_words: Some(given),
            ..Candidate::new(index, at_paragraph, start..start + length, BlankForm::MergeField)
        });
    }
}
