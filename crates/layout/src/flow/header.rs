//! Headers and footers (ECMA-376 part 1, §17.10): which one a page has, how high it is, and painting it.

use std::collections::HashMap;

use waraq_docx::tree::{Block, Document, HeaderSet};

use super::canvas::Canvas;
use super::float::Exclusion;
use super::geometry_of_page::PageAreas;
use super::paint::Painter;
use super::setter::{Frame, Setter};
use super::unit::Galley;
use crate::page::Rect;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Default,
    First,
    Even,
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

/// Headers and footers, measured once for each section and kind.
#[derive(Default)]
pub(super) struct Headers {
    taken: HashMap<(usize, Kind, bool), Taken>,
}

impl Headers {
    pub fn taken(&mut self, setter: &Setter<'_>, section: usize, kind: Kind, areas: &PageAreas) -> &Taken {
        let measure = || setter.answers.provisionally(|| measure(setter, section, kind, areas));
        self.taken.entry((section, kind, areas.even)).or_insert_with(measure)
    }
}

fn measure(setter: &Setter<'_>, section: usize, kind: Kind, areas: &PageAreas) -> Taken {
    let mut taken = Taken::default();
    let Some(properties) = setter.document.sections.get(section) else { return taken };
    if let Some(blocks) = blocks(&properties.headers, kind) {
        let galley = setter_galley(setter, blocks, section, areas, areas.header_top);
        taken.header = text_height(&galley);
        taken.exclusions.extend(exclusions(&galley, areas, areas.header_top));
    }
    if let Some(blocks) = blocks(&properties.footers, kind) {
        let mut galley = setter_galley(setter, blocks, section, areas, areas.footer_bottom);
        taken.footer = text_height(&galley);
        if !galley.floats.is_empty() {
            let top = areas.footer_bottom - taken.footer;
            galley = setter_galley(setter, blocks, section, areas, top);
            taken.exclusions.extend(exclusions(&galley, areas, top));
        }
    }
    taken
}

fn exclusions<'g>(galley: &'g Galley<'_>, areas: &PageAreas, top: f32) -> impl Iterator<Item = Exclusion> + 'g {
    let left = areas.margin.x;
    let found = galley.floats.iter().filter_map(|float| float.exclusion);
    found.map(move |e| Exclusion { area: e.area.moved(left, top), ..e })
}

fn setter_galley<'b>(
    setter: &Setter<'b>,
    blocks: &'b [Block],
    section: usize,
    areas: &PageAreas,
    top: f32,
) -> Galley<'b> {
    setter.galley_until(blocks, frame(section, areas, top), areas.page.height)
}

/// Drawings that float in a header do not push the body, its text does.
fn text_height(galley: &Galley<'_>) -> f32 {
    galley.text_height
}

/// The room of a header on such a page.
pub(super) fn frame(section: usize, areas: &PageAreas, top: f32) -> Frame {
    let margin = areas.margin;
    Frame {
        section,
        width: margin.width,
        height: f32::INFINITY,
        page: areas.page.moved(-margin.x, -top),
        margin: Rect { x: 0.0, y: margin.y - top, ..margin },
        even_page: areas.even,
        full: true,
        page_start: true,
        in_cell: false,
        depth: 0,
    }
}

/// Paints the header of a page, and its footer.
pub(super) fn paint(setter: &Setter<'_>, section: usize, kind: Kind, areas: &PageAreas) -> (Canvas, Canvas) {
    let (mut header, mut footer) = (Canvas::default(), Canvas::default());
    let Some(properties) = setter.document.sections.get(section) else { return (header, footer) };
    if let Some(blocks) = blocks(&properties.headers, kind) {
        header = one(setter, blocks, section, areas, areas.header_top);
    }
    if let Some(blocks) = blocks(&properties.footers, kind) {
        let height = text_height(&setter_galley(setter, blocks, section, areas, areas.footer_bottom));
        footer = one(setter, blocks, section, areas, areas.footer_bottom - height);
    }
    (header, footer)
}

fn one<'b>(setter: &Setter<'b>, blocks: &'b [Block], section: usize, areas: &PageAreas, top: f32) -> Canvas {
    let frame = frame(section, areas, top);
    let galley = setter.galley_until(blocks, frame, areas.page.height);
    let mut painter = Painter::new(setter, frame);
    painter.artifact = true;
    painter.galley(&galley, areas.margin.x, top);
    painter.canvas
}
