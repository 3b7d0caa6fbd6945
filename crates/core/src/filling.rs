//! Rendering of filled documents, and counting of their uses.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use waraq_rules::derivation::{self, Derivations, Derived, Unsaid};
use waraq_rules::{Values, name};

use crate::files::content_hash;
use crate::publishing::{Filled, Setting, Typesetter};
use crate::saved::{Library, NamedValues, Save, SavedDocument, Wish};
use crate::template::{Template, document_not_found, docx_key};
use crate::{Error, ErrorCode, Result, Timestamp};

/// The data to write for one rendering. All of it is written in one transaction.
#[derive(Debug, Clone)]
pub struct Use {
    /// The template whose use is counted. `None` if no use is counted.
    pub template_id: Option<String>,
    /// The account whose `downloads` are counted, and which owns the saved document.
    pub user_id: Option<String>,
    pub at: Timestamp,
    /// The document to save, if any.
    pub saved: Option<Save>,
    /// The idempotency key of the request, with the inputs that reproduce its response.
    pub key: Option<(UseKey, Ingredients)>,
}

/// The caller and their Idempotency-Key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UseKey {
    pub who: String,
    pub key: String,
}

/// The inputs of a response. The engine makes the same bytes from the same inputs, so the response itself is not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ingredients {
    /// A hash of template, values and options. A repeated request has the same fingerprint.
    pub fingerprint: String,
    pub template_id: String,
    pub version: u32,
    /// The name of the version's files; see [`Template::files`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub files: String,
    pub title: String,
    pub language: String,
    /// The number of pages of the empty template.
    #[serde(default)]
    pub pages: u32,
    /// The results of the derived fields.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub derived: Derived,
    pub at: Timestamp,
    /// The saved document, if the request saved one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<SavedDocument>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counted {
    Now,
    /// Another request with the same key was first. Nothing was counted.
    Before(Box<Ingredients>),
}

/// The store that counts uses and saves documents.
#[async_trait]
pub trait Uses: Send + Sync {
    /// # Errors
    /// For a document to save: `document_changed`, `document_not_found`, `too_many_documents`.
    async fn count(&self, counted: &Use) -> Result<Counted>;

    /// Returns the inputs of the response that is stored under this key, if there is one.
    async fn counted_under(&self, key: &UseKey, now: Timestamp) -> Result<Option<Ingredients>>;
}

/// The service that fills templates, with the ports it needs.
pub struct Filler<'a> {
    pub library: Library<'a>,
    pub typesetter: &'a dyn Typesetter,
    pub uses: &'a dyn Uses,
}

#[derive(Debug, Clone)]
pub struct Request {
    pub template_id: String,
    /// Names and values, in the order given by the caller.
    pub values: Vec<(String, String)>,
    pub blank: bool,
    pub user_id: Option<String>,
    pub key: Option<UseKey>,
    /// The document to edit, the version to use and the title.
    pub wish: Wish,
}

/// The effect of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Returns the files and counts a use.
    Fill,
    /// Returns the files, counts a use and saves the document.
    FillAndSave,
    /// Saves the document only.
    Save,
}

impl Purpose {
    fn saves(self) -> bool {
        self != Self::Fill
    }

    fn counts(self) -> bool {
        self != Self::Save
    }
}

impl Request {
    /// Returns the fingerprint of a request. The part for saving is added only when it is needed, so that fingerprints from
    /// before documents could be saved are still valid.
    fn fingerprint(&self, purpose: Purpose) -> String {
        let mut text = format!("{}\n{}\n", self.template_id, self.blank);
        let mut values: Vec<&(String, String)> = self.values.iter().collect();
        values.sort();
        for (name, value) in values {
            text.push_str(&format!("{}:{name}{}:{value}", name.len(), value.len()));
        }
        if purpose.saves() || self.wish != Wish::default() {
            text.push_str(&format!("\n{purpose:?} {:?}", self.wish));
        }
        content_hash(text.as_bytes())
    }
}

/// A filled document and its title.
#[derive(Debug)]
pub struct Document {
    pub filled: Filled,
    pub title: String,
    /// The saved document, if the request saved one.
    pub saved: Option<SavedDocument>,
    /// Derived fields that have no value although their inputs are present, with the reasons.
    pub unsaid: Vec<(String, Unsaid)>,
}

/// Returns the derived fields that could not be computed. Fields without any input are left out, because the user has simply
/// not filled them in yet.
fn unsaid(derived: &Derived) -> Vec<(String, Unsaid)> {
    let failed = derived.iter().filter_map(|(field, said)| Some((field.clone(), *said.as_ref().err()?)));
    failed.filter(|(_, why)| *why != Unsaid::Empty).collect()
}

