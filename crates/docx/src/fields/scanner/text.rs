//! The characters of the text, with their byte ranges in the part.

use std::ops::Range;

use super::Scanner;
use super::open_elements::ElementKind;
use crate::fields::scan::{Index, OBJECT_PLACEHOLDER, TextCell, UnfillableText};

/// A stand-in for the unknown character of a `w:sym`.
const SYMBOL: char = '\u{fffd}';

impl Scanner<'_> {
    pub(super) fn push_element_cell(&mut self, character: char, span: &Range<usize>) -> ElementKind {
        // A `w:tab` in `w:tabs` is not a tab character.
        if !matches!(self.parent(), ElementKind::Run(_) | ElementKind::Compatibility | ElementKind::Fallback)
            || !self.is_in_visible_text()
        {
            return ElementKind::Other;
        }
        // Pictures and note references must not be deleted with the text around them, so their cells have no bytes.
        let direct = matches!(self.parent(), ElementKind::Run(_));
        self.push_cell(character, span.start..span.start, None, direct);
        let Some(&paragraph) = self.paragraphs.last().filter(|_| character != OBJECT_PLACEHOLDER) else {
            return ElementKind::Other;
        };
        let cells = self.story.paragraphs.get(paragraph).map_or(0, |paragraph| paragraph.cells.len());
        ElementKind::CharacterElement(paragraph, cells.saturating_sub(1))
    }

    /// Adds the cell of a `w:sym` element. A value can replace the element, because the cell has the byte range of the
    /// element. The character of the cell never occurs in a field name.
    pub(super) fn push_symbol_cell(&mut self, span: &Range<usize>) -> ElementKind {
        match self.push_element_cell(SYMBOL, span) {
            ElementKind::CharacterElement(paragraph, at) => {
                let cells = self.story.paragraphs.get_mut(paragraph).map(|paragraph| &mut paragraph.cells);
                if let Some(cell) = cells.and_then(|cells| cells.get_mut(at)) {
                    cell.character = OBJECT_PLACEHOLDER;
                }
                ElementKind::CharacterElement(paragraph, at)
            }
            other => other,
        }
    }

    fn push_cell(&mut self, character: char, span: Range<usize>, text: Option<Index>, direct: bool) {
        let (Some(&run), Some(&paragraph)) = (self.runs.last(), self.paragraphs.last()) else { return };
        let control = self.controls.last().copied();
        let merge = self.open_merge_fields.last().copied();
        self.story.held.grow(size_of::<TextCell>());
        if let Some(paragraph) = self.story.paragraphs.get_mut(paragraph) {
            paragraph.cells.push(TextCell {
                character,
                span,
                text,
                run,
                is_run_child: direct,
                control,
                merge_field: merge,
            });
        }
    }

    pub(super) fn push_text(&mut self, span: Range<usize>) {
        let text = self.source.get(span.clone()).unwrap_or_default();
        let starts = text.char_indices().map(|(at, character)| (span.start + at, character));
        let characters = starts.map(|(start, character)| (start..start + character.len_utf8(), character));
        self.push_characters(characters, span.clone());
    }

    /// Handles characters with their byte ranges. `span` is the byte range of all of them together.
    pub(super) fn push_characters(
        &mut self,
        characters: impl Iterator<Item = (Range<usize>, char)>,
        span: Range<usize>,
    ) {
        if let Some(&(text, is_run_child)) = self.open_texts.last()
            && self.parent() == ElementKind::Text
            && self.is_in_visible_text()
        {
            for (byte_range, character) in characters {
                self.push_cell(character, byte_range, Some(text), is_run_child);
            }
        } else {
            characters.for_each(|(byte_range, character)| self.push_hidden_character(character, byte_range));
            self.record_code_text(span);
        }
    }

    /// Records the byte range of text inside a field code. The text is not visible. It is deleted when the field is
    /// filled.
    fn record_code_text(&mut self, span: Range<usize>) {
        if self.parent() == ElementKind::Text
            && self.deletion_depth == 0
            && let Some(field) = self.fields.last_mut()
        {
            field.deleted_ranges.push(span);
        }
    }

    /// Handles a character that is not visible because it is in a field code, a deletion or a formula.
    fn push_hidden_character(&mut self, character: char, byte_range: Range<usize>) {
        let what = match self.parent() {
            ElementKind::DeletedText => "deleted text",
            ElementKind::Text if self.deletion_depth > 0 => "deleted text",
            ElementKind::Instruction | ElementKind::Text => {
                // The result of a field in the code of another field is replaced by its new result.
                if self.push_code_character(character, byte_range) || self.open_codes > 0 {
                    return;
                }
                "a field code"
            }
            ElementKind::MathText => "a formula",
            _ => return,
        };
        let paragraph = self.paragraphs.last().map(|&at| at + 1);
        match self.story.unfillable_texts.last_mut() {
            Some(last) if last.description == what && last.paragraph == paragraph => last.text.push(character),
            _ => self.story.unfillable_texts.push(UnfillableText {
                description: what,
                paragraph,
                text: character.to_string(),
            }),
        }
    }
}
