//! `cargo xtask bench fidelity` compares our pages with those of another program, and both with Word. Word's results are
//! stored in the files: the number of pages that Word counted, and marks where Word's pages start ([`super::marks`]). If
//! Word and the other program differ, Word is right.
//!
//! The last three columns of the first table are not from the comparison script. They measure letters instead of words
//! ([`super::letters`]).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::letters::{self, LetterComparison};
use super::marks::{self, Sum};
use super::{Options, measure, output_folder, stem};

/// Goals. The first three constants are minimum percentages of equal page counts, equal line breaks and matched words.
/// An array has the goal for left-to-right text, then the goal for right-to-left text. The last constant is an offset
/// in points.
const PAGES_ALIKE: f64 = 95.0;
const LINES: [f64; 2] = [95.5, 95.0];
const MATCHED: [f64; 2] = [99.0, 97.0];
const OFFSET: f64 = 2.0;
/// Goals for the folder `marks`. The first constant is the minimum share of Word's page starts that our PDFs match. The
/// second constant is the minimum share of files in which our page count equals the page count that Word saved.
const MIN_MARKS_MATCHED: f64 = 380.0 / 587.0;
const MIN_COUNTS_MATCHED: f64 = 30.0 / 37.0;

pub fn run(options: &Options) -> Result<()> {
    let waraq = options.waraq()?;
    let folder = output_folder("fidelity")?;
    convert_all(&waraq, &options.files("valid")?, &folder)?;
    let table = Table::compare(options, &folder)?;
    let counted = pages_in_word(&options.corpus.join("index.tsv"))?;
    println!(
        "{:44} {:>7} {:>5} {:>8} {:>6} {:>6} {:>7} {:>7} {:>8} | {:>7} {:>6} {:>7}",
        "file",
        "pages",
        "Word",
        "matched",
        "page",
        "lines",
        "breaks",
        "median",
        "reversed",
        "letters",
        "lines",
        "median"
    );
    let mut by_letters = Vec::new();
    for (name, row) in &table.files {
        if options.only.as_ref().is_some_and(|part| !name.contains(part.as_str())) {
            continue;
        }
        let word = counted.get(name).map_or("-".into(), ToString::to_string);
        let FileRow { pages, matched, page, lines, breaks, median, reversed } = row;
        print!(
            "{name:44.44} {pages:>7} {word:>5} {matched:>8.2} {page:>6.1} {lines:>6.1} {breaks:>7.1} {median:>7.1} {reversed:>8}"
        );
        let ours = folder.join(format!("{name}.pdf"));
        if !ours.exists() {
            println!();
            continue;
        }
        let alike = letters::compare(&ours, &options.corpus.join("reference").join(format!("{name}.pdf")))?;
        println!(" | {:>7.2} {:>6.1} {:>7.1}", alike.letters, alike.lines, alike.median);
        by_letters.push(alike);
    }
    if options.only.is_some() {
        return Ok(());
    }
    let asked = compare_with_word(options, &waraq, &folder)?;
    means_by_letters(&by_letters);
    summary(&table, &counted, &asked)
}

/// Converts the documents to PDF with our program.
fn convert_all(waraq: &Path, documents: &[PathBuf], folder: &Path) -> Result<()> {
    for file in documents {
        let outcome =
            measure::run(Command::new(waraq).arg("pdf").arg(file).arg("-o").arg(folder.join(stem(file) + ".pdf")))?;
        if !outcome.status.success() {
            println!("{}: {}", stem(file), outcome.stderr.trim());
        }
    }
    Ok(())
}

/// Compares our PDFs and the reference PDFs with Word's marks, in the corpus folder `valid` and, if it exists, in
/// `marks`. Each element of the result has the name of the folder, and two sums of matches: for our PDFs and for the
/// reference PDFs.
fn compare_with_word(options: &Options, waraq: &Path, folder: &Path) -> Result<Vec<(&'static str, Sum, Sum)>> {
    let mut asked = Vec::new();
    for (documents, reference) in [("valid", "reference"), ("marks", "marks-reference")] {
        if documents == "marks" {
            if !options.corpus.join(documents).is_dir() {
                continue;
            }
            convert_all(waraq, &options.files(documents)?, folder)?;
        }
        let rows = marks::judge(options, &options.corpus.join(documents), folder, &options.corpus.join(reference))?;
        asked.push((documents, Sum::from_files(&rows, |row| row.ours), Sum::from_files(&rows, |row| row.theirs)));
    }
    Ok(asked)
}

