//! The items of a page on krilla's surface.

mod images;

use std::collections::HashMap;

use krilla::graphic::Graphic;
use krilla::num::NormalizedF32;
use krilla::paint::{FillRule, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use waraq_layout::{ElementId, FontId, GlyphRun, Item, Page, Placed, Rect, Rgb, Transform};

use super::links::FoundLink;
use super::pictures::Pictures;
use super::structure::Structure;
use super::text::{self, Shaped};
use super::{Attempt, paint};
use crate::geometry::{self, IDENTITY, MAX_DEPTH, OUTLINE, SYNTHETIC_BOLD};

pub(super) struct Drawing<'a, 's, 'p, 'x> {
    attempt: &'a Attempt<'a>,
    surface: &'a mut Surface<'s>,
    pictures: &'a mut Pictures<'p>,
    structure: Option<&'a mut Structure<'x>>,
    /// The element whose content is being drawn; `Some(None)` an artifact.
    open: Option<Option<ElementId>>,
    links: Vec<FoundLink>,
    shaped: &'a mut Shaped<'x>,
    marks: &'a mut MarkShapes,
}

/// The shapes of marks, each written once: by font, glyph, size, colour, boldness and whether only its edge is drawn.
pub(super) type MarkShapes = HashMap<(FontId, u16, u32, Rgb, bool, bool), Graphic>;

impl<'a, 's, 'p, 'x> Drawing<'a, 's, 'p, 'x> {
    pub(super) fn new(
        attempt: &'a Attempt<'a>,
        surface: &'a mut Surface<'s>,
        pictures: &'a mut Pictures<'p>,
        structure: Option<&'a mut Structure<'x>>,
        shaped: &'a mut Shaped<'x>,
        marks: &'a mut MarkShapes,
    ) -> Self {
        Self { attempt, surface, pictures, structure, open: None, links: Vec::new(), shaped, marks }
    }

    pub(super) fn page(&mut self, page: &Page) {
        self.items(&page.items, None, &IDENTITY, 0);
        self.close();
    }

    pub(super) fn into_links(self) -> Vec<FoundLink> {
        self.links
    }

    fn items(&mut self, items: &[Placed], within: Option<ElementId>, through: &Transform, depth: usize) {
        let mut left = items;
        while let Some((placed, after)) = left.split_first() {
            left = after;
            let element = placed.element.or(within);
            match &placed.item {
                Item::Group { transform, clip, items } => {
                    self.group(transform, clip.as_ref(), items, element, through, depth);
                }
                Item::Link { area, target } => {
                    let area = geometry::bounds(through, area);
                    if geometry::is_sound(&area) {
                        self.links.push(FoundLink { area, target: target.clone(), element });
                    }
                }
                Item::Image(image) => self.image(image, element),
                Item::Glyphs(run) => {
                    let more = self.more(run, element, within, after);
                    left = after.get(more.len()..).unwrap_or_default();
                    self.begin(element, run.language.as_deref());
                    self.runs(run, more, element);
                    if run.language.is_some() {
                        self.close();
                    }
                }
                other => {
                    self.begin(element, None);
                    self.simple(other);
                }
            }
        }
    }

    /// The runs after a run that are drawn with it.
    fn more<'i>(
        &self,
        run: &GlyphRun,
        element: Option<ElementId>,
        within: Option<ElementId>,
        after: &'i [Placed],
    ) -> &'i [Placed] {
        // words in reverse are marked each for itself
        if run.right_to_left && self.structure.is_some() {
            return &[];
        }
        let (mut last, mut count) = (run, 0);
        for placed in after {
            match &placed.item {
                Item::Glyphs(next) if placed.element.or(within) == element && text::continues(last, next) => {
                    last = next
                }
                _ => break,
            }
            count += 1;
        }
        after.get(..count).unwrap_or_default()
    }

    /// What is drawn in one go.
    fn simple(&mut self, item: &Item) {
        match item {
            Item::Glyphs(run) => self.runs(run, &[], None),
            Item::Rectangle { area, color, opacity } => {
                if geometry::is_sound(area)
                    && let Some(path) = paint::rect_path(area)
                {
                    self.surface.set_stroke(None);
                    self.surface.set_fill(Some(paint::solid(*color, *opacity)));
                    self.surface.draw_path(&path);
                }
            }
            Item::Stroke(line) => {
                if let (Some(path), Some(stroke)) = (paint::path(&line.path), paint::stroke(line)) {
                    self.surface.set_fill(None);
                    self.surface.set_stroke(Some(stroke));
                    self.surface.draw_path(&path);
                }
            }
            Item::FilledPath { path, paint, even_odd } => {
                if let (Some(path), Some(mut fill)) = (paint::path(path), paint::fill(paint)) {
                    fill.rule = if *even_odd { FillRule::EvenOdd } else { FillRule::NonZero };
                    self.surface.set_stroke(None);
                    self.surface.set_fill(Some(fill));
                    self.surface.draw_path(&path);
                }
            }
            Item::Image(_) | Item::Link { .. } | Item::Group { .. } => {}
        }
    }

    fn group(
        &mut self,
        transform: &Transform,
        clip: Option<&Rect>,
        items: &[Placed],
        element: Option<ElementId>,
        through: &Transform,
        depth: usize,
    ) {
        if depth >= MAX_DEPTH || !geometry::is_finite(transform) {
            return;
        }
        // marked content may not straddle a saved graphics state
        self.close();
        let moves = *transform != IDENTITY;
        if moves {
            self.surface.push_transform(&paint::transform(transform));
        }
        let clip = clip.filter(|area| geometry::is_sound(area)).and_then(paint::rect_path);
        if let Some(path) = &clip {
            self.surface.push_clip_path(path, &FillRule::NonZero);
        }
        self.items(items, element, &geometry::concatenate(through, transform), depth + 1);
        self.close();
        if clip.is_some() {
            self.surface.pop();
        }
        if moves {
            self.surface.pop();
        }
    }

    /// Draws a run and those that continue it.
    fn runs(&mut self, run: &GlyphRun, more: &[Placed], element: Option<ElementId>) {
        let Some(Some(fonts)) = self.attempt.fonts.get(run.font.0) else { return };
        let font = fonts.first();
        let sound = [run.x, run.y, run.size].iter().all(|number| number.is_finite() && number.abs() < 1e6);
        if run.glyphs.is_empty() || !sound || run.size <= 0.0 {
            return;
        }
        let all = std::iter::once(run).chain(more.iter().filter_map(|placed| match &placed.item {
            Item::Glyphs(run) => Some(run),
            _ => None,
        }));
        if let (Some(structure), Some(element)) = (&mut self.structure, element) {
            all.clone().for_each(|run| structure.text(element, &run.text));
        }
        if let Some(shadow) = geometry::shadow(run) {
            self.shadow(&shadow, font);
        }
        self.shaped.set(all, self.structure.is_some());
        let shape = geometry::run_shape(run);
        let as_paths = self.attempt.as_paths.contains(&run.font.0);
        if self.shaped.has_new_names(run.font) {
            // on a page that is thrown away
            let mut builder = self.surface.stream_builder();
            let mut nowhere = builder.surface();
            nowhere.draw_glyphs(
                paint::point(0.0, 0.0),
                &self.shaped.names,
                font.clone(),
                &self.shaped.text,
                run.size,
                false,
            );
            nowhere.finish();
            drop(builder.finish());
        }
        if let Some(shape) = &shape {
            self.surface.push_transform(&paint::transform(shape));
        }
        ink(self.surface, run);
        for (edition, x, glyphs) in self.shaped.pieces() {
            let (start, font) = (paint::point(fine(run.x + x * run.size), fine(run.y)), fonts.get(edition).clone());
            self.surface.draw_glyphs(start, glyphs, font, &self.shaped.text, run.size, as_paths);
        }
        for index in 0..self.shaped.marks.len() {
            let Some(mark) = self.shaped.marks.get(index).copied() else { break };
            let graphic = self.mark(mark.id, run, font);
            let (x, y) = (fine(run.x + mark.x * run.size), fine(run.y - mark.y * run.size));
            self.surface.push_transform(&krilla::geom::Transform::from_translate(x, y));
            self.surface.draw_graphic(graphic);
            self.surface.pop();
        }
        if shape.is_some() {
            self.surface.pop();
        }
    }

    /// As shapes: the letters must not be found twice.
    fn shadow(&mut self, run: &GlyphRun, font: &Font) {
        let shape = geometry::run_shape(run);
        if let Some(shape) = &shape {
            self.surface.push_transform(&paint::transform(shape));
        }
        ink(self.surface, run);
        self.shaped.set(std::iter::once(run), false);
        for glyph in &mut self.shaped.glyphs {
            glyph.text_range = 0..0;
        }
        self.surface.draw_glyphs(paint::point(run.x, run.y), &self.shaped.glyphs, font.clone(), "", run.size, true);
        if shape.is_some() {
            self.surface.pop();
        }
    }

    fn mark(&mut self, id: u16, run: &GlyphRun, font: &Font) -> Graphic {
        let key = (run.font, id, run.size.to_bits(), run.color, run.synthetic_bold, run.outlined);
        let surface = &mut *self.surface;
        let make = || {
            let glyph = KrillaGlyph {
                glyph_id: GlyphId::new(u32::from(id)),
                text_range: 0..0,
                x_advance: 0.0,
                x_offset: 0.0,
                y_offset: 0.0,
                y_advance: 0.0,
                location: None,
            };
            let mut builder = surface.stream_builder();
            let mut alone = builder.surface();
            ink(&mut alone, run);
            alone.draw_glyphs(paint::point(0.0, 0.0), &[glyph], font.clone(), "", run.size, true);
            alone.finish();
            Graphic::new(builder.finish(), false)
        };
        self.marks.entry(key).or_insert_with(make).clone()
    }

    /// Content of this element (or an artifact) follows; content of the one before has ended.
    fn begin(&mut self, element: Option<ElementId>, language: Option<&str>) {
        let Some(structure) = &mut self.structure else { return };
        let element = structure.known(element);
        if self.open == Some(element) && language.is_none() {
            return;
        }
        if self.open.is_some() {
            self.surface.end_tagged();
        }
        self.open = Some(element);
        match element {
            Some(element) => {
                let tag = match language {
                    Some(_) => ContentTag::Span(SpanTag::empty().with_lang(language)),
                    None => ContentTag::Other,
                };
                let identifier = self.surface.start_tagged(tag);
                structure.drawn(element, identifier);
            }
            None => {
                let artifact = Artifact::with_kind(ArtifactType::Other);
                self.surface.start_tagged(ContentTag::Artifact(artifact));
            }
        }
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.surface.end_tagged();
        }
    }
}

/// To a thousandth of a point: more digits are only more bytes.
fn fine(length: f32) -> f32 {
    (length * 1000.0).round() / 1000.0
}

/// Fills, and strokes too where the font has no bold face; only strokes what is to be outlined.
fn ink(surface: &mut Surface<'_>, run: &GlyphRun) {
    let stroke = |share: f32| Stroke {
        paint: paint::color(run.color).into(),
        width: run.size * share,
        opacity: NormalizedF32::ONE,
        ..Stroke::default()
    };
    surface.set_fill((!run.outlined).then(|| paint::solid(run.color, 1.0)));
    surface.set_stroke(if run.outlined {
        Some(stroke(OUTLINE))
    } else {
        run.synthetic_bold.then(|| stroke(SYNTHETIC_BOLD))
    });
}
