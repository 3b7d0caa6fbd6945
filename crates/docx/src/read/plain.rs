//! The text of blocks without any formatting: comments in lists, results of searches.

use crate::tree::{Block, Content};

/// A line a paragraph; cells below each other.
pub(crate) fn plain_text(blocks: &[Block]) -> String {
    let mut lines = Vec::new();
    gather(blocks, &mut lines);
    lines.join("\n")
}

fn gather(blocks: &[Block], lines: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Paragraph(paragraph) => {
                let pieces = paragraph.inlines.iter().map(|inline| match &inline.content {
                    Content::Text(text) | Content::Field { result: text, .. } => text.as_str(),
                    Content::Math(math) => math.text.as_str(),
                    Content::Tab | Content::PositionedTab(_) => "\t",
                    Content::Break(_) => "\n",
                    _ => "",
                });
                lines.push(pieces.collect());
            }
            Block::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    gather(&cell.blocks, lines);
                }
            }
        }
    }
}
