//! `cargo xtask bench corpus`: every valid file must become a valid PDF in time, and every broken file must give an error code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::fidelity::Table;
use super::{Options, measure, output_folder, stem};

const SLOWEST: Duration = Duration::from_secs(2);
const SLOWEST_BROKEN: Duration = Duration::from_secs(1);
const MOST_MEMORY_BROKEN: u64 = 256 << 20;
/// Minimum percentage of the words of a reference PDF that are also in our PDF, as a mean over all files.
const MATCHED: f64 = 80.0;

pub fn run(options: &Options) -> Result<()> {
    let waraq = options.waraq()?;
    let mut missed = Vec::new();
    valid(options, &waraq, &mut missed)?;
    broken(options, &waraq, &mut missed)?;
    fields(options, &waraq, &mut missed)?;
    if missed.is_empty() {
        println!("\nevery goal is met");
        return Ok(());
    }
    bail!("{} goals are missed:\n  - {}", missed.len(), missed.join("\n  - "))
}

fn valid(options: &Options, waraq: &Path, missed: &mut Vec<String>) -> Result<()> {
    let folder = output_folder("corpus")?;
    let mut made: Vec<(PathBuf, Duration, String)> = Vec::new();
    for file in options.files("valid")? {
        let pdf = folder.join(stem(&file) + ".pdf");
        let outcome = measure::run(Command::new(waraq).arg("pdf").arg(&file).arg("-o").arg(&pdf))?;
        let verdict = if outcome.status.success() { sound(&pdf)? } else { outcome.stderr.trim().to_owned() };
        made.push((file, outcome.time, verdict));
    }
    let table = Table::compare(options, &folder)?;
    println!("\n{:48} {:>8} {:>8}  outcome", "valid", "ms", "matched");
    for (file, time, verdict) in &made {
        let name = stem(file);
        let matched = table.files.get(&name).map_or("-".into(), |row| format!("{:.1} %", row.matched));
        println!("{name:48.48} {:>8.0} {matched:>8}  {verdict}", measure::milliseconds(*time));
        if verdict != "ok" {
            missed.push(format!("{name}: {verdict}"));
        }
        if *time > SLOWEST {
            missed.push(format!("{name}: {:.1} s", time.as_secs_f64()));
        }
    }
    let rows = table.files.iter().filter(|(name, _)| made.iter().any(|(file, ..)| stem(file) == **name));
    let shares: Vec<f64> = rows.map(|(_, row)| row.matched).collect();
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    let total: Duration = made.iter().map(|(_, time, _)| *time).sum();
    println!("{} files, {:.1} s, words matched in the mean {mean:.2} %", made.len(), total.as_secs_f64());
    if mean < MATCHED {
        missed.push(format!("words matched in the mean: {mean:.1} % of {MATCHED} %"));
    }
    Ok(())
}

/// Checks a PDF with qpdf. Returns "ok", or the last line of qpdf's message.
fn sound(pdf: &Path) -> Result<String> {
    let outcome = measure::run(Command::new("qpdf").arg("--check").arg(pdf))?;
    if outcome.status.success() {
        return Ok("ok".into());
    }
    let said = format!("{}{}", outcome.stdout, outcome.stderr);
    Ok(format!("qpdf: {}", said.lines().last().unwrap_or("refused").trim()))
}

pub(super) fn broken(options: &Options, waraq: &Path, missed: &mut Vec<String>) -> Result<()> {
    println!("\n{:48} {:>8} {:>8}  refused with", "broken", "ms", "MB");
    for file in options.files("broken")? {
        let name = stem(&file);
        let command = || {
            let mut command = Command::new(waraq);
            command.arg("pdf").arg(&file).arg("-o").arg("-");
            command
        };
        let outcome = measure::run(&mut command())?;
        let memory = measure::peak_memory(&mut command()).unwrap_or(0);
        let line = outcome.stderr.trim_end();
        println!("{name:48.48} {:>8.0} {:>8.1}  {line}", measure::milliseconds(outcome.time), megabytes(memory));
        if outcome.status.code() != Some(1) || !is_coded(line) {
            missed.push(format!("{name}: {}, {line:?}", outcome.status));
        }
        if outcome.time > SLOWEST_BROKEN || memory > MOST_MEMORY_BROKEN {
            missed.push(format!("{name}: {:.1} s, {:.0} MB", outcome.time.as_secs_f64(), megabytes(memory)));
        }
    }
    Ok(())
}

/// Returns `true` for a single line that begins with an error code.
pub(super) fn is_coded(line: &str) -> bool {
    let Some((code, message)) = line.split_once(": ") else { return false };
    !code.is_empty()
        && code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !message.is_empty()
        && line.lines().count() == 1
}

/// Checks that `waraq fields` lists the names in `fields.tsv`, in the same order. Merge fields and content controls are
/// not in that file and are ignored.
fn fields(options: &Options, waraq: &Path, missed: &mut Vec<String>) -> Result<()> {
    let wanted = names(&options.corpus.join("fields.tsv"))?;
    let (mut asked, mut right) = (0, 0);
    for file in options.files("valid")? {
        let file_name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(wanted) = wanted.get(&file_name) else { continue };
        asked += 1;
        let outcome = measure::run(Command::new(waraq).arg("fields").arg(&file))?;
        let ours: Vec<&str> = outcome.stdout.lines().filter(|name| wanted.iter().any(|w| w == name)).collect();
        if outcome.status.success() && ours == *wanted {
            right += 1;
        } else {
            missed.push(format!("fields of {file_name}: {ours:?}, wanted {wanted:?} {}", outcome.stderr.trim()));
        }
    }
    println!("\nfields: {right} of {asked} files name them as the corpus does");
    Ok(())
}

fn names(table: &Path) -> Result<BTreeMap<String, Vec<String>>> {
    let text = std::fs::read_to_string(table).with_context(|| table.display().to_string())?;
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let file = cells.next()?.to_owned();
        let names = cells.nth(2)?.split(" | ").map(str::trim).filter(|name| !name.is_empty());
        Some((file, names.map(str::to_owned).collect()))
    };
    Ok(text.lines().skip(1).filter_map(row).collect())
}

pub(super) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::is_coded;

    #[test]
    fn refusals_are_one_line_that_starts_with_a_code() {
        assert!(is_coded("not_a_zip: This is no Word document."));
        assert!(!is_coded("thread 'main' panicked at src/main.rs:1: no"));
        assert!(!is_coded("a: b\nc"));
        assert!(!is_coded(""));
    }
}
