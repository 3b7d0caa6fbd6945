//! `cargo xtask bench accounts [ACCOUNTS [WRITERS]]`: 10,000 accounts written at once by 64 writers; none may be refused.

use anyhow::Result;

use crate::steps::{cargo, check};

pub fn run(arguments: &[String]) -> Result<()> {
    // How it is built tells nothing: what is looked for are writers in each other's way.
    let mut command = cargo(&["run", "--quiet", "--package", "waraq-local", "--example", "accounts", "--"]);
    check(command.args(arguments))
}
