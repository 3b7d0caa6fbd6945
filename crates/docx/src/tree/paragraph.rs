//! Paragraphs and their inline content (ECMA-376 part 1, §17.3.1, §17.3.3).

use std::sync::Arc;

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{
    ComputedField, Drawing, ImageId, Justification, Location, Math, NodeId, NumberFormat, PositionValue, Rgb,
    RunProperties,
};

/// A paragraph (w:p).
#[derive(Debug, Clone, Default)]
pub struct Paragraph {
    /// The identifier of the paragraph, for the structure tree of the PDF and for fields that show its number.
    pub id: NodeId,
    /// The resolved paragraph properties (w:pPr).
    pub properties: Arc<ParagraphProperties>,
    /// The formatting of the paragraph mark. An empty paragraph is as high as its mark.
    pub mark: Arc<RunProperties>,
    /// The number or bullet before the first line, counted and formatted. `None`: the paragraph has neither.
    pub label: Option<Label>,
    /// The content in reading order. Hidden text is included.
    pub inlines: Vec<Inline>,
    /// The position in the file, for warnings.
    pub location: Location,
}

/// An item of a line, with its formatting and link.
#[derive(Debug, Clone)]
pub struct Inline {
    /// The text, break, drawing or mark.
    pub content: Content,
    /// The resolved run properties. Marks without visible content have them too.
    pub run: Arc<RunProperties>,
    /// The link of the item (w:hyperlink or a HYPERLINK field). `None`: the item is not a link.
    pub link: Option<Arc<Link>>,
}

/// The content of an item of a line.
#[derive(Debug, Clone)]
pub enum Content {
    /// Text without tabs and line breaks. Soft hyphens are U+00AD, non-breaking hyphens U+2011.
    Text(String),
    /// A tab to the next tab stop (§17.3.3.32).
    Tab,
    /// A tab to an alignment position instead of a tab stop (§17.3.3.23).
    PositionedTab(PositionedTab),
    /// A line, page or column break.
    Break(Break),
    /// A drawing in the line, or a floating drawing that is anchored at this position in the text.
    Drawing(Arc<Drawing>),
    /// The reference mark of a note: the number of the note, or the author's own mark.
    NoteReference {
        /// The kind of the note.
        kind: NoteKind,
        /// The id of the note, a key of [`Document::footnotes`](super::Document::footnotes) or
        /// [`Document::endnotes`](super::Document::endnotes).
        id: i64,
        /// The author's own mark replaces the number of the note (w:customMarkFollows). The mark is the text after this
        /// reference.
        custom: bool,
    },
    /// The place in a note where the number of the note is printed (§17.11.13).
    NoteMark,
    /// A field whose text depends on the layout or the current time.
    Field {
        /// The kind of the field, with its arguments.
        field: ComputedField,
        /// The text of the field when the document was last saved.
        result: String,
    },
    /// The start of the bookmark with this name (w:bookmarkStart).
    BookmarkStart(Arc<str>),
    /// The end of the bookmark with this name (w:bookmarkEnd).
    BookmarkEnd(Arc<str>),
    /// The reference mark of the comment with this id (w:commentReference).
    CommentReference(Arc<str>),
    /// The start of a value that was filled into a template field. The number is the index of the field in
    /// [`crate::fields::Template::fields`]. Present only if [`crate::ReadOptions::values`] is set.
    ValueStart(u32),
    /// The end of a value that was filled into a template field.
    ValueEnd,
    /// A formula (Office Math, §22.1).
    Math(Box<Math>),
    /// The start of ruby text (§17.3.3.25). The content between this item and the next [`Content::RubyEnd`] is the base
    /// text. The reading is drawn above the base text.
    RubyStart(Arc<Ruby>),
    /// The end of the base text of ruby text.
    RubyEnd,
}

impl Content {
    /// Returns `true` for content that only marks a position and is never visible, such as the start of a bookmark.
    pub fn is_mark(&self) -> bool {
        matches!(self, Self::BookmarkStart(_) | Self::BookmarkEnd(_) | Self::ValueStart(_) | Self::ValueEnd)
    }
}

/// The reading of ruby text (the small text above the base text), and its position relative to the base text
/// (§17.3.3.28).
#[derive(Debug, Clone)]
pub struct Ruby {
    /// The content of the reading: only text and fields.
    pub reading: Vec<Inline>,
    /// The horizontal alignment of the reading and the base text (w:rubyAlign).
    pub alignment: RubyAlignment,
    /// The distance in points from the baseline of the base text to the baseline of the reading.
    pub raise: f32,
}

