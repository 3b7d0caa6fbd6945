//! The environment of the rehearsal: the AWS emulator, a substitute for the CDN in front of it, and wrappers of programs (AWS CLI, SAM
//! CLI, cargo-lambda) that come first on the path.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::emulator::{REGION, operations_program};
use crate::ministack::{self, Ministack};
use crate::python::Environment;
use crate::steps::{check, root, target_dir};
use crate::test_lambda::write_script;
use crate::{fonts, template, test_cloud};

/// Version 1 of the AWS CLI, because version 2 is not on PyPI.
const AWS: Environment = Environment { name: "aws-cli", packages: &["awscli==1.46.3"] };

pub const ADMIN: &str = "admin@example.org";

const PARAMETERS: &str = "\
MailDomain=example.org
SupportEmail=help@example.org
OperatorName=A company with \"its\" legal form
OperatorSeat=A street 1, A town
OperatorContact=https://example.org/contact
AdminEmail=admin@example.org
AlarmEmail=alarms@example.org
";

/// Wrapper of the AWS CLI. It fails at the step in REHEARSAL_FAILS, and it supports a command that version 1 lacks.
const AWS_CLI: &str = r#"#!/bin/bash
if [ -n "$REHEARSAL_FAILS" ] && [ "$1 $2" = "$REHEARSAL_FAILS" ]; then echo "rehearsed: $1 $2 fails" >&2; exit 255; fi
if [ "$1 $2" = "configure export-credentials" ]; then
  echo "{\"AccessKeyId\": \"$AWS_ACCESS_KEY_ID\", \"SecretAccessKey\": \"$AWS_SECRET_ACCESS_KEY\", \"SessionToken\": \"\"}"
  exit
fi
exec "$REHEARSAL_AWS" "$@"
"#;

/// Wrapper of the SAM CLI. After `build` it removes from the template what the emulator does not support. After
/// `deploy` it creates the routes of the API. With REHEARSAL_BREAKS=template it does not change the template, so the
/// deployment fails half way.
const SAM_CLI: &str = r#"#!/bin/bash
set -e
"$REHEARSAL_SAM" "$@"
if [ "$1" = build ] && [ "$REHEARSAL_BREAKS" != template ]; then
  "$REHEARSAL_PYTHON" "$REHEARSAL_SOURCE/emulated.py" built .aws-sam/build/template.yaml
