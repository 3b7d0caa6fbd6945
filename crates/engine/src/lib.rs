//! The whole engine in a few calls, shared by the cloud functions and the command line. (The browser uses `waraq-preview`.)
//!
//! The crate reads and returns bytes. The crate uses no clock, network or file system. Equal input gives equal output,
//! byte for byte.
//!
//! # Main types and functions
//!
//! - [`open`] opens a `.docx` file as a [`Package`]. [`fields()`] lists its fields.
//! - [`examine`] checks a template before it is published: its fields, detected field settings, [`Diagnostic`]s, pages and PDF.
//! - [`fill`] inserts [`Values`] into a template, [`lay_out`] lays a document out with a [`LayoutOptions`], and [`pdf`] writes the PDF.
//! - [`fill_and_render`] fills a template and returns the `.docx` and the PDF. [`render`] returns the PDF of a document without filling.
//! - [`first_page_picture`] and [`png`] draw pages as pictures.
//!
//! # Limits and errors
//!
//! A [`Budget`] limits the work and memory of one document. Every [`Error`] has an [`ErrorCode`]. Problems that do not stop the
//! work are [`Diagnostic`]s.
//!
//! # Example
//!
//! ```
//! use waraq_docx::build::{DocumentBuilder, paragraph};
//! use waraq_engine::{FillOptions, LayoutOptions, PdfOptions, Values};
//!
//! # fn main() -> Result<(), waraq_engine::Error> {
//! let bytes = DocumentBuilder::new(&paragraph("Lease of {{Nom du client}}")).to_bytes();
//! let template = waraq_engine::open(&bytes)?;
//! let values = Values::from_pairs([("Nom du client", "Zoé & fils")])?;
//! let options = LayoutOptions { title: Some("Lease".into()), ..LayoutOptions::default() };
//! let filled =
//!     waraq_engine::fill_and_render(&template, &values, FillOptions::default(), &options, &PdfOptions::default())?;
//! assert!(filled.rendered.pdf.bytes.starts_with(b"%PDF-"));
//! assert!(waraq_engine::fields(&waraq_engine::open(&filled.docx)?)?.is_empty());
//! let card = waraq_engine::first_page_picture(&filled.rendered.pages)?;
//! assert_eq!(card.width, 480);
//! # Ok(()) }
//! ```

#![warn(missing_docs)]

use std::collections::HashMap;

mod diagnostics;
mod fonts;

pub use diagnostics::{check, with_warnings};
pub use fonts::fonts;
use waraq_docx::TrackedChanges;
pub use waraq_docx::fields::{
    Blank, BlankForm, Confidence, ControlInput, Converted, DeclaredType, DeclaredTypes, DetectedBlanks, EmptyValue,
    Field, FieldKind, FieldMark, FillOptions, MarkChange, Marked, Unmarked, Values, convert_marks, detect_blanks,
    mark_fields, unmark_fields,
};
use waraq_docx::fields::{LaidOutResults, TemplateCheck};
pub use waraq_docx::inspect::DocumentModel;
pub use waraq_docx::{Budget, Error, Package, Result};
pub use waraq_layout::Pages;
pub use waraq_render::{Pdf, PdfOptions, Picture, StandardClaim};
pub use waraq_rules::derivation::{self, Derivation};
pub use waraq_rules::field_settings::FieldSettings;
pub use waraq_rules::{
    Diagnostic, DiagnosticCode, ErrorCode, FieldType, PictureSizes, Row, Severity, Structure, StructuredField, Value,
};

/// Width in pixels of the picture on a catalogue card: 480 for screens of high density, 240 for screens of normal
/// density.
const CARD_WIDTH: u32 = 480;
const SMALL_CARD_WIDTH: u32 = 240;

/// The divisor of the document's budget for two additional tasks. Detecting field settings and laying out a sample each
/// get the divided budget. A sample is the template filled with the names of its own fields.
const SAMPLE_BUDGET_DIVISOR: u64 = 4;

/// Layout options of a document.
#[derive(Debug, Clone, Default)]
pub struct LayoutOptions {
    /// The title of the PDF. `None` uses the document's own title.
    pub title: Option<String>,
    /// The language of the PDF (BCP 47). `None` uses the language of most of the document's text.
    pub language: Option<String>,
    /// The file name of the document, for FILENAME fields. If it is `None`, these fields show the result that is stored
    /// in the document.
    pub file_name: Option<String>,
    /// Seconds since 1970-01-01T00:00:00Z, for DATE and TIME fields and for the date of the PDF. 0 means that the time
    /// is unknown.
    pub now: i64,
    /// Offset of the local time from UTC in minutes, positive east of UTC.
    pub time_zone: i32,
    /// The country of the document (ISO 3166), for the dates and numbers of Word fields. `None`: the region of the text's
    /// language counts, such as Morocco for `ar-MA`.
    pub country: Option<String>,
    /// True to show comments in a strip beside each page.
    pub show_comments: bool,
    /// True to show insertions and deletions, marked as such. False lays out the text as if all changes were accepted.
    pub show_changes: bool,
    /// Limits of work and memory for the document. The budget can also cancel the work.
    pub budget: Budget,
}

