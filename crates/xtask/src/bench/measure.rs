//! Measures time and memory of a process.

use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

pub struct Outcome {
    pub status: ExitStatus,
    /// Wall-clock time.
    pub time: Duration,
    /// Processor time, including child processes. Zero if the system does not report it.
    pub cpu: Duration,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command and measures it from its start to its exit.
pub fn run(command: &mut Command) -> Result<Outcome> {
    let cpu_before = children_cpu();
    let began = Instant::now();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
    Ok(Outcome {
        status: output.status,
        time: began.elapsed(),
        cpu: children_cpu().saturating_sub(cpu_before),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Returns the processor time of all child processes that have ended.
#[cfg(unix)]
pub fn children_cpu() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
    let spent = |time: nix::sys::time::TimeVal| {
        let microseconds = time.tv_sec().saturating_mul(1_000_000).saturating_add(time.tv_usec());
        Duration::from_micros(u64::try_from(microseconds).unwrap_or(0))
    };
    spent(usage.user_time()) + spent(usage.system_time())
}

#[cfg(not(unix))]
pub fn children_cpu() -> Duration {
    Duration::ZERO
}

/// Returns the peak memory of a process in bytes, as the Linux kernel reports it while the process runs. Its child
/// processes are not counted. Returns `None` on other systems.
pub fn peak_memory(command: &mut Command) -> Option<u64> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while let Ok(None) = child.try_wait() {
        let now = std::fs::read_to_string(&status).ok().and_then(|text| high_water(&text));
        peak = peak.max(now);
        sleep(Duration::from_micros(200));
    }
    peak
}

fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

pub fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peak_memory_is_read_in_bytes() {
        assert_eq!(high_water("Name:\twaraq\nVmHWM:\t   20480 kB\nVmRSS:\t 10 kB\n"), Some(20_480 * 1024));
        assert_eq!(high_water("Name:\twaraq\n"), None);
    }

    #[test]
    fn median_of_an_odd_count_is_the_middle_value() {
        let seconds = |n| Duration::from_secs(n);
        assert_eq!(median(&mut [seconds(9), seconds(1), seconds(2)]), seconds(2));
    }
}
