//! The structure of a template: the type of each field, and the columns of its lists.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::derivation::DerivedPath;

/// The type of the values that a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    /// A text.
    #[default]
    Text,
    /// Yes or no. The section of this name is kept or removed.
    YesNo,
    /// A list of rows. The section of this name is repeated for each row.
    List,
    /// A picture.
    Picture,
    /// A picture of a signature.
    Signature,
    /// A text that is printed as a QR code (ISO/IEC 18004).
    QrCode,
}

/// A field of a template with its type.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StructuredField {
    /// The normalised name.
    pub name: String,
    /// The type of the values.
    #[serde(rename = "type", default)]
    pub field_type: FieldType,
    /// The columns of a list, in reading order. Empty for other types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false, no_recursion))]
    pub columns: Vec<StructuredField>,
}

/// The fields of a template in reading order, each with its type. A name occurs once in each list of fields or columns.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Structure(pub Vec<StructuredField>);

/// The types that the author of a template declares for its fields, by normalised name. A field without an entry has the
/// type that the document suggests.
pub type DeclaredTypes = BTreeMap<String, DeclaredType>;

/// The declared type of a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeclaredType {
    /// The type of the values.
    pub field_type: FieldType,
    /// The declared types of the columns of a list. Empty for other types.
    pub columns: DeclaredTypes,
}

impl StructuredField {
    /// Creates a text field.
    pub fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

impl Structure {
    /// Creates the structure of a template in which all fields are texts.
    pub fn of_texts<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self(names.into_iter().map(StructuredField::text).collect())
    }

    /// Returns the field with this name, which must be normalised.
    pub fn field(&self, name: &str) -> Option<&StructuredField> {
        self.0.iter().find(|field| field.name == name)
    }

    /// Returns the names of the fields, without the columns of lists.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|field| field.name.as_str())
    }

    /// Returns whether a path leads to a field or column whose values are texts.
    pub(crate) fn has_text_at(&self, path: &DerivedPath) -> bool {
        let mut fields = self.0.as_slice();
        for list in &path.lists {
            match fields.iter().find(|field| field.name == *list) {
                Some(field) if field.field_type == FieldType::List => fields = &field.columns,
                _ => return false,
            }
        }
        let field = fields.iter().find(|field| field.name == path.name);
        field.is_some_and(|field| matches!(field.field_type, FieldType::Text | FieldType::QrCode))
    }

    /// Returns the number of fields and columns.
    pub fn count(&self) -> usize {
        count(&self.0)
    }

    /// Returns the types of all fields as declared types.
    pub fn declared_types(&self) -> DeclaredTypes {
        declared_types(&self.0)
    }

    /// Returns whether all fields are texts.
    pub fn is_plain(&self) -> bool {
        self.0.iter().all(|field| field.field_type == FieldType::Text)
    }
}

fn declared_types(fields: &[StructuredField]) -> DeclaredTypes {
    let declared = |field: &StructuredField| DeclaredType {
        field_type: field.field_type,
        columns: declared_types(&field.columns),
    };
    fields.iter().map(|field| (field.name.clone(), declared(field))).collect()
}

fn count(fields: &[StructuredField]) -> usize {
    fields.iter().map(|field| 1 + count(&field.columns)).sum()
}
