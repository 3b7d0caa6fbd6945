//! Boxes of ink on a baseline, and boxes put together.

use waraq_docx::tree::{MathAlignment, NodeId, Rgb};

use crate::fonts::FaceChoice;
use crate::page::GlyphRun;

/// A part of a formula: its size, and what is drawn in it from its origin (x rightwards, y upwards, in points).
#[derive(Debug, Clone, Default)]
pub(crate) struct MathBox {
    pub width: f32,
    pub ascent: f32,
    pub descent: f32,
    /// In reading order.
    pub drawn: Vec<Drawn>,
    /// How far the last glyph leans over the width.
    pub italic: f32,
    /// Where an accent stands; `None`: over the middle.
    pub attachment: Option<f32>,
    /// One character and nothing else: scripts take its height for the line's.
    pub single: bool,
}

/// Ink, and where its origin is.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub x: f32,
    pub y: f32,
    pub ink: Ink,
}

#[derive(Debug, Clone)]
pub(crate) enum Ink {
    Glyph(Box<GlyphInk>),
    /// A filled rectangle; its origin is the top left corner.
    Rule {
        width: f32,
        height: f32,
        color: Rgb,
    },
    /// A line from its origin so far to the right and up.
    Stroke {
        right: f32,
        up: f32,
        width: f32,
        color: Rgb,
    },
    /// Text that was shaped elsewhere.
    Run(Box<GlyphRun>),
}

/// A character, drawn by one glyph or (stretched) by several.
#[derive(Debug, Clone)]
pub(crate) struct GlyphInk {
    pub choice: FaceChoice,
    pub size: f32,
    pub color: Rgb,
    pub advance: f32,
    /// What it stands for.
    pub text: char,
    /// Glyphs and their offsets from the place.
    pub parts: Vec<(u16, f32, f32)>,
}

/// A part of a formula that is not broken.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub ink: MathBox,
    /// Not the first of its formula (or of the author's line): a line may begin with it, which then goes on with one.
    pub continues: bool,
    /// `None`: in a line of text.
    pub display: Option<Display>,
    /// Numbers of equations at the far margin, with the heights of their baselines.
    pub numbers: Vec<(MathBox, f32)>,
    /// What it belongs to.
    pub formula: NodeId,
}

/// How the lines of a displayed formula stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Display {
    pub alignment: MathAlignment,
    /// Of its widest line, where they stand as a group.
    pub group_width: Option<f32>,
}

impl MathBox {
    /// Nothing of this width.
    pub fn gap(width: f32) -> Self {
        Self { width, ..Self::default() }
    }

    /// The same box, whose ink is no letter's any more.
    pub fn plain(self) -> Self {
        Self { italic: 0.0, attachment: None, single: false, ..self }
    }

    /// Filled, its bottom at `bottom`.
    pub fn rule(width: f32, height: f32, bottom: f32, color: Rgb) -> Self {
        let ink = Ink::Rule { width, height, color };
        let drawn = vec![Drawn { x: 0.0, y: bottom + height, ink }];
        Self { width, ascent: (bottom + height).max(0.0), descent: (-bottom).max(0.0), drawn, ..Self::default() }
    }

    pub fn height(&self) -> f32 {
        self.ascent + self.descent
    }

    fn shift(&mut self, right: f32, up: f32) {
        for drawn in &mut self.drawn {
            drawn.x += right;
            drawn.y += up;
        }
    }

    /// Puts a box into this one with its origin at (x, y); the height grows with it, the width does not.
    pub fn put(&mut self, mut inner: Self, x: f32, y: f32) {
        self.ascent = self.ascent.max(inner.ascent + y);
        self.descent = self.descent.max(inner.descent - y);
        inner.shift(x, y);
        self.drawn.append(&mut inner.drawn);
    }

    /// Puts a box at the end, on the same line.
    pub fn append(&mut self, inner: Self) {
        let (width, italic, single) = (inner.width, inner.italic, inner.single);
        self.single = single && self.drawn.is_empty();
        self.attachment = if self.single { inner.attachment.map(|at| at + self.width) } else { None };
        self.put(inner, self.width, 0.0);
        self.width += width;
        self.italic = italic;
    }

    /// The same box, its middle raised to this height.
    pub fn centered_at(self, height: f32) -> Self {
        let up = height - (self.ascent - self.descent) / 2.0;
        self.raised(up)
    }

    pub fn raised(mut self, up: f32) -> Self {
        self.shift(0.0, up);
        self.ascent += up;
        self.descent -= up;
        self
    }

    pub fn finite(mut self) -> Self {
        for length in [&mut self.width, &mut self.ascent, &mut self.descent] {
            *length = if length.is_finite() { length.clamp(-100_000.0, 100_000.0) } else { 0.0 };
        }
        self
    }

    /// The same ink moved to the right, in a box of another width.
    pub fn moved(mut self, right: f32, width: f32) -> Self {
        self.shift(right, 0.0);
        self.attachment = self.attachment.map(|at| at + right);
        Self { width, ..self }
    }
}
