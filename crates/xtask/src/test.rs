//! `cargo xtask test`: every test, stage by stage, with the minutes that each took.

use std::collections::HashSet;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::preview::{Compiler, Machine};
use crate::python::Environment;
use crate::steps::{Steps, cargo, check, command, root, target_dir};
use crate::{contract, fonts, frontend, fuzz, ministack, preflight, preview, rights, schemas, template, unsent_codes};

/// A part of a stage of `cargo xtask test`.
struct StagePart {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result<()>,
    /// `true` if this part uses the browser module, which an earlier part builds.
    needs_module: bool,
}

const fn part(name: &'static str, what: &'static str, run: fn() -> Result<()>) -> StagePart {
    StagePart { name, what, run, needs_module: false }
}

impl StagePart {
    const fn with_module(mut self) -> Self {
        self.needs_module = true;
        self
    }
}

const STAGES: [&str; 6] = ["rust", "fuzz", "contract", "template", "frontend", "browser"];
/// The stages that need the browser module.
const WITH_MODULE: [&str; 3] = ["rust", "frontend", "browser"];

/// The programs from PyPI that the stages use.
const PYTHON_PROGRAMS: [&Environment; 5] =
    [&ministack::ENVIRONMENT, &contract::ENVIRONMENT, &template::SAM, &template::CHECKOV, &schemas::ENVIRONMENT];

pub fn run(arguments: &[String]) -> Result<()> {
    if let Some(unknown) = arguments.iter().find(|stage| !STAGES.contains(&stage.as_str())) {
        bail!("no stage {unknown:?}; the stages are {}", STAGES.join(", "));
    }
    let wanted = |stage: &str| arguments.is_empty() || arguments.iter().any(|named| named == stage);
    let with_python = ["rust", "contract", "template", "browser"].into_iter().any(wanted);
    let machine = preflight::for_testing(if with_python { &PYTHON_PROGRAMS } else { &[] });
    let with_module: Vec<&str> = WITH_MODULE.into_iter().filter(|stage| wanted(stage)).collect();
    let module = if with_module.is_empty() { Ok(()) } else { find_compiler(&with_module) };
    match (machine, module) {
        (Ok(()), Ok(())) => {}
        (Err(problem), Ok(())) | (Ok(()), Err(problem)) => return Err(problem),
        (Err(machine), Err(module)) => bail!("{machine:#}\n\n{module:#}"),
    }

    let mut parts = vec![part("fonts", "the font files, from npm", fonts::fetch)];
    if !with_module.is_empty() {
        parts.push(part("preview", "the engine for the browser, as WebAssembly", preview::build));
    }
    if wanted("rust") || wanted("browser") {
        parts.push(part("emulator", "ministack, the emulator of Cognito and SES, from PyPI", ministack::install));
    }
    if wanted("rust") {
        parts.push(part("rust: format", "cargo fmt --check", format));
        parts.push(part("rust: prose", "comments that may need a second reading; it never fails", prose));
        parts.push(part("rust: lint", "cargo clippy, warnings are errors", lint));
        let what = "unit tests, the engine, the API over HTTP, both adapters of each port, crashes";
        parts.push(part("rust: tests", what, rust).with_module());
        let what = "filled Word files against the schemas of Open XML, with openxml-audit from PyPI";
        parts.push(part("rust: schemas", what, schemas::run));
    }
    if wanted("fuzz") {
        parts.push(part("fuzz", "hostile input, 20 seconds a target", fuzz::briefly));
    }
    if wanted("contract") {
        parts.push(part("contract: install", "schemathesis, from PyPI", contract::install));
        parts.push(part("contract: server", "cargo build of the server under test", server));
        parts.push(part(
            "contract: requests",
            "the API checked against its OpenAPI document, in three roles",
            contract::run,
        ));
    }
    if wanted("template") {
        parts.push(part("template: install", "SAM, cfn-lint and checkov, from PyPI", template::install));
        let what = "CloudFormation's limits, rights without wildcards, and names, after translation";
        parts.push(part("template: limits", what, template::run));
        parts.push(part("template: lint", "cfn-lint for two regions, sam validate --lint", template::lint));
        parts.push(part("template: stacks", "two stages of one account, in ministack", template::stacks));
        parts.push(part("template: checkov", "its findings, each with a reason", template::checkov));
    }
    if wanted("frontend") {
        parts.push(part("frontend: install", "npm ci", || frontend::install("frontend")));
        parts.push(part("frontend: check", "types, ESLint, unit tests", frontend_checks));
    }
    if wanted("frontend") || wanted("browser") {
        parts.push(part("frontend: build", "npm run build, and its size", frontend::build).with_module());
    }
    if wanted("browser") {
        parts.push(part("browser: server", "cargo build of the server under test", server));
        parts.push(part("browser: tests", "the product in Chromium, in three languages", browser).with_module());
    }
    run_all(&parts)
}

