//! A cache of laid-out paragraphs for a document that is laid out again after every key press. A paragraph with unchanged
//! text and formatting is not shaped again. Its lines are reused where their available width is unchanged.
//!
//! The key of an entry is the content of the paragraph, not its position in the document. The cache therefore never changes the
//! result.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::{FixedState, RandomState};
use waraq_docx::CountedMemory;
use waraq_docx::tree::{Justification, Paragraph, ParagraphProperties, RunProperties};

use super::Context;
use super::bidi::DirectionEdge;
use super::line::{Line, LineStart};
use super::source::{Clusters, Extent, Marker, ParagraphSource, Span, SpanKind};
use crate::fonts::Library;
use crate::page::{DisplayItem as PageItem, TaggedItem};

/// Maximum size of the cache in bytes, estimated with [`ParagraphSource::estimated_bytes`].
const MAX_CACHE_BYTES: usize = 48 << 20;

/// The cached paragraphs of the last layout of one document. Between two layouts, the values of fields may change. The settings
/// and the embedded fonts of the document must stay the same.
#[derive(Default)]
pub struct LineCache {
    paragraphs: RefCell<HashMap<u64, Vec<Rc<ShapedParagraph>>, RandomState>>,
    hasher: FixedState,
    /// The font library that shaped the cached paragraphs. The cache is cleared if another library is used.
    library: RefCell<Option<Arc<Library>>>,
    /// Estimated size of the cached paragraphs in bytes.
    bytes: Cell<usize>,
    /// Number of layouts that have begun so far. It identifies the current layout.
    layout_number: Cell<u32>,
}

impl LineCache {
    /// Starts a layout of the document. Clears the cache if another font library shaped the cached paragraphs.
    pub(crate) fn begin_layout(&self, library: &Arc<Library>) {
        let mut cached_library = self.library.borrow_mut();
        if cached_library.as_ref().is_none_or(|known| !Arc::ptr_eq(known, library)) {
            *cached_library = Some(Arc::clone(library));
            self.paragraphs.borrow_mut().clear();
            self.bytes.set(0);
        }
        self.layout_number.set(self.layout_number.get().wrapping_add(1));
    }

    /// Ends a layout. Removes the paragraphs that this layout did not use.
    pub(crate) fn end_layout(&self) {
        let layout_number = self.layout_number.get();
        let mut paragraphs = self.paragraphs.borrow_mut();
        paragraphs.retain(|_, alike| {
            alike.retain(|shaped| shaped.last_used.get() == layout_number);
            !alike.is_empty()
        });
        self.bytes.set(paragraphs.values().flatten().map(|shaped| shaped.source.estimated_bytes()).sum());
    }

    /// Returns the cached paragraph that has exactly this text and formatting, or `None` if the cache has no such
    /// paragraph.
    pub(super) fn find_paragraph(&self, source: &ParagraphSource, look: &FormattingKey) -> Option<Rc<ShapedParagraph>> {
        let paragraphs = self.paragraphs.borrow();
        let candidates = paragraphs.get(&self.hash_of(source))?;
        let found = candidates.iter().find(|known| known.formatting == *look && known.source == *source)?;
        if found.last_used.replace(self.layout_number.get()) != self.layout_number.get()
            && let Some(lines) = &found.cached_lines
        {
            lines.borrow_mut().clear_if_large(&found.source);
        }
        Some(Rc::clone(found))
    }

    /// Returns the hash of the text and of its field values. The fields are part of it because many rows of a list can show the
    /// same text.
    fn hash_of(&self, source: &ParagraphSource) -> u64 {
        self.hasher.hash_one((&source.text, &source.value_ranges))
    }

    /// Adds a paragraph to the cache, unless the cache is full.
    pub(super) fn insert_paragraph(&self, shaped: &Rc<ShapedParagraph>) {
        let bytes = self.bytes.get().saturating_add(shaped.source.estimated_bytes());
        if bytes > MAX_CACHE_BYTES {
            return;
        }
        self.bytes.set(bytes);
        shaped.last_used.set(self.layout_number.get());
        let mut paragraphs = self.paragraphs.borrow_mut();
        paragraphs.entry(self.hash_of(&shaped.source)).or_default().push(Rc::clone(shaped));
    }
}

/// The inputs that determine the lines of a paragraph, except for its text.
pub(super) struct FormattingKey {
    properties: Arc<ParagraphProperties>,
    mark: Arc<RunProperties>,
    label: Option<LabelKey>,
    line_pitch: Option<f32>,
}

impl PartialEq for FormattingKey {
    fn eq(&self, other: &Self) -> bool {
        (&self.label, self.line_pitch) == (&other.label, other.line_pitch)
            && equal_content(&self.properties, &other.properties)
            && equal_content(&self.mark, &other.mark)
    }
}

