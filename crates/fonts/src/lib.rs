//! The font files the product ships, and which of them stands for which of Word's families.
//!
//! The files are npm packages (`@expo-google-fonts/…`), pinned in this crate's lock file and fetched by
//! `cargo xtask fonts`; they are never committed. A build without them stops with that command's name.

/// One font file.
#[derive(Debug, Clone, Copy)]
pub struct FontFile {
    /// The family's own name: `Carlito`.
    pub family: &'static str,
    pub bold: bool,
    pub italic: bool,
    pub data: &'static [u8],
}

/// Every file there is.
pub fn files() -> &'static [FontFile] {
    &[]
}
