//! Rendering of filled documents, and counting of their uses.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use waraq_rules::derivation::{self, Derivations, DerivedValues, NoValueReason};
use waraq_rules::field_settings::TemplateFieldSettings;
use waraq_rules::{FieldType, PictureSizes, Row, Structure, StructuredField, Value, Values};

use crate::files::content_hash;
use crate::publishing::{FilledFiles, LayoutOptions, RenderEngine};
use crate::saved::{
    DocumentOptions, DocumentWrite, NamedValues, SavedDocument, SavedDocumentService, check_pictures, empty_value,
};
use crate::template::{Template, document_not_found, docx_key};
use crate::{Error, ErrorCode, Result, Timestamp};

/// The data of one use of a template. It is written in one transaction after the document was rendered.
#[derive(Debug, Clone)]
pub struct Use {
    /// The template whose use is counted: of the catalogue, or a private one of the account. `None` if no use is counted.
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
    /// The account that owns the template, if it is a private one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_owner: Option<String>,
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
    /// The maximum sizes of pictures in the text.
    #[serde(default, skip_serializing_if = "PictureSizes::is_empty")]
    pub picture_sizes: PictureSizes,
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
    pub values: NamedValues,
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
    /// request uses them, and texts are hashed as they were before there were other values. Therefore hashes that were stored at that
    /// time are still valid. A boolean has the same hash as its text, because clients may send either.
    fn fingerprint(&self, purpose: Purpose) -> String {
        let mut text = format!("{}\n{}\n", self.template_id, self.blank);
        let mut values: Vec<(&str, String)> =
            self.values.iter().map(|(name, value)| (&**name, hashed(value))).collect();
        values.sort();
        for (name, value) in values {
            text.push_str(&format!("{}:{name}{value}", name.len()));
        }
        if purpose.saves() || self.options != DocumentOptions::default() {
            text.push_str(&serde_json::json!([purpose, self.options]).to_string());
        }
        content_hash(text.as_bytes())
    }
}

