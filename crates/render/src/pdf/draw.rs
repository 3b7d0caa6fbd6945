//! Draws the items of a page on krilla's surface.

use krilla::geom::{Path, Size};
use krilla::graphic::Graphic;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag};
use waraq_layout::geometry::{self, IDENTITY, MAX_DEPTH};
use waraq_layout::{DisplayItem, ElementId, GlyphRun, Page, PlacedImage, Rect, TaggedItem, Transform};

use super::glyph_shapes::{SharedGraphics, round_length, set_text_paint};
use super::links::PageLink;
use super::pictures::{DrawablePicture, PictureLoader};
use super::structure::TagTreeBuilder;
use super::text::{self, KrillaRun};
use super::{PdfAttempt, paint};
use crate::placeholder;
use crate::svg::Svg;

/// Returns the cost of drawing an item, in units of the meter.
fn drawing_cost(item: &DisplayItem) -> usize {
    match item {
        // each missing glyph is written separately, with its text
        DisplayItem::Glyphs(run) => 2 + run.glyphs.len() / 8 + run.glyphs.iter().filter(|glyph| glyph.id == 0).count(),
        DisplayItem::FilledPath { path, .. } => 2 + path.len() / 8,
        _ => 2,
    }
}

pub(super) struct PagePainter<'a, 's, 'p, 'x> {
    attempt: &'a PdfAttempt<'a>,
    surface: &'a mut Surface<'s>,
    pictures: &'a mut PictureLoader<'p>,
    structure: Option<&'a mut TagTreeBuilder<'x>>,
    /// The element whose content is being drawn. `Some(None)` is an artifact; `None` means that no content is open.
    open_content: Option<Option<ElementId>>,
    links: Vec<PageLink>,
    krilla_run: &'a mut KrillaRun<'x>,
    shapes: &'a mut SharedGraphics,
}

impl<'a, 's, 'p, 'x> PagePainter<'a, 's, 'p, 'x> {
    pub(super) fn new(
        attempt: &'a PdfAttempt<'a>,
        surface: &'a mut Surface<'s>,
        pictures: &'a mut PictureLoader<'p>,
        structure: Option<&'a mut TagTreeBuilder<'x>>,
        shaped: &'a mut KrillaRun<'x>,
        shapes: &'a mut SharedGraphics,
    ) -> Self {
        Self {
            attempt,
            surface,
            pictures,
            structure,
            open_content: None,
            links: Vec::new(),
            krilla_run: shaped,
            shapes,
        }
    }

    /// Draws a page and returns the links found on it.
    pub(super) fn draw_page(mut self, page: &Page) -> Vec<PageLink> {
        self.draw_items(&page.items, None, &IDENTITY, 0);
        self.end_content();
        self.links
    }

    fn draw_items(&mut self, items: &[TaggedItem], parent: Option<ElementId>, to_page: &Transform, depth: usize) {
        let mut left = items;
        while let Some((placed, after)) = left.split_first() {
            left = after;
            if !self.attempt.pages.meter.spend(drawing_cost(&placed.item)) {
                return;
            }
            let element = placed.element.or(parent);
            match &placed.item {
                DisplayItem::Group { transform, clip, items } => {
                    self.draw_group(transform, clip.as_ref(), items, element, to_page, depth);
                }
                DisplayItem::Link { area, target } => {
                    let area = geometry::transformed_bounds(to_page, area);
                    if geometry::is_finite_area(&area) {
                        self.links.push(PageLink { area, target: target.clone(), element });
                    }
                }
                DisplayItem::Value { .. } => {}
                DisplayItem::Image(image) => self.draw_image(image, element),
                DisplayItem::Repeated { id, items } => self.draw_repeated(*id, items, depth),
                DisplayItem::Glyphs(run) => {
                    let more = self.continuing_runs(run, element, parent, after);
                    left = after.get(more.len()..).unwrap_or_default();
                    let foreign = self.foreign_language(run);
                    self.begin_content(element, foreign);
                    self.draw_runs(run, more, element);
                    if foreign.is_some() {
                        self.end_content();
                    }
                }
                other => {
                    self.begin_content(element, None);
                    self.draw_simple_item(other);
                }
            }
        }
    }

