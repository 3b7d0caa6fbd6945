//! Paragraphs and their inline content (ECMA-376 part 1, §17.3.1, §17.3.3).

use std::sync::Arc;

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{Drawing, ImageId, Justification, Location, Math, NodeId, PositionValue, Rgb, RunProperties};

#[derive(Debug, Clone, Default)]
pub struct Paragraph {
    pub id: NodeId,
    pub properties: Arc<ParagraphProperties>,
    /// The formatting of the paragraph mark. It gives the height of an empty paragraph.
    pub mark: Arc<RunProperties>,
    /// The number or bullet before the first line, counted and formatted.
    pub label: Option<Label>,
    pub inlines: Vec<Inline>,
    pub location: Location,
}

/// An item of a line, with its formatting and link.
#[derive(Debug, Clone)]
pub struct Inline {
    pub content: Content,
    pub run: Arc<RunProperties>,
    pub link: Option<Arc<Link>>,
}

#[derive(Debug, Clone)]
pub enum Content {
    /// Text without tabs and line breaks. Soft hyphens are U+00AD, non-breaking hyphens U+2011.
    Text(String),
    /// A tab to the next tab stop (§17.3.3.32).
    Tab,
    /// A tab to an alignment position instead of a tab stop (§17.3.3.23).
    PositionedTab(PositionedTab),
    Break(Break),
    Drawing(Arc<Drawing>),
    /// The reference mark of a note. If `custom` is true, the mark is the text that follows instead of the number.
    NoteReference {
        kind: NoteKind,
        id: i64,
        custom: bool,
    },
    /// The number of the note at its beginning (§17.11.13).
    NoteMark,
    /// A field whose text depends on the layout or the current time. `result` is the text that the document showed
    /// last.
    Field {
        field: ComputedField,
        result: String,
    },
    BookmarkStart(Arc<str>),
    BookmarkEnd(Arc<str>),
    CommentReference(Arc<str>),
    /// The start of the value of the field with this number. Present only if [`crate::ReadOptions::values`] is set.
    ValueStart(u32),
    ValueEnd,
    /// A formula (Office Math, §22.1).
    Math(Box<Math>),
    /// The start of ruby text (§17.3.3.25). The content up to the next [`Content::RubyEnd`] is its base text, which has
    /// the reading above it.
    RubyStart(Arc<Ruby>),
    RubyEnd,
}

impl Content {
    /// Returns `true` for marks of a position that have no visible content.
    pub fn is_mark(&self) -> bool {
        matches!(self, Self::BookmarkStart(_) | Self::BookmarkEnd(_) | Self::ValueStart(_) | Self::ValueEnd)
    }
}

/// The reading of ruby text and its position relative to the base text (§17.3.3.28).
#[derive(Debug, Clone)]
pub struct Ruby {
    /// The reading: text and fields.
    pub reading: Vec<Inline>,
    pub alignment: RubyAlignment,
    /// The distance from the baseline of the base to the baseline of the reading, in points.
    pub raise: f32,
}

/// The alignment of the narrower of reading and base to the wider (§17.18.77).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum RubyAlignment {
    #[default]
    Center,
    Left,
    Right,
    /// Letters are spaced until the narrower is as wide as the wider.
    #[strum(serialize = "distributeLetter")]
    Distribute,
    /// Like `Distribute`, with half of the space between two letters at both ends.
    #[strum(serialize = "distributeSpace")]
    DistributeWithSpace,
    /// The letters of the reading are stacked on the right of the base.
    #[strum(serialize = "rightVertical")]
    Beside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    Footnote,
    Endnote,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    Line,
    /// A line break after which text continues below floating objects on the given sides (§17.18.5 w:clear).
    LineClear,
    Page,
    Column,
}

/// Fields that the layout computes (§17.16.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ComputedField {
    Page(Option<NumberFormat>),
    Pages(Option<NumberFormat>),
    SectionPages(Option<NumberFormat>),
    Section,
    /// The number of the page with the bookmark.
    PageReference(Arc<str>),
    /// The text of the bookmark.
    Reference(Arc<str>),
    /// The number of the paragraph in which the bookmark begins. If `place` is true, the words "above" or "below"
    /// follow.
    ReferenceNumber {
        id: NodeId,
        bookmark: Arc<str>,
        number: Option<NumberContext>,
        with_position: bool,
    },
    /// The current date, with an optional date format.
    Date(Option<String>),
    Time(Option<String>),
    /// The text of the nearest paragraph or run with the style of this name.
    StyleReference(Arc<str>),
}

/// The levels of a multilevel number that a reference shows (§17.16.5.50).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberContext {
    /// Switch \n: the level of the paragraph itself.
    Own,
    /// Switch \r: the levels that differ from the paragraph of the field.
    Relative,
    /// Switch \w: all levels.
    Full,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    Uri(String),
    Bookmark(String),
}

