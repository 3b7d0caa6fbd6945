//! Writes pages as a PDF with krilla. The bytes are returned exactly as krilla writes them.

mod draw;
mod glyph_shapes;
mod links;
mod metadata;
pub(crate) mod paint;
mod pictures;
mod reduce;
mod standards;
mod structure;
mod subsets;
mod text;

use std::collections::BTreeSet;

use krilla::error::KrillaError;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use waraq_graphics::{Error, Result};
use waraq_layout::{Page, Pages};
use waraq_rules::{Diagnostic, DiagnosticCode, ErrorCode};

use crate::{Pdf, PdfOptions};
use draw::PagePainter;
use glyph_shapes::SharedGraphics;
use links::LinkWriter;
use pictures::PictureLoader;
use reduce::GlyphSet;
use standards::StandardClaims;
use structure::TagTreeBuilder;
use subsets::FontSubsets;
use text::KrillaRun;

/// Allowed length of a page side in points. krilla refuses pages without an area. Readers refuse sides over 200 inches
/// (ISO 32000-1, annex C).
const SIDE_RANGE: std::ops::RangeInclusive<f32> = 1.0..=14_400.0;

/// Writes the pages as a single PDF. A document without pages becomes one empty page.
///
/// # Errors
/// `internal` if the writer fails, `too_complex` or `cancelled` from the meter of the pages.
pub fn pdf(pages: &Pages, options: &PdfOptions) -> Result<Pdf> {
    write_with_fallbacks(pages, options, PdfPurpose::Document)
}

/// Writes a PDF of one page, without metadata and tags. The caller rasterizes this PDF with `scale` pixels for each
/// point.
pub(crate) fn page_pdf(pages: &Pages, page: &Page, scale: f32) -> Result<Vec<u8>> {
    let Pages { fonts, images, meter, .. } = pages;
    let (fonts, images, meter) = (fonts.clone(), images.clone(), meter.clone());
    let alone = Pages { pages: vec![page.clone()], fonts, images, meter, ..Pages::default() };
    write_with_fallbacks(&alone, &PdfOptions::plain(), PdfPurpose::Rasterization(scale)).map(|pdf| pdf.bytes)
}

/// The purpose of a PDF. It decides how pictures and content streams are written.
#[derive(Clone, Copy, PartialEq)]
enum PdfPurpose {
    Document,
    /// The PDF is rasterized immediately, with this number of pixels for each point. Pictures may have this resolution,
    /// even if it is higher than the limit for documents.
    Rasterization(f32),
}

/// Writes the PDF. If krilla refuses a claim or a font, writes the PDF again without that claim or font.
fn write_with_fallbacks(pages: &Pages, options: &PdfOptions, purpose: PdfPurpose) -> Result<Pdf> {
    let mut warnings = Vec::new();
    let mut claims = StandardClaims::requested(pages, options, &mut warnings);
    let mut pictures = PictureLoader::new(pages, purpose);
    let fonts = open_fonts(pages, &mut warnings);
    // indices of fonts that cannot be subset: their glyphs are drawn as paths, and their text cannot be searched
    let mut as_paths = BTreeSet::new();
    loop {
        let attempt = PdfAttempt { pages, fonts: &fonts, as_paths: &as_paths, claims, tagged: options.tagged, purpose };
        let written = attempt.write(&mut pictures);
        pages.meter.outcome()?;
        match written {
            Ok(bytes) => {
                warnings.extend(pictures.into_warnings());
                return Ok(Pdf { bytes, warnings });
            }
            Err(KrillaError::Validation(errors)) if claims.claims_any() => {
                claims.give_up_refuted(&errors, &mut warnings)
            }
            Err(KrillaError::Font(font, why)) => {
                let broken = fonts.iter().position(|known| known.as_ref().is_some_and(|known| known.contains(&font)));
                match broken {
                    Some(index) if as_paths.insert(index) => warnings.push(font_warning(pages, index, &why)),
                    _ => return Err(Error::new(ErrorCode::Internal, why)),
                }
            }
            Err(error) => return Err(Error::new(ErrorCode::Internal, error.to_string())),
        }
    }
}

