//! `cargo xtask waraq`: the engine on the command line, as it is given away: built as the functions are, so that what is measured
//! is what is shipped.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use anyhow::Result;

use crate::steps::{cargo, check, target_dir};

/// Builds the program; where it is then.
pub fn build() -> Result<PathBuf> {
    crate::fonts::fetch()?;
    check(&mut cargo(&["build", "--release", "--package", "waraq-cli"]))?;
    Ok(target_dir().join(format!("release/waraq{EXE_SUFFIX}")))
}

pub fn run() -> Result<()> {
    println!("{}", build()?.display());
    Ok(())
}
