//! Glyphs and the text they represent.
//!
//! Readers find text through the entry of each glyph in the font's ToUnicode table. They reverse a right-to-left line
//! themselves, character by character. The entry of a ligature of a right-to-left script must therefore list its letters in
//! reverse order (lam-alef as alef, lam). Otherwise `الأعمال` is found as `األعمال`.
//!
//! A letter with separate marks or dots is several glyphs of one cluster. Readers misread such glyphs. They take a glyph above
//! or below the baseline for another line, a glyph without width for another word, and a glyph without a character for any
//! character. So only the letter's glyph is text and has the text of the whole cluster. The other glyphs are drawn as shapes.
//!
//! Tatweels that stretch a justified line are glyphs without characters. They get the text range of the letter that they
//! lengthen. krilla writes glyphs with the same range with an `ActualText`, so readers see one wide letter.
//!
//! A font subset maps each glyph to one text. A glyph that represents a second text is therefore drawn from another
//! [subset](super::subsets) of its font.
//!
//! krilla marks right-to-left runs as `ReversedChars`, word by word, as a tagged PDF requires (ISO 32000-1, 14.8.2.3.3). But
//! if two neighbouring words have both this mark and an `ActualText`, PDFium drops the second word. krilla does not mark runs
//! that it receives in drawing order. A run that needs an `ActualText` is therefore passed to krilla in drawing order. All runs
//! of an untagged PDF are passed in drawing order too, because readers see the same text and the file is smaller.

use std::ops::Range;

use krilla::text::{GlyphId, KrillaGlyph};
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use waraq_graphics::CountedMemory;
use waraq_layout::{Font, FontId, Glyph, GlyphRun, Meter};

use super::subsets::GlyphTexts;

/// Maximum length in bytes of the text that several glyphs share. The text of a longer cluster is divided among its
/// glyphs, because krilla may copy the shared text once for each glyph.
const LONGEST_TEXT: usize = 64;

/// Bytes that a missing glyph takes in the PDF, besides its text.
const MISSING_BYTES: usize = 100;

/// Maximum gap in points between neighbouring runs that are drawn together.
const MAX_GAP: f32 = 0.02;

/// Glyphs of a run, or of several runs that continue each other, for krilla. Advances and offsets are divided by the font size.
#[derive(Default)]
pub(super) struct KrillaRun<'a> {
    /// One glyph for each cluster of a right-to-left run; all glyphs of any other run.
    pub glyphs: Vec<KrillaGlyph>,
    /// Glyphs to draw as shapes: the marks of letters in right-to-left runs.
    pub shape_glyphs: Vec<ShapeGlyph>,
    /// The text that the ranges of the glyphs refer to.
    pub text: String,
    /// The position after the last glyph, measured from the start of the first run, in ems, before horizontal scaling.
    pen: f32,
    /// Metrics of each font; `None` for fonts that cannot be read.
    metrics: Vec<Option<GlyphMetrics<'a>>>,
    glyph_texts: GlyphTexts,
    subset_runs: Vec<SubsetRun>,
    /// The memory that missing glyphs take in the PDF, counted against the budget.
    held: CountedMemory,
}

/// Consecutive glyphs drawn from one subset of their font.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SubsetRun {
    subset: u8,
    first: usize,
    /// The position of the first glyph, measured from the start of the run, in ems, before horizontal scaling.
    x: f32,
}

/// A glyph that is drawn as a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ShapeGlyph {
    pub id: u16,
    /// The position of the glyph, measured from the start of the run, in ems, before horizontal scaling. `y` points
    /// upwards.
    pub x: f32,
    pub y: f32,
}

