//! Lists of saved documents, with the values of the documents.

use std::collections::BTreeMap;

use waraq_rules::{Structure, Value};

use super::stored_values::to_stored;
use super::{
    DeletedDocument, NamedValues, SavedDocument, SavedDocumentPage, SavedDocumentService, SavedSearch, StoredValue,
    StoredValues, TRIES, document_changed,
};
use crate::fold::fold;
use crate::template::{checked_title, document_not_found};
use crate::{Error, Result};

/// Maximum size in bytes of all values in one list. Documents whose values do not fit are listed without values.
pub const MAX_LISTED_VALUE_BYTES: u64 = 1_000_000;
/// Maximum number of bytes of the words of one document (see [`words_of`]).
const MAX_WORD_BYTES: usize = 2_000;

/// A document in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedDocument {
    pub document: SavedDocument,
    /// The structure of the template version from which the document was made. Empty if the version does not exist.
    pub structure: Structure,
    /// The values without pictures. `None` if they do not fit into the list.
    pub values: Option<NamedValues>,
}

impl SavedDocumentService<'_> {
    /// Returns a page of an account's documents, and the total number of results.
    pub async fn list(&self, owner: &str, search: &SavedSearch) -> Result<(Vec<ListedDocument>, u64)> {
        let words = if search.has_words() { self.documents.words(owner).await? } else { BTreeMap::new() };
        let SavedDocumentPage { page, total } = search.results(self.documents.documents(owner).await?, &words);
        Ok((self.listed(owner, page).await?, total))
    }

    /// Returns a page of an account's deleted documents that can be undeleted, and the total number of results. The document that
    /// was deleted last comes first. The documents have no values.
    pub async fn list_deleted(
        &self,
        owner: &str,
        search: &SavedSearch,
    ) -> Result<(Vec<(DeletedDocument, Structure)>, u64)> {
        let words = if search.has_words() { self.documents.words(owner).await? } else { BTreeMap::new() };
        let mut found = self.documents.deleted_documents(owner).await?;
        found.retain(|deleted| search.matches(&deleted.document, &words));
        found.sort_by(|one, other| (other.at, &other.document.id).cmp(&(one.at, &one.document.id)));
        let total = found.len() as u64;
        let page = search.page_of(found);
        let structures = self.structures(page.iter().map(|deleted| &deleted.document)).await?;
        Ok((page.into_iter().zip(structures).collect(), total))
    }

    async fn listed(&self, owner: &str, documents: Vec<SavedDocument>) -> Result<Vec<ListedDocument>> {
        let mut room = MAX_LISTED_VALUE_BYTES;
        let fits = |document: &&SavedDocument| {
            let left = document.value_bytes.and_then(|bytes| room.checked_sub(bytes));
            left.inspect(|left| room = *left).is_some()
        };
        let ids: Vec<&str> = documents.iter().filter(fits).map(|document| document.id.as_str()).collect();
        let structures = self.structures(documents.iter()).await?;
        let mut values = self.documents.values_of_all(owner, &ids).await?;
        let listed = documents.into_iter().zip(structures).map(|(document, structure)| {
            let values = values.remove(&document.id).map(without_pictures);
            ListedDocument { document, structure, values }
        });
        Ok(listed.collect())
    }

    async fn structures<'d>(&self, documents: impl Iterator<Item = &'d SavedDocument>) -> Result<Vec<Structure>> {
        let versions: Vec<(&str, u32)> =
            documents.map(|document| (document.template.id.as_str(), document.template.version)).collect();
        let templates = self.templates.versions(&versions).await?;
        Ok(templates.into_iter().map(|known| known.map(|known| known.structure()).unwrap_or_default()).collect())
    }

    /// Changes only the title of a document. The files and the values stay. The version increases by one, so that an edit which
    /// began before cannot restore the old title. `version` is the version that the client last saw; `None` skips this check.
    /// A repeated request succeeds without a change.
    ///
    /// # Errors
    /// `document_not_found`, `document_changed`, `title_too_long`, `invalid_title`.
    pub async fn rename(&self, owner: &str, id: &str, title: &str, version: Option<u32>) -> Result<SavedDocument> {
        let title = checked_title(title)?;
        for _ in 0..TRIES {
            let document = self.documents.document(owner, id).await?.ok_or_else(document_not_found)?;
            if document.title == title {
                return Ok(document);
            }
            if version.is_some_and(|version| version != document.version) {
                return Err(document_changed());
            }
            let renamed =
                SavedDocument { title: title.clone(), version: document.version.saturating_add(1), ..document.clone() };
            if self.documents.rename(&document, &renamed).await? {
                return Ok(renamed);
            }
        }
        Err(Error::unavailable("a document was always changed meanwhile"))
    }
}

