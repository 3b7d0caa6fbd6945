//! Runs: character formatting (ECMA-376 part 1, §17.3.2).

use std::sync::Arc;

use smart_default::SmartDefault;
use strum::EnumString;

use super::Rgb;

/// Resolved run properties (§17.3.2). The fields with `complex` in their names apply to characters that are
/// right-to-left or of a complex script.
///
/// The defaults are Word's own: 10 pt, no formatting (§17.7.5).
#[derive(Debug, Clone, PartialEq, SmartDefault)]
pub struct RunProperties {
    /// The font families.
    pub fonts: Fonts,
    /// The font size in points (w:sz). Always positive.
    #[default(10.0)]
    pub size: f32,
    /// The font size of complex-script characters in points (w:szCs). Always positive.
    #[default(10.0)]
    pub size_complex: f32,
    /// Bold (w:b, §17.3.2.1).
    pub bold: bool,
    /// Bold for complex-script characters (w:bCs).
    pub bold_complex: bool,
    /// Italic (w:i, §17.3.2.16).
    pub italic: bool,
    /// Italic for complex-script characters (w:iCs).
    pub italic_complex: bool,
    /// The characters are right-to-left (w:rtl, §17.3.2.30). They use the `complex` fields, such as `size_complex`.
    pub right_to_left: bool,
    /// All characters, also Latin letters, use the `complex` fields, such as `size_complex` (w:cs, §17.3.2.7).
    pub complex_script: bool,
    /// The text colour. `None` is the automatic colour: black, or white on a dark background.
    pub color: Option<Rgb>,
    /// The highlight colour (w:highlight), drawn over `shading`. `None`: no highlight.
    pub highlight: Option<Rgb>,
    /// The background colour (w:shd). Patterns are blended to one colour. `None`: no background.
    pub shading: Option<Rgb>,
    /// The underline (w:u). `None`: no underline.
    pub underline: Option<Underline>,
    /// The line through the text (w:strike, w:dstrike).
    pub strike: Strike,
    /// Lower-case letters are displayed as capitals (w:caps).
    pub caps: bool,
    /// Lower-case letters are displayed as small capitals (w:smallCaps).
    pub small_caps: bool,
    /// The vertical position of the text: on the baseline, superscript or subscript (w:vertAlign).
    pub vertical_position: VerticalPosition,
    /// The vertical shift in points; positive is up (§17.3.2.24).
    pub raise: f32,
    /// The space in points added to the advance of every character (§17.3.2.35).
    pub spacing: f32,
    /// The horizontal scale of characters; 1.0 is normal (§17.3.2.43).
    #[default(1.0)]
    pub scale: f32,
    /// The smallest font size in points at which pairs of letters are kerned (§17.3.2.19). `None`: no kerning.
    pub kerning_from: Option<f32>,
    /// Standard ligatures apply to Latin text (w14:ligatures).
    pub ligatures: bool,
    /// The text is not displayed and takes no space (w:vanish).
    pub hidden: bool,
    /// The letters look raised, with a shadow at the lower right (§17.3.2.13 w:emboss).
    pub emboss: bool,
    /// The letters look engraved, with a shadow at the upper left (§17.3.2.18 w:imprint).
    pub imprint: bool,
    /// Only the outlines of the letters are drawn (w:outline).
    pub outline: bool,
    /// The letters have a shadow at the lower right (§17.3.2.31 w:shadow).
    pub shadow: bool,
    /// The emphasis mark above or below each character (w:em).
    pub emphasis_mark: EmphasisMark,
    /// The border around the run (w:bdr). `None`: no border.
    pub border: Option<super::Border>,
    /// The languages of the text, for hyphenation, for numbers in words and for the PDF.
    pub language: Languages,
    /// The width that the run is stretched or compressed to (w:fitText). `None`: the natural width.
    pub fit: Option<FitText>,
    /// Words of the run are not hyphenated (w:noProof, §17.3.2.21).
    pub no_proof: bool,
    /// The characters are aligned to the document grid (w:snapToGrid).
    #[default(true)]
    pub snap_to_grid: bool,
    /// The tracked change of the run. `None`: no change, or changes are not shown.
    pub revision: Option<Revision>,
    /// The name of the character style, for the structure tree of the PDF and for STYLEREF fields. `None`: no character
    /// style.
    pub style: Option<Arc<str>>,
}

impl RunProperties {
    /// Returns the language (BCP 47) of most characters of the run: of its complex scripts if the run is right-to-left or
    /// complex, else of its Latin text. Returns `None` if no language is specified.
    pub fn main_language(&self) -> Option<&Arc<str>> {
        let is_complex = self.right_to_left || self.complex_script;
        if is_complex { self.language.complex.as_ref() } else { self.language.latin.as_ref() }
    }
}