/// Returns `true` if `next` starts where `run` ends and looks the same, so that both runs can be drawn together.
pub(super) fn continues(run: &GlyphRun, next: &GlyphRun) -> bool {
    let end = run.x + run.glyphs.iter().map(|glyph| glyph.advance).sum::<f32>();
    run.font == next.font
        && run.size == next.size
        && run.y == next.y
        && run.color == next.color
        && run.right_to_left == next.right_to_left
        && run.scale_x == next.scale_x
        && (run.synthetic_bold, run.synthetic_italic) == (next.synthetic_bold, next.synthetic_italic)
        && (run.outlined, run.shadow, &run.language) == (next.outlined, None, &next.language)
        && run.shadow.is_none()
        && (end - next.x).abs() < MAX_GAP
}

impl<'a> KrillaRun<'a> {
    pub(super) fn new(fonts: &'a [Font], meter: &Meter) -> Self {
        let metrics = |font: &'a Font| {
            let parsed = skrifa::FontRef::from_index((*font.data).as_ref(), font.index).ok()?;
            Some(parsed.glyph_metrics(Size::unscaled(), LocationRef::default()))
        };
        Self { metrics: fonts.iter().map(metrics).collect(), held: CountedMemory::empty(meter), ..Self::default() }
    }

    /// Replaces the content with a run and the runs that [continue](continues) it. `tagged` must be true for tagged
    /// content, because krilla marks the right-to-left runs of such content.
    pub(super) fn set_runs<'r>(&mut self, runs: impl Iterator<Item = &'r GlyphRun>, tagged: bool) {
        self.glyphs.clear();
        self.shape_glyphs.clear();
        self.text.clear();
        self.pen = 0.0;
        let mut first: Option<&GlyphRun> = None;
        for run in runs {
            let (size, scale) = size_and_scale(run);
            let start = first.get_or_insert(run).x;
            let gap = (run.x - start) / size / scale - self.pen;
            if let Some(before) = self.glyphs.last_mut() {
                before.x_advance += gap;
                self.pen += gap;
            }
            self.push_run(run, size, scale);
        }
        let Some(first) = first else { return };
        let of_one_edition = self.split_by_subset(first);
        if first.right_to_left && !(tagged && of_one_edition) {
            self.text = self.in_drawing_order();
        }
    }

    /// Returns the pieces to draw, each with the subset of its font, its start and its glyphs. The start is measured
    /// from the start of the run, in ems, before horizontal scaling.
    pub(super) fn subset_runs(&self) -> impl Iterator<Item = (u8, f32, &[KrillaGlyph])> {
        let ends = self.subset_runs.iter().skip(1).map(|next| next.first).chain([self.glyphs.len()]);
        let glyphs = |piece: &SubsetRun, end| self.glyphs.get(piece.first..end).unwrap_or_default();
        self.subset_runs.iter().zip(ends).map(move |(piece, end)| (piece.subset, piece.x, glyphs(piece, end)))
    }

    fn push_run(&mut self, run: &GlyphRun, size: f32, scale: f32) {
        let offset = self.text.len();
        self.text.push_str(&run.text);
        let mut tatweels: &[Glyph] = &[];
        for cluster in run.glyphs.chunk_by(|a, b| a.range == b.range) {
            let Some(first) = cluster.first() else { continue };
            if run.right_to_left && first.range.is_empty() {
                tatweels = cluster;
                continue;
            }
            let mut range = without_direction_marks(&run.text, valid_range(&run.text, &first.range));
            range = range.start + offset..range.end + offset;
            if self.text.get(range.clone()) == Some("\u{2011}") {
                // a non-breaking hyphen is searched and copied as a plain hyphen
                let end = self.text.len();
                self.text.push('-');
                range = end..end + 1;
            }
            let letter = if run.right_to_left { self.base_glyph(run.font, cluster) } else { None };
            // letter spacing may be part of the advance of a mark: add it to the advance of the letter, so that the next letter
            // keeps its position
            let advance_of_marks: f32 = letter.map_or(0.0, |letter| {
                cluster.iter().enumerate().filter(|(index, _)| *index != letter).map(|(_, mark)| mark.advance).sum()
            });
            if run.right_to_left {
                reverse_characters(&range, &mut self.text);
            }
            let parts = if letter.is_some() { vec![range] } else { parts(&self.text, range, cluster.len()) };
            let part = |index: usize| parts.get(index * parts.len() / cluster.len()).cloned().unwrap_or_default();
            for glyph in tatweels {
                self.push_glyph(krilla_glyph(glyph, size, scale, part(0)));
            }
            for (index, glyph) in cluster.iter().enumerate() {
                if letter.is_some_and(|letter| letter != index) {
                    let mark = krilla_glyph(glyph, size, scale, 0..0);
                    self.shape_glyphs.push(ShapeGlyph { id: glyph.id, x: self.pen + mark.x_offset, y: mark.y_offset });
                } else {
                    let wide = Glyph { advance: glyph.advance + advance_of_marks, ..glyph.clone() };
                    let made = krilla_glyph(&wide, size, scale, part(index));
                    if glyph.id == 0 {
                        // krilla's ToUnicode table leaves out glyph 0; two glyphs with the same range get their text as
                        // an `ActualText`
                        self.glyphs.push(KrillaGlyph { x_advance: 0.0, ..made.clone() });
                        self.held.grow(MISSING_BYTES + made.text_range.len());
                    }
                    self.push_glyph(made);
                }
            }
            tatweels = &[];
        }
    }

    fn push_glyph(&mut self, glyph: KrillaGlyph) {
        self.pen += glyph.x_advance;
        self.glyphs.push(glyph);
    }

    /// Splits the glyphs into pieces, so that all glyphs of a piece come from the same subset. Returns `true` if no
    /// glyph needs an `ActualText`.
    fn split_by_subset(&mut self, run: &GlyphRun) -> bool {
        self.subset_runs.clear();
        self.subset_runs.push(SubsetRun { subset: 0, first: 0, x: 0.0 });
        let (mut plain, mut x) = (true, 0.0);
        let mut last: Option<&KrillaGlyph> = None;
        for (index, glyph) in self.glyphs.iter().enumerate() {
            let next = self.glyphs.get(index + 1);
            let shared = |other: Option<&KrillaGlyph>| other.is_some_and(|other| other.text_range == glyph.text_range);
            let own = self.text.get(glyph.text_range.clone()).unwrap_or_default();
            // glyphs that share a text range have an `ActualText` in any subset
            let edition = if shared(last) || shared(next) {
                plain = false;
                self.glyph_texts.set_first_text(run.font, glyph.glyph_id.to_u32(), own);
                0
            } else {
                let edition = self.glyph_texts.subset_for_text(run.font, glyph.glyph_id.to_u32(), own);
                plain &= edition.is_some();
                if run.right_to_left { edition.unwrap_or(0) } else { 0 }
            };
            match self.subset_runs.last_mut() {
                Some(piece) if piece.subset == edition => {}
                Some(piece) if piece.first == index => piece.subset = edition,
                _ => self.subset_runs.push(SubsetRun { subset: edition, first: index, x }),
            }
            x += glyph.x_advance;
            last = Some(glyph);
        }
        plain
    }

    /// Returns the texts of the glyphs in drawing order, and changes the ranges of the glyphs to refer to the result.
    fn in_drawing_order(&mut self) -> String {
        let mut ordered = String::with_capacity(self.text.len());
        let mut last = None;
        for glyph in &mut self.glyphs {
            let old = glyph.text_range.clone();
            glyph.text_range = match last.take() {
                Some((before, new)) if before == old => new,
                _ => {
                    let start = ordered.len();
                    ordered.push_str(self.text.get(old.clone()).unwrap_or_default());
                    start..ordered.len()
                }
            };
            last = Some((old, glyph.text_range.clone()));
        }
        ordered
    }

    /// Returns the index of the widest glyph of a cluster. This glyph is the letter, and the other glyphs are its
    /// marks. Returns `None` if the cluster has several wide glyphs, because the letter is then drawn in several
    /// pieces.
    fn base_glyph(&self, font: FontId, cluster: &[Glyph]) -> Option<usize> {
        // a mark has no width of its own in the font, even if layout gave it an advance
        let metrics = self.metrics.get(font.index()).and_then(Option::as_ref);
        let own = |glyph: &Glyph| metrics.and_then(|metrics| metrics.advance_width(u32::from(glyph.id).into()));
        let width = |glyph: &Glyph| if own(glyph) == Some(0.0) { 0.0 } else { glyph.advance };
        let widest = cluster.iter().enumerate().max_by(|a, b| width(a.1).total_cmp(&width(b.1)))?;
        let others_are_marks = cluster.iter().enumerate().all(|(i, glyph)| i == widest.0 || width(glyph).abs() < 0.01);
        others_are_marks.then_some(widest.0)
    }
}

