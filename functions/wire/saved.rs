//! Response types of saved documents.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_core::private_templates::is_private_id;
use waraq_core::saved::{
    DeletedDocument, ListedDocument as KeptListed, SavedDocument as Kept, SavedTemplate as KeptTemplate,
};
use waraq_core::{InterfaceLanguage, country};
use waraq_rules::{Structure, StructuredField};

use super::values::{FieldAndValue, FieldValue, fields_and_values};
use super::{Country, Language, language};

/// A document saved in an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedDocument {
    #[serde(rename = "_id")]
    pub id: String,
    /// The title of the document. It is the title of the template, unless the owner has changed it.
    pub title: String,
    /// Version number: starts at 1 and increases with each edit. An edit names the version it is based on.
    pub version: u32,
    pub template: SavedTemplate,
    /// Number of times the document was downloaded.
    pub usage_count: u64,
    /// If true, nothing is printed for an empty field. Otherwise, a dotted line is printed.
    pub blank: bool,
    pub pages: u32,
    /// Path of a picture of the first page as it was saved: `/media/<name>`. The picture never changes. Null for a
    /// document without a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
    /// Width of the picture in pixels. With the width and the height, a page can reserve space for the picture.
    pub thumbnail_width: u32,
    pub thumbnail_height: u32,
    pub created_at: String,
    /// Time of the last save.
    pub updated_at: String,
}

/// A saved document in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedDocument {
    #[serde(flatten)]
    pub document: SavedDocument,
    /// One object for each field, with the field's name as its only key, in the order of the fields. Pictures are left
    /// out. Missing for a deleted document, for a document that was just duplicated, and if the values of the whole list
    /// are too large (1 MB). GET /documents/saved/{id} always returns all values.
    #[schema(value_type = Option<Vec<BTreeMap<String, FieldValue>>>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_document_data: Option<Vec<FieldAndValue>>,
    /// Time of the deletion of a deleted document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<String>,
    /// Time until which a deleted document can be undeleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undelete_until: Option<String>,
}

/// The template as it was when the document was created. It may have changed or left the catalogue since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedTemplate {
    #[serde(rename = "_id")]
    pub id: String,
    /// True if it is a private template of the caller (GET /my-templates/{id}), false if it is a template of the catalogue.
    pub private: bool,
    pub template_version: u32,
    pub title: String,
    pub categories: Vec<String>,
    pub language: Language,
    /// The country; null if the template is not specific to a country.
    pub country: Option<Country>,
    /// The names of the fields of this template version in reading order.
    pub fields: Vec<String>,
    /// The fields with their types and columns, in the order of `fields`.
    pub structure: Vec<StructuredField>,
}

/// Converts a saved document into the form in which it is sent to clients. The names of its template's language and
/// country are given in the language `names`.
pub fn saved_document(document: &Kept, structure: Structure, names: InterfaceLanguage) -> SavedDocument {
    let (thumbnail_width, thumbnail_height) = document.files.picture.unwrap_or_default();
    SavedDocument {
        id: document.id.clone(),
        title: document.title.clone(),
        version: document.version,
        template: template(&document.template, structure, names),
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

/// Converts a document of a list into the form in which it is sent to clients.
pub fn listed_document(listed: KeptListed, names: InterfaceLanguage) -> ListedDocument {
    ListedDocument {
        document: saved_document(&listed.document, listed.structure, names),
        current_document_data: listed.values.map(fields_and_values),
        deleted_at: None,
        undelete_until: None,
    }
}

/// Converts a deleted document into the form in which it is sent to clients.
pub fn deleted_document(deleted: &DeletedDocument, structure: Structure, names: InterfaceLanguage) -> ListedDocument {
    ListedDocument {
        document: saved_document(&deleted.document, structure, names),
        current_document_data: None,
        deleted_at: Some(deleted.at.rfc3339()),
        undelete_until: Some(deleted.undelete_until().rfc3339()),
    }
}

fn template(template: &KeptTemplate, structure: Structure, names: InterfaceLanguage) -> SavedTemplate {
    let known = template.country.as_deref().and_then(|code| country::country(code).ok());
    SavedTemplate {
        id: template.id.clone(),
        private: is_private_id(&template.id),
        template_version: template.version,
        title: template.title.clone(),
        categories: template.categories.clone(),
        language: language(&template.language, names),
        country: known.map(|known| Country { id: known.code.to_owned(), name: known.name(names).to_owned() }),
        fields: structure.names().map(str::to_owned).collect(),
        structure: structure.0,
    }
}
