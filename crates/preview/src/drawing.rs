//! Converts a page to an array of numbers for a canvas, in painting order.
//!
//! Lengths are in points, with y downwards. Colours are `red · 65536 + green · 256 + blue`. Each entry begins with its kind:
//!
//! | kind | numbers that follow |
//! |---|---|
//! | 1 glyphs | font's key, colour, stroke in font units (0: none), filled (0, 1), a, c, d, count; for each glyph: id, x, y |
//! | 2 rectangle | x, y, width, height, colour, opacity |
//! | 3 stroke | colour, width, round caps (0, 1), dashes (count, lengths), path |
//! | 4 path | even-odd (0, 1), paint, path |
//! | 5 picture | key, opacity, visible area (x, y, width, height), area of the whole picture (the same), outline as path |
//! | 6 group | a, b, c, d, e, f, clipped (0, 1), clip (x, y, width, height) |
//! | 7 end of a group | |
//!
//! The outline of a glyph is drawn through the transform (a, 0, c, d, x, y).
//!
//! A solid paint is 0, colour, opacity. A gradient is 1, x and y of both ends, and the number of stops. The position
//! and colour of each stop follow.
//!
//! A path is the number of its commands, followed by the commands. A command is 0 (move), 1 (line) or 2 (cubic curve)
//! with its points, or 3 (close).

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::DrawSettings;
use skrifa::outline::pen::SvgPen;
use skrifa::{FontRef, GlyphId, MetadataProvider};
use waraq_layout::geometry::{self, MAX_DEPTH, OUTLINE_WIDTH, SYNTHETIC_BOLD};
use waraq_layout::{
    DisplayItem, GlyphRun, Page, Pages, Paint, PathCommand, PlacedImage, Rect, Rgb, StrokePath, TaggedItem,
};

/// The keys that identify the fonts and pictures of the pages in a drawing.
#[derive(Debug, Default)]
pub struct DrawingKeys {
    /// The key and the units per em of each font, in the order of [`waraq_layout::FontId`].
    pub fonts: Vec<(usize, f32)>,
    /// The key of each picture, in the order of [`waraq_layout::ImageId`].
    pub images: Vec<usize>,
}

/// Returns the drawing of a page as an array of numbers. The documentation of this module describes the format.
pub fn page_drawing(pages: &Pages, page: &Page, keys: &DrawingKeys) -> Vec<f32> {
    let mut drawing = DrawingWriter { keys, numbers: Vec::with_capacity(8_192) };
    drawing.push_items(&page.items, 0, pages);
    drawing.numbers
}

/// Returns the outline of a glyph in font units as an SVG path, or `None` if the font has no outline for the glyph.
/// `font` is the font file, and `index` is the index of the font in that file.
pub(crate) fn glyph_outline(font: &[u8], index: u32, glyph: u16) -> Option<String> {
    let outlines = FontRef::from_index(font, index).ok()?.outline_glyphs();
    let outline = outlines.get(GlyphId::new(u32::from(glyph)))?;
    let mut pen = SvgPen::with_precision(1);
    outline.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen).ok()?;
    Some(pen.to_string())
}

struct DrawingWriter<'a> {
    keys: &'a DrawingKeys,
    numbers: Vec<f32>,
}