/// Returns the glyphs of a run as shapes.
pub(super) fn run_as_shapes(run: &GlyphRun) -> Vec<ShapeGlyph> {
    let (size, scale) = size_and_scale(run);
    let mut pen = 0.0;
    let mark = |glyph: &Glyph| {
        let made = krilla_glyph(glyph, size, scale, 0..0);
        let x = pen + made.x_offset;
        pen += made.x_advance;
        ShapeGlyph { id: glyph.id, x, y: made.y_offset }
    };
    run.glyphs.iter().map(mark).collect()
}

/// Returns the size and the horizontal scale of a run. A value that is not positive is replaced by 1.
fn size_and_scale(run: &GlyphRun) -> (f32, f32) {
    (if run.size > 0.0 { run.size } else { 1.0 }, if run.scale_x > 0.0 { run.scale_x } else { 1.0 })
}

fn krilla_glyph(glyph: &Glyph, size: f32, scale: f32, text_range: Range<usize>) -> KrillaGlyph {
    let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
    KrillaGlyph {
        glyph_id: GlyphId::new(u32::from(glyph.id)),
        text_range,
        x_advance: finite(glyph.advance / size / scale),
        x_offset: finite(glyph.x_offset / size / scale),
        y_offset: finite(glyph.y_offset / size),
        y_advance: 0.0,
        location: None,
    }
}

