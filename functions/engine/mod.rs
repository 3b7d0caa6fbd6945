//! Implements [`RenderEngine`], a port of `waraq_core`, with the crate `waraq_engine`. Documents are rendered on
//! blocking threads, with a fair queue, a time limit, and a cache of opened templates.

mod pictures;
mod queue;
mod structure;
mod template_cache;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use axum::extract::{FromRequest, FromRequestParts, Request};
use http::request::Parts;
use waraq_aws::{Cloud, PrivateTemplateStore, RuntimeOptions};
use waraq_core::ErrorCode::{self, *};
use waraq_core::catalogue::Templates;
use waraq_core::field_settings::FieldSettings;
use waraq_core::files::Files;
use waraq_core::filling::Filler;
use waraq_core::private_templates::PrivateOwner;
use waraq_core::publishing::{
    DeclaredFields, Diagnostic, FilledFiles, FirstPage, LayoutOptions, Publisher, RenderEngine, TemplateCheck,
    TemplatePreview,
};
use waraq_core::saved::NamedValues;
use waraq_core::{Error, ErrorKind, Result};
use waraq_engine::{Budget, Derivation, EmptyValue, FillOptions, FilledDocument, PdfOptions, Rendered, Values};
use waraq_rules::{Structure, Value};

use crate::http::{Access, Argument, Failure, MaybeUser, RequestSource};
use queue::{Cost, Queue, QueueSlot};
use structure::structure;

/// Time limit for rendering a document. The platform ends a request after thirty seconds.
const RENDER_TIMEOUT: Duration = Duration::from_secs(25);

/// Error codes for an uploaded file that the engine cannot read or lay out as a Word document.
pub const UNREADABLE_FILE: &[ErrorCode] = &[
    NotAZip,
    NotAWordDocument,
    OldWordDocument,
    MissingContentTypes,
    MissingMainPart,
    NoDocumentBody,
    EncryptedDocument,
    EncryptedZip,
    CorruptedZip,
    TruncatedZip,
    MultiVolume,
    UnsupportedCompression,
    MalformedXml,
    DuplicatePart,
    OverlappingEntries,
    UnsafePartName,
    SuspiciousCompression,
    TooManyEntries,
    TooManyRelationships,
    PartTooLarge,
    PackageTooLarge,
    XmlTooDeep,
    TooComplex,
];

/// The state of the engine in this process, which all requests share.
struct Engine {
    templates: template_cache::TemplateCache,
    queue: Arc<Queue>,
}

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    Engine { templates: template_cache::TemplateCache::default(), queue: Queue::new(processors) }
});

/// A permit to render one document. Each caller may hold a limited number of permits at once.
pub struct RenderPermit {
    /// The caller: the id of an account, or `guest:` and their source address.
    pub who: String,
    slot: QueueSlot,
    timeout: Duration,
    /// Maximum work for the document, in the work units of the engine. `None` means the default of the engine.
    work: Option<u64>,
}

/// The body of a request, and a permit to render the document that the body describes. The permit is taken after the
/// whole body has been read. Therefore a client that sends slowly does not occupy a place in the queue. A caller who
/// already has too many documents in the queue is refused (429 `too_busy`) before the body is read.
pub struct WithRenderPermit<B>(pub RenderPermit, pub B);

impl<B: Argument> Argument for WithRenderPermit<B> {
    const ACCESS: Access = Access::MaybeUser;

    fn refuses() -> Vec<ErrorCode> {
        [MaybeUser::refuses(), B::refuses(), vec![TooBusy]].concat()
    }
}

impl<B: FromRequest<Arc<Cloud>, Rejection = Failure>> FromRequest<Arc<Cloud>> for WithRenderPermit<B> {
    type Rejection = Failure;

    async fn from_request(request: Request, cloud: &Arc<Cloud>) -> std::result::Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let who = caller(&mut parts, cloud).await?;
        ENGINE.queue.check(&who)?;
        let body = B::from_request(Request::from_parts(parts, body), cloud).await?;
        Ok(Self(RenderPermit::with_options(cloud.options(), who)?, body))
    }
}

