//! Finding templates: filters, words, sorts, pages over the rows a warm process keeps in memory.

mod instead;
mod synonyms;
mod wanted;
mod words;

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;

use crate::category::Categories;
use crate::fold::fold;
use crate::history::Deed;
use crate::template::{LONGEST_TITLE, Status, Template};
use crate::{Error, ErrorCode, Result, category, country, language};
pub use instead::Instead;
use synonyms::Meanings;
use wanted::{Wanted, Word};
use waraq_rules::Finding;

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

    /// What admins have made of categories, as of now.
    async fn categories(&self) -> Result<Categories>;

    /// Keeps it, on the condition that what is kept is of the revision before; false if it is not.
    async fn keep_categories(&self, categories: &Categories) -> Result<bool>;

    /// Keeps a new template: its row, its version, and, where a key is given, that this key's answer is this template; all
    /// of it or nothing. Answers what now is this key's answer: the given template, or an earlier one. A template of that
    /// id that is there already is `template_exists`.
    async fn add(&self, published: Published, key: Option<&PublishKey>, deed: &Deed) -> Result<Published>;

    /// Writes a template anew, with its version where that is new, on the condition that it is of `before`'s revision; all of it or
    /// nothing. Answers what now is the key's answer, as [`Self::add`] does.
    ///
    /// # Errors
    /// `template_changed` where it is of another revision.
    async fn change(
        &self,
        before: &Template,
        published: Published,
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

/// A template with what searching it needs.
#[derive(Debug, Clone)]
pub struct Row {
    pub template: Template,
    folded_title: String,
    folded_categories: Vec<String>,
    /// The words of its keywords, and of its categories in every language; folded, without articles.
    words: Vec<String>,
    /// What its title and its keywords say it is.
    meanings: Meanings,
}

impl Row {
    pub fn new(template: Template) -> Self {
        let folded_title = fold(&template.title);
        let folded_categories = template.categories.iter().map(|name| fold(name)).collect();
        let keywords = template.keywords.iter().map(String::as_str);
        let categories = template.categories.iter().flat_map(|name| category::names_of(name));
        let words = keywords.chain(categories).flat_map(words::words);
        let words = words.map(|word| words::without_article(&word).to_owned()).collect();
        let titled = synonyms::of_text(&template.title, Some(&template.language));
        let meanings = template.keywords.iter().fold(titled, |all, keyword| all.with(synonyms::of_text(keyword, None)));
        Self { template, folded_title, folded_categories, words, meanings }
    }
}

/// The catalogue in memory. Rows are shared between one version of it and the next.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Newest first; equal times by id.
    by_age: Vec<Arc<Row>>,
    /// By template; shared between one version and the next.
    uses: Arc<HashMap<String, u64>>,
}

impl Rows {
    pub fn new(templates: impl IntoIterator<Item = Template>) -> Self {
        let mut by_age: Vec<Arc<Row>> = templates.into_iter().map(|template| Arc::new(Row::new(template))).collect();
        by_age.sort_by(|one, other| newest_first(&one.template, &other.template));
        Self { by_age, uses: Arc::default() }
    }

    /// Takes over rows that were written, and takes away those that are gone.
    pub fn take(&mut self, written: Vec<Template>, gone: &[String]) {
        let leaving: HashSet<&str> =
            written.iter().map(|template| template.id.as_str()).chain(gone.iter().map(String::as_str)).collect();
        self.by_age.retain(|row| !leaving.contains(row.template.id.as_str()));
        self.by_age.extend(written.into_iter().map(|template| Arc::new(Row::new(template))));
        // Quick, for all but the last few are in order already.
        self.by_age.sort_by(|one, other| newest_first(&one.template, &other.template));
    }

    pub fn set_uses(&mut self, uses: HashMap<String, u64>) {
        self.uses = Arc::new(uses);
    }

    pub fn uses(&self, id: &str) -> u64 {
        self.uses.get(id).copied().unwrap_or(0)
    }

    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        self.by_age.iter().map(|row| &row.template)
    }
}

fn newest_first(one: &Template, other: &Template) -> Ordering {
    other.created_at.cmp(&one.created_at).then_with(|| other.id.cmp(&one.id))
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
    pub fn categories(mut self, names: &str, record: &Categories) -> Result<Self> {
        if category::pieces(names).nth(MOST_FILTERS).is_some() {
            let error = Error::new(
                ErrorCode::InvalidQuery,
                format!("A list is filtered by at most {MOST_FILTERS} categories."),
            );
            return Err(error.with_fields(["cat"]).with_limit(MOST_FILTERS as u64));
        }
        let canonical: Vec<String> = category::pieces(names).map(|name| record.canonical(name)).collect();
        self.categories = canonical.iter().flat_map(|name| record.all_of(name)).map(fold).collect();
        Ok(self)
    }

    /// Templates that every word of `text` finds: in their title, wherever, or at the start of a word of their keywords or categories
    /// (these in every language), or because it means what they are (`synonyms.txt`). The text is no longer than a title.
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

    fn finds(&self, row: &Row) -> bool {
        let template = &row.template;
        let status = match self.status {
            StatusFilter::Active => template.status == Status::Active,
            StatusFilter::Inactive => template.status == Status::Inactive,
            StatusFilter::All => true,
        };
        status
            && self.language.as_ref().is_none_or(|code| *code == template.language)
            && self.country.as_ref().is_none_or(|code| template.country.as_ref().is_none_or(|own| own == code))
            && (self.categories.is_empty() || row.folded_categories.iter().any(|name| self.categories.contains(name)))
            && self.title.is_of(row)
    }

    /// One page of what is found, and how many are found in all. In the order nobody chose, the newest first, those come before that have
    /// all words in their title; an order somebody chose is kept as it is.
    pub fn run(&self, rows: &Rows) -> Found {
        let mut found: Vec<&Arc<Row>> = rows.by_age.iter().filter(|row| self.finds(row)).collect();
        match self.sort {
            // Stable, as below: among them the newest stay first.
            Sort::Newest if !self.title.is_empty() => found.sort_by_cached_key(|row| !self.title.is_titled(row)),
            Sort::Newest => {}
            Sort::Oldest => found.reverse(),
            // Stable: equally used ones stay newest first.
            Sort::MostUsed => found.sort_by_cached_key(|row| std::cmp::Reverse(rows.uses(&row.template.id))),
            Sort::LeastUsed => found.sort_by_cached_key(|row| rows.uses(&row.template.id)),
        }
        let total = found.len() as u64;
        let page = self.page.of(found).into_iter();
        Found { page: page.map(|row| (row.template.clone(), rows.uses(&row.template.id))).collect(), total }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// With how often each was used.
    pub page: Vec<(Template, u64)>,
    pub total: u64,
}
