//! Finds error codes that the OpenAPI document lists but no API test received. Either such a code cannot occur, or a
//! test is missing. (`tests/api/answers.rs` fails for codes that are received but not listed.)

use std::collections::BTreeSet;

use serde_json::Value;

/// Codes that any call can return. They count as received if a single call returned them.
const COMMON_CODES: [&str; 3] = ["headers_too_large", "internal", "unavailable"];

/// Codes that the OpenAPI document lists but no test received.
#[derive(Debug, Default, PartialEq)]
pub struct Unsent {
    /// Codes that no call at all returned, for example `photo_type`.
    pub by_any_call: Vec<String>,
    /// Codes that another call returned, but not the call for which they are listed. Each text has the operation and
    /// the code, for example `auth-login: too_many_attempts`.
    pub by_this_call: Vec<String>,
}

/// Returns the codes that the OpenAPI document lists but that no test was sent. Each line of `sent` has an operation id and a code
/// that a test was sent, separated by a tab.
pub fn unsent(document: &Value, sent: &str) -> Unsent {
    let line = |name: &str, code: &str| {
        let name = if COMMON_CODES.contains(&code) { "any call" } else { name };
        format!("{name}: {code}")
    };
    let sent: Vec<(&str, &str)> = sent.lines().filter_map(|sent| sent.split_once('\t')).collect();
    let sent_codes: BTreeSet<&str> = sent.iter().map(|(_, code)| *code).collect();
    let sent: BTreeSet<String> = sent.iter().map(|(name, code)| line(name, code)).collect();
    let mut listed = BTreeSet::new();
    let calls = document["paths"].as_object().into_iter().flatten().flat_map(|(_, item)| item.as_object()).flatten();
    let calls = calls.map(|(_, call)| (call["operationId"].as_str(), call["responses"].as_object()));
    for (name, responses) in calls {
        for (_, response) in responses.into_iter().flatten() {
            listed.extend(codes(response).map(|code| (code, line(name.unwrap_or_default(), code))));
        }
    }
    for (name, response) in document["components"]["responses"].as_object().into_iter().flatten() {
        listed.extend(codes(response).map(|code| (code, line(name, code))));
    }
    let (mut by_nobody, mut by_this_call) = (BTreeSet::new(), BTreeSet::new());
    for (code, line) in listed.into_iter().filter(|(_, line)| !sent.contains(line)) {
        if sent_codes.contains(code) {
            by_this_call.insert(line);
        } else {
            by_nobody.insert(code.to_owned());
        }
    }
    Unsent { by_any_call: by_nobody.into_iter().collect(), by_this_call: by_this_call.into_iter().collect() }
}

fn codes(response: &Value) -> impl Iterator<Item = &str> {
    let parts = response["content"]["application/json"]["schema"]["allOf"].as_array();
    let listed = parts.into_iter().flatten().filter_map(|part| part["properties"]["code"]["enum"].as_array());
    listed.flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn documented_codes_that_were_never_sent_are_reported() {
        let listing = |codes: &[&str]| {
            let these = json!({ "properties": { "code": { "enum": codes } } });
            json!({ "content": { "application/json": { "schema": { "allOf": [{ "$ref": "" }, these] } } } })
        };
        let call = |name: &str, codes: &[&str]| json!({ "get": { "operationId": name, "responses": { "200": {}, "400": listing(codes) } } });
        let document = json!({
            "paths": { "/a": call("a", &["one", "two", "internal"]), "/b": call("b", &["one", "internal"]) },
            "components": { "responses": { "NoSuchCall": listing(&["three"]) } },
        });
        let some = unsent(&document, "a\tone\nb\tinternal\n");
        assert_eq!((some.by_any_call, some.by_this_call), (vec!["three".into(), "two".into()], vec!["b: one".into()]));
        let all = unsent(&document, "a\tone\na\ttwo\na\tinternal\nb\tone\nNoSuchCall\tthree\n");
        assert_eq!(all, Unsent::default());
    }
}
