//! Shows the progress of steps that run at the same time: the elapsed time and the current activity of each step, such as
//! `210 of 430 crates`.

use std::io::{IsTerminal, Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::steps::{describe, human};

/// Time between two status lines on a terminal. It is short, because each status line overwrites the previous one.
const ON_TERMINAL: Duration = Duration::from_secs(1);
/// Time between two status lines in a log. It is longer, because a log keeps all status lines.
const IN_LOG: Duration = Duration::from_secs(15);

/// Maximum number of columns of a status line on a terminal, so that it never wraps.
const COLUMNS: usize = 110;

/// The current activity of a running step.
#[derive(Clone)]
pub struct Activity {
    board: Arc<Mutex<BoardState>>,
    index: usize,
}

impl Activity {
    pub fn update(&self, doing: impl Into<String>) {
        if let Some(step) = lock(&self.board).running.get_mut(self.index) {
            step.doing = doing.into();
        }
    }
}

struct Running {
    name: &'static str,
    began: Instant,
    doing: String,
    ended: bool,
}

struct BoardState {
    running: Vec<Running>,
    terminal: bool,
}

/// A display of the steps that run at the same time.
pub struct Board {
    state: Arc<Mutex<BoardState>>,
    began: Instant,
    stop: Option<mpsc::Sender<()>>,
    printer: Option<thread::JoinHandle<()>>,
}

impl Board {
    pub fn start() -> Self {
        let terminal = std::io::stdout().is_terminal();
        let state = Arc::new(Mutex::new(BoardState { running: Vec::new(), terminal }));
        let (stop, stopped) = mpsc::channel();
        let shown = Arc::clone(&state);
        let interval = if terminal { ON_TERMINAL } else { IN_LOG };
        let printer = thread::spawn(move || {
            while stopped.recv_timeout(interval) == Err(mpsc::RecvTimeoutError::Timeout) {
                lock(&shown).print();
            }
        });
        Self { state, began: Instant::now(), stop: Some(stop), printer: Some(printer) }
    }

    /// Prints a line above the status line.
    pub fn print_text(&self, text: &str) {
        lock(&self.state).print_line(text);
    }

    /// Runs a step. Prints `name` and `what` when it begins, and its time and outcome when it ends.
    pub fn run<T>(&self, name: &'static str, what: &str, step: impl FnOnce(&Activity) -> Result<T>) -> Result<T> {
        let activity = {
            let mut state = lock(&self.state);
            state.print_line(&format!("{name}: {what}"));
            let began = Instant::now();
            state.running.push(Running { name, began, doing: String::new(), ended: false });
            Activity { board: Arc::clone(&self.state), index: state.running.len() - 1 }
        };
        let began = Instant::now();
        let result = step(&activity);
        let mut state = lock(&self.state);
        if let Some(step) = state.running.get_mut(activity.index) {
            step.ended = true;
        }
        let (took, since) = (human(began.elapsed()), human(self.began.elapsed()));
        match &result {
            Ok(_) => state.print_line(&format!("{name} done in {took} (after {since})")),
            Err(_) => state.print_line(&format!("{name} FAILED after {took}")),
        }
        result
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(printer) = self.printer.take() {
            let _ = printer.join();
        }
    }
}

impl BoardState {
    /// Prints a line that the next status line does not overwrite.
    fn print_line(&self, line: &str) {
        print_above_status(&format!("  {line}"));
    }

    /// Prints the status of all steps that run.
    fn print(&self) {
        let steps: Vec<String> = self.running.iter().filter(|step| !step.ended).map(Running::status).collect();
        if steps.is_empty() {
            return;
        }
        let line = steps.join(" · ");
        let mut out = std::io::stdout();
        // A closed pipe is no reason to stop building.
        let _ = if self.terminal {
            let shown: String = line.chars().take(COLUMNS).collect();
            write!(out, "\r\x1b[K  {shown}")
        } else {
            writeln!(out, "    {line}")
        };
        let _ = out.flush();
    }
}

impl Running {
    fn status(&self) -> String {
        let seconds = self.began.elapsed().as_secs();
        let doing = if self.doing.is_empty() { String::new() } else { format!(" {}", self.doing) };
        format!("{} {}:{:02}{doing}", self.name, seconds / 60, seconds % 60)
    }
}

/// Prints a line that the next status line does not overwrite. On a terminal, the line replaces the current status
/// line. The next status line is printed below it.
pub fn print_above_status(line: &str) {
    let mut out = std::io::stdout();
    let clear = if out.is_terminal() { "\r\x1b[K" } else { "" };
    let _ = writeln!(out, "{clear}{line}");
    let _ = out.flush();
}

fn lock(state: &Mutex<BoardState>) -> MutexGuard<'_, BoardState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs cargo and shows how many crates are compiled. Warnings and errors are printed when cargo ends.
pub fn cargo(command: &mut Command, activity: &Activity) -> Result<()> {
    let line = describe(command);
    command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "200");
    let mut child = command.stderr(Stdio::piped()).spawn().with_context(|| format!("cannot start `{line}`"))?;
    let mut messages = Vec::new();
    if let Some(mut pipe) = child.stderr.take() {
        let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
        loop {
            let read = pipe.read(&mut chunk)?;
            if read == 0 {
                break;
            }
            bytes.extend_from_slice(&chunk[..read]);
            while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
                let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
                bytes.drain(..=end);
                match read_line(&text) {
                    Line::Progress(doing) => activity.update(doing),
                    Line::Status => {}
                    Line::Message => messages.push(text),
                }
            }
        }
    }
    let status = child.wait()?;
    if !messages.is_empty() {
        eprintln!("{}", messages.join("\n"));
    }
    if status.success() { Ok(()) } else { bail!("`{line}` ended with {status}") }
}

