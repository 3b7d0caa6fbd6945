//! `cargo xtask bench quota [RUNS]`: measures a function's first and later calls at each memory size of Lambda. Lambda gives
//! each size a share of a processor; control groups of this machine limit the function to that share. (Creating them needs
//! permission.) Only functions that compute much are measured: documents, pictures and passwords. Prints medians of RUNS
//! starts (default 3), as a table of docs/performance.md.

use anyhow::Result;

use super::cold;

pub fn run(arguments: &[String]) -> Result<()> {
    cold::measure("cold::measure_cpu_shares", "WARAQ_QUOTA", arguments.first().map_or("3", String::as_str))
}
