//! `cargo xtask bench budget`: measures time and memory of expensive documents. Each document is converted in its own
//! process with a limited address space.
//!
//! Every shipped template is filled with the longest allowed values, once for each kind of text that is expensive to
//! lay out. The limits for a filled template are 1 s of processor time and 128 MB. The other documents have 20 MB of XML
//! that repeats one kind of content. Their limits are 10 s and 512 MB. They must become pages, or be refused with the
//! error `too_complex`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use super::corpus::{is_coded, megabytes};
use super::{Options, measure, output_folder, stem};
use crate::steps::{check, example};

const SLOWEST_FILL: Duration = Duration::from_secs(1);
const MOST_FILL_MEMORY: u64 = 128 << 20;
const SLOWEST: Duration = Duration::from_secs(10);
const MOST_MEMORY: u64 = 512 << 20;
/// Maximum number of characters of a value (crates/rules/src/values.rs).
const LONGEST_VALUE: usize = 10_000;
/// Maximum number of bytes of all names and values (crates/rules/src/values.rs).
const MOST_VALUES: usize = 200_000;

pub fn run(options: &Options) -> Result<()> {
    let waraq = options.waraq()?;
    let folder = output_folder("budget")?;
    let mut missed = Vec::new();
    let templates = run_example(&folder.join("templates"), "write")?;
    let heavy = run_example(&folder.join("heavy"), "heavy")?;
    bound_address_space(MOST_MEMORY)?;
    println!("{:34} {:18} {:>6} {:>8} {:>8}  outcome", "template", "values", "fields", "ms", "MB");
    for template in templates {
        let fields = measure::run(Command::new(&waraq).arg("fields").arg(&template))?.stdout;
        let fields: Vec<&str> = fields.lines().collect();
        for (shape, value) in SHAPES.iter().filter(|(shape, _)| options.wants(&format!("{} {shape}", stem(&template))))
        {
            let values = folder.join("values.json");
            std::fs::write(&values, largest_values(&fields, *value).to_string())?;
            let set = convert_twice(&waraq, &template, Some(&values), &folder)?;
            println!("{:34.34} {shape:18} {:>6} {}", stem(&template), fields.len(), set.line());
            let name = format!("{} with {shape}", stem(&template));
            if !set.made || set.time > SLOWEST_FILL || set.memory > MOST_FILL_MEMORY {
                missed.push(format!("{name}: {}", set.line().trim()));
            }
        }
    }
    println!("\n{:34} {:>18} {:>6} {:>8} {:>8}  outcome", "document", "kB", "", "ms", "MB");
    for document in heavy.into_iter().filter(|document| options.wants(&stem(document))) {
        let set = convert_twice(&waraq, &document, None, &folder)?;
        let kilobytes = std::fs::metadata(&document)?.len() / 1024;
        println!("{:34.34} {kilobytes:>18} {:>6} {}", stem(&document), "", set.line());
        if !set.sound || set.time > SLOWEST || set.memory > MOST_MEMORY {
            missed.push(format!("{}: {}", stem(&document), set.line().trim()));
        }
    }
    if missed.is_empty() {
        println!("\nevery goal is met");
        return Ok(());
    }
    bail!("{} goals are missed:\n  - {}", missed.len(), missed.join("\n  - "))
}

