//! Tests of values that are no texts: lists and yes/no answers in requests, saved documents and exports.

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::saved::{Owner, text_of};
use crate::test_server::{ApiResponse, Form, TestServer, bearer, docx, docx_of_body, docx_text, paragraph, table_row};

/// Returns an invoice with the text `Name`, the list `items` (columns `item`, `price`) and the yes/no field `Paid`.
fn invoice() -> Vec<u8> {
    let table = table_row(&["{{#items}}{{item}}", "{{price}}{{/items}}"]);
    let end = ["{{#Paid}}", "Paid, thank you.", "{{/Paid}}"].map(paragraph).concat();
    docx_of_body(&format!("{}{table}{end}", paragraph("Dear {{Name}},")))
}

async fn publish(server: &TestServer, file: Vec<u8>) -> String {
    let form = Form::from_texts(&[("title", "Invoice")]).with_file(file);
    let answer = server.api.publish(&server.admin().await, &[], &form).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    text_of(&answer.json["document"], "_id")
}

async fn server_with_invoice() -> (TestServer, String) {
    let server = TestServer::new().await;
    let id = publish(&server, invoice()).await;
    (server, id)
}

fn structure() -> Value {
    let columns = json!([{ "name": "item", "type": "text" }, { "name": "price", "type": "text" }]);
    json!([
        { "name": "Name", "type": "text" },
        { "name": "items", "type": "list", "columns": columns },
        { "name": "Paid", "type": "yes_no" },
    ])
}

/// Returns the body of a request with two rows, and additional members.
fn body(items: Value, paid: Value, more: Value) -> Value {
    let mut body = json!({ "fieldsAndValues": [{ "Paid": paid }, { "items": items }, { "Name": "Zoé" }] });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn chairs() -> Value {
    json!([{ "item": "Chair \"A\"", "price": "12.50" }, { "item": "", "price": "3" }])
}

fn document_text(answer: &ApiResponse) -> String {
    docx_text(&answer.file("file"))
}

#[tokio::test]
async fn structure_is_delivered_with_the_fields() {
    let (server, invoice_id) = server_with_invoice().await;
    let admin = server.admin().await;
    let opened = server.api.get(&format!("/api/v1/documents/{invoice_id}")).await;
    assert_eq!(opened.json["document"]["fields"], json!(["Name", "items", "Paid"]));
    assert_eq!(opened.json["document"]["structure"], structure());
    let listed = server.api.get("/api/v1/documents").await;
    assert_eq!(listed.json["data"][0].get("structure"), None);
    let checked = server.api.check(&admin, &Form::from_texts(&[]).with_file(invoice())).await;
    assert_eq!(checked.json["structure"], structure());
    let versions = server.api.get_as(&admin, &format!("/api/v1/documents/{invoice_id}/versions")).await;
    assert_eq!(versions.json["versions"][0]["structure"], structure());
    let owner = Owner::new(&server, "u@example.org").await;
    let saved = owner.save(&invoice_id, &body(chairs(), json!(true), json!({}))).await;
    assert_eq!(saved.json["savedDocument"]["template"]["structure"], structure(), "{saved:?}");
    let listed = owner.get("saved").await;
    assert_eq!(listed.json["savedDocuments"][0]["template"]["structure"], structure());
}

#[tokio::test]
async fn list_is_saved_edited_duplicated_and_exported() {
    let (server, invoice_id) = server_with_invoice().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let saved = owner.save(&invoice_id, &body(chairs(), json!(true), json!({}))).await;
    assert_eq!(saved.status, 201, "{saved:?}");
    let id = text_of(&saved.json["savedDocument"], "_id");
    let opened = owner.opened(&id).await;
    let values = |paid: bool, items: Value| json!([{ "Name": "Zoé" }, { "items": items }, { "Paid": paid }]);
    assert_eq!(opened.json["savedDocument"]["currentDocumentData"], values(true, chairs()));
    let text = document_text(&opened);
    assert!(text.contains("Chair \"A\"12.50") && text.contains("3Paid, thank you."), "{text}");
    // The values of a saved document can be sent back as they are.
    let fewer = json!([{ "item": "Table", "price": 80 }]);
    let edit = body(fewer, json!(false), json!({ "savedDocumentId": id, "version": 1 }));
    assert_eq!(owner.save(&invoice_id, &edit).await.status, 200);
    let opened = owner.opened(&id).await;
    let table = json!([{ "item": "Table", "price": "80" }]);
    assert_eq!(opened.json["savedDocument"]["currentDocumentData"], values(false, table.clone()));
    let text = document_text(&opened);
    assert!(text.contains("Table80") && !text.contains("Chair") && !text.contains("thank you"), "{text}");
    let same = json!({
        "fieldsAndValues": opened.json["savedDocument"]["currentDocumentData"], "savedDocumentId": id, "version": 2
    });
    assert_eq!(owner.save(&invoice_id, &same).await.status, 200);
    assert_eq!(document_text(&owner.opened(&id).await), text);
    let copy = owner.save(&invoice_id, &json!({ "duplicateOf": id })).await;
    let copied = owner.opened(&text_of(&copy.json["savedDocument"], "_id")).await;
    assert_eq!(copied.json["savedDocument"]["currentDocumentData"], values(false, table.clone()));
    assert_eq!((owner.delete(&id).await.status, owner.restore(&id).await.status), (204, 200));
    assert_eq!(owner.opened(&id).await.json["savedDocument"]["currentDocumentData"], values(false, table.clone()));
    let export = server.api.get_as(&owner.token, "/api/v1/users/me/export").await;
    let zip = STANDARD.decode(text_of(&export.json, "file")).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(zip)).unwrap();
    let mut json = String::new();
    archive.by_name("saved-documents.json").unwrap().read_to_string(&mut json).unwrap();
    let exported: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(exported["savedDocuments"][0]["fieldsAndValues"], values(false, table));
}

