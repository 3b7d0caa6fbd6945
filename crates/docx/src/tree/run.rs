//! Runs: character formatting (ECMA-376 part 1, §17.3.2).

use std::sync::Arc;

use smart_default::SmartDefault;
use strum::EnumString;

use super::Rgb;

/// Resolved run properties (§17.3.2). The `complex` fields apply to right-to-left and complex-script characters.
///
/// The defaults are Word's own: 10 pt, no formatting (§17.7.5).
#[derive(Debug, Clone, PartialEq, SmartDefault)]
pub struct RunProperties {
    pub fonts: Fonts,
    #[default(10.0)]
    pub size: f32,
    #[default(10.0)]
    pub size_complex: f32,
    pub bold: bool,
    pub bold_complex: bool,
    pub italic: bool,
    pub italic_complex: bool,
    /// The characters are right-to-left and use the `complex` fields (w:rtl, §17.3.2.30).
    pub right_to_left: bool,
    /// All characters use the `complex` fields (w:cs, §17.3.2.7).
    pub complex_script: bool,
    /// The text colour. `None` is the automatic colour: black, or white on a dark background.
    pub color: Option<Rgb>,
    pub highlight: Option<Rgb>,
    pub shading: Option<Rgb>,
    pub underline: Option<Underline>,
    pub strike: Strike,
    pub caps: bool,
    pub small_caps: bool,
    pub vertical_position: VerticalPosition,
    /// The vertical shift in points; positive is up (§17.3.2.24).
    pub raise: f32,
    /// The space in points added to the advance of every character (§17.3.2.35).
    pub spacing: f32,
    /// The horizontal scale of characters; 1.0 is normal (§17.3.2.43).
    #[default(1.0)]
    pub scale: f32,
    /// The minimum font size for pair kerning. `None`: no kerning (§17.3.2.19).
    pub kerning_from: Option<f32>,
    /// Standard ligatures apply to Latin text (w14:ligatures).
    pub ligatures: bool,
    pub hidden: bool,
    pub emboss: bool,
    pub imprint: bool,
    pub outline: bool,
    pub shadow: bool,
    pub emphasis_mark: EmphasisMark,
    pub border: Option<super::Border>,
    pub language: Languages,
    /// The width that the run is stretched or compressed to (w:fitText).
    pub fit: Option<FitText>,
    /// Words of the run are not hyphenated (w:noProof, §17.3.2.21).
    pub no_proof: bool,
    /// Characters align to the document grid (w:snapToGrid).
    #[default(true)]
    pub snap_to_grid: bool,
    pub revision: Option<Revision>,
    /// The name of the character style, for the document structure and STYLEREF fields.
    pub style: Option<Arc<str>>,
}

/// The font families of the four slots (§17.3.2.26). The layout selects the slot of each character.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Fonts {
    pub ascii: Option<Arc<str>>,
    pub high_ansi: Option<Arc<str>>,
    pub east_asia: Option<Arc<str>>,
    pub complex: Option<Arc<str>>,
    pub hint: FontSlot,
}

impl Fonts {
    /// Uses one family for all characters.
    pub fn all(family: Option<Arc<str>>) -> Self {
        let [ascii, high_ansi, east_asia] = [family.clone(), family.clone(), family.clone()];
        Self { ascii, high_ansi, east_asia, complex: family, hint: FontSlot::Default }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FontSlot {
    #[default]
    Default,
    EastAsia,
    Complex,
}

/// A run with a fixed width (§17.3.2.14). Adjacent runs with the same id share the width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitText {
    /// The width in points.
    pub width: f32,
    pub id: i64,
}

/// The languages of a run as BCP 47 tags (§17.3.2.20).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Languages {
    pub latin: Option<Arc<str>>,
    pub east_asia: Option<Arc<str>>,
    pub complex: Option<Arc<str>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Underline {
    pub kind: UnderlineKind,
    /// The colour. `None`: the colour of the text.
    pub color: Option<Rgb>,
}

/// The kind of an underline (§17.18.99).
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum UnderlineKind {
    Single,
    /// A line under words, but not under spaces.
    Words,
    Double,
    Thick,
    Dotted,
    DottedHeavy,
    Dash,
    #[strum(serialize = "dashedHeavy")]
    DashHeavy,
    DashLong,
    DashLongHeavy,
    DotDash,
    #[strum(serialize = "dashDotHeavy")]
    DotDashHeavy,
    DotDotDash,
    #[strum(serialize = "dashDotDotHeavy")]
    DotDotDashHeavy,
    Wave,
    #[strum(serialize = "wavyHeavy")]
    WaveHeavy,
    #[strum(serialize = "wavyDouble")]
    WaveDouble,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strike {
    #[default]
    None,
    Single,
    Double,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum VerticalPosition {
    #[default]
    Baseline,
    Superscript,
    Subscript,
}

/// The kind of an emphasis mark (§17.18.24).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum EmphasisMark {
    #[default]
    None,
    Dot,
    Comma,
    Circle,
    UnderDot,
}

/// A tracked change (§17.13.5). Present only if tracked changes are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub kind: RevisionKind,
    pub author: Arc<str>,
    /// The number of the reviewer, from 0, in order of first appearance. Each reviewer has a colour.
    pub reviewer: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevisionKind {
    Inserted,
    Deleted,
    MovedFrom,
    MovedTo,
    /// A change of the formatting.
    Formatted,
}
