//! `cargo xtask waraq`: the engine on the command line, as it is given away.

use std::env::consts::EXE_SUFFIX;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::steps::{cargo, check, root, target_dir};
use crate::tools;

/// On Linux it brings its C library and lies where it was linked to: to find libraries and to move twenty thousand
/// addresses takes a fifth of a small document's time.
const LINKED_AS_A_WHOLE: [&str; 4] = ["-C", "target-feature=+crt-static", "-C", "relocation-model=static"];

/// Builds the program; where it is then.
///
/// Where there is an `llvm-profdata` that reads what the compiler writes, it is built twice: the first sets the product's
/// own documents and notes which way it went, the second is laid out for that, and takes an eighth less time.
pub fn build() -> Result<PathBuf> {
    crate::fonts::fetch()?;
    let compiler = Compiler::of_the_path()?;
    let home = target_dir().join("waraq");
    let mut flags = String::new();
    if let Some(reader) = compiler.profile_reader() {
        println!("building waraq to be watched (minutes) …");
        let notes = home.join("notes");
        let watched = compile(&compiler, &home.join("watched"), &format!("-Cprofile-generate={}", notes.display()))?;
        // cargo does not look into it: another profile needs another name
        let profile = home.join(format!("{:016x}.profdata", content(&watched)?));
        if !profile.is_file() {
            watch(&watched, &notes, &home.join("documents"))?;
            check(Command::new(reader).arg("merge").arg("-o").arg(&profile).arg(&notes))?;
        }
        flags = format!("-Cprofile-use={}", profile.display());
    } else {
        println!(
            "slower by an eighth without llvm-profdata (`rustup component add llvm-tools` or `apt-get install \
                  llvm-{}`)",
            compiler.llvm
        );
    }
    println!("building waraq (minutes: it is optimized as a whole) …");
    compile(&compiler, &home.join("built"), &flags)
}

/// Tells files apart.
fn content(file: &Path) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    std::fs::read(file)?.hash(&mut hasher);
    Ok(hasher.finish())
}

pub fn run() -> Result<()> {
    println!("{}", build()?.display());
    Ok(())
}

/// What is said of itself by the compiler that cargo calls.
struct Compiler {
    /// The machine that it builds for.
    target: String,
    /// The number of its LLVM.
    llvm: String,
    home: PathBuf,
}

impl Compiler {
    fn of_the_path() -> Result<Self> {
        let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
        let version = output(Command::new(&rustc).arg("-vV"))?;
        let line = |name: &str| {
            let line = version.lines().find_map(|line| line.strip_prefix(name));
            line.map(str::to_owned).with_context(|| format!("rustc -vV does not say {name}"))
        };
        let llvm = line("LLVM version: ")?.split('.').next().unwrap_or_default().to_owned();
        let home = output(Command::new(&rustc).args(["--print", "sysroot"]))?.trim().into();
        Ok(Self { target: line("host: ")?, llvm, home })
    }

    /// The program that merges the notes of programs it compiled.
    fn profile_reader(&self) -> Option<PathBuf> {
        let own = self.home.join("lib/rustlib").join(&self.target).join(format!("bin/llvm-profdata{EXE_SUFFIX}"));
        if own.is_file() {
            return Some(own);
        }
        let of_the_system = format!("llvm-profdata-{}", self.llvm);
        tools::present(&of_the_system).then(|| of_the_system.into())
    }
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("{command:?} failed");
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Compiles it with all its dependencies, each with this flag. (For a named target: build scripts go without.)
fn compile(compiler: &Compiler, target_dir: &Path, flag: &str) -> Result<PathBuf> {
    let mut arguments = vec!["rustc", "--profile", "dist", "--package", "waraq-cli", "--bin", "waraq"];
    arguments.extend(["--target", compiler.target.as_str(), "--"]);
    if cfg!(target_os = "linux") {
        arguments.extend(LINKED_AS_A_WHOLE);
    }
    check(cargo(&arguments).env("CARGO_TARGET_DIR", target_dir).env("CARGO_ENCODED_RUSTFLAGS", flag))?;
    Ok(target_dir.join(&compiler.target).join(format!("dist/waraq{EXE_SUFFIX}")))
}

/// Sets the catalogue, and the documents that the engine's tests keep pictures of, one for each thing that it can.
fn watch(program: &Path, notes: &Path, documents: &Path) -> Result<()> {
    for folder in [notes, documents] {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder)?;
    }
    let folder = documents.to_str().context("the folder of the build has a name that is no text")?;
    check(&mut cargo(&["run", "--quiet", "--package", "waraq-catalogue", "--example", "write", "--", folder]))?;
    let mut pictures = cargo(&["test", "--quiet", "--package", "waraq-engine", "--test", "pictures"]);
    check(pictures.env("WARAQ_PICTURES", "show").env("WARAQ_PICTURES_FOLDER", documents).stdout(Stdio::null()))?;
    let mut set = 0;
    for entry in std::fs::read_dir(documents)? {
        let document = entry?.path();
        if document.extension().is_some_and(|extension| extension == "docx") {
            let mut command = Command::new(program);
            command.arg("pdf").arg(&document).arg("-o").arg(document.with_extension("pdf")).current_dir(root());
            check(command.stderr(Stdio::null()))?;
            set += 1;
        }
    }
    println!("watched it set {set} documents");
    Ok(())
}
