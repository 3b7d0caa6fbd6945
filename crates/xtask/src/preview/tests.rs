//! Tests every branch of the search for a compiler. Scripts replace the programs `rustc`, `rustup`, `apt-cache`, `apt-get` and
//! `dpkg-deb`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::compiler::{Compiler, Machine, NoCompiler, RustVersion};
use crate::testing::{self, Folder};

const NEW: &str = "1.96.0+dfsg1-1~deb12u2";
const OLD: &str = "1.85.0+dfsg3-1~deb12u3";

/// A machine simulated in a temporary folder. Its search path is only `bin` in that folder, and the file `calls` records the programs
/// that were called.
struct Fake {
    folder: Folder,
}

impl Fake {
    /// A machine with a current rustc that has no library for the browser, and no other program.
    fn new() -> Self {
        let fake = Self { folder: Folder::new() };
        fake.rustc("1.95.0");
        fake
    }

    /// Adds a program to the machine. `script` is the text of a shell script, in which `$M` is the machine's folder.
    fn program(&self, name: &str, script: &str) {
        write_script(&self.folder.join("bin").join(name), &self.folder, name, script);
    }

    fn rustc(&self, version: &str) {
        let script = format!("case \"$1\" in --print) echo \"$M/lib\";; *) echo 'rustc {version} (hash date)';; esac");
        self.program("rustc", &script);
    }

    /// Adds the target's standard library to the rustc of the machine.
    fn with_library(&self) {
        fs::create_dir_all(self.folder.join("lib")).unwrap();
        fs::write(self.folder.join("lib/libstd-0123.rlib"), "").unwrap();
    }

    /// Adds rustup. `target_add` is the shell command that it runs for `rustup target add`.
    fn rustup(&self, target_add: &str) {
        self.program("rustup", &format!("case \"$1\" in target) {target_add};; *) echo stable-x86_64;; esac"));
    }

    /// Adds Debian's programs. The package lists offer `before`, and `after` once they have been updated. The package unpacks to a
    /// compiler of the version `unpacked`.
    fn debian(&self, before: &str, after: &str, unpacked: &str) {
        fs::write(self.folder.join("candidate"), before).unwrap();
        self.program(
            "apt-cache",
            "while [ \"$1\" = -o ]; do shift 2; done
             case \"$1 $2\" in
               'policy rustc-web') echo 'rustc-web:'; echo '  Installed: (none)'; echo \"  Candidate: $(/bin/cat \"$M/candidate\")\";;
               depends*)
                 for name in rustc-web libc6 libc-bin libgcc-s1 libstd-rust-web-dev libstd-rust-web-1.96 libllvm19 libedit2 gcc; do echo $name; done
                 case \"$*\" in *lld-19) echo lld-19; echo liblld-19; echo '  Depends: libllvm19'; echo '<libvirtual>';; esac;;
             esac",
        );
        self.program("dpkg-query", "case \"$4\" in libgcc-s1|libllvm19) printf installed;; *) exit 1;; esac");
        self.apt_get(&format!("echo '{after}' > \"$M/candidate\""), "echo > rustc-web.deb");
        self.program(
            "dpkg-deb",
            &format!(
                "/bin/mkdir -p \"$3/usr/bin\" \"$3/usr/lib/llvm-19/bin\" \"$3/usr/src/rustc-1.96.0/library/std\"
                 echo > \"$3/usr/lib/llvm-19/bin/wasm-ld\"
                 printf '#!/bin/sh\\necho rustc {unpacked}\\n' > \"$3/usr/bin/rustc\"
                 /bin/chmod +x \"$3/usr/bin/rustc\""
            ),
        );
    }

    fn apt_get(&self, update: &str, download: &str) {
        let script = format!(
            "while [ \"$1\" = -o ]; do shift 2; done
             case \"$1\" in update) {update};; download) {download};; esac"
        );
        self.program("apt-get", &script);
    }

    /// Puts a compiler of this version into the cache, as if it had been fetched before.
    fn cached(&self, version: &str) -> PathBuf {
        let folder = self.cache().join("rustc-web");
        let root = folder.join("root");
        fs::create_dir_all(root.join("usr/lib/llvm-19/bin")).unwrap();
        fs::write(root.join("usr/lib/llvm-19/bin/wasm-ld"), "").unwrap();
        fs::create_dir_all(root.join("usr/lib/rustlib/src/rust/library/std")).unwrap();
        write_script(&root.join("usr/bin/rustc"), &self.folder, "cached rustc", &format!("echo rustc {version}"));
        fs::write(folder.join("llvm"), "19").unwrap();
        folder
    }

    fn cache(&self) -> PathBuf {
        self.folder.join("cache")
    }

    fn machine(&self) -> Machine {
        Machine {
            path: self.folder.join("bin").into(),
            rustc: "rustc".into(),
            cache: self.cache(),
            required: RustVersion(1, 95),
            // A busy machine may be slow.
            rustup_limit: Duration::from_secs(60),
        }
    }

    fn find(&self) -> Result<Compiler, NoCompiler> {
        Compiler::find(&self.machine())
    }

    /// Finds Debian's compiler and returns its version.
    fn find_debian(&self) -> String {
        let compiler = self.find().unwrap();
        assert!(matches!(compiler, Compiler::Debian(_)), "{compiler:?}");
        compiler.version(&self.machine()).unwrap().trim().to_owned()
    }

    /// Searches for a compiler, which must fail, and returns the message.
    fn message(&self) -> String {
        self.find().unwrap_err().to_string()
    }

    /// Returns `true` if a call that contains this text was made.
    fn called(&self, text: &str) -> bool {
        fs::read_to_string(self.folder.join("calls")).unwrap_or_default().contains(text)
    }
}

