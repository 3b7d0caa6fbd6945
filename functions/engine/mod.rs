//! The engine as core's typesetter: off the threads that serve requests, bounded in time, with the templates a warm process
//! has already opened.

mod fields;
mod opened;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Semaphore;
use waraq_aws::Cloud;
use waraq_core::files::Files;
use waraq_core::publishing::{Examined, Filled, Finding, FirstPage, Publisher, Setting, Severity, Typesetter};
use waraq_core::{Error, ErrorKind, Result};

/// A document that takes longer is refused: the platform ends a request after thirty seconds.
const LONGEST: Duration = Duration::from_secs(25);

/// The one engine of a process.
pub fn typesetter() -> &'static dyn Typesetter {
    static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Engine { templates: opened::Templates::default(), places: Arc::new(Semaphore::new(processors)) }
    });
    &*ENGINE
}

/// What publishes templates, on these stores.
pub fn publisher(cloud: &Cloud) -> Publisher<'_> {
    Publisher {
        templates: cloud.templates(),
        files: cloud.files(),
        typesetter: typesetter(),
        clock: cloud.clock(),
        chance: cloud.chance(),
    }
}

struct Engine {
    templates: opened::Templates,
    /// As many documents at once as there are processors: more would only take memory.
    places: Arc<Semaphore>,
}

impl Engine {
    /// Runs `work` on a thread of its own kind. Work whose time is over goes on, unheard, and keeps its place.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| Error::internal("the engine is closed"))?;
        let task = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        match tokio::time::timeout(LONGEST, task).await {
            Ok(Ok(done)) => done,
            Ok(Err(panicked)) => Err(Error::internal(format!("the engine: {panicked}"))),
            Err(_) => Err(refused("document_too_slow", "This document takes too long to set.")),
        }
    }
}

fn refused(code: &str, message: &str) -> Error {
    Error::new(ErrorKind::Refused, code, message)
}

pub(crate) fn engine_error(error: waraq_engine::Error) -> Error {
    refused(error.code, &error.message).with_fields(["file"])
}

fn warning(warning: waraq_engine::Warning) -> Finding {
    Finding {
        code: warning.code.to_string(),
        severity: Severity::Warning,
        message: warning.message,
        part: (!warning.part.is_empty()).then_some(warning.part),
        paragraph: None,
        context: None,
    }
}

/// A set document.
struct Set {
    pages: waraq_engine::Pages,
    count: u32,
    pdf: Vec<u8>,
    warnings: Vec<Finding>,
}

fn set(package: &waraq_engine::Package, setting: &Setting) -> Result<Set> {
    let with = waraq_engine::Setting {
        title: Some(setting.title.clone()),
        language: Some(setting.language.clone()),
        now: i64::try_from(setting.now.seconds()).unwrap_or(0),
        ..waraq_engine::Setting::default()
    };
    let pages = waraq_engine::pages(package, &with).map_err(engine_error)?;
    let pdf = waraq_engine::pdf(&pages, &waraq_engine::PdfOptions::default()).map_err(engine_error)?;
    let warnings = pages.warnings.iter().cloned().chain(pdf.warnings).map(warning).collect();
    let count = u32::try_from(pages.pages.len()).unwrap_or(u32::MAX);
    Ok(Set { pages, count, pdf: pdf.bytes, warnings })
}

#[async_trait]
impl Typesetter for Engine {
    async fn examine(&self, docx: Arc<Vec<u8>>, setting: &Setting) -> Result<Examined> {
        let setting = setting.clone();
        self.run(move || {
            let package = waraq_engine::open(&docx).map_err(engine_error)?;
            let (fields, mut findings) = fields::check(&package)?;
            if findings.iter().any(|finding| finding.severity == Severity::Error) {
                return Ok(Examined { findings, fields, pdf: Vec::new(), pages: 0, first_page: None });
            }
            let set = set(&package, &setting)?;
            findings.extend(set.warnings);
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
        values: Vec<(String, String)>,
        setting: &Setting,
    ) -> Result<Filled> {
        let template = self.templates.open(files, key).await?;
        let setting = setting.clone();
        self.run(move || {
            let filled = fields::fill(&template, values, setting.blank)?;
            let set = set(&filled, &setting)?;
            // what page references show in the file is what the pages say (design: rule 8)
            let renewed = waraq_engine::renew(&filled, &set.pages).map_err(engine_error)?;
            let docx = renewed.to_bytes().map_err(fields::docx_error)?;
            Ok(Filled { docx, pdf: set.pdf, pages: set.count, warnings: set.warnings })
        })
        .await
    }
}