impl DrawingWriter<'_> {
    fn push(&mut self, numbers: &[f32]) {
        self.numbers.extend_from_slice(numbers);
    }

    fn push_items(&mut self, items: &[TaggedItem], depth: usize, pages: &Pages) {
        for placed in items {
            self.push_item(&placed.item, depth, pages);
        }
    }

    fn push_item(&mut self, item: &DisplayItem, depth: usize, pages: &Pages) {
        match item {
            DisplayItem::Glyphs(run) => self.push_run(run),
            DisplayItem::Rectangle { area, color, opacity } => {
                if geometry::is_finite_area(area) {
                    self.push(&[
                        2.0,
                        area.x,
                        area.y,
                        area.width,
                        area.height,
                        color_number(*color),
                        clamp_to_unit(*opacity),
                    ]);
                }
            }
            DisplayItem::Stroke(line) => self.push_stroke(line),
            DisplayItem::FilledPath { path, paint, even_odd } => {
                if is_drawable(path) {
                    self.push(&[4.0, f32::from(u8::from(*even_odd))]);
                    self.push_paint(paint);
                    self.push_path(path);
                }
            }
            DisplayItem::Image(image) => self.push_image(image),
            DisplayItem::Link { .. } | DisplayItem::Value { .. } => {}
            DisplayItem::Repeated { items, .. } => {
                if depth < MAX_DEPTH {
                    self.push_items(items, depth + 1, pages);
                }
            }
            DisplayItem::Group { transform: t, clip, items } => {
                if depth < MAX_DEPTH && geometry::is_finite(t) {
                    let clip = clip.filter(geometry::is_finite_area);
                    let Rect { x, y, width, height } = clip.unwrap_or_default();
                    let clipped = f32::from(u8::from(clip.is_some()));
                    self.push(&[6.0, t.a, t.b, t.c, t.d, t.e, t.f, clipped, x, y, width, height]);
                    self.push_items(items, depth + 1, pages);
                    self.push(&[7.0]);
                }
            }
        }
    }

    fn push_run(&mut self, run: &GlyphRun) {
        let Some(&(font, units)) = self.keys.fonts.get(run.font.index()) else { return };
        if !(run.size.is_finite() && run.size > 0.0 && units > 0.0) {
            return;
        }
        if let Some(shadow) = geometry::shadow_run(run) {
            self.push_run(&shadow);
        }
        let shape = geometry::run_transform(run).unwrap_or(geometry::IDENTITY);
        let widened = if run.scale_x.is_finite() && run.scale_x > 0.0 { run.scale_x } else { 1.0 };
        let em = run.size / units;
        let stroke = match (run.outlined, run.synthetic_bold) {
            (true, _) => run.size * OUTLINE_WIDTH / em,
            (false, true) => run.size * SYNTHETIC_BOLD / em,
            (false, false) => 0.0,
        };
        let filled = f32::from(u8::from(!run.outlined));
        let (a, c, d) = (shape.a * em, -shape.c * em, -shape.d * em);
        self.push(&[1.0, font as f32, color_number(run.color), stroke, filled, a, c, d]);
        let count = self.numbers.len();
        self.push(&[0.0]);
        let mut pen = run.x;
        for glyph in &run.glyphs {
            let (x, y) = (pen + glyph.x_offset / widened, run.y - glyph.y_offset);
            pen += glyph.advance / widened;
            let (x, y) = (shape.a * x + shape.c * y + shape.e, shape.d * y + shape.f);
            if x.is_finite() && y.is_finite() {
                self.push(&[f32::from(glyph.id), x, y]);
                if let Some(count) = self.numbers.get_mut(count) {
                    *count += 1.0;
                }
            }
        }
    }

    fn push_stroke(&mut self, line: &StrokePath) {
        if !line.width.is_finite() || line.width < 0.0 || !is_drawable(&line.path) {
            return;
        }
        let sound = line.dashes.iter().all(|length| length.is_finite() && *length >= 0.0)
            && line.dashes.iter().sum::<f32>() > 0.0;
        let dashes = if sound { line.dashes.as_slice() } else { &[] };
        self.push(&[
            3.0,
            color_number(line.color),
            line.width,
            f32::from(u8::from(line.round_caps)),
            dashes.len() as f32,
        ]);
        self.push(dashes);
        self.push_path(&line.path);
    }

    fn push_paint(&mut self, paint: &Paint) {
        match paint {
            Paint::Solid { color, opacity } => self.push(&[0.0, color_number(*color), clamp_to_unit(*opacity)]),
            Paint::Gradient { stops, from, to } => {
                let sound = [from.x, from.y, to.x, to.y].iter().all(|number| number.is_finite());
                if !sound || stops.len() < 2 {
                    let color = stops.first().map_or(Rgb(0, 0, 0), |(_, color)| *color);
                    return self.push(&[0.0, color_number(color), 1.0]);
                }
                self.push(&[1.0, from.x, from.y, to.x, to.y, stops.len() as f32]);
                for (at, color) in stops {
                    self.push(&[clamp_to_unit(*at), color_number(*color)]);
                }
            }
        }
    }

    fn push_path(&mut self, path: &[PathCommand]) {
        self.push(&[path.len() as f32]);
        for command in path {
            match *command {
                PathCommand::Move(x, y) => self.push(&[0.0, x, y]),
                PathCommand::Line(x, y) => self.push(&[1.0, x, y]),
                PathCommand::Cubic(x1, y1, x2, y2, x, y) => self.push(&[2.0, x1, y1, x2, y2, x, y]),
                PathCommand::Close => self.push(&[3.0]),
            }
        }
    }

    fn push_image(&mut self, image: &PlacedImage) {
        let Some(&key) = self.keys.images.get(image.image.0) else { return };
        if !geometry::is_finite_area(&image.area) {
            return;
        }
        let (seen, whole) = (image.area, geometry::uncropped(&image.area, &image.crop));
        self.push(&[5.0, key as f32, clamp_to_unit(image.opacity)]);
        for Rect { x, y, width, height } in [seen, whole] {
            self.push(&[x, y, width, height]);
        }
        self.push_path(image.clip_path.as_deref().filter(|outline| is_drawable(outline)).unwrap_or_default());
    }
}

/// Returns a colour as a number. The conversion is exact: `f32` represents all 24-bit integers.
fn color_number(Rgb(red, green, blue): Rgb) -> f32 {
    (u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue)) as f32
}

fn clamp_to_unit(value: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 }
}

/// Returns `true` if a canvas can draw the path: the path begins with a move, and the absolute values of all
/// coordinates are finite and below a million.
fn is_drawable(path: &[PathCommand]) -> bool {
    let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite() && number.abs() < 1e6);
    matches!(path.first(), Some(PathCommand::Move(..)))
        && path.iter().all(|command| match *command {
            PathCommand::Move(x, y) | PathCommand::Line(x, y) => finite(&[x, y]),
            PathCommand::Cubic(x1, y1, x2, y2, x, y) => finite(&[x1, y1, x2, y2, x, y]),
            PathCommand::Close => true,
        })
}
