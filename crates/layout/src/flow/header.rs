//! Headers and footers (ECMA-376 part 1, §17.10): selection, measurement and painting.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use waraq_docx::tree::{Block, Document, HeaderSet};
use waraq_rules::DiagnosticCode;

use super::areas::{Frame, PageAreas};
use super::context::LayoutContext;
use super::field_results::PageNumbering;
use super::fragment::{Exclusion, UnboundedColumn};
use super::paint::{Canvas, Painter};
use crate::page::{DisplayItem, Meter, TaggedItem, total_size};

/// Maximum height of a header or footer, as a fraction of the page height. If it is higher, only its beginning is shown.
const MAX_PAGE_FRACTION: f32 = 0.5;

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
}

/// The key of all pages that have the same header and footer, except for their page numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct HeaderKey {
    /// Index of the section.
    pub section: usize,
    /// The kind of header and footer.
    pub kind: HeaderKind,
    /// True for pages with an even number, because mirrored margins change the width of the header.
    pub even_page: bool,
}

/// Heights of headers and footers.
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
    let mut taken = HeaderHeights::default();
    for (set, height) in [(header, &mut taken.header_height), (footer, &mut taken.footer_height)] {
        let Some(set) = set else { continue };
        *height = set.height;
        let floats = set.content.floats.iter().filter_map(|float| float.exclusion);
        taken.exclusions.extend(floats.map(|e| e.moved(areas.margin.x, set.top)));
    }
    taken
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

/// Minimum size in bytes of items that are shared between pages. Smaller content is drawn on each page, because shared content
/// becomes a separate object in a PDF. A line of text takes about 3,000 bytes.
const MIN_SHARED_SIZE: usize = 32 << 10;

/// A painted header or footer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PaintedHeader {
    /// Items drawn before the body.
    pub before_body: Vec<TaggedItem>,
    /// Items drawn after the body. They are last in the reading order.
    pub after_body: Vec<TaggedItem>,
}

impl PaintedHeader {
    /// Splits the items of a canvas into those drawn before and those drawn after the body. The text of a footer is drawn after
    /// the body, so that it is last in the reading order. This is not possible if a float of the footer is in front of its
    /// text.
    fn from_canvas(edge: PageEdge, mut canvas: Canvas) -> Self {
        let read_last = edge == PageEdge::Bottom && canvas.front.is_empty();
        let last = if read_last { std::mem::take(&mut canvas.body) } else { Vec::new() };
        Self { before_body: canvas.take_items(), after_body: last }
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
        Self { before_body: share(self.before_body), after_body: share(self.after_body) }
    }
}

/// Returns true if pages can share an item. Links cannot be shared, because each belongs to one page. Pictures and groups
/// cannot be shared, because they are written to a PDF in another way.
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

enum CachedHeader {
    /// The header is painted once so far, for the page with this number.
    PaintedOnce(u32, PaintedHeader),
    /// The header was the same on two pages with different numbers, so it is the same on all pages.
    SameOnAllPages(PaintedHeader),
    /// The header was different on two pages, so it is painted again on every page.
    DiffersByPage,
}

impl HeaderCache {
    /// Paints the header or footer of a page.
    pub fn paint_header(
        &mut self,
        ctx: &LayoutContext<'_>,
        edge: PageEdge,
        page: PageNumbering,
        kind: HeaderKind,
        areas: &PageAreas,
    ) -> PaintedHeader {
        let paint = || {
            let set = lay_out_header(ctx, edge, page.section, kind, areas);
            set.map_or_else(PaintedHeader::default, |HeaderLayout { content, top, .. }| {
                let mut painter = Painter::new(ctx, Frame::of_header(page.section, areas, top));
                painter.artifact = true;
                painter.paint_unbounded(&content, areas.margin.x, top);
                PaintedHeader::from_canvas(edge, painter.canvas)
            })
        };
        let key = HeaderKey { section: page.section, kind, even_page: areas.even };
        match self.painted.entry((edge, key)) {
            Entry::Vacant(entry) => {
                let painted = paint();
                entry.insert(CachedHeader::PaintedOnce(page.number, painted.clone()));
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
