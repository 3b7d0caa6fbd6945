//! template.yaml, translated by SAM's own translator (from PyPI) and held to CloudFormation's limits.

use anyhow::Result;

use crate::python::Environment;
use crate::steps::{check, command, root};

const TRANSLATOR: Environment =
    Environment { name: "sam", packages: &["aws-sam-translator==1.115.0", "pyyaml==6.0.3"] };

pub fn install() -> Result<()> {
    TRANSLATOR.install()
}

/// Counts what CloudFormation counts, for the routes of today and for sixty.
pub fn run() -> Result<()> {
    let mut translate = command(&TRANSLATOR.program("python").to_string_lossy(), &[]);
    // It asks for a region to know which partition it is in; nothing is called.
    translate.arg(root().join("crates/xtask/src/template.py")).arg(root().join("template.yaml"));
    check(translate.env("AWS_DEFAULT_REGION", "eu-west-1"))
}
