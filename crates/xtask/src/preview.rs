//! `cargo xtask preview`: the engine for the browser, as WebAssembly in `frontend/engine`.
//!
//! It is compiled by the Rust that is installed where that has the target `wasm32-unknown-unknown`, else by a compiler made of
//! Debian's own packages with its library from source; nothing is installed system-wide. What was made of the same sources before
//! is kept (`wasm/` in cargo's target folder), so that a second clone, or a second run, waits for nothing.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::{cargo, check, root, target_dir};

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "preview";
/// What it is made of.
const SOURCES: [&str; 11] = [
    "crates/preview/src",
    "crates/layout/src",
    "crates/docx/src",
    "crates/graphics/src",
    "crates/rules/src",
    "crates/fonts/src",
    "crates/fonts/build.rs",
    "crates/fonts/package-lock.json",
    "crates/xtask/bindgen/src",
    "crates/xtask/bindgen/Cargo.lock",
    "Cargo.lock",
];
/// What is made.
const FILES: [&str; 2] = ["preview.js", "preview_bg.wasm"];

/// Where the frontend finds it.
pub fn folder() -> PathBuf {
    root().join("frontend/engine")
}

/// Compiles it, unless it is there and made of these very sources.
pub fn build() -> Result<()> {
    crate::fonts::fetch()?;
    let compiler = Compiler::find()?;
    let mark = mark(&compiler)?;
    let home = target_dir().join("wasm");
    let made = home.join("made").join(&mark);
    if !FILES.iter().all(|file| made.join(file).is_file()) {
        println!("      compiling the engine for the browser (the first time takes minutes) …");
        let module = compiler.compile(&home)?;
        let fresh = home.join("made").join(format!("{mark}.{}", std::process::id()));
        bindgen(&module, &fresh, &home)?;
        // whoever looks finds all of it or nothing
        if made.exists() {
            fs::remove_dir_all(&made)?;
        }
        fs::rename(&fresh, &made)?;
    }
    fs::create_dir_all(folder())?;
    for file in FILES {
        let (from, to) = (made.join(file), folder().join(file));
        let content = fs::read(&from)?;
        if fs::read(&to).ok().is_none_or(|known| known != content) {
            fs::write(to, content)?;
        }
    }
    Ok(())
}

pub fn run() -> Result<()> {
    build()?;
    println!("{}", folder().display());
    Ok(())
}

/// Writes what JavaScript calls of the module.
fn bindgen(module: &Path, folder: &Path, home: &Path) -> Result<()> {
    let manifest = root().join("crates/xtask/bindgen/Cargo.toml");
    let mut command = cargo(&["run", "--quiet", "--locked", "--manifest-path"]);
    command.arg(manifest).arg("--").arg(module).arg(folder).arg("preview");
    check(command.env("CARGO_TARGET_DIR", home.join("bindgen")))
}

/// Tells sources and compilers apart.
fn mark(compiler: &Compiler) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    compiler.version()?.hash(&mut hasher);
    for source in SOURCES {
        hash(&root().join(source), &mut hasher)?;
    }
    // of the manifests what concerns the others may change
    for package in ["preview", "layout", "docx", "graphics", "rules", "fonts"] {
        hash(&root().join("crates").join(package).join("Cargo.toml"), &mut hasher)?;
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let profile = manifest.split_once("[profile.preview]").map(|(_, rest)| rest);
    profile.context("Cargo.toml has no profile of that name")?.hash(&mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

fn hash(path: &Path, hasher: &mut DefaultHasher) -> Result<()> {
    if !path.is_dir() {
        fs::read(path).with_context(|| path.display().to_string())?.hash(hasher);
        return Ok(());
    }
    let mut entries: Vec<_> = fs::read_dir(path)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        entry.file_name().hash(hasher);
        hash(&entry.path(), hasher)?;
    }
    Ok(())
}

/// What compiles for the browser.
enum Compiler {
    /// The one on the path: it has the target's library.
    Installed,
    /// Debian's, unpacked into this folder, with the number of its LLVM.
    Debian { root: PathBuf, llvm: String },
}

impl Compiler {
    fn find() -> Result<Self> {
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
        let asked = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
        let library = asked.ok().filter(|answer| answer.status.success());
        if library.is_some_and(|answer| Path::new(String::from_utf8_lossy(&answer.stdout).trim()).is_dir()) {
            return Ok(Self::Installed);
        }
        let folder = cache()?.join("wasm-toolchain");
        let ready = folder.join("ready");
        if !ready.is_file() {
            unpack(&folder).context(
                "The engine for the browser wants Rust's target wasm32-unknown-unknown (`rustup target add \
                 wasm32-unknown-unknown`), or Debian 12 or newer with its package rustc-web",
            )?;
        }
        let llvm = fs::read_to_string(ready)?.trim().to_owned();
        Ok(Self::Debian { root: folder.join("root"), llvm })
    }

    fn version(&self) -> Result<String> {
        let mut command = match self {
            Self::Installed => Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into())),
            Self::Debian { root, llvm } => {
                let mut command = Command::new(root.join("usr/bin/rustc"));
                command.env("LD_LIBRARY_PATH", libraries(root, llvm));
                command
            }
        };
        let output = command.arg("-vV").output().context("the compiler cannot be started")?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Compiles the module; where it is then.
    fn compile(&self, home: &Path) -> Result<PathBuf> {
        let mut command = cargo(&["rustc", "--quiet", "--package", "waraq-preview", "--lib", "--crate-type", "cdylib"]);
        command.args(["--profile", PROFILE, "--target", TARGET]).env("CARGO_TARGET_DIR", home);
        if let Self::Debian { root, llvm } = self {
            command
                .arg("-Zbuild-std=std,panic_abort")
                .env("RUSTC_BOOTSTRAP", "1")
                .env("RUSTC", root.join("usr/bin/rustc"))
                .env("LD_LIBRARY_PATH", libraries(root, llvm))
                .env(
                    "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER",
                    root.join(format!("usr/lib/llvm-{llvm}/bin/wasm-ld")),
                );
        }
        check(&mut command)?;
        Ok(home.join(TARGET).join(PROFILE).join("waraq_preview.wasm"))
    }
}

