//! GET /users: lists all users, with search by name or e-mail address, sorting by a column, and paging.

use functions::http::{AdminsUsers, Error, Failure, Json, Query};
use functions::wire::Role;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use waraq_core::accounts::{self, UserSearch};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct UsersQuery {
    /// Lists only users with all these words in the user name, the name or the e-mail address. Case, accents, tashkeel
    /// and the forms of alef, ya and ta marbuta are ignored.
    pub user_name: Option<String>,
    /// Number of the page, from 1.
    pub page: Option<u32>,
    /// Users per page, 1 to 100; the default is 10.
    pub limit: Option<u32>,
    /// The column to sort by: `_id`, `name`, `userName`, `email`, `downloads`, `privateTemplates` or `createdAt`.
    /// Without it, the newest users come first.
    pub sort_by: Option<String>,
    /// The sort order of the column in `sortBy`: `asc` (the default) or `desc`.
    pub sort_order: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UsersResponse {
    pub users: Vec<ListedUser>,
    /// Number of users on all pages together.
    pub total: u64,
}

/// A user in the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedUser {
    #[serde(rename = "_id")]
    pub id: String,
    /// The user's name in their Google account. Without a Google account, the user name.
    pub name: String,
    pub user_name: String,
    pub email: String,
    /// Path of the photo, `/media/<hash>`; null for the default avatar.
    pub photo: Option<String>,
    pub role: Role,
    /// Number of times the user has filled a template. The number may be up to a minute old.
    pub downloads: u64,
    /// Number of the user's private templates. The number may be up to a minute old.
    pub private_templates: u64,
    pub created_at: String,
}

impl From<accounts::ListedUser> for ListedUser {
    fn from(user: accounts::ListedUser) -> Self {
        Self {
            id: user.id,
            name: user.name.unwrap_or_else(|| user.user_name.clone()),
            user_name: user.user_name,
            email: user.email,
            photo: user.photo.map(|hash| format!("/media/{hash}")),
            role: user.role.into(),
            downloads: user.downloads,
            private_templates: user.private_templates,
            created_at: user.created_at.rfc3339(),
        }
    }
}

#[utoipa::path(get, path = "/api/v1/users", tag = "users", params(UsersQuery), security(("bearer" = [])), responses(
    (status = 200, body = UsersResponse),
))]
pub async fn list(
    AdminsUsers(rows): AdminsUsers,
    Query(query): Query<UsersQuery>,
) -> Result<Json<UsersResponse>, Failure> {
    let search = query.search()?;
    let found = search.results(&rows);
    Ok(Json(UsersResponse { users: found.page.into_iter().map(ListedUser::from).collect(), total: found.total }))
}

impl UsersQuery {
    fn search(&self) -> Result<UserSearch, Error> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let sort = (text(&self.sort_by), text(&self.sort_order));
        UserSearch::new(&text(&self.user_name), (&sort.0, &sort.1), self.page, self.limit)
    }
}

functions::route!(list);
