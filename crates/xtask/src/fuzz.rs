//! `cargo xtask fuzz`: builds the engine's fuzz targets once and runs each for a while from its seeds.
//!
//! The targets are in the separate workspace `fuzz/` and work with cargo-fuzz too (`cargo fuzz run -s none TARGET`). Here they are
//! built with the flags of cargo-fuzz, so nothing has to be installed and one build serves all. No sanitizer is used, because the
//! engine has no unsafe code. The engine's own checks, overflow checks, and limits of memory and time are enough.

mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use self::report::Row;
use crate::steps::{cargo, check, root, target_dir};

/// The flags of cargo-fuzz 0.13: coverage of edges and comparisons, and `cfg(fuzzing)`, which makes decoders ignore checksums.
const FLAGS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "--cfg=fuzzing",
];
/// Time limit for one input, in seconds. Even on a busy machine, a normal input takes a tenth of this time.
const SLOWEST: usize = 20;
/// Memory limit of the whole process with all kept inputs, in megabytes. The targets themselves check the memory of one
/// input.
const MOST_MEMORY: usize = 1_536;
/// Maximum length of an input, in bytes.
const LONGEST: usize = 16_384;

struct Options {
    seconds: u64,
    only: Option<String>,
    /// Number of targets that run at the same time.
    jobs: usize,
    /// If true, the run starts from the seeds alone, with a fixed random seed. Every machine then tries the same
    /// sequence of inputs, and a faster machine gets further.
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

/// Runs each target for 20 seconds, as many at the same time as there are processors. This is a stage of `cargo xtask
/// test`. The same commit gives the same result, unlike `cargo xtask fuzz`, which searches at random.
pub fn briefly() -> Result<()> {
    let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8);
    every(&Options { seconds: 20, only: None, jobs, repeatable: true })
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

/// Returns the names of the fuzz targets. Each target is one file.
fn targets() -> Result<Vec<String>> {
    let mut targets = Vec::new();
    for file in fs::read_dir(root().join("fuzz/fuzz_targets"))? {
        let file = file?.path();
        targets.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    targets.sort();
    Ok(targets)
}

/// Builds the fuzz targets and returns the folder of their programs.
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

/// Returns this machine's target triple. It is passed as `--target`, so that the flags for fuzzing do not apply to build
/// scripts and macros.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc does not print its host")?.to_owned())
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
        // Inputs that reached new code are kept for the next run.
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
            // The seed 0 means that libFuzzer chooses a random one.
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

    /// Waits for the end of the run and prints its row. Returns a description of the input that failed, or `None`.
    fn finish(mut self) -> Result<Option<String>> {
        let status = self.child.wait()?;
        let log = String::from_utf8_lossy(&fs::read(&self.log)?).into_owned();
        let row = Row::of(&log, status.success());
        println!("{}", row.line(&self.target));
        if status.success() {
            return Ok(None);
        }
        let input = row.artifact.map_or_else(|| self.artifacts.display().to_string(), str::to_owned);
        let said = row.said.unwrap_or("no reason given");
        Ok(Some(format!("{}: {said}\n    {} {input}\n    {}", self.target, self.binary.display(), self.log.display())))
    }
}