fi
if [ "$1" = deploy ]; then
  while [ $# -gt 0 ]; do [ "$1" = --stack-name ] && stack=$2; shift; done
  "$REHEARSAL_PYTHON" "$REHEARSAL_SOURCE/emulated.py" routes "$AWS_ENDPOINT_URL" "$stack"
fi
"#;

/// Replacement for cargo-lambda, which `sam build` runs. It copies the release program that is already built for this machine.
const CARGO_LAMBDA: &str = r#"#!/bin/bash
set -e
while [ $# -gt 0 ]; do [ "$1" = --bin ] && name=$2; shift; done
[ -n "$name" ] || exit 0
mkdir -p "$CARGO_TARGET_DIR/lambda/$name"
cp -f "$CARGO_TARGET_DIR/release/$name" "$CARGO_TARGET_DIR/lambda/$name/bootstrap"
"#;

/// Shell function that runs this program for `cargo xtask`, with the parameters of the rehearsal.
const XTASK: &str = r#"
cargo() { shift; if [ "$1" = deploy ]; then "$XTASK" "$@" --parameters "$PARAMETERS"; else "$XTASK" "$@"; fi; }
"#;

pub fn install() -> Result<()> {
    fonts::fetch()?;
    ministack::install()?;
    template::install_sam()?;
    AWS.install()
}

pub struct Scene {
    pub emulator: Ministack,
    edge: Child,
    folder: PathBuf,
}

/// The output of a command, and whether the command succeeded.
pub struct CommandOutput {
    pub succeeded: bool,
    pub text: String,
}

impl CommandOutput {
    pub fn end(&self) -> &str {
        let start = self.text.len().saturating_sub(3_000);
        self.text.get((start..).start..).unwrap_or(&self.text)
    }

    /// Returns the text between the first `mark` and the end of its line. The text is empty if `mark` does not occur.
    pub fn after(&self, mark: &str) -> String {
        let rest = self.text.split_once(mark).map_or("", |(_, rest)| rest);
        rest.lines().next().unwrap_or_default().trim().to_owned()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.edge.kill();
        let _ = self.edge.wait();
        // The template is modified for the emulator and must not be deployed.
        let _ = fs::remove_dir_all(root().join(".aws-sam"));
    }
}

fn source() -> PathBuf {
    root().join("crates/xtask/src")
}

impl Scene {
    pub fn new() -> Result<Self> {
        let folder = target_dir().join("rehearsal");
        fs::create_dir_all(&folder)?;
        test_cloud::build()?;
        operations_program()?;
        for (name, script) in [("aws", AWS_CLI), ("sam", SAM_CLI), ("cargo-lambda", CARGO_LAMBDA)] {
            write_script(&folder.join("bin"), name, script)?;
        }
        fs::write(folder.join("parameters"), PARAMETERS)?;
        fs::write(folder.join("parameters-second"), format!("{PARAMETERS}OwnsMailIdentity=false\n"))?;
        certificate(&folder)?;
        let emulator = Ministack::start()?;
        let mut edge = Command::new(template::sam("python"));
        edge.arg(source().join("edge.py")).arg(format!("http://{}", emulator.address)).arg(folder.join("edge"));
        let log = fs::File::create(folder.join("edge.log"))?;
        let mut edge = edge.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).spawn()?;
        let mut ports = String::new();
        BufReader::new(edge.stdout.take().context("the CDN's stand-in")?).read_line(&mut ports)?;
        let scene = Self { emulator, edge, folder };
        let [secure, plain] = ports.split_whitespace().collect::<Vec<_>>()[..] else {
            bail!("the CDN's stand-in does not start: see {}", scene.folder.join("edge.log").display())
        };
        // curl sends all requests to the substitute for the CDN.
        let lines = [
            format!("connect-to = \":443:127.0.0.1:{secure}\""),
            format!("connect-to = \":80:127.0.0.1:{plain}\""),
            format!("cacert = \"{}\"", scene.folder.join("edge.pem").display()),
            "noproxy = \"*\"".to_owned(),
        ];
        fs::write(scene.folder.join(".curlrc"), lines.join("\n"))?;
        Ok(scene)
    }

    /// Returns a command that finds the replaced programs first on its path, and uses the emulator as its AWS account.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.folder.join("bin").display()));
        command.env("AWS_ENDPOINT_URL", format!("http://{}", self.emulator.address));
        command.envs([("AWS_REGION", REGION), ("AWS_DEFAULT_REGION", REGION)]);
        command.envs([("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test"), ("SAM_CLI_TELEMETRY", "0")]);
        // Ignores the AWS configuration of the machine.
        command.envs([("AWS_CONFIG_FILE", "/dev/null"), ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")]);
        command.envs([("NO_PROXY", "127.0.0.1,localhost"), ("no_proxy", "127.0.0.1,localhost")]);
        command.env_remove("AWS_PROFILE").env_remove("AWS_SESSION_TOKEN");
        command.env("CURL_HOME", &self.folder).env("CARGO_TARGET_DIR", target_dir());
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("REHEARSAL_SOURCE", source());
        command.env("REHEARSAL_AWS", AWS.program("aws")).env("REHEARSAL_SAM", template::sam("sam"));
        command.env("REHEARSAL_PYTHON", template::sam("python")).current_dir(root()).stdin(Stdio::null());
        command
    }

    fn run(&self, mut command: Command) -> Result<CommandOutput> {
        let log = self.folder.join("log");
        let file = fs::File::create(&log)?;
        let status = command.stdout(file.try_clone()?).stderr(file).status()?;
        let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        Ok(CommandOutput { succeeded: status.success(), text })
    }

    /// Runs `cargo xtask deploy`. `breaks` are environment variables that make a step fail.
    pub fn deploy(&self, stage: &str, breaks: &[(&str, &str)]) -> Result<CommandOutput> {
        let parameters = if stage == super::FIRST { "parameters" } else { "parameters-second" };
        let mut deploy = self.command(std::env::current_exe()?);
        deploy.args(["deploy", "--stage", stage, "--parameters"]).arg(self.folder.join(parameters));
        self.run({
            deploy.envs(breaks.iter().copied());
            deploy
        })
    }

    /// Runs commands of a document in a shell.
    pub fn shell(&self, commands: &str, variables: &[(&str, String)]) -> Result<CommandOutput> {
        let mut bash = self.command("bash");
        bash.args(["-euo", "pipefail", "-c", &format!("{XTASK}{commands}")]).current_dir(&self.folder);
        bash.envs(variables.iter().map(|(name, value)| (name, value)));
        bash.env("XTASK", std::env::current_exe()?).env("PARAMETERS", self.folder.join("parameters"));
        self.run(bash)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn emulated(&self, what: &str, stage: &str) -> Result<Value> {
        let mut state = self.command(template::sam("python"));
        state.arg(source().join("emulated.py")).arg(what).arg(format!("http://{}", self.emulator.address)).arg(stage);
        let told = state.output()?;
        ensure!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        Ok(serde_json::from_slice(&told.stdout).unwrap_or_default())
    }

    /// Returns the present state of everything that a deployment can create.
    pub fn state(&self, stage: &str) -> Result<Value> {
        self.emulated("state", stage)
    }

    /// Restarts the functions, as AWS would do within an hour, so that the next calls read the secrets again.
    pub fn hour_passes(&self, stage: &str) -> Result<()> {
        self.emulated("restart", stage).map(drop)
    }

    /// Returns the resources that remain of a deleted stack.
    pub fn remaining(&self, stage: &str) -> Result<Value> {
        self.emulated("left", stage)
    }

    /// Runs the AWS CLI and returns its output.
    pub fn aws(&self, arguments: &[&str]) -> Result<String> {
        let told = self.command("aws").args(arguments).output()?;
        ensure!(told.status.success(), "aws {}: {}", arguments.join(" "), String::from_utf8_lossy(&told.stderr).trim());
        Ok(String::from_utf8_lossy(&told.stdout).trim().to_owned())
    }

    pub fn status(&self, stage: &str) -> Result<String> {
        let query = ["--query", "Stacks[0].StackStatus", "--output", "text"];
        self.aws(&[&["cloudformation", "describe-stacks", "--stack-name", stage][..], &query].concat())
    }

    pub fn output(&self, stage: &str, name: &str) -> Result<String> {
        let query = format!("Stacks[0].Outputs[?OutputKey=='{name}'].OutputValue");
        let described = ["cloudformation", "describe-stacks", "--stack-name", stage, "--query", &query];
        self.aws(&[&described[..], &["--output", "text"]].concat())
    }

    pub fn parameter(&self, name: &str) -> Result<String> {
        let read = ["ssm", "get-parameter", "--with-decryption", "--name", name];
        self.aws(&[&read[..], &["--query", "Parameter.Value", "--output", "text"]].concat())
    }

    pub fn smoke(&self, stage: &str) -> Result<()> {
        let mut smoke = self.command(std::env::current_exe()?);
        smoke.arg("smoke").arg(self.output(stage, "Address")?).arg("--api").arg(self.output(stage, "ApiAddress")?);
        let told = self.run(smoke)?;
        ensure!(told.succeeded, "{}", told.end());
        Ok(())
    }
}

/// Creates a certificate for the host names of distributions and APIs.
fn certificate(folder: &Path) -> Result<()> {
    let names = format!("subjectAltName=DNS:*.cloudfront.net,DNS:*.execute-api.{REGION}.amazonaws.com");
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]);
    openssl.args(["-subj", "/CN=edge", "-addext", &names, "-keyout", "edge.key", "-out", "edge.pem"]);
    check(openssl.current_dir(folder).stderr(Stdio::null()))
}
