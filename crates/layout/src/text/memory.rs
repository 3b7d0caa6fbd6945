//! A cache of laid-out paragraphs for a document that is laid out again after every key press. A paragraph with unchanged
//! text and formatting is not shaped again. Its lines are reused where their available width is unchanged.
//!
//! The key of an entry is its input, not its position in the document. The cache therefore never changes the result.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::{FixedState, RandomState};
use waraq_docx::Held;
use waraq_docx::tree::{Justification, Paragraph, ParagraphProperties, RunProperties};

use super::Context;
use super::line::{Line, LineStart};
use super::source::{Clusters, Extent, Marker, Source, Span, SpanKind};
use crate::fonts::Library;
use crate::page::{Item as PageItem, Placed};

/// Maximum size of the cache in bytes, estimated with [`Source::memory`].
const MOST: usize = 48 << 20;

/// The paragraphs of the last layout of one document. Between two layouts, the values of fields may change; the settings
/// and the embedded fonts of the document must not.
#[derive(Default)]
pub struct LineMemory {
    paragraphs: RefCell<HashMap<u64, Vec<Rc<Shaped>>, RandomState>>,
    hasher: FixedState,
    /// The font library that shaped the cached paragraphs. The cache is cleared if another library is used.
    library: RefCell<Option<Arc<Library>>>,
    /// Estimated size of the cached paragraphs in bytes.
    bytes: Cell<usize>,
    /// Number of layouts so far.
    turn: Cell<u32>,
}

impl LineMemory {
    /// Starts a layout of the document.
    pub(crate) fn begin(&self, library: &Arc<Library>) {
        let mut known = self.library.borrow_mut();
        if known.as_ref().is_none_or(|known| !Arc::ptr_eq(known, library)) {
            *known = Some(Arc::clone(library));
            self.paragraphs.borrow_mut().clear();
            self.bytes.set(0);
        }
        self.turn.set(self.turn.get().wrapping_add(1));
    }

    /// Ends a layout and removes the paragraphs that it did not use.
    pub(crate) fn end(&self) {
        let turn = self.turn.get();
        let mut paragraphs = self.paragraphs.borrow_mut();
        paragraphs.retain(|_, alike| {
            alike.retain(|shaped| shaped.used.get() == turn);
            !alike.is_empty()
        });
        self.bytes.set(paragraphs.values().flatten().map(|shaped| shaped.source.memory()).sum());
    }

    /// Returns a cached paragraph with exactly this text and formatting.
    pub(super) fn find(&self, source: &Source, look: &Look) -> Option<Rc<Shaped>> {
        let paragraphs = self.paragraphs.borrow();
        let alike = paragraphs.get(&self.hasher.hash_one(&source.text))?;
        let found = alike.iter().find(|known| known.look == *look && known.source == *source)?;
        if found.used.replace(self.turn.get()) != self.turn.get()
            && let Some(lines) = &found.lines
        {
            lines.borrow_mut().bound(&found.source);
        }
        Some(Rc::clone(found))
    }

    /// Adds a paragraph to the cache, unless the cache is full.
    pub(super) fn keep(&self, shaped: &Rc<Shaped>) {
        let bytes = self.bytes.get().saturating_add(shaped.source.memory());
        if bytes > MOST {
            return;
        }
        self.bytes.set(bytes);
        shaped.used.set(self.turn.get());
        let mut paragraphs = self.paragraphs.borrow_mut();
        paragraphs.entry(self.hasher.hash_one(&shaped.source.text)).or_default().push(Rc::clone(shaped));
    }
}

/// The inputs that determine the lines of a paragraph, in addition to its text.
#[derive(PartialEq)]
pub(super) struct Look {
    properties: Arc<ParagraphProperties>,
    mark: Arc<RunProperties>,
    label: Option<(Justification, Option<f32>)>,
    line_pitch: Option<f32>,
}

impl Look {
    pub fn of(paragraph: &Paragraph, context: &Context<'_>) -> Self {
        Self {
            properties: Arc::clone(&paragraph.properties),
            mark: Arc::clone(&paragraph.mark),
            label: paragraph.label.as_ref().map(|label| (label.alignment, label.tab)),
            line_pitch: context.line_pitch,
        }
    }
}

