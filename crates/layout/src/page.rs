//! The output of layout and the input of renderers. Lengths are in points; y grows downwards from the top left corner of the
//! page. Colours are sRGB.

use std::ops::Range;
use std::sync::Arc;

pub use waraq_docx::Meter;
pub use waraq_docx::tree::{CoreProperties, Dash, Image, ImageFormat, ImageId, Link, Location, PathCommand, Rgb};
pub use waraq_rules::Diagnostic;

/// The result of a layout: the pages, and the fonts, pictures and metadata that belong to them.
#[derive(Debug, Clone, Default)]
pub struct Pages {
    pub pages: Vec<Page>,
    /// The used fonts, indexed by [`FontId`].
    pub fonts: Vec<Font>,
    /// The used pictures, indexed by [`ImageId`].
    pub images: Vec<Image>,
    /// The document's metadata. The language is the detected one. The creation date is the time of layout, if
    /// [`crate::LayoutOptions::now`] is known.
    pub metadata: CoreProperties,
    /// True if the document's language is written from right to left.
    pub right_to_left: bool,
    pub outline: Vec<OutlineEntry>,
    /// Positions of bookmarks, to which links inside the document lead.
    pub destinations: Vec<Destination>,
    /// The logical structure for tagged PDF: a forest in reading order, with parents before their children.
    pub structure: Vec<Element>,
    pub warnings: Vec<Diagnostic>,
    /// Meter of the work and memory spent on the document. Renderers charge their own work to it.
    pub meter: Meter,
}

#[derive(Debug, Clone, Default)]
pub struct Page {
    pub width: f32,
    pub height: f32,
    /// The page number as it is printed, for example "iv".
    pub label: String,
    /// The items in painting order.
    pub items: Vec<TaggedItem>,
}

/// An item and the structure element in [`Pages::structure`] that it belongs to. Without an element, the item is an artifact
/// (border, header, page number).
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedItem {
    pub item: DisplayItem,
    pub element: Option<ElementId>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum DisplayItem {
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
        /// True for the even-odd fill rule, false for the non-zero winding rule.
        even_odd: bool,
    },
    Image(PlacedImage),
    Link {
        area: Rect,
        /// The target. A bookmark is a name in [`Pages::destinations`].
        target: Arc<Link>,
    },
    /// The area of the value of a field, or of one part of the value (for example one line). This item is not drawn, and exists
    /// only if [`waraq_docx::ReadOptions::values`] is set.
    Value {
        area: Rect,
        /// The index of the field among the template's fields.
        field: u32,
    },
    /// Items that are drawn through a transformation. `clip` is in the coordinates of the items, before the transformation.
    Group {
        transform: Transform,
        clip: Option<Rect>,
        items: Vec<TaggedItem>,
    },
    /// Items that several pages share at the same position, such as a long header or footer. They contain no links and no
    /// pictures, and are artifacts.
    Repeated {
        /// Identifier that is the same on every page that shares the items.
        id: u32,
        items: Arc<[TaggedItem]>,
    },
}

impl DisplayItem {
    /// Returns the approximate number of bytes that the item holds on the heap.
    pub(crate) fn heap_size(&self) -> usize {
        match self {
            // The text and the glyphs are two allocations, each slightly larger than its contents.
            Self::Glyphs(run) => run.text.len() + 48 + run.glyphs.len() * size_of::<Glyph>(),
            Self::Stroke(line) => size_of_val(&*line.path),
            Self::FilledPath { path, .. } => size_of_val(&**path),
            Self::Group { items, .. } => total_size(items),
            Self::Image(image) => image.clip_path.as_deref().map_or(0, size_of_val),
            _ => 0,
        }
    }
}

/// Returns the approximate number of bytes that the items take, with their own heap memory.
pub(crate) fn total_size(items: &[TaggedItem]) -> usize {
    items.iter().map(|placed| size_of::<TaggedItem>() + placed.item.heap_size()).sum()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FontId(pub u32);

impl FontId {
    /// Returns the index of the font in [`crate::Pages::fonts`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A complete font file. Renderers create subsets of it.
#[derive(Clone)]
pub struct Font {
    pub data: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// Index of the font in a font collection.
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
    /// Horizontal position of the first glyph. `y` is the vertical position of the baseline.
    pub x: f32,
    pub y: f32,
    /// The run's characters in logical order. The ranges of the glyphs are byte ranges of this text.
    pub text: Arc<str>,
    /// Byte offset of the run's text in its paragraph. The runs of a line are stored from left to right, and this offset gives
    /// their reading order.
    pub text_offset: u32,
    pub glyphs: Vec<Glyph>,
    pub right_to_left: bool,
    /// Horizontal scale, where 1.0 means no scaling. The advances are already scaled.
    pub scale_x: f32,
    /// True if the font has no bold face, so that the renderer must thicken the glyphs. `synthetic_italic` is true if the font
    /// has no italic face, so that the renderer must slant them.
    pub synthetic_bold: bool,
    pub synthetic_italic: bool,
    /// BCP 47 language tag, if it differs from the document's language.
    pub language: Option<Arc<str>>,
    /// True if only the outlines of the glyphs are drawn (w:outline).
    pub outlined: bool,
    /// Shadow of the glyphs, which is drawn behind the run (w:shadow, w:emboss, w:imprint). It does not repeat the text for
    /// text extraction.
    pub shadow: Option<TextShadow>,
}

/// The offset of a text shadow in points, and its colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextShadow {
    pub right: f32,
    pub down: f32,
    pub color: Rgb,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Glyph {
    pub id: u16,
    /// The advance in points, including spacing and justification.
    pub advance: f32,
    pub x_offset: f32,
    /// Vertical offset in points, positive upwards.
    pub y_offset: f32,
    /// The bytes of [`GlyphRun::text`] that the glyph represents: its cluster.
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
    /// Lengths of dashes and gaps in points. Empty for a solid line.
    pub dashes: Vec<f32>,
    pub round_caps: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Paint {
    Solid {
        color: Rgb,
        opacity: f32,
    },
    /// A linear gradient between two points.
    Gradient {
        stops: Vec<(f32, Rgb)>,
        from: (f32, f32),
        to: (f32, f32),
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlacedImage {
    pub image: ImageId,
    /// The area that the visible part of the picture fills.
    pub area: Rect,
    /// The fraction of the picture that is cropped at each side: left, top, right, bottom.
    pub crop: [f32; 4],
    /// Clipping path on the page. `None` if the whole area is visible.
    pub clip_path: Option<Vec<PathCommand>>,
    /// Opacity from 0 to 1, where 1 is opaque.
    pub opacity: f32,
    pub description: Option<Arc<str>>,
}

impl PlacedImage {
    /// Places an uncropped, opaque picture into an area.
    #[must_use]
    pub fn whole(image: ImageId, area: Rect) -> Self {
        Self { image, area, crop: [0.0; 4], clip_path: None, opacity: 1.0, description: None }
    }
}

/// An affine transformation. It maps (x, y) to (a·x + c·y + e, b·x + d·y + f).
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
    /// The nesting level, where 0 is the top level.
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

/// A structure type of ISO 32000-1 §14.8.4, limited to those that Word documents need.
#[derive(Debug, Clone, PartialEq)]
pub enum ElementKind {
    Paragraph,
    /// A heading with its nesting depth below earlier headings, 1 to 6.
    Heading(u8),
    List,
    ListItem,
    Label,
    ListBody,
    Table,
    TableRow,
    /// A header cell of its column, or of its row if `of_row` is set.
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
