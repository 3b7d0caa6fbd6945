//! Splits the text of a paragraph into items at each change of font, size, script or direction.

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::EastAsianWidth;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use waraq_docx::tree::{RunProperties, VerticalPosition};

use super::font_slots::{self, RunFontSlot};
use super::measure::finite_or_zero;
use super::source::{Extent, ParagraphSource, Span, SpanKind, TextItem};
use crate::fonts::{DocumentFonts, FaceChoice};

/// Bytes of text after which work is counted and cancellation is checked.
const CHECK_INTERVAL: usize = 4096;
/// Size of superscript and subscript relative to the run, as in Word. The OS/2 tables of its font families have the same
/// value. (LibreOffice uses 0.58.)
const SUPERSCRIPT_SCALE: f32 = 0.65;
/// Size of small capitals relative to the run.
const SMALL_CAPITALS_SCALE: f32 = 0.8;

/// Splits the text into items. `levels` has the bidirectional level of each byte; `None` means that all text runs from left
/// to right.
pub(super) fn itemize(source: &ParagraphSource, levels: Option<&[u8]>, fonts: &DocumentFonts) -> Vec<TextItem> {
    let mut items = Vec::new();
    for (index, span) in source.spans.iter().enumerate() {
        let text = fonts.meter().expect_text(source.text.get(span.start..span.end));
        let primaries = [None; 4];
        let mut itemizer =
            Itemizer { span, index, levels, fonts, items: &mut items, primary_faces: primaries, previous: None };
        match span.kind {
            SpanKind::Text | SpanKind::SmallCapitals => {
                let before = index.checked_sub(1).and_then(|before| source.spans.get(before));
                let letters = before.is_some_and(|s| matches!(s.kind, SpanKind::Text | SpanKind::SmallCapitals));
                let marks =
                    if letters && span.start != source.label_end { itemizer.attach_leading_marks(text) } else { 0 };
                itemizer.add_text(text, marks);
            }
            _ => itemizer.add_object(),
        }
    }
    items
}

/// Returns the extent of an empty line in this formatting, which is that of the paragraph mark (§17.3.1.29).
pub(super) fn mark_extent(run: &RunProperties, fonts: &DocumentFonts) -> Extent {
    let Some(PrimaryFace { size, line_metrics: line, .. }) =
        resolve_primary_face(run, font_slots::default_slot(run, ' '), fonts)
    else {
        return Extent::default();
    };
    Extent { ascent: line.0 * size, descent: line.1 * size }
}

/// The face of the run's own family for a font slot, with its size and metrics.
#[derive(Debug, Clone, Copy)]
struct PrimaryFace {
    choice: FaceChoice,
    size: f32,
    /// Ascent and descent of a line in ems.
    line_metrics: (f32, f32),
    /// Horizontal and vertical scale of the glyphs of most scripts, and of Cyrillic glyphs.
    stretches: [(f32, f32); 2],
}

impl PrimaryFace {
    fn stretch(&self, script: Script) -> (f32, f32) {
        let [any, cyrillic] = self.stretches;
        if script == Script::Cyrillic { cyrillic } else { any }
    }
}

struct Itemizer<'a> {
    span: &'a Span,
    index: usize,
    levels: Option<&'a [u8]>,
    fonts: &'a DocumentFonts,
    items: &'a mut Vec<TextItem>,
    /// The primary face of each font slot. It is resolved on first use, so that unused families cause no warning.
    primary_faces: [Option<Option<PrimaryFace>>; 4],
    /// Font slot and script of the previous character in this span.
    previous: Option<(RunFontSlot, Script)>,
}

