//! The available fonts, found by family, style and script.

mod document;
pub(crate) mod face;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use waraq_docx::tree::Document;

use crate::text::shape::ShapeCache;

pub use document::DocumentFonts;
pub(crate) use document::{FaceChoice, FamilyMetrics};
use face::Face;
pub use face::{FontFile, FontSource};

/// The fonts that are available to all documents. Create one font book per process; it is cheap to clone and can be used by
/// many threads. Fonts are parsed on first use.
#[derive(Clone, Default)]
pub struct FontBook {
    library: Arc<Library>,
}

/// The faces of a font book, with caches that later layouts reuse.
#[derive(Default)]
pub(crate) struct Library {
    faces: Vec<Face>,
    families: Families,
    /// Caches of shaped words from finished layouts. A new layout takes one of them and uses it again. This helps the live
    /// pages, which lay out almost the same text after every key press.
    caches: Mutex<Vec<ShapeCache>>,
}

/// Face indices by lower-case family name, in the order regular, bold, italic, bold italic.
type Families = HashMap<String, [Option<u32>; 4]>;

/// A font that layout needed but that is not loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingFont<'b> {
    /// The family name of the font. It equals [`FontSource::family`] of the font source that is not loaded yet.
    pub family: &'b str,
    /// True if the missing font is a bold face.
    pub bold: bool,
    /// True if the missing font is an italic face.
    pub italic: bool,
}

impl FontBook {
    /// Creates a font book. If several sources have the same family and style, the last one is used. Files that are not fonts
    /// are ignored. Layout can run while some fonts are not loaded, but it must be repeated after they are loaded.
    /// [`FontBook::take_missing_fonts`] returns the fonts to load.
    pub fn new(sources: impl IntoIterator<Item = FontSource>) -> Self {
        let faces: Vec<Face> = sources.into_iter().map(Face::new).collect();
        let families = families_of(&faces, 0);
        Self { library: Arc::new(Library { faces, families, caches: Mutex::default() }) }
    }

    /// Returns the fonts that layouts have needed since the last call of this function, but that are not loaded yet. If the
    /// list is not empty, the pages are provisional: the document must be laid out again after the fonts are loaded.
    pub fn take_missing_fonts(&self) -> Vec<MissingFont<'_>> {
        let needed = self.library.faces.iter().filter(|face| face.take_needed()).map(|face| &face.source);
        needed.map(|source| MissingFont { family: &source.family, bold: source.bold, italic: source.italic }).collect()
    }

    /// Returns the fonts for one document. Embedded fonts take precedence over the font book. The font table of the
    /// document helps to select substitutes.
    pub fn for_document(&self, document: &Document) -> DocumentFonts {
        DocumentFonts::new(Arc::clone(&self.library), document)
    }
}

/// Maps each family to the indices of its faces. `first` is the index of the first element of `faces`. The next elements have
/// the next indices.
fn families_of(faces: &[Face], first: u32) -> Families {
    let mut families = Families::new();
    for (index, face) in (first..).zip(faces) {
        let slots = families.entry(face.source.family.to_lowercase()).or_default();
        if let Some(slot) = slots.get_mut(style_index(face.source.bold, face.source.italic)) {
            *slot = Some(index);
        }
    }
    families
}

/// Returns the index of a style in the arrays of [`Families`].
fn style_index(bold: bool, italic: bool) -> usize {
    usize::from(bold) + 2 * usize::from(italic)
}