/// Runs an example program that writes documents into `folder`, and returns the paths of the documents.
fn run_example(folder: &Path, example_name: &str) -> Result<Vec<PathBuf>> {
    check(example(example_name)?.arg(folder))?;
    let mut files = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

/// Limits the address space of this process and of the processes it starts.
#[cfg(unix)]
fn bound_address_space(bytes: u64) -> Result<()> {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let (_, hard) = getrlimit(Resource::RLIMIT_AS)?;
    Ok(setrlimit(Resource::RLIMIT_AS, bytes.min(hard), hard)?)
}

#[cfg(not(unix))]
fn bound_address_space(_: u64) -> Result<()> {
    bail!("bench budget: the address space of a process can only be bounded on Unix")
}

struct Conversion {
    /// Processor time of the conversion.
    time: Duration,
    /// Peak memory in bytes.
    memory: u64,
    /// The result as text, for example "12 kB of PDF", or the error.
    outcome: String,
    made: bool,
    /// `true` if the document has pages or was refused as too complex.
    sound: bool,
}

impl Conversion {
    fn line(&self) -> String {
        format!("{:>8.0} {:>8.1}  {}", measure::milliseconds(self.time), megabytes(self.memory), self.outcome)
    }
}

/// Converts a document twice, first to measure the time and then the memory.
fn convert_twice(waraq: &Path, document: &Path, values: Option<&Path>, folder: &Path) -> Result<Conversion> {
    let pdf = folder.join("out.pdf");
    let command = || {
        let mut command = Command::new(waraq);
        command.arg("pdf").arg(document).arg("-o").arg(&pdf);
        if let Some(values) = values {
            command.arg("--values").arg(values);
        }
        command
    };
    let ran = measure::run(&mut command())?;
    let memory = measure::peak_memory(&mut command()).unwrap_or(0);
    let error = ran.stderr.trim_end();
    let made = ran.status.success();
    let outcome = match ran.status.code() {
        Some(0) => format!("{} kB of PDF", std::fs::metadata(&pdf).map_or(0, |metadata| metadata.len()) / 1024),
        Some(1) if is_coded(error) => error.split(':').next().unwrap_or_default().to_owned(),
        _ => format!("{}: {error}", ran.status),
    };
    let sound = made || outcome == "too_complex";
    Ok(Conversion { time: ran.cpu, memory, outcome, made, sound })
}

/// Returns a value for each field, until all values together have the maximum number of bytes.
fn largest_values(fields: &[&str], value: fn(usize) -> String) -> serde_json::Value {
    let mut left = MOST_VALUES - fields.iter().map(|name| name.len()).sum::<usize>();
    let mut next = |at: usize| {
        let mut text: String = value(at).chars().take(LONGEST_VALUE).collect();
        while text.len() > left {
            text.pop();
        }
        left -= text.len();
        text
    };
    fields
        .iter()
        .enumerate()
        .map(|(at, name)| ((*name).to_owned(), next(at).into()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// A function that creates a field value of at least the maximum length. Its argument is a seed, so that values can differ.
type Shape = fn(usize) -> String;

/// The kinds of text that are expensive to lay out: the name of each kind, and the function that creates a value of it.
const SHAPES: &[(&str, Shape)] = &[
    ("words", |seed| letters(LONGEST_VALUE, seed, &(('a'..='z').chain([' ', ' ', ' ', ' ']).collect::<Vec<_>>()))),
    ("no spaces", |seed| letters(LONGEST_VALUE, seed, &('a'..='z').collect::<Vec<_>>())),
    ("arabic", |seed| {
        letters(LONGEST_VALUE, seed, &(('\u{627}'..='\u{63a}').chain([' ', ' ', ' ', ' ']).collect::<Vec<_>>()))
    }),
    ("arabic, no spaces", |seed| letters(LONGEST_VALUE, seed, &('\u{627}'..='\u{63a}').collect::<Vec<_>>())),
    ("arabic, vowels", |_| repeated("بَّتِ ")),
    ("both ways", |_| repeated("aب")),
    ("both ways, words", |_| repeated("ab من cd في 12 ")),
    ("both ways, brackets", |_| repeated("(ب[a")),
    ("brackets", |_| "(".repeat(LONGEST_VALUE / 2) + &")".repeat(LONGEST_VALUE / 2)),
    ("isolates", |_| repeated("\u{2067}a\u{2069}")),
    ("line breaks", |_| repeated("\n")),
    ("tabs", |_| repeated("\t")),
    ("spaces", |_| repeated(" ")),
    ("marks", |_| "a".to_owned() + &repeated("\u{301}\u{323}\u{302}")),
    ("soft hyphens", |_| repeated("a\u{ad}")),
    ("slashes", |_| repeated("a-/")),
    ("han", |seed| {
        (0..LONGEST_VALUE).filter_map(|i| char::from_u32(0x4E00 + (i + 997 * seed) as u32 % 20_000)).collect()
    }),
    ("rare han", |seed| {
        (0..LONGEST_VALUE).filter_map(|i| char::from_u32(0x2_0000 + (i + 997 * seed) as u32 % 42_000)).collect()
    }),
    ("emoji", |_| repeated("👨\u{200d}👩\u{200d}👧🏳\u{fe0f}\u{200d}🌈😀")),
    ("scripts", |_| repeated("aбαאب")),
];

fn repeated(piece: &str) -> String {
    piece.repeat(LONGEST_VALUE / piece.chars().count() + 1)
}

/// Returns `count` pseudo-random letters from `of`. The same `seed` gives the same letters in every run.
fn letters(count: usize, seed: usize, of: &[char]) -> String {
    let mut state = seed as u64 * 2 + 0x9E37_79B9_7F4A_7C15;
    let letter = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        of.get((state >> 32) as usize % of.len()).copied().unwrap_or(' ')
    };
    (0..count).map(letter).collect()
}
