//! Values make a document of a template, and a use is counted.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use waraq_rules::Values;

use crate::catalogue::Templates;
use crate::files::{self, Files, content_hash};
use crate::publishing::{Filled, Setting, Typesetter};
use crate::template::{Status, Template};
use crate::{Clock, Error, ErrorKind, Result, Timestamp};

/// Fields of a template, and values of a request.
pub const MOST_FIELDS: usize = 2_000;

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

/// Holds values against a template's fields.
///
/// # Errors
/// Those of [`Values::check`]: each names all fields of its kind.
pub fn check_values(template: &Template, values: &[(String, String)]) -> Result<()> {
    let values = Values::from_pairs(values.iter().map(|(name, value)| (name, value)))?;
    Ok(values.check(&template.fields)?)
}
