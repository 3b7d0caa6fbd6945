//! The engine as core's typesetter: off the threads that serve requests, in turns that are fair to callers, bounded in time, with the
//! templates a warm process has already opened.

mod fields;
mod opened;
mod queue;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use axum::extract::FromRequestParts;
use http::request::Parts;
use waraq_aws::Cloud;
use waraq_core::files::Files;
use waraq_core::publishing::{Examined, Filled, Finding, FirstPage, Publisher, Setting, Severity, Typesetter};
use waraq_core::{Error, ErrorKind, Result};
use waraq_engine::Budget;

use crate::http::{Argument, Failure, Guest, MaybeUser, Who};
use queue::{Cost, Queue, Share};

/// A document that takes longer is refused: the platform ends a request after thirty seconds.
const LONGEST: Duration = Duration::from_secs(25);

/// What a process has of the engine.
struct Engine {
    templates: opened::Templates,
    queue: Arc<Queue>,
}

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    Engine { templates: opened::Templates::default(), queue: Queue::new(processors) }
});

/// One of the documents a caller may have in the making at once. A handler that makes any asks for it before the body: who has too many is
/// told so (429 `too_busy`) before anything he sends is read.
pub struct Making {
    /// Whom it is made for: an account's id, or `guest:` and where he calls from.
    pub who: String,
    share: Share,
}

impl Argument for Making {
    const WHO: Who = Who::MaybeUser;
    const REFUSES: &'static [u16] = &[401, 429];
}

impl FromRequestParts<Arc<Cloud>> for Making {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> std::result::Result<Self, Failure> {
        let MaybeUser(account) = MaybeUser::from_request_parts(parts, cloud).await?;
        let who = match account {
            Some(account) => account.id,
            None => format!("guest:{}", Guest::from_request_parts(parts, cloud).await?.source),
        };
        Ok(Self::of(who)?)
    }
}

impl Making {
    /// For somebody who does not call by HTTP.
    pub fn of(who: impl Into<String>) -> Result<Self> {
        let who = who.into();
        Ok(Self { share: ENGINE.queue.share(&who)?, who })
    }

    /// What publishes templates, on these stores.
    pub fn publisher<'a>(&'a self, cloud: &'a Cloud) -> Publisher<'a> {
        Publisher {
            templates: cloud.templates(),
            files: cloud.files(),
            typesetter: self,
            clock: cloud.clock(),
            chance: cloud.chance(),
        }
    }

    /// Runs `work` in its turn, on a thread of its own kind. Work whose time is over, or whose caller is gone, is told so, and keeps
    /// its processor until it has ended.
    async fn run<T: Send + 'static>(
        turn: queue::Turn,
        work: impl FnOnce(Budget) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let waits = Waits(Budget::default());
        let budget = waits.0.clone();
        let task = tokio::task::spawn_blocking(move || {
            let done = work(budget);
            drop(turn);
            done
        });
        match tokio::time::timeout(LONGEST, task).await {
            Ok(Ok(done)) => done,
            // Its place stands in the log; its message may hold what somebody wrote.
            Ok(Err(_)) => Err(Error::internal("the engine panicked")),
            Err(_) => Err(refused("document_too_slow", "This document takes too long to set.")),
        }
    }
}

/// Whoever waits for a document, with what it may cost; dropped with his request, he does not wait any more and the work ends.
struct Waits(Budget);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn refused(code: &str, message: &str) -> Error {
    Error::new(ErrorKind::Refused, code, message)
}

pub(crate) fn engine_error(error: waraq_engine::Error) -> Error {
    fields::docx_error(error)
}

/// A set document.
struct Set {
    pages: waraq_engine::Pages,
    count: u32,
    pdf: Vec<u8>,
    warnings: Vec<Finding>,
}

/// What a document is set with.
fn setting_of(setting: &Setting, budget: Budget) -> waraq_engine::Setting {
    waraq_engine::Setting {
        title: Some(setting.title.clone()),
        language: Some(setting.language.clone()),
        now: i64::try_from(setting.now.seconds()).unwrap_or(0),
        budget,
        ..waraq_engine::Setting::default()
    }
}

fn printed(pages: waraq_engine::Pages) -> Result<Set> {
    let pdf = waraq_engine::pdf(&pages, &waraq_engine::PdfOptions::default()).map_err(engine_error)?;
    let warnings = waraq_engine::with_warnings(pages.warnings.clone(), pdf.warnings);
    let count = u32::try_from(pages.pages.len()).unwrap_or(u32::MAX);
    Ok(Set { pages, count, pdf: pdf.bytes, warnings })
}

#[async_trait]
impl Typesetter for Making {
    async fn examine(&self, docx: Arc<Vec<u8>>, setting: &Setting) -> Result<Examined> {
        let setting = setting.clone();
        let turn = self.share.turn(Cost::of_file(docx.len())).await?;
        Self::run(turn, move |budget| {
            let package = waraq_engine::open_within(docx.to_vec(), &budget).map_err(engine_error)?;
            let (fields, mut findings) = fields::check(&package)?;
            if findings.iter().any(|finding| finding.severity == Severity::Error) {
                return Ok(Examined { findings, fields, pdf: Vec::new(), pages: 0, first_page: None });
            }
            let pages = waraq_engine::pages(&package, &setting_of(&setting, budget)).map_err(engine_error)?;
            let set = printed(pages)?;
            findings = waraq_engine::with_warnings(findings, set.warnings);
            let picture = waraq_engine::first_page_picture(&set.pages).map_err(engine_error)?;
            let first_page = FirstPage { bytes: picture.bytes, width: picture.width, height: picture.height };
            Ok(Examined { findings, fields, pdf: set.pdf, pages: set.count, first_page: Some(first_page) })
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
        let values_bytes = values.iter().map(|(name, value)| name.len() + value.len()).sum();
        let turn = self.share.turn(Cost::of_filling(pages, values_bytes)).await?;
        let template = ENGINE.templates.open(files, key).await?;
        let setting = setting.clone();
        Self::run(turn, move |budget| {
            let finished = fields::finish(&template, values, setting.blank, &setting_of(&setting, budget))?;
            let (docx, set) = (finished.docx, printed(finished.pages)?);
            Ok(Filled { docx, pdf: set.pdf, pages: set.count, warnings: set.warnings })
        })
        .await
    }
}
