//! The output of layout and the input of renderers. Lengths are in points; y grows downwards from the top left corner of the
//! page. Colours are sRGB.

use std::ops::Range;
use std::sync::Arc;

pub use waraq_docx::Meter;
pub use waraq_docx::tree::{
    CoreProperties, Dash, FieldSource, Image, ImageFormat, ImageId, Link, Location, PathCommand, Rgb,
};
pub use waraq_rules::Diagnostic;

/// The result of a layout: the pages, and the fonts, pictures and metadata that belong to them.
#[derive(Debug, Clone, Default)]
pub struct Pages {
    /// The pages in their order.
    pub pages: Vec<Page>,
    /// The used fonts, indexed by [`FontId`].
    pub fonts: Vec<Font>,
    /// The used pictures, indexed by [`ImageId`].
    pub images: Vec<Image>,
    /// The metadata of the document. The language is the language that was detected when the document was read, or else the
    /// language in the file. The creation date is the time of layout if [`crate::LayoutOptions::now`] is known, else the date
    /// in the file.
    pub metadata: CoreProperties,
    /// True if the document's language (see `metadata`) is written from right to left.
    pub right_to_left: bool,
    /// The headings of the document in reading order.
    pub outline: Vec<OutlineEntry>,
    /// Positions of the bookmarks to which links inside the document can lead.
    pub destinations: Vec<Destination>,
    /// The elements of the logical structure for tagged PDF, in reading order. They form several trees. Each parent is listed
    /// before its children.
    pub structure: Vec<Element>,
    /// Results of fields that do not depend on pages, sorted by the position of their fields. A filled `.docx` stores them.
    pub field_results: Vec<FieldResult>,
    /// Diagnostics about content and fonts for which the pages differ from Word. The diagnostics that were found when the
    /// document was read come first.
    pub warnings: Vec<Diagnostic>,
    /// The meter that counts the work and memory spent on the document. Renderers count their own work with it.
    pub meter: Meter,
}

/// The computed result of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldResult {
    /// The position of the field in the file.
    pub source: FieldSource,
    /// The text that the field shows.
    pub text: String,
}

/// A laid-out page.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The width in points, including the strips with comments.
    pub width: f32,
    /// The height in points.
    pub height: f32,
    /// The page number as it is printed, for example "iv".
    pub label: String,
    /// The items in painting order.
    pub items: Vec<TaggedItem>,
}

/// An item and the structure element in [`Pages::structure`] to which it belongs. If `element` is `None`, the item is an
/// artifact (border, header, page number).
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedItem {
    /// The item.
    pub item: DisplayItem,
    /// The structure element of the item.
    pub element: Option<ElementId>,
}

