//! GET /documents: lists the templates of the catalogue, with search, sorting and paging.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Error, ErrorCode, Failure, Json, MaybeUser, Query, State};
use functions::wire::{Document, document};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use waraq_aws::Cloud;
use waraq_core::accounts::Role;
use waraq_core::catalogue::{Search, Sort, StatusFilter};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Templates per page, 1 to 100; the default is 12.
    pub limit: Option<u32>,
    /// Number of the page, from 1.
    pub page: Option<u32>,
    /// Lists only templates in the language with this code. The default is all languages.
    pub lang: Option<String>,
    /// Names of categories, separated by commas. Lists only templates in at least one of them.
    pub cat: Option<String>,
    /// The words to search for. Each word, or a synonym of it in any language, must be in the title, the keywords or
    /// the categories of a template. Case, accents, tashkeel and the forms of alef, ya and ta marbuta are ignored.
    pub title: Option<String>,
    /// The `_id` of a country. Lists only templates of that country and templates without a country.
    pub country: Option<String>,
    /// The `_id` of the visitor's country. In the default order, templates of this country come first, then templates
    /// without a country. An unknown country has no effect.
    pub country_first: Option<String>,
    /// The code of the visitor's language. In the default order, templates in this language come first. An unknown code
    /// has no effect.
    pub language_first: Option<String>,
    /// If true, the newest templates come first (the default). With `title`, templates whose title contains all
    /// searched words come before the others.
    pub new_created: Option<bool>,
    /// If true, the oldest templates come first.
    pub old_created: Option<bool>,
    /// If true, the most used templates come first.
    pub most: Option<bool>,
    /// If true, the least used templates come first.
    pub less: Option<bool>,
    /// Lists only templates with this status: `active` (the default), `inactive` or `all`. Only admins may ask for
    /// anything but `active`.
    pub status: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ListResponse {
    pub data: Vec<Document>,
    /// Number of templates on all pages together.
    pub total: u64,
    /// Other searches that would find templates. Missing if this search found templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<Suggestions>,
}

/// Other searches, after a search that found nothing.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Instead)]
pub struct Suggestions {
    /// At most three values of `title` that find templates with the same filters, most likely first.
    pub titles: Vec<String>,
    /// Number of templates that the same `title` finds in all languages, countries and categories.
    pub unfiltered: u64,
}

#[utoipa::path(get, path = "/api/v1/documents", tag = "documents", params(ListQuery), security((), ("bearer" = [])), responses(
    (status = 200, body = ListResponse),
))]
pub async fn list(
    State(cloud): State<Arc<Cloud>>,
    MaybeUser(caller): MaybeUser,
    AcceptedLanguage(names): AcceptedLanguage,
    Query(query): Query<ListQuery>,
) -> Result<Json<ListResponse>, Failure> {
    let search = query.search()?;
    if search.status != StatusFilter::Active && caller.is_none_or(|account| account.role != Role::Admin) {
        return Err(Error::forbidden().into());
    }
    let rows = cloud.templates().rows().await?;
    let found = search.results(&rows);
    let instead = (found.total == 0).then(|| search.suggestions(&rows));
    let instead = instead.map(|instead| Suggestions { titles: instead.titles, unfiltered: instead.unfiltered });
    let data = found.page.into_iter().map(|(template, uses)| document(template, uses, names)).collect();
    Ok(Json(ListResponse { data, total: found.total, instead }))
}

impl ListQuery {
    fn search(&self) -> Result<Search, Error> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let mut search = Search::default().page(self.page, self.limit)?;
        if let Some(code) = given(&self.lang) {
            search = search.language(&code)?;
        }
        if let Some(code) = given(&self.country) {
            search = search.country(&code)?;
        }
        if let Some(code) = given(&self.country_first) {
            search = search.country_first(&code);
        }
        if let Some(code) = given(&self.language_first) {
            search = search.language_first(&code);
        }
        search = search.categories(self.cat.as_deref().unwrap_or(""))?.title(self.title.as_deref().unwrap_or(""))?;
        let asked = |flag: Option<bool>| flag.unwrap_or(false);
        search.sort = match (asked(self.old_created), asked(self.most), asked(self.less)) {
            (true, _, _) => Sort::Oldest,
            (_, true, _) => Sort::MostUsed,
            (_, _, true) => Sort::LeastUsed,
            _ => Sort::Newest,
        };
        search.status = match self.status.as_deref() {
            None | Some("" | "active") => StatusFilter::Active,
            Some("inactive") => StatusFilter::Inactive,
            Some("all") => StatusFilter::All,
            Some(_) => {
                let error = Error::new(ErrorCode::InvalidQuery, "status is active, inactive or all.");
                return Err(error.with_fields(["status"]));
            }
        };
        Ok(search)
    }
}

functions::route!(list, refuses: [UnknownLanguage, UnknownCountry, Forbidden]);
