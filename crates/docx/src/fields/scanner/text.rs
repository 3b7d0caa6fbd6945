//! The characters of the text, with their byte ranges in the part.

use std::ops::Range;

use super::Scanner;
use super::frames::Element;
use crate::fields::scan::{Cell, Elsewhere, Index, OBJECT};

impl Scanner<'_> {
    pub(super) fn element_cell(&mut self, character: char, span: &Range<usize>) -> Element {
        // A `w:tab` in `w:tabs` is not a tab character.
        if !matches!(self.parent(), Element::Run(_) | Element::Compatibility | Element::Fallback)
            || !self.fields_are_text()
        {
            return Element::Other;
        }
        // Pictures and note references must not be deleted with the text around them, so their cells have no bytes.
        let direct = matches!(self.parent(), Element::Run(_));
        self.push_cell(character, span.start..span.start, None, direct);
        let Some(&paragraph) = self.paragraphs.last().filter(|_| character != OBJECT) else { return Element::Other };
        let cells = self.story.paragraphs.get(paragraph).map_or(0, |paragraph| paragraph.cells.len());
        Element::Cell(paragraph, cells.saturating_sub(1))
    }

    fn push_cell(&mut self, character: char, span: Range<usize>, text: Option<Index>, direct: bool) {
        let (Some(&run), Some(&paragraph)) = (self.runs.last(), self.paragraphs.last()) else { return };
        let control = self.controls.last().copied();
        let merge = self.merges.last().copied();
        self.story.held.more(size_of::<Cell>());
        if let Some(paragraph) = self.story.paragraphs.get_mut(paragraph) {
            paragraph.cells.push(Cell { character, span, text, run, direct, control, merge });
        }
    }

    pub(super) fn text(&mut self, span: Range<usize>) {
        let text = self.source.get(span.clone()).unwrap_or_default();
        let starts = text.char_indices().map(|(at, character)| (span.start + at, character));
        let characters = starts.map(|(start, character)| (start..start + character.len_utf8(), character));
        self.characters(characters, span.clone());
    }

    /// Handles characters with their byte ranges. `span` is the complete range.
    pub(super) fn characters(&mut self, characters: impl Iterator<Item = (Range<usize>, char)>, span: Range<usize>) {
        if self.parent() == Element::Text && self.fields_are_text() {
            for (place, character) in characters {
                self.push_cell(character, place, self.texts, self.text_is_direct);
            }
        } else {
            characters.for_each(|(_, character)| self.character_elsewhere(character));
            self.text_of_code(span);
        }
    }

    /// Records text inside a field code. The text is not visible. It is deleted when the field becomes plain text.
    fn text_of_code(&mut self, span: Range<usize>) {
        if self.parent() == Element::Text
            && self.deletions == 0
            && let Some(field) = self.fields.last_mut()
        {
            field.spans.push(span);
        }
    }

    fn character_elsewhere(&mut self, character: char) {
        let what = match self.parent() {
            Element::Instruction => {
                if let Some(field) = self.fields.last_mut().filter(|field| !field.in_result) {
                    field.instruction.push(character);
                }
                "a field code"
            }
            Element::DeletedText => "deleted text",
            Element::Text if self.deletions > 0 => "deleted text",
            Element::Text => "a field code",
            Element::MathText => "a formula",
            _ => return,
        };
        let paragraph = self.paragraphs.last().map(|&at| at + 1);
        match self.story.elsewhere.last_mut() {
            Some(last) if last.what == what && last.paragraph == paragraph => last.text.push(character),
            _ => self.story.elsewhere.push(Elsewhere { what, paragraph, text: character.to_string() }),
        }
    }
}
