//! A font that is parsed on first use, and its line metrics.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use harfrust::font::metrics::LineBox;
use harfrust::font::{Blob, Font};
use skrifa::raw::types::F48Dot16;

/// A font of a font book or of a document.
#[derive(Clone)]
pub struct FontSource {
    pub family: String,
    pub bold: bool,
    pub italic: bool,
    pub file: FontFile,
}

#[derive(Clone)]
pub enum FontFile {
    Here(Arc<dyn AsRef<[u8]> + Send + Sync>),
    /// A known font that is not loaded yet, as in a browser that fetches only the fonts a document needs. The value lists its
    /// characters as sorted ranges of code points, both ends included.
    Awaited(&'static [(u32, u32)]),
}

pub(crate) struct Face {
    pub source: FontSource,
    parsed: OnceLock<Option<Parsed>>,
    /// True if the font is not loaded and layout needed it.
    wanted: AtomicBool,
}

/// Data that is read from a font once.
pub(crate) struct Parsed {
    pub font: Font,
    pub metrics: Metrics,
    /// Coverage of U+0000 to U+07FF, which covers nearly all lookups. Each block has one bit per character and is read on first
    /// use.
    basic: [OnceLock<u128>; 16],
}

/// Metrics in ems; `descent` is positive downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Metrics {
    pub units_per_em: f32,
    /// The ascent including the line gap: Word and LibreOffice put the gap above the line.
    pub ascent: f32,
    pub descent: f32,
    /// Position of the top of the underline stroke, positive upwards.
    pub underline_position: f32,
    pub underline_thickness: f32,
    pub strike_position: f32,
    pub strike_thickness: f32,
}

impl Face {
    pub fn new(source: FontSource) -> Self {
        Self { source, parsed: OnceLock::new(), wanted: AtomicBool::new(false) }
    }

    /// Returns true if the font is not loaded and layout needed it since the last call.
    pub fn take_wanted(&self) -> bool {
        self.wanted.swap(false, Ordering::Relaxed)
    }

    /// Returns true if the file is a font. This is assumed of fonts that are not loaded yet.
    pub fn is_font(&self) -> bool {
        matches!(self.source.file, FontFile::Awaited(_)) || self.parsed().is_some()
    }

    /// Returns true if the font has a glyph for the character, also if the font is not loaded yet.
    pub fn covers(&self, character: char) -> bool {
        match self.source.file {
            FontFile::Here(_) => self.parsed().is_some_and(|parsed| parsed.covers(character)),
            FontFile::Awaited(ranges) => {
                let code = u32::from(character);
                let after = ranges.partition_point(|(first, _)| *first <= code);
                after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|(_, last)| code <= *last)
            }
        }
    }

    /// Returns the parsed font. Returns `None` if the file is not a font or is not loaded yet; the latter marks the font as
    /// wanted.
    pub fn parsed(&self) -> Option<&Parsed> {
        match &self.source.file {
            FontFile::Here(data) => self.parsed.get_or_init(|| Parsed::new(data)).as_ref(),
            FontFile::Awaited(_) => {
                self.wanted.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    pub fn to_font(&self) -> crate::page::Font {
        let data = match &self.source.file {
            FontFile::Here(data) => Arc::clone(data),
            FontFile::Awaited(_) => Arc::new([]),
        };
        let units_per_em = self.parsed().map_or(1000.0, |parsed| parsed.metrics.units_per_em);
        crate::page::Font { data, index: 0, family: self.source.family.clone(), units_per_em }
    }
}

impl Parsed {
    fn new(data: &Arc<dyn AsRef<[u8]> + Send + Sync>) -> Option<Self> {
        let font = Font::new(Blob::Shared(Arc::clone(data)), 0)?;
        if font.num_glyphs() == 0 {
            return None;
        }
        let metrics = Metrics::of(&font);
        Some(Self { font, metrics, basic: Default::default() })
    }

    /// Returns true if the font has a glyph for the character.
    pub fn covers(&self, character: char) -> bool {
        let code = u32::from(character);
        match self.basic.get(code as usize / 128) {
            Some(block) => block.get_or_init(|| self.block(code / 128 * 128)) >> (code % 128) & 1 == 1,
            None => self.font.charmap().map_unicode(code).is_some(),
        }
    }

    /// Returns the glyph for the character.
    pub fn glyph(&self, character: char) -> Option<harfrust::GlyphId> {
        self.font.charmap().map_unicode(u32::from(character))
    }

    fn block(&self, first: u32) -> u128 {
        let charmap = self.font.charmap();
        let bit = |at: u32| u128::from(charmap.map_unicode(first + at).is_some()) << at;
        (0..128).map(bit).sum()
    }
}

impl Metrics {
    /// Computes the line box like Word. With USE_TYPO_METRICS (OS/2 fsSelection bit 7) it is the typographic line and its gap.
    /// Otherwise it is the Windows line plus the part of the hhea gap that exceeds it. (Amiri's Windows line alone is 2.8 em.)
    fn of(font: &Font) -> Self {
        let metrics = font.metrics();
        let style = font.style_metrics();
        let em = f64::from(metrics.units_per_em.max(1));
        let ems = |value: F48Dot16| (value.to_f64() / em) as f32;
        let line = |line: LineBox| (ems(line.ascender), -ems(line.descender), ems(line.line_gap));
        let windows = metrics.win_line.map(|win| (ems(win.ascender), -ems(win.descender)));
        let (ascent, descent, gap) = match (metrics.typo_line, windows, metrics.hhea_line) {
            (Some(typo), _, _) if metrics.use_typo_metrics => line(typo),
            (_, Some((up, down)), hhea) if up + down > 0.0 => {
                let (hhea_up, hhea_down, gap) = hhea.map_or((0.0, 0.0, 0.0), line);
                (up, down, (gap - ((up + down) - (hhea_up + hhea_down))).max(0.0))
            }
            (_, _, Some(hhea)) => line(hhea),
            (Some(typo), _, _) => line(typo),
            _ => (0.9, 0.2, 0.0),
        };
        let underline = style.underline.map(|line| (ems(line.position), ems(line.thickness)));
        let strike = style.strike_through.map(|line| (ems(line.position), ems(line.thickness)));
        let (underline_position, underline_thickness) = underline.unwrap_or((-0.1, 0.05));
        let (strike_position, strike_thickness) = strike.unwrap_or((0.26, 0.05));
        Self {
            units_per_em: em as f32,
            ascent: (ascent + gap.max(0.0)).clamp(0.0, 4.0),
            descent: descent.clamp(0.0, 4.0),
            underline_position: underline_position.clamp(-0.2, 0.0),
            underline_thickness: underline_thickness.clamp(0.02, 0.07),
            strike_position: strike_position.clamp(0.1, 0.6),
            strike_thickness: strike_thickness.clamp(0.02, 0.1),
        }
    }
}
