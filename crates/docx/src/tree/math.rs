//! Formulas (Office Math, ECMA-376 part 1, §22.1).

use std::sync::Arc;

use strum::EnumString;

use super::{NodeId, RunProperties};

/// A formula, as a row of nodes for the layout and as plain text for other uses.
#[derive(Debug, Clone, Default)]
pub struct Math {
    /// The identifier of the formula, for the structure tree of the PDF.
    pub id: NodeId,
    /// The formula is displayed in a paragraph of its own (m:oMathPara). If `false`, it is part of a line of text.
    pub display: bool,
    /// The horizontal alignment. It is used only if `display` is `true`.
    pub alignment: MathAlignment,
    /// The nodes from left to right.
    pub content: MathRow,
    /// The linear form of the formula as plain text, for assistive technology and for output without formula layout.
    pub text: String,
}

/// A list of formula nodes, from left to right.
pub type MathRow = Vec<MathNode>;

/// The alignment of a displayed formula (§22.1.3.11). The default is `CenterAsGroup`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum MathAlignment {
    /// The content is aligned at the left.
    #[strum(serialize = "left")]
    Start,
    /// Each line is centred.
    Center,
    /// The content is aligned at the right.
    #[strum(serialize = "right")]
    End,
    /// The lines begin at the same position, and the longest line is centred.
    #[default]
    CenterAsGroup,
}

/// A node of a formula.
#[derive(Debug, Clone)]
pub enum MathNode {
    /// Letters, digits and signs with the same formatting (m:r).
    Run(MathRun),
    /// A line break at the top level of a displayed formula. It is never the first or the last node.
    LineBreak,
    /// A fraction (§22.1.2.36).
    Fraction {
        /// The form of the fraction (m:type).
        kind: FractionKind,
        /// The part above or before the fraction line (m:num).
        numerator: MathRow,
        /// The part below or after the fraction line (m:den).
        denominator: MathRow,
    },
    /// A root (§22.1.2.88).
    Radical {
        /// The degree (m:deg). `None`: it is hidden or empty, as in a square root.
        degree: Option<MathRow>,
        /// The content under the root sign (m:e).
        radicand: MathRow,
    },
    /// A base with a subscript, a superscript or both (§22.1.2.99).
    Scripts {
        /// The base (m:e).
        base: MathRow,
        /// The subscript (m:sub). `None`: the base has no subscript.
        subscript: Option<MathRow>,
        /// The superscript (m:sup). `None`: the base has no superscript.
        superscript: Option<MathRow>,
        /// The scripts are before the base (m:sPre). If `false`, they are after the base.
        before: bool,
    },
    /// An operator such as a sum or an integral (§22.1.2.70).
    LargeOperator {
        /// The sign of the operator (m:chr). The default is an integral.
        operator: char,
        /// The limits are above and below the operator. If `false`, they are at its side.
        limits_above_and_below: bool,
        /// The sign of the operator grows with the height of the operand (§22.1.2.44).
        grow: bool,
        /// The lower limit (m:sub). `None`: it is hidden or empty.
        lower: Option<MathRow>,
        /// The upper limit (m:sup). `None`: it is hidden or empty.
        upper: Option<MathRow>,
        /// The operand (m:e).
        body: MathRow,
    },
    /// Brackets around one or more items (§22.1.2.24). A bracket whose string is empty is not drawn.
    Delimiters {
        /// The opening bracket (m:begChr). The default is `(`.
        open: String,
        /// The sign between two items (m:sepChr). The default is `|`.
        separator: String,
        /// The closing bracket (m:endChr). The default is `)`.
        close: String,
        /// The brackets are as tall as the items (m:grow). The default is true.
        grow: bool,
        /// The items between the brackets (m:e).
        items: Vec<MathRow>,
    },
    /// Rows of cells (§22.1.2.60).
    Matrix {
        /// The cells of each row (m:mr). Rows may have different lengths.
        rows: Vec<Vec<MathRow>>,
        /// The alignment of each column (m:mcJc). Columns without an entry are centred.
        alignment: Vec<MathAlignment>,
    },
    /// A function such as `sin x` (§22.1.2.39).
    Function {
        /// The name of the function, such as `sin` (m:fName). The name may have a limit below it, as in `lim`.
        name: MathRow,
        /// The argument of the function (m:e).
        argument: MathRow,
    },
    /// A base with a mark over it, such as a hat or a dot (§22.1.2.1).
    Accent {
        /// The combining character of the mark (m:chr). The default is the circumflex U+0302.
        mark: char,
        /// The content under the mark (m:e).
        base: MathRow,
    },
    /// A base with a line over or under it (§22.1.2.7).
    Bar {
        /// The line is over the base (m:pos `top`). If `false`, it is under the base.
        over: bool,
        /// The content with the line (m:e).
        base: MathRow,
    },
    /// A base with a smaller expression under or over it (§22.1.2.54, §22.1.2.56).
    Limit {
        /// The base (m:e).
        base: MathRow,
        /// The smaller expression (m:lim).
        limit: MathRow,
        /// The smaller expression is over the base (m:limUpp). If `false`, it is under the base (m:limLow).
        over: bool,
    },
    /// A base with a stretched character over or under it, such as a bracket (§22.1.2.41).
    GroupCharacter {
        /// The stretched character (m:chr). The default is the bottom curly bracket U+23DF.
        character: char,
        /// The character is over the base (m:pos `top`). If `false`, it is under the base.
        over: bool,
        /// The character is on the baseline of the formula, and the base is above or below the character (§22.1.2.119).
        /// An example is an arrow with words above it. If `false`, the base is on the baseline.
        on_baseline: bool,
        /// The content under or over the character (m:e).
        base: MathRow,
    },
    /// Content with a border (§22.1.2.11).
    BorderBox {
        /// The sides that have a border: top, bottom, left, right.
        sides: [bool; 4],
        /// The lines drawn through the content: horizontal, vertical, diagonal from the bottom left, diagonal from the
        /// top left.
        strikes: [bool; 4],
        /// The content inside the border (m:e).
        content: MathRow,
    },
    /// A part that the formula treats as a single item (§22.1.2.13).
    Box {
        /// The box has space at its sides like an operator such as `+`.
        operator: bool,
        /// Line breaks inside are not allowed.
        no_break: bool,
        /// The box is a differential and has a small space before it.
        differential: bool,
        /// The content of the box (m:e).
        content: MathRow,
    },
    /// Rows aligned below each other (§22.1.2.34). The first, third, … `&` of each row is a position at which the rows
    /// are aligned. At the second, fourth, … `&`, space is added. `#` starts the equation number.
    EquationArray {
        /// The rows from top to bottom (m:e).
        rows: Vec<MathRow>,
    },
    /// Content whose size affects the layout (§22.1.2.81). The content may be invisible, and its width or height may
    /// count as zero.
    Phantom {
        /// The content is drawn (m:show). The default is true.
        shown: bool,
        /// The content takes no width (m:zeroWid).
        zero_width: bool,
        /// The content takes no height above the baseline (m:zeroAsc).
        zero_ascent: bool,
        /// The content takes no height below the baseline (m:zeroDesc).
        zero_descent: bool,
        /// The content that is measured (m:e).
        content: MathRow,
    },
}

