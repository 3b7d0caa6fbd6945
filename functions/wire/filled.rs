//! A filled document in an answer.

use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::Error;
use waraq_core::files::{Files, answer_key};
use waraq_core::filling::Document;
use waraq_core::publishing::{DOCX, Finding};
use waraq_rules::derivation::Unsaid;

use super::files::{FilePair, carry, file_name};
use super::saved::SavedDocument;

/// Past 4 MB of files together the answer carries `fileUrl` and `pdfUrl` (signed, 15 minutes) instead of `file` and `pdf`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FillResponse {
    #[serde(flatten)]
    pub files: FilePair,
    /// What both are to be called, without ending: made of the title.
    pub file_name: String,
    pub pages: u32,
    /// What could not be set as the file asks.
    pub warnings: Vec<Finding>,
    /// Derived fields that are left empty although what they are made of is not, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub unsaid: Vec<UnsaidField>,
    /// The document as it is kept; with `save` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_document: Option<SavedDocument>,
}

/// A derived field that says nothing.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnsaidField {
    pub field: String,
    pub why: Unsaid,
}

/// The answer for a document that was made.
pub async fn fill_response(cloud: &Cloud, document: Document) -> Result<FillResponse, Error> {
    let unsaid = document.unsaid.into_iter().map(|(field, why)| UnsaidField { field, why }).collect();
    let (filled, name) = (document.filled, file_name(&document.title));
    let files = if carry((filled.docx.len() + filled.pdf.len()) as u64) {
        FilePair::bytes(&filled.docx, &filled.pdf)
    } else {
        let id = waraq_core::clock::new_id(cloud.clock(), cloud.chance());
        FilePair::links(
            handed_out(cloud.files(), &answer_key(&id, "docx"), DOCX, filled.docx, &format!("{name}.docx")).await?,
            handed_out(cloud.files(), &answer_key(&id, "pdf"), "application/pdf", filled.pdf, &format!("{name}.pdf"))
                .await?,
        )
    };
    let (pages, warnings) = (filled.pages, filled.warnings);
    Ok(FillResponse { files, file_name: name, pages, warnings, unsaid, saved_document: None })
}

async fn handed_out(
    files: &dyn Files,
    key: &str,
    content_type: &'static str,
    bytes: Vec<u8>,
    name: &str,
) -> Result<String, Error> {
    files.put(key, content_type, bytes).await?;
    files.link(key, name).await
}
