//! Conversion of formula boxes to page items.

use std::sync::Arc;

use super::boxes::{MathBox, MathElement, MathGlyphs, PlacedElement};
use crate::fonts::DocumentFonts;
use crate::page::{DisplayItem, Glyph, GlyphRun, PathCommand, Rect, StrokePath};

impl MathBox {
    /// Adds the content of the box to `out` in reading order. The origin of the box is drawn at (`x`, `y`), with y downwards.
    pub fn paint(
        &self,
        x: f32,
        y: f32,
        language: Option<&Arc<str>>,
        fonts: &DocumentFonts,
        out: &mut Vec<DisplayItem>,
    ) {
        for word in self.elements.chunk_by(continues_run) {
            let Some(first) = word.first() else { continue };
            let (x, y) = (x + first.x, y - first.y);
            out.push(match &first.element {
                MathElement::Glyph(glyph) => DisplayItem::Glyphs(glyph_run(word, glyph, x, y, language, fonts)),
                MathElement::FilledRectangle { width, height, color } => {
                    let area = Rect { x, y, width: *width, height: *height };
                    DisplayItem::Rectangle { area, color: *color, opacity: 1.0 }
                }
                MathElement::Stroke { right, up, width, color } => {
                    let path = vec![PathCommand::Move(x, y), PathCommand::Line(x + right, y - up)];
                    DisplayItem::Stroke(StrokePath::solid(path, *color, *width))
                }
                MathElement::Run(run) => {
                    let mut run = (**run).clone();
                    (run.x, run.y) = (run.x + x, run.y + y);
                    DisplayItem::Glyphs(run)
                }
            });
        }
    }
}

/// Returns true if `next` can be in the same glyph run as the previous element `last`. Both must be glyphs with the same
/// formatting and baseline, and the gap between them must be small.
fn continues_run(last: &PlacedElement, next: &PlacedElement) -> bool {
    let (MathElement::Glyph(before), MathElement::Glyph(glyph)) = (&last.element, &next.element) else { return false };
    let gap = next.x - (last.x + before.advance);
    before.glyphs.len() == 1
        && glyph.glyphs.len() == 1
        && before.choice == glyph.choice
        && before.size.to_bits() == glyph.size.to_bits()
        && before.color == glyph.color
        && (last.y - next.y).abs() < 0.001
        && (-0.01..glyph.size).contains(&gap)
}

/// Combines adjacent glyphs into one glyph run with its origin at (x, y).
fn glyph_run(
    word: &[PlacedElement],
    first: &MathGlyphs,
    x: f32,
    y: f32,
    language: Option<&Arc<str>>,
    fonts: &DocumentFonts,
) -> GlyphRun {
    let mut text = String::with_capacity(word.len());
    let mut glyphs = Vec::with_capacity(word.len());
    for (index, drawn) in word.iter().enumerate() {
        let MathElement::Glyph(ink) = &drawn.element else { continue };
        let start = text.len() as u32;
        text.push(ink.text);
        let range = start..text.len() as u32;
        let advance = word.get(index + 1).map_or(ink.advance, |next| next.x - drawn.x);
        let last = ink.glyphs.len().saturating_sub(1);
        glyphs.extend(ink.glyphs.iter().enumerate().map(|(part, glyph)| Glyph {
            id: glyph.id,
            advance: if part == last { advance } else { 0.0 },
            x_offset: glyph.x,
            y_offset: glyph.y,
            range: range.clone(),
        }));
    }
    GlyphRun {
        font: fonts.font_id(first.choice.face),
        size: first.size,
        color: first.color,
        x,
        y,
        text: text.into(),
        text_offset: 0,
        glyphs,
        right_to_left: false,
        scale_x: 1.0,
        synthetic_bold: first.choice.synthetic_bold,
        synthetic_italic: first.choice.synthetic_italic,
        language: language.cloned(),
        outlined: false,
        shadow: None,
    }
}
