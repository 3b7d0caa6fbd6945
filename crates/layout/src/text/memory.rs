//! Paragraphs that were set before, for a document that is set again at every key: one whose text and look are as they were is not
//! shaped anew, and its lines are not broken and drawn anew where they are as wide as they were.
//!
//! What is kept is found by what it was made of, not by where it stood, so that lines are the same with it and without it.

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

/// What is kept at most, in bytes of [`Source::memory`].
const MOST: usize = 48 << 20;

/// The paragraphs of one document as they were set last. Its fields' values may change from one setting to the next; its settings and
/// the fonts that it brings along may not.
#[derive(Default)]
pub struct LineMemory {
    paragraphs: RefCell<HashMap<u64, Vec<Rc<Shaped>>, RandomState>>,
    hasher: FixedState,
    /// What the paragraphs are shaped with: fonts that came since make other shapes.
    library: RefCell<Option<Arc<Library>>>,
    bytes: Cell<usize>,
    /// Settings so far.
    turn: Cell<u32>,
}

impl LineMemory {
    /// The document is being set once more.
    pub(crate) fn begin(&self, library: &Arc<Library>) {
        let mut known = self.library.borrow_mut();
        if known.as_ref().is_none_or(|known| !Arc::ptr_eq(known, library)) {
            *known = Some(Arc::clone(library));
            self.paragraphs.borrow_mut().clear();
            self.bytes.set(0);
        }
        self.turn.set(self.turn.get().wrapping_add(1));
    }

    /// It is set: what it did not need is forgotten.
    pub(crate) fn end(&self) {
        let turn = self.turn.get();
        let mut paragraphs = self.paragraphs.borrow_mut();
        paragraphs.retain(|_, alike| {
            alike.retain(|shaped| shaped.used.get() == turn);
            !alike.is_empty()
        });
        self.bytes.set(paragraphs.values().flatten().map(|shaped| shaped.source.memory()).sum());
    }

    /// A paragraph of just this text and look.
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

/// What the lines of a paragraph depend on besides its text.
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

/// Whether all that stands in a paragraph can be compared: pictures, formulas and readings are set anew.
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

/// A paragraph that is shaped: all that its lines are made of.
pub(super) struct Shaped {
    pub source: Source,
    pub clusters: Rc<Clusters>,
    /// See [`super::bidi::Directions`].
    pub edges: Vec<(usize, u8)>,
    /// Of the paragraph mark: the height of an empty line.
    pub mark: Extent,
    pub look: Look,
    /// Units that it took to shape it.
    pub work: usize,
    /// Its lines, where it is kept in a [`LineMemory`].
    pub lines: Option<RefCell<Lines>>,
    /// In which setting it was last.
    pub used: Cell<u32>,
}

/// Where a line was asked for: after which, and in which slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Turn {
    pub after: Option<u32>,
    pub place: LineStart,
    /// The bits of its left edge, its width and its column's.
    pub slot: [u32; 3],
}

/// The lines a paragraph was broken into, by where they were asked for. Where a line is narrower than it was, other lines follow.
#[derive(Default)]
pub(super) struct Lines(HashMap<Turn, KeptLine, RandomState>);

struct KeptLine {
    number: u32,
    line: Line,
    /// Of its glyph runs.
    faces: Vec<u32>,
    /// Where the next one begins.
    after: LineStart,
    /// What [`super::ParagraphLines::next_height`] says of that one.
    next_height: f32,
    /// Units that it took.
    work: usize,
}

impl Lines {
    /// Beside a picture that moves at every key a paragraph gets other lines each time: where they have become many times what it needs,
    /// it begins anew. Only before its first line of a setting: whoever breaks it counts in their numbers.
    fn bound(&mut self, source: &Source) {
        if self.0.len() > 16 + source.text.len() / 16 {
            *self = Self::default();
        }
    }

    /// A line as it was, its number, where the next one begins and how high that would be.
    pub fn find(&self, turn: &Turn, context: &Context<'_>) -> Option<(Line, u32, LineStart, f32)> {
        let kept = self.0.get(turn)?;
        let meter = context.fonts.meter();
        meter.spend(kept.work);
        let mut line = kept.line.clone();
        // fonts are numbered in the order in which a document uses them
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

    /// The line's number.
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
