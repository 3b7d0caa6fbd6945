//! Splits the text of a paragraph into items at each change of font, size, script or direction.

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::EastAsianWidth;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use waraq_docx::tree::{RunProperties, VerticalPosition};

use super::font_slots::{self, RunFontSlot, SlotStyle};
use super::measure::finite_or_zero;
use super::source::{Extent, GlyphStretch, ParagraphSource, Span, SpanKind, TextItem};
use crate::fonts::{DocumentFonts, FaceChoice, FamilyMetrics};

/// Number of bytes of text after which itemization counts its work and checks whether it was cancelled.
const CHECK_INTERVAL: usize = 4096;
/// Font size of superscript and subscript, as a fraction of the run's font size, as in Word. The OS/2 tables of Word's font
/// families have the same value. (LibreOffice uses 0.58.)
const SUPERSCRIPT_SCALE: f32 = 0.65;
/// Font size of small capitals, as a fraction of the run's font size.
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

/// Returns the extent of an empty line in this formatting, which is the extent of the paragraph mark (§17.3.1.29).
pub(super) fn mark_extent(run: &RunProperties, fonts: &DocumentFonts) -> Extent {
    let Some(PrimaryFace { size, metrics, .. }) = resolve_primary_face(run, font_slots::default_slot(run, ' '), fonts)
    else {
        return Extent::default();
    };
    Extent { ascent: metrics.line.ascent * size, descent: metrics.line.descent * size }
}

/// The face that a run uses for a font slot, with its font size and metrics. A fallback face may draw characters that this face
/// lacks.
#[derive(Debug, Clone, Copy)]
struct PrimaryFace {
    choice: FaceChoice,
    /// Font size in points.
    size: f32,
    /// Metrics of the font family that the run selects.
    metrics: FamilyMetrics,
}

impl PrimaryFace {
    fn stretch(&self, script: Script) -> GlyphStretch {
        if script == Script::Cyrillic { self.metrics.cyrillic_stretch } else { self.metrics.stretch }
    }
}

/// The font slot and script of a character.
#[derive(Debug, Clone, Copy)]
struct SlotAndScript {
    /// The font slot of the run.
    slot: RunFontSlot,
    /// The script by which the character is shaped.
    script: Script,
}

struct Itemizer<'a> {
    span: &'a Span,
    index: usize,
    levels: Option<&'a [u8]>,
    fonts: &'a DocumentFonts,
    items: &'a mut Vec<TextItem>,
    /// The primary face of each font slot. The outer `None` means that the face is not resolved yet, the inner one that no font
    /// is available. Each face is resolved on first use, so that unused families cause no warning.
    primary_faces: [Option<Option<PrimaryFace>>; 4],
    /// Font slot and script of the previous character in this span.
    previous: Option<SlotAndScript>,
}