/// An item on a page.
#[derive(Debug, Clone, PartialEq)]
pub enum DisplayItem {
    /// Glyphs on one baseline.
    Glyphs(GlyphRun),
    /// A filled rectangle.
    Rectangle {
        /// The area of the rectangle.
        area: Rect,
        /// The colour of the whole area.
        color: Rgb,
        /// Opacity from 0 to 1, where 1 is opaque.
        opacity: f32,
    },
    /// A path that is drawn as a line.
    Stroke(StrokePath),
    /// A path whose inside is filled.
    FilledPath {
        /// The outline. Subpaths that are not closed are filled as if they were closed.
        path: Vec<PathCommand>,
        /// The colour or the gradient that fills the path.
        paint: Paint,
        /// True for the even-odd fill rule, false for the non-zero winding rule.
        even_odd: bool,
    },
    /// A picture.
    Image(PlacedImage),
    /// A link. This item is not drawn.
    Link {
        /// The area that leads to the target.
        area: Rect,
        /// The target of the link. If the target is a bookmark, [`Pages::destinations`] has the position of the bookmark.
        target: Arc<Link>,
    },
    /// The area of the value of a field, or of one part of the value (for example one line). This item is not drawn. It exists
    /// only if [`waraq_docx::ReadOptions::values`] is set.
    Value {
        /// The area of the value, with the full height of its line.
        area: Rect,
        /// The index of the field among the template's fields.
        field: u32,
    },
    /// Items to which a transformation is applied when they are drawn. `clip` is in the coordinates of the items, before the
    /// transformation.
    Group {
        /// Maps the coordinates of the items to those of the group's surroundings.
        transform: Transform,
        /// The area outside which nothing is drawn. `None` if the items are not clipped.
        clip: Option<Rect>,
        /// The items in painting order.
        items: Vec<TaggedItem>,
    },
    /// Items that several pages share at the same position, such as a long header or footer. They contain no links and no
    /// pictures, and are artifacts.
    Repeated {
        /// Identifier that is the same on every page that shares the items.
        id: u32,
        /// The items in painting order, at their positions on the page.
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

/// Returns the approximate number of bytes that the items take, including the heap memory of each item.
pub(crate) fn total_size(items: &[TaggedItem]) -> usize {
    items.iter().map(|placed| size_of::<TaggedItem>() + placed.item.heap_size()).sum()
}

/// Identifies a font by its index in [`Pages::fonts`]. Fonts are listed in the order of first use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FontId(pub u32);

impl FontId {
    /// Returns the index of the font in [`crate::Pages::fonts`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A font that the pages use, with its complete file. Renderers create subsets of it.
#[derive(Clone)]
pub struct Font {
    /// The bytes of the font file. Empty if the font is not loaded yet (see [`crate::FontFile::NotLoaded`]).
    pub data: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// Index of the font if the file is a font collection, 0 for any other file.
    pub index: u32,
    /// The family name under which the font is in the font book or in the document.
    pub family: String,
    /// The number of font units in an em.
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
    /// The font of the glyphs.
    pub font: FontId,
    /// The font size in points.
    pub size: f32,
    /// The colour of the glyphs.
    pub color: Rgb,
    /// Horizontal position of the first glyph in points.
    pub x: f32,
    /// Vertical position of the baseline in points.
    pub y: f32,
    /// The run's characters in logical order. The ranges of the glyphs are byte ranges of this text.
    pub text: Arc<str>,
    /// Byte offset of the run's text in its paragraph. The runs of a line are stored from left to right, and this offset gives
    /// their reading order.
    pub text_offset: u32,
    /// The glyphs from left to right.
    pub glyphs: Vec<Glyph>,
    /// True if the text is written from right to left.
    pub right_to_left: bool,
    /// Horizontal scale, where 1.0 means no scaling. The advances of the glyphs are already scaled.
    pub scale_x: f32,
    /// True if the text is bold but the font has no bold face. Renderers must then thicken the glyphs.
    pub synthetic_bold: bool,
    /// True if the text is italic but the font has no italic face. Renderers must then slant the glyphs.
    pub synthetic_italic: bool,
    /// BCP 47 language tag of the text. `None` if it is the document's language.
    pub language: Option<Arc<str>>,
    /// True if only the outlines of the glyphs are drawn (w:outline).
    pub outlined: bool,
    /// Shadow of the glyphs (w:shadow, w:emboss, w:imprint), or `None` if they have none. It is drawn behind the run. Renderers
    /// must not write the text again for the shadow, because text extraction would then find the text twice.
    pub shadow: Option<TextShadow>,
}

/// The offset of a text shadow in points, and its colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextShadow {
    /// Offset to the right in points.
    pub right: f32,
    /// Offset downwards in points.
    pub down: f32,
    /// The colour of the shadow.
    pub color: Rgb,
}

/// A glyph of a [`GlyphRun`].
#[derive(Debug, Clone, PartialEq)]
pub struct Glyph {
    /// The glyph id in the font. 0 is the glyph for missing characters.
    pub id: u16,
    /// The distance to the next glyph in points, including letter spacing and justification.
    pub advance: f32,
    /// Horizontal offset in points, positive to the right. It does not change the position of the next glyph.
    pub x_offset: f32,
    /// Vertical offset in points, positive upwards.
    pub y_offset: f32,
    /// The byte range in [`GlyphRun::text`] that the glyph represents. All glyphs of a cluster have the same range.
    pub range: Range<u32>,
}

/// A position in points.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// Horizontal distance from the origin of the coordinate system, positive to the right.
    pub x: f32,
    /// Vertical distance from the origin of the coordinate system, positive downwards.
    pub y: f32,
}

/// A width and a height in points.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Size {
    /// The width in points.
    pub width: f32,
    /// The height in points.
    pub height: f32,
}

/// An axis-parallel rectangle in points.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// The x coordinate of the left edge.
    pub x: f32,
    /// The y coordinate of the top edge.
    pub y: f32,
    /// The width, positive to the right.
    pub width: f32,
    /// The height, positive downwards.
    pub height: f32,
}

/// A path that is drawn as a line.
#[derive(Debug, Clone, PartialEq)]
pub struct StrokePath {
    /// The centre line of the stroke.
    pub path: Vec<PathCommand>,
    /// The colour of the stroke, which is always opaque.
    pub color: Rgb,
    /// The width of the stroke in points.
    pub width: f32,
    /// Lengths of dashes and gaps in points. Empty for a solid line.
    pub dashes: Vec<f32>,
    /// True if the ends of open paths and dashes are round, false if they are flat.
    pub round_caps: bool,
}

