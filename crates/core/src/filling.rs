//! Rendering of filled documents, and counting of their uses.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use waraq_rules::derivation::{self, Derivations, DerivedValues, NoValueReason};
use waraq_rules::{Values, name};

use crate::files::content_hash;
use crate::publishing::{FilledFiles, LayoutOptions, RenderEngine};
use crate::saved::{DocumentOptions, DocumentWrite, NamedValues, SavedDocument, SavedDocumentService};
use crate::template::{Template, document_not_found, docx_key};
use crate::{Error, ErrorCode, Result, Timestamp};

/// The data of one use of a template. It is written in one transaction after the document was rendered.
#[derive(Debug, Clone)]
pub struct Use {
    /// The template whose use is counted. `None` if no use is counted.
    pub template_id: Option<String>,
    /// The account whose `downloads` are increased and which owns the saved document. `None` for a guest.
    pub user_id: Option<String>,
    pub at: Timestamp,
    /// The document to save. `None` if the request does not save one.
    pub saved: Option<DocumentWrite>,
    /// The idempotency key of the request, with the inputs from which its response can be made again. `None` if the request has
    /// no key.
    pub key: Option<(RequestKey, ResponseInputs)>,
}

/// The Idempotency-Key of a request, together with the caller, because different callers may choose the same key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    pub who: String,
    pub key: String,
}

/// The inputs of a response, stored under the idempotency key. The response itself is not stored, because the engine makes the
/// same bytes from the same inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponseInputs {
    /// A hash of the request: template, values and options. A repeated request has the same hash.
    pub fingerprint: String,
    pub template_id: String,
    pub version: u32,
    /// The name that the files of the template version have in their keys; see [`Template::files`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub files: String,
    pub title: String,
    pub language: String,
    /// The country of the template (ISO 3166). `None` if the template is not specific to a country.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The number of pages of the template without values.
    #[serde(default)]
    pub pages: u32,
    /// The value of each derived field, or the reason why it could not be computed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub derived: DerivedValues,
    pub at: Timestamp,
    /// The saved document, if the request saved one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<SavedDocument>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountOutcome {
    Counted,
    /// An earlier request with the same key was already counted, so nothing was written now. Contains the inputs of the earlier
    /// response.
    Repeated(Box<ResponseInputs>),
}

/// The store that counts uses and saves documents.
#[async_trait]
pub trait Uses: Send + Sync {
    /// Writes the data of a use in one transaction: the counters, the saved document and the idempotency record.
    ///
    /// # Errors
    /// If there is a document to save: `document_changed`, `document_not_found`, `too_many_documents`.
    async fn count(&self, counted: &Use) -> Result<CountOutcome>;

    /// Returns the inputs that are stored under this key, or `None` if the key was not used before.
    async fn counted_under(&self, key: &RequestKey, now: Timestamp) -> Result<Option<ResponseInputs>>;
}

/// The service that fills templates. Its fields are its dependencies: saved documents, the engine and the store of uses.
pub struct Filler<'a> {
    pub library: SavedDocumentService<'a>,
    pub engine: &'a dyn RenderEngine,
    pub uses: &'a dyn Uses,
}

#[derive(Debug, Clone)]
pub struct FillingRequest {
    pub template_id: String,
    /// The names of fields with their values, in the order given by the caller.
    pub values: Vec<(String, String)>,
    pub blank: bool,
    pub user_id: Option<String>,
    pub key: Option<RequestKey>,
    /// The saved document to edit, the template version to use and the title.
    pub options: DocumentOptions,
}

/// The effect of a request to fill a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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

impl FillingRequest {
    /// Returns a hash of the request, by which a repeated request is recognized. The saving options are part of the hash only if the
    /// request uses them. Without these options, the hash is therefore the same as before documents could be saved, and hashes that
    /// were stored at that time are still valid.
    fn fingerprint(&self, purpose: Purpose) -> String {
        let mut text = format!("{}\n{}\n", self.template_id, self.blank);
        let mut values: Vec<&(String, String)> = self.values.iter().collect();
        values.sort();
        for (name, value) in values {
            text.push_str(&format!("{}:{name}{}:{value}", name.len(), value.len()));
        }
        if purpose.saves() || self.options != DocumentOptions::default() {
            text.push_str(&serde_json::json!([purpose, self.options]).to_string());
        }
        content_hash(text.as_bytes())
    }
}

/// The result of filling a template: the files, the title and the saved document.
#[derive(Debug)]
pub struct FilledDocument {
    pub filled: FilledFiles,
    pub title: String,
    /// The saved document, if the request saved one.
    pub saved: Option<SavedDocument>,
    /// Derived fields that could not be computed, each with the reason. A derived field whose source fields are all empty is left
    /// out.
    pub failed_derivations: Vec<(String, NoValueReason)>,
}

/// Returns the derived fields that could not be computed. A derived field whose source fields are all empty is left out, because the
/// user has simply not filled in the source fields yet.
fn failed_derivations(derived: &DerivedValues) -> Vec<(String, NoValueReason)> {
    let failed = derived.iter().filter_map(|(field, said)| Some((field.clone(), *said.as_ref().err()?)));
    failed.filter(|(_, why)| *why != NoValueReason::Empty).collect()
}