fn open_fonts<'a>(pages: &'a Pages, warnings: &mut Vec<Diagnostic>) -> Vec<Option<FontSubsets<'a>>> {
    let open = |(index, (font, drawn)): (usize, (&'a waraq_layout::Font, GlyphSet))| {
        let opened = FontSubsets::new(font, drawn);
        if opened.is_none() {
            warnings.push(font_warning(pages, index, "it cannot be read"));
        }
        opened
    };
    pages.fonts.iter().zip(reduce::drawn_glyphs(pages)).enumerate().map(open).collect()
}

fn font_warning(pages: &Pages, index: usize, why: &str) -> Diagnostic {
    let family = pages.fonts.get(index).map_or("", |font| font.family.as_str());
    let message = format!("the font {family} could not be put into the PDF: {why}");
    Diagnostic::new(DiagnosticCode::FontNotEmbedded, message).with_context(family)
}

/// One attempt to write the whole file.
struct PdfAttempt<'a> {
    pages: &'a Pages,
    fonts: &'a [Option<FontSubsets<'a>>],
    as_paths: &'a BTreeSet<usize>,
    claims: StandardClaims,
    tagged: bool,
    purpose: PdfPurpose,
}

impl PdfAttempt<'_> {
    fn write(&self, pictures: &mut PictureLoader<'_>) -> std::result::Result<Vec<u8>, KrillaError> {
        let tagged = self.tagged || self.claims.claims_any();
        let mut document = Document::new_with(SerializeSettings {
            enable_tagging: tagged,
            configuration: self.claims.configuration(),
            // without a claim, the document information dictionary is enough for all readers
            xmp_metadata: self.claims.claims_any(),
            compress_content_streams: self.purpose == PdfPurpose::Document,
            ..SerializeSettings::default()
        });
        let meter = &self.pages.meter;
        let mut links = LinkWriter::new(self.pages);
        let mut structure = tagged.then(|| TagTreeBuilder::new(&self.pages.structure));
        let (mut shaped, mut shapes) = (KrillaRun::new(&self.pages.fonts, meter), SharedGraphics::default());
        let labelled = needs_labels(&self.pages.pages);
        for page in &self.pages.pages {
            let mut on_paper = document.start_page_with(page_settings(page, labelled));
            let mut surface = on_paper.surface();
            let drawing = PagePainter::new(self, &mut surface, pictures, structure.as_mut(), &mut shaped, &mut shapes);
            let found = drawing.draw_page(page);
            surface.finish();
            links.add_to_page(found, &mut on_paper, structure.as_mut());
            on_paper.finish();
            if meter.must_stop() {
                break;
            }
        }
        if self.pages.pages.is_empty() {
            document.start_page().finish();
        }
        document.set_metadata(metadata::pdf_metadata(self.pages));
        if let Some(outline) = metadata::outline(self.pages, self.claims.claims_ua()) {
            document.set_outline(outline);
        }
        if let Some(structure) = structure {
            document.set_tag_tree(structure.into_tree(self.pages.metadata.language.clone()));
        }
        if meter.must_stop() {
            return Ok(Vec::new());
        }
        document.finish()
    }
}

fn page_settings(page: &Page, labelled: bool) -> PageSettings {
    let side = |length: f32| {
        if length.is_finite() { length.clamp(*SIDE_RANGE.start(), *SIDE_RANGE.end()) } else { *SIDE_RANGE.start() }
    };
    let settings = PageSettings::from_wh(side(page.width), side(page.height)).unwrap_or_default();
    if labelled { settings.with_page_label(metadata::page_label(&page.label)) } else { settings }
}

/// Returns `true` if a page label differs from the page's number. Otherwise the PDF needs no labels, because PDF readers number
/// the pages themselves.
fn needs_labels(pages: &[Page]) -> bool {
    pages.iter().enumerate().any(|(index, page)| !page.label.is_empty() && page.label != (index + 1).to_string())
}
