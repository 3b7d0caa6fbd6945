//! Glyphs as paths.

use std::cell::OnceCell;
use std::collections::HashMap;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{GlyphId, MetadataProvider, OutlineGlyphCollection};
use tiny_skia::{Path, PathBuilder};
use waraq_layout::{Font, FontId};

/// The outlines of fonts, each glyph's path built once.
pub(crate) struct Outlines<'a> {
    fonts: Vec<OnceCell<Option<Opened<'a>>>>,
    sources: &'a [Font],
    paths: HashMap<(FontId, u16), Option<Path>>,
}

struct Opened<'a> {
    outlines: OutlineGlyphCollection<'a>,
    units_per_em: f32,
}

impl<'a> Opened<'a> {
    fn new(font: &'a Font) -> Option<Self> {
        let parsed = skrifa::FontRef::from_index((*font.data).as_ref(), font.index).ok()?;
        let units_per_em = f32::from(parsed.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
        (units_per_em > 0.0).then(|| Self { outlines: parsed.outline_glyphs(), units_per_em })
    }
}

impl<'a> Outlines<'a> {
    pub(crate) fn new(sources: &'a [Font]) -> Self {
        Self { fonts: sources.iter().map(|_| OnceCell::new()).collect(), sources, paths: HashMap::new() }
    }

    /// Font units to an em; `None`: no such font.
    pub(crate) fn units_per_em(&self, font: FontId) -> Option<f32> {
        self.opened(font).map(|opened| opened.units_per_em)
    }

    /// In font units, y upwards; `None`: nothing to draw.
    pub(crate) fn path(&mut self, font: FontId, glyph: u16) -> Option<&Path> {
        if !self.paths.contains_key(&(font, glyph)) {
            let path = self.opened(font).and_then(|opened| path(&opened.outlines, glyph));
            self.paths.insert((font, glyph), path);
        }
        self.paths.get(&(font, glyph))?.as_ref()
    }

    fn opened(&self, font: FontId) -> Option<&Opened<'a>> {
        self.fonts.get(font.index())?.get_or_init(|| Opened::new(self.sources.get(font.index())?)).as_ref()
    }
}

fn path(outlines: &OutlineGlyphCollection<'_>, glyph: u16) -> Option<Path> {
    let outline = outlines.get(GlyphId::new(u32::from(glyph)))?;
    let mut pen = Pen(PathBuilder::new());
    outline.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen).ok()?;
    pen.0.finish()
}

struct Pen(PathBuilder);

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.0.quad_to(cx, cy, x, y);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.0.cubic_to(cx0, cy0, cx1, cy1, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
