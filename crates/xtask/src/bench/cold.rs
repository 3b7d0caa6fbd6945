//! `cargo xtask bench cold [RUNS]` starts the release program of each function RUNS times (default 5). Measures the
//! size of the program, the time until it is ready, the time until its first response, its memory and its processor
//! time. (A function that needs more processor time has more memory in template.yaml, because Lambda gives processor
//! time in proportion to memory.) Connections to table, bucket, parameters and Cognito use TLS. Prints medians, in the
//! format of the tables of docs/performance.md.

use anyhow::{Context, Result};

use crate::ministack::{self, Ministack};
use crate::steps::{cargo, check};
use crate::{fonts, preflight, test_cloud};

pub fn run(arguments: &[String]) -> Result<()> {
    measure("cold::measure_cold_starts", "WARAQ_COLD", arguments.first().map_or("5", String::as_str))
}

/// Runs an API test that measures the release programs together with an emulator of AWS. `runs` is passed in the
/// environment variable named `variable`.
pub fn measure(test: &str, variable: &str, runs: &str) -> Result<()> {
    runs.parse::<std::num::NonZeroU32>().context("how many starts of each?")?;
    preflight::for_building()?;
    fonts::fetch()?;
    ministack::install()?;
    let programs = test_cloud::build()?;
    check(&mut cargo(&["test", "--workspace", "--test", "api", "--no-run", "--quiet"]))?;
    let emulator = Ministack::start()?;
    check(
        cargo(&["test", "--workspace", "--test", "api", "--quiet", "--", "--ignored", "--exact", test, "--nocapture"])
            .env(variable, runs)
            .env("WARAQ_PROGRAMS", programs)
            .env("WARAQ_MINISTACK", format!("http://{}", emulator.address)),
    )
}
