//! `cargo xtask test cloud`: tests the deployed programs on this machine. Each function's release program runs with the
//! environment and the role that template.yaml gives it. Lambda's runtime API and API Gateway are emulated
//! (`crates/local/src/platform`).
//!
//! 1. The programs are built as they are shipped (profile `release`), but for this machine's processor.
//! 2. template.yaml, translated by SAM, is deployed twice under two names in an emulator of AWS.
//! 3. The API tests call the programs. Some tests change the clock or the limits, which is possible only inside the
//!    process of the test. These tests call a server in their own process, and are listed with the reason.
//! 4. Every permission of the template must be used, and no function may need a permission it does not have.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::steps::{Steps, cargo, check, root, target_dir};
use crate::{fonts, ministack, preflight, rights, template};

pub fn run(filters: &[String]) -> Result<()> {
    preflight::for_building()?;
    let mut steps = Steps::new(5);
    steps.run("fonts", "the font files, from npm", fonts::fetch)?;
    steps.run("emulator", "ministack, SAM, from PyPI", template::install)?;
    steps.run("programs", "every function, as it is shipped", || build().map(drop))?;
    let _ = steps.run("stacks", "template.yaml, twice, in ministack", template::stacks);
    let _ = steps.run("api", "the tests of the API, through the programs", || through_programs(filters));
    steps.summary()
}

/// Returns the names of the function programs in functions/Cargo.toml.
pub fn programs() -> Result<Vec<String>> {
    let manifest = fs::read_to_string(root().join("functions/Cargo.toml"))?;
    let (_, programs) = manifest.split_once("[[bin]]").context("functions/Cargo.toml has no programs")?;
    let names = programs.lines().filter_map(|line| line.strip_prefix("name = "));
    Ok(names.map(|name| name.trim_matches('"').to_owned()).collect())
}

/// Builds the programs and returns their folder.
pub fn build() -> Result<PathBuf> {
    // With the workspace's features, because the AWS SDK would otherwise be compiled twice.
    let mut build = cargo(&["build", "--release", "--workspace"]);
    for name in programs()? {
        build.args(["--bin", &name]);
    }
    check(&mut build)?;
    Ok(target_dir().join("release"))
}

/// Runs the API tests against the programs. `filters` are parts of test names. Without filters, all tests run.
fn through_programs(filters: &[String]) -> Result<()> {
    let emulator = ministack::Ministack::start()?;
    let folder = target_dir().join("cloud");
    fs::create_dir_all(&folder)?;
    let [houses, made_use_of] = ["houses.txt", "rights.txt"].map(|name| folder.join(name));
    for file in [&houses, &made_use_of] {
        let _ = fs::remove_file(file);
    }
    let tests = |filters: &[&str]| {
        let mut command = cargo(&["test", "--workspace", "--test", "api", "--"]);
        command
            .args(filters)
            .env("WARAQ_CLOUD", &houses)
            .env("WARAQ_PROGRAMS", target_dir().join("release"))
            .env("WARAQ_MINISTACK", format!("http://{}", emulator.address))
            .env("WARAQ_RIGHTS", &made_use_of);
        check(&mut command)
    };
    let filters: Vec<&str> = filters.iter().map(String::as_str).collect();
    let mut outcome = tests(&filters);
    if filters.is_empty() {
        outcome = outcome.and(tests(&["--ignored", "cloud::", "google::"]));
    }
    let through = report_tests(&fs::read_to_string(&houses).unwrap_or_default());
    outcome?;
    if through == 0 {
        bail!("no test went through the programs");
    }
    let unused = rights::unused(&fs::read_to_string(&made_use_of).unwrap_or_default());
    if filters.is_empty() && !unused.is_empty() {
        bail!("template.yaml gives rights that no test made use of:\n  {}", unused.join("\n  "));
    }
    Ok(())
}

/// Prints which tests used the programs, and why the others did not. Returns the number of tests that used them.
fn report_tests(houses: &str) -> usize {
    let mut through = BTreeSet::new();
    let mut others: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in houses.lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            [test, "programs", _] => {
                through.insert(test);
            }
            [test, _, why] => {
                others.entry(why).or_default().insert(test);
            }
            _ => {}
        }
    }
    println!("\n      {} tests through the programs", through.len());
    for (why, tests) in others {
        println!("      {} in their own process: {why}", tests.len());
        for test in tests {
            println!("        {test}");
        }
    }
    through.len()
}
