//! What the layout makes and a renderer draws. Points, y downwards from the top left corner of the page; colours sRGB.

use std::ops::Range;
use std::sync::Arc;

pub use waraq_docx::Meter;
pub use waraq_docx::tree::{CoreProperties, Dash, Image, ImageFormat, ImageId, Link, Location, PathCommand, Rgb};
pub use waraq_rules::Finding;

#[derive(Debug, Clone, Default)]
pub struct Pages {
    pub pages: Vec<Page>,
    /// The fonts that are used, by [`FontId`].
    pub fonts: Vec<Font>,
    /// The pictures that are used, by [`ImageId`].
    pub images: Vec<Image>,
    /// As the document has it; its language as it was found, and created when the pages were made, if a moment is known.
    pub metadata: CoreProperties,
    /// The document's language is written so.
    pub right_to_left: bool,
    pub outline: Vec<OutlineEntry>,
    /// Where bookmarks stand, for links inside the document.
    pub destinations: Vec<Destination>,
    /// The logical structure (for tagged PDF): a forest in reading order, parents before children.
    pub structure: Vec<Element>,
    pub warnings: Vec<Finding>,
    /// What is drawn of the pages counts here.
    pub meter: Meter,
}

#[derive(Debug, Clone, Default)]
pub struct Page {
    pub width: f32,
    pub height: f32,
    /// The page's number as it would be printed: "iv".
    pub label: String,
    /// In painting order.
    pub items: Vec<Placed>,
}

/// An item and the element of [`Pages::structure`] it belongs to; `None` is an artifact (border, header, page number).
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub item: Item,
    pub element: Option<ElementId>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    Glyphs(GlyphRun),
    Rectangle {
        area: Rect,
        color: Rgb,
        opacity: f32,
    },
    Stroke(StrokePath),
    FilledPath {
        path: Vec<PathCommand>,
        paint: Paint,
        /// What an even number of its edges surrounds stays empty; else all that is surrounded is filled.
        even_odd: bool,
    },
    Image(PlacedImage),
    Link {
        area: Rect,
        /// A bookmark is a name in [`Pages::destinations`].
        target: Link,
    },
    /// A piece of a field's value, where [`waraq_docx::ReadOptions::values`] asked for it. Nothing is drawn.
    Value {
        area: Rect,
        /// Its number among the template's fields.
        field: u32,
    },
    /// Children are drawn through a transformation and cut to a rectangle (in the group's own coordinates).
    Group {
        transform: Transform,
        clip: Option<Rect>,
        items: Vec<Placed>,
    },
    /// What several pages show alike, at the same place: a long header or footer. It holds no link and no picture, and is an artifact.
    Repeated {
        /// The same wherever the same is shown.
        id: u32,
        items: Arc<[Placed]>,
    },
}

impl Item {
    /// Bytes it takes besides itself, about.
    pub(crate) fn memory(&self) -> usize {
        match self {
            // its text and its glyphs are two allocations, each a little larger than it must be
            Self::Glyphs(run) => run.text.len() + 48 + run.glyphs.len() * size_of::<Glyph>(),
            Self::Stroke(line) => size_of_val(&*line.path),
            Self::FilledPath { path, .. } => size_of_val(&**path),
            Self::Group { items, .. } => memory(items),
            _ => 0,
        }
    }
}

