//! Height and baseline of a line (ECMA-376 part 1, §17.3.1.33, §17.6.5).

use waraq_docx::tree::{LineSpacing, ParagraphProperties};

use super::measure::clamp_size;
use super::source::Extent;

/// The extents (ascent and descent) of the whole content of a line and of only its text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LineExtent {
    pub all: Extent,
    pub text: Extent,
}

/// The height of a line and the distance of its baseline from its top, in points.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LineHeight {
    pub height: f32,
    pub baseline: f32,
    /// The part of the line's height that is line spacing below the text.
    pub spacing_below: f32,
}

/// Returns the height and baseline of a line whose content has this extent. `pitch` is the line pitch of the document grid, or
/// `None` without a grid.
///
/// With the rule `auto`, the height is a multiple of the natural height (§17.3.1.33). The multiple applies only to text, not to
/// pictures in the line. A line that contains only pictures gets no extra height, even if it contains the paragraph mark. (This
/// exception was tested against pages of Word. With it, the page counts of three more documents are right, and three more pages
/// start with the right line.)
///
/// The baselines follow LibreOffice, whose pages match those of Word in this respect. Line spacing larger than single is added
/// below the text. Line spacing smaller than single is removed above the text. `atLeast` adds height above the text. `exactly`
/// places the baseline at four fifths of the height.
pub(super) fn line_height(
    LineExtent { all: extent, text }: LineExtent,
    properties: &ParagraphProperties,
    pitch: Option<f32>,
) -> LineHeight {
    let plain = |height: f32, baseline: f32| LineHeight { height, baseline, spacing_below: 0.0 };
    let natural = to_twips(extent.height());
    let pitch = pitch.filter(|pitch| properties.snap_to_grid && *pitch > 1.0 && pitch.is_finite());
    match properties.spacing.line {
        LineSpacing::Exactly(height) => {
            let height = clamp_size(height).max(0.1);
            plain(height, height * 0.8)
        }
        LineSpacing::AtLeast(least) => {
            let height = round_up_to_grid(natural, pitch).max(clamp_size(least));
            plain(height, extent.ascent + (height - natural))
        }
        LineSpacing::Multiple(factor) => {
            let factor = if factor.is_finite() && factor > 0.0 { factor.min(200.0) } else { 1.0 };
            if let Some(pitch) = pitch {
                let cells = round_up_to_grid(natural, Some(pitch));
                let text = if text.height() > 0.0 { round_up_to_grid(text.height(), Some(pitch)) } else { 0.0 };
                let height = (cells + text * (factor - 1.0)).max(natural);
                return plain(height, extent.ascent + (cells - natural).max(0.0) / 2.0);
            }
            let height = to_twips(natural + to_twips(text.height()) * (factor - 1.0));
            let baseline = if factor < 1.0 { extent.ascent - (natural - height) } else { extent.ascent };
            LineHeight { height, baseline, spacing_below: (height - natural).max(0.0) }
        }
    }
}

/// Rounds a height up to a multiple of the line pitch of the document grid. Without a grid, returns the height unchanged.
fn round_up_to_grid(height: f32, pitch: Option<f32>) -> f32 {
    match pitch {
        Some(pitch) => ((height - 0.01) / pitch).ceil().max(1.0) * pitch,
        None => height,
    }
}

/// Rounds a length to twentieths of a point (twips). Word rounds line heights before and after it applies line spacing. (This
/// follows from the first lines of pages laid out by Word: 40 lines of 12 points at 1.15 are 15.85 points high each, not 15.87.
/// All pages of 36 documents agree with rounding to the nearest twip.)
fn to_twips(points: f32) -> f32 {
    (points * 20.0).round() / 20.0
}