/// The maximum length of a link in bytes. Word writes at most 2083 characters. A longer link is left out, because a link is
/// repeated in each line of its text.
const MAX_LINK_BYTES: usize = 8_000;

impl Link {
    /// Creates a link to an address, to a bookmark of this document (only `place`), or to a fragment of the address
    /// (both). Returns `None` if both arguments are `None`, and for links that are too long.
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

#[derive(Debug, Clone)]
pub struct Label {
    pub text: String,
    pub picture: Option<ImageId>,
    pub run: Arc<RunProperties>,
    pub suffix: LabelSuffix,
    /// The position of the label relative to the indent of the first line (w:lvlJc).
    pub alignment: Justification,
    /// The tab stop of the numbering level in points (w:tabs of the level, in older documents).
    pub tab: Option<f32>,
    /// The highest level (from 0) whose number occurs in the text: 0 for `%1.%2`. `None`: the text contains no number.
    pub first_number_level: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum LabelSuffix {
    #[default]
    Tab,
    Space,
    Nothing,
}

#[derive(Debug, Clone, PartialEq, SmartDefault)]
pub struct ParagraphProperties {
    pub style_id: Option<Arc<str>>,
    pub style_name: Option<Arc<str>>,
    /// The paragraph is right-to-left (w:bidi).
    pub bidi: bool,
    /// The text does not come from Word, and its runs have no direction marks. Direction follows only from the letters
    /// (UAX #9).
    pub directions_from_letters: bool,
    pub alignment: Alignment,
    pub indent: Indent,
    pub spacing: Spacing,
    pub contextual_spacing: bool,
    pub borders: ParagraphBorders,
    pub shading: Option<Rgb>,
    pub keep_next: bool,
    pub keep_lines: bool,
    #[default(true)]
    pub widow_control: bool,
    pub page_break_before: bool,
    /// The outline level from 0 to 8. `None`: body text.
    pub outline_level: Option<u8>,
    /// The tab stops sorted by position. Cleared stops are removed.
    pub tabs: Vec<TabStop>,
    pub frame: Option<Frame>,
    pub suppress_line_numbers: bool,
    pub suppress_auto_hyphens: bool,
    #[default(true)]
    pub snap_to_grid: bool,
    pub east_asian_spacing: EastAsianSpacing,
    /// The numbering of the paragraph (w:numId, w:ilvl), for the document structure.
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

/// The alignment of a paragraph (§17.18.44). `Start` is the leading edge, which is right in a right-to-left paragraph.
/// Word's `left` has the same meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Alignment {
    #[default]
    #[strum(serialize = "start", serialize = "left", serialize = "numTab")]
    Start,
    Center,
    #[strum(serialize = "end", serialize = "right")]
    End,
    /// Spaces are stretched, except in the last line.
    Both,
    /// Spaces and characters are stretched, also in the last line.
    #[strum(serialize = "distribute", serialize = "thaiDistribute")]
    Distribute,
    LowKashida,
    MediumKashida,
    HighKashida,
}

/// The indents in points (§17.3.1.12). `start` is the leading side. Character units are already converted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Indent {
    pub start: f32,
    pub end: f32,
    /// The indent added to `start` on the first line. A negative value is a hanging indent.
    pub first_line: f32,
}

/// The spacing of a paragraph (§17.3.1.33).
#[derive(Debug, Clone, Copy, PartialEq, SmartDefault)]
pub struct Spacing {
    pub before: f32,
    pub after: f32,
    /// HTML spacing of 14 pt (w:beforeAutospacing). It is zero at the start of a cell and between list items.
    pub before_auto: bool,
    pub after_auto: bool,
    #[default(LineSpacing::Multiple(1.0))]
    pub line: LineSpacing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineSpacing {
    /// A multiple of the font's line height (w:line / 240).
    Multiple(f32),
    AtLeast(f32),
    Exactly(f32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TabStop {
    /// The position from the leading margin, not from the indent.
    pub position: f32,
    pub kind: TabKind,
    pub leader: TabLeader,
}

/// The kind of a tab stop (§17.18.84). `Start` and `End` follow the direction of the paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum TabKind {
    #[strum(serialize = "start", serialize = "left")]
    Start,
    Center,
    #[strum(serialize = "end", serialize = "right")]
    End,
    Decimal,
    Bar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum TabLeader {
    #[default]
    None,
    Dot,
    Hyphen,
    Underscore,
    Heavy,
    MiddleDot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionedTab {
    pub kind: TabKind,
    /// The position is relative to the indents instead of the margins.
    pub relative_to_indent: bool,
    pub leader: TabLeader,
}

/// The borders of a paragraph (§17.3.1.24). Left and right are sides of the page.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ParagraphBorders {
    pub top: Option<Border>,
    pub bottom: Option<Border>,
    pub left: Option<Border>,
    pub right: Option<Border>,
    pub between: Option<Border>,
    pub bar: Option<Border>,
}

/// One border line (§17.3.4).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Border {
    pub style: BorderStyle,
    /// The width of one line in points: 0.25 to 12.
    pub width: f32,
    /// The colour. `None` is the automatic colour, black.
    pub color: Option<Rgb>,
    /// The distance between border and text, in points.
    pub space: f32,
    pub shadow: bool,
}

/// The style of a border (§17.18.2). Art borders are read as `Single`. The order is that of §17.4.66: of two borders
/// with equal weight, the first is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum BorderStyle {
    /// Explicitly no border; overrides an outer border.
    #[strum(serialize = "none", serialize = "nil")]
    None,
    Single,
    Thick,
    Double,
    Dotted,
    Dashed,
    #[strum(serialize = "dotDash", serialize = "dashDotStroked")]
    DotDash,
    DotDotDash,
    Triple,
    ThinThickSmallGap,
    ThickThinSmallGap,
    ThinThickThinSmallGap,
    ThinThickMediumGap,
    ThickThinMediumGap,
    ThinThickThinMediumGap,
    ThinThickLargeGap,
    ThickThinLargeGap,
    ThinThickThinLargeGap,
    Wave,
    DoubleWave,
    DashSmallGap,
    #[strum(serialize = "threeDEmboss")]
    Emboss3D,
    #[strum(serialize = "threeDEngrave")]
    Engrave3D,
    Outset,
    Inset,
}

/// A text frame (§17.3.1.11): a paragraph that floats, or a drop cap.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Frame {
    pub width: Option<f32>,
    pub height: Option<f32>,
    pub height_exact: bool,
    pub horizontal_anchor: FrameAnchor,
    pub vertical_anchor: FrameAnchor,
    /// The horizontal position. `None`: at the leading edge of the anchor.
    pub x: Option<PositionValue>,
    /// The vertical position. `None`: in the text flow.
    pub y: Option<PositionValue>,
    pub horizontal_space: f32,
    pub vertical_space: f32,
    pub wrap: FrameWrap,
    pub drop_cap: Option<DropCap>,
}

/// The flow of text around a frame (§17.18.104).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FrameWrap {
    #[default]
    Around,
    /// Text stays above and below the frame.
    #[strum(serialize = "notBeside", serialize = "topAndBottom")]
    NotBeside,
    /// Text ignores the frame.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FrameAnchor {
    #[default]
    Text,
    Margin,
    Page,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DropCap {
    pub lines: u32,
    pub in_margin: bool,
}

/// The format of a number (§17.18.59).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum NumberFormat {
    #[default]
    Decimal,
    DecimalZero,
    UpperRoman,
    LowerRoman,
    UpperLetter,
    LowerLetter,
    Ordinal,
    CardinalText,
    OrdinalText,
    Bullet,
    None,
    ArabicAlpha,
    ArabicAbjad,
    Hebrew1,
    Hebrew2,
    #[strum(serialize = "hindiNumbers", serialize = "hindiCounting")]
    HindiNumbers,
    NumberInDash,
    /// The signs *, †, ‡, §, repeated.
    Chicago,
    Hex,
    #[strum(serialize = "decimalEnclosedCircle", serialize = "decimalEnclosedCircleChinese")]
    DecimalEnclosedCircle,
    DecimalEnclosedParen,
    DecimalEnclosedFullstop,
    RussianLower,
    RussianUpper,
    #[strum(serialize = "decimalFullWidth", serialize = "decimalFullWidth2")]
    DecimalFullWidth,
    Aiueo,
    AiueoFullWidth,
    Iroha,
    IrohaFullWidth,
    #[strum(serialize = "chineseCounting", serialize = "taiwaneseCounting")]
    ChineseCounting,
    ChineseCountingThousand,
    ChineseLegalSimplified,
    TaiwaneseCountingThousand,
    #[strum(
        serialize = "ideographDigital",
        serialize = "koreanDigital2",
        serialize = "japaneseDigitalTenThousand",
        serialize = "taiwaneseDigital"
    )]
    IdeographDigital,
    IdeographTraditional,
    IdeographZodiac,
    IdeographZodiacTraditional,
    IdeographEnclosedCircle,
    IdeographLegalTraditional,
    JapaneseCounting,
    JapaneseLegal,
    KoreanCounting,
    KoreanDigital,
    /// Native Korean numbers.
    KoreanLegal,
    /// The letters 가, 나, 다 …
    Ganada,
    /// The letters ㄱ, ㄴ, ㄷ …
    Chosung,
    ThaiLetters,
    ThaiNumbers,
}
