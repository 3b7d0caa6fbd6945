//! `cargo xtask bench quota [RUNS]`: measures a function's first and later calls at each memory size of Lambda. Lambda
//! gives each memory size a share of a processor. On this machine, a control group limits the function to the same
//! share. (This user must be allowed to create control groups.) Only functions that compute much are measured:
//! documents, pictures and passwords. Prints medians of RUNS starts (default 3), as a table of docs/performance.md.

use anyhow::Result;

use super::cold;

pub fn run(arguments: &[String]) -> Result<()> {
    cold::measure("cold::measure_cpu_shares", "WARAQ_QUOTA", arguments.first().map_or("3", String::as_str))
}
