//! `cargo xtask bench detect`: measures the detection of blanks with labelled forms and contracts in three languages.
//!
//! The folder `detect` has two sets. The detector was improved with the files of `tuned`. The files of `kept` were labelled
//! before the detector was measured, and their results were not used to improve it. A `.txt` is the source of a form
//! (crates/docx/examples/forms.rs describes its markup). A `.tsv` has the labels of a file of the corpus with the same name,
//! which stays outside the repository. Its lines have the paragraph (from 1), the start and the end in the characters of the
//! paragraph, and the accepted names, separated by semicolons.
//!
//! A label matches a blank in the same paragraph if they share at least half of the characters that they cover together. An
//! accepted name that ends with `#` may have a number at its end. Case, accents and punctuation of names are ignored. A
//! label that begins with `?` is a place where authors may or may not want a field. It counts neither way.
//!
//! Finally, all blanks are marked, and LibreOffice converts the marked files.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{Options, output_folder, stem};
use crate::steps::{cargo, check, root};

const SETS: [&str; 2] = ["tuned", "kept"];
const LEAST_RECALL: f64 = 0.90;
const LEAST_PRECISION: f64 = 0.85;
const LEAST_NAMES: f64 = 0.80;
/// The length from which a suggested name may be the start of an accepted name, because long names are cut.
const CUT_NAME_CHARACTERS: usize = 40;

/// A label of a blank.
struct Label {
    paragraph: u64,
    start: u64,
    end: u64,
    names: Vec<String>,
    optional: bool,
}

/// A blank that the detector found.
struct Detected {
    paragraph: u64,
    start: u64,
    end: u64,
    name: String,
    text: String,
}

/// The counts of a file or of a set.
#[derive(Default, Clone, Copy)]
struct Counts {
    labels: usize,
    detected: usize,
    matched: usize,
    named: usize,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.labels += other.labels;
        self.detected += other.detected;
        self.matched += other.matched;
        self.named += other.named;
    }

    fn recall(self) -> f64 {
        share(self.matched, self.labels)
    }

    fn precision(self) -> f64 {
        share(self.matched, self.detected)
    }

    fn names(self) -> f64 {
        share(self.named, self.matched)
    }

    fn print(self, name: &str) {
        println!(
            "{name:52.52} {:>6} {:>6} {:>7} | {:>6.1} {:>9.1} {:>6.1}",
            self.labels,
            self.detected,
            self.matched,
            100.0 * self.recall(),
            100.0 * self.precision(),
            100.0 * self.names()
        );
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// Measures both sets. With `--only`, prints every difference of the selected files.
pub fn run(options: &Options) -> Result<()> {
    let waraq = options.waraq()?;
    let folder = output_folder("detect")?;
    let mut missed = Vec::new();
    let mut marked = Vec::new();
    for set in SETS {
        println!(
            "\n{set:52} {:>6} {:>6} {:>7} | {:>6} {:>9} {:>6}",
            "labels", "found", "correct", "recall", "precision", "names"
        );
        let mut all = Counts::default();
        for (document, labels) in files_of(options, set, &folder)? {
            let report = folder.join(stem(&document)).with_extension("json");
            let detected = detect(&waraq, &document, &report)?;
            let counts = judge(&read_labels(&labels)?, &detected, options.only.is_some());
            counts.print(&stem(&document));
            all.add(counts);
            let out = folder.join(format!("{}-marked.docx", stem(&document)));
            let mut mark = Command::new(&waraq);
            mark.arg("mark").arg(&document).arg("--fields").arg(&report).arg("-o").arg(&out);
            check(mark.stdout(std::process::Stdio::null()))?;
            marked.push(out);
        }
        all.print(&format!("all of {set}"));
        for (what, value, least) in [
            ("recall", all.recall(), LEAST_RECALL),
            ("precision", all.precision(), LEAST_PRECISION),
            ("names", all.names(), LEAST_NAMES),
        ] {
            if value < least {
                missed.push(format!("{set}: {what} {:.1} %, goal {:.0} %", 100.0 * value, 100.0 * least));
            }
        }
    }
    let opened = if options.only.is_some() { None } else { convert_with_libreoffice(&marked, &folder)? };
    match opened {
        Some(opened) => println!("\nLibreOffice opened {opened} of {} marked files", marked.len()),
        None => println!("\nLibreOffice is not installed: marked files were not opened"),
    }
    if opened.is_some_and(|opened| opened < marked.len()) {
        missed.push("LibreOffice did not open every marked file".to_owned());
    }
    if missed.is_empty() {
        println!("every goal is met");
        return Ok(());
    }
    bail!("{} goals are missed:\n  - {}", missed.len(), missed.join("\n  - "))
}

/// Returns the documents of a set with their labels, in the order of their names. Writes the documents that have a source.
fn files_of(options: &Options, set: &str, folder: &Path) -> Result<Vec<(PathBuf, PathBuf)>> {
    let source = root().join("crates/xtask/src/bench/detect").join(set);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&source)
        .with_context(|| source.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    paths.retain(|path| options.wants(&stem(path)));
    paths.sort();
    let is_source = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "txt");
    let out = folder.join(set);
    let mut forms = cargo(&["run", "--quiet", "--package", "waraq-docx", "--example", "forms", "--"]);
    check(forms.arg(&out).args(paths.iter().filter(is_source)))?;
    let mut files = Vec::new();
    for path in &paths {
        if is_source(&path) {
            let document = out.join(stem(path)).with_extension("docx");
            files.push((document.clone(), document.with_extension("tsv")));
            continue;
        }
        let name = format!("{}.docx", stem(path));
        let places = ["valid", "marks"].map(|place| options.corpus.join(place).join(&name));
        match places.into_iter().find(|place| place.exists()) {
            Some(document) => files.push((document, path.clone())),
            None => println!("{name}: not in the corpus, not measured"),
        }
    }
    Ok(files)
}

