//! `cargo xtask bench cold [RUNS]`: each function's release program, started so many times (5): its size, how long until it is ready and until
//! its first answer, with TLS between it and table, bucket, parameters and Cognito; its memory, and the processor time by which template.yaml
//! chooses how much memory a function has. Medians, as the tables of docs/performance.md.

use anyhow::{Context, Result};

use crate::ministack::{self, Ministack};
use crate::steps::{cargo, check};
use crate::{fonts, test_cloud, tools};

pub fn run(arguments: &[String]) -> Result<()> {
    measure("cold::table", "WARAQ_COLD", arguments.first().map_or("5", String::as_str))
}

/// Has a test of the API measure the release programs beside an emulator; `runs` is told to it by its variable.
pub fn measure(test: &str, variable: &str, runs: &str) -> Result<()> {
    runs.parse::<std::num::NonZeroU32>().context("how many starts of each?")?;
    tools::for_building()?;
    fonts::fetch()?;
    ministack::install()?;
    let programs = test_cloud::build()?;
    check(&mut cargo(&["test", "--workspace", "--test", "api", "--no-run", "--quiet"]))?;
    let emulator = Ministack::start()?;
    check(
        cargo(&["test", "--workspace", "--test", "api", "--quiet", "--", "--exact", test, "--nocapture"])
            .env(variable, runs)
            .env("WARAQ_PROGRAMS", programs)
            .env("WARAQ_MINISTACK", format!("http://{}", emulator.address)),
    )
}
