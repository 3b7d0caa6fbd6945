//! A font that is parsed on first use, and its line metrics.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use harfrust::font::metrics::LineBox;
use harfrust::font::{Blob, Font};
use skrifa::raw::types::F48Dot16;

/// A font of a font book or of a document.
#[derive(Clone)]
pub struct FontSource {
    /// The family name. It is compared without regard to upper and lower case.
    pub family: String,
    /// True for a bold face.
    pub bold: bool,
    /// True for an italic face.
    pub italic: bool,
    /// The file of the font.
    pub file: FontFile,
}

/// The file of a font.
#[derive(Clone)]
pub enum FontFile {
    /// The bytes of the file.
    Loaded(Arc<dyn AsRef<[u8]> + Send + Sync>),
    /// A font that is known but not loaded yet. (A browser loads only the fonts that a document needs.) The value lists the
    /// characters of the font as sorted ranges of code points. Both ends of a range are included.
    NotLoaded(&'static [(u32, u32)]),
}

/// A font with its data, which is parsed on first use.
pub(crate) struct Face {
    pub source: FontSource,
    parsed: OnceLock<Option<ParsedFont>>,
    /// True if layout needed the font while it was not loaded.
    was_needed: AtomicBool,
}

/// Data that is read from a font file once.
pub(crate) struct ParsedFont {
    pub font: Font,
    pub metrics: FontMetrics,
    /// The characters from U+0000 to U+07FF for which the font has a glyph, in blocks of 128 characters, with one bit per
    /// character. Each block is read on first use. Nearly all lookups are in this range.
    coverage_blocks: [OnceLock<u128>; 16],
}

/// Metrics of a font in ems. `descent` is positive downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FontMetrics {
    pub units_per_em: f32,
    /// The ascent, including the line gap. Word and LibreOffice add that gap above the line.
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
        Self { source, parsed: OnceLock::new(), was_needed: AtomicBool::new(false) }
    }

    /// Returns true if layout has needed the font since the last call of this function although it was not loaded.
    pub fn take_needed(&self) -> bool {
        self.was_needed.swap(false, Ordering::Relaxed)
    }

    /// Returns true if the file is a font. Files that are not loaded yet are assumed to be fonts.
    pub fn is_font(&self) -> bool {
        matches!(self.source.file, FontFile::NotLoaded(_)) || self.parsed().is_some()
    }

    /// Returns true if the font has a glyph for the character. Works even if the font is not loaded yet.
    pub fn covers(&self, character: char) -> bool {
        match self.source.file {
            FontFile::Loaded(_) => self.parsed().is_some_and(|parsed| parsed.covers(character)),
            FontFile::NotLoaded(ranges) => {
                let code = u32::from(character);
                let after = ranges.partition_point(|(first, _)| *first <= code);
                after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|(_, last)| code <= *last)
            }
        }
    }

    /// Returns the parsed font. Returns `None` if the file is not a font or is not loaded yet. In the second case, also records
    /// that the font is needed.
    pub fn parsed(&self) -> Option<&ParsedFont> {
        match &self.source.file {
            FontFile::Loaded(data) => self.parsed.get_or_init(|| ParsedFont::new(data)).as_ref(),
            FontFile::NotLoaded(_) => {
                self.was_needed.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    /// Converts the font to an entry of [`crate::Pages::fonts`]. The data is empty if the font is not loaded.
    pub fn to_page_font(&self) -> crate::page::Font {
        let data = match &self.source.file {
            FontFile::Loaded(data) => Arc::clone(data),
            FontFile::NotLoaded(_) => Arc::new([]),
        };
        let units_per_em = self.parsed().map_or(1000.0, |parsed| parsed.metrics.units_per_em);
        crate::page::Font { data, index: 0, family: self.source.family.clone(), units_per_em }
    }
}

impl ParsedFont {
    fn new(data: &Arc<dyn AsRef<[u8]> + Send + Sync>) -> Option<Self> {
        let font = Font::new(Blob::Shared(Arc::clone(data)), 0)?;
        if font.num_glyphs() == 0 {
            return None;
        }
        let metrics = FontMetrics::from_font(&font);
        Some(Self { font, metrics, coverage_blocks: Default::default() })
    }

    /// Returns true if the font has a glyph for the character.
    pub fn covers(&self, character: char) -> bool {
        let code = u32::from(character);
        match self.coverage_blocks.get(code as usize / 128) {
            Some(block) => block.get_or_init(|| self.read_coverage_block(code / 128 * 128)) >> (code % 128) & 1 == 1,
            None => self.font.charmap().map_unicode(code).is_some(),
        }
    }

    /// Returns the glyph for the character, or `None` if the font has none.
    pub fn glyph(&self, character: char) -> Option<harfrust::GlyphId> {
        self.font.charmap().map_unicode(u32::from(character))
    }

    /// Returns one bit for each of 128 characters. The bit is 1 if the font has a glyph for the character. Bit 0 is for the
    /// character `first`, bit 1 for the next character and so on.
    fn read_coverage_block(&self, first: u32) -> u128 {
        let charmap = self.font.charmap();
        let bit = |at: u32| u128::from(charmap.map_unicode(first + at).is_some()) << at;
        (0..128).map(bit).sum()
    }
}

impl FontMetrics {
    /// Computes the height of a line as Word does. A font file can define three line heights: the typographic and the Windows
    /// height (OS/2 table), and the hhea height. If the font has USE_TYPO_METRICS (OS/2 fsSelection bit 7), the typographic
    /// height with its line gap is used. Otherwise, the Windows height or the hhea height with its line gap is used, whichever is
    /// larger. (For example, the Windows height of Amiri is 2.8 em.)
    fn from_font(font: &Font) -> Self {
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
