//! An upload becomes a template of the catalogue.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use waraq_rules::help::{FieldHelp, ShownHelp, TemplateHelp};
pub use waraq_rules::{Finding, FindingCode, Severity};

pub use crate::catalogue::Published;
use crate::catalogue::{PublishKey, Templates};
use crate::category::Categories;
use crate::clock::new_id;
use crate::files::{self, Files, content_hash};
use crate::history::{Deed, What};
use crate::one_line::{Fault, one_line};
use crate::template::{LONGEST_TITLE, Picture, Status, Template, checked_title};
use crate::{Chance, Clock, Error, ErrorCode, Result, country, field_help, keyword, language};

/// Bytes of a template's file.
pub const LARGEST_FILE_BYTES: usize = 20_000_000;

/// Bytes of one that comes in a form: what passes Lambda's 6 MB in base64 with its envelope. A larger one is [`crate::incoming`].
pub const LARGEST_IN_FORM_BYTES: usize = 4_000_000;

/// What the engine says of an uploaded file.
#[derive(Debug, Clone, Default)]
pub struct Examined {
    /// Every finding; with an error among them the rest may be empty.
    pub findings: Vec<Finding>,
    /// Names of the fields in reading order, each once.
    pub fields: Vec<String>,
    /// What can be told of them.
    pub guessed: Vec<FieldHelp>,
    /// The empty template.
    pub pdf: Vec<u8>,
    pub pages: u32,
    /// With a sample of what is to be filled in.
    pub first_page: Option<FirstPage>,
    /// The same for screens of usual density.
    pub small_first_page: Option<FirstPage>,
}

/// A template before it is published: what is wrong with it, and what it looks like.
#[derive(Debug, Clone)]
pub struct Rehearsed {
    pub findings: Vec<Finding>,
    /// Names of the fields in reading order, each once.
    pub fields: Vec<String>,
    /// What can be told of them.
    pub guessed: Vec<FieldHelp>,
    /// The language most of its text is in, if the file says (BCP 47).
    pub language: Option<String>,
    pub pdf: Vec<u8>,
    pub pages: u32,
}

impl Rehearsed {
    /// What its form would show of its fields, as long as nobody has said anything of them.
    pub fn help(&self) -> Vec<ShownHelp> {
        TemplateHelp { said: Vec::new(), guessed: self.guessed.clone() }.shown(&self.fields)
    }
}

/// The first page as a picture.
#[derive(Debug, Clone)]
pub struct FirstPage {
    /// PNG or WebP.
    pub bytes: Vec<u8>,
    /// Pixels.
    pub width: u32,
    pub height: u32,
}

/// How a document is to be set.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The PDF's title.
    pub title: String,
    /// The PDF's language (BCP 47).
    pub language: String,
    /// A field left empty prints nothing instead of a dotted line.
    pub blank: bool,
    /// Whether a picture of the first page is wanted too.
    pub first_page: bool,
    /// For fields that tell the date.
    pub now: crate::Timestamp,
}

/// A filled document.
#[derive(Debug, Clone)]
pub struct Filled {
    pub docx: Vec<u8>,
    pub pdf: Vec<u8>,
    pub pages: u32,
    pub first_page: Option<FirstPage>,
    pub warnings: Vec<Finding>,
}

/// The engine. The same input gives the same output, byte for byte.
#[async_trait]
pub trait Typesetter: Send + Sync {
    /// Checks a .docx and sets it empty. A file that cannot be opened is [`crate::ErrorKind::Refused`] with the engine's code.
    async fn examine(&self, docx: Arc<Vec<u8>>, setting: &Setting) -> Result<Examined>;

    /// Checks a .docx and sets it as it would be published, with errors too; with values it is set filled. An empty language: whichever
    /// most of its text is in.
    async fn rehearse(
        &self,
        docx: Arc<Vec<u8>>,
        values: Option<Vec<(String, String)>>,
        setting: &Setting,
    ) -> Result<Rehearsed>;

    /// Fills the template kept under `key` of `files`, whose bytes never change. `pages`: of the empty template, by which the work is
    /// estimated. `values`: every field and its value.
    async fn fill(
        &self,
        files: &dyn Files,
        key: &str,
        pages: u32,
        values: Vec<(String, String)>,
        setting: &Setting,
    ) -> Result<Filled>;
}