fn write_script(path: &Path, machine: &Path, name: &str, lines: &str) {
    let machine = machine.display();
    testing::script(path, &format!("M='{machine}'\necho \"{name} $*\" >> \"$M/calls\"\n{lines}"));
}

#[test]
fn versions_are_parsed_from_program_output() {
    let version = |text| RustVersion::parse(text);
    assert_eq!(version("rustc 1.95.0 (59807616e 2026-04-14)"), Some(RustVersion(1, 95)));
    assert_eq!(version(OLD), Some(RustVersion(1, 85)));
    assert_eq!(version("rustc 1.97.0-nightly"), Some(RustVersion(1, 97)));
    assert_eq!(version("2.0"), Some(RustVersion(2, 0)));
    for nothing in ["", "(none)", "rustc", "1", "1.x"] {
        assert_eq!(version(nothing), None, "{nothing}");
    }
    assert!(RustVersion(1, 100) > RustVersion(1, 95));
    assert_eq!(RustVersion::required("[workspace.package]\nrust-version = \"1.95\"\n").unwrap(), RustVersion(1, 95));
    assert!(RustVersion::required("[workspace]").is_err());
}

// (a) The installed target.

#[test]
fn the_installed_target_is_used_and_nothing_else_is_asked() {
    let fake = Fake::new();
    fake.with_library();
    fake.rustup("echo added");
    fake.debian(NEW, NEW, "1.96.0");
    assert!(matches!(fake.find().unwrap(), Compiler::Installed));
    assert!(!fake.called("rustup") && !fake.called("apt"));
}

#[test]
fn an_installed_compiler_that_is_too_old_is_not_used() {
    let fake = Fake::new();
    fake.rustc("1.94.1");
    fake.with_library();
    fake.debian(NEW, NEW, "1.96.0");
    assert_eq!(fake.find_debian(), "rustc 1.96.0");
}

#[test]
fn a_folder_of_the_target_without_its_library_is_not_enough() {
    let fake = Fake::new();
    fs::create_dir_all(fake.folder.join("lib")).unwrap();
    assert!(fake.message().contains("the installed rustc 1.95 has no library for wasm32-unknown-unknown"));
}

// (b) rustup.

#[test]
fn rustup_adds_the_target() {
    let fake = Fake::new();
    fake.rustup("/bin/mkdir -p \"$M/lib\"; echo > \"$M/lib/libstd-9.rlib\"");
    fake.debian(NEW, NEW, "1.96.0");
    assert!(matches!(fake.find().unwrap(), Compiler::Installed));
    assert!(fake.called("rustup target add wasm32-unknown-unknown"));
    assert!(!fake.called("apt"));
}

