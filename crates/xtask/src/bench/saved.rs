//! `cargo xtask bench saved [DOCUMENTS [ROUNDS]]`: time of a page of the list of 1,000 saved documents of one account,
//! by sort order and search.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("saved")?.args(arguments))
}
