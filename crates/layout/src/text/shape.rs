//! Shaping of words into glyphs, and the cache of shaped words.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use harfrust::{
    Buffer, BufferFlags, Direction, Feature, GlyphInfo, Language, Script, ShapeOptions, ShapePlan, ShaperFont, Tag,
    shape,
};

use super::joining;
use crate::fonts::face::ParsedFont;

/// The inputs of shaping, in addition to the characters of the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ShapeKey {
    pub face: u32,
    pub script: Option<Script>,
    pub right_to_left: bool,
    /// True if pairs of letters are kerned.
    pub kerning: bool,
    /// True if the OpenType features `liga` and `clig` apply. In complex scripts they always apply, except to letter-spaced
    /// text.
    pub ligatures: bool,
    /// Primary subtag of the language tag, padded with zero bytes at the end.
    pub language: [u8; 3],
    /// True if the first letter of the word is joined to an Arabic letter of the previous run.
    pub joins_before: bool,
    /// True if the last letter of the word is joined to an Arabic letter of the next run.
    pub joins_after: bool,
}

/// A shaped word in font units. Clusters are in logical order, the glyphs of a cluster in visual order.
#[derive(Debug, Default)]
pub(crate) struct ShapedWord {
    pub clusters: Vec<WordCluster>,
    pub glyphs: Vec<ShapedGlyph<i32>>,
}

impl ShapedWord {
    /// Returns the shape of the word after its tatweels are removed. `tatweels` has the byte offsets of the tatweels in the word.
    /// The cluster offsets of the result are offsets in the word without tatweels.
    fn without_tatweels(&self, tatweels: &[usize]) -> Self {
        let mut out = Self::default();
        for (index, cluster) in self.clusters.iter().enumerate() {
            let Err(before) = tatweels.binary_search(&(cluster.start as usize)) else { continue };
            let end = self.clusters.get(index + 1).map_or(self.glyphs.len(), |next| next.first_glyph as usize);
            let start = cluster.start - (before * TATWEEL.len()) as u32;
            out.clusters.push(WordCluster { start, first_glyph: out.glyphs.len() as u32, ..*cluster });
            out.glyphs.extend(self.glyphs.get(cluster.first_glyph as usize..end).unwrap_or_default());
        }
        out
    }
}

/// A cluster of a word in font units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordCluster {
    /// Byte offset of the cluster in the word.
    pub start: u32,
    pub first_glyph: u32,
    pub advance: i32,
    /// True if both parts of the word must be shaped again when a line breaks before this cluster.
    pub unsafe_to_break: bool,
    /// True if a tatweel drawn before the cluster does not change the shapes of the letters next to it.
    pub allows_tatweel: bool,
}

/// A glyph with its metrics in font units (`i32`) or in points (`f32`). Offsets are positive to the right and upwards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShapedGlyph<T> {
    pub id: u16,
    pub advance: T,
    pub x_offset: T,
    pub y_offset: T,
}

/// A cache of shaped words by face, script and features. When its size exceeds the limit, it is cleared.
#[derive(Default)]
pub(crate) struct ShapeCache {
    words_by_key: HashMap<ShapeKey, WordsOfKey, RandomState>,
    /// Approximate size of the text and glyphs in the cache, in bytes.
    bytes: usize,
    buffer: Buffer,
}

/// The shaped words with the same key.
struct WordsOfKey {
    features: Vec<Feature>,
    plan: ShapePlan,
    shapes: HashMap<Box<str>, Arc<ShapedWord>, RandomState>,
}

/// Maximum size of the cache in bytes (8 MiB).
const MAX_CACHE_BYTES: usize = 8 << 20;
/// Maximum bytes of a word that is cached. Longer words are shaped on each request. (A word of a table cell is requested twice,
/// for the width of the cell and for its lines.)
const MAX_CACHED_WORD_BYTES: usize = 4096;

impl ShapeCache {
    /// Returns the shape of a word. `face` must be the face that `key` refers to.
    pub fn shape_word(&mut self, key: ShapeKey, face: &ParsedFont, word: &str) -> Arc<ShapedWord> {
        let words = self.words_by_key.entry(key).or_insert_with(|| WordsOfKey::new(key, face));
        if let Some(shaped) = words.shapes.get(word) {
            return Arc::clone(shaped);
        }
        let shaped = Arc::new(shape_uncached(key, face, words, &mut self.buffer, word));
        self.buffer.reset();
        if word.len() <= MAX_CACHED_WORD_BYTES {
            self.bytes += word.len() + 96 + 16 * shaped.glyphs.len() + 16 * shaped.clusters.len();
            words.shapes.insert(word.into(), Arc::clone(&shaped));
        }
        if self.bytes > MAX_CACHE_BYTES {
            self.words_by_key.clear();
            self.bytes = 0;
        }
        shaped
    }

