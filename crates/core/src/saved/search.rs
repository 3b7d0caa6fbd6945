//! Finding among one's own documents.

use std::cmp::Reverse;

use super::SavedDocument;
use crate::Result;
use crate::catalogue::{Page, words_of_title};
use crate::fold::fold;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SavedSort {
    #[default]
    Newest,
    Oldest,
    /// By downloads.
    MostUsed,
    /// What was saved last comes first.
    LastUpdated,
}

/// What is looked for. Without words everything is found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedSearch {
    words: Vec<String>,
    page: Page,
    pub sort: SavedSort,
}

/// One page of what is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub page: Vec<SavedDocument>,
    /// On all pages.
    pub total: u64,
}

impl SavedSearch {
    /// `title`: documents whose title holds every word of it. `page` from 1; `limit` from 1 to 100.
    ///
    /// # Errors
    /// `invalid_query`.
    pub fn new(title: &str, page: Option<u32>, limit: Option<u32>) -> Result<Self> {
        Ok(Self { words: words_of_title(title)?, page: Page::new(page, limit)?, sort: SavedSort::default() })
    }

    pub fn run(&self, mut documents: Vec<SavedDocument>) -> Found {
        if !self.words.is_empty() {
            documents.retain(|document| {
                let title = fold(&document.title);
                self.words.iter().all(|word| title.contains(word.as_str()))
            });
        }
        let total = documents.len() as u64;
        // Equal ones newest first, but for the oldest; ids sort by age.
        documents.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        match self.sort {
            SavedSort::Newest => {}
            SavedSort::Oldest => documents.reverse(),
            SavedSort::MostUsed => documents.sort_by_key(|document| Reverse(document.uses)),
            SavedSort::LastUpdated => documents.sort_by_key(|document| Reverse(document.updated_at)),
        }
        Found { page: self.page.of(documents), total }
    }
}
