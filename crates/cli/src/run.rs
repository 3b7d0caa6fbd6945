//! What each command does.

use std::time::{SystemTime, UNIX_EPOCH};

use waraq_engine::{Package, Pages, PdfOptions, Setting};

use crate::arguments::{Command, Options};
use crate::{Failure, files};

pub fn run(command: &Command, options: &Options) -> Result<(), Failure> {
    match command {
        Command::Pdf { input, output } => {
            let pages = pages(&open(input)?, options)?;
            let standards = PdfOptions { tagged: options.tagged, pdf_ua: options.pdf_ua, pdf_a: options.pdf_a };
            let pdf = waraq_engine::pdf(&pages, &standards)?;
            tell(options, pages.warnings.iter().chain(&pdf.warnings));
            files::write(output, &pdf.bytes)
        }
        Command::Png { input, output } => {
            let pages = pages(&open(input)?, options)?;
            let folder = files::folder(output)?;
            let digits = pages.pages.len().to_string().len();
            for index in 0..pages.pages.len() {
                let picture = waraq_engine::png(&pages, index, options.scale)?;
                let name = format!("page-{:0digits$}.png", index + 1);
                files::write(folder.join(name).as_os_str(), &picture.bytes)?;
            }
            tell(options, pages.warnings.iter());
            Ok(())
        }
    }
}

fn open(input: &std::ffi::OsStr) -> Result<Package, Failure> {
    Ok(waraq_engine::open(&files::read(input)?)?)
}

fn pages(package: &Package, options: &Options) -> Result<Pages, Failure> {
    let setting = Setting {
        title: options.title.clone(),
        language: options.language.clone(),
        now: now(),
        show_comments: options.comments,
        ..Setting::default()
    };
    Ok(waraq_engine::pages(package, &setting)?)
}

/// Seconds since 1970: SOURCE_DATE_EPOCH, or the clock.
fn now() -> i64 {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    given.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_secs()).unwrap_or(0)
    })
}

fn tell<'a>(options: &Options, warnings: impl Iterator<Item = &'a waraq_engine::Warning>) {
    if options.verbose {
        for warning in warnings {
            eprintln!("{}: {} {}", warning.code, warning.part, warning.message);
        }
    }
}