/// Returns true if a paragraph can be cached. Paragraphs with pictures, formulas, ruby text, fitted text or anchors are
/// laid out each time.
pub(super) fn is_comparable(source: &Source) -> bool {
    let plain = |span: &Span| {
        let of_text = matches!(
            span.kind,
            SpanKind::Text | SpanKind::SmallCapitals | SpanKind::Tab(_) | SpanKind::LabelTab | SpanKind::Break(_)
        );
        of_text && span.run.fit.is_none()
    };
    source.spans.iter().all(plain) && !source.markers.iter().any(|(_, marker)| matches!(marker, Marker::Anchor(_)))
}

/// A shaped paragraph: the data from which its lines are built.
pub(super) struct Shaped {
    pub source: Source,
    pub clusters: Rc<Clusters>,
    /// See [`super::bidi::Directions`].
    pub edges: Vec<(usize, u8)>,
    /// Extent of the paragraph mark, which is the height of an empty line.
    pub mark: Extent,
    pub look: Look,
    /// Work units that shaping the paragraph took.
    pub work: usize,
    /// Cached lines of the paragraph. `None` if the paragraph is not in a [`LineMemory`].
    pub lines: Option<RefCell<Lines>>,
    /// Number of the last layout that used the paragraph.
    pub used: Cell<u32>,
}

/// The cache key of a line: the previous line, the start of the line in the paragraph and the available width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Turn {
    /// Number of the previous line, or `None` if that line is not cached.
    pub after: Option<u32>,
    /// Start of the line.
    pub place: LineStart,
    /// The left edge and width of the slot and the column width, as the bits of their `f32` values.
    pub slot: [u32; 3],
}

/// The cached lines of a paragraph. The key of a line contains the previous line, because a line of another width changes
/// all lines after it.
#[derive(Default)]
pub(super) struct Lines(HashMap<Turn, KeptLine, RandomState>);

/// A cached line with the state of the paragraph after it.
struct KeptLine {
    /// Number of the line in the cache, by which [`Turn::after`] refers to it.
    number: u32,
    line: Line,
    /// Faces of the line's glyph runs.
    faces: Vec<u32>,
    /// Start of the next line.
    after: LineStart,
    /// Value of [`super::ParagraphLines::next_height`] after this line.
    next_height: f32,
    /// Work units that the line took.
    work: usize,
}

impl Lines {
    /// Clears the cached lines if there are many more than the paragraph needs. This happens beside a picture that moves
    /// with every key press. Call this before the first line of a layout, because later lines refer to the numbers of
    /// earlier lines.
    fn bound(&mut self, source: &Source) {
        if self.0.len() > 16 + source.text.len() / 16 {
            *self = Self::default();
        }
    }

    /// Returns a cached line, its number, the start of the next line and the estimated height of the next line. Counts the
    /// work that the line took when it was laid out.
    pub fn find(&self, turn: &Turn, context: &Context<'_>) -> Option<(Line, u32, LineStart, f32)> {
        let kept = self.0.get(turn)?;
        let meter = context.fonts.meter();
        meter.spend(kept.work);
        let mut line = kept.line.clone();
        // Replaces the font numbers. They follow the order in which a document first uses its fonts, which can change
        // between layouts.
        let runs = line.items.iter_mut().filter_map(|placed| match &mut placed.item {
            PageItem::Glyphs(run) => Some(run),
            _ => None,
        });
        for (run, face) in runs.zip(&kept.faces) {
            run.font = context.fonts.number(*face);
        }
        line.held = Some(Held::new(meter, line.memory()));
        Some((line, kept.number, kept.after, kept.next_height))
    }

    /// Stores a line and returns its number.
    pub fn keep(
        &mut self,
        turn: Turn,
        line: &Line,
        after: LineStart,
        next_height: f32,
        context: &Context<'_>,
        work: usize,
    ) -> u32 {
        let mut line = line.clone();
        line.held = None;
        let face = |placed: &Placed| match &placed.item {
            PageItem::Glyphs(run) => Some(context.fonts.face_of(run.font)),
            _ => None,
        };
        let faces = line.items.iter().filter_map(face).collect();
        let number = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        self.0.insert(turn, KeptLine { number, line, faces, after, next_height, work });
        number
    }
}
