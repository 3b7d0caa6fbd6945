//! Installs and builds the React application with npm, only if something changed.

use std::path::Path;

use anyhow::{Context, Result};

use crate::cache::{Fingerprint, Stamp};
use crate::preview;
use crate::steps::{check, command, root};

/// Installs the packages of the lock file unless they are installed. npm checks each package against the hash in the
/// lock file.
pub fn install(folder: &str) -> Result<()> {
    if is_installed(folder) {
        return Ok(());
    }
    let folder = root().join(folder);
    // npm deletes node_modules first, and the stamp with it, so an interrupted installation is repeated.
    check(command("npm", &["ci", "--no-audit", "--no-fund"]).current_dir(&folder))
        .context("the frontend's packages could not be installed from npm")?;
    installed(&folder).write(&lock(&folder)?)
}

/// Returns `true` if the packages of the lock file are installed.
pub fn is_installed(folder: &str) -> bool {
    let folder = root().join(folder);
    lock(&folder).is_ok_and(|lock| installed(&folder).matches(&lock))
}

fn installed(folder: &Path) -> Stamp {
    Stamp::new(folder.join("node_modules/.waraq-lock"))
}

fn lock(folder: &Path) -> Result<String> {
    Ok(Fingerprint::default().add_path(&folder.join("package-lock.json"), &[])?.finish())
}

/// Builds the browser module and the site, as they are shipped.
pub fn build() -> Result<()> {
    preview::build()?;
    install("frontend")?;
    build_site()
}

/// Runs `npm run build` unless the last build had the same sources. The packages must be installed. Without a browser module the site shows
/// the server's PDF in place of live pages.
pub fn build_site() -> Result<()> {
    let folder = root().join("frontend");
    let stamp = Stamp::new(folder.join("node_modules/.waraq-build"));
    // The site contains the font files, which are fetched according to the lock file of the fonts.
    let sources = Fingerprint::default()
        .add_path(&folder, &["node_modules", "dist", "screenshots"])?
        .add_path(&root().join("crates/fonts/package-lock.json"), &[])?
        .finish();
    if folder.join("dist/index.html").is_file() && stamp.matches(&sources) {
        return Ok(());
    }
    stamp.delete();
    check(command("npm", &["run", "--silent", "build"]).current_dir(&folder))?;
    stamp.write(&sources)
}