/// The way to fill a path: with one colour or with a gradient.
#[derive(Debug, Clone, PartialEq)]
pub enum Paint {
    /// One colour.
    Solid {
        /// The colour of the whole path.
        color: Rgb,
        /// Opacity from 0 to 1, where 1 is opaque.
        opacity: f32,
    },
    /// A linear gradient between two points.
    Gradient {
        /// The colours, each with its position from 0 (at `from`) to 1 (at `to`).
        stops: Vec<(f32, Rgb)>,
        /// The point where the gradient begins.
        from: Point,
        /// The point where the gradient ends.
        to: Point,
    },
}

/// A picture on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedImage {
    /// The index of the picture in [`Pages::images`].
    pub image: ImageId,
    /// The area that the visible part of the picture fills.
    pub area: Rect,
    /// The fractions of the picture that are cropped at the left, top, right and bottom.
    pub crop: [f32; 4],
    /// The path outside which the picture is not visible. `None` if the whole area is visible.
    pub clip_path: Option<Vec<PathCommand>>,
    /// Opacity from 0 to 1, where 1 is opaque.
    pub opacity: f32,
    /// The alternative text of the picture, or `None` if it has none.
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
    /// The coefficient of x in the new x.
    pub a: f32,
    /// The coefficient of x in the new y.
    pub b: f32,
    /// The coefficient of y in the new x.
    pub c: f32,
    /// The coefficient of y in the new y.
    pub d: f32,
    /// The horizontal translation in points.
    pub e: f32,
    /// The vertical translation in points.
    pub f: f32,
}

/// The position of a bookmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Destination {
    /// The name of the bookmark.
    pub name: String,
    /// Index of the page in [`Pages::pages`].
    pub page: usize,
    /// The x coordinate of the left edge of the text in the bookmark's line, in points.
    pub x: f32,
    /// The y coordinate of the top of the bookmark's line, in points.
    pub y: f32,
}

/// A heading in the outline of the document.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlineEntry {
    /// The text of the heading with its numbering label. It is not empty.
    pub title: String,
    /// The nesting level, where 0 is the top level.
    pub level: u8,
    /// Index of the page in [`Pages::pages`].
    pub page: usize,
    /// The y coordinate of the top of the heading, in points.
    pub y: f32,
}

/// Identifies a structure element by its index in [`Pages::structure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementId(pub u32);

/// An element of the logical structure.
#[derive(Debug, Clone)]
pub struct Element {
    /// The structure type.
    pub kind: ElementKind,
    /// The parent element. `None` for an element at the top level of the document.
    pub parent: Option<ElementId>,
}

/// The numbers or bullets of a list (ISO 32000-1 §14.8.5.5, attribute ListNumbering).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListNumbering {
    /// The items have no label.
    None,
    /// Filled round bullets, and all bullets that are not listed here.
    Disc,
    /// Round bullets without fill.
    Circle,
    /// Square bullets.
    Square,
    /// Numbers in any digits or words.
    Decimal,
    /// Roman numbers in capitals.
    UpperRoman,
    /// Roman numbers in lower-case letters.
    LowerRoman,
    /// Letters in capitals.
    UpperAlpha,
    /// Lower-case letters, and letters of scripts without capitals.
    LowerAlpha,
}

/// A structure type of ISO 32000-1 §14.8.4, limited to those that Word documents need.
#[derive(Debug, Clone, PartialEq)]
pub enum ElementKind {
    /// A paragraph (P).
    Paragraph,
    /// A heading with its nesting depth, 1 to 6 (H1 to H6). The depth is at most one more than that of the previous heading, so
    /// no depth is skipped.
    Heading(u8),
    /// A list (L), with the numbers or bullets of its items.
    List(ListNumbering),
    /// A list item (LI).
    ListItem,
    /// The number or bullet of a list item (Lbl).
    Label,
    /// The content of a list item (LBody).
    ListBody,
    /// A table with rows and columns (Table).
    Table,
    /// A row of a table (TR).
    TableRow,
    /// A table cell that is the header of its column, or of its row if `of_row` is true.
    TableHeader {
        /// True for a header of its row, false for a header of its column.
        of_row: bool,
        /// Number of columns that the cell covers, at least 1.
        columns: u16,
        /// Number of rows that the cell covers, at least 1.
        rows: u16,
    },
    /// A cell of a table (TD).
    TableCell {
        /// Number of columns that the cell covers, at least 1.
        columns: u16,
        /// Number of rows that the cell covers, at least 1.
        rows: u16,
    },
    /// A drawing that contains no text boxes: a picture, a shape or a chart (Figure).
    Figure {
        /// The description of the drawing, or `None` if the author gave none.
        alternative_text: Option<String>,
    },
    /// A formula (Formula).
    Formula {
        /// The formula as plain text, for screen readers.
        alternative_text: String,
    },
    /// A footnote or an endnote (Note).
    Note,
    /// A link (Link).
    Link,
    /// A table of contents (TOC).
    TableOfContents,
    /// The caption of a figure or table (Caption).
    Caption,
}
