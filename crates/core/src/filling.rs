//! Values make a document of a template, and a use is counted.

use std::collections::HashSet;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::catalogue::Templates;
use crate::files::{self, Files, content_hash};
use crate::fold::fold;
use crate::publishing::{Filled, Setting, Typesetter};
use crate::template::{Status, Template};
use crate::{Clock, Error, ErrorKind, Result, Timestamp};

/// Fields of a template, and values of a request.
pub const MOST_FIELDS: usize = 2_000;
/// Characters of one value.
pub const LONGEST_VALUE: usize = 10_000;
/// Bytes (UTF-8) of all values together.
pub const LARGEST_VALUES_BYTES: usize = 200_000;

/// What one use is counted for, all in one transaction or not at all.
#[derive(Debug, Clone)]
pub struct Use {
    pub template_id: String,
    /// Whose `downloads` it counts for.
    pub user_id: Option<String>,
    pub at: Timestamp,
    /// The request's own name, and what makes its answer again.
    pub key: Option<(UseKey, Ingredients)>,
}

/// Who asks, and his Idempotency-Key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UseKey {
    pub who: String,
    pub key: String,
}

/// What an answer was made of. The engine makes the same bytes of it again, so the answer itself need not be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ingredients {
    /// Of template, values and switches: the same request has the same.
    pub fingerprint: String,
    pub template_id: String,
    pub version: u32,
    pub title: String,
    pub language: String,
    /// Of the empty template.
    #[serde(default)]
    pub pages: u32,
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counted {
    Now,
    /// Another request of the same key came first; nothing was counted.
    Before(Ingredients),
}

/// Where uses are counted.
#[async_trait]
pub trait Uses: Send + Sync {
    async fn count(&self, counted: &Use) -> Result<Counted>;

    /// What the answer to this key was made of, if there is one.
    async fn counted_under(&self, key: &UseKey, now: Timestamp) -> Result<Option<Ingredients>>;
}

/// What filling reaches.
pub struct Filler<'a> {
    pub templates: &'a dyn Templates,
    pub files: &'a dyn Files,
    pub typesetter: &'a dyn Typesetter,
    pub uses: &'a dyn Uses,
    pub clock: &'a dyn Clock,
}

#[derive(Debug, Clone)]
pub struct Request {
    pub template_id: String,
    /// In the order given.
    pub values: Vec<(String, String)>,
    pub blank: bool,
    pub user_id: Option<String>,
    pub key: Option<UseKey>,
}

impl Request {
    fn fingerprint(&self) -> String {
        let mut text = format!("{}\n{}\n", self.template_id, self.blank);
        let mut values: Vec<&(String, String)> = self.values.iter().collect();
        values.sort();
        for (name, value) in values {
            text.push_str(&format!("{}:{name}{}:{value}", name.len(), value.len()));
        }
        content_hash(text.as_bytes())
    }
}

/// A filled document and what it is called.
#[derive(Debug)]
pub struct Document {
    pub filled: Filled,
    pub title: String,
}

impl Filler<'_> {
    /// Fills a template of the catalogue and counts the use; a request repeated under its key is answered as before and
    /// counts nothing.
    pub async fn fill(&self, request: Request) -> Result<Document> {
        let fingerprint = request.fingerprint();
        if let Some(key) = &request.key
            && let Some(before) = self.uses.counted_under(key, self.clock.now()).await?
        {
            return self.again(request, &fingerprint, before).await;
        }
        let template = self.templates.row(&request.template_id).await?;
        let template = template.filter(|template| template.status == Status::Active).ok_or_else(document_not_found)?;
        check_values(&template, &request.values)?;
        let ingredients = Ingredients {
            fingerprint: fingerprint.clone(),
            template_id: template.id.clone(),
            version: template.version,
            title: template.title,
            language: template.language,
            pages: template.pages,
            at: self.clock.now(),
        };
        let document = self.set(&ingredients, request.values.clone(), request.blank).await?;
        let counted = self
            .uses
            .count(&Use {
                template_id: template.id,
                user_id: request.user_id.clone(),
                at: ingredients.at,
                key: request.key.clone().map(|key| (key, ingredients)),
            })
            .await?;
        match counted {
            Counted::Now => Ok(document),
            Counted::Before(before) => self.again(request, &fingerprint, before).await,
        }
    }

    async fn again(&self, request: Request, fingerprint: &str, before: Ingredients) -> Result<Document> {
        if before.fingerprint != fingerprint {
            return Err(key_reused());
        }
        self.set(&before, request.values, request.blank).await
    }

    async fn set(&self, of: &Ingredients, values: Vec<(String, String)>, blank: bool) -> Result<Document> {
        let setting = Setting { title: of.title.clone(), language: of.language.clone(), blank, now: of.at };
        let key = files::template_key(&of.template_id, of.version);
        let filled = self.typesetter.fill(self.files, &key, of.pages, values, &setting).await?;
        Ok(Document { filled, title: of.title.clone() })
    }
}