impl Itemizer<'_> {
    /// Adds an item for the tab, break or object of this span.
    fn add_object(&mut self) {
        let slot = font_slots::default_slot(&self.span.run, ' ');
        let item = self.new_item(slot, Script::Common, ' ', self.span.start..self.span.end);
        self.items.extend(item);
    }

    /// Adds the combining marks at the start of this span to the item before it, even if their runs differ. In an item of their
    /// own, the marks would appear on a dotted circle. Returns the length of the marks in bytes.
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

    /// Adds the items of `text`, from the byte offset `from` of `text` to its end.
    fn add_text(&mut self, text: &str, from: usize) {
        for (at, character) in text.char_indices().skip_while(|(at, _)| *at < from) {
            if at % CHECK_INTERVAL == 0 && !self.fonts.meter().spend(CHECK_INTERVAL / 16) {
                return;
            }
            let start = self.span.start + at;
            let end = start + character.len_utf8();
            let found = self.slot_and_script(text, at, character);
            self.previous = Some(found);
            let Some(item) = self.new_item(found.slot, found.script, character, start..end) else { continue };
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

    /// Returns the font slot and script of a character. A character without a script of its own takes those of the previous
    /// character, or else those of the next character that has a script.
    fn slot_and_script(&self, text: &str, at: usize, character: char) -> SlotAndScript {
        let run = &self.span.run;
        let own = |c: char| {
            let script = script_of(c);
            let shared = matches!(script, Script::Common | Script::Inherited);
            font_slots::slot_of_character(run, c).filter(|_| !shared).map(|slot| SlotAndScript { slot, script })
        };
        if let Some(own) = own(character) {
            return own;
        }
        let rest = || text.get(at..).unwrap_or_default().chars().take(64);
        let neighbour = self.previous.or_else(|| rest().find_map(own));
        let script = neighbour.map_or(Script::Common, |neighbour| neighbour.script);
        match (font_slots::slot_of_character(run, character), neighbour.map(|neighbour| neighbour.slot)) {
            (Some(slot), _) => SlotAndScript { slot, script },
            (None, Some(RunFontSlot::Complex)) => SlotAndScript { slot: RunFontSlot::Complex, script },
            (None, Some(RunFontSlot::EastAsia)) => {
                SlotAndScript { slot: font_slots::default_slot(run, character), script: Script::Common }
            }
            // A dash or a quote between ASCII letters uses the high-ANSI font. In most runs, that font is also the ASCII font.
            (None, _) => SlotAndScript { slot: font_slots::default_slot(run, character), script },
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
        let PrimaryFace { choice: primary, size: full_size, metrics: FamilyMetrics { line, .. } } = primary_face;
        let choice =
            if is_ignorable(character) { primary } else { self.fonts.face_covering(primary, script, character) };
        // Wide letters and the punctuation between them are one em wide. This is so even if another family substitutes the East
        // Asian one.
        let square = match slot {
            RunFontSlot::EastAsia if is_ambiguous(character) => '\u{4e00}',
            _ if is_wide(character) => character,
            _ => ' ',
        };
        let stretch = match square != ' ' && !self.fonts.covers(choice.face, square) {
            true => {
                let width = self.fonts.advance_in_ems(choice.face, character);
                width.map_or(GlyphStretch::NONE, |width| GlyphStretch { x: 1.0 / width, y: 1.0 })
            }
            false if choice.face == primary.face => primary_face.stretch(script),
            false => GlyphStretch::NONE,
        };
        let run = &self.span.run;
        let mut raise = finite_or_zero(run.raise).clamp(-1638.0, 1638.0);
        let mut size = full_size;
        match run.vertical_position {
            VerticalPosition::Baseline => {}
            // The letters are smaller. Their top is aligned with the top of full-size letters.
            VerticalPosition::Superscript => {
                size *= SUPERSCRIPT_SCALE;
                raise += line.ascent * (full_size - size);
            }
            VerticalPosition::Subscript => {
                size *= SUPERSCRIPT_SCALE;
                raise -= line.descent * (full_size - size);
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
    let SlotStyle { size, bold, italic } = font_slots::style_in_slot(run, slot);
    let family = font_slots::family_in_slot(run, slot);
    let choice = fonts.resolve(family, bold, italic)?;
    Some(PrimaryFace { choice, size, metrics: fonts.family_metrics(family, choice) })
}

/// Returns true if two adjacent items can be merged, because they have the same span, level, script, font and size.
fn can_merge(last: &TextItem, next: &TextItem) -> bool {
    same_span_and_script(last, next)
        && last.face_choice == next.face_choice
        && last.primary_face == next.primary_face
        && last.line_metrics == next.line_metrics
        && last.glyph_stretch == next.glyph_stretch
        && last.size.to_bits() == next.size.to_bits()
}

/// Returns true if `character` is added to the previous item `last`, although it would have another font in an item of its own
/// (`next`). This applies to invisible characters. It also applies to a combining mark if its letter uses a fallback font that
/// contains the mark.
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

/// Returns true if the character is one em wide in every font (UAX #11). If a font lacks the character, the replacement glyph
/// gets this width too. Otherwise, lines would contain about 50 % more of such text.
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
