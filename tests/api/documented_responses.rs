//! Checks every response that a test receives from the API against the OpenAPI document. The test fails if the document
//! does not list the status or the error code for that operation.
//!
//! The error codes that were seen are appended to the file that `WARAQ_ANSWERS` names. `cargo xtask test` reads it and
//! fails if the document lists a code that no test received.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::Value;

/// The documented responses of an operation: the error codes by status. A status without errors has an empty set.
type DocumentedResponses = BTreeMap<u16, BTreeSet<String>>;

struct Call {
    /// The `operationId`, which is the name of the function.
    name: String,
    method: String,
    /// The segments of the path. A path parameter is written as `{id}`.
    segments: Vec<String>,
    responses: DocumentedResponses,
}

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(&functions::openapi::document().unwrap()).unwrap());

static CALLS: LazyLock<Vec<Call>> = LazyLock::new(|| {
    let mut calls = Vec::new();
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            calls.push(Call {
                name: operation["operationId"].as_str().unwrap().to_owned(),
                method: method.to_uppercase(),
                segments: segments(path),
                responses: responses
                    .iter()
                    .map(|(status, response)| (status.parse().unwrap(), codes(response)))
                    .collect(),
            });
        }
    }
    calls
});

fn segments(path: &str) -> Vec<String> {
    path.trim_end_matches('/').split('/').skip(1).map(str::to_owned).collect()
}

fn codes(response: &Value) -> BTreeSet<String> {
    let parts = response["content"]["application/json"]["schema"]["allOf"].as_array();
    let listed = parts.into_iter().flatten().filter_map(|part| part["properties"]["code"]["enum"].as_array());
    listed.flatten().filter_map(|code| code.as_str().map(str::to_owned)).collect()
}

/// Checks one response against the document. `json` is null if the response has no JSON body, as for HEAD.
pub fn check_response(method: &str, path: &str, status: u16, json: &Value) {
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    if !(path == "/api" || path.starts_with("/api/") || path.starts_with("/media/")) || method == "OPTIONS" {
        return;
    }
    let code = json["code"].as_str().filter(|_| status >= 400).unwrap_or_default();
    let asked = segments(path);
    let fits = |call: &&Call| {
        let same = |(known, asked): (&String, &String)| known.starts_with('{') || known == asked;
        call.segments.len() == asked.len() && call.segments.iter().zip(&asked).all(same)
    };
    // If several paths match, the one with the fewest parameters wins: `/documents/file` before `/documents/{id}`.
    let varying = |call: &&Call| call.segments.iter().filter(|segment| segment.starts_with('{')).count();
    let fewest = CALLS.iter().filter(fits).map(|call| varying(&call)).min();
    let here: Vec<&Call> = CALLS.iter().filter(fits).filter(|call| Some(varying(call)) == fewest).collect();
    let asked_for = if method == "HEAD" { "GET" } else { method };
    let (name, answers) = match here.iter().find(|call| call.method == asked_for) {
        Some(call) => (call.name.as_str(), call.responses.clone()),
        None => {
            let named = if here.is_empty() { "NoSuchCall" } else { "OtherMethod" };
            let status = if here.is_empty() { 404 } else { 405 };
            (named, BTreeMap::from([(status, codes(&DOCUMENT["components"]["responses"][named]))]))
        }
    };
    let listed = answers
        .get(&status)
        .is_some_and(|codes| if codes.is_empty() { code.is_empty() } else { codes.contains(code) || method == "HEAD" });
    assert!(listed, "{method} {path} answered {status} {code:?}, which the OpenAPI document does not list for {name}");
    if !code.is_empty() {
        report_line(&format!("{name}\t{code}\n"));
    }
}

/// Appends each line once per run. A single write keeps the lines of parallel tests apart.
fn report_line(line: &str) {
    static WRITTEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(report) = std::env::var_os("WARAQ_ANSWERS")
        && written.insert(line.to_owned())
    {
        let mut file = OpenOptions::new().create(true).append(true).open(report).unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
}

#[test]
#[should_panic(expected = "which the OpenAPI document does not list for languages")]
fn an_undocumented_code_fails() {
    check_response("GET", "/api/v1/languages", 404, &serde_json::json!({ "code": "document_not_found" }));
}

#[test]
#[should_panic(expected = "which the OpenAPI document does not list for documents-get")]
fn an_undocumented_status_fails() {
    check_response("GET", "/api/v1/documents/a?b=c", 418, &Value::Null);
}
