//! Helpers for the tests of formulas: builders for formulas, and functions that read the positions of their characters.
#![allow(dead_code)]

use std::sync::Arc;

use waraq_docx::tree::*;
use waraq_layout::text::Line;
use waraq_layout::{DisplayItem, PathCommand, Rect};

use crate::text_common::{self as text, Setup};

/// Font size of every formula in the tests.
pub const SIZE: f32 = 20.0;

pub fn math_run_properties() -> RunProperties {
    text::run("Cambria Math", SIZE)
}

pub fn italic_run(of: &str) -> MathNode {
    MathNode::Run(run(of))
}

pub fn run(of: &str) -> MathRun {
    MathRun {
        text: of.to_owned(),
        style: MathStyle::Italic,
        script: MathScript::Roman,
        normal_text: false,
        break_before: false,
        align: false,
        run: Arc::new(math_run_properties()),
    }
}

pub fn upright(of: &str) -> MathNode {
    MathNode::Run(MathRun { style: MathStyle::Plain, ..run(of) })
}

pub fn row(of: &str) -> MathRow {
    vec![italic_run(of)]
}

pub fn fraction(kind: FractionKind, above: MathRow, below: MathRow) -> MathNode {
    MathNode::Fraction { kind, numerator: above, denominator: below }
}

pub fn scripts(base: &str, sub: Option<&str>, sup: Option<&str>) -> MathNode {
    MathNode::Scripts { base: row(base), subscript: sub.map(row), superscript: sup.map(row), before: false }
}

pub fn sum(lower: &str, upper: &str, body: MathRow) -> MathNode {
    MathNode::LargeOperator {
        operator: '∑',
        limits_above_and_below: true,
        grow: false,
        lower: Some(row(lower)),
        upper: Some(row(upper)),
        body,
    }
}

pub fn brackets(grow: bool, items: Vec<MathRow>) -> MathNode {
    MathNode::Delimiters { open: "(".into(), separator: "|".into(), close: ")".into(), grow, items }
}

pub fn inline(content: MathRow) -> Content {
    math(false, MathAlignment::default(), content)
}

pub fn displayed(content: MathRow) -> Content {
    math(true, MathAlignment::default(), content)
}

pub fn math(display: bool, alignment: MathAlignment, content: MathRow) -> Content {
    Content::Math(Box::new(Math { display, alignment, content, text: "in one line".into(), ..Math::default() }))
}

pub fn paragraph(contents: Vec<Content>) -> Paragraph {
    let look = text::run("Calibri", SIZE);
    let inlines = contents.into_iter().map(|content| text::inline(content, &look)).collect();
    text::paragraph(inlines, ParagraphProperties::default())
}

pub fn text_content(of: &str) -> Content {
    Content::Text(of.to_owned())
}

/// Lays out a paragraph with these contents.
pub fn lines(contents: Vec<Content>, width: f32) -> Vec<Line> {
    Setup::default().lines(&paragraph(contents), width)
}

/// Lays out a formula that must fit on one line.
pub fn lay_out_formula(content: Content) -> FormulaLine {
    let lines = lines(vec![content], 1_000.0);
    assert_eq!(lines.len(), 1, "one line");
    FormulaLine::from_line(&lines[0])
}

/// A character with its position; y grows downwards.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedCharacter {
    pub text: String,
    pub x: f32,
    /// Position of its baseline.
    pub y: f32,
    pub size: f32,
    pub advance: f32,
    /// The ids of its glyphs. A character that is assembled from parts has several.
    pub glyphs: Vec<u16>,
}

#[derive(Debug, Clone)]
pub struct FormulaLine {
    pub characters: Vec<PlacedCharacter>,
    pub rules: Vec<Rect>,
    pub strokes: Vec<Vec<PathCommand>>,
    pub height: f32,
    pub baseline: f32,
}

impl FormulaLine {
    pub fn from_line(line: &Line) -> Self {
        let (mut signs, mut rules, mut strokes) = (Vec::new(), Vec::new(), Vec::new());
        for placed in &line.items {
            match &placed.item {
                DisplayItem::Glyphs(run) => {
                    let mut x = run.x;
                    for cluster in run.glyphs.chunk_by(|a, b| a.range == b.range) {
                        let range = &cluster[0].range;
                        let advance = cluster.iter().map(|glyph| glyph.advance).sum();
                        signs.push(PlacedCharacter {
                            text: run.text[range.start as usize..range.end as usize].to_owned(),
                            x,
                            y: run.y,
                            size: run.size,
                            advance,
                            glyphs: cluster.iter().map(|glyph| glyph.id).collect(),
                        });
                        x += advance;
                    }
                }
                DisplayItem::Rectangle { area, .. } => rules.push(*area),
                DisplayItem::Stroke(stroke) => strokes.push(stroke.path.clone()),
                _ => {}
            }
        }
        Self { characters: signs, rules, strokes, height: line.height, baseline: line.baseline }
    }

    /// Returns the first character with this text.
    #[track_caller]
    pub fn character(&self, text: &str) -> &PlacedCharacter {
        self.characters
            .iter()
            .find(|sign| sign.text == text)
            .unwrap_or_else(|| panic!("no {text} in {:?}", self.characters))
    }

    pub fn all_characters(&self, text: &str) -> Vec<&PlacedCharacter> {
        self.characters.iter().filter(|sign| sign.text == text).collect()
    }

    /// Returns the extracted text in painting order.
    pub fn text(&self) -> String {
        self.characters.iter().map(|sign| sign.text.as_str()).collect()
    }
}
