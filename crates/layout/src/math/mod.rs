//! Layout of formulas (Office Math, ECMA-376 part 1, §22.1) as boxes on a baseline.
//!
//! The rules are those of TeX (*The TeXbook*, appendix G) with the constants of the MATH table of the font, as in Word. The
//! result is a list of [`FormulaFragment`](boxes::FormulaFragment)s, and a line may break between two of them. A fragment has a
//! width, an ascent, a descent and drawn content. Its text has the characters as they were typed, so that search finds them in
//! any mathematical alphabet.

mod alphabet;
mod arrays;
pub(crate) mod boxes;
mod class;
mod font;
mod lines;
mod marks;
mod paint;
mod row;
mod scripts;
mod stretch;
mod structure;

use std::sync::Arc;

use waraq_docx::tree::{MathNode, Rgb, RunProperties};

use crate::text::{Context, SingleLine};
use font::MathFont;
pub(crate) use lines::{MathLines, lay_out_formula};

/// The inputs that are the same for all parts of a formula.
struct FormulaLayout<'a> {
    context: &'a Context<'a>,
    /// The function that lays out text in scripts whose letters join or are reordered, such as Arabic.
    single_line: SingleLine,
    font: MathFont<'a>,
    /// Background colour of the paragraph. The automatic text colour depends on it.
    shading: Option<Rgb>,
}

/// The formatting and the nesting depth that apply to a node of a formula.
struct NodeContext<'r> {
    style: Style,
    /// The run that gives the size and colour to signs that have no run of their own, such as brackets.
    run: &'r Arc<RunProperties>,
    /// Number of structures that contain the node.
    depth: u8,
}

impl<'r> NodeContext<'r> {
    /// Returns the same context with another style.
    fn with_style(&self, style: Style) -> NodeContext<'r> {
        NodeContext { style, run: self.run, depth: self.depth }
    }

    /// Returns the context for the content of the structure `node`. Signs without a run of their own get the formatting of the
    /// first run in the structure.
    fn inside_structure<'n>(&self, node: &'n MathNode) -> NodeContext<'n>
    where
        'r: 'n,
    {
        NodeContext { style: self.style, run: node.first_run().unwrap_or(self.run), depth: self.depth + 1 }
    }
}

impl FormulaLayout<'_> {
    /// Returns the font size in this context, in points.
    fn size(&self, ctx: &NodeContext) -> f32 {
        let size = if ctx.run.size.is_finite() { ctx.run.size.clamp(0.5, 1638.0) } else { 10.0 };
        size * self.font.level_scale(ctx.style.level)
    }

    fn color(&self, ctx: &NodeContext) -> Rgb {
        crate::text::run_color(ctx.run, self.shading)
    }
}

/// The four sizes of the parts of a formula, as in TeX and the OpenType MATH table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SizeLevel {
    /// A formula on its own line.
    Display,
    Text,
    Script,
    ScriptScript,
}

/// The size level of a part of a formula. `cramped` is true if the part is under a bar or a root, where superscripts are raised
/// less, as in TeX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Style {
    level: SizeLevel,
    cramped: bool,
}

impl Style {
    fn is_display(self) -> bool {
        self.level == SizeLevel::Display
    }

    fn is_script(self) -> bool {
        matches!(self.level, SizeLevel::Script | SizeLevel::ScriptScript)
    }

    fn cramped(self) -> Self {
        Self { cramped: true, ..self }
    }

    fn superscript(self) -> Self {
        self.cell().numerator()
    }

    fn subscript(self) -> Self {
        self.superscript().cramped()
    }

    fn numerator(self) -> Self {
        let level = match self.level {
            SizeLevel::Display => SizeLevel::Text,
            SizeLevel::Text => SizeLevel::Script,
            SizeLevel::Script | SizeLevel::ScriptScript => SizeLevel::ScriptScript,
        };
        Self { level, ..self }
    }

    fn denominator(self) -> Self {
        self.numerator().cramped()
    }

    /// Returns the style that a cell of a matrix or an array has in a formula of this style.
    fn cell(self) -> Self {
        if self.is_display() { Self { level: SizeLevel::Text, ..self } } else { self }
    }

    /// Returns the style that the degree of a root has in a formula of this style.
    fn degree(self) -> Self {
        Self { level: SizeLevel::ScriptScript, cramped: true }
    }
}
