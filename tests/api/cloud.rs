//! Runs the API tests against the real programs of the functions (`cargo xtask test cloud`).
//!
//! If `WARAQ_CLOUD` is set, the calls of every test server go to the programs in the folder that `WARAQ_PROGRAMS`
//! names. Each program has the environment and the role of template.yaml. A test that changes something in its own
//! process (the clock, limits) cannot use the programs: its calls are answered in the test process, and the file that
//! `WARAQ_CLOUD` names records this.

use std::collections::{BTreeSet, HashMap};
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use waraq_aws::RuntimeOptions;
use waraq_core::Clock;
use waraq_local::Options;
use waraq_local::platform::ProgramSettings;

use crate::logs;
use crate::platform::{InvocationResult, invoke, programs as folder};
use crate::silence::{FunctionWorld, template_functions};
use crate::test_server::TestServer;

/// Returns the programs that answer the calls of a test server, or `None` if the test process answers them itself.
/// `clock` is the clock before the test changed the options. `here` is the test's reason to run in its own process.
pub fn programs_of(options: &Options, clock: &Arc<dyn Clock>, here: Option<&'static str>) -> Option<ProgramSettings> {
    let report = std::env::var_os("WARAQ_CLOUD")?;
    let changed = here.or(changed_option(&options.options, clock));
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    let said = match changed {
        Some(what) => format!("{test}\tin this process\t{what}\n"),
        None => format!("{test}\tprograms\t\n"),
    };
    static WRITTEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if WRITTEN.lock().unwrap_or_else(PoisonError::into_inner).insert(said.clone()) {
        let mut file = OpenOptions::new().create(true).append(true).open(report).unwrap();
        file.write_all(said.as_bytes()).unwrap();
    }
    changed.is_none().then(|| settings(options))
}

/// Settings of the programs that match the options of a test server.
pub fn settings(options: &Options) -> ProgramSettings {
    ProgramSettings {
        folder: folder(),
        functions: template_functions(),
        log: Some(Arc::new(|line: &str| logs::check_line(&without_time(line)))),
        overrides: HashMap::new(),
        own_identity: options.rights.is_some(),
    }
}

/// Invokes each function's program with its sample event, like `cargo lambda invoke`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the release programs: cargo xtask test cloud"]
async fn every_sample_event_is_answered_by_its_program() {
    assert!(std::env::var_os("WARAQ_CLOUD").is_some(), "run by cargo xtask test cloud");
    let world = FunctionWorld::for_server(TestServer::new().await).await;
    let programs = world.server.local.programs.clone().unwrap();
    for (call, (name, function)) in template_functions().into_iter().enumerate() {
        let mut program = programs.start(&name).await.unwrap();
        let answered = invoke(&mut program, world.sample(&name, None, call), function.time_out).await;
        match answered.unwrap_or_else(|| panic!("{name} does not answer")) {
            InvocationResult::Error(error) => panic!("{name}: {error}"),
            // A function without an HTTP route.
            InvocationResult::Response(done) if done["statusCode"].is_null() => {
                assert!(done["left"].is_number() || done["made"].is_number(), "{name}: {done}")
            }
            answered => {
                let (status, code) = answered.status_and_code().unwrap();
                assert!(status < 500 && status != 405 && code != "route_not_found", "{name}: {answered:?}");
                assert!(!["invalid_body", "json_expected", "form_expected"].contains(&code.as_str()), "{name}: {code}");
            }
        }
    }
}

/// Removes the time from a log line, because its digits could be taken for a code.
fn without_time(line: &str) -> String {
    let Ok(Value::Object(mut line)) = serde_json::from_str(line) else { return line.to_owned() };
    line.retain(|name, _| name != "timestamp" && name != "_aws");
    Value::Object(line).to_string()
}

fn changed_option(options: &RuntimeOptions, clock: &Arc<dyn Clock>) -> Option<&'static str> {
    let usual = RuntimeOptions::default();
    let changes = [
        (!Arc::ptr_eq(&options.clock, clock), "the clock stands still"),
        (options.signing_clock.is_some(), "the clock of signatures"),
        (options.timeouts != usual.timeouts, "how long a service is waited for"),
        (options.source_limits_factor != usual.source_limits_factor, "limits by source"),
        (options.guest_fills_per_minute != usual.guest_fills_per_minute, "limits by source"),
        (options.document_seconds != usual.document_seconds, "what a document may take"),
        (options.document_work != usual.document_work, "what a document may take"),
    ];
    changes.into_iter().find_map(|(changed, what)| changed.then_some(what))
}
