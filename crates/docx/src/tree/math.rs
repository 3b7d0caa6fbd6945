//! Formulas (Office Math, ECMA-376 part 1, §22.1).

use std::sync::Arc;

use strum::EnumString;

use super::{NodeId, RunProperties};

/// A formula. `text` reads it in one line, for what cannot set it and for assistive technology.
#[derive(Debug, Clone, Default)]
pub struct Math {
    pub id: NodeId,
    /// A paragraph of its own (m:oMathPara) rather than in the line.
    pub display: bool,
    /// Of a displayed formula.
    pub alignment: MathAlignment,
    pub content: MathRow,
    pub text: String,
}

/// What stands side by side.
pub type MathRow = Vec<MathNode>;

/// §22.1.3.11; `CenterAsGroup` is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum MathAlignment {
    #[strum(serialize = "left")]
    Start,
    Center,
    #[strum(serialize = "right")]
    End,
    #[default]
    CenterAsGroup,
}

#[derive(Debug, Clone)]
pub enum MathNode {
    Run(MathRun),
    /// The formula goes on in another line; only at the top of a displayed formula, never at its ends.
    LineBreak,
    /// §22.1.2.36
    Fraction {
        kind: FractionKind,
        numerator: MathRow,
        denominator: MathRow,
    },
    /// §22.1.2.88
    Radical {
        degree: Option<MathRow>,
        radicand: MathRow,
    },
    /// Subscript and superscript after the base, or before it (§22.1.2.99).
    Scripts {
        base: MathRow,
        subscript: Option<MathRow>,
        superscript: Option<MathRow>,
        before: bool,
    },
    /// Sums, integrals … (§22.1.2.70).
    LargeOperator {
        operator: char,
        /// Limits stand above and below rather than beside.
        limits_above_and_below: bool,
        /// The operator grows with what it applies to (§22.1.2.44).
        grow: bool,
        lower: Option<MathRow>,
        upper: Option<MathRow>,
        body: MathRow,
    },
    /// Brackets around one or more items (§22.1.2.24). An empty side is not drawn.
    Delimiters {
        open: String,
        separator: String,
        close: String,
        grow: bool,
        items: Vec<MathRow>,
    },
    /// Rows of cells (§22.1.2.60).
    Matrix {
        rows: Vec<Vec<MathRow>>,
        alignment: Vec<MathAlignment>,
    },
    /// `sin x` (§22.1.2.39).
    Function {
        name: MathRow,
        argument: MathRow,
    },
    /// A mark over the base (§22.1.2.1).
    Accent {
        mark: char,
        base: MathRow,
    },
    /// A line over or under the base (§22.1.2.7).
    Bar {
        over: bool,
        base: MathRow,
    },
    /// Something smaller under or over the base (§22.1.2.54, §22.1.2.56).
    Limit {
        base: MathRow,
        limit: MathRow,
        over: bool,
    },
    /// A stretched character over or under the base (§22.1.2.41).
    GroupCharacter {
        character: char,
        over: bool,
        /// The character, not the base, stands on the line (§22.1.2.119): an arrow with words above it.
        on_baseline: bool,
        base: MathRow,
    },
    /// Content in a frame (§22.1.2.11).
    BorderBox {
        /// Top, bottom, left, right.
        sides: [bool; 4],
        /// Lines through the content: across, down, from the bottom left, from the top left.
        strikes: [bool; 4],
        content: MathRow,
    },
    /// A part that is one thing to the rest of the formula (§22.1.2.13).
    Box {
        /// It takes an operator's space.
        operator: bool,
        /// No line ends inside.
        no_break: bool,
        /// A differential: a little space before it.
        differential: bool,
        content: MathRow,
    },
    /// Rows aligned below each other (§22.1.2.34). In their runs `&` is in turn a place where the rows are aligned and one
    /// where they are spread; `#` begins the equation's number.
    EquationArray {
        rows: Vec<MathRow>,
    },
    /// Content that takes space; `shown` is false for a gap (§22.1.2.81).
    Phantom {
        shown: bool,
        zero_width: bool,
        zero_ascent: bool,
        zero_descent: bool,
        content: MathRow,
    },
}

#[derive(Debug, Clone)]
pub struct MathRun {
    pub text: String,
    pub style: MathStyle,
    pub script: MathScript,
    /// m:nor: ordinary text.
    pub normal_text: bool,
    /// m:brk: the author ends the line before this run (§22.1.2.15).
    pub break_before: bool,
    /// m:aln: the lines of a displayed formula stand with this run below each other (§22.1.2.4).
    pub align: bool,
    pub run: Arc<RunProperties>,
}

/// §22.1.3.16; letters are italic unless a formula says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum MathStyle {
    #[strum(serialize = "p")]
    Plain,
    #[strum(serialize = "b")]
    Bold,
    #[default]
    #[strum(serialize = "i")]
    Italic,
    #[strum(serialize = "bi")]
    BoldItalic,
}

/// The alphabet of the letters (§22.1.3.14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum MathScript {
    #[default]
    Roman,
    Script,
    Fraktur,
    DoubleStruck,
    SansSerif,
    Monospace,
}

/// §22.1.3.6
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FractionKind {
    #[default]
    Bar,
    #[strum(serialize = "skw")]
    Skewed,
    #[strum(serialize = "lin")]
    Linear,
    NoBar,
}

impl MathNode {
    /// The formatting of its first letters, by which the size and colour of its signs go.
    pub fn first_run(&self) -> Option<&Arc<RunProperties>> {
        fn in_row(row: &MathRow) -> Option<&Arc<RunProperties>> {
            row.iter().find_map(MathNode::first_run)
        }
        match self {
            Self::Run(run) => Some(&run.run),
            Self::LineBreak => None,
            Self::Fraction { numerator: first, denominator: second, .. }
            | Self::LargeOperator { body: first, lower: Some(second), .. }
            | Self::Function { name: first, argument: second }
            | Self::Limit { base: first, limit: second, .. } => in_row(first).or_else(|| in_row(second)),
            Self::Radical { radicand: inner, .. }
            | Self::Scripts { base: inner, .. }
            | Self::LargeOperator { body: inner, .. }
            | Self::Accent { base: inner, .. }
            | Self::Bar { base: inner, .. }
            | Self::GroupCharacter { base: inner, .. }
            | Self::BorderBox { content: inner, .. }
            | Self::Box { content: inner, .. }
            | Self::Phantom { content: inner, .. } => in_row(inner),
            Self::Delimiters { items: rows, .. } | Self::EquationArray { rows } => rows.iter().find_map(in_row),
            Self::Matrix { rows, .. } => rows.iter().flatten().find_map(in_row),
        }
    }
}
