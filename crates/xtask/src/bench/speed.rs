//! `cargo xtask bench speed` runs `waraq pdf` and its [peers] as whole processes on the same files.
//!
//! Runs are interleaved, so that other load on the machine affects all programs alike. On a busy machine, the ratio of
//! processor times is more reliable than that of wall-clock times, because it does not include waiting. `--documents
//! DIR` adds documents. (`cargo run -p waraq-catalogue --example write -- DIR` writes the product's own.)

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use super::peers::{self, Converter};
use super::{Options, measure, output_folder, stem};

/// Minimum ratio between the wall-clock time of the fastest peer and ours.
const RATIO: f64 = 4.0;
const MOST_MEMORY: u64 = 40 << 20;

/// Time, memory and output size that a program needed for a file.
#[derive(Clone, Copy)]
struct Measurement {
    time: Duration,
    cpu: Duration,
    memory: Option<u64>,
    bytes: u64,
}

pub fn run(options: &Options) -> Result<()> {
    let mut contestants = vec![Converter::waraq(options.waraq()?)];
    contestants.extend(peers::installed());
    let folder = output_folder("speed")?;
    for contestant in &contestants {
        std::fs::create_dir_all(folder.join(contestant.name))?;
    }
    let mut files = options.files("valid")?;
    if let Some(documents) = &options.documents {
        files.extend(options.documents_in(documents)?);
    }
    print!("{:40}", format!("the whole process, ms (median of {})", options.runs));
    contestants.iter().for_each(|contestant| print!(" {:>11}", contestant.name));
    println!(" {:>7} {:>7} {:>7} {:>7}", "ratio", "of cpu", "MB", "kB");
    let mut missed = Vec::new();
    let mut all: Vec<Vec<Option<Measurement>>> = Vec::new();
    for file in &files {
        let needed = measure_all(&contestants, file, &folder, options.runs)?;
        row(file, &needed, &mut missed);
        all.push(needed);
    }
    summary(&contestants, &all);
    if missed.is_empty() {
        return Ok(());
    }
    bail!("missed (≥ {RATIO} times, ≤ 40 MB):\n  - {}", missed.join("\n  - "))
}

/// Wall-clock and processor times of the runs of one program.
type Times = (Vec<Duration>, Vec<Duration>);

/// Measures each program on a file. The result of a program that fails is `None`.
fn measure_all(contestants: &[Converter], file: &Path, folder: &Path, runs: usize) -> Result<Vec<Option<Measurement>>> {
    let mut times: Vec<Option<Times>> = contestants.iter().map(|_| Some(Times::default())).collect();
    for _ in 0..runs {
        for (contestant, times) in contestants.iter().zip(&mut times) {
            let Some((clock, cpu)) = times else { continue };
            make_room(&contestant.output(file, folder))?;
            let outcome = measure::run(&mut contestant.command(file, folder))?;
            if outcome.status.success() {
                clock.push(outcome.time);
                cpu.push(outcome.cpu);
            } else {
                *times = None;
            }
        }
    }
    let of = |(contestant, times): (&Converter, Option<Times>)| {
        let (mut clock, mut cpu) = times?;
        // the maximum of several runs: a short process may end between two samples
        let memory = (0..3).filter_map(|_| measure::peak_memory(&mut contestant.command(file, folder))).max();
        let bytes = std::fs::metadata(contestant.output(file, folder)).ok()?.len();
        Some(Measurement { time: measure::median(&mut clock), cpu: measure::median(&mut cpu), memory, bytes })
    };
    Ok(contestants.iter().zip(times).map(of).collect())
}

/// Deletes the output file of the previous run. Otherwise, the program would truncate the existing file first, and its
/// time would include waiting for the disk.
fn make_room(output: &Path) -> Result<()> {
    match std::fs::remove_file(output) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Returns the ratio between the time of the fastest peer and our time. `None` if our program or all peers failed.
fn ratio(needed: &[Option<Measurement>], of: fn(&Measurement) -> Duration) -> Option<f64> {
    let ours = of(needed.first()?.as_ref()?).as_secs_f64();
    let fastest = needed.iter().skip(1).flatten().map(of).min()?.as_secs_f64();
    Some(fastest / ours.max(1e-6))
}

fn row(file: &Path, needed: &[Option<Measurement>], missed: &mut Vec<String>) {
    let name = stem(file);
    print!("{name:40.40}");
    for one in needed {
        match one {
            Some(one) => print!(" {:>11.1}", measure::milliseconds(one.time)),
            None => print!(" {:>11}", "failed"),
        }
    }
    let ratios = [ratio(needed, |one| one.time), ratio(needed, |one| one.cpu)];
    let ours = needed.first().copied().flatten();
    for ratio in ratios {
        print!(" {:>7}", ratio.map_or("-".into(), |ratio| format!("{ratio:.1}")));
    }
    let memory = ours.and_then(|ours| ours.memory);
    print!(" {:>7}", memory.map_or("-".into(), |memory| format!("{:.1}", megabytes(memory))));
    println!(" {:>7}", ours.map_or("-".into(), |ours| format!("{:.0}", ours.bytes as f64 / 1e3)));
    if ours.is_none() {
        missed.push(format!("{name}: failed"));
    }
    if let Some(ratio) = ratios[0].filter(|ratio| *ratio < RATIO) {
        missed.push(format!("{name}: {ratio:.1} times as fast as the fastest peer"));
    }
    if let Some(memory) = memory.filter(|memory| *memory > MOST_MEMORY) {
        missed.push(format!("{name}: {:.0} MB", megabytes(memory)));
    }
}

/// Prints medians for each program over the files that it converted, and the ratios to our time.
fn summary(contestants: &[Converter], all: &[Vec<Option<Measurement>>]) {
    println!("\n{:12} {:>6} {:>10} {:>10} {:>8} {:>8}", "medians", "files", "ms", "cpu ms", "MB", "kB");
    for (index, contestant) in contestants.iter().enumerate() {
        let ones: Vec<Measurement> = all.iter().filter_map(|needed| needed.get(index).copied().flatten()).collect();
        let median = |of: fn(&Measurement) -> f64| {
            let mut values: Vec<f64> = ones.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(0.0)
        };
        println!(
            "{:12} {:>6} {:>10.1} {:>10.1} {:>8.1} {:>8.0}",
            contestant.name,
            ones.len(),
            median(|one| measure::milliseconds(one.time)),
            median(|one| measure::milliseconds(one.cpu)),
            median(|one| one.memory.map_or(0.0, megabytes)),
            median(|one| one.bytes as f64 / 1e3),
        );
    }
    for (what, of) in
        [("by the clock", (|one| one.time) as fn(&Measurement) -> Duration), ("on the processor", |one| one.cpu)]
    {
        let mut ratios: Vec<f64> = all.iter().filter_map(|needed| ratio(needed, of)).collect();
        ratios.sort_by(f64::total_cmp);
        if let (Some(least), Some(middle)) = (ratios.first(), ratios.get(ratios.len() / 2)) {
            println!(
                "{what} the fastest peer takes {middle:.1} times as long (median over files), {least:.1} at least"
            );
        }
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
