//! The whole engine in a few calls: what the cloud's functions and the command line share. (The browser has `waraq-preview`.)
//!
//! A template is opened ([`open`]), looked over ([`examine`]), filled ([`fill`]), set ([`pages`]: laid out on pages) and written
//! ([`pdf`]); [`finish`] is all of it for a filled document, [`print`] without filling.
//!
//! Bytes in, bytes out: no clock, no network, no file system. Same input, same output, byte for byte.
//!
//! ```no_run
//! use waraq_engine::{FillOptions, PdfOptions, Setting, Values};
//!
//! # fn main() -> Result<(), waraq_engine::Error> {
//! # let bytes = Vec::new();
//! let template = waraq_engine::open(&bytes)?;
//! let values = Values::from_pairs([("Nom du client", "Zoé & fils")])?;
//! let setting = Setting { title: Some("Lease".into()), ..Setting::default() };
//! let waraq_engine::Finished { docx, printed } =
//!     waraq_engine::finish(&template, &values, FillOptions::default(), &setting, &PdfOptions::default())?;
//! let pdf: Vec<u8> = printed.pdf.bytes;
//! let card = waraq_engine::first_page_picture(&printed.pages)?;
//! # Ok(()) }
//! ```

use std::collections::HashMap;

mod findings;
mod fonts;

pub use findings::{check, with_warnings};
pub use fonts::fonts;
use waraq_docx::TrackedChanges;
use waraq_docx::fields::Checked;
pub use waraq_docx::fields::{EmptyValue, Field, FieldKind, FillOptions, Values};
pub use waraq_docx::inspect::DocumentModel;
pub use waraq_docx::{Budget, Error, Package, Result};
pub use waraq_layout::Pages;
pub use waraq_render::{Claim, Pdf, PdfOptions, Picture};
pub use waraq_rules::derivation;
pub use waraq_rules::help::FieldHelp;
pub use waraq_rules::{ErrorCode, Finding, FindingCode, Severity};

/// Pixels across the picture of a card: sharp on a dense screen at the width of a card, and on a usual one.
const CARD_WIDTH: u32 = 480;
const SMALL_CARD_WIDTH: u32 = 240;

/// What the pages of a sample, or a guess, may cost of what a document may cost.
const SAMPLE_SHARE: u64 = 4;

/// What a document is set with besides itself.
#[derive(Debug, Clone, Default)]
pub struct Setting {
    /// The PDF's title; `None`: the document's own.
    pub title: Option<String>,
    /// The PDF's language (BCP 47); `None`: the one most of the document's text is in.
    pub language: Option<String>,
    /// For FILENAME fields.
    pub file_name: Option<String>,
    /// Seconds since 1970-01-01T00:00:00Z, for DATE and TIME fields and the PDF's date; 0: no moment is known.
    pub now: i64,
    /// Minutes east of UTC.
    pub time_zone: i32,
    /// Comments stand in a strip beside each page.
    pub show_comments: bool,
    /// Insertions and deletions are both shown, marked as such; otherwise the text as if all were accepted.
    pub show_changes: bool,
    /// What the document may cost, and whether it is still wanted.
    pub budget: Budget,
}

/// Opens a .docx; refuses what is broken, encrypted or hostile.
pub fn open(bytes: &[u8]) -> Result<Package> {
    Package::open(bytes)
}

/// As [`open`], of bytes that are not needed any more (they are not copied), within a budget: `too_complex`, `cancelled`.
pub fn open_within(bytes: Vec<u8>, budget: &Budget) -> Result<Package> {
    Package::open_within(bytes, budget)
}

/// The template's fields, each once, in reading order.
pub fn fields(package: &Package) -> Result<Vec<Field>> {
    waraq_docx::fields::list(&package.within(&Budget::default()))
}

/// What an upload is looked at for.
#[derive(Debug, Clone)]
pub struct Examined {
    pub fields: Vec<Field>,
    /// What can be told of them.
    pub guessed: Vec<FieldHelp>,
    /// Of the template, then what setting it added.
    pub findings: Vec<Finding>,
    /// As it is, its fields empty; `None` where a finding is an error.
    pub printed: Option<Printed>,
}

/// A document as pages and as PDF.
#[derive(Debug, Clone)]
pub struct Printed {
    pub pages: Pages,
    /// Its warnings are those of the pages too.
    pub pdf: Pdf,
}

/// Checks a template and prints it as it is.
///
/// # Errors
/// Those of [`check`] and [`print`]; `too_many_fields`.
pub fn examine(template: &Package, setting: &Setting, options: &PdfOptions) -> Result<Examined> {
    let template = template.within(&setting.budget);
    let Checked { fields, findings } = findings::of(&template)?;
    waraq_rules::check_count(fields.len())?;
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        let guessed = guess(&template, &fields, &setting.budget);
        return Ok(Examined { fields, guessed, findings, printed: None });
    }
    let printed = printed(&template, setting, options)?;
    let findings = with_warnings(findings, printed.pdf.warnings.iter().cloned());
    let guessed = guess(&template, &fields, &setting.budget);
    Ok(Examined { fields, guessed, findings, printed: Some(printed) })
}

/// What can be told of a template's fields from their names and what stands around them. Of a document that costs too much to be read
/// again, by their names alone.
fn guess(template: &Package, fields: &[Field], budget: &Budget) -> Vec<FieldHelp> {
    let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    let mut budget = budget.clone();
    (budget.work, budget.memory) = (budget.work / SAMPLE_SHARE, budget.memory / SAMPLE_SHARE);
    let read = waraq_docx::read(&template.within(&budget), &waraq_docx::ReadOptions::default());
    let around = read.map(|document| waraq_docx::fields::surroundings(&document)).unwrap_or_default();
    waraq_rules::help::guess(&names, &around)
}

