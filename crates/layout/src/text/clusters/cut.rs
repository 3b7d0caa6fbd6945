//! Words parted where a line ends inside them: joined letters have other shapes then.

use std::ops::Range;

use super::shape_key;
use crate::fonts::DocumentFonts;
use crate::text::measure::Measure;
use crate::text::source::{Cluster, ClusterKind, Clusters, Item, Source};

/// Clusters on each side of a cut that are shaped again at most.
const CONTEXT: usize = 64;
/// Words of paragraphs with more clusters are not cut.
const LONGEST_CUT: usize = 100_000;

impl Clusters {
    /// Shapes both sides of a cut inside a word for themselves, where the shape would be another; nothing before
    /// `from`. Returns whether it did.
    pub fn cut(&mut self, at: usize, from: usize, source: &Source, items: &[Item], fonts: &DocumentFonts) -> bool {
        let Some(cluster) = self.get(at).filter(|cluster| cluster.unsafe_to_break) else { return false };
        let window = self.window(at, from, cluster.item);
        self.shape_again(at, &[window.start..at, at..window.end], source, items, fonts)
    }

    /// Shapes both sides of a former cut together again. Returns whether it did.
    pub fn mend(&mut self, at: usize, from: usize, source: &Source, items: &[Item], fonts: &DocumentFonts) -> bool {
        let Some(cluster) = self.get(at) else { return false };
        let window = self.window(at, from, cluster.item);
        self.shape_again(at, &[window], source, items, fonts)
    }

    /// The clusters around a place anew, from parts that follow each other.
    fn shape_again(
        &mut self,
        at: usize,
        parts: &[Range<usize>],
        source: &Source,
        items: &[Item],
        fonts: &DocumentFonts,
    ) -> bool {
        // Each cut moves what follows it: a paragraph without end keeps the shapes it has.
        if self.len() > LONGEST_CUT {
            return false;
        }
        let (Some(start), Some(end)) = (parts.first().map(|part| part.start), parts.last().map(|part| part.end)) else {
            return false;
        };
        let Some(number) = self.get(at).map(|cluster| cluster.item) else { return false };
        let Some(item) = items.get(number as usize) else { return false };
        let Some(span) = source.spans.get(item.span) else { return false };
        let Some(face) = fonts.parsed(item.choice.face) else { return false };
        let measure = Measure::new(item, &span.run, face.metrics.units_per_em);
        let mut new = Self::default();
        for part in parts {
            let text = fonts.meter().expect(source.text.get(self.start(part.start)..self.start(part.end)));
            let shaped = measure.word(&mut fonts.shapes().borrow_mut(), shape_key(item, &span.run), face, text);
            new.append(&shaped, self.start(part.start), number as usize, text, &measure, fonts.meter());
        }
        new.atom_at(self.start(end), u32::MAX, ClusterKind::Text, 0.0);
        // Where the window itself cuts a joined word only its inner half is right.
        let inner = |edge: usize| if self.is_unsafe(edge) { (edge + at) / 2 } else { edge };
        let (from, to) = (inner(start), inner(end));
        new.keep(self.start(from), self.start(to));
        self.splice(from, to, new);
        true
    }

    /// The clusters around a place that a cut there may change: the word, but not for ever. (Safe places inside it are safe
    /// only while the word is whole.)
    fn window(&self, at: usize, from: usize, item: u32) -> Range<usize> {
        let inside = |i: usize| self.get(i).is_some_and(|c| c.item == item && c.kind == ClusterKind::Text);
        let mut start = at;
        while start > from && inside(start - 1) && at - start < CONTEXT {
            start -= 1;
        }
        let mut end = at + 1;
        while inside(end) && end - at < CONTEXT {
            end += 1;
        }
        start..end
    }

    fn is_unsafe(&self, index: usize) -> bool {
        self.get(index).is_some_and(|cluster| cluster.unsafe_to_break)
    }

    /// Drops the clusters outside these bytes, the one at the end too.
    fn keep(&mut self, from: usize, to: usize) {
        let inside = |cluster: &Cluster| (from..to).contains(&(cluster.start as usize));
        let first = self.list.iter().position(inside).unwrap_or(0);
        let last = self.list.iter().rposition(inside).map_or(first, |last| last + 1);
        let glyphs =
            |index: usize| self.list.get(index).map_or(self.glyphs.len(), |cluster| cluster.first_glyph as usize);
        let (first_glyph, last_glyph) = (glyphs(first), glyphs(last));
        self.glyphs.truncate(last_glyph);
        self.glyphs.drain(..first_glyph.min(last_glyph));
        self.list.truncate(last);
        self.list.drain(..first);
        for cluster in &mut self.list {
            cluster.first_glyph -= first_glyph as u32;
        }
    }

    fn splice(&mut self, from: usize, to: usize, mut new: Self) {
        let (Some(first), Some(after)) = (self.list.get(from).copied(), self.list.get(to).copied()) else { return };
        for cluster in &mut new.list {
            cluster.first_glyph += first.first_glyph;
            if let Some(old) = self.list.get(from..to).unwrap_or_default().iter().find(|old| old.start == cluster.start)
            {
                cluster.break_before = old.break_before;
            }
        }
        let (old_end, new_count) = (after.first_glyph, new.glyphs.len() as u32);
        self.glyphs.splice(first.first_glyph as usize..old_end as usize, new.glyphs);
        for cluster in self.list.get_mut(to..).unwrap_or_default() {
            cluster.first_glyph = cluster.first_glyph - old_end + first.first_glyph + new_count;
        }
        self.list.splice(from..to, new.list);
    }
}
