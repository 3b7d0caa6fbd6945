//! The engine as core's [`Typesetter`]: renders documents outside the request threads, with a fair queue, a time limit,
//! and a cache of opened templates.

mod opened;
mod queue;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use axum::extract::{FromRequest, FromRequestParts, Request};
use http::request::Parts;
use waraq_aws::{Cloud, Conditions};
use waraq_core::ErrorCode::{self, *};
use waraq_core::field_help::FieldHelp;
use waraq_core::files::Files;
use waraq_core::filling::Filler;
use waraq_core::publishing::{Examined, Filled, Finding, FirstPage, Publisher, Rehearsed, Setting, Typesetter};
use waraq_core::{Error, ErrorKind, Result};
use waraq_engine::{Budget, EmptyValue, FillOptions, Finished, PdfOptions, Printed, Values};

use crate::http::{Argument, Failure, Guest, MaybeUser, Who};
use queue::{Cost, Queue, Share};

/// Time limit of a document. The platform ends a request after thirty seconds.
const LONGEST: Duration = Duration::from_secs(25);

/// Error codes of an upload that is not a Word document the engine can read and lay out.
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

/// State of the engine in this process.
struct Engine {
    templates: opened::Templates,
    queue: Arc<Queue>,
}

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    Engine { templates: opened::Templates::default(), queue: Queue::new(processors) }
});

/// A permit to render one document. Each caller may hold a limited number at once.
pub struct Making {
    /// The caller: the id of an account, or `guest:` and their source address.
    pub who: String,
    share: Share,
    longest: Duration,
    /// Work limit, if it differs from the engine's default.
    work: Option<u64>,
}

/// A body and a permit to render the document that it describes. The permit is taken after the whole body has been
/// read, so that a client that sends slowly holds nothing that others need. A caller who has too many documents
/// already is refused (429 `too_busy`) before the body is read.
pub struct Permitted<B>(pub Making, pub B);

impl<B: Argument> Argument for Permitted<B> {
    const WHO: Who = Who::MaybeUser;

    fn refuses() -> Vec<ErrorCode> {
        [MaybeUser::refuses(), B::refuses(), vec![TooBusy]].concat()
    }
}

impl<B: FromRequest<Arc<Cloud>, Rejection = Failure>> FromRequest<Arc<Cloud>> for Permitted<B> {
    type Rejection = Failure;

    async fn from_request(request: Request, cloud: &Arc<Cloud>) -> std::result::Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let who = caller(&mut parts, cloud).await?;
        ENGINE.queue.check(&who)?;
        let body = B::from_request(Request::from_parts(parts, body), cloud).await?;
        Ok(Self(Making::under(cloud.conditions(), who)?, body))
    }
}

/// Returns the name of the caller in the queue: the id of an account, or `guest:` and the source address.
async fn caller(parts: &mut Parts, cloud: &Arc<Cloud>) -> std::result::Result<String, Failure> {
    let MaybeUser(account) = MaybeUser::from_request_parts(parts, cloud).await?;
    Ok(match account {
        Some(account) => account.id,
        None => format!("guest:{}", Guest::from_request_parts(parts, cloud).await?.source),
    })
}

impl Making {
    /// Creates a permit outside of an HTTP request.
    pub fn of(who: impl Into<String>) -> Result<Self> {
        Self::under(&Conditions::default(), who.into())
    }

    fn under(conditions: &Conditions, who: String) -> Result<Self> {
        let longest = conditions.document_seconds.map_or(LONGEST, Duration::from_secs);
        Ok(Self { share: ENGINE.queue.share(&who)?, who, longest, work: conditions.document_work })
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
            typesetter: self,
            clock: cloud.clock(),
            chance: cloud.chance(),
        }
    }

    /// Returns the service that fills templates.
    pub fn filler<'a>(&'a self, cloud: &'a Cloud) -> Filler<'a> {
        Filler { library: cloud.library(), typesetter: self, uses: cloud.uses() }
    }

    /// Runs `work` on a blocking thread once its turn has come. On a timeout, or if the request is dropped, the work is
    /// cancelled through its budget. It occupies its processor until it returns.
    async fn run<T: Send + 'static>(
        &self,
        turn: queue::Turn,
        work: impl FnOnce(Budget) -> waraq_engine::Result<T> + Send + 'static,
    ) -> Result<T> {
        // With a zero timeout, quick work could still win the race.
        if self.longest.is_zero() {
            return Err(too_slow());
        }
        let waits = Waits(self.budget());
        let budget = waits.0.clone();
        let task = tokio::task::spawn_blocking(move || {
            let done = work(budget);
            drop(turn);
            done
        });
        tokio::select! {
            () = tokio::time::sleep(self.longest) => Err(too_slow()),
            done = task => match done {
                Ok(done) => done.map_err(refused),
                // The panic hook has logged the location. The message may contain user data.
                Err(_) => Err(Error::internal("the engine panicked")),
            },
        }
    }
}

fn too_slow() -> Error {
    Error::new(ErrorCode::DocumentTooSlow, "This document takes too long to process. Please simplify it.")
}

/// Panics on request, for tests of failure handling.
#[cfg(feature = "drill")]
pub mod drill {
    pub const HANDLER: &str = "panic in the handler";
    pub const ENGINE: &str = "panic in the engine";

    pub(super) fn panic_if_asked(values: &[(String, String)], place: &str) {
        assert!(values.iter().all(|(_, value)| value != place), "asked for");
    }
}

/// Cancels the work of a request when it is dropped with that request.
struct Waits(Budget);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Converts an error of the engine into core's error.
fn refused(error: waraq_engine::Error) -> Error {
    if error.code.kind() == ErrorKind::Internal {
        return Error::internal(error.message);
    }
    let fields = if error.fields.is_empty() { vec!["file".to_owned()] } else { error.fields };
    let mut refused = Error::new(error.code, error.message).with_fields(fields);
    refused.details.suggestions = error.suggestions;
    refused.details.limit = error.limit.and_then(|limit| u64::try_from(limit).ok());
    refused
}

