//! `cargo xtask bench saved [DOCUMENTS [ROUNDS]]`: 1,000 saved documents of one account; what a page of their list takes, by sort and search.

use anyhow::Result;

use crate::steps::{cargo, check};

pub fn run(arguments: &[String]) -> Result<()> {
    let mut command = cargo(&["run", "--quiet", "--release", "--package", "waraq-local", "--example", "saved", "--"]);
    check(command.args(arguments))
}