/// Returns the name of the caller in the queue: the id of an account, or `guest:` and the source address.
async fn caller(parts: &mut Parts, cloud: &Arc<Cloud>) -> std::result::Result<String, Failure> {
    let MaybeUser(account) = MaybeUser::from_request_parts(parts, cloud).await?;
    Ok(match account {
        Some(account) => account.id,
        None => format!("guest:{}", RequestSource::from_request_parts(parts, cloud).await?.source),
    })
}

impl RenderPermit {
    /// Creates a permit outside of an HTTP request.
    pub fn for_caller(who: impl Into<String>) -> Result<Self> {
        Self::with_options(&RuntimeOptions::default(), who.into())
    }

    fn with_options(options: &RuntimeOptions, who: String) -> Result<Self> {
        let longest = options.document_seconds.map_or(RENDER_TIMEOUT, Duration::from_secs);
        Ok(Self { slot: ENGINE.queue.reserve(&who)?, who, timeout: longest, work: options.document_work })
    }

    fn budget(&self) -> Budget {
        let mut budget = Budget::default();
        budget.work = self.work.unwrap_or(budget.work);
        budget
    }

    /// Returns the service that publishes templates.
    pub fn publisher<'a>(&'a self, cloud: &'a Cloud) -> Publisher<'a> {
        Publisher {
            templates: cloud.templates(),
            files: cloud.files(),
            engine: self,
            clock: cloud.clock(),
            random: cloud.random_source(),
            owner: None,
        }
    }

    /// Returns the service that publishes the private templates of one account.
    pub fn private_publisher<'a>(&'a self, cloud: &'a Cloud, templates: &'a PrivateTemplateStore) -> Publisher<'a> {
        let owner = PrivateOwner { id: templates.owner(), store: cloud.private_templates() };
        Publisher { templates, owner: Some(owner), ..self.publisher(cloud) }
    }

    /// Returns the service that fills templates.
    pub fn filler<'a>(&'a self, cloud: &'a Cloud) -> Filler<'a> {
        self.filler_of(cloud, cloud.templates())
    }

    /// Returns the service that fills these templates.
    pub fn filler_of<'a>(&'a self, cloud: &'a Cloud, templates: &'a dyn Templates) -> Filler<'a> {
        Filler { library: cloud.saved_documents_from(templates), engine: self, uses: cloud.uses() }
    }

    /// Runs `work` on a blocking thread. On a timeout, or if the request is dropped, the work is cancelled through its
    /// budget. `turn` is kept until `work` returns, even after a cancellation, because `work` still occupies a
    /// processor.
    async fn run_in_turn<T: Send + 'static>(
        &self,
        turn: queue::RenderTurn,
        work: impl FnOnce(Budget) -> waraq_engine::Result<T> + Send + 'static,
    ) -> Result<T> {
        // Without this check, quick work could finish before a timeout of zero.
        if self.timeout.is_zero() {
            return Err(too_slow());
        }
        let waits = CancelOnDrop(self.budget());
        let budget = waits.0.clone();
        let task = tokio::task::spawn_blocking(move || {
            let done = work(budget);
            drop(turn);
            done
        });
        tokio::select! {
            () = tokio::time::sleep(self.timeout) => Err(too_slow()),
            done = task => match done {
                Ok(done) => done.map_err(engine_error),
                // The panic hook has logged the location. The message is not logged, because it may contain user data.
                Err(_) => Err(Error::internal("the engine panicked")),
            },
        }
    }
}

fn too_slow() -> Error {
    Error::new(ErrorCode::DocumentTooSlow, "This document takes too long to process. Please simplify it.")
}

/// Values that cause a panic when a field has them, to test how failures are handled.
#[cfg(feature = "drill")]
pub mod drill {
    use waraq_core::saved::NamedValues;

