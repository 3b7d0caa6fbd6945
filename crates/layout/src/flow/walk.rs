//! Traversal of a document's blocks in reading order.

use waraq_docx::tree::{Block, ComputedField, Content, Document, Drawing, Graphic, NoteKind, Paragraph, Shape};

use crate::page::Size;

/// Maximum depth of nested blocks. Deeper blocks are not visited.
const MAX_DEPTH: u8 = 40;
/// Maximum depth of nested groups. Deeper groups are not drawn.
pub(super) const MAX_GROUP_DEPTH: u8 = 24;

/// Visits every paragraph of the body, including those of cells and text boxes.
pub(super) fn visit_document_paragraphs<'a>(document: &'a Document, visit: &mut dyn FnMut(&'a Paragraph)) {
    for section in &document.sections {
        visit_paragraphs(&section.blocks, 0, visit);
    }
}

/// Visits every paragraph of the blocks, including those of cells and text boxes. `depth` is the nesting depth of the blocks, 0
/// in the body.
pub(super) fn visit_paragraphs<'a>(blocks: &'a [Block], depth: u8, visit: &mut dyn FnMut(&'a Paragraph)) {
    if depth > MAX_DEPTH {
        return;
    }
    for block in blocks {
        match block {
            Block::Paragraph(paragraph) => {
                visit(paragraph);
                for inline in &paragraph.inlines {
                    if let Content::Drawing(drawing) = &inline.content {
                        visit_text_boxes(drawing, &mut |blocks| visit_paragraphs(blocks, depth + 1, visit));
                    }
                }
            }
            Block::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    visit_paragraphs(&cell.blocks, depth + 1, visit);
                }
            }
        }
    }
}

/// Calls `visit` with the blocks of each text box of a drawing.
pub(super) fn visit_text_boxes<'a>(drawing: &'a Drawing, visit: &mut dyn FnMut(&'a [Block])) {
    let size = Size { width: drawing.width, height: drawing.height };
    visit_shapes(&drawing.graphic, size, 0, &mut |shape, _| {
        if let Some(text) = &shape.text {
            visit(&text.blocks);
        }
    });
}

/// Calls `visit` with each shape of a graphic and the shape's size. `depth` is the number of enclosing groups.
pub(super) fn visit_shapes<'a>(graphic: &'a Graphic, size: Size, depth: u8, visit: &mut dyn FnMut(&'a Shape, Size)) {
    match graphic {
        Graphic::Shape(shape) => visit(shape, size),
        Graphic::Group(group) if depth < MAX_GROUP_DEPTH => {
            for child in &group.children {
                let size = Size { width: child.width, height: child.height };
                visit_shapes(&child.graphic, size, depth + 1, visit);
            }
        }
        _ => {}
    }
}

/// Calls `visit` for each note reference in text order, with the note's kind and id. The third argument is true if the mark is
/// custom instead of a number.
pub(super) fn visit_note_references(blocks: &[Block], visit: &mut dyn FnMut(NoteKind, i64, bool)) {
    visit_paragraphs(blocks, 0, &mut |paragraph| {
        for inline in &paragraph.inlines {
            if let Content::NoteReference { kind, id, custom } = &inline.content {
                visit(*kind, *id, *custom);
            }
        }
    });
}

/// Calls `visit` with a field, and with each field inside it. The reader limits the nesting depth of fields.
pub(super) fn visit_fields<'a>(field: &'a ComputedField, visit: &mut dyn FnMut(&'a ComputedField)) {
    visit(field);
    if let ComputedField::Expression(expression) = field {
        expression.fields().for_each(|inner| visit_fields(inner, visit));
    }
}

/// Returns the text that a reader sees for some inline content. For a field, this is the result saved in the document. For
/// content without text, such as a picture, returns an empty string.
pub(super) fn inline_text(content: &Content) -> &str {
    match content {
        Content::Text(text) => text,
        Content::Tab | Content::PositionedTab(_) | Content::Break(_) => " ",
        Content::Field { result, .. } => result,
        Content::Math(math) => &math.text,
        _ => "",
    }
}

/// Returns the visible text of a paragraph in a single line, with its list label in front. Bullets and soft hyphens are
/// omitted.
pub(super) fn paragraph_text(paragraph: &Paragraph) -> String {
    let mut text = String::new();
    if let Some(label) = &paragraph.label
        && label.text.chars().any(char::is_alphanumeric)
    {
        text.push_str(&label.text);
        text.push(' ');
    }
    for inline in paragraph.inlines.iter().filter(|inline| !inline.run.hidden) {
        text.push_str(inline_text(&inline.content));
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\u{ad}', "")
}
