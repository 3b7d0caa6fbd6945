//! GET /documents/saved/{id}: returns one of the caller's documents with its values and its files as they were saved.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Error, ErrorCode, Failure, Json, Path, Query, State, User};
use functions::wire::Renamed;
use functions::wire::files::{FILE_DELIVERY, FilePair, file_name};
use functions::wire::saved::{SavedDocument, saved_document};
use functions::wire::values::{FieldAndValue, FieldValue, fields_and_values};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use waraq_aws::Cloud;
use waraq_core::field_settings::ShownFieldSettings;
use waraq_core::private_templates::TemplatesOfAccount;
use waraq_core::saved::{DocumentWithFiles, WantedFiles};
use waraq_rules::StructuredField;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct SavedGetQuery {
    /// The file to download: `pdf` or `docx`. The response then contains only this file, and the call counts as a
    /// download. By default, the response contains both files, and no download is counted.
    pub download: Option<String>,
}

/// A saved document with its files. If the files are larger than 4 MB together, the response has `fileUrl` and `pdfUrl`
/// (signed, valid for 15 minutes) instead of `file` and `pdf`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedGetResponse {
    pub saved_document: OpenedDocument,
    #[serde(flatten)]
    pub files: FilePair,
    /// Suggested name of the files without extension, derived from the title.
    pub file_name: String,
    /// The settings of each field in the document's version of the template, in the order of the fields.
    pub field_help: Vec<ShownFieldSettings>,
    /// The newest version of the template. Missing if the document already has this version, or if the template is not
    /// in the catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer_template: Option<NewerTemplate>,
}

/// A saved document with its values.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenedDocument {
    #[serde(flatten)]
    pub document: SavedDocument,
    /// One object for each field, with the field's name as its only key, in the order of the fields.
    #[schema(value_type = Vec<BTreeMap<String, FieldValue>>)]
    pub current_document_data: Vec<FieldAndValue>,
}

/// A newer version of the template, and the fields that change if the document is moved to this version.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewerTemplate {
    pub template_version: u32,
    pub fields: Vec<String>,
    /// The fields with their types and columns, in the order of `fields`.
    pub structure: Vec<StructuredField>,
    /// The settings of each field of the newer version, in the order of `fields`.
    pub field_help: Vec<ShownFieldSettings>,
    /// Fields of the document that were renamed; their values are kept.
    pub renamed: Vec<Renamed>,
    /// Fields of this version for which the document has no value.
    pub added: Vec<String>,
    /// Fields of the document that this version does not have, or that have another type now.
    pub dropped: Vec<String>,
    /// The values of the document under the names and with the types of this version, without `added`. In a list, columns
    /// that this version does not have are removed, and new columns are empty.
    #[schema(value_type = Vec<BTreeMap<String, FieldValue>>)]
    pub current_document_data: Vec<FieldAndValue>,
}

#[utoipa::path(get, path = "/api/v1/documents/saved/{id}", tag = "saved documents", params(("id" = String, Path), SavedGetQuery),
    security(("bearer" = [])), responses(
    (status = 200, body = SavedGetResponse),
))]
pub async fn saved_get(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
    Query(query): Query<SavedGetQuery>,
) -> Result<Json<SavedGetResponse>, Failure> {
    let private = cloud.templates_of_owner(&caller.id);
    let templates = TemplatesOfAccount { catalogue: cloud.templates(), private: &private };
    let library = cloud.saved_documents_from(&templates);
    let DocumentWithFiles { document, values, docx, pdf } =
        library.open(&caller.id, &id, query.wanted()?, &FILE_DELIVERY).await?;
    let newer = library.newer_template(&document, &values).await?;
    let structure = library.structure(&document).await?;
    let field_help = library.help(&document.template.id, document.template.version, &structure).await?;
    Ok(Json(SavedGetResponse {
        file_name: file_name(&document.title),
        field_help,
        saved_document: OpenedDocument {
            document: saved_document(&document, structure, names),
            current_document_data: fields_and_values(values),
        },
        files: FilePair::from_delivered(docx, pdf),
        newer_template: newer.map(|newer| NewerTemplate {
            template_version: newer.version,
            fields: newer.structure.names().map(str::to_owned).collect(),
            structure: newer.structure.0,
            field_help: newer.help,
            renamed: newer.renamed.into_iter().map(|(from, to)| Renamed { from, to }).collect(),
            added: newer.added,
            dropped: newer.dropped,
            current_document_data: fields_and_values(newer.values),
        }),
    }))
}

impl SavedGetQuery {
    fn wanted(&self) -> Result<WantedFiles, Error> {
        match self.download.as_deref() {
            None | Some("") => Ok(WantedFiles::Both),
            Some("docx") => Ok(WantedFiles::Docx),
            Some("pdf") => Ok(WantedFiles::Pdf),
            Some(_) => Err(Error::new(ErrorCode::InvalidQuery, "download is pdf or docx.").with_fields(["download"])),
        }
    }
}

functions::route!(saved_get, refuses: [DocumentNotFound]);