    pub const HANDLER: &str = "panic in the handler";
    pub const ENGINE: &str = "panic in the engine";

    pub(super) fn panic_if_requested(values: &NamedValues, place: &str) {
        assert!(values.iter().all(|(_, value)| value.as_text() != Some(place)), "asked for");
    }
}

/// A budget that is cancelled when this value is dropped: at the end of the request, or when the request is aborted.
struct CancelOnDrop(Budget);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Converts an error of the engine into an error of `waraq_core`.
fn engine_error(error: waraq_engine::Error) -> Error {
    if error.code.kind() == ErrorKind::Internal {
        return Error::internal(error.message);
    }
    let fields = if error.fields.is_empty() { vec!["file".to_owned()] } else { error.fields };
    let mut refused = Error::new(error.code, error.message).with_fields(fields);
    refused.details.suggestions = error.suggestions;
    refused.details.limit = error.limit.and_then(|limit| u64::try_from(limit).ok());
    refused
}

fn non_empty(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// Converts the layout options of `waraq_core` into those of the engine.
fn engine_options(options: &LayoutOptions, budget: Budget) -> waraq_engine::LayoutOptions {
    waraq_engine::LayoutOptions {
        title: non_empty(&options.title),
        language: non_empty(&options.language),
        country: options.country.clone(),
        now: i64::try_from(options.now.seconds()).unwrap_or(0),
        budget,
        ..waraq_engine::LayoutOptions::default()
    }
}

/// Returns the options for filling. Fields have the types in `structure`.
fn fill_options<'a>(options: &'a LayoutOptions, structure: &'a Structure) -> FillOptions<'a> {
    let empty = if options.blank { EmptyValue::Blank } else { EmptyValue::DottedLine };
    let (country, picture_sizes) = (options.country.as_deref(), Some(&options.picture_sizes));
    FillOptions { empty, country, structure: Some(structure), picture_sizes }
}

/// Returns the size of values in bytes, by which the cost of filling is estimated.
fn value_bytes(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::YesNo(_) => 1,
        Value::List(rows) => rows.iter().flatten().map(|(name, value)| name.len() + value_bytes(value)).sum(),
        // A picture is copied, and not laid out letter by letter.
        Value::Picture(picture) => picture.bytes.len() / 100,
    }
}

fn pages_of(printed: &Rendered) -> u32 {
    u32::try_from(printed.pages.pages.len()).unwrap_or(u32::MAX)
}

fn first_page(picture: waraq_engine::Picture) -> FirstPage {
    FirstPage { bytes: picture.bytes, width: picture.width, height: picture.height }
}

/// The results of the check of a template, without the rendered pages.
struct CheckResult {
    findings: Vec<Diagnostic>,
    fields: Vec<String>,
    structure: Structure,
    detected: Vec<FieldSettings>,
    suggestions: Vec<(String, Derivation)>,
}

fn preview_of(found: CheckResult, language: Option<String>, printed: Rendered) -> TemplatePreview {
    let CheckResult { findings, fields, structure, detected, suggestions } = found;
    let heading = printed.pages.outline.first().map(|entry| entry.title.clone());
    let (pages, pdf) = (pages_of(&printed), printed.pdf.bytes);
    TemplatePreview { findings, fields, structure, detected, suggestions, language, heading, pages, pdf }
}

