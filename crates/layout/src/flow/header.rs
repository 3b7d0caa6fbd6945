//! Headers and footers (ECMA-376 part 1, §17.10): which one a page has, how high it is, and painting it.

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

/// A header, or a footer, that is higher shows only its beginning.
const MOST_OF_PAGE: f32 = 0.5;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Default,
    First,
    Even,
}

/// Of the page that a header or a footer stands at.
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

/// What a header and a footer take of their page.
#[derive(Debug, Clone, Default)]
pub(super) struct Taken {
    pub header: f32,
    pub footer: f32,
    /// Room of what floats in them, on the page: Word's body text wraps around it too.
    pub exclusions: Vec<Exclusion>,
}

/// Headers and footers, measured once for each section and kind, on odd and even pages.
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

/// A header or a footer that is set.
struct Set<'b> {
    galley: Galley<'b>,
    /// On the page.
    top: f32,
    /// Of its text: what floats in it takes nothing of the body's room.
    height: f32,
}

fn set<'b>(setter: &Setter<'b>, edge: Edge, section: usize, kind: Kind, areas: &PageAreas) -> Option<Set<'b>> {
    let of = setter.document.sections.get(section)?;
    let (blocks, start) = match edge {
        Edge::Top => (blocks(&of.headers, kind)?, areas.header_top),
        Edge::Bottom => (blocks(&of.footers, kind)?, areas.footer_bottom),
    };
    // of a page: the text must keep room, and what every page shows must not cost more than it can show
    let most = areas.page.height * MOST_OF_PAGE;
    let set = |top: f32| setter.galley_until(blocks, Frame::of_header(section, areas, top), most);
    let mut galley = set(start);
    let height = galley.text_height;
    if height > most {
        let message = "A header or footer is higher than half a page: what does not fit is not seen.";
        setter.warn(blocks, FindingCode::TextCutOff, message);
    }
    let top = if edge == Edge::Top { start } else { start - height };
    // where on the page something floats depends on where the footer begins
    if top != start && !galley.floats.is_empty() {
        galley = set(top);
    }
    Some(Set { galley, top, height })
}

/// Bytes of items. What takes fewer is drawn as often as it is seen: what is drawn once and shown by reference is an object of its own
/// in a PDF. A line of text takes about 3,000.
const LARGE: usize = 32 << 10;

/// A header or a footer, painted.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Painted {
    /// Drawn before the body.
    pub first: Vec<Placed>,
    /// Drawn after it: what is read last.
    pub last: Vec<Placed>,
}

impl Painted {
    /// The text of a footer is read last, unless something floats in front of it.
    fn of(edge: Edge, mut canvas: Canvas) -> Self {
        let read_last = edge == Edge::Bottom && canvas.front.is_empty();
        let last = if read_last { std::mem::take(&mut canvas.body) } else { Vec::new() };
        Self { first: canvas.flatten(), last }
    }

    /// The same, in memory once for all pages that show it.
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

/// Links belong to a page; pictures and groups have their own ways into a PDF.
fn is_mere_ink(item: &Item) -> bool {
    matches!(
        item,
        Item::Glyphs(_) | Item::Rectangle { .. } | Item::Stroke(_) | Item::FilledPath { .. } | Item::Value { .. }
    )
}

/// Headers and footers painted so far. What two pages of different numbers show alike shows no page number, and all others like them
/// show it too: it is set twice, however many pages there are.
#[derive(Default)]
pub(super) struct Repeats {
    painted: HashMap<(Edge, usize, Kind, bool), Repeat>,
    /// How many are shown by reference.
    shared: u32,
}

enum Repeat {
    /// On the page of this number.
    Once(u32, Painted),
    Alike(Painted),
    Different,
}

impl Repeats {
    /// The header of a page, or its footer.
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