    /// Returns the shape of a letter-spaced word. Joined letters are shaped with a tatweel between them, because some fonts
    /// would otherwise stack them.
    pub fn shape_letter_spaced_word(&mut self, key: ShapeKey, face: &ParsedFont, word: &str) -> Arc<ShapedWord> {
        match joining::with_tatweels(word) {
            Some(wide) => Arc::new(self.shape_word(key, face, &wide.word).without_tatweels(&wide.tatweels)),
            None => self.shape_word(key, face, word),
        }
    }

    /// Removes the words whose faces have the index `faces` or a higher one. These faces are embedded fonts. The next document
    /// uses their indices for other fonts.
    pub fn keep_only_faces_below(&mut self, faces: u32) {
        self.words_by_key.retain(|key, _| key.face < faces);
        if self.words_by_key.is_empty() {
            self.bytes = 0;
        }
    }
}

/// The tatweel: a stroke that connects and elongates Arabic letters.
pub(super) const TATWEEL: &str = "\u{640}";

impl WordsOfKey {
    fn new(key: ShapeKey, face: &ParsedFont) -> Self {
        let off = |tag: &[u8; 4]| Feature::new(Tag::new(tag), 0, ..);
        let mut features = Vec::new();
        if !key.kerning {
            features.push(off(b"kern"));
        }
        if !key.ligatures {
            features.extend([off(b"liga"), off(b"clig")]);
        }
        let direction = if key.right_to_left { Direction::RightToLeft } else { Direction::LeftToRight };
        let language = str::from_utf8(&key.language).ok().map(|tag| tag.trim_end_matches('\0'));
        let language = language.filter(|tag| !tag.is_empty()).and_then(Language::new);
        let plan = ShapePlan::new(&face.font, direction, key.script, language.as_ref(), &features);
        Self { features, plan, shapes: HashMap::default() }
    }
}

fn shape_uncached(key: ShapeKey, face: &ParsedFont, words: &WordsOfKey, buffer: &mut Buffer, word: &str) -> ShapedWord {
    buffer.set_direction(words.plan.direction());
    buffer.set_script(words.plan.script());
    buffer.set_language(words.plan.language().cloned());
    buffer.push_str(word);
    // A tatweel is passed instead of the real letter outside the word, because only the joining behaviour of that letter
    // matters.
    if key.joins_before {
        buffer.set_pre_context(TATWEEL);
    }
    if key.joins_after {
        buffer.set_post_context(TATWEEL);
    }
    // Invisible characters (soft hyphens, joiners, bidi controls) produce no glyph. Their bytes belong to the adjacent cluster.
    buffer.set_flags(
        BufferFlags::BEGINNING_OF_TEXT
            | BufferFlags::END_OF_TEXT
            | BufferFlags::REMOVE_DEFAULT_IGNORABLES
            | BufferFlags::PRODUCE_SAFE_TO_INSERT_TATWEEL,
    );
    let font = ShaperFont::new(&face.font);
    let options = ShapeOptions::new().plan(Some(&words.plan)).features(&words.features);
    if shape(&font, buffer, options).is_err() {
        return ShapedWord::default();
    }
    to_clusters(key, buffer)
}

/// Converts glyphs in visual order to clusters in logical order.
fn to_clusters(key: ShapeKey, buffer: &Buffer) -> ShapedWord {
    let (infos, positions) = (buffer.glyph_infos(), buffer.glyph_positions());
    let (clusters, glyphs) = (Vec::with_capacity(infos.len()), Vec::with_capacity(infos.len()));
    let mut shaped = ShapedWord { clusters, glyphs };
    let mut end = 0;
    let mut group = |glyphs: &[GlyphInfo]| {
        end += glyphs.len();
        end - glyphs.len()..end
    };
    let mut groups: Vec<_> = infos.chunk_by(|one, next| one.cluster == next.cluster).map(&mut group).collect();
    if key.right_to_left {
        groups.reverse();
    }
    for group in groups {
        let (Some(infos), Some(positions)) = (infos.get(group.clone()), positions.get(group)) else { continue };
        let first_glyph = shaped.glyphs.len() as u32;
        let mut advance = 0_i32;
        for (info, position) in infos.iter().zip(positions) {
            advance = advance.saturating_add(position.x_advance);
            shaped.glyphs.push(ShapedGlyph {
                id: u16::try_from(info.glyph_id).unwrap_or(0),
                advance: position.x_advance,
                x_offset: position.x_offset,
                y_offset: position.y_offset,
            });
        }
        // The first cluster also covers the bytes of invisible characters that are before it.
        let start = if shaped.clusters.is_empty() { 0 } else { infos.first().map_or(0, |info| info.cluster) };
        shaped.clusters.push(WordCluster {
            start,
            first_glyph,
            advance,
            unsafe_to_break: infos.iter().any(GlyphInfo::unsafe_to_break),
            allows_tatweel: infos.iter().any(GlyphInfo::safe_to_insert_tatweel),
        });
    }
    shaped
}
