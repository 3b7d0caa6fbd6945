//! GET /documents/saved: the caller's documents, searched, sorted and paged.

use std::sync::Arc;

use functions::http::{Accepted, Error, Failure, Json, Query, State, User};
use functions::wire::saved::{SavedDocument, saved_document};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use waraq_aws::Cloud;
use waraq_core::saved::{SavedSearch, SavedSort};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct SavedListQuery {
    /// Cards a page, 1 to 100; 12 if left out.
    pub limit: Option<u32>,
    /// From 1.
    pub page: Option<u32>,
    /// Words of the title; case, accents, tashkeel and the shapes of alef, ya and ta marbuta do not matter.
    pub title: Option<String>,
    /// Newest first (the default).
    pub new_created: Option<bool>,
    /// Oldest first.
    pub old_created: Option<bool>,
    /// Most downloaded first.
    pub most: Option<bool>,
    /// What was saved last first.
    pub updated: Option<bool>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedListResponse {
    pub saved_documents: Vec<SavedDocument>,
    /// All that were found, not only those of this page.
    pub total: u64,
}

#[utoipa::path(get, path = "/api/v1/documents/saved", tag = "saved documents", params(SavedListQuery), security(("bearer" = [])), responses(
    (status = 200, body = SavedListResponse),
))]
pub async fn saved_list(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    Accepted(names): Accepted,
    Query(query): Query<SavedListQuery>,
) -> Result<Json<SavedListResponse>, Failure> {
    let (found, fields) = cloud.library().list(&caller.id, &query.search()?).await?;
    let documents = found.page.iter().zip(fields);
    let saved_documents = documents.map(|(document, fields)| saved_document(document, fields, names)).collect();
    Ok(Json(SavedListResponse { saved_documents, total: found.total }))
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
