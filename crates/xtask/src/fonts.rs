//! `cargo xtask fonts`: fetches the font files of `crates/fonts` from npm.
//!
//! An npm package contains all weights of a font family, and pictures of them. Only the regular, bold, italic and bold
//! italic fonts are kept, with their licences, in `crates/fonts/files`. npm checks each package against the hash in the
//! lock file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cache::{Fingerprint, Stamp};
use crate::steps::{check, command, root};

/// The folders of an npm package whose font files are copied.
const STYLES: [&str; 4] = ["400Regular", "400Regular_Italic", "700Bold", "700Bold_Italic"];

fn folder() -> PathBuf {
    root().join("crates/fonts")
}

fn files() -> PathBuf {
    folder().join("files")
}

/// Returns the stamp that stores the fingerprint of the fetched font files. The stamp is not in the folder of these
/// files, because the build of `waraq-fonts` watches that folder.
fn stamp() -> Stamp {
    Stamp::new(folder().join("node_modules/.waraq-fonts"))
}

/// Returns a fingerprint of the lock file and of the names of the font files. If a file is deleted, the fingerprint
/// changes, so the files are fetched again.
fn fingerprint() -> Result<String> {
    let lock = Fingerprint::default().add_path(&folder().join("package-lock.json"), &[])?;
    let mut names: Vec<_> = fs::read_dir(files())?.map(|entry| Ok(entry?.file_name())).collect::<Result<_>>()?;
    names.sort();
    Ok(lock.add(names).finish())
}

/// Returns `true` if the font files are those that the lock file names.
pub fn are_current() -> bool {
    fingerprint().is_ok_and(|fingerprint| stamp().matches(&fingerprint))
}

/// Fetches the files unless they are current.
pub fn fetch() -> Result<()> {
    if are_current() {
        return Ok(());
    }
    check(command("npm", &["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(folder()))
        .context("the fonts could not be fetched from npm")?;
    fs::create_dir_all(files())?;
    let packages = folder().join("node_modules/@expo-google-fonts");
    for package in fs::read_dir(&packages)? {
        let package = package?;
        copy_fonts(&package.path(), &files())?;
        let licence = format!("LICENSE-{}.txt", package.file_name().to_string_lossy());
        fs::copy(package.path().join("LICENSE_FONT"), files().join(licence))?;
    }
    stamp().write(&fingerprint()?)
}

fn copy_fonts(package: &Path, files: &Path) -> Result<()> {
    for style in STYLES {
        // Some families have no bold or no italic.
        let Ok(folder) = fs::read_dir(package.join(style)) else { continue };
        for file in folder {
            let file = file?.path();
            if let (Some("ttf"), Some(name)) = (file.extension().and_then(|e| e.to_str()), file.file_name()) {
                fs::copy(&file, files.join(name))?;
            }
        }
    }
    Ok(())
}
