//! Intermediate forms of a paragraph: one text with spans, items, and shaped clusters. The modules that create these forms
//! describe the steps: [`prepare`](super::prepare), [`itemize`](super::itemize), [`clusters`](super::clusters),
//! [`ruby`](super::ruby).

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use unicode_script::Script;
use waraq_docx::tree::{Break, Drawing, ImageId, Link, NoteKind, PositionedTab, Ruby, RubyAlignment, RunProperties};

use super::line::Line;
use super::line_cache::equal_content;
use super::shape::ShapedGlyph;
use crate::fonts::FaceChoice;
use crate::math::boxes::FormulaFragment;
use crate::page::Glyph;

/// The paragraph's text with its spans and markers. All later steps use byte offsets into `text`.
#[derive(Default, PartialEq)]
pub(super) struct ParagraphSource {
    pub text: String,
    /// Adjacent spans that together cover `text`.
    pub spans: Vec<Span>,
    /// Markers, sorted by their byte offsets.
    pub markers: Vec<PlacedMarker>,
    /// The values of fields.
    pub value_ranges: Vec<ValueRange>,
    /// Byte offset at which the numbering label and its suffix (tab, space) end. 0 without a label.
    pub label_end: usize,
    /// Byte offset at which the text of the label ends and the suffix of the label begins.
    pub label_text_end: usize,
    /// True if the text so far ends with a displayed formula. Text that is added after it begins a new line.
    pub ends_with_display_formula: bool,
    /// True while the text that is added belongs to a ruby base.
    pub in_ruby: bool,
    /// True if the paragraph has more text than allowed, so that the document is refused.
    pub too_long: bool,
}

/// A range of the text in which formatting, link and kind are the same.
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    pub run: Arc<RunProperties>,
    pub link: Option<Arc<Link>>,
    pub kind: SpanKind,
}

impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.end, &self.link, &self.kind) == (other.start, other.end, &other.link, &other.kind)
            && equal_content(&self.run, &other.run)
    }
}

#[derive(Clone)]
pub(super) enum SpanKind {
    Text,
    /// Lower-case letters that are shown as small capitals.
    SmallCapitals,
    /// A part of a formula without a break opportunity inside.
    Formula(Arc<FormulaFragment>),
    Tab(Option<PositionedTab>),
    /// The tab between the label and the paragraph's text.
    LabelTab,
    Break(Break),
    Object(Arc<Drawing>),
    LabelPicture(ImageId),
    /// The start of a ruby base. Its ruby text is not laid out yet.
    RubyStart(Arc<Ruby>),
    /// The start of a ruby base, with its laid-out ruby text.
    RubyText(Arc<RubyText>),
    RubyEnd,
}

/// Compares two kinds. Only kinds that the line cache supports can be equal (see
/// [`is_cacheable`](super::line_cache::is_cacheable)). All other kinds count as different, because their paragraphs are laid out
/// each time.
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

/// A marker with its position in the text.
#[derive(PartialEq)]
pub(super) struct PlacedMarker {
    /// Byte offset in the text of the paragraph.
    pub byte: usize,
    /// The marker.
    pub marker: Marker,
}

/// The value of a field in the text.
#[derive(PartialEq, Hash)]
pub(super) struct ValueRange {
    /// Byte range of the value in the text of the paragraph.
    pub bytes: Range<usize>,
    /// Index of the field among the template's fields.
    pub field: u32,
}

/// A change of the width of a letter.
#[derive(Debug, Clone, Copy)]
pub(super) struct WidthChange {
    /// Byte offset in the text of the paragraph at which the letter ends.
    pub end_byte: usize,
    /// Added width in points. A negative width makes the letter narrower.
    pub width: f32,
}

/// A position without width that the layout of a line reports, such as an anchor or a bookmark.
pub(super) enum Marker {
    Anchor(Arc<Drawing>),
    Note(NoteKind, i64),
    Bookmark(Arc<str>),
    Comment(Arc<str>),
    /// The start of text with a character style to which STYLEREF fields refer. The value is the index of the text's inline in
    /// the paragraph.
    StyledText(u32),
}

/// Compares two markers. Anchors always count as different, because paragraphs with anchors are not cached.
impl PartialEq for Marker {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Note(kind, id), Self::Note(other, other_id)) => kind == other && id == other_id,
            (Self::Bookmark(name), Self::Bookmark(other)) | (Self::Comment(name), Self::Comment(other)) => {
                name == other
            }
            (Self::StyledText(inline), Self::StyledText(other)) => inline == other,
            _ => false,
        }
    }
}

/// Ruby text after layout.
pub(super) struct RubyText {
    pub lines: Vec<RubyLine>,
    /// Number of letters of the ruby text, or 0 if it is beside its base.
    pub letter_count: usize,
    pub width: f32,
    pub extent: Extent,
    pub alignment: RubyAlignment,
    /// Byte range of the base in the text of the paragraph, including the characters that mark its start and end.
    pub base_bytes: Range<usize>,
}

