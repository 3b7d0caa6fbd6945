//! `cargo xtask drill …`: tests that are too rough or too slow for the test command.
//!
//! - `fresh [--without-apt]`: runs the README's commands in a bare Debian 12 root ([`fresh`]).
//! - `saved [KILLS]`: kills the local server (-9) twenty times while documents are saved, edited, deleted and restored. The
//!   data are checked after each kill: no document is incomplete, and after the sweep every file is referenced.
//! - `panic`: sends a special value to the release program of fill-fields, which then panics. (For this drill, the program
//!   is built with a test feature that is never shipped.) The response must be a 500 with a code, and the same process
//!   must handle the next request.
//! - `silence`: runs every function, as a release program, while one service after another accepts calls and never responds.
//! - `faults [SECONDS]`: runs release programs under load, while each service in turn fails for some time. DynamoDB
//!   throttles, S3 responds 500, SES refuses, Cognito is silent, SSM throttles. Every response has a code, no data are
//!   half written, and the service recovers by itself.
//! - `counters`: a thousand fills of one template run at the same time as a hundred profile changes and a hundred
//!   registrations. The same runs again while every third transaction is refused with a conflict. Every count must be
//!   exact.
//! - `deletion`: kills the local server (-9) before and after each write of an account's deletion, and starts it again. All
//!   data of the account must be deleted.

#[cfg(unix)]
mod fresh;

use anyhow::{Result, bail};

use crate::steps::{cargo, check, target_dir};

pub fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        #[cfg(unix)]
        ["fresh"] => fresh::run(false),
        #[cfg(unix)]
        ["fresh", "--without-apt"] => fresh::run(true),
        ["saved"] => saved("20"),
        ["saved", kills] => saved(kills),
        ["faults"] => faults("20"),
        ["faults", seconds] => faults(seconds),
        ["counters"] => counters(),
        ["deletion"] => deletion(),
        ["panic"] => panic(),
        ["silence"] => silence(),
        _ => bail!(
            "drill takes fresh [--without-apt], saved [KILLS], faults [SECONDS], counters, deletion, panic or silence"
        ),
    }
}

fn saved(kills: &str) -> Result<()> {
    let test = "saved_crash::kill_during_saves_and_deletions_leaves_no_partial_document";
    check(test_of(&[], test).env("WARAQ_KILLS", kills))
}

fn counters() -> Result<()> {
    for test in ["dashboard::counts_are_exact_under_load", "dashboard::counts_are_exact_with_frequent_write_conflicts"]
    {
        check(test_of(&[], test).env("WARAQ_COUNTERS", "all"))?;
    }
    Ok(())
}

fn deletion() -> Result<()> {
    let test = "own_data::deletion_continues_after_a_kill_at_any_write";
    check(test_of(&[], test).env("WARAQ_DELETION", "all"))
}

fn panic() -> Result<()> {
    const FEATURE: &[&str] = &["--features", "waraq-local/drill"];
    const PROGRAM: &str = "documents-fill-fields";
    let folder = target_dir().join("drill");
    std::fs::create_dir_all(&folder)?;
    check(cargo(&["build", "--release", "--workspace", "--bin", PROGRAM]).args(FEATURE))?;
    // The program is moved out of the folder, because that folder has the programs that are shipped.
    std::fs::rename(target_dir().join("release").join(PROGRAM), folder.join(PROGRAM))?;
    check(test_of(FEATURE, "panic::process_serves_requests_after_a_panic").env("WARAQ_PROGRAMS", folder))
}

fn silence() -> Result<()> {
    check(&mut cargo(&["build", "--release", "--workspace", "--bins"]))?;
    let test = "silence::functions_respond_in_time_if_a_service_is_silent";
    check(test_of(&[], test).env("WARAQ_PROGRAMS", target_dir().join("release")))
}

fn faults(seconds: &str) -> Result<()> {
    crate::ministack::install()?;
    let programs = crate::test_cloud::build()?;
    let emulator = crate::ministack::Ministack::start()?;
    let mut drill = test_of(&[], "faults::measure_recovery_from_faults");
    drill.env("WARAQ_FAULTS", seconds).env("WARAQ_PROGRAMS", programs);
    check(drill.env("WARAQ_MINISTACK", format!("http://{}", emulator.address)))
}

/// Returns the command that runs one API test and shows its output. `options` are options for cargo.
fn test_of(options: &[&str], name: &str) -> std::process::Command {
    let mut command = cargo(&["test", "--workspace", "--test", "api"]);
    command.args(options).args(["--", "--include-ignored", "--exact", "--nocapture", name]);
    command
}
