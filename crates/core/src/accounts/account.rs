//! The account record.

use serde::{Deserialize, Serialize};

use super::address::Address;
use crate::token::Claims;
use crate::{InterfaceLanguage, Result, Timestamp};

/// Time in seconds after which a new account is deleted if its address has not been verified.
pub const REGISTRATION_LIFE_SECONDS: u64 = 24 * 3_600;
/// Lifetime of a password reset link in seconds.
pub const RESET_LIFE_SECONDS: u64 = 3_600;
/// How long, in seconds, a change of the e-mail address can be reverted.
pub const REVERT_LIFE_SECONDS: u64 = 7 * 24 * 3_600;

/// Maximum number of sessions that are ended one by one. If more of them still have valid tokens, all sessions end.
const MAX_ENDED_SESSIONS: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Admin,
}

/// An account. Its password is stored by the [`PasswordStore`](super::PasswordStore).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub id: String,
    pub user_name: String,
    /// The name that Google knows for the user. `None` if Google gave no name, or the user never signed in with Google.
    pub name: Option<String>,
    pub email: String,
    /// True if the address has been verified.
    pub verified: bool,
    /// The name of the profile photo under `/media/`, as returned by [`crate::files::photo_name`]. `None` if the user has no photo.
    pub photo: Option<String>,
    pub country: Option<String>,
    pub language: Option<String>,
    pub role: Role,
    /// The account's token version. Only tokens with this version are valid, so increasing the version ends all sessions.
    pub token_version: u32,
    /// The number of documents that the user has filled.
    #[serde(default)]
    pub downloads: u64,
    /// The number of the user's private templates.
    #[serde(default)]
    pub private_templates: u64,
    pub created_at: Timestamp,
    /// The number of times the account was changed. It prevents lost updates: a change is written only if the stored account still
    /// has the revision that was read.
    #[serde(default)]
    pub revision: u64,
    /// Earlier addresses to which the account can still be reverted, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former_addresses: Vec<FormerAddress>,
    /// The Google users who may sign in to the account.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub google: Vec<GoogleLink>,
    /// The sessions that the user has ended by logging out, and whose tokens have not expired yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended_sessions: Vec<EndedSession>,
}

impl Account {
    /// Creates an account whose address is not verified yet. Until the address is verified, another account can become the owner of
    /// the address.
    pub(super) fn new(id: String, user_name: String, address: &Address, now: Timestamp) -> Self {
        Self {
            id,
            user_name,
            name: None,
            email: address.as_str().to_owned(),
            verified: false,
            photo: None,
            country: None,
            language: None,
            role: Role::User,
            token_version: 1,
            downloads: 0,
            private_templates: 0,
            created_at: now,
            revision: 0,
            former_addresses: Vec::new(),
            google: Vec::new(),
            ended_sessions: Vec::new(),
        }
    }

    /// Returns whether a token with these claims is valid for the account. The caller has verified the token itself.
    pub fn accepts(&self, claims: &Claims) -> bool {
        let is_ended = self.ended_sessions.iter().any(|ended| Some(&ended.id) == claims.sid.as_ref());
        self.token_version == claims.token_version && !is_ended
    }

    /// Ends all sessions.
    pub(super) fn end_sessions(&mut self) {
        self.token_version = self.token_version.saturating_add(1);
        self.ended_sessions.clear();
    }

    /// Ends the session with these claims. If it has no id, or if too many sessions have been ended one by one, ends all sessions.
    pub(super) fn end_session(&mut self, claims: &Claims, now: Timestamp) {
        self.ended_sessions.retain(|ended| ended.until > now && Some(&ended.id) != claims.sid.as_ref());
        match &claims.sid {
            Some(id) if self.ended_sessions.len() < MAX_ENDED_SESSIONS => {
                let until = Timestamp(0).plus_seconds(claims.session(String::new()).token_end(now));
                self.ended_sessions.push(EndedSession { id: id.clone(), until });
            }
            _ => self.end_sessions(),
        }
    }

    /// Returns the name from Google, or else the user name.
    pub fn display_name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.user_name)
    }

    /// Parses and returns the e-mail address of the account.
    pub fn address(&self) -> Result<Address> {
        Address::stored(&self.email)
    }

    /// Returns whether the address is not verified yet and can still be verified at the time `now`.
    pub(super) fn is_pending(&self, now: Timestamp) -> bool {
        !self.verified && now < self.created_at.plus_seconds(REGISTRATION_LIFE_SECONDS)
    }

    /// Returns the language of mails to the account: its own language, or `otherwise` if it has none.
    pub(super) fn mail_language(&self, otherwise: InterfaceLanguage) -> InterfaceLanguage {
        self.language.as_deref().and_then(InterfaceLanguage::from_code).unwrap_or(otherwise)
    }
}

/// A session that was ended by a logout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndedSession {
    pub id: String,
    /// The time at which the last token of the session expires.
    pub until: Timestamp,
}

/// An earlier address of an account. The link mailed to this address makes it the current address again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerAddress {
    pub address: String,
    /// The SHA-256 hash, in hexadecimal, of the token in the mailed link.
    pub token_hash: String,
    /// The time at which the account changed from this address to another one.
    pub changed_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A Google user who may sign in to an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoogleLink {
    pub subject: String,
    pub linked_at: Timestamp,
}