/// The checked values of a request and the computed values. `typed` and `all` have every field of the template, in the order of
/// the template.
#[derive(Debug)]
pub struct CheckedValues {
    /// The values as typed. Derived fields that the user did not type are empty.
    pub typed: NamedValues,
    /// The values including the computed fields.
    pub all: NamedValues,
    /// For each derived field that the user did not type, its value or the reason why it could not be computed.
    pub derived: DerivedValues,
}

impl Filler<'_> {
    /// Fills a template and counts the use. A request that is repeated with the same key gets the same response and is not counted
    /// again. If `save` is true, the document is also saved, in the same transaction.
    ///
    /// # Errors
    /// The errors of [`SavedDocumentService::resolve`], [`check_values`], the engine and [`Uses::count`].
    pub async fn fill(&self, request: FillingRequest, save: bool) -> Result<FilledDocument> {
        let purpose = if save { Purpose::FillAndSave } else { Purpose::Fill };
        match self.render_once(&request, purpose).await? {
            RenderOutcome::Rendered(document) => Ok(*document),
            RenderOutcome::Repeated(before) => {
                let values = with_derived_values(request.values, &before.derived);
                let title = before.title.clone();
                let filled = self.render(&before, values, request.blank, false).await?;
                Ok(FilledDocument {
                    filled,
                    title,
                    saved: before.saved,
                    failed_derivations: failed_derivations(&before.derived),
                })
            }
        }
    }

    /// Fills a template and saves the document, but returns no files and counts no use. A request that is repeated with the same
    /// key gets the same saved document.
    pub async fn save(&self, request: FillingRequest) -> Result<SavedDocument> {
        let saved = match self.render_once(&request, Purpose::Save).await? {
            RenderOutcome::Rendered(document) => document.saved,
            RenderOutcome::Repeated(before) => before.saved,
        };
        saved.ok_or_else(|| Error::internal("a document was not kept"))
    }

    /// Fills a template for a preview. Nothing is counted or saved. Inactive templates can be previewed too.
    ///
    /// # Errors
    /// `document_not_found`, and the errors of [`check_values`] and of the engine.
    pub async fn preview(
        &self,
        template_id: &str,
        values: Vec<(String, String)>,
        blank: bool,
    ) -> Result<FilledDocument> {
        let template =
            self.library.templates.template_without_uses(template_id).await?.ok_or_else(document_not_found)?;
        let derivations = self.derivations(&template).await?;
        let CheckedValues { all, derived, .. } = check_values(&template, &derivations, &values)?;
        let setting = LayoutOptions {
            title: template.title.clone(),
            language: template.language.clone(),
            country: template.country.clone(),
            blank,
            first_page: false,
            now: self.library.clock.now(),
        };
        let key = template.docx_key();
        let filled = self.engine.fill(self.library.files, &key, template.pages, all, &setting).await?;
        Ok(FilledDocument {
            filled,
            title: template.title,
            saved: None,
            failed_derivations: failed_derivations(&derived),
        })
    }

    /// Returns the rules by which fields of a template version are computed from other fields.
    async fn derivations(&self, template: &Template) -> Result<Derivations> {
        let help = self.library.templates.field_settings(&template.id, template.version).await?;
        let mut derivations = help.map(|help| help.derivations()).unwrap_or_default();
        derivations.retain(|field, _| template.fields.contains(field));
        Ok(derivations)
    }

    /// Saves a copy of the saved document with the id `of` in the same account. `title` is the title of the copy, or `None` for the
    /// title of the original.
    pub async fn duplicate(
        &self,
        owner: &str,
        template_id: &str,
        (of, title): (&str, Option<&str>),
        key: Option<RequestKey>,
    ) -> Result<SavedDocument> {
        let now = self.library.clock.now();
        let fingerprint = content_hash(serde_json::json!(["duplicate", template_id, of, title]).to_string().as_bytes());
        if let Some(before) = self.earlier_response(key.as_ref(), &fingerprint).await? {
            return before.saved.ok_or_else(key_reused);
        }
        let save = self.library.copy(owner, template_id, of, title).await?;
        let template = &save.document.template;
        let ingredients = ResponseInputs {
            fingerprint: fingerprint.clone(),
            template_id: template.id.clone(),
            version: template.version,
            // A copied document is never rendered again, so its template files are not needed.
            files: String::new(),
            title: save.document.title.clone(),
            language: template.language.clone(),
            country: template.country.clone(),
            pages: save.document.pages,
            derived: DerivedValues::new(),
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
            CountOutcome::Counted => Ok(document),
            CountOutcome::Repeated(before) => check_fingerprint(*before, &fingerprint)?.saved.ok_or_else(key_reused),
        }
    }

    async fn render_once(&self, request: &FillingRequest, purpose: Purpose) -> Result<RenderOutcome> {
        let fingerprint = request.fingerprint(purpose);
        if let Some(before) = self.earlier_response(request.key.as_ref(), &fingerprint).await? {
            return Ok(RenderOutcome::Repeated(Box::new(before)));
        }
        let owner = request.user_id.as_deref();
        if purpose.saves() && owner.is_none() {
            return Err(Error::unauthenticated());
        }
        if purpose.saves() && request.options.document.is_some() && request.options.version.is_none() {
            let error = Error::new(ErrorCode::InvalidBody, "The version of the edited document is missing.");
            return Err(error.with_fields(["version"]));
        }
        let basis = match self.library.resolve(&request.template_id, owner, &request.options).await {
            Ok(basis) => basis,
            // An earlier attempt of the same request may have finished first and changed the document that this request edits.
            Err(error) => match self.earlier_response(request.key.as_ref(), &fingerprint).await? {
                Some(before) => return Ok(RenderOutcome::Repeated(Box::new(before))),
                None => return Err(error),
            },
        };
        let derivations = self.derivations(&basis.template).await?;
        let CheckedValues { typed, all, derived } = check_values(&basis.template, &derivations, &request.values)?;
        let unsaid = failed_derivations(&derived);
        let mut ingredients = ResponseInputs {
            fingerprint: fingerprint.clone(),
            template_id: basis.template.id.clone(),
            version: basis.template.version,
            files: basis.template.files.clone(),
            title: basis.title.clone(),
            language: basis.template.language.clone(),
            country: basis.template.country.clone(),
            pages: basis.template.pages,
            derived,
            at: self.library.clock.now(),
            saved: None,
        };
        let filled = self.render(&ingredients, all, request.blank, purpose.saves()).await?;
        let save = match owner.filter(|_| purpose.saves()) {
            Some(owner) => {
                Some(self.library.store(owner, basis, (typed, request.blank), &filled, ingredients.at).await?)
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
            CountOutcome::Counted => Ok(RenderOutcome::Rendered(Box::new(FilledDocument {
                filled,
                title,
                saved,
                failed_derivations: unsaid,
            }))),
            CountOutcome::Repeated(before) => {
                Ok(RenderOutcome::Repeated(Box::new(check_fingerprint(*before, &fingerprint)?)))
            }
        }
    }

    /// Returns the inputs of an earlier response to the same request. Returns `None` if this is the first attempt or the request
    /// has no key.
    async fn earlier_response(&self, key: Option<&RequestKey>, fingerprint: &str) -> Result<Option<ResponseInputs>> {
        let Some(key) = key else { return Ok(None) };
        let before = self.uses.counted_under(key, self.library.clock.now()).await?;
        before.map(|before| check_fingerprint(before, fingerprint)).transpose()
    }

    async fn render(
        &self,
        of: &ResponseInputs,
        values: Vec<(String, String)>,
        blank: bool,
        first_page: bool,
    ) -> Result<FilledFiles> {
        let (title, language, country) = (of.title.clone(), of.language.clone(), of.country.clone());
        let setting = LayoutOptions { title, language, country, blank, first_page, now: of.at };
        let key = docx_key(&of.template_id, of.version, &of.files);
        self.engine.fill(self.library.files, &key, of.pages, values, &setting).await
    }
}

