//! Saved documents on the wire.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_core::saved::{SavedDocument as Kept, SavedTemplate as KeptTemplate};
use waraq_core::{InterfaceLanguage, country};

use super::{Country, Language, language};

/// A document kept in an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedDocument {
    #[serde(rename = "_id")]
    pub id: String,
    /// Its template's, unless its owner has given another.
    pub title: String,
    /// 1 at first, one more with each edit. An edit says which one it is of.
    pub version: u32,
    pub template: SavedTemplate,
    /// Its downloads.
    pub usage_count: u64,
    /// A field left empty prints nothing instead of a dotted line.
    pub blank: bool,
    pub pages: u32,
    /// The first page as it was saved: `/media/<name>`, immutable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
    /// The picture's size in pixels, so that its place can be kept.
    pub thumbnail_width: u32,
    pub thumbnail_height: u32,
    pub created_at: String,
    /// When it was saved last.
    pub updated_at: String,
}

/// A template as it was when a document was made of it; it may have changed since, or be out of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedTemplate {
    #[serde(rename = "_id")]
    pub id: String,
    pub template_version: u32,
    pub title: String,
    pub categories: Vec<String>,
    pub language: Language,
    /// Null: of no country.
    pub country: Option<Country>,
    /// The names of that version's fields in reading order.
    pub fields: Vec<String>,
}

/// A saved document on the wire, its template's language and country named in `names`.
pub fn saved_document(document: &Kept, fields: Vec<String>, names: InterfaceLanguage) -> SavedDocument {
    let (thumbnail_width, thumbnail_height) = document.files.picture.unwrap_or_default();
    SavedDocument {
        id: document.id.clone(),
        title: document.title.clone(),
        version: document.version,
        template: template(&document.template, fields, names),
        usage_count: document.uses,
        blank: document.blank,
        pages: document.pages,
        thumbnail: document.picture_name().map(|name| format!("/media/{name}")),
        thumbnail_width,
        thumbnail_height,
        created_at: document.created_at.rfc3339(),
        updated_at: document.updated_at.rfc3339(),
    }
}

fn template(template: &KeptTemplate, fields: Vec<String>, names: InterfaceLanguage) -> SavedTemplate {
    let known = template.country.as_deref().and_then(|code| country::country(code).ok());
    SavedTemplate {
        id: template.id.clone(),
        template_version: template.version,
        title: template.title.clone(),
        categories: template.categories.clone(),
        language: language(&template.language, names),
        country: known.map(|known| Country { id: known.code.to_owned(), name: known.name(names).to_owned() }),
        fields,
    }
}
