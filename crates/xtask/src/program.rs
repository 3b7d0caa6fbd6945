//! `cargo xtask waraq`: the engine on the command line, as it is given away.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use anyhow::Result;

use crate::steps::{cargo, check, target_dir};

/// On Linux it brings its C library and lies where it was linked to: to find libraries and to move twenty thousand
/// addresses takes a fifth of a small document's time.
const LINKED_AS_A_WHOLE: [&str; 4] = ["-C", "target-feature=+crt-static", "-C", "relocation-model=static"];

/// Builds the program; where it is then.
pub fn build() -> Result<PathBuf> {
    crate::fonts::fetch()?;
    println!("building waraq (minutes: it is optimized as a whole) …");
    let mut arguments = vec!["rustc", "--profile", "dist", "--package", "waraq-cli", "--bin", "waraq", "--"];
    if cfg!(target_os = "linux") {
        arguments.extend(LINKED_AS_A_WHOLE);
    }
    check(&mut cargo(&arguments))?;
    Ok(target_dir().join(format!("dist/waraq{EXE_SUFFIX}")))
}

pub fn run() -> Result<()> {
    println!("{}", build()?.display());
    Ok(())
}
