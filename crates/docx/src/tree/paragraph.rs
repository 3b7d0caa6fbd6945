//! Paragraphs and what stands in their lines (ECMA-376 part 1, §17.3.1, §17.3.3).

use std::sync::Arc;

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{Drawing, ImageId, Justification, Location, Math, NodeId, Place, Rgb, RunProperties};

#[derive(Debug, Clone, Default)]
pub struct Paragraph {
    pub id: NodeId,
    pub properties: Arc<ParagraphProperties>,
    /// The paragraph mark's own formatting: the height of an empty paragraph.
    pub mark: Arc<RunProperties>,
    /// The number or bullet before the first line, already counted and formatted.
    pub label: Option<Label>,
    pub inlines: Vec<Inline>,
    pub location: Location,
}

/// One thing in a line, with its formatting and the link it belongs to.
#[derive(Debug, Clone)]
pub struct Inline {
    pub content: Content,
    pub run: Arc<RunProperties>,
    pub link: Option<Arc<Link>>,
}

#[derive(Debug, Clone)]
pub enum Content {
    /// Never holds tabs or line breaks. Soft hyphens are U+00AD, no-break hyphens U+2011.
    Text(String),
    /// To the next tab stop (§17.3.3.32).
    Tab,
    /// To a place of its own (§17.3.3.23).
    PositionedTab(PositionedTab),
    Break(Break),
    Drawing(Arc<Drawing>),
    /// The mark of a note in the text; `custom` replaces the number (the mark is then the text that follows).
    NoteReference {
        kind: NoteKind,
        id: i64,
        custom: bool,
    },
    /// The note's own number, at its beginning (§17.11.13).
    NoteMark,
    /// A field whose text depends on the layout or on the moment; `result` is what the document last showed.
    Field {
        field: Field,
        result: String,
    },
    BookmarkStart(Arc<str>),
    BookmarkEnd(Arc<str>),
    CommentReference(Arc<str>),
    /// A field's value begins, where [`crate::ReadOptions::values`] asked for it: the field's number.
    ValueStart(u32),
    ValueEnd,
    /// Office Math (§22.1).
    Math(Box<Math>),
    /// What stands up to the next [`Content::RubyEnd`] is one thing in the line, with a reading above it (§17.3.3.25).
    RubyStart(Arc<Ruby>),
    RubyEnd,
}

impl Content {
    /// Marks a place and shows nothing.
    pub fn is_mark(&self) -> bool {
        matches!(self, Self::BookmarkStart(_) | Self::BookmarkEnd(_) | Self::ValueStart(_) | Self::ValueEnd)
    }
}

/// A reading and how it stands to its base (§17.3.3.28).
#[derive(Debug, Clone)]
pub struct Ruby {
    /// Text and fields.
    pub reading: Vec<Inline>,
    pub alignment: RubyAlignment,
    /// From the baseline of the base up to that of the reading, in points.
    pub raise: f32,
}

/// §17.18.77: how the narrower of reading and base stands to the wider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum RubyAlignment {
    #[default]
    Center,
    Left,
    Right,
    /// Its letters are set apart until it is as wide.
    #[strum(serialize = "distributeLetter")]
    Distribute,
    /// The same, with half of the room between two letters at both ends.
    #[strum(serialize = "distributeSpace")]
    DistributeWithSpace,
    /// The letters of the reading stand below each other on the right of the base.
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
    /// A line break that goes on below floating objects on the given sides (§17.18.5 w:clear).
    LineClear,
    Page,
    Column,
}

/// §17.16.5, as far as the layout computes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    Page(Option<NumberFormat>),
    Pages(Option<NumberFormat>),
    SectionPages(Option<NumberFormat>),
    Section,
    /// The page a bookmark stands on.
    PageReference(Arc<str>),
    /// The text of a bookmark.
    Reference(Arc<str>),
    /// The number of the paragraph a bookmark begins in, then whether it stands above or below the field.
    ReferenceNumber {
        id: NodeId,
        bookmark: Arc<str>,
        number: Option<NumberContext>,
        place: bool,
    },
    /// With its picture.
    Date(Option<String>),
    Time(Option<String>),
    /// By the name of the style.
    StyleReference(Arc<str>),
}

/// How much of a number of several levels a reference shows (§17.16.5.50).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberContext {
    /// \n: the paragraph's own level.
    Own,
    /// \r: the levels that differ from those of the field's own paragraph.
    Relative,
    /// \w: all levels.
    Full,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    Uri(String),
    Bookmark(String),
}

