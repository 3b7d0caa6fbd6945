//! The items of a page on a canvas of pixels.

use std::collections::HashMap;
use std::rc::Rc;

use tiny_skia::{
    FillRule, FilterQuality, IntSize, Mask, Paint as SkiaPaint, PathBuilder, Pattern, Pixmap, PremultipliedColorU8,
    Shader, SpreadMode, Stroke, Transform as SkiaTransform,
};
use waraq_layout::{GlyphRun, ImageFormat, ImageId, Item, Page, Pages, Placed, PlacedImage, Rect, Transform};

use super::paint;
use crate::outlines::Outlines;
use crate::svg::{self, Svg};
use crate::{picture, placeholder};
use waraq_layout::geometry::{self, MAX_DEPTH, OUTLINE, SYNTHETIC_BOLD};

/// Of drawing an item of pixels.
const ITEM_WORK: usize = 20;

/// A picture as it is drawn.
#[derive(Clone)]
enum Readable {
    Pixels(Rc<Pixmap>),
    Drawing(Rc<Svg>),
}

pub(super) struct Canvas<'a> {
    pages: &'a Pages,
    pixmap: &'a mut Pixmap,
    outlines: Outlines<'a>,
    /// Points to pixels, the groups that are open included.
    through: Transform,
    clip: Option<Mask>,
    drawn_sizes: HashMap<ImageId, (f32, f32)>,
    images: HashMap<ImageId, Result<Readable, &'static str>>,
    scale: f32,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(pages: &'a Pages, page: &'a Page, scale: f32, pixmap: &'a mut Pixmap) -> Self {
        Self {
            pages,
            pixmap,
            outlines: Outlines::new(&pages.fonts),
            through: Transform { a: scale, b: 0.0, c: 0.0, d: scale, e: 0.0, f: 0.0 },
            clip: None,
            drawn_sizes: geometry::drawn_sizes(std::slice::from_ref(page)),
            images: HashMap::new(),
            scale,
        }
    }

    pub(super) fn page(&mut self, page: &Page) {
        self.items(&page.items, 0);
    }

    fn items(&mut self, items: &[Placed], depth: usize) {
        for placed in items {
            if !self.pages.meter.spend(ITEM_WORK) {
                return;
            }
            self.item(&placed.item, depth);
        }
    }

    fn item(&mut self, item: &Item, depth: usize) {
        match item {
            Item::Glyphs(run) => self.run(run),
            Item::Rectangle { area, color, opacity } => {
                if geometry::is_sound(area)
                    && let Some(rect) = paint::rect(area)
                {
                    self.fill(
                        &PathBuilder::from_rect(rect),
                        Shader::SolidColor(paint::color(*color, *opacity)),
                        FillRule::Winding,
                    );
                }
            }
            Item::Stroke(line) => {
                let pixels = self.through.a.hypot(self.through.b);
                if let (Some(path), Some(stroke)) = (paint::path(&line.path), paint::stroke(line, pixels)) {
                    let paint = solid(Shader::SolidColor(paint::color(line.color, 1.0)));
                    let through = paint::transform(&self.through);
                    self.pixmap.stroke_path(&path, &paint, &stroke, through, self.clip.as_ref());
                }
            }
            Item::FilledPath { path, paint, even_odd } => {
                if let (Some(path), Some(shader)) = (paint::path(path), paint::shader(paint)) {
                    let rule = if *even_odd { FillRule::EvenOdd } else { FillRule::Winding };
                    self.fill(&path, shader, rule);
                }
            }
            Item::Image(image) => self.image(image),
            Item::Link { .. } | Item::Value { .. } => {}
            Item::Repeated { items, .. } => {
                if depth < MAX_DEPTH {
                    self.items(items, depth + 1);
                }
            }
            Item::Group { transform, clip, items } => {
                if depth < MAX_DEPTH && geometry::is_finite(transform) {
                    self.group(transform, clip.as_ref(), items, depth);
                }
            }
        }
    }

    fn fill(&mut self, path: &tiny_skia::Path, shader: Shader<'_>, rule: FillRule) {
        let through = paint::transform(&self.through);
        self.pixmap.fill_path(path, &solid(shader), rule, through, self.clip.as_ref());
    }

    fn group(&mut self, transform: &Transform, clip: Option<&Rect>, items: &[Placed], depth: usize) {
        let outside = self.through;
        self.through = geometry::concatenate(&outside, transform);
        let clip = clip.filter(|area| geometry::is_sound(area)).and_then(paint::rect);
        // the clip of the group outside is put back afterwards
        let kept = clip.map(|area| {
            let kept = self.clip.clone();
            self.cut(&PathBuilder::from_rect(area));
            kept
        });
        self.items(items, depth + 1);
        if let Some(kept) = kept {
            self.clip = kept;
        }
        self.through = outside;
    }

    fn cut(&mut self, path: &tiny_skia::Path) {
        let through = paint::transform(&self.through);
        match &mut self.clip {
            Some(mask) => mask.intersect_path(path, FillRule::Winding, true, through),
            None => {
                if let Some(mut mask) = Mask::new(self.pixmap.width(), self.pixmap.height()) {
                    mask.fill_path(path, FillRule::Winding, true, through);
                    self.clip = Some(mask);
                }
            }
        }
    }

    fn run(&mut self, run: &GlyphRun) {
        let Some(units) = self.outlines.units_per_em(run.font) else { return };
        if !(run.size.is_finite() && run.size > 0.0) {
            return;
        }
        if let Some(shadow) = geometry::shadow(run) {
            self.run(&shadow);
        }
        let outside = match geometry::run_shape(run) {
            Some(shape) => geometry::concatenate(&self.through, &shape),
            None => self.through,
        };
        let widened = if run.scale_x.is_finite() && run.scale_x > 0.0 { run.scale_x } else { 1.0 };
        let em = run.size / units;
        let ink = solid(Shader::SolidColor(paint::color(run.color, 1.0)));
        let stroke = |share: f32| Stroke { width: run.size * share / em, ..Stroke::default() };
        let (bold, edge) = (stroke(SYNTHETIC_BOLD), stroke(OUTLINE));
        let mut pen = run.x;
        for glyph in &run.glyphs {
            let (x, y) = (pen + glyph.x_offset / widened, run.y - glyph.y_offset);
            pen += glyph.advance / widened;
            let Some(path) = self.outlines.path(run.font, glyph.id) else { continue };
            let place = Transform { a: em, b: 0.0, c: 0.0, d: -em, e: x, f: y };
            let through = geometry::concatenate(&outside, &place);
            if !geometry::is_finite(&through) {
                continue;
            }
            let through = paint::transform(&through);
            if run.outlined {
                self.pixmap.stroke_path(path, &ink, &edge, through, self.clip.as_ref());
                continue;
            }
            self.pixmap.fill_path(path, &ink, FillRule::Winding, through, self.clip.as_ref());
            if run.synthetic_bold {
                self.pixmap.stroke_path(path, &ink, &bold, through, self.clip.as_ref());
            }
        }
    }

    fn image(&mut self, placed: &PlacedImage) {
        let Some(area) = paint::rect(&placed.area).filter(|_| geometry::is_sound(&placed.area)) else { return };
        let readable = match self.images.get(&placed.image) {
            Some(known) => known.clone(),
            None => {
                let read = self.read(placed.image);
                self.images.insert(placed.image, read.clone());
                read
            }
        };
        let outline = placed.outline.as_deref().and_then(paint::path);
        let kept = outline.map(|outline| {
            let kept = self.clip.clone();
            self.cut(&outline);
            kept
        });
        let opacity = if placed.opacity.is_finite() { placed.opacity.clamp(0.0, 1.0) } else { 1.0 };
        match readable {
            Ok(Readable::Pixels(image)) => {
                let whole = geometry::uncropped(&placed.area, &placed.crop);
                let onto = SkiaTransform::from_row(
                    whole.width / image.width() as f32,
                    0.0,
                    0.0,
                    whole.height / image.height() as f32,
                    whole.x,
                    whole.y,
                );
                let shader = Pattern::new((*image).as_ref(), SpreadMode::Pad, FilterQuality::Bilinear, opacity, onto);
                self.fill(&PathBuilder::from_rect(area), shader, FillRule::Winding);
            }
            Ok(Readable::Drawing(svg)) => self.drawing(&svg, placed),
            Err(label) => {
                for item in placeholder::items(placed.area, label, &self.pages.fonts) {
                    self.item(&item, MAX_DEPTH);
                }
            }
        }
        if let Some(kept) = kept {
            self.clip = kept;
        }
    }

    fn drawing(&mut self, svg: &Svg, placed: &PlacedImage) {
        let seen = if placed.opacity.is_finite() { placed.opacity.clamp(0.0, 1.0) } else { 1.0 };
        let outside = self.through;
        let kept = self.clip.clone();
        if let Some(area) = paint::rect(&placed.area) {
            self.cut(&PathBuilder::from_rect(area));
        }
        let onto = svg.onto(&geometry::uncropped(&placed.area, &placed.crop));
        self.through = geometry::concatenate(&outside, &onto);
        let pixels = self.through.a.hypot(self.through.b);
        let sound = geometry::is_finite(&self.through);
        for shape in svg.shapes.iter().filter(|_| sound) {
            let Some(path) = paint::path(&shape.path) else { continue };
            if let Some((mut shader, fill)) = shape.fill.as_ref().and_then(|f| Some((paint::shader(&f.paint)?, f))) {
                shader.apply_opacity((fill.opacity * seen).clamp(0.0, 1.0));
                let rule = if fill.even_odd { FillRule::EvenOdd } else { FillRule::Winding };
                self.fill(&path, shader, rule);
            }
            if let Some((stroke, given)) =
                shape.stroke.as_ref().and_then(|s| Some((paint::stroke(&s.line, pixels)?, s)))
            {
                let ink = solid(Shader::SolidColor(paint::color(given.line.color, given.opacity * seen)));
                let through = paint::transform(&self.through);
                self.pixmap.stroke_path(&path, &ink, &stroke, through, self.clip.as_ref());
            }
        }
        self.through = outside;
        self.clip = kept;
    }

    fn read(&self, id: ImageId) -> Result<Readable, &'static str> {
        let image = self.pages.images.get(id.0).ok_or("Picture")?;
        if image.format == ImageFormat::Svg {
            let svg = Svg::read(image).map_err(|unreadable| unreadable.label)?;
            let drawable = svg::is_drawable(&svg);
            return if drawable { Ok(Readable::Drawing(Rc::new(svg))) } else { Err(picture::label(image.format)) };
        }
        let (width, height) = self.drawn_sizes.get(&id).copied().unwrap_or((0.0, 0.0));
        let wanted = (width * self.scale, height * self.scale);
        let decoded = picture::decode(image, wanted).map_err(|unreadable| unreadable.label)?.into_rgba8();
        let size = IntSize::from_wh(decoded.width(), decoded.height()).ok_or("Picture")?;
        let mut pixmap = Pixmap::new(size.width(), size.height()).ok_or("Picture")?;
        for (pixel, &image::Rgba([red, green, blue, alpha])) in pixmap.pixels_mut().iter_mut().zip(decoded.pixels()) {
            let dimmed = |channel: u8| ((u16::from(channel) * u16::from(alpha) + 127) / 255) as u8;
            *pixel = PremultipliedColorU8::from_rgba(dimmed(red), dimmed(green), dimmed(blue), alpha)
                .unwrap_or(PremultipliedColorU8::TRANSPARENT);
        }
        Ok(Readable::Pixels(Rc::new(pixmap)))
    }
}

fn solid(shader: Shader<'_>) -> SkiaPaint<'_> {
    SkiaPaint { shader, anti_alias: true, ..SkiaPaint::default() }
}