fn read_labels(path: &Path) -> Result<Vec<Label>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| label_of(line).with_context(|| format!("{}: {line}", path.display()))).collect()
}

fn label_of(line: &str) -> Option<Label> {
    let mut columns = line.splitn(4, '\t');
    let mut number = || columns.next()?.parse::<u64>().ok();
    let (paragraph, start, end) = (number()?, number()?, number()?);
    let names = columns.next()?;
    let optional = names.starts_with('?');
    let names = names.trim_start_matches('?').split(';').map(|name| name.trim().to_owned()).collect();
    Some(Label { paragraph, start, end, names, optional })
}

fn detect(waraq: &Path, document: &Path, report: &Path) -> Result<Vec<Detected>> {
    let output = Command::new(waraq).arg("detect").arg(document).output()?;
    if !output.status.success() {
        bail!("{}: {}", document.display(), String::from_utf8_lossy(&output.stderr).trim());
    }
    std::fs::write(report, &output.stdout)?;
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let blanks = found["blanks"].as_array().context("waraq detect prints blanks")?;
    let number = |blank: &serde_json::Value, key: &str| blank[key].as_u64().context("a blank has a place");
    blanks
        .iter()
        .map(|blank| {
            Ok(Detected {
                // A blank in a header or note has no label.
                paragraph: if blank["part"] == "word/document.xml" { number(blank, "paragraph")? } else { 0 },
                start: number(blank, "start")?,
                end: number(blank, "end")?,
                name: blank["name"].as_str().unwrap_or_default().to_owned(),
                text: blank["text"].as_str().unwrap_or_default().to_owned(),
            })
        })
        .collect()
}

fn judge(labels: &[Label], detected: &[Detected], prints: bool) -> Counts {
    let mut counts = Counts { detected: detected.len(), ..Counts::default() };
    let mut is_used = vec![false; detected.len()];
    for label in labels {
        let found = detected.iter().zip(&mut is_used).find(|(blank, used)| !**used && is_same_place(label, blank));
        counts.labels += usize::from(!label.optional);
        let Some((blank, used)) = found else {
            if prints && !label.optional {
                println!("  missed {}:{}-{} {:?}", label.paragraph, label.start, label.end, label.names);
            }
            continue;
        };
        *used = true;
        if label.optional {
            counts.detected -= 1;
            continue;
        }
        counts.matched += 1;
        if is_accepted(&blank.name, &label.names) {
            counts.named += 1;
        } else if prints {
            println!("  name {:?} at {}:{}, accepted are {:?}", blank.name, label.paragraph, label.start, label.names);
        }
    }
    for (blank, _) in detected.iter().zip(is_used).filter(|(_, used)| prints && !used) {
        println!("  extra {:?} {:?} at {}:{}-{}", blank.text, blank.name, blank.paragraph, blank.start, blank.end);
    }
    counts
}

fn is_same_place(label: &Label, blank: &Detected) -> bool {
    if label.paragraph != blank.paragraph {
        return false;
    }
    let shared = label.end.min(blank.end).saturating_sub(label.start.max(blank.start));
    let together = label.end.max(blank.end) - label.start.min(blank.start);
    2 * shared >= together
}

fn is_accepted(name: &str, accepted: &[String]) -> bool {
    let name = folded(name);
    let without_number = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    accepted.iter().any(|accepted| {
        let expected = folded(accepted);
        name == expected
            || accepted.ends_with('#') && without_number == expected
            || name.chars().count() >= CUT_NAME_CHARACTERS && expected.starts_with(without_number)
    })
}

/// Returns a name in lower case without accents and punctuation.
fn folded(name: &str) -> String {
    let letters = name.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase);
    let spaced: String = letters.map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number of files that LibreOffice converts to PDF, or `None` if it is not installed.
fn convert_with_libreoffice(files: &[PathBuf], folder: &Path) -> Result<Option<usize>> {
    let out = folder.join("pdf");
    let profile = format!("-env:UserInstallation=file://{}", folder.join("profile").display());
    let mut convert = Command::new("soffice");
    convert.args([profile.as_str(), "--headless", "--convert-to", "pdf", "--outdir"]).arg(&out).args(files);
    match convert.stdin(std::process::Stdio::null()).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        other => other.context("soffice")?,
    };
    let is_converted = |file: &&PathBuf| out.join(stem(file)).with_extension("pdf").exists();
    Ok(Some(files.iter().filter(is_converted).count()))
}