impl Itemizer<'_> {
    /// Adds the item of a tab, break or object.
    fn add_object(&mut self) {
        let slot = font_slots::default_slot(&self.span.run, ' ');
        let item = self.new_item(slot, Script::Common, ' ', self.span.start..self.span.end);
        self.items.extend(item);
    }

    /// Adds the combining marks at the start of this span to the previous item, even if the runs differ. As a separate
    /// item, the marks would appear on a dotted circle. Returns their length in bytes.
    fn attach_leading_marks(&mut self, text: &str) -> usize {
        let (start, levels) = (self.span.start, self.levels);
        let Some(last) = self.items.last_mut().filter(|last| last.end == start) else { return 0 };
        let level = |at: usize| level_at(levels, at);
        let belongs = |at: usize, character: char| {
            is_combining_mark(character)
                && level(start + at) == last.level
                && self.fonts.covers(last.face_choice.face, character)
        };
        let first = text.char_indices().find(|(at, character)| !belongs(*at, *character));
        let taken = first.map_or(text.len(), |(at, _)| at);
        last.end += taken;
        taken
    }

    /// Adds the items of a text, from the byte offset `from`.
    fn add_text(&mut self, text: &str, from: usize) {
        for (at, character) in text.char_indices().skip_while(|(at, _)| *at < from) {
            if at % CHECK_INTERVAL == 0 && !self.fonts.meter().spend(CHECK_INTERVAL / 16) {
                return;
            }
            let start = self.span.start + at;
            let end = start + character.len_utf8();
            let (slot, script) = self.slot_and_script(text, at, character);
            self.previous = Some((slot, script));
            let Some(item) = self.new_item(slot, script, character, start..end) else { continue };
            match self.items.last_mut() {
                Some(last)
                    if last.end == start
                        && (can_merge(last, &item) || stays_in_item(last, &item, character, self.fonts)) =>
                {
                    last.end = end;
                }
                _ => self.items.push(item),
            }
        }
    }

    /// Returns the font slot and script of a character. Characters of no script take those of the previous character, or
    /// else those of the next character that has a script.
    fn slot_and_script(&self, text: &str, at: usize, character: char) -> (RunFontSlot, Script) {
        let run = &self.span.run;
        let own = |c: char| {
            let script = script_of(c);
            let shared = matches!(script, Script::Common | Script::Inherited);
            font_slots::slot_of_character(run, c).filter(|_| !shared).map(|slot| (slot, script))
        };
        if let Some(own) = own(character) {
            return own;
        }
        let rest = || text.get(at..).unwrap_or_default().chars().take(64);
        let neighbour = self.previous.or_else(|| rest().find_map(own));
        let script = neighbour.map_or(Script::Common, |(_, script)| script);
        match (font_slots::slot_of_character(run, character), neighbour) {
            (Some(slot), _) => (slot, script),
            (None, Some((RunFontSlot::Complex, _))) => (RunFontSlot::Complex, script),
            (None, Some((RunFontSlot::EastAsia, _))) => (font_slots::default_slot(run, character), Script::Common),
            // A dash or a quote between ASCII letters uses the high-ANSI font. In most runs, it is also the ASCII font.
            (None, _) => (font_slots::default_slot(run, character), script),
        }
    }

    fn primary_face(&mut self, slot: RunFontSlot) -> Option<PrimaryFace> {
        let (span, fonts) = (self.span, self.fonts);
        *self.primary_faces.get_mut(slot as usize)?.get_or_insert_with(|| resolve_primary_face(&span.run, slot, fonts))
    }

    /// Creates the item of one character.
    fn new_item(
        &mut self,
        slot: RunFontSlot,
        script: Script,
        character: char,
        bytes: Range<usize>,
    ) -> Option<TextItem> {
        let primary_face = self.primary_face(slot)?;
        let PrimaryFace { choice: primary, size: full_size, line_metrics: line, .. } = primary_face;
        let choice =
            if is_ignorable(character) { primary } else { self.fonts.face_covering(primary, script, character) };
        // Wide letters and the punctuation between them are one em wide, also if another family substitutes the East Asian
        // one.
        let square = match slot {
            RunFontSlot::EastAsia if is_ambiguous(character) => '\u{4e00}',
            _ if is_wide(character) => character,
            _ => ' ',
        };
        let stretch = match square != ' ' && !self.fonts.covers(choice.face, square) {
            true => self.fonts.advance_in_ems(choice.face, character).map_or((1.0, 1.0), |width| (1.0 / width, 1.0)),
            false if choice.face == primary.face => primary_face.stretch(script),
            false => (1.0, 1.0),
        };
        let run = &self.span.run;
        let mut raise = finite_or_zero(run.raise).clamp(-1638.0, 1638.0);
        let mut size = full_size;
        match run.vertical_position {
            VerticalPosition::Baseline => {}
            // The top of the smaller letters is aligned with the top of full-size letters.
            VerticalPosition::Superscript => {
                size *= SUPERSCRIPT_SCALE;
                raise += line.0 * (full_size - size);
            }
            VerticalPosition::Subscript => {
                size *= SUPERSCRIPT_SCALE;
                raise -= line.1 * (full_size - size);
            }
        }
        let mut line_size = size;
        if matches!(self.span.kind, SpanKind::SmallCapitals) {
            size *= SMALL_CAPITALS_SCALE;
            line_size = size / SMALL_CAPITALS_SCALE;
        }
        Some(TextItem {
            start: bytes.start,
            end: bytes.end,
            span: self.index,
            level: level_at(self.levels, bytes.start),
            script,
            face_choice: choice,
            primary_face: primary.face,
            size,
            line_metrics: line,
            glyph_stretch: stretch,
            line_height_size: line_size,
            run_size: full_size,
            raise,
        })
    }
}

