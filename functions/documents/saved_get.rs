//! GET /documents/saved/{id}: returns one of the caller's documents with its values and its files as they were saved.

use std::collections::BTreeMap;
use std::sync::Arc;

use functions::http::{AcceptedLanguage, Error, ErrorCode, Failure, Json, Path, Query, State, User};
use functions::wire::files::{FILE_DELIVERY, FilePair, file_name};
use functions::wire::saved::{SavedDocument, saved_document};
use functions::wire::{FieldAndValue, Renamed};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use waraq_aws::Cloud;
use waraq_core::field_settings::ShownFieldSettings;
use waraq_core::saved::{DocumentWithFiles, WantedFiles};

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
    #[schema(value_type = Vec<BTreeMap<String, String>>)]
    pub current_document_data: Vec<FieldAndValue>,
}

/// A newer version of the template, and the fields that change if the document is moved to this version.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewerTemplate {
    pub template_version: u32,
    pub fields: Vec<String>,
    /// The settings of each field of the newer version, in the order of `fields`.
    pub field_help: Vec<ShownFieldSettings>,
    /// Fields of the document that were renamed; their values are kept.
    pub renamed: Vec<Renamed>,
    /// Fields that are new in this version.
    pub added: Vec<String>,
    /// Fields of the document that this version does not have.
    pub dropped: Vec<String>,
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
    let library = cloud.saved_documents();
    let DocumentWithFiles { document, values, docx, pdf } =
        library.open(&caller.id, &id, query.wanted()?, &FILE_DELIVERY).await?;
    let newer = library.newer_template(&document, &values).await?;
    let fields: Vec<String> = values.iter().map(|(name, _)| name.clone()).collect();
    let field_help = library.help(&document.template.id, document.template.version, &fields).await?;
    Ok(Json(SavedGetResponse {
        file_name: file_name(&document.title),
        field_help,
        saved_document: OpenedDocument {
            document: saved_document(&document, fields, names),
            current_document_data: values.into_iter().map(|pair| BTreeMap::from([pair])).collect(),
        },
        files: FilePair::from_delivered(docx, pdf),
        newer_template: newer.map(|newer| NewerTemplate {
            template_version: newer.version,
            fields: newer.fields,
            field_help: newer.help,
            renamed: newer.renamed.into_iter().map(|(from, to)| Renamed { from, to }).collect(),
            added: newer.added,
            dropped: newer.dropped,
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
