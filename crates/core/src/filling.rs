//! Values make a document of a template, and a use is counted.

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

/// What is written when a document is made, all in one transaction or not at all.
#[derive(Debug, Clone)]
pub struct Use {
    /// The template a use is counted for; `None`: nothing is counted.
    pub template_id: Option<String>,
    /// Whose `downloads` it counts for, and who keeps the document.
    pub user_id: Option<String>,
    pub at: Timestamp,
    /// The document, if it is kept.
    pub saved: Option<Save>,
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
    /// What the version's files are called, see [`Template::files`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub files: String,
    pub title: String,
    pub language: String,
    /// Of the empty template.
    #[serde(default)]
    pub pages: u32,
    /// What its derived fields were made to say.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub derived: Derived,
    pub at: Timestamp,
    /// The document as it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<SavedDocument>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counted {
    Now,
    /// Another request of the same key came first; nothing was counted.
    Before(Box<Ingredients>),
}

/// Where uses are counted.
#[async_trait]
pub trait Uses: Send + Sync {
    /// # Errors
    /// Of a document that is kept: `document_changed`, `document_not_found`, `too_many_documents`.
    async fn count(&self, counted: &Use) -> Result<Counted>;

    /// What the answer to this key was made of, if there is one.
    async fn counted_under(&self, key: &UseKey, now: Timestamp) -> Result<Option<Ingredients>>;
}

/// What filling reaches.
pub struct Filler<'a> {
    pub library: Library<'a>,
    pub typesetter: &'a dyn Typesetter,
    pub uses: &'a dyn Uses,
}

#[derive(Debug, Clone)]
pub struct Request {
    pub template_id: String,
    /// In the order given.
    pub values: Vec<(String, String)>,
    pub blank: bool,
    pub user_id: Option<String>,
    pub key: Option<UseKey>,
    /// What of, and what it is to be called.
    pub wish: Wish,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The files: a use.
    Fill,
    /// The files, and that they are kept.
    FillAndSave,
    /// That they are kept.
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
    /// Fillings of before there were wishes have the same as ever.
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

/// A filled document and what it is called.
#[derive(Debug)]
pub struct Document {
    pub filled: Filled,
    pub title: String,
    /// As it was kept.
    pub saved: Option<SavedDocument>,
    /// Derived fields that say nothing, though what they are made of is there, and why.
    pub unsaid: Vec<(String, Unsaid)>,
}

/// Those that nobody need be told of are left out: nothing was entered.
fn unsaid(derived: &Derived) -> Vec<(String, Unsaid)> {
    let failed = derived.iter().filter_map(|(field, said)| Some((field.clone(), *said.as_ref().err()?)));
    failed.filter(|(_, why)| *why != Unsaid::Empty).collect()
}

/// Values that are good, and what is made of them: every field, in the fields' order.
#[derive(Debug)]
pub struct Checked {
    /// As they were typed; derived ones that nobody typed are empty.
    pub typed: NamedValues,
    /// With what the derived ones say.
    pub all: NamedValues,
    /// What those say that nobody typed.
    pub derived: Derived,
}

impl Filler<'_> {
    /// Fills a template and counts the use; a request repeated under its key is answered as before and counts nothing. With
    /// `save` the document is kept too, in the same transaction.
    ///
    /// # Errors
    /// Those of [`Library::basis`], [`check_values`], the typesetter and [`Uses::count`].
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

    /// Makes a document and keeps it, as [`Self::fill`] does, but hands out no files and counts no use.
    pub async fn save(&self, request: Request) -> Result<SavedDocument> {
        let saved = match self.make(&request, Purpose::Save).await? {
            Made::Now(document) => document.saved,
            Made::Before(before) => before.saved,
        };
        saved.ok_or_else(|| Error::internal("a document was not kept"))
    }

    /// Fills a template so that somebody can look at it: nothing is counted or kept, and one out of the catalogue is filled too.
    ///
    /// # Errors
    /// `document_not_found`; those of [`check_values`] and the typesetter.
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

    /// How fields of a template's version are made of others.
    async fn derivations(&self, template: &Template) -> Result<Derivations> {
        let help = self.library.templates.help(&template.id, template.version).await?;
        let mut derivations = help.map(|help| help.derivations()).unwrap_or_default();
        derivations.retain(|field, _| template.fields.contains(field));
        Ok(derivations)
    }

    /// Keeps a saved document a second time.
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
            // A document that is kept twice is never set anew.
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
            let error = Error::new(ErrorCode::InvalidBody, "An edit says which version it is of.");
            return Err(error.with_fields(["version"]));
        }
        let basis = match self.library.basis(&request.template_id, owner, &request.wish).await {
            Ok(basis) => basis,
            // The same request may have been quicker, and changed what this one is based on.
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

    /// What the answer to this request was made of, if it was made before.
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

/// What became of a request.
enum Made {
    Now(Box<Document>),
    /// It was made before.
    Before(Box<Ingredients>),
}

/// What was made before, if it is of the same request.
fn same(before: Ingredients, fingerprint: &str) -> Result<Ingredients> {
    if before.fingerprint == fingerprint { Ok(before) } else { Err(key_reused()) }
}

/// The same key, another request.
pub fn key_reused() -> Error {
    Error::new(ErrorCode::IdempotencyKeyReused, "This Idempotency-Key belongs to another request.")
}

/// The values of a request that was good before, with what its derived fields said then.
fn as_before(mut values: Vec<(String, String)>, derived: &Derived) -> Vec<(String, String)> {
    values.retain(|(name, _)| !derived.contains_key(&name::normalize(name)));
    let said = derived.iter().map(|(name, said)| (name.clone(), said.clone().unwrap_or_default()));
    values.extend(said);
    values
}

/// Holds values against a template's fields, and makes those of its derived fields that nobody has typed: these need not be given.
///
/// # Errors
/// Those of [`Values::check`]: each names all fields of its kind.
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
