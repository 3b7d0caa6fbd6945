//! Paragraphs and their inline content (ECMA-376 part 1, §17.3.1, §17.3.3).

use std::sync::Arc;

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{Drawing, ImageId, Justification, Location, Math, NodeId, PositionValue, Rgb, RunProperties};

/// A paragraph (w:p).
#[derive(Debug, Clone, Default)]
pub struct Paragraph {
    /// The identifier of the paragraph, for the structure tree of the PDF and for fields that show its number.
    pub id: NodeId,
    /// The resolved paragraph properties (w:pPr).
    pub properties: Arc<ParagraphProperties>,
    /// The formatting of the paragraph mark. It gives the height of an empty paragraph.
    pub mark: Arc<RunProperties>,
    /// The number or bullet before the first line, counted and formatted.
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
    /// The link of the item (w:hyperlink or a HYPERLINK field).
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
    /// A drawing, in the line or anchored here.
    Drawing(Arc<Drawing>),
    /// The reference mark of a note: the number of the note, or the author's own mark.
    NoteReference {
        /// The kind of the note.
        kind: NoteKind,
        /// The id of the note, a key of [`Document::footnotes`](super::Document::footnotes) or
        /// [`Document::endnotes`](super::Document::endnotes).
        id: i64,
        /// The author's own mark, which is the following text, replaces the number of the note (w:customMarkFollows).
        custom: bool,
    },
    /// The number of the note, shown in the text of the note itself (§17.11.13).
    NoteMark,
    /// A field whose text depends on the layout or the current time.
    Field {
        /// The kind of the field, with its arguments.
        field: ComputedField,
        /// The text that the document showed last.
        result: String,
    },
    /// The start of the bookmark with this name (w:bookmarkStart).
    BookmarkStart(Arc<str>),
    /// The end of the bookmark with this name (w:bookmarkEnd).
    BookmarkEnd(Arc<str>),
    /// The reference mark of the comment with this id (w:commentReference).
    CommentReference(Arc<str>),
    /// The start of the value of a template field; the field has this number. Present only if
    /// [`crate::ReadOptions::values`] is set.
    ValueStart(u32),
    /// The end of the value of a template field.
    ValueEnd,
    /// A formula (Office Math, §22.1).
    Math(Box<Math>),
    /// The start of ruby text (§17.3.3.25). The content up to the next [`Content::RubyEnd`] is its base text, which has
    /// the reading above it.
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
    /// The distance from the baseline of the base to the baseline of the reading, in points.
    pub raise: f32,
}

/// The alignment of the reading and the base. The narrower one is aligned to the wider one (§17.18.77).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum RubyAlignment {
    /// The narrower one is centred over or under the wider one.
    #[default]
    Center,
    /// The left edges are aligned.
    Left,
    /// The right edges are aligned.
    Right,
    /// Space is added between the letters of the narrower one, so that both have the same width.
    #[strum(serialize = "distributeLetter")]
    Distribute,
    /// Like `Distribute`, with additional space before the first letter and after the last one. It is half of the space
    /// between two letters.
    #[strum(serialize = "distributeSpace")]
    DistributeWithSpace,
    /// The letters of the reading are stacked on the right of the base.
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
    /// A line break with w:clear (§17.18.5): the text continues below the floating objects at its sides.
    LineClear,
    /// A page break.
    Page,
    /// A column break.
    Column,
}

/// Fields that the layout computes (§17.16.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ComputedField {
    /// The number of the page (PAGE). The format is that of the switch \*; without it, that of the section.
    Page(Option<NumberFormat>),
    /// The number of pages of the document (NUMPAGES), with the format of the switch \*.
    Pages(Option<NumberFormat>),
    /// The number of pages of the section (SECTIONPAGES), with the format of the switch \*.
    SectionPages(Option<NumberFormat>),
    /// The number of the section, from 1 (SECTION).
    Section,
    /// The number of the page with the bookmark of this name (PAGEREF).
    PageReference(Arc<str>),
    /// The text of the bookmark of this name (REF).
    Reference(Arc<str>),
    /// The number of the paragraph in which the bookmark begins (REF with a switch \n, \r, \w or \p).
    ReferenceNumber {
        /// The identifier of the field, with which the layout finds the position of the field itself.
        id: NodeId,
        /// The name of the bookmark.
        bookmark: Arc<str>,
        /// The levels of the number. `None`: the number is not displayed.
        number: Option<NumberContext>,
        /// The word "above" or "below" is displayed, after the number if there is one (switch \p).
        with_position: bool,
    },
    /// The current date, with an optional date format.
    Date(Option<String>),
    /// The current time, with an optional date format.
    Time(Option<String>),
    /// The text of the nearest paragraph or run with the style of this name (STYLEREF).
    StyleReference(Arc<str>),
}

