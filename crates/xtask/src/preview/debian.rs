//! Debian's compiler for the browser module: the package `rustc-web`, which Debian keeps current for Chromium and Firefox.
//! The sources of its standard library and LLVM's linker are fetched too. The packages are unpacked into the user's cache;
//! nothing is installed on the system.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::compiler::{Machine, QUESTION_LIMIT, RustVersion};
use crate::cache::replace_folder;
use crate::progress::print_above_status;
use crate::steps::output_within;

/// Longest time for `apt-get update`, which downloads package lists into the cache.
const UPDATE_LIMIT: Duration = Duration::from_secs(180);
/// Longest time for the download of about 200 MB of packages.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(900);
/// Longest time to unpack one package.
const UNPACK_LIMIT: Duration = Duration::from_secs(300);

const PACKAGE: &str = "rustc-web";
/// Name prefixes of the packages with the compiler's own libraries.
const OWN_LIBRARIES: [&str; 3] = ["libstd-rust-web", "libllvm", "liblld"];

/// A Debian compiler that has been unpacked into the cache.
#[derive(Debug, PartialEq, Eq)]
pub struct DebianCompiler {
    /// The folder into which the packages are unpacked. Paths in the packages start there.
    root: PathBuf,
    /// The major version of the compiler's LLVM.
    llvm: String,
}

impl DebianCompiler {
    pub fn rustc_path(&self) -> PathBuf {
        self.root.join("usr/bin/rustc")
    }

    pub fn linker(&self) -> PathBuf {
        self.root.join(format!("usr/lib/llvm-{}/bin/wasm-ld", self.llvm))
    }

    /// Returns the value of `LD_LIBRARY_PATH` for the compiler and the linker.
    pub fn libraries(&self) -> String {
        let (root, llvm) = (self.root.display(), &self.llvm);
        let machine = format!("{}-linux-gnu", std::env::consts::ARCH);
        format!("{root}/usr/lib/{machine}:{root}/lib/{machine}:{root}/usr/lib/llvm-{llvm}/lib")
    }

    pub fn rustc(&self, machine: &Machine) -> Command {
        let mut command = machine.command(self.rustc_path());
        command.env("LD_LIBRARY_PATH", self.libraries());
        command
    }

    /// Reads a compiler from the cache and checks that it is complete and new enough.
    fn open(folder: &Path, machine: &Machine) -> Result<Self> {
        let llvm = fs::read_to_string(folder.join("llvm")).context("it is incomplete")?.trim().to_owned();
        let compiler = Self { root: folder.join("root"), llvm };
        let sources = compiler.root.join("usr/lib/rustlib/src/rust/library/std");
        for path in [compiler.linker(), sources] {
            if !path.exists() {
                bail!("{} is missing", path.display());
            }
        }
        let version = machine.output(compiler.rustc(machine).arg("--version"), QUESTION_LIMIT)?;
        match RustVersion::parse(&version) {
            Some(found) if found >= machine.required => Ok(compiler),
            _ => bail!("it is {}", version.trim()),
        }
    }
}

/// Returns Debian's compiler from the cache, or fetches it. A cached compiler that is too old or incomplete is replaced.
pub fn find(machine: &Machine) -> Result<DebianCompiler> {
    let folder = machine.cache.join(PACKAGE);
    let cached = folder.exists().then(|| DebianCompiler::open(&folder, machine));
    match cached {
        Some(Ok(compiler)) => return Ok(compiler),
        Some(Err(problem)) => println!("      the cached compiler for the browser module is replaced: {problem:#}"),
        None => {}
    }
    let apt = Apt::with_current_lists(machine)?;
    print_above_status(&format!(
        "      fetching Debian's compiler for the browser module ({PACKAGE} {}, once) …",
        apt.version
    ));
    replace_folder(&folder, |new| apt.unpack(new)).context("Debian's compiler could not be fetched")?;
    DebianCompiler::open(&folder, machine).context("Debian's compiler was fetched and cannot be used")
}