/// A run of a formula (§22.1.2.87).
#[derive(Debug, Clone)]
pub struct MathRun {
    /// The characters, before they are mapped to a mathematical alphabet. Never empty.
    pub text: String,
    /// The weight and slope of letters (m:sty).
    pub style: MathStyle,
    /// The alphabet of letters (m:scr).
    pub script: MathScript,
    /// The run is ordinary text: `style` and `script` are not used (m:nor).
    pub normal_text: bool,
    /// The author has set a line break before this run (m:brk, §22.1.2.15).
    pub break_before: bool,
    /// The lines of a displayed formula are aligned at this run (m:aln, §22.1.2.4).
    pub align: bool,
    /// The font, size and colour.
    pub run: Arc<RunProperties>,
}

/// The style of letters (§22.1.3.16). The default is italic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum MathStyle {
    /// Upright.
    #[strum(serialize = "p")]
    Plain,
    /// Upright and bold.
    #[strum(serialize = "b")]
    Bold,
    /// Italic for letters. Digits are upright.
    #[default]
    #[strum(serialize = "i")]
    Italic,
    /// Bold and italic for letters.
    #[strum(serialize = "bi")]
    BoldItalic,
}

/// The alphabet of the letters (§22.1.3.14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum MathScript {
    /// The normal alphabet.
    #[default]
    Roman,
    /// Calligraphic letters: 𝒜, ℬ, 𝒞.
    Script,
    /// Black-letter: 𝔄, 𝔅, ℭ.
    Fraktur,
    /// Blackboard bold: 𝔸, 𝔹, ℂ.
    DoubleStruck,
    /// Letters without serifs: 𝖠, 𝖡, 𝖢.
    SansSerif,
    /// Letters of equal width: 𝙰, 𝙱, 𝙲.
    Monospace,
}

/// The kind of a fraction (§22.1.3.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum FractionKind {
    /// The numerator is above the denominator, with a line between them.
    #[default]
    Bar,
    /// The numerator is raised, the denominator is lowered, and a slash is between them.
    #[strum(serialize = "skw")]
    Skewed,
    /// Numerator, slash and denominator are on one line.
    #[strum(serialize = "lin")]
    Linear,
    /// The numerator is above the denominator, without a line, as in a binomial coefficient.
    NoBar,
}

impl MathNode {
    /// Returns the formatting of the first run in the node. Signs of the node, such as a root sign, have the size and
    /// colour of that run. Returns `None` if the node contains no run.
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
