//! Headers and footers (ECMA-376 part 1, §17.10): which one a page has, how high it is, and painting it.

use std::collections::HashMap;

use waraq_docx::tree::{Block, Document, HeaderSet};

use super::canvas::Canvas;
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

/// Heights of headers and footers, measured once for each section and kind.
#[derive(Default)]
pub(super) struct Headers {
    heights: HashMap<(usize, Kind, bool), (f32, f32)>,
}

impl Headers {
    pub fn heights(&mut self, setter: &Setter<'_>, section: usize, kind: Kind, areas: &PageAreas) -> (f32, f32) {
        let key = (section, kind, areas.even);
        if let Some(heights) = self.heights.get(&key) {
            return *heights;
        }
        let Some(properties) = setter.document.sections.get(section) else { return (0.0, 0.0) };
        let height = |set: &HeaderSet| {
            blocks(set, kind)
                .map_or(0.0, |blocks| text_height(&setter_galley(setter, blocks, section, areas, areas.header_top)))
        };
        let heights = setter.answers.provisionally(|| (height(&properties.headers), height(&properties.footers)));
        self.heights.insert(key, heights);
        heights
    }
}

fn setter_galley<'b>(
    setter: &Setter<'b>,
    blocks: &'b [Block],
    section: usize,
    areas: &PageAreas,
    top: f32,
) -> Galley<'b> {
    setter.galley(blocks, frame(section, areas, top))
}

/// Drawings that float in a header do not push the body, its text does.
fn text_height(galley: &Galley<'_>) -> f32 {
    galley.text_height
}

fn frame(section: usize, areas: &PageAreas, top: f32) -> Frame {
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

/// Paints the header and the footer of a page.
pub(super) fn paint(setter: &Setter<'_>, section: usize, kind: Kind, areas: &PageAreas) -> Canvas {
    let mut canvas = Canvas::default();
    let Some(properties) = setter.document.sections.get(section) else { return canvas };
    if let Some(blocks) = blocks(&properties.headers, kind) {
        canvas = one(setter, blocks, section, areas, areas.header_top, canvas);
    }
    if let Some(blocks) = blocks(&properties.footers, kind) {
        let height = text_height(&setter_galley(setter, blocks, section, areas, areas.footer_bottom));
        canvas = one(setter, blocks, section, areas, areas.footer_bottom - height, canvas);
    }
    canvas
}

fn one<'b>(
    setter: &Setter<'b>,
    blocks: &'b [Block],
    section: usize,
    areas: &PageAreas,
    top: f32,
    canvas: Canvas,
) -> Canvas {
    let frame = frame(section, areas, top);
    let galley = setter.galley(blocks, frame);
    let mut painter = Painter::new(setter, frame);
    painter.canvas = canvas;
    painter.artifact = true;
    painter.galley(&galley, areas.margin.x, top);
    painter.canvas
}
