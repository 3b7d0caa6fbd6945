//! `cargo xtask bench preview [DOCX …]`: how soon the browser's own pages are seen and how soon a key shows on them, in Chromium, beside what
//! docx-preview takes for the same files.

use anyhow::Result;

use crate::steps::{cargo, check, command, root, target_dir};
use crate::{frontend, preview, tools};

pub fn run(arguments: &[String]) -> Result<()> {
    preview::build()?;
    frontend::install("frontend")?;
    let folder = target_dir().join("bench/preview");
    let documents = folder.join("documents");
    check(cargo(&["run", "--quiet", "--package", "waraq-catalogue", "--example", "write", "--"]).arg(&documents))?;
    check(
        command("node", &["frontend/bench/preview/run.mjs"])
            .current_dir(root())
            .env("WARAQ_BROWSER", tools::browser().unwrap_or("chromium"))
            .arg(documents)
            .arg(folder.join("made"))
            .args(arguments),
    )
}
