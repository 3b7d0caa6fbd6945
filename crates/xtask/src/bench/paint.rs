//! `cargo xtask bench paint [RUNS]`: how long a first visitor waits for the catalogue in Chromium, and how long each press goes unanswered.

use anyhow::{Context, Result};

use crate::steps::{check, command, root, target_dir};
use crate::{frontend, test, tools};

pub fn run(arguments: &[String]) -> Result<()> {
    let runs = match arguments.first() {
        Some(runs) => runs.parse::<usize>().context("bench paint [RUNS]")?.max(1),
        None => 5,
    };
    frontend::build()?;
    test::server()?;
    check(
        command("npm", &["run", "--silent", "bench"])
            .current_dir(root().join("frontend"))
            .env("WARAQ_SERVER", target_dir().join("debug/waraq-local"))
            .env("WARAQ_BROWSER", tools::browser().unwrap_or("chromium"))
            .env("WARAQ_RUNS", runs.to_string()),
    )
}
