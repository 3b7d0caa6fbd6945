//! Tests of field settings: they are detected when a template is uploaded, overridden by an admin, and kept with each
//! version.

use serde_json::{Value, json};

use crate::test_server::{ApiResponse, Form, TestServer, bearer, docx};

async fn opened(server: &TestServer, admin: &str, id: &str) -> Value {
    let answer = server.api.get_as(admin, &format!("/api/v1/documents/{id}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json
}

fn help_of<'a>(answer: &'a Value, field: &str) -> &'a Value {
    let all = answer["fieldHelp"].as_array().unwrap();
    all.iter().find(|help| help["field"] == field).unwrap_or(&Value::Null)
}

/// Sends an edit with these field settings and returns the response.
async fn override_settings(server: &TestServer, admin: &str, id: &str, said: &Value) -> ApiResponse {
    server.api.edit(admin, id, &[], &Form::from_texts(&[("fieldHelp", &said.to_string())])).await
}

#[tokio::test]
async fn detected_settings_are_shown_and_overridden_by_an_admin() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let file =
        docx(&["Paid by {{client_name}} on {{Date}}:", "{{Sum}} EUR.", "Married (yes/no): {{Married (yes/no)}}"]);
    let form = Form::from_texts(&[("title", "Receipt")]).with_file(file);
    let guessed = json!([
        { "field": "client_name", "label": "Client name", "kind": "text", "meaning": "name", "party": "buyer" },
        { "field": "Date", "kind": "date" },
        { "field": "Sum", "kind": "amount" },
        { "field": "Married (yes/no)", "kind": "choice", "choices": ["Yes", "No"] },
    ]);
    let checked = server.api.check(&admin, &form).await;
    assert_eq!(checked.json["fieldHelp"], guessed, "{checked:?}");
    let hint = json!([{ "field": "client_name", "hint": "As in the register", "example": "Zoé" }]);
    let published = server.api.publish(&admin, &[], &form.with("fieldHelp", &hint.to_string())).await;
    assert_eq!(published.status, 201, "{published:?}");
    let id = published.json["document"]["_id"].as_str().unwrap().to_owned();
    let now = opened(&server, &admin, &id).await;
    assert_eq!(now["fieldHelp"][1], guessed[1]);
    let said = json!({
        "field": "client_name", "label": "Client name", "hint": "As in the register", "example": "Zoé", "kind": "text",
        "said": ["hint", "example"], "guessed": { "field": "client_name", "label": "Client name" },
        "meaning": "name", "party": "buyer",
    });
    assert_eq!(now["fieldHelp"][0], said);

    // Each edit replaces all overrides. An overridden setting stays; if its override is left out, it is detected again.
    let mended = json!([
        { "field": " Sum ", "kind": "choice", "choices": ["1", "2"], "group": "Money", "label": "How much?" },
        { "field": "Date", "kind": "text" },
    ]);
    let edited = override_settings(&server, &admin, &id, &mended).await;
    assert_eq!((edited.status, &edited.json["document"]["revision"]), (200, &json!(1)), "{edited:?}");
    let now = opened(&server, &admin, &id).await;
    assert_eq!(help_of(&now, "client_name"), &guessed[0]);
    assert_eq!(
        help_of(&now, "Date"),
        &json!({ "field": "Date", "kind": "text", "said": ["kind"], "guessed": { "field": "Date", "kind": "date" } })
    );
    let sum = json!({
        "field": "Sum", "label": "How much?", "group": "Money", "kind": "choice", "choices": ["1", "2"],
        "said": ["label", "group", "kind", "choices"], "guessed": { "field": "Sum", "kind": "amount" },
    });
    assert_eq!(help_of(&now, "Sum"), &sum);
    // The same settings again change nothing. The audit log names the changed fields.
    assert_eq!(override_settings(&server, &admin, &id, &mended).await.json["document"]["revision"], 1);
    let history = server.api.get_as(&admin, &format!("/api/v1/documents/{id}/history")).await;
    let change = json!({ "part": "fields", "from": "", "to": "Date, Sum, client_name" });
    assert_eq!(history.json["history"][0]["changes"], json!([change]), "{history:?}");
    assert_eq!(override_settings(&server, &admin, &id, &json!([])).await.status, 200);
    assert_eq!(opened(&server, &admin, &id).await["fieldHelp"], guessed);
}

