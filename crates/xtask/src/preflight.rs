//! Checks the machine before anything is built: programs and their versions, disk space, the port and the network. All
//! problems are reported at once, with the command that installs what is missing.

use std::ffi::OsString;
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::preview::RustVersion;
use crate::python::Environment;
use crate::steps::{check, output_within, root, target_dir};
use crate::{fonts, frontend};

/// Time limit for a call of a program that only reports something, such as its version.
const QUESTION_LIMIT: Duration = Duration::from_secs(20);
/// Time limit for reaching a registry.
const NETWORK_LIMIT: Duration = Duration::from_secs(10);

/// Free disk space in gigabytes that the first run of `cargo xtask dev` needs.
const SPACE_FOR_DEV: u64 = 6;
/// Free disk space in gigabytes that the first run of `cargo xtask test` needs.
const SPACE_FOR_TESTS: u64 = 27;
/// Free disk space in gigabytes that `cargo xtask dev` needs after a complete build.
const SPACE_FOR_DEV_AGAIN: u64 = 2;
/// Free disk space in gigabytes that `cargo xtask test` needs after a complete build. The new test programs are written
/// before the old ones are deleted.
const SPACE_FOR_TESTS_AGAIN: u64 = 13;

/// The operating systems for which this module knows the installation commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Platform {
    Debian,
    Fedora,
    MacOs,
    Other,
}

impl Platform {
    fn this() -> Self {
        if cfg!(target_os = "macos") {
            return Self::MacOs;
        }
        Self::of_release(&std::fs::read_to_string("/etc/os-release").unwrap_or_default())
    }

    /// Returns the platform that the text of `/etc/os-release` names in `ID` or `ID_LIKE`.
    fn of_release(text: &str) -> Self {
        let values = text.lines().filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")));
        let ids: Vec<&str> = values.flat_map(|value| value.trim_matches('"').split(' ')).collect();
        match () {
            () if ids.contains(&"debian") || ids.contains(&"ubuntu") => Self::Debian,
            () if ids.contains(&"fedora") || ids.contains(&"rhel") => Self::Fedora,
            () => Self::Other,
        }
    }
}

/// A program or feature that a command needs from the machine, and the package that contains it on each platform.
struct Requirement {
    name: &'static str,
    purpose: &'static str,
    /// Searches the machine. Returns a description of the program or feature found, or the problem as an error.
    find: fn(&Machine) -> Result<String>,
    debian: Package,
    fedora: Package,
    /// The package of Homebrew.
    macos: Package,
}

