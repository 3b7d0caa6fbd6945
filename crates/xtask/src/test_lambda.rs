//! `cargo xtask test lambda`: tests functions on a developer's machine, as CONTRIBUTING describes. Starts an emulator
//! with the resources of `events/env.json` and `cargo lambda watch`. Sends each sample event with
//! `cargo lambda invoke`, and calls every route over HTTP.
//!
//! Two things differ from a manual run. `sam local` needs containers, so SAM's own code computes the environment of
//! each function, and the programs are started with that environment. `cargo lambda watch` starts functions with
//! `cargo run`, which is replaced by a script that starts the release program.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::emulator::{ADMIN, create_resources, operations_program};
use crate::ministack::{self, Ministack};
use crate::python::Environment;
use crate::steps::{Steps, cargo, check, command, root, target_dir};
use crate::{fonts, preflight, template, test_cloud};

/// The environment with cargo-lambda. It depends on Zig, which is not used here.
const CARGO_LAMBDA: Environment = Environment { name: "cargo-lambda", packages: &["cargo-lambda==1.9.2"] };

/// Maximum time until `cargo lambda watch` listens. It is long, because a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A script that `cargo lambda watch` starts instead of cargo. For `run`, it starts the built program with the
/// program's environment. All other calls go to cargo.
const CARGO: &str = r#"#!/bin/bash
if [ "$1" = run ]; then
  while [ $# -gt 0 ]; do [ "$1" = --bin ] && name=$2; shift; done
  . "$ENVIRONMENTS/$name"
  exec "$PROGRAMS/$name"
fi
exec "$REAL_CARGO" "$@"
"#;

pub fn run() -> Result<()> {
    preflight::for_building()?;
    let mut steps = Steps::new(6);
    steps.run("tools", "fonts from npm; ministack, SAM and cargo-lambda from PyPI", || {
        fonts::fetch()?;
        template::install_sam()?;
        ministack::install()?;
        CARGO_LAMBDA.install()
    })?;
    let local_server = steps.run("programs", "every function, as it is shipped", || {
        test_cloud::build()?;
        operations_program()
    })?;
    let (emulator, password) = steps.run("emulator", "table, bucket, secrets, an admin", || {
        let emulator = Ministack::start()?;
        let password = create_resources(emulator.address, &local_server)?;
        Ok((emulator, password))
    })?;
    let environments =
        steps.run("env.json", "as sam local would hand it to each function", || environments(emulator.address))?;
    let watch = Watch::start(&environments)?;
    let _ = steps.run("invoke", "each sample event, by cargo lambda invoke", || watch.every_event());
    let _ = steps.run("routes", "every route over HTTP, behind cargo lambda watch", || {
        let functions = format!("http://{}/2015-03-31/functions/", watch.address);
        let tour = json!({
            "address": watch.address.to_string(), "headers": {}, "functions": functions, "admin": ADMIN, "password": password,
            "emulator": format!("http://{}", emulator.address),
        });
        run_tour(&tour)
    });
    steps.summary()
}

/// Calls every route of a running server with the test `tests/api/tour.rs`. `tour` has the addresses and the admin's
/// credentials for that test.
pub fn run_tour(tour: &Value) -> Result<()> {
    let test = [
        "test",
        "--workspace",
        "--quiet",
        "--test",
        "api",
        "--",
        "--ignored",
        "--exact",
        "tour::every_route_answers",
        "--nocapture",
    ];
    check(cargo(&test).env("WARAQ_TOUR", tour.to_string()))
}

/// Writes the environment of each function into a file. SAM's own code computes the environments from template.yaml and
/// events/env.json. Returns the folder of the files.
fn environments(emulator: SocketAddr) -> Result<PathBuf> {
    let folder = target_dir().join("lambda-environments");
    let _ = fs::remove_dir_all(&folder);
    let mut resolve = command(&template::sam("python").to_string_lossy(), &["crates/xtask/src/sam_local.py"]);
    resolve.args(["template.yaml", "events/env.json"]).arg(&folder).arg(format!("http://{emulator}"));
    resolve.env("AWS_DEFAULT_REGION", crate::emulator::REGION).env("PYTHONDONTWRITEBYTECODE", "1");
    check(&mut resolve)?;
    Ok(folder)
}

/// Writes an executable script into `folder`. Callers put that folder first on the path.
pub fn write_script(folder: &Path, name: &str, script: &str) -> Result<()> {
    fs::create_dir_all(folder)?;
    let path = folder.join(name);
    fs::write(&path, script)?;
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

/// A running `cargo lambda watch`. Dropping it ends the process and the functions that it has started.
struct Watch {
    process: Child,
    address: SocketAddr,
}

impl Watch {
    fn start(environments: &Path) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let folder = target_dir().join("lambda-watch");
        write_script(&folder, "cargo", CARGO)?;
        let real = std::env::var("CARGO").context("cargo xtask is started by cargo")?;
        let path = std::env::var("PATH").unwrap_or_default();
        let log = fs::File::create(folder.join("log"))?;
        let mut watch = Command::new(CARGO_LAMBDA.program("cargo-lambda"));
        watch.args(["lambda", "watch", "--package", "functions", "--ignore-changes", "--invoke-address", "127.0.0.1"]);
        watch.arg("--invoke-port").arg(address.port().to_string());
        watch.env("PATH", format!("{}:{path}", folder.display())).env("REAL_CARGO", real).env_remove("CARGO");
        watch.env("ENVIRONMENTS", environments).env("PROGRAMS", target_dir().join("release"));
        watch.current_dir(root()).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut watch, 0);
        let mut started = Self { process: watch.spawn().context("cargo-lambda cannot be started")?, address };
        let began = Instant::now();
        while std::net::TcpStream::connect(address).is_err() {
            if let Some(status) = started.process.try_wait()? {
                bail!("cargo lambda watch ended with {status}, see {}", folder.join("log").display());
            }
            ensure!(began.elapsed() < PATIENCE, "cargo lambda watch does not listen");
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(started)
    }

    fn every_event(&self) -> Result<()> {
        let mut failed = Vec::new();
        let programs = test_cloud::programs()?;
        for name in &programs {
            if let Err(error) = self.invoke(name) {
                failed.push(format!("{name}: {error:#}"));
            }
        }
        ensure!(failed.is_empty(), "{}", failed.join("\n"));
        println!("      {} functions answered", programs.len());
        Ok(())
    }

    /// Invokes a function with its sample event, as CONTRIBUTING describes, and checks the response.
    fn invoke(&self, name: &str) -> Result<()> {
        let mut invoke = Command::new(CARGO_LAMBDA.program("cargo-lambda"));
        invoke.args(["lambda", "invoke", name, "--invoke-address", "127.0.0.1", "--invoke-port"]);
        invoke.arg(self.address.port().to_string()).arg("--data-file").arg(format!("events/{name}.json"));
        let told =
            invoke.current_dir(root()).stdin(Stdio::null()).output().context("cargo-lambda cannot be started")?;
        ensure!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr).trim());
        let answer: Value = serde_json::from_slice(&told.stdout).context("its answer is no JSON")?;
        check_response(&answer)
    }
}