/// Compares the contents of two references. Unlike `==`, does not look at the content if both refer to the same one.
pub(super) fn equal_content<T: PartialEq>(one: &Arc<T>, other: &Arc<T>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// The properties of a numbering label, apart from its text, that determine the lines of its paragraph.
#[derive(PartialEq)]
struct LabelKey {
    /// Alignment of the label (w:lvlJc).
    alignment: Justification,
    /// Position in points of the tab stop after the label, or `None` if the numbering level defines none.
    tab: Option<f32>,
}

impl FormattingKey {
    pub fn of(paragraph: &Paragraph, context: &Context<'_>) -> Self {
        Self {
            properties: Arc::clone(&paragraph.properties),
            mark: Arc::clone(&paragraph.mark),
            label: paragraph.label.as_ref().map(|label| LabelKey { alignment: label.alignment, tab: label.tab }),
            line_pitch: context.line_pitch,
        }
    }
}

/// Returns true if a paragraph can be cached. Paragraphs with pictures, formulas, ruby text, fitted text or anchors are
/// laid out each time.
pub(super) fn is_cacheable(source: &ParagraphSource) -> bool {
    let plain = |span: &Span| {
        let of_text = matches!(
            span.kind,
            SpanKind::Text | SpanKind::SmallCapitals | SpanKind::Tab(_) | SpanKind::LabelTab | SpanKind::Break(_)
        );
        of_text && span.run.fit.is_none()
    };
    source.spans.iter().all(plain) && !source.markers.iter().any(|placed| matches!(placed.marker, Marker::Anchor(_)))
}

/// A shaped paragraph: the data from which its lines are built.
pub(super) struct ShapedParagraph {
    pub source: ParagraphSource,
    pub clusters: Rc<Clusters>,
    /// The start and end positions of text whose direction differs from that of its surroundings. Empty if all text runs from
    /// left to right.
    pub direction_edges: Vec<DirectionEdge>,
    /// Extent of the paragraph mark, which is the height of an empty line.
    pub mark_extent: Extent,
    pub formatting: FormattingKey,
    /// Work units that were needed to shape the paragraph.
    pub work: usize,
    /// Cached lines of the paragraph. `None` if the paragraph is not in a [`LineCache`].
    pub cached_lines: Option<RefCell<CachedLines>>,
    /// The value of `layout_number` of [`LineCache`] in the last layout that used the paragraph.
    pub last_used: Cell<u32>,
}

/// The cache key of a line: the previous line, the start of the line in the paragraph and the available width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LineKey {
    /// Number that identifies the previous line in the cache. `None` if the previous line is not cached or does not exist.
    pub previous_line: Option<u32>,
    /// Position in the paragraph at which the line starts.
    pub start: LineStart,
    /// The left edge of the slot, the width of the slot and the width of the column, as the bits of their `f32` values.
    pub slot_bits: [u32; 3],
}

/// The cached lines of a paragraph. The key of a line contains the previous line, because all lines after a line change if its
/// width changes.
#[derive(Default)]
pub(super) struct CachedLines(HashMap<LineKey, CachedLine, RandomState>);

/// A cached line, with the position and the estimated height of the line after it.
struct CachedLine {
    /// Number that identifies the line in the cache. [`LineKey::previous_line`] refers to it.
    number: u32,
    line: Line,
    /// Index of the font face of each glyph run of the line.
    faces: Vec<u32>,
    /// Start of the next line.
    next_start: LineStart,
    /// Estimated height of the next line in points: the result of [`super::ParagraphLines::next_height`] after this line.
    next_height: f32,
    /// Work units that were needed to lay out the line.
    work: usize,
}

/// A line from the cache, with the position and the estimated height of the line after it.
pub(super) struct ReusedLine {
    /// A copy of the cached line, with the font ids of the current layout.
    pub line: Line,
    /// Number that identifies the line in the cache. [`LineKey::previous_line`] refers to it.
    pub number: u32,
    /// Start of the next line.
    pub next_start: LineStart,
    /// Estimated height of the next line in points.
    pub next_height: f32,
}

impl CachedLines {
    /// Removes all cached lines if there are many more than the paragraph needs. Many lines collect beside a picture that moves
    /// with every key press, because each position of the picture gives lines of other widths. Call this function before the
    /// first line of a layout, because later lines refer to the numbers of earlier lines.
    fn clear_if_large(&mut self, source: &ParagraphSource) {
        if self.0.len() > 16 + source.text.len() / 16 {
            *self = Self::default();
        }
    }

    /// Returns a cached line, or `None` if the cache does not contain it. Counts the work that was needed when the line was
    /// laid out, as if it were laid out again.
    pub fn get(&self, key: &LineKey, context: &Context<'_>) -> Option<ReusedLine> {
        let kept = self.0.get(key)?;
        let meter = context.fonts.meter();
        meter.spend(kept.work);
        let mut line = kept.line.clone();
        // Replace the font ids. They depend on the order in which a document first uses its fonts, and this order can change
        // between layouts.
        let runs = line.items.iter_mut().filter_map(|placed| match &mut placed.item {
            PageItem::Glyphs(run) => Some(run),
            _ => None,
        });
        for (run, face) in runs.zip(&kept.faces) {
            run.font = context.fonts.font_id(*face);
        }
        line.counted_memory = Some(CountedMemory::new(meter, line.memory()));
        Some(ReusedLine { line, number: kept.number, next_start: kept.next_start, next_height: kept.next_height })
    }

    /// Stores a line in the cache. Returns the number that identifies the line there.
    pub fn insert(
        &mut self,
        key: LineKey,
        line: &Line,
        after: LineStart,
        next_height: f32,
        context: &Context<'_>,
        work: usize,
    ) -> u32 {
        let mut line = line.clone();
        line.counted_memory = None;
        let face = |placed: &TaggedItem| match &placed.item {
            PageItem::Glyphs(run) => Some(context.fonts.face_number(run.font)),
            _ => None,
        };
        let faces = line.items.iter().filter_map(face).collect();
        let number = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        self.0.insert(key, CachedLine { number, line, faces, next_start: after, next_height, work });
        number
    }
}