/// The way to install a requirement.
#[derive(Clone, Copy)]
enum Package {
    /// A package of the system's package manager.
    Named(&'static str),
    /// The platform's own package is too old or missing. The text says what to do instead.
    Advice(&'static str),
}

use Package::{Advice, Named};

const NODE: Requirement = Requirement {
    name: "Node.js 20 or newer, with npm",
    purpose: "fonts and frontend",
    find: find_node,
    debian: Advice("https://nodejs.org/en/download (Debian 13 or newer: apt-get install nodejs npm)"),
    fedora: Named("nodejs-npm"),
    macos: Named("node"),
};
const C_COMPILER: Requirement = Requirement {
    name: "a C compiler (cc)",
    purpose: "SQLite and cryptography",
    find: |machine| machine.version("cc", &["--version"]),
    debian: Named("gcc libc6-dev"),
    fedora: Named("gcc"),
    macos: Advice("xcode-select --install"),
};
const CPP_COMPILER: Requirement = Requirement {
    name: "a C++ compiler (c++)",
    purpose: "libFuzzer",
    find: |machine| machine.version("c++", &["--version"]),
    debian: Named("g++"),
    fedora: Named("gcc-c++"),
    macos: Advice("xcode-select --install"),
};
const RUST: Requirement = Requirement {
    name: "Rust, as new as the workspace's rust-version",
    purpose: "everything",
    find: find_rust,
    debian: Advice("rustup update (https://rustup.rs)"),
    fedora: Advice("rustup update (https://rustup.rs)"),
    macos: Advice("rustup update (https://rustup.rs)"),
};
const PYTHON: Requirement = Requirement {
    name: "Python 3.9 or newer, with venv and pip",
    purpose: "emulator and linters of AWS, API tests",
    find: find_python,
    debian: Named("python3-venv"),
    fedora: Named("python3"),
    macos: Named("python"),
};
const CHROMIUM: Requirement = Requirement {
    name: "Chromium or Chrome",
    purpose: "browser tests",
    find: |machine| {
        let found = BROWSERS.into_iter().find(|name| machine.has(name));
        Ok(found.context("not found")?.to_owned())
    },
    debian: Named("chromium"),
    fedora: Named("chromium"),
    macos: Advice("brew install --cask google-chrome, and link its program as google-chrome on the path"),
};
const POPPLER: Requirement = Requirement {
    name: "Poppler (pdftotext)",
    purpose: "tests that read PDFs",
    find: |machine| machine.on_path("pdftotext"),
    debian: Named("poppler-utils"),
    fedora: Named("poppler-utils"),
    macos: Named("poppler"),
};
const QPDF: Requirement = Requirement {
    name: "qpdf",
    purpose: "tests that check PDFs",
    find: |machine| machine.on_path("qpdf"),
    debian: Named("qpdf"),
    fedora: Named("qpdf"),
    macos: Named("qpdf"),
};
const OPENSSL: Requirement = Requirement {
    name: "OpenSSL's program",
    purpose: "tests of tokens",
    find: |machine| machine.on_path("openssl"),
    debian: Named("openssl"),
    fedora: Named("openssl"),
    macos: Named("openssl"),
};

const FOR_BUILDING: [&Requirement; 3] = [&RUST, &NODE, &C_COMPILER];
const FOR_TESTING: [&Requirement; 9] =
    [&RUST, &NODE, &C_COMPILER, &CPP_COMPILER, &PYTHON, &CHROMIUM, &POPPLER, &QPDF, &OPENSSL];

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The machine that is checked. Tests replace its search path (`PATH`).
struct Machine {
    path: OsString,
    platform: Platform,
}

impl Machine {
    fn this() -> Self {
        Self { path: std::env::var_os("PATH").unwrap_or_default(), platform: Platform::this() }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("PATH", &self.path).env("LC_ALL", "C");
        command
    }

    fn has(&self, program: &str) -> bool {
        std::env::split_paths(&self.path).any(|folder| folder.join(program).is_file())
    }

    fn on_path(&self, program: &str) -> Result<String> {
        if self.has(program) { Ok(program.to_owned()) } else { bail!("not found") }
    }

    /// Returns the first line that a program prints, such as its version.
    fn version(&self, program: &str, arguments: &[&str]) -> Result<String> {
        self.on_path(program)?;
        let output = output_within(self.command(program).args(arguments), QUESTION_LIMIT)?;
        let text = String::from_utf8_lossy(if output.stdout.is_empty() { &output.stderr } else { &output.stdout });
        let line = text.trim().lines().next().unwrap_or_default().to_owned();
        if output.status.success() { Ok(line) } else { bail!("{program} does not work: {line}") }
    }

    /// Returns the requirements that are not met, each with one line that describes the problem.
    fn missing<'r>(&self, requirements: &[&'r Requirement]) -> Vec<(&'r Requirement, String)> {
        let problem = |requirement: &&'r Requirement| match (requirement.find)(self) {
            Ok(_) => None,
            Err(problem) => Some((*requirement, format!("{problem:#}"))),
        };
        requirements.iter().filter_map(problem).collect()
    }
}

fn find_rust(machine: &Machine) -> Result<String> {
    let found = machine.version("rustc", &["--version"])?;
    let required = RustVersion::required(&std::fs::read_to_string(root().join("Cargo.toml"))?)?;
    match RustVersion::parse(&found) {
        Some(version) if version >= required => Ok(found),
        _ => bail!("found {found}, needed is {required}"),
    }
}

fn find_node(machine: &Machine) -> Result<String> {
    let found = machine.version("node", &["--version"])?;
    match found.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok()) {
        Some(20..) => {}
        _ => bail!("found {found}"),
    }
    machine.version("npm", &["--version"]).context("npm")?;
    Ok(format!("Node.js {found}"))
}

fn find_python(machine: &Machine) -> Result<String> {
    let script = "import sys; assert sys.version_info >= (3, 9), 'found ' + sys.version; import venv, ensurepip; print(sys.version)";
    let found = machine.version("python3", &["-c", script]);
    Ok(format!("Python {}", found.context("python3 is too old, or has no venv")?))
}