/// Checked values and the computed fields. Each list has every field, in the order of the template's fields.
#[derive(Debug)]
pub struct Checked {
    /// The values as typed. Derived fields that the user did not type are empty.
    pub typed: NamedValues,
    /// The values including the computed fields.
    pub all: NamedValues,
    /// The results of the derived fields that the user did not type.
    pub derived: Derived,
}

impl Filler<'_> {
    /// Fills a template and counts the use. A request repeated under its key gets the same response and counts nothing. With
    /// `save`, the document is also saved, in the same transaction.
    ///
    /// # Errors
    /// The errors of [`Library::basis`], [`check_values`], the typesetter and [`Uses::count`].
    pub async fn fill(&self, request: Request, save: bool) -> Result<Document> {
        let purpose = if save { Purpose::FillAndSave } else { Purpose::Fill };
        match self.make(&request, purpose).await? {
            Made::Now(document) => Ok(*document),
            Made::Before(before) => {
                let values = as_before(request.values, &before.derived);
                let title = before.title.clone();
                let filled = self.set(&before, values, request.blank, false).await?;
                Ok(Document { filled, title, saved: before.saved, unsaid: unsaid(&before.derived) })
            }
        }
    }

    /// Fills a template and saves the document like [`Self::fill`], but returns no files and counts no use.
    pub async fn save(&self, request: Request) -> Result<SavedDocument> {
        let saved = match self.make(&request, Purpose::Save).await? {
            Made::Now(document) => document.saved,
            Made::Before(before) => before.saved,
        };
        saved.ok_or_else(|| Error::internal("a document was not kept"))
    }

    /// Fills a template for a preview. Nothing is counted or saved. Inactive templates can be previewed too.
    ///
    /// # Errors
    /// `document_not_found`, and the errors of [`check_values`] and the typesetter.
    pub async fn rehearse(&self, template_id: &str, values: Vec<(String, String)>, blank: bool) -> Result<Document> {
        let template = self.library.templates.row(template_id).await?.ok_or_else(document_not_found)?;
        let derivations = self.derivations(&template).await?;
        let Checked { all, derived, .. } = check_values(&template, &derivations, &values)?;
        let setting = Setting {
            title: template.title.clone(),
            language: template.language.clone(),
            blank,
            first_page: false,
            now: self.library.clock.now(),
        };
        let key = template.docx_key();
        let filled = self.typesetter.fill(self.library.files, &key, template.pages, all, &setting).await?;
        Ok(Document { filled, title: template.title, saved: None, unsaid: unsaid(&derived) })
    }

    /// Returns the derivations of a template's version: how fields are computed from other fields.
    async fn derivations(&self, template: &Template) -> Result<Derivations> {
        let help = self.library.templates.help(&template.id, template.version).await?;
        let mut derivations = help.map(|help| help.derivations()).unwrap_or_default();
        derivations.retain(|field, _| template.fields.contains(field));
        Ok(derivations)
    }

    /// Saves a copy of a saved document.
    pub async fn duplicate(
        &self,
        owner: &str,
        template_id: &str,
        (of, title): (&str, Option<&str>),
        key: Option<UseKey>,
    ) -> Result<SavedDocument> {
        let now = self.library.clock.now();
        let fingerprint = content_hash(format!("{template_id}\nDuplicate {of:?} {title:?}").as_bytes());
        if let Some(before) = self.before(key.as_ref(), &fingerprint).await? {
            return before.saved.ok_or_else(key_reused);
        }
        let save = self.library.copy(owner, template_id, of, title).await?;
        let template = &save.document.template;
        let ingredients = Ingredients {
            fingerprint: fingerprint.clone(),
            template_id: template.id.clone(),
            version: template.version,
            // A copied document is never rendered again.
            files: String::new(),
            title: save.document.title.clone(),
            language: template.language.clone(),
            pages: save.document.pages,
            derived: Derived::new(),
            at: now,
            saved: Some(save.document.clone()),
        };
        let document = save.document.clone();
        let writing = Use {
            template_id: None,
            user_id: Some(owner.to_owned()),
            at: now,
            saved: Some(save),
            key: key.map(|key| (key, ingredients)),
        };
        match self.uses.count(&writing).await? {
            Counted::Now => Ok(document),
            Counted::Before(before) => same(*before, &fingerprint)?.saved.ok_or_else(key_reused),
        }
    }

    async fn make(&self, request: &Request, purpose: Purpose) -> Result<Made> {
        let fingerprint = request.fingerprint(purpose);
        if let Some(before) = self.before(request.key.as_ref(), &fingerprint).await? {
            return Ok(Made::Before(Box::new(before)));
        }
        let owner = request.user_id.as_deref();
        if purpose.saves() && owner.is_none() {
            return Err(Error::unauthenticated());
        }
        if purpose.saves() && request.wish.document.is_some() && request.wish.version.is_none() {
            let error = Error::new(ErrorCode::InvalidBody, "The version of the edited document is missing.");
            return Err(error.with_fields(["version"]));
        }
        let basis = match self.library.basis(&request.template_id, owner, &request.wish).await {
            Ok(basis) => basis,
            // The same request may have finished first, and changed the document on which this request is based.
            Err(error) => match self.before(request.key.as_ref(), &fingerprint).await? {
                Some(before) => return Ok(Made::Before(Box::new(before))),
                None => return Err(error),
            },
        };
        let derivations = self.derivations(&basis.template).await?;
        let Checked { typed, all, derived } = check_values(&basis.template, &derivations, &request.values)?;
        let unsaid = unsaid(&derived);
        let mut ingredients = Ingredients {
            fingerprint: fingerprint.clone(),
            template_id: basis.template.id.clone(),
            version: basis.template.version,
            files: basis.template.files.clone(),
            title: basis.title.clone(),
            language: basis.template.language.clone(),
            pages: basis.template.pages,
            derived,
            at: self.library.clock.now(),
            saved: None,
        };
        let filled = self.set(&ingredients, all, request.blank, purpose.saves()).await?;
        let save = match owner.filter(|_| purpose.saves()) {
            Some(owner) => {
                Some(self.library.keep(owner, basis, (typed, request.blank), &filled, ingredients.at).await?)
            }
            None => None,
        };
        let saved = save.as_ref().map(|save| save.document.clone());
        ingredients.saved.clone_from(&saved);
        let title = ingredients.title.clone();
        let writing = Use {
            template_id: purpose.counts().then(|| ingredients.template_id.clone()),
            user_id: request.user_id.clone(),
            at: ingredients.at,
            saved: save,
            key: request.key.clone().map(|key| (key, ingredients)),
        };
        match self.uses.count(&writing).await? {
            Counted::Now => Ok(Made::Now(Box::new(Document { filled, title, saved, unsaid }))),
            Counted::Before(before) => Ok(Made::Before(Box::new(same(*before, &fingerprint)?))),
        }
    }

    /// Returns the inputs of an earlier response to this request, if there is one.
    async fn before(&self, key: Option<&UseKey>, fingerprint: &str) -> Result<Option<Ingredients>> {
        let Some(key) = key else { return Ok(None) };
        let before = self.uses.counted_under(key, self.library.clock.now()).await?;
        before.map(|before| same(before, fingerprint)).transpose()
    }

    async fn set(
        &self,
        of: &Ingredients,
        values: Vec<(String, String)>,
        blank: bool,
        first_page: bool,
    ) -> Result<Filled> {
        let (title, language) = (of.title.clone(), of.language.clone());
        let setting = Setting { title, language, blank, first_page, now: of.at };
        let key = docx_key(&of.template_id, of.version, &of.files);
        self.typesetter.fill(self.library.files, &key, of.pages, values, &setting).await
    }
}