/// The pages of a template with a sample of what is to be filled in: in each field its own name, which is nobody's name and no date.
/// Underscores read as spaces: `Nom_du_client` is “Nom du client”.
///
/// # Errors
/// Those of [`fill`] and [`pages`]; `too_complex` past a fourth of the setting's budget: a sample is worth no more.
pub fn sample(template: &Package, fields: &[Field], setting: &Setting) -> Result<Pages> {
    let mut budget = setting.budget.clone();
    (budget.work, budget.memory) = (budget.work / SAMPLE_SHARE, budget.memory / SAMPLE_SHARE);
    let values = Values::from_pairs(fields.iter().map(|field| (field.name.clone(), readable(&field.name))))?;
    let filled = waraq_docx::fields::fill(&template.within(&budget), &values, FillOptions::default())?;
    set(&filled, setting)
}

fn readable(name: &str) -> String {
    let words: Vec<&str> =
        name.split(|c: char| c.is_whitespace() || c == '_').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Sets a document and writes its PDF.
///
/// # Errors
/// Those of [`pages`] and [`pdf`].
pub fn print(package: &Package, setting: &Setting, options: &PdfOptions) -> Result<Printed> {
    printed(&package.within(&setting.budget), setting, options)
}

fn printed(package: &Package, setting: &Setting, options: &PdfOptions) -> Result<Printed> {
    written(set(package, setting)?, options)
}

fn written(pages: Pages, options: &PdfOptions) -> Result<Printed> {
    let mut pdf = pdf(&pages, options)?;
    pdf.warnings = with_warnings(pages.warnings.clone(), pdf.warnings);
    Ok(Printed { pages, pdf })
}

/// A filled document, as Word's file and printed.
#[derive(Debug, Clone)]
pub struct Finished {
    pub docx: Vec<u8>,
    pub printed: Printed,
}

/// Fills a template and prints it; what its fields show of pages and bookmarks is the same in the .docx and on the pages.
///
/// # Errors
/// Those of [`fill`] and [`print`].
pub fn finish(
    template: &Package,
    values: &Values,
    options: FillOptions,
    setting: &Setting,
    pdf: &PdfOptions,
) -> Result<Finished> {
    let filled = waraq_docx::fields::fill(&template.within(&setting.budget), values, options)?;
    let pages = set(&filled, setting)?;
    let docx = renew(&filled, &pages)?.to_bytes()?;
    // Large values make a large document, and the PDF takes room of its own.
    drop(filled);
    Ok(Finished { docx, printed: written(pages, pdf)? })
}

/// Brings what a set document's PAGEREF and REF fields show (also those of a table of contents) up to date with its
/// `pages`. PAGE and NUMPAGES Word renews itself.
pub fn renew(package: &Package, pages: &Pages) -> Result<Package> {
    let mut labels: HashMap<&str, &str> = HashMap::new();
    for destination in &pages.destinations {
        if let Some(page) = pages.pages.get(destination.page) {
            labels.entry(&destination.name).or_insert(&page.label);
        }
    }
    waraq_docx::fields::renew(package, &|bookmark| labels.get(bookmark).copied())
}

/// Fills the template's fields. The outcome may be set as it is, without being opened again; to be handed out, what it says
/// of its own pages wants [`renew`].
pub fn fill(package: &Package, values: &Values, options: FillOptions) -> Result<Package> {
    waraq_docx::fields::fill(&package.within(&Budget::default()), values, options)
}

/// What a document says of itself: properties, settings, sections, comments, relationships.
pub fn inspect(package: &Package) -> Result<DocumentModel> {
    waraq_docx::inspect(&package.within(&Budget::default()))
}

/// Sets a document: its pages, and in [`Pages::warnings`] what could not be set as Word would.
pub fn pages(package: &Package, setting: &Setting) -> Result<Pages> {
    set(&package.within(&setting.budget), setting)
}

/// The same, counting against the package's own budget.
fn set(package: &Package, setting: &Setting) -> Result<Pages> {
    let tracked_changes = if setting.show_changes { TrackedChanges::All } else { TrackedChanges::Final };
    let options = waraq_docx::ReadOptions { tracked_changes, comments: setting.show_comments, values: false };
    let document = waraq_docx::read(package, &options)?;
    let mut pages = waraq_layout::layout(
        &document,
        fonts(),
        &waraq_layout::Options {
            now: setting.now,
            time_zone: setting.time_zone,
            show_comments: setting.show_comments,
            file_name: setting.file_name.clone(),
            ..Default::default()
        },
    )?;
    if setting.title.is_some() {
        pages.metadata.title.clone_from(&setting.title);
    }
    if setting.language.is_some() {
        pages.metadata.language.clone_from(&setting.language);
    }
    Ok(pages)
}

/// The pages as a PDF.
pub fn pdf(pages: &Pages, options: &PdfOptions) -> Result<Pdf> {
    waraq_render::pdf(pages, options)
}

/// A page (from 0) as a PNG, `scale` pixels a point.
pub fn png(pages: &Pages, page: usize, scale: f32) -> Result<Picture> {
    waraq_render::png(pages, page, scale)
}

/// The first page as a WebP for a card of the catalogue.
pub fn first_page_picture(pages: &Pages) -> Result<Picture> {
    waraq_render::thumbnail(pages, CARD_WIDTH)
}

/// The same at half its width, for screens of usual density.
pub fn small_first_page_picture(pages: &Pages) -> Result<Picture> {
    waraq_render::thumbnail(pages, SMALL_CARD_WIDTH)
}