/// Returns the program name of the installed browser that the tests control, or `None` if no browser is installed.
pub fn browser() -> Option<&'static str> {
    BROWSERS.into_iter().find(|name| present(name))
}

/// Reports whether a program of that name is on the path.
pub fn present(program: &str) -> bool {
    Machine::this().has(program)
}

/// Checks that this machine has what building needs: compilers, Node.js, disk space and the network.
pub fn for_building() -> Result<()> {
    building(None)
}

/// Checks that this machine has what `cargo xtask dev` needs, including the free port `port`.
pub fn for_dev(port: u16) -> Result<()> {
    building(Some(port))
}

fn building(port: Option<u16>) -> Result<()> {
    let machine = Machine::this();
    let mut problems = describe(&machine.missing(&FOR_BUILDING), machine.platform);
    problems.extend(port.and_then(port_problem));
    let built = target_dir().join("debug/waraq-local").is_file();
    problems.extend(space_problem(if built { SPACE_FOR_DEV_AGAIN } else { SPACE_FOR_DEV }));
    problems.extend(network_problems(&[Registry::Crates, Registry::Npm]));
    report(&problems)
}

/// Checks what the tests need. On Debian, missing packages are installed if this user is root or if sudo asks for no
/// password. `environments` are the virtual environments of the Python programs that the tests use.
pub fn for_testing(environments: &'static [&'static Environment]) -> Result<()> {
    let machine = Machine::this();
    let mut missing = machine.missing(&FOR_TESTING);
    if machine.platform == Platform::Debian
        && let Some(packages) = packages(&missing)
        && let Some(administrator) = administrator()
    {
        if let Err(problem) = install(&administrator, &packages) {
            println!("The packages could not be installed: {problem:#}");
        }
        missing = machine.missing(&FOR_TESTING);
    }
    let mut problems = describe(&missing, machine.platform);
    // The test programs of the workspace and the libraries take the most space. The libraries are kept.
    let built = std::fs::read_dir(target_dir().join("debug/deps")).is_ok_and(|files| files.count() > 2_000);
    problems.extend(space_problem(if built { SPACE_FOR_TESTS_AGAIN } else { SPACE_FOR_TESTS }));
    problems.extend(network_problems(&[Registry::Crates, Registry::Npm, Registry::PyPi(environments)]));
    report(&problems)
}

/// Checks that the programs needed for deploying are installed: those of AWS, and those that build the functions.
pub fn for_deploying() -> Result<()> {
    let mut problems = Vec::new();
    for (program, advice) in [
        ("aws", "version 2: https://docs.aws.amazon.com/cli/"),
        ("sam", "`pip install aws-sam-cli`"),
        ("cargo-lambda", "`pip install cargo-lambda ziglang`"),
        ("openssl", "`apt-get install openssl`"),
        ("curl", "`apt-get install curl`"),
    ] {
        if !present(program) {
            problems.push(format!("{program}: {advice}"));
        }
    }
    report(&problems)
}

fn report(problems: &[String]) -> Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    bail!("this machine lacks:\n  - {}", problems.join("\n  - "))
}

/// Returns lines that describe each missing requirement. The last line is one command that installs all requirements that have
/// packages.
fn describe(missing: &[(&Requirement, String)], platform: Platform) -> Vec<String> {
    let mut lines = Vec::new();
    let mut packages = Vec::new();
    for (requirement, problem) in missing {
        let mut line = format!("{} (for {}): {problem}", requirement.name, requirement.purpose);
        let package = match platform {
            Platform::Debian => Some(requirement.debian),
            Platform::Fedora => Some(requirement.fedora),
            Platform::MacOs => Some(requirement.macos),
            Platform::Other => None,
        };
        match package {
            Some(Named(name)) => packages.push(name),
            Some(Advice(advice)) => line.push_str(&format!("\n      {advice}")),
            None => {}
        }
        lines.push(line);
    }
    if !packages.is_empty() {
        let install = match platform {
            Platform::Fedora => "sudo dnf install",
            Platform::MacOs => "brew install",
            _ => "sudo apt-get update && sudo apt-get install",
        };
        lines.push(format!("to install them: {install} {}", packages.join(" ")));
    }
    lines
}

