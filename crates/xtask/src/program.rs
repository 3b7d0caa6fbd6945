//! `cargo xtask waraq`: builds the command line program of the engine with the same profile as the shipped functions, so that
//! benchmarks measure what is shipped.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use anyhow::Result;

use crate::steps::{cargo, check, target_dir};

/// Builds the program `waraq` and returns its path.
pub fn build() -> Result<PathBuf> {
    crate::fonts::fetch()?;
    check(&mut cargo(&["build", "--release", "--package", "waraq-cli"]))?;
    Ok(target_dir().join(format!("release/waraq{EXE_SUFFIX}")))
}

pub fn run() -> Result<()> {
    println!("{}", build()?.display());
    Ok(())
}
