//! GET /documents/{id}: returns a template with its file and the pages of the empty template.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Error, Failure, Json, MaybeUser, Path, State};
use functions::wire::files::{FilePair, fits_in_response};
use functions::wire::{Document, document};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::accounts::Role;
use waraq_core::field_settings::{ShownFieldSettings, stored_or_detected};
use waraq_core::files::Files;
use waraq_core::template::{TemplateStatus, document_not_found};

/// A template with its files. If the files are larger than 4 MB together, the response has `fileUrl` and `pdfUrl`
/// (signed, valid for 15 minutes) instead of `file` and `pdf`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentResponse {
    pub document: Document,
    /// The settings of each field, in the order of `fields`.
    pub field_help: Vec<ShownFieldSettings>,
    #[serde(flatten)]
    pub files: FilePair,
}

#[utoipa::path(get, path = "/api/v1/documents/{id}", tag = "documents", params(("id" = String, Path)), security((), ("bearer" = [])), responses(
    (status = 200, body = DocumentResponse),
))]
pub async fn get(
    State(cloud): State<Arc<Cloud>>,
    MaybeUser(caller): MaybeUser,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
) -> Result<Json<DocumentResponse>, Failure> {
    let (template, uses) = cloud.templates().template(&id).await?.ok_or_else(document_not_found)?;
    if template.status != TemplateStatus::Active && caller.is_none_or(|account| account.role != Role::Admin) {
        return Err(document_not_found().into());
    }
    let help = cloud.templates().field_settings(&id, template.version).await?;
    let field_help = stored_or_detected(help, &template).for_form(&template.fields);
    let (file_key, pdf_key) = (template.docx_key(), template.pdf_key());
    let bytes = template.file_bytes + template.pdf_bytes;
    let files = if fits_in_response(bytes) {
        FilePair::bytes(&required_file(cloud.files(), &file_key).await?, &required_file(cloud.files(), &pdf_key).await?)
    } else {
        let name = functions::wire::files::file_name(&template.title);
        FilePair::links(
            cloud.files().link(&file_key, &format!("{name}.docx")).await?,
            cloud.files().link(&pdf_key, &format!("{name}.pdf")).await?,
        )
    };
    Ok(Json(DocumentResponse { document: document(template, uses, names), field_help, files }))
}

async fn required_file(files: &dyn Files, key: &str) -> Result<Vec<u8>, Error> {
    files.get(key).await?.ok_or_else(|| Error::internal(format!("{key} is not kept")))
}

functions::route!(get, refuses: [DocumentNotFound]);
