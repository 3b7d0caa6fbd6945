//! Tests of derived fields: an admin declares them, and their values are computed when a document is filled, saved or
//! previewed.

use serde_json::{Value, json};

use crate::test_server::{ApiResponse, Form, TestServer, bearer, docx, docx_text};

const PARAGRAPHS: [&str; 3] =
    ["{{Rent}} and {{Costs}}: {{Total}}", "({{Total in words}}), {{Day}}", "{{Day in words}}."];

fn derived_settings() -> Value {
    json!([
        { "field": "Total", "derivation": { "kind": "sum", "of": ["Rent", "Costs"], "currency": "MAD" } },
        { "field": "Total in words", "derivation": { "kind": "amount_in_words", "of": " Total ", "currency": "MAD" } },
        { "field": "Day in words", "hint": "As written", "derivation": { "kind": "date_in_words", "of": "Day" } },
    ])
}

async fn published(server: &TestServer, admin: &str) -> String {
    let form =
        Form::from_texts(&[("title", "Bail"), ("language", "fr"), ("country", "MA")]).with_file(docx(&PARAGRAPHS));
    let answer = server.api.publish(admin, &[], &form.with("fieldHelp", &derived_settings().to_string())).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json["document"]["_id"].as_str().unwrap().to_owned()
}

fn values(values: Value) -> Value {
    json!({ "fieldsAndValues": values, "save": false })
}

fn docx_text_of(answer: &ApiResponse) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    docx_text(&answer.file("file"))
}

#[tokio::test]
async fn derived_fields_are_computed_from_typed_values() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = published(&server, &admin).await;
    let open = server.api.get(&format!("/api/v1/documents/{id}")).await;
    let total =
        open.json["fieldHelp"].as_array().unwrap().iter().find(|help| help["field"] == "Total in words").unwrap();
    let derivation = json!({ "kind": "amount_in_words", "of": "Total", "currency": "MAD", "case": "nominative" });
    assert_eq!((&total["derivation"], &total["said"]), (&derivation, &json!(["derivation"])));

    // The values of derived fields need not be sent.
    let typed = json!([{ "Rent": "4 500 DH" }, { "Costs": "80,50" }, { "Day": "1er mars 2026" }]);
    let all = "4 500 DH and 80,50: 4\u{a0}580,50(quatre-mille-cinq-cent-quatre-vingts dirhams et cinquante centimes), \
               1er mars 2026premier mars deux-mille-vingt-six.";
    let squeezed = |text: &str| text.replace(['\n', '\t'], "");
    let answer = server.api.fill(&id, &[("idempotency-key", "one")], &values(typed.clone())).await;
    assert_eq!(squeezed(&docx_text_of(&answer)), all);
    assert_eq!(answer.json.get("unsaid"), None);
    let tried = server
        .api
        .post(
            &format!("/api/v1/documents/{id}/try"),
            &[("authorization", &bearer(&admin))],
            &json!({ "fieldsAndValues": typed }),
        )
        .await;
    assert_eq!(squeezed(&docx_text_of(&tried)), all);

    // A value that the user types into a derived field overrides it, and fields derived from it use that value. An
    // empty value is computed again.
    let mut own = typed.clone();
    own.as_array_mut().unwrap().extend([json!({ "Total": "5 000" }), json!({ "Day in words": "  " })]);
    let answer = server.api.fill(&id, &[], &values(own)).await;
    assert!(docx_text_of(&answer).contains("cinq-mille dirhams"), "{answer:?}");
    assert!(docx_text_of(&answer).contains("premier mars"), "{answer:?}");

    // A value that cannot be read leaves its derived fields empty, and the response says why. An error about missing
    // fields names only the sources.
    let odd = json!([{ "Rent": "100 €" }, { "Costs": "" }, { "Day": "" }]);
    let answer = server.api.fill(&id, &[], &values(odd)).await;
    let unsaid =
        json!([{ "field": "Total", "why": "other_currency" }, { "field": "Total in words", "why": "other_currency" }]);
    assert_eq!(answer.json["unsaid"], unsaid);
    assert!(docx_text_of(&answer).contains("(..."), "{answer:?}");
    let missing = server.api.fill(&id, &[], &values(json!([{ "Rent": "1" }]))).await;
    assert_eq!((missing.code(), &missing.json["details"]["fields"]), ("missing_fields", &json!(["Costs", "Day"])));

    // The same request with the same key gets the same response, even after the template has changed.
    let none = Form::from_texts(&[("fieldHelp", "[]")]);
    assert_eq!(server.api.edit(&admin, &id, &[], &none).await.status, 200);
    let again = server.api.fill(&id, &[("idempotency-key", "one")], &values(typed.clone())).await;
    assert_eq!(squeezed(&docx_text_of(&again)), all);
    assert_eq!(server.api.fill(&id, &[], &values(typed)).await.code(), "missing_fields");
}