fn means_by_letters(files: &[LetterComparison]) {
    println!();
    for (title, right_to_left) in [("left to right", false), ("right to left", true)] {
        let of: Vec<&LetterComparison> = files.iter().filter(|alike| alike.right_to_left == right_to_left).collect();
        let mean = |pick: fn(&LetterComparison) -> f64| {
            of.iter().map(|alike| pick(alike)).sum::<f64>() / of.len().max(1) as f64
        };
        let mut offsets: Vec<f64> = of.iter().map(|alike| alike.median).collect();
        println!(
            "       {title}, by letters: found {:.2} %, lines broken alike {:.2} %, median offset {:.2} pt",
            mean(|alike| alike.letters),
            mean(|alike| alike.lines),
            letters::median(&mut offsets).unwrap_or(0.0)
        );
    }
}

fn summary(table: &Table, counted: &BTreeMap<String, u32>, asked: &[(&str, Sum, Sum)]) -> Result<()> {
    let mut missed = Vec::new();
    let mut goal = |what: String, value: f64, met: bool, wanted: String| {
        println!("{} {what}: {value:.2} (goal: {wanted})", if met { "  met " } else { "MISSED" });
        if !met {
            missed.push(what);
        }
    };
    println!();
    for (index, direction) in ["left to right", "right to left"].into_iter().enumerate() {
        let Some(mean) = table.means.iter().find(|(title, _)| title.contains(direction)).map(|(_, row)| row) else {
            continue;
        };
        let (lines, matched) = (LINES.get(index).copied().unwrap_or(0.0), MATCHED.get(index).copied().unwrap_or(0.0));
        goal(format!("{direction}: lines broken alike, %"), mean.lines, mean.lines >= lines, format!("≥ {lines}"));
        goal(format!("{direction}: words matched, %"), mean.matched, mean.matched >= matched, format!("≥ {matched}"));
        goal(format!("{direction}: median offset, pt"), mean.median, mean.median <= OFFSET, format!("≤ {OFFSET}"));
    }
    let alike = table.files.values().filter(|row| row.same_pages()).count();
    let share = 100.0 * alike as f64 / table.files.len().max(1) as f64;
    goal(
        format!("same number of pages as the reference, % ({alike} of {})", table.files.len()),
        share,
        share >= PAGES_ALIKE,
        format!("≥ {PAGES_ALIKE}"),
    );
    let vouched = |(name, row): &(&String, &FileRow)| {
        row.same_pages() || counted.get(*name).is_some_and(|count| row.our_pages() == Some(*count))
    };
    let either = table.files.iter().filter(vouched).count();
    println!("       as many pages as the reference or as Word counted: {either} of {}", table.files.len());
    let of_word = |pick: fn(&FileRow) -> Option<u32>| {
        counted.iter().filter(|(name, count)| table.files.get(*name).and_then(pick) == Some(**count)).count()
    };
    let (ours, theirs) = (of_word(FileRow::our_pages), of_word(FileRow::reference_pages));
    goal(
        format!("as many pages as Word counted (of {})", counted.len()),
        ours as f64,
        ours > theirs,
        format!("more than the reference's {theirs}"),
    );
    for (documents, ours, theirs) in asked {
        println!(
            "       {documents}: Word's page starts met {} of {} (the reference: {}), three lines off at most {} ({}), page counts as saved \
             {} of {} ({})",
            ours.exact, ours.marks, theirs.exact, ours.near, theirs.near, ours.pages, ours.files, theirs.pages
        );
        if *documents == "marks" {
            let (wanted, counts) = (MIN_MARKS_MATCHED * ours.marks as f64, MIN_COUNTS_MATCHED * ours.files as f64);
            goal(
                "Word's page starts in marks".into(),
                ours.exact as f64,
                ours.exact as f64 >= wanted - 0.5,
                format!("≥ {wanted:.0}"),
            );
            goal(
                "page counts as Word saved in marks".into(),
                ours.pages as f64,
                ours.pages as f64 >= counts - 0.5,
                format!("≥ {counts:.0}"),
            );
        }
    }
    if missed.is_empty() { Ok(()) } else { bail!("missed: {}", missed.join("; ")) }
}

