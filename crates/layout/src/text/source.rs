//! What a paragraph is on the way to its lines: one text in spans, items of it, shaped clusters. How each is made is said where it is
//! made: [`prepare`](super::prepare), [`itemize`](super::itemize), [`clusters`](super::clusters), [`ruby`](super::ruby).

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use unicode_script::Script;
use waraq_docx::tree::{Break, Drawing, ImageId, Link, NoteKind, PositionedTab, Ruby, RubyAlignment, RunProperties};

use super::line::Line;
use super::shape::ShapedGlyph;
use crate::fonts::FaceChoice;
use crate::math::boxes::Piece;
use crate::page::Glyph;

/// The paragraph's text with what stands in it. Bytes of `text` are the currency of everything that follows.
#[derive(Default, PartialEq)]
pub(super) struct Source {
    pub text: String,
    /// Consecutive; together they cover `text`.
    pub spans: Vec<Span>,
    /// Sorted by place.
    pub markers: Vec<(usize, Marker)>,
    /// Values of fields, each with its field's number.
    pub values: Vec<(Range<usize>, u32)>,
    /// The label and what follows it (tab, space) end here.
    pub label_end: usize,
    /// Where the label's own text ends, without its suffix.
    pub label_text_end: usize,
    /// A displayed formula stands at the end: what follows begins another line.
    pub after_display: bool,
    /// A base with a reading has begun.
    pub in_ruby: bool,
    /// There was more text than a paragraph may have.
    pub too_long: bool,
}

#[derive(PartialEq)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    pub run: Arc<RunProperties>,
    pub link: Option<Arc<Link>>,
    pub kind: SpanKind,
}

#[derive(Clone)]
pub(super) enum SpanKind {
    Text,
    /// Lower-case letters set as small capitals.
    SmallCapitals,
    /// A part of a formula that is not broken.
    Math(Arc<Piece>),
    Tab(Option<PositionedTab>),
    /// Between the label and the paragraph's text.
    LabelTab,
    Break(Break),
    Object(Arc<Drawing>),
    LabelPicture(ImageId),
    /// A base with a reading begins.
    Ruby(Arc<Ruby>),
    /// The same, once the base is measured and the reading set.
    Reading(Arc<Reading>),
    RubyEnd,
}

/// What is set anew each time is like nothing else: see [`is_comparable`](super::memory::is_comparable).
impl PartialEq for SpanKind {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text, Self::Text)
            | (Self::SmallCapitals, Self::SmallCapitals)
            | (Self::LabelTab, Self::LabelTab) => true,
            (Self::Tab(one), Self::Tab(other)) => one == other,
            (Self::Break(one), Self::Break(other)) => one == other,
            _ => false,
        }
    }
}

/// What takes no room in a line but must be reported with it.
pub(super) enum Marker {
    Anchor(Arc<Drawing>),
    Note(NoteKind, i64),
    Bookmark(Arc<str>),
    Comment(Arc<str>),
}

impl PartialEq for Marker {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Note(kind, id), Self::Note(other, other_id)) => kind == other && id == other_id,
            (Self::Bookmark(name), Self::Bookmark(other)) | (Self::Comment(name), Self::Comment(other)) => {
                name == other
            }
            _ => false,
        }
    }
}

/// A reading that is set.
pub(super) struct Reading {
    /// Each with its place: from the reading's left edge, and its top below the baseline of the base.
    pub lines: Vec<(Line, f32, f32)>,
    pub width: f32,
    pub extent: Extent,
    pub alignment: RubyAlignment,
    /// Bytes of the text from the beginning of the base to its end, with what stands around it.
    pub bytes: Range<usize>,
}

/// Above and below the baseline, in points.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Extent {
    pub ascent: f32,
    pub descent: f32,
}

impl Extent {
    pub fn of(item: &Item) -> Self {
        let (above, below) = item.line;
        Self { ascent: above * item.line_size, descent: below * item.line_size }.raised(item.raise)
    }

    pub fn raised(self, up: f32) -> Self {
        Self { ascent: self.ascent + up, descent: self.descent - up }
    }

    pub fn include(&mut self, other: Self) {
        self.ascent = self.ascent.max(other.ascent);
        self.descent = self.descent.max(other.descent);
    }

    pub fn height(self) -> f32 {
        (self.ascent + self.descent).max(0.0)
    }
}

/// Text of one span, font, size, script and direction; or a tab, a break, an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub start: usize,
    pub end: usize,
    /// Into [`Source::spans`].
    pub span: usize,
    pub level: u8,
    pub script: Script,
    pub choice: FaceChoice,
    /// The face of the run's own family: it makes the line's height, also where another had to help with a glyph.
    pub primary: u32,
    /// In points, after super- and subscript and small capitals.
    pub size: f32,
    /// How far a line of the run's own family reaches above and below the baseline, in ems.
    pub line: (f32, f32),
    /// How much wider and higher the letters are set than the face has them, where it stands for another family's.
    pub stretch: (f32, f32),
    /// The size lines are measured with: small capitals count as full ones.
    pub line_size: f32,
    /// The run's size for the item's slot.
    pub full_size: f32,
    /// Upwards, in points.
    pub raise: f32,
}

/// What cannot be divided: a letter with its marks, a ligature, a tab, an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cluster {
    /// First byte of the paragraph's text; it ends where the next begins.
    pub start: u32,
    pub item: u32,
    /// Its glyphs end where the next cluster's begin.
    pub first_glyph: u32,
    /// In points. Tabs have none until a line is filled.
    pub advance: f32,
    pub kind: ClusterKind,
    pub break_before: BreakBefore,
    pub unsafe_to_break: bool,
    /// A tatweel may be drawn before it.
    pub tatweel: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClusterKind {
    Text,
    /// Stretches in justified lines, hangs at their end.
    Space,
    Tab,
    Break(Break),
    Object,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BreakBefore {
    No,
    Yes,
    /// After a soft hyphen, which then shows.
    Hyphen,
    /// Between syllables, where the document asks for hyphenation.
    Syllable,
    /// After a slash: only where the line has no better place, as in a long address.
    Slash,
}

pub(super) type PlacedGlyph = ShapedGlyph<f32>;

impl PlacedGlyph {
    /// Of these bytes of its run's text.
    pub fn of(self, range: Range<u32>) -> Glyph {
        Glyph { id: self.id, advance: self.advance, x_offset: self.x_offset, y_offset: self.y_offset, range }
    }
}

#[derive(Default, Clone)]
pub(super) struct Clusters {
    /// What they are clusters of.
    pub items: Rc<[Item]>,
    /// Ended by one of no kind at the text's end, so that every cluster has a successor.
    pub list: Vec<Cluster>,
    pub glyphs: Vec<PlacedGlyph>,
}
