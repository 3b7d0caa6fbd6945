//! Conversion of formula boxes to page items.

use std::sync::Arc;

use super::boxes::{Drawn, GlyphInk, Ink, MathBox};
use crate::fonts::DocumentFonts;
use crate::page::{Glyph, GlyphRun, Item, PathCommand, Rect, StrokePath};

impl MathBox {
    /// Adds the content of the box to `out` in reading order. (x, y) is the position of its origin, with y downwards.
    pub fn paint(&self, x: f32, y: f32, language: Option<&Arc<str>>, fonts: &DocumentFonts, out: &mut Vec<Item>) {
        for word in self.drawn.chunk_by(follows) {
            let Some(first) = word.first() else { continue };
            let (x, y) = (x + first.x, y - first.y);
            out.push(match &first.ink {
                Ink::Glyph(glyph) => Item::Glyphs(run(word, glyph, (x, y), language, fonts)),
                Ink::Rule { width, height, color } => {
                    let area = Rect { x, y, width: *width, height: *height };
                    Item::Rectangle { area, color: *color, opacity: 1.0 }
                }
                Ink::Stroke { right, up, width, color } => {
                    let path = vec![PathCommand::Move(x, y), PathCommand::Line(x + right, y - up)];
                    Item::Stroke(StrokePath::solid(path, *color, *width))
                }
                Ink::Run(run) => {
                    let mut run = (**run).clone();
                    (run.x, run.y) = (run.x + x, run.y + y);
                    Item::Glyphs(run)
                }
            });
        }
    }
}

/// Returns true if a glyph can be in the same run as the previous one: same formatting, same baseline, small gap.
fn follows(last: &Drawn, next: &Drawn) -> bool {
    let (Ink::Glyph(before), Ink::Glyph(glyph)) = (&last.ink, &next.ink) else { return false };
    let gap = next.x - (last.x + before.advance);
    before.parts.len() == 1
        && glyph.parts.len() == 1
        && before.choice == glyph.choice
        && before.size.to_bits() == glyph.size.to_bits()
        && before.color == glyph.color
        && (last.y - next.y).abs() < 0.001
        && (-0.01..glyph.size).contains(&gap)
}

/// Returns the glyph run of adjacent glyphs.
fn run(
    word: &[Drawn],
    first: &GlyphInk,
    (x, y): (f32, f32),
    language: Option<&Arc<str>>,
    fonts: &DocumentFonts,
) -> GlyphRun {
    let mut text = String::with_capacity(word.len());
    let mut glyphs = Vec::with_capacity(word.len());
    for (index, drawn) in word.iter().enumerate() {
        let Ink::Glyph(ink) = &drawn.ink else { continue };
        let start = text.len() as u32;
        text.push(ink.text);
        let range = start..text.len() as u32;
        let advance = word.get(index + 1).map_or(ink.advance, |next| next.x - drawn.x);
        let last = ink.parts.len().saturating_sub(1);
        glyphs.extend(ink.parts.iter().enumerate().map(|(part, &(id, x_offset, y_offset))| Glyph {
            id,
            advance: if part == last { advance } else { 0.0 },
            x_offset,
            y_offset,
            range: range.clone(),
        }));
    }
    GlyphRun {
        font: fonts.number(first.choice.face),
        size: first.size,
        color: first.color,
        x,
        y,
        text: text.into(),
        at: 0,
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
