//! The font files the product ships, and which of them stands for which of Word's families: a *metric twin* has the same
//! widths, so that lines break where they do in Word; another merely resembles it. Of those that are no twins it is known how
//! high their lines are ([`line`]) and how much wider they run ([`stretch`]).
//!
//! The files are npm packages (`@expo-google-fonts/…`), pinned in this crate's lock file and fetched by
//! `cargo xtask fonts`; they are never committed. They are linked in with the feature `files`; a build with that feature and
//! without them stops with that command's name. With `coverage` there is what each file covers, without the file. Their licence (SIL Open Font License 1.1) is fetched beside them,
//! `files/LICENSE-<family>.txt`.
//!
//! ```
//! assert_eq!(waraq_fonts::substitute("Calibri"), Some("Carlito"));
//! assert!(waraq_fonts::substitution("Calibri").is_some_and(|found| found.twin));
//! ```

mod lines;
mod substitutes;
mod widths;

pub use lines::line;
pub use substitutes::{Substitute, arabic_companions, substitute, substitution};
pub use widths::stretch;

/// One font file.
#[cfg(feature = "files")]
#[derive(Clone, Copy)]
pub struct FontFile {
    /// The family's own name: `Carlito`.
    pub family: &'static str,
    pub bold: bool,
    pub italic: bool,
    /// TrueType, not a collection.
    pub data: &'static [u8],
}

#[cfg(feature = "files")]
impl std::fmt::Debug for FontFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FontFile({} bold={} italic={})", self.family, self.bold, self.italic)
    }
}

/// Every file there is.
#[cfg(feature = "files")]
pub fn files() -> &'static [FontFile] {
    FILES
}

#[cfg(feature = "files")]
static FILES: &[FontFile] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A font file that is fetched when something is set in it.
#[cfg(feature = "coverage")]
#[derive(Debug, Clone, Copy)]
pub struct Face {
    /// The family's own name: `Carlito`.
    pub family: &'static str,
    pub bold: bool,
    pub italic: bool,
    /// The file's name in `files/`.
    pub file: &'static str,
    /// The characters it has: from one code point to another, both included, in order.
    pub covers: &'static [(u32, u32)],
}

/// Every file there is, in the order of [`files`], without the files.
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
    fn every_substitute_is_a_family_that_is_linked_in() {
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
