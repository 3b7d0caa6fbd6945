//! `cargo xtask bench saved [DOCUMENTS [ROUNDS]]`: 1,000 saved documents of one account; what a page of their list takes, by sort and search.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("saved")?.args(arguments))
}
