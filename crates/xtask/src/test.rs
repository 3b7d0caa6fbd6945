//! `cargo xtask test`: every test there is, stage by stage, with the minutes each took.

use anyhow::{Result, bail};

use crate::steps::{Steps, cargo, check, command, root, target_dir};
use crate::{answers, contract, fonts, frontend, fuzz, ministack, preview, rights, template, tools};

/// Its name, what it does, and the doing.
type Stage = (&'static str, &'static str, fn() -> Result<()>);

const STAGES: [&str; 6] = ["rust", "fuzz", "contract", "template", "frontend", "browser"];

pub fn run(arguments: &[String]) -> Result<()> {
    if let Some(unknown) = arguments.iter().find(|stage| !STAGES.contains(&stage.as_str())) {
        bail!("no stage {unknown:?}; there are {}", STAGES.join(", "));
    }
    let wanted = |stage: &str| arguments.is_empty() || arguments.iter().any(|named| named == stage);
    tools::for_building()?;
    tools::for_testing()?;

    let mut stages: Vec<Stage> = vec![("fonts", "the font files, from npm", fonts::fetch)];
    if wanted("rust") || wanted("frontend") || wanted("browser") {
        stages.push(("preview", "the engine for the browser, as WebAssembly", preview::build));
    }
    if wanted("rust") || wanted("browser") {
        stages.push(("emulator", "ministack, for what speaks to Cognito and SES, from PyPI", ministack::install));
    }
    if wanted("rust") {
        stages.push(("rust: format", "cargo fmt --check", format));
        stages.push(("rust: lint", "cargo clippy, warnings are errors", lint));
        stages.push((
            "rust: tests",
            "unit tests, the engine, the API over HTTP, both adapters of each port, crashes",
            rust,
        ));
    }
    if wanted("fuzz") {
        stages.push(("fuzz", "hostile input, half a minute a target", fuzz::briefly));
    }
    if wanted("contract") {
        stages.push(("contract: install", "schemathesis, from PyPI", contract::install));
        stages.push(("contract: server", "cargo build of the server under test", server));
        stages.push(("contract: requests", "the API held to its OpenAPI document, in three roles", contract::run));
    }
    if wanted("template") {
        stages.push(("template: install", "SAM, cfn-lint and checkov, from PyPI", template::install));
        stages.push((
            "template: limits",
            "translated: CloudFormation's limits, rights without stars, names",
            template::run,
        ));
        stages.push(("template: lint", "cfn-lint for two regions, sam validate --lint", template::lint));
        stages.push(("template: stacks", "two stages of one account, in ministack", template::stacks));
        stages.push(("template: checkov", "its findings, each with its reason", template::checkov));
    }
    if wanted("frontend") {
        stages.push(("frontend: install", "npm ci", || frontend::install("frontend")));
        stages.push(("frontend: check", "types, ESLint, unit tests", frontend_checks));
    }
    if wanted("frontend") || wanted("browser") {
        stages.push(("frontend: build", "npm run build, and what it weighs", frontend::build));
    }
    if wanted("browser") {
        stages.push(("browser: server", "cargo build of the server under test", server));
        stages.push(("browser: tests", "the product in Chromium, in three languages", browser));
    }

    // a stage that fails does not keep the others from telling what they know
    let mut steps = Steps::new(stages.len());
    for (name, what, stage) in stages {
        let _ = steps.run(name, what, stage);
    }
    steps.summary()
}

fn format() -> Result<()> {
    check(&mut cargo(&["fmt", "--all", "--check"]))
}

fn lint() -> Result<()> {
    check(&mut cargo(&["clippy", "--workspace", "--lib", "--bins", "--quiet", "--", "-D", "warnings"]))?;
    // a test may unwrap: that is how it fails
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
    let outcome = check(
        cargo(&["test", "--workspace", "--no-fail-fast"])
            .env("WARAQ_MINISTACK", format!("http://{}", emulator.address))
            .env("WARAQ_CONTRACTS", &report)
            .env("WARAQ_ANSWERS", &sent)
            .env("WARAQ_RIGHTS", &made_use_of)
            .env("WARAQ_PREVIEW", preview::folder()),
    );
    contracts(&std::fs::read_to_string(&report).unwrap_or_default());
    outcome?;
    let document = std::fs::read_to_string(root().join("frontend/src/api/openapi.json"))?;
    let unsent =
        answers::unsent(&serde_json::from_str(&document)?, &std::fs::read_to_string(&sent).unwrap_or_default());
    if !unsent.by_this_call.is_empty() {
        println!(
            "\n      listed, and sent to a test by another call only:\n      {}",
            unsent.by_this_call.join("\n      ")
        );
    }
    if !unsent.by_nobody.is_empty() {
        bail!("the OpenAPI document lists codes that no test of the API was sent: {}", unsent.by_nobody.join(", "));
    }
    let unused = rights::unused(&std::fs::read_to_string(&made_use_of).unwrap_or_default());
    if !unused.is_empty() {
        bail!("template.yaml gives rights that no test made use of:\n  {}", unused.join("\n  "));
    }
    Ok(())
}

/// Which contract ran on which adapter, to its end.
fn contracts(report: &str) {
    let mut lines: Vec<&str> = report.lines().collect();
    lines.sort_unstable();
    println!("\n      {:<28}  held on", "contract");
    for (contract, adapter) in lines.iter().filter_map(|line| line.split_once('\t')) {
        println!("      {contract:<28}  {adapter}");
    }
}

fn frontend_checks() -> Result<()> {
    let folder = root().join("frontend");
    for script in ["typecheck", "lint", "test"] {
        check(command("npm", &["run", "--silent", script]).current_dir(&folder))?;
    }
    Ok(())
}

/// Built as the Rust tests build it: with the workspace's features and no others, or the AWS SDK would be compiled twice.
pub fn server() -> Result<()> {
    check(&mut cargo(&["test", "--workspace", "--no-run", "--quiet"]))
}

fn browser() -> Result<()> {
    let emulator = ministack::Ministack::start()?;
    check(
        command("npm", &["run", "--silent", "e2e"])
            .current_dir(root().join("frontend"))
            .env("WARAQ_SERVER", target_dir().join("debug/waraq-local"))
            .env("WARAQ_MINISTACK", format!("http://{}", emulator.address))
            .env("WARAQ_BROWSER", tools::browser().unwrap_or("chromium")),
    )
}