#[tokio::test]
async fn invalid_columns_are_named_with_their_row() {
    let (server, invoice_id) = server_with_invoice().await;
    let full = json!({ "item": "a", "price": "1" });
    let rows = |count: usize| json!(vec![full.clone(); count]);
    let damaged = json!({ "image": "data:image/png;base64,iVBORw0KGgo=" });
    let cases = [
        (json!([full, { "item": "b" }]), json!(true), "missing_fields", vec!["items[1].price"]),
        (json!([{}]), json!(true), "missing_fields", vec!["items[0].item", "items[0].price"]),
        (json!([full, { "item": "b", "price": "1", "tax": "2" }]), json!(true), "unknown_field", vec!["items[1].tax"]),
        (json!([{ "item": [], "price": "1" }]), json!(true), "wrong_value_type", vec!["items[0].item"]),
        (json!([{ "item": "\u{1}", "price": "1" }]), json!(true), "illegal_character", vec!["items[0].item"]),
        (json!([full, { "item": damaged, "price": "1" }]), json!(true), "unreadable_picture", vec!["items[1].item"]),
        (json!("a"), json!("maybe"), "wrong_value_type", vec!["items", "Paid"]),
        (json!(["a"]), json!(true), "unknown_field", vec!["items[0].."]),
        (rows(501), json!(true), "too_many_rows", vec!["items"]),
    ];
    for (items, paid, code, fields) in cases {
        let answer = server.api.fill(&invoice_id, &[], &body(items, paid, json!({}))).await;
        assert_eq!((answer.status, answer.code()), (400, code), "{answer:?}");
        assert_eq!(answer.json["details"]["fields"], json!(fields), "{answer:?}");
    }
    let most = server.api.fill(&invoice_id, &[], &body(rows(500), json!(true), json!({}))).await;
    assert_eq!(most.status, 200, "{most:?}");
}

#[tokio::test]
async fn older_clients_send_texts() {
    let (server, invoice_id) = server_with_invoice().await;
    let filled = async |items: Value, paid: Value| {
        let answer = server.api.fill(&invoice_id, &[], &body(items, paid, json!({}))).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        document_text(&answer)
    };
    for paid in [json!("yes"), json!("oui"), json!("نعم"), json!(true)] {
        assert!(filled(json!(""), paid.clone()).await.contains("thank you"), "{paid}");
    }
    for paid in [json!("no"), json!(""), json!(false)] {
        assert!(!filled(json!([]), paid.clone()).await.contains("thank you"), "{paid}");
    }
    // A template of texts takes booleans and numbers.
    let letter = server.api.publish_letter(&server.admin().await, "Letter").await;
    let sent = json!({ "fieldsAndValues": [{ "Name": true }, { "Date": 1.50 }] });
    let answer = server.api.fill(&letter, &[], &sent).await;
    assert!(document_text(&answer).contains("Dear true,we write on 1.5"), "{answer:?}");
}

#[tokio::test]
async fn repeated_request_with_a_list_gets_the_same_files() {
    let (server, invoice_id) = server_with_invoice().await;
    let key = [("idempotency-key", "one")];
    let first = server.api.fill(&invoice_id, &key, &body(chairs(), json!("yes"), json!({}))).await;
    assert_eq!(first.status, 200, "{first:?}");
    let again = server.api.fill(&invoice_id, &key, &body(chairs(), json!("yes"), json!({}))).await;
    assert_eq!((again.file("file"), again.file("pdf")), (first.file("file"), first.file("pdf")));
    let fewer = json!([{ "item": "Chair \"A\"", "price": "12.50" }]);
    let other = server.api.fill(&invoice_id, &key, &body(fewer, json!("yes"), json!({}))).await;
    assert_eq!(other.code(), "idempotency_key_reused", "{other:?}");
}

