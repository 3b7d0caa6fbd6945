//! Steps with a headline, a time and an outcome, so that whoever waits knows for what.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The root of the repository.
pub fn root() -> PathBuf {
    // Two levels up from the manifest that cargo names. (Not the one it was compiled from: checkouts that share a target directory share it too.)
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).filter(|found| found.ends_with("crates/xtask"));
    let manifest = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    manifest.join("../..").canonicalize().unwrap_or_else(|_| PathBuf::from("."))
}

/// Where cargo puts what it builds.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Counts the steps of one command: `[2/4] frontend: …`.
pub struct Steps {
    total: usize,
    done: Vec<(String, Duration, bool)>,
    began: Instant,
}

impl Steps {
    pub fn new(total: usize) -> Self {
        Self { total, done: Vec::new(), began: Instant::now() }
    }

    /// Runs a step, says how long it took, and hands its error on.
    pub fn run<T>(&mut self, name: &str, what: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n[{}/{}] {name}: {what}", self.done.len() + 1, self.total);
        // a closed pipe is no reason to stop building
        let _ = std::io::stdout().flush();
        let began = Instant::now();
        let outcome = step();
        self.done.push((name.to_owned(), began.elapsed(), outcome.is_ok()));
        match &outcome {
            Ok(_) => println!("      {name} done in {}", human(began.elapsed())),
            Err(error) => println!("      {name} FAILED after {}: {error:#}", human(began.elapsed())),
        }
        outcome
    }

    /// A table of the steps and their minutes; an error if one failed.
    pub fn summary(&self) -> Result<()> {
        println!("\n{:<28} {:>8}  outcome", "stage", "minutes");
        for (name, took, ok) in &self.done {
            println!("{name:<28} {:>8.1}  {}", took.as_secs_f64() / 60.0, if *ok { "ok" } else { "FAILED" });
        }
        println!("{:<28} {:>8.1}", "all", self.began.elapsed().as_secs_f64() / 60.0);
        let failed: Vec<&str> = self.done.iter().filter(|(_, _, ok)| !ok).map(|(name, _, _)| name.as_str()).collect();
        if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
    }
}

pub fn human(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// A command in the repository's root (or below it), its output shown as it comes.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

pub fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()), arguments);
    // What cargo told this program of its own package. Build scripts watch these (ring's does): with them here and without them where somebody
    // types cargo himself, the AWS SDK would be compiled anew at each change from one to the other.
    let ours = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(ours)) {
        cargo.env_remove(name);
    }
    cargo
}

/// The command that an example is, built with the whole workspace: built alone, what it stands on would be compiled with other
/// features, and the rest of the workspace anew after it.
pub fn example(name: &str) -> Result<Command> {
    check(&mut cargo(&["build", "--quiet", "--release", "--workspace", "--example", name]))?;
    Ok(Command::new(target_dir().join("release/examples").join(name)))
}

/// Runs to the end; a failure names the command.
pub fn check(command: &mut Command) -> Result<()> {
    let line = describe(command);
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if status.success() { Ok(()) } else { bail!("`{line}` ended with {status}") }
}

fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program()).to_string_lossy();
    let arguments = command.get_args().map(|a| a.to_string_lossy());
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::cargo;

    #[test]
    fn cargo_is_not_told_of_our_package() {
        let cargo = cargo(&["--version"]);
        // Cargo tells this test of them.
        for name in ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR"] {
            assert!(std::env::var_os(name).is_some());
            assert!(cargo.get_envs().any(|(removed, value)| removed == name && value.is_none()), "{name}");
        }
    }
}
