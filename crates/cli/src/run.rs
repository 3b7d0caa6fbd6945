//! Runs the commands of the command line, such as `fill` and `pdf`.

use std::ffi::OsStr;
use std::time::{SystemTime, UNIX_EPOCH};

use waraq_engine::derivation::{self, Derivations};
use waraq_engine::{
    Budget, Diagnostic, EmptyValue, Error, ErrorCode, FillOptions, LayoutOptions, Package, Pages, PdfOptions,
    StandardClaim, Values,
};

use crate::arguments::{Command, Options};
use crate::{Failure, files};

pub fn run_command(command: &Command, options: &Options) -> Result<(), Failure> {
    match command {
        Command::Fields { input } => print_fields(input),
        Command::Check { input } => print_diagnostics(input, options),
        Command::Inspect { input } => print_json(&waraq_engine::inspect(&open_document(input)?)?),
        Command::Fill { input, values, output } => {
            let filled = open_filled(input, Some(values), options)?;
            // filling may move pages, so PAGEREF and REF fields (also those of a table of contents) must be updated
            let pages = lay_out(&filled, options)?;
            print_warnings(options, pages.warnings.iter());
            files::write_file(output, &waraq_engine::update_references(&filled, &pages)?.to_bytes()?)
        }
        Command::Pdf { input, values, output } => {
            let pages = lay_out(&open_filled(input, values.as_deref(), options)?, options)?;
            let pdf = waraq_engine::pdf(&pages, &pdf_options(options))?;
            print_warnings(options, pages.warnings.iter().chain(&pdf.warnings));
            if options.verbose {
                eprintln!("work: {} units", pages.meter.work());
            }
            files::write_file(output, &pdf.bytes)
        }
        Command::Png { input, values, output } => {
            let pages = lay_out(&open_filled(input, values.as_deref(), options)?, options)?;
            print_warnings(options, pages.warnings.iter());
            let folder = files::create_folder(output)?;
            let digits = pages.pages.len().to_string().len();
            for index in 0..pages.pages.len() {
                let picture = waraq_engine::png(&pages, index, options.scale)?;
                let name = format!("page-{:0digits$}.png", index + 1);
                files::write_file(folder.join(name).as_os_str(), &picture.bytes)?;
            }
            Ok(())
        }
    }
}

fn pdf_options(options: &Options) -> PdfOptions {
    let mut standards = if options.untagged { PdfOptions::plain() } else { PdfOptions::default() };
    if options.pdf_ua {
        standards.pdf_ua = StandardClaim::IfPossibleOrWarn;
    }
    if options.pdf_a {
        standards.pdf_a = StandardClaim::IfPossibleOrWarn;
    }
    standards
}

fn print_fields(input: &OsStr) -> Result<(), Failure> {
    let fields = waraq_engine::fields(&open_document(input)?)?;
    files::print(&fields.iter().map(|field| format!("{}\n", field.name)).collect::<String>())
}

fn print_diagnostics(input: &OsStr, options: &Options) -> Result<(), Failure> {
    let package = open_document(input)?;
    let findings = waraq_engine::check(&package)?;
    let pages = lay_out(&package, options)?;
    let pdf = waraq_engine::pdf(&pages, &PdfOptions::default())?;
    let warnings = pages.warnings.into_iter().chain(pdf.warnings);
    print_json(&waraq_engine::with_warnings(findings, warnings))
}

fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::File(error.to_string()))?;
    files::print(&(text + "\n"))
}

fn open_document(input: &OsStr) -> Result<Package, Failure> {
    Ok(waraq_engine::open_with_budget(files::read_file(input)?, &Budget::default())?)
}

/// Opens the document `input`. If `values` names a file, fills the document with the values in that file.
fn open_filled(input: &OsStr, values: Option<&OsStr>, options: &Options) -> Result<Package, Failure> {
    if values == Some(input) && input == "-" {
        return Err(Failure::Usage("the document and the values cannot both come from standard input".into()));
    }
    let package = open_document(input)?;
    let Some(values) = values else { return Ok(package) };
    let empty = if options.blank { EmptyValue::Blank } else { EmptyValue::DottedLine };
    let mut values = Values::from_json(&files::read_file(values)?).map_err(Error::from)?;
    fill_derived_values(&package, &mut values, options)?;
    Ok(waraq_engine::fill(&package, &values, FillOptions { empty, country: options.country.as_deref() })?)
}

/// Adds the values of derived fields to `values`, if the option `--derive` is given. With `--verbose`, prints why a
/// derived field has no value.
fn fill_derived_values(package: &Package, values: &mut Values, options: &Options) -> Result<(), Failure> {
    let Some(file) = &options.derivations else { return Ok(()) };
    let usage = |what: &str| Failure::Usage(format!("--derive: {what}"));
    let language = options.language.as_deref().ok_or_else(|| usage("--language is missing"))?;
    let derivations: Derivations = serde_json::from_slice(&files::read_file(file)?)
        .map_err(|error| Error::new(ErrorCode::InvalidDerivation, format!("{error}.")))?;
    let fields: Vec<String> = waraq_engine::fields(package)?.into_iter().map(|field| field.name).collect();
    derivation::check(&derivations, &fields).map_err(Error::from)?;
    let setting = derivation::TemplateLocale { language, country: options.country.as_deref() };
    for (field, said) in derivation::fill_derived_values(values, &derivations, &setting) {
        if let Err(why) = said
            && options.verbose
        {
            eprintln!("{why}: {field}");
        }
    }
    Ok(())
}

fn lay_out(package: &Package, options: &Options) -> Result<Pages, Failure> {
    let setting = LayoutOptions {
        title: options.title.clone(),
        language: options.language.clone(),
        now: now(),
        country: options.country.clone(),
        show_comments: options.comments,
        show_changes: options.changes,
        ..LayoutOptions::default()
    };
    Ok(waraq_engine::lay_out(package, &setting)?)
}

/// Returns the seconds since 1970: `SOURCE_DATE_EPOCH` if it is set, otherwise the current time.
fn now() -> i64 {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    given.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_secs()).unwrap_or(0)
    })
}

fn print_warnings<'a>(options: &Options, warnings: impl Iterator<Item = &'a Diagnostic>) {
    if options.verbose {
        for warning in warnings {
            eprintln!("{}: {} {}", warning.code, warning.part.as_deref().unwrap_or_default(), warning.message);
        }
    }
}
