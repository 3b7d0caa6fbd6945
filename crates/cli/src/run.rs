//! The commands.

use std::ffi::OsStr;
use std::time::{SystemTime, UNIX_EPOCH};

use waraq_engine::derivation::{self, Derivations};
use waraq_engine::{
    Budget, Claim, EmptyValue, Error, ErrorCode, FillOptions, Finding, Package, Pages, PdfOptions, Setting, Values,
};

use crate::arguments::{Command, Options};
use crate::{Failure, files};

pub fn run(command: &Command, options: &Options) -> Result<(), Failure> {
    match command {
        Command::Fields { input } => fields(input),
        Command::Check { input } => check(input, options),
        Command::Inspect { input } => say_json(&waraq_engine::inspect(&open(input)?)?),
        Command::Fill { input, values, output } => {
            let filled = filled(input, Some(values), options)?;
            // filling may move pages, so PAGEREF and REF fields (also those of a table of contents) must be updated
            let pages = pages(&filled, options)?;
            tell(options, pages.warnings.iter());
            files::write(output, &waraq_engine::renew(&filled, &pages)?.to_bytes()?)
        }
        Command::Pdf { input, values, output } => {
            let pages = pages(&filled(input, values.as_deref(), options)?, options)?;
            let pdf = waraq_engine::pdf(&pages, &standards(options))?;
            tell(options, pages.warnings.iter().chain(&pdf.warnings));
            if options.verbose {
                eprintln!("work: {} units", pages.meter.work());
            }
            files::write(output, &pdf.bytes)
        }
        Command::Png { input, values, output } => {
            let pages = pages(&filled(input, values.as_deref(), options)?, options)?;
            tell(options, pages.warnings.iter());
            let folder = files::folder(output)?;
            let digits = pages.pages.len().to_string().len();
            for index in 0..pages.pages.len() {
                let picture = waraq_engine::png(&pages, index, options.scale)?;
                let name = format!("page-{:0digits$}.png", index + 1);
                files::write(folder.join(name).as_os_str(), &picture.bytes)?;
            }
            Ok(())
        }
    }
}

fn standards(options: &Options) -> PdfOptions {
    let mut standards = if options.untagged { PdfOptions::plain() } else { PdfOptions::default() };
    if options.pdf_ua {
        standards.pdf_ua = Claim::Wanted;
    }
    if options.pdf_a {
        standards.pdf_a = Claim::Wanted;
    }
    standards
}

fn fields(input: &OsStr) -> Result<(), Failure> {
    let fields = waraq_engine::fields(&open(input)?)?;
    files::say(&fields.iter().map(|field| format!("{}\n", field.name)).collect::<String>())
}

fn check(input: &OsStr, options: &Options) -> Result<(), Failure> {
    let package = open(input)?;
    let findings = waraq_engine::check(&package)?;
    let pages = pages(&package, options)?;
    let pdf = waraq_engine::pdf(&pages, &PdfOptions::default())?;
    let warnings = pages.warnings.into_iter().chain(pdf.warnings);
    say_json(&waraq_engine::with_warnings(findings, warnings))
}

fn say_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::File(error.to_string()))?;
    files::say(&(text + "\n"))
}

fn open(input: &OsStr) -> Result<Package, Failure> {
    Ok(waraq_engine::open_within(files::read(input)?, &Budget::default())?)
}

/// Opens the document, and fills it if there are values.
fn filled(input: &OsStr, values: Option<&OsStr>, options: &Options) -> Result<Package, Failure> {
    if values == Some(input) && input == "-" {
        return Err(Failure::Usage("the document and the values cannot both come from standard input".into()));
    }
    let package = open(input)?;
    let Some(values) = values else { return Ok(package) };
    let json = serde_json::from_slice(&files::read(values)?)
        .map_err(|error| Error::new(ErrorCode::InvalidValues, format!("The values are no JSON: {error}.")))?;
    let empty = if options.blank { EmptyValue::Blank } else { EmptyValue::DottedLine };
    let mut values = Values::from_json(&json).map_err(Error::from)?;
    derive(&package, &mut values, options)?;
    Ok(waraq_engine::fill(&package, &values, FillOptions { empty })?)
}

/// Computes the derived values. With `--verbose`, reports those that stay empty.
fn derive(package: &Package, values: &mut Values, options: &Options) -> Result<(), Failure> {
    let Some(file) = &options.derivations else { return Ok(()) };
    let usage = |what: &str| Failure::Usage(format!("--derive: {what}"));
    let language = options.language.as_deref().ok_or_else(|| usage("--language is missing"))?;
    let derivations: Derivations = serde_json::from_slice(&files::read(file)?)
        .map_err(|error| Error::new(ErrorCode::InvalidDerivation, format!("{error}.")))?;
    let fields: Vec<String> = waraq_engine::fields(package)?.into_iter().map(|field| field.name).collect();
    derivation::check(&derivations, &fields).map_err(Error::from)?;
    let setting = derivation::Setting { language, country: options.country.as_deref() };
    for (field, said) in derivation::fill_in(values, &derivations, &setting) {
        if let Err(why) = said
            && options.verbose
        {
            eprintln!("{why}: {field}");
        }
    }
    Ok(())
}

fn pages(package: &Package, options: &Options) -> Result<Pages, Failure> {
    let setting = Setting {
        title: options.title.clone(),
        language: options.language.clone(),
        now: now(),
        show_comments: options.comments,
        show_changes: options.changes,
        ..Setting::default()
    };
    Ok(waraq_engine::pages(package, &setting)?)
}

/// Returns the current time in seconds since 1970, or SOURCE_DATE_EPOCH if it is set.
fn now() -> i64 {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    given.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_secs()).unwrap_or(0)
    })
}

fn tell<'a>(options: &Options, warnings: impl Iterator<Item = &'a Finding>) {
    if options.verbose {
        for warning in warnings {
            eprintln!("{}: {} {}", warning.code, warning.part.as_deref().unwrap_or_default(), warning.message);
        }
    }
}