/// Checks that there is a compiler for the browser module. `stages` are the stages that need the module; an error names
/// them.
fn find_compiler(stages: &[&str]) -> Result<()> {
    let Err(problem) = Compiler::find(&Machine::this()?) else { return Ok(()) };
    let others: Vec<&str> = STAGES.into_iter().filter(|stage| !WITH_MODULE.contains(stage)).collect();
    bail!(
        "the stages {} need the browser module. {problem}\nThe other stages can run: cargo xtask test {}",
        stages.join(", "),
        others.join(" ")
    );
}

/// Runs all parts. If a part fails, the others still run, except those that need a browser module that could not be
/// built.
fn run_all(parts: &[StagePart]) -> Result<()> {
    let mut steps = Steps::new(parts.len());
    let mut module_failed = false;
    for part in parts {
        if part.needs_module && module_failed {
            steps.skip(part.name, part.what, "the browser module could not be built");
            continue;
        }
        let failed = steps.run(part.name, part.what, part.run).is_err();
        module_failed |= failed && part.name == "preview";
    }
    steps.summary()
}

fn format() -> Result<()> {
    check(&mut cargo(&["fmt", "--all", "--check"]))
}

/// Prints the number of comments, out of 100, that show a sign of prose that is hard to read.
fn prose() -> Result<()> {
    check(&mut command("python3", &["crates/xtask/src/prose.py", "--total"]))
}

fn lint() -> Result<()> {
    check(&mut cargo(&["clippy", "--workspace", "--lib", "--bins", "--quiet", "--", "-D", "warnings"]))?;
    // Tests may call `unwrap`, because a panic is how they fail.
    let tests = ["clippy", "--workspace", "--tests", "--examples", "--quiet", "--", "-D", "warnings"];
    check(cargo(&tests).args(["-A", "clippy::unwrap_used"]))
}

fn rust() -> Result<()> {
    let emulator = ministack::Ministack::start()?;
    let [report, sent, made_use_of] =
        ["contracts.txt", "answers.txt", "rights.txt"].map(|name| target_dir().join(name));
    for file in [&report, &sent, &made_use_of] {
        let _ = std::fs::remove_file(file);
    }
    schemas::make_folder()?;
    let tests = |arguments: &[&str]| {
        let mut command = cargo(&["test", "--workspace", "--no-fail-fast"]);
        command
            .args(arguments)
            .env("WARAQ_MINISTACK", format!("http://{}", emulator.address))
            .env("WARAQ_CONTRACTS", &report)
            .env("WARAQ_ANSWERS", &sent)
            .env("WARAQ_RIGHTS", &made_use_of)
            .env("WARAQ_PREVIEW", preview::folder())
            .env("WARAQ_FILLED", schemas::folder());
        check(&mut command)
    };
    let outcome = tests(&[]);
    let cleaning = delete_old_programs();
    // These tests need the emulator or the browser module, so that a plain `cargo test` ignores them.
    let ignored = tests(&["--test", "api", "--test", "same_output", "--", "--ignored", "google::", "the_webassembly"]);
    let contracts = contracts(&std::fs::read_to_string(&report).unwrap_or_default());
    outcome.and(ignored).and(contracts).and(cleaning)?;
    let document = std::fs::read_to_string(root().join("frontend/src/api/openapi.json"))?;
    let unsent =
        unsent_codes::unsent(&serde_json::from_str(&document)?, &std::fs::read_to_string(&sent).unwrap_or_default());
    if !unsent.by_this_call.is_empty() {
        println!(
            "\n      listed, and sent to a test by another call only:\n      {}",
            unsent.by_this_call.join("\n      ")
        );
    }
    if !unsent.by_any_call.is_empty() {
        bail!("the OpenAPI document lists codes that no test of the API was sent: {}", unsent.by_any_call.join(", "));
    }
    let unused = rights::unused(&std::fs::read_to_string(&made_use_of).unwrap_or_default());
    if !unused.is_empty() {
        bail!("template.yaml gives rights that no test used:\n  {}", unused.join("\n  "));
    }
    Ok(())
}

