//! Finding templates: filters, words, sorts, pages over the rows a warm process keeps in memory.

mod instead;
mod rows;
mod synonyms;
mod vocabulary;
mod wanted;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;

use crate::category::Categories;
use crate::fold::fold;
use crate::history::{CategoryWhat, Deed};
use crate::template::{LONGEST_TITLE, Status, Template};
use crate::{Error, ErrorCode, Result, category, country, language};
pub use instead::Instead;
use rows::Row;
pub use rows::{ListedTemplate, LoadedRows, NewRow, Rows};
use wanted::{Wanted, Word};
use waraq_rules::Finding;
use waraq_rules::help::TemplateHelp;

/// Where templates are kept.
#[async_trait]
pub trait Templates: Send + Sync {
    /// Every template there is, as of no earlier than this call.
    async fn rows(&self) -> Result<Arc<Rows>>;

    /// One template as of now, with its uses counted now.
    async fn template(&self, id: &str) -> Result<Option<(Template, u64)>>;

    /// One template as of now, without its uses.
    async fn row(&self, id: &str) -> Result<Option<Template>>;

    /// Templates as they were published, by id and version, in the order asked for; `None` where there is no such version.
    async fn versions(&self, wanted: &[(&str, u32)]) -> Result<Vec<Option<Arc<Template>>>>;

    /// Every version of a template as it was published, the first one first.
    async fn all_versions(&self, id: &str) -> Result<Vec<Template>>;

    /// What is known of the fields of a version, as of now; `None` where nothing is kept.
    async fn help(&self, id: &str, version: u32) -> Result<Option<TemplateHelp>>;

    /// The same of every version of a template that has any, by its number.
    async fn all_help(&self, id: &str) -> Result<BTreeMap<u32, TemplateHelp>>;

    /// What admins have made of categories, as of now.
    async fn categories(&self) -> Result<Categories>;

    /// Keeps it, and what was done to it, on the condition that what is kept is of the revision before; false if it is not.
    async fn keep_categories(&self, categories: &Categories, deed: &Deed<CategoryWhat>) -> Result<bool>;

    /// Keeps a new template: its row, its version, what is known of its fields, and, where a key is given, that this key's answer is this template; all
    /// of it or nothing. Answers what now is this key's answer: the given template, or an earlier one. A template of that
    /// id that is there already is `template_exists`.
    async fn add(
        &self,
        published: Published,
        help: &TemplateHelp,
        key: Option<&PublishKey>,
        deed: &Deed,
    ) -> Result<Published>;

    /// Writes a template anew, with its version where that is new and with what is known of its fields where that is given, on the condition that it is of `before`'s revision; all of it or
    /// nothing. Answers what now is the key's answer, as [`Self::add`] does.
    ///
    /// # Errors
    /// `template_changed` where it is of another revision.
    async fn change(
        &self,
        before: &Template,
        published: Published,
        help: Option<&TemplateHelp>,
        key: Option<&PublishKey>,
        deed: &Deed,
    ) -> Result<Published>;

    /// What is the answer to `key`. The same key with another content is `idempotency_key_reused`.
    async fn published_under(&self, key: &PublishKey) -> Result<Option<Published>>;
}

/// A template that was published.
#[derive(Debug, Clone)]
pub struct Published {
    pub template: Template,
    /// Warnings.
    pub findings: Vec<Finding>,
}

/// An upload's own name: who uploads, his key, and a hash of what he uploads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishKey {
    pub who: String,
    pub key: String,
    pub content_hash: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    #[default]
    Newest,
    Oldest,
    MostUsed,
    LeastUsed,
}

/// Which templates by status; only admins may ask for others than the active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StatusFilter {
    #[default]
    Active,
    Inactive,
    All,
}

/// Cards a page where nothing else is asked for (specification §9), and at most.
pub const DEFAULT_LIMIT: u32 = 12;
pub const MOST_PER_PAGE: u32 = 100;
/// Categories one list is filtered by.
pub const MOST_FILTERS: usize = 50;

