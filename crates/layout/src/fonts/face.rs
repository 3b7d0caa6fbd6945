//! One font, parsed when it is first needed, and the metrics lines are made of.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use harfrust::font::metrics::LineBox;
use harfrust::font::name::NameId;
use harfrust::font::{Blob, Font};
use skrifa::raw::types::F48Dot16;

/// One font file, or one font of a collection.
#[derive(Clone)]
pub struct FontSource {
    /// `None`: read from the font, which parses it at once.
    pub family: Option<String>,
    pub bold: bool,
    pub italic: bool,
    pub data: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// Of a collection.
    pub index: u32,
}

/// A font that is known and not here yet, as in a browser that fetches only what a document needs.
#[derive(Debug, Clone)]
pub struct AwaitedFont {
    pub family: String,
    pub bold: bool,
    pub italic: bool,
    /// The characters it has: from one code point to another, both included, in order.
    pub covers: &'static [(u32, u32)],
}

impl std::fmt::Debug for FontSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FontSource({:?} bold={} italic={})", self.family, self.bold, self.italic)
    }
}

/// A font of the book or of the document.
pub(crate) struct Face {
    file: File,
    pub family: String,
    pub bold: bool,
    pub italic: bool,
    parsed: OnceLock<Option<Parsed>>,
}

enum File {
    Here(FontSource),
    /// What it covers, and whether it was asked for.
    Awaited(&'static [(u32, u32)], AtomicBool),
}

/// What is read from a font once.
pub(crate) struct Parsed {
    pub font: Font,
    pub metrics: Metrics,
    /// Coverage of U+0000 to U+07FF, which is nearly all there is to ask about, in blocks that are read when they are first
    /// asked about: a bit for each character.
    basic: [OnceLock<u128>; 16],
}

/// In ems; `descent` is positive downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Metrics {
    pub units_per_em: f32,
    /// With the line gap: Word (and LibreOffice) put it above the line.
    pub ascent: f32,
    pub descent: f32,
    /// Of the top of the underline's stroke, upwards.
    pub underline_position: f32,
    pub underline_thickness: f32,
    pub strike_position: f32,
    pub strike_thickness: f32,
}

impl Face {
    /// `None` where the family is neither given nor readable.
    pub fn new(source: FontSource) -> Option<Self> {
        let parsed = OnceLock::new();
        let family = match &source.family {
            Some(family) => family.clone(),
            None => {
                let read = Parsed::new(&source)?;
                let family = read.family()?;
                let _ = parsed.set(Some(read));
                family
            }
        };
        let (bold, italic) = (source.bold, source.italic);
        Some(Self { file: File::Here(source), family, bold, italic, parsed })
    }

    pub fn awaited(font: AwaitedFont) -> Self {
        let AwaitedFont { family, bold, italic, covers } = font;
        let file = File::Awaited(covers, AtomicBool::new(false));
        Self { file, family, bold, italic, parsed: OnceLock::new() }
    }

    /// It is not here, and something was to be set in it since this was last asked.
    pub fn take_wanted(&self) -> bool {
        matches!(&self.file, File::Awaited(_, wanted) if wanted.swap(false, Ordering::Relaxed))
    }

    /// A font, as far as is known.
    pub fn is_font(&self) -> bool {
        matches!(self.file, File::Awaited(..)) || self.parsed().is_some()
    }

    /// Whether the font has a glyph for the character. Of one that is not here that is known, too.
    pub fn covers(&self, character: char) -> bool {
        match &self.file {
            File::Here(_) => self.parsed().is_some_and(|parsed| parsed.covers(character)),
            File::Awaited(ranges, _) => {
                let code = u32::from(character);
                let after = ranges.partition_point(|(first, _)| *first <= code);
                after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|(_, last)| code <= *last)
            }
        }
    }

    /// `None` for a file that is no font, or is not here: then it is wanted.
    pub fn parsed(&self) -> Option<&Parsed> {
        match &self.file {
            File::Here(source) => self.parsed.get_or_init(|| Parsed::new(source)).as_ref(),
            File::Awaited(_, wanted) => {
                wanted.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    pub fn to_font(&self) -> crate::page::Font {
        let (data, index): (Arc<dyn AsRef<[u8]> + Send + Sync>, u32) = match &self.file {
            File::Here(source) => (Arc::clone(&source.data), source.index),
            File::Awaited(..) => (Arc::new([]), 0),
        };
        let units_per_em = self.parsed().map_or(1000.0, |parsed| parsed.metrics.units_per_em);
        crate::page::Font { data, index, family: self.family.clone(), units_per_em }
    }
}

impl Parsed {
    fn new(source: &FontSource) -> Option<Self> {
        let font = Font::new(Blob::Shared(Arc::clone(&source.data)), source.index)?;
        if font.num_glyphs() == 0 {
            return None;
        }
        let metrics = Metrics::of(&font);
        Some(Self { font, metrics, basic: Default::default() })
    }

    fn family(&self) -> Option<String> {
        let names = self.font.names();
        let name = names.get(NameId::TYPOGRAPHIC_FAMILY_NAME).or_else(|| names.get(NameId::FAMILY_NAME))?;
        Some(name.english_or_first()?.name().chars().collect())
    }

    /// Whether the font has a glyph for the character.
    pub fn covers(&self, character: char) -> bool {
        let code = u32::from(character);
        match self.basic.get(code as usize / 128) {
            Some(block) => block.get_or_init(|| self.block(code / 128 * 128)) >> (code % 128) & 1 == 1,
            None => self.font.charmap().map_unicode(code).is_some(),
        }
    }

    /// Its glyph for the character.
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
    /// The line box as Word has it: with USE_TYPO_METRICS (OS/2 fsSelection bit 7) the typographic line and its gap, else
    /// the Windows line and what hhea's gap leaves over it. (Amiri's Windows line alone is 2.8 em.)
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
        let sane = |value: f32, least: f32, most: f32| value.clamp(least, most);
        let (underline_position, underline_thickness) = underline.unwrap_or((-0.1, 0.05));
        let (strike_position, strike_thickness) = strike.unwrap_or((0.26, 0.05));
        Self {
            units_per_em: em as f32,
            ascent: sane(ascent + gap.max(0.0), 0.0, 4.0),
            descent: sane(descent, 0.0, 4.0),
            underline_position: sane(underline_position, -0.2, 0.0),
            underline_thickness: sane(underline_thickness, 0.02, 0.07),
            strike_position: sane(strike_position, 0.1, 0.6),
            strike_thickness: sane(strike_thickness, 0.02, 0.1),
        }
    }
}
