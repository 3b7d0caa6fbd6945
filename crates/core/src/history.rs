//! Who has done what to a template, to categories or to an account, and when: kept with the log's entry of each write.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::accounts::{Account, Role};
use crate::template::Template;
use crate::{Result, Timestamp};

/// What somebody has done, to a template unless something else is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed<W = What> {
    /// His account's id; `None`: nobody signed in, as where the starting catalogue is published.
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
    /// An earlier version is the newest again, under a number of its own.
    Restored {
        version: u32,
        from: u32,
    },
}

/// One part of a template that an edit has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub part: Part,
    /// As texts: titles, names of categories and codes as they are kept; of the file, the version's number. Empty: there was none.
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
    /// A new version.
    File,
    /// What is said of its fields: `from` is empty, `to` names those of which another thing is said.
    Fields,
}

/// What somebody has done to categories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum CategoryWhat {
    /// What it is called, by the codes of interface languages, before and since.
    Renamed {
        name: String,
        from: BTreeMap<String, String>,
        to: BTreeMap<String, String>,
    },
    Merged {
        name: String,
        into: String,
    },
    /// One that was merged into another is one of its own again.
    Separated {
        name: String,
        from: String,
    },
}

/// What somebody has done to an account. What it says is not kept here, for it would outlive the account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum AccountWhat {
    /// Its address was proven.
    Joined,
    Changed {
        parts: Vec<AccountPart>,
    },
    RoleChanged {
        role: Role,
    },
}

/// A part of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccountPart {
    UserName,
    Photo,
    Country,
    Language,
    Email,
    /// Also where all its sessions were ended.
    Password,
    /// Google's users who may sign in to it.
    Google,
}

/// A line of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<W = What> {
    pub at: Timestamp,
    pub deed: Deed<W>,
}

/// Where histories are kept.
#[async_trait]
pub trait History: Send + Sync {
    /// What was done to a template, the newest first. Writes of before there was a history are not in it.
    async fn of_template(&self, id: &str) -> Result<Vec<Entry>>;

    /// The same of categories.
    async fn of_categories(&self) -> Result<Vec<Entry<CategoryWhat>>>;

    /// The same of an account.
    async fn of_account(&self, id: &str) -> Result<Vec<Entry<AccountWhat>>>;
}

/// In what an edit makes `after` of `before`.
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

/// What makes `after` of the account `before`; nothing where nobody would want to know.
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
        // A new address ends sessions too.
        (AccountPart::Password, before.token_version < after.token_version && !email),
        (AccountPart::Google, before.google.len() < after.google.len()),
    ];
    let parts: Vec<AccountPart> = parts.into_iter().filter(|(_, changed)| *changed).map(|(part, _)| part).collect();
    (!parts.is_empty()).then_some(AccountWhat::Changed { parts })
}
