//! Letters drawn as shapes, which readers do not take for text: marks (see [`text`](super::text)) and shadows, whose letters
//! would be found twice.

use std::collections::HashMap;

use krilla::geom::{Path, PathBuilder, Transform};
use krilla::graphic::Graphic;
use krilla::num::NormalizedF32;
use krilla::paint::Stroke;
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use tiny_skia::{PathSegment, Point};
use waraq_layout::{FontId, GlyphRun, Placed, Rgb};

use super::paint;
use crate::outlines::Outlines;
use waraq_layout::geometry::{self, OUTLINE, SYNTHETIC_BOLD};

/// A shadow's points stand on the corners of a grid of at least so many squares an em: whole numbers are short.
const GRID: f32 = 1000.0;

pub(super) struct Shapes<'a> {
    outlines: Outlines<'a>,
    /// By font and glyph, on the grid.
    letters: HashMap<(FontId, u16), Option<Path>>,
    /// Each written once: by font, glyph, size, colour, boldness and whether only its edge is drawn.
    marks: HashMap<(FontId, u16, u32, Rgb, bool, bool), Graphic>,
    /// What several pages show, each written once: by where it lies in memory.
    pub repeated: HashMap<*const Placed, Graphic>,
}

impl<'a> Shapes<'a> {
    pub(super) fn new(fonts: &'a [waraq_layout::Font]) -> Self {
        Self {
            outlines: Outlines::new(fonts),
            letters: HashMap::new(),
            marks: HashMap::new(),
            repeated: HashMap::new(),
        }
    }

    pub(super) fn shadow(&mut self, surface: &mut Surface<'_>, run: &GlyphRun) {
        let Some(units) = self.outlines.units_per_em(run.font) else { return };
        // squares a font unit, and an em
        let fineness = (GRID / units).ceil().max(1.0);
        let em = units * fineness;
        let shape = geometry::run_shape(run);
        if let Some(shape) = &shape {
            surface.push_transform(&paint::transform(shape));
        }
        ink(surface, run, em);
        let widened = shape.map_or(1.0, |shape| shape.a);
        let mut pen = run.x;
        for glyph in &run.glyphs {
            let (x, y) = (pen + glyph.x_offset / widened, run.y - glyph.y_offset);
            pen += glyph.advance / widened;
            let outlines = &mut self.outlines;
            let read = || letter(outlines.path(run.font, glyph.id)?, fineness);
            let letter = self.letters.entry((run.font, glyph.id)).or_insert_with(read);
            let sound = [x, y].iter().all(|length| length.is_finite() && length.abs() < 1e6);
            if let Some(letter) = letter.as_ref().filter(|_| sound) {
                let scale = run.size / em;
                surface.push_transform(&Transform::from_row(scale, 0.0, 0.0, -scale, fine(x), fine(y)));
                surface.draw_path(letter);
                surface.pop();
            }
        }
        if shape.is_some() {
            surface.pop();
        }
    }

    pub(super) fn mark(&mut self, surface: &mut Surface<'_>, id: u16, run: &GlyphRun, font: &Font) -> Graphic {
        let key = (run.font, id, run.size.to_bits(), run.color, run.synthetic_bold, run.outlined);
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
            ink(&mut alone, run, run.size);
            alone.draw_glyphs(paint::point(0.0, 0.0), &[glyph], font.clone(), "", run.size, true);
            alone.finish();
            Graphic::new(builder.finish(), false)
        };
        self.marks.entry(key).or_insert_with(make).clone()
    }
}

/// An outline with its points on the grid; `None`: not made of finite numbers.
fn letter(outline: &tiny_skia::Path, fineness: f32) -> Option<Path> {
    let on_grid = |x: f32, y: f32| ((x * fineness).round(), (y * fineness).round());
    // two thirds of the way to a quadratic curve's control point is a cubic curve's
    let towards = |from: Point, to: Point| (from.x + (to.x - from.x) * 2.0 / 3.0, from.y + (to.y - from.y) * 2.0 / 3.0);
    let mut builder = PathBuilder::new();
    let mut last = Point::zero();
    for segment in outline.segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                let (x, y) = on_grid(to.x, to.y);
                builder.move_to(x, y);
                last = to;
            }
            PathSegment::LineTo(to) => {
                let (x, y) = on_grid(to.x, to.y);
                builder.line_to(x, y);
                last = to;
            }
            PathSegment::QuadTo(control, to) => {
                let ((x1, y1), (x2, y2)) = (towards(last, control), towards(to, control));
                let ((x1, y1), (x2, y2), (x, y)) = (on_grid(x1, y1), on_grid(x2, y2), on_grid(to.x, to.y));
                builder.cubic_to(x1, y1, x2, y2, x, y);
                last = to;
            }
            PathSegment::CubicTo(first, second, to) => {
                let ((x1, y1), (x2, y2)) = (on_grid(first.x, first.y), on_grid(second.x, second.y));
                let (x, y) = on_grid(to.x, to.y);
                builder.cubic_to(x1, y1, x2, y2, x, y);
                last = to;
            }
            PathSegment::Close => builder.close(),
        }
    }
    builder.finish()
}

/// To a thousandth of a point: more digits are only more bytes.
pub(super) fn fine(length: f32) -> f32 {
    (length * 1000.0).round() / 1000.0
}

/// Fills, and strokes too where the font has no bold face; only strokes what is to be outlined. The size is of an em where
/// it is drawn.
pub(super) fn ink(surface: &mut Surface<'_>, run: &GlyphRun, em: f32) {
    let stroke = |share: f32| Stroke {
        paint: paint::color(run.color).into(),
        width: em * share,
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
