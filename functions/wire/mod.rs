//! Request and response types that several routes share. Types of a single route are next to its handler.
//!
//! Every time is RFC 3339 in UTC with milliseconds; every id is `_id`; base64 uses the standard alphabet with padding.

pub mod audit_log;
pub mod categories;
pub mod files;
pub mod filled;
pub mod my_templates;
pub mod saved;
pub mod saved_answers;
pub mod session;
pub mod support;
pub mod template_check;
pub mod template_file;
pub mod values;

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use waraq_core::accounts::{self, Account};
use waraq_core::catalogue::ListedTemplate;
use waraq_core::language::TemplateLanguage;
use waraq_core::template::{self, Template};
use waraq_core::{ErrorCode, ErrorDetails, InterfaceLanguage, country};
use waraq_rules::StructuredField;

use self::values::{FieldAndValue, FieldValue};
use crate::http::LONGEST_ID;

/// A language in which templates can be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Language {
    /// Equal to `code`.
    #[serde(rename = "_id")]
    pub id: String,
    /// The name in the requested language: `Arabic`, `arabe`, `العربية`.
    pub name: String,
    /// BCP 47 code: `en`, `fr`, `ar`. It is also a value for `lang` of GET /documents.
    pub code: String,
    /// The name in the language itself: `العربية`.
    #[serde(rename = "nativeName")]
    pub native_name: String,
}

/// A country of ISO 3166.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Country {
    /// ISO 3166-1 alpha-2 in upper case: `TN`.
    #[serde(rename = "_id")]
    pub id: String,
    /// The name in the requested language.
    pub name: String,
}

/// A category of templates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Category {
    #[serde(rename = "_id")]
    pub id: String,
    /// The name that templates of this category have in `categories`. It is also a value for `cat` of GET /documents.
    pub name: String,
    /// Display names by interface language (`en`, `fr`, `ar`). Languages that are missing use `name`.
    pub names: BTreeMap<String, String>,
    /// Names of the categories that were merged into this one. Templates may still have them in `categories`.
    pub merged: Vec<String>,
    /// Number of templates of the catalogue in this category.
    pub count: u32,
}

/// The status of a template: `active` if it is in the catalogue, otherwise `inactive`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Active,
    Inactive,
}

/// A field that was renamed in a later version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Renamed {
    pub from: String,
    pub to: String,
}

/// A template, which the API calls *Document* (specification §3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    #[serde(rename = "_id")]
    pub id: String,
    pub title: String,
    /// The `name` of each category; GET /categories has the names per language.
    pub categories: Vec<String>,
    /// Search terms in addition to the title and the categories.
    pub keywords: Vec<String>,
    pub language: Language,
    /// The country; null if the template is not specific to a country.
    pub country: Option<Country>,
    /// Number of times the template was filled. In lists, the number may be up to a minute old.
    pub usage_count: u64,
    /// The names of the template's fields in reading order, each name once.
    pub fields: Vec<String>,
    /// The fields with their types and columns, in the order of `fields`. Missing in lists of templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structure: Option<Vec<StructuredField>>,
    /// Always empty, because a template has no values. The response with a saved document has the values in a field of
    /// the same name.
    #[schema(value_type = Vec<BTreeMap<String, FieldValue>>)]
    pub current_document_data: Vec<FieldAndValue>,
    pub status: Status,
    /// Version number: starts at 1 and increases with each edit that brings a new file.
    pub template_version: u32,
    /// Revision number: increases with each change by an admin. An edit names the revision it is based on.
    pub revision: u32,
    /// Number of pages of the empty template.
    pub pages: u32,
    /// Path of a picture of the first page, in which each field shows its name: `/media/<hash>`. The picture is created
    /// at publishing and never changes. Null for a template without a picture.
    pub thumbnail: Option<String>,
    /// Path of the picture in `thumbnail` at half the width, for standard screens; null for older templates.
    pub small_thumbnail: Option<String>,
    /// Width of the picture in pixels. With the width and the height, a page can reserve space for the picture.
    pub thumbnail_width: u32,
    pub thumbnail_height: u32,
    pub created_at: String,
    pub updated_at: String,
}

/// Deserialises an id in a body. An id of more than 64 bytes is refused, as in paths.
pub fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let id = String::deserialize(deserializer)?;
    if id.len() > LONGEST_ID { Err(D::Error::custom(format!("an id has at most {LONGEST_ID} bytes"))) } else { Ok(id) }
}

