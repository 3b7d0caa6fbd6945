//! `cargo xtask preview`: builds the engine for the browser as WebAssembly, in `frontend/engine`.
//!
//! Builds of the same sources by the same compiler are kept in `wasm/` of cargo's target directory, so a second clone that shares the
//! directory builds nothing.

mod compiler;
mod debian;
#[cfg(all(test, unix))]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use self::compiler::TARGET;
pub use self::compiler::{Compiler, Machine, NoCompiler, RustVersion};
use crate::cache::{Fingerprint, replace_folder};
use crate::progress::{self, Activity};
use crate::steps::{cargo, check, root, target_dir};

/// The sources of the browser module, without the manifests.
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
/// The files of the browser module.
const FILES: [&str; 2] = ["preview.js", "preview_bg.wasm"];

/// The optimisation with which the browser module is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimisation {
    /// Small, with link-time optimisation over all crates. The shipped and tested browser module is built with this
    /// variant.
    Release,
    /// Built in a fraction of the time that `Release` takes, for `cargo xtask dev`.
    Quick,
}

impl Optimisation {
    /// Returns the name of the cargo profile with this optimisation.
    fn profile(self) -> &'static str {
        match self {
            Self::Release => "preview",
            Self::Quick => "preview-quick",
        }
    }
}

/// Returns the folder in which the frontend finds the browser module.
pub fn folder() -> PathBuf {
    root().join("frontend/engine")
}

pub fn run() -> Result<()> {
    build()?;
    println!("{}", folder().display());
    Ok(())
}

/// Finds a compiler and builds the browser module that is shipped.
pub fn build() -> Result<()> {
    crate::fonts::fetch()?;
    let machine = Machine::this()?;
    let compiler = Compiler::find(&machine)?;
    println!("      compiling the engine for the browser, unless it is up to date (about 5 minutes on two cores) …");
    build_with(&compiler, &machine, Optimisation::Release, None)
}

/// Builds the browser module unless the same sources were built before, and copies it to [`folder`]. The fonts must
/// have been fetched.
pub fn build_with(
    compiler: &Compiler,
    machine: &Machine,
    optimisation: Optimisation,
    activity: Option<&Activity>,
) -> Result<()> {
    let home = target_dir().join("wasm");
    let kept =
        |optimisation| Ok::<_, anyhow::Error>(home.join("made").join(fingerprint(compiler, machine, optimisation)?));
    // If the same sources have been built for shipping, that module is used for development too.
    let release = kept(Optimisation::Release)?;
    let made = if is_complete(&release) { release } else { kept(optimisation)? };
    if !is_complete(&made) {
        let module = compile(compiler, &home, optimisation, activity)?;
        replace_folder(&made, |new| bindgen(&module, new, &home))?;
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

/// Deletes the browser module, so that the frontend is built without live pages. An old module could show pages that
/// differ from the server's PDF.
pub fn remove() -> Result<()> {
    match fs::remove_dir_all(folder()) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot delete {}", folder().display()))
        }
        _ => Ok(()),
    }
}

fn is_complete(made: &Path) -> bool {
    FILES.iter().all(|file| made.join(file).is_file())
}

/// Compiles the browser module and returns its path.
fn compile(
    compiler: &Compiler,
    home: &Path,
    optimisation: Optimisation,
    activity: Option<&Activity>,
) -> Result<PathBuf> {
    let profile = optimisation.profile();
    let mut command = cargo(&["rustc", "--locked", "--package", "waraq-preview", "--lib", "--crate-type", "cdylib"]);
    command.args(["--profile", profile, "--target", TARGET]).env("CARGO_TARGET_DIR", home);
    if let Compiler::Debian(debian) = compiler {
        command
            .arg("-Zbuild-std=std,panic_abort")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTC", debian.rustc_path())
            .env("LD_LIBRARY_PATH", debian.libraries())
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", debian.linker());
    }
    run_cargo(&mut command, activity)?;
    Ok(home.join(TARGET).join(profile).join("waraq_preview.wasm"))
}

/// Writes two files to `folder`: the JavaScript that calls the browser module, and the module without the data that
/// only wasm-bindgen needs.
fn bindgen(module: &Path, folder: &Path, home: &Path) -> Result<()> {
    let mut command = cargo(&["run", "--quiet", "--locked", "--manifest-path"]);
    command.arg(root().join("crates/xtask/bindgen/Cargo.toml")).arg("--").arg(module).arg(folder).arg("preview");
    check(command.env("CARGO_TARGET_DIR", home.join("bindgen")))
}

fn run_cargo(command: &mut std::process::Command, activity: Option<&Activity>) -> Result<()> {
    match activity {
        Some(activity) => progress::cargo(command, activity),
        None => check(command.arg("--quiet")),
    }
}

/// Returns a fingerprint of the sources, the profile and the compiler of a build of the browser module.
fn fingerprint(compiler: &Compiler, machine: &Machine, optimisation: Optimisation) -> Result<String> {
    let mut inputs = Fingerprint::default().add(compiler.version(machine)?).add(optimisation.profile());
    for source in SOURCES {
        inputs = inputs.add_path(&root().join(source), &[])?;
    }
    for package in ["preview", "layout", "docx", "graphics", "rules", "fonts"] {
        inputs = inputs.add_path(&root().join("crates").join(package).join("Cargo.toml"), &[])?;
    }
    // Only the profiles of the workspace's manifest count. Other parts may change without a new build.
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let (_, profiles) = manifest.split_once("[profile.preview]").context("Cargo.toml has no profile.preview")?;
    Ok(inputs.add(profiles).finish())
}
