//! Runs: the formatting of characters (ECMA-376 part 1, §17.3.2).

use std::sync::Arc;

use smart_default::SmartDefault;
use strum::EnumString;

use super::Rgb;

/// §17.3.2 resolved. The `complex` twins hold for right-to-left and complex-script characters. By default what Word assumes
/// where a document says nothing: 10 pt, no formatting (§17.7.5).
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
    /// w:rtl: the run's characters are right-to-left and use the complex twins (§17.3.2.30).
    pub right_to_left: bool,
    /// w:cs: use the complex twins whatever the characters are (§17.3.2.7).
    pub complex_script: bool,
    /// `None` is automatic: black, or white on a dark background.
    pub color: Option<Rgb>,
    pub highlight: Option<Rgb>,
    pub shading: Option<Rgb>,
    pub underline: Option<Underline>,
    pub strike: Strike,
    pub caps: bool,
    pub small_caps: bool,
    pub vertical_position: VerticalPosition,
    /// Raised (positive) or lowered, in points (§17.3.2.24).
    pub raise: f32,
    /// Added to every character's advance (§17.3.2.35).
    pub spacing: f32,
    /// Width of characters, 1.0 is normal (§17.3.2.43).
    #[default(1.0)]
    pub scale: f32,
    /// Pairs are kerned from this size on; `None`: never (§17.3.2.19).
    pub kerning_from: Option<f32>,
    /// w14:ligatures: whether standard ligatures apply to Latin text.
    pub ligatures: bool,
    pub hidden: bool,
    pub emboss: bool,
    pub imprint: bool,
    pub outline: bool,
    pub shadow: bool,
    pub emphasis_mark: EmphasisMark,
    pub border: Option<super::Border>,
    pub language: Languages,
    /// w:fitText: the run is stretched or squeezed to a width.
    pub fit: Option<FitText>,
    /// w:noProof: its words are not hyphenated (§17.3.2.21).
    pub no_proof: bool,
    /// w:snapToGrid
    #[default(true)]
    pub snap_to_grid: bool,
    pub revision: Option<Revision>,
    /// The character style's name, for structure and STYLEREF.
    pub style: Option<Arc<str>>,
}

/// Font families of the four slots (§17.3.2.26); a character's slot is decided by the layout.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Fonts {
    pub ascii: Option<Arc<str>>,
    pub high_ansi: Option<Arc<str>>,
    pub east_asia: Option<Arc<str>>,
    pub complex: Option<Arc<str>>,
    pub hint: FontSlot,
}

impl Fonts {
    /// One family for all characters.
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

/// §17.3.2.14: neighbours with the same id share the width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitText {
    /// In points.
    pub width: f32,
    pub id: i64,
}

/// BCP 47 tags (§17.3.2.20).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Languages {
    pub latin: Option<Arc<str>>,
    pub east_asia: Option<Arc<str>>,
    pub complex: Option<Arc<str>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Underline {
    pub kind: UnderlineKind,
    /// `None`: the colour of the text.
    pub color: Option<Rgb>,
}

/// §17.18.99
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum UnderlineKind {
    Single,
    /// Only under words, not under spaces.
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

/// §17.18.24
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

/// Tracked changes (§17.13.5); only present where they are to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub kind: RevisionKind,
    pub author: Arc<str>,
    /// How many other people changed or commented something before: each has a colour.
    pub reviewer: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevisionKind {
    Inserted,
    Deleted,
    MovedFrom,
    MovedTo,
    /// Its look is another than it was.
    Formatted,
}
