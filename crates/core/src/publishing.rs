//! Publishing: an uploaded file becomes a template of the catalogue.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use waraq_rules::derivation::Derivation;
use waraq_rules::field_settings::{FieldSettings, ShownFieldSettings, TemplateFieldSettings};
pub use waraq_rules::{Diagnostic, DiagnosticCode, Severity};
use waraq_rules::{PictureSizes, Structure};

use crate::audit_log::{AuditEvent, TemplateChange};
pub use crate::catalogue::Published;
use crate::catalogue::{PublishKey, Templates};
use crate::category::Categories;
use crate::clock::new_id;
use crate::files::{self, Files, content_hash};
use crate::one_line::{LineError, one_line};
use crate::private_templates::{PrivateOwner, new_private_id};
use crate::saved::NamedValues;
use crate::template::{LONGEST_TITLE, Picture, Template, TemplateStatus, checked_title};
use crate::{Clock, Error, ErrorCode, RandomSource, Result, country, field_settings, keyword, language};

/// Maximum size in bytes of a template's file.
pub const LARGEST_FILE_BYTES: usize = 20_000_000;

/// Maximum size in bytes of a file in a form. The request contains the file in base64 and must not exceed Lambda's limit of 6 MB.
/// See [`crate::direct_uploads`] for larger files.
pub const LARGEST_IN_FORM_BYTES: usize = 4_000_000;

/// The result of checking and rendering an uploaded file.
#[derive(Debug, Clone, Default)]
pub struct TemplateCheck {
    /// All diagnostics of the file. If one of them is an error, the other fields may be empty.
    pub findings: Vec<Diagnostic>,
    /// The field names in reading order, without duplicates.
    pub fields: Vec<String>,
    /// The fields with their types, in the order of `fields`, as the document suggests them.
    pub structure: Structure,
    /// The detected field settings.
    pub detected: Vec<FieldSettings>,
    /// The PDF of the template without values.
    pub pdf: Vec<u8>,
    pub pages: u32,
    /// A picture of the first page with sample values, for high-density screens. `None` if the file could not be rendered.
    pub first_page: Option<FirstPage>,
    /// The picture of the first page with sample values, for screens of normal density. `None` if the file could not be rendered.
    pub small_first_page: Option<FirstPage>,
}

/// The preview of a template before it is published: its diagnostics and its pages.
#[derive(Debug, Clone)]
pub struct TemplatePreview {
    pub findings: Vec<Diagnostic>,
    /// The field names in reading order, without duplicates.
    pub fields: Vec<String>,
    /// The fields with their types, in the order of `fields`.
    pub structure: Structure,
    /// The detected field settings.
    pub detected: Vec<FieldSettings>,
    /// Derivations that fit the names of fields and columns, each with the path of the derived field, such as `items[].total`.
    pub suggestions: Vec<(String, Derivation)>,
    /// The language of most of the text (BCP 47), if the file specifies one.
    pub language: Option<String>,
    /// The text of the first heading, if there is one.
    pub heading: Option<String>,
    pub pdf: Vec<u8>,
    pub pages: u32,
}

impl TemplatePreview {
    /// Returns the field settings that the upload form shows before the admin overrides any of the settings.
    pub fn field_settings(&self) -> Vec<ShownFieldSettings> {
        TemplateFieldSettings { overridden: Vec::new(), detected: self.detected.clone() }.for_structure(&self.structure)
    }
}

/// The fields of a template with the types that an admin declares.
#[derive(Debug, Clone, Default)]
pub struct DeclaredFields {
    pub structure: Structure,
    /// The detected settings of these fields and their columns.
    pub detected: Vec<FieldSettings>,
}

/// A picture of the first page.
#[derive(Debug, Clone)]
pub struct FirstPage {
    /// The bytes of a PNG or WebP file.
    pub bytes: Vec<u8>,
    /// The width in pixels.
    pub width: u32,
    pub height: u32,
}

/// Options for laying out and rendering a document.
#[derive(Debug, Clone)]
pub struct LayoutOptions {
    /// The title of the PDF.
    pub title: String,
    /// The language of the PDF (BCP 47).
    pub language: String,
    /// The country of the template (ISO 3166), for the dates and numbers of Word fields. `None` if the template is not specific
    /// to a country.
    pub country: Option<String>,
    /// If true, an empty field prints nothing instead of a dotted line.
    pub blank: bool,
    /// If true, a picture of the first page is also rendered.
    pub first_page: bool,
    /// The fields with their types. Used only to fill a template.
    pub structure: Structure,
    /// The maximum sizes of pictures. Used only to fill a template.
    pub picture_sizes: PictureSizes,
    /// The time that Word fields such as DATE show.
    pub now: crate::Timestamp,
}