fn given(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// Converts core's layout options into the engine's.
fn setting_of(setting: &Setting, budget: Budget) -> waraq_engine::Setting {
    waraq_engine::Setting {
        title: given(&setting.title),
        language: given(&setting.language),
        now: i64::try_from(setting.now.seconds()).unwrap_or(0),
        budget,
        ..waraq_engine::Setting::default()
    }
}

fn pages_of(printed: &Printed) -> u32 {
    u32::try_from(printed.pages.pages.len()).unwrap_or(u32::MAX)
}

fn first_page(picture: waraq_engine::Picture) -> FirstPage {
    FirstPage { bytes: picture.bytes, width: picture.width, height: picture.height }
}

/// Results of the check of a template, without its pages.
struct Found {
    findings: Vec<Finding>,
    fields: Vec<String>,
    guessed: Vec<FieldHelp>,
}

fn rehearsed(found: Found, language: Option<String>, printed: Printed) -> Rehearsed {
    let Found { findings, fields, guessed } = found;
    Rehearsed { findings, fields, guessed, language, pages: pages_of(&printed), pdf: printed.pdf.bytes }
}

#[async_trait]
impl Typesetter for Making {
    async fn examine(&self, docx: Arc<Vec<u8>>, setting: &Setting) -> Result<Examined> {
        let setting = setting.clone();
        let turn = self.share.turn(Cost::of_file(docx.len())).await?;
        self.run(turn, move |budget| {
            let template = waraq_engine::open_within(docx.to_vec(), &budget)?;
            let setting = setting_of(&setting, budget);
            let examined = waraq_engine::examine(&template, &setting, &PdfOptions::default())?;
            let names = examined.fields.iter().map(|field| field.name.clone()).collect();
            let guessed = examined.guessed;
            let mut all = Examined { findings: examined.findings, fields: names, guessed, ..Examined::default() };
            let Some(printed) = examined.printed else { return Ok(all) };
            all.pages = pages_of(&printed);
            // A sample that exceeds the budget is replaced by the pages of the empty template.
            let sample = waraq_engine::sample(&template, &examined.fields, &setting).unwrap_or(printed.pages);
            all.first_page = Some(first_page(waraq_engine::first_page_picture(&sample)?));
            all.small_first_page = Some(first_page(waraq_engine::small_first_page_picture(&sample)?));
            all.pdf = printed.pdf.bytes;
            Ok(all)
        })
        .await
    }

    async fn rehearse(
        &self,
        docx: Arc<Vec<u8>>,
        values: Option<Vec<(String, String)>>,
        setting: &Setting,
    ) -> Result<Rehearsed> {
        let (blank, setting) = (setting.blank, setting.clone());
        let turn = self.share.turn(Cost::of_file(docx.len())).await?;
        self.run(turn, move |budget| {
            let template = waraq_engine::open_within(docx.to_vec(), &budget)?;
            let setting = setting_of(&setting, budget);
            let examined = waraq_engine::examine(&template, &setting, &PdfOptions::default())?;
            let fields: Vec<String> = examined.fields.into_iter().map(|field| field.name).collect();
            let found = Found { findings: examined.findings, fields, guessed: examined.guessed };
            let (printed, language) = match examined.printed {
                // The pages are returned despite the errors, so that the admin can find and fix them.
                None => (waraq_engine::print(&template, &setting, &PdfOptions::default())?, None),
                Some(empty) => {
                    let language = empty.pages.metadata.language.clone();
                    let Some(values) = values else {
                        return Ok(rehearsed(found, language, empty));
                    };
                    let values = Values::from_pairs(values)?;
                    values.check(&found.fields)?;
                    let options = FillOptions { empty: if blank { EmptyValue::Blank } else { EmptyValue::DottedLine } };
                    let filled = waraq_engine::finish(&template, &values, options, &setting, &PdfOptions::default())?;
                    (filled.printed, language)
                }
            };
            let language = language.or_else(|| printed.pages.metadata.language.clone());
            Ok(rehearsed(found, language, printed))
        })
        .await
    }

    async fn fill(
        &self,
        files: &dyn Files,
        key: &str,
        pages: u32,
        values: Vec<(String, String)>,
        setting: &Setting,
    ) -> Result<Filled> {
        #[cfg(feature = "drill")]
        drill::panic_if_asked(&values, drill::HANDLER);
        let values_bytes = values.iter().map(|(name, value)| name.len() + value.len()).sum();
        let turn = self.share.turn(Cost::of_filling(pages, values_bytes)).await?;
        let template = ENGINE.templates.open(files, key).await?;
        let setting = setting.clone();
        self.run(turn, move |budget| {
            #[cfg(feature = "drill")]
            drill::panic_if_asked(&values, drill::ENGINE);
            let values = Values::from_pairs(values)?;
            let options = FillOptions { empty: if setting.blank { EmptyValue::Blank } else { EmptyValue::DottedLine } };
            let wants_first_page = setting.first_page;
            let setting = setting_of(&setting, budget);
            let Finished { docx, printed } =
                waraq_engine::finish(&template, &values, options, &setting, &PdfOptions::default())?;
            let picture = wants_first_page.then(|| waraq_engine::first_page_picture(&printed.pages)).transpose()?;
            let pages = pages_of(&printed);
            Ok(Filled {
                docx,
                pages,
                pdf: printed.pdf.bytes,
                first_page: picture.map(first_page),
                warnings: printed.pdf.warnings,
            })
        })
        .await
    }
}
