//! Requests to fill a template, and filled documents in responses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::Error;
use waraq_core::files::{Files, response_file_key};
use waraq_core::filling::FilledDocument;
use waraq_core::publishing::{DOCX, Diagnostic};
use waraq_core::saved::DocumentOptions;
use waraq_rules::derivation::NoValueReason;

use super::files::{FilePair, file_name, fits_in_response};
use super::optional_id;
use super::saved::SavedDocument;
use super::values::{FieldValueInput, NamedValue};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FillRequest {
    /// One object for each field, with the field's name as its only key. Every field of the template is required; empty
    /// text is allowed.
    #[schema(value_type = Vec<std::collections::BTreeMap<String, FieldValueInput>>)]
    pub fields_and_values: Vec<NamedValue>,
    /// If true, the document is also saved in the account, in the transaction that counts the use. Saving requires a
    /// token.
    #[serde(default)]
    pub save: bool,
    /// The id of the caller's saved document to edit. The template version of that document is filled, even if the
    /// template is not in the catalogue any longer.
    #[serde(default, deserialize_with = "optional_id")]
    pub saved_document_id: Option<String>,
    /// The `version` of the saved document on which the edit is based. Required to save the edit.
    pub version: Option<u32>,
    /// The version of the template to fill. The default is the version of the document in `savedDocumentId`. Without
    /// `savedDocumentId`, the default is the newest version.
    pub template_version: Option<u32>,
    /// Title of the document: one line of at most 200 characters. If it is missing or empty, a saved document keeps its
    /// title and a new document gets the title of its template.
    pub title: Option<String>,
    /// If true, nothing is printed for an empty field. Otherwise, a dotted line is printed.
    #[serde(default)]
    pub blank: bool,
}

impl FillRequest {
    /// Returns the saved document, the template version and the title.
    pub fn options(&self) -> DocumentOptions {
        DocumentOptions {
            document: self.saved_document_id.clone(),
            version: self.version,
            template_version: self.template_version,
            title: self.title.clone(),
        }
    }
}

/// A filled document. If the files are larger than 4 MB together, the response has `fileUrl` and `pdfUrl` (signed,
/// valid for 15 minutes) instead of `file` and `pdf`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FillResponse {
    #[serde(flatten)]
    pub files: FilePair,
    /// Suggested name of both files without extension, derived from the title.
    pub file_name: String,
    pub pages: u32,
    /// Warnings about parts of the PDF that differ from what the Word file specifies.
    pub warnings: Vec<Diagnostic>,
    /// Derived fields that stay empty although the fields they are computed from have values, with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub unsaid: Vec<FailedDerivation>,
    /// The saved document. Missing if the request did not save a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_document: Option<SavedDocument>,
}

/// A derived field that could not be computed, and the reason.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UnsaidField)]
pub struct FailedDerivation {
    pub field: String,
    pub why: NoValueReason,
}

/// Builds the response for a rendered document. `user_id` is the account of the caller, `None` for a guest.
pub async fn fill_response(
    cloud: &Cloud,
    user_id: Option<&str>,
    document: FilledDocument,
) -> Result<FillResponse, Error> {
    let unsaid = document.failed_derivations.into_iter().map(|(field, why)| FailedDerivation { field, why }).collect();
    let (filled, name) = (document.filled, file_name(&document.title));
    let files = if fits_in_response((filled.docx.len() + filled.pdf.len()) as u64) {
        FilePair::bytes(&filled.docx, &filled.pdf)
    } else {
        let id = waraq_core::clock::new_id(cloud.clock(), cloud.random_source());
        FilePair::links(
            store_and_link(
                cloud.files(),
                &response_file_key(user_id, &id, "docx"),
                DOCX,
                filled.docx,
                &format!("{name}.docx"),
            )
            .await?,
            store_and_link(
                cloud.files(),
                &response_file_key(user_id, &id, "pdf"),
                "application/pdf",
                filled.pdf,
                &format!("{name}.pdf"),
            )
            .await?,
        )
    };
    let (pages, warnings) = (filled.pages, filled.warnings);
    Ok(FillResponse { files, file_name: name, pages, warnings, unsaid, saved_document: None })
}

async fn store_and_link(
    files: &dyn Files,
    key: &str,
    content_type: &'static str,
    bytes: Vec<u8>,
    name: &str,
) -> Result<String, Error> {
    files.put(key, content_type, bytes).await?;
    files.link(key, name).await
}