/// Checks the response to a sample event. A missing resource or an unknown user is not a failure of the function.
fn check_response(answer: &Value) -> Result<()> {
    let Some(status) = answer["statusCode"].as_u64() else {
        ensure!(
            ["left", "made"].iter().any(|name| answer[*name].is_number()) || answer["batchItemFailures"].is_array(),
            "{answer}"
        );
        return Ok(());
    };
    let body: Value = serde_json::from_str(answer["body"].as_str().unwrap_or_default()).unwrap_or_default();
    let code = body["code"].as_str().unwrap_or_default();
    let misunderstood = ["route_not_found", "invalid_body", "json_expected", "form_expected", "origin_refused"];
    ensure!(status < 500 && status != 405 && !misunderstood.contains(&code), "{answer}");
    Ok(())
}

impl Drop for Watch {
    fn drop(&mut self) {
        // cargo-lambda does not end the functions it has started, so end its whole process group.
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args(["-TERM", "--", &group]).status();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_to_sample_events_are_checked() {
        let answer =
            |status: u16, code: &str| json!({ "statusCode": status, "body": json!({ "code": code }).to_string() });
        for good in
            [answer(200, ""), answer(401, "invalid_token"), json!({ "left": 0 }), json!({ "batchItemFailures": [] })]
        {
            check_response(&good).unwrap();
        }
        for bad in [
            answer(503, "unavailable"),
            answer(405, ""),
            answer(404, "route_not_found"),
            json!({ "errorMessage": "no" }),
        ] {
            assert!(check_response(&bad).is_err(), "{bad}");
        }
    }
}