/// Deserialises an optional id in a body. An empty id is `None`.
pub fn optional_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let id = Option::<String>::deserialize(deserializer)?;
    match id.filter(|id| !id.is_empty()) {
        Some(id) if id.len() > LONGEST_ID => Err(D::Error::custom(format!("an id has at most {LONGEST_ID} bytes"))),
        id => Ok(id),
    }
}

/// An account as its owner and admins see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserRecord {
    #[serde(rename = "_id")]
    pub id: String,
    /// The user's name in their Google account. Without a Google account, the user name.
    pub name: String,
    pub user_name: String,
    pub email: String,
    /// Path of the photo, `/media/<hash>`; null for the default avatar.
    pub photo: Option<String>,
    /// The `_id` of a country, or null.
    pub country: Option<String>,
    /// The `_id` of a language, or null.
    pub language: Option<String>,
    pub role: Role,
    /// Number of times the account has filled a template.
    pub downloads: u64,
    pub created_at: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Admin,
    User,
}

impl From<accounts::Role> for Role {
    fn from(role: accounts::Role) -> Self {
        match role {
            accounts::Role::Admin => Role::Admin,
            accounts::Role::User => Role::User,
        }
    }
}

impl From<Role> for accounts::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::Admin => accounts::Role::Admin,
            Role::User => accounts::Role::User,
        }
    }
}

/// The response of every call that fails.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// A stable code, by which clients can translate the error.
    pub code: ErrorCode,
    /// A message in English.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<ErrorDetails>,
}

/// Converts a template into the form in which it is sent to clients, with its structure. See [`document`].
pub fn document_with_structure(template: Template, uses: u64, names: InterfaceLanguage) -> Document {
    let structure = Some(template.structure().0);
    Document { structure, ..document(template, uses, names) }
}

/// Converts a template into the form in which it is sent to clients in lists. The names of the template's language and country
/// are given in the language `names`.
pub fn document(template: impl Into<ListedTemplate>, uses: u64, names: InterfaceLanguage) -> Document {
    let template = template.into();
    let (thumbnail, thumbnail_width, thumbnail_height) = match &template.picture {
        Some(picture) => (Some(format!("/media/{}", picture.hash)), picture.width, picture.height),
        None => (None, 0, 0),
    };
    let country = template.country.as_deref().and_then(|code| country::country(code).ok());
    Document {
        id: template.id,
        title: template.title,
        categories: template.categories,
        keywords: template.keywords,
        language: language(&template.language, names),
        country: country.map(|known| Country { id: known.code.to_owned(), name: known.name(names).to_owned() }),
        usage_count: uses,
        fields: template.fields,
        structure: None,
        current_document_data: Vec::new(),
        status: match template.status {
            template::TemplateStatus::Active => Status::Active,
            template::TemplateStatus::Inactive => Status::Inactive,
        },
        template_version: template.version,
        revision: template.revision,
        pages: template.pages,
        thumbnail,
        small_thumbnail: template.small_picture.map(|picture| format!("/media/{}", picture.hash)),
        thumbnail_width,
        thumbnail_height,
        created_at: template.created_at.rfc3339(),
        updated_at: template.updated_at.rfc3339(),
    }
}

/// Returns a template language by its code. A code that is not supported any longer is used as the name.
fn language(code: &str, names: InterfaceLanguage) -> Language {
    match waraq_core::language::template_language(code) {
        Ok(known) => known_language(known, names),
        Err(_) => Language { id: code.into(), name: code.into(), code: code.into(), native_name: code.into() },
    }
}

pub fn known_language(known: &TemplateLanguage, names: InterfaceLanguage) -> Language {
    Language {
        id: known.code.to_owned(),
        name: known.name(names).to_owned(),
        code: known.code.to_owned(),
        native_name: known.native_name.to_owned(),
    }
}

impl From<&Account> for UserRecord {
    fn from(account: &Account) -> Self {
        Self {
            id: account.id.clone(),
            name: account.display_name().to_owned(),
            user_name: account.user_name.clone(),
            email: account.email.clone(),
            photo: account.photo.as_ref().map(|hash| format!("/media/{hash}")),
            country: account.country.clone(),
            language: account.language.clone(),
            role: account.role.into(),
            downloads: account.downloads,
            created_at: account.created_at.rfc3339(),
        }
    }
}
