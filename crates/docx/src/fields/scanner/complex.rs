//! Fields in the text (§17.16): complex fields and `w:fldSimple`.

use std::ops::Range;

use quick_xml::events::BytesStart;
use waraq_graphics::xml::values::on_off;

use super::Scanner;
use super::codes::OpenCode;
use super::open_elements::{ElementKind, FieldCharacterKind};
use super::references;
use crate::fields::external;
use crate::fields::form_fields::{self, FormField, read_form_field};
use crate::fields::merge::MergeContent;
use crate::fields::scan::{Index, MergeField, PartScan, WordField};
use crate::package::attribute;
use crate::read::field_catalogue::field_name;

/// A complex field whose `begin` character was read, but not yet its `end` character.
pub(super) struct OpenField {
    pub start: usize,
    /// The byte ranges to delete when the field is filled, or when a field around it is filled.
    pub deleted_ranges: Vec<Range<usize>>,
    /// The code of the field. Empty until the end of the code is read.
    pub instruction: String,
    /// The code as far as it was read. Empty after its end.
    pub code: OpenCode,
    pub in_result: bool,
    /// The field is locked: its result is never updated (w:fldLock).
    pub locked: bool,
    pub run: Option<Index>,
    /// The `begin` character is a direct child of the run. The run can therefore be closed and reopened there.
    pub is_run_child: bool,
    pub paragraph: Option<Index>,
    pub merge: Option<Index>,
}