/// The rendered files of a filled document.
#[derive(Debug, Clone)]
pub struct FilledFiles {
    pub docx: Vec<u8>,
    pub pdf: Vec<u8>,
    pub pages: u32,
    pub first_page: Option<FirstPage>,
    pub warnings: Vec<Diagnostic>,
}

/// The engine that renders documents. The same input always gives the same output, byte for byte.
#[async_trait]
pub trait RenderEngine: Send + Sync {
    /// Checks a .docx file and renders it without values. The pictures of the first page show a sample value for each field, of
    /// the type in `declared` or the type that the document suggests.
    ///
    /// # Errors
    /// An error of kind [`crate::ErrorKind::Refused`] with the engine's code if the file cannot be opened.
    async fn check_template(
        &self,
        docx: Arc<Vec<u8>>,
        declared: &[FieldSettings],
        options: &LayoutOptions,
    ) -> Result<TemplateCheck>;

    /// Returns the fields of a template with the types in `declared`, the settings that an admin has entered. The document suggests the
    /// types of the other fields.
    async fn declared_fields(
        &self,
        docx: Arc<Vec<u8>>,
        declared: &[FieldSettings],
        options: &LayoutOptions,
    ) -> Result<DeclaredFields>;

    /// Checks a .docx file and renders a preview, even if the file has errors. The types in `declared`, the settings that an admin has
    /// entered, override those that the document suggests. If `values` is given, the fields are filled. If the language in `options` is
    /// empty, the language of most of the text is used.
    async fn preview(
        &self,
        docx: Arc<Vec<u8>>,
        declared: &[FieldSettings],
        values: Option<NamedValues>,
        options: &LayoutOptions,
    ) -> Result<TemplatePreview>;

    /// Fills the template stored under `key` in `files`. The bytes under a key never change. `pages` is the number of pages of the
    /// template without values; the engine estimates the cost of rendering from this number. `values` has a value for every field.
    async fn fill(
        &self,
        files: &dyn Files,
        key: &str,
        pages: u32,
        values: NamedValues,
        options: &LayoutOptions,
    ) -> Result<FilledFiles>;
}

/// A template file and its properties, as uploaded by an admin. For an empty text, the default value is used.
#[derive(Debug, Clone, Default)]
pub struct Upload {
    pub title: String,
    /// Category names separated by commas. If empty, the category is `general`.
    pub categories: String,
    /// Keywords separated by commas.
    pub keywords: String,
    /// A language code. If empty, the language is `en`.
    pub language: String,
    /// A country code. If empty, the template is for no particular country.
    pub country: String,
    /// The field settings that the admin has entered. They override the detected ones.
    pub help: Vec<FieldSettings>,
    pub docx: Vec<u8>,
}

/// The service that publishes templates. Its fields are its dependencies, such as stores and the clock.
pub struct Publisher<'a> {
    pub templates: &'a dyn Templates,
    pub files: &'a dyn Files,
    pub engine: &'a dyn RenderEngine,
    pub clock: &'a dyn Clock,
    pub random: &'a dyn RandomSource,
    /// The account that owns the templates. `None` for templates of the catalogue.
    pub owner: Option<PrivateOwner<'a>>,
}

/// Checks the form fields of an upload. Returns the template. Values that only the engine knows, such as fields and pages, are
/// still empty.
fn checked_upload(
    upload: &Upload,
    (owner, id): (Option<&str>, String),
    now: crate::Timestamp,
    categories: &Categories,
) -> Result<Template> {
    let no_title = one_line(&upload.title, LONGEST_TITLE) == Err(LineError::Empty);
    let missing: Vec<&str> = [("title", no_title), ("file", upload.docx.is_empty())]
        .iter()
        .filter(|(_, no)| *no)
        .map(|(name, _)| *name)
        .collect();
    if !missing.is_empty() {
        let error = Error::new(ErrorCode::TitleAndFileRequired, "A template needs a title and a file.");
        return Err(error.with_fields(missing));
    }
    let title = checked_title(&upload.title)?;
    checked_file(&upload.docx)?;
    let language = checked_language(&upload.language)?;
    let country = checked_country(&upload.country)?;
    Ok(Template {
        id,
        owner: owner.map(str::to_owned),
        title,
        // Categories belong to the catalogue.
        categories: if owner.is_some() { Vec::new() } else { categories.parse_list(&upload.categories)? },
        keywords: keyword::parse_list(&upload.keywords)?,
        language,
        country,
        fields: Vec::new(),
        stored_structure: Structure::default(),
        status: TemplateStatus::Active,
        version: 1,
        revision: 0,
        files: String::new(),
        pdf: String::new(),
        renamed: BTreeMap::new(),
        pages: 0,
        picture: None,
        small_picture: None,
        file_bytes: upload.docx.len() as u64,
        pdf_bytes: 0,
        created_at: now,
        updated_at: now,
    })
}

