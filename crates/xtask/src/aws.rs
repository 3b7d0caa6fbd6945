//! Calls the AWS CLI, and reads the outputs of a deployed stack. The account is the one of the machine's AWS profile.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::steps::target_dir;

/// Runs the AWS CLI and returns its output.
pub fn aws(arguments: &[&str]) -> Result<String> {
    let mut command = Command::new("aws");
    let output = command.args(arguments).stdin(Stdio::null()).output().context("the AWS CLI cannot be started")?;
    if !output.status.success() {
        bail!("aws {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs the AWS CLI with a JSON object that must not appear in a process list, and returns the output. The object is
/// passed in a file that only this user can read.
pub fn aws_with(arguments: &[&str], input: &Value) -> Result<String> {
    let folder = target_dir().join("aws");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("input.json");
    // A file mode applies only to a new file, so a file that is left from an earlier call is deleted.
    let _ = std::fs::remove_file(&path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&path).with_context(|| path.display().to_string())?;
    let told = file.write_all(input.to_string().as_bytes()).map_err(anyhow::Error::from).and_then(|()| {
        let from = format!("file://{}", path.display());
        aws(&[arguments, &["--cli-input-json", &from]].concat())
    });
    std::fs::remove_file(&path)?;
    told
}

pub fn aws_json(arguments: &[&str]) -> Result<Value> {
    let told = aws(&[arguments, &["--output", "json"]].concat())?;
    // Some calls have no output.
    if told.trim().is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_str(&told).with_context(|| format!("what the AWS CLI says to {}", arguments.join(" ")))
}

/// A deployed stack.
pub struct Stack {
    pub name: String,
    pub region: String,
    outputs: Vec<Value>,
}

impl Stack {
    pub fn describe(name: &str) -> Result<Self> {
        let described = aws_json(&["cloudformation", "describe-stacks", "--stack-name", name])?;
        let stack = &described["Stacks"][0];
        let region = stack["StackId"].as_str().and_then(|arn| arn.split(':').nth(3)).unwrap_or_default().to_owned();
        let outputs = stack["Outputs"].as_array().cloned().unwrap_or_default();
        Ok(Self { name: name.to_owned(), region, outputs })
    }

    pub fn output(&self, name: &str) -> Result<String> {
        let output = self.outputs.iter().find(|output| output["OutputKey"] == name);
        let value = output.and_then(|output| output["OutputValue"].as_str());
        value.map(str::to_owned).with_context(|| format!("the stack {} has no output {name}", self.name))
    }
}
