//! The fonts that may be used, found by family, style and script.

mod document;
pub(crate) mod face;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use waraq_docx::tree::Document;

use crate::text::shape::ShapeCache;

pub use document::DocumentFonts;
pub(crate) use document::FaceChoice;
use face::Face;
pub use face::{FontFile, FontSource};

/// Built once per process; cheap to clone and to use from many threads. Fonts are parsed when they are first used.
#[derive(Clone, Default)]
pub struct FontBook {
    library: Arc<Library>,
}

/// The faces of a book, and what of earlier layouts is worth keeping.
#[derive(Default)]
pub(crate) struct Library {
    faces: Vec<Face>,
    families: Families,
    /// Shapes of words, kept from one document to the next: a preview sets nearly the same text again at every key.
    caches: Mutex<Vec<ShapeCache>>,
}

/// Faces by lower-case family name: regular, bold, italic, bold italic.
type Families = HashMap<String, [Option<u32>; 4]>;

impl FontBook {
    /// A later source of the same family and style wins. A file that is no font is passed over. What is set in fonts that are not here
    /// is to be set again when they are: see [`FontBook::take_wanted`].
    pub fn new(sources: impl IntoIterator<Item = FontSource>) -> Self {
        let faces: Vec<Face> = sources.into_iter().map(Face::new).collect();
        let families = families_of(&faces, 0);
        Self { library: Arc::new(Library { faces, families, caches: Mutex::default() }) }
    }

    /// Family, bold and italic of the fonts that something was to be set in since this was last asked, and that are not here.
    /// Where there is one, the pages are not those of the document.
    pub fn take_wanted(&self) -> Vec<(&str, bool, bool)> {
        let wanted = self.library.faces.iter().filter(|face| face.take_wanted());
        wanted.map(|Face { source, .. }| (source.family.as_str(), source.bold, source.italic)).collect()
    }

    /// The fonts for one document: those it embeds first, its font table as hints for substitution.
    pub fn for_document(&self, document: &Document) -> DocumentFonts {
        DocumentFonts::new(Arc::clone(&self.library), document)
    }
}

/// Where each family's faces are in the list, counted from `first`.
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

fn style_index(bold: bool, italic: bool) -> usize {
    usize::from(bold) + 2 * usize::from(italic)
}
