//! The codes of fields: their characters, and the fields of the template in them.

use std::ops::Range;

use super::Scanner;
use super::open_elements::ElementKind;
use crate::fields::attributes::cells_of;
use crate::fields::field_codes::{Asked, ScannedCode, is_code_filled};
use crate::fields::merge::{MergeContent, asked_bookmark};
use crate::fields::scan::{Index, MergeField, OBJECT_PLACEHOLDER, TextCell, UnfillableText, WordField};
use crate::package::xml::attribute_ranges;
use crate::read::field_catalogue::{FieldTreatment, field_name, treatment};
use crate::read::field_code::FieldCode;

/// The maximum number of field codes around a field whose code is filled. The codes of fields that are nested deeper
/// are not filled.
const MAX_NESTED_FIELDS: usize = 16;

/// The code of a field while it is being read.
#[derive(Default)]
pub(super) struct OpenCode {
    /// The text of the code without the white space before it. Fields inside the code are left out.
    pub text: String,
    pub cells: Vec<TextCell>,
    /// The merge fields in the code. Each entry is the index of the placeholder in `cells`, and the index in the merge
    /// fields of the part.
    pub merge_fields: Vec<(Index, Index)>,
}

impl Scanner<'_> {
    /// Returns `true` if text at this position belongs to the code of the innermost field.
    fn is_in_own_code(&self) -> bool {
        self.deletion_depth == 0
            && self.simple_fields_in_codes == 0
            && self.fields.last().is_some_and(|field| !field.in_result)
    }

    /// Adds a character to the code of the innermost field. Returns `false` if the position is not in its code.
    pub(super) fn push_code_character(&mut self, character: char, span: Range<usize>) -> bool {
        if !self.is_in_own_code() {
            return false;
        }
        self.story.held.grow(size_of::<TextCell>());
        if let Some(field) = self.fields.last_mut() {
            // The name of the field is read often, so it is at the start of the text.
            if !(field.code.text.is_empty() && character.is_whitespace()) {
                field.code.text.push(character);
            }
            field.code.cells.push(TextCell::outside_paragraphs(character, span));
        }
        true
    }

    /// Adds a line break to the code of the innermost field. The caller calls this function at the start of each
    /// paragraph, because the end of a paragraph also separates words of a field code.
    pub(super) fn push_code_separator(&mut self, at: usize) {
        self.push_code_character('\n', at..at);
    }

    /// Handles a line break or tab. Adds it to the field code that contains it. Returns `None` if it is not in a field
    /// code.
    pub(super) fn open_code_break(&mut self, character: char, at: usize) -> Option<ElementKind> {
        self.push_code_character(character, at..at).then_some(ElementKind::CodeBreak)
    }

    /// Handles the end of a line break or tab in a field code. It is deleted together with the code.
    pub(super) fn close_code_break(&mut self, whole: Range<usize>) {
        if let Some(field) = self.fields.last_mut() {
            field.deleted_ranges.push(whole);
        }
    }

    /// Returns `true` if values may be filled into the open codes of the outermost `depth` fields. For each of these
    /// fields, [`is_code_filled`] must return `true`, and the field must not be locked. No merge field may be open.
    pub(super) fn is_code_filled_at(&self, depth: usize) -> bool {
        let inner = self.fields.get(depth..).unwrap_or_default().iter().filter(|field| !field.in_result).count();
        let around = self.fields.get(..depth).unwrap_or_default();
        let codes = || around.iter().rev().take(MAX_NESTED_FIELDS).take_while(|field| !field.in_result);
        self.open_merge_fields.is_empty()
            && codes().count() + inner == self.open_codes
            && codes().all(|field| !field.locked && is_code_filled(&field_name(&field.code.text)))
    }

    /// Handles the end of the code of the innermost field.
    pub(super) fn finish_code(&mut self) {
        let depth = self.fields.len();
        let (outer_is_filled, is_filled) =
            (self.is_code_filled_at(depth.saturating_sub(1)), self.is_code_filled_at(depth));
        let Some(field) = self.fields.last_mut() else { return };
        let OpenCode { text, cells, merge_fields } = std::mem::take(&mut field.code);
        let (start, paragraph, locked, is_merge) = (field.start, field.paragraph, field.locked, field.merge.is_some());
        field.instruction = text;
        let code = ScannedCode {
            name: String::new(),
            start,
            cells,
            fields: Vec::new(),
            merge_fields,
            asked: None,
            replaced: is_merge,
            in_attribute: false,
            paragraph,
            fallback: self.fallback_depth > 0,
        };
        self.record_code(code, outer_is_filled && !locked, is_filled, locked);
    }

    /// Handles the code of a simple field outside field codes. `tag` is the byte range of its start tag. `replaced` is
    /// `true` if a value replaces the field.
    pub(super) fn scan_simple_code(&mut self, tag: &Range<usize>, replaced: bool, locked: bool) {
        let markup = self.source.get(tag.clone()).unwrap_or_default();
        let mut attributes = attribute_ranges(markup);
        let Some((_, value)) = attributes.find(|(key, _)| key.rsplit(':').next() == Some("instr")) else { return };
        let cells = cells_of(self.source, tag.start + value.start..tag.start + value.end);
        self.story.held.grow(size_of_val(&*cells));
        let code = ScannedCode {
            name: String::new(),
            start: tag.start,
            cells,
            fields: Vec::new(),
            merge_fields: Vec::new(),
            asked: None,
            replaced,
            in_attribute: true,
            paragraph: self.paragraphs.last().copied(),
            fallback: self.fallback_depth > 0,
        };
        let is_open = self.is_in_visible_text() && self.open_merge_fields.is_empty() && !locked;
        let is_filled = is_open && is_code_filled(&field_name(&code.text()));
        self.record_code(code, is_open, is_filled, locked);
    }

    /// Records a complete code if it contains fields of the template. `is_open` is `true` if the field is not locked
    /// and nothing around it prevents filling. `is_filled` is `true` if values may also be filled into its code.
    fn record_code(&mut self, mut code: ScannedCode, is_open: bool, is_filled: bool, locked: bool) {
        let text = code.text();
        code.name = field_name(&text);
        self.record_word_field(&code, &text, locked);
        let size = size_of_val(&*code.cells);
        let asked = asked_bookmark(&text).filter(|_| is_open).map(|(name, bookmark)| Asked { name, bookmark });
        if asked.is_none() && code.merge_fields.is_empty() && !text.contains('{') {
            self.story.held.shrink(size);
            return;
        }
        code.asked = asked;
        code.find_fields();
        let (texts, merges) = if is_filled {
            code.take_unfillable()
        } else if code.asked.is_some() || (code.replaced && code.name == "FILLIN") {
            (Vec::new(), std::mem::take(&mut code.merge_fields).into_iter().map(|(_, merge)| merge).collect())
        } else if code.replaced {
            (Vec::new(), Vec::new())
        } else {
            let merges = std::mem::take(&mut code.merge_fields);
            (std::mem::take(&mut code.fields), merges.into_iter().map(|(_, merge)| merge).collect())
        };
        let paragraph = code.paragraph.map(|at| at + 1);
        for field in texts {
            self.record_unfillable("a field code", paragraph, &field.name);
        }
        for merge in merges {
            self.drop_merge_field_in_code(merge);
        }
        let is_used = code.asked.is_some() || !code.fields.is_empty() || !code.merge_fields.is_empty();
        if is_used && (!code.replaced || code.name == "FILLIN") {
            self.story.codes.push(code);
        } else {
            self.story.held.shrink(size);
        }
    }

    fn record_word_field(&mut self, code: &ScannedCode, text: &str, locked: bool) {
        if matches!(code.name.as_str(), "SET" | "ASK") {
            let bookmark = FieldCode::parse(text).first_argument().map(str::to_lowercase);
            self.story.defined_bookmarks.extend(bookmark);
        }
        let is_reported =
            matches!(treatment(&code.name), None | Some(FieldTreatment::NotComputed | FieldTreatment::OtherRecords));
        if is_reported && !code.name.is_empty() {
            let (name, paragraph, fallback) = (code.name.clone(), code.paragraph, code.fallback);
            self.story.word_fields.push(WordField { name, paragraph, locked, fallback });
        }
    }

    pub(super) fn record_unfillable(&mut self, description: &'static str, paragraph: Option<usize>, name: &str) {
        self.story.unfillable_texts.push(UnfillableText { description, paragraph, text: format!("{{{{{name}}}}}") });
    }

    /// Records that a merge field in a field code is not filled.
    pub(super) fn drop_merge_field_in_code(&mut self, merge: Index) {
        let Some(merge) = self.story.merge_fields.get_mut(merge) else { return };
        merge.ended = false;
        let (paragraph, names) = (merge.paragraph.map(|at| at + 1), merge.content.names());
        for name in names {
            self.record_unfillable("another field's code", paragraph, &name);
        }
    }

    /// Adds an inner field to the code of the outer field. The code then contains a placeholder character for the inner
    /// field. `merge` is the index of the inner field in the list of merge fields, or `None` if the inner field is not
    /// filled.
    ///
    /// If the end of the inner field is not in the code, for example because it is inside a simple field, the inner field
    /// cannot be filled and is reported.
    pub(super) fn add_to_outer_code(&mut self, start: usize, merge: Option<Index>) {
        if !self.is_in_own_code() {
            let in_code = |at: &Index| self.story.merge_fields.get(*at).is_some_and(|merge| merge.in_code);
            if let Some(merge) = merge.filter(in_code) {
                self.drop_merge_field_in_code(merge);
            }
            return;
        }
        self.story.held.grow(size_of::<TextCell>());
        if let Some(outer) = self.fields.last_mut() {
            let merge = merge.map(|merge| (outer.code.cells.len(), merge));
            outer.code.merge_fields.extend(merge);
            outer.code.cells.push(TextCell::outside_paragraphs(OBJECT_PLACEHOLDER, start..start));
        }
    }

    /// Handles a simple field in the code of another field. If it is a merge field, its value becomes part of that code.
    pub(super) fn open_simple_field_in_code(
        &mut self,
        instruction: &str,
        span: &Range<usize>,
        prefix: String,
    ) -> ElementKind {
        self.simple_fields_in_codes += 1;
        let Some(content) = MergeContent::from_code(instruction) else { return ElementKind::SimpleFieldInCode(None) };
        let merge = self.simple_merge_field(content, span, prefix);
        let at = self.add_merge_field(MergeField { in_code: true, ended: false, ..merge });
        if !self.is_code_filled_at(self.fields.len()) {
            self.drop_merge_field_in_code(at);
            return ElementKind::SimpleFieldInCode(None);
        }
        ElementKind::SimpleFieldInCode(Some(at))
    }

    /// Handles the end of a simple field in the code of another field. `close` is the byte range of its end tag, and
    /// `whole` that of the complete element.
    pub(super) fn close_simple_field_in_code(
        &mut self,
        merge: Option<Index>,
        close: Range<usize>,
        whole: &Range<usize>,
    ) {
        self.simple_fields_in_codes -= 1;
        self.close_simple_field(Some(close).filter(|close| close != whole));
        if let Some(merge) = merge.and_then(|at| self.story.merge_fields.get_mut(at)) {
            merge.deleted_ranges = vec![whole.clone()];
            merge.ended = true;
        }
        self.add_to_outer_code(whole.start, merge);
    }

    /// Handles the end of the part. The codes of fields without an end are not filled.
    pub(super) fn drop_unended_codes(&mut self) {
        for field in std::mem::take(&mut self.fields) {
            for (_, merge) in field.code.merge_fields {
                self.drop_merge_field_in_code(merge);
            }
            if field.code.text.contains("{{") {
                let paragraph = field.paragraph.map(|at| at + 1);
                let (description, text) = ("a field code", field.code.text);
                self.story.unfillable_texts.push(UnfillableText { description, paragraph, text });
            }
        }
    }
}