/// The horizontal alignment of the reading and the base text of ruby text (§17.18.77). The narrower of the two texts is
/// aligned to the wider one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum RubyAlignment {
    /// The narrower text is centred over or under the wider text.
    #[default]
    Center,
    /// The left edges of the reading and the base text are aligned.
    Left,
    /// The right edges of the reading and the base text are aligned.
    Right,
    /// Space is added between the letters of the narrower text, so that both texts have the same width.
    #[strum(serialize = "distributeLetter")]
    Distribute,
    /// Space is added between the letters of the narrower text, so that both texts have the same width. Half of the
    /// space between two letters is also added before the first letter and after the last letter.
    #[strum(serialize = "distributeSpace")]
    DistributeWithSpace,
    /// The letters of the reading are stacked on the right of the base text.
    #[strum(serialize = "rightVertical")]
    Beside,
}

/// The kind of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// A note on the page of its reference (w:footnoteReference).
    Footnote,
    /// A note at the end of the section or document (w:endnoteReference).
    Endnote,
}

/// A break in the text (w:br, w:cr).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// A line break.
    Line,
    /// A line break with w:clear (§17.18.5): the text continues below the floating objects beside the line.
    LineClear,
    /// A page break.
    Page,
    /// A column break.
    Column,
}

/// The target of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// An address outside the document, possibly with a fragment (`#…`).
    Uri(String),
    /// The name of a bookmark of this document.
    Bookmark(String),
}

/// The maximum length of a link in bytes. Word writes at most 2083 characters. A longer link is left out, because the
/// PDF repeats the link for each line of the linked text.
const MAX_LINK_BYTES: usize = 8_000;

impl Link {
    /// Creates a link. An address alone links to that address, and a bookmark alone to that bookmark of this document.
    /// With both, the bookmark becomes the fragment of the address. Returns `None` if both are `None`, or if the link
    /// is longer than `MAX_LINK_BYTES`.
    pub(crate) fn from_target(address: Option<&str>, bookmark: Option<&str>) -> Option<Self> {
        if address.map_or(0, str::len).saturating_add(bookmark.map_or(0, str::len)) > MAX_LINK_BYTES {
            return None;
        }
        match (address, bookmark) {
            (Some(address), Some(place)) => Some(Self::Uri(format!("{address}#{place}"))),
            (Some(address), None) => Some(Self::Uri(address.to_owned())),
            (None, place) => Some(Self::Bookmark(place?.to_owned())),
        }
    }
}

/// The number or bullet of a paragraph (§17.9).
#[derive(Debug, Clone)]
pub struct Label {
    /// The text, such as `1.2)`. Characters of symbol fonts are mapped to Unicode.
    pub text: String,
    /// The picture of the bullet (w:numPicBullet), which replaces the text. `None`: the label is text.
    pub picture: Option<ImageId>,
    /// The formatting of the label. It is the formatting of the paragraph mark, overridden by the formatting of the
    /// numbering level.
    pub run: Arc<RunProperties>,
    /// The content between the label and the text of the paragraph (w:suff).
    pub suffix: LabelSuffix,
    /// The alignment of the label at the indent of the first line (w:lvlJc). The label begins, is centred or ends at
    /// this position.
    pub alignment: Justification,
    /// The position of the tab stop after the label, in points (w:tabs of the level). Mostly older documents define it.
    /// Only the tab after the label uses this tab stop. `None`: the level defines no tab stop.
    pub tab: Option<f32>,
    /// The number format of the level (w:numFmt), for the structure tree of the PDF.
    pub format: NumberFormat,
    /// The topmost list level whose number occurs in the text. The top level is 0, so a label with the pattern `%1.%2`
    /// gives 0. `None`: the text contains no number.
    pub first_number_level: Option<u8>,
}

/// The content between a label and the text of its paragraph (w:suff).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum LabelSuffix {
    /// A tab to the next tab stop. A hanging indent also counts as a tab stop.
    #[default]
    Tab,
    /// One space.
    Space,
    /// The text follows the label immediately, without a tab or space.
    Nothing,
}

