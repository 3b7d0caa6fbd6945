//! What a paragraph asks of the column it stands in.

use super::{ParagraphLines, finite};
use crate::text::line::ContentWidths;
use crate::text::source::{BreakBefore, ClusterKind};

impl ParagraphLines<'_> {
    /// Widths for auto-fit columns, indents included.
    pub fn content_widths(&self) -> ContentWidths {
        let indent = &self.paragraph.properties.indent;
        let (start, end) = (finite(indent.start), finite(indent.end));
        let first = start + finite(indent.first_line);
        let stops = self.stops(f32::MAX / 4.0);
        let (mut longest, mut widest, mut solid, mut text) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
        let (mut piece, mut x, mut spaces) = (0.0_f32, first, 0.0_f32);
        for index in 0..self.clusters().len() {
            let Some(cluster) = self.clusters().get(index) else { break };
            if !matches!(cluster.break_before, BreakBefore::No | BreakBefore::Syllable) {
                longest = longest.max(piece);
                piece = 0.0;
            }
            match cluster.kind {
                ClusterKind::Break(_) => {
                    widest = widest.max(x);
                    (x, spaces) = (start, 0.0);
                }
                ClusterKind::Space => spaces += cluster.advance,
                ClusterKind::Tab => {
                    let to = stops.next(x + spaces, false).position;
                    piece += (to - x).clamp(0.0, 720.0);
                    (x, spaces) = (to, 0.0);
                }
                ClusterKind::Text | ClusterKind::Object => {
                    x += std::mem::take(&mut spaces) + cluster.advance;
                    text = text.max(x);
                    piece += cluster.advance;
                    if cluster.kind == ClusterKind::Object {
                        solid = solid.max(cluster.advance);
                    }
                }
            }
        }
        let indents = start.max(first).max(0.0) + end.max(0.0);
        ContentWidths {
            least: longest.max(piece) + indents,
            most: widest.max(x) + end.max(0.0),
            text: text + end.max(0.0),
            solid: if solid > 0.0 { solid + indents } else { 0.0 },
        }
    }
}
