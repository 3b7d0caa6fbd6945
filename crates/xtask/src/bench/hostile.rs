//! `cargo xtask bench hostile`: measures documents that are cheap to create but expensive to read. Also checks damaged
//! documents. Each document is converted in its own process.
//!
//! `crates/docx/examples/hostile` creates each hostile document twice. The second document has twice as much content as
//! the first. It should take about twice the time; more than three times is a failure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use super::corpus::{self, is_coded, megabytes};
use super::{Options, measure, output_folder, stem};
use crate::steps::{check, example};

const SLOWEST: Duration = Duration::from_secs(10);
const MOST_MEMORY: u64 = 768 << 20;
/// Maximum ratio between the times of two documents. The second document has twice as much content as the first. The
/// ratio is checked only if the longer time is more than [`LONG_ENOUGH`].
const GROWTH: f64 = 3.0;
const LONG_ENOUGH: Duration = Duration::from_millis(400);

pub fn run(options: &Options) -> Result<()> {
    let waraq = options.waraq()?;
    let mut missed = Vec::new();
    if options.corpus.join("broken").is_dir() {
        corpus::broken(options, &waraq, &mut missed)?;
    }
    bombs(options, &waraq, &mut missed)?;
    filled(options, &waraq, &mut missed)?;
    if missed.is_empty() {
        println!("\nevery goal is met");
        return Ok(());
    }
    bail!("{} goals are missed:\n  - {}", missed.len(), missed.join("\n  - "))
}

struct Conversion {
    time: Duration,
    memory: u64,
    /// The result as text, for example "12 kB of PDF", or the error.
    outcome: String,
    /// `true` if the program wrote a PDF or one line with an error code.
    sound: bool,
}

/// Converts a document twice, first to measure the time and then the memory.
fn convert_twice(waraq: &Path, file: &Path, folder: &Path) -> Result<Conversion> {
    let pdf = folder.join(stem(file) + ".pdf");
    let command = || {
        let mut command = Command::new(waraq);
        command.arg("pdf").arg(file).arg("-o").arg(&pdf);
        command
    };
    let made = measure::run(&mut command())?;
    let memory = measure::peak_memory(&mut command()).unwrap_or(0);
    let line = made.stderr.trim_end();
    let size = || std::fs::metadata(&pdf).map_or(0, |metadata| metadata.len());
    let (outcome, sound) = match made.status.code() {
        Some(0) => (format!("{} kB of PDF", size() / 1024), true),
        Some(1) => (line.to_owned(), is_coded(line)),
        _ => (format!("{}: {line}", made.status), false),
    };
    Ok(Conversion { time: made.time, memory, outcome, sound })
}

fn bombs(options: &Options, waraq: &Path, missed: &mut Vec<String>) -> Result<()> {
    let folder = output_folder("hostile")?;
    let made = folder.join("documents");
    check(example("hostile")?.arg(&made))?;
    let mut documents: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in std::fs::read_dir(&made)? {
        let file = entry?.path();
        let name = stem(&file).trim_end_matches(['1', '2']).trim_end_matches('.').to_owned();
        if options.only.as_ref().is_none_or(|only| name.contains(only.as_str())) {
            documents.entry(name).or_default().push(file);
        }
    }
    println!("\n{:34} {:>8} {:>8} {:>8} {:>7} {:>8}  outcome", "bomb", "kB", "ms", "ms of 2", "times", "MB");
    for (name, mut files) in documents {
        files.sort();
        let mut sets = Vec::new();
        for file in &files {
            sets.push(convert_twice(waraq, file, &folder)?);
        }
        let (Some(first), Some(last)) = (sets.first(), sets.last()) else { continue };
        let growth = last.time.as_secs_f64() / first.time.as_secs_f64().max(0.001);
        let memory = sets.iter().map(|set| set.memory).max().unwrap_or(0);
        let twice = if sets.len() > 1 { format!("{:.0}", measure::milliseconds(last.time)) } else { "-".into() };
        let times = if sets.len() > 1 { format!("{growth:.1}") } else { "-".into() };
        let size = std::fs::metadata(&files[0])?.len() / 1024;
        println!(
            "{name:34.34} {size:>8} {:>8.0} {twice:>8} {times:>7} {:>8.1}  {}",
            measure::milliseconds(first.time),
            megabytes(memory),
            last.outcome
        );
        if let Some(unsound) = sets.iter().find(|set| !set.sound) {
            missed.push(format!("{name}: {}", unsound.outcome));
        }
        if last.time > SLOWEST || memory > MOST_MEMORY {
            missed.push(format!("{name}: {:.1} s, {:.0} MB", last.time.as_secs_f64(), megabytes(memory)));
        }
        if sets.len() > 1 && last.time > LONG_ENOUGH && growth > GROWTH {
            missed.push(format!("{name}: twice the input takes {growth:.1} times the time"));
        }
    }
    Ok(())
}

/// Checks that every filled template of the corpus opens in LibreOffice. Prints a note if LibreOffice is not installed.
fn filled(options: &Options, waraq: &Path, missed: &mut Vec<String>) -> Result<()> {
    if !crate::preflight::present("soffice") {
        println!("\nsoffice is not installed: filled documents are not opened with it");
        return Ok(());
    }
    let Ok(files) = options.files("valid") else { return Ok(()) };
    let folder = output_folder("hostile-filled")?;
    let mut filled = Vec::new();
    for file in files {
        let names = measure::run(Command::new(waraq).arg("fields").arg(&file))?;
        let values: serde_json::Map<_, _> =
            names.stdout.lines().map(|name| (name.to_owned(), "Zoé & <fils>\nمحمد 12".into())).collect();
        if values.is_empty() {
            continue;
        }
        let json = folder.join("values.json");
        std::fs::write(&json, serde_json::Value::Object(values).to_string())?;
        let docx = folder.join(stem(&file) + ".docx");
        let made =
            measure::run(Command::new(waraq).arg("fill").arg(&file).arg("--values").arg(&json).arg("-o").arg(&docx))?;
        if made.status.success() {
            filled.push(docx);
        } else {
            missed.push(format!("{} is not filled: {}", stem(&file), made.stderr.trim()));
        }
    }
    if filled.is_empty() {
        // Without a file to convert, LibreOffice would wait forever.
        return Ok(());
    }
    // one start for all files; LibreOffice does not convert a file that needs repair
    let mut soffice = Command::new("soffice");
    let profile = format!("-env:UserInstallation=file://{}", folder.join("profile").display());
    soffice
        // plain text would leave out the notes
        .args(["--headless", &profile, "--convert-to", "fodt", "--outdir"])
        .arg(folder.join("text"))
        .args(&filled);
    measure::run(&mut soffice)?;
    let mut opened = 0;
    for docx in &filled {
        let text = std::fs::read_to_string(folder.join("text").join(stem(docx) + ".fodt")).unwrap_or_default();
        if text.contains("Zoé &amp; &lt;fils&gt;") {
            opened += 1;
        } else {
            missed.push(format!("{}: LibreOffice does not show what was filled in", stem(docx)));
        }
    }
    println!("\n{opened} of {} filled documents open in LibreOffice and show their values", filled.len());
    Ok(())
}