/// The result of a request to fill a template.
enum RenderOutcome {
    Rendered(Box<FilledDocument>),
    /// An earlier attempt of the same request was successful. Contains the inputs of its response.
    Repeated(Box<ResponseInputs>),
}

/// Returns the stored inputs if they belong to the same request, or else the error `idempotency_key_reused`.
fn check_fingerprint(before: ResponseInputs, fingerprint: &str) -> Result<ResponseInputs> {
    if before.fingerprint == fingerprint { Ok(before) } else { Err(key_reused()) }
}

/// Returns the error for an Idempotency-Key that was used for another request.
pub fn key_reused() -> Error {
    Error::new(ErrorCode::IdempotencyKeyReused, "This Idempotency-Key was already used for another request.")
}

/// Returns the values of a repeated request, with the derived fields as they were computed for the first response.
fn with_derived_values(mut values: Vec<(String, String)>, derived: &DerivedValues) -> Vec<(String, String)> {
    values.retain(|(name, _)| !derived.contains_key(&name::normalize(name)));
    let said = derived.iter().map(|(name, said)| (name.clone(), said.clone().unwrap_or_default()));
    values.extend(said);
    values
}

/// Checks values against the fields of a template, and computes the derived fields that the user did not type. `values` need not
/// contain derived fields.
///
/// # Errors
/// The errors of [`Values::check`]. Each error lists all fields that it concerns.
pub fn check_values(
    template: &Template,
    derivations: &Derivations,
    values: &[(String, String)],
) -> Result<CheckedValues> {
    let mut values = Values::from_pairs(values.iter().map(|(name, value)| (name, value)))?;
    let in_order = |values: &Values| -> NamedValues {
        let value = |name: &String| values.get(name).unwrap_or_default().to_owned();
        template.fields.iter().map(|name| (name.clone(), value(name))).collect()
    };
    let typed = in_order(&values);
    let setting = derivation::TemplateLocale { language: &template.language, country: template.country.as_deref() };
    let derived = derivation::fill_derived_values(&mut values, derivations, &setting);
    values.check(&template.fields)?;
    Ok(CheckedValues { typed, all: in_order(&values), derived })
}
