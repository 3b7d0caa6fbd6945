//! Ink becomes what pages are made of.

use std::sync::Arc;

use super::boxes::{Drawn, GlyphInk, MathBox};
use crate::fonts::DocumentFonts;
use crate::page::{Glyph, GlyphRun, Item, PathCommand, Rect, StrokePath};

impl MathBox {
    /// The ink with its origin at (x, y), y downwards; in reading order.
    pub fn paint(&self, x: f32, y: f32, language: Option<&Arc<str>>, fonts: &DocumentFonts, out: &mut Vec<Item>) {
        let mut word: Vec<&GlyphInk> = Vec::new();
        for drawn in &self.drawn {
            if let Drawn::Glyph(glyph) = drawn {
                if !word.last().is_none_or(|last| follows(last, glyph)) {
                    out.extend(run(&word, x, y, language, fonts));
                    word.clear();
                }
                word.push(glyph);
                continue;
            }
            out.extend(run(&word, x, y, language, fonts));
            word.clear();
            match drawn {
                Drawn::Glyph(_) => {}
                Drawn::Rule { x: left, y: top, width, height, color } => {
                    let area = Rect { x: x + left, y: y - top, width: *width, height: *height };
                    out.push(Item::Rectangle { area, color: *color, opacity: 1.0 });
                }
                Drawn::Stroke { from, to, width, color } => {
                    let path = vec![PathCommand::Move(x + from.0, y - from.1), PathCommand::Line(x + to.0, y - to.1)];
                    let (color, width) = (*color, *width);
                    out.push(Item::Stroke(StrokePath { path, color, width, dashes: Vec::new(), round_caps: false }));
                }
                Drawn::Run { x: left, y: up, run } => {
                    let mut run = (**run).clone();
                    (run.x, run.y) = (run.x + x + left, run.y + y - up);
                    out.push(Item::Glyphs(run));
                }
            }
        }
        out.extend(run(&word, x, y, language, fonts));
    }
}

/// Whether a glyph goes on with a run of glyphs: the same look, on the same line, not far off.
fn follows(last: &GlyphInk, next: &GlyphInk) -> bool {
    let gap = next.x - (last.x + last.advance);
    last.parts.len() == 1
        && next.parts.len() == 1
        && last.choice == next.choice
        && last.size.to_bits() == next.size.to_bits()
        && last.color == next.color
        && (last.y - next.y).abs() < 0.001
        && (-0.01..next.size).contains(&gap)
}

fn run(word: &[&GlyphInk], x: f32, y: f32, language: Option<&Arc<str>>, fonts: &DocumentFonts) -> Option<Item> {
    let first = word.first()?;
    let mut text = String::with_capacity(word.len());
    let mut glyphs = Vec::with_capacity(word.len());
    for (index, ink) in word.iter().enumerate() {
        let start = text.len() as u32;
        text.push(ink.text);
        let range = start..text.len() as u32;
        let advance = word.get(index + 1).map_or(ink.advance, |next| next.x - ink.x);
        let last = ink.parts.len().saturating_sub(1);
        glyphs.extend(ink.parts.iter().enumerate().map(|(part, &(id, x_offset, y_offset))| Glyph {
            id,
            advance: if part == last { advance } else { 0.0 },
            x_offset,
            y_offset,
            range: range.clone(),
        }));
    }
    Some(Item::Glyphs(GlyphRun {
        font: fonts.number(first.choice.face),
        size: first.size,
        color: first.color,
        x: x + first.x,
        y: y - first.y,
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
    }))
}