/// The levels of a multilevel number that a reference shows (§17.16.5.50).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberContext {
    /// Switch \n: the level of the paragraph itself.
    Own,
    /// Switch \r: only the levels of the number that differ from the number of the paragraph with the field.
    Relative,
    /// Switch \w: all levels.
    Full,
}

/// The target of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// An address outside the document, possibly with a fragment.
    Uri(String),
    /// The name of a bookmark of this document.
    Bookmark(String),
}

/// The maximum length of a link in bytes. Word writes at most 2083 characters. A longer link is left out, because a link is
/// repeated in each line of its text.
const MAX_LINK_BYTES: usize = 8_000;

impl Link {
    /// Creates a link. An address alone links to that address, and a bookmark alone to that bookmark of this document.
    /// With both, the bookmark becomes the fragment of the address. Returns `None` if both are `None`, or if the link
    /// is too long.
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
    /// The picture of a bullet (w:numPicBullet). It replaces the text.
    pub picture: Option<ImageId>,
    /// The formatting of the paragraph mark, overridden by that of the numbering level.
    pub run: Arc<RunProperties>,
    /// The content between label and text (w:suff).
    pub suffix: LabelSuffix,
    /// The alignment of the label relative to the indent of the first line. The label begins there, is centred there or
    /// ends there (w:lvlJc).
    pub alignment: Justification,
    /// The tab stop of the numbering level in points (w:tabs of the level, in older documents).
    pub tab: Option<f32>,
    /// The highest level (from 0) whose number occurs in the text: 0 for `%1.%2`. `None`: the text contains no number.
    pub first_number_level: Option<u8>,
}

/// The content between a label and the text of its paragraph (w:suff).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum LabelSuffix {
    /// A tab to the next tab stop or to the indent.
    #[default]
    Tab,
    /// One space.
    Space,
    /// The text follows immediately.
    Nothing,
}

/// Resolved paragraph properties (§17.3.1).
#[derive(Debug, Clone, PartialEq, SmartDefault)]
pub struct ParagraphProperties {
    /// The id of the paragraph style (w:styleId). Contextual spacing compares it with that of the adjacent paragraph.
    pub style_id: Option<Arc<str>>,
    /// The name of the paragraph style, for the structure tree of the PDF and for STYLEREF fields.
    pub style_name: Option<Arc<str>>,
    /// The paragraph is right-to-left (w:bidi).
    pub bidi: bool,
    /// The text does not come from Word runs, so [`RunProperties::right_to_left`] is not set. The layout finds the
    /// direction from the letters alone (UAX #9).
    pub directions_from_letters: bool,
    /// The alignment of the lines (w:jc).
    pub alignment: Alignment,
    /// The indents (w:ind).
    pub indent: Indent,
    /// The space before and after, and the line spacing (w:spacing).
    pub spacing: Spacing,
    /// The space between this paragraph and an adjacent one of the same style is removed (§17.3.1.9
    /// w:contextualSpacing).
    pub contextual_spacing: bool,
    /// The borders (w:pBdr). A border that the document explicitly removes is `None` too.
    pub borders: ParagraphBorders,
    /// The background colour (w:shd). Patterns are blended to one colour.
    pub shading: Option<Rgb>,
    /// The paragraph is on the same page as the next one (§17.3.1.15 w:keepNext).
    pub keep_next: bool,
    /// All lines are on one page (§17.3.1.14 w:keepLines).
    pub keep_lines: bool,
    /// A first or last line of the paragraph never stands alone on a page (§17.3.1.44 w:widowControl).
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
    /// The characters that have automatic space between them and East Asian text.
    pub east_asian_spacing: EastAsianSpacing,
    /// The id and the level of the numbering (w:numId, w:ilvl), for the lists in the structure tree of the PDF.
    pub numbering: Option<(i64, u8)>,
}

/// Automatic space of a quarter em between East Asian text and other text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SmartDefault)]
pub struct EastAsianSpacing {
    /// Space next to Latin letters (§17.3.1.2 w:autoSpaceDE).
    #[default(true)]
    pub latin: bool,
    /// Space next to digits (§17.3.1.3 w:autoSpaceDN).
    #[default(true)]
    pub digits: bool,
}

