//! The font files that have been added so far, and the font book for the layout.

use std::sync::Arc;

use waraq_fonts::Face;
use waraq_layout::{FontBook, FontFile, FontSource, MissingFont};

type FontData = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The product's fonts. A browser downloads the font files one by one.
pub(crate) struct FontFiles {
    files: Vec<Option<FontData>>,
    book: FontBook,
}

impl FontFiles {
    pub fn new() -> Self {
        let files = vec![None; waraq_fonts::faces().len()];
        let book = build_book(&files);
        Self { files, book }
    }

    /// Adds a font file. Returns `false` if the product has no font file of that name.
    pub fn add_file(&mut self, file: &str, data: Vec<u8>) -> bool {
        let Some(at) = waraq_fonts::faces().iter().position(|face| face.file == file) else { return false };
        if let Some(place) = self.files.get_mut(at).filter(|place| place.is_none()) {
            *place = Some(Arc::new(data));
            // a new font book, because the old one has cached text that was shaped without this font
            self.book = build_book(&self.files);
        }
        true
    }

    pub fn book(&self) -> &FontBook {
        &self.book
    }

    /// Returns the names of the missing font files that layouts have needed since this function was last called.
    pub fn take_missing(&self) -> Vec<&'static str> {
        let wanted = self.book.take_missing_fonts();
        let is_wanted =
            |face: &&Face| wanted.contains(&MissingFont { family: face.family, bold: face.bold, italic: face.italic });
        waraq_fonts::faces().iter().filter(is_wanted).map(|face| face.file).collect()
    }

    /// Returns the index of the product's font whose data is the same memory as `data` (the content is not compared).
    /// Returns `None` for any other font.
    pub fn index_of(&self, data: &[u8]) -> Option<usize> {
        let same = |file: &Option<FontData>| {
            file.as_deref().is_some_and(|file| std::ptr::eq(file.as_ref().as_ptr(), data.as_ptr()))
        };
        self.files.iter().position(same)
    }

    pub fn file(&self, number: usize) -> Option<&[u8]> {
        self.files.get(number)?.as_deref().map(AsRef::as_ref)
    }
}

fn build_book(files: &[Option<FontData>]) -> FontBook {
    FontBook::new(waraq_fonts::faces().iter().zip(files).map(|(face, file)| {
        let Face { family, bold, italic, covers, .. } = *face;
        let file = file.as_ref().map_or(FontFile::NotLoaded(covers), |data| FontFile::Loaded(Arc::clone(data)));
        FontSource { family: family.to_owned(), bold, italic, file }
    }))
}
