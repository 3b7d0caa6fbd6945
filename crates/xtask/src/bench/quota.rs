//! `cargo xtask bench quota [RUNS]`: how long a function's first call and a later one take at the share of a processor that Lambda gives each
//! size, by a quota of the machine's own (control groups; it wants their rights). Of the functions whose size is chosen by what they compute.
//! Medians of so many starts (3), as a table of docs/performance.md.

use anyhow::Result;

use super::cold;

pub fn run(arguments: &[String]) -> Result<()> {
    cold::measure("cold::quotas", "WARAQ_QUOTA", arguments.first().map_or("3", String::as_str))
}