#[async_trait]
impl RenderEngine for RenderPermit {
    async fn check_template(
        &self,
        docx: Arc<Vec<u8>>,
        declared: &[FieldSettings],
        options: &LayoutOptions,
    ) -> Result<TemplateCheck> {
        let (declared, options) = (declared.to_vec(), options.clone());
        let turn = self.slot.wait_for_turn(Cost::of_file(docx.len())).await?;
        self.run_in_turn(turn, move |budget| {
            let template = waraq_engine::open_with_budget(docx.to_vec(), &budget)?;
            let layout_options = engine_options(&options, budget);
            let examined = waraq_engine::examine(&template, &layout_options, &PdfOptions::default())?;
            let names = examined.fields.iter().map(|field| field.name.clone()).collect();
            let detected = examined.detected;
            let mut all = TemplateCheck {
                findings: examined.diagnostics,
                fields: names,
                structure: examined.structure,
                detected,
                ..TemplateCheck::default()
            };
            let Some(rendered) = examined.rendered else { return Ok(all) };
            all.pages = pages_of(&rendered);
            // A sample that exceeds the budget is replaced by the pages of the empty template.
            let sample = structure(&template, &declared).and_then(|structure| {
                waraq_engine::lay_out_sample(&template, &examined.fields, &structure, &layout_options)
            });
            let sample = sample.unwrap_or(rendered.pages);
            all.first_page = Some(first_page(waraq_engine::first_page_picture(&sample)?));
            all.small_first_page = Some(first_page(waraq_engine::small_first_page_picture(&sample)?));
            all.pdf = rendered.pdf.bytes;
            Ok(all)
        })
        .await
    }

    async fn declared_fields(
        &self,
        docx: Arc<Vec<u8>>,
        declared: &[FieldSettings],
        options: &LayoutOptions,
    ) -> Result<DeclaredFields> {
        let turn = self.slot.wait_for_turn(Cost::of_file(docx.len())).await?;
        let (declared, options) = (declared.to_vec(), options.clone());
        self.run_in_turn(turn, move |budget| {
            let template = waraq_engine::open_with_budget(docx.to_vec(), &budget)?;
            let structure = structure(&template, &declared)?;
            let found = waraq_engine::detect_settings(&template, &structure, &engine_options(&options, budget))?;
            Ok(DeclaredFields { structure, detected: found.settings })
        })
        .await
    }

    async fn preview(
        &self,
        docx: Arc<Vec<u8>>,
        declared: &[FieldSettings],
        values: Option<NamedValues>,
        options: &LayoutOptions,
    ) -> Result<TemplatePreview> {
        let (declared, options) = (declared.to_vec(), options.clone());
        let turn = self.slot.wait_for_turn(Cost::of_file(docx.len())).await?;
        self.run_in_turn(turn, move |budget| {
            let template = waraq_engine::open_with_budget(docx.to_vec(), &budget)?;
            let layout_options = engine_options(&options, budget);
            let mut examined = waraq_engine::examine(&template, &layout_options, &PdfOptions::default())?;
            if !declared.is_empty() {
                examined.structure = structure(&template, &declared)?;
                let found = waraq_engine::detect_settings(&template, &examined.structure, &layout_options)?;
                (examined.detected, examined.suggestions) = (found.settings, found.suggestions);
            }
            let fields: Vec<String> = examined.fields.into_iter().map(|field| field.name).collect();
            let found = CheckResult {
                findings: examined.diagnostics,
                fields,
                structure: examined.structure,
                detected: examined.detected,
                suggestions: examined.suggestions,
            };
            let (rendered, language) = match examined.rendered {
                // The pages are returned despite the errors, so that the admin can find and fix them.
                None => (waraq_engine::render(&template, &layout_options, &PdfOptions::default())?, None),
                Some(empty) => {
                    let language = empty.pages.metadata.language.clone();
                    let Some(values) = values else {
                        return Ok(preview_of(found, language, empty));
                    };
                    let mut values = Values::from_pairs(values)?;
                    values.convert_to(&found.structure);
                    values.check_structure(&found.structure)?;
                    let filled = waraq_engine::fill_and_render(
                        &template,
                        &values,
                        fill_options(&options, &found.structure),
                        &layout_options,
                        &PdfOptions::default(),
                    )?;
                    (filled.rendered, language)
                }
            };
            let language = language.or_else(|| rendered.pages.metadata.language.clone());
            Ok(preview_of(found, language, rendered))
        })
        .await
    }

