//! Walks through a document's blocks in reading order.

use waraq_docx::tree::{Block, Content, Document, Drawing, Graphic, NoteKind, Paragraph};

/// Blocks in blocks are followed this deep.
const DEEPEST: u8 = 40;

/// Every paragraph of the body, with those of cells and text boxes.
pub(super) fn paragraphs_of<'a>(document: &'a Document, visit: &mut dyn FnMut(&'a Paragraph)) {
    for section in &document.sections {
        paragraphs(&section.blocks, visit, 0);
    }
}

pub(super) fn paragraphs<'a>(blocks: &'a [Block], visit: &mut dyn FnMut(&'a Paragraph), depth: u8) {
    if depth > DEEPEST {
        return;
    }
    for block in blocks {
        match block {
            Block::Paragraph(paragraph) => {
                visit(paragraph);
                for inline in &paragraph.inlines {
                    if let Content::Drawing(drawing) = &inline.content {
                        boxes(drawing, &mut |blocks| paragraphs(blocks, visit, depth + 1));
                    }
                }
            }
            Block::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    paragraphs(&cell.blocks, visit, depth + 1);
                }
            }
        }
    }
}

/// The blocks of a drawing's text boxes.
pub(super) fn boxes<'a>(drawing: &'a Drawing, visit: &mut dyn FnMut(&'a [Block])) {
    graphics(
        &drawing.graphic,
        &mut |graphic| {
            if let Graphic::Shape(shape) = graphic
                && let Some(text) = &shape.text
            {
                visit(&text.blocks);
            }
        },
        0,
    );
}

fn graphics<'a>(graphic: &'a Graphic, visit: &mut dyn FnMut(&'a Graphic), depth: u8) {
    visit(graphic);
    if let (Graphic::Group(group), true) = (graphic, depth < DEEPEST) {
        for child in &group.children {
            graphics(&child.graphic, visit, depth + 1);
        }
    }
}

/// Marks of notes in the order of the text: kind, id, and whether the mark is custom.
pub(super) fn notes(blocks: &[Block], visit: &mut dyn FnMut(NoteKind, i64, bool)) {
    paragraphs(
        blocks,
        &mut |paragraph| {
            for inline in &paragraph.inlines {
                if let Content::NoteReference { kind, id, custom } = &inline.content {
                    visit(*kind, *id, *custom);
                }
            }
        },
        0,
    );
}

/// What a reader would read; fields by their last result.
pub(super) fn text_of(content: &Content) -> &str {
    match content {
        Content::Text(text) => text,
        Content::Tab | Content::PositionedTab(_) | Content::Break(_) => " ",
        Content::Field { result, .. } => result,
        Content::Math(math) => &math.text,
        _ => "",
    }
}

/// A paragraph's text in one line, its label first.
pub(super) fn text_of_paragraph(paragraph: &Paragraph) -> String {
    let mut text = String::new();
    if let Some(label) = &paragraph.label
        && label.text.chars().any(char::is_alphanumeric)
    {
        text.push_str(&label.text);
        text.push(' ');
    }
    for inline in paragraph.inlines.iter().filter(|inline| !inline.run.hidden) {
        text.push_str(text_of(&inline.content));
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\u{ad}', "")
}
