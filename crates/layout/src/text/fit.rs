//! Text with a fixed width (§17.3.2.14 w:fitText). Text that is too narrow is letter-spaced; text that is too wide is
//! scaled down.

use std::sync::Arc;

use waraq_docx::tree::RunProperties;

use super::source::{Clusters, ParagraphSource, WidthChange};

/// Changes the scale and letter spacing of the runs with a fixed width. The runs have this width after the caller has shaped
/// `source` again. Returns changes in width, or `None` if no run was changed. The caller must apply these changes after it has
/// shaped `source` again. They remove the letter spacing after the last letter of each text with a fixed width.
pub(super) fn apply_fit(source: &mut ParagraphSource, clusters: &Clusters) -> Option<Vec<WidthChange>> {
    let mut trims = Vec::new();
    let mut any = false;
    // Adjacent spans with the same w:fitText are one fitted text.
    for spans in source.spans.chunk_by_mut(|one, next| one.run.fit == next.run.fit) {
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { continue };
        let (start, end) = (first.start, last.end);
        let Some(fit) = first.run.fit else { continue };
        let inside = clusters.list.iter().filter(|cluster| (start..end).contains(&(cluster.start as usize)));
        let (count, natural) = inside.fold((0, 0.0), |(count, width), cluster| (count + 1, width + cluster.advance));
        if natural <= 0.0 || !fit.width.is_finite() {
            continue;
        }
        let (factor, spacing) = if natural > fit.width {
            ((fit.width / natural).max(0.01), 0.0)
        } else if count > 1 {
            (1.0, (fit.width - natural) / (count - 1) as f32)
        } else {
            continue;
        };
        any = true;
        for span in spans {
            let run = &span.run;
            let (scale, added) = (run.scale * factor, run.spacing * factor + spacing);
            span.run = Arc::new(RunProperties { scale, spacing: added, ..(**run).clone() });
        }
        trims.push(WidthChange { end_byte: end, width: -spacing });
    }
    any.then_some(trims)
}
