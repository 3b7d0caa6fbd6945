//! The template catalogue: search with filters, words, sort orders and pages over rows that a warm process keeps in memory.

mod rows;
mod search_terms;
mod suggestions;
mod synonyms;
mod vocabulary;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;

use crate::audit_log::{AuditEvent, CategoryChange};
use crate::category::Categories;
use crate::fold::fold;
use crate::template::{LONGEST_TITLE, Template, TemplateStatus};
use crate::{Error, ErrorCode, Result, category, country, language};
use rows::TemplateRow;
pub use rows::{ListedTemplate, PreparedRow, TemplateRows, UnsortedRows};
use search_terms::{SearchTerms, SearchWord};
pub use suggestions::Suggestions;
use waraq_rules::Diagnostic;
use waraq_rules::field_settings::TemplateFieldSettings;

/// The store of templates.
#[async_trait]
pub trait Templates: Send + Sync {
    /// Returns all templates. The result contains every change that was made before this call.
    async fn rows(&self) -> Result<Arc<TemplateRows>>;

    /// Returns a template with its number of uses. The read is consistent.
    async fn template(&self, id: &str) -> Result<Option<(Template, u64)>>;

    /// Returns a template without its number of uses. The read is consistent.
    async fn template_without_uses(&self, id: &str) -> Result<Option<Template>>;

    /// Returns the published versions with these template ids and version numbers, in the same order. An entry of the result is
    /// `None` if the version does not exist.
    async fn versions(&self, wanted: &[(&str, u32)]) -> Result<Vec<Option<Arc<Template>>>>;

    /// Returns every published version of a template, oldest first.
    async fn all_versions(&self, id: &str) -> Result<Vec<Template>>;

    /// Returns the field settings of a version, or `None` if none are stored. The read is consistent.
    async fn field_settings(&self, id: &str, version: u32) -> Result<Option<TemplateFieldSettings>>;

    /// Returns the stored field settings of every version of a template, by version number.
    async fn all_field_settings(&self, id: &str) -> Result<BTreeMap<u32, TemplateFieldSettings>>;

    /// Returns the changes that admins made to categories. The read is consistent.
    async fn categories(&self) -> Result<Categories>;

    /// Writes the category record and an audit event, if the stored record has not changed since it was read. If it has changed,
    /// writes nothing and returns false.
    async fn write_categories(&self, categories: &Categories, event: &AuditEvent<CategoryChange>) -> Result<bool>;

    /// Adds a new template in one transaction: its row, its version, its field settings and, if a key is given, the idempotency
    /// record. Returns the new template. If an earlier request with the same key was successful, returns the response of that
    /// request instead.
    ///
    /// # Errors
    /// `template_exists` if there is already a template with this id.
    async fn insert(
        &self,
        published: Published,
        help: &TemplateFieldSettings,
        key: Option<&PublishKey>,
        event: &AuditEvent,
    ) -> Result<Published>;

    /// Writes a changed template if the stored one still has the revision of `before`. If the template has a new version, the same
    /// transaction writes this version. It also writes the field settings `help`, if given. Returns the changed template. If an
    /// earlier request with the same key was successful, returns the response of that request instead.
    ///
    /// # Errors
    /// `template_changed` if the stored template has another revision.
    async fn replace(
        &self,
        before: &Template,
        published: Published,
        help: Option<&TemplateFieldSettings>,
        key: Option<&PublishKey>,
        event: &AuditEvent,
    ) -> Result<Published>;

    /// Returns the response that is stored under `key`, or `None` if the key was not used yet.
    ///
    /// # Errors
    /// `idempotency_key_reused` if the key was used with other content.
    async fn published_under(&self, key: &PublishKey) -> Result<Option<Published>>;
}

/// A published template, with the warnings about its file.
#[derive(Debug, Clone)]
pub struct Published {
    pub template: Template,
    /// The warnings found when the file was checked.
    pub findings: Vec<Diagnostic>,
}

/// The Idempotency-Key of an upload, with the account that sent it and a hash of the content.
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

/// A filter by status. Only admins may ask for templates that are not active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StatusFilter {
    #[default]
    Active,
    Inactive,
    All,
}

/// The default number of entries on a page (specification §9).
pub const DEFAULT_LIMIT: u32 = 12;
pub const MOST_PER_PAGE: u32 = 100;
/// Maximum number of categories by which one search can be filtered.
pub const MOST_FILTERS: usize = 50;