    async fn fill(
        &self,
        files: &dyn Files,
        key: &str,
        pages: u32,
        values: NamedValues,
        options: &LayoutOptions,
    ) -> Result<FilledFiles> {
        #[cfg(feature = "drill")]
        drill::panic_if_requested(&values, drill::HANDLER);
        let values_bytes = values.iter().map(|(name, value)| name.len() + value_bytes(value)).sum();
        // The file is read first, so that no processor is reserved while S3 responds.
        let template = ENGINE.templates.open(files, key).await?;
        let turn = self.slot.wait_for_turn(Cost::of_filling(pages, values_bytes)).await?;
        let options = options.clone();
        self.run_in_turn(turn, move |budget| {
            #[cfg(feature = "drill")]
            drill::panic_if_requested(&values, drill::ENGINE);
            let values = Values::from_pairs(values)?;
            let wants_first_page = options.first_page;
            let layout_options = engine_options(&options, budget);
            let FilledDocument { docx, rendered } = waraq_engine::fill_and_render(
                &template,
                &values,
                fill_options(&options, &options.structure),
                &layout_options,
                &PdfOptions::default(),
            )?;
            let picture = wants_first_page.then(|| waraq_engine::first_page_picture(&rendered.pages)).transpose()?;
            let pages = pages_of(&rendered);
            Ok(FilledFiles {
                docx,
                pages,
                pdf: rendered.pdf.bytes,
                first_page: picture.map(first_page),
                warnings: rendered.pdf.warnings,
            })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use tokio::sync::Semaphore;
    use waraq_core::files::Upload;

    use super::*;

    /// A file store that delays each file whose key is not `fast` until the test opens the gate.
    struct SlowFiles {
        asked: Semaphore,
        gate: Semaphore,
    }

    #[async_trait]
    impl Files for SlowFiles {
        async fn get(&self, key: &str) -> Result<Option<Vec<u8>>> {
            if key != "fast" {
                self.asked.add_permits(1);
                let opened = self.gate.acquire().await.map_err(|_| Error::internal("the gate was closed"));
                opened?.forget();
            }
            Ok(Some(waraq_catalogue::templates().remove(0).docx))
        }

        async fn put(&self, _: &str, _: &'static str, _: Vec<u8>) -> Result<()> {
            Ok(())
        }

        async fn upload(&self, _: &str, _: &'static str) -> Result<Box<dyn Upload + '_>> {
            Err(Error::internal("nothing is kept here"))
        }

        async fn remove_all(&self, _: &str) -> Result<()> {
            Ok(())
        }

        async fn remove(&self, _: &str) -> Result<()> {
            Ok(())
        }

        async fn link(&self, _: &str, _: &str) -> Result<String> {
            Ok(String::new())
        }
    }

    #[tokio::test]
    async fn documents_are_filled_while_others_wait_for_their_template() {
        let files = SlowFiles { asked: Semaphore::new(0), gate: Semaphore::new(0) };
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let options = LayoutOptions {
            title: String::new(),
            language: String::new(),
            country: None,
            blank: false,
            first_page: false,
            structure: Structure::default(),
            picture_sizes: waraq_rules::PictureSizes::default(),
            now: waraq_core::Timestamp(0),
        };
        // Any result but `too_busy` shows that the document had its turn.
        let fill = async |key: String| {
            let permit = RenderPermit::for_caller(format!("caller of {key}")).unwrap();
            let filled = permit.fill(&files, &key, 1, NamedValues::new(), &options).await;
            filled.err().map(|error| error.code)
        };
        let slow = join_all((0..processors).map(|number| fill(format!("slow {number}"))));
        let fast = async {
            files.asked.acquire_many(u32::try_from(processors).unwrap()).await.unwrap().forget();
            let done = fill("fast".to_owned()).await;
            files.gate.add_permits(processors);
            done
        };
        let (slow, fast) = tokio::join!(slow.boxed_local(), fast);
        assert_ne!(fast, Some(TooBusy));
        assert!(slow.iter().all(|code| *code != Some(TooBusy)), "{slow:?}");
    }
}
