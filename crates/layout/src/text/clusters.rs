//! The shaped paragraph: clusters in logical order with their widths and break opportunities.

use std::ops::Range;
use std::rc::Rc;

use harfrust::Tag;
use icu_segmenter::LineSegmenter;
use icu_segmenter::options::LineBreakOptions;
use unicode_script::Script;
use waraq_docx::Meter;
use waraq_docx::tree::RunProperties;

use super::font_slots;
use super::joining::{self, NeighbourJoins};
use super::measure::{GlyphScale, add_space_after, clamp_size, letter_spacing};
use super::shape::{ShapeKey, ShapedWord};
use super::source::{
    BreakBefore, Cluster, ClusterKind, Clusters, ParagraphSource, ScaledGlyph, Span, SpanKind, TextItem, WidthChange,
};
use crate::fonts::DocumentFonts;

/// Work units for each word that is looked up in the cache. The letters of the word cost additional work units.
const WORD_WORK: usize = 1;

/// Maximum length in bytes of a word that is shaped as a whole. Longer words are shaped in parts. With some fonts, the shaping of
/// a word of twice the length takes more than twice the time.
const MAX_WORD_BYTES: usize = 4096;

/// A line end can cut a word. At most this many clusters are then shaped again on each side of the cut.
const MAX_RESHAPED_CLUSTERS: usize = 64;
/// If a paragraph has more clusters than this, a word that a line end cuts is not shaped again. Both parts of the word then keep
/// the shapes that they have in the whole word.
const MAX_RESHAPABLE_CLUSTERS: usize = 100_000;

impl Clusters {
    pub fn new(source: &ParagraphSource, items: Vec<TextItem>, fonts: &DocumentFonts) -> Self {
        let items: Rc<[TextItem]> = items.into();
        let mut clusters = Self { items: Rc::clone(&items), ..Self::default() };
        clusters.list.reserve(source.text.len() + 1);
        clusters.glyphs.reserve(source.text.len());
        for (index, item) in items.iter().enumerate() {
            let Some(span) = source.spans.get(item.span) else { continue };
            let (kind, advance) = match &span.kind {
                SpanKind::Text | SpanKind::SmallCapitals => {
                    clusters.shape_item(source, index, item, &span.run, fonts);
                    continue;
                }
                SpanKind::Tab(_) | SpanKind::LabelTab => (ClusterKind::Tab, 0.0),
                SpanKind::Break(kind) => (ClusterKind::Break(*kind), 0.0),
                SpanKind::Object(drawing) => (ClusterKind::Object, clamp_size(drawing.width)),
                SpanKind::Formula(piece) => (ClusterKind::Object, piece.content.width),
                SpanKind::RubyStart(_) | SpanKind::RubyText(_) | SpanKind::RubyEnd => (ClusterKind::Object, 0.0),
                SpanKind::LabelPicture(_) => (ClusterKind::Object, item.size),
            };
            clusters.push_cluster(item.start, index as u32, kind, advance);
            // A formula determines its own break opportunities.
            if let (SpanKind::Formula(piece), Some(last)) = (&span.kind, clusters.list.last_mut())
                && piece.allows_break_before
            {
                last.break_before = BreakBefore::Yes;
            }
        }
        clusters.push_cluster(source.text.len(), u32::MAX, ClusterKind::Text, 0.0);
        clusters.mark_breaks(source, fonts.meter());
        clusters
    }

    /// Returns the number of clusters. The sentinel at the end of the list is not counted.
    pub fn len(&self) -> usize {
        self.list.len().saturating_sub(1)
    }

    /// Returns the cluster with this index. Returns `None` for the sentinel at the end of the list and for larger indices.
    pub fn get(&self, index: usize) -> Option<&Cluster> {
        self.list.get(index).filter(|_| index < self.len())
    }