/// Opens a .docx file.
///
/// # Errors
/// The errors of [`Package::open`], whose codes tell whether the file is damaged, encrypted, hostile or not a Word document.
pub fn open(bytes: &[u8]) -> Result<Package> {
    Package::open(bytes)
}

/// Opens a .docx file without copying its bytes. The work counts against `budget`.
///
/// # Errors
/// The errors of [`open`], `too_complex` and `cancelled`.
pub fn open_with_budget(bytes: Vec<u8>, budget: &Budget) -> Result<Package> {
    Package::open_with_budget(bytes, budget)
}

/// Returns the fields of the template in reading order, without duplicates.
///
/// # Errors
/// The errors of [`waraq_docx::fields::list`].
pub fn fields(package: &Package) -> Result<Vec<Field>> {
    waraq_docx::fields::list(&package.with_budget(&Budget::default()))
}

/// Returns the types of the fields, in the order of [`fields`]. `declared` has the types that the author declares; the document
/// suggests the others.
///
/// # Errors
/// The errors of [`waraq_docx::fields::structure`].
pub fn structure(package: &Package, declared: &DeclaredTypes) -> Result<Structure> {
    waraq_docx::fields::structure(&package.with_budget(&Budget::default()), declared)
}

/// The result of checking a template with [`examine`].
#[derive(Debug, Clone)]
pub struct Examination {
    /// The fields in reading order, without duplicates.
    pub fields: Vec<Field>,
    /// The types of the fields, in the same order. A list contains its columns.
    pub structure: Structure,
    /// Field settings detected from the names of the fields and columns and the text around them.
    pub detected: Vec<FieldSettings>,
    /// Derivations that fit the names of fields and columns, each with the path of the derived field, such as `items[].total`.
    pub suggestions: Vec<(String, Derivation)>,
    /// Problems of the template, followed by the warnings of layout and rendering.
    pub diagnostics: Vec<Diagnostic>,
    /// The template with its fields not filled, or `None` if one of the diagnostics is an error.
    pub rendered: Option<Rendered>,
}

/// A document as pages and as PDF.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The pages that layout computed.
    pub pages: Pages,
    /// The PDF. Its warnings include those of the pages.
    pub pdf: Pdf,
}

/// Checks a template, detects its field settings, and renders it without filling.
///
/// # Errors
/// The errors of [`check`] and [`render`], and `too_many_fields`.
pub fn examine(template: &Package, layout_options: &LayoutOptions, options: &PdfOptions) -> Result<Examination> {
    let template = template.with_budget(&layout_options.budget);
    let TemplateCheck { fields, structure, findings, .. } = diagnostics::check_fields(&template)?;
    waraq_rules::check_count(structure.count())?;
    let DetectedSettings { settings: detected, suggestions } = detect(&template, &fields, &structure, layout_options);
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Ok(Examination { fields, structure, detected, suggestions, diagnostics: findings, rendered: None });
    }
    let printed = render_within_budget(&template, layout_options, options)?;
    let diagnostics = with_warnings(findings, printed.pdf.warnings.iter().cloned());
    Ok(Examination { fields, structure, detected, suggestions, diagnostics, rendered: Some(printed) })
}

/// The results of [`detect_settings`].
#[derive(Debug, Clone)]
pub struct DetectedSettings {
    /// The settings of the fields and columns. Fields without detected settings are left out.
    pub settings: Vec<FieldSettings>,
    /// Derivations that fit the names of fields and columns, each with the path of the derived field, such as `items[].total`.
    pub suggestions: Vec<(String, Derivation)>,
}

/// Detects field settings and suggests derivations, from the names of the fields and columns in `structure` and the text around
/// them. Without declared types, [`examine`] returns the same.
///
/// # Errors
/// The errors of [`fields()`].
pub fn detect_settings(
    template: &Package,
    structure: &Structure,
    layout_options: &LayoutOptions,
) -> Result<DetectedSettings> {
    let template = template.with_budget(&layout_options.budget);
    Ok(detect(&template, &waraq_docx::fields::list(&template)?, structure, layout_options))
}

