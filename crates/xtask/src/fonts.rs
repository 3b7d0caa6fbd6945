//! `cargo xtask fonts`: the font files of `crates/fonts`, from npm.
//!
//! npm's packages hold every weight and its pictures; only regular, bold, italic and bold italic are kept, beside their
//! licences, in `crates/fonts/files`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::steps::{check, command, root};

/// The folders of a package whose fonts are kept.
const STYLES: [&str; 4] = ["400Regular", "400Regular_Italic", "700Bold", "700Bold_Italic"];

/// Fetches the files unless those of the lock file are there.
pub fn fetch() -> Result<()> {
    let room = root().join("crates/fonts");
    let files = room.join("files");
    // beside the files, not among them: the build watches that folder
    let stamp = room.join("node_modules/.waraq-fonts");
    let lock = fs::read_to_string(room.join("package-lock.json")).context("crates/fonts/package-lock.json")?;
    if files.is_dir() && fs::read_to_string(&stamp).is_ok_and(|kept| kept == lock) {
        return Ok(());
    }
    check(command("npm", &["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&room))?;
    fs::create_dir_all(&files)?;
    let packages = room.join("node_modules/@expo-google-fonts");
    for package in fs::read_dir(&packages)? {
        let package = package?;
        copy_fonts(&package.path(), &files)?;
        let licence = format!("LICENSE-{}.txt", package.file_name().to_string_lossy());
        fs::copy(package.path().join("LICENSE_FONT"), files.join(licence))?;
    }
    fs::write(stamp, lock)?;
    Ok(())
}

fn copy_fonts(package: &Path, files: &Path) -> Result<()> {
    for style in STYLES {
        // not every family has a bold or an italic
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