fn libraries(root: &Path, llvm: &str) -> String {
    let root = root.display();
    format!("{root}/usr/lib/x86_64-linux-gnu:{root}/usr/lib/aarch64-linux-gnu:{root}/usr/lib/llvm-{llvm}/lib")
}

/// Where what is fetched for development is kept.
fn cache() -> Result<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    Ok(named.or_else(home).context("neither HOME nor XDG_CACHE_HOME is set")?.join("waraq"))
}

/// Unpacks Debian's compiler for the browser, the sources of its library and the linker: rustc-web is kept up to date for Chromium
/// and Firefox.
fn unpack(folder: &Path) -> Result<()> {
    println!("      fetching Debian's compiler for the browser (once) …");
    if depends("rustc-web", "libstd-rust-web-dev").is_err() {
        let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
        let (program, first): (_, &[&str]) = if root { ("apt-get", &[]) } else { ("sudo", &["apt-get"]) };
        check(Command::new(program).args(first).args(["update", "-qq"]))?;
    }
    // the names carry versions: they are read off the packages themselves
    let development = depends("rustc-web", "libstd-rust-web-dev")?;
    let library = depends(&development, "libstd-rust-web-")?;
    let llvm_library = depends(&library, "libllvm")?;
    let llvm = llvm_library.trim_start_matches("libllvm").to_owned();
    let packages = [
        "rustc-web".to_owned(),
        development,
        library,
        "rust-web-src".to_owned(),
        llvm_library,
        format!("lld-{llvm}"),
        format!("liblld-{llvm}"),
    ];
    let packed = folder.join("packed");
    for fresh in [&packed, &folder.join("root")] {
        if fresh.exists() {
            fs::remove_dir_all(fresh)?;
        }
        fs::create_dir_all(fresh)?;
    }
    check(Command::new("apt-get").args(["download", "-qq"]).args(&packages).current_dir(&packed))?;
    for package in fs::read_dir(&packed)? {
        check(Command::new("dpkg").arg("-x").arg(package?.path()).arg(folder.join("root")))?;
    }
    fs::remove_dir_all(&packed)?;
    // cargo looks for the library's sources beside the compiler
    let sources = fs::read_dir(folder.join("root/usr/src"))?
        .filter_map(Result::ok)
        .find(|entry| entry.file_name().to_string_lossy().starts_with("rustc-"))
        .context("the package rust-web-src has no sources")?;
    let link = folder.join("root/usr/lib/rustlib/src/rust");
    let _ = fs::remove_file(&link);
    fs::create_dir_all(link.parent().unwrap_or(folder))?;
    std::os::unix::fs::symlink(sources.path(), link)?;
    fs::write(folder.join("ready"), llvm)?;
    Ok(())
}

/// The package that one depends on whose name begins so.
fn depends(package: &str, begins: &str) -> Result<String> {
    let output =
        Command::new("apt-cache").args(["depends", package]).output().context("apt-cache cannot be started")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut names = text.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    match names.find(|name| name.starts_with(begins)) {
        Some(name) => Ok(name.trim().to_owned()),
        None => bail!("Debian's package {package} is not to be had here"),
    }
}
