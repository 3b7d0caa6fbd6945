//! `cargo xtask bench saved [DOCUMENTS [ROUNDS]]`: measures the time to load one page of an account's list of saved
//! documents (default 1,000), for each sort order and for a search.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("saved")?.args(arguments))
}
