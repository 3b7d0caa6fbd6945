//! Checks template.yaml and template-us-east-1.yaml. SAM's own translator translates them to CloudFormation. The result
//! must be within CloudFormation's limits, give no permissions with wildcards, and have names that differ between two
//! stacks. cfn-lint, SAM and checkov check the templates too. Each accepted finding of checkov has a reason.

use std::path::PathBuf;

use anyhow::Result;

use crate::ministack::{self, Ministack};
use crate::python::Environment;
use crate::steps::{check, command, root};

/// The environment with the SAM CLI, SAM's translator and cfn-lint.
pub const SAM: Environment =
    Environment { name: "sam", packages: &["aws-sam-cli==1.170.0", "aws-sam-translator==1.115.0", "cfn-lint==1.58.0"] };
pub const CHECKOV: Environment = Environment { name: "checkov", packages: &["checkov==3.3.30"] };

/// The main template, for any region.
const MAIN_TEMPLATE: &str = "template.yaml";
/// The template for us-east-1, with the resources that CloudFront accepts only from there.
const EDGE: &str = "template-us-east-1.yaml";

/// Returns the path of a program in SAM's environment.
pub fn sam(program: &str) -> PathBuf {
    SAM.program(program)
}

/// Installs only the environment [`SAM`].
pub fn install_sam() -> Result<()> {
    SAM.install()
}

pub fn install() -> Result<()> {
    SAM.install()?;
    CHECKOV.install()?;
    ministack::install()
}

/// Checks the template, translated by SAM, against CloudFormation's limits. The check must pass for the present number
/// of functions and also for 60 functions.
pub fn run() -> Result<()> {
    let mut translate = command(&SAM.program("python").to_string_lossy(), &[]);
    // The translator needs a region to know its partition. It makes no calls.
    translate.arg(root().join("crates/xtask/src/template.py")).arg(root().join(MAIN_TEMPLATE));
    check(translate.env("AWS_DEFAULT_REGION", "eu-west-1"))
}

pub fn lint() -> Result<()> {
    let cfn_lint = SAM.program("cfn-lint");
    let cfn_lint = cfn_lint.to_string_lossy();
    check(&mut command(&cfn_lint, &["-r", "eu-west-1", "us-east-1", "--", MAIN_TEMPLATE]))?;
    check(&mut command(&cfn_lint, &["-r", "us-east-1", "--", EDGE]))?;
    let mut validate =
        command(&SAM.program("sam").to_string_lossy(), &["validate", "--lint", "--template", MAIN_TEMPLATE]);
    check(validate.env("AWS_DEFAULT_REGION", "eu-west-1").env("SAM_CLI_TELEMETRY", "0"))
}

/// Deploys two stages to one account of the emulator. Both must succeed, although they share the account.
pub fn stacks() -> Result<()> {
    let emulator = Ministack::start()?;
    let mut up = command(&SAM.program("python").to_string_lossy(), &["crates/xtask/src/stacks.py", MAIN_TEMPLATE]);
    up.arg(format!("http://{}", emulator.address));
    check(up.env("AWS_DEFAULT_REGION", "eu-west-1").env("PYTHONDONTWRITEBYTECODE", "1"))
}

pub fn checkov() -> Result<()> {
    let mut look = command(&CHECKOV.program("python").to_string_lossy(), &["crates/xtask/src/checkov.py"]);
    check(look.arg(CHECKOV.program("checkov")).args([MAIN_TEMPLATE, EDGE]))
}
