//! Boxes with drawn content on a baseline, and functions to combine them.

use waraq_docx::tree::{MathAlignment, NodeId, Rgb};

use crate::fonts::FaceChoice;
use crate::page::GlyphRun;

/// A part of a formula: its size and its drawn content. Positions are relative to the origin of the box, at the left end of its
/// baseline (x rightwards, y upwards, in points).
#[derive(Debug, Clone, Default)]
pub(crate) struct MathBox {
    pub width: f32,
    pub ascent: f32,
    pub descent: f32,
    /// Drawn content in reading order.
    pub elements: Vec<PlacedElement>,
    /// Italic correction in points: the distance by which the last glyph extends beyond the right edge of the box.
    pub italic_correction: f32,
    /// The x position at which an accent over the box is centred. If `None`, the accent is centred over the middle of the box.
    pub accent_x: Option<f32>,
    /// True for a single character. Its subscripts and superscripts have standard positions, which do not depend on the
    /// height of the box.
    pub is_single_character: bool,
}

/// A drawn element and the position of its origin.
#[derive(Debug, Clone)]
pub(crate) struct PlacedElement {
    pub x: f32,
    pub y: f32,
    pub element: MathElement,
}

/// A drawn element.
#[derive(Debug, Clone)]
pub(crate) enum MathElement {
    Glyph(Box<MathGlyphs>),
    /// A filled rectangle. Its origin is the top left corner.
    FilledRectangle {
        width: f32,
        height: f32,
        color: Rgb,
    },
    /// A line from the origin to the point (`right`, `up`).
    Stroke {
        right: f32,
        up: f32,
        width: f32,
        color: Rgb,
    },
    /// Text that the `text` module shaped.
    Run(Box<GlyphRun>),
}

/// A character that is drawn by one glyph or, if it is enlarged, by several.
#[derive(Debug, Clone)]
pub(crate) struct MathGlyphs {
    pub choice: FaceChoice,
    pub size: f32,
    pub color: Rgb,
    pub advance: f32,
    /// The character that the glyphs represent.
    pub text: char,
    pub glyphs: Vec<OffsetGlyph>,
}

/// A glyph with its offset in points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OffsetGlyph {
    /// Glyph id.
    pub id: u16,
    /// Horizontal offset in points from the origin of the drawn character, positive to the right.
    pub x: f32,
    /// Vertical offset in points from the origin of the drawn character, positive upwards.
    pub y: f32,
}

/// An equation number. It is drawn at the right edge of the text area.
#[derive(Debug, Clone)]
pub(crate) struct EquationNumber {
    /// The box of the number.
    pub content: MathBox,
    /// Height of the baseline of the equation number above the baseline of the formula, in points.
    pub baseline: f32,
}

/// A part of a formula without a break opportunity inside.
#[derive(Debug, Clone)]
pub(crate) struct FormulaFragment {
    pub content: MathBox,
    /// True if a line may begin with this fragment. False for the first fragment of the formula and for the first fragment
    /// after a line break that the author inserted.
    pub allows_break_before: bool,
    /// The alignment of a displayed formula. `None` for a formula in a line of text.
    pub display: Option<DisplayAlignment>,
    pub numbers: Vec<EquationNumber>,
    /// The id of the formula that contains the fragment.
    pub formula: NodeId,
}

/// The alignment of the lines of a displayed formula.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DisplayAlignment {
    pub alignment: MathAlignment,
    /// Width in points of the widest line of the formula if the lines are aligned as a group, else `None`.
    pub group_width: Option<f32>,
}

impl MathBox {
    /// Creates an empty box of this width.
    pub fn empty(width: f32) -> Self {
        Self { width, ..Self::default() }
    }

    /// Returns the box without its italic correction, its accent position and its flag for a single character. Only the box of
    /// a single letter has these properties.
    pub fn without_letter_properties(self) -> Self {
        Self { italic_correction: 0.0, accent_x: None, is_single_character: false, ..self }
    }

    /// Creates a filled rectangle with its bottom edge at `bottom`.
    pub fn filled_rectangle(width: f32, height: f32, bottom: f32, color: Rgb) -> Self {
        let element = MathElement::FilledRectangle { width, height, color };
        let drawn = vec![PlacedElement { x: 0.0, y: bottom + height, element }];
        Self {
            width,
            ascent: (bottom + height).max(0.0),
            descent: (-bottom).max(0.0),
            elements: drawn,
            ..Self::default()
        }
    }

    pub fn height(&self) -> f32 {
        self.ascent + self.descent
    }

    /// Moves the drawn content of the box by these distances in points. The size of the box does not change.
    fn shift(&mut self, right: f32, up: f32) {
        for drawn in &mut self.elements {
            drawn.x += right;
            drawn.y += up;
        }
    }

    /// Adds the box `inner` to this box, with the origin of `inner` at (`x`, `y`). The ascent and descent of this box grow to
    /// contain `inner`. The width of this box does not change.
    pub fn place_box(&mut self, mut inner: Self, x: f32, y: f32) {
        self.ascent = self.ascent.max(inner.ascent + y);
        self.descent = self.descent.max(inner.descent - y);
        inner.shift(x, y);
        self.elements.append(&mut inner.elements);
    }

    /// Appends a box at the right end of this one, on the same baseline.
    pub fn append(&mut self, inner: Self) {
        let (width, italic, single) = (inner.width, inner.italic_correction, inner.is_single_character);
        self.is_single_character = single && self.elements.is_empty();
        self.accent_x = if self.is_single_character { inner.accent_x.map(|at| at + self.width) } else { None };
        self.place_box(inner, self.width, 0.0);
        self.width += width;
        self.italic_correction = italic;
    }

    /// Returns the box, moved so that its vertical centre is `height` points above the baseline.
    pub fn centered_at(self, height: f32) -> Self {
        let up = height - (self.ascent - self.descent) / 2.0;
        self.moved_up(up)
    }

    /// Returns the box, moved up by `up` points.
    pub fn moved_up(mut self, up: f32) -> Self {
        self.shift(0.0, up);
        self.ascent += up;
        self.descent -= up;
        self
    }

    /// Returns the box with its size limited to 100,000 points, so that damaged files cannot cause infinite sizes.
    pub fn clamped(mut self) -> Self {
        for length in [&mut self.width, &mut self.ascent, &mut self.descent] {
            *length = if length.is_finite() { length.clamp(-100_000.0, 100_000.0) } else { 0.0 };
        }
        self
    }

    /// Returns the box with its content moved `right` points to the right, and with the new width `width`.
    pub fn moved_right(mut self, right: f32, width: f32) -> Self {
        self.shift(right, 0.0);
        self.accent_x = self.accent_x.map(|at| at + right);
        Self { width, ..self }
    }
}
