//! Headers and footers (ECMA-376 part 1, §17.10): selection, measurement and painting.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use waraq_docx::tree::{Block, ComputedField, Content, Document, HeaderSet};
use waraq_rules::DiagnosticCode;

use super::areas::{Frame, PageAreas};
use super::context::LayoutContext;
use super::field_results::PageNumbering;
use super::fragment::{Exclusion, UnboundedColumn};
use super::paint::{Canvas, Painter};
use super::walk;
use crate::page::{DisplayItem, Meter, Rect, TaggedItem, total_size};

/// Maximum height of a header or footer, as a fraction of the page height. If a header or footer is higher, only its beginning is
/// shown.
const MAX_PAGE_FRACTION: f32 = 0.5;

/// Minimum distance in points between the body and a header or footer that extends beyond its margin. Word keeps such a distance,
/// but its value is not documented. It was measured with seven documents of two templates. With a value from 0.41 to 0.45 instead
/// of 0, 67 more pages start as in Word. In one other document, one page fewer starts as in Word.
const HEADER_GAP: f32 = 0.45;

/// The kind of a header or footer (w:headerReference, w:footerReference: the attribute w:type).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum HeaderKind {
    Default,
    First,
    Even,
}

/// The edge of the page: `Top` for headers, `Bottom` for footers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PageEdge {
    Top,
    Bottom,
}

/// Returns the kind of header and footer of the page with this number.
pub(super) fn header_kind(document: &Document, section: usize, number: u32, first_of_section: bool) -> HeaderKind {
    let title = document.sections.get(section).is_some_and(|section| section.properties.title_page);
    if title && first_of_section {
        HeaderKind::First
    } else if document.settings.even_and_odd_headers && number.is_multiple_of(2) {
        HeaderKind::Even
    } else {
        HeaderKind::Default
    }
}

/// Returns the blocks of the header or footer of this kind, or `None` if the section has none.
pub(super) fn header_blocks(set: &HeaderSet, kind: HeaderKind) -> Option<&Vec<Block>> {
    match kind {
        HeaderKind::Default => set.default.as_deref(),
        HeaderKind::First => set.first.as_deref(),
        HeaderKind::Even => set.even.as_deref(),
    }
}

/// The heights in points of the header and the footer of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct HeaderHeights {
    pub header_height: f32,
    pub footer_height: f32,
    /// Areas of the floats of header and footer on the page. As in Word, the text of the body wraps around these floats too.
    pub exclusions: Vec<Exclusion>,
    /// True if the header or footer has a field whose text depends on the content of the page, such as STYLEREF. Its height can
    /// then differ from page to page.
    pub depends_on_page: bool,
}

impl HeaderHeights {
    /// Returns the area of the body of a page, between header and footer.
    pub fn body_area(&self, areas: &PageAreas) -> Rect {
        let mut body = areas.margin;
        if !areas.exact_top {
            let pushed = areas.header_top + self.header_height + HEADER_GAP;
            if self.header_height > 0.0 && pushed > body.y {
                body.height -= pushed - body.y;
                body.y = pushed;
            }
        }
        if !areas.exact_bottom && self.footer_height > 0.0 {
            body.height = body.height.min(areas.footer_bottom - self.footer_height - HEADER_GAP - body.y);
        }
        // If header and footer leave less than an eighth of the page height for the body, the body gets a third of it.
        if body.height < areas.page.height / 8.0 {
            body.y = body.y.min(areas.page.height * 0.6);
            body.height = areas.page.height / 3.0;
        }
        body
    }
}

/// Identifies the header and footer of a page. Pages with equal keys have the same header and footer, except for page numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct HeaderKey {
    /// Index of the section.
    pub section: usize,
    /// The kind of header and footer.
    pub kind: HeaderKind,
    /// True for pages with an even number. They have a key of their own, because mirrored margins give their headers another
    /// position.
    pub even_page: bool,
}

/// Heights of headers and footers, by section, kind, and even or odd page.
pub(super) type HeaderHeightsByKind = HashMap<HeaderKey, HeaderHeights>;

