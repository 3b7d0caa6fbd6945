//! `cargo xtask bench lists [ROWS|TEMPLATES/USERS...]`: lists of so many templates and users (10,000 each; several numbers show how they grow): cold
//! loads by the index and by a snapshot (memory, processor time, read units), pages of a warm process, searches, deep pages, changes.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("lists")?.args(arguments))
}
