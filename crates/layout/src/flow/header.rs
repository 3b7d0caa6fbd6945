//! Headers and footers (ECMA-376 part 1, §17.10): selection, measurement and painting.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use waraq_docx::tree::{Block, Document, HeaderSet};
use waraq_rules::FindingCode;

use super::answers::PageState;
use super::areas::{Frame, PageAreas};
use super::paint::{Canvas, Painter};
use super::setter::Setter;
use super::unit::{Exclusion, Galley};
use crate::page::{Item, Meter, Placed, memory};

/// Maximum height of a header or footer, as a fraction of the page height. Of a higher one, only the beginning is shown.
const MOST_OF_PAGE: f32 = 0.5;

/// The kind of a header or footer (w:headerReference, w:footerReference: the attribute w:type).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Default,
    First,
    Even,
}

/// The page edge of a header or a footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Edge {
    Top,
    Bottom,
}

/// Returns the kind of header and footer of the page with this number.
pub(super) fn kind(document: &Document, section: usize, number: u32, first_of_section: bool) -> Kind {
    let title = document.sections.get(section).is_some_and(|section| section.properties.title_page);
    if title && first_of_section {
        Kind::First
    } else if document.settings.even_and_odd_headers && number.is_multiple_of(2) {
        Kind::Even
    } else {
        Kind::Default
    }
}

/// Returns the blocks of the header or footer of this kind, or `None` if the section has none.
pub(super) fn blocks(set: &HeaderSet, kind: Kind) -> Option<&Vec<Block>> {
    match kind {
        Kind::Default => set.default.as_deref(),
        Kind::First => set.first.as_deref(),
        Kind::Even => set.even.as_deref(),
    }
}

/// The heights of header and footer of a page in points.
#[derive(Debug, Clone, Default)]
pub(super) struct Taken {
    pub header: f32,
    pub footer: f32,
    /// Areas of the floats of header and footer on the page. As in Word, the text of the body wraps around these floats too.
    pub exclusions: Vec<Exclusion>,
}

/// Heights of headers and footers by section, kind, and even (true) or odd pages.
pub(super) type Headers = HashMap<(usize, Kind, bool), Taken>;

/// Lays out the header and the footer of a page to get their heights and floats.
pub(super) fn measure(setter: &Setter<'_>, section: usize, kind: Kind, areas: &PageAreas) -> Taken {
    let [header, footer] = [Edge::Top, Edge::Bottom].map(|edge| set(setter, edge, section, kind, areas));
    let mut taken = Taken::default();
    for (set, height) in [(header, &mut taken.header), (footer, &mut taken.footer)] {
        let Some(set) = set else { continue };
        *height = set.height;
        let floats = set.galley.floats.iter().filter_map(|float| float.exclusion);
        taken.exclusions.extend(floats.map(|e| e.moved(areas.margin.x, set.top)));
    }
    taken
}

/// A header or footer after layout.
struct Set<'b> {
    galley: Galley<'b>,
    /// Top position on the page.
    top: f32,
    /// Height of its text. Floats of a header or footer do not reduce the height of the body.
    height: f32,
}

/// Lays out the header or footer of a page. Returns `None` if the section has none of this kind.
fn set<'b>(setter: &Setter<'b>, edge: Edge, section: usize, kind: Kind, areas: &PageAreas) -> Option<Set<'b>> {
    let of = setter.document.sections.get(section)?;
    let (blocks, start) = match edge {
        Edge::Top => (blocks(&of.headers, kind)?, areas.header_top),
        Edge::Bottom => (blocks(&of.footers, kind)?, areas.footer_bottom),
    };
    // Limit the height, because the body needs space, and because a long header on every page must not cost more than the pages
    // can show.
    let most = areas.page.height * MOST_OF_PAGE;
    let set = |top: f32| setter.galley_until(blocks, Frame::of_header(section, areas, top), most);
    let mut galley = set(start);
    let height = galley.text_height;
    if height > most {
        let message = "A header or footer is higher than half a page: what does not fit is not seen.";
        setter.warn(blocks, FindingCode::TextCutOff, message);
    }
    let top = if edge == Edge::Top { start } else { start - height };
    // The positions of floats on the page depend on the top of the footer, so lay them out again.
    if top != start && !galley.floats.is_empty() {
        galley = set(top);
    }
    Some(Set { galley, top, height })
}