#[derive(Debug, PartialEq)]
enum Line {
    /// The progress of cargo, reworded for the status line.
    Progress(String),
    /// A status line of cargo that is not shown.
    Status,
    /// A warning or an error of cargo.
    Message,
}

/// Words with which cargo's status lines begin.
const STATUS: [&str; 13] = [
    "Compiling",
    "Checking",
    "Downloaded",
    "Downloading",
    "Updating",
    "Locking",
    "Adding",
    "Finished",
    "Fresh",
    "Dirty",
    "Running",
    "Building",
    "Timing",
];

/// Classifies a line of cargo's standard error, such as `Building [==>   ] 210/430: tokio, ring(build)`.
fn read_line(line: &str) -> Line {
    // Cargo clears a progress line by an escape sequence.
    let line = line.trim_start_matches("\u{1b}[K").trim();
    let word = line.split([' ', ':']).next().unwrap_or_default();
    if word == "Blocking" {
        return Line::Progress("waiting for another cargo".to_owned());
    }
    if let Some((_, rest)) = line.split_once("] ").filter(|_| line.starts_with("Building [")) {
        let (count, crates) = rest.split_once(':').unwrap_or((rest, ""));
        if let Some((done, all)) = count.trim().split_once('/') {
            let first = crates.split(',').next().unwrap_or_default().trim();
            let name = first.split('(').next().unwrap_or_default();
            let compiling = if name.is_empty() { String::new() } else { format!(", compiling {name}") };
            return Line::Progress(format!("{done} of {all} crates{compiling}"));
        }
    }
    if word == "Downloading" || word == "Updating" {
        return Line::Progress("downloading crates".to_owned());
    }
    if line.is_empty() || STATUS.contains(&word) { Line::Status } else { Line::Message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_output_lines_are_classified() {
        let progress = |text: &str| Line::Progress(text.to_owned());
        for (line, expected) in [
            (
                "    Building [====>       ] 210/430: aws-sdk-s3, ring(build)",
                progress("210 of 430 crates, compiling aws-sdk-s3"),
            ),
            ("\u{1b}[K    Building [=] 3/430: libc(build.rs)", progress("3 of 430 crates, compiling libc")),
            ("    Building [=======] 430/430", progress("430 of 430 crates")),
            ("    Blocking waiting for file lock on build directory", progress("waiting for another cargo")),
            (" Downloading crates ...", progress("downloading crates")),
            ("   Compiling tokio v1.54.1", Line::Status),
            ("    Finished `dev` profile in 3.1s", Line::Status),
            ("\u{1b}[K", Line::Status),
            ("error[E0308]: mismatched types", Line::Message),
            ("  --> src/main.rs:3:5", Line::Message),
            ("error: rustc 1.85.0 is not supported", Line::Message),
        ] {
            assert_eq!(read_line(line), expected, "{line}");
        }
    }

    #[test]
    fn the_status_shows_each_running_step_with_its_time() {
        let began = Instant::now().checked_sub(Duration::from_secs(83)).unwrap();
        let step = |doing: &str| Running { name: "server", began, doing: doing.to_owned(), ended: false };
        assert_eq!(step("3 of 9 crates").status(), "server 1:23 3 of 9 crates");
        assert_eq!(step("").status(), "server 1:23");
    }

    #[test]
    fn a_step_returns_its_result_and_a_failure() {
        let board = Board::start();
        let worked = board.run("one", "works", |activity| {
            activity.update("working");
            Ok(5)
        });
        assert_eq!(worked.unwrap(), 5);
        assert!(board.run::<()>("two", "fails", |_| bail!("no")).is_err());
    }
}
