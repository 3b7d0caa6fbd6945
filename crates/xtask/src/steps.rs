//! The steps of a command, each with its time and outcome, and the programs that steps run.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    // Cargo names the manifest in the environment at run time. The path known at compile time would be wrong if several
    // checkouts share a target directory.
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).filter(|found| found.ends_with("crates/xtask"));
    let manifest = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    manifest.join("../..").canonicalize().unwrap_or_else(|_| PathBuf::from("."))
}

/// Returns cargo's target directory. A relative `CARGO_TARGET_DIR` starts at the repository's root, where all commands run.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// The steps of one command. They are printed with their numbers: `[2/4] frontend: …`.
pub struct Steps {
    total: usize,
    done: Vec<Step>,
    began: Instant,
}

struct Step {
    name: String,
    took: Duration,
    outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Ok,
    Failed,
    Skipped,
}

impl Steps {
    pub fn new(total: usize) -> Self {
        Self { total, done: Vec::new(), began: Instant::now() }
    }

    /// Runs a step, prints its duration, and returns its result.
    pub fn run<T>(&mut self, name: &str, what: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
        self.headline(name, what);
        let began = Instant::now();
        let result = step();
        let outcome = if result.is_ok() { Outcome::Ok } else { Outcome::Failed };
        self.done.push(Step { name: name.to_owned(), took: began.elapsed(), outcome });
        match &result {
            Ok(_) => println!("      {name} done in {}", human(began.elapsed())),
            Err(error) => println!("      {name} FAILED after {}: {error:#}", human(began.elapsed())),
        }
        result
    }

    /// Records a step that was not run because an earlier one failed.
    pub fn skip(&mut self, name: &str, what: &str, reason: &str) {
        self.headline(name, what);
        println!("      {name} NOT RUN: {reason}");
        self.done.push(Step { name: name.to_owned(), took: Duration::ZERO, outcome: Outcome::Skipped });
    }

    fn headline(&self, name: &str, what: &str) {
        println!("\n[{}/{}] {name}: {what}", self.done.len() + 1, self.total);
        // A closed pipe is no reason to stop building.
        let _ = std::io::stdout().flush();
    }

    /// Prints a table of the steps with their minutes.
    ///
    /// # Errors
    ///
    /// An error that names the steps that failed or were not run.
    pub fn summary(&self) -> Result<()> {
        println!("\n{:<28} {:>8}  outcome", "stage", "minutes");
        for Step { name, took, outcome } in &self.done {
            let outcome = match outcome {
                Outcome::Ok => "ok",
                Outcome::Failed => "FAILED",
                Outcome::Skipped => "NOT RUN",
            };
            println!("{name:<28} {:>8.1}  {outcome}", took.as_secs_f64() / 60.0);
        }
        println!("{:<28} {:>8.1}", "all", self.began.elapsed().as_secs_f64() / 60.0);
        let failed: Vec<&str> =
            self.done.iter().filter(|step| step.outcome != Outcome::Ok).map(|step| step.name.as_str()).collect();
        if failed.is_empty() { Ok(()) } else { bail!("failed or not run: {}", failed.join(", ")) }
    }
}

pub fn human(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// Returns a command that runs in the repository's root. Its output is shown while it runs.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

pub fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()), arguments);
    // Cargo describes xtask's own package in the environment. Some build scripts (ring's) watch these variables: if they differed from a
    // terminal's, the AWS SDK would be compiled again at each change between xtask and cargo.
    let ours = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(ours)) {
        cargo.env_remove(name);
    }
    cargo
}

/// Builds an example of the workspace and returns the command that runs it. The whole workspace is named because a single package would be
/// compiled with other features.
pub fn example(name: &str) -> Result<Command> {
    check(&mut cargo(&["build", "--quiet", "--release", "--workspace", "--example", name]))?;
    Ok(Command::new(target_dir().join("release/examples").join(name)))
}

/// Runs a command to its end.
///
/// # Errors
///
/// An error that names the command, if the command cannot be started or fails.
pub fn check(command: &mut Command) -> Result<()> {
    let line = describe(command);
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if status.success() { Ok(()) } else { bail!("`{line}` ended with {status}") }
}

/// Runs a command and returns its output. If it takes longer than `limit`, kills it with all processes that it started.
pub fn output_within(command: &mut Command, limit: Duration) -> Result<Output> {
    let line = describe(command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn().with_context(|| format!("cannot start `{line}`"))?;
    let stdout = read_all(child.stdout.take());
    let stderr = read_all(child.stderr.take());
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if began.elapsed() > limit {
            kill_group(&mut child);
            bail!("`{line}` took longer than {} s", limit.as_secs_f64());
        }
        thread::sleep(Duration::from_millis(20));
    };
    Ok(Output { status, stdout: stdout.join().unwrap_or_default(), stderr: stderr.join().unwrap_or_default() })
}

fn read_all(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Kills a process and, if it leads a process group, all processes of the group.
pub fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Returns a command as a line for messages: the program's name and its arguments.
pub fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program()).to_string_lossy();
    let arguments = command.get_args().map(|a| a.to_string_lossy());
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_does_not_inherit_cargo_variables_of_xtask() {
        let cargo = cargo(&["--version"]);
        // Cargo sets these variables for this test.
        for name in ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR"] {
            assert!(std::env::var_os(name).is_some());
            assert!(cargo.get_envs().any(|(removed, value)| removed == name && value.is_none()), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_command_over_its_time_is_killed_with_its_children() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "/bin/sleep 600 & echo started; wait"]);
        let error = output_within(&mut command, Duration::from_millis(300)).unwrap_err();
        assert!(error.to_string().contains("took longer than 0.3 s"), "{error}");
    }

    #[test]
    fn a_skipped_step_fails_the_command() {
        let mut steps = Steps::new(2);
        steps.run("one", "works", || Ok(())).unwrap();
        assert!(steps.summary().is_ok());
        steps.skip("two", "needs more", "nothing to work with");
        assert_eq!(steps.summary().unwrap_err().to_string(), "failed or not run: two");
    }
}
