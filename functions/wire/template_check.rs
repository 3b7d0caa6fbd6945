//! The check of a template before it is published or saved.

use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::Error;
use waraq_core::clock::new_id;
use waraq_core::field_settings::ShownFieldSettings;
use waraq_core::files::{DeliveredFile, response_file_key};
use waraq_core::language::template_language_of;
use waraq_core::publishing::Diagnostic;
use waraq_rules::derivation::Derivation;
use waraq_rules::{StructuredField, TemplateProgram};

use super::files::{FilePair, file_name, fits_in_response};
use super::template_file::{field_help, template_file};
use super::values::NamedValue;
use crate::engine::RenderPermit;
use crate::http::{ErrorCode, Form};

/// The parts of the multipart form.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct CheckForm {
    /// A .docx of at most 4 MB. For a larger file, use `upload`.
    #[schema(format = Binary, required = false)]
    pub file: String,
    /// The id of an uploaded file, instead of `file`. The id is the `upload` in the response of the route for uploads.
    /// Send the file to the `url` of that response first.
    #[schema(required = false)]
    pub upload: String,
    /// The title of the template.
    #[schema(required = false)]
    pub title: String,
    /// The field settings that the caller has entered so far, as JSON: a list of FieldHelp. Their kinds decide which values fit, and
    /// their sizes limit the pictures.
    #[schema(required = false)]
    pub field_help: String,
    /// Values in JSON, in the format of fill-fields. If there are values, the pages show the filled template, otherwise
    /// the empty one.
    #[schema(required = false)]
    pub fields_and_values: String,
    /// If `true`, nothing is printed for an empty field. Otherwise, a dotted line is printed.
    #[schema(required = false)]
    pub blank: bool,
}

/// The results of the check. If the PDF is larger than 4 MB, the response has `pdfUrl` (signed, valid for 15 minutes)
/// instead of `pdf`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckResponse {
    /// Errors and warnings about the template. Errors prevent publishing, warnings do not.
    pub findings: Vec<Diagnostic>,
    /// The names of the template's fields in reading order, each name once.
    pub fields: Vec<String>,
    /// The fields with their types and columns, in the order of `fields`.
    pub structure: Vec<StructuredField>,
    /// The detected settings of each field, in the order of `fields`.
    pub field_help: Vec<ShownFieldSettings>,
    /// Derivations that fit the names of fields and columns. Together they are valid settings.
    pub suggestions: Vec<SuggestedDerivation>,
    /// Code of the language that the file declares for most of the text. Null if the file declares no language, or a
    /// language in which templates cannot be written.
    pub language: Option<String>,
    /// The text of the first heading, for the title of a new template. Null if the file has no heading.
    pub heading: Option<String>,
    /// The program for which the template was written: docxtemplater, docxtpl or Carbone. Null for other templates.
    pub program: Option<TemplateProgram>,
    /// Marks of the other program can be converted to fields. The browser module and `waraq convert` do that.
    pub convertible: bool,
    pub pages: u32,
    /// The PDF. The Word file is not returned.
    #[serde(flatten)]
    pub files: FilePair,
}

/// A derivation that the editor of field settings may offer.
#[derive(Debug, Serialize, ToSchema)]
pub struct SuggestedDerivation {
    /// The name of the derived field. A column is written with its list: `items[].total`.
    pub path: String,
    pub derivation: Derivation,
}

/// Checks the template in a form for the account `who`. Nothing is saved.
pub async fn check_template(
    cloud: &Cloud,
    making: &RenderPermit,
    form: &Form,
    who: &str,
) -> Result<CheckResponse, Error> {
    let docx = template_file(cloud, form, who).await?.unwrap_or_default();
    let title = form.text_part("title")?.unwrap_or_default();
    let blank = form.text_part("blank")?.is_some_and(|blank| blank == "true");
    let values = match values(form)? {
        Some(values) => Some(making.values(values).await?),
        None => None,
    };
    let help = field_help(form)?.unwrap_or_default();
    let seen = making.publisher(cloud).preview(docx, &title, help, values, blank).await?;
    let shown_help = seen.field_settings();
    let pdf = if fits_in_response(seen.pdf.len() as u64) {
        DeliveredFile::Bytes(seen.pdf)
    } else {
        let id = new_id(cloud.clock(), cloud.random_source());
        let key = response_file_key(Some(who), &id, "pdf");
        cloud.files().put(&key, "application/pdf", seen.pdf).await?;
        DeliveredFile::Link(cloud.files().link(&key, &format!("{}.pdf", file_name(&title))).await?)
    };
    let suggestions = seen.suggestions.into_iter().map(|(path, derivation)| SuggestedDerivation { path, derivation });
    let marks = || seen.findings.iter().filter_map(|finding| finding.mark.as_ref());
    let program = marks().next().map(|mark| mark.program);
    let convertible = marks().any(|mark| mark.instead.is_some());
    Ok(CheckResponse {
        field_help: shown_help,
        findings: seen.findings,
        fields: seen.fields,
        structure: seen.structure.0,
        suggestions: suggestions.collect(),
        language: seen.language.as_deref().and_then(template_language_of).map(|known| known.code.to_owned()),
        heading: seen.heading,
        program,
        convertible,
        pages: seen.pages,
        files: FilePair::from_delivered(None, Some(pdf)),
    })
}

fn values(form: &Form) -> Result<Option<Vec<NamedValue>>, Error> {
    let Some(part) = form.file_part("fieldsAndValues").filter(|part| !part.is_empty()) else { return Ok(None) };
    let values: Vec<NamedValue> = serde_json::from_slice(part).map_err(|error| {
        let message = format!("fieldsAndValues is not what this call takes: {error}.");
        Error::new(ErrorCode::InvalidBody, message).with_fields(["fieldsAndValues"])
    })?;
    Ok(Some(values))
}