/// Checks that the file of a template is not too large.
///
/// # Errors
/// `file_too_large`.
pub fn checked_file(docx: &[u8]) -> Result<()> {
    if docx.len() <= LARGEST_FILE_BYTES {
        Ok(())
    } else {
        Err(file_too_large(LARGEST_FILE_BYTES).with_fields(["file"]))
    }
}

/// Returns the error for a file of more than `most` bytes.
pub fn file_too_large(most: usize) -> Error {
    let message = format!("A template has at most {} MB here.", most / 1_000_000);
    Error::new(ErrorCode::FileTooLarge, message).with_limit(most as u64)
}

/// Returns the language code of a template. If `code` is empty, returns the default language.
///
/// # Errors
/// `unknown_language`.
pub fn checked_language(code: &str) -> Result<String> {
    match code.trim() {
        "" => Ok(language::DEFAULT_TEMPLATE_LANGUAGE.to_owned()),
        code => Ok(language::template_language(code)?.code.to_owned()),
    }
}

/// Returns the country code of a template, or `None` if `code` is empty.
///
/// # Errors
/// `unknown_country`.
pub fn checked_country(code: &str) -> Result<Option<String>> {
    match code.trim() {
        "" => Ok(None),
        code => Ok(Some(country::country(code)?.code.to_owned())),
    }
}

/// Returns a hash of the upload, by which a repeated request is recognized.
fn fingerprint(upload: &Upload) -> String {
    let Upload { title, categories, keywords, language, country, help, docx } = upload;
    let parts =
        [title, categories, keywords, language, country, &serde_json::json!(help).to_string(), &content_hash(docx)];
    content_hash(parts.map(|part| format!("{}:{part}", part.len())).concat().as_bytes())
}