#[test]
fn debian_is_tried_after_rustup_fails() {
    let fake = Fake::new();
    fake.rustup("echo 'error: could not download' >&2; exit 1");
    fake.debian(NEW, NEW, "1.96.0");
    assert_eq!(fake.find_debian(), "rustc 1.96.0");
}

#[test]
fn rustup_is_killed_at_its_time_limit() {
    let fake = Fake::new();
    fake.rustup("/bin/sleep 600");
    let machine = Machine { rustup_limit: Duration::from_millis(500), ..fake.machine() };
    let message = Compiler::find(&machine).unwrap_err().to_string();
    assert!(message.contains("took longer than 0.5 s"), "{message}");
}

#[test]
fn target_is_checked_after_rustup_succeeds() {
    let fake = Fake::new();
    fake.rustup("echo 'info: component is up to date'");
    fake.debian(NEW, NEW, "1.96.0");
    assert_eq!(fake.find_debian(), "rustc 1.96.0");
}

#[test]
fn rustup_is_not_used_for_another_rust_installation() {
    let fake = Fake::new();
    fake.program("rustup", "echo 'error: no active toolchain' >&2; exit 1");
    let message = fake.message();
    assert!(!fake.called("rustup target add"));
    assert!(
        message
            .contains("rustup does not manage the installed Rust: rustup ended with exit status: 1: error: no active")
    );
}

// (c) Debian's packages.

#[test]
fn current_package_lists_are_used_as_they_are() {
    let fake = Fake::new();
    fake.debian(NEW, NEW, "1.96.0");
    assert_eq!(fake.find_debian(), "rustc 1.96.0");
    assert!(!fake.called("apt-get -o") && !fake.called("apt-get update"));
    // The compiler's own libraries, and libedit2, which this system does not have; not libgcc-s1, which it has.
    let download = "apt-get download -qq rustc-web rust-web-src lld-19 \
                    libstd-rust-web-dev libstd-rust-web-1.96 libllvm19 libedit2 liblld-19\n";
    assert!(fake.called(download));
    // The standard library's sources are where cargo looks for them.
    let sources = ["rustc-web", "root", "usr", "lib", "rustlib", "src", "rust", "library", "std"];
    assert!(fake.cache().join(PathBuf::from_iter(sources)).is_dir());
}

#[test]
fn old_package_lists_are_updated_in_the_cache() {
    let fake = Fake::new();
    fake.debian(OLD, NEW, "1.96.0");
    assert_eq!(fake.find_debian(), "rustc 1.96.0");
    assert!(fake.called(&format!("-o Dir::State::Lists={}/apt/lists", fake.cache().display())));
    assert!(fake.called("Acquire::Languages=none update -qq"));
}

#[test]
fn missing_package_lists_are_updated_too() {
    let fake = Fake::new();
    fake.debian("(none)", NEW, "1.96.0");
    assert_eq!(fake.find_debian(), "rustc 1.96.0");
}

#[test]
fn a_package_that_stays_too_old_is_not_fetched() {
    let fake = Fake::new();
    fake.debian(OLD, OLD, "1.85.0");
    let message = fake.message();
    assert!(message.contains(&format!("Debian's rustc-web is {OLD}, older than Rust 1.95")), "{message}");
    assert!(!fake.called("download"));
}

#[test]
fn sources_without_the_package_are_named() {
    let fake = Fake::new();
    fake.debian("(none)", "(none)", "1.96.0");
    assert!(fake.message().contains("the apt sources offer no rustc-web"));
}

#[test]
fn an_update_without_network_is_reported() {
    let fake = Fake::new();
    fake.debian(OLD, NEW, "1.96.0");
    fake.apt_get("echo 'E: no network' >&2; exit 100", "exit 1");
    assert!(fake.message().contains("`apt-get update` failed (apt-get update: E: no network)"));
}

#[test]
fn an_update_that_reached_some_sources_only_is_reported() {
    let fake = Fake::new();
    fake.debian(OLD, OLD, "1.85.0");
    fake.apt_get("echo 'W: Failed to fetch security' >&2", "exit 1");
    assert!(fake.message().contains("older than Rust 1.95 (apt-get update: W: Failed to fetch security)"));
}