/// Returns the Debian packages for all missing requirements. Returns `None` if nothing is missing, or if a requirement has no
/// package.
fn packages(missing: &[(&Requirement, String)]) -> Option<Vec<&'static str>> {
    let mut packages = Vec::new();
    for (requirement, _) in missing {
        let Named(names) = requirement.debian else { return None };
        packages.extend(names.split(' '));
    }
    (!packages.is_empty()).then_some(packages)
}

/// Returns the words to put before a command to run it as root: `sudo -n`, or no words if this user is root. Returns `None` if
/// sudo is missing or asks for a password.
fn administrator() -> Option<Vec<&'static str>> {
    let is_root =
        output_within(Command::new("id").arg("-u"), QUESTION_LIMIT).is_ok_and(|output| output.stdout == b"0\n");
    if is_root {
        return Some(Vec::new());
    }
    let sudo = output_within(Command::new("sudo").args(["-n", "true"]), QUESTION_LIMIT);
    sudo.is_ok_and(|output| output.status.success()).then(|| vec!["sudo", "-n"])
}

fn install(administrator: &[&str], packages: &[&str]) -> Result<()> {
    println!("Installing {} …", packages.join(" "));
    let apt = |arguments: &[&str]| {
        let line: Vec<&str> = administrator
            .iter()
            .chain(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"])
            .chain(arguments)
            .copied()
            .collect();
        check(Command::new(line[0]).args(&line[1..]).stdout(std::process::Stdio::null()))
    };
    apt(&["update"])?;
    apt(&[&["install", "-y", "--no-install-recommends"], packages].concat())
}

/// Returns a message if the port is in use, otherwise `None`.
fn port_problem(port: u16) -> Option<String> {
    let error = TcpListener::bind(("127.0.0.1", port)).err()?;
    Some(format!(
        "port {port}: {error}. End the program that uses it, or choose another port: cargo xtask dev --port {}",
        next(port)
    ))
}

fn next(port: u16) -> u16 {
    port.checked_add(1).unwrap_or(3000)
}

/// Returns a message if the disk with the target directory has less than `gigabytes` free, otherwise `None`.
fn space_problem(gigabytes: u64) -> Option<String> {
    let folder = target_dir();
    let free = free_space(folder.ancestors().find(|folder| folder.exists())?)? / 1_000_000_000;
    (free < gigabytes).then(|| {
        let folder = folder.display();
        format!(
            "disk space for {folder}: {free} GB free, {gigabytes} GB needed. CARGO_TARGET_DIR names another folder."
        )
    })
}

/// Returns the number of bytes that a user may still write to the disk of this folder, or `None` if the system does not report
/// it.
fn free_space(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let disk = nix::sys::statvfs::statvfs(folder).ok()?;
        #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
        Some(disk.blocks_available() as u64 * disk.fragment_size() as u64)
    }
    #[cfg(not(unix))]
    None
}

/// A registry that packages are downloaded from.
#[derive(Clone, Copy)]
enum Registry {
    Crates,
    Npm,
    /// PyPI. The environments are those that need its packages.
    PyPi(&'static [&'static Environment]),
}

impl Registry {
    /// Returns `true` if this machine lacks some package of the registry.
    fn is_needed(self) -> bool {
        match self {
            Self::Crates => {
                let mut fetch = crate::steps::cargo(&["fetch", "--locked", "--offline", "--quiet"]);
                !output_within(&mut fetch, QUESTION_LIMIT).is_ok_and(|output| output.status.success())
            }
            Self::Npm => !fonts::are_current() || !frontend::is_installed("frontend"),
            Self::PyPi(environments) => !environments.iter().all(|environment| environment.is_current()),
        }
    }

    /// Returns the configured address of the registry, or else its public address. Returns `None` if the address is
    /// unknown. Also returns `None` for crates.io if cargo's configuration replaces it, because cargo itself reports an
    /// unreachable replacement.
    fn address(self) -> Option<String> {
        let ask = |program: &str, arguments: &[&str]| {
            let output =
                output_within(Command::new(program).args(arguments).current_dir(root()), QUESTION_LIMIT).ok()?;
            let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            (output.status.success() && text.starts_with("http")).then_some(text)
        };
        match self {
            // If cargo's configuration replaces crates.io, cargo itself reports a registry that it cannot reach.
            Self::Crates => (!replaces_crates_io()).then(|| "https://index.crates.io/".to_owned()),
            Self::Npm => ask("npm", &["config", "get", "registry"]),
            Self::PyPi(_) => std::env::var("PIP_INDEX_URL")
                .ok()
                .or_else(|| ask("python3", &["-m", "pip", "config", "get", "global.index-url"]))
                .or_else(|| Some("https://pypi.org/simple/".to_owned())),
        }
    }
}

