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
    /// The content of the Word file.
    pub docx: Vec<u8>,
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
    "en/mutual-nda.txt",
    "fr/accord-de-confidentialite.txt",
    "fr/devis.txt",
    "ar/certificate-of-employment.txt",
    "en/letter-of-resignation.txt",
    "fr/procuration.txt",
    "ar/power-of-attorney.txt",
    "en/curriculum-vitae.txt",
    "fr/reconnaissance-de-dette.txt",
    "ar/loan-acknowledgement.txt",
    "en/quotation.txt",
    "fr/lettre-de-demission.txt",
    "ar/resignation.txt",
    "en/certificate-of-employment.txt",
    "fr/curriculum-vitae.txt",
    "ar/curriculum-vitae.txt",
];

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
        docx,
    })
}
