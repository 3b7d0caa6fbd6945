//! GET /users: everybody, searched by name, sorted by a column, paged.

use functions::http::{AdminsUsers, Error, Failure, Json, Query};
use functions::wire::Role;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use waraq_core::accounts::{self, UserSearch};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct UsersQuery {
    /// Words of the user name; case, accents, tashkeel and the shapes of alef, ya and ta marbuta do not matter.
    pub user_name: Option<String>,
    /// From 1.
    pub page: Option<u32>,
    /// Users a page, 1 to 100; 10 if left out.
    pub limit: Option<u32>,
    /// `_id`, `name`, `userName`, `email`, `downloads` or `createdAt`; left out or empty: the newest first.
    pub sort_by: Option<String>,
    /// `asc` (the default) or `desc`.
    pub sort_order: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UsersResponse {
    pub users: Vec<ListedUser>,
    /// All that were found, not only those of this page.
    pub total: u64,
}

/// A user as the list shows him.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedUser {
    #[serde(rename = "_id")]
    pub id: String,
    /// Google's name, else the userName.
    pub name: String,
    pub user_name: String,
    pub email: String,
    /// `/media/<hash>`, or null: the default avatar.
    pub photo: Option<String>,
    pub role: Role,
    /// Times he has filled a template; up to a minute old.
    pub downloads: u64,
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
    let found = search.run(&rows);
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
