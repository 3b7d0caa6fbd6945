//! `cargo xtask fonts`: the font files of `crates/fonts`, from npm.

use anyhow::Result;

/// Fetches what is missing.
pub fn fetch() -> Result<()> {
    crate::frontend::install("crates/fonts")
}