impl Publisher<'_> {
    /// Publishes an upload as a new template. `by` is the id of the account and the Idempotency-Key of the request, or `None` if no
    /// user is signed in. A request that is repeated with the same key gets the template of the first request. If `id` is `None`, the
    /// template gets a new id. Only the first templates of a new installation are published with a fixed id.
    pub async fn publish(
        &self,
        upload: Upload,
        by: Option<(String, Option<String>)>,
        id: Option<String>,
    ) -> Result<Published> {
        let now = self.clock.now();
        let id = id.unwrap_or_else(|| match self.owner {
            Some(_) => new_private_id(self.clock, self.random),
            None => new_id(self.clock, self.random),
        });
        let owner = self.owner.map(|owner| owner.id);
        let mut template = checked_upload(&upload, (owner, id), now, &self.templates.categories().await?)?;
        let (by, key) = by.map_or((None, None), |(who, key)| (Some(who), key));
        let key = by.clone().zip(key).map(|(who, key)| PublishKey { who, key, content_hash: fingerprint(&upload) });
        if let Some(key) = &key
            && let Some(published) = self.templates.published_under(key).await?
        {
            return Ok(published);
        }
        if let Some(owner) = self.owner {
            owner.check_room().await?;
        }
        let docx = Arc::new(upload.docx);
        let mut examined = self.check_and_render(&template, &docx, &upload.help, now).await?;
        self.declare_types(&mut examined, &template, &docx, &upload.help).await?;
        let detected = std::mem::take(&mut examined.detected);
        let help = TemplateFieldSettings {
            overridden: field_settings::checked_settings(upload.help, &examined.structure, &detected)?,
            detected,
        };
        if let Some(owner) = self.owner {
            owner.announce(&template.id, now).await?;
        }
        let findings = self.store_files(&mut template, docx, examined).await?;
        let deed = AuditEvent { by, what: TemplateChange::Published { title: template.title.clone() } };
        self.templates.insert(Published { template, findings }, &help, key.as_ref(), &deed).await
    }

    /// Renders a preview of an upload without storing anything. `help` are the field settings that the admin has entered so far; only
    /// their types and sizes are used. If `values` is given, the fields are filled.
    ///
    /// # Errors
    /// `title_and_file_required`, `file_too_large`, and the errors of the engine and of [`waraq_rules::Values`].
    pub async fn preview(
        &self,
        docx: Vec<u8>,
        title: &str,
        help: Vec<FieldSettings>,
        values: Option<NamedValues>,
        blank: bool,
    ) -> Result<TemplatePreview> {
        if docx.is_empty() {
            let error = Error::new(ErrorCode::TitleAndFileRequired, "There is no file to check.");
            return Err(error.with_fields(["file"]));
        }
        checked_file(&docx)?;
        let help = TemplateFieldSettings { overridden: help, detected: Vec::new() };
        let setting = LayoutOptions {
            title: title.trim().to_owned(),
            language: String::new(),
            country: None,
            blank,
            first_page: false,
            structure: Structure::default(),
            picture_sizes: help.picture_sizes(),
            now: self.clock.now(),
        };
        self.engine.preview(Arc::new(docx), &help.overridden, values, &setting).await
    }

    /// Gives the fields of a checked file the types that `settings` declare.
    pub(crate) async fn declare_types(
        &self,
        examined: &mut TemplateCheck,
        template: &Template,
        docx: &Arc<Vec<u8>>,
        settings: &[FieldSettings],
    ) -> Result<()> {
        if !settings.is_empty() {
            let options = empty_template_options(template, self.clock.now());
            let declared = self.engine.declared_fields(Arc::clone(docx), settings, &options).await?;
            (examined.structure, examined.detected) = (declared.structure, declared.detected);
        }
        Ok(())
    }

    /// Checks a file and renders it without values. `settings` declare types of fields. If the file has errors, returns the error
    /// `template_refused`.
    pub(crate) async fn check_and_render(
        &self,
        template: &Template,
        docx: &Arc<Vec<u8>>,
        settings: &[FieldSettings],
        now: crate::Timestamp,
    ) -> Result<TemplateCheck> {
        let options = empty_template_options(template, now);
        let examined = self.engine.check_template(Arc::clone(docx), settings, &options).await?;
        if examined.findings.iter().any(|finding| finding.severity == Severity::Error) {
            let message = "The template has problems. Fix them in Word and upload it again.";
            let error = Error::new(ErrorCode::TemplateRefused, message);
            return Err(error.with_fields(["file"]).with_findings(examined.findings));
        }
        Ok(examined)
    }

    /// Stores a .docx file, its PDF and its pictures, and sets the values of `template` that only the engine knows. Returns the
    /// warnings of the check.
    pub(crate) async fn store_files(
        &self,
        template: &mut Template,
        docx: Arc<Vec<u8>>,
        examined: TemplateCheck,
    ) -> Result<Vec<Diagnostic>> {
        template.set_structure(examined.structure);
        template.pages = examined.pages;
        template.file_bytes = docx.len() as u64;
        template.pdf_bytes = examined.pdf.len() as u64;
        // Files are written first, so that a row never points to missing files. If writing the row fails, the files stay unused,
        // which does no harm.
        let docx = Arc::unwrap_or_clone(docx);
        self.files.put(&template.docx_key(), DOCX, docx).await?;
        self.files.put(&template.pdf_key(), "application/pdf", examined.pdf).await?;
        template.picture = self.store_picture(template, examined.first_page).await?;
        template.small_picture = self.store_picture(template, examined.small_first_page).await?;
        Ok(examined.findings)
    }

    /// Renders the PDF of a template again after a change of title or language. If the engine refuses the file now (it may have
    /// become stricter), the existing PDF is kept.
    pub(crate) async fn render_again(&self, template: &mut Template, now: crate::Timestamp) -> Result<()> {
        let docx = self.files.get(&template.docx_key()).await?;
        let docx = Arc::new(docx.ok_or_else(|| Error::internal("a template without its file"))?);
        let examined = match self.check_and_render(template, &docx, &[], now).await {
            Ok(examined) => examined,
            Err(error) if error.code == ErrorCode::TemplateRefused => return Ok(()),
            Err(error) => return Err(error),
        };
        template.pdf = new_id(self.clock, self.random);
        template.pdf_bytes = examined.pdf.len() as u64;
        self.files.put(&template.pdf_key(), "application/pdf", examined.pdf).await
    }

    async fn store_picture(&self, template: &Template, page: Option<FirstPage>) -> Result<Option<Picture>> {
        let Some(FirstPage { bytes, width, height }) = page else { return Ok(None) };
        let hash = files::template_picture_name(template, &bytes);
        self.files.put(&files::media_key(&hash), files::picture_type(&bytes), bytes).await?;
        Ok(Some(Picture { hash, width, height }))
    }
}

/// Returns the options for laying out a template without values.
pub(crate) fn empty_template_options(template: &Template, now: crate::Timestamp) -> LayoutOptions {
    LayoutOptions {
        title: template.title.clone(),
        language: template.language.clone(),
        country: template.country.clone(),
        blank: false,
        first_page: true,
        structure: Structure::default(),
        picture_sizes: PictureSizes::default(),
        now,
    }
}

/// The media type of a .docx file.
pub const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
