//! `cargo xtask rehearse`: deploying and the runbooks, in an emulator of AWS: `cargo xtask deploy` itself, the AWS CLI and the SAM CLI, the
//! functions' release programs, and the very commands of docs/runbooks.md and docs/deploying.md, taken out of them.
//!
//! 1. From an empty account to an address that passes the smoke test; again, and nothing has changed.
//! 2. A second stage: with a template that CloudFormation refuses, then with a step that fails, then whole. Each fails by its name.
//! 3. Every route, through the emulator's API Gateway and its Lambda.
//! 4. The runbooks; at last the first stage is taken down, and the second goes on.
//!
//! What stands for something else is in `stand_ins`; what no emulator shows is named in both documents.

mod runbooks;
mod scene;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::steps::Steps;
use crate::{test_lambda, tools};
use scene::Scene;

/// As docs/runbooks.md calls its stack.
const FIRST: &str = "waraq";
/// Told from the first by how its names begin.
const SECOND: &str = "Second-Waraq";

pub fn run() -> Result<()> {
    tools::for_building()?;
    let mut steps = Steps::new(8);
    steps.run("tools", "fonts from npm; ministack, SAM and the AWS CLI from PyPI", scene::install)?;
    let scene = steps.run("scene", "programs as they are shipped; an empty emulator", Scene::new)?;
    let told = steps.run("deploy", "from an empty account to an address", || {
        let told = scene.deploy(FIRST, &[])?;
        ensure!(told.succeeded, "{}", told.end());
        Ok(told)
    })?;
    let password = told.after(&format!("{} · ", scene::ADMIN));
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
        runbooks::taken_down(&scene)?;
        scene.smoke(SECOND)
    });
    steps.summary()
}

/// Each call fails by its step's name, and the next goes on from there.
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
    test_lambda::walk(&json!({
        "address": emulator.to_string(),
        "headers": {
            "host": format!("{api}.execute-api.localhost:{}", emulator.port()), "x-origin-secret": secret,
            "cloudfront-viewer-address": "198.51.100.7:443",
        },
        "functions": format!("http://{emulator}/2015-03-31/functions/{FIRST}-"),
        "emulator": format!("http://{emulator}"),
        "admin": scene::ADMIN,
        "password": password,
    }))
}

/// That two moments of a stack are the same; what is not, by its name.
fn same(before: &Value, after: &Value) -> Result<()> {
    let mut changed = Vec::new();
    let parts = before.as_object().into_iter().flatten();
    for (part, value) in parts.filter(|(part, value)| after[part.as_str()] != **value) {
        changed.push(format!("{part}:\n  {value}\n  {}", after[part.as_str()]));
    }
    ensure!(changed.is_empty(), "the second deployment has changed {}", changed.join("\n"));
    Ok(())
}
