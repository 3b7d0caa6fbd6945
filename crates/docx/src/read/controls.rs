//! The content of content controls (§17.5.2). Bound data replaces the content of a control. Prompts such as “Click or
//! tap here to enter text.” are not shown if the control has a tag.
//!
//! A tagged control is a field of the template, so its prompt is not part of the document. Prompts of other controls
//! stay, because Word prints them. Without them, pages would break at other places than in Word.

use std::rc::Rc;

use super::cascade::ParagraphBase;
use super::part_reader::PartReader;
use super::xml::{Element, Ns};
use crate::tree::*;

/// Returns `true` if the control has a tag and shows a prompt (w:showingPlcHdr) instead of content.
pub(crate) fn shows_prompt(control: Element<'_>) -> bool {
    let Some(properties) = control.child(Ns::W, "sdtPr") else { return false };
    let is_tagged = properties.child_val("tag").is_some_and(|tag| !tag.trim().is_empty());
    is_tagged && properties.child(Ns::W, "showingPlcHdr").is_some_and(|shown| super::values::on_off(shown.val()))
}

impl<'t> PartReader<'t, '_> {
    /// Reads a control inside a paragraph.
    pub(crate) fn read_content_control(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        let Some(content) = element.child(Ns::W, "sdtContent") else { return };
        let (bound, prompt) = (self.read_bound_text(element), shows_prompt(element));
        // The content of a bound control and a prompt are not merged with the text before them.
        self.at_field_start |= bound.is_some() || prompt;
        let start = self.open_paragraph.inlines.len();
        self.read_inlines(content, base);
        if self.is_in_field_code() {
            return;
        }
        if let Some(bound) = bound {
            let own = element.child(Ns::W, "sdtPr").and_then(|properties| properties.child(Ns::W, "rPr"));
            let own = self.run_properties(base, own);
            bound.replace_inlines(&mut self.open_paragraph.inlines, start, own);
        } else if prompt {
            remove_prompt(&mut self.open_paragraph.inlines, start);
        }
    }

    /// Reads a control around paragraphs or tables.
    pub(crate) fn read_block_control(&mut self, element: Element<'t>, blocks: &mut Vec<Block>) {
        if let Some(content) = element.child(Ns::W, "sdtContent") {
            let start = blocks.len();
            self.read_blocks_into(content, blocks);
            self.finish_block_control(element, blocks, start);
        }
    }

    /// Replaces the content of a control with the data to which it is bound. If a control without bound data shows a
    /// prompt, removes the prompt. The content of the control is the blocks from index `start` on.
    pub(crate) fn finish_block_control(&mut self, control: Element<'t>, blocks: &mut Vec<Block>, start: usize) {
        let bound = self.read_bound_text(control);
        if self.pending_paragraph.is_some() {
            return;
        }
        if let Some(bound) = bound {
            bound.replace_paragraphs(blocks, start);
        } else if shows_prompt(control) && self.charge(blocks.len(), 0) {
            for block in blocks.get_mut(start..).unwrap_or_default() {
                if let Block::Paragraph(paragraph) = block {
                    remove_prompt(&mut paragraph.inlines, 0);
                }
            }
        }
    }
}

/// Removes the text of a prompt. The prompt consists of the inlines from index `start` on. Does nothing if the text
/// contains `{{`, because the author of the template then wrote a field there.
fn remove_prompt(inlines: &mut Vec<Inline>, start: usize) {
    let shown = inlines.get(start..).unwrap_or_default();
    let text: String = shown
        .iter()
        .filter_map(|inline| if let Content::Text(text) = &inline.content { Some(text.as_str()) } else { None })
        .collect();
    if text.contains("{{") {
        return;
    }
    let removed: Vec<Inline> = inlines.drain(start.min(inlines.len())..).collect();
    let is_kept = |inline: &Inline| {
        !matches!(inline.content, Content::Text(_) | Content::Tab | Content::Break(Break::Line | Break::LineClear))
    };
    inlines.extend(removed.into_iter().filter(is_kept));
}
