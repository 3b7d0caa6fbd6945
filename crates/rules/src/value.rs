//! The values of fields: texts, answers to yes/no questions, lists of rows, and pictures.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::is_empty;

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// The text of a text field.
    Text(String),
    /// The answer to a yes/no field. It keeps or removes the section of this name.
    YesNo(bool),
    /// The rows of a list field. The section of this name is repeated for each row.
    List(Vec<Row>),
    /// The picture of a picture or signature field.
    Picture(Picture),
}

/// A row of a list: the values of its columns by normalised name.
pub type Row = BTreeMap<String, Value>;

/// A picture as a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The format of `bytes`.
    pub format: PictureFormat,
    /// The complete PNG or JPEG file.
    pub bytes: Arc<[u8]>,
    /// The alternative text, for people who cannot see the picture. If empty, the name of the field is used.
    pub alternative_text: String,
}

/// The file format of a [`Picture`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// Portable Network Graphics (ISO/IEC 15948).
    Png,
    /// JPEG (ISO/IEC 10918).
    Jpeg,
}

impl PictureFormat {
    /// Returns the media type, such as `image/png`.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}

impl Value {
    /// Returns the text of a text value, and `None` for other values.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the rows, or `None` if the value is no list.
    pub fn as_rows(&self) -> Option<&[Row]> {
        match self {
            Self::List(rows) => Some(rows),
            _ => None,
        }
    }

    /// Returns whether the value prints nothing: an empty text, the answer no, or a list without rows.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => is_empty(text),
            Self::YesNo(yes) => !yes,
            Self::List(rows) => rows.is_empty(),
            Self::Picture(_) => false,
        }
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}
