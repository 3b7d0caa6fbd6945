//! `cargo xtask cloud STACK …`: what is done once for a deployed house. The AWS CLI says where its stores are and lends its rights.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::fonts;
use crate::steps::{cargo, check};

pub fn run(arguments: &[String]) -> Result<()> {
    let Some((stack, rest)) = arguments.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        bail!("cloud takes the stack's name and `admin EMAIL` or `catalogue`");
    };
    let described = aws(&["cloudformation", "describe-stacks", "--stack-name", stack, "--output", "json"])?;
    let described: Value = serde_json::from_str(&described).context("what the AWS CLI says of the stack")?;
    let outputs = described["Stacks"][0]["Outputs"].as_array().cloned().unwrap_or_default();
    let output = |name: &str| {
        let value =
            outputs.iter().find(|output| output["OutputKey"] == name).and_then(|output| output["OutputValue"].as_str());
        value.map(str::to_owned).with_context(|| format!("the stack {stack} has no output {name}"))
    };
    let credentials = aws(&["configure", "export-credentials", "--format", "process"])?;
    let credentials: Value = serde_json::from_str(&credentials).context("the AWS CLI's credentials")?;
    let key = |name: &str| credentials[name].as_str().unwrap_or_default().to_owned();
    let region = described["Stacks"][0]["StackId"].as_str().and_then(|arn| arn.split(':').nth(3)).unwrap_or_default();
    fonts::fetch()?;
    check(
        cargo(&["run", "--quiet", "--package", "waraq-local", "--bin", "waraq-local", "--", "cloud"])
            .args(rest)
            .env("TABLE_NAME", output("TableName")?)
            .env("BUCKET_NAME", output("FilesBucket")?)
            .env("COGNITO_USER_POOL_ID", output("UserPool")?)
            // No password is tried here: the client is not needed.
            .env("COGNITO_CLIENT_ID", "none")
            .env("AWS_REGION", region)
            .env("AWS_ACCESS_KEY_ID", key("AccessKeyId"))
            .env("AWS_SECRET_ACCESS_KEY", key("SecretAccessKey"))
            .env("AWS_SESSION_TOKEN", key("SessionToken")),
    )
}

fn aws(arguments: &[&str]) -> Result<String> {
    let output = Command::new("aws").args(arguments).output().context("the AWS CLI cannot be started")?;
    if !output.status.success() {
        bail!("aws {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
