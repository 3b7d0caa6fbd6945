//! The content of content controls (§17.5.2). If a control is bound to data, the data replaces its content.
//!
//! Prompts such as “Click or tap here to enter text.” are content like any other, because Word prints them. Filling replaces the
//! prompts of controls that are fields.

use std::rc::Rc;

use super::cascade::ParagraphBase;
use super::part_reader::PartReader;
use super::xml::{Element, Ns};
use crate::tree::*;

impl<'t> PartReader<'t, '_> {
    /// Reads a control inside a paragraph.
    pub(crate) fn read_content_control(&mut self, element: Element<'t>, base: &Rc<ParagraphBase>) {
        let Some(content) = element.child(Ns::W, "sdtContent") else { return };
        let bound = self.read_bound_text(element);
        // The content of a bound control is not merged with the text before it.
        self.at_field_start |= bound.is_some();
        let start = self.open_paragraph.inlines.len();
        self.read_inlines(content, base);
        if self.is_in_field_code() {
            return;
        }
        if let Some(bound) = bound {
            let own = element.child(Ns::W, "sdtPr").and_then(|properties| properties.child(Ns::W, "rPr"));
            let own = self.run_properties(base, own);
            bound.replace_inlines(&mut self.open_paragraph.inlines, start, own);
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

    /// Replaces the content of a control with the data to which it is bound. The content of the control is the blocks from
    /// index `start` on.
    pub(crate) fn finish_block_control(&mut self, control: Element<'t>, blocks: &mut Vec<Block>, start: usize) {
        let bound = self.read_bound_text(control);
        if self.pending_paragraph.is_some() {
            return;
        }
        if let Some(bound) = bound {
            bound.replace_paragraphs(blocks, start);
        }
    }
}
