//! Filling of picture fields: pictures, signatures and QR codes.
//!
//! A picture field has one of two forms:
//! - `{{name}}` in text, where the field has the type picture, signature or QR code. The picture is drawn in the line
//!   ([`inline`]), at 96 pixels per inch, but at most as large as the author and the column allow.
//! - a picture in the document whose complete alternative text is `{{name}}`. The picture is replaced in its frame
//!   ([`frames`]), and keeps its own aspect ratio.
//!
//! If the value is empty, nothing is shown in the place of an inline picture, and the author's picture is removed together
//! with its frame. An empty signature becomes a dotted line if empty values become dotted lines.

mod frames;
mod header;
mod inline;
mod placer;
mod qr_code;
mod widths;

use std::collections::HashMap;

use bytes::Bytes;
use flate2::Crc;
use waraq_rules::{
    ErrorCode, FieldType, Picture, PictureFormat, PictureSize, Row, RuleViolation, Structure, StructuredField, Value,
    Values, is_empty, path_without_rows,
};

pub(super) use self::frames::{PictureFrame, fill_frame, find_frames, set_alternative_text};
use self::header::PixelSize;
pub(super) use self::placer::{PartPictures, PicturePlacer};
use super::FillOptions;
use super::bidi::remove_direction_controls;
use crate::{Error, Package, Result};

/// The length of a pixel in points at 96 pixels per inch.
const POINTS_PER_PIXEL: f32 = 0.75;
/// The length of a millimetre in points.
const POINTS_PER_MILLIMETRE: f32 = 72.0 / 25.4;

/// The content of a picture field.
pub(super) enum FieldPicture {
    Shown(ShownPicture),
    /// The value is empty. The author's picture is removed, and `{{name}}` is replaced by nothing.
    Empty {
        /// The field is a signature, which can be written by hand.
        is_signature: bool,
    },
}

/// A picture that replaces a field.
pub(super) struct ShownPicture {
    /// The index of the file in [`FieldPictures::files`].
    pub file: usize,
    pub size: PixelSize,
    /// The width and height in points if nothing limits them.
    pub natural: (f32, f32),
    /// The maximum width and height of the picture in text, in points.
    pub maximum: (f32, f32),
    /// The alternative text: that of the value, or the name of the field.
    pub description: String,
}

/// The file of a picture that is added to the package.
pub(super) struct PictureFile {
    /// The name of the part.
    pub part: String,
    pub content: Bytes,
    pub format: PictureFormat,
}

/// The pictures of all fields, by the name of the field.
#[derive(Default)]
pub(super) struct FieldPictures {
    by_name: HashMap<String, FieldPicture>,
    /// The files of the pictures. Equal files are in this list once.
    pub files: Vec<PictureFile>,
}

impl FieldPictures {
    /// Reads the headers of all pictures and encodes the QR codes. The values are checked already, and sections are
    /// expanded: the name of a value in a row is its path, such as `items[3].photo`.
    ///
    /// Without a declared structure, a value that is a picture fills a picture field, and a text fills a text field.
    ///
    /// # Errors
    /// `unreadable_picture`, `value_picture_too_large` or `qr_code_too_long` with the name of the field.
    pub(super) fn new(package: &Package, values: &Values, options: FillOptions<'_>) -> Result<Self> {
        let types = options.structure.map(|structure| picture_types(&structure.0, ""));
        let mut pictures = Self::default();
        let mut known: HashMap<Bytes, usize> = HashMap::new();
        for (name, value) in values.iter() {
            let field_type = match &types {
                Some(types) if types.is_empty() => break,
                Some(types) => types.get(path_without_rows(name).as_ref()).copied().unwrap_or_default(),
                None if matches!(value, Value::Picture(_)) => FieldType::Picture,
                None => FieldType::Text,
            };
            let default_size = match field_type {
                FieldType::Picture => PictureSize::PICTURE,
                FieldType::Signature => PictureSize::SIGNATURE,
                FieldType::QrCode => PictureSize::QR_CODE,
                FieldType::Text | FieldType::YesNo | FieldType::List => continue,
            };
            let size = options.picture_sizes.map_or(default_size, |sizes| sizes.get(name, default_size));
            // A smaller QR code could not be read by phones.
            let least = if field_type == FieldType::QrCode { qr_code::LEAST_MILLIMETRES } else { 1 };
            let maximum = [size.width, size.height].map(|side| f32::from(side.max(least)) * POINTS_PER_MILLIMETRE);
            let (content, format, size, natural, description) = match value {
                Value::Picture(picture) => {
                    let size = checked_size(picture, name)?;
                    let natural = [size.width, size.height].map(|side| side as f32 * POINTS_PER_PIXEL);
                    let content = Bytes::from_owner(picture.bytes.clone());
                    (content, picture.format, size, natural, picture.alternative_text.as_str())
                }
                Value::Text(text) if field_type == FieldType::QrCode && !is_empty(text) => {
                    let code = qr_code::encode(text, name)?;
                    (code.png.into(), PictureFormat::Png, code.size, [code.points; 2], text.as_str())
                }
                _ => {
                    let is_signature = field_type == FieldType::Signature;
                    pictures.by_name.insert(name.to_owned(), FieldPicture::Empty { is_signature });
                    continue;
                }
            };
            let description = if is_empty(description) { name_in_row(name) } else { description };
            let file = match known.get(&content) {
                Some(&file) => file,
                None => {
                    let part = part_name(package, &content, format);
                    known.insert(content.clone(), pictures.files.len());
                    pictures.files.push(PictureFile { part, content, format });
                    pictures.files.len() - 1
                }
            };
            let shown = ShownPicture {
                file,
                size,
                natural: natural.into(),
                maximum: maximum.into(),
                description: remove_direction_controls(description),
            };
            pictures.by_name.insert(name.to_owned(), FieldPicture::Shown(shown));
        }
        Ok(pictures)
    }

