//! `cargo xtask bench budget | corpus | fidelity | speed | text | hostile`: measures the engine with real files and hostile
//! input. The results are compared with limits and with other programs.
//!
//! These benchmarks start [the release program](crate::program) `waraq` as a process, as a user does. The corpus is not
//! part of the repository. It is a folder with these entries:
//!
//! - `valid/` and `broken/`: documents, described in `index.tsv` and `fields.tsv`;
//! - `reference/`: PDFs of `valid/` by another program;
//! - `marks/`: more documents, in which Word marked where its pages start;
//! - `marks-reference/`: PDFs of `marks/` by the other program.
//!
//! `cargo xtask bench …`
//! - `detect`: how many blanks of labelled forms and contracts are found, and with which names.
//! - `start`: the time from a new clone to the first page.
//! - `fairness`: how much the load of one caller slows other callers.
//! - `accounts`: many clients that write accounts at the same time.
//! - `saved`: the time to load one page of an account's many saved documents.
//! - `paint`: the time until a first visitor sees the catalogue, and until a click has an effect.
//! - `preview`: the time until live pages appear, and until a keystroke shows on them.
//! - `cold`: the start of each function's program.
//! - `quota`: the time of a call at each memory size, which decides the share of a processor.
//! - `lists`: lists of up to a million templates and users.
//! - `invoice`: an invoice with many rows, compared with programs that fill it and convert it with LibreOffice.

mod accounts;
mod budget;
mod cold;
mod corpus;
mod detect;
mod fairness;
mod fidelity;
mod hostile;
mod invoice;
mod letters;
mod lists;
mod marks;
mod measure;
mod paint;
mod peers;
mod preview;
mod quota;
mod saved;
mod speed;
mod start;
mod text;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::steps::{root, target_dir};

/// A function that runs a benchmark. Its argument has the arguments after the name.
type Benchmark = fn(&[String]) -> Result<()>;

/// The benchmarks by name.
const BENCHMARKS: [(&str, Benchmark); 17] = [
    ("budget", |arguments| budget::run(&Options::parse(arguments)?)),
    ("corpus", |arguments| corpus::run(&Options::parse(arguments)?)),
    ("fidelity", |arguments| fidelity::run(&Options::parse(arguments)?)),
    ("speed", |arguments| speed::run(&Options::parse(arguments)?)),
    ("text", |arguments| text::run(&Options::parse(arguments)?)),
    ("hostile", |arguments| hostile::run(&Options::parse(arguments)?)),
    ("detect", |arguments| detect::run(&Options::parse(arguments)?)),
    ("start", |_| start::run()),
    ("fairness", fairness::run),
    ("accounts", accounts::run),
    ("saved", saved::run),
    ("lists", lists::run),
    ("invoice", invoice::run),
    ("paint", paint::run),
    ("preview", preview::run),
    ("cold", cold::run),
    ("quota", quota::run),
];

pub fn run(arguments: &[String]) -> Result<()> {
    let wanted = arguments.split_first();
    let found = wanted.and_then(|(name, rest)| Some((BENCHMARKS.iter().find(|(known, _)| known == name)?.1, rest)));
    let Some((benchmark, rest)) = found else {
        bail!("bench takes one of: {}", BENCHMARKS.map(|(name, _)| name).join(", "));
    };
    benchmark(rest)
}

pub struct Options {
    corpus: PathBuf,
    /// The program that compares two PDFs.
    fidelity: PathBuf,
    /// The program that compares pages with the page breaks that Word saved.
    wordmarks: PathBuf,
    /// The `waraq` program to measure. `None` builds it.
    waraq: Option<PathBuf>,
    /// Number of repetitions of each measurement.
    runs: usize,
    /// If set, only files whose names contain this text are measured.
    only: Option<String>,
    /// A folder of documents to measure in addition to the corpus.
    documents: Option<PathBuf>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self> {
        let shared = root().join("../shared");
        let mut options = Self {
            corpus: shared.join("corpus"),
            fidelity: shared.join("tools/fidelity"),
            wordmarks: shared.join("tools/wordmarks"),
            waraq: None,
            runs: 7,
            only: None,
            documents: None,
        };
        let mut left = arguments.iter();
        while let Some(argument) = left.next() {
            let value = left.next().with_context(|| format!("{argument}: its value is missing"))?;
            match argument.as_str() {
                "--corpus" => options.corpus = PathBuf::from(value),
                "--fidelity" => options.fidelity = PathBuf::from(value),
                "--wordmarks" => options.wordmarks = PathBuf::from(value),
                "--waraq" => options.waraq = Some(PathBuf::from(value)),
                "--runs" => options.runs = value.parse::<usize>().context("--runs")?.max(1),
                "--only" => options.only = Some(value.clone()),
                "--documents" => options.documents = Some(PathBuf::from(value)),
                other => bail!(
                    "bench: no option {other:?}; there are --corpus, --fidelity, --wordmarks, --waraq, --runs, --only, --documents"
                ),
            }
        }
        Ok(options)
    }

    /// Returns `true` if the option `--only` selects this file or case.
    fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    }

    /// Returns the path of the `waraq` program to measure. Builds the program if the options name none.
    fn waraq(&self) -> Result<PathBuf> {
        if let Some(path) = &self.waraq {
            return Ok(path.clone());
        }
        crate::program::build()
    }

    /// Returns the .docx files of a folder of the corpus, in the order of their names.
    fn files(&self, folder: &str) -> Result<Vec<PathBuf>> {
        self.documents_in(&self.corpus.join(folder))
    }

    fn documents_in(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(folder)
            .with_context(|| format!("no {}: say where the corpus is with --corpus", folder.display()))?;
        let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        files.retain(|file| {
            file.extension().is_some_and(|extension| extension == "docx")
                && self.only.as_ref().is_none_or(|part| stem(file).contains(part.as_str()))
        });
        files.sort();
        Ok(files)
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Makes an empty folder for the output of a benchmark.
fn output_folder(name: &str) -> Result<PathBuf> {
    let folder = target_dir().join("bench").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