/// What an admin hands in. Empty texts mean the defaults.
#[derive(Debug, Clone, Default)]
pub struct Upload {
    pub title: String,
    /// Names joined by commas; none: `general`.
    pub categories: String,
    /// Words and phrases joined by commas, by which it is found besides its title.
    pub keywords: String,
    /// A code; none: `en`.
    pub language: String,
    /// A code; none: of no country.
    pub country: String,
    /// What is said of its fields.
    pub help: Vec<FieldHelp>,
    pub docx: Vec<u8>,
}

/// What publishing reaches.
pub struct Publisher<'a> {
    pub templates: &'a dyn Templates,
    pub files: &'a dyn Files,
    pub typesetter: &'a dyn Typesetter,
    pub clock: &'a dyn Clock,
    pub chance: &'a dyn Chance,
}

/// A row without what only the engine knows.
fn checked(upload: &Upload, id: String, now: crate::Timestamp, categories: &Categories) -> Result<Template> {
    let no_title = one_line(&upload.title, LONGEST_TITLE) == Err(Fault::Empty);
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
        title,
        categories: categories.parse_list(&upload.categories)?,
        keywords: keyword::parse_list(&upload.keywords)?,
        language,
        country,
        fields: Vec::new(),
        status: Status::Active,
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

/// # Errors
/// `file_too_large`.
pub fn checked_file(docx: &[u8]) -> Result<()> {
    if docx.len() <= LARGEST_FILE_BYTES {
        Ok(())
    } else {
        Err(file_too_large(LARGEST_FILE_BYTES).with_fields(["file"]))
    }
}

/// The refusal of a file that has more bytes than this.
pub fn file_too_large(most: usize) -> Error {
    let message = format!("A template has at most {} MB here.", most / 1_000_000);
    Error::new(ErrorCode::FileTooLarge, message).with_limit(most as u64)
}

/// A template's language by its code; the default for none.
///
/// # Errors
/// `unknown_language`.
pub fn checked_language(code: &str) -> Result<String> {
    match code.trim() {
        "" => Ok(language::DEFAULT_TEMPLATE_LANGUAGE.to_owned()),
        code => Ok(language::template_language(code)?.code.to_owned()),
    }
}

/// A template's country by its code; for none, none.
///
/// # Errors
/// `unknown_country`.
pub fn checked_country(code: &str) -> Result<Option<String>> {
    match code.trim() {
        "" => Ok(None),
        code => Ok(Some(country::country(code)?.code.to_owned())),
    }
}

/// The same upload has the same fingerprint.
fn fingerprint(upload: &Upload) -> String {
    let Upload { title, categories, keywords, language, country, help, docx } = upload;
    let parts = [title, categories, keywords, language, country, &format!("{help:?}"), &content_hash(docx)];
    content_hash(parts.map(|part| format!("{}:{part}", part.len())).concat().as_bytes())
}

impl Publisher<'_> {
    /// Publishes an upload. `by`: whose it is, and his Idempotency-Key, with which a second time answers the first one's template.
    /// `id` is given where the template must be found again, as those of the starting catalogue.
    pub async fn publish(
        &self,
        upload: Upload,
        by: Option<(String, Option<String>)>,
        id: Option<String>,
    ) -> Result<Published> {
        let now = self.clock.now();
        let id = id.unwrap_or_else(|| new_id(self.clock, self.chance));
        let mut template = checked(&upload, id, now, &self.templates.categories().await?)?;
        let (by, key) = by.map_or((None, None), |(who, key)| (Some(who), key));
        let key = by.clone().zip(key).map(|(who, key)| PublishKey { who, key, content_hash: fingerprint(&upload) });
        if let Some(key) = &key
            && let Some(published) = self.templates.published_under(key).await?
        {
            return Ok(published);
        }
        let docx = Arc::new(upload.docx);
        let mut examined = self.examined(&template, &docx, now).await?;
        let guessed = std::mem::take(&mut examined.guessed);
        let help = TemplateHelp { said: field_help::checked(upload.help, &examined.fields, &guessed)?, guessed };
        let findings = self.keep(&mut template, docx, examined).await?;
        let deed = Deed { by, what: What::Published { title: template.title.clone() } };
        self.templates.add(Published { template, findings }, &help, key.as_ref(), &deed).await
    }

    /// Shows what would be published, and keeps nothing. With `values` as it would be filled.
    ///
    /// # Errors
    /// `title_and_file_required`, `file_too_large`, those of the typesetter; of values those of [`waraq_rules::Values`].
    pub async fn rehearse(
        &self,
        docx: Vec<u8>,
        title: &str,
        values: Option<Vec<(String, String)>>,
        blank: bool,
    ) -> Result<Rehearsed> {
        if docx.is_empty() {
            let error = Error::new(ErrorCode::TitleAndFileRequired, "There is no file to check.");
            return Err(error.with_fields(["file"]));
        }
        checked_file(&docx)?;
        let setting = Setting {
            title: title.trim().to_owned(),
            language: String::new(),
            blank,
            first_page: false,
            now: self.clock.now(),
        };
        self.typesetter.rehearse(Arc::new(docx), values, &setting).await
    }

    /// Checks a file and sets it, empty. One with errors is refused.
    pub(crate) async fn examined(
        &self,
        template: &Template,
        docx: &Arc<Vec<u8>>,
        now: crate::Timestamp,
    ) -> Result<Examined> {
        let setting = Setting {
            title: template.title.clone(),
            language: template.language.clone(),
            blank: false,
            first_page: true,
            now,
        };
        let examined = self.typesetter.examine(Arc::clone(docx), &setting).await?;
        if examined.findings.iter().any(|finding| finding.severity == Severity::Error) {
            let error = Error::new(ErrorCode::TemplateRefused, "The template has errors.");
            return Err(error.with_fields(["file"]).with_findings(examined.findings));
        }
        Ok(examined)
    }

    /// Keeps a file and its pages as those of `template`, which is told what only the engine knows. Answers the warnings.
    pub(crate) async fn keep(
        &self,
        template: &mut Template,
        docx: Arc<Vec<u8>>,
        examined: Examined,
    ) -> Result<Vec<Finding>> {
        template.fields = examined.fields;
        template.pages = examined.pages;
        template.file_bytes = docx.len() as u64;
        template.pdf_bytes = examined.pdf.len() as u64;
        // Files first: a row must never name what is not there. Should the row fail, its files are merely unused.
        let docx = Arc::unwrap_or_clone(docx);
        self.files.put(&template.docx_key(), DOCX, docx).await?;
        self.files.put(&template.pdf_key(), "application/pdf", examined.pdf).await?;
        template.picture = self.kept_picture(examined.first_page).await?;
        template.small_picture = self.kept_picture(examined.small_first_page).await?;
        Ok(examined.findings)
    }

    /// Sets the pages of a template again, since they say its title and its language. A file that would be refused by now keeps the pages
    /// it has.
    pub(crate) async fn set_again(&self, template: &mut Template, now: crate::Timestamp) -> Result<()> {
        let docx = self.files.get(&template.docx_key()).await?;
        let docx = Arc::new(docx.ok_or_else(|| Error::internal("a template without its file"))?);
        let examined = match self.examined(template, &docx, now).await {
            Ok(examined) => examined,
            Err(error) if error.code == ErrorCode::TemplateRefused => return Ok(()),
            Err(error) => return Err(error),
        };
        template.pdf = new_id(self.clock, self.chance);
        template.pdf_bytes = examined.pdf.len() as u64;
        self.files.put(&template.pdf_key(), "application/pdf", examined.pdf).await
    }

    async fn kept_picture(&self, page: Option<FirstPage>) -> Result<Option<Picture>> {
        let Some(FirstPage { bytes, width, height }) = page else { return Ok(None) };
        let hash = content_hash(&bytes);
        self.files.put(&files::media_key(&hash), files::picture_type(&bytes), bytes).await?;
        Ok(Some(Picture { hash, width, height }))
    }
}

/// The media type of a .docx.
pub const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
