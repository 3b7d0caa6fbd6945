//! Parsing of the command line.

use std::ffi::OsString;

use lexopt::prelude::{Long, Short, Value};

use crate::Failure;

pub const USAGE: &str = "\
waraq fields IN                                  list the fields of a template, one per line, in reading order; types other
                                                 than text after a tab, and columns of lists as list[].column
waraq check IN                                   report problems and unsupported features of a template, as JSON
waraq convert IN -o OUT.docx                     rewrite a template for docxtemplater, docxtpl or Carbone; the report is JSON on
                                                 standard output, or on standard error if OUT.docx is -
waraq detect IN                                  find the blanks of an ordinary document (underscores, brackets, empty cells …)
                                                 and suggest fields, as JSON
waraq mark IN --fields FIELDS.json -o OUT.docx   turn blanks into fields; FIELDS.json is the output of detect, or a list of its
                                                 blanks with other names; the report is JSON, as for convert
waraq unmark IN --fields REPORT.json -o OUT.docx undo the marks; REPORT.json is the report of mark
waraq fill IN --values VALUES.json -o OUT.docx   fill the fields: {\"name\": \"value\", \"list\": [{\"column\": \"value\"}], \"yes or no\": true,
                                                 \"picture\": {\"image\": \"data:image/png;base64,…\"}, …}
waraq pdf IN [--values VALUES.json] -o OUT.pdf   write the document as PDF
waraq png IN [--values VALUES.json] -o OUT_DIR   write a picture of each page
waraq inspect IN                                 describe the content of the document, as JSON

  -                  as a file name: standard input or standard output
  --title TEXT       title of the PDF (default: the title of the document)
  --language TAG     language of the PDF, BCP 47 (default: the language of the document)
  --untagged         write no structure tags (with tags, the PDF claims PDF/UA-1 if it satisfies it)
  --pdf-ua           report why PDF/UA-1 is not claimed
  --pdf-a            also claim PDF/A-2a, or report why it is not claimed
  --comments         show comments beside each page
  --changes          show tracked changes: inserted and deleted text
  --derive FILE      compute values from others: {\"name\": {\"kind\": \"amount_in_words\", \"of\": \"name\", \"currency\": \"MAD\"}, …};
                     the words are in the language of --language
  --country CODE     country of the document, ISO 3166; it selects the words for amounts and months, and the format of dates
  --blank            print nothing for an empty value, instead of a dotted line
  --scale N          pixels per point of a picture (default: 2)
  --verbose          report unsupported features and the work done, on standard error
  --help, --version

Exit status: 0 on success; 1 if the document is refused (the error code is printed first); 2 if the usage is wrong or a file
cannot be read or written.
SOURCE_DATE_EPOCH, if set, is the current time for fields that print the date.
";

pub enum Invocation {
    Help,
    Version,
    Run(Command, Options),
}

pub enum Command {
    Fields { input: OsString },
    Check { input: OsString },
    Inspect { input: OsString },
    Convert { input: OsString, output: OsString },
    Detect { input: OsString },
    Mark { input: OsString, fields: OsString, output: OsString },
    Unmark { input: OsString, report: OsString, output: OsString },
    Fill { input: OsString, values: OsString, output: OsString },
    Pdf { input: OsString, values: Option<OsString>, output: OsString },
    Png { input: OsString, values: Option<OsString>, output: OsString },
}

pub struct Options {
    pub title: Option<String>,
    pub language: Option<String>,
    pub untagged: bool,
    pub pdf_ua: bool,
    pub pdf_a: bool,
    pub comments: bool,
    pub changes: bool,
    pub blank: bool,
    pub derivations: Option<OsString>,
    pub country: Option<String>,
    pub scale: f32,
    pub verbose: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            title: None,
            language: None,
            untagged: false,
            pdf_ua: false,
            pdf_a: false,
            comments: false,
            changes: false,
            blank: false,
            derivations: None,
            country: None,
            scale: 2.0,
            verbose: false,
        }
    }
}

