//! Block-level content (§17.2.2): paragraphs, tables, and the elements that may wrap them.

use super::story::{NESTING_LIMIT, Story};
use super::xml::{Element, Ns};
use crate::tree::*;
use waraq_rules::FindingCode;

impl<'t> Story<'t, '_> {
    /// Reads the blocks of a cell, note, header or text box.
    pub(crate) fn blocks(&mut self, container: Element<'t>) -> Vec<Block> {
        let mut blocks = Vec::new();
        self.blocks_into(container, &mut blocks);
        self.flush_carried(&mut blocks);
        // Most cells hold one paragraph, but a vector first allocates space for four.
        blocks.shrink_to_fit();
        blocks
    }

    /// Reads blocks independently of the paragraph that contains them. That paragraph continues afterwards.
    pub(crate) fn blocks_apart(&mut self, container: Element<'t>) -> Vec<Block> {
        if self.nesting >= NESTING_LIMIT {
            self.warn(FindingCode::NestedTooDeeply, "what is nested this deeply is not shown");
            return Vec::new();
        }
        self.nesting += 1;
        let line = std::mem::take(&mut self.line);
        let fields = std::mem::take(&mut self.fields);
        let carried = self.carried.take();
        let blocks = self.blocks(container);
        (self.line, self.fields, self.carried) = (line, fields, carried);
        self.nesting -= 1;
        blocks
    }

    pub(crate) fn blocks_into(&mut self, container: Element<'t>, blocks: &mut Vec<Block>) {
        for element in container.children() {
            self.block(element, blocks);
        }
    }

    /// Reads one child of a body, cell, note or other block container.
    pub(crate) fn block(&mut self, element: Element<'t>, blocks: &mut Vec<Block>) {
        if !self.takes(4, size_of::<Block>()) {
            return;
        }
        match (element.ns(), element.name()) {
            (Ns::W, "p") => self.paragraph(element, blocks),
            (Ns::W, "tbl") => {
                self.flush_carried(blocks);
                self.table_block(element, blocks);
            }
            (Ns::W, "sdt") => {
                if let Some(content) = element.child(Ns::W, "sdtContent") {
                    let start = blocks.len();
                    self.blocks_into(content, blocks);
                    if let Some(bound) = self.bound(element).filter(|_| self.carried.is_none()) {
                        bound.show_in(blocks, start);
                    }
                }
            }
            (Ns::W, "customXml" | "smartTag") => self.blocks_into(element, blocks),
            (Ns::W, "ins" | "moveTo" | "del" | "moveFrom") => {
                self.in_revision(element, |story| story.blocks_into(element, blocks));
            }
            (Ns::W, "altChunk") => {
                self.flush_carried(blocks);
                self.alternative_format(element, blocks);
            }
            (Ns::M, "oMathPara" | "oMath") => self.paragraph_of(element, blocks),
            (Ns::W, "bookmarkStart" | "bookmarkEnd") => self.loose_bookmark(element, blocks),
            _ => {}
        }
    }

    /// Adds a bookmark between paragraphs to the paragraph before it, or else to the next one.
    fn loose_bookmark(&mut self, element: Element<'t>, blocks: &mut [Block]) {
        let Some(content) = self.bookmark(element) else { return };
        match blocks.last_mut() {
            Some(Block::Paragraph(paragraph)) => {
                paragraph.inlines.push(Inline { content, run: paragraph.mark.clone(), link: None });
            }
            _ => {
                let run = std::sync::Arc::new(RunProperties::default());
                self.line.inlines.push(Inline { content, run, link: None });
            }
        }
    }
}
