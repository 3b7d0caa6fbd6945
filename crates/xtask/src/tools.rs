//! What the machine must have, said in one go before anything is built.

use std::process::Command;

use anyhow::{Result, bail};

/// Rust is there (it runs this); Node ≥ 20 with npm builds the frontend and fetches the fonts.
pub fn for_building() -> Result<()> {
    let mut missing = Vec::new();
    match version("node") {
        Some(major) if major >= 20 => {}
        Some(major) => missing.push(format!("Node.js 20 or newer (found {major}): https://nodejs.org")),
        None => missing.push("Node.js 20 or newer: https://nodejs.org, or `apt-get install nodejs npm`".into()),
    }
    if version("npm").is_none() {
        missing.push("npm (comes with Node.js)".into());
    }
    report(missing)
}

/// The tests drive a browser, read PDFs with other people's readers, and call an emulator of AWS written in Python.
pub fn for_testing() -> Result<()> {
    let mut missing = Vec::new();
    if browser().is_none() {
        missing.push("Chromium or Chrome: `apt-get install chromium`".into());
    }
    for (program, package) in
        [("pdftotext", "poppler-utils"), ("qpdf", "qpdf"), ("openssl", "openssl"), ("python3", "python3-venv")]
    {
        if !present(program) {
            missing.push(format!("{program}: `apt-get install {package}`"));
        }
    }
    report(missing)
}

/// Deploying wants AWS's own programs, and those that build functions for it.
pub fn for_deploying() -> Result<()> {
    let mut missing = Vec::new();
    for (program, from) in [
        ("aws", "version 2: https://docs.aws.amazon.com/cli/"),
        ("sam", "`pip install aws-sam-cli`"),
        ("cargo-lambda", "`pip install cargo-lambda ziglang`"),
        ("openssl", "`apt-get install openssl`"),
        ("curl", "`apt-get install curl`"),
    ] {
        if !present(program) {
            missing.push(format!("{program}: {from}"));
        }
    }
    report(missing)
}

pub fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].into_iter().find(|name| present(name))
}

fn report(missing: Vec<String>) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    bail!("missing on this machine:\n  - {}", missing.join("\n  - "))
}

/// Whether a program of that name is on the path.
pub fn present(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn version(program: &str) -> Option<u32> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}
