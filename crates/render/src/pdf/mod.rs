//! Writes pages as a PDF with krilla. The bytes are returned exactly as krilla writes them.

mod draw;
mod editions;
mod links;
mod metadata;
pub(crate) mod paint;
mod pictures;
mod shapes;
mod standards;
mod structure;
mod text;
mod thin;

use std::collections::BTreeSet;

use krilla::error::KrillaError;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use waraq_graphics::{Error, Result};
use waraq_layout::{Page, Pages};
use waraq_rules::{ErrorCode, Finding, FindingCode};

use crate::{Pdf, PdfOptions};
use draw::Drawing;
use editions::Editions;
use links::Links;
use pictures::Pictures;
use shapes::Shapes;
use standards::Claims;
use structure::Structure;
use text::Shaped;
use thin::Glyphs;

/// Allowed length of a page side in points. krilla refuses pages without an area. Readers refuse sides over 200 inches
/// (ISO 32000-1, annex C).
const SIDES: std::ops::RangeInclusive<f32> = 1.0..=14_400.0;

/// Writes the pages as a single PDF. A document without pages becomes one empty page.
///
/// # Errors
/// `internal` if the writer fails, `too_complex` or `cancelled` from the meter of the pages.
pub fn pdf(pages: &Pages, options: &PdfOptions) -> Result<Pdf> {
    written(pages, options, Purpose::Paper)
}

/// Writes one page without metadata and structure, for a picture of `scale` pixels for each point.
pub(crate) fn page(pages: &Pages, page: &Page, scale: f32) -> Result<Vec<u8>> {
    let Pages { fonts, images, meter, .. } = pages;
    let (fonts, images, meter) = (fonts.clone(), images.clone(), meter.clone());
    let alone = Pages { pages: vec![page.clone()], fonts, images, meter, ..Pages::default() };
    written(&alone, &PdfOptions::plain(), Purpose::Pixels(scale)).map(|pdf| pdf.bytes)
}

/// The purpose of a PDF. It decides how pictures and content streams are written.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    Paper,
    /// The PDF is rasterized immediately, with this number of pixels for each point. The rasterizer accepts pictures of any size.
    Pixels(f32),
}

/// Writes the PDF. If krilla refuses a claim or a font, writes the PDF again without that claim or font.
fn written(pages: &Pages, options: &PdfOptions, purpose: Purpose) -> Result<Pdf> {
    let mut warnings = Vec::new();
    let mut claims = Claims::wanted(pages, options, &mut warnings);
    let mut pictures = Pictures::new(pages, purpose);
    let fonts = open_fonts(pages, &mut warnings);
    // indices of fonts that cannot be subset: their glyphs are drawn as paths, and their text cannot be searched
    let mut as_paths = BTreeSet::new();
    loop {
        let attempt = Attempt { pages, fonts: &fonts, as_paths: &as_paths, claims, tagged: options.tagged, purpose };
        let written = attempt.write(&mut pictures);
        pages.meter.outcome()?;
        match written {
            Ok(bytes) => {
                warnings.extend(pictures.into_warnings());
                return Ok(Pdf { bytes, warnings });
            }
            Err(KrillaError::Validation(errors)) if claims.any() => claims.withdraw(&errors, &mut warnings),
            Err(KrillaError::Font(font, why)) => {
                let broken = fonts.iter().position(|known| known.as_ref().is_some_and(|known| known.has(&font)));
                match broken {
                    Some(index) if as_paths.insert(index) => warnings.push(font_warning(pages, index, &why)),
                    _ => return Err(Error::new(ErrorCode::Internal, why)),
                }
            }
            Err(error) => return Err(Error::new(ErrorCode::Internal, error.to_string())),
        }
    }
}

fn open_fonts<'a>(pages: &'a Pages, warnings: &mut Vec<Finding>) -> Vec<Option<Editions<'a>>> {
    let open = |(index, (font, drawn)): (usize, (&'a waraq_layout::Font, Glyphs))| {
        let opened = Editions::new(font, drawn);
        if opened.is_none() {
            warnings.push(font_warning(pages, index, "it cannot be read"));
        }
        opened
    };
    pages.fonts.iter().zip(thin::drawn(pages)).enumerate().map(open).collect()
}

fn font_warning(pages: &Pages, index: usize, why: &str) -> Finding {
    let family = pages.fonts.get(index).map_or("", |font| font.family.as_str());
    let message = format!("the font {family} could not be put into the PDF: {why}");
    Finding::new(FindingCode::FontNotEmbedded, message).around(family)
}

/// One attempt to write the whole file.
struct Attempt<'a> {
    pages: &'a Pages,
    fonts: &'a [Option<Editions<'a>>],
    as_paths: &'a BTreeSet<usize>,
    claims: Claims,
    tagged: bool,
    purpose: Purpose,
}

impl Attempt<'_> {
    fn write(&self, pictures: &mut Pictures<'_>) -> std::result::Result<Vec<u8>, KrillaError> {
        let tagged = self.tagged || self.claims.any();
        let mut document = Document::new_with(SerializeSettings {
            enable_tagging: tagged,
            configuration: self.claims.configuration(),
            // without a claim, the document information dictionary is enough for all readers
            xmp_metadata: self.claims.any(),
            compress_content_streams: self.purpose == Purpose::Paper,
            ..SerializeSettings::default()
        });
        let meter = &self.pages.meter;
        let mut links = Links::new(self.pages);
        let mut structure = tagged.then(|| Structure::new(&self.pages.structure));
        let (mut shaped, mut shapes) = (Shaped::new(&self.pages.fonts, meter), Shapes::default());
        let labelled = needs_labels(&self.pages.pages);
        for page in &self.pages.pages {
            let mut on_paper = document.start_page_with(settings(page, labelled));
            let mut surface = on_paper.surface();
            let drawing = Drawing::new(self, &mut surface, pictures, structure.as_mut(), &mut shaped, &mut shapes);
            let found = drawing.page(page);
            surface.finish();
            links.add(found, &mut on_paper, structure.as_mut());
            on_paper.finish();
            if meter.is_over() {
                break;
            }
        }
        if self.pages.pages.is_empty() {
            document.start_page().finish();
        }
        document.set_metadata(metadata::of(self.pages));
        if let Some(outline) = metadata::outline(self.pages, self.claims.ua()) {
            document.set_outline(outline);
        }
        if let Some(structure) = structure {
            document.set_tag_tree(structure.into_tree(self.pages.metadata.language.clone()));
        }
        if meter.is_over() {
            return Ok(Vec::new());
        }
        document.finish()
    }
}

fn settings(page: &Page, labelled: bool) -> PageSettings {
    let side =
        |length: f32| if length.is_finite() { length.clamp(*SIDES.start(), *SIDES.end()) } else { *SIDES.start() };
    let settings = PageSettings::from_wh(side(page.width), side(page.height)).unwrap_or_default();
    if labelled { settings.with_page_label(metadata::page_label(&page.label)) } else { settings }
}

/// Returns `true` if a page label differs from the page's number. Otherwise the PDF needs no labels, because PDF readers number
/// the pages themselves.
fn needs_labels(pages: &[Page]) -> bool {
    pages.iter().enumerate().any(|(index, page)| !page.label.is_empty() && page.label != (index + 1).to_string())
}