/// Returns the texts among the values, folded and separated by newlines, for searches. Longer texts are cut.
pub fn words_of(values: &[(String, StoredValue)]) -> String {
    let mut words = String::new();
    for (_, value) in values {
        add_words(value, &mut words);
    }
    words.truncate(words.floor_char_boundary(MAX_WORD_BYTES));
    words
}

fn add_words(value: &StoredValue, words: &mut String) {
    match value {
        _ if words.len() > MAX_WORD_BYTES => {}
        StoredValue::Text(text) => {
            // Folding may change the length of a text, but a prefix of this length is enough in any case.
            words.push_str(&fold(&text[..text.floor_char_boundary(2 * MAX_WORD_BYTES)]));
            words.push('\n');
        }
        StoredValue::List(rows) => rows.iter().flat_map(BTreeMap::values).for_each(|value| add_words(value, words)),
        StoredValue::YesNo(_) | StoredValue::Picture(_) => {}
    }
}

/// Returns values as they are in lists: in the order of the fields of `structure`, and without pictures.
///
/// # Errors
/// Those of saving the values: `values_too_long` and `value_picture_too_large`.
pub fn listed_values(values: &[(String, Value)], structure: &Structure) -> Result<NamedValues> {
    let mut values = without_pictures(to_stored(values)?.0);
    let order: BTreeMap<&str, usize> = structure.names().zip(0..).collect();
    values.sort_by_key(|(name, _)| order.get(name.as_str()).copied());
    Ok(values)
}

/// Returns the values without pictures, in fields and in columns of lists.
fn without_pictures(stored: StoredValues) -> NamedValues {
    stored.into_iter().filter_map(|(name, value)| Some((name, value_without_pictures(value)?))).collect()
}

fn value_without_pictures(stored: StoredValue) -> Option<Value> {
    Some(match stored {
        StoredValue::Text(text) => Value::Text(text),
        StoredValue::YesNo(yes) => Value::YesNo(yes),
        StoredValue::List(rows) => {
            let columns = |row: BTreeMap<String, StoredValue>| {
                row.into_iter().filter_map(|(name, value)| Some((name, value_without_pictures(value)?))).collect()
            };
            Value::List(rows.into_iter().map(columns).collect())
        }
        StoredValue::Picture(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved::StoredPicture;

    #[test]
    fn words_are_folded_texts_of_fields_and_rows_within_a_limit() {
        let picture = StoredValue::Picture(StoredPicture { hash: "a".into(), alternative_text: "Logo".into() });
        let row = BTreeMap::from([("Item".to_owned(), StoredValue::Text("Émeraude".into()))]);
        let mut values = vec![
            ("Name".to_owned(), StoredValue::Text("ZOÉ".into())),
            ("Paid".to_owned(), StoredValue::YesNo(true)),
            ("Logo".to_owned(), picture),
            ("Items".to_owned(), StoredValue::List(vec![row])),
        ];
        assert_eq!(words_of(&values), "zoe\nemeraude\n");
        values.insert(0, ("Long".to_owned(), StoredValue::Text("ع".repeat(100_000))));
        let words = words_of(&values);
        assert!(words.len() <= MAX_WORD_BYTES && words.len() > MAX_WORD_BYTES - 4, "{}", words.len());
        let names: Vec<String> = without_pictures(values).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Long", "Name", "Paid", "Items"]);
    }
}