fn valid_range(text: &str, range: &Range<u32>) -> Range<usize> {
    let range = range.start as usize..range.end as usize;
    if text.get(range.clone()).is_some() { range } else { 0..0 }
}

/// Removes direction marks at both ends of a cluster. They would prevent readers from finding the text.
fn without_direction_marks(text: &str, range: Range<usize>) -> Range<usize> {
    let mark =
        |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let cluster = text.get(range.clone()).unwrap_or_default();
    let start = range.start + cluster.len() - cluster.trim_start_matches(mark).len();
    start..start + cluster.trim_matches(mark).len()
}

/// Divides the text of a cluster into at most `glyphs` parts. Neighbouring glyphs may share a part. A text of up to
/// [`LONGEST_TEXT`] bytes is not divided.
fn parts(text: &str, range: Range<usize>, glyphs: usize) -> Vec<Range<usize>> {
    let count = range.len().div_ceil(LONGEST_TEXT).clamp(1, glyphs.max(1));
    let boundary = |part: usize| text.floor_char_boundary(range.start + range.len() * part / count);
    (0..count).map(|part| boundary(part)..boundary(part + 1)).collect()
}

/// Reverses the characters of a cluster in place. The number of bytes does not change.
fn reverse_characters(range: &Range<usize>, whole: &mut String) {
    let cluster = whole.get(range.clone()).unwrap_or("");
    if cluster.chars().nth(1).is_some() {
        let reversed: String = cluster.chars().rev().collect();
        whole.replace_range(range.clone(), &reversed);
    }
}

#[cfg(test)]
mod tests;
