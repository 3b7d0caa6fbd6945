//! Search in the saved documents of an account.

use std::cmp::Reverse;

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
    /// Creates a search for documents whose title contains every word of `title`. `page` starts at 1, which is the default. `limit`
    /// is the number of documents on a page, from 1 to 100.
    ///
    /// # Errors
    /// `invalid_query` if the title is too long or a number is out of range.
    pub fn new(title: &str, page: Option<u32>, limit: Option<u32>) -> Result<Self> {
        Ok(Self { words: title_words(title)?, page: Page::new(page, limit)?, sort: SavedSort::default() })
    }

    pub fn results(&self, mut documents: Vec<SavedDocument>) -> SavedDocumentPage {
        if !self.words.is_empty() {
            documents.retain(|document| {
                let title = fold(&document.title);
                self.words.iter().all(|word| title.contains(word.as_str()))
            });
        }
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