#[tokio::test]
async fn saved_values_move_to_a_newer_version() {
    let server = TestServer::new().await;
    let texts = docx(&["{{Name}} {{Paid}} {{items}} {{Stamp}}"]);
    let id = publish(&server, texts).await;
    let owner = Owner::new(&server, "u@example.org").await;
    let values = json!([{ "Name": "Zoé" }, { "Paid": "oui" }, { "items": "a chair" }, { "Stamp": "x" }]);
    let saved = owner.save(&id, &json!({ "fieldsAndValues": values })).await;
    let saved_id = text_of(&saved.json["savedDocument"], "_id");
    let edit = async |file: Vec<u8>, renamed: Value| {
        let form = Form::from_texts(&[("renamed", &renamed.to_string())]).with_file(file);
        let answer = server.api.edit(&server.admin().await, &id, &[], &form).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    };
    edit(invoice(), json!({})).await;
    let opened = owner.opened(&saved_id).await;
    assert_eq!(opened.json["savedDocument"]["currentDocumentData"], values);
    let newer = &opened.json["newerTemplate"];
    assert_eq!(newer["currentDocumentData"], json!([{ "Name": "Zoé" }, { "Paid": true }]));
    assert_eq!((&newer["added"], &newer["dropped"]), (&json!(["items"]), &json!(["items", "Stamp"])));
    let moved =
        body(chairs(), json!("oui"), json!({ "savedDocumentId": saved_id, "version": 1, "templateVersion": 2 }));
    let moved = owner.save(&id, &moved).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    // A list is renamed, loses a column and gets another one.
    let table = table_row(&["{{#lines}}{{item}}", "{{amount}}{{/lines}}"]);
    edit(docx_of_body(&format!("{}{table}", paragraph("{{Name}}"))), json!({ "items": "lines" })).await;
    let opened = owner.opened(&saved_id).await;
    let newer = &opened.json["newerTemplate"];
    assert_eq!(newer["renamed"], json!([{ "from": "items", "to": "lines" }]));
    let lines = json!([{ "item": "Chair \"A\"", "amount": "" }, { "item": "", "amount": "" }]);
    assert_eq!(newer["currentDocumentData"], json!([{ "Name": "Zoé" }, { "lines": lines }]));
    let mut sent = json!({ "savedDocumentId": saved_id, "version": 2, "templateVersion": 3 });
    sent["fieldsAndValues"] = newer["currentDocumentData"].clone();
    assert_eq!(owner.save(&id, &sent).await.status, 200);
}

#[tokio::test]
async fn lists_are_filled_in_tests_and_checks_of_a_template() {
    let (server, invoice_id) = server_with_invoice().await;
    let admin = server.admin().await;
    let values = body(chairs(), json!(true), json!({}));
    let headers = bearer(&admin);
    let path = format!("/api/v1/documents/{invoice_id}/try");
    let tried = server.api.post(&path, &[("authorization", &headers)], &values).await;
    assert!(document_text(&tried).contains("12.50"), "{tried:?}");
    let form = Form::from_texts(&[]).with_file(invoice());
    let checked = server.api.check(&admin, &form.with("fieldsAndValues", &values["fieldsAndValues"].to_string())).await;
    assert_eq!(checked.status, 200, "{checked:?}");
}

#[tokio::test]
async fn check_detects_columns_and_suggests_derivations() {
    let server = TestServer::new().await;
    let table = table_row(&["{{#items}}{{Quantity}}", "{{Unit price}}", "{{Total}}{{/items}}"]);
    let file = docx_of_body(&(table + &paragraph("Grand total: {{Grand total}} MAD")));
    let checked = server.api.check(&server.admin().await, &Form::from_texts(&[]).with_file(file)).await;
    assert_eq!(checked.status, 200, "{checked:?}");
    let kinds = |columns: &Value| -> Vec<String> {
        columns.as_array().unwrap().iter().map(|column| text_of(column, "kind")).collect()
    };
    assert_eq!(kinds(&checked.json["fieldHelp"][0]["columns"]), ["number", "amount", "amount"], "{checked:?}");
    let product = json!({ "kind": "product", "of": ["Quantity", "Unit price"], "currency": "MAD" });
    let sum = json!({ "kind": "list_sum", "list": "items", "column": "Total", "currency": "MAD" });
    let suggestions = json!([
        { "path": "items[].Total", "derivation": product },
        { "path": "Grand total", "derivation": sum },
    ]);
    assert_eq!(checked.json["suggestions"], suggestions, "{checked:?}");
}