/// Resolved paragraph properties (§17.3.1).
#[derive(Debug, Clone, PartialEq, SmartDefault)]
pub struct ParagraphProperties {
    /// The id of the paragraph style (w:styleId). Contextual spacing applies to adjacent paragraphs with the same id.
    pub style_id: Option<Arc<str>>,
    /// The name of the paragraph style, for the structure tree of the PDF and for STYLEREF fields.
    pub style_name: Option<Arc<str>>,
    /// The paragraph is right-to-left (w:bidi).
    pub bidi: bool,
    /// The layout finds the direction of the text from the letters alone (UAX #9), not from
    /// [`RunProperties::right_to_left`]. Used for text that does not come from Word runs, such as HTML.
    pub directions_from_letters: bool,
    /// The alignment of the lines (w:jc).
    pub alignment: Alignment,
    /// The indents (w:ind).
    pub indent: Indent,
    /// The space before and after, and the line spacing (w:spacing).
    pub spacing: Spacing,
    /// The space between this paragraph and an adjacent paragraph of the same style is removed (§17.3.1.9
    /// w:contextualSpacing).
    pub contextual_spacing: bool,
    /// The borders (w:pBdr). A border that the document explicitly removes is `None` too.
    pub borders: ParagraphBorders,
    /// The background colour (w:shd). Patterns are blended to one colour. `None`: no background.
    pub shading: Option<Rgb>,
    /// The paragraph is on the same page as the next one (§17.3.1.15 w:keepNext).
    pub keep_next: bool,
    /// All lines are on one page (§17.3.1.14 w:keepLines).
    pub keep_lines: bool,
    /// The first and the last line of the paragraph never stand alone on a page (§17.3.1.44 w:widowControl).
    #[default(true)]
    pub widow_control: bool,
    /// The paragraph begins on a new page (w:pageBreakBefore).
    pub page_break_before: bool,
    /// The outline level from 0 to 8. `None`: body text.
    pub outline_level: Option<u8>,
    /// The tab stops sorted by position. Cleared stops are removed.
    pub tabs: Vec<TabStop>,
    /// The text frame of the paragraph. `None`: the paragraph is in the text flow.
    pub frame: Option<Frame>,
    /// The lines are neither numbered nor counted (w:suppressLineNumbers).
    pub suppress_line_numbers: bool,
    /// Words are not hyphenated automatically (w:suppressAutoHyphens).
    pub suppress_auto_hyphens: bool,
    /// The heights of lines are rounded up to multiples of
    /// [`SectionProperties::line_pitch`](super::SectionProperties::line_pitch) (w:snapToGrid).
    #[default(true)]
    pub snap_to_grid: bool,
    /// The automatic space between East Asian text and other characters.
    pub east_asian_spacing: EastAsianSpacing,
    /// The id and the level of the list (w:numId, w:ilvl). The top level is 0. `None`: the paragraph is not in a list.
    /// Used for spacing and for the lists in the structure tree of the PDF.
    pub numbering: Option<(i64, u8)>,
}

/// Automatic space of a quarter em between East Asian text and other text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SmartDefault)]
pub struct EastAsianSpacing {
    /// Space is added between East Asian text and Latin letters (§17.3.1.2 w:autoSpaceDE).
    #[default(true)]
    pub latin: bool,
    /// Space is added between East Asian text and digits (§17.3.1.3 w:autoSpaceDN).
    #[default(true)]
    pub digits: bool,
}

/// The alignment of the lines of a paragraph (§17.18.44). `Start` is the leading edge, which is on the right in a
/// right-to-left paragraph. In a file, `left` means `Start` and `right` means `End`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Alignment {
    /// Lines begin at the leading edge, which Word calls `left`.
    #[default]
    #[strum(serialize = "start", serialize = "left", serialize = "numTab")]
    Start,
    /// Lines are centred.
    Center,
    /// Lines end at the trailing edge, which Word calls `right`.
    #[strum(serialize = "end", serialize = "right")]
    End,
    /// Spaces are stretched so that lines have the full width, except the last line.
    Both,
    /// Spaces and the gaps between characters are stretched, also in the last line.
    #[strum(serialize = "distribute", serialize = "thaiDistribute")]
    Distribute,
    /// Lines are justified as for `Both`, but Arabic letters also get short elongations (kashidas).
    LowKashida,
    /// Lines are justified as for `Both`, but Arabic letters also get longer elongations (kashidas).
    MediumKashida,
    /// Lines are justified as for `Both`, but Arabic letters also get elongations (kashidas) of any length.
    HighKashida,
}

/// The indents in points (§17.3.1.12). `start` is the leading side. Indents that the file specifies in characters are
/// already converted to points.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Indent {
    /// The indent of the leading side. It may be negative.
    pub start: f32,
    /// The indent of the trailing side. It may be negative.
    pub end: f32,
    /// The indent added to `start` on the first line. A negative value is a hanging indent.
    pub first_line: f32,
}

