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
use waraq_layout::geometry::{self, MAX_DEPTH, OUTLINE, SYNTHETIC_BOLD};
use waraq_layout::{GlyphRun, Item, Page, Pages, Paint, PathCommand, Placed, PlacedImage, Rect, Rgb, StrokePath};

/// The keys that identify the fonts and pictures of the pages in a drawing.
#[derive(Debug, Default)]
pub struct Keys {
    /// The key and the units per em of each font, in the order of [`waraq_layout::FontId`].
    pub fonts: Vec<(usize, f32)>,
    /// The key of each picture, in the order of [`waraq_layout::ImageId`].
    pub images: Vec<usize>,
}

/// Returns the drawing of a page in the format described above.
pub fn of(pages: &Pages, page: &Page, keys: &Keys) -> Vec<f32> {
    let mut drawing = Drawing { keys, numbers: Vec::with_capacity(8_192) };
    drawing.items(&page.items, 0, pages);
    drawing.numbers
}

/// Returns the outline of a glyph in font units as an SVG path, or `None` if the font has no such outline.
pub(crate) fn outline(font: &[u8], index: u32, glyph: u16) -> Option<String> {
    let outlines = FontRef::from_index(font, index).ok()?.outline_glyphs();
    let outline = outlines.get(GlyphId::new(u32::from(glyph)))?;
    let mut pen = SvgPen::with_precision(1);
    outline.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen).ok()?;
    Some(pen.to_string())
}

struct Drawing<'a> {
    keys: &'a Keys,
    numbers: Vec<f32>,
}

