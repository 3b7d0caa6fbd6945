//! Short texts that are not a paragraph's: labels of boxes, separators, line numbers.

use std::sync::Arc;

use waraq_docx::tree::{Content, Inline, Paragraph, RunProperties};

use super::context::Context;
use super::height::Extent;
use super::itemize::mark_item;
use super::line::Slot;
use super::lines::ParagraphLines;
use crate::page::{GlyphRun, Item};

/// Sets a short text in one font on one line (labels of boxes, separators, line numbers): glyphs from x = 0 with the baseline
/// at y = 0, and the width. The text's own direction decides the order of its letters.
pub fn single_line(context: &Context<'_>, text: &str, run: &RunProperties) -> (Vec<GlyphRun>, f32) {
    let run = Arc::new(run.clone());
    let content = Content::Text(text.chars().filter(|c| !c.is_control()).collect());
    let inlines = vec![Inline { content, run: Arc::clone(&run), link: None }];
    let paragraph = Paragraph { mark: run, inlines, ..Paragraph::default() };
    let mut lines = ParagraphLines::new(&paragraph, context);
    let Some(line) = lines.next_line(Slot::column(100_000.0)) else { return (Vec::new(), 0.0) };
    let runs: Vec<GlyphRun> = line
        .items
        .into_iter()
        .filter_map(|placed| match placed.item {
            Item::Glyphs(mut run) => {
                run.y -= line.baseline;
                Some(run)
            }
            _ => None,
        })
        .collect();
    let end = |run: &GlyphRun| run.x + run.glyphs.iter().map(|glyph| glyph.advance).sum::<f32>();
    let width = runs.iter().map(end).fold(0.0, f32::max);
    (runs, width)
}

/// How far the lines of this look go above and below their baseline.
pub(crate) fn line_extent(context: &Context<'_>, run: &RunProperties) -> (f32, f32) {
    let item = mark_item(run, context.fonts);
    let extent = item.map(|item| Extent::of(&item)).unwrap_or_default();
    (extent.ascent, extent.descent)
}
