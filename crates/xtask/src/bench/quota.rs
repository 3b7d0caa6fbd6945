//! `cargo xtask bench quota [RUNS]`: time of a function's first and later calls, for each memory size of Lambda. The
//! test limits the processor to the share that Lambda gives this size, with control groups of this machine. (This needs
//! permission.) Measures the functions whose memory size depends on what they compute. Prints medians of RUNS starts
//! (default 3), as a table of docs/performance.md.

use anyhow::Result;

use super::cold;

pub fn run(arguments: &[String]) -> Result<()> {
    cold::measure("cold::quotas", "WARAQ_QUOTA", arguments.first().map_or("3", String::as_str))
}