    /// Returns the index of the first cluster that begins at or after this byte offset.
    pub fn index_at(&self, byte: usize) -> usize {
        self.list.partition_point(|cluster| (cluster.start as usize) < byte)
    }

    pub fn item(&self, cluster: &Cluster) -> Option<&TextItem> {
        self.items.get(cluster.item as usize)
    }

    /// Returns the span of `source` that contains the cluster. Returns `None` for the sentinel at the end of the list.
    pub fn span<'s>(&self, cluster: &Cluster, source: &'s ParagraphSource) -> Option<&'s Span> {
        source.spans.get(self.item(cluster)?.span)
    }

    /// Returns the byte offset at which a cluster begins, or 0 if the index is too large.
    pub fn start(&self, index: usize) -> usize {
        self.list.get(index).map_or(0, |cluster| cluster.start as usize)
    }

    /// Returns the glyphs of a cluster in visual order.
    pub fn glyphs(&self, index: usize) -> &[ScaledGlyph] {
        let (Some(from), Some(to)) = (self.list.get(index), self.list.get(index + 1)) else { return &[] };
        let glyphs = self.glyphs.get(from.first_glyph as usize..to.first_glyph as usize);
        debug_assert!(glyphs.is_some(), "clusters and glyphs go together");
        glyphs.unwrap_or_default()
    }

    /// Adds a cluster without glyphs.
    fn push_cluster(&mut self, start: usize, item: u32, kind: ClusterKind, advance: f32) {
        let first_glyph = self.glyphs.len() as u32;
        let (break_before, unsafe_to_break, tatweel) = (BreakBefore::No, false, false);
        let start = start as u32;
        self.list.push(Cluster {
            start,
            item,
            first_glyph,
            advance,
            kind,
            break_before,
            unsafe_to_break,
            allows_tatweel: tatweel,
        });
    }

    /// Shapes an item word by word. Each space is a word of its own. The cache contains most words, and lines usually end
    /// between words.
    fn shape_item(
        &mut self,
        source: &ParagraphSource,
        index: usize,
        item: &TextItem,
        run: &RunProperties,
        fonts: &DocumentFonts,
    ) {
        let text = fonts.meter().expect_text(source.text.get(item.start..item.end));
        let Some(face) = fonts.parsed(item.face_choice.face) else { return };
        let key = shape_key(item, run);
        let complex = font_slots::is_complex_script(item.script);
        let mut shapes = fonts.shapes.borrow_mut();
        let measure = GlyphScale::new(item, run, face.metrics.units_per_em);
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let length = word_length(rest);
            let piece = rest.get(..length).unwrap_or(rest);
            if !fonts.meter().spend(WORD_WORK + length / 4) {
                return;
            }
            let (start, end) = (item.start + at, item.start + at + length);
            let joins = if complex {
                joining::neighbour_joins(&source.text, start, end, at == 0, end == item.end)
            } else {
                NeighbourJoins::default()
            };
            let key = ShapeKey { joins_before: joins.before, joins_after: joins.after, ..key };
            let shaped = measure.shape_word(&mut shapes, key, face, piece);
            self.append_word(&shaped, item.start + at, index, piece, &measure, fonts.meter());
            at += length;
        }
    }

    /// Adds the clusters of a shaped word that begins at the byte offset `start`.
    fn append_word(
        &mut self,
        shaped: &ShapedWord,
        start: usize,
        item: usize,
        piece: &str,
        measure: &GlyphScale,
        meter: &Meter,
    ) {
        let kind = if piece == " " { ClusterKind::Space } else { ClusterKind::Text };
        if shaped.clusters.is_empty() {
            // An invisible word (such as a single soft hyphen) has no glyph. It still needs a cluster for its bytes.
            self.push_cluster(start, item as u32, kind, 0.0);
            return;
        }
        for (number, cluster) in shaped.clusters.iter().enumerate() {
            let first_glyph = self.glyphs.len() as u32;
            let next = shaped.clusters.get(number + 1).map_or(shaped.glyphs.len() as u32, |next| next.first_glyph);
            let glyphs = meter.expect_text(shaped.glyphs.get(cluster.first_glyph as usize..next as usize));
            self.glyphs.extend(glyphs.iter().map(|glyph| measure.scale_glyph(glyph)));
            let advance = measure.to_points(cluster.advance);
            if let Some(glyphs) = self.glyphs.get_mut(first_glyph as usize..) {
                add_space_after(glyphs, measure.spacing, measure.right_to_left);
            }
            self.list.push(Cluster {
                start: start as u32 + cluster.start,
                item: item as u32,
                first_glyph,
                advance: advance + measure.spacing,
                kind,
                break_before: BreakBefore::No,
                unsafe_to_break: cluster.unsafe_to_break && number > 0,
                allows_tatweel: cluster.allows_tatweel && number > 0,
            });
        }
    }

    /// Marks the break opportunities: those of UAX #14 and those at tabs, with the exceptions that Word makes. In Word, a line
    /// may break after every space; UAX #14 forbids this in some cases next to brackets and quotes (LB13 to LB17). In Word, a
    /// line never breaks after a vertical bar. Between ASCII characters without a space, a line breaks only after a hyphen or a
    /// slash. (UAX #14 also breaks "end.(2)", "why?so" and "(a)(b)"; Word does not.)
    fn mark_breaks(&mut self, source: &ParagraphSource, meter: &Meter) {
        let segmenter = LineSegmenter::new_for_non_complex_scripts(LineBreakOptions::default());
        let mut index = 0;
        for at in segmenter.segment_str(&source.text) {
            if !meter.spend(1) {
                return;
            }
            while self.list.get(index).is_some_and(|cluster| (cluster.start as usize) < at) {
                index += 1;
            }
            let Some(cluster) = self.list.get_mut(index).filter(|cluster| cluster.start as usize == at) else {
                continue;
            };
            let ascii_after = source.text.as_bytes().get(at).is_some_and(u8::is_ascii_graphic);
            cluster.break_before = match source.text.get(..at).and_then(|before| before.chars().next_back()) {
                Some('\u{ad}') => BreakBefore::Hyphen,
                Some('/') => BreakBefore::Slash,
                Some('|') => BreakBefore::No,
                Some(before) if ascii_after && before != '-' && before.is_ascii_graphic() => BreakBefore::No,
                _ => BreakBefore::Yes,
            };
        }
        let last = self.len();
        let mut after_space = false;
        for cluster in self.list.iter_mut().take(last) {
            let word = matches!(cluster.kind, ClusterKind::Text | ClusterKind::Object);
            if cluster.kind == ClusterKind::Tab || after_space && word {
                cluster.break_before = BreakBefore::Yes;
            }
            after_space = cluster.kind == ClusterKind::Space;
        }
        // A line never breaks between a numbering label and the text after it.
        for cluster in self.list.iter_mut().take_while(|cluster| cluster.start as usize <= source.label_end) {
            cluster.break_before = BreakBefore::No;
        }
    }

    /// Makes letters wider or narrower. Each change applies to the letter that ends at the byte offset `end_byte`.
    pub fn change_widths(&mut self, changes: &[WidthChange]) {
        for &WidthChange { end_byte, width } in changes {
            let after = self.index_at(end_byte);
            let end = self.list.get(after).map_or(self.glyphs.len(), |next| next.first_glyph as usize);
            let Some(last) = after.checked_sub(1).and_then(|last| self.list.get_mut(last)) else { continue };
            last.advance += width;
            let right_to_left = self.items.get(last.item as usize).is_some_and(|item| item.level % 2 == 1);
            if let Some(glyphs) = self.glyphs.get_mut(last.first_glyph as usize..end) {
                add_space_after(glyphs, width, right_to_left);
            }
        }
    }

    /// Shapes the two parts of a cut word separately, if the cut changes the shapes of the letters beside it. The cut is before
    /// the cluster `at`. Clusters before `from` do not change. Returns true if clusters were shaped again.
    pub fn shape_sides_separately(
        &mut self,
        at: usize,
        from: usize,
        source: &ParagraphSource,
        fonts: &DocumentFonts,
    ) -> bool {
        let window = self.reshape_range(at, from);
        self.is_unsafe_to_break(at) && self.reshape(at, &[window.start..at, at..window.end], source, fonts).is_some()
    }

    /// Shapes the two parts of a word as one word again, after the cut between them was removed. The cut was before the cluster
    /// `at`. Clusters before `from` do not change. Returns true if clusters were shaped again.
    pub fn shape_sides_together(
        &mut self,
        at: usize,
        from: usize,
        source: &ParagraphSource,
        fonts: &DocumentFonts,
    ) -> bool {
        let window = self.reshape_range(at, from);
        self.reshape(at, &[window], source, fonts).is_some()
    }

    /// Shapes the clusters around the cluster `at` again. Each of the adjacent ranges `parts` is shaped separately. Returns
    /// `None` if the clusters could not be shaped again.
    fn reshape(
        &mut self,
        at: usize,
        parts: &[Range<usize>],
        source: &ParagraphSource,
        fonts: &DocumentFonts,
    ) -> Option<()> {
        // Each cut moves all later glyphs in the list, which takes too long in a very long paragraph. The shapes of its words
        // therefore stay unchanged.
        if self.len() > MAX_RESHAPABLE_CLUSTERS {
            return None;
        }
        let (start, end) = (parts.first()?.start, parts.last()?.end);
        let number = self.get(at)?.item;
        let item = self.items.get(number as usize)?;
        let run = &source.spans.get(item.span)?.run;
        let face = fonts.parsed(item.face_choice.face)?;
        let measure = GlyphScale::new(item, run, face.metrics.units_per_em);
        let mut new = Self::default();
        for part in parts {
            let text = fonts.meter().expect_text(source.text.get(self.start(part.start)..self.start(part.end)));
            let shaped = measure.shape_word(&mut fonts.shapes.borrow_mut(), shape_key(item, run), face, text);
            new.append_word(&shaped, self.start(part.start), number as usize, text, &measure, fonts.meter());
        }
        new.push_cluster(self.start(end), u32::MAX, ClusterKind::Text, 0.0);
        // If the window begins or ends inside a joined word, the clusters near that edge have wrong shapes. Only the half of
        // the window's side that is next to the cut is used then.
        let inner = |edge: usize| if self.is_unsafe_to_break(edge) { (edge + at) / 2 } else { edge };
        self.replace(inner(start)..inner(end), new)
    }

    /// Returns the clusters whose shapes may change if the word is cut before the cluster `at`: all clusters of the word, but
    /// not those before `from`, and at most [`MAX_RESHAPED_CLUSTERS`] on each side. The result does not depend on
    /// [`Cluster::unsafe_to_break`], because another cut of the word may have changed this flag.
    fn reshape_range(&self, at: usize, from: usize) -> Range<usize> {
        let item = self.get(at).map(|cluster| cluster.item);
        let inside = |i: usize| self.get(i).is_some_and(|c| Some(c.item) == item && c.kind == ClusterKind::Text);
        let mut start = at;
        while start > from && inside(start - 1) && at - start < MAX_RESHAPED_CLUSTERS {
            start -= 1;
        }
        let mut end = at + 1;
        while inside(end) && end - at < MAX_RESHAPED_CLUSTERS {
            end += 1;
        }
        start..end
    }

    fn is_unsafe_to_break(&self, index: usize) -> bool {
        self.get(index).is_some_and(|cluster| cluster.unsafe_to_break)
    }

    /// Replaces the clusters `old` by the clusters `new`, which have the same text but other shapes.
    fn replace(&mut self, old: Range<usize>, new: Self) -> Option<()> {
        let glyph = |clusters: &Self, index: usize| clusters.list.get(index).map(|cluster| cluster.first_glyph);
        let taken = new.index_at(self.start(old.start))..new.index_at(self.start(old.end));
        let glyphs = glyph(self, old.start)?..glyph(self, old.end)?;
        let new_glyphs = glyph(&new, taken.start)?..glyph(&new, taken.end)?;
        let (known, mut list) = (self.list.get(old.clone())?, new.list.get(taken)?.to_vec());
        for cluster in &mut list {
            cluster.first_glyph = cluster.first_glyph - new_glyphs.start + glyphs.start;
            if let Some(old) = known.iter().find(|old| old.start == cluster.start) {
                cluster.break_before = old.break_before;
            }
        }
        for cluster in self.list.get_mut(old.end..)? {
            cluster.first_glyph = cluster.first_glyph - glyphs.end + glyphs.start + new_glyphs.len() as u32;
        }
        let range = |glyphs: Range<u32>| glyphs.start as usize..glyphs.end as usize;
        self.glyphs.splice(range(glyphs), new.glyphs.get(range(new_glyphs))?.iter().copied());
        self.list.splice(old, list);
        Some(())
    }

    /// Marks the given byte offsets as breaks between syllables. They must be in ascending order.
    pub fn mark_hyphenation_points(&mut self, places: &[usize]) {
        for &at in places {
            let index = self.index_at(at);
            let Some(cluster) = self.list.get_mut(index) else { break };
            if cluster.start as usize == at && cluster.break_before == BreakBefore::No {
                cluster.break_before = BreakBefore::Syllable;
            }
        }
    }
}

