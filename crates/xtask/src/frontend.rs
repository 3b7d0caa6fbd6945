//! The React application: installed and built by npm, and only when something changed.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;

use anyhow::Result;

use crate::preview;
use crate::steps::{check, command, root};

/// `npm ci` unless the lock file is the one that was installed last.
pub fn install(folder: &str) -> Result<()> {
    let folder = root().join(folder);
    let stamp = folder.join("node_modules/.waraq-lock");
    let lock = fs::read(folder.join("package-lock.json"))?;
    let mark = fingerprint(&lock);
    if fs::read_to_string(&stamp).is_ok_and(|kept| kept == mark) {
        return Ok(());
    }
    check(command("npm", &["ci", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    fs::write(stamp, mark)?;
    Ok(())
}

/// `npm run build` unless no source is newer than the last build.
pub fn build() -> Result<()> {
    preview::build()?;
    install("frontend")?;
    let folder = root().join("frontend");
    let stamp = folder.join("node_modules/.waraq-build");
    let mut hasher = DefaultHasher::new();
    sources(&folder, &mut hasher)?;
    let mark = format!("{:016x}", hasher.finish());
    if folder.join("dist/index.html").is_file() && fs::read_to_string(&stamp).is_ok_and(|kept| kept == mark) {
        println!("      the frontend is up to date");
        return Ok(());
    }
    check(command("npm", &["run", "--silent", "build"]).current_dir(&folder))?;
    fs::write(stamp, mark)?;
    Ok(())
}

fn fingerprint(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn sources(folder: &Path, hasher: &mut DefaultHasher) -> Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        if ["node_modules", "dist", "screenshots"].iter().any(|skipped| name == *skipped) {
            continue;
        }
        name.hash(hasher);
        if entry.file_type()?.is_dir() {
            sources(&entry.path(), hasher)?;
        } else {
            fs::read(entry.path())?.hash(hasher);
        }
    }
    Ok(())
}