/// A search in the catalogue. An empty filter matches every template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    language: Option<String>,
    country: Option<String>,
    /// The code of the country whose templates are listed first. `None` if no country is preferred.
    country_first: Option<String>,
    /// The code of the language whose templates are listed first. `None` if no language is preferred.
    language_first: Option<String>,
    /// The names of the categories to search in, as typed by the user.
    categories: Vec<String>,
    title: SearchTerms,
    pub status: StatusFilter,
    pub sort: Sort,
    page: Page,
}

/// A page of a list: its number, and the maximum number of entries on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The page number, starting at 1.
    number: u32,
    limit: u32,
}

impl Default for Page {
    fn default() -> Self {
        Self { number: 1, limit: DEFAULT_LIMIT }
    }
}

impl Page {
    /// Creates a page. `number` starts at 1, which is the default. `limit` is the number of entries on a page, from 1 to 100; the
    /// default is [`DEFAULT_LIMIT`].
    ///
    /// # Errors
    /// `invalid_query` if a value is out of range.
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

    /// Returns the index range of the results on this page; the first result has index 0. The end may be larger than the number of
    /// results.
    pub fn range(self) -> Range<usize> {
        let skipped = (self.number as usize).saturating_sub(1).saturating_mul(self.limit as usize);
        skipped..skipped.saturating_add(self.limit as usize)
    }

    /// Returns the results on this page and the total number of results.
    fn page_and_total<T>(self, found: impl Iterator<Item = T>) -> (Vec<T>, u64) {
        let part = self.range();
        let (mut page, mut total) = (Vec::new(), 0);
        for (number, one) in found.enumerate() {
            if part.contains(&number) {
                page.push(one);
            }
            total += 1;
        }
        (page, total)
    }

    /// Sorts the results by `key`; results with equal keys keep their order. Returns the results on this page and the total
    /// number of results. To save time, only the results on this page are fully sorted.
    fn sorted_page_and_total<T: Copy>(self, found: impl Iterator<Item = T>, key: impl Fn(T) -> u64) -> (Vec<T>, u64) {
        let mut keyed: Vec<(u64, usize, T)> = found.enumerate().map(|(number, one)| (key(one), number, one)).collect();
        let (part, total) = (self.range(), keyed.len());
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

    /// Returns the results on this page.
    pub fn slice<T>(self, found: Vec<T>) -> Vec<T> {
        let part = self.range();
        found.into_iter().skip(part.start).take(part.len()).collect()
    }
}

/// Checks that a search text is not longer than a title may be.
fn check_title_length(text: &str) -> Result<()> {
    check_length(text, "title", LONGEST_TITLE)
}

fn check_length(text: &str, field: &str, most: usize) -> Result<()> {
    if text.chars().count() > most {
        let error = Error::new(ErrorCode::InvalidQuery, format!("A search has at most {most} characters."));
        return Err(error.with_fields([field]).with_limit(most as u64));
    }
    Ok(())
}

/// Splits a search text into folded words. A title matches the search if it contains every word.
///
/// # Errors
/// `invalid_query` if the text is longer than a title may be.
pub fn title_words(text: &str) -> Result<Vec<String>> {
    search_words(text, "title", LONGEST_TITLE)
}

/// Splits a search text into words, and folds them ([`fold`]). `field` is the name of the query parameter, `most` the maximum
/// number of characters.
///
/// # Errors
/// `invalid_query` if the text is too long.
pub fn search_words(text: &str, field: &str, most: usize) -> Result<Vec<String>> {
    check_length(text, field, most)?;
    Ok(fold(text).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect())
}

impl Search {
    /// Restricts the search to templates in this language.
    pub fn language(mut self, code: &str) -> Result<Self> {
        self.language = Some(language::template_language(code)?.code.to_owned());
        Ok(self)
    }

    /// Restricts the search to templates for this country and templates for no particular country.
    pub fn country(mut self, code: &str) -> Result<Self> {
        self.country = Some(country::country(code)?.code.to_owned());
        Ok(self)
    }

    /// Lists templates for this country first, then templates for no particular country, then templates for other countries. Used
    /// only in the default sort order. An unknown code has no effect, because clients guess the country from the settings of a
    /// device.
    #[must_use]
    pub fn country_first(mut self, code: &str) -> Self {
        self.country_first = country::country(code).ok().map(|country| country.code.to_owned());
        self
    }

    /// Lists templates in this language before all others. Used only in the default sort order. An unknown code has no effect,
    /// because it is the language of an interface, in which there may be no templates.
    #[must_use]
    pub fn language_first(mut self, code: &str) -> Self {
        self.language_first = language::template_language(code).ok().map(|language| language.code.to_owned());
        self
    }

