//! `cargo xtask bench accounts [ACCOUNTS [WRITERS]]`: 64 concurrent writers write 10,000 accounts. No write may be refused.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("accounts")?.args(arguments))
}
