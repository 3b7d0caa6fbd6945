//! `cargo xtask bench preview [DOCX …]`: time until Chromium shows the pages that it lays out itself, and time until a
//! keystroke shows on them. docx-preview is measured with the same files.

use anyhow::Result;

use crate::steps::{cargo, check, command, root, target_dir};
use crate::{frontend, preflight, preview};

pub fn run(arguments: &[String]) -> Result<()> {
    preview::build()?;
    frontend::install("frontend")?;
    let folder = target_dir().join("bench/preview");
    let documents = folder.join("documents");
    check(cargo(&["run", "--quiet", "--package", "waraq-catalogue", "--example", "write", "--"]).arg(&documents))?;
    check(
        command("node", &["frontend/bench/preview/run.mjs"])
            .current_dir(root())
            .env("WARAQ_BROWSER", preflight::browser().unwrap_or("chromium"))
            .arg(documents)
            .arg(folder.join("made"))
            .args(arguments),
    )
}
