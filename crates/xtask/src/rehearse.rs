//! `cargo xtask rehearse`: tests deployment and runbooks in an emulator of AWS. Runs `cargo xtask deploy`, the AWS CLI,
//! the SAM CLI, the functions' release programs, and the commands taken from docs/runbooks.md and docs/deploying.md.
//!
//! 1. Deploys to an empty account until the smoke test passes. A second deployment must change nothing.
//! 2. Deploys a second stage three times. First, CloudFormation refuses the template. Then a step fails. The third deployment
//!    must succeed. Each error must name its step.
//! 3. Calls every route through the emulator's API Gateway and Lambda.
//! 4. Runs the runbooks. Finally deletes the first stage, and the second must still work.
//!
//! The module [`environment`] replaces some programs for the rehearsal. Both documents list what no emulator can test.

mod environment;
mod runbooks;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::steps::Steps;
use crate::{preflight, test_lambda};
use environment::Scene;

/// The stack name used in docs/runbooks.md.
const FIRST: &str = "waraq";
/// A second stack. Some checks select resources by the prefix of their names. The two stack names therefore begin
/// differently.
const SECOND: &str = "Second-Waraq";

pub fn run() -> Result<()> {
    preflight::for_building()?;
    let mut steps = Steps::new(8);
    steps.run("tools", "fonts from npm; ministack, SAM and the AWS CLI from PyPI", environment::install)?;
    let scene = steps.run("scene", "programs as they are shipped; an empty emulator", Scene::new)?;
    let told = steps.run("deploy", "from an empty account to an address", || {
        let told = scene.deploy(FIRST, &[])?;
        ensure!(told.succeeded, "{}", told.end());
        Ok(told)
    })?;
    let password = told.after(&format!("{} · ", environment::ADMIN));
    steps.run("again", "the second time nothing changes", || {
        let before = scene.state(FIRST)?;
        let told = scene.deploy(FIRST, &[])?;
        ensure!(told.succeeded, "{}", told.end());
        same(&before, &scene.state(FIRST)?)
    })?;
    steps.run("failures", "a second stage: a broken template, a step that fails, then whole", || failures(&scene))?;
    let _ = steps.run("routes", "every route, through the emulator's API Gateway", || routes(&scene, &password));
    let _ =
        steps.run("runbooks", "restore, files, replay, secrets, by their very commands", || runbooks::rehearse(&scene));
    let _ = steps.run("teardown", "nothing is left of the first stage, and the second goes on", || {
        runbooks::delete_first_stage(&scene)?;
        scene.smoke(SECOND)
    });
    steps.summary()
}

/// Deploys the second stage with failures. Each error must name its step, and the next call must continue from there.
fn failures(scene: &Scene) -> Result<()> {
    let broken = scene.deploy(SECOND, &[("REHEARSAL_BREAKS", "template")])?;
    ensure!(!broken.succeeded, "a template that CloudFormation refuses is deployed");
    ensure!(broken.text.contains("stack FAILED"), "{}", broken.end());
    ensure!(scene.status(SECOND)? == "ROLLBACK_COMPLETE", "the stack is {}", scene.status(SECOND)?);
    let half = scene.deploy(SECOND, &[("REHEARSAL_FAILS", "s3 sync")])?;
    ensure!(!half.succeeded && half.text.contains("site FAILED"), "{}", half.end());
    let whole = scene.deploy(SECOND, &[])?;
    ensure!(whole.succeeded, "{}", whole.end());
    println!("      refused, half done, whole: each failed by its name, and the next call went on");
    Ok(())
}

fn routes(scene: &Scene, password: &str) -> Result<()> {
    let api = scene.output(FIRST, "ApiAddress")?;
    let api = api.trim_start_matches("https://").split('.').next().unwrap_or_default();
    let secret = scene.parameter(&format!("/{FIRST}/origin-secret"))?;
    let emulator = scene.emulator.address;
    test_lambda::run_tour(&json!({
        "address": emulator.to_string(),
        "headers": {
            "host": format!("{api}.execute-api.localhost:{}", emulator.port()), "x-origin-secret": secret,
            "cloudfront-viewer-address": "198.51.100.7:443",
        },
        "functions": format!("http://{emulator}/2015-03-31/functions/{FIRST}-"),
        "emulator": format!("http://{emulator}"),
        "admin": environment::ADMIN,
        "password": password,
    }))
}

/// Compares two states of a stack. The error lists the parts that differ.
fn same(before: &Value, after: &Value) -> Result<()> {
    let mut changed = Vec::new();
    let parts = before.as_object().into_iter().flatten();
    for (part, value) in parts.filter(|(part, value)| after[part.as_str()] != **value) {
        changed.push(format!("{part}:\n  {value}\n  {}", after[part.as_str()]));
    }
    ensure!(changed.is_empty(), "the second deployment has changed {}", changed.join("\n"));
    Ok(())
}
