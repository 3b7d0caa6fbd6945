//! Passwords in a Cognito user pool.
//!
//! Users of the pool are created only by this module. Their user name is the account id. The account's row stores
//! whether the address is verified. The pool cannot store it, because AdminSetUserPassword makes every user CONFIRMED.

use async_trait::async_trait;
use aws_sdk_cognitoidentityprovider::Client;
use aws_sdk_cognitoidentityprovider::operation::admin_initiate_auth::AdminInitiateAuthError;
use aws_sdk_cognitoidentityprovider::types::{AuthFlowType, MessageActionType};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::{digest, hmac};
use waraq_core::accounts::PasswordStore;
use waraq_core::{Error, Result};

use crate::fault::unavailable;

/// The ids of the user pool and of the pool's client that this API uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CognitoSettings {
    pub user_pool_id: String,
    pub client_id: String,
}

pub struct Cognito {
    client: Client,
    settings: CognitoSettings,
    /// The secret of the pool's client. `None` in functions that do not check passwords.
    client_secret: Option<String>,
}

/// The maximum length of a password in Cognito, in UTF-16 code units.
const LONGEST: usize = 256;

/// Returns the password itself, or its hash if Cognito would refuse the password. Cognito refuses white space at the
/// ends, control characters, and more than [`LONGEST`] UTF-16 code units. With the hash, users have only one rule to
/// follow: 8 to 256 characters.
fn cognito_password(password: &str) -> String {
    let plain = password.trim() == password
        && !password.chars().any(char::is_control)
        && password.encode_utf16().count() <= LONGEST;
    if plain {
        return password.to_owned();
    }
    format!("sha256:{}", BASE64.encode(digest::digest(&digest::SHA256, password.as_bytes())))
}

/// Converts an error of Cognito into an error of this service. Keeps only Cognito's error code, because the message may
/// contain a user name.
fn error_without_message(
    what: &str,
    error: impl aws_sdk_cognitoidentityprovider::error::ProvideErrorMetadata + std::error::Error,
) -> Error {
    match error.code() {
        Some(code) => Error::unavailable(format!("Cognito, {what}: {code}")),
        None => unavailable(error),
    }
}

impl Cognito {
    pub fn new(client: Client, settings: CognitoSettings, client_secret: Option<String>) -> Self {
        Self { client, settings, client_secret }
    }

    /// Returns the `SECRET_HASH` of a user name, an HMAC that Cognito requires in calls. The HMAC proves that this
    /// function knows the secret of the pool's client.
    fn secret_hash(&self, username: &str) -> Result<String> {
        let secret = self.client_secret.as_ref();
        let secret = secret.ok_or_else(|| Error::internal("this function has no secret of the pool's client"))?;
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        Ok(BASE64.encode(hmac::sign(&key, format!("{username}{}", self.settings.client_id).as_bytes())))
    }

    async fn create(&self, user_id: &str) -> Result<()> {
        let made = self
            .client
            .admin_create_user()
            .user_pool_id(&self.settings.user_pool_id)
            .username(user_id)
            .message_action(MessageActionType::Suppress)
            .send()
            .await;
        match made {
            Ok(_) => Ok(()),
            // Another request has created the user at the same time.
            Err(error) if error.as_service_error().is_some_and(|error| error.is_username_exists_exception()) => Ok(()),
            Err(error) => Err(error_without_message("AdminCreateUser", error)),
        }
    }

    /// Sets the password of a user. Returns false if the pool has no such user.
    async fn try_set_password(&self, user_id: &str, password: &str) -> Result<bool> {
        let set = self
            .client
            .admin_set_user_password()
            .user_pool_id(&self.settings.user_pool_id)
            .username(user_id)
            .password(cognito_password(password))
            .permanent(true)
            .send()
            .await;
        match set {
            Ok(_) => Ok(true),
            Err(error) if error.as_service_error().is_some_and(|error| error.is_user_not_found_exception()) => {
                Ok(false)
            }
            Err(error) => Err(error_without_message("AdminSetUserPassword", error)),
        }
    }
}

#[async_trait]
impl PasswordStore for Cognito {
    async fn verify(&self, user_id: Option<&str>, password: &str) -> Result<bool> {
        // Calls Cognito even if the account does not exist, so that the response time does not reveal it. The pool's
        // response does not reveal it either (PreventUserExistenceErrors).
        let username = user_id.unwrap_or("nobody");
        let tried = self
            .client
            .admin_initiate_auth()
            .user_pool_id(&self.settings.user_pool_id)
            .client_id(&self.settings.client_id)
            .auth_flow(AuthFlowType::AdminUserPasswordAuth)
            .auth_parameters("USERNAME", username)
            .auth_parameters("PASSWORD", if password.is_empty() { "-".to_owned() } else { cognito_password(password) })
            .auth_parameters("SECRET_HASH", self.secret_hash(username)?)
            .send()
            .await;
        let error = match tried {
            // The tokens of the pool are not used: this service issues its own.
            Ok(answer) => return Ok(answer.authentication_result.is_some() && user_id.is_some()),
            Err(error) => error,
        };
        match error.as_service_error() {
            Some(
                AdminInitiateAuthError::NotAuthorizedException(_) | AdminInitiateAuthError::UserNotFoundException(_),
            ) => Ok(false),
            _ => Err(error_without_message("AdminInitiateAuth", error)),
        }
    }

    async fn set_password(&self, user_id: &str, password: &str) -> Result<()> {
        if self.try_set_password(user_id, password).await? {
            return Ok(());
        }
        self.create(user_id).await?;
        if self.try_set_password(user_id, password).await? {
            return Ok(());
        }
        Err(Error::unavailable("Cognito: a user that was made is not there"))
    }

    async fn remove(&self, user_id: &str) -> Result<()> {
        let removed =
            self.client.admin_delete_user().user_pool_id(&self.settings.user_pool_id).username(user_id).send().await;
        match removed {
            Ok(_) => Ok(()),
            Err(error) if error.as_service_error().is_some_and(|error| error.is_user_not_found_exception()) => Ok(()),
            Err(error) => Err(error_without_message("AdminDeleteUser", error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cognito_password;

    #[test]
    fn passwords_that_cognito_refuses_are_hashed() {
        assert_eq!(cognito_password("correct horse battery staple"), "correct horse battery staple");
        for password in [" with a space", "with a\ttab", &"😀".repeat(256)] {
            assert!(
                cognito_password(password).starts_with("sha256:") && cognito_password(password).len() <= 256,
                "{password:?}"
            );
        }
    }
}