impl Scanner<'_> {
    /// Returns `true` if text at this position is visible: it is not in a deletion and not in a field code.
    pub(super) fn is_in_visible_text(&self) -> bool {
        self.deletion_depth == 0 && self.open_codes == 0
    }

    pub(super) fn open_field_character(tag: &BytesStart<'_>) -> ElementKind {
        let character = match attribute(tag, "fldCharType").as_deref() {
            Some("begin") => FieldCharacterKind::Begin,
            Some("separate") => FieldCharacterKind::Separate,
            Some("end") => FieldCharacterKind::End,
            _ => FieldCharacterKind::Unknown,
        };
        ElementKind::FieldCharacter(character, is_locked(tag))
    }

    /// Handles a `w:fldChar` element. The caller calls this function at the end of the element. `span` is the byte
    /// range of the whole element, including form field data inside it.
    pub(super) fn close_field_character(&mut self, character: FieldCharacterKind, locked: bool, span: &Range<usize>) {
        match character {
            FieldCharacterKind::Begin => {
                self.open_codes += 1;
                self.fields.push(OpenField {
                    start: span.start,
                    deleted_ranges: vec![span.clone()],
                    instruction: String::new(),
                    code: OpenCode::default(),
                    in_result: false,
                    locked,
                    run: self.runs.last().copied(),
                    is_run_child: matches!(self.parent(), ElementKind::Run(_)),
                    paragraph: self.paragraphs.last().copied(),
                    merge: None,
                });
            }
            FieldCharacterKind::Separate => {
                if let Some(field) = self.fields.last_mut() {
                    field.deleted_ranges.push(span.clone());
                }
                self.begin_result();
            }
            FieldCharacterKind::End => {
                let separated = self.fields.last().is_some_and(|field| field.in_result);
                self.begin_result();
                if let Some(mut field) = self.fields.pop() {
                    self.end_reference(field.start, span, separated);
                    field.deleted_ranges.push(span.clone());
                    self.story.complex_fields.push(field.start..span.end);
                    self.end_field(field);
                }
            }
            FieldCharacterKind::Unknown => {}
        }
    }

    /// Handles the place where the instruction of the innermost field ends and its result begins.
    fn begin_result(&mut self) {
        if self.fields.last().is_none_or(|field| field.in_result) {
            return;
        }
        self.begin_merge();
        self.finish_code();
        if let Some(field) = self.fields.last() {
            let found = external::in_field_code(&field.instruction);
            self.story.external.extend(found.map(|found| (field.paragraph.map(|at| at + 1), found)));
        }
        self.open_codes -= 1;
        if let Some(field) = self.fields.last_mut() {
            field.in_result = true;
            let (start, locked, target) = (field.start, field.locked, references::reference_target(&field.instruction));
            if let Some(target) = target.filter(|_| !locked) {
                self.begin_reference(start, target);
            }
        }
    }

    /// Records the innermost field as a field to fill if it is a merge field. A merge field that is inside another merge
    /// field, or in a code that cannot be filled, is recorded as text that cannot be filled.
    fn begin_merge(&mut self) {
        let in_code = self.open_codes > 1;
        let can_fill =
            if in_code { self.is_code_filled_at(self.fields.len() - 1) } else { self.open_merge_fields.is_empty() };
        let prefix = self.fields.last().and_then(|field| self.story.runs.get(field.run?)).map(|run| run.prefix.clone());
        let fallback = self.fallback_depth > 0;
        let Some(field) = self.fields.last_mut() else { return };
        let Some(content) = MergeContent::from_code(&field.code.text) else { return };
        let paragraph = field.paragraph;
        if !can_fill {
            for name in content.names() {
                self.record_unfillable("another field's code", paragraph.map(|at| at + 1), &name);
            }
            if let MergeContent::Block(block) = content {
                self.story.word_fields.push(WordField { name: block.field, paragraph, locked: false, fallback });
            }
            return;
        }
        field.merge = Some(self.story.merge_fields.len());
        let merge = MergeField {
            content,
            in_code,
            start: field.start,
            ended: false,
            deleted_ranges: Vec::new(),
            run: field.run,
            is_run_child: field.is_run_child,
            prefix: prefix.unwrap_or_default(),
            paragraph,
            fallback,
        };
        let at = self.add_merge_field(merge);
        if !in_code {
            self.open_merge_fields.push(at);
        }
        self.mark_paragraph_with_field();
    }

    fn end_field(&mut self, field: OpenField) {
        self.record_form_field(&field);
        let (start, merge) = (field.start, field.merge);
        if field.merge.is_none() {
            self.mark_other_content();
        }
        if let Some(at) = field.merge {
            self.open_merge_fields.retain(|&open| open != at);
            if let Some(merge) = self.story.merge_fields.get_mut(at) {
                merge.ended = true;
                merge.deleted_ranges.extend(field.deleted_ranges);
                merge.deleted_ranges.sort_unstable_by_key(|range| range.start);
            }
        } else if let Some((_, outer)) = self.enclosing_field() {
            // The shorter list is appended to the longer one, because fields may be nested very deeply.
            let mut spans = field.deleted_ranges;
            if spans.len() > outer.len() {
                std::mem::swap(&mut spans, outer);
            }
            outer.append(&mut spans);
        }
        self.add_to_outer_code(start, merge);
    }

    /// Records the field if it is a legacy form field.
    fn record_form_field(&mut self, field: &OpenField) {
        let Some(paragraph) = field.paragraph.filter(|at| self.paragraphs.last() == Some(at)) else { return };
        let name = field_name(&field.instruction);
        let begin = field.deleted_ranges.iter().find(|range| range.start == field.start);
        let Some(begin) = begin.and_then(|range| self.source.get(range.clone())) else { return };
        let Some(end) = self.story.complex_fields.last().map(|range| range.end) else { return };
        if !self.is_in_visible_text() || !field.is_run_child || field.deleted_ranges.len() > form_fields::MAX_RANGES {
            return;
        }
        let Some((kind, name, help)) = read_form_field(&name, begin) else { return };
        let prefix = field.run.and_then(|run| self.story.runs.get(run)).map(|run| run.prefix.clone());
        self.story.held.grow(size_of::<FormField>() + begin.len());
        self.story.form_fields.push(FormField {
            name,
            help,
            kind,
            range: field.start..end,
            deleted_ranges: field.deleted_ranges.clone(),
            paragraph,
            fallback: self.fallback_depth > 0,
            prefix: prefix.unwrap_or_default(),
        });
    }

    /// Returns two values about the innermost open field: the byte offset where the field starts, and the list of byte
    /// ranges to delete when the field is filled. The caller adds the ranges of inner fields to this list. Returns
    /// `None` if no field is open.
    fn enclosing_field(&mut self) -> Option<(usize, &mut Vec<Range<usize>>)> {
        let complex = self.fields.last_mut();
        let merge = self
            .open_merge_fields
            .last()
            .and_then(|&at| self.story.merge_fields.get_mut(at))
            .filter(|merge| merge.ended);
        match (complex, merge) {
            (Some(complex), Some(simple)) if simple.start > complex.start => {
                Some((simple.start, &mut simple.deleted_ranges))
            }
            (None, Some(simple)) => Some((simple.start, &mut simple.deleted_ranges)),
            (complex, _) => complex.map(|field| (field.start, &mut field.deleted_ranges)),
        }
    }

    /// Handles the end of a simple field that is not filled. `close` is the byte range of its end tag. `None`: the
    /// simple field is an empty element.
    ///
    /// If a field around the simple field is filled, both tags of the simple field are deleted too. But if the outer
    /// field ends inside the simple field, neither tag is deleted.
    pub(super) fn close_simple_field(&mut self, close: Option<Range<usize>>) {
        let Some((opened_in, open)) = self.simple_fields.pop() else { return };
        if let Some((start, outer)) = self.enclosing_field()
            && opened_in == Some(start)
        {
            outer.push(open);
            outer.extend(close);
        }
    }

    /// Handles the end of the part. The content of merge fields without an end is ordinary text.
    pub(super) fn drop_unended_merge_fields(&mut self) {
        if self.open_merge_fields.is_empty() {
            return;
        }
        let PartScan { paragraphs, merge_fields: merges, .. } = &mut self.story;
        for cell in paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.cells) {
            cell.merge_field.take_if(|at| merges.get(*at).is_none_or(|merge| !merge.ended));
        }
    }

    pub(super) fn open_simple_field(
        &mut self,
        tag: &BytesStart<'_>,
        span: &Range<usize>,
        prefix: String,
    ) -> ElementKind {
        let instruction = attribute(tag, "instr").unwrap_or_default();
        let paragraph = self.paragraphs.last().map(|at| at + 1);
        self.story.external.extend(external::in_field_code(&instruction).map(|found| (paragraph, found)));
        let in_code = self.open_codes > 0 && self.deletion_depth == 0;
        let content = MergeContent::from_code(&instruction)
            .filter(|_| self.is_in_visible_text() && self.open_merge_fields.is_empty());
        if content.is_none() {
            let outer = self.enclosing_field().map(|(start, _)| start);
            self.simple_fields.push((outer, span.clone()));
        }
        if in_code {
            return self.open_simple_field_in_code(&instruction, span, prefix);
        }
        self.scan_simple_code(span, content.is_some(), is_locked(tag));
        if let Some(target) = references::reference_target(&instruction).filter(|_| !is_locked(tag)) {
            self.begin_reference(span.start, target);
        }
        let Some(content) = content else {
            self.mark_other_content();
            return ElementKind::SimpleField(None);
        };
        self.mark_paragraph_with_field();
        let at = self.add_merge_field(self.simple_merge_field(content, span, prefix));
        self.open_merge_fields.push(at);
        ElementKind::SimpleField(Some(at))
    }

    /// Returns the merge field for a simple field outside field codes. `span` is the byte range of its start tag.
    pub(super) fn simple_merge_field(&self, content: MergeContent, span: &Range<usize>, prefix: String) -> MergeField {
        MergeField {
            content,
            in_code: false,
            start: span.start,
            ended: true,
            deleted_ranges: vec![span.clone()],
            run: None,
            is_run_child: false,
            prefix,
            paragraph: self.paragraphs.last().copied(),
            fallback: self.fallback_depth > 0,
        }
    }

    /// Adds a merge field to the scan result, and returns its index.
    pub(super) fn add_merge_field(&mut self, merge: MergeField) -> Index {
        self.story.held.grow(size_of::<MergeField>() + merge.content.size());
        self.story.merge_fields.push(merge);
        self.story.merge_fields.len() - 1
    }
}

fn is_locked(tag: &BytesStart<'_>) -> bool {
    attribute(tag, "fldLock").is_some_and(|value| on_off(Some(&value)))
}