/// Lays out the header and the footer of a page to get their heights and floats.
pub(super) fn measure_headers(
    ctx: &LayoutContext<'_>,
    section: usize,
    kind: HeaderKind,
    areas: &PageAreas,
) -> HeaderHeights {
    let [header, footer] =
        [PageEdge::Top, PageEdge::Bottom].map(|edge| lay_out_header(ctx, edge, section, kind, areas));
    let depends_on_page =
        [PageEdge::Top, PageEdge::Bottom].into_iter().any(|edge| depends_on_page(ctx, edge, section, kind));
    let mut taken = HeaderHeights { depends_on_page, ..HeaderHeights::default() };
    for (set, height) in [(header, &mut taken.header_height), (footer, &mut taken.footer_height)] {
        let Some(set) = set else { continue };
        *height = set.height;
        let floats = set.content.floats.iter().filter_map(|float| float.exclusion);
        taken.exclusions.extend(floats.map(|e| e.moved(areas.margin.x, set.top)));
    }
    taken
}

/// Returns true if a header or footer has a field whose text depends on the content of the page. The text of other fields, such
/// as PAGE, depends at most on the number of the page.
fn depends_on_page(ctx: &LayoutContext<'_>, edge: PageEdge, section: usize, kind: HeaderKind) -> bool {
    let Some(of) = ctx.document.sections.get(section) else { return false };
    let set = if edge == PageEdge::Top { &of.headers } else { &of.footers };
    let mut found = false;
    walk::visit_paragraphs(header_blocks(set, kind).map_or(&[], Vec::as_slice), 0, &mut |paragraph| {
        found |= paragraph
            .inlines
            .iter()
            .any(|inline| matches!(&inline.content, Content::Field { field, .. } if needs_own_header(field)));
    });
    found
}

/// Returns true if equal texts of a field on two pages do not prove that its text is the same on all pages. An example is an IF
/// field that compares the page number with the number of the last page.
fn needs_own_header(field: &ComputedField) -> bool {
    matches!(field, ComputedField::StyleReference(_) | ComputedField::Expression(_)) && field.depends_on_page()
}

/// A header or footer after layout.
struct HeaderLayout<'b> {
    content: UnboundedColumn<'b>,
    /// The top of the header or footer on the page.
    top: f32,
    /// Height of the text of the header or footer. Its floats are not included, because they do not reduce the height of the
    /// body.
    height: f32,
}

/// Lays out the header or footer of a page. Returns `None` if the section has none of this kind.
fn lay_out_header<'b>(
    ctx: &LayoutContext<'b>,
    edge: PageEdge,
    section: usize,
    kind: HeaderKind,
    areas: &PageAreas,
) -> Option<HeaderLayout<'b>> {
    let of = ctx.document.sections.get(section)?;
    let (blocks, start) = match edge {
        PageEdge::Top => (header_blocks(&of.headers, kind)?, areas.header_top),
        PageEdge::Bottom => (header_blocks(&of.footers, kind)?, areas.footer_bottom),
    };
    // Limit the height. The body needs space, and a long header on every page must not take more time than its visible part
    // requires.
    let most = areas.page.height * MAX_PAGE_FRACTION;
    let set = |top: f32| ctx.lay_out_unbounded_until(blocks, Frame::of_header(section, areas, top), most);
    let mut content = set(start);
    let height = content.text_height;
    if height > most {
        let message = "A header or footer is higher than half a page: what does not fit is not seen.";
        ctx.warn(blocks, DiagnosticCode::TextCutOff, message);
    }
    let top = if edge == PageEdge::Top { start } else { start - height };
    // The positions of floats on the page depend on the top of the footer, which is known only now. Lay them out again.
    if top != start && !content.floats.is_empty() {
        content = set(top);
    }
    Some(HeaderLayout { content, top, height })
}

/// Minimum size in bytes of items that are shared between pages. Shared items become a separate object in a PDF, so smaller
/// content is drawn on each page instead. A line of text takes about 3,000 bytes.
const MIN_SHARED_SIZE: usize = 32 << 10;

/// A painted header or footer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PaintedHeader {
    /// Items drawn before the body.
    pub before_body: Vec<TaggedItem>,
    /// Items drawn after the body. They are last in the reading order.
    pub after_body: Vec<TaggedItem>,
    /// Height of the text in points.
    pub height: f32,
}

