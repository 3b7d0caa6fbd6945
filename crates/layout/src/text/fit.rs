//! Text of a given width (§17.3.2.14 w:fitText): drawn apart where it is narrower, squeezed where it is wider.

use std::ops::Range;
use std::sync::Arc;

use waraq_docx::tree::{FitText, RunProperties};

use super::source::{Clusters, Source};

/// Ends of letters, and what their room is to change by: after the last of each stretched text there is too much.
pub(super) type Trims = Vec<(usize, f32)>;

/// Changes the runs of such texts so that they have their width once they are shaped anew. `None`: there are none.
pub(super) fn apply(source: &mut Source, clusters: &Clusters) -> Option<Trims> {
    let mut trims = Trims::new();
    let mut any = false;
    for (spans, fit) in regions(source) {
        let Some(spans) = source.spans.get_mut(spans) else { continue };
        let (Some(start), Some(end)) = (spans.first().map(|span| span.start), spans.last().map(|span| span.end)) else {
            continue;
        };
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
        trims.push((end, -spacing));
    }
    any.then_some(trims)
}

/// Neighbouring spans of one text.
fn regions(source: &Source) -> Vec<(Range<usize>, FitText)> {
    let mut regions: Vec<(Range<usize>, FitText)> = Vec::new();
    for (index, span) in source.spans.iter().enumerate() {
        let Some(fit) = span.run.fit else { continue };
        match regions.last_mut() {
            Some((spans, last)) if *last == fit && spans.end == index => spans.end = index + 1,
            _ => regions.push((index..index + 1, fit)),
        }
    }
    regions
}
