//! PATCH /users/me: updates the caller's profile, from JSON or from a form with a photo.

use std::sync::Arc;

use functions::http::{Error, Failure, Json, JsonOrForm, State, User};
use functions::wire::UserRecord;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::accounts::ProfileChange;
use waraq_core::files::{media_key, photo_name};
use waraq_core::photo::profile_photo;

/// The new values of the profile. A missing value leaves the profile unchanged.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct UpdateMeRequest {
    /// The user name: 1 to 60 characters.
    pub user_name: Option<String>,
    /// The `_id` of a country; an empty text removes the country.
    pub country: Option<String>,
    /// `en`, `fr` or `ar`; an empty text removes the language.
    pub language: Option<String>,
}

/// The parts of the multipart form. All are optional. A missing part leaves its value unchanged.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct UpdateMeForm {
    #[schema(required = false)]
    pub user_name: String,
    #[schema(required = false)]
    pub country: String,
    #[schema(required = false)]
    pub language: String,
    /// The photo: a JPEG, PNG, WebP, GIF or BMP of at most 2 MB and 25 megapixels.
    #[schema(format = Binary, required = false)]
    pub file: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UpdateMeResponse {
    pub user: UserRecord,
    pub message: String,
}

#[utoipa::path(patch, path = "/api/v1/users/me", tag = "users", security(("bearer" = [])),
    request_body(content((UpdateMeRequest = "application/json"), (UpdateMeForm = "multipart/form-data"))), responses(
    (status = 200, body = UpdateMeResponse),
))]
pub async fn update_me(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    request: JsonOrForm<UpdateMeRequest>,
) -> Result<Json<UpdateMeResponse>, Failure> {
    let (request, photo) = match request {
        JsonOrForm::Json(request) => (request, None),
        JsonOrForm::Form(form) => {
            let request = UpdateMeRequest {
                user_name: form.text_part("userName")?,
                country: form.text_part("country")?,
                language: form.text_part("language")?,
            };
            (request, form.file_part("file").cloned())
        }
    };
    let photo = match photo {
        Some(bytes) => Some(store_photo(&cloud, &account.id, bytes).await?),
        None => None,
    };
    let UpdateMeRequest { user_name, country, language } = request;
    let change = ProfileChange { user_name, country, language, photo };
    let account = cloud.account_service()?.update_profile(&account, change).await?;
    Ok(Json(UpdateMeResponse { user: UserRecord::from(&account), message: "The profile was updated.".to_owned() }))
}

/// Stores the photo and returns its name. The file is written before the profile, which must never refer to a missing
/// file.
async fn store_photo(cloud: &Cloud, user_id: &str, upload: bytes::Bytes) -> Result<String, Error> {
    let made = tokio::task::spawn_blocking(move || profile_photo(&upload)).await;
    let photo = made.map_err(|error| Error::internal(format!("a photo: {error}")))??;
    let name = photo_name(user_id, &photo);
    cloud.files().put(&media_key(&name), "image/jpeg", photo).await?;
    Ok(name)
}

functions::route!(update_me, refuses: [InvalidUserName, UnknownCountry, UnknownLanguage, AccountBusy, PhotoTooLarge, PhotoType, PhotoDimensions, PhotoUnreadable]);
