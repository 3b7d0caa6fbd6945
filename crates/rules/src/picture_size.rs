//! The maximum size of a picture in the text of a document.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The maximum size of a picture in the text, in millimetres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSize {
    /// The maximum width in millimetres.
    pub width: u16,
    /// The maximum height in millimetres.
    pub height: u16,
}

impl PictureSize {
    /// The maximum size of a picture whose author sets no other size.
    pub const PICTURE: Self = Self { width: 80, height: 40 };
    /// The maximum size of a signature whose author sets no other size.
    pub const SIGNATURE: Self = Self { width: 60, height: 25 };
    /// The maximum size of a QR code whose author sets no other size.
    pub const QR_CODE: Self = Self { width: 80, height: 80 };
}

/// The maximum size that the author of a template sets for a picture field. A side without a maximum has that of the field's
/// type, such as [`PictureSize::SIGNATURE`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MaxPictureSize {
    /// The maximum width in millimetres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_width: Option<u16>,
    /// The maximum height in millimetres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_height: Option<u16>,
}

/// The maximum sizes that the author of a template sets for its picture fields.
///
/// The key is the normalised name of the field. For a column, it is the path without row numbers: `items[].photo`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PictureSizes(pub BTreeMap<String, MaxPictureSize>);

impl PictureSizes {
    /// Returns the maximum size of a field. `default` is that of the field's type, for the sides without a maximum. Row numbers
    /// in the name are ignored, so `items[3].photo` has the size of `items[].photo`.
    pub fn get(&self, name: &str, default: PictureSize) -> PictureSize {
        let size = self.0.get(path_without_rows(name).as_ref()).copied().unwrap_or_default();
        PictureSize {
            width: size.max_width.unwrap_or(default.width),
            height: size.max_height.unwrap_or(default.height),
        }
    }

    /// Returns `true` if the author sets no size.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns the name of a field or the path of a value in a row, without row numbers: `items[3].photo` becomes
/// `items[].photo`.
pub fn path_without_rows(path: &str) -> Cow<'_, str> {
    if !path.contains('[') {
        return Cow::Borrowed(path);
    }
    let mut short = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        short.push_str(before);
        short.push_str("[]");
        rest = after.split_once(']').map_or("", |(_, rest)| rest);
    }
    short.push_str(rest);
    Cow::Owned(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_numbers_are_ignored() {
        let size = MaxPictureSize { max_width: Some(30), max_height: None };
        let sizes = PictureSizes([("logo".to_owned(), size), ("items[].parts[].photo".to_owned(), size)].into());
        for name in ["logo", "items[0].parts[12].photo"] {
            let size = PictureSize { width: 30, height: 25 };
            assert_eq!(sizes.get(name, PictureSize::SIGNATURE), size, "{name}");
        }
        for name in ["photo", "items[0].photo", "items[0].logo"] {
            assert_eq!(sizes.get(name, PictureSize::QR_CODE), PictureSize::QR_CODE, "{name}");
        }
    }
}
