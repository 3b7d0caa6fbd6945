//! The bundled fonts, loaded once for all tests.

use std::sync::{Arc, OnceLock};

use waraq_layout::{FontBook, FontFile, FontSource};

pub fn book() -> &'static FontBook {
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