/// Minimum size in bytes of items that are shared between pages. Smaller content is drawn on each page, because shared content
/// becomes a separate object in a PDF. A line of text takes about 3,000 bytes.
const LARGE: usize = 32 << 10;

/// A painted header or footer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Painted {
    /// Items drawn before the body.
    pub first: Vec<Placed>,
    /// Items drawn after the body, which are read last.
    pub last: Vec<Placed>,
}

impl Painted {
    /// Splits the items of a canvas into those drawn before and those drawn after the body. The text of a footer is drawn after
    /// the body, so that it is read last, unless a float is in front of the text.
    fn of(edge: Edge, mut canvas: Canvas) -> Self {
        let read_last = edge == Edge::Bottom && canvas.front.is_empty();
        let last = if read_last { std::mem::take(&mut canvas.body) } else { Vec::new() };
        Self { first: canvas.flatten(), last }
    }

    /// Replaces large lists of items by one shared item that all pages use.
    fn shared(self, meter: &Meter, count: &mut u32) -> Self {
        let mut share = |items: Vec<Placed>| {
            if memory(&items) < LARGE
                || !items.iter().all(|placed| placed.element.is_none() && is_mere_ink(&placed.item))
            {
                return items;
            }
            meter.hold(memory(&items));
            *count += 1;
            vec![Placed { item: Item::Repeated { id: *count, items: items.into() }, element: None }]
        };
        Self { first: share(self.first), last: share(self.last) }
    }
}

/// Returns true if pages can share an item. Links cannot be shared, because they belong to a page. Pictures and groups cannot,
/// because they are written to a PDF in another way.
fn is_mere_ink(item: &Item) -> bool {
    matches!(
        item,
        Item::Glyphs(_) | Item::Rectangle { .. } | Item::Stroke(_) | Item::FilledPath { .. } | Item::Value { .. }
    )
}

/// Cache of painted headers and footers. If a header looks the same on two pages with different numbers, it shows no page
/// number, and all further pages reuse it. Such a header is laid out only twice, regardless of the number of pages.
#[derive(Default)]
pub(super) struct Repeats {
    painted: HashMap<(Edge, usize, Kind, bool), Repeat>,
    /// Number of shared headers and footers.
    shared: u32,
}

enum Repeat {
    /// Painted once so far, for the page with this number.
    Once(u32, Painted),
    /// The same on two pages with different numbers, and thus on all pages.
    Alike(Painted),
    /// Different on two pages, so it is painted again on every page.
    Different,
}

impl Repeats {
    /// Paints the header or footer of a page.
    pub fn paint(
        &mut self,
        setter: &Setter<'_>,
        edge: Edge,
        page: PageState,
        kind: Kind,
        areas: &PageAreas,
    ) -> Painted {
        let paint = || {
            let set = set(setter, edge, page.section, kind, areas);
            set.map_or_else(Painted::default, |Set { galley, top, .. }| {
                let mut painter = Painter::new(setter, Frame::of_header(page.section, areas, top));
                painter.artifact = true;
                painter.galley(&galley, areas.margin.x, top);
                Painted::of(edge, painter.canvas)
            })
        };
        match self.painted.entry((edge, page.section, kind, areas.even)) {
            Entry::Vacant(entry) => {
                let painted = paint();
                entry.insert(Repeat::Once(page.number, painted.clone()));
                painted
            }
            Entry::Occupied(mut entry) => {
                if let Repeat::Alike(painted) = entry.get() {
                    return painted.clone();
                }
                let painted = paint();
                if let Repeat::Once(number, before) = entry.get()
                    && *number != page.number
                {
                    let alike = *before == painted;
                    entry.insert(if alike {
                        Repeat::Alike(painted.clone().shared(setter.meter(), &mut self.shared))
                    } else {
                        Repeat::Different
                    });
                }
                painted
            }
        }
    }
}
