//! `cargo xtask drill fresh [--without-apt]`: runs the README's commands on a new machine.
//!
//! The machine is a bare Debian 12 root, made by `mmdebstrap`. It has:
//!
//! - the package lists of Debian's main suite only, which offer an old `rustc-web`, as on a machine installed some time ago;
//! - the Rust toolchain of this machine, mounted read-only and without the target of the browser module;
//! - a copy of this machine's Node.js;
//! - Debian's Python, git and C compiler, as the README requires them.
//!
//! In that system, the user root then runs `git clone`, `cargo xtask dev` until the catalogue is published, and
//! `cargo xtask test`.
//!
//! With `--without-apt`, Debian's servers cannot be reached. Then `dev` must start the product without the browser module
//! and say so. `test` must fail and name the stages that need the module. If the root of the last `drill fresh` exists, it
//! is used again, without its cached compiler for the browser module. The drill then takes only a minute, because the
//! server has already been built in that root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::start::{self, Started};
use crate::steps::{check, command, human, root, target_dir};

/// The packages that the README asks for. Python comes without venv: the test command must install it.
const PACKAGES: &str = "ca-certificates,gcc,git,libc6-dev,python3";
/// All suites of Debian 12. The new root starts with the package lists of the first suite only.
const SOURCES: &str = "\
deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
";
/// The home folder in the new root. It holds all caches and the settings of the tools.
const HOME: &str = "/home";
/// The folder of the repository's clone in the new root.
const CLONE: &str = "/home/waraq";
/// The folder in the new root at which the Rust toolchain is mounted.
const TOOLCHAIN: &str = "/opt/rust";

pub fn run(without_apt: bool) -> Result<()> {
    if !nix::unistd::Uid::effective().is_root() {
        bail!("drill fresh makes a root of its own with chroot and must be run as root");
    }
    for (program, package) in [("mmdebstrap", "mmdebstrap"), ("unshare", "util-linux"), ("setpriv", "util-linux")] {
        if !crate::preflight::present(program) {
            bail!("{program} is missing: apt-get install {package}");
        }
    }
    let began = Instant::now();
    let machine = FreshRoot::make(without_apt)?;
    println!("\nThe new root is made after {}.", human(began.elapsed()));
    let outcome = if without_apt { starts_without_module(&machine) } else { starts_and_passes(&machine) };
    println!("\nEverything took {}.", human(began.elapsed()));
    outcome
}

/// Runs `cargo xtask dev` until the catalogue is published, then `cargo xtask test` to its end.
fn starts_and_passes(machine: &FreshRoot) -> Result<()> {
    let started = machine.start()?;
    println!(
        "\ndrill: first page after {}, catalogue published after {}",
        human(started.page),
        human(started.catalogue)
    );
    if !started.pages_are_live {
        bail!("the product was started without the browser module");
    }
    let began = Instant::now();
    let tests = check(machine.shell("cargo xtask test").stdout(Stdio::inherit()));
    println!("\ndrill: `cargo xtask test` ended after {}", human(began.elapsed()));
    tests
}

/// Starts the product without the browser module. Then checks that `cargo xtask test` refuses to run the stages that
/// need the module.
fn starts_without_module(machine: &FreshRoot) -> Result<()> {
    let started = machine.start()?;
    println!(
        "\ndrill: first page after {}, catalogue published after {}",
        human(started.page),
        human(started.catalogue)
    );
    if started.pages_are_live {
        bail!("the browser module was built although Debian's servers cannot be reached");
    }
    let output = machine.shell("cargo xtask test rust frontend browser 2>&1").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    if output.status.success() {
        bail!("the tests passed without the browser module");
    }
    println!("drill: the tests were refused, as they must be");
    Ok(())
}

/// A Debian root in a folder under target/.
struct FreshRoot {
    folder: PathBuf,
    /// The folder of this machine's Rust toolchain.
    toolchain: PathBuf,
}

impl FreshRoot {
    fn make(without_apt: bool) -> Result<Self> {
        let folder = target_dir().join("fresh-root");
        if without_apt && folder.join("home/waraq/.git").exists() {
            let machine = Self { folder, toolchain: toolchain()? };
            machine.block_debian()?;
            let _ = fs::remove_dir_all(machine.inside(format!("{HOME}/.cache/waraq")));
            check(command("git", &["-C"]).arg(machine.inside(CLONE)).args(["pull", "--quiet", "--ff-only"]))?;
            return Ok(machine);
        }
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(target_dir())?;
        println!("Making a bare Debian 12 root in {} …", folder.display());
        let include = format!("--include={PACKAGES}");
        let mirror = "deb http://deb.debian.org/debian bookworm main";
        check(command("mmdebstrap", &["--quiet", "--variant=minbase", &include, "bookworm"]).arg(&folder).arg(mirror))?;
        let machine = Self { folder, toolchain: toolchain()? };
        machine.write("etc/apt/sources.list", SOURCES)?;
        machine.write("etc/hostname", "fresh\n")?;
        fs::copy("/etc/resolv.conf", machine.inside("/etc/resolv.conf"))?;
        machine.write("etc/hosts", &fs::read_to_string("/etc/hosts").unwrap_or_default())?;
        if without_apt {
            machine.block_debian()?;
        }
        copy_certificates(&machine)?;
        link_node(&machine)?;
        fs::create_dir_all(machine.inside(TOOLCHAIN))?;
        fs::create_dir_all(machine.inside("/opt/empty"))?;
        let clone = machine.inside(CLONE);
        check(command("git", &["clone", "--quiet", "--no-hardlinks"]).arg(root()).arg(&clone))?;
        Ok(machine)
    }