/// Detects field settings. The text around the fields is read with a quarter of the budget ([`SAMPLE_BUDGET_DIVISOR`]). If reading
/// the text fails, the names alone are used.
fn detect(template: &Package, fields: &[Field], structure: &Structure, options: &LayoutOptions) -> DetectedSettings {
    let mut budget = options.budget.clone();
    (budget.work, budget.memory) = (budget.work / SAMPLE_BUDGET_DIVISOR, budget.memory / SAMPLE_BUDGET_DIVISOR);
    let read = waraq_docx::read(&template.with_budget(&budget), &waraq_docx::ReadOptions::default());
    let document = read.unwrap_or_default();
    let around = waraq_docx::fields::surroundings(&document, fields);
    let language = options.language.as_deref().or(document.language.as_deref());
    DetectedSettings {
        settings: waraq_rules::field_settings::detect_structure_settings(structure, &around, language),
        suggestions: derivation::suggest_derivations(structure, &around, options.country.as_deref()),
    }
}

/// Lays out a template with the name of each field as its value, for a picture without personal data. Underscores in
/// names become spaces: `Nom_du_client` is shown as “Nom du client”. A list has three rows, the answer to a yes/no field is yes,
/// and pictures are empty. `structure` has the types of the fields.
///
/// # Errors
/// The errors of [`fill`] and [`lay_out`], and `too_complex` if the sample exceeds a quarter of the budget of
/// `layout_options`.
pub fn lay_out_sample(
    template: &Package,
    fields: &[Field],
    structure: &Structure,
    layout_options: &LayoutOptions,
) -> Result<Pages> {
    let mut budget = layout_options.budget.clone();
    (budget.work, budget.memory) = (budget.work / SAMPLE_BUDGET_DIVISOR, budget.memory / SAMPLE_BUDGET_DIVISOR);
    let template = template.with_budget(&budget);
    // A check box shows its empty box.
    let check_boxes: Vec<&str> = fields
        .iter()
        .filter(|field| field.input == Some(ControlInput::YesNo))
        .map(|field| field.name.as_str())
        .collect();
    let mut values = Values::from_pairs(sample_row(&structure.0))?;
    for name in check_boxes {
        values.set(name, "");
    }
    let country = layout_options.country.as_deref();
    let options = FillOptions { country, structure: Some(structure), ..FillOptions::default() };
    let filled = waraq_docx::fields::fill(&template, &values, options)?;
    lay_out_within_budget(&filled, layout_options)
}

/// The number of rows of each list in a sample.
const SAMPLE_ROWS: usize = 3;

/// Returns a value for each field: its name for a text, yes, and [`SAMPLE_ROWS`] rows. A list in a list has one row.
fn sample_row(fields: &[StructuredField]) -> Row {
    sample_rows(fields, SAMPLE_ROWS)
}

fn sample_rows(fields: &[StructuredField], rows: usize) -> Row {
    let sample = |field: &StructuredField| match field.field_type {
        FieldType::YesNo => Value::YesNo(true),
        FieldType::List => Value::List(vec![sample_rows(&field.columns, 1); rows]),
        FieldType::Picture | FieldType::Signature => Value::Text(String::new()),
        FieldType::Text | FieldType::QrCode => Value::Text(readable_name(&field.name)),
    };
    fields.iter().map(|field| (field.name.clone(), sample(field))).collect()
}

