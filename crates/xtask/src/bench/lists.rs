//! `cargo xtask bench lists [ROWS...]`: lists of as many templates and as many users (10,000; several numbers show how they grow): cold
//! load, pages of a warm process, searches, deep pages, memory, read units.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("lists")?.args(arguments))
}
