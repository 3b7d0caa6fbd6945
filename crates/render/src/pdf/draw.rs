//! Draws the items of a page on krilla's surface.

use krilla::geom::{Path, Size};
use krilla::graphic::Graphic;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag};
use waraq_layout::geometry::{self, IDENTITY, MAX_DEPTH};
use waraq_layout::{ElementId, GlyphRun, Item, Page, Placed, PlacedImage, Rect, Transform};

use super::links::FoundLink;
use super::pictures::{Pictures, Readable};
use super::shapes::{Shapes, fine, ink};
use super::structure::Structure;
use super::text::{self, Shaped};
use super::{Attempt, paint};
use crate::placeholder;
use crate::svg::Svg;

/// Returns the cost of drawing an item, in units of the meter.
fn work(item: &Item) -> usize {
    match item {
        // each missing glyph is written separately, with its text
        Item::Glyphs(run) => 2 + run.glyphs.len() / 8 + run.glyphs.iter().filter(|glyph| glyph.id == 0).count(),
        Item::FilledPath { path, .. } => 2 + path.len() / 8,
        _ => 2,
    }
}

pub(super) struct Drawing<'a, 's, 'p, 'x> {
    attempt: &'a Attempt<'a>,
    surface: &'a mut Surface<'s>,
    pictures: &'a mut Pictures<'p>,
    structure: Option<&'a mut Structure<'x>>,
    /// The element whose content is being drawn. `Some(None)` is an artifact; `None` means that no content is open.
    open: Option<Option<ElementId>>,
    links: Vec<FoundLink>,
    shaped: &'a mut Shaped<'x>,
    shapes: &'a mut Shapes,
}

impl<'a, 's, 'p, 'x> Drawing<'a, 's, 'p, 'x> {
    pub(super) fn new(
        attempt: &'a Attempt<'a>,
        surface: &'a mut Surface<'s>,
        pictures: &'a mut Pictures<'p>,
        structure: Option<&'a mut Structure<'x>>,
        shaped: &'a mut Shaped<'x>,
        shapes: &'a mut Shapes,
    ) -> Self {
        Self { attempt, surface, pictures, structure, open: None, links: Vec::new(), shaped, shapes }
    }

    /// Draws a page and returns the links found on it.
    pub(super) fn page(mut self, page: &Page) -> Vec<FoundLink> {
        self.items(&page.items, None, &IDENTITY, 0);
        self.close();
        self.links
    }

    fn items(&mut self, items: &[Placed], within: Option<ElementId>, through: &Transform, depth: usize) {
        let mut left = items;
        while let Some((placed, after)) = left.split_first() {
            left = after;
            if !self.attempt.pages.meter.spend(work(&placed.item)) {
                return;
            }
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
                Item::Value { .. } => {}
                Item::Image(image) => self.image(image, element),
                Item::Repeated { id, items } => self.repeated(*id, items, depth),
                Item::Glyphs(run) => {
                    let more = self.more(run, element, within, after);
                    left = after.get(more.len()..).unwrap_or_default();
                    let foreign = self.foreign_language(run);
                    self.begin(element, foreign);
                    self.runs(run, more, element);
                    if foreign.is_some() {
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

    /// Returns the language of a run if it differs from the language of the document.
    fn foreign_language<'r>(&self, run: &'r GlyphRun) -> Option<&'r str> {
        let own = self.attempt.pages.metadata.language.as_deref();
        run.language.as_deref().filter(|language| !own.is_some_and(|own| own.eq_ignore_ascii_case(language)))
    }

    /// Returns the items after a run that are runs too and can be drawn together with it.
    fn more<'i>(
        &self,
        run: &GlyphRun,
        element: Option<ElementId>,
        within: Option<ElementId>,
        after: &'i [Placed],
    ) -> &'i [Placed] {
        // krilla marks the words of a tagged right-to-left run one by one, so such a run is drawn alone
        if run.right_to_left && self.structure.is_some() {
            return &[];
        }
        let mut last = run;
        let going_on = after.iter().take_while(|placed| match &placed.item {
            Item::Glyphs(next) if placed.element.or(within) == element && text::continues(last, next) => {
                last = next;
                true
            }
            _ => false,
        });
        after.get(..going_on.count()).unwrap_or_default()
    }

    /// Draws a glyph run, rectangle, stroke or filled path. Ignores all other items.
    fn simple(&mut self, item: &Item) {
        match item {
            Item::Glyphs(run) => self.runs(run, &[], None),
            Item::Rectangle { area, color, opacity } => {
                if let Some(path) = paint::rect_path(area).filter(|_| geometry::is_sound(area)) {
                    self.fill(&path, paint::solid(*color, *opacity));
                }
            }
            Item::Stroke(line) => {
                if let (Some(path), Some(stroke)) = (paint::path(&line.path), paint::stroke(line)) {
                    self.stroke(&path, stroke);
                }
            }
            Item::FilledPath { path, paint, even_odd } => {
                if let (Some(path), Some(fill)) = (paint::path(path), paint::fill(paint)) {
                    self.fill(&path, Fill { rule: paint::rule(*even_odd), ..fill });
                }
            }
            Item::Image(_) | Item::Link { .. } | Item::Value { .. } | Item::Group { .. } | Item::Repeated { .. } => {}
        }
    }

