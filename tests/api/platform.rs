//! Locates the real programs of the functions.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
pub use waraq_local::platform::{Function, InvocationResult, ParameterService};

/// Returns the folder of the programs: the one that `WARAQ_PROGRAMS` names, or the folder of the local server's
/// program. With the variable these tests run on the programs that are shipped.
pub fn programs() -> PathBuf {
    match std::env::var_os("WARAQ_PROGRAMS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_BIN_EXE_waraq-local")).with_file_name(""),
    }
}

/// Returns the path of a program. Panics if it is not built.
pub fn program(name: &str) -> PathBuf {
    let program = programs().join(name);
    assert!(program.is_file(), "{} is not built: run the tests with --workspace", program.display());
    program
}

/// Returns a function's response to an event, checked against the OpenAPI document, or `None` if it has not responded
/// within its time-out.
pub async fn invoke(function: &mut Function, event: Value, time_out: Duration) -> Option<InvocationResult> {
    let asked = event.clone();
    let answered = function.invoke(event, time_out).await;
    if let (Some(InvocationResult::Response(answer)), Some(path)) = (&answered, asked["rawPath"].as_str()) {
        let body = serde_json::from_str(answer["body"].as_str().unwrap_or_default()).unwrap_or_default();
        let (method, status) = (&asked["requestContext"]["http"]["method"], &answer["statusCode"]);
        crate::documented_responses::check_response(
            method.as_str().unwrap(),
            path,
            status.as_u64().unwrap() as u16,
            &body,
        );
    }
    answered
}