/// What is looked for. An empty filter lets everything through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    language: Option<String>,
    country: Option<String>,
    /// As they were typed.
    categories: Vec<String>,
    title: Wanted,
    pub status: StatusFilter,
    pub sort: Sort,
    page: Page,
}

/// Which part of a list is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// From 1.
    number: u32,
    limit: u32,
}

impl Default for Page {
    fn default() -> Self {
        Self { number: 1, limit: DEFAULT_LIMIT }
    }
}

impl Page {
    /// `number` from 1; `limit` from 1 to 100.
    pub fn new(number: Option<u32>, limit: Option<u32>) -> Result<Self> {
        let page = Self { number: number.unwrap_or(1), limit: limit.unwrap_or(DEFAULT_LIMIT) };
        if page.number == 0 {
            return Err(Error::new(ErrorCode::InvalidQuery, "Pages are counted from 1.").with_fields(["page"]));
        }
        if !(1..=MOST_PER_PAGE).contains(&page.limit) {
            let error = Error::new(ErrorCode::InvalidQuery, format!("A page has 1 to {MOST_PER_PAGE} entries."));
            return Err(error.with_fields(["limit"]).with_limit(u64::from(MOST_PER_PAGE)));
        }
        Ok(page)
    }

    /// Its part of everything found, which may have fewer.
    pub fn part(self) -> Range<usize> {
        let skipped = (self.number as usize).saturating_sub(1).saturating_mul(self.limit as usize);
        skipped..skipped.saturating_add(self.limit as usize)
    }

    /// Its part of everything found, and how much that is.
    fn counted<T>(self, found: impl Iterator<Item = T>) -> (Vec<T>, u64) {
        let part = self.part();
        let (mut page, mut total) = (Vec::new(), 0);
        for (number, one) in found.enumerate() {
            if part.contains(&number) {
                page.push(one);
            }
            total += 1;
        }
        (page, total)
    }

    /// The same in the order of `key`; equal ones stay as they were. All of them need not be sorted for it.
    fn sorted<T: Copy>(self, found: impl Iterator<Item = T>, key: impl Fn(T) -> u64) -> (Vec<T>, u64) {
        let mut keyed: Vec<(u64, usize, T)> = found.enumerate().map(|(number, one)| (key(one), number, one)).collect();
        let (part, total) = (self.part(), keyed.len());
        let order = |one: &(u64, usize, T), other: &(u64, usize, T)| (one.0, one.1).cmp(&(other.0, other.1));
        if part.start >= total {
            return (Vec::new(), total as u64);
        }
        if part.end < total {
            keyed.select_nth_unstable_by(part.end, order);
            keyed.truncate(part.end);
        }
        keyed.select_nth_unstable_by(part.start, order);
        let mut page = keyed.split_off(part.start);
        page.sort_unstable_by(order);
        (page.into_iter().map(|(_, _, one)| one).collect(), total as u64)
    }

    /// Its part of everything found.
    pub fn of<T>(self, found: Vec<T>) -> Vec<T> {
        let part = self.part();
        found.into_iter().skip(part.start).take(part.len()).collect()
    }
}

/// A text that is searched for is no longer than a title.
fn short_enough(text: &str) -> Result<()> {
    no_longer(text, "title", LONGEST_TITLE)
}

fn no_longer(text: &str, field: &str, most: usize) -> Result<()> {
    if text.chars().count() > most {
        let error = Error::new(ErrorCode::InvalidQuery, format!("A search has at most {most} characters."));
        return Err(error.with_fields([field]).with_limit(most as u64));
    }
    Ok(())
}

/// The words a title must hold to be found, folded. The text is no longer than a title.
pub fn words_of_title(text: &str) -> Result<Vec<String>> {
    words_of(text, "title", LONGEST_TITLE)
}

/// The words of a search, folded. `field`: what the request calls it; `most`: its characters.
pub fn words_of(text: &str, field: &str, most: usize) -> Result<Vec<String>> {
    no_longer(text, field, most)?;
    Ok(fold(text).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect())
}

