//! Pictures on krilla's surface: cut to an outline, letting through what is behind.

use krilla::geom::Size;
use krilla::num::NormalizedF32;
use krilla::paint::FillRule;
use waraq_layout::{ElementId, PlacedImage, geometry};

use super::super::paint;
use super::super::pictures::Readable;
use super::Drawing;
use crate::placeholder;
use crate::svg::Svg;

impl Drawing<'_, '_, '_, '_> {
    pub(super) fn image(&mut self, placed: &PlacedImage, element: Option<ElementId>) {
        if !geometry::is_sound(&placed.area) {
            return;
        }
        let cut = placed.outline.as_deref().and_then(paint::path);
        let opacity = paint::opacity(placed.opacity);
        let faded = opacity != NormalizedF32::ONE;
        if cut.is_some() || faded {
            // marked content may not straddle a saved graphics state
            self.close();
        }
        if let Some(outline) = &cut {
            self.surface.push_clip_path(outline, &FillRule::NonZero);
        }
        if faded {
            self.surface.push_opacity(opacity);
        }
        self.picture(placed, element);
        if cut.is_some() || faded {
            self.close();
        }
        if faded {
            self.surface.pop();
        }
        if cut.is_some() {
            self.surface.pop();
        }
    }

    fn picture(&mut self, placed: &PlacedImage, element: Option<ElementId>) {
        match self.pictures.get(placed.image) {
            Ok(Readable::Drawing(svg)) => {
                self.begin(element, None);
                self.drawing(&svg, placed);
            }
            Ok(Readable::Pixels(image)) => {
                let whole = geometry::uncropped(&placed.area, &placed.crop);
                let (Some(size), Some(seen)) =
                    (Size::from_wh(whole.width, whole.height), paint::rect_path(&placed.area))
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
        self.surface.push_clip_path(&seen, &FillRule::NonZero);
        self.surface.push_transform(&paint::transform(&onto));
        for shape in &svg.shapes {
            let Some(path) = paint::path(&shape.path) else { continue };
            if let Some(mut fill) = shape.fill.as_ref().and_then(|fill| paint::fill(&fill.paint)) {
                let given = shape.fill.as_ref();
                fill.opacity = paint::opacity(given.map_or(1.0, |given| given.opacity));
                fill.rule =
                    if given.is_some_and(|given| given.even_odd) { FillRule::EvenOdd } else { FillRule::NonZero };
                self.surface.set_stroke(None);
                self.surface.set_fill(Some(fill));
                self.surface.draw_path(&path);
            }
            if let Some((mut stroke, given)) = shape.stroke.as_ref().and_then(|s| Some((paint::stroke(&s.line)?, s))) {
                stroke.opacity = paint::opacity(given.opacity);
                self.surface.set_fill(None);
                self.surface.set_stroke(Some(stroke));
                self.surface.draw_path(&path);
            }
        }
        self.surface.pop();
        self.surface.pop();
    }
}
