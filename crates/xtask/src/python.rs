//! Programs from PyPI. Each has its own virtual environment under target/, because they pin different versions of the
//! same libraries.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::cache::{Fingerprint, Stamp};
use crate::steps::{check, command, output_within, target_dir};

/// Time limit for Python to print its version.
const QUESTION_LIMIT: std::time::Duration = std::time::Duration::from_secs(20);

/// The virtual environment of one program.
pub struct Environment {
    pub name: &'static str,
    /// Packages with their versions, such as `ministack==1.5.33`.
    pub packages: &'static [&'static str],
}

impl Environment {
    pub fn folder(&self) -> PathBuf {
        target_dir().join(self.name)
    }

    /// Returns the path of a program in the environment.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder().join("bin").join(name)
    }

    /// Returns `true` if the environment is complete and has these packages. It must be in the folder where it was
    /// made, because its programs contain that path. It must have been made by the same version of Python.
    pub fn is_current(&self) -> bool {
        self.program("python").is_file() && self.stamp().matches(&self.fingerprint())
    }

    /// Makes the environment unless it is current. An interrupted installation is repeated from its beginning.
    pub fn install(&self) -> Result<()> {
        if self.is_current() {
            return Ok(());
        }
        self.stamp().delete();
        check(command("python3", &["-m", "venv", "--clear"]).arg(self.folder()))?;
        let quiet = ["install", "--quiet", "--disable-pip-version-check"];
        check(command(&self.program("pip").to_string_lossy(), &quiet).args(self.packages))
            .with_context(|| format!("{} could not be installed from PyPI", self.packages.join(", ")))?;
        self.stamp().write(&self.fingerprint())
    }

    fn stamp(&self) -> Stamp {
        Stamp::new(self.folder().join("packages"))
    }

    fn fingerprint(&self) -> String {
        let python = output_within(&mut command("python3", &["--version"]), QUESTION_LIMIT);
        let version = python.map(|output| output.stdout).unwrap_or_default();
        Fingerprint::default().add(self.packages).add(self.folder()).add(version).finish()
    }
}