impl Search {
    /// Templates of this language.
    pub fn language(mut self, code: &str) -> Result<Self> {
        self.language = Some(language::template_language(code)?.code.to_owned());
        Ok(self)
    }

    /// Templates of this country and of none.
    pub fn country(mut self, code: &str) -> Result<Self> {
        self.country = Some(country::country(code)?.code.to_owned());
        Ok(self)
    }

    /// Templates of any of these categories: at most fifty names joined by commas, in any interface language.
    pub fn categories(mut self, names: &str) -> Result<Self> {
        if category::pieces(names).nth(MOST_FILTERS).is_some() {
            let error = Error::new(
                ErrorCode::InvalidQuery,
                format!("A list is filtered by at most {MOST_FILTERS} categories."),
            );
            return Err(error.with_fields(["cat"]).with_limit(MOST_FILTERS as u64));
        }
        self.categories = category::pieces(names).map(str::to_owned).collect();
        Ok(self)
    }

    /// Templates that every word of `text` finds: in their title, wherever, or at the start of a word of their keywords or categories
    /// (these in every language, as the product and as admins call them), or because it means what they are (`synonyms.txt`). The text is no longer than a title.
    pub fn title(mut self, text: &str) -> Result<Self> {
        short_enough(text)?;
        self.title = Wanted::new(text);
        Ok(self)
    }

    /// `page` from 1; `limit` from 1 to 100.
    pub fn page(mut self, page: Option<u32>, limit: Option<u32>) -> Result<Self> {
        self.page = Page::new(page, limit)?;
        Ok(self)
    }

    /// What is found, the newest first.
    fn finding<'a>(&self, rows: &'a Rows) -> impl DoubleEndedIterator<Item = &'a Row> + use<'a> {
        let status = match self.status {
            StatusFilter::Active => Some(Status::Active),
            StatusFilter::Inactive => Some(Status::Inactive),
            StatusFilter::All => None,
        };
        let language = self.language.as_ref().map(|code| rows.language_number(code));
        let country = self.country.as_ref().map(|code| rows::country_code(code));
        let categories = (!self.categories.is_empty()).then(|| rows.carrying(&self.categories));
        let needles = self.title.among(rows);
        // One that is nowhere need not be looked for in each.
        let all = (!needles.are_nowhere()).then(|| rows.newest_first());
        all.into_iter().flatten().filter(move |row| {
            let carries = |lists: &Vec<bool>| lists.get(row.categories as usize).copied().unwrap_or(false);
            status.is_none_or(|status| row.status == status)
                && language.is_none_or(|language| row.language == language)
                && country.is_none_or(|country| row.is_for(country))
                && categories.as_ref().is_none_or(carries)
                && needles.are_of(row, rows)
        })
    }

    /// One page of what is found, and how many are found in all. In the order nobody chose, the newest first, those come before that have
    /// all words in their title; an order somebody chose is kept as it is.
    pub fn run(&self, rows: &Rows) -> Found {
        let found = self.finding(rows);
        let (page, total) = match self.sort {
            Sort::Newest if !self.title.is_empty() => {
                let needles = self.title.among(rows);
                let (titled, others): (Vec<&Row>, Vec<&Row>) = found.partition(|row| needles.are_titled(row, rows));
                self.page.counted(titled.into_iter().chain(others))
            }
            Sort::Newest => self.page.counted(found),
            Sort::Oldest => self.page.counted(found.rev()),
            // Equally used ones stay newest first.
            Sort::MostUsed => self.page.sorted(found, |row| u64::MAX - row.uses()),
            Sort::LeastUsed => self.page.sorted(found, Row::uses),
        };
        Found { page: page.into_iter().map(|row| (rows.template(row), row.uses())).collect(), total }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// With how often each was used.
    pub page: Vec<(ListedTemplate, u64)>,
    pub total: u64,
}