/// Debian's package manager. The package lists that it uses offer a new enough compiler.
struct Apt<'m> {
    machine: &'m Machine,
    /// The version of [`PACKAGE`] that will be fetched.
    version: String,
    /// Options for every call of apt. They select the package lists in the cache. Empty if the system's package lists
    /// are used.
    options: Vec<String>,
}

impl<'m> Apt<'m> {
    /// Uses the system's package lists. If they offer no compiler, or one that is too old, downloads current lists into the
    /// cache. This needs no rights and leaves the system's lists unchanged.
    fn with_current_lists(machine: &'m Machine) -> Result<Self> {
        let mut apt = Self { machine, version: String::new(), options: Vec::new() };
        let offered = apt.candidate().context("there is no apt-cache: this system has no Debian packages")?;
        if let Some(version) = offered.filter(|version| apt.is_new_enough(version)) {
            apt.version = version;
            return Ok(apt);
        }
        print_above_status(&format!(
            "      the package lists are old or offer no {PACKAGE}: apt-get update, into the cache …"
        ));
        apt.use_private_lists()?;
        let problem = apt.update()?;
        match apt.candidate()? {
            Some(version) if apt.is_new_enough(&version) => apt.version = version,
            Some(version) => bail!("Debian's {PACKAGE} is {version}, older than Rust {}{problem}", machine.required),
            None => bail!("the apt sources offer no {PACKAGE}{problem}"),
        }
        Ok(apt)
    }

    /// Downloads the package lists. apt-get succeeds even if some sources do not respond. In this case, returns a text
    /// with apt-get's first warning; otherwise an empty text.
    fn update(&self) -> Result<String> {
        let mut command = self.machine.command("apt-get");
        let output = output_within(command.args(&self.options).args(["update", "-qq"]), UPDATE_LIMIT)?;
        let message = String::from_utf8_lossy(&output.stderr);
        let problem = message.lines().find(|line| line.starts_with("W:") || line.starts_with("E:"));
        let problem = problem.map(|line| format!(" (apt-get update: {line})")).unwrap_or_default();
        if output.status.success() { Ok(problem) } else { bail!("`apt-get update` failed{problem}") }
    }

    fn is_new_enough(&self, version: &str) -> bool {
        RustVersion::parse(version).is_some_and(|found| found >= self.machine.required)
    }