fn replaces_crates_io() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    home.is_some_and(|home| {
        let read = |name| std::fs::read_to_string(home.join(name)).unwrap_or_default();
        (read("config.toml") + &read("config")).contains("replace-with")
    })
}

/// Connects to all needed registries at the same time. If all connections fail, this machine has no network, and the
/// function returns a message for each registry. If only some fail, the tools of these registries may use a proxy of
/// their own. The function then prints warnings and returns no messages.
fn network_problems(registries: &[Registry]) -> Vec<String> {
    let tries: Vec<_> = registries
        .iter()
        .map(|&registry| {
            thread::spawn(move || {
                let address = registry.is_needed().then(|| registry.address()).flatten()?;
                Some(unreachable(address))
            })
        })
        .collect();
    let needed: Vec<Option<String>> = tries.into_iter().filter_map(|try_it| try_it.join().ok().flatten()).collect();
    let problems: Vec<String> = needed.iter().flatten().cloned().collect();
    if problems.len() == needed.len() {
        return problems;
    }
    for problem in problems {
        println!("Warning: {problem}");
    }
    Vec::new()
}

/// Returns a message if no connection to the address can be made, otherwise `None`. If a proxy is set, connects to the proxy.
fn unreachable(address: String) -> Option<String> {
    let proxy = ["HTTPS_PROXY", "https_proxy"].iter().find_map(|name| std::env::var(name).ok());
    let target = host_and_port(proxy.as_deref().unwrap_or(&address))?;
    let (send, receive) = mpsc::channel();
    let asked = target.clone();
    thread::spawn(move || {
        let outcome = asked.to_socket_addrs().map_err(|error| error.to_string()).and_then(|mut addresses| {
            let address = addresses.next().ok_or_else(|| "it has no address".to_owned())?;
            TcpStream::connect_timeout(&address, NETWORK_LIMIT).map_err(|error| error.to_string())
        });
        let _ = send.send(outcome.map(drop));
    });
    match receive.recv_timeout(NETWORK_LIMIT) {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("the network: {} cannot be reached ({error})", target.0)),
        Err(_) => Some(format!("the network: {} does not answer within {} s", target.0, NETWORK_LIMIT.as_secs())),
    }
}