    fn fill(&mut self, path: &Path, fill: Fill) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(fill));
        self.surface.draw_path(path);
    }

    fn stroke(&mut self, path: &Path, stroke: Stroke) {
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(stroke));
        self.surface.draw_path(path);
    }

    /// Draws content that several pages repeat, such as a header. The PDF contains it once, and each page refers to it. The
    /// content is an artifact, so its items are not tagged.
    fn repeated(&mut self, id: u32, items: &[Placed], depth: usize) {
        if depth >= MAX_DEPTH {
            return;
        }
        let graphic = match self.shapes.repeated.get(&id) {
            Some(graphic) => graphic.clone(),
            None => {
                let mut builder = self.surface.stream_builder();
                let mut surface = builder.surface();
                let mut alone = Drawing::new(self.attempt, &mut surface, self.pictures, None, self.shaped, self.shapes);
                alone.items(items, None, &IDENTITY, depth + 1);
                surface.finish();
                let graphic = Graphic::new(builder.finish(), false);
                self.shapes.repeated.insert(id, graphic.clone());
                graphic
            }
        };
        self.begin(None, None);
        self.surface.draw_graphic(graphic);
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
        // marked content must not cross a saved graphics state
        self.close();
        let moves = *transform != IDENTITY;
        if moves {
            self.surface.push_transform(&paint::transform(transform));
        }
        let clip = clip.filter(|area| geometry::is_sound(area)).and_then(paint::rect_path);
        self.push_clip(clip.as_ref());
        self.items(items, element, &geometry::concatenate(through, transform), depth + 1);
        self.close();
        self.pop([moves, clip.is_some()]);
    }

    fn push_clip(&mut self, path: Option<&Path>) {
        if let Some(path) = path {
            self.surface.push_clip_path(path, &FillRule::NonZero);
        }
    }

    /// Pops one graphics state for each `true`.
    fn pop(&mut self, pushed: [bool; 2]) {
        for _ in pushed.into_iter().filter(|pushed| *pushed) {
            self.surface.pop();
        }
    }

    /// Draws a picture, clipped to its outline, with its opacity.
    fn image(&mut self, placed: &PlacedImage, element: Option<ElementId>) {
        if !geometry::is_sound(&placed.area) {
            return;
        }
        let cut = placed.outline.as_deref().and_then(paint::path);
        let opacity = paint::opacity(placed.opacity);
        let faded = opacity != NormalizedF32::ONE;
        if cut.is_some() || faded {
            // marked content must not cross a saved graphics state
            self.close();
        }
        self.push_clip(cut.as_ref());
        if faded {
            self.surface.push_opacity(opacity);
        }
        self.picture(placed, element);
        if cut.is_some() || faded {
            self.close();
        }
        self.pop([cut.is_some(), faded]);
    }

    fn picture(&mut self, placed: &PlacedImage, element: Option<ElementId>) {
        match self.pictures.get(placed.image) {
            Ok(Readable::Drawing(svg)) => {
                self.begin(element, None);
                self.drawing(&svg, placed);
            }
            Ok(Readable::Pixels(image)) => {
                let whole = geometry::uncropped(&placed.area, &placed.crop);
                let (size, seen) = (Size::from_wh(whole.width, whole.height), paint::rect_path(&placed.area));
                let (Some(size), Some(seen)) = (size, seen) else { return };
                let cut = whole != placed.area;
                self.begin(element, None);
                self.push_clip(Some(&seen).filter(|_| cut));
                self.surface.push_transform(&krilla::geom::Transform::from_translate(whole.x, whole.y));
                self.surface.draw_image(image, size);
                self.pop([cut, true]);
            }
            Err(label) => {
                self.begin(element, None);
                for item in placeholder::items(placed.area, label, &self.attempt.pages.fonts) {
                    self.simple(&item);
                }
            }
        }
    }

    fn drawing(&mut self, svg: &Svg, placed: &PlacedImage) {
        let Some(seen) = paint::rect_path(&placed.area) else { return };
        let onto = svg.onto(&geometry::uncropped(&placed.area, &placed.crop));
        if !geometry::is_finite(&onto) {
            return;
        }
        self.push_clip(Some(&seen));
        self.surface.push_transform(&paint::transform(&onto));
        for shape in &svg.shapes {
            if let Some(fill) = &shape.fill {
                self.fill(&shape.path, fill.clone());
            }
            if let Some(stroke) = &shape.stroke {
                self.stroke(&shape.path, stroke.clone());
            }
        }
        self.pop([true, true]);
    }

    /// Draws a run together with the runs in `more`, which [continue](text::continues) it.
    fn runs(&mut self, run: &GlyphRun, more: &[Placed], element: Option<ElementId>) {
        let Some(Some(fonts)) = self.attempt.fonts.get(run.font.index()) else { return };
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
            self.shapes.shadow(self.surface, &shadow, font);
        }
        self.shaped.set(all, self.structure.is_some());
        let shape = geometry::run_shape(run);
        let as_paths = self.attempt.as_paths.contains(&run.font.index());
        if let Some(shape) = &shape {
            self.surface.push_transform(&paint::transform(shape));
        }
        ink(self.surface, run);
        for (edition, x, glyphs) in self.shaped.pieces() {
            let (start, font) = (paint::point(fine(run.x + x * run.size), fine(run.y)), fonts.get(edition).clone());
            self.surface.draw_glyphs(start, glyphs, font, &self.shaped.text, run.size, as_paths);
        }
        self.shapes.marks(self.surface, run, font, &self.shaped.marks);
        if shape.is_some() {
            self.surface.pop();
        }
    }

    /// Starts marked content of an element, or of an artifact if `element` is `None`. Ends the open content first.
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
