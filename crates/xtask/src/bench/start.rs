//! `cargo xtask bench start`: measures each step of `cargo xtask dev` in a new clone with empty caches. The caches of
//! cargo, npm, pip and xtask are folders of the clone. Toolchains and programs are those of this machine.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::measure::children_cpu;
use crate::start;
use crate::steps::{check, command, human, root, target_dir};

pub fn run() -> Result<()> {
    let home = target_dir().join("bench-start");
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    fs::create_dir_all(&home)?;
    let clone = home.join("clone");
    check(command("git", &["clone", "--quiet", "--no-hardlinks"]).arg(root()).arg(&clone))?;
    let started = start::watch(&mut dev(&home, &clone)?)?;
    let cpu = children_cpu();
    println!("\n{:<44} {:>12}", "step", "time");
    for (step, time) in started.steps {
        println!("{step:<44} {time:>12}");
    }
    println!("{:<44} {:>12}", "first page", human(started.page));
    println!("{:<44} {:>12}", "catalogue published", human(started.catalogue));
    println!("{:<44} {:>12}", "processor time of all programs", human(cpu));
    // The clone and its caches take gigabytes, so they are deleted.
    fs::remove_dir_all(&home)?;
    Ok(())
}

/// Returns the command `cargo xtask dev` for the clone, with empty caches.
fn dev(home: &Path, clone: &Path) -> Result<Command> {
    let cargo_home = home.join("cargo");
    fs::create_dir_all(&cargo_home)?;
    // Cargo's configuration is copied, because it may name another registry. Programs that cargo installed stay on the
    // path.
    let old = std::env::var_os("CARGO_HOME").map(std::path::PathBuf::from);
    let old = old.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")));
    for name in ["config.toml", "credentials.toml"] {
        if let Some(file) = old.as_ref().map(|old| old.join(name)).filter(|file| file.is_file()) {
            fs::copy(file, cargo_home.join(name))?;
        }
    }
    // rustup finds its toolchains in its own folder, which is not replaced.
    let mut dev = Command::new("cargo");
    dev.args(["xtask", "dev", "--port", "0"])
        .current_dir(clone)
        .env("CARGO_HOME", &cargo_home)
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("npm_config_cache", home.join("npm"))
        .env("PIP_CACHE_DIR", home.join("pip"))
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_INCREMENTAL");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") || name.to_string_lossy().starts_with("CARGO_MANIFEST_") {
            dev.env_remove(name);
        }
    }
    Ok(dev)
}
