//! `cargo xtask bench accounts [ACCOUNTS [WRITERS]]`: 10,000 accounts written at once by 64 writers; none may be refused.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("accounts")?.args(arguments))
}
