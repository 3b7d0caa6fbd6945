//! The font files of the product, and the table of substitutes for Word's fonts.
//!
//! A *metric-compatible* substitute has the same advance widths as the original, so lines break where they do in Word.
//! Other substitutes only look similar.
//!
//! # Main types and functions
//!
//! - [`substitution`] returns the [`Substitute`] of a family.
//! - [`line_height`] returns the line height of a family whose substitute only looks similar. [`scale_factors`] returns the ratio
//!   of the widths of both families.
//! - [`arabic_companions`] returns families with the Arabic letters that a shipped family lacks.
//! - `files()` returns the font files (feature `files`). `faces()` returns the list of characters of each file without its
//!   content (feature `coverage`).
//!
//! The font files come from npm packages (`@expo-google-fonts/…`), pinned in this crate's lock file. `cargo xtask fonts`
//! fetches them with their licence (SIL Open Font License 1.1, `files/LICENSE-<family>.txt`). They are never committed.
//!
//! # Limits and errors
//!
//! The lookups return `None` for unknown families and have no errors. If the font files are missing, a build with the feature
//! `files` or `coverage` stops. Its message says that `cargo xtask fonts` fetches the files.
//!
//! # Example
//!
//! ```
//! assert_eq!(waraq_fonts::substitute("Calibri"), Some("Carlito"));
//! assert!(waraq_fonts::substitution("Calibri").is_some_and(|found| found.metric_compatible));
//! ```

#![warn(missing_docs)]

mod lines;
mod substitutes;
mod widths;

pub use lines::line_height;
pub use substitutes::{Substitute, arabic_companions, substitute, substitution};
pub use widths::scale_factors;

/// A font file.
#[cfg(feature = "files")]
#[derive(Clone, Copy)]
pub struct FontFile {
    /// The family name in the font file, for example `Carlito`.
    pub family: &'static str,
    /// `true` for the bold and the bold italic style.
    pub bold: bool,
    /// `true` for the italic and the bold italic style.
    pub italic: bool,
    /// The content of the file: TrueType, not a collection.
    pub data: &'static [u8],
}

#[cfg(feature = "files")]
impl std::fmt::Debug for FontFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FontFile({} bold={} italic={})", self.family, self.bold, self.italic)
    }
}

/// Returns all font files.
#[cfg(feature = "files")]
pub fn files() -> &'static [FontFile] {
    FILES
}

#[cfg(feature = "files")]
static FILES: &[FontFile] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A font file without its content. A browser downloads the file when a text first needs it.
#[cfg(feature = "coverage")]
#[derive(Debug, Clone, Copy)]
pub struct Face {
    /// The family name in the font file, for example `Carlito`.
    pub family: &'static str,
    /// `true` for the bold and the bold italic style.
    pub bold: bool,
    /// `true` for the italic and the bold italic style.
    pub italic: bool,
    /// The file name in `files/`.
    pub file: &'static str,
    /// The characters of the font as ranges of code points, both ends included, in ascending order.
    pub covers: &'static [(u32, u32)],
}

/// Returns the faces of all font files, in the order of `files()`, without their content.
#[cfg(feature = "coverage")]
pub fn faces() -> &'static [Face] {
    FACES
}

#[cfg(feature = "coverage")]
include!(concat!(env!("OUT_DIR"), "/faces.rs"));

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;

    #[test]
    fn every_substitute_is_a_shipped_family() {
        let families: Vec<&str> = files().iter().map(|file| file.family).collect();
        for family in substitutes::families() {
            assert!(families.contains(&family), "{family}");
        }
    }

    #[test]
    fn every_file_is_truetype_and_every_family_has_a_regular() {
        for file in files() {
            assert_eq!(file.data.get(..4), Some(&[0, 1, 0, 0][..]), "{file:?}");
            assert!(files().iter().any(|f| f.family == file.family && !f.bold && !f.italic), "{file:?}");
        }
    }
}