/// Bytes that items take, about.
pub(crate) fn memory(items: &[Placed]) -> usize {
    items.iter().map(|placed| size_of::<Placed>() + placed.item.memory()).sum()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FontId(pub u32);

impl FontId {
    /// Where the font stands in [`crate::Pages::fonts`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A font as it was given; renderers subset it.
#[derive(Clone)]
pub struct Font {
    pub data: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// Of a collection.
    pub index: u32,
    pub family: String,
    pub units_per_em: f32,
}

impl std::fmt::Debug for Font {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Font({})", self.family)
    }
}

/// Glyphs of one font, size and colour on one baseline, in visual order (left to right).
#[derive(Debug, Clone, PartialEq)]
pub struct GlyphRun {
    pub font: FontId,
    pub size: f32,
    pub color: Rgb,
    /// The pen's first position; y is the baseline.
    pub x: f32,
    pub y: f32,
    /// The run's characters in logical order; glyphs point into it.
    pub text: Arc<str>,
    /// Where that text begins in its paragraph, in bytes: the runs of a line stand from left to right and are read by this.
    pub at: u32,
    pub glyphs: Vec<Glyph>,
    pub right_to_left: bool,
    /// Horizontal scale; 1.0 is none. Advances are already scaled.
    pub scale_x: f32,
    /// The font has no bold (or italic) face: thickened (slanted) by the renderer.
    pub synthetic_bold: bool,
    pub synthetic_italic: bool,
    /// BCP 47, where it differs from the document's.
    pub language: Option<Arc<str>>,
    /// Only the letters' edges are drawn (w:outline).
    pub outlined: bool,
    /// The same letters once more, behind (w:shadow, w:emboss, w:imprint). No text of its own.
    pub shadow: Option<TextShadow>,
}

/// How far a shadow falls, in points, and its colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextShadow {
    pub right: f32,
    pub down: f32,
    pub color: Rgb,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Glyph {
    pub id: u16,
    /// In points, spacing and justification included.
    pub advance: f32,
    pub x_offset: f32,
    /// Upwards.
    pub y_offset: f32,
    /// The bytes of [`GlyphRun::text`] it stands for: its cluster.
    pub range: Range<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StrokePath {
    pub path: Vec<PathCommand>,
    pub color: Rgb,
    pub width: f32,
    /// Lengths of dashes and gaps in points; empty is solid.
    pub dashes: Vec<f32>,
    pub round_caps: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Paint {
    Solid {
        color: Rgb,
        opacity: f32,
    },
    /// From one point to the other.
    Gradient {
        stops: Vec<(f32, Rgb)>,
        from: (f32, f32),
        to: (f32, f32),
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlacedImage {
    pub image: ImageId,
    /// Where the visible part goes.
    pub area: Rect,
    /// Cut off at each side as a share: left, top, right, bottom.
    pub crop: [f32; 4],
    /// What is seen of it, where that is not all of its area.
    pub outline: Option<Vec<PathCommand>>,
    /// 1 hides what is behind.
    pub opacity: f32,
    pub description: Option<String>,
}

impl PlacedImage {
    /// A picture as it is, all of it in that area.
    #[must_use]
    pub fn whole(image: ImageId, area: Rect) -> Self {
        Self { image, area, crop: [0.0; 4], outline: None, opacity: 1.0, description: None }
    }
}

/// Maps (x, y) to (a·x + c·y + e, b·x + d·y + f).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    pub a: f32,
    pub b: f32,
    pub c: f32,
    pub d: f32,
    pub e: f32,
    pub f: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Destination {
    pub name: String,
    pub page: usize,
    pub x: f32,
    pub y: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OutlineEntry {
    pub title: String,
    /// 0 is the top.
    pub level: u8,
    pub page: usize,
    pub y: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementId(pub u32);

#[derive(Debug, Clone)]
pub struct Element {
    pub kind: ElementKind,
    pub parent: Option<ElementId>,
}

/// ISO 32000-1 §14.8.4, as far as Word documents have it.
#[derive(Debug, Clone, PartialEq)]
pub enum ElementKind {
    Paragraph,
    /// How deep it is nested in those before it, 1 to 6.
    Heading(u8),
    List,
    ListItem,
    Label,
    ListBody,
    Table,
    TableRow,
    /// Of its column, or of its row.
    TableHeader {
        of_row: bool,
        columns: u16,
        rows: u16,
    },
    TableCell {
        columns: u16,
        rows: u16,
    },
    Figure {
        alternative_text: Option<String>,
    },
    Formula {
        alternative_text: String,
    },
    Note,
    Link,
    TableOfContents,
    Caption,
}
