//! Glyphs as paths.

use std::collections::HashMap;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{GlyphId, MetadataProvider, OutlineGlyphCollection};
use tiny_skia::{Path, PathBuilder};
use waraq_layout::{Font, FontId};

/// The outlines of the fonts of a page, each glyph's path built once.
pub(super) struct Outlines<'a> {
    fonts: Vec<Option<(OutlineGlyphCollection<'a>, f32)>>,
    paths: HashMap<(FontId, u16), Option<Path>>,
}

impl<'a> Outlines<'a> {
    pub(super) fn new(fonts: &'a [Font]) -> Self {
        let open = |font: &'a Font| {
            let parsed = skrifa::FontRef::from_index((*font.data).as_ref(), font.index).ok()?;
            let units = f32::from(parsed.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
            (units > 0.0).then(|| (parsed.outline_glyphs(), units))
        };
        Self { fonts: fonts.iter().map(open).collect(), paths: HashMap::new() }
    }

    /// Font units to an em; `None`: no such font.
    pub(super) fn units_per_em(&self, font: FontId) -> Option<f32> {
        self.fonts.get(font.0)?.as_ref().map(|(_, units)| *units)
    }

    /// In font units, y upwards; `None`: nothing to draw.
    pub(super) fn path(&mut self, font: FontId, glyph: u16) -> Option<&Path> {
        let fonts = &self.fonts;
        self.paths
            .entry((font, glyph))
            .or_insert_with(|| {
                let (outlines, _) = fonts.get(font.0)?.as_ref()?;
                let outline = outlines.get(GlyphId::new(u32::from(glyph)))?;
                let mut pen = Pen(PathBuilder::new());
                outline.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), &mut pen).ok()?;
                pen.0.finish()
            })
            .as_ref()
    }
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
