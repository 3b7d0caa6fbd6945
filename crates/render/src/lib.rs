//! Pages (of `waraq_layout`) become PDF or PNG. It knows nothing of Word.
//!
//! - [`pdf`]: one file with subset fonts, text that is found and copied in logical order, links, outline, page labels,
//!   and, where asked for, tags, PDF/UA-1 and PDF/A-2a;
//! - [`png`]: one page as a picture, drawn as in its PDF;
//! - [`thumbnail`]: the first page, small, for a card of the catalogue.
//!
//! Nothing of a document makes these fail or grow without bound: a picture that cannot be read or is too large becomes a
//! labelled box and a [`Finding`]. The same pages make the same bytes of a PDF; pixels of a picture may differ by a rounding on
//! another processor.

mod metafile;
mod pdf;
mod picture;
mod placeholder;
mod raster;
mod svg;

pub use pdf::pdf;
pub use raster::{png, thumbnail};
pub use waraq_layout::Finding;

/// What a PDF is besides its pages. By default it has structure tags and claims PDF/UA-1 where that holds.
#[derive(Debug, Clone)]
pub struct PdfOptions {
    /// Structure tags: headings, lists, tables for screen readers.
    pub tagged: bool,
    /// PDF/UA-1 (ISO 14289-1), which wants tags.
    pub pdf_ua: Claim,
    /// PDF/A-2a (ISO 19005-2), which wants tags.
    pub pdf_a: Claim,
}

impl Default for PdfOptions {
    fn default() -> Self {
        Self { tagged: true, pdf_ua: Claim::WhereItHolds, pdf_a: Claim::No }
    }
}

impl PdfOptions {
    /// No tags, no claims: the smallest file.
    pub fn plain() -> Self {
        Self { tagged: false, pdf_ua: Claim::No, pdf_a: Claim::No }
    }
}

/// Whether a file says that it keeps to a standard. It never says so where the document does not allow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Claim {
    #[default]
    No,
    WhereItHolds,
    /// The same; where it does not hold a [`Finding`] says why.
    Wanted,
}

/// A finished PDF.
#[derive(Debug, Clone)]
pub struct Pdf {
    pub bytes: Vec<u8>,
    /// Pictures that became boxes, fonts that could not be embedded, standards that could not be claimed and why.
    pub warnings: Vec<Finding>,
}

/// A picture of a page.
#[derive(Debug, Clone)]
pub struct Picture {
    /// PNG or lossless WebP: see the function that made it.
    pub bytes: Vec<u8>,
    /// Pixels.
    pub width: u32,
    pub height: u32,
}
