//! Finds a Rust compiler for the browser module. The compilers are tried in this order, and each is checked before it
//! is used:
//!
//! 1. the installed compiler, if it has the target `wasm32-unknown-unknown`;
//! 2. the installed compiler after `rustup target add`, if rustup manages the toolchain;
//! 3. Debian's `rustc-web`, unpacked into the user's cache ([`super::debian`]).

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::debian::{self, DebianCompiler};
use crate::progress::print_above_status;
use crate::steps::output_within;

pub const TARGET: &str = "wasm32-unknown-unknown";

/// Longest time for `rustup target add`, which downloads about 20 MB.
const RUSTUP_LIMIT: Duration = Duration::from_secs(60);
/// Time limit for a call of a local program that only reports something, such as a compiler's version.
pub const QUESTION_LIMIT: Duration = Duration::from_secs(20);

/// A Rust version: major and minor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RustVersion(pub u32, pub u32);

impl RustVersion {
    /// Parses the first `N.N` of a text such as `rustc 1.95.0 (…)`, `1.96.0+dfsg1-1~deb12u2` or `1.95`. Returns `None` if the text
    /// contains no version.
    pub fn parse(text: &str) -> Option<Self> {
        let start = text.find(|character: char| character.is_ascii_digit())?;
        let mut numbers = text[start..].split(|character: char| !character.is_ascii_digit());
        Some(Self(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    }

    /// Returns the `rust-version` in the workspace's manifest.
    pub fn required(manifest: &str) -> Result<Self> {
        let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
        line.and_then(Self::parse).context("Cargo.toml has no rust-version")
    }
}

impl fmt::Display for RustVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.0, self.1)
    }
}

/// The programs and folders of this machine that the search for a compiler uses. Tests replace them.
pub struct Machine {
    /// The search path (`PATH`) for every program that is started.
    pub path: OsString,
    /// The compiler's name, or the path that `RUSTC` gives.
    pub rustc: OsString,
    /// The folder in which Debian's compiler is kept.
    pub cache: PathBuf,
    /// The oldest compiler that builds the workspace.
    pub required: RustVersion,
    pub rustup_limit: Duration,
}

impl Machine {
    pub fn this() -> Result<Self> {
        let manifest = std::fs::read_to_string(crate::steps::root().join("Cargo.toml"))?;
        Ok(Self {
            path: std::env::var_os("PATH").unwrap_or_default(),
            rustc: std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()),
            cache: crate::cache::user_cache()?.join("wasm-compiler"),
            required: RustVersion::required(&manifest)?,
            rustup_limit: RUSTUP_LIMIT,
        })
    }

    /// Returns a command that finds its program on this machine's path. Its messages are in English.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("PATH", &self.path).env("LC_ALL", "C").stdin(Stdio::null());
        command
    }

    /// Runs a program and returns its output. It is an error if the program fails or takes longer than `limit`.
    pub fn output(&self, command: &mut Command, limit: Duration) -> Result<String> {
        let Output { status, stdout, stderr } = output_within(command, limit)?;
        if !status.success() {
            let message = String::from_utf8_lossy(&stderr);
            bail!(
                "{} ended with {status}: {}",
                program(command),
                message.trim().lines().last().unwrap_or("no message")
            );
        }
        Ok(String::from_utf8_lossy(&stdout).into_owned())
    }
}

fn program(command: &Command) -> String {
    Path::new(command.get_program()).file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned()
}

/// A compiler that builds the browser module.
#[derive(Debug)]
pub enum Compiler {
    /// The compiler on the path, which has the standard library of [`TARGET`].
    Installed,
    /// Debian's compiler. It builds the standard library from source.
    Debian(DebianCompiler),
}

/// The reasons why no compiler was found, one for each place that was searched.
#[derive(Debug)]
pub struct NoCompiler {
    pub required: RustVersion,
    pub reasons: Vec<String>,
}

impl fmt::Display for NoCompiler {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "No compiler for the browser module was found: it needs Rust {} or newer with the target {TARGET}.",
            self.required
        )?;
        for reason in &self.reasons {
            writeln!(formatter, "  - {reason}")?;
        }
        write!(
            formatter,
            "To install it: `rustup target add {TARGET}`. On Debian 12 or newer an up-to-date package rustc-web is enough: the \
             security suite must be in the apt sources."
        )
    }
}

impl std::error::Error for NoCompiler {}

impl Compiler {
    /// Finds a compiler, and fetches one if that is possible.
    ///
    /// # Errors
    ///
    /// [`NoCompiler`] if neither the installed compiler, nor rustup, nor Debian provides a compiler that is complete
    /// and new enough.
    pub fn find(machine: &Machine) -> Result<Self, NoCompiler> {
        let mut reasons = Vec::new();
        match installed(machine) {
            Ok(()) => return Ok(Self::Installed),
            Err(reason) => reasons.push(format!("{reason:#}")),
        }
        match add_target(machine).and_then(|()| installed(machine)) {
            Ok(()) => return Ok(Self::Installed),
            Err(reason) => reasons.push(format!("{reason:#}")),
        }
        match debian::find(machine) {
            Ok(compiler) => return Ok(Self::Debian(compiler)),
            Err(reason) => reasons.push(format!("{reason:#}")),
        }
        Err(NoCompiler { required: machine.required, reasons })
    }

    /// Returns the full version text of the compiler. Two different compilers never have the same text.
    pub fn version(&self, machine: &Machine) -> Result<String> {
        let mut command = match self {
            Self::Installed => machine.command(&machine.rustc),
            Self::Debian(compiler) => compiler.rustc(machine),
        };
        machine.output(command.arg("-vV"), QUESTION_LIMIT)
    }
}

/// Checks that the compiler on the path is new enough and has the standard library of [`TARGET`].
fn installed(machine: &Machine) -> Result<()> {
    let version = machine.output(machine.command(&machine.rustc).arg("--version"), QUESTION_LIMIT)?;
    let found = RustVersion::parse(&version).with_context(|| format!("rustc has an unknown version: {version}"))?;
    if found < machine.required {
        bail!("the installed rustc is {found}");
    }
    let arguments = ["--print", "target-libdir", "--target", TARGET];
    let folder = machine.output(machine.command(&machine.rustc).args(arguments), QUESTION_LIMIT)?;
    let entries = std::fs::read_dir(folder.trim()).into_iter().flatten().filter_map(Result::ok);
    let is_library = |name: OsString| name.to_string_lossy().starts_with("libstd-");
    if !entries.map(|entry| entry.file_name()).any(is_library) {
        bail!("the installed rustc {found} has no library for {TARGET}");
    }
    Ok(())
}

/// Installs the standard library of [`TARGET`] with rustup, if rustup manages the active toolchain.
fn add_target(machine: &Machine) -> Result<()> {
    machine
        .output(machine.command("rustup").args(["show", "active-toolchain"]), QUESTION_LIMIT)
        .context("rustup does not manage the installed Rust")?;
    print_above_status(&format!("      rustup target add {TARGET} (at most {} s) …", machine.rustup_limit.as_secs()));
    machine
        .output(machine.command("rustup").args(["target", "add", TARGET]), machine.rustup_limit)
        .with_context(|| format!("`rustup target add {TARGET}` failed"))?;
    Ok(())
}