/// Returns the length in bytes of the first word of a text. A space is a word of its own. Other words end before the next
/// space.
fn word_length(text: &str) -> usize {
    if text.starts_with(' ') {
        return 1;
    }
    text.floor_char_boundary(text.find(' ').unwrap_or(text.len()).min(MAX_WORD_BYTES))
}

/// Returns the shaping key of an item. Kerning is on only if the run enables it (w:kern), as in Word and LibreOffice. This also
/// applies to Arabic. (The widths of Noto Sans Arabic without kerning match those of LibreOffice.) In simple scripts (Latin,
/// Greek, Cyrillic and similar), the run determines whether ligatures are on. LibreOffice always applies them. In other scripts,
/// ligatures are always on, because text is hard to read without them. Letter-spaced text has no ligatures.
pub(super) fn shape_key(item: &TextItem, run: &RunProperties) -> ShapeKey {
    let simple = matches!(
        item.script,
        Script::Common
            | Script::Inherited
            | Script::Unknown
            | Script::Latin
            | Script::Greek
            | Script::Cyrillic
            | Script::Armenian
            | Script::Georgian
    );
    let complex = font_slots::is_complex_script(item.script);
    let kerning = run.kerning_from.is_some_and(|from| from > 0.0 && item.run_size >= from);
    let language = if complex { &run.language.complex } else { &run.language.latin };
    let mut subtag = [0; 3];
    let primary = language.as_deref().and_then(|tag| tag.split(['-', '_']).next()).unwrap_or_default();
    if matches!(primary.len(), 2 | 3) && primary.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        for (slot, byte) in subtag.iter_mut().zip(primary.bytes()) {
            *slot = byte.to_ascii_lowercase();
        }
    }
    let script = Tag::from_be_bytes(item.script.as_iso15924_tag().to_be_bytes());
    ShapeKey {
        face: item.face_choice.face,
        script: harfrust::Script::from_iso15924_tag(script),
        right_to_left: item.level % 2 == 1,
        kerning,
        ligatures: if simple { run.ligatures && letter_spacing(run) == 0.0 } else { letter_spacing(run) <= 0.0 },
        language: subtag,
        joins_before: false,
        joins_after: false,
    }
}
