//! Page starts that Word marked in a file, compared with the page starts of our PDF and of another program's PDF.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Options, measure};

/// Numbers of page starts of one program's PDF that match those of Word.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PageMatches {
    /// Number of pages that begin at exactly the same word as in Word.
    pub exact: usize,
    /// Number of pages that begin at most three lines away from the page start in Word.
    pub near: usize,
    /// Number of pages of the PDF.
    pub pages: u32,
}

/// The result for a document in which Word marked page starts.
#[derive(Debug, PartialEq, Eq)]
pub struct JudgedFile {
    pub name: String,
    pub marks: usize,
    /// The number of pages that Word saved in the file, or `None` if Word saved none.
    pub saved: Option<u32>,
    pub ours: PageMatches,
    pub theirs: PageMatches,
}

/// Compares the page starts of our PDFs and of another program's PDFs with Word's marks in `documents`. The PDFs have
/// the names of the documents. Prints a row for each file.
pub fn judge(options: &Options, documents: &Path, ours: &Path, theirs: &Path) -> Result<Vec<JudgedFile>> {
    let outcome =
        measure::run(Command::new("python3").arg("-B").arg(&options.wordmarks).arg(documents).arg(ours).arg(theirs))?;
    if !outcome.status.success() {
        bail!("{}: {}", options.wordmarks.display(), outcome.stderr.trim());
    }
    let rows = outcome.stdout.lines().skip(1).filter(|line| !line.starts_with('='));
    let rows: Vec<JudgedFile> = rows
        .map(|line| JudgedFile::parse(line).with_context(|| format!("what the judge printed: {line:?}")))
        .collect::<Result<_>>()?;
    println!(
        "\n{:44} {:>6} {:>5} | {:>8} {:>5} {:>6} | {:>9} {:>5} {:>6}",
        "page starts marked by Word", "marks", "pages", "ours met", "near", "pages", "reference", "near", "pages"
    );
    for JudgedFile { name, marks, saved, ours, theirs } in &rows {
        let saved = saved.map_or("-".into(), |pages| pages.to_string());
        println!(
            "{name:44.44} {marks:>6} {saved:>5} | {:>8} {:>5} {:>6} | {:>9} {:>5} {:>6}",
            ours.exact, ours.near, ours.pages, theirs.exact, theirs.near, theirs.pages
        );
    }
    Ok(rows)
}

/// The sums over all documents for the PDFs of one program.
pub struct Sum {
    pub exact: usize,
    pub near: usize,
    /// Number of page starts that Word marked.
    pub marks: usize,
    /// Number of files whose PDF has as many pages as Word saved in the file.
    pub pages: usize,
    /// Number of files in which Word saved a page count.
    pub files: usize,
}

impl Sum {
    pub fn from_files(rows: &[JudgedFile], pick: fn(&JudgedFile) -> PageMatches) -> Self {
        let sum = |what: &dyn Fn(&JudgedFile) -> usize| -> usize { rows.iter().map(what).sum() };
        Self {
            exact: sum(&|row| pick(row).exact),
            near: sum(&|row| pick(row).near),
            marks: sum(&|row| row.marks),
            pages: rows.iter().filter(|row| row.saved == Some(pick(row).pages)).count(),
            files: rows.iter().filter(|row| row.saved.is_some()).count(),
        }
    }
}

impl JudgedFile {
    fn parse(line: &str) -> Option<Self> {
        let mut cells = line.split('\t');
        let name = cells.next()?.to_owned();
        let (marks, saved) = cells.next()?.split_once(" marks, ")?;
        let saved = saved.strip_suffix(" pages")?.parse().ok();
        let mut program = || {
            let mut numbers = cells.next()?.split(' ');
            Some(PageMatches {
                exact: numbers.next()?.parse().ok()?,
                near: numbers.next()?.parse().ok()?,
                pages: numbers.next()?.parse().ok()?,
            })
        };
        Some(Self { name, marks: marks.parse().ok()?, saved, ours: program()?, theirs: program()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judge_rows_are_parsed() {
        let row = JudgedFile::parse("a letter\t20 marks, 21 pages\t19 20 21\t0 2 22").unwrap();
        assert_eq!((row.name.as_str(), row.marks, row.saved), ("a letter", 20, Some(21)));
        assert_eq!(row.ours, PageMatches { exact: 19, near: 20, pages: 21 });
        assert_eq!(row.theirs, PageMatches { exact: 0, near: 2, pages: 22 });
        let unsaid = JudgedFile::parse("b\t1 marks, None pages\t1 1 2\t1 1 2").unwrap();
        let rows = [row, unsaid];
        let ours = Sum::from_files(&rows, |row| row.ours);
        assert_eq!((ours.exact, ours.near, ours.marks, ours.pages, ours.files), (20, 21, 21, 1, 1));
        assert_eq!(Sum::from_files(&rows, |row| row.theirs).pages, 0);
    }
}
