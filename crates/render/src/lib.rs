//! Pages become PDF or PNG. It knows nothing of Word.

use waraq_layout::Pages;

/// What of the PDF standards to aim for.
#[derive(Debug, Clone, Default)]
pub struct PdfOptions {
    /// Structure tags: headings, lists, tables for screen readers.
    pub tagged: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Error {
    pub code: &'static str,
    pub message: String,
}

/// The pages as one PDF. Same pages, same bytes.
pub fn pdf(pages: &Pages, options: &PdfOptions) -> Result<Vec<u8>, Error> {
    let _ = (pages, options);
    Err(Error { code: "pdf_failed", message: "no renderer".into() })
}

/// One page (from 0) as a PNG on white, `scale` pixels a point.
pub fn png(pages: &Pages, page: usize, scale: f32) -> Result<Vec<u8>, Error> {
    let _ = (pages, page, scale);
    Err(Error { code: "png_failed", message: "no renderer".into() })
}