/// The spacing of a paragraph (§17.3.1.33).
#[derive(Debug, Clone, Copy, PartialEq, SmartDefault)]
pub struct Spacing {
    /// The space above the first line in points, at least 0.
    pub before: f32,
    /// The space below the last line in points, at least 0.
    pub after: f32,
    /// The space above is automatic (w:beforeAutospacing). It is 14 points as in HTML, but zero at the start of a cell
    /// and between list items.
    pub before_auto: bool,
    /// The space below is automatic (w:afterAutospacing). It is 14 points as in HTML, but zero between list items.
    pub after_auto: bool,
    /// The rule for the height of the lines.
    #[default(LineSpacing::Multiple(1.0))]
    pub line: LineSpacing,
}

/// The rule for the height of lines (w:line, w:lineRule).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineSpacing {
    /// A multiple of the font's line height (w:line / 240).
    Multiple(f32),
    /// The natural height of the line, but at least this number of points.
    AtLeast(f32),
    /// This number of points, whatever the content is.
    Exactly(f32),
}

/// A tab stop (w:tab in w:tabs).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TabStop {
    /// The position in points from the leading margin, not from the indent. It may be negative.
    pub position: f32,
    /// The alignment of the text at the stop (w:val).
    pub kind: TabKind,
    /// The characters that fill the space before the stop (w:leader).
    pub leader: TabLeader,
}

/// The kind of a tab stop (§17.18.84). `Start` and `End` follow the direction of the paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum TabKind {
    /// Text begins at the stop.
    #[strum(serialize = "start", serialize = "left")]
    Start,
    /// Text is centred at the stop.
    Center,
    /// Text ends at the stop.
    #[strum(serialize = "end", serialize = "right")]
    End,
    /// The decimal separator is at the stop.
    Decimal,
    /// A vertical line at the position of the stop. Tabs do not stop there.
    Bar,
}

/// The characters that fill the space of a tab (w:leader).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum TabLeader {
    /// Empty space.
    #[default]
    None,
    /// Full stops.
    Dot,
    /// Hyphens.
    Hyphen,
    /// A continuous line of underscores.
    Underscore,
    /// A thick continuous line.
    Heavy,
    /// Dots at the middle of the letters (U+00B7).
    MiddleDot,
}

/// A tab to an alignment position (§17.3.3.23 w:ptab).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionedTab {
    /// The position and the alignment of the text after the tab: at the start, the centre or the end of the line
    /// (`Start`, `Center` or `End`).
    pub kind: TabKind,
    /// The line is measured between the indents of the paragraph. If `false`, it is measured between the margins.
    pub relative_to_indent: bool,
    /// The characters that fill the space before the position (w:leader).
    pub leader: TabLeader,
}

/// The borders of a paragraph (§17.3.1.24). `left` and `right` are the physical sides, even in a right-to-left
/// paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ParagraphBorders {
    /// The border above the paragraph. If consecutive paragraphs have equal borders, only the first of them shows this
    /// border.
    pub top: Option<Border>,
    /// The border below the paragraph. If consecutive paragraphs have equal borders, only the last of them shows this
    /// border.
    pub bottom: Option<Border>,
    /// The border at the left of the text.
    pub left: Option<Border>,
    /// The border at the right of the text.
    pub right: Option<Border>,
    /// The border between two consecutive paragraphs with equal borders (w:between).
    pub between: Option<Border>,
    /// A vertical line outside the left border (w:bar).
    pub bar: Option<Border>,
}

/// One border line (§17.3.4), which may consist of several parallel lines.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Border {
    /// The pattern of the border, such as a single, double or dotted line.
    pub style: BorderStyle,
    /// The width of each single line of the border in points, from 0.25 to 12.
    pub width: f32,
    /// The colour. `None` is the automatic colour, black.
    pub color: Option<Rgb>,
    /// The distance between border and text in points, from 0 to 31.
    pub space: f32,
    /// The box of the border has a shadow at the lower right (w:shadow).
    pub shadow: bool,
}