    /// Returns the picture of a field. Returns `None` if the field is no picture field.
    pub(super) fn get(&self, name: &str) -> Option<&FieldPicture> {
        self.by_name.get(name)
    }
}

/// Returns the structure that the document suggests, for these values. A picture whose alternative text is `{{name}}` is a
/// picture field. If its value is a text, the field counts as a text, and the value is written into the alternative text.
pub(super) fn with_texts_as_given(structure: Structure, values: &Values) -> Structure {
    let is_text = |value: Option<&Value>| value.and_then(Value::as_text).is_some_and(|text| !is_empty(text));
    let relaxed = |mut field: StructuredField| {
        let value = values.value(&field.name);
        if field.field_type == FieldType::Picture && is_text(value) {
            field.field_type = FieldType::Text;
        }
        if let Some(Value::List(rows)) = value {
            relax_columns(&mut field.columns, &rows.iter().collect::<Vec<_>>());
        }
        field
    };
    Structure(structure.0.into_iter().map(relaxed).collect())
}

/// Changes the picture columns that have a text in one of the rows to text columns.
fn relax_columns(columns: &mut [StructuredField], rows: &[&Row]) {
    for column in columns {
        let values = || rows.iter().filter_map(|row| row.get(&column.name));
        let has_text = values().filter_map(Value::as_text).any(|text| !is_empty(text));
        let inner: Vec<&Row> = values().filter_map(Value::as_rows).flatten().collect();
        if column.field_type == FieldType::Picture && has_text {
            column.field_type = FieldType::Text;
        }
        relax_columns(&mut column.columns, &inner);
    }
}

/// Returns the types of the pictures, signatures and QR codes in these fields and in their columns. The key is the path
/// without row numbers, such as `items[].photo`. `before` is the text before each name, such as `items[].`.
fn picture_types(fields: &[StructuredField], before: &str) -> HashMap<String, FieldType> {
    let mut types = HashMap::new();
    for field in fields {
        let path = format!("{before}{}", field.name);
        match field.field_type {
            FieldType::Picture | FieldType::Signature | FieldType::QrCode => drop(types.insert(path, field.field_type)),
            FieldType::List => types.extend(picture_types(&field.columns, &format!("{path}[]."))),
            FieldType::Text | FieldType::YesNo => {}
        }
    }
    types
}

/// Returns the name of a column from the path of its value: `photo` for `items[3].photo`. Other names are unchanged.
pub(super) fn name_in_row(path: &str) -> &str {
    path.rsplit_once("].").map_or(path, |(_, name)| name)
}

fn checked_size(picture: &Picture, field: &str) -> Result<PixelSize> {
    let refused = |code, message: String, limit| {
        let fields = vec![field.to_owned()];
        Error::from(RuleViolation { code, message, fields, suggestions: Vec::new(), limit })
    };
    let size = header::read_size(&picture.bytes, picture.format).ok_or_else(|| {
        refused(
            ErrorCode::UnreadablePicture,
            format!("The picture of “{field}” is no PNG or JPEG that can be read."),
            None,
        )
    })?;
    if size.is_too_large() {
        let (side, pixels) = (header::MAX_SIDE, header::MAX_PIXELS);
        let message = format!(
            "The picture of “{field}” has more than {side} pixels on one side, or more than {pixels} pixels in all."
        );
        return Err(refused(ErrorCode::ValuePictureTooLarge, message, usize::try_from(pixels).ok()));
    }
    Ok(size)
}

/// Returns the name of the part for a picture. Different pictures have different names, because the live page keeps the
/// pictures that it has drawn by the name of their part.
fn part_name(package: &Package, content: &[u8], format: PictureFormat) -> String {
    let folder = package.main_part().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let extension = match format {
        PictureFormat::Png => "png",
        PictureFormat::Jpeg => "jpeg",
    };
    let mut crc = Crc::new();
    crc.update(content);
    let base = format!("{folder}media/value-{:08x}-{:x}", crc.sum(), content.len());
    let mut name = format!("{base}.{extension}");
    let mut number = 2;
    // A document that was filled before may already have the picture, or another one with this name.
    while package.part_bytes(&name).is_some_and(|known| known != content) {
        name = format!("{base}-{number}.{extension}");
        number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_columns_have_the_path_without_rows() {
        let typed = |name: &str, field_type, columns| StructuredField { name: name.to_owned(), field_type, columns };
        let photo = || typed("photo", FieldType::Picture, Vec::new());
        let parts = typed("parts", FieldType::List, vec![photo(), StructuredField::text("note")]);
        let items = typed("items", FieldType::List, vec![typed("code", FieldType::QrCode, Vec::new()), parts]);
        let types = picture_types(&[items, typed("seal", FieldType::Signature, Vec::new())], "");
        let mut paths: Vec<(&str, FieldType)> = types.iter().map(|(path, kind)| (path.as_str(), *kind)).collect();
        paths.sort_by_key(|(path, _)| *path);
        let expected = [
            ("items[].code", FieldType::QrCode),
            ("items[].parts[].photo", FieldType::Picture),
            ("seal", FieldType::Signature),
        ];
        assert_eq!(paths, expected);
        assert_eq!(name_in_row("items[3].parts[12].photo"), "photo");
        assert_eq!(name_in_row("seal"), "seal");
    }
}