impl PaintedHeader {
    /// Splits the items of a canvas into those drawn before the body and those drawn after it. The text of a footer is drawn
    /// after the body, so that it is last in the reading order. If a float is in front of the footer's text, both are drawn
    /// before the body. Otherwise, the text would cover the float.
    fn from_canvas(edge: PageEdge, mut canvas: Canvas, height: f32) -> Self {
        let read_last = edge == PageEdge::Bottom && canvas.front.is_empty();
        let last = if read_last { std::mem::take(&mut canvas.body) } else { Vec::new() };
        Self { before_body: canvas.take_items(), after_body: last, height }
    }

    /// Replaces each large list of items by one item that all pages share.
    fn share_large_items(self, meter: &Meter, count: &mut u32) -> Self {
        let mut share = |items: Vec<TaggedItem>| {
            if total_size(&items) < MIN_SHARED_SIZE
                || !items.iter().all(|placed| placed.element.is_none() && is_shareable(&placed.item))
            {
                return items;
            }
            meter.allocate(total_size(&items));
            *count += 1;
            vec![TaggedItem { item: DisplayItem::Repeated { id: *count, items: items.into() }, element: None }]
        };
        Self { before_body: share(self.before_body), after_body: share(self.after_body), height: self.height }
    }
}

/// Returns true if pages can share an item. A link cannot be shared, because it belongs to one page. Pictures and groups cannot
/// be shared, because the PDF renderer draws them with separate code.
fn is_shareable(item: &DisplayItem) -> bool {
    matches!(
        item,
        DisplayItem::Glyphs(_)
            | DisplayItem::Rectangle { .. }
            | DisplayItem::Stroke(_)
            | DisplayItem::FilledPath { .. }
            | DisplayItem::Value { .. }
    )
}

/// Cache of painted headers and footers. If a header looks the same on two pages with different numbers, it shows no page
/// number, so all further pages reuse it. Such a header is laid out only twice, regardless of the number of pages.
#[derive(Default)]
pub(super) struct HeaderCache {
    painted: HashMap<(PageEdge, HeaderKey), CachedHeader>,
    /// Number of shared headers and footers so far.
    shared: u32,
}

/// A page whose header and footer are painted.
#[derive(Clone, Copy)]
pub(super) struct HeaderPage<'t> {
    /// The number of the page.
    pub numbering: PageNumbering,
    /// The kind of the header and footer.
    pub kind: HeaderKind,
    /// The areas of the page.
    pub areas: &'t PageAreas,
    /// True if the header or footer has a field whose text depends on the content of the page.
    pub depends_on_page: bool,
}

enum CachedHeader {
    /// The header was painted only once so far, for the page with this number.
    PaintedOnce(u32, PaintedHeader),
    /// The header was the same on two pages with different numbers, so it is the same on all pages.
    SameOnAllPages(PaintedHeader),
    /// The header was different on two pages, so it is painted again on every page.
    DiffersByPage,
}

impl HeaderCache {
    /// Paints the header or footer of a page.
    pub fn paint_header(&mut self, ctx: &LayoutContext<'_>, edge: PageEdge, of: HeaderPage<'_>) -> PaintedHeader {
        let HeaderPage { numbering: page, kind, areas, depends_on_page } = of;
        let paint = || {
            let set = lay_out_header(ctx, edge, page.section, kind, areas);
            set.map_or_else(PaintedHeader::default, |HeaderLayout { content, top, height }| {
                let mut painter = Painter::new(ctx, Frame::of_header(page.section, areas, top));
                painter.artifact = true;
                painter.paint_unbounded(&content, areas.margin.x, top);
                PaintedHeader::from_canvas(edge, painter.canvas, height)
            })
        };
        let key = HeaderKey { section: page.section, kind, even_page: areas.even };
        match self.painted.entry((edge, key)) {
            Entry::Vacant(entry) => {
                let painted = paint();
                entry.insert(if depends_on_page {
                    CachedHeader::DiffersByPage
                } else {
                    CachedHeader::PaintedOnce(page.number, painted.clone())
                });
                painted
            }
            Entry::Occupied(mut entry) => {
                if let CachedHeader::SameOnAllPages(painted) = entry.get() {
                    return painted.clone();
                }
                let painted = paint();
                if let CachedHeader::PaintedOnce(number, before) = entry.get()
                    && *number != page.number
                {
                    let alike = *before == painted;
                    entry.insert(if alike {
                        CachedHeader::SameOnAllPages(painted.clone().share_large_items(ctx.meter(), &mut self.shared))
                    } else {
                        CachedHeader::DiffersByPage
                    });
                }
                painted
            }
        }
    }
}
