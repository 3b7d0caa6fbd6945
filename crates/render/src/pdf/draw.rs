//! The items of a page on krilla's surface.

use krilla::geom::Size;
use krilla::num::NormalizedF32;
use krilla::paint::{FillRule, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag};
use krilla::text::KrillaGlyph;
use waraq_layout::{ElementId, GlyphRun, Item, Page, Placed, PlacedImage, Rect, Transform};

use super::links::FoundLink;
use super::pictures::Pictures;
use super::structure::Structure;
use super::{Attempt, paint, text};
use crate::geometry::{self, IDENTITY, MAX_DEPTH, SYNTHETIC_BOLD};
use crate::placeholder;

pub(super) struct Drawing<'a, 's, 'p, 'x> {
    attempt: &'a Attempt<'a>,
    surface: &'a mut Surface<'s>,
    pictures: &'a mut Pictures<'p>,
    structure: Option<&'a mut Structure<'x>>,
    /// The element whose content is being drawn; `Some(None)` an artifact.
    open: Option<Option<ElementId>>,
    links: Vec<FoundLink>,
    glyphs: Vec<KrillaGlyph>,
}

impl<'a, 's, 'p, 'x> Drawing<'a, 's, 'p, 'x> {
    pub(super) fn new(
        attempt: &'a Attempt<'a>,
        surface: &'a mut Surface<'s>,
        pictures: &'a mut Pictures<'p>,
        structure: Option<&'a mut Structure<'x>>,
    ) -> Self {
        Self { attempt, surface, pictures, structure, open: None, links: Vec::new(), glyphs: Vec::new() }
    }

    pub(super) fn page(&mut self, page: &Page) {
        self.items(&page.items, None, &IDENTITY, 0);
        self.close();
    }

    pub(super) fn into_links(self) -> Vec<FoundLink> {
        self.links
    }

    fn items(&mut self, items: &[Placed], within: Option<ElementId>, through: &Transform, depth: usize) {
        for placed in items {
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
                Item::Glyphs(run) if run.language.is_some() => {
                    self.begin(element, run.language.as_deref());
                    self.run(run, element);
                    self.close();
                }
                other => {
                    self.begin(element, None);
                    self.simple(other, element);
                }
            }
        }
    }

    /// What is drawn in one go.
    fn simple(&mut self, item: &Item, element: Option<ElementId>) {
        match item {
            Item::Glyphs(run) => self.run(run, element),
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
            Item::FilledPath { path, paint } => {
                if let (Some(path), Some(fill)) = (paint::path(path), paint::fill(paint)) {
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

    fn image(&mut self, placed: &PlacedImage, element: Option<ElementId>) {
        if !geometry::is_sound(&placed.area) {
            return;
        }
        match self.pictures.get(placed.image) {
            Ok(image) => {
                let whole = geometry::uncropped(&placed.area, &placed.crop);
                let (Some(size), Some(seen)) = (Size::from_wh(whole.width, whole.height), paint::rect_path(&placed.area))
                else {
                    return;
                };
                let cut = whole != placed.area;
                self.begin(element, None);
                if cut {
                    self.surface.push_clip_path(&seen, &FillRule::NonZero);
                }
                self.surface.push_transform(&krilla::geom::Transform::from_translate(whole.x, whole.y));
                self.surface.draw_image(image, size);
                self.surface.pop();
                if cut {
                    self.surface.pop();
                }
            }
            Err(label) => {
                self.begin(element, None);
                for item in placeholder::items(placed.area, label, &self.attempt.pages.fonts) {
                    self.simple(&item, element);
                }
            }
        }
    }

    fn run(&mut self, run: &GlyphRun, element: Option<ElementId>) {
        let Some(Some(font)) = self.attempt.fonts.get(run.font.0) else { return };
        let sound = [run.x, run.y, run.size].iter().all(|number| number.is_finite() && number.abs() < 1e6);
        if run.glyphs.is_empty() || !sound || run.size <= 0.0 {
            return;
        }
        if let (Some(structure), Some(element)) = (&mut self.structure, element) {
            structure.text(element, &run.text);
        }
        let text = text::glyphs(run, &mut self.glyphs);
        let shape = geometry::run_shape(run);
        if let Some(shape) = &shape {
            self.surface.push_transform(&paint::transform(shape));
        }
        self.surface.set_fill(Some(paint::solid(run.color, 1.0)));
        self.surface.set_stroke(run.synthetic_bold.then(|| Stroke {
            paint: paint::color(run.color).into(),
            width: run.size * SYNTHETIC_BOLD,
            opacity: NormalizedF32::ONE,
            ..Stroke::default()
        }));
        let as_paths = self.attempt.as_paths.contains(&run.font.0);
        let start = paint::point(run.x, run.y);
        self.surface.draw_glyphs(start, &self.glyphs, font.clone(), &text, run.size, as_paths);
        if shape.is_some() {
            self.surface.pop();
        }
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