impl Link {
    /// To an address, a bookmark of this document, or a place in what lies at the address.
    pub(crate) fn to(address: Option<&str>, place: Option<&str>) -> Option<Self> {
        match (address, place) {
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
    /// w:lvlJc: where the label stands relative to the first line's indent.
    pub alignment: Justification,
    /// The numbering level's own tab stop (older documents: w:tabs in the level), in points.
    pub tab: Option<f32>,
    /// The highest level whose number its text holds: of `%1.%2` the first, 0. `None`: it holds no number.
    pub holds_from: Option<u8>,
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
    /// w:bidi: a right-to-left paragraph.
    pub bidi: bool,
    /// Text that is not of Word: its runs are not marked with a direction, its letters have the only say (UAX #9).
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
    /// 0 to 8; `None` is body text.
    pub outline_level: Option<u8>,
    /// Sorted by position; cleared stops are gone.
    pub tabs: Vec<TabStop>,
    pub frame: Option<Frame>,
    pub suppress_line_numbers: bool,
    pub suppress_auto_hyphens: bool,
    #[default(true)]
    pub snap_to_grid: bool,
    pub east_asian_spacing: EastAsianSpacing,
    /// The numbering it belongs to, for structure: (w:numId, w:ilvl).
    pub numbering: Option<(i64, u8)>,
}

/// Where East Asian letters stand beside others, a quarter of an em is left between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SmartDefault)]
pub struct EastAsianSpacing {
    /// Beside Latin letters (§17.3.1.2 w:autoSpaceDE).
    #[default(true)]
    pub latin: bool,
    /// Beside digits (§17.3.1.3 w:autoSpaceDN).
    #[default(true)]
    pub digits: bool,
}

/// §17.18.44. `Start` is the leading edge: right in a bidi paragraph, where Word's `left` means it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Alignment {
    #[default]
    #[strum(serialize = "start", serialize = "left", serialize = "numTab")]
    Start,
    Center,
    #[strum(serialize = "end", serialize = "right")]
    End,
    /// Spaces stretch, the last line does not.
    Both,
    /// Spaces and characters stretch, the last line too.
    #[strum(serialize = "distribute", serialize = "thaiDistribute")]
    Distribute,
    LowKashida,
    MediumKashida,
    HighKashida,
}

/// In points; `start` is the leading side (§17.3.1.12). Character units are already converted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Indent {
    pub start: f32,
    pub end: f32,
    /// Added to `start` on the first line; negative hangs.
    pub first_line: f32,
}

/// §17.3.1.33
#[derive(Debug, Clone, Copy, PartialEq, SmartDefault)]
pub struct Spacing {
    pub before: f32,
    pub after: f32,
    /// w:beforeAutospacing: HTML's 14 pt, none at the start of a cell or between list items.
    pub before_auto: bool,
    pub after_auto: bool,
    #[default(LineSpacing::Multiple(1.0))]
    pub line: LineSpacing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineSpacing {
    /// Of the font's own line height: w:line / 240.
    Multiple(f32),
    AtLeast(f32),
    Exactly(f32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TabStop {
    /// From the leading margin (not from the indent).
    pub position: f32,
    pub kind: TabKind,
    pub leader: TabLeader,
}

/// §17.18.84; `Start` and `End` are sides of the paragraph's direction.
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
    /// Relative to the indents rather than to the margins.
    pub relative_to_indent: bool,
    pub leader: TabLeader,
}

/// §17.3.1.24; left and right are sides of the page.
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
    /// Of one line, in points: 0.25 to 12.
    pub width: f32,
    /// `None` is automatic: black.
    pub color: Option<Rgb>,
    /// Between the border and the text, in points.
    pub space: f32,
    pub shadow: bool,
}

/// §17.18.2 without the art borders, which are read as `Single`. In the order of §17.4.66: of two that are as heavy the first is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum BorderStyle {
    /// Explicitly none: wins over an outer border.
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
    /// `None`: at the anchor's leading edge.
    pub x: Option<Place>,
    /// `None`: in the flow.
    pub y: Option<Place>,
    pub horizontal_space: f32,
    pub vertical_space: f32,
    pub wrap: FrameWrap,
    pub drop_cap: Option<DropCap>,
}

/// What the text around a frame does (§17.18.104).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FrameWrap {
    #[default]
    Around,
    /// It stays above and below.
    #[strum(serialize = "notBeside", serialize = "topAndBottom")]
    NotBeside,
    /// It goes on as if there were no frame.
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

/// How a number is written (§17.18.59).
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
    /// *, †, ‡, § … repeated.
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
    /// Korea's own number words.
    KoreanLegal,
    /// 가, 나, 다 …
    Ganada,
    /// ㄱ, ㄴ, ㄷ …
    Chosung,
    ThaiLetters,
    ThaiNumbers,
}
