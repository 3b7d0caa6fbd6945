//! `cargo xtask bench accounts [ACCOUNTS [WRITERS]]`: concurrent writers (default 64) write accounts (default 10,000).
//! No write may be refused.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("accounts")?.args(arguments))
}
