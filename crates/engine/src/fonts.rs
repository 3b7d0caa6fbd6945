//! The fonts that are linked in, as the layout wants them.

use std::sync::{Arc, OnceLock};

use waraq_layout::{FontBook, FontFile, FontSource};

/// The product's fonts: listed once per process, parsed when they are first used.
pub fn fonts() -> &'static FontBook {
    static BOOK: OnceLock<FontBook> = OnceLock::new();
    BOOK.get_or_init(|| {
        FontBook::new(waraq_fonts::files().iter().map(|file| FontSource {
            family: file.family.to_owned(),
            bold: file.bold,
            italic: file.italic,
            file: FontFile::Here(Arc::new(file.data)),
        }))
    })
}
