//! Every answer that a test gets from the API is held against the OpenAPI document: a status, or a code of an error, that the document does
//! not list for that call fails the test that got it. What was sent is written into the file that `WARAQ_ANSWERS` names, for
//! `cargo xtask test`, which fails where a code is listed that no test was sent.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

use serde_json::Value;

/// What the document says may be answered: by status, the codes; none for what is no error.
type Answers = BTreeMap<u16, BTreeSet<String>>;

struct Call {
    /// `operationId`: the function.
    name: String,
    method: String,
    /// The path's segments, `{id}` for one that varies.
    segments: Vec<String>,
    answers: Answers,
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
                answers: responses
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

/// Holds one answer against the document. `json` is null where the body is none, as of HEAD.
pub fn note(method: &str, path: &str, status: u16, json: &Value) {
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
    // Of two that fit, the one that says more: `/documents/file` is no `/documents/{id}`.
    let varying = |call: &&Call| call.segments.iter().filter(|segment| segment.starts_with('{')).count();
    let fewest = CALLS.iter().filter(fits).map(|call| varying(&call)).min();
    let here: Vec<&Call> = CALLS.iter().filter(fits).filter(|call| Some(varying(call)) == fewest).collect();
    let asked_for = if method == "HEAD" { "GET" } else { method };
    let (name, answers) = match here.iter().find(|call| call.method == asked_for) {
        Some(call) => (call.name.as_str(), call.answers.clone()),
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
        write_down(&format!("{name}\t{code}\n"));
    }
}

/// Each line once a run; as one write, so that no two get mixed up.
fn write_down(line: &str) {
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
fn a_code_that_is_not_listed_is_noticed() {
    note("GET", "/api/v1/languages", 404, &serde_json::json!({ "code": "document_not_found" }));
}

#[test]
#[should_panic(expected = "which the OpenAPI document does not list for documents-get")]
fn a_status_that_is_not_listed_is_noticed() {
    note("GET", "/api/v1/documents/a?b=c", 418, &Value::Null);
}
