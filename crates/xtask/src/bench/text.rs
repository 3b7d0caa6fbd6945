//! `cargo xtask bench text`: checks that Poppler and PDFium find the words of right-to-left documents in our PDFs.
//!
//! Needs Poppler (`pdftotext`) and a `python3` with `pypdfium2`.

use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Options, measure, output_folder, stem};

pub fn run(options: &Options) -> Result<()> {
    let waraq = options.waraq()?;
    let folder = output_folder("text")?;
    let mut script = Command::new("python3");
    script.arg("-c").arg(include_str!("text.py"));
    for file in options.files("valid")? {
        let pdf = folder.join(stem(&file) + ".pdf");
        let outcome = measure::run(Command::new(&waraq).arg("pdf").arg(&file).arg("-o").arg(&pdf))?;
        if outcome.status.success() {
            script.arg(&file).arg(&pdf);
        } else {
            println!("{}: {}", stem(&file), outcome.stderr.trim());
        }
    }
    let outcome = measure::run(&mut script)?;
    if !outcome.status.success() {
        bail!("reading the PDFs: {}", outcome.stderr.trim());
    }
    println!("{:44} {:>7} {:>8} {:>8}  not found", "right-to-left words", "words", "Poppler", "PDFium");
    let mut missed = Vec::new();
    for line in outcome.stdout.lines() {
        let row = WordCounts::parse(line).with_context(|| format!("what the readers' script printed: {line:?}"))?;
        println!("{:44.44} {:>7} {:>8} {:>8}  {}", row.name, row.words, row.poppler, row.pdfium, row.lost);
        if row.poppler < row.words || row.pdfium < row.words {
            missed.push(row.name);
        }
    }
    if missed.is_empty() { Ok(()) } else { bail!("words are not found in {}", missed.join(", ")) }
}

struct WordCounts {
    name: String,
    words: usize,
    poppler: usize,
    pdfium: usize,
    lost: String,
}

impl WordCounts {
    fn parse(line: &str) -> Option<Self> {
        let mut cells = line.split('\t');
        let name = cells.next()?.to_owned();
        let mut count = || cells.next()?.parse().ok();
        let (words, poppler, pdfium) = (count()?, count()?, count()?);
        Some(Self { name, words, poppler, pdfium, lost: cells.next().unwrap_or_default().to_owned() })
    }
}