#[tokio::test]
async fn overridden_settings_follow_fields_across_versions() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    let said = json!([{ "field": "Name", "hint": "In full" }, { "field": "Date", "hint": "Of signature" }]);
    assert_eq!(override_settings(&server, &admin, &id, &said).await.status, 200);

    // A user saves a document of the first version.
    let (_, user) = server.account("u@example.org").await;
    let save = json!({ "fieldsAndValues": [{ "Name": "Zoé" }, { "Date": "today" }] });
    let authorization = bearer(&user);
    let kept =
        server.api.post(&format!("/api/v1/documents/{id}/save"), &[("authorization", &authorization)], &save).await;
    let saved = kept.json["savedDocument"]["_id"].as_str().unwrap().to_owned();

    // A renamed field keeps its settings, those of a removed field are dropped, and those of a new field are detected.
    let file = docx(&["Dear {{Full name}},", "call {{Telephone}}."]);
    let edit = Form::from_texts(&[("renamed", r#"{"Name":"Full name"}"#)]).with_file(file);
    let edited = server.api.edit(&admin, &id, &[], &edit).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let now = opened(&server, &admin, &id).await;
    let named = json!({ "field": "Full name", "hint": "In full", "kind": "text", "said": ["hint"], "meaning": "name" });
    assert_eq!(now["fieldHelp"], json!([named, { "field": "Telephone", "kind": "phone", "meaning": "tel" }]));
    let telephone = json!([{ "field": "Full name", "hint": "As signed" }]);
    assert_eq!(override_settings(&server, &admin, &id, &telephone).await.status, 200);

    // A saved document shows the form of its own version, together with the settings of the newer version.
    let open = server.api.get_as(&user, &format!("/api/v1/documents/saved/{saved}")).await.json;
    assert_eq!(help_of(&open, "Name")["hint"], "In full");
    assert_eq!(help_of(&open["newerTemplate"], "Full name")["hint"], "As signed");
    assert_eq!(help_of(&open["newerTemplate"], "Telephone")["kind"], "phone");
    let versions = server.api.get_as(&admin, &format!("/api/v1/documents/{id}/versions")).await.json;
    assert_eq!(help_of(&versions["versions"][0], "Full name")["hint"], "As signed");
    assert_eq!(help_of(&versions["versions"][1], "Name")["hint"], "In full");

    // After the first version is restored, overrides made since then stay, under the old field name. A field that is
    // back has the settings that it had in that version.
    let body = json!({ "templateVersion": 1 });
    let authorization = bearer(&admin);
    let headers = [("authorization", authorization.as_str())];
    let restored = server.api.post(&format!("/api/v1/documents/{id}/restore"), &headers, &body).await;
    assert_eq!(restored.status, 200, "{restored:?}");
    let now = opened(&server, &admin, &id).await;
    assert_eq!(help_of(&now, "Name")["hint"], "As signed");
    assert_eq!(
        (&help_of(&now, "Date")["hint"], &help_of(&now, "Date")["kind"]),
        (&json!("Of signature"), &json!("date"))
    );
}

#[tokio::test]
async fn invalid_settings_are_refused_and_change_nothing() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    let long = |length: usize| "x".repeat(length);
    let cases = [
        (json!([{ "field": "Nmae", "hint": "x" }]), "unknown_field"),
        (json!([{ "field": "Name", "hint": "x" }, { "field": " Name", "kind": "date" }]), "duplicate_field"),
        (json!([{ "field": "Name", "label": long(101) }]), "invalid_field_help"),
        (json!([{ "field": "Name", "hint": "a\u{202e}b" }]), "invalid_field_help"),
        (json!([{ "field": "Name", "kind": "choice" }]), "invalid_field_help"),
        (json!([{ "field": "Name", "kind": "colour" }]), "invalid_body"),
        (json!([{ "field": "Name", "colour": "red" }]), "invalid_body"),
        (json!({ "Name": {} }), "invalid_body"),
        (json!([{ "field": "Name", "hint": long(500_000) }]), "invalid_field_help"),
        (json!(vec![json!({ "field": "Name" }); 2_001]), "too_many_fields"),
    ];
    for (said, code) in cases {
        let edited = override_settings(&server, &admin, &id, &said).await;
        assert_eq!((edited.status, edited.code()), (400, code), "{said:.200} {edited:?}");
        let form = Form::letter("Another").with("fieldHelp", &said.to_string());
        let published = server.api.publish(&admin, &[], &form).await;
        assert_eq!((published.status, published.code()), (400, code), "{said:.200} {published:?}");
    }
    let label = override_settings(&server, &admin, &id, &json!([{ "field": "Name", "label": long(101) }])).await;
    let details = &label.json["details"];
    assert_eq!((&details["fields"], &details["limit"]), (&json!(["Name"]), &json!(100)));
    let now = opened(&server, &admin, &id).await;
    assert_eq!((&now["document"]["revision"], now["fieldHelp"][0].get("said")), (&json!(0), None));
    assert_eq!(server.api.get("/api/v1/documents").await.json["total"], 1);
}
