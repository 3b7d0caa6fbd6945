//! The shapes several routes speak in. A shape of one route alone lives beside its handler.
//!
//! Every time is RFC 3339 in UTC with milliseconds; every id is `_id`; base64 is the standard alphabet with padding.

pub mod answers;
pub mod categories;
pub mod files;
pub mod filled;
pub mod history;
pub mod saved;
pub mod session;
pub mod support;
pub mod template_file;
pub mod values;

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use waraq_core::accounts::{self, Account};
use waraq_core::catalogue::ListedTemplate;
use waraq_core::language::TemplateLanguage;
use waraq_core::template;
use waraq_core::{ErrorCode, ErrorDetails, InterfaceLanguage, country};

use crate::http::LONGEST_ID;

/// A language templates are written in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Language {
    /// The same as `code`.
    #[serde(rename = "_id")]
    pub id: String,
    /// In the language asked for: `Arabic`, `arabe`, `العربية`.
    pub name: String,
    /// BCP 47: `en`, `fr`, `ar`. What `lang` of GET /documents takes.
    pub code: String,
    /// In itself: `العربية`.
    #[serde(rename = "nativeName")]
    pub native_name: String,
}

/// A country of ISO 3166.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Country {
    /// ISO 3166-1 alpha-2 in upper case: `TN`.
    #[serde(rename = "_id")]
    pub id: String,
    /// In the language asked for.
    pub name: String,
}

/// What a template is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Category {
    #[serde(rename = "_id")]
    pub id: String,
    /// The name templates carry in `categories`, and what `cat` of GET /documents takes.
    pub name: String,
    /// Its name by interface language (`en`, `fr`, `ar`); a language that is missing uses `name`.
    pub names: BTreeMap<String, String>,
    /// Names that templates may carry instead, since they were merged into it.
    pub merged: Vec<String>,
    /// Templates of the catalogue that carry it.
    pub count: u32,
}

/// Whether a template is in the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Active,
    Inactive,
}

/// A field that has another name in a later version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Renamed {
    pub from: String,
    pub to: String,
}

/// One value of a form: an object with a single key, the field's name.
pub type FieldAndValue = BTreeMap<String, String>;

/// A template (specification §3, *Document*).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    #[serde(rename = "_id")]
    pub id: String,
    pub title: String,
    /// `name` of each category; GET /categories has the names per language.
    pub categories: Vec<String>,
    /// What it is found by besides its title and categories.
    pub keywords: Vec<String>,
    pub language: Language,
    /// Null: of no country.
    pub country: Option<Country>,
    /// Times it was filled. In lists up to a minute old.
    pub usage_count: u64,
    /// The names of its fields in reading order, one entry per name.
    pub fields: Vec<String>,
    /// Saved values; empty for a template of the catalogue.
    #[schema(value_type = Vec<BTreeMap<String, String>>)]
    pub current_document_data: Vec<FieldAndValue>,
    pub status: Status,
    /// 1 at first; one more with each edit that brings a new file.
    pub template_version: u32,
    /// One more with each change an admin makes. An edit says which one it is of.
    pub revision: u32,
    /// Pages of the empty template.
    pub pages: u32,
    /// The first page as a picture, each field showing its name; made once at publishing: `/media/<hash>`, immutable.
    pub thumbnail: Option<String>,
    /// The same at half the width, for screens of usual density; templates from before there was one have none.
    pub small_thumbnail: Option<String>,
    /// The picture's size in pixels, so that its place can be kept.
    pub thumbnail_width: u32,
    pub thumbnail_height: u32,
    pub created_at: String,
    pub updated_at: String,
}

/// An id in a body: of at most 64 bytes, as those in paths.
pub fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let id = String::deserialize(deserializer)?;
    if id.len() > LONGEST_ID { Err(D::Error::custom(format!("an id has at most {LONGEST_ID} bytes"))) } else { Ok(id) }
}

/// The same, where it may be left out.
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
    /// Google's name, else the userName.
    pub name: String,
    pub user_name: String,
    pub email: String,
    /// `/media/<hash>`, or null: the default avatar.
    pub photo: Option<String>,
    /// A country's `_id`, or null.
    pub country: Option<String>,
    /// A language's `_id`, or null.
    pub language: Option<String>,
    pub role: Role,
    /// Times the account has filled a template.
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

/// What every call answers when it fails.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// Stable: translate by it.
    pub code: ErrorCode,
    /// English, for people.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<ErrorDetails>,
}

/// A template on the wire, its language and country named in `names`.
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
        current_document_data: Vec::new(),
        status: match template.status {
            template::Status::Active => Status::Active,
            template::Status::Inactive => Status::Inactive,
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

/// A template language by its code. A code that is known no more still has itself for a name.
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
            name: account.shown_name().to_owned(),
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
