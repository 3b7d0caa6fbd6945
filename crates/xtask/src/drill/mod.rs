//! `cargo xtask drill …`: tests that are too rough or too slow for the test command.
//!
//! - `fresh [--without-apt]`: the README's commands in a bare Debian 12 root ([`fresh`]).
//! - `saved [KILLS]`: the local server is killed (-9) twenty times while documents are saved, edited, deleted and restored, and its data are checked
//!   after each: no half document, and after the sweep no unreferenced file.
//! - `panic`: the release program of fill-fields, built with a test feature that is never shipped, panics on a special value. The response is
//!   a 500 with a code, and the same process handles the next request.
//! - `silence`: every function, as a release program, while one service after another accepts its calls and never responds.
//! - `faults [SECONDS]`: each service in turn fails for a while under load, before release programs: DynamoDB throttles, S3 responds 500, SES
//!   refuses, Cognito is silent, SSM throttles. Every response has a code, nothing is half written, and everything recovers by itself.
//! - `counters`: a thousand fills of one template at the same time as a hundred profile changes and a hundred registrations, and again with
//!   every third transaction refused as conflicting. Every count must be exact.
//! - `deletion`: the local server is killed (-9) before and after each write of an account's deletion, and started again: no data of the
//!   account are left.

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
    let test = "saved_crash::killed_while_people_save_and_delete_it_keeps_no_half_document";
    check(test_of(&[], test).env("WARAQ_KILLS", kills))
}

fn counters() -> Result<()> {
    for test in [
        "dashboard::counts_are_exact_under_load",
        "dashboard::counts_are_exact_where_every_third_transaction_is_refused_as_conflicting",
    ] {
        check(test_of(&[], test).env("WARAQ_COUNTERS", "all"))?;
    }
    Ok(())
}

fn deletion() -> Result<()> {
    let test = "own_data::killed_at_each_write_of_a_deletion_it_goes_on_until_nothing_is_left";
    check(test_of(&[], test).env("WARAQ_DELETION", "all"))
}

fn panic() -> Result<()> {
    const FEATURE: &[&str] = &["--features", "waraq-local/drill"];
    const PROGRAM: &str = "documents-fill-fields";
    let folder = target_dir().join("drill");
    std::fs::create_dir_all(&folder)?;
    check(cargo(&["build", "--release", "--workspace", "--bin", PROGRAM]).args(FEATURE))?;
    // Moved out of the folder of the programs that are shipped.
    std::fs::rename(target_dir().join("release").join(PROGRAM), folder.join(PROGRAM))?;
    check(test_of(FEATURE, "panic::the_process_that_panicked_answers_the_next_request").env("WARAQ_PROGRAMS", folder))
}

fn silence() -> Result<()> {
    check(&mut cargo(&["build", "--release", "--workspace", "--bins"]))?;
    let test = "silence::a_service_that_is_silent_costs_no_function_its_time";
    check(test_of(&[], test).env("WARAQ_PROGRAMS", target_dir().join("release")))
}

fn faults(seconds: &str) -> Result<()> {
    crate::ministack::install()?;
    let programs = crate::test_cloud::build()?;
    let emulator = crate::ministack::Ministack::start()?;
    let mut drill = test_of(&[], "faults::drill");
    drill.env("WARAQ_FAULTS", seconds).env("WARAQ_PROGRAMS", programs);
    check(drill.env("WARAQ_MINISTACK", format!("http://{}", emulator.address)))
}

/// Returns the command that runs one API test and shows its output.
fn test_of(options: &[&str], name: &str) -> std::process::Command {
    let mut command = cargo(&["test", "--workspace", "--test", "api"]);
    command.args(options).args(["--", "--exact", "--nocapture", name]);
    command
}