/// The style of a border (§17.18.2). Art borders are read as `Single`. At the edge between two cells, two borders of
/// equal weight may conflict. The style that comes first in this enumeration is then drawn (§17.4.66).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum BorderStyle {
    /// The document explicitly specifies no border here. This overrides inherited borders.
    #[strum(serialize = "none", serialize = "nil")]
    None,
    /// One line. Unknown styles in a file are read as `Single`.
    Single,
    /// One line. The layout draws it like `Single`, because the file specifies the width of the line.
    Thick,
    /// Two lines of equal width. The gap has the width of a line.
    Double,
    /// Dots. The gaps are as long as the dots.
    Dotted,
    /// Dashes. The gaps are as long as the dashes.
    Dashed,
    /// Alternating dashes and dots.
    #[strum(serialize = "dotDash", serialize = "dashDotStroked")]
    DotDash,
    /// A repeated pattern of one dash and two dots.
    DotDotDash,
    /// Three lines of equal width. The gaps have the width of a line.
    Triple,
    /// A thick outer line and a thin inner line with a small gap. The name begins with the inner line (§17.18.2).
    ThinThickSmallGap,
    /// A thin outer line and a thick inner line with a small gap.
    ThickThinSmallGap,
    /// A thick line between two thin ones with small gaps.
    ThinThickThinSmallGap,
    /// A thick outer line and an inner line of half its width. The gap has the width of the inner line.
    ThinThickMediumGap,
    /// A thick inner line and an outer line of half its width. The gap has the width of the outer line.
    ThickThinMediumGap,
    /// A thick line between two lines of half its width. The gaps have the width of the thin lines.
    ThinThickThinMediumGap,
    /// An outer line of 1.5 pt and a thin inner line with a large gap.
    ThinThickLargeGap,
    /// A thin outer line and an inner line of 1.5 pt with a large gap.
    ThickThinLargeGap,
    /// A line of 1.5 pt between two thin ones with large gaps.
    ThinThickThinLargeGap,
    /// One wavy line.
    Wave,
    /// Two wavy lines.
    DoubleWave,
    /// Dashes. The gaps are half as long as the dashes.
    DashSmallGap,
    /// A border that looks raised. The layout draws a single line.
    #[strum(serialize = "threeDEmboss")]
    Emboss3D,
    /// A border that looks engraved. The layout draws a single line.
    #[strum(serialize = "threeDEngrave")]
    Engrave3D,
    /// A border that makes its content look raised. The layout draws a single line.
    Outset,
    /// A border that makes its content look sunken. The layout draws a single line.
    Inset,
}

/// The text frame of a paragraph (§17.3.1.11). A paragraph with a frame floats on the page, or is a drop cap.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Frame {
    /// The width in points (w:w). `None`: the width of the text.
    pub width: Option<f32>,
    /// The height in points (w:h). `None`: the height of the text.
    pub height: Option<f32>,
    /// `height` is exact (w:hRule `exact`). If `false`, the frame grows with its text.
    pub height_exact: bool,
    /// The area that `x` is relative to (w:hAnchor).
    pub horizontal_anchor: FrameAnchor,
    /// The area that `y` is relative to (w:vAnchor). The default is the margin, or the text if `y` is `None`.
    pub vertical_anchor: FrameAnchor,
    /// The horizontal position. `None`: the frame is at the leading edge of the anchor area.
    pub x: Option<PositionValue>,
    /// The vertical position. `None`: the frame is at its place in the text flow.
    pub y: Option<PositionValue>,
    /// The distance in points between the frame and the text at its sides (w:hSpace).
    pub horizontal_space: f32,
    /// The distance in points between the frame and the text above and below it (w:vSpace).
    pub vertical_space: f32,
    /// The flow of text around the frame (w:wrap).
    pub wrap: FrameWrap,
    /// The height and the place of a drop cap (w:dropCap). `None`: the paragraph is not a drop cap.
    pub drop_cap: Option<DropCap>,
}

/// The flow of text around a frame (§17.18.104).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FrameWrap {
    /// Text flows beside the frame where there is space.
    #[default]
    Around,
    /// Text flows only above and below the frame.
    #[strum(serialize = "notBeside", serialize = "topAndBottom")]
    NotBeside,
    /// The frame does not move the text, so the frame and the text may overlap.
    None,
}

/// The area that the position of a frame or a floating table is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FrameAnchor {
    /// Horizontal positions are relative to the text column. Vertical positions are relative to the place of the
    /// paragraph or table in the text flow.
    #[default]
    Text,
    /// The area inside the page margins.
    Margin,
    /// The whole page.
    Page,
}

/// A drop cap: the paragraph is a large letter at the start of the next paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DropCap {
    /// The height of the letter in lines of text, from 1 to 10 (w:lines).
    pub lines: u32,
    /// The letter is in the margin instead of in the text (w:dropCap `margin`).
    pub in_margin: bool,
}