    /// Makes Debian's servers unreachable from the new root.
    fn block_debian(&self) -> Result<()> {
        let hosts = fs::read_to_string("/etc/hosts").unwrap_or_default();
        self.write("etc/hosts", &format!("{hosts}\n127.0.0.1 deb.debian.org security.debian.org\n"))
    }

    /// Returns the path on this machine of a file in the new root.
    fn inside(&self, path: impl AsRef<Path>) -> PathBuf {
        self.folder.join(path.as_ref().strip_prefix("/").unwrap_or(path.as_ref()))
    }

    fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().context("no parent")?)?;
        Ok(fs::write(path, text)?)
    }

    /// Returns a command that runs a line of shell in the clone, as root of the new system. The command has its own
    /// mounts and processes, which end with it.
    fn shell(&self, line: &str) -> Command {
        let root = self.folder.display();
        let (from, to) = (self.toolchain.display(), self.inside(TOOLCHAIN));
        let to = to.display();
        // The target for the browser may be installed on this machine. It is hidden, because a new machine does not
        // have it.
        let target = "lib/rustlib/wasm32-unknown-unknown";
        let script = format!(
            "set -e
             mount --bind '{from}' '{to}'
             mount -o remount,bind,ro '{to}'
             if [ -d '{to}/{target}' ]; then mount --bind '{root}/opt/empty' '{to}/{target}'; fi
             mount -t proc proc '{root}/proc'
             mount --rbind /sys '{root}/sys'
             mount --rbind /dev '{root}/dev'
             exec chroot '{root}' /usr/bin/env -i {} /bin/sh -c 'cd {CLONE} && {line}'",
            self.environment().join(" ")
        );
        // All processes end when this one does, even if it is killed.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child"]);
        command.args(["--propagation", "private", "/bin/sh", "-c", &script]);
        command.stdin(Stdio::null());
        command
    }

    /// Returns all environment variables of a command. They name the toolchain, and the proxy and certificates with
    /// which this machine reaches the network. All caches are empty.
    fn environment(&self) -> Vec<String> {
        let mut variables = vec![
            format!("HOME={HOME}"),
            "LANG=C.UTF-8".to_owned(),
            "TERM=dumb".to_owned(),
            format!("CARGO_HOME={HOME}/.cargo"),
            format!("PATH={TOOLCHAIN}/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        ];
        for (name, value) in std::env::vars() {
            let network = name.to_ascii_lowercase().ends_with("_proxy")
                || name.ends_with("CA_CERTS")
                || name.ends_with("CA_BUNDLE")
                || ["SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "PIP_CERT", "PIP_INDEX_URL"]
                    .contains(&name.as_str());
            if network && !value.contains('\'') {
                variables.push(format!("\"{name}={value}\""));
            }
        }
        variables
    }

    /// Runs `cargo xtask dev` until the catalogue is published.
    fn start(&self) -> Result<Started> {
        start::watch(&mut self.shell("exec cargo xtask dev --port 0 2>&1"))
    }
}

/// Returns the folder of the Rust toolchain.
fn toolchain() -> Result<PathBuf> {
    let output = command("rustc", &["--print", "sysroot"]).output().context("rustc cannot be started")?;
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if !folder.join("bin/cargo").is_file() {
        bail!("{} is no complete Rust toolchain", folder.display());
    }
    Ok(folder)
}

/// Copies this machine's certificates, which may contain those of a proxy.
fn copy_certificates(machine: &FreshRoot) -> Result<()> {
    let bundle = Path::new("/etc/ssl/certs/ca-certificates.crt");
    if bundle.is_file() {
        fs::copy(bundle, machine.inside(bundle))?;
    }
    Ok(())
}

/// Copies Node.js and npm of this machine to `/usr/local` in the new root.
fn link_node(machine: &FreshRoot) -> Result<()> {
    let find = |name: &str| -> Result<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
        Ok(fs::canonicalize(found.with_context(|| format!("{name} is not on the path"))?)?)
    };
    fs::copy(find("node")?, machine.inside("/usr/local/bin/node"))?;
    // …/node_modules/npm/bin/npm-cli.js
    let script = find("npm")?;
    let npm = script.ancestors().nth(2).context("npm is not in a folder node_modules/npm")?;
    let target = machine.inside("/usr/local/lib/node_modules/npm");
    fs::create_dir_all(target.parent().context("no parent")?)?;
    check(command("cp", &["-rL"]).arg(npm).arg(&target))?;
    std::os::unix::fs::symlink("../lib/node_modules/npm/bin/npm-cli.js", machine.inside("/usr/local/bin/npm"))?;
    std::os::unix::fs::symlink("../lib/node_modules/npm/bin/npx-cli.js", machine.inside("/usr/local/bin/npx"))?;
    Ok(())
}