/// Returns the host and port of an address such as `https://index.crates.io/` or `http://proxy:3128`.
fn host_and_port(address: &str) -> Option<(String, u16)> {
    let (scheme, rest) = address.split_once("://").unwrap_or(("http", address));
    let authority = rest.split('/').next()?.rsplit('@').next()?;
    let default = if scheme == "https" { 443 } else { 80 };
    match authority.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() => Some((host.to_owned(), port.parse().ok()?)),
        _ => (!authority.is_empty()).then(|| (authority.to_owned(), default)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine that has no programs at all.
    fn machine_without_programs(platform: Platform) -> Machine {
        Machine { path: "/nonexistent".into(), platform }
    }

    #[test]
    fn everything_missing_is_reported_at_once_with_one_command() {
        let machine = machine_without_programs(Platform::Debian);
        let lines = describe(&machine.missing(&FOR_TESTING), machine.platform);
        assert_eq!(lines.len(), FOR_TESTING.len() + 1, "{lines:#?}");
        assert!(lines[1].contains("Node.js 20 or newer") && lines[1].contains("https://nodejs.org"), "{}", lines[1]);
        assert_eq!(
            lines[FOR_TESTING.len()],
            "to install them: sudo apt-get update && sudo apt-get install \
             gcc libc6-dev g++ python3-venv chromium poppler-utils qpdf openssl"
        );
    }

    #[cfg(unix)]
    #[test]
    fn programs_that_are_too_old_or_broken_are_missing() {
        use crate::testing::{Folder, script};
        let folder = Folder::new();
        let machine = Machine { path: folder.to_path_buf().into(), platform: Platform::Debian };
        let problem =
            |requirement: &Requirement| (requirement.find)(&machine).map_err(|problem| format!("{problem:#}"));
        script(&folder.join("node"), "echo v18.19.1");
        script(&folder.join("npm"), "echo 'npm: cannot find module' >&2; exit 1");
        script(&folder.join("rustc"), "echo 'rustc 1.85.0 (hash date)'");
        script(&folder.join("python3"), "echo 'No module named ensurepip' >&2; exit 1");
        assert_eq!(problem(&NODE).unwrap_err(), "found v18.19.1");
        assert!(problem(&RUST).unwrap_err().starts_with("found rustc 1.85.0 (hash date), needed is 1."));
        assert!(problem(&PYTHON).unwrap_err().contains("No module named ensurepip"));
        script(&folder.join("node"), "echo v22.1.0");
        assert!(problem(&NODE).unwrap_err().contains("cannot find module"));
        script(&folder.join("npm"), "echo 10.1.0");
        assert_eq!(problem(&NODE).unwrap(), "Node.js v22.1.0");
        script(&folder.join("google-chrome"), "exit 0");
        assert_eq!(problem(&CHROMIUM).unwrap(), "google-chrome");
    }

    #[test]
    fn each_platform_has_its_own_command() {
        for (platform, command) in [(Platform::Fedora, "sudo dnf install"), (Platform::MacOs, "brew install")] {
            let machine = machine_without_programs(platform);
            let lines = describe(&machine.missing(&FOR_TESTING), platform);
            assert!(lines.last().is_some_and(|line| line.contains(command)), "{lines:?}");
        }
        let machine = machine_without_programs(Platform::Other);
        assert_eq!(describe(&machine.missing(&FOR_TESTING), Platform::Other).len(), FOR_TESTING.len());
    }

    #[test]
    fn only_packages_are_installed_by_the_test_command() {
        let machine = machine_without_programs(Platform::Debian);
        let missing = machine.missing(&[&CHROMIUM, &C_COMPILER]);
        assert_eq!(packages(&missing).unwrap(), ["chromium", "gcc", "libc6-dev"]);
        assert!(
            packages(&machine.missing(&[&CHROMIUM, &NODE])).is_none(),
            "Node.js has no package: the user must act first"
        );
        assert!(packages(&[]).is_none());
    }

    #[test]
    fn a_platform_is_read_from_its_release_file() {
        assert_eq!(Platform::of_release("NAME=\"Debian\"\nID=debian\n"), Platform::Debian);
        assert_eq!(Platform::of_release("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"), Platform::Debian);
        assert_eq!(Platform::of_release("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"), Platform::Fedora);
        assert_eq!(Platform::of_release("ID=arch\n"), Platform::Other);
        assert_eq!(Platform::of_release(""), Platform::Other);
    }

    #[test]
    fn a_port_in_use_is_reported_with_another() {
        let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let problem = port_problem(port).unwrap();
        assert!(problem.contains(&format!("cargo xtask dev --port {}", next(port))), "{problem}");
        drop(taken);
        assert!(port_problem(port).is_none());
    }

    #[test]
    fn a_full_disk_is_reported() {
        assert!(space_problem(0).is_none());
        if cfg!(unix) {
            assert!(space_problem(u64::MAX).unwrap().contains("GB free"));
        }
    }

    #[test]
    fn urls_are_split_into_host_and_port() {
        let split = |address| host_and_port(address).map(|(host, port)| format!("{host} {port}"));
        assert_eq!(split("https://index.crates.io/").unwrap(), "index.crates.io 443");
        assert_eq!(split("http://user:word@proxy.example:3128/x").unwrap(), "proxy.example 3128");
        assert_eq!(split("proxy.example:8080").unwrap(), "proxy.example 8080");
        assert_eq!(split("https://"), None);
    }

    #[test]
    fn a_closed_port_is_reported_as_unreachable() {
        let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        if std::env::var_os("HTTPS_PROXY").is_none() && std::env::var_os("https_proxy").is_none() {
            assert_eq!(unreachable(format!("https://127.0.0.1:{port}/")), None);
            drop(taken);
            assert!(unreachable(format!("https://127.0.0.1:{port}/")).unwrap().contains("cannot be reached"));
        }
    }
}
