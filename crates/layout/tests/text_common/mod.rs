//! Helpers for the tests of paragraphs: the bundled fonts, builders for paragraphs, and functions that read the laid-out lines.
#![allow(dead_code)]

use std::sync::Arc;

use waraq_docx::tree::*;
use waraq_layout::text::{Context, FieldText, Line, LineEnd, LineSlot, ParagraphLines};
use waraq_layout::{DisplayItem, DocumentFonts, GlyphRun};

pub use crate::book::book;

/// Field values for tests: page 7 of 9, and notes numbered by their id.
pub struct TestFields;

impl FieldText for TestFields {
    fn field_text(&self, field: &ComputedField, _: Option<&str>) -> Option<String> {
        match field {
            ComputedField::Page(_) => Some("7".into()),
            ComputedField::Pages(_) => Some("9".into()),
            _ => None,
        }
    }
    fn note_mark_text(&self, _: NoteKind, id: i64) -> String {
        id.to_string()
    }
    fn current_note_mark(&self) -> String {
        "1".into()
    }
}

/// The inputs of the layout of a paragraph.
pub struct Setup {
    pub fonts: DocumentFonts,
    pub settings: Settings,
    pub line_pitch: Option<f32>,
}

impl Default for Setup {
    fn default() -> Self {
        Self { fonts: book().for_document(&Document::default()), settings: Settings::default(), line_pitch: None }
    }
}

impl Setup {
    pub fn context(&self) -> Context<'_> {
        Context {
            fonts: &self.fonts,
            settings: &self.settings,
            fields: &TestFields,
            line_pitch: self.line_pitch,
            line_cache: None,
        }
    }

    /// Returns the paragraph's lines in a column of this width.
    pub fn lines(&self, paragraph: &Paragraph, width: f32) -> Vec<Line> {
        let context = self.context();
        let mut lines = ParagraphLines::new(paragraph, &context);
        std::iter::from_fn(|| lines.next_line(LineSlot::whole_column(width))).take(100_000).collect()
    }
}

pub fn run(family: &str, size: f32) -> RunProperties {
    let name: Option<Arc<str>> = Some(family.into());
    let fonts = Fonts {
        ascii: name.clone(),
        high_ansi: name.clone(),
        east_asia: name.clone(),
        complex: name,
        hint: FontSlot::Default,
    };
    RunProperties { fonts, size, size_complex: size, ..RunProperties::default() }
}

pub fn text(text: &str, run: &RunProperties) -> Inline {
    Inline { content: Content::Text(text.into()), run: Arc::new(run.clone()), link: None }
}

pub fn inline(content: Content, run: &RunProperties) -> Inline {
    Inline { content, run: Arc::new(run.clone()), link: None }
}

pub fn paragraph(inlines: Vec<Inline>, properties: ParagraphProperties) -> Paragraph {
    let mark = inlines.first().map(|inline| Arc::clone(&inline.run)).unwrap_or_default();
    Paragraph { properties: Arc::new(properties), mark, label: None, inlines, ..Paragraph::default() }
}

pub fn plain(words: &str, run: &RunProperties) -> Paragraph {
    paragraph(vec![text(words, run)], ParagraphProperties::default())
}

pub fn glyph_runs(line: &Line) -> Vec<&GlyphRun> {
    line.items
        .iter()
        .filter_map(|placed| match &placed.item {
            DisplayItem::Glyphs(run) => Some(run),
            _ => None,
        })
        .collect()
}

/// Returns the characters of a line from left to right, cluster by cluster.
pub fn visual_text(line: &Line) -> String {
    let mut out = String::new();
    for run in glyph_runs(line) {
        let mut last = None;
        for glyph in &run.glyphs {
            let range = glyph.range.start as usize..glyph.range.end as usize;
            if last.as_ref() != Some(&range) {
                out.push_str(&run.text[range.clone()]);
            }
            last = Some(range);
        }
    }
    out
}

/// Returns the characters of a line. Runs are in visual order, the text of each run in logical order.
pub fn line_text(line: &Line) -> String {
    glyph_runs(line).iter().map(|run| &*run.text).collect()
}

pub fn run_width(run: &GlyphRun) -> f32 {
    run.glyphs.iter().map(|glyph| glyph.advance).sum()
}

pub fn line_ends(lines: &[Line]) -> Vec<LineEnd> {
    lines.iter().map(|line| line.end).collect()
}

#[track_caller]
pub fn assert_near(a: f32, b: f32, tolerance: f32) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} ± {tolerance}");
}