pub fn document_not_found() -> Error {
    Error::not_found("document_not_found", "Document not found")
}

/// Refuses more fields or values than a template may have.
pub fn check_count(count: usize) -> Result<()> {
    if count <= MOST_FIELDS {
        return Ok(());
    }
    let message = format!("A template has at most {MOST_FIELDS} fields, and a request as many values.");
    Err(Error::invalid("too_many_fields", message).with_limit(MOST_FIELDS as u64))
}

/// The same key, another request.
pub fn key_reused() -> Error {
    Error::new(ErrorKind::Conflict, "idempotency_key_reused", "This Idempotency-Key belongs to another request.")
}

/// Holds values against a template's fields: every field once, none unknown, none too long, no character XML cannot hold.
pub fn check_values(template: &Template, values: &[(String, String)]) -> Result<()> {
    let total: usize = values.iter().map(|(name, value)| name.len() + value.len()).sum();
    if total > LARGEST_VALUES_BYTES {
        let message = format!("All values together have at most {} kB.", LARGEST_VALUES_BYTES / 1_000);
        return Err(Error::invalid("values_too_long", message).with_limit(LARGEST_VALUES_BYTES as u64));
    }
    let mut given = HashSet::new();
    for (name, value) in values {
        if !template.fields.contains(name) {
            let error = Error::invalid("unknown_field", format!("The template has no field {name:?}."));
            return Err(error.with_fields([name]).with_hint(nearest(name, &template.fields)));
        }
        if !given.insert(name) {
            return Err(Error::invalid("duplicate_field", format!("{name:?} is given twice.")).with_fields([name]));
        }
        if value.chars().count() > LONGEST_VALUE {
            let error = Error::invalid("value_too_long", format!("A value has at most {LONGEST_VALUE} characters."));
            return Err(error.with_fields([name]).with_limit(LONGEST_VALUE as u64));
        }
        if value.chars().any(illegal_in_xml) {
            let message = format!("The value of {name:?} holds a character no document can hold.");
            return Err(Error::invalid("illegal_character", message).with_fields([name]));
        }
    }
    let missing: Vec<&String> = template.fields.iter().filter(|name| !given.contains(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::invalid("missing_fields", "Some fields have no value.").with_fields(missing))
}

/// XML 1.0 §2.2.
fn illegal_in_xml(letter: char) -> bool {
    matches!(letter, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// The real name least far from `name`, unless it is further than half of it.
fn nearest(name: &str, real: &[String]) -> Option<String> {
    let wanted: Vec<char> = fold(name).chars().take(200).collect();
    let distances = real.iter().map(|real| (distance(&wanted, &fold(real).chars().collect::<Vec<_>>()), real));
    let (distance, real) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance * 2 <= wanted.len().max(2)).then(|| real.clone())
}

/// Levenshtein's.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (b, cell) in other.iter().zip(row.iter_mut().skip(1)) {
            let cost = diagonal + usize::from(a != b);
            diagonal = *cell;
            left = cost.min(left + 1).min(diagonal + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name() {
        let real = ["اسم العميل".to_owned(), "Nom du client".to_owned(), "Date".to_owned()];
        assert_eq!(nearest("nom du cliènt", &real).as_deref(), Some("Nom du client"));
        assert_eq!(nearest("Datum", &real).as_deref(), Some("Date"));
        assert_eq!(nearest("أسم العميل", &real).as_deref(), Some("اسم العميل"));
        assert_eq!(nearest("something else", &real), None);
    }
}
