//! GET /documents: the catalogue, filtered, sorted and paged.

use functions::http::{Error, Json, Query};
use functions::wire::{Document, ErrorBody};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Cards a page, 1 to 100; 12 if left out.
    pub limit: Option<u32>,
    /// From 1.
    pub page: Option<u32>,
    /// A template language's code; left out or empty: all.
    pub lang: Option<String>,
    /// Names of categories joined by commas; a template with any of them is found.
    pub cat: Option<String>,
    /// Words of the title; case, accents, tashkeel and the shapes of alef, ya and ta marbuta do not matter.
    pub title: Option<String>,
    /// A country's `_id`: templates of that country and of none.
    pub country: Option<String>,
    /// Newest first (the default).
    pub new_created: Option<bool>,
    /// Oldest first.
    pub old_created: Option<bool>,
    /// Most used first.
    pub most: Option<bool>,
    /// Least used first.
    pub less: Option<bool>,
    /// `active`, `inactive` or `all`: admins only; without it active only.
    pub status: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ListResponse {
    pub data: Vec<Document>,
    /// All that were found, not only those of this page.
    pub total: u64,
}

#[utoipa::path(get, path = "/api/v1/documents", tag = "documents", params(ListQuery), security((), ("bearer" = [])), responses(
    (status = 200, body = ListResponse),
    (status = 400, body = ErrorBody, description = "invalid_query"),
    (status = 403, body = ErrorBody, description = "forbidden: status asked for by somebody who is not an admin"),
))]
pub async fn list(Query(_query): Query<ListQuery>) -> Result<Json<ListResponse>, Error> {
    Err(Error::unfinished())
}
