//! Space between paragraphs, and the space for their borders (ECMA-376 part 1, §17.3.1).

use waraq_docx::tree::{Block, Border, BorderStyle, Content, Inline, Paragraph, ParagraphProperties, Settings};

use super::geometry::positive_length_or;

/// Space in points that Word uses before and after a paragraph with automatic spacing (w:beforeAutospacing,
/// w:afterAutospacing).
const AUTO_SPACE: f32 = 14.0;

/// Returns the space above `paragraph` in points. `above` is the previous paragraph, or `None` after a table and at the start of
/// the text. `space_below` is the space that the previous block requires below itself.
///
/// Word uses the larger of the space after the previous paragraph and the space before `paragraph`, as HTML does. If the document
/// has w:doNotUseHTMLParagraphAutoSpacing (§17.15.3.21), Word adds the two.
pub(super) fn space_between(
    above: Option<&Paragraph>,
    space_below: f32,
    paragraph: &Paragraph,
    settings: &Settings,
) -> f32 {
    let properties = &paragraph.properties;
    let mut before = if properties.spacing.before_auto {
        if in_same_list(above, properties) { 0.0 } else { AUTO_SPACE }
    } else {
        positive_length_or(properties.spacing.before, 0.0)
    };
    let mut after = space_below;
    if let Some(above) = above {
        if above.properties.style_id == properties.style_id {
            if above.properties.contextual_spacing {
                after = 0.0;
            }
            if properties.contextual_spacing {
                before = 0.0;
            }
        }
        if above.properties.spacing.after_auto && in_same_list(Some(above), properties) {
            after = 0.0;
        }
    }
    if settings.do_not_use_html_paragraph_auto_spacing { before + after } else { before.max(after) }
}

/// Returns the space after a paragraph in points.
pub(super) fn space_after(paragraph: &Paragraph) -> f32 {
    let spacing = &paragraph.properties.spacing;
    if spacing.after_auto { AUTO_SPACE } else { positive_length_or(spacing.after, 0.0) }
}

/// Returns true if the previous paragraph `above` belongs to the same list as the paragraph with these properties.
fn in_same_list(above: Option<&Paragraph>, properties: &ParagraphProperties) -> bool {
    let number = |p: &ParagraphProperties| p.numbering.map(|(id, _)| id);
    properties.numbering.is_some() && above.is_some_and(|p| number(&p.properties) == number(properties))
}

/// Returns true if two consecutive paragraphs share one box of borders (§17.3.1.7, w:between).
pub(super) fn share_border_box(a: &Paragraph, b: &Paragraph) -> bool {
    let (p, q) = (&a.properties, &b.properties);
    has_borders(p)
        && p.borders == q.borders
        && p.indent.start == q.indent.start
        && p.indent.end == q.indent.end
        && p.bidi == q.bidi
}

pub(super) fn has_borders(p: &ParagraphProperties) -> bool {
    let b = &p.borders;
    [b.top, b.bottom, b.left, b.right, b.between].iter().any(|border| visible_border(*border).is_some())
}

/// Returns the border if it is visible, else `None`.
pub(super) fn visible_border(border: Option<Border>) -> Option<Border> {
    border.filter(|b| b.style != BorderStyle::None && b.width > 0.0 && b.width.is_finite())
}

/// Returns the thickness of a horizontal border plus its distance to the text, in points. Returns 0 if the border is invisible.
pub(super) fn border_height(border: Option<Border>) -> f32 {
    visible_border(border).map_or(0.0, |b| super::border::thickness(Some(b)) + positive_length_or(b.space, 0.0))
}

/// Returns the space in points for borders above the first line of a paragraph. `above` is the previous paragraph. Both
/// paragraphs may share one box of borders.
pub(super) fn border_above(paragraph: &Paragraph, above: Option<&Paragraph>) -> f32 {
    let borders = &paragraph.properties.borders;
    match above {
        Some(above) if share_border_box(above, paragraph) => border_height(borders.between),
        _ => border_height(borders.top),
    }
}

/// Returns the space in points for borders below the last line of a paragraph. `below` is the next block.
pub(super) fn border_below(paragraph: &Paragraph, below: Option<&Block>) -> f32 {
    match below {
        Some(Block::Paragraph(below)) if share_border_box(paragraph, below) && below.properties.frame.is_none() => 0.0,
        _ => border_height(paragraph.properties.borders.bottom),
    }
}

/// Returns true if all content of the paragraph and its mark are hidden, so that the paragraph takes no space.
pub(super) fn is_hidden(paragraph: &Paragraph) -> bool {
    paragraph.mark.hidden && paragraph.inlines.iter().all(|inline| inline.run.hidden || inline.content.is_mark())
}

/// Returns true if the paragraph has no visible content: only marks, breaks and hidden text.
pub(super) fn is_empty(paragraph: &Paragraph) -> bool {
    let unseen =
        |inline: &Inline| inline.content.is_mark() || matches!(inline.content, Content::Break(_)) || inline.run.hidden;
    paragraph.inlines.iter().all(unseen) && paragraph.label.is_none()
}

pub(super) fn as_paragraph(block: &Block) -> Option<&Paragraph> {
    match block {
        Block::Paragraph(paragraph) => Some(paragraph),
        Block::Table(_) => None,
    }
}
