//! The values of saved documents in the form in which they are stored. Pictures are in a file, because a DynamoDB item has at most
//! 400 KB. The item has only the hash of each picture.

use std::collections::BTreeMap;

use waraq_rules::{Picture, Value};

use crate::files::content_hash;
use crate::{Error, ErrorCode, Result};

/// The values of all fields, as (name, value), in the order of the template's fields.
pub type NamedValues = Vec<(String, Value)>;

/// The values of all fields as they are stored, as (name, value), in the order of the template's fields.
pub type StoredValues = Vec<(String, StoredValue)>;

/// A row of a list as it is stored: the values of its columns by name.
pub type StoredRow = BTreeMap<String, StoredValue>;

/// Maximum size in bytes of stored values. DynamoDB limits an item to 409,600 bytes with its keys and other attributes.
pub const MAX_STORED_BYTES: usize = 390_000;
/// Maximum size in bytes of the pictures of one document together, so that a response of 6 MB can contain all of them in base64.
pub const MAX_PICTURES_BYTES: usize = 3_000_000;

/// A value as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredValue {
    Text(String),
    YesNo(bool),
    List(Vec<StoredRow>),
    Picture(StoredPicture),
}

/// A reference to a picture in the file of pictures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPicture {
    /// The SHA-256 hash of the picture's bytes in hexadecimal.
    pub hash: String,
    pub alternative_text: String,
}

impl From<String> for StoredValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// The pictures in the values of a document, by hash. They are stored in one file, as a JSON object of hashes and pictures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValuePictures(BTreeMap<String, Picture>);

impl ValuePictures {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the size of all pictures in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.values().map(|picture| picture.bytes.len() as u64).sum()
    }

    pub fn get(&self, hash: &str) -> Option<&Picture> {
        self.0.get(hash)
    }

    /// Returns the content of the file.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        let pictures: BTreeMap<&str, Value> =
            self.0.iter().map(|(hash, picture)| (hash.as_str(), Value::Picture(picture.clone()))).collect();
        serde_json::to_vec(&pictures).map_err(|error| Error::internal(format!("pictures of values: {error}")))
    }

    /// Reads the content of the file.
    pub fn from_json(json: &[u8]) -> Result<Self> {
        let pictures: BTreeMap<String, Value> = serde_json::from_slice(json)
            .map_err(|error| Error::internal(format!("the file of pictures of values: {error}")))?;
        let picture = |(hash, value)| match value {
            Value::Picture(picture) => Ok((hash, picture)),
            _ => Err(Error::internal("the file of pictures has another value")),
        };
        pictures.into_iter().map(picture).collect::<Result<_>>().map(Self)
    }

    /// Adds a picture and returns the reference to it. The alternative text is part of the reference, because the same picture
    /// may have several.
    fn add(&mut self, picture: &Picture) -> StoredPicture {
        let hash = content_hash(&picture.bytes);
        let kept = || Picture { alternative_text: String::new(), ..picture.clone() };
        self.0.entry(hash.clone()).or_insert_with(kept);
        StoredPicture { hash, alternative_text: picture.alternative_text.clone() }
    }
}

/// Converts values to the form in which they are stored. Also returns their size in bytes, and their pictures.
///
/// # Errors
/// `values_too_long` if they do not fit into an item. `value_picture_too_large` if the pictures are too large together.
pub fn to_stored(values: &[(String, Value)]) -> Result<(StoredValues, u64, ValuePictures)> {
    check_pictures(values)?;
    let mut pictures = ValuePictures::default();
    let stored: StoredValues =
        values.iter().map(|(name, value)| (name.clone(), stored_value(value, &mut pictures))).collect();
    // Names and values alternate in one list. Each element takes one byte more.
    let size = |(name, value): &(String, StoredValue)| name.len() + item_bytes(value) + 2;
    let bytes = stored.iter().map(size).sum::<usize>();
    if bytes > MAX_STORED_BYTES {
        let longest = stored.iter().max_by_key(|value| size(value)).map(|(name, _)| name.clone());
        let message = "The values are too long to be saved. Please shorten a list.";
        return Err(Error::new(ErrorCode::ValuesTooLong, message).with_fields(longest));
    }
    Ok((stored, bytes as u64, pictures))
}

/// Converts stored values back to values.
///
/// # Errors
/// An internal error if a picture is missing in `pictures`.
pub fn from_stored(stored: StoredValues, pictures: &ValuePictures) -> Result<NamedValues> {
    stored.into_iter().map(|(name, value)| Ok((name, loaded_value(value, pictures)?))).collect()
}

/// Checks that the pictures in values are at most [`MAX_PICTURES_BYTES`] together.
///
/// # Errors
/// `value_picture_too_large`, with the field that has the largest pictures.
pub fn check_pictures(values: &[(String, Value)]) -> Result<()> {
    if values.iter().map(|(_, value)| picture_bytes(value)).sum::<usize>() <= MAX_PICTURES_BYTES {
        return Ok(());
    }
    let largest = values.iter().max_by_key(|(_, value)| picture_bytes(value)).map(|(name, _)| name.clone());
    let message = format!("All pictures of a document together have at most {} MB.", MAX_PICTURES_BYTES / 1_000_000);
    let error = Error::new(ErrorCode::ValuePictureTooLarge, message).with_fields(largest);
    Err(error.with_limit(MAX_PICTURES_BYTES as u64))
}