    /// Returns the language of a run, or `None` if it is the language of the document.
    fn foreign_language<'r>(&self, run: &'r GlyphRun) -> Option<&'r str> {
        let own = self.attempt.pages.metadata.language.as_deref();
        run.language.as_deref().filter(|language| !own.is_some_and(|own| own.eq_ignore_ascii_case(language)))
    }

    /// Returns the glyph runs at the start of `after` that can be drawn together with `run`. The result ends before the
    /// first item that cannot be drawn together with `run`.
    fn continuing_runs<'i>(
        &self,
        run: &GlyphRun,
        element: Option<ElementId>,
        within: Option<ElementId>,
        after: &'i [TaggedItem],
    ) -> &'i [TaggedItem] {
        // krilla marks the words of a tagged right-to-left run one by one, so such a run is drawn alone
        if run.right_to_left && self.structure.is_some() {
            return &[];
        }
        let mut last = run;
        let going_on = after.iter().take_while(|placed| match &placed.item {
            DisplayItem::Glyphs(next) if placed.element.or(within) == element && text::continues(last, next) => {
                last = next;
                true
            }
            _ => false,
        });
        after.get(..going_on.count()).unwrap_or_default()
    }

    /// Draws a glyph run, rectangle, stroke or filled path. Ignores all other items.
    fn draw_simple_item(&mut self, item: &DisplayItem) {
        match item {
            DisplayItem::Glyphs(run) => self.draw_runs(run, &[], None),
            DisplayItem::Rectangle { area, color, opacity } => {
                if let Some(path) = paint::rect_path(area).filter(|_| geometry::is_finite_area(area)) {
                    self.fill_path(&path, paint::solid(*color, *opacity));
                }
            }
            DisplayItem::Stroke(line) => {
                if let (Some(path), Some(stroke)) = (paint::krilla_path(&line.path), paint::krilla_stroke(line)) {
                    self.stroke_path(&path, stroke);
                }
            }
            DisplayItem::FilledPath { path, paint, even_odd } => {
                if let (Some(path), Some(fill)) = (paint::krilla_path(path), paint::krilla_fill(paint)) {
                    self.fill_path(&path, Fill { rule: paint::fill_rule(*even_odd), ..fill });
                }
            }
            DisplayItem::Image(_)
            | DisplayItem::Link { .. }
            | DisplayItem::Value { .. }
            | DisplayItem::Group { .. }
            | DisplayItem::Repeated { .. } => {}
        }
    }

    fn fill_path(&mut self, path: &Path, fill: Fill) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(fill));
        self.surface.draw_path(path);
    }

    fn stroke_path(&mut self, path: &Path, stroke: Stroke) {
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(stroke));
        self.surface.draw_path(path);
    }

    /// Draws content that several pages repeat, such as a header. The PDF contains it once, and each page refers to it. The
    /// content is an artifact, so its items are not tagged.
    fn draw_repeated(&mut self, id: u32, items: &[TaggedItem], depth: usize) {
        if depth >= MAX_DEPTH {
            return;
        }
        let graphic = match self.shapes.repeated.get(&id) {
            Some(graphic) => graphic.clone(),
            None => {
                let mut builder = self.surface.stream_builder();
                let mut surface = builder.surface();
                let mut alone =
                    PagePainter::new(self.attempt, &mut surface, self.pictures, None, self.krilla_run, self.shapes);
                alone.draw_items(items, None, &IDENTITY, depth + 1);
                surface.finish();
                let graphic = Graphic::new(builder.finish(), false);
                self.shapes.repeated.insert(id, graphic.clone());
                graphic
            }
        };
        self.begin_content(None, None);
        self.surface.draw_graphic(graphic);
    }

    fn draw_group(
        &mut self,
        transform: &Transform,
        clip: Option<&Rect>,
        items: &[TaggedItem],
        element: Option<ElementId>,
        through: &Transform,
        depth: usize,
    ) {
        if depth >= MAX_DEPTH || !geometry::is_finite(transform) {
            return;
        }
        // marked content must not cross a saved graphics state
        self.end_content();
        let moves = *transform != IDENTITY;
        if moves {
            self.surface.push_transform(&paint::krilla_transform(transform));
        }
        let clip = clip.filter(|area| geometry::is_finite_area(area)).and_then(paint::rect_path);
        self.push_clip(clip.as_ref());
        self.draw_items(items, element, &geometry::concatenate(through, transform), depth + 1);
        self.end_content();
        self.pop_states([moves, clip.is_some()]);
    }

    fn push_clip(&mut self, path: Option<&Path>) {
        if let Some(path) = path {
            self.surface.push_clip_path(path, &FillRule::NonZero);
        }
    }

    /// Pops one graphics state for each `true` in `pushed`.
    fn pop_states(&mut self, pushed: [bool; 2]) {
        for _ in pushed.into_iter().filter(|pushed| *pushed) {
            self.surface.pop();
        }
    }

    /// Draws a picture, clipped to its outline, with its opacity. `element` is the element of the structure that the
    /// picture belongs to. `None`: the picture is an artifact.
    fn draw_image(&mut self, placed: &PlacedImage, element: Option<ElementId>) {
        if !geometry::is_finite_area(&placed.area) {
            return;
        }
        let cut = placed.clip_path.as_deref().and_then(paint::krilla_path);
        let opacity = paint::opacity(placed.opacity);
        let faded = opacity != NormalizedF32::ONE;
        if cut.is_some() || faded {
            // marked content must not cross a saved graphics state
            self.end_content();
        }
        self.push_clip(cut.as_ref());
        if faded {
            self.surface.push_opacity(opacity);
        }
        self.draw_picture(placed, element);
        if cut.is_some() || faded {
            self.end_content();
        }
        self.pop_states([cut.is_some(), faded]);
    }

    fn draw_picture(&mut self, placed: &PlacedImage, element: Option<ElementId>) {
        match self.pictures.get(placed.image) {
            Ok(DrawablePicture::Drawing(svg)) => {
                self.begin_content(element, None);
                self.draw_svg(&svg, placed);
            }
            Ok(DrawablePicture::Pixels(image)) => {
                let whole = geometry::uncropped(&placed.area, &placed.crop);
                let (size, seen) = (Size::from_wh(whole.width, whole.height), paint::rect_path(&placed.area));
                let (Some(size), Some(seen)) = (size, seen) else { return };
                let cut = whole != placed.area;
                self.begin_content(element, None);
                self.push_clip(Some(&seen).filter(|_| cut));
                self.surface.push_transform(&krilla::geom::Transform::from_translate(whole.x, whole.y));
                self.surface.draw_image(image, size);
                self.pop_states([cut, true]);
            }
            Err(label) => {
                self.begin_content(element, None);
                for item in placeholder::placeholder_items(placed.area, label, &self.attempt.pages.fonts) {
                    self.draw_simple_item(&item);
                }
            }
        }
    }

    fn draw_svg(&mut self, svg: &Svg, placed: &PlacedImage) {
        let Some(seen) = paint::rect_path(&placed.area) else { return };
        let onto = svg.transform_to(&geometry::uncropped(&placed.area, &placed.crop));
        if !geometry::is_finite(&onto) {
            return;
        }
        self.push_clip(Some(&seen));
        self.surface.push_transform(&paint::krilla_transform(&onto));
        for shape in &svg.shapes {
            if let Some(fill) = &shape.fill {
                self.fill_path(&shape.path, fill.clone());
            }
            if let Some(stroke) = &shape.stroke {
                self.stroke_path(&shape.path, stroke.clone());
            }
        }
        self.pop_states([true, true]);
    }

    /// Draws a run together with the runs in `more`, which follow it. Each run in `more` [continues](text::continues)
    /// the run before it.
    fn draw_runs(&mut self, run: &GlyphRun, more: &[TaggedItem], element: Option<ElementId>) {
        let Some(Some(fonts)) = self.attempt.fonts.get(run.font.index()) else { return };
        let font = fonts.first();
        let sound = [run.x, run.y, run.size].iter().all(|number| number.is_finite() && number.abs() < 1e6);
        if run.glyphs.is_empty() || !sound || run.size <= 0.0 {
            return;
        }
        let all = std::iter::once(run).chain(more.iter().filter_map(|placed| match &placed.item {
            DisplayItem::Glyphs(run) => Some(run),
            _ => None,
        }));
        if let (Some(structure), Some(element)) = (&mut self.structure, element) {
            all.clone().for_each(|run| structure.add_heading_text(element, &run.text));
        }
        if let Some(shadow) = geometry::shadow_run(run) {
            self.shapes.draw_shadow(self.surface, &shadow, font);
        }
        self.krilla_run.set_runs(all, self.structure.is_some());
        let shape = geometry::run_transform(run);
        let as_paths = self.attempt.as_paths.contains(&run.font.index());
        if let Some(shape) = &shape {
            self.surface.push_transform(&paint::krilla_transform(shape));
        }
        set_text_paint(self.surface, run);
        for (edition, x, glyphs) in self.krilla_run.subset_runs() {
            let (start, font) = (
                paint::krilla_point(round_length(run.x + x * run.size), round_length(run.y)),
                fonts.subset(edition).clone(),
            );
            self.surface.draw_glyphs(start, glyphs, font, &self.krilla_run.text, run.size, as_paths);
        }
        self.shapes.draw_glyph_shapes(self.surface, run, font, &self.krilla_run.shape_glyphs);
        if shape.is_some() {
            self.surface.pop();
        }
    }

    /// Starts marked content of an element, or of an artifact if `element` is `None`. Ends the open content first.
    fn begin_content(&mut self, element: Option<ElementId>, language: Option<&str>) {
        let Some(structure) = &mut self.structure else { return };
        let element = structure.existing(element);
        if self.open_content == Some(element) && language.is_none() {
            return;
        }
        if self.open_content.is_some() {
            self.surface.end_tagged();
        }
        self.open_content = Some(element);
        match element {
            Some(element) => {
                let tag = match language {
                    Some(_) => ContentTag::Span(SpanTag::empty().with_lang(language)),
                    None => ContentTag::Other,
                };
                let identifier = self.surface.start_tagged(tag);
                structure.add_drawn_content(element, identifier);
            }
            None => {
                let artifact = Artifact::with_kind(ArtifactType::Other);
                self.surface.start_tagged(ContentTag::Artifact(artifact));
            }
        }
    }

    fn end_content(&mut self) {
        if self.open_content.take().is_some() {
            self.surface.end_tagged();
        }
    }
}
