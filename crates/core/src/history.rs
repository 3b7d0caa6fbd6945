//! The audit log: who changed a template, the categories or an account, how and when. Each event is stored in the change log,
//! in the entry of the write that it describes.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::accounts::{Account, Role};
use crate::template::Template;
use crate::{Result, Timestamp};

/// An audit event. `W` is the kind of change: of a template, unless another type is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed<W = What> {
    /// The id of the account that made the change. `None` if no user was signed in, for example when the starting catalogue is
    /// published.
    pub by: Option<String>,
    pub what: W,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum What {
    Published {
        title: String,
    },
    Edited {
        changes: Vec<Change>,
    },
    Deactivated,
    Activated,
    /// An earlier version was restored under a new version number.
    Restored {
        version: u32,
        from: u32,
    },
}

/// One part of a template that an edit changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub part: Part,
    /// The values as stored texts: titles, category names and codes; for the file, the version number. Empty if there was no
    /// value.
    pub from: String,
    pub to: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Title,
    Categories,
    Keywords,
    Language,
    Country,
    /// The file: the edit created a new version.
    File,
    /// The field settings. `from` is empty, and `to` lists the names of the fields whose settings changed.
    Fields,
}

/// A change of categories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum CategoryWhat {
    /// The displayed names before and after, by interface language code.
    Renamed {
        name: String,
        from: BTreeMap<String, String>,
        to: BTreeMap<String, String>,
    },
    Merged {
        name: String,
        into: String,
    },
    /// A merged category was separated again.
    Separated {
        name: String,
        from: String,
    },
}

/// A change of an account. The new values are not recorded, because they would outlive the account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum AccountWhat {
    /// The address of the account was verified.
    Joined,
    Changed {
        parts: Vec<AccountPart>,
    },
    RoleChanged {
        role: Role,
    },
}

/// A part of an account that can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccountPart {
    UserName,
    Photo,
    Country,
    Language,
    Email,
    /// The password. Also recorded when all sessions of the account were ended.
    Password,
    /// The Google users who may sign in to the account.
    Google,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<W = What> {
    pub at: Timestamp,
    pub deed: Deed<W>,
}

/// The store of the audit log.
#[async_trait]
pub trait History: Send + Sync {
    /// Returns the changes of a template, newest first. Changes from before the audit log was introduced are missing.
    async fn of_template(&self, id: &str) -> Result<Vec<Entry>>;

    /// Returns the changes of categories, newest first.
    async fn of_categories(&self) -> Result<Vec<Entry<CategoryWhat>>>;

    /// Returns the changes of an account, newest first.
    async fn of_account(&self, id: &str) -> Result<Vec<Entry<AccountWhat>>>;
}

/// Returns the parts of a template that differ between `before` and `after`.
pub fn changes(before: &Template, after: &Template) -> Vec<Change> {
    let texts = |template: &Template| {
        [
            (Part::Title, template.title.clone()),
            (Part::Categories, template.categories.join(", ")),
            (Part::Keywords, template.keywords.join(", ")),
            (Part::Language, template.language.clone()),
            (Part::Country, template.country.clone().unwrap_or_default()),
            (Part::File, template.version.to_string()),
        ]
    };
    let pairs = texts(before).into_iter().zip(texts(after));
    pairs.filter(|((_, from), (_, to))| from != to).map(|((part, from), (_, to))| Change { part, from, to }).collect()
}

/// Returns the change between two states of an account. `None` if the change is not worth recording.
pub fn account_changes(before: &Account, after: &Account) -> Option<AccountWhat> {
    if !before.verified && after.verified {
        return Some(AccountWhat::Joined);
    }
    if before.role != after.role {
        return Some(AccountWhat::RoleChanged { role: after.role });
    }
    let email = before.email != after.email;
    let parts = [
        (AccountPart::UserName, before.user_name != after.user_name),
        (AccountPart::Photo, before.photo != after.photo),
        (AccountPart::Country, before.country != after.country),
        (AccountPart::Language, before.language != after.language),
        (AccountPart::Email, email),
        // A new address also ends all sessions. That is not recorded as a password change.
        (AccountPart::Password, before.token_version < after.token_version && !email),
        (AccountPart::Google, before.google.len() < after.google.len()),
    ];
    let parts: Vec<AccountPart> = parts.into_iter().filter(|(_, changed)| *changed).map(|(part, _)| part).collect();
    (!parts.is_empty()).then_some(AccountWhat::Changed { parts })
}
