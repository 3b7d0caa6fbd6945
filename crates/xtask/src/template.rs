//! template.yaml and template-us-east-1.yaml: translated by SAM's own translator and held to CloudFormation's limits, to rights without stars
//! and to names that two stacks do not share; read by cfn-lint and by SAM; and looked at by checkov, each of whose findings has its reason.

use std::path::PathBuf;

use anyhow::Result;

use crate::ministack::{self, Ministack};
use crate::python::Environment;
use crate::steps::{check, command, root};

/// SAM brings its translator and cfn-lint.
const SAM: Environment =
    Environment { name: "sam", packages: &["aws-sam-cli==1.170.0", "aws-sam-translator==1.115.0", "cfn-lint==1.58.0"] };
const CHECKOV: Environment = Environment { name: "checkov", packages: &["checkov==3.3.30"] };

/// The house is anywhere; what CloudFront takes from us-east-1 alone is there.
const HOUSE: &str = "template.yaml";
const EDGE: &str = "template-us-east-1.yaml";

/// A program of SAM's environment.
pub fn sam(program: &str) -> PathBuf {
    SAM.program(program)
}

/// SAM alone.
pub fn install_sam() -> Result<()> {
    SAM.install()
}

pub fn install() -> Result<()> {
    SAM.install()?;
    CHECKOV.install()?;
    ministack::install()
}

/// Counts what CloudFormation counts, for the routes of today and for sixty.
pub fn run() -> Result<()> {
    let mut translate = command(&SAM.program("python").to_string_lossy(), &[]);
    // It asks for a region to know which partition it is in; nothing is called.
    translate.arg(root().join("crates/xtask/src/template.py")).arg(root().join(HOUSE));
    check(translate.env("AWS_DEFAULT_REGION", "eu-west-1"))
}

pub fn lint() -> Result<()> {
    let cfn_lint = SAM.program("cfn-lint");
    let cfn_lint = cfn_lint.to_string_lossy();
    check(&mut command(&cfn_lint, &["-r", "eu-west-1", "us-east-1", "--", HOUSE]))?;
    check(&mut command(&cfn_lint, &["-r", "us-east-1", "--", EDGE]))?;
    let mut validate = command(&SAM.program("sam").to_string_lossy(), &["validate", "--lint", "--template", HOUSE]);
    check(validate.env("AWS_DEFAULT_REGION", "eu-west-1").env("SAM_CLI_TELEMETRY", "0"))
}

/// Two stages of one account, in an emulator of it.
pub fn stacks() -> Result<()> {
    let emulator = Ministack::start()?;
    let mut up = command(&SAM.program("python").to_string_lossy(), &["crates/xtask/src/stacks.py", HOUSE]);
    up.arg(format!("http://{}", emulator.address));
    check(up.env("AWS_DEFAULT_REGION", "eu-west-1").env("PYTHONDONTWRITEBYTECODE", "1"))
}

pub fn checkov() -> Result<()> {
    let mut look = command(&CHECKOV.program("python").to_string_lossy(), &["crates/xtask/src/checkov.py"]);
    check(look.arg(CHECKOV.program("checkov")).args([HOUSE, EDGE]))
}
