//! The items with the values of saved documents.

use aws_sdk_dynamodb::types::AttributeValue;
use waraq_core::saved::{SavedDocument, StoredPicture, StoredRow, StoredValue, StoredValues};
use waraq_core::{Error, Result};

use crate::attributes::{Item, get_text, n, s, with_attribute};
use crate::items::values_key;

/// Returns the item with a document's values, as a list in which names and values alternate. JSON would take more
/// space: a quotation mark, for example, takes two bytes. The space matters, because an item has at most 400 kB.
///
/// A text is a string, an answer to a yes/no question a boolean, a list a list of maps, and a picture a map with its hash.
pub fn values_item(document: &SavedDocument, values: &[(String, StoredValue)]) -> Item {
    let list = values.iter().flat_map(|(name, value)| [s(name), value_attribute(value)]).collect();
    let item = with_attribute(values_key(&document.owner, &document.id), "named_values", AttributeValue::L(list));
    with_attribute(item, "version", n(document.version))
}

fn value_attribute(value: &StoredValue) -> AttributeValue {
    match value {
        StoredValue::Text(text) => s(text),
        StoredValue::YesNo(yes) => AttributeValue::Bool(*yes),
        StoredValue::List(rows) => {
            let column = |(name, value): (&String, &StoredValue)| (name.clone(), value_attribute(value));
            let row = |row: &StoredRow| AttributeValue::M(row.iter().map(column).collect());
            AttributeValue::L(rows.iter().map(row).collect())
        }
        StoredValue::Picture(picture) => AttributeValue::M(Item::from([
            ("hash".to_owned(), s(&picture.hash)),
            ("alternative_text".to_owned(), s(&picture.alternative_text)),
        ])),
    }
}

/// Reads a value from an attribute. Returns `None` if the attribute contains no value.
fn value_of_attribute(attribute: &AttributeValue) -> Option<StoredValue> {
    Some(match attribute {
        AttributeValue::S(text) => StoredValue::Text(text.clone()),
        AttributeValue::Bool(yes) => StoredValue::YesNo(*yes),
        AttributeValue::L(rows) => {
            let column = |(name, value): (&String, &AttributeValue)| Some((name.clone(), value_of_attribute(value)?));
            let row = |row: &AttributeValue| row.as_m().ok()?.iter().map(column).collect::<Option<StoredRow>>();
            StoredValue::List(rows.iter().map(row).collect::<Option<_>>()?)
        }
        AttributeValue::M(picture) => StoredValue::Picture(StoredPicture {
            hash: get_text(picture, "hash")?.to_owned(),
            alternative_text: get_text(picture, "alternative_text")?.to_owned(),
        }),
        _ => return None,
    })
}

/// Reads the values from such an item. Items that were written before fields had types have only texts.
pub fn parse_values(item: &Item) -> Result<StoredValues> {
    let list = match item.get("named_values") {
        Some(AttributeValue::L(list)) => list.as_slice(),
        _ => return Err(Error::internal("an item without values")),
    };
    let pair = |pair: &[AttributeValue]| {
        let (name, value) = (pair.first()?.as_s().ok()?, pair.get(1)?);
        Some((name.clone(), value_of_attribute(value)?))
    };
    list.chunks(2).map(pair).collect::<Option<_>>().ok_or_else(|| Error::internal("an attribute that is no value"))
}

#[cfg(test)]
mod tests {
    use waraq_core::Timestamp;
    use waraq_core::saved::{SavedFiles, SavedTemplate};

    use super::*;

    fn document() -> SavedDocument {
        SavedDocument {
            id: "d".into(),
            owner: "o".into(),
            title: "Letter".into(),
            version: 3,
            template: SavedTemplate {
                id: "t".into(),
                version: 1,
                title: "Letter".into(),
                categories: Vec::new(),
                language: "en".into(),
                country: None,
            },
            blank: false,
            pages: 1,
            files: SavedFiles { name: "f".into(), docx_bytes: 0, pdf_bytes: 0, picture: None, value_picture_bytes: 0 },
            value_bytes: None,
            uses: 0,
            created_at: Timestamp(0),
            updated_at: Timestamp(0),
        }
    }

    #[test]
    fn values_of_each_type_are_read_as_they_were_written() {
        let text = |text: &str| StoredValue::Text(text.to_owned());
        let picture = StoredValue::Picture(StoredPicture { hash: "ab".into(), alternative_text: String::new() });
        let part = StoredRow::from([("Part".to_owned(), text("leg")), ("Photo".to_owned(), picture.clone())]);
        let parts = StoredValue::List(vec![part, StoredRow::new()]);
        let row = StoredRow::from([("Parts".to_owned(), parts), ("Paid".to_owned(), StoredValue::YesNo(true))]);
        let values = [
            ("Logo", picture),
            ("Items", StoredValue::List(vec![row])),
            ("None", StoredValue::List(Vec::new())),
            ("Guarantor", StoredValue::YesNo(false)),
            ("Name", text("")),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value)).to_vec();
        assert_eq!(parse_values(&values_item(&document(), &values)).unwrap(), values);
    }

    #[test]
    fn values_that_were_stored_when_all_were_texts_are_read() {
        let list = ["Name", "Zoé \"&\"", "Date", ""].map(s).to_vec();
        let item = with_attribute(values_key("o", "d"), "named_values", AttributeValue::L(list));
        let expected = [("Name", "Zoé \"&\""), ("Date", "")];
        let expected = expected.map(|(name, value)| (name.to_owned(), StoredValue::Text(value.to_owned())));
        assert_eq!(parse_values(&item).unwrap(), expected);
        let written = values_item(&document(), &expected);
        assert_eq!(written["named_values"], item["named_values"], "texts are still written in this form");
        for wrong in [vec![s("Name")], vec![n(1), s("a")], vec![s("Name"), n(1)]] {
            let item = with_attribute(values_key("o", "d"), "named_values", AttributeValue::L(wrong));
            assert!(parse_values(&item).is_err());
        }
    }
}
