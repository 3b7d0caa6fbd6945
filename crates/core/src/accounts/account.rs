//! What is known of somebody.

use serde::{Deserialize, Serialize};

use super::address::Address;
use crate::{InterfaceLanguage, Result, Timestamp};

/// How long a registration waits for its code.
pub const REGISTRATION_LIFE_SECONDS: u64 = 24 * 3_600;
/// How long the link to a new password can be used.
pub const RESET_LIFE_SECONDS: u64 = 3_600;
/// How long a change of address can be taken back.
pub const RESTORE_LIFE_SECONDS: u64 = 7 * 24 * 3_600;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Admin,
}

/// An account. Its password is the [`Identity`]'s.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub id: String,
    pub user_name: String,
    /// Google's, where there is one.
    pub name: Option<String>,
    pub email: String,
    /// Whether the address has been proven.
    pub verified: bool,
    /// The hash of a picture kept as media.
    pub photo: Option<String>,
    pub country: Option<String>,
    pub language: Option<String>,
    pub role: Role,
    /// Tokens of an earlier version hold no more.
    pub token_version: u32,
    /// Uses counted for this account.
    #[serde(default)]
    pub downloads: u64,
    pub created_at: Timestamp,
    /// One more with each change: a change is made to the account that was read, or not at all.
    #[serde(default)]
    pub revision: u64,
    /// Addresses it had within the last days and can be given back, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former_addresses: Vec<FormerAddress>,
    /// Google's users who may sign in to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub google: Vec<GoogleLink>,
}

impl Account {
    /// One that has proven nothing yet and owns no address.
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
            created_at: now,
            revision: 0,
            former_addresses: Vec::new(),
            google: Vec::new(),
        }
    }

    /// Google's name, else the userName.
    pub fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.user_name)
    }

    /// The address again.
    pub fn address(&self) -> Result<Address> {
        Address::parse(&self.email)
    }

    /// A registration that still waits for its code.
    pub(super) fn waits(&self, now: Timestamp) -> bool {
        !self.verified && now < self.created_at.plus_seconds(REGISTRATION_LIFE_SECONDS)
    }

    /// What mails to it are written in.
    pub(super) fn mail_language(&self, otherwise: InterfaceLanguage) -> InterfaceLanguage {
        self.language.as_deref().and_then(InterfaceLanguage::from_code).unwrap_or(otherwise)
    }
}

/// An address an account had, and what proves that somebody reads its mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerAddress {
    pub address: String,
    /// SHA-256 of the link's token, in hexadecimal.
    pub token_hash: String,
    /// When the account took another.
    pub changed_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A user of Google's who may sign in to an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoogleLink {
    pub subject: String,
    pub linked_at: Timestamp,
}
