//! `cargo xtask bench speed`: `waraq pdf` as a whole process beside its peers, the same files in the same run.
//!
//! Peers are taken where they are installed: `rdocx`, `office2pdf` (of the Python package office2pdf-python) and
//! `soffice`. Runs are interleaved, so that a busy machine is busy for all.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use super::{Options, measure, output_folder, stem};
use crate::tools;

/// How many times faster than the fastest peer.
const RATIO: f64 = 5.0;
const MOST_MEMORY: u64 = 40 << 20;

struct Contestant {
    name: &'static str,
    program: PathBuf,
    arguments: fn(&Path, &Path) -> Vec<OsString>,
}

/// How a program is told to turn a document into a PDF.
type Invocation = fn(&Path, &Path) -> Vec<OsString>;

pub fn run(options: &Options) -> Result<()> {
    let contestants = contestants(options.waraq()?);
    let folder = output_folder("speed")?;
    let files = options.files("valid")?;
    for peer in ["rdocx", "office2pdf", "soffice"] {
        if !contestants.iter().any(|contestant| contestant.name == peer) {
            println!("{peer} is not installed: left out");
        }
    }
    print!("{:44}", "median of the whole process, ms");
    for contestant in &contestants {
        print!(" {:>11}", contestant.name);
    }
    println!(" {:>9} {:>9}", "ratio", "MB");
    let mut missed = Vec::new();
    let mut ratios = Vec::new();
    for file in &files {
        let medians = medians(&contestants, file, &folder, options.runs)?;
        let memory = memory(&contestants, file, &folder);
        let ours = medians.first().copied().flatten();
        let fastest = medians.iter().skip(1).flatten().min().copied();
        let ratio = ours.zip(fastest).map(|(ours, peer)| peer.as_secs_f64() / ours.as_secs_f64().max(1e-6));
        row(&stem(file), &medians, ratio, memory);
        if let Some(ratio) = ratio {
            ratios.push(ratio);
            if ratio < RATIO {
                missed.push(format!("{}: {ratio:.1} times as fast as the fastest peer", stem(file)));
            }
        }
        if memory.is_some_and(|memory| memory > MOST_MEMORY) {
            missed.push(format!("{}: {:.0} MB", stem(file), memory.unwrap_or(0) as f64 / f64::from(1 << 20)));
        }
    }
    ratios.sort_by(f64::total_cmp);
    if let (Some(least), Some(middle)) = (ratios.first(), ratios.get(ratios.len() / 2)) {
        println!("\nthe fastest peer takes {middle:.1} times as long (median over files), {least:.1} times at least");
    }
    if missed.is_empty() {
        Ok(())
    } else {
        bail!("missed (≥ {RATIO} times, ≤ 40 MB):\n  - {}", missed.join("\n  - "))
    }
}

fn contestants(waraq: PathBuf) -> Vec<Contestant> {
    let mut contestants = vec![Contestant {
        name: "waraq",
        program: waraq,
        arguments: |input, output| vec!["pdf".into(), input.into(), "-o".into(), output.into()],
    }];
    let peers: [(&'static str, Invocation); 3] = [
        ("rdocx", |input, output| vec!["convert".into(), input.into(), "-o".into(), output.into()]),
        ("office2pdf", |input, output| vec![input.into(), output.into()]),
        ("soffice", |input, output| {
            let folder = output.parent().unwrap_or(Path::new("."));
            let profile = folder.join("profile");
            vec![
                format!("-env:UserInstallation=file://{}", profile.display()).into(),
                "--headless".into(),
                "--convert-to".into(),
                "pdf".into(),
                "--outdir".into(),
                folder.into(),
                input.into(),
            ]
        }),
    ];
    for (name, arguments) in peers {
        if tools::present(name) {
            contestants.push(Contestant { name, program: name.into(), arguments });
        }
    }
    contestants
}

/// `None`: it failed on the file.
fn medians(contestants: &[Contestant], file: &Path, folder: &Path, runs: usize) -> Result<Vec<Option<Duration>>> {
    let mut times: Vec<Option<Vec<Duration>>> = contestants.iter().map(|_| Some(Vec::new())).collect();
    for _ in 0..runs {
        for (contestant, times) in contestants.iter().zip(&mut times) {
            let Some(so_far) = times else { continue };
            let outcome = measure::run(&mut command(contestant, file, folder))?;
            if outcome.status.success() {
                so_far.push(outcome.time);
            } else {
                *times = None;
            }
        }
    }
    Ok(times.into_iter().map(|times| times.map(|mut times| measure::median(&mut times))).collect())
}

/// The most of several runs: a short process may end between two looks at it.
fn memory(contestants: &[Contestant], file: &Path, folder: &Path) -> Option<u64> {
    let ours = contestants.first()?;
    (0..5).filter_map(|_| measure::peak_memory(&mut command(ours, file, folder))).max()
}

fn command(contestant: &Contestant, file: &Path, folder: &Path) -> Command {
    let output = folder.join(format!("{}-{}.pdf", contestant.name, stem(file)));
    let mut command = Command::new(&contestant.program);
    command.args((contestant.arguments)(file, &output));
    command
}

fn row(name: &str, medians: &[Option<Duration>], ratio: Option<f64>, memory: Option<u64>) {
    print!("{name:44.44}");
    for time in medians {
        match time {
            Some(time) => print!(" {:>11.1}", measure::milliseconds(*time)),
            None => print!(" {:>11}", "failed"),
        }
    }
    let ratio = ratio.map_or("-".into(), |ratio| format!("{ratio:.1}"));
    let memory = memory.map_or("-".into(), |bytes| format!("{:.1}", bytes as f64 / f64::from(1 << 20)));
    println!(" {ratio:>9} {memory:>9}");
}
