//! The shipped fonts, read once for all tests.

use std::sync::{Arc, OnceLock};

use waraq_layout::{FontBook, FontSource};

pub fn book() -> &'static FontBook {
    static BOOK: OnceLock<FontBook> = OnceLock::new();
    BOOK.get_or_init(|| {
        FontBook::new(waraq_fonts::files().iter().map(|file| FontSource {
            family: Some(file.family.to_owned()),
            bold: file.bold,
            italic: file.italic,
            data: Arc::new(file.data),
            index: 0,
        }))
    })
}
