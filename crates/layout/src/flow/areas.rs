//! The areas of a page (ECMA-376 part 1, §17.6.11, §17.6.4), and the frames that blocks are laid out in.

use waraq_docx::tree::{SectionProperties, Settings};

use super::geometry::{length_or, positive_length_or};
use crate::geometry::HorizontalSpan;
use crate::page::Rect;

/// Minimum width and height of a page in points. A smaller value in the file is probably an error, so the page gets the default
/// width or height instead.
const MIN_PAGE_SIZE: f32 = 36.0;
/// Minimum width and height of a page's body in points. If the margins leave less, they are reduced.
const MIN_BODY_SIZE: f32 = 12.0;

/// Maximum depth of nested boxes (cells, text boxes, notes). Deeper boxes stay empty. Real documents do not nest so deep, but a
/// hostile one would overflow the stack.
const MAX_DEPTH: u8 = 24;

/// The areas of a page in points, relative to its top left corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageAreas {
    pub page: Rect,
    /// The area within the page margins. The body is smaller than this area if a header or footer is higher than its margin.
    pub margin: Rect,
    pub header_top: f32,
    pub footer_bottom: f32,
    /// True if the header never moves the body down, even if the header is higher than the top margin. This is so if the file has
    /// a negative top margin. `exact_bottom` has the same meaning for the footer and the bottom margin.
    pub exact_top: bool,
    pub exact_bottom: bool,
    pub even: bool,
}

/// Computes the areas of a page. `even` is true if the page number is even. If the margins are mirrored, an even page has its
/// left and right margins exchanged.
pub(super) fn page_areas(section: &SectionProperties, settings: &Settings, even: bool) -> PageAreas {
    let size = |value: f32, default: f32| {
        let value = positive_length_or(value, default);
        if value < MIN_PAGE_SIZE { default } else { value.min(14_400.0) }
    };
    let (width, height) = (size(section.page_width, 612.0), size(section.page_height, 792.0));
    let m = &section.margins;
    let gutter = positive_length_or(m.gutter, 0.0);
    let (mut left, mut right) = (length_or(m.left, 72.0), length_or(m.right, 72.0));
    let (mut top, mut bottom) = (length_or(m.top, 72.0).abs(), length_or(m.bottom, 72.0).abs());
    if settings.gutter_at_top {
        top += gutter;
    } else if section.bidi {
        right += gutter;
    } else {
        left += gutter;
    }
    if settings.mirror_margins && even {
        std::mem::swap(&mut left, &mut right);
    }
    for (before, after, whole) in [(&mut left, &mut right, width), (&mut top, &mut bottom, height)] {
        let most = whole - MIN_BODY_SIZE;
        if *before + *after > most {
            let factor = most.max(0.0) / (*before + *after);
            *before *= factor;
            *after *= factor;
        }
    }
    PageAreas {
        page: Rect::new(0.0, 0.0, width, height),
        margin: Rect::new(left, top, width - left - right, height - top - bottom),
        header_top: positive_length_or(m.header, 36.0).min(height / 2.0),
        footer_bottom: height - positive_length_or(m.footer, 36.0).min(height / 2.0),
        exact_top: m.top < 0.0,
        exact_bottom: m.bottom < 0.0,
        even,
    }
}

/// Returns the left edge and the width of each column, in reading order. The columns and the gaps between them fill `width`
/// points.
pub(super) fn column_spans(section: &SectionProperties, width: f32) -> Vec<HorizontalSpan> {
    let c = &section.columns;
    let mut columns = Vec::new();
    if c.unequal.len() > 1 {
        let total: f32 =
            c.unequal.iter().map(|(w, s)| positive_length_or(*w, 0.0) + positive_length_or(*s, 0.0)).sum::<f32>()
                - c.unequal.last().map_or(0.0, |(_, space)| positive_length_or(*space, 0.0));
        let factor = if total > width && total > 0.0 { width / total } else { 1.0 };
        let mut x = 0.0;
        for (column, space) in c.unequal.iter().take(64) {
            let column = positive_length_or(*column, 0.0) * factor;
            columns.push(HorizontalSpan { left: x, width: column.max(1.0) });
            x += column + positive_length_or(*space, 0.0) * factor;
        }
    } else {
        let count = c.count.clamp(1, 64);
        let space = positive_length_or(c.space, 36.0).min(if count > 1 { width / count as f32 } else { width });
        let column = ((width - space * (count - 1) as f32) / count as f32).max(1.0);
        columns.extend((0..count).map(|i| HorizontalSpan { left: i as f32 * (column + space), width: column }));
    }
    if section.bidi {
        for column in &mut columns {
            column.left = width - column.left - column.width;
        }
    }
    columns
}

/// The space in which blocks are laid out. The origin of its coordinates is the top left corner of the column.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    /// Index of the section.
    pub section: usize,
    pub width: f32,
    /// Height in points. Infinite if the content determines the height.
    pub height: f32,
    /// The area of the page, in the coordinates of the column. `margin` is the area within the page margins, in the same
    /// coordinates.
    pub page: Rect,
    pub margin: Rect,
    pub even_page: bool,
    /// True if the column has the full height of the page's body. Content that does not fit in such a column fits in no other
    /// column either.
    pub full_height: bool,
    /// True if the column begins at the top of the page, where a page break before a paragraph has no effect.
    pub at_page_top: bool,
    /// True if the column is the content of a table cell, text frame, note separator or comment. In such a column, text frames
    /// are laid out in the normal flow.
    pub in_cell: bool,
    /// Number of boxes (cells, text boxes, notes) around the column, 0 in the body.
    pub depth: u8,
}

impl Frame {
    /// Creates the frame of a header or footer whose top is at `top` on a page with these areas.
    pub fn of_header(section: usize, areas: &PageAreas, top: f32) -> Self {
        let margin = areas.margin;
        Self {
            section,
            width: margin.width,
            height: f32::INFINITY,
            page: areas.page.translated(-margin.x, -top),
            margin: Rect { x: 0.0, y: margin.y - top, ..margin },
            even_page: areas.even,
            full_height: true,
            at_page_top: true,
            ..Self::default()
        }
    }

    /// Creates the frame of a box (a cell, a text box) inside this frame. The new frame has lines of `width` points and unlimited
    /// height. Its origin is the top left corner of the box.
    pub fn inner(&self, width: f32) -> Self {
        let area = Rect { x: 0.0, y: 0.0, width, height: 0.0 };
        Self {
            width: width.max(1.0),
            height: f32::INFINITY,
            page: area,
            margin: area,
            full_height: true,
            at_page_top: true,
            in_cell: false,
            depth: self.depth.saturating_add(1),
            ..*self
        }
    }

    pub fn is_too_deep(&self) -> bool {
        self.depth > MAX_DEPTH
    }
}