/// The alignment of the lines of a paragraph (§17.18.44). `Start` is the leading edge, which is on the right in a
/// right-to-left paragraph. In a file, `left` means `Start` and `right` means `End`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Alignment {
    /// The leading edge, which Word calls `left`.
    #[default]
    #[strum(serialize = "start", serialize = "left", serialize = "numTab")]
    Start,
    /// Lines are centred.
    Center,
    /// The trailing edge, which Word calls `right`.
    #[strum(serialize = "end", serialize = "right")]
    End,
    /// Spaces are stretched, except in the last line.
    Both,
    /// Spaces and characters are stretched, also in the last line.
    #[strum(serialize = "distribute", serialize = "thaiDistribute")]
    Distribute,
    /// Like `Both`, with short elongations of Arabic letters.
    LowKashida,
    /// Like `Both`, with longer elongations of Arabic letters.
    MediumKashida,
    /// Like `Both`, with elongations of Arabic letters of any length.
    HighKashida,
}

/// The indents in points (§17.3.1.12). `start` is the leading side. Character units are already converted.
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
    /// The distance between lines.
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
    /// A vertical line at this position. Tabs do not stop there.
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
    /// The position and the alignment there: `Start`, `Center` or `End`.
    pub kind: TabKind,
    /// The position is relative to the indents instead of the margins.
    pub relative_to_indent: bool,
    /// The characters that fill the space before the position (w:leader).
    pub leader: TabLeader,
}

/// The borders of a paragraph (§17.3.1.24). Left and right are sides of the page.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ParagraphBorders {
    /// The border above the paragraph. Of several consecutive paragraphs with equal borders, only the first shows it.
    pub top: Option<Border>,
    /// The border below the paragraph. Of several consecutive paragraphs with equal borders, only the last shows it.
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

/// One border line (§17.3.4).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Border {
    /// The number, width and pattern of its lines.
    pub style: BorderStyle,
    /// The width of one line in points: 0.25 to 12.
    pub width: f32,
    /// The colour. `None` is the automatic colour, black.
    pub color: Option<Rgb>,
    /// The distance between border and text in points, from 0 to 31.
    pub space: f32,
    /// The box of the border has a shadow at the lower right (w:shadow).
    pub shadow: bool,
}

/// The style of a border (§17.18.2). Art borders are read as `Single`. If two borders of equal weight conflict, the
/// style that is listed first here is drawn (§17.4.66).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum BorderStyle {
    /// The document explicitly specifies no border here. This overrides inherited borders.
    #[strum(serialize = "none", serialize = "nil")]
    None,
    /// One line. Unknown styles in a file are read as this one.
    Single,
    /// One line, drawn like `Single`. The file specifies its width.
    Thick,
    /// Two lines of equal width. The gap has the width of a line.
    Double,
    /// Dots with gaps of their own length.
    Dotted,
    /// Dashes with gaps of their own length.
    Dashed,
    /// Dashes and dots in turn.
    #[strum(serialize = "dotDash", serialize = "dashDotStroked")]
    DotDash,
    /// One dash and two dots in turn.
    DotDotDash,
    /// Three lines of equal width. The gaps have the width of a line.
    Triple,
    /// A thick outer line and a thin inner line with a small gap.
    ThinThickSmallGap,
    /// A thin outer line and a thick inner line with a small gap.
    ThickThinSmallGap,
    /// A thick line between two thin ones with small gaps.
    ThinThickThinSmallGap,
    /// A thick outer line and an inner line of half its width. The gap has the width of the inner line.
    ThinThickMediumGap,
    /// A thick inner line and an outer line of half its width. The gap has the width of the outer line.
    ThickThinMediumGap,
    /// A thick line between two of half its width. The gaps have the width of the thin lines.
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
    /// Dashes with gaps of half their length.
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

/// The text frame of a paragraph (§17.3.1.11): the paragraph floats on the page, or it is a drop cap.
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
    /// The paragraph is a drop cap (w:dropCap).
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
    /// Text is not moved by the frame, so it may be under or over it.
    None,
}

/// The area that the position of a frame or a floating table is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FrameAnchor {
    /// Horizontally, the text column. Vertically, the place of the paragraph in the text flow.
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
    /// The height in lines of text, from 1 to 10 (w:lines).
    pub lines: u32,
    /// The letter is in the margin instead of in the text (w:dropCap `margin`).
    pub in_margin: bool,
}

