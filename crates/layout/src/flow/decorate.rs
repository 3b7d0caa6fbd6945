//! Borders and shading of paragraphs (ECMA-376 part 1, §17.3.1.7, §17.3.1.31), and text on dark backgrounds.

use waraq_docx::tree::{Border, Paragraph, Rgb};

use super::border::{self, thickness, untagged};
use super::fragment::{Fragment, LineFragment};
use super::geometry::{length_or, positive_length_or};
use super::spacing::{has_borders, share_border_box, visible_border};
use crate::geometry::HorizontalExtent;
use crate::page::{DisplayItem, Point, Rect, TaggedItem};

/// The lines of one paragraph in a column, and the vertical range that they cover.
struct ParagraphExtent<'u, 'g> {
    paragraph: &'g Paragraph,
    first: &'u LineFragment<'g>,
    last: &'u LineFragment<'g>,
    top: f32,
    bottom: f32,
}

/// Paints the shading and borders of the paragraphs in a column of this width with its top left corner at (x, y).
pub(super) fn paint_decorations(items: &mut Vec<TaggedItem>, fragments: &[Fragment<'_>], width: f32, x: f32, y: f32) {
    // Paragraphs with a table between them are not adjacent.
    for lines in fragments.split(|fragment| fragment.line().is_none()) {
        for joined in paragraph_extents(lines).chunk_by(are_decorated_together) {
            if joined.first().is_some_and(|extent| is_decorated(extent.paragraph)) {
                paint_group(items, joined, width, x, y);
            }
        }
    }
}

fn paragraph_extents<'u, 'g>(fragments: &'u [Fragment<'g>]) -> Vec<ParagraphExtent<'u, 'g>> {
    let same = |a: &Fragment<'_>, b: &Fragment<'_>| {
        a.line().zip(b.line()).is_some_and(|(a, b)| a.paragraph.id == b.paragraph.id)
    };
    let extent = |lines: &'u [Fragment<'g>]| {
        let (above, below) = (lines.first()?, lines.last()?);
        let (first, last) = (above.line()?, below.line()?);
        Some(ParagraphExtent { paragraph: first.paragraph, first, last, top: above.y, bottom: below.bottom() })
    };
    fragments.chunk_by(same).filter_map(extent).collect()
}

/// Returns true if two adjacent paragraphs get one common decoration, because they share one box of borders or have the same
/// shading. Their shading then also covers the space between them.
fn are_decorated_together(a: &ParagraphExtent<'_, '_>, b: &ParagraphExtent<'_, '_>) -> bool {
    if share_border_box(a.paragraph, b.paragraph) {
        return true;
    }
    let (p, q) = (&a.paragraph.properties, &b.paragraph.properties);
    p.shading.is_some() && p.shading == q.shading && p.borders == q.borders && p.indent == q.indent && p.bidi == q.bidi
}

/// Adds the shadow of a box: a line at the right of the box and one below it, each as thick as the border (§17.3.4, w:shadow).
pub(super) fn paint_box_shadow(items: &mut Vec<TaggedItem>, border: &Border, area: Rect) {
    let width = thickness(Some(*border));
    let color = border.color.unwrap_or(Rgb(0, 0, 0));
    let over = width / 2.0;
    for area in [
        Rect::new(area.x + width, area.bottom(), area.width + over, width),
        Rect::new(area.right() + over, area.y + width, width, area.height),
    ] {
        items.push(untagged(DisplayItem::Rectangle { area, color, opacity: 1.0 }));
    }
}

/// Paints the common shading and borders of adjacent paragraphs.
fn paint_group(items: &mut Vec<TaggedItem>, group: &[ParagraphExtent<'_, '_>], width: f32, x: f32, y: f32) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
    let borders = &first.paragraph.properties.borders;
    let [top_line, bottom_line, left_line, right_line] =
        [borders.top, borders.bottom, borders.left, borders.right].map(visible_border);
    let text = text_edges(first.paragraph, width);
    let half = |line: Option<Border>| thickness(line) / 2.0;
    let space = |line: Option<Border>| line.map_or(0.0, |border| positive_length_or(border.space, 0.0));
    let (left, right) =
        (x + text.left - (space(left_line) + half(left_line)), x + text.right + (space(right_line) + half(right_line)));
    let (top, bottom) = (y + first.top, y + last.bottom);
    if let Some(border) = right_line.or(bottom_line).filter(|border| border.shadow) {
        paint_box_shadow(items, &border, Rect::new(left, top, right - left, bottom - top));
    }
    for (index, extent) in group.iter().enumerate() {
        let below = group.get(index + 1).map_or(extent.bottom, |next| next.top);
        if let Some(color) = extent.paragraph.properties.shading {
            let area = Rect::new(left, y + extent.top, right - left, below - extent.top);
            items.push(untagged(DisplayItem::Rectangle { area, color, opacity: 1.0 }));
        }
    }
    let (begins, ends) = (first.first.first, last.last.last);
    let along = [top_line.filter(|_| begins), bottom_line.filter(|_| ends), None, None];
    let top_left = Point { x: left, y: top + half(top_line) };
    let bottom_right = Point { x: right, y: bottom - half(bottom_line) };
    border::draw_box(items, along, top_left, bottom_right, true);
    let (top_left, bottom_right) = (Point { x: left, y: top }, Point { x: right, y: bottom });
    border::draw_box(items, [None, None, left_line, right_line], top_left, bottom_right, true);
    if let Some(border) = visible_border(borders.between) {
        for extent in group.iter().skip(1) {
            let middle = y + extent.top + half(Some(border));
            border::draw_border(items, &border, Point { x: left, y: middle }, Point { x: right, y: middle }, false);
        }
    }
    if let Some(border) = visible_border(borders.bar) {
        let x = left - positive_length_or(border.space, 0.0) - 4.0;
        border::draw_border(items, &border, Point { x, y: top }, Point { x, y: bottom }, false);
    }
}

/// Returns the left and right edges of a paragraph's text within its column. They follow from the indents. If the paragraph has a
/// hanging indent, the start of the first line is used as the start of the text.
fn text_edges(paragraph: &Paragraph, width: f32) -> HorizontalExtent {
    let properties = &paragraph.properties;
    let indent = &properties.indent;
    let start = length_or(indent.start + indent.first_line.min(0.0), 0.0);
    let end = length_or(indent.end, 0.0);
    if properties.bidi {
        HorizontalExtent { left: end, right: width - start }
    } else {
        HorizontalExtent { left: start, right: width - end }
    }
}

/// Returns true if a paragraph has visible borders or shading.
fn is_decorated(paragraph: &Paragraph) -> bool {
    let properties = &paragraph.properties;
    properties.shading.is_some() || has_borders(properties) || visible_border(properties.borders.bar).is_some()
}

/// Changes black text to white, for items on a dark background. On such a background, Word shows text white if its colour is
/// automatic. But the automatic colour was resolved to black in an earlier step. (Text that the author made black also becomes
/// white, because it would be unreadable otherwise.)
pub(super) fn turn_black_text_white(items: &mut [TaggedItem]) {
    for placed in items {
        match &mut placed.item {
            DisplayItem::Glyphs(run) if run.color == Rgb(0, 0, 0) => run.color = Rgb(255, 255, 255),
            DisplayItem::Group { items, .. } => turn_black_text_white(items),
            _ => {}
        }
    }
}