fn picture_bytes(value: &Value) -> usize {
    match value {
        Value::Text(_) | Value::YesNo(_) => 0,
        Value::List(rows) => rows.iter().flat_map(BTreeMap::values).map(picture_bytes).sum(),
        Value::Picture(picture) => picture.bytes.len(),
    }
}

fn stored_value(value: &Value, pictures: &mut ValuePictures) -> StoredValue {
    match value {
        Value::Text(text) => StoredValue::Text(text.clone()),
        Value::YesNo(yes) => StoredValue::YesNo(*yes),
        Value::List(rows) => {
            let mut row = |row: &BTreeMap<String, Value>| {
                row.iter().map(|(name, value)| (name.clone(), stored_value(value, pictures))).collect()
            };
            StoredValue::List(rows.iter().map(&mut row).collect())
        }
        Value::Picture(picture) => StoredValue::Picture(pictures.add(picture)),
    }
}

fn loaded_value(stored: StoredValue, pictures: &ValuePictures) -> Result<Value> {
    Ok(match stored {
        StoredValue::Text(text) => Value::Text(text),
        StoredValue::YesNo(yes) => Value::YesNo(yes),
        StoredValue::List(rows) => {
            let row = |row: StoredRow| {
                let columns = row.into_iter().map(|(name, value)| Ok((name, loaded_value(value, pictures)?)));
                columns.collect::<Result<BTreeMap<_, _>>>()
            };
            Value::List(rows.into_iter().map(row).collect::<Result<_>>()?)
        }
        StoredValue::Picture(StoredPicture { hash, alternative_text }) => {
            let kept = pictures.get(&hash).ok_or_else(|| Error::internal("a picture of a value is not kept"))?;
            Value::Picture(Picture { alternative_text, ..kept.clone() })
        }
    })
}

/// Returns the size in bytes of a value in a DynamoDB item. A list or map takes three bytes, and one for each element.
fn item_bytes(value: &StoredValue) -> usize {
    match value {
        StoredValue::Text(text) => text.len(),
        StoredValue::YesNo(_) => 1,
        StoredValue::List(rows) => {
            let column = |(name, value): (&String, &StoredValue)| name.len() + 1 + item_bytes(value);
            3 + rows.iter().map(|row| 4 + row.iter().map(column).sum::<usize>()).sum::<usize>()
        }
        StoredValue::Picture(picture) => 32 + picture.hash.len() + picture.alternative_text.len(),
    }
}

#[cfg(test)]
mod tests {
    use waraq_rules::PictureFormat;

    use super::*;

    fn png(content: &[u8], alternative_text: &str) -> Value {
        let bytes = [b"\x89PNG\r\n\x1a\n", content].concat().into();
        Value::Picture(Picture { format: PictureFormat::Png, bytes, alternative_text: alternative_text.to_owned() })
    }

    fn named(name: &str, value: Value) -> (String, Value) {
        (name.to_owned(), value)
    }

    #[test]
    fn values_of_each_type_are_stored_and_loaded() {
        let row = BTreeMap::from([
            named("Photo", png(b"1", "Chair")),
            named("Parts", Value::List(vec![BTreeMap::from([named("Part", "leg \"4\"".into())])])),
            named("In stock", Value::YesNo(true)),
        ]);
        let values = vec![
            named("Logo", png(b"1", "")),
            named("Stamp", png(b"2", "Stamp")),
            named("Name", "Zoé".into()),
            named("Guarantor", Value::YesNo(false)),
            named("Items", Value::List(vec![row, BTreeMap::new()])),
            named("Nothing", Value::List(Vec::new())),
        ];
        let (stored, _, pictures) = to_stored(&values).unwrap();
        assert_eq!((pictures.0.len(), pictures.bytes()), (2, 18), "equal pictures are stored once");
        let read = ValuePictures::from_json(&pictures.to_json().unwrap()).unwrap();
        assert_eq!(read, pictures);
        assert_eq!(from_stored(stored.clone(), &read).unwrap(), values);
        assert_eq!(from_stored(stored, &ValuePictures::default()).unwrap_err().code, ErrorCode::Internal);
    }

    #[test]
    fn values_that_do_not_fit_into_an_item_are_refused() {
        // Each of these cells has a name of two bytes and takes six.
        let column = |number: u32| named(&format!("{number:02x}"), Value::List(Vec::new()));
        let rows = |count: usize| Value::List(vec![(0..100).map(column).collect(); count]);
        assert!(to_stored(&[named("Items", rows(300)), named("Name", "x".into())]).is_ok());
        let error = to_stored(&[named("Items", rows(700)), named("Name", "x".into())]).unwrap_err();
        assert_eq!((error.code, error.details.fields), (ErrorCode::ValuesTooLong, vec!["Items".to_owned()]));
        let large = png(&vec![0; 900_000], "");
        let all = |count| {
            vec![
                named("One", "".into()),
                named("Photos", Value::List(vec![BTreeMap::from([named("Photo", large.clone())]); count])),
            ]
        };
        assert!(to_stored(&all(3)).is_ok());
        let error = to_stored(&all(4)).unwrap_err();
        assert_eq!((error.code, error.details.fields), (ErrorCode::ValuePictureTooLarge, vec!["Photos".to_owned()]));
    }
}
