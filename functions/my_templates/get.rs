//! GET /my-templates/{id}: returns a private template of the caller with its file and the pages of the empty template.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Failure, Json, Path, State, User};
use functions::wire::document_with_structure;
use functions::wire::files::{FilePair, fits_in_response};
use functions::wire::template_file::{DocumentResponse, TemplateDescription, required_file, template_links};
use waraq_aws::Cloud;
use waraq_core::catalogue::Templates as _;
use waraq_core::field_settings::stored_or_detected;
use waraq_core::template::document_not_found;

#[utoipa::path(get, path = "/api/v1/my-templates/{id}", tag = "my templates", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 200, body = DocumentResponse),
))]
pub async fn get(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
) -> Result<Json<DocumentResponse>, Failure> {
    let templates = cloud.templates_of_owner(&caller.id);
    let (template, uses) = templates.template(&id).await?.ok_or_else(document_not_found)?;
    let help = templates.field_settings(&id, template.version).await?;
    let field_help = stored_or_detected(help, &template).for_structure(&template.structure());
    let files = if fits_in_response(template.file_bytes + template.pdf_bytes) {
        let (docx, pdf) = (template.docx_key(), template.pdf_key());
        FilePair::bytes(&required_file(cloud.files(), &docx).await?, &required_file(cloud.files(), &pdf).await?)
    } else {
        template_links(cloud.files(), &template).await?
    };
    let description = TemplateDescription { document: document_with_structure(template, uses, names), field_help };
    Ok(Json(DocumentResponse { description, files }))
}

functions::route!(get, refuses: [DocumentNotFound]);