/// Returns the bidirectional level at a byte offset.
fn level_at(levels: Option<&[u8]>, at: usize) -> u8 {
    levels.and_then(|levels| levels.get(at)).copied().unwrap_or(0)
}

/// Returns the script of a character. ASCII, which is most of all text, needs no lookup.
fn script_of(character: char) -> Script {
    match character {
        'a'..='z' | 'A'..='Z' => Script::Latin,
        '\0'..='\u{7f}' => Script::Common,
        _ => character.script(),
    }
}

/// Returns the primary face of a font slot, or `None` if no font is available.
fn resolve_primary_face(run: &RunProperties, slot: RunFontSlot, fonts: &DocumentFonts) -> Option<PrimaryFace> {
    let (size, bold, italic) = font_slots::style_in_slot(run, slot);
    let family = font_slots::family_in_slot(run, slot);
    let choice = fonts.resolve(family, bold, italic)?;
    let (line, stretches) = fonts.line_metrics_and_stretch(family, choice);
    Some(PrimaryFace { choice, size, line_metrics: line, stretches })
}

/// Returns true if two adjacent items can be merged.
fn can_merge(last: &TextItem, next: &TextItem) -> bool {
    same_span_and_script(last, next)
        && last.face_choice == next.face_choice
        && last.primary_face == next.primary_face
        && last.line_metrics == next.line_metrics
        && last.glyph_stretch == next.glyph_stretch
        && last.size.to_bits() == next.size.to_bits()
}

/// Returns true if the character is added to the previous item although its own font differs. This is so for invisible
/// characters, and for a combining mark whose letter uses a fallback font that also has the mark.
fn stays_in_item(last: &TextItem, next: &TextItem, character: char, fonts: &DocumentFonts) -> bool {
    let is_fallback = last.face_choice.face != last.primary_face;
    let mark =
        is_fallback && script_of(character) == Script::Inherited && fonts.covers(last.face_choice.face, character);
    same_span_and_script(last, next) && (mark || is_ignorable(character))
}

/// Returns true if both items have the same span, level and script.
fn same_span_and_script(last: &TextItem, next: &TextItem) -> bool {
    (last.span, last.level, last.script) == (next.span, next.level, next.script)
}

/// Returns true if the character is one em wide in every font (UAX #11). The glyph that replaces a missing character has
/// the same width; otherwise lines would contain about 50 % more of such text.
fn is_wide(character: char) -> bool {
    let width = CodePointMapData::<EastAsianWidth>::new().get(character);
    matches!(width, EastAsianWidth::Wide | EastAsianWidth::Fullwidth)
}

/// Returns true for quotes, dashes and dots that are wide among East Asian letters and narrow elsewhere (UAX #11).
fn is_ambiguous(character: char) -> bool {
    matches!(character, '\u{2014}' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{2026}')
}

/// Returns true for characters without a visible glyph. They do not cause a change of font.
fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{180b}'..='\u{180f}' | '\u{e0000}'..='\u{e0fff}'
    )
}
