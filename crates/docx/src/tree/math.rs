//! Formulas (Office Math, ECMA-376 part 1, §22.1).

use std::sync::Arc;

use strum::EnumString;

use super::{NodeId, RunProperties};

/// A formula. `text` is its linear form, for assistive technology and for output without formula layout.
#[derive(Debug, Clone, Default)]
pub struct Math {
    pub id: NodeId,
    /// The formula is a paragraph of its own (m:oMathPara), not part of a line.
    pub display: bool,
    /// The alignment of a displayed formula.
    pub alignment: MathAlignment,
    pub content: MathRow,
    pub text: String,
}

/// Nodes of a formula side by side.
pub type MathRow = Vec<MathNode>;

/// The alignment of a displayed formula (§22.1.3.11). The default is `CenterAsGroup`.
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
    /// A line break at the top level of a displayed formula. Never the first or the last node.
    LineBreak,
    /// A fraction (§22.1.2.36).
    Fraction {
        kind: FractionKind,
        numerator: MathRow,
        denominator: MathRow,
    },
    /// A root (§22.1.2.88).
    Radical {
        degree: Option<MathRow>,
        radicand: MathRow,
    },
    /// Subscript and superscript after or before the base (§22.1.2.99).
    Scripts {
        base: MathRow,
        subscript: Option<MathRow>,
        superscript: Option<MathRow>,
        before: bool,
    },
    /// An operator such as a sum or an integral (§22.1.2.70).
    LargeOperator {
        operator: char,
        /// Limits are above and below the operator, not at its side.
        limits_above_and_below: bool,
        /// The operator grows with its operand (§22.1.2.44).
        grow: bool,
        lower: Option<MathRow>,
        upper: Option<MathRow>,
        body: MathRow,
    },
    /// Brackets around one or more items (§22.1.2.24). An empty bracket is not drawn.
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
    /// A function such as `sin x` (§22.1.2.39).
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
    /// A smaller expression under or over the base (§22.1.2.54, §22.1.2.56).
    Limit {
        base: MathRow,
        limit: MathRow,
        over: bool,
    },
    /// A stretched character over or under the base (§22.1.2.41).
    GroupCharacter {
        character: char,
        over: bool,
        /// The character is on the baseline instead of the base (§22.1.2.119), for example an arrow with words above
        /// it.
        on_baseline: bool,
        base: MathRow,
    },
    /// Content with a border (§22.1.2.11).
    BorderBox {
        /// The sides that have a border: top, bottom, left, right.
        sides: [bool; 4],
        /// Lines through the content: horizontal, vertical, from the bottom left, from the top left.
        strikes: [bool; 4],
        content: MathRow,
    },
    /// A part that the formula treats as a single item (§22.1.2.13).
    Box {
        /// The box has the spacing of an operator.
        operator: bool,
        /// Line breaks inside are not allowed.
        no_break: bool,
        /// The box is a differential and has a small space before it.
        differential: bool,
        content: MathRow,
    },
    /// Rows aligned below each other (§22.1.2.34). In their runs, odd `&` characters are alignment points, and even
    /// ones are points where the rows are spread. `#` starts the equation number.
    EquationArray {
        rows: Vec<MathRow>,
    },
    /// Content that affects spacing (§22.1.2.81). If `shown` is `false`, it is not drawn.
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
    /// The run is ordinary text (m:nor).
    pub normal_text: bool,
    /// The author ends the line before this run (m:brk, §22.1.2.15).
    pub break_before: bool,
    /// The lines of a displayed formula are aligned at this run (m:aln, §22.1.2.4).
    pub align: bool,
    pub run: Arc<RunProperties>,
}

/// The style of letters (§22.1.3.16). The default is italic.
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

/// The kind of a fraction (§22.1.3.6).
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
    /// Returns the formatting of the first letters. It gives the size and colour of the node's signs.
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