/// The arguments of the command line that are not in [`Options`]: the command and its files.
#[derive(Default)]
struct CommandArguments {
    command: Option<String>,
    input: Option<OsString>,
    values: Option<OsString>,
    fields: Option<OsString>,
    output: Option<OsString>,
}

pub fn parse() -> Result<Invocation, Failure> {
    let mut words = CommandArguments::default();
    let mut options = Options::default();
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return Ok(Invocation::Help),
            Short('V') | Long("version") => return Ok(Invocation::Version),
            Short('o') | Long("output") => words.output = Some(parser.value().map_err(usage_error)?),
            Long("values") => words.values = Some(parser.value().map_err(usage_error)?),
            Long("fields") => words.fields = Some(parser.value().map_err(usage_error)?),
            Long("title") => options.title = Some(string_value(&mut parser)?),
            Long("language") => options.language = Some(string_value(&mut parser)?),
            Long("untagged") => options.untagged = true,
            Long("pdf-ua") => options.pdf_ua = true,
            Long("pdf-a") => options.pdf_a = true,
            Long("comments") => options.comments = true,
            Long("changes") => options.changes = true,
            Long("derive") => options.derivations = Some(parser.value().map_err(usage_error)?),
            Long("country") => options.country = Some(string_value(&mut parser)?),
            Long("blank") => options.blank = true,
            Long("scale") => options.scale = scale_value(&mut parser)?,
            Short('v') | Long("verbose") => options.verbose = true,
            Value(verb) if words.command.is_none() => words.command = Some(verb.to_string_lossy().into_owned()),
            Value(input) if words.input.is_none() => words.input = Some(input),
            other => return Err(usage_error(other.unexpected())),
        }
    }
    Ok(Invocation::Run(parse_command(words)?, options))
}

fn parse_command(words: CommandArguments) -> Result<Command, Failure> {
    let Some(verb) = words.command else { return Err(Failure::Usage("no command".into())) };
    let missing = |what: &str| Failure::Usage(format!("{verb}: {what} is missing"));
    let input = words.input.ok_or_else(|| missing("IN"));
    let output = words.output.ok_or_else(|| missing("-o"));
    match verb.as_str() {
        "fields" => Ok(Command::Fields { input: input? }),
        "check" => Ok(Command::Check { input: input? }),
        "inspect" => Ok(Command::Inspect { input: input? }),
        "convert" => Ok(Command::Convert { input: input?, output: output? }),
        "detect" => Ok(Command::Detect { input: input? }),
        "mark" | "unmark" => {
            let (input, fields, output) = (input?, words.fields.ok_or_else(|| missing("--fields"))?, output?);
            Ok(match verb.as_str() {
                "mark" => Command::Mark { input, fields, output },
                _ => Command::Unmark { input, report: fields, output },
            })
        }
        "fill" => {
            let (input, values) = (input?, words.values.ok_or_else(|| missing("--values"))?);
            Ok(Command::Fill { input, values, output: output? })
        }
        "pdf" => Ok(Command::Pdf { input: input?, values: words.values, output: output? }),
        "png" => Ok(Command::Png { input: input?, values: words.values, output: output? }),
        other => Err(Failure::Usage(format!("no command {other:?}"))),
    }
}

fn usage_error(error: lexopt::Error) -> Failure {
    Failure::Usage(error.to_string())
}

fn string_value(parser: &mut lexopt::Parser) -> Result<String, Failure> {
    Ok(parser.value().map_err(usage_error)?.to_string_lossy().into_owned())
}

fn scale_value(parser: &mut lexopt::Parser) -> Result<f32, Failure> {
    let given = string_value(parser)?;
    given
        .parse()
        .ok()
        .filter(|scale: &f32| scale.is_finite() && *scale > 0.0)
        .ok_or_else(|| Failure::Usage(format!("--scale: {given:?} is no number above 0")))
}
