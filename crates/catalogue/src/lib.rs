//! The starting catalogue and its generator. The starting catalogue is the set of templates that a new installation gets. The
//! generator converts the sources of the templates into Word files.
//!
//! A template's source is a text file under `templates/<language>/` in a small markup language (see [`source`]).
//! [`templates`] converts each source into a `.docx` in the layout of a law or accounting office. It has styles,
//! numbered clauses, tables, headers, footers with page numbers, and signature blocks. Arabic templates are laid out
//! from right to left. The same source always gives the same bytes.
//!
//! A mistake in a source is not an error of [`templates`], which skips this source. [`mistakes`] lists the mistakes.
//!
//! ```
//! let invoice = waraq_catalogue::templates().into_iter().find(|template| template.slug == "en-invoice").unwrap();
//! assert_eq!((invoice.language, invoice.country), ("en", Some("GB")));
//! assert!(invoice.docx.starts_with(b"PK"));
//! ```

mod body;
mod inline;
mod numbering;
mod package;
mod page_parts;
pub mod source;
mod styles;
mod table;

use waraq_rules::field_settings::FieldSettings;
use waraq_rules::{DeclaredType, DeclaredTypes};

/// A template of the starting catalogue, ready to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// A stable and unique id such as `fr-facture`: lower-case ASCII letters, digits and hyphens, starting with the
    /// language.
    pub slug: &'static str,
    /// The title shown in the catalogue, in the template's own language.
    pub title: &'static str,
    /// The language of the template: `en`, `fr` or `ar`.
    pub language: &'static str,
    /// The ISO 3166 code of the country whose law or custom the template follows. `None` if it is not specific to a country.
    pub country: Option<&'static str>,
    /// The names of the categories of the template, which [`waraq_core::category`] defines. There is at least one.
    pub categories: Vec<&'static str>,
    /// Search terms for this template, in addition to its title. Terms for a whole kind of document, such as “invoice”,
    /// are in the synonyms of `waraq_core`.
    pub keywords: Vec<&'static str>,
    /// The settings of fields that are not detected: kinds of lists and pictures, labels, derivations. They are published like
    /// settings that an admin enters.
    pub settings: Vec<FieldSettings>,
    /// The content of the Word file.
    pub docx: Vec<u8>,
}

impl Template {
    /// Returns the types that the settings declare for the fields: lists, yes/no fields, pictures and signatures.
    pub fn declared_types(&self) -> DeclaredTypes {
        declared_types(&self.settings)
    }
}

fn declared_types(settings: &[FieldSettings]) -> DeclaredTypes {
    let mut declared = DeclaredTypes::new();
    for one in settings {
        if let Some(kind) = one.kind {
            let columns = declared_types(one.columns.as_deref().unwrap_or_default());
            declared.insert(one.field.clone(), DeclaredType { field_type: kind.field_type(), columns });
        }
    }
    declared
}

macro_rules! sources {
    ($($path:literal),* $(,)?) => {
        /// The path of each source under `templates/`, and its text.
        const SOURCES: &[(&str, &str)] = &[$(($path, include_str!(concat!("../templates/", $path)))),*];
    };
}

sources![
    "en/residential-tenancy-agreement.txt",
    "fr/contrat-de-travail-cdi.txt",
    "ar/residential-lease.txt",
    "fr/bail-d-habitation.txt",
    "en/invoice.txt",
    "fr/facture.txt",
    "ar/tax-invoice.txt",
    "en/employment-contract.txt",
    "fr/attestation-de-travail.txt",
    "ar/employment-contract.txt",
    "fr/accord-de-confidentialite.txt",
    "fr/devis.txt",
    "ar/certificate-of-employment.txt",
    "en/letter-of-resignation.txt",
    "en/curriculum-vitae.txt",
    "fr/reconnaissance-de-dette.txt",
    "ar/power-of-attorney.txt",
    "en/quotation.txt",
    "fr/lettre-de-demission.txt",
    "ar/resignation.txt",
    "en/certificate-of-employment.txt",
    "fr/curriculum-vitae.txt",
    "ar/curriculum-vitae.txt",
    "en/timesheet.txt",
    "fr/feuille-de-temps.txt",
    "ar/timesheet.txt",
    "en/expense-report.txt",
    "fr/note-de-frais.txt",
    "ar/expense-claim.txt",
    // The newest templates are shown first. These three are short, and all their fields are texts.
    "en/mutual-nda.txt",
    "fr/procuration.txt",
    "ar/loan-acknowledgement.txt",
];

/// An ordinary contract with blanks, for authors who try out how a template is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The language: `en`, `fr` or `ar`.
    pub language: &'static str,
    /// The content of the Word file.
    pub docx: Vec<u8>,
}

/// The sources of the samples.
const SAMPLES: [&str; 3] =
    [include_str!("../samples/en.txt"), include_str!("../samples/fr.txt"), include_str!("../samples/ar.txt")];

/// Returns the sample contracts, one in each language. `frontend/public/samples` has them as files.
///
/// # Errors
/// Returns the first mistake in their sources. No released build has one.
pub fn samples() -> Result<Vec<Sample>, source::Mistake> {
    let build = |text: &&'static str| {
        let source = source::Source::parse(text)?;
        let docx = package::write(&source).map_err(|fault| source::Mistake::new(0, fault.to_string()))?;
        Ok(Sample { language: source.head.language.code(), docx })
    };
    SAMPLES.iter().map(build).collect()
}

/// Returns the starting catalogue in the order of publication, which alternates between the three languages.
///
/// Sources with a mistake are left out and listed by [`mistakes`]. A test checks that every source is correct.
pub fn templates() -> Vec<Template> {
    SOURCES.iter().filter_map(|(path, text)| build(path, text).ok()).collect()
}

/// Returns the mistakes in the sources, one line each; empty in every released build.
pub fn mistakes() -> Vec<String> {
    SOURCES.iter().filter_map(|(path, text)| build(path, text).err().map(|fault| format!("{path}: {fault}"))).collect()
}

fn build(path: &str, text: &'static str) -> Result<Template, source::Mistake> {
    let source = source::Source::parse(text)?;
    let head = &source.head;
    if path.split_once('/').is_none_or(|(folder, _)| folder != head.language.code()) {
        return Err(source::Mistake::new(1, "the file lies in another language's folder"));
    }
    for name in &head.categories {
        if !waraq_core::category::is_built_in(name) {
            return Err(source::Mistake::new(1, format!("no such category: {name}")));
        }
    }
    let docx = package::write(&source).map_err(|fault| source::Mistake::new(0, fault.to_string()))?;
    Ok(Template {
        slug: head.slug,
        title: head.title,
        language: head.language.code(),
        country: head.country,
        categories: head.categories.clone(),
        keywords: head.keywords.clone(),
        settings: source.settings,
        docx,
    })
}