#[test]
fn a_failed_download_leaves_nothing_behind() {
    let fake = Fake::new();
    fake.debian(NEW, NEW, "1.96.0");
    fake.apt_get("true", "echo > half.deb; echo 'E: connection reset' >&2; exit 100");
    assert!(fake.message().contains("E: connection reset"));
    assert_eq!(fs::read_dir(fake.cache()).unwrap().count(), 0);
}

#[test]
fn a_package_with_other_dependencies_is_reported() {
    let fake = Fake::new();
    fake.debian(NEW, NEW, "1.96.0");
    fake.program("apt-cache", &format!("case \"$1\" in policy) echo '  Candidate: {NEW}';; *) echo libc6;; esac"));
    assert!(fake.message().contains("the package rustc-web depends on no libllvm"));
}

#[test]
fn a_fetched_compiler_is_checked_before_it_is_used() {
    let fake = Fake::new();
    fake.debian(NEW, NEW, "1.85.0");
    assert!(fake.message().contains("Debian's compiler was fetched and cannot be used: it is rustc 1.85.0"));
}

#[test]
fn a_system_without_apt_is_named() {
    let fake = Fake::new();
    assert!(fake.message().contains("this system has no Debian packages"));
}

// The cache.

#[test]
fn a_cached_compiler_is_used_without_apt() {
    let fake = Fake::new();
    fake.cached("1.95.3");
    fake.debian(NEW, NEW, "1.96.0");
    assert_eq!(fake.find_debian(), "rustc 1.95.3");
    assert!(!fake.called("apt"));
}

#[test]
fn a_cached_compiler_that_is_too_old_is_replaced() {
    let fake = Fake::new();
    fake.cached("1.85.0");
    fake.debian(OLD, NEW, "1.96.0");
    assert_eq!(fake.find_debian(), "rustc 1.96.0");
    // The new compiler is kept: the next run fetches nothing.
    fs::remove_file(fake.folder.join("bin/apt-get")).unwrap();
    assert_eq!(fake.find_debian(), "rustc 1.96.0");
}

#[test]
fn a_cached_compiler_with_a_missing_part_is_replaced() {
    for part in ["llvm", "root/usr/bin/rustc", "root/usr/lib/llvm-19/bin/wasm-ld", "root/usr/lib/rustlib/src/rust"] {
        let fake = Fake::new();
        let path = fake.cached("1.95.0").join(part);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap()
        } else {
            fs::remove_file(path).unwrap()
        }
        fake.debian(NEW, NEW, "1.96.0");
        assert_eq!(fake.find_debian(), "rustc 1.96.0", "without {part}");
    }
}

#[test]
fn an_old_cached_compiler_survives_if_it_cannot_be_replaced() {
    let fake = Fake::new();
    let folder = fake.cached("1.85.0");
    fake.debian(OLD, NEW, "1.96.0");
    fake.apt_get("true", "exit 1");
    fake.message();
    assert!(folder.join("llvm").exists(), "the next run finds it, reports it and tries again");
}

#[test]
fn an_interrupted_download_is_deleted_and_repeated() {
    let fake = Fake::new();
    let interrupted = fake.cache().join("rustc-web.999999999.part");
    fs::create_dir_all(interrupted.join("packed")).unwrap();
    fake.debian(NEW, NEW, "1.96.0");
    assert_eq!(fake.find_debian(), "rustc 1.96.0");
    assert!(!interrupted.exists());
}

// The message.

#[test]
fn message_lists_every_attempt_and_the_install_command() {
    let fake = Fake::new();
    fake.rustup("echo 'error: no network' >&2; exit 1");
    fake.debian(OLD, OLD, "1.85.0");
    let message = fake.message();
    for part in [
        "needs Rust 1.95 or newer",
        "the installed rustc 1.95 has no library",
        "`rustup target add wasm32-unknown-unknown` failed: rustup ended with exit status: 1: error: no network",
        "Debian's rustc-web is 1.85.0",
        "To install it: `rustup target add wasm32-unknown-unknown`",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
}
