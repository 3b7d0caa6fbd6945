//! `cargo xtask dev`: from a clone to the product in a browser.

use std::thread;

use anyhow::{Context, Result, anyhow, bail};

use crate::steps::{Steps, cargo, check, root, target_dir};
use crate::{fonts, frontend, tools};

pub fn run(arguments: &[String]) -> Result<()> {
    let arguments = Arguments::parse(arguments)?;
    tools::for_building()?;
    println!(
        "Waraq: builds the product and starts it. The first build takes some minutes (most of it is the AWS SDK)."
    );

    let mut steps = Steps::new(4);
    steps.run("fonts", "the font files, from npm", fonts::fetch)?;
    // npm mostly waits for the network while cargo uses the cores: side by side they take the time of one
    let frontend = thread::spawn(frontend::build);
    steps.run("server", "cargo build (the engine, the functions, the embedded cloud)", || {
        let mut build = vec!["build", "--package", "waraq-local", "--bin", "waraq-local"];
        if arguments.release {
            build.push("--release");
        }
        check(&mut cargo(&build))
    })?;
    steps.run("frontend", "npm ci, npm run build", || {
        frontend.join().map_err(|_| anyhow!("the frontend's build panicked"))?
    })?;
    steps.run("start", "the embedded cloud and the gateway", || Ok(()))?;
    serve(&arguments)
}

/// Runs the server in the foreground: its lines are the developer's, Ctrl-C ends both.
fn serve(arguments: &Arguments) -> Result<()> {
    let profile = if arguments.release { "release" } else { "debug" };
    let server = target_dir().join(profile).join("waraq-local");
    let status = std::process::Command::new(&server)
        .args(["--port", &arguments.port, "--data", &arguments.data, "--static"])
        .arg(root().join("frontend/dist"))
        .current_dir(root())
        .status()
        .with_context(|| format!("cannot start {}", server.display()))?;
    if status.success() { Ok(()) } else { bail!("the server ended with {status}") }
}

struct Arguments {
    port: String,
    data: String,
    release: bool,
}

impl Arguments {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut parsed = Self { port: "3000".into(), data: ".data".into(), release: false };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().cloned().ok_or_else(|| anyhow!("{argument} wants a value"));
            match argument.as_str() {
                "--port" => parsed.port = value()?,
                "--data" => parsed.data = value()?,
                "--release" => parsed.release = true,
                other => bail!("dev takes --port N, --data DIR and --release, not {other:?}"),
            }
        }
        Ok(parsed)
    }
}
