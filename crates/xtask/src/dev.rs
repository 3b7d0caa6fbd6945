//! `cargo xtask dev`: builds the product and starts it.

use anyhow::{Context, Result, anyhow, bail};

use crate::steps::{root, target_dir};
use crate::{preflight, start};

pub fn run(arguments: &[String]) -> Result<()> {
    let arguments = Arguments::parse(arguments)?;
    preflight::for_dev(arguments.port)?;
    println!(
        "Waraq: builds the product and starts it. The first time takes about 9 minutes on two cores, later starts take seconds."
    );
    if let Some(without_module) = start::build(arguments.release)? {
        // The paragraph was printed before, but the build has printed many lines since then.
        println!("\n{without_module}\n");
    }
    serve(&arguments)
}

/// Runs the server in the foreground. Ctrl-C ends this program and the server.
fn serve(arguments: &Arguments) -> Result<()> {
    let profile = if arguments.release { "release" } else { "debug" };
    let server = target_dir().join(profile).join("waraq-local");
    let status = std::process::Command::new(&server)
        .args(["--port", &arguments.port.to_string(), "--data", &arguments.data, "--static"])
        .arg(root().join("frontend/dist"))
        .current_dir(root())
        .status()
        .with_context(|| format!("cannot start {}", server.display()))?;
    if status.success() { Ok(()) } else { bail!("the server ended with {status}") }
}

struct Arguments {
    /// The port on which the server listens. 0 means any free port.
    port: u16,
    data: String,
    release: bool,
}

impl Arguments {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut parsed = Self { port: 3000, data: ".data".into(), release: false };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().cloned().ok_or_else(|| anyhow!("{argument} needs a value"));
            match argument.as_str() {
                "--port" => parsed.port = value()?.parse().context("--port takes a number up to 65535")?,
                "--data" => parsed.data = value()?,
                "--release" => parsed.release = true,
                other => bail!("dev takes --port N, --data DIR and --release, not {other:?}"),
            }
        }
        Ok(parsed)
    }
}