/// Returns the text by which a value is part of the hash of a request.
fn hashed(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{}:{text}", text.len()),
        Value::YesNo(yes) => hashed(&Value::Text(yes.to_string())),
        Value::Picture(picture) => {
            format!("P{}:{}{}", picture.alternative_text.len(), picture.alternative_text, content_hash(&picture.bytes))
        }
        Value::List(rows) => {
            let cell = |(name, value): (&String, &Value)| format!("{}:{name}{}", name.len(), hashed(value));
            let row = |row: &Row| format!("R{}:{}", row.len(), row.iter().map(cell).collect::<String>());
            format!("L{}:{}", rows.len(), rows.iter().map(row).collect::<String>())
        }
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
                let version = (before.template_id.as_str(), before.version);
                let known = self.library.templates.versions(&[version]).await?.into_iter().flatten().next();
                let structure = known.ok_or_else(document_not_found)?.structure();
                let values = with_derived_values(request.values, &before.derived, &structure)?;
                let title = before.title.clone();
                let filled = self.render(&before, (values, structure), request.blank, false).await?;
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
    pub async fn preview(&self, template_id: &str, values: NamedValues, blank: bool) -> Result<FilledDocument> {
        let template =
            self.library.templates.template_without_uses(template_id).await?.ok_or_else(document_not_found)?;
        let settings = self.settings(&template).await?;
        let derivations = settings.derivations_in(&template.structure());
        let CheckedValues { all, derived, .. } = check_values(&template, &derivations, &values)?;
        let setting = LayoutOptions {
            title: template.title.clone(),
            language: template.language.clone(),
            country: template.country.clone(),
            blank,
            first_page: false,
            structure: template.structure(),
            picture_sizes: settings.picture_sizes(),
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

    /// Returns the field settings of a template version. Old templates have none.
    async fn settings(&self, template: &Template) -> Result<TemplateFieldSettings> {
        Ok(self.library.templates.field_settings(&template.id, template.version).await?.unwrap_or_default())
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
            template_owner: None,
            version: template.version,
            // A copied document is never rendered again, so its template files are not needed.
            files: String::new(),
            title: save.document.title.clone(),
            language: template.language.clone(),
            country: template.country.clone(),
            pages: save.document.pages,
            derived: DerivedValues::new(),
            picture_sizes: PictureSizes::default(),
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
        let settings = self.settings(&basis.template).await?;
        let derivations = settings.derivations_in(&basis.template.structure());
        let CheckedValues { typed, all, derived } = check_values(&basis.template, &derivations, &request.values)?;
        let unsaid = failed_derivations(&derived);
        let mut ingredients = ResponseInputs {
            fingerprint: fingerprint.clone(),
            template_id: basis.template.id.clone(),
            template_owner: basis.template.owner.clone(),
            version: basis.template.version,
            files: basis.template.files.clone(),
            title: basis.title.clone(),
            language: basis.template.language.clone(),
            country: basis.template.country.clone(),
            pages: basis.template.pages,
            derived,
            picture_sizes: settings.picture_sizes(),
            at: self.library.clock.now(),
            saved: None,
        };
        let values = (all, basis.template.structure());
        let filled = self.render(&ingredients, values, request.blank, purpose.saves()).await?;
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
        (values, structure): (NamedValues, Structure),
        blank: bool,
        first_page: bool,
    ) -> Result<FilledFiles> {
        let (title, language, country) = (of.title.clone(), of.language.clone(), of.country.clone());
        let picture_sizes = of.picture_sizes.clone();
        let setting =
            LayoutOptions { title, language, country, blank, first_page, structure, picture_sizes, now: of.at };
        let key = docx_key((of.template_owner.as_deref(), &of.template_id), of.version, &of.files);
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
///
/// # Errors
/// `duplicate_field`.
fn with_derived_values(values: NamedValues, derived: &DerivedValues, structure: &Structure) -> Result<NamedValues> {
    let mut values = Values::from_pairs(values)?;
    values.convert_to(structure);
    let mut values: Row = values.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    for (path, said) in derived {
        set_derived(&mut values, path, said.as_deref().unwrap_or_default());
    }
    complete(&mut values, &structure.0);
    Ok(in_order(&mut values, structure))
}

/// Sets the text of a derived field. `path` is the name of a field, or a column with its list and its row, counted from 0:
/// `items[3].total`. A row that does not exist is ignored.
fn set_derived(row: &mut Row, path: &str, text: &str) {
    let Some((list, rest)) = path.split_once('[') else {
        row.insert(path.to_owned(), Value::Text(text.to_owned()));
        return;
    };
    let Some((number, column)) = rest.split_once("].") else { return };
    let (Some(Value::List(rows)), Ok(number)) = (row.get_mut(list), number.parse::<usize>()) else { return };
    if let Some(row) = rows.get_mut(number) {
        set_derived(row, column, text);
    }
}

/// Adds an empty value for each field and each column without a value.
fn complete(row: &mut Row, fields: &[StructuredField]) {
    for field in fields {
        let value = row.entry(field.name.clone()).or_insert_with(|| empty_value(field.field_type));
        if let (FieldType::List, Value::List(rows)) = (field.field_type, value) {
            rows.iter_mut().for_each(|row| complete(row, &field.columns));
        }
    }
}

/// Returns the values of all fields in the order of the template.
fn in_order(values: &mut Row, structure: &Structure) -> NamedValues {
    let mut value = |name: &str| values.remove(name).unwrap_or_else(|| Value::Text(String::new()));
    structure.names().map(|name| (name.to_owned(), value(name))).collect()
}

/// Checks values against the fields of a template, and computes the derived fields that the user did not type. `values` need not
/// contain derived fields. Values that older clients send as texts are converted to the types of their fields.
///
/// # Errors
/// The errors of [`Values::check_structure`] and [`check_pictures`]. Each error lists all fields that it concerns.
pub fn check_values(
    template: &Template,
    derivations: &Derivations,
    values: &[(String, Value)],
) -> Result<CheckedValues> {
    check_pictures(values)?;
    let structure = template.structure();
    let mut values = Values::from_pairs(values.iter().map(|(name, value)| (name, value.clone())))?;
    values.convert_to(&structure);
    let completed = |values: &Values| -> NamedValues {
        let mut row: Row = values.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
        complete(&mut row, &structure.0);
        in_order(&mut row, &structure)
    };
    let typed = values.clone();
    let setting = derivation::TemplateLocale { language: &template.language, country: template.country.as_deref() };
    let derived = derivation::fill_derived_values(&mut values, derivations, &setting);
    values.check_structure(&structure)?;
    // The typed values lack only derived fields and columns.
    Ok(CheckedValues { typed: completed(&typed), all: completed(&values), derived })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(json: &str) -> NamedValues {
        let values = Values::from_json(json.as_bytes()).unwrap();
        values.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect()
    }

    fn fingerprint(values: NamedValues) -> String {
        let request = FillingRequest {
            template_id: "one".into(),
            values,
            blank: false,
            user_id: None,
            key: None,
            options: DocumentOptions::default(),
        };
        request.fingerprint(Purpose::Fill)
    }

    #[test]
    fn requests_with_other_values_have_another_hash() {
        let same = fingerprint(values(r#"{"b": "2", "a": "1"}"#));
        assert_eq!(same, content_hash(b"one\nfalse\n1:a1:11:b1:2"), "the hash of stored records");
        let mut reversed = values(r#"{"a": "1", "b": "2"}"#);
        reversed.reverse();
        assert_eq!(fingerprint(reversed), same);
        assert_eq!(fingerprint(values(r#"{"a": true}"#)), fingerprint(values(r#"{"a": "true"}"#)));
        let png = r#"{"image": "data:image/png;base64,iVBORw0KGgo="}"#;
        let all = [
            r#"{"a": ""}"#,
            r#"{"a": []}"#,
            r#"{"a": [{}]}"#,
            r#"{"a": [{}, {}]}"#,
            r#"{"a": [{"b": "1"}]}"#,
            r#"{"a": [{"b": "1"}, {}]}"#,
            r#"{"a": [{"b": "1", "c": ""}]}"#,
            r#"{"a": [{"b": [{"c": ""}]}]}"#,
            r#"{"a": [{"b": "2"}]}"#,
            &format!(r#"{{"a": {png}}}"#),
            &format!(r#"{{"a": {}, "alternativeText": "x"}}}}"#, png.trim_end_matches('}')),
            &format!(r#"{{"a": [{{"b": {png}}}]}}"#),
        ];
        let hashes: std::collections::BTreeSet<String> = all.iter().map(|json| fingerprint(values(json))).collect();
        assert_eq!(hashes.len(), all.len());
    }

    #[test]
    fn derived_columns_of_a_repeated_request_are_those_of_the_first() {
        let column = |name: &str, columns| StructuredField {
            name: name.to_owned(),
            field_type: if Vec::is_empty(&columns) { FieldType::Text } else { FieldType::List },
            columns,
        };
        let parts = column("parts", vec![column("total", Vec::new())]);
        let items = column("items", vec![column("price", Vec::new()), column("total", Vec::new()), parts]);
        let structure = Structure(vec![items, column("sum", Vec::new())]);
        let sent = values(r#"{"items": [{"price": "1", "parts": []}, {"price": "2", "parts": [{}]}]}"#);
        let derived = DerivedValues::from([
            ("sum".to_owned(), Ok("3".to_owned())),
            ("items[0].total".to_owned(), Ok("1".to_owned())),
            ("items[1].total".to_owned(), Err(NoValueReason::Empty)),
            ("items[1].parts[0].total".to_owned(), Ok("4".to_owned())),
            ("items[2].total".to_owned(), Ok("5".to_owned())),
        ]);
        let expected = values(
            r#"{"items": [{"price": "1", "total": "1", "parts": []}, {"price": "2", "total": "", "parts": [{"total": "4"}]}], "sum": "3"}"#,
        );
        assert_eq!(with_derived_values(sent, &derived, &structure).unwrap(), expected);
    }
}
