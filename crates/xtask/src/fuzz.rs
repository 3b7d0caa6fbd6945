//! `cargo xtask fuzz`: the engine's fuzz targets, built once, each run for a while from its kept seeds.
//!
//! The targets are in `fuzz/`, a workspace of its own, and are those of cargo-fuzz (`cargo fuzz run -s none TARGET`); they are
//! built here with the flags cargo-fuzz passes for that, so that nothing has to be installed and one build serves all. There
//! is no sanitizer: the engine has no unsafe code. What its own checks, overflow, memory and time say is enough.

mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use self::report::Row;
use crate::steps::{cargo, check, root, target_dir};

/// What cargo-fuzz 0.13 passes: coverage of edges and comparisons, and `cfg(fuzzing)`, by which decoders pass over checksums.
const FLAGS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "--cfg=fuzzing",
];
/// No input of a few kilobytes may take longer, in seconds; on a busy machine an honest one takes a tenth of it.
const SLOWEST: usize = 20;
/// Megabytes of the whole process, the kept inputs among them. (What one input may take is checked in the targets.)
const MOST_MEMORY: usize = 1_536;
/// Bytes of an input.
const LONGEST: usize = 16_384;

struct Options {
    seconds: u64,
    only: Option<String>,
    /// Targets at a time.
    jobs: usize,
    /// The same inputs on every machine, as far as it comes in its time: from the seeds alone, by the same chances.
    repeatable: bool,
}

pub fn run(arguments: &[String]) -> Result<()> {
    let mut options = Options { seconds: 600, only: None, jobs: 1, repeatable: false };
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        let value = left.next().with_context(|| format!("{argument}: its value is missing"))?;
        match argument.as_str() {
            "--seconds" => options.seconds = value.parse().context("--seconds")?,
            "--only" => options.only = Some(value.clone()),
            "--jobs" => options.jobs = value.parse::<usize>().context("--jobs")?.max(1),
            other => bail!("fuzz: no option {other:?}; there are --seconds, --only, --jobs"),
        }
    }
    every(&options)
}

/// Every target for half a minute, as many at a time as there are processors: the stage of `cargo xtask test`. The same
/// commit gives the same answer; what chance finds is looked for by `cargo xtask fuzz`.
pub fn briefly() -> Result<()> {
    let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8);
    every(&Options { seconds: 30, only: None, jobs, repeatable: true })
}

fn every(options: &Options) -> Result<()> {
    let mut targets = targets()?;
    targets.retain(|target| options.only.as_ref().is_none_or(|only| only == target));
    if targets.is_empty() {
        bail!("fuzz: no such target; there are {}", self::targets()?.join(", "));
    }
    let binaries = build(&targets)?;
    println!("{}", Row::HEAD);
    let mut findings = Vec::new();
    for together in targets.chunks(options.jobs) {
        let running =
            together.iter().map(|target| Run::start(target, &binaries, options)).collect::<Result<Vec<_>>>()?;
        for run in running {
            findings.extend(run.finish()?);
        }
    }
    if findings.is_empty() { Ok(()) } else { bail!("findings:\n  - {}", findings.join("\n  - ")) }
}

/// The targets, by the files that make them.
fn targets() -> Result<Vec<String>> {
    let mut targets = Vec::new();
    for file in fs::read_dir(root().join("fuzz/fuzz_targets"))? {
        let file = file?.path();
        targets.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    targets.sort();
    Ok(targets)
}

/// Builds them; gives the folder they are in.
fn build(targets: &[String]) -> Result<PathBuf> {
    crate::fonts::fetch()?;
    let built = target_dir().join("fuzz");
    let host = host()?;
    let manifest = root().join("fuzz/Cargo.toml");
    let mut command = cargo(&["build", "--release", "--quiet", "--target", &host, "--manifest-path"]);
    command.arg(manifest).env("CARGO_TARGET_DIR", &built).env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    for target in targets {
        command.args(["--bin", target]);
    }
    check(&mut command)?;
    Ok(built.join(host).join("release"))
}

/// This machine's triple: with `--target`, build scripts and macros are built without the flags.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc does not tell its host")?.to_owned())
}

struct Run {
    target: String,
    child: Child,
    log: PathBuf,
    artifacts: PathBuf,
    binary: PathBuf,
}

impl Run {
    fn start(target: &str, binaries: &Path, options: &Options) -> Result<Self> {
        let home = target_dir().join("fuzz");
        // what was found is kept from run to run, beside the seeds
        let kept = home.join(if options.repeatable { "corpus-of-tests" } else { "corpus" });
        let (corpus, artifacts) = (kept.join(target), home.join("artifacts").join(target));
        if options.repeatable && corpus.exists() {
            fs::remove_dir_all(&corpus)?;
        }
        fs::create_dir_all(&corpus)?;
        fs::create_dir_all(&artifacts)?;
        let log = home.join(format!("{target}.log"));
        let binary = binaries.join(target);
        let seeds = root().join("fuzz/seeds").join(target);
        let mut command = Command::new(&binary);
        command
            .arg(format!("-max_total_time={}", options.seconds))
            // 0 is a chance of its own in every run
            .arg(format!("-seed={}", u32::from(options.repeatable)))
            .arg(format!("-timeout={SLOWEST}"))
            .arg(format!("-rss_limit_mb={MOST_MEMORY}"))
            .arg(format!("-max_len={LONGEST}"))
            .arg(format!("-artifact_prefix={}/", artifacts.display()))
            .arg(format!("-dict={}", root().join("fuzz/words.dict").display()))
            .args(["-use_value_profile=1", "-print_final_stats=1", "-reload=0"])
            .arg(&corpus)
            .arg(seeds)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log)?);
        let child = command.spawn().with_context(|| binary.display().to_string())?;
        Ok(Self { target: target.to_owned(), child, log, artifacts, binary })
    }

    /// Waits for its end, prints its row, gives what it found.
    fn finish(mut self) -> Result<Option<String>> {
        let status = self.child.wait()?;
        let log = String::from_utf8_lossy(&fs::read(&self.log)?).into_owned();
        let row = Row::of(&log, status.success());
        println!("{}", row.line(&self.target));
        if status.success() {
            return Ok(None);
        }
        let input = row.artifact.map_or_else(|| self.artifacts.display().to_string(), str::to_owned);
        let said = row.said.unwrap_or("no word why");
        Ok(Some(format!("{}: {said}\n    {} {input}\n    {}", self.target, self.binary.display(), self.log.display())))
    }
}
