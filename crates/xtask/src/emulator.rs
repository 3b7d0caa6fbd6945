//! `cargo xtask emulator [--port N | --environment]`: runs an emulator of AWS with all resources that `events/env.json`
//! names: table, bucket, secret parameters, mail sender and an admin. Functions that run in `cargo lambda watch`,
//! `cargo lambda invoke` or `sam local` use these resources. `--environment` prints the variables of the functions for
//! a shell.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::deploy::{SecretKind, new_secrets};
use crate::ministack::{self, Ministack};
use crate::steps::{cargo, check, root, target_dir};
use crate::{fonts, preflight};

/// The port of the emulator in `events/env.json`.
const PORT: u16 = 4566;
pub const REGION: &str = "eu-west-1";
pub const ADMIN: &str = "admin@example.org";

pub fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let port = match *arguments {
        [] => PORT,
        ["--environment"] => return exported().map(|lines| print!("{lines}")),
        ["--port", port] => port.parse().context("--port N")?,
        _ => bail!("emulator takes --port N, or --environment"),
    };
    preflight::for_building()?;
    ministack::install()?;
    fonts::fetch()?;
    let program = operations_program()?;
    let emulator = Ministack::at(port)?;
    let password = create_resources(emulator.address, &program)?;
    println!(
        "Emulator   http://{}, as events/env.json names it\nAdmin      {ADMIN} · {password}\nMails      http://{}/_ministack/ses/messages\nIt keeps nothing: Ctrl-C ends it.",
        emulator.address, emulator.address
    );
    emulator.wait()
}

/// Builds `waraq-operations`, which sets up the resources in the cloud. Uses the workspace's features, because the AWS SDK would
/// otherwise be compiled twice.
pub fn operations_program() -> Result<PathBuf> {
    check(&mut cargo(&["build", "--release", "--quiet", "--workspace", "--bin", "waraq-operations"]))?;
    Ok(target_dir().join("release/waraq-operations"))
}

/// Returns the environment variables that `events/env.json` gives every function.
pub fn environment() -> Result<Vec<(String, String)>> {
    let written: Value = serde_json::from_str(&std::fs::read_to_string(root().join("events/env.json"))?)?;
    let variables = written["Parameters"].as_object().context("events/env.json has no Parameters")?;
    Ok(variables.iter().map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned())).collect())
}

/// Returns the variables of [`environment`] as shell commands, with invented credentials.
fn exported() -> Result<String> {
    let keys = [("AWS_REGION", REGION), ("AWS_ACCESS_KEY_ID", "local"), ("AWS_SECRET_ACCESS_KEY", "local")];
    let keys = keys.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let line = |(name, value): (String, String)| format!("export {name}='{}'\n", value.replace('\'', r"'\''"));
    Ok(environment()?.into_iter().chain(keys).map(line).collect())
}

/// Fills an empty emulator with everything that the functions need. Returns the admin's password.
pub fn create_resources(address: SocketAddr, program: &std::path::Path) -> Result<String> {
    let variables = environment()?;
    let named = |name: &str| {
        let variable = variables.iter().find(|(other, _)| other == name);
        variable.map(|(_, value)| value.as_str()).with_context(|| format!("events/env.json has no {name}"))
    };
    for (secret, kind, value) in new_secrets()? {
        let Some(name) = ["TOKEN_PRIVATE_KEY", "TOKEN_PUBLIC_KEYS", "CODE_SECRET"]
            .into_iter()
            .filter_map(|it| named(&format!("{it}_PARAMETER")).ok())
            .find(|name| name.ends_with(secret))
        else {
            // This is the secret of the CDN, and the emulator has no CDN.
            continue;
        };
        let kind = match kind {
            SecretKind::Secret => "SecureString",
            SecretKind::Public => "String",
        };
        let parameter = json!({ "Name": name, "Type": kind, "Value": value });
        call(
            address,
            "ssm",
            "x-amz-target: AmazonSSM.PutParameter",
            "application/x-amz-json-1.1",
            &parameter.to_string(),
        )?;
    }
    let sender = named("MAIL_FROM")?;
    let sender = sender.split(['<', '>']).nth(1).unwrap_or(sender).replace('@', "%40");
    let verify = format!("Action=VerifyEmailIdentity&Version=2010-12-01&EmailAddress={sender}");
    call(address, "ses", "accept: */*", "application/x-www-form-urlencoded", &verify)?;
    let run_cloud = |arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(root()).stdin(Stdio::null());
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        command.envs([("AWS_REGION", REGION), ("AWS_ACCESS_KEY_ID", "local"), ("AWS_SECRET_ACCESS_KEY", "local")]);
        let output = command.env("AWS_ENDPOINT_URL", format!("http://{address}")).output()?;
        if !output.status.success() {
            bail!("waraq-operations {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok::<_, anyhow::Error>(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    run_cloud(&["stores"])?;
    run_cloud(&["catalogue"])?;
    let admin = run_cloud(&["admin", ADMIN])?;
    let (_, password) = admin.trim().split_once(" · ").context("the output has no password of the admin")?;
    Ok(password.to_owned())
}

/// Sends one request to the emulator, which does not check signatures.
fn call(address: SocketAddr, service: &str, header: &str, kind: &str, body: &str) -> Result<()> {
    let credential = format!("Credential=local/20260101/{REGION}/{service}/aws4_request");
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--fail-with-body", "--output", "-", "--header", header, "--header"]);
    curl.arg(format!("content-type: {kind}")).arg("--header");
    curl.arg(format!("authorization: AWS4-HMAC-SHA256 {credential}, SignedHeaders=host, Signature=0"));
    let output = curl.args(["--data-binary", body]).arg(format!("http://{address}/")).output();
    let output = output.context("curl cannot be started")?;
    if !output.status.success() {
        bail!("the emulator's {service}: {}", String::from_utf8_lossy(&output.stdout).trim());
    }
    Ok(())
}
