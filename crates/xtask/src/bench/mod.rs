//! `cargo xtask bench budget | corpus | fidelity | speed | text | hostile`: the engine held against real files, a yardstick, its peers and
//! those who mean it harm.
//!
//! They run `waraq` [as it is given away](crate::program) as a process, as a user does. The corpus is no part of the
//! repository: a folder with `valid/`, `broken/`, `reference/` (another program's PDFs), `index.tsv` and `fields.tsv`; and `marks/` with
//! `marks-reference/`, more files that Word saved with the marks of its pages.
//!
//! `cargo xtask bench fairness` is of the service: what one caller's load is to another.
//! `cargo xtask bench accounts` is of the stores: many that write accounts at once.
//! `cargo xtask bench saved` is of lists: a page of an account's many saved documents.
//! `cargo xtask bench paint` is of screens: what a first visitor waits for, and how soon a press is answered.
//! `cargo xtask bench preview` is of pages that the browser sets itself: how soon they are seen, and how soon a key shows on them.
//! `cargo xtask bench cold` is of the functions' programs: what the start of each costs.
//! `cargo xtask bench quota` is of the same: how long a call takes at the share of a processor that a size has.
//! `cargo xtask bench lists` is of those of everybody: templates and users, up to a million of each.

mod accounts;
mod budget;
mod cold;
mod corpus;
mod fairness;
mod fidelity;
mod hostile;
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
mod text;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::steps::{root, target_dir};

pub fn run(arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else {
        bail!(
            "bench: which? budget, corpus, fidelity, speed, text, hostile, fairness, accounts, saved, lists, paint, preview, cold or quota"
        );
    };
    if name == "cold" {
        return cold::run(rest);
    }
    if name == "quota" {
        return quota::run(rest);
    }
    if name == "fairness" {
        return fairness::run(rest);
    }
    if name == "accounts" {
        return accounts::run(rest);
    }
    if name == "saved" {
        return saved::run(rest);
    }
    if name == "paint" {
        return paint::run(rest);
    }
    if name == "preview" {
        return preview::run(rest);
    }
    if name == "lists" {
        return lists::run(rest);
    }
    let options = Options::parse(rest)?;
    match name.as_str() {
        "budget" => budget::run(&options),
        "corpus" => corpus::run(&options),
        "fidelity" => fidelity::run(&options),
        "speed" => speed::run(&options),
        "text" => text::run(&options),
        "hostile" => hostile::run(&options),
        other => {
            bail!(
                "bench: no bench {other:?}; there are budget, corpus, fidelity, speed, text, hostile, fairness, accounts, saved, lists, paint, preview, cold and quota"
            )
        }
    }
}

pub struct Options {
    corpus: PathBuf,
    /// The program that compares two PDFs.
    fidelity: PathBuf,
    /// The program that asks Word's page marks.
    wordmarks: PathBuf,
    /// A `waraq` to take instead of building one.
    waraq: Option<PathBuf>,
    /// Times each measurement is repeated.
    runs: usize,
    /// Only files whose name holds this.
    only: Option<String>,
    /// Another folder of documents to time, besides the corpus.
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

    /// Whether this is among what was asked for.
    fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    }

    /// The program under test, built if none was named.
    fn waraq(&self) -> Result<PathBuf> {
        if let Some(path) = &self.waraq {
            return Ok(path.clone());
        }
        crate::program::build()
    }

    /// The .docx files of a folder of the corpus, by name.
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

/// An empty folder for what a bench makes.
fn output_folder(name: &str) -> Result<PathBuf> {
    let folder = target_dir().join("bench").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