/// The font families of a run (§17.3.2.26). There are four slots, one for each group of characters. The layout selects
/// the slot of each character.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Fonts {
    /// The family of ASCII characters (w:ascii). `None`: not specified.
    pub ascii: Option<Arc<str>>,
    /// The family of characters that are neither ASCII nor East Asian nor complex script (w:hAnsi). `None`: not
    /// specified.
    pub high_ansi: Option<Arc<str>>,
    /// The family of East Asian characters (w:eastAsia). `None`: not specified.
    pub east_asia: Option<Arc<str>>,
    /// The family of complex-script and right-to-left characters (w:cs). `None`: not specified.
    pub complex: Option<Arc<str>>,
    /// The preferred slot for characters that could belong to more than one slot (w:hint).
    pub hint: FontSlot,
}

impl Fonts {
    /// Returns fonts with the same family in all four slots. With `None`, no slot has a family.
    pub fn all(family: Option<Arc<str>>) -> Self {
        let [ascii, high_ansi, east_asia] = [family.clone(), family.clone(), family.clone()];
        Self { ascii, high_ansi, east_asia, complex: family, hint: FontSlot::Default }
    }
}

/// The preferred font slot for characters that could belong to more than one slot (w:hint).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FontSlot {
    /// Without a preference, the slot depends only on the character.
    #[default]
    Default,
    /// The slot [`Fonts::east_asia`] is preferred, for example for quotation marks in Chinese text.
    EastAsia,
    /// The slot [`Fonts::complex`] is preferred.
    Complex,
}

/// The fixed width of a run (§17.3.2.14). Adjacent runs with the same id share this width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitText {
    /// The width in points.
    pub width: f32,
    /// The id that joins adjacent runs (w:id). 0 if the document has none.
    pub id: i64,
}

/// The languages of a run as BCP 47 tags (§17.3.2.20). `None`: not specified.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Languages {
    /// The language of Latin text (w:val).
    pub latin: Option<Arc<str>>,
    /// The language of East Asian text (w:eastAsia).
    pub east_asia: Option<Arc<str>>,
    /// The language of complex-script text (w:bidi).
    pub complex: Option<Arc<str>>,
}

/// The underline of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Underline {
    /// The pattern of the line. Unknown kinds in a file are read as `Single`.
    pub kind: UnderlineKind,
    /// The colour. `None`: the colour of the text.
    pub color: Option<Rgb>,
}

/// The kind of an underline (§17.18.99).
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum UnderlineKind {
    /// One thin line.
    Single,
    /// A line under words, but not under spaces.
    Words,
    /// Two thin lines.
    Double,
    /// One thick line.
    Thick,
    /// Thin dots.
    Dotted,
    /// Thick dots.
    DottedHeavy,
    /// Thin dashes.
    Dash,
    /// Thick dashes.
    #[strum(serialize = "dashedHeavy")]
    DashHeavy,
    /// Thin long dashes.
    DashLong,
    /// Thick long dashes.
    DashLongHeavy,
    /// A thin line of dots and dashes in turn.
    DotDash,
    /// A thick line of dots and dashes in turn.
    #[strum(serialize = "dashDotHeavy")]
    DotDashHeavy,
    /// A thin line of two dots and a dash in turn.
    DotDotDash,
    /// A thick line of two dots and a dash in turn.
    #[strum(serialize = "dashDotDotHeavy")]
    DotDotDashHeavy,
    /// One thin wavy line.
    Wave,
    /// One thick wavy line.
    #[strum(serialize = "wavyHeavy")]
    WaveHeavy,
    /// Two thin wavy lines.
    #[strum(serialize = "wavyDouble")]
    WaveDouble,
}

/// The line through text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strike {
    /// Text without a line through it.
    #[default]
    None,
    /// One line (w:strike).
    Single,
    /// Two lines (w:dstrike).
    Double,
}

/// The position of text relative to the baseline (w:vertAlign).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum VerticalPosition {
    /// The text is on the baseline and has its full size.
    #[default]
    Baseline,
    /// The text is raised and smaller.
    Superscript,
    /// The text is lowered and smaller.
    Subscript,
}

/// The kind of an emphasis mark (§17.18.24).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum EmphasisMark {
    /// Text without emphasis marks.
    #[default]
    None,
    /// A filled dot above the character.
    Dot,
    /// A comma above the character. It is drawn as a dot.
    Comma,
    /// An empty circle above the character.
    Circle,
    /// A filled dot below the character.
    UnderDot,
}

/// A tracked change (§17.13.5). Present only if tracked changes are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The kind of the change.
    pub kind: RevisionKind,
    /// The name of the author (w:author). Empty if the document has none.
    pub author: Arc<str>,
    /// The index of the author among all reviewers, from 0 in order of first appearance. Each reviewer has a colour.
    pub reviewer: usize,
}

/// The kind of a tracked change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevisionKind {
    /// Inserted content (w:ins).
    Inserted,
    /// Deleted content (w:del).
    Deleted,
    /// Moved content at its old position (w:moveFrom).
    MovedFrom,
    /// Moved content at its new position (w:moveTo).
    MovedTo,
    /// A change of the formatting.
    Formatted,
}
