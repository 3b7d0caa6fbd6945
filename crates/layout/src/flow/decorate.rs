//! Borders and shading of paragraphs (ECMA-376 part 1, §17.3.1.7, §17.3.1.31), and text on dark backgrounds.

use waraq_docx::tree::{Border, Paragraph, Rgb};

use super::border::{self, plain, thickness};
use super::geometry::{positive, sane};
use super::spacing::{has_box, same_box, visible};
use super::unit::{LineUnit, Unit};
use crate::page::{Item, Placed, Rect};

/// The lines of one paragraph in a column.
struct Extent<'u, 'g> {
    paragraph: &'g Paragraph,
    first: &'u LineUnit<'g>,
    last: &'u LineUnit<'g>,
    top: f32,
    bottom: f32,
}

/// Paints the shading and borders of the paragraphs in a column of this width with its top left corner at (x, y).
pub(super) fn paragraphs(items: &mut Vec<Placed>, units: &[Unit<'_>], width: f32, x: f32, y: f32) {
    // Paragraphs with a table between them are not adjacent.
    for lines in units.split(|unit| unit.line().is_none()) {
        for joined in extents(lines).chunk_by(joins) {
            if joined.first().is_some_and(|extent| is_decorated(extent.paragraph)) {
                group(items, joined, width, x, y);
            }
        }
    }
}

fn extents<'u, 'g>(units: &'u [Unit<'g>]) -> Vec<Extent<'u, 'g>> {
    let same =
        |a: &Unit<'_>, b: &Unit<'_>| a.line().zip(b.line()).is_some_and(|(a, b)| a.paragraph.id == b.paragraph.id);
    let extent = |lines: &'u [Unit<'g>]| {
        let (above, below) = (lines.first()?, lines.last()?);
        let (first, last) = (above.line()?, below.line()?);
        Some(Extent { paragraph: first.paragraph, first, last, top: above.y, bottom: below.bottom() })
    };
    units.chunk_by(same).filter_map(extent).collect()
}

/// Returns true if two adjacent paragraphs are decorated together, because they share one box of borders or have the same
/// shading. Shading then also covers the space between them.
fn joins(a: &Extent<'_, '_>, b: &Extent<'_, '_>) -> bool {
    if same_box(a.paragraph, b.paragraph) {
        return true;
    }
    let (p, q) = (&a.paragraph.properties, &b.paragraph.properties);
    p.shading.is_some() && p.shading == q.shading && p.borders == q.borders && p.indent == q.indent && p.bidi == q.bidi
}

/// Adds the shadow of a box: a line at the right of the box and one below it, each as thick as the border (§17.3.4, w:shadow).
pub(super) fn shadow(items: &mut Vec<Placed>, border: &Border, area: Rect) {
    let width = thickness(Some(*border));
    let color = border.color.unwrap_or(Rgb(0, 0, 0));
    let over = width / 2.0;
    for area in [
        Rect::new(area.x + width, area.bottom(), area.width + over, width),
        Rect::new(area.right() + over, area.y + width, width, area.height),
    ] {
        items.push(plain(Item::Rectangle { area, color, opacity: 1.0 }));
    }
}

/// Paints the shading and borders of paragraphs that are decorated together.
fn group(items: &mut Vec<Placed>, group: &[Extent<'_, '_>], width: f32, x: f32, y: f32) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
    let borders = &first.paragraph.properties.borders;
    let [top_line, bottom_line, left_line, right_line] =
        [borders.top, borders.bottom, borders.left, borders.right].map(visible);
    let (left, right) = text_edges(first.paragraph, width);
    let half = |line: Option<Border>| thickness(line) / 2.0;
    let space = |line: Option<Border>| line.map_or(0.0, |border| positive(border.space, 0.0));
    let (left, right) =
        (x + left - (space(left_line) + half(left_line)), x + right + (space(right_line) + half(right_line)));
    let (top, bottom) = (y + first.top, y + last.bottom);
    if let Some(border) = right_line.or(bottom_line).filter(|border| border.shadow) {
        shadow(items, &border, Rect::new(left, top, right - left, bottom - top));
    }
    for (index, extent) in group.iter().enumerate() {
        let below = group.get(index + 1).map_or(extent.bottom, |next| next.top);
        if let Some(color) = extent.paragraph.properties.shading {
            let area = Rect::new(left, y + extent.top, right - left, below - extent.top);
            items.push(plain(Item::Rectangle { area, color, opacity: 1.0 }));
        }
    }
    let (begins, ends) = (first.first.first, last.last.last);
    let along = [top_line.filter(|_| begins), bottom_line.filter(|_| ends), None, None];
    border::around(items, along, (left, top + half(top_line)), (right, bottom - half(bottom_line)), true);
    border::around(items, [None, None, left_line, right_line], (left, top), (right, bottom), true);
    if let Some(border) = visible(borders.between) {
        for extent in group.iter().skip(1) {
            let middle = y + extent.top + half(Some(border));
            border::draw(items, &border, (left, middle), (right, middle), false);
        }
    }
    if let Some(border) = visible(borders.bar) {
        let at = left - positive(border.space, 0.0) - 4.0;
        border::draw(items, &border, (at, top), (at, bottom), false);
    }
}

/// Returns the left and the right edge of a paragraph's text within its column. They follow from the indents; a hanging first
/// line is included.
fn text_edges(paragraph: &Paragraph, width: f32) -> (f32, f32) {
    let properties = &paragraph.properties;
    let indent = &properties.indent;
    let start = sane(indent.start + indent.first_line.min(0.0), 0.0);
    let end = sane(indent.end, 0.0);
    if properties.bidi { (end, width - start) } else { (start, width - end) }
}

/// Returns true if a paragraph has visible borders or shading.
fn is_decorated(paragraph: &Paragraph) -> bool {
    let properties = &paragraph.properties;
    properties.shading.is_some() || has_box(properties) || visible(properties.borders.bar).is_some()
}

/// Changes black text on a dark background to white. Automatic colour was resolved to black before, but Word shows it white on
/// a dark background. (Text that the author made black also becomes white; it would be unreadable otherwise.)
pub(super) fn lighten(items: &mut [Placed]) {
    for placed in items {
        match &mut placed.item {
            Item::Glyphs(run) if run.color == Rgb(0, 0, 0) => run.color = Rgb(255, 255, 255),
            Item::Group { items, .. } => lighten(items),
            _ => {}
        }
    }
}
