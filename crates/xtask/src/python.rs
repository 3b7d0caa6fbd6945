//! Programs from PyPI, each in a virtual environment of its own under target/: they pin one another's libraries.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::steps::{check, command, target_dir};

/// The environment of one program.
pub struct Environment {
    pub name: &'static str,
    /// With their versions.
    pub packages: &'static [&'static str],
}

impl Environment {
    pub fn folder(&self) -> PathBuf {
        target_dir().join(self.name)
    }

    /// A program of it.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder().join("bin").join(name)
    }

    /// Makes it unless it has these very packages.
    pub fn install(&self) -> Result<()> {
        let (stamp, wanted) = (self.folder().join("packages"), self.packages.join("\n"));
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        check(command("python3", &["-m", "venv", "--clear"]).arg(self.folder()))?;
        let quiet = ["install", "--quiet", "--disable-pip-version-check"];
        check(command(&self.program("pip").to_string_lossy(), &quiet).args(self.packages))?;
        fs::write(stamp, wanted)?;
        Ok(())
    }
}
