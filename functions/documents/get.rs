//! GET /documents/{id}: returns a template with its file and the pages of the empty template.
//!
//! The response has an entity tag. A client that has the current version gets 304 without a body, and no file is read. The
//! encoded files of the templates that were asked for last stay in memory.

use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use functions::http::caching::{EntityTag, IfNoneMatch, NotModified};
use functions::http::{AcceptedLanguage, Error, Failure, MaybeUser, Path, State};
use functions::wire::document_with_structure;
use functions::wire::files::{FilePair, fits_in_response};
use functions::wire::template_file::{DocumentResponse, TemplateDescription, required_file, template_links};
use futures_util::stream;
use http::HeaderValue;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use waraq_aws::Cloud;
use waraq_core::accounts::Role;
use waraq_core::field_settings::stored_or_detected;
use waraq_core::files::{Files, content_hash};
use waraq_core::template::{TemplateStatus, document_not_found};

/// Limit on the encoded files in memory, in bytes.
const MOST_CACHED_BYTES: u64 = 48_000_000;
/// Expected number of templates in memory, for the initial size of the cache's index.
const EXPECTED_TEMPLATES: usize = 100;

/// The files of a template as JSON without the opening brace: `"file":"…","pdf":"…"}`. The key is the key of the PDF. The
/// file under a key never changes.
static ENCODED_FILES: LazyLock<Cache<String, Bytes, EncodedSize>> =
    LazyLock::new(|| Cache::with_weighter(EXPECTED_TEMPLATES, MOST_CACHED_BYTES, EncodedSize));

#[derive(Clone)]
struct EncodedSize;

impl Weighter<String, Bytes> for EncodedSize {
    fn weight(&self, _: &String, encoded: &Bytes) -> u64 {
        encoded.len() as u64
    }
}

#[utoipa::path(get, path = "/api/v1/documents/{id}", tag = "documents", params(("id" = String, Path)), security((), ("bearer" = [])), responses(
    (status = 200, body = DocumentResponse),
    (status = 304, description = "The client has the current version."),
))]
pub async fn get(
    State(cloud): State<Arc<Cloud>>,
    MaybeUser(caller): MaybeUser,
    AcceptedLanguage(names): AcceptedLanguage,
    known: IfNoneMatch,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let (template, uses) = cloud.templates().template(&id).await?.ok_or_else(document_not_found)?;
    if template.status != TemplateStatus::Active && caller.is_none_or(|account| account.role != Role::Admin) {
        return Err(document_not_found().into());
    }
    let help = cloud.templates().field_settings(&id, template.version).await?;
    let field_help = stored_or_detected(help, &template).for_structure(&template.structure());
    let keys = (template.docx_key(), template.pdf_key());
    let description =
        TemplateDescription { document: document_with_structure(template.clone(), uses, names), field_help };
    if !fits_in_response(template.file_bytes + template.pdf_bytes) {
        // The links expire, so that this response is not kept.
        let files = template_links(cloud.files(), &template).await?;
        return Ok(functions::http::Json(DocumentResponse { description, files }).into_response());
    }
    let mut head = serde_json::to_vec(&description).map_err(|error| Error::internal(format!("an answer: {error}")))?;
    let tag = EntityTag::of_content(format!("{}\n{}\n{}", keys.0, keys.1, content_hash(&head)).as_bytes());
    if known.contains(&tag) {
        return Ok(NotModified(tag).into_response());
    }
    let files = ENCODED_FILES.get_or_insert_async(&keys.1, encode_files(cloud.files(), &keys)).await?;
    // The closing brace of the description is replaced by the files.
    head.pop();
    head.push(b',');
    let mut headers = tag.revalidation_headers();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(head.len() + files.len()));
    let parts = [Ok::<_, Infallible>(Bytes::from(head)), Ok(files)];
    Ok((headers, Body::from_stream(stream::iter(parts))).into_response())
}

async fn encode_files(files: &dyn Files, (docx, pdf): &(String, String)) -> Result<Bytes, Error> {
    let pair = FilePair::bytes(&required_file(files, docx).await?, &required_file(files, pdf).await?);
    let json = serde_json::to_vec(&pair).map_err(|error| Error::internal(format!("an answer: {error}")))?;
    Ok(Bytes::from(json).slice(1..))
}

functions::route!(get, refuses: [DocumentNotFound]);