impl Drawing<'_> {
    fn put(&mut self, numbers: &[f32]) {
        self.numbers.extend_from_slice(numbers);
    }

    fn items(&mut self, items: &[Placed], depth: usize, pages: &Pages) {
        for placed in items {
            self.item(&placed.item, depth, pages);
        }
    }

    fn item(&mut self, item: &Item, depth: usize, pages: &Pages) {
        match item {
            Item::Glyphs(run) => self.run(run),
            Item::Rectangle { area, color, opacity } => {
                if geometry::is_sound(area) {
                    self.put(&[2.0, area.x, area.y, area.width, area.height, number(*color), share(*opacity)]);
                }
            }
            Item::Stroke(line) => self.stroke(line),
            Item::FilledPath { path, paint, even_odd } => {
                if is_sound(path) {
                    self.put(&[4.0, f32::from(u8::from(*even_odd))]);
                    self.paint(paint);
                    self.path(path);
                }
            }
            Item::Image(image) => self.image(image),
            Item::Link { .. } | Item::Value { .. } => {}
            Item::Repeated { items, .. } => {
                if depth < MAX_DEPTH {
                    self.items(items, depth + 1, pages);
                }
            }
            Item::Group { transform: t, clip, items } => {
                if depth < MAX_DEPTH && geometry::is_finite(t) {
                    let clip = clip.filter(geometry::is_sound);
                    let Rect { x, y, width, height } = clip.unwrap_or_default();
                    let clipped = f32::from(u8::from(clip.is_some()));
                    self.put(&[6.0, t.a, t.b, t.c, t.d, t.e, t.f, clipped, x, y, width, height]);
                    self.items(items, depth + 1, pages);
                    self.put(&[7.0]);
                }
            }
        }
    }

    fn run(&mut self, run: &GlyphRun) {
        let Some(&(font, units)) = self.keys.fonts.get(run.font.index()) else { return };
        if !(run.size.is_finite() && run.size > 0.0 && units > 0.0) {
            return;
        }
        if let Some(shadow) = geometry::shadow(run) {
            self.run(&shadow);
        }
        let shape = geometry::run_shape(run).unwrap_or(geometry::IDENTITY);
        let widened = if run.scale_x.is_finite() && run.scale_x > 0.0 { run.scale_x } else { 1.0 };
        let em = run.size / units;
        let stroke = match (run.outlined, run.synthetic_bold) {
            (true, _) => run.size * OUTLINE / em,
            (false, true) => run.size * SYNTHETIC_BOLD / em,
            (false, false) => 0.0,
        };
        let filled = f32::from(u8::from(!run.outlined));
        let (a, c, d) = (shape.a * em, -shape.c * em, -shape.d * em);
        self.put(&[1.0, font as f32, number(run.color), stroke, filled, a, c, d]);
        let count = self.numbers.len();
        self.put(&[0.0]);
        let mut pen = run.x;
        for glyph in &run.glyphs {
            let (x, y) = (pen + glyph.x_offset / widened, run.y - glyph.y_offset);
            pen += glyph.advance / widened;
            let (x, y) = (shape.a * x + shape.c * y + shape.e, shape.d * y + shape.f);
            if x.is_finite() && y.is_finite() {
                self.put(&[f32::from(glyph.id), x, y]);
                if let Some(count) = self.numbers.get_mut(count) {
                    *count += 1.0;
                }
            }
        }
    }

    fn stroke(&mut self, line: &StrokePath) {
        if !line.width.is_finite() || line.width < 0.0 || !is_sound(&line.path) {
            return;
        }
        let sound = line.dashes.iter().all(|length| length.is_finite() && *length >= 0.0)
            && line.dashes.iter().sum::<f32>() > 0.0;
        let dashes = if sound { line.dashes.as_slice() } else { &[] };
        self.put(&[3.0, number(line.color), line.width, f32::from(u8::from(line.round_caps)), dashes.len() as f32]);
        self.put(dashes);
        self.path(&line.path);
    }

    fn paint(&mut self, paint: &Paint) {
        match paint {
            Paint::Solid { color, opacity } => self.put(&[0.0, number(*color), share(*opacity)]),
            Paint::Gradient { stops, from, to } => {
                let sound = [from.0, from.1, to.0, to.1].iter().all(|number| number.is_finite());
                if !sound || stops.len() < 2 {
                    let color = stops.first().map_or(Rgb(0, 0, 0), |(_, color)| *color);
                    return self.put(&[0.0, number(color), 1.0]);
                }
                self.put(&[1.0, from.0, from.1, to.0, to.1, stops.len() as f32]);
                for (at, color) in stops {
                    self.put(&[share(*at), number(*color)]);
                }
            }
        }
    }

    fn path(&mut self, path: &[PathCommand]) {
        self.put(&[path.len() as f32]);
        for command in path {
            match *command {
                PathCommand::Move(x, y) => self.put(&[0.0, x, y]),
                PathCommand::Line(x, y) => self.put(&[1.0, x, y]),
                PathCommand::Cubic(x1, y1, x2, y2, x, y) => self.put(&[2.0, x1, y1, x2, y2, x, y]),
                PathCommand::Close => self.put(&[3.0]),
            }
        }
    }

    fn image(&mut self, image: &PlacedImage) {
        let Some(&key) = self.keys.images.get(image.image.0) else { return };
        if !geometry::is_sound(&image.area) {
            return;
        }
        let (seen, whole) = (image.area, geometry::uncropped(&image.area, &image.crop));
        self.put(&[5.0, key as f32, share(image.opacity)]);
        for Rect { x, y, width, height } in [seen, whole] {
            self.put(&[x, y, width, height]);
        }
        self.path(image.outline.as_deref().filter(|outline| is_sound(outline)).unwrap_or_default());
    }
}

/// Returns a colour as a number. The conversion is exact: `f32` represents all 24-bit integers.
fn number(Rgb(red, green, blue): Rgb) -> f32 {
    (u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue)) as f32
}

fn share(value: f32) -> f32 {
    if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 }
}

/// Returns `true` if the path begins with a move and all coordinates are finite and below a million.
fn is_sound(path: &[PathCommand]) -> bool {
    let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite() && number.abs() < 1e6);
    matches!(path.first(), Some(PathCommand::Move(..)))
        && path.iter().all(|command| match *command {
            PathCommand::Move(x, y) | PathCommand::Line(x, y) => finite(&[x, y]),
            PathCommand::Cubic(x1, y1, x2, y2, x, y) => finite(&[x1, y1, x2, y2, x, y]),
            PathCommand::Close => true,
        })
}
