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

/// Maximum share of the page height for a header or footer. A higher one shows only its beginning.
const MOST_OF_PAGE: f32 = 0.5;

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

pub(super) fn blocks(set: &HeaderSet, kind: Kind) -> Option<&Vec<Block>> {
    match kind {
        Kind::Default => set.default.as_deref(),
        Kind::First => set.first.as_deref(),
        Kind::Even => set.even.as_deref(),
    }
}

/// The space that header and footer take on their page.
#[derive(Debug, Clone, Default)]
pub(super) struct Taken {
    pub header: f32,
    pub footer: f32,
    /// Areas of their floats on the page. As in Word, the body text wraps around them too.
    pub exclusions: Vec<Exclusion>,
}

/// Measurements of headers and footers by section, kind, and even or odd pages.
pub(super) type Headers = HashMap<(usize, Kind, bool), Taken>;

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
    /// Height of its text. Floats in it do not reduce the body.
    height: f32,
}

fn set<'b>(setter: &Setter<'b>, edge: Edge, section: usize, kind: Kind, areas: &PageAreas) -> Option<Set<'b>> {
    let of = setter.document.sections.get(section)?;
    let (blocks, start) = match edge {
        Edge::Top => (blocks(&of.headers, kind)?, areas.header_top),
        Edge::Bottom => (blocks(&of.footers, kind)?, areas.footer_bottom),
    };
    // Limit the height, since the body needs space and content on every page must not cost more than it can show.
    let most = areas.page.height * MOST_OF_PAGE;
    let set = |top: f32| setter.galley_until(blocks, Frame::of_header(section, areas, top), most);
    let mut galley = set(start);
    let height = galley.text_height;
    if height > most {
        let message = "A header or footer is higher than half a page: what does not fit is not seen.";
        setter.warn(blocks, FindingCode::TextCutOff, message);
    }
    let top = if edge == Edge::Top { start } else { start - height };
    // The page position of floats depends on the top of the footer.
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
    /// Splits a canvas. The text of a footer is read last, unless something floats in front of it.
    fn of(edge: Edge, mut canvas: Canvas) -> Self {
        let read_last = edge == Edge::Bottom && canvas.front.is_empty();
        let last = if read_last { std::mem::take(&mut canvas.body) } else { Vec::new() };
        Self { first: canvas.flatten(), last }
    }

    /// Moves large items to memory that all pages share.
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

/// Returns true if an item can be shared. Links belong to a page, and pictures and groups are written to a PDF in other ways.
fn is_mere_ink(item: &Item) -> bool {
    matches!(
        item,
        Item::Glyphs(_) | Item::Rectangle { .. } | Item::Stroke(_) | Item::FilledPath { .. } | Item::Value { .. }
    )
}

/// Cache of painted headers and footers. If two pages with different numbers look the same, the content has no page number, so
/// all further pages reuse it. It is laid out only twice, regardless of the number of pages.
#[derive(Default)]
pub(super) struct Repeats {
    painted: HashMap<(Edge, usize, Kind, bool), Repeat>,
    /// Number of shared headers and footers.
    shared: u32,
}

enum Repeat {
    /// Painted once, for the page with this number.
    Once(u32, Painted),
    Alike(Painted),
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
