//! Formulas (Office Math, ECMA-376 part 1, §22.1) as boxes on a baseline.
//!
//! The rules are TeX's (*The TeXbook*, appendix G) with the measures of the font's MATH table, as Word's are. A formula comes
//! out as pieces that a line may be broken between; each has its width, what it needs above and below the line, and its ink.
//! Letters are found as they were typed, whatever alphabet shows them.

mod alphabet;
mod arrays;
pub(crate) mod boxes;
mod class;
mod font;
mod marks;
mod paint;
mod pieces;
mod row;
mod scripts;
mod stretch;
mod structure;

use std::sync::Arc;

use waraq_docx::tree::{MathNode, Rgb, RunProperties};

use crate::text::{Context, SingleLine};
use font::MathFont;
pub(crate) use pieces::{Pieces, set};

/// What a formula is set with.
struct Setter<'a> {
    context: &'a Context<'a>,
    /// Sets text of scripts whose letters join or change places.
    single_line: SingleLine,
    font: MathFont<'a>,
    /// Behind the paragraph: automatic colour is by it.
    shading: Option<Rgb>,
}

/// Where in a formula something stands.
struct Place<'r> {
    style: Style,
    /// Whose size and colour signs have.
    run: &'r Arc<RunProperties>,
    depth: u8,
}

impl<'r> Place<'r> {
    fn styled(&self, style: Style) -> Place<'r> {
        Place { style, run: self.run, depth: self.depth }
    }

    /// Inside a structure, which looks as its first letters do.
    fn inside<'n>(&self, node: &'n MathNode) -> Place<'n>
    where
        'r: 'n,
    {
        Place { style: self.style, run: node.first_run().unwrap_or(self.run), depth: self.depth + 1 }
    }
}

impl Setter<'_> {
    /// Of letters at this place, in points.
    fn size(&self, place: &Place) -> f32 {
        let size = if place.run.size.is_finite() { place.run.size.clamp(0.5, 1638.0) } else { 10.0 };
        size * self.font.scale(place.style.level)
    }

    fn color(&self, place: &Place) -> Rgb {
        crate::text::run_color(place.run, self.shading)
    }
}

/// The four sizes a formula is set in, as in TeX and the OpenType MATH table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// A formula in a line of its own.
    Display,
    Text,
    Script,
    ScriptScript,
}

/// A size, and whether superscripts are kept low: under a bar or a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Style {
    level: Level,
    cramped: bool,
}

impl Style {
    fn is_display(self) -> bool {
        self.level == Level::Display
    }

    fn is_script(self) -> bool {
        matches!(self.level, Level::Script | Level::ScriptScript)
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
            Level::Display => Level::Text,
            Level::Text => Level::Script,
            Level::Script | Level::ScriptScript => Level::ScriptScript,
        };
        Self { level, ..self }
    }

    fn denominator(self) -> Self {
        self.numerator().cramped()
    }

    /// Of a cell of a matrix or an array.
    fn cell(self) -> Self {
        if self.is_display() { Self { level: Level::Text, ..self } } else { self }
    }

    /// Of a radical's degree.
    fn degree(self) -> Self {
        Self { level: Level::ScriptScript, cramped: true }
    }
}
