//! `cargo xtask bench paint [RUNS]`: time until a first visitor sees the catalogue in Chromium, and time until each
//! click has an effect.

use anyhow::{Context, Result};

use crate::steps::{check, command, root, target_dir};
use crate::{frontend, preflight, test};

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
            .env("WARAQ_BROWSER", preflight::browser().unwrap_or("chromium"))
            .env("WARAQ_RUNS", runs.to_string()),
    )
}
