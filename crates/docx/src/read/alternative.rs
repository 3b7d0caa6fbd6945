//! w:altChunk (§17.17.2): content in another format.

use super::story::Story;
use super::xml::Element;
use crate::tree::Block;

impl<'t> Story<'t, '_> {
    pub(crate) fn alternative_format(&mut self, _element: Element<'t>, _blocks: &mut Vec<Block>) {
        self.warn("alternative_content_left_out", "content in another format is not shown");
    }
}
