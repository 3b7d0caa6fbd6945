//! The font book for the layout, made from the font files that are linked into the program.

use std::sync::{Arc, OnceLock};

use waraq_layout::{FontBook, FontFile, FontSource};

/// Returns the font book with the product's fonts. It is built once for each process. A font is parsed when it is first
/// used.
pub fn fonts() -> &'static FontBook {
    static BOOK: OnceLock<FontBook> = OnceLock::new();
    BOOK.get_or_init(|| {
        FontBook::new(waraq_fonts::files().iter().map(|file| FontSource {
            family: file.family.to_owned(),
            bold: file.bold,
            italic: file.italic,
            file: FontFile::Loaded(Arc::new(file.data)),
        }))
    })
}
