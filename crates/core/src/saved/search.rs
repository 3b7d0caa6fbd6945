//! Search in the saved documents of an account.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::SavedDocument;
use crate::Result;
use crate::catalogue::{Page, title_words};
use crate::fold::fold;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SavedSort {
    #[default]
    Newest,
    Oldest,
    /// The most downloaded documents first.
    MostUsed,
    /// The most recently saved documents first.
    LastUpdated,
}

/// A search in saved documents. Without words, every document matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedSearch {
    words: Vec<String>,
    page: Page,
    pub sort: SavedSort,
}

/// A page of the results of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedDocumentPage {
    pub page: Vec<SavedDocument>,
    /// The number of results on all pages.
    pub total: u64,
}

impl SavedSearch {
    /// Creates a search for documents: every word of `title` must be in the title or in the values. `page` starts at 1, which is the default. `limit`
    /// is the number of documents on a page, from 1 to 100.
    ///
    /// # Errors
    /// `invalid_query` if the title is too long or a number is out of range.
    pub fn new(title: &str, page: Option<u32>, limit: Option<u32>) -> Result<Self> {
        Ok(Self { words: title_words(title)?, page: Page::new(page, limit)?, sort: SavedSort::default() })
    }

    pub fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// Returns whether every word is in the title of a document or in its values. `words` has the words of the values by document
    /// (see [`super::words_of`]).
    pub fn matches(&self, document: &SavedDocument, words: &BTreeMap<String, String>) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let title = fold(&document.title);
        let values = words.get(&document.id).map(String::as_str).unwrap_or_default();
        self.words.iter().all(|word| title.contains(word.as_str()) || values.contains(word.as_str()))
    }

    pub fn page_of<T>(&self, results: Vec<T>) -> Vec<T> {
        self.page.slice(results)
    }

    pub fn results(&self, mut documents: Vec<SavedDocument>, words: &BTreeMap<String, String>) -> SavedDocumentPage {
        documents.retain(|document| self.matches(document, words));
        let total = documents.len() as u64;
        // Documents that are equal in the sort order are listed newest first, except with `Oldest`. The order of ids is the order
        // of age.
        documents.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        match self.sort {
            SavedSort::Newest => {}
            SavedSort::Oldest => documents.reverse(),
            SavedSort::MostUsed => documents.sort_by_key(|document| Reverse(document.uses)),
            SavedSort::LastUpdated => documents.sort_by_key(|document| Reverse(document.updated_at)),
        }
        SavedDocumentPage { page: self.page.slice(documents), total }
    }
}