    /// Restricts the search to templates that have any of these categories. `names` has at most fifty category names, separated
    /// by commas, in any interface language.
    pub fn categories(mut self, names: &str) -> Result<Self> {
        if category::split_list(names).nth(MOST_FILTERS).is_some() {
            let error = Error::new(
                ErrorCode::InvalidQuery,
                format!("A list is filtered by at most {MOST_FILTERS} categories."),
            );
            return Err(error.with_fields(["cat"]).with_limit(MOST_FILTERS as u64));
        }
        self.categories = category::split_list(names).map(str::to_owned).collect();
        Ok(self)
    }

    /// Restricts the search to templates that match every word of `text`. A word matches in one of these places:
    ///
    /// - anywhere in the title;
    /// - at the start of a word of the keywords;
    /// - at the start of a word of a category name, in every language, including the names given by admins;
    /// - in the synonyms of the template's kind of document, such as *tenancy* for a lease (`synonyms.txt`).
    ///
    /// # Errors
    /// `invalid_query` if the text is longer than a title may be.
    pub fn title(mut self, text: &str) -> Result<Self> {
        check_title_length(text)?;
        self.title = SearchTerms::new(text);
        Ok(self)
    }

    /// Sets the page of results to return. `page` starts at 1, which is the default. `limit` is the number of results on a page,
    /// from 1 to 100; the default is [`DEFAULT_LIMIT`].
    pub fn page(mut self, page: Option<u32>, limit: Option<u32>) -> Result<Self> {
        self.page = Page::new(page, limit)?;
        Ok(self)
    }

    /// Returns all matching rows, newest first.
    fn matching_rows<'a>(&self, rows: &'a TemplateRows) -> impl DoubleEndedIterator<Item = &'a TemplateRow> + use<'a> {
        let status = match self.status {
            StatusFilter::Active => Some(TemplateStatus::Active),
            StatusFilter::Inactive => Some(TemplateStatus::Inactive),
            StatusFilter::All => None,
        };
        let language = self.language.as_ref().map(|code| rows.language_number(code));
        let country = self.country.as_ref().map(|code| rows::country_code(code));
        let categories = (!self.categories.is_empty()).then(|| rows.lists_with_any(&self.categories));
        let needles = self.title.resolve(rows);
        // If a word occurs in no template, the search has no results, and no row has to be checked.
        let all = (!needles.match_nothing()).then(|| rows.newest_first());
        all.into_iter().flatten().filter(move |row| {
            let carries = |lists: &Vec<bool>| lists.get(row.categories as usize).copied().unwrap_or(false);
            status.is_none_or(|status| row.status == status)
                && language.is_none_or(|language| row.language == language)
                && country.is_none_or(|country| row.is_for(country))
                && categories.as_ref().is_none_or(carries)
                && needles.match_row(row, rows)
        })
    }

    /// Returns one page of the matching templates, and the total number of matching templates. In the default order, templates in
    /// the user's language come first (see [`Search::language_first`]), then templates with all words in their titles, then templates
    /// for the user's country (see [`Search::country_first`]), and then the newest ones. The other orders depend on nothing else.
    pub fn results(&self, rows: &TemplateRows) -> TemplatePage {
        let found = self.matching_rows(rows);
        let (page, total) = match self.sort {
            Sort::Newest if self.title.is_empty() && self.country_first.is_none() && self.language_first.is_none() => {
                self.page.page_and_total(found)
            }
            Sort::Newest => {
                let needles = (!self.title.is_empty()).then(|| self.title.resolve(rows));
                let country = self.country_first.as_ref().map(|code| rows::country_code(code));
                let language = self.language_first.as_ref().map(|code| rows.language_number(code));
                self.page.sorted_page_and_total(found, |row| {
                    let other_language = language.is_some_and(|language| row.language != language);
                    let words_elsewhere = needles.as_ref().is_some_and(|needles| !needles.match_title(row, rows));
                    let distance = country.map_or(0, |country| row.distance_from(country));
                    u64::from(other_language) * 8 + u64::from(words_elsewhere) * 4 + distance
                })
            }
            Sort::Oldest => self.page.page_and_total(found.rev()),
            // Templates with equal uses stay in the order newest first.
            Sort::MostUsed => self.page.sorted_page_and_total(found, |row| u64::MAX - row.uses()),
            Sort::LeastUsed => self.page.sorted_page_and_total(found, TemplateRow::uses),
        };
        TemplatePage { page: page.into_iter().map(|row| (rows.template(row), row.uses())).collect(), total }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplatePage {
    /// The templates on the page, each with its number of uses.
    pub page: Vec<(ListedTemplate, u64)>,
    pub total: u64,
}
