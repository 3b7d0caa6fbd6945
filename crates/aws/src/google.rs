//! Identities of Google users, read from the Cognito user pool they sign in to.

use async_trait::async_trait;
use aws_sdk_cognitoidentityprovider::Client;
use aws_sdk_cognitoidentityprovider::operation::get_user::{GetUserError, GetUserOutput};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use serde::Deserialize;
use waraq_core::accounts::{Google, GoogleUser, google_refused};
use waraq_core::{Error, Result};

use crate::fault::unavailable;

/// The pool that Google users sign in to, and its public client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleSettings {
    pub region: String,
    pub user_pool_id: String,
    pub client_id: String,
    /// The domain of Cognito's hosted sign-in page, without `https://`.
    pub domain: String,
}

/// The name of the identity provider Google in Cognito.
const PROVIDER: &str = "Google";
/// The maximum length of a token in bytes; Cognito's tokens are shorter.
const LONGEST_TOKEN: usize = 8_192;

pub struct GooglePool {
    client: Client,
    settings: GoogleSettings,
}

/// The claims of an access token that `GooglePool::check` compares with the settings.
#[derive(Deserialize)]
struct Claims {
    iss: String,
    client_id: String,
    token_use: String,
}

/// One entry of the attribute `identities` of a Cognito user: the identity of the user at one identity provider.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LinkedIdentity {
    user_id: String,
    provider_name: String,
}

impl GooglePool {
    pub fn new(client: Client, settings: GoogleSettings) -> Self {
        Self { client, settings }
    }

    /// Checks that `token` is an access token that our user pool issued to our public client. Cognito's GetUser then
    /// checks the signature and the expiry of the token. GetUser alone is not enough, because it accepts tokens of any
    /// pool and client in the region.
    fn check(&self, token: &str) -> Result<()> {
        if token.len() > LONGEST_TOKEN {
            return Err(google_refused("a token that is too long"));
        }
        let claims = token.split('.').nth(1).and_then(|claims| BASE64URL.decode(claims).ok());
        let claims: Option<Claims> = claims.and_then(|claims| serde_json::from_slice(&claims).ok());
        let claims = claims.ok_or_else(|| google_refused("no token"))?;
        let GoogleSettings { region, user_pool_id, client_id, .. } = &self.settings;
        if claims.iss != format!("https://cognito-idp.{region}.amazonaws.com/{user_pool_id}") {
            return Err(google_refused("a token of another pool"));
        }
        if claims.client_id != *client_id {
            return Err(google_refused("a token for another client"));
        }
        if claims.token_use != "access" {
            return Err(google_refused("no access token"));
        }
        Ok(())
    }
}

/// Converts Cognito's response into a Google user. Fails if the user's identity provider is not Google or the address
/// is not verified.
fn google_user(user: &GetUserOutput) -> Result<GoogleUser> {
    let attribute = |name: &str| {
        user.user_attributes().iter().find(|attribute| attribute.name() == name).and_then(|attribute| attribute.value())
    };
    let identities: Vec<LinkedIdentity> =
        attribute("identities").and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
    let google = identities.into_iter().find(|identity| identity.provider_name == PROVIDER);
    let google = google.ok_or_else(|| google_refused("a user who is not Google's"))?;
    if attribute("email_verified") != Some("true") {
        return Err(google_refused("an address that is not verified"));
    }
    let email = attribute("email").ok_or_else(|| google_refused("a user without an address"))?;
    Ok(GoogleUser { subject: google.user_id, email: email.to_owned(), name: attribute("name").map(str::to_owned) })
}

#[async_trait]
impl Google for GooglePool {
    async fn user(&self, access_token: &str) -> Result<GoogleUser> {
        self.check(access_token)?;
        match self.client.get_user().access_token(access_token).send().await {
            Ok(user) => google_user(&user),
            Err(error) => Err(match error.as_service_error() {
                Some(
                    GetUserError::NotAuthorizedException(_)
                    | GetUserError::UserNotFoundException(_)
                    | GetUserError::UserNotConfirmedException(_)
                    | GetUserError::PasswordResetRequiredException(_)
                    | GetUserError::InvalidParameterException(_),
                ) => google_refused("Cognito does not know the token"),
                Some(other) => Error::unavailable(format!("Cognito, GetUser: {:?}", other.meta().code())),
                None => unavailable(error),
            }),
        }
    }

    async fn delete_user(&self, subject: &str) -> Result<()> {
        // Cognito builds the user name of a Google user from the provider and Google's subject.
        let username = format!("{PROVIDER}_{subject}");
        let delete = self.client.admin_delete_user().user_pool_id(&self.settings.user_pool_id).username(username);
        match delete.send().await {
            Ok(_) => Ok(()),
            Err(error) if error.as_service_error().is_some_and(|error| error.is_user_not_found_exception()) => Ok(()),
            // Keeps only the code, because the message may contain the user name.
            Err(error) => Err(match error.as_service_error() {
                Some(other) => Error::unavailable(format!("Cognito, AdminDeleteUser: {:?}", other.meta().code())),
                None => unavailable(error),
            }),
        }
    }
}
