//! GET /documents/saved: lists the caller's documents or deleted documents, with search, sorting and paging.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Error, Failure, Json, Query, State, User};
use functions::wire::saved::{ListedDocument, deleted_document, listed_document};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use waraq_aws::Cloud;
use waraq_core::private_templates::TemplatesOfAccount;
use waraq_core::saved::{SavedSearch, SavedSort};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct SavedListQuery {
    /// Documents per page, 1 to 100; the default is 12.
    pub limit: Option<u32>,
    /// Number of the page, from 1.
    pub page: Option<u32>,
    /// Lists only documents with all these words in the title or in the values (in the first 2 kB of their texts). Case,
    /// accents, tashkeel and the forms of alef, ya and ta marbuta are ignored.
    pub title: Option<String>,
    /// If true, the newest documents come first (the default).
    pub new_created: Option<bool>,
    /// If true, the oldest documents come first.
    pub old_created: Option<bool>,
    /// If true, the most downloaded documents come first.
    pub most: Option<bool>,
    /// If true, the documents that were saved last come first.
    pub updated: Option<bool>,
    /// If true, lists the deleted documents that can be undeleted, the last deleted first.
    pub deleted: Option<bool>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedListResponse {
    pub saved_documents: Vec<ListedDocument>,
    /// Number of documents on all pages together.
    pub total: u64,
}

#[utoipa::path(get, path = "/api/v1/documents/saved", tag = "saved documents", params(SavedListQuery), security(("bearer" = [])), responses(
    (status = 200, body = SavedListResponse),
))]
pub async fn saved_list(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    Query(query): Query<SavedListQuery>,
) -> Result<Json<SavedListResponse>, Failure> {
    let private = cloud.templates_of_owner(&caller.id);
    let templates = TemplatesOfAccount { catalogue: cloud.templates(), private: &private };
    let library = cloud.saved_documents_from(&templates);
    let search = query.search()?;
    if query.deleted.unwrap_or(false) {
        let (page, total) = library.list_deleted(&caller.id, &search).await?;
        let deleted = page.into_iter().map(|(deleted, structure)| deleted_document(&deleted, structure, names));
        return Ok(Json(SavedListResponse { saved_documents: deleted.collect(), total }));
    }
    let (page, total) = library.list(&caller.id, &search).await?;
    let saved_documents = page.into_iter().map(|listed| listed_document(listed, names)).collect();
    Ok(Json(SavedListResponse { saved_documents, total }))
}

impl SavedListQuery {
    fn search(&self) -> Result<SavedSearch, Error> {
        let mut search = SavedSearch::new(self.title.as_deref().unwrap_or_default(), self.page, self.limit)?;
        let asked = |flag: Option<bool>| flag.unwrap_or(false);
        search.sort = match (asked(self.old_created), asked(self.most), asked(self.updated)) {
            (true, _, _) => SavedSort::Oldest,
            (_, true, _) => SavedSort::MostUsed,
            (_, _, true) => SavedSort::LastUpdated,
            _ => SavedSort::Newest,
        };
        Ok(search)
    }
}

functions::route!(saved_list);
