//! Traversal of a document's blocks in reading order.

use waraq_docx::tree::{Block, Content, Document, Drawing, Graphic, NoteKind, Paragraph, Shape};

/// Maximum depth of nested blocks that are visited.
const DEEPEST: u8 = 40;
/// Maximum depth of nested groups. Deeper groups are not drawn.
pub(super) const DEEPEST_GROUP: u8 = 24;

/// Visits every paragraph of the body, including those of cells and text boxes.
pub(super) fn paragraphs_of<'a>(document: &'a Document, visit: &mut dyn FnMut(&'a Paragraph)) {
    for section in &document.sections {
        paragraphs(&section.blocks, 0, visit);
    }
}

pub(super) fn paragraphs<'a>(blocks: &'a [Block], depth: u8, visit: &mut dyn FnMut(&'a Paragraph)) {
    if depth > DEEPEST {
        return;
    }
    for block in blocks {
        match block {
            Block::Paragraph(paragraph) => {
                visit(paragraph);
                for inline in &paragraph.inlines {
                    if let Content::Drawing(drawing) = &inline.content {
                        boxes(drawing, &mut |blocks| paragraphs(blocks, depth + 1, visit));
                    }
                }
            }
            Block::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    paragraphs(&cell.blocks, depth + 1, visit);
                }
            }
        }
    }
}

/// Visits the blocks of a drawing's text boxes.
pub(super) fn boxes<'a>(drawing: &'a Drawing, visit: &mut dyn FnMut(&'a [Block])) {
    shapes(&drawing.graphic, (drawing.width, drawing.height), 0, &mut |shape, _| {
        if let Some(text) = &shape.text {
            visit(&text.blocks);
        }
    });
}

/// Visits the shapes of a graphic with their widths and heights.
pub(super) fn shapes<'a>(
    graphic: &'a Graphic,
    size: (f32, f32),
    depth: u8,
    visit: &mut dyn FnMut(&'a Shape, (f32, f32)),
) {
    match graphic {
        Graphic::Shape(shape) => visit(shape, size),
        Graphic::Group(group) if depth < DEEPEST_GROUP => {
            for child in &group.children {
                shapes(&child.graphic, (child.width, child.height), depth + 1, visit);
            }
        }
        _ => {}
    }
}

/// Visits note references in text order: kind, id, and whether the mark is custom.
pub(super) fn notes(blocks: &[Block], visit: &mut dyn FnMut(NoteKind, i64, bool)) {
    paragraphs(blocks, 0, &mut |paragraph| {
        for inline in &paragraph.inlines {
            if let Content::NoteReference { kind, id, custom } = &inline.content {
                visit(*kind, *id, *custom);
            }
        }
    });
}

/// Returns the readable text of an inline. Fields return their cached result.
pub(super) fn text_of(content: &Content) -> &str {
    match content {
        Content::Text(text) => text,
        Content::Tab | Content::PositionedTab(_) | Content::Break(_) => " ",
        Content::Field { result, .. } => result,
        Content::Math(math) => &math.text,
        _ => "",
    }
}

/// Returns a paragraph's text on one line, with its label first.
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