/// Prints each contract test and the adapters on which it passed. An adapter implements a port of `waraq_core`. Returns an error
/// if a contract did not run on the adapter for AWS, because there was no emulator.
fn contracts(report: &str) -> Result<()> {
    let mut lines: Vec<&str> = report.lines().collect();
    lines.sort_unstable();
    println!("\n      {:<28}  passed on", "contract");
    for (contract, adapter) in lines.iter().filter_map(|line| line.split_once('\t')) {
        println!("      {contract:<28}  {adapter}");
    }
    if report.is_empty() || report.contains("not run") {
        bail!("contracts were skipped");
    }
    Ok(())
}

fn frontend_checks() -> Result<()> {
    let folder = root().join("frontend");
    for script in ["typecheck", "lint", "test"] {
        check(command("npm", &["run", "--silent", script]).current_dir(&folder))?;
    }
    Ok(())
}

/// Builds the server under test with the same features as the Rust tests. Otherwise the AWS SDK would be compiled
/// twice.
pub fn server() -> Result<()> {
    check(&mut cargo(&["test", "--workspace", "--no-run", "--quiet"]))
}

/// Deletes the programs of earlier builds. Cargo keeps them all, which fills the disk after some runs.
#[cfg(unix)]
fn delete_old_programs() -> Result<()> {
    use std::os::unix::fs::MetadataExt as _;

    let list = ["test", "--workspace", "--no-run", "--quiet", "--message-format", "json"];
    let messages = cargo(&list).stderr(Stdio::inherit()).output().context("cargo cannot be started")?;
    if !messages.status.success() {
        // The tests have reported why the workspace does not compile. The list of its programs is incomplete.
        return Ok(());
    }
    let tests = test_programs(&String::from_utf8_lossy(&messages.stdout));
    if tests.is_empty() {
        bail!("cargo names no test programs");
    }
    for folder in ["debug/deps", "debug/examples"] {
        for entry in std::fs::read_dir(target_dir().join(folder))? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            // The current build of a program that is no test also has a name without a hash: both names are hard links.
            let is_current = tests.contains(&name) || entry.metadata()?.nlink() > 1;
            if has_hash(&name) && !is_current && entry.file_type()?.is_file() {
                std::fs::remove_file(entry.path())?;
            }
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn delete_old_programs() -> Result<()> {
    Ok(())
}

/// Returns the file names of the test programs that cargo's messages name. Each line is a message in JSON.
fn test_programs(messages: &str) -> HashSet<String> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let names = messages.filter_map(|message| Some(Path::new(message["executable"].as_str()?).file_name()?.to_owned()));
    names.filter_map(|name| name.into_string().ok()).collect()
}

/// Returns true for names such as `api-0123456789abcdef`. Libraries and lists of sources have an extension.
fn has_hash(name: &str) -> bool {
    let hash = name.rsplit_once('-').map(|(_, hash)| hash);
    hash.is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn browser() -> Result<()> {
    let emulator = ministack::Ministack::start()?;
    check(
        command("npm", &["run", "--silent", "e2e"])
            .current_dir(root().join("frontend"))
            .env("WARAQ_SERVER", target_dir().join("debug/waraq-local"))
            .env("WARAQ_MINISTACK", format!("http://{}", emulator.address))
            .env("WARAQ_BROWSER", preflight::browser().unwrap_or("chromium")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_do_not_need_the_module_run_if_its_build_fails() {
        let fails = || bail!("no compiler");
        let parts = [
            part("preview", "fails", fails),
            part("rust: tests", "is not run", || unreachable!("it needs the module")).with_module(),
            part("fuzz", "runs", || Ok(())),
        ];
        assert_eq!(run_all(&parts).unwrap_err().to_string(), "failed or not run: preview, rust: tests");
    }

    #[test]
    fn test_programs_are_found_in_the_messages_of_cargo() {
        let messages = "{\"executable\":\"/t/debug/deps/api-0123456789abcdef\"}\n{\"executable\":null}\nno JSON\n";
        assert_eq!(test_programs(messages), HashSet::from(["api-0123456789abcdef".to_owned()]));
    }

    #[test]
    fn names_of_programs_with_a_hash_are_recognised() {
        assert!(has_hash("api-0123456789abcdef"));
        for other in ["libapi-0123456789abcdef.rlib", "api-0123456789abcdef.d", "waraq-local", "api-0123456789abcdeg"] {
            assert!(!has_hash(other), "{other}");
        }
    }
}
