//! `cargo xtask bench lists [ROWS|TEMPLATES/USERS...]`: lists of templates and users (default 10,000 each; several
//! numbers show the growth). Measures cold loads from the index and from a snapshot (memory, processor time, read
//! units). Also measures pages of a warm process, searches, deep pages and changes.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("lists")?.args(arguments))
}