fn readable_name(name: &str) -> String {
    let words: Vec<&str> =
        name.split(|c: char| c.is_whitespace() || c == '_').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Lays out a document and writes its PDF.
///
/// # Errors
/// The errors of [`lay_out`] and [`pdf`].
pub fn render(package: &Package, layout_options: &LayoutOptions, options: &PdfOptions) -> Result<Rendered> {
    render_within_budget(&package.with_budget(&layout_options.budget), layout_options, options)
}

fn render_within_budget(package: &Package, layout_options: &LayoutOptions, options: &PdfOptions) -> Result<Rendered> {
    render_pages(lay_out_within_budget(package, layout_options)?, options)
}

fn render_pages(pages: Pages, options: &PdfOptions) -> Result<Rendered> {
    let mut pdf = pdf(&pages, options)?;
    pdf.warnings = with_warnings(pages.warnings.clone(), pdf.warnings);
    Ok(Rendered { pages, pdf })
}

/// A filled document as a .docx file, as pages and as PDF.
#[derive(Debug, Clone)]
pub struct FilledDocument {
    /// The filled .docx file.
    pub docx: Vec<u8>,
    /// The pages and the PDF of the filled document.
    pub rendered: Rendered,
}

/// Fills a template and renders it. Computed fields, such as PAGEREF, REF and IF, have the same results in the .docx file and in
/// the PDF.
///
/// # Errors
/// The errors of [`fill`] and [`render`].
pub fn fill_and_render(
    template: &Package,
    values: &Values,
    options: FillOptions<'_>,
    layout_options: &LayoutOptions,
    pdf: &PdfOptions,
) -> Result<FilledDocument> {
    let filled = waraq_docx::fields::fill(&template.with_budget(&layout_options.budget), values, options)?;
    let pages = lay_out_within_budget(&filled, layout_options)?;
    let docx = update_references(&filled, &pages)?.to_bytes()?;
    // Free the document first: large values make a large document, and writing the PDF needs memory too.
    drop(filled);
    Ok(FilledDocument { docx, rendered: render_pages(pages, pdf)? })
}

/// Updates the results of computed fields, such as PAGEREF, REF, IF and formulas. They come from `pages`, the laid-out document.
/// Word updates PAGE and NUMPAGES fields itself.
///
/// # Errors
/// The errors of [`waraq_docx::fields::update_field_results`].
pub fn update_references(package: &Package, pages: &Pages) -> Result<Package> {
    let mut labels: HashMap<&str, &str> = HashMap::new();
    for destination in &pages.destinations {
        if let Some(page) = pages.pages.get(destination.page) {
            labels.entry(&destination.name).or_insert(&page.label);
        }
    }
    let results = &pages.field_results;
    let field_text = |part: &str, offset: usize| {
        let at = results.binary_search_by(|known| (&*known.source.part, known.source.offset).cmp(&(part, offset)));
        results.get(at.ok()?).map(|known| known.text.as_str())
    };
    let laid_out = LaidOutResults {
        page_label: &|bookmark| labels.get(bookmark).copied(),
        field_text: if results.is_empty() { None } else { Some(&field_text) },
    };
    waraq_docx::fields::update_field_results(package, &laid_out)
}

/// Fills the fields of a template. The result can be laid out directly, without opening it again. Its PAGEREF and REF
/// fields still show the page numbers of the template. Call [`update_references`] before saving the result as .docx.
///
/// # Errors
/// The errors of [`waraq_docx::fields::fill`].
pub fn fill(package: &Package, values: &Values, options: FillOptions<'_>) -> Result<Package> {
    waraq_docx::fields::fill(&package.with_budget(&Budget::default()), values, options)
}

/// Describes a document: properties, settings, sections, comments, relationships.
///
/// # Errors
/// The errors of [`waraq_docx::inspect()`].
pub fn inspect(package: &Package) -> Result<DocumentModel> {
    waraq_docx::inspect(&package.with_budget(&Budget::default()))
}

/// Lays out a document. [`Pages::warnings`] lists content that could not be laid out as in Word.
///
/// # Errors
/// The errors of [`waraq_docx::read()`] and [`waraq_layout::layout()`].
pub fn lay_out(package: &Package, layout_options: &LayoutOptions) -> Result<Pages> {
    lay_out_within_budget(&package.with_budget(&layout_options.budget), layout_options)
}

/// Lays out a document. Unlike [`lay_out`], this function counts the work against the budget that `package` already
/// has.
fn lay_out_within_budget(package: &Package, layout_options: &LayoutOptions) -> Result<Pages> {
    let tracked_changes = if layout_options.show_changes { TrackedChanges::All } else { TrackedChanges::Final };
    let options = waraq_docx::ReadOptions { tracked_changes, comments: layout_options.show_comments, values: false };
    let document = waraq_docx::read(package, &options)?;
    let mut pages = waraq_layout::layout(
        &document,
        fonts(),
        &waraq_layout::LayoutOptions {
            now: layout_options.now,
            utc_offset_minutes: layout_options.time_zone,
            country: layout_options.country.clone(),
            show_comments: layout_options.show_comments,
            file_name: layout_options.file_name.clone(),
            ..Default::default()
        },
    )?;
    if layout_options.title.is_some() {
        pages.metadata.title.clone_from(&layout_options.title);
    }
    if layout_options.language.is_some() {
        pages.metadata.language.clone_from(&layout_options.language);
    }
    Ok(pages)
}

/// Writes the pages as a PDF.
///
/// # Errors
/// The errors of [`waraq_render::pdf()`].
pub fn pdf(pages: &Pages, options: &PdfOptions) -> Result<Pdf> {
    waraq_render::pdf(pages, options)
}

/// Draws a page (counted from 0) as a PNG, with `scale` pixels for each point.
///
/// # Errors
/// The errors of [`waraq_render::png`].
pub fn png(pages: &Pages, page: usize, scale: f32) -> Result<Picture> {
    waraq_render::png(pages, page, scale)
}

/// Draws the first page as a WebP for a card of the catalogue, 480 pixels wide.
///
/// # Errors
/// The errors of [`waraq_render::thumbnail`].
pub fn first_page_picture(pages: &Pages) -> Result<Picture> {
    waraq_render::thumbnail(pages, CARD_WIDTH)
}

/// Draws the first page as a WebP for a card of the catalogue, 240 pixels wide, for screens of normal density.
///
/// # Errors
/// The errors of [`waraq_render::thumbnail`].
pub fn small_first_page_picture(pages: &Pages) -> Result<Picture> {
    waraq_render::thumbnail(pages, SMALL_CARD_WIDTH)
}
