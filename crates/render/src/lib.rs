//! Renders the pages of `waraq_layout` as PDF or as a picture. The crate does not depend on the Word format.
//!
//! # Main types and functions
//!
//! - [`pdf()`] writes all pages into a [`Pdf`] with subset fonts, text that can be searched and copied in logical order, links,
//!   an outline and page labels. [`PdfOptions`] selects structure tags and the standards PDF/UA-1 and PDF/A-2a.
//! - [`png()`] draws one page as a PNG [`Picture`]. The page looks as it does in its PDF.
//! - [`thumbnail`] draws the first page as a small WebP [`Picture`] for the catalogue of templates.
//!
//! # Limits and errors
//!
//! Damaged content is not an error. A picture that cannot be read, or that is too large, becomes a labelled box and a
//! [`Diagnostic`] in [`Pdf::warnings`]. Equal pages give an equal PDF, byte for byte. The pixels of a [`Picture`] may differ by a
//! rounding error between processors.
//!
//! The errors are `no_such_page` and `picture_too_large` (from [`png()`] and [`thumbnail`]), `too_complex` and `cancelled` (from
//! [`Pages::meter`](waraq_layout::Pages::meter)), and `internal`.
//!
//! # Example
//!
//! ```
//! use waraq_layout::{DisplayItem, Page, Pages, Rect, Rgb, TaggedItem};
//!
//! let area = Rect { x: 72.0, y: 72.0, width: 200.0, height: 100.0 };
//! let box_item = DisplayItem::Rectangle { area, color: Rgb(0, 90, 160), opacity: 1.0 };
//! let items = vec![TaggedItem { item: box_item, element: None }];
//! let page = Page { width: 595.0, height: 842.0, label: "1".into(), items };
//! let pages = Pages { pages: vec![page], ..Pages::default() };
//!
//! let pdf = waraq_render::pdf(&pages, &waraq_render::PdfOptions::default())?;
//! assert!(pdf.bytes.starts_with(b"%PDF-") && pdf.warnings.is_empty());
//!
//! let picture = waraq_render::png(&pages, 0, 2.0)?;
//! assert_eq!((picture.width, picture.height), (1190, 1684));
//! # Ok::<(), waraq_graphics::Error>(())
//! ```

#![warn(missing_docs)]

mod metafile;
mod pdf;
mod picture;
mod placeholder;
mod raster;
mod svg;

pub use pdf::pdf;
pub use raster::{png, thumbnail};
pub use waraq_layout::Diagnostic;

/// The options of a PDF. By default, the file has structure tags. By default, it also claims PDF/UA-1 if the document
/// satisfies this standard.
#[derive(Debug, Clone)]
pub struct PdfOptions {
    /// Write structure tags (headings, lists, tables) for screen readers.
    pub tagged: bool,
    /// Claim PDF/UA-1 (ISO 14289-1). A claim requires tags, so they are written even if `tagged` is `false`.
    pub pdf_ua: StandardClaim,
    /// Claim PDF/A-2a (ISO 19005-2). A claim requires tags, so they are written even if `tagged` is `false`.
    pub pdf_a: StandardClaim,
}

impl Default for PdfOptions {
    fn default() -> Self {
        Self { tagged: true, pdf_ua: StandardClaim::IfPossible, pdf_a: StandardClaim::No }
    }
}

impl PdfOptions {
    /// Returns options without tags and claims. They give the smallest file.
    pub fn plain() -> Self {
        Self { tagged: false, pdf_ua: StandardClaim::No, pdf_a: StandardClaim::No }
    }
}

/// The choice to declare conformance to a standard. A file never declares a standard that the document does not satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StandardClaim {
    /// The standard is not claimed.
    #[default]
    No,
    /// The standard is claimed if the document satisfies it.
    IfPossible,
    /// The standard is claimed if the document satisfies it. Otherwise a [`Diagnostic`] gives the reason.
    IfPossibleOrWarn,
}

/// A finished PDF.
#[derive(Debug, Clone)]
pub struct Pdf {
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// Warnings about pictures that became labelled boxes, fonts that could not be embedded, and requested standards
    /// that could not be claimed.
    pub warnings: Vec<Diagnostic>,
}

/// A picture of a page.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The content of the file: PNG from [`png()`], lossless WebP from [`thumbnail`].
    pub bytes: Vec<u8>,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}
