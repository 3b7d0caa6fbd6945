//! `cargo xtask bench lists [ROWS|TEMPLATES/USERS...]`: measures lists of templates and users (default 10,000 rows
//! each). With several arguments, measures each size in turn, which shows how the cost grows. Measures cold loads from
//! the index and from a snapshot (memory, processor time, read units). Also measures pages of a warm process, searches,
//! deep pages and changes.

use anyhow::Result;

use crate::steps::{check, example};

pub fn run(arguments: &[String]) -> Result<()> {
    check(example("lists")?.args(arguments))
}