#[tokio::test]
async fn saved_documents_keep_typed_values_and_derivations_follow_renames() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = published(&server, &admin).await;
    let (_, user) = server.account("u@example.org").await;
    let (bearer_of_user, save) = (bearer(&user), format!("/api/v1/documents/{id}/save"));
    let headers = [("authorization", bearer_of_user.as_str())];
    let typed = json!([{ "Rent": "21" }, { "Costs": "" }, { "Day": "x" }]);
    let kept = server.api.post(&save, &headers, &json!({ "fieldsAndValues": typed })).await;
    assert_eq!(kept.status, 201, "{kept:?}");
    let saved = kept.json["savedDocument"]["_id"].as_str().unwrap().to_owned();
    let open = server.api.get_as(&user, &format!("/api/v1/documents/saved/{saved}")).await;
    assert!(docx_text_of(&open).contains("vingt-et-un dirhams"));
    let data = open.json["savedDocument"]["currentDocumentData"].as_array().unwrap();
    assert_eq!(data[3], json!({ "Total in words": "" }));

    // The new file renames a field: derivations follow the new name, and those of a removed field are dropped.
    let file = docx(&["{{Loyer}} {{Costs}} {{Total}} {{Total in words}} {{Day in words}}"]);
    let edit = Form::from_texts(&[("renamed", r#"{"Rent":"Loyer"}"#)]).with_file(file);
    assert_eq!(server.api.edit(&admin, &id, &[], &edit).await.status, 200);
    let help = server.api.get(&format!("/api/v1/documents/{id}")).await.json["fieldHelp"].clone();
    let sum = json!({ "kind": "sum", "of": ["Loyer", "Costs"], "currency": "MAD" });
    assert_eq!(
        (&help[2]["derivation"], help[4].get("derivation"), &help[4]["hint"]),
        (&sum, None, &json!("As written"))
    );
    // The saved document still belongs to its own version.
    let edit = json!({ "fieldsAndValues": typed, "savedDocumentId": saved, "version": 1 });
    assert_eq!(server.api.post(&save, &headers, &edit).await.status, 200);
}

#[tokio::test]
async fn invalid_derivations_are_refused() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = published(&server, &admin).await;
    let sum = |field: &str, of: &[&str]| json!({ "field": field, "derivation": { "kind": "sum", "of": of } });
    let many: Vec<String> = (0..101).map(|number| format!("f{number}")).collect();
    let cases = [
        (json!([sum("Total", &["Rent", "Nothing"])]), "derivation_source", json!(["Nothing"])),
        (json!([sum("Total", &["Total"])]), "derivation_cycle", json!(["Total"])),
        (json!([sum("Total", &["Rent"]), sum("Rent", &["Total"])]), "derivation_cycle", json!(["Rent", "Total"])),
        (json!([sum("Total", &[])]), "invalid_derivation", json!(["Total"])),
        (
            json!([sum("Total", &many.iter().map(String::as_str).collect::<Vec<_>>())]),
            "invalid_derivation",
            json!(["Total"]),
        ),
        (
            json!([{ "field": "Total", "derivation": { "kind": "product", "of": ["Rent"] } }]),
            "invalid_derivation",
            json!(["Total"]),
        ),
        (
            json!([{ "field": "Total", "derivation": { "kind": "power", "of": ["Rent"] } }]),
            "invalid_body",
            json!(["fieldHelp"]),
        ),
    ];
    for (said, code, fields) in cases {
        let form = Form::from_texts(&[("fieldHelp", &said.to_string())]);
        let edited = server.api.edit(&admin, &id, &[], &form).await;
        assert_eq!(
            (edited.status, edited.code(), &edited.json["details"]["fields"]),
            (400, code, &fields),
            "{edited:?}"
        );
        let form =
            Form::from_texts(&[("title", "Bail"), ("fieldHelp", &said.to_string())]).with_file(docx(&PARAGRAPHS));
        let published = server.api.publish(&admin, &[], &form).await;
        assert_eq!((published.status, published.code()), (400, code), "{published:?}");
    }
}