/// A line of a ruby text with its position.
pub(super) struct RubyLine {
    /// The line.
    pub line: Line,
    /// Distance in points from the left edge of the ruby text to the left edge of the line.
    pub x: f32,
    /// Distance in points from the baseline of the base down to the top of the line.
    pub y: f32,
}

/// The ascent and descent of a line in ems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LineMetrics {
    /// Distance from the baseline up to the top of the line.
    pub ascent: f32,
    /// Distance from the baseline down to the bottom of the line.
    pub descent: f32,
}

/// The scale of glyphs whose face substitutes another family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GlyphStretch {
    /// Horizontal scale, where 1 means no scaling.
    pub x: f32,
    /// Vertical scale, where 1 means no scaling.
    pub y: f32,
}

impl GlyphStretch {
    /// The scale of glyphs that are not stretched.
    pub const NONE: Self = Self { x: 1.0, y: 1.0 };
}

/// The height of content above and below the baseline, in points.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Extent {
    /// Distance from the baseline up to the top of the content.
    pub ascent: f32,
    /// Distance from the baseline down to the bottom of the content.
    pub descent: f32,
}

impl Extent {
    /// Returns the extent of a line that contains only text with this item's font and vertical position.
    pub(super) fn of_item(item: &TextItem) -> Self {
        let LineMetrics { ascent, descent } = item.line_metrics;
        Self { ascent: ascent * item.line_height_size, descent: descent * item.line_height_size }.moved_up(item.raise)
    }

    /// Returns the extent of the same content, moved up by a distance.
    pub fn moved_up(self, up: f32) -> Self {
        Self { ascent: self.ascent + up, descent: self.descent - up }
    }

    /// Enlarges the extent to contain another one.
    pub fn include(&mut self, other: Self) {
        self.ascent = self.ascent.max(other.ascent);
        self.descent = self.descent.max(other.descent);
    }

    pub fn height(self) -> f32 {
        (self.ascent + self.descent).max(0.0)
    }
}

/// A range of text with one span, font, size, script and direction, or a single tab, break or object.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextItem {
    pub start: usize,
    pub end: usize,
    /// Index of the item's span in [`ParagraphSource::spans`].
    pub span: usize,
    /// Bidirectional embedding level (UAX #9). Odd levels run from right to left.
    pub level: u8,
    pub script: Script,
    pub face_choice: FaceChoice,
    /// Index of the face of the run's own font family. This face determines the line height, even if a fallback face draws the
    /// glyph.
    pub primary_face: u32,
    /// Font size in points, after superscript, subscript and small capitals are applied.
    pub size: f32,
    /// Metrics of a line in the run's own font family.
    pub line_metrics: LineMetrics,
    /// Scale of the glyphs.
    pub glyph_stretch: GlyphStretch,
    /// Font size in points that determines the line height. Small capitals have the line height of full-size letters.
    pub line_height_size: f32,
    /// Font size of the run in points, before superscript, subscript and small capitals are applied.
    pub run_size: f32,
    /// Distance in points by which the text is raised above the baseline. A negative value lowers the text.
    pub raise: f32,
}

/// The smallest part of a line: a letter with its marks, a ligature, a tab, an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cluster {
    /// Byte offset of the cluster in the text. The cluster ends where the next one begins.
    pub start: u32,
    /// Index of the item in [`Clusters::items`].
    pub item: u32,
    /// Index of the cluster's first glyph in the list of all glyphs. The cluster's glyphs end where those of the next cluster
    /// begin.
    pub first_glyph: u32,
    /// Advance width in points. Tabs have 0 until their line is filled.
    pub advance: f32,
    pub kind: ClusterKind,
    pub break_before: BreakBefore,
    /// True if the text on both sides must be shaped again when a line breaks before the cluster.
    pub unsafe_to_break: bool,
    /// True if a tatweel drawn before the cluster does not change the shapes of the letters next to it.
    pub allows_tatweel: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClusterKind {
    Text,
    /// A space, which stretches in justified lines and hangs at the line end.
    Space,
    Tab,
    Break(Break),
    Object,
}

/// The break opportunity before a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BreakBefore {
    No,
    Yes,
    /// A break after a soft hyphen, which then becomes visible.
    Hyphen,
    /// A break between syllables, with an automatic hyphen.
    Syllable,
    /// A break after a slash. Used only if the line has no better break opportunity, as in a long URL.
    Slash,
}

/// A glyph with its metrics in points.
pub(super) type ScaledGlyph = ShapedGlyph<f32>;

impl ScaledGlyph {
    /// Converts the glyph to a glyph of a page. `range` is the byte range in the run's text that the glyph represents.
    pub fn to_page_glyph(self, range: Range<u32>) -> Glyph {
        Glyph { id: self.id, advance: self.advance, x_offset: self.x_offset, y_offset: self.y_offset, range }
    }
}

/// The shaped text of a paragraph.
#[derive(Default, Clone)]
pub(super) struct Clusters {
    /// The items that the clusters belong to.
    pub items: Rc<[TextItem]>,
    /// The clusters, followed by a sentinel at the end of the text, so that every cluster has a successor.
    pub list: Vec<Cluster>,
    pub glyphs: Vec<ScaledGlyph>,
}