/// The format of a number (§17.18.59).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum NumberFormat {
    /// 1, 2, 3 … Unknown formats in a file are read as this one.
    #[default]
    Decimal,
    /// 01, 02 … 09, 10 …
    DecimalZero,
    /// I, II, III … up to 32,767.
    UpperRoman,
    /// i, ii, iii … up to 32,767.
    LowerRoman,
    /// A, B … Z, AA, BB …
    UpperLetter,
    /// a, b … z, aa, bb …
    LowerLetter,
    /// 1st, 2nd, 3rd … in English; 1er, 2e, 3e … in French; 1., 2., 3. … in other languages.
    Ordinal,
    /// One, Two, Three …
    CardinalText,
    /// First, Second, Third …
    OrdinalText,
    /// The label has no number: the text of the numbering level is the bullet.
    Bullet,
    /// The number is not shown.
    None,
    /// Arabic letters in the order of the alphabet: أ, ب, ت …
    ArabicAlpha,
    /// Arabic letters in the abjad order: أ, ب, ج …
    ArabicAbjad,
    /// Hebrew letters by their numeric value: א, ב … י, יא … up to 999.
    Hebrew1,
    /// Hebrew letters in the order of the alphabet: א, ב, ג …
    Hebrew2,
    /// Decimal with the digits ٠ to ٩.
    #[strum(serialize = "hindiNumbers", serialize = "hindiCounting")]
    HindiNumbers,
    /// - 1 -, - 2 -, - 3 - …
    NumberInDash,
    /// The signs *, †, ‡, §, repeated.
    Chicago,
    /// Hexadecimal in capitals: 1 … 9, A, B …
    Hex,
    /// ①, ②, ③ … ㊿
    #[strum(serialize = "decimalEnclosedCircle", serialize = "decimalEnclosedCircleChinese")]
    DecimalEnclosedCircle,
    /// ⑴, ⑵, ⑶ … ⒇
    DecimalEnclosedParen,
    /// ⒈, ⒉, ⒊ … ⒛
    DecimalEnclosedFullstop,
    /// а, б, в …
    RussianLower,
    /// А, Б, В …
    RussianUpper,
    /// Decimal with the full-width digits ０ to ９.
    #[strum(serialize = "decimalFullWidth", serialize = "decimalFullWidth2")]
    DecimalFullWidth,
    /// Half-width katakana in the order of the syllabary: ｱ, ｲ, ｳ … ﾝ
    Aiueo,
    /// Katakana in the order of the syllabary: ア, イ, ウ … ン
    AiueoFullWidth,
    /// Half-width katakana in the order of the Iroha poem: ｲ, ﾛ, ﾊ … ﾝ
    Iroha,
    /// Katakana in the order of the Iroha poem: イ, ロ, ハ … ン
    IrohaFullWidth,
    /// Chinese counting up to 九十九 (99), then digit by digit: 一〇〇 (100).
    #[strum(serialize = "chineseCounting", serialize = "taiwaneseCounting")]
    ChineseCounting,
    /// Chinese counting with simplified signs: 十二 (12), 一千〇一十三 (1,013).
    ChineseCountingThousand,
    /// Simplified Chinese signs for official amounts: 壹, 贰, 叁 …
    ChineseLegalSimplified,
    /// Chinese counting with the traditional sign 萬 for ten thousand.
    TaiwaneseCountingThousand,
    /// Each digit is one sign, without signs for ten or hundred: 二〇二六 (2026).
    #[strum(
        serialize = "ideographDigital",
        serialize = "koreanDigital2",
        serialize = "japaneseDigitalTenThousand",
        serialize = "taiwaneseDigital"
    )]
    IdeographDigital,
    /// The ten heavenly stems: 甲, 乙, 丙 … 癸
    IdeographTraditional,
    /// The twelve earthly branches: 子, 丑, 寅 … 亥
    IdeographZodiac,
    /// The sixty pairs of stem and branch: 甲子, 乙丑 … 癸亥
    IdeographZodiacTraditional,
    /// ㈠, ㈡, ㈢ … ㈩
    IdeographEnclosedCircle,
    /// Traditional Chinese signs for official amounts: 壹, 貳, 參 …
    IdeographLegalTraditional,
    /// Japanese counting: 十二 (12), 一万千百一 (11,101).
    JapaneseCounting,
    /// Japanese signs for official amounts: 壱, 弐, 参 …
    JapaneseLegal,
    /// Sino-Korean counting: 십이 (12), 백십일 (111).
    KoreanCounting,
    /// Digit by digit in Sino-Korean: 일영 (10).
    KoreanDigital,
    /// Native Korean numbers up to 99: 하나, 둘, 셋 …
    KoreanLegal,
    /// The letters 가, 나, 다 …
    Ganada,
    /// The letters ㄱ, ㄴ, ㄷ …
    Chosung,
    /// ก, ข, ค …
    ThaiLetters,
    /// Decimal with the digits ๐ to ๙.
    ThaiNumbers,
}
