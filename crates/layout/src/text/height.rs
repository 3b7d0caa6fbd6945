//! How high a line is and where its baseline stands (ECMA-376 part 1, §17.3.1.33, §17.6.5).

use waraq_docx::tree::{LineSpacing, ParagraphProperties};

use super::measure::length;
use super::source::Extent;

/// Of a line: all that stands in it, and what of it is text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LineExtent {
    pub all: Extent,
    pub text: Extent,
}

/// Of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LineHeight {
    pub height: f32,
    pub baseline: f32,
    /// How much of the height is line spacing below the text.
    pub spacing_below: f32,
}

/// Height and baseline of a line of this extent.
///
/// `auto` counts in lines (§17.3.1.33): a picture in the text is no line, a multiple adds to the text beside it alone, and nothing where there is
/// none. (Word has three documents on the pages it counted, and three more page starts, if the paragraph mark beside a picture is no text either.)
///
/// Measured on LibreOffice's pages, which here are Word's: spacing above single goes below the text, spacing below single
/// and `atLeast` come off or go on above it, `exactly` has four fifths of it above the baseline.
pub(super) fn line(
    LineExtent { all: extent, text }: LineExtent,
    properties: &ParagraphProperties,
    pitch: Option<f32>,
) -> LineHeight {
    let plain = |height: f32, baseline: f32| LineHeight { height, baseline, spacing_below: 0.0 };
    let natural = to_twips(extent.height());
    let pitch = pitch.filter(|pitch| properties.snap_to_grid && *pitch > 1.0 && pitch.is_finite());
    match properties.spacing.line {
        LineSpacing::Exactly(height) => {
            let height = length(height).max(0.1);
            plain(height, height * 0.8)
        }
        LineSpacing::AtLeast(least) => {
            let height = on_grid(natural, pitch).max(length(least));
            plain(height, extent.ascent + (height - natural))
        }
        LineSpacing::Multiple(factor) => {
            let factor = if factor.is_finite() && factor > 0.0 { factor.min(200.0) } else { 1.0 };
            if let Some(pitch) = pitch {
                let cells = on_grid(natural, Some(pitch));
                let text = if text.height() > 0.0 { on_grid(text.height(), Some(pitch)) } else { 0.0 };
                let height = (cells + text * (factor - 1.0)).max(natural);
                return plain(height, extent.ascent + (cells - natural).max(0.0) / 2.0);
            }
            let height = to_twips(natural + to_twips(text.height()) * (factor - 1.0));
            let baseline = if factor < 1.0 { extent.ascent - (natural - height) } else { extent.ascent };
            LineHeight { height, baseline, spacing_below: (height - natural).max(0.0) }
        }
    }
}

/// Whole cells of the document grid.
fn on_grid(height: f32, pitch: Option<f32>) -> f32 {
    match pitch {
        Some(pitch) => ((height - 0.01) / pitch).ceil().max(1.0) * pitch,
        None => height,
    }
}

/// Word counts in twentieths of a point: a line is as high as whole ones, and so is what spacing makes of it. (Measured between Word's own page
/// starts: forty lines of 12 points at 1.15 are 15.85 high each, not 15.87; no page of 36 documents speaks against the nearest twip.)
fn to_twips(points: f32) -> f32 {
    (points * 20.0).round() / 20.0
}
