//! Runs the commands of the command line, such as `fill` and `pdf`.

use std::ffi::OsStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use waraq_engine::derivation::{self, Derivations};
use waraq_engine::{
    Budget, DeclaredTypes, Diagnostic, EmptyValue, Error, ErrorCode, FieldMark, FieldType, FillOptions, LayoutOptions,
    MarkChange, Package, Pages, PdfOptions, StandardClaim, Structure, StructuredField, Values,
};

use crate::arguments::{Command, Options};
use crate::{Failure, files};

pub fn run_command(command: &Command, options: &Options) -> Result<(), Failure> {
    match command {
        Command::Fields { input } => print_fields(input),
        Command::Check { input } => print_diagnostics(input, options),
        Command::Inspect { input } => print_json(&waraq_engine::inspect(&open_document(input)?)?),
        Command::Convert { input, output } => convert(input, output),
        Command::Detect { input } => print_json(&waraq_engine::detect_blanks(&open_document(input)?)?),
        Command::Mark { input, fields, output } => mark(input, fields, output),
        Command::Unmark { input, report, output } => unmark(input, report, output),
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
    let mut lines = String::new();
    add_field_lines(&mut lines, "", &waraq_engine::structure(&open_document(input)?, &DeclaredTypes::default())?.0);
    files::print(&lines)
}

/// Adds a line for each field: its name, and after a tab its type unless it is a text. The name of a column is written with
/// its list: `items[].price`.
fn add_field_lines(lines: &mut String, before: &str, fields: &[StructuredField]) {
    for field in fields {
        let field_type = match field.field_type {
            FieldType::Text => "",
            FieldType::YesNo => "\tyes_no",
            FieldType::List => "\tlist",
            FieldType::Picture => "\tpicture",
            FieldType::Signature => "\tsignature",
            FieldType::QrCode => "\tqr_code",
        };
        lines.push_str(&format!("{before}{}{field_type}\n", field.name));
        add_field_lines(lines, &format!("{before}{}[].", field.name), &field.columns);
    }
}

fn print_diagnostics(input: &OsStr, options: &Options) -> Result<(), Failure> {
    let package = open_document(input)?;
    let findings = waraq_engine::check(&package)?;
    let pages = lay_out(&package, options)?;
    let pdf = waraq_engine::pdf(&pages, &PdfOptions::default())?;
    let warnings = pages.warnings.into_iter().chain(pdf.warnings);
    print_json(&waraq_engine::with_warnings(findings, warnings))
}

/// Converts a template for another program. A document without marks of another program is copied.
fn convert(input: &OsStr, output: &OsStr) -> Result<(), Failure> {
    let bytes = files::read_file(input)?;
    let package = waraq_engine::open_with_budget(bytes.clone(), &Budget::default())?;
    let converted = waraq_engine::convert_marks(&package)?;
    let bytes = if converted.converted > 0 { converted.package.to_bytes()? } else { bytes };
    write_with_report(output, &bytes, &converted)
}

/// The places that `mark` turns into fields: the output of `detect`, or a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum FieldsFile {
    List(Vec<FieldMark>),
    Object {
        #[serde(alias = "blanks")]
        fields: Vec<FieldMark>,
    },
}

/// The part of the report of `mark` that `unmark` needs.
#[derive(Deserialize)]
struct MarkReport {
    changes: Vec<MarkChange>,
}

/// Turns blanks into fields. A document in which nothing was marked is copied.
fn mark(input: &OsStr, fields: &OsStr, output: &OsStr) -> Result<(), Failure> {
    let marks = match parse_json(fields)? {
        FieldsFile::List(marks) | FieldsFile::Object { fields: marks } => marks,
    };
    let bytes = files::read_file(input)?;
    let package = waraq_engine::open_with_budget(bytes.clone(), &Budget::default())?;
    let marked = waraq_engine::mark_fields(&package, &marks)?;
    let bytes = if marked.changes.is_empty() { bytes } else { marked.package.to_bytes()? };
    write_with_report(output, &bytes, &marked)
}

/// Undoes the changes of `mark`.
fn unmark(input: &OsStr, report: &OsStr, output: &OsStr) -> Result<(), Failure> {
    let report: MarkReport = parse_json(report)?;
    let unmarked = waraq_engine::unmark_fields(&open_document(input)?, &report.changes)?;
    write_with_report(output, &unmarked.package.to_bytes()?, &unmarked)
}

/// Reads a JSON file of the user.
fn parse_json<T: serde::de::DeserializeOwned>(path: &OsStr) -> Result<T, Failure> {
    let bytes = files::read_file(path)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Failure::Usage(format!("--fields: {}: {error}", path.to_string_lossy())))
}

/// Writes a document, and its report to standard output. If the document goes to standard output, the report goes to
/// standard error.
fn write_with_report(output: &OsStr, bytes: &[u8], report: &impl serde::Serialize) -> Result<(), Failure> {
    files::write_file(output, bytes)?;
    if output == "-" {
        let report = serde_json::to_string_pretty(report).map_err(|error| Failure::File(error.to_string()))?;
        eprintln!("{report}");
        return Ok(());
    }
    print_json(report)
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
    let structure = waraq_engine::structure(&package, &values.list_types())?;
    values.convert_to(&structure);
    fill_derived_values(&structure, &mut values, options)?;
    let country = options.country.as_deref();
    let options = FillOptions { empty, country, structure: Some(&structure), ..FillOptions::default() };
    Ok(waraq_engine::fill(&package, &values, options)?)
}

/// Adds the values of derived fields to `values`, if the option `--derive` is given. With `--verbose`, prints why a
/// derived field has no value.
fn fill_derived_values(structure: &Structure, values: &mut Values, options: &Options) -> Result<(), Failure> {
    let Some(file) = &options.derivations else { return Ok(()) };
    let usage = |what: &str| Failure::Usage(format!("--derive: {what}"));
    let language = options.language.as_deref().ok_or_else(|| usage("--language is missing"))?;
    let derivations: Derivations = serde_json::from_slice(&files::read_file(file)?)
        .map_err(|error| Error::new(ErrorCode::InvalidDerivation, format!("{error}.")))?;
    derivation::check_structure(&derivations, structure).map_err(Error::from)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_columns_are_printed_with_the_names() {
        let list = |name: &str, columns| StructuredField { name: name.into(), field_type: FieldType::List, columns };
        let photo = StructuredField { field_type: FieldType::Picture, ..StructuredField::text("photo") };
        let parts = list("parts", vec![StructuredField::text("part"), photo]);
        let fields = [StructuredField::text("name"), list("items", vec![StructuredField::text("price"), parts])];
        let mut lines = String::new();
        add_field_lines(&mut lines, "", &fields);
        assert_eq!(
            lines,
            "name\nitems\tlist\nitems[].price\nitems[].parts\tlist\nitems[].parts[].part\nitems[].parts[].photo\tpicture\n"
        );
    }
}