/// The output of the comparison script.
pub struct Table {
    pub files: BTreeMap<String, FileRow>,
    /// Means by text direction, with titles like "= left to right: 41 files".
    means: Vec<(String, FileRow)>,
}

pub struct FileRow {
    /// The two page counts in the form "ours/reference". If one of the PDFs is missing, the text is "lost" instead.
    pages: String,
    pub matched: f64,
    page: f64,
    pub lines: f64,
    breaks: f64,
    median: f64,
    reversed: String,
}

impl Table {
    /// Compares every PDF in the corpus folder `reference` with our PDF of the same name.
    pub fn compare(options: &Options, ours: &Path) -> Result<Self> {
        let outcome = measure::run(
            Command::new("python3").arg(&options.fidelity).arg(ours).arg(options.corpus.join("reference")).arg("--tsv"),
        )?;
        if !outcome.status.success() {
            bail!("{}: {}", options.fidelity.display(), outcome.stderr.trim());
        }
        let mut table = Self { files: BTreeMap::new(), means: Vec::new() };
        for line in outcome.stdout.lines().skip(1) {
            let (name, row) = FileRow::parse(line).with_context(|| format!("what the yardstick printed: {line:?}"))?;
            if name.starts_with('=') {
                table.means.push((name, row));
            } else {
                table.files.insert(name, row);
            }
        }
        Ok(table)
    }
}

impl FileRow {
    fn parse(line: &str) -> Option<(String, Self)> {
        let mut cells = line.split('\t');
        let name = cells.next()?.to_owned();
        let pages = cells.next()?.to_owned();
        let mut number = || cells.next()?.parse::<f64>().ok();
        let (matched, page, lines, breaks, median) = (number()?, number()?, number()?, number()?, number()?);
        let reversed = line.rsplit('\t').next()?.to_owned();
        Some((name, Self { pages, matched, page, lines, breaks, median, reversed }))
    }

    fn our_pages(&self) -> Option<u32> {
        self.pages.split_once('/')?.0.parse().ok()
    }

    fn reference_pages(&self) -> Option<u32> {
        self.pages.split_once('/')?.1.parse().ok()
    }

    fn same_pages(&self) -> bool {
        self.our_pages().is_some() && self.our_pages() == self.reference_pages()
    }
}

/// Reads the page counts that Word saved in the files. The result has only the files with a page count.
fn pages_in_word(index: &Path) -> Result<BTreeMap<String, u32>> {
    let text = std::fs::read_to_string(index).with_context(|| index.display().to_string())?;
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let name = cells.next()?.strip_prefix("valid/")?.strip_suffix(".docx")?.to_owned();
        Some((name, cells.nth(3)?.parse().ok()?))
    };
    Ok(text.lines().filter_map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparison_rows_are_parsed() {
        let (name, row) = FileRow::parse("contract\t2/3\t100.00\t98.50\t97.00\t50.00\t4.40\t-\t7").unwrap();
        assert_eq!((name.as_str(), row.our_pages(), row.reference_pages()), ("contract", Some(2), Some(3)));
        assert_eq!((row.matched, row.lines, row.median, row.reversed.as_str()), (100.0, 97.0, 4.4, "7"));
        assert!(!row.same_pages());
        let (_, lost) = FileRow::parse("torn\tlost\t0.00\t0.00\t0.00\t0.00\t999.00\t-\t0").unwrap();
        assert!(lost.our_pages().is_none() && !lost.same_pages());
    }
}