/// The result of a request.
enum Made {
    Now(Box<Document>),
    /// The request was already handled.
    Before(Box<Ingredients>),
}

/// Returns the stored inputs if they belong to the same request.
fn same(before: Ingredients, fingerprint: &str) -> Result<Ingredients> {
    if before.fingerprint == fingerprint { Ok(before) } else { Err(key_reused()) }
}

/// Returns the error for a key that was used for another request.
pub fn key_reused() -> Error {
    Error::new(ErrorCode::IdempotencyKeyReused, "This Idempotency-Key was already used for another request.")
}

/// Returns the values of a repeated request, with the derived fields as they were computed the first time.
fn as_before(mut values: Vec<(String, String)>, derived: &Derived) -> Vec<(String, String)> {
    values.retain(|(name, _)| !derived.contains_key(&name::normalize(name)));
    let said = derived.iter().map(|(name, said)| (name.clone(), said.clone().unwrap_or_default()));
    values.extend(said);
    values
}

/// Checks values against a template's fields, and computes the derived fields that the user did not type. Those may be missing
/// in `values`.
///
/// # Errors
/// The errors of [`Values::check`]. Each of them lists all fields concerned.
pub fn check_values(template: &Template, derivations: &Derivations, values: &[(String, String)]) -> Result<Checked> {
    let mut values = Values::from_pairs(values.iter().map(|(name, value)| (name, value)))?;
    let in_order = |values: &Values| -> NamedValues {
        let value = |name: &String| values.get(name).unwrap_or_default().to_owned();
        template.fields.iter().map(|name| (name.clone(), value(name))).collect()
    };
    let typed = in_order(&values);
    let setting = derivation::Setting { language: &template.language, country: template.country.as_deref() };
    let derived = derivation::fill_in(&mut values, derivations, &setting);
    values.check(&template.fields)?;
    Ok(Checked { typed, all: in_order(&values), derived })
}
