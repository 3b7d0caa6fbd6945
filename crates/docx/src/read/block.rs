//! Block-level content (§17.2.2): paragraphs, tables, and the elements that may wrap them.

use super::part_reader::{NESTING_LIMIT, PartReader};
use super::xml::{Element, Ns};
use crate::tree::*;
use waraq_rules::DiagnosticCode;

impl<'t> PartReader<'t, '_> {
    /// Reads the blocks of a cell, note, header or text box.
    pub(crate) fn read_blocks(&mut self, container: Element<'t>) -> Vec<Block> {
        let mut blocks = Vec::new();
        self.read_blocks_into(container, &mut blocks);
        self.flush_pending_paragraph(&mut blocks);
        // Most cells hold one paragraph, but a vector first allocates space for four.
        blocks.shrink_to_fit();
        blocks
    }

    /// Reads blocks inside a paragraph, such as those of a text box. The state of the surrounding paragraph is saved
    /// before and restored afterwards.
    pub(crate) fn read_separate_blocks(&mut self, container: Element<'t>) -> Vec<Block> {
        if self.nesting >= NESTING_LIMIT {
            self.warn(DiagnosticCode::NestedTooDeeply, "what is nested this deeply is not shown");
            return Vec::new();
        }
        self.nesting += 1;
        let line = std::mem::take(&mut self.open_paragraph);
        let fields = std::mem::take(&mut self.fields);
        let carried = self.pending_paragraph.take();
        let blocks = self.read_blocks(container);
        (self.open_paragraph, self.fields, self.pending_paragraph) = (line, fields, carried);
        self.nesting -= 1;
        blocks
    }

    pub(crate) fn read_blocks_into(&mut self, container: Element<'t>, blocks: &mut Vec<Block>) {
        for element in container.children() {
            self.read_block(element, blocks);
        }
    }

    /// Reads one child of a body, cell, note or other block container.
    pub(crate) fn read_block(&mut self, element: Element<'t>, blocks: &mut Vec<Block>) {
        if !self.charge(4, size_of::<Block>()) {
            return;
        }
        match (element.ns(), element.name()) {
            (Ns::W, "p") => self.read_paragraph(element, blocks),
            (Ns::W, "tbl") => {
                self.flush_pending_paragraph(blocks);
                self.read_table_block(element, blocks);
            }
            (Ns::W, "sdt") => self.read_block_control(element, blocks),
            (Ns::W, "customXml" | "smartTag") => self.read_blocks_into(element, blocks),
            (Ns::W, "ins" | "moveTo" | "del" | "moveFrom") => {
                self.read_in_revision(element, |story| story.read_blocks_into(element, blocks));
            }
            (Ns::W, "altChunk") => {
                self.flush_pending_paragraph(blocks);
                self.read_alternative_format(element, blocks);
            }
            (Ns::M, "oMathPara" | "oMath") => self.read_inline_as_paragraph(element, blocks),
            (Ns::W, "bookmarkStart" | "bookmarkEnd") => self.add_bookmark_between_blocks(element, blocks),
            _ => {}
        }
    }

    /// Reads the start or end of a bookmark between two blocks. Adds it to the paragraph before it, or else to the next
    /// paragraph.
    fn add_bookmark_between_blocks(&mut self, element: Element<'t>, blocks: &mut [Block]) {
        let Some(content) = self.read_bookmark(element) else { return };
        match blocks.last_mut() {
            Some(Block::Paragraph(paragraph)) => {
                paragraph.inlines.push(Inline { content, run: paragraph.mark.clone(), link: None });
            }
            _ => {
                let run = std::sync::Arc::new(RunProperties::default());
                self.open_paragraph.inlines.push(Inline { content, run, link: None });
            }
        }
    }
}