    fn use_private_lists(&mut self) -> Result<()> {
        let apt = self.machine.cache.join("apt");
        for folder in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(apt.join(folder))?;
        }
        let apt = apt.display();
        self.options = [
            format!("Dir::State::Lists={apt}/lists"),
            format!("Dir::Cache={apt}/cache"),
            // The user of apt's sandbox may not write to the cache.
            "APT::Sandbox::User=root".to_owned(),
            "Acquire::Retries=2".to_owned(),
            "Acquire::http::Timeout=20".to_owned(),
            // Translated package descriptions are not needed.
            "Acquire::Languages=none".to_owned(),
        ]
        .into_iter()
        .flat_map(|option| ["-o".to_owned(), option])
        .collect();
        Ok(())
    }

    fn run(&self, program: &str, arguments: &[&str], limit: Duration) -> Result<String> {
        self.machine.output(self.machine.command(program).args(&self.options).args(arguments), limit)
    }

    /// Returns the version of [`PACKAGE`] that apt would download, or `None` if the package lists do not offer it.
    fn candidate(&self) -> Result<Option<String>> {
        let policy = self.run("apt-cache", &["policy", PACKAGE], QUESTION_LIMIT)?;
        let line = policy.lines().find_map(|line| line.trim().strip_prefix("Candidate:"));
        Ok(line.map(str::trim).filter(|version| *version != "(none)").map(str::to_owned))
    }

    /// Returns the names of these packages and of all packages that they depend on, directly or indirectly.
    fn dependencies(&self, packages: &[&str]) -> Result<Vec<String>> {
        let relations = ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"];
        let mut arguments = vec!["depends".to_owned(), "--recurse".to_owned()];
        arguments.extend(relations.map(|relation| format!("--no-{relation}")));
        arguments.extend(packages.iter().map(|package| (*package).to_owned()));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let text = self.run("apt-cache", &arguments, QUESTION_LIMIT)?;
        // Each package has its own line, and the lines of its dependencies are indented. Virtual packages are in angle brackets.
        let is_name = |line: &&str| line.starts_with(|first: char| first.is_ascii_alphanumeric());
        Ok(text.lines().filter(is_name).map(|line| line.trim().to_owned()).collect())
    }

    /// Selects from `dependencies` the libraries that must be downloaded: the compiler's own, and those that the system does not
    /// have. The C library is always the system's.
    fn libraries(&self, dependencies: &[String]) -> Vec<String> {
        let own = |name: &str| OWN_LIBRARIES.iter().any(|own| name.starts_with(own));
        let is_library =
            |name: &str| name.starts_with("lib") && !name.starts_with("libc6") && !name.starts_with("libc-");
        let is_installed = |name: &str| {
            let status = ["-W", "-f", "${db:Status-Status}", name];
            self.machine
                .output(self.machine.command("dpkg-query").args(status), QUESTION_LIMIT)
                .is_ok_and(|status| status == "installed")
        };
        let wanted = |name: &&String| own(name) || is_library(name) && !is_installed(name);
        dependencies.iter().filter(wanted).cloned().collect()
    }

    /// Downloads the packages and unpacks them below `folder`. apt checks the hash of each package.
    fn unpack(&self, folder: &Path) -> Result<()> {
        let compiler = self.dependencies(&[PACKAGE])?;
        // The name of LLVM's library contains the version.
        let llvm = compiler.iter().find_map(|name| name.strip_prefix("libllvm"));
        let llvm = llvm.with_context(|| format!("the package {PACKAGE} depends on no libllvm"))?.to_owned();
        let linker = format!("lld-{llvm}");
        let all = self.dependencies(&[PACKAGE, &linker])?;
        let mut packages = vec![PACKAGE.to_owned(), "rust-web-src".to_owned(), linker];
        packages.extend(self.libraries(&all));
        let (packed, root) = (folder.join("packed"), folder.join("root"));
        fs::create_dir_all(&packed)?;
        fs::create_dir_all(&root)?;
        let mut download = self.machine.command("apt-get");
        download.args(&self.options).args(["download", "-qq"]).args(packages).current_dir(&packed);
        self.machine.output(&mut download, DOWNLOAD_LIMIT)?;
        for package in fs::read_dir(&packed)? {
            let mut unpack = self.machine.command("dpkg-deb");
            self.machine.output(unpack.arg("-x").arg(package?.path()).arg(&root), UNPACK_LIMIT)?;
        }
        fs::remove_dir_all(&packed)?;
        link_sources(&root)?;
        fs::write(folder.join("llvm"), llvm)?;
        Ok(())
    }
}

/// Links the sources of the standard library to the place where cargo looks for them, relative to the compiler.
fn link_sources(root: &Path) -> Result<()> {
    let sources = fs::read_dir(root.join("usr/src")).context("the package rust-web-src has no sources")?;
    let names = sources.filter_map(Result::ok).map(|entry| entry.file_name());
    let mut versions = names.filter(|name| name.to_string_lossy().starts_with("rustc-"));
    let name = versions.next().context("the package rust-web-src has no sources")?;
    let link = root.join("usr/lib/rustlib/src/rust");
    fs::create_dir_all(link.parent().unwrap_or(root))?;
    let _ = fs::remove_file(&link);
    #[cfg(unix)]
    std::os::unix::fs::symlink(Path::new("../../../src").join(name), link)?;
    #[cfg(not(unix))]
    bail!("Debian's packages are used on Linux only: {name:?}");
    Ok(())
}
