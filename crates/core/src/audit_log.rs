//! The audit log: who changed a template, the categories or an account, how and when. Each event is stored in the change log,
//! in the entry of the write that it describes.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::accounts::{Account, Role};
use crate::template::Template;
use crate::{Result, Timestamp};

/// An audit event: who changed what. `W` is the type of the change. By default, it is a change of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent<W = TemplateChange> {
    /// The id of the account that made the change. `None` if no user was signed in, for example when the first templates of a new
    /// installation are published.
    pub by: Option<String>,
    pub what: W,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum TemplateChange {
    Published {
        title: String,
    },
    Edited {
        changes: Vec<ChangedPart>,
    },
    Deactivated,
    Activated,
    /// An earlier version was restored. `from` is its number; `version` is the new number that it got.
    Restored {
        version: u32,
        from: u32,
    },
}

/// One part of a template that an edit changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedPart {
    pub part: TemplatePart,
    /// The value before the change, in the form in which it is stored. Depending on the part, it is a title, category names,
    /// keywords, or the code of a language or country. For the file, it is the version number. Empty if there was no value.
    pub from: String,
    pub to: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", schema(as = Part))]
pub enum TemplatePart {
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
pub enum CategoryChange {
    /// The displayed names of a category were changed. `from` has the names before the change and `to` the names after it, by
    /// interface language code.
    Renamed {
        name: String,
        from: BTreeMap<String, String>,
        to: BTreeMap<String, String>,
    },
    Merged {
        name: String,
        into: String,
    },
    /// The category `name`, which had been merged into the category `from`, was separated again.
    Separated {
        name: String,
        from: String,
    },
}

/// A change of an account. The new values are not recorded, because the audit log would still have them after the deletion of the
/// account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum AccountChange {
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
    /// The password. A change of the password is detected by the token version, which also increases when all sessions of the account
    /// are ended. So the audit log also records the end of all sessions as a change of the password.
    Password,
    /// The Google users who may sign in to the account.
    Google,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLogEntry<W = TemplateChange> {
    pub at: Timestamp,
    pub event: AuditEvent<W>,
}

/// The store of the audit log.
#[async_trait]
pub trait AuditLog: Send + Sync {
    /// Returns the recorded changes of a template, newest first. Changes made before the audit log was introduced are missing.
    async fn template_events(&self, id: &str) -> Result<Vec<AuditLogEntry>>;

    /// Returns the changes of categories, newest first.
    async fn category_events(&self) -> Result<Vec<AuditLogEntry<CategoryChange>>>;

    /// Returns the changes of an account, newest first.
    async fn account_events(&self, id: &str) -> Result<Vec<AuditLogEntry<AccountChange>>>;
}

/// Returns the parts of a template that differ between `before` and `after`.
pub fn changed_parts(before: &Template, after: &Template) -> Vec<ChangedPart> {
    let texts = |template: &Template| {
        [
            (TemplatePart::Title, template.title.clone()),
            (TemplatePart::Categories, template.categories.join(", ")),
            (TemplatePart::Keywords, template.keywords.join(", ")),
            (TemplatePart::Language, template.language.clone()),
            (TemplatePart::Country, template.country.clone().unwrap_or_default()),
            (TemplatePart::File, template.version.to_string()),
        ]
    };
    let pairs = texts(before).into_iter().zip(texts(after));
    pairs
        .filter(|((_, from), (_, to))| from != to)
        .map(|((part, from), (_, to))| ChangedPart { part, from, to })
        .collect()
}

/// Returns the change between two states of an account, for the audit log. `None` if no part that the audit log records has
/// changed.
pub fn account_change(before: &Account, after: &Account) -> Option<AccountChange> {
    if !before.verified && after.verified {
        return Some(AccountChange::Joined);
    }
    if before.role != after.role {
        return Some(AccountChange::RoleChanged { role: after.role });
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
    (!parts.is_empty()).then_some(AccountChange::Changed { parts })
}
