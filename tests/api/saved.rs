//! Tests of saved documents: POST /documents/{id}/save, GET and DELETE /documents/saved/{id}, POST
//! /documents/saved/{id}/restore, GET /documents/saved, and the member `save` of fill-fields.

use std::collections::BTreeSet;
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use functions::engine::RenderPermit;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use waraq_core::Timestamp;
use waraq_core::accounts::Account;
use waraq_core::limits::FILL_PER_USER;
use waraq_core::token::LoginSession;

use crate::test_server::{ApiResponse, Form, ManualClock, TestServer, bearer, docx, docx_text};

/// A user with an account, who calls the API.
pub struct Owner<'a> {
    pub server: &'a TestServer,
    pub account: Account,
    pub token: String,
}

impl<'a> Owner<'a> {
    pub async fn new(server: &'a TestServer, email: &str) -> Self {
        let (account, token) = server.account(email).await;
        Self { server, account, token }
    }

    pub async fn call(&self, method: &str, path: &str, key: Option<&str>, body: Option<&Value>) -> ApiResponse {
        let authorization = bearer(&self.token);
        let mut headers = vec![("authorization", authorization.as_str())];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        headers.extend(body.map(|_| ("content-type", "application/json")));
        let body = body.map(Value::to_string).unwrap_or_default();
        self.server.api.send(method, &format!("/api/v1/documents/{path}"), &headers, body).await
    }

    pub async fn save(&self, template: &str, body: &Value) -> ApiResponse {
        self.call("POST", &format!("{template}/save"), None, Some(body)).await
    }

    /// Saves a new document of a letter, and returns it.
    pub async fn saved(&self, template: &str, name: &str, title: &str) -> Value {
        let answer = self.save(template, &values(name, json!({ "title": title }))).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json["savedDocument"].clone()
    }

    pub async fn get(&self, path: &str) -> ApiResponse {
        self.call("GET", path, None, None).await
    }

    pub async fn opened(&self, id: &str) -> ApiResponse {
        let answer = self.get(&format!("saved/{id}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer
    }

    pub async fn delete(&self, id: &str) -> ApiResponse {
        self.call("DELETE", &format!("saved/{id}"), None, None).await
    }

    async fn rename(&self, id: &str, body: &Value) -> ApiResponse {
        self.call("PATCH", &format!("saved/{id}"), None, Some(body)).await
    }

    pub async fn restore(&self, id: &str) -> ApiResponse {
        self.call("POST", &format!("saved/{id}/restore"), None, None).await
    }

    /// Returns the titles of a list and the total.
    async fn titles(&self, query: &str) -> (Vec<String>, u64) {
        let answer = self.get(&format!("saved?{query}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let documents = answer.json["savedDocuments"].as_array().unwrap();
        let titles = documents.iter().map(|document| text_of(document, "title")).collect();
        (titles, answer.json["total"].as_u64().unwrap())
    }
}

/// Returns a body with the values of a letter and additional members.
pub fn values(name: &str, more: Value) -> Value {
    let mut body = json!({ "fieldsAndValues": [{ "Date": "1 March" }, { "Name": name }] });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// Returns a picture of more than 1 MB.
pub fn large_picture() -> Value {
    json!({ "image": format!("data:image/png;base64,{}", "A".repeat(1_400_000)) })
}

pub fn text_of(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("no {name}: {value}")).to_owned()
}

/// Starts a test server with a letter in its catalogue. Returns the server and the letter's id.
pub async fn server_with_letter() -> (TestServer, String) {
    let server = TestServer::new().await;
    let id = server.api.publish_letter(&server.admin().await, "Letter").await;
    (server, id)
}

/// Uploads a second version of the letter: without `Date`, with `Place`.
async fn second_version(server: &TestServer, id: &str) {
    let file = docx(&["Dear {{Name}},", "we write from {{Place}}."]);
    let form = Form::from_texts(&[("title", "Letter, second")]).with_file(file);
    let answer = server.api.edit(&server.admin().await, id, &[], &form).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn document_is_returned_as_it_was_saved() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let saved = owner.saved(&letter, "Zoé & <fils>", "").await;
    assert_eq!((&saved["title"], &saved["version"], &saved["usageCount"]), (&json!("Letter"), &json!(1), &json!(0)));
    assert_eq!((&saved["pages"], &saved["blank"]), (&json!(1), &json!(false)));
    let template = &saved["template"];
    assert_eq!((&template["_id"], &template["templateVersion"]), (&json!(letter), &json!(1)));
    assert_eq!((&template["fields"], &template["language"]["code"]), (&json!(["Name", "Date"]), &json!("en")));
    let id = text_of(&saved, "_id");
    let opened = owner.opened(&id).await;
    let document = opened.json["savedDocument"].clone();
    assert_eq!(document, saved);
    assert_eq!(
        document["currentDocumentData"],
        json!([{ "Name": "Zoé & <fils>" }, { "Date": "1 March" }]),
        "in the fields' order"
    );
    assert!(docx_text(&opened.file("file")).contains("Dear Zoé &amp; &lt;fils&gt;,"));
    assert!(opened.file("pdf").starts_with(b"%PDF-"));
    assert_eq!((&opened.json["fileName"], opened.json.get("newerTemplate")), (&json!("Letter"), None));
    // A second request returns the same file, byte for byte.
    assert_eq!(owner.opened(&id).await.file("pdf"), opened.file("pdf"));
    let picture = server.api.get(&text_of(&saved, "thumbnail")).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/webp"));
    assert_eq!(picture.header("cache-control"), "private, max-age=31536000, immutable");
    let of_others = format!("/media/{}-{}", owner.account.id, "0".repeat(26));
    assert_eq!(server.api.get(&of_others).await.code(), "media_not_found");
    // Saving does not count as a use of the template.
    let uses = server.api.get(&format!("/api/v1/documents/{letter}")).await.json["document"]["usageCount"].clone();
    assert_eq!(uses, 0);
}

#[tokio::test]
async fn an_edit_renders_again_and_a_stale_edit_is_refused() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let first = owner.saved(&letter, "First", "Mine").await;
    let id = text_of(&first, "_id");
    let edit = values("Second", json!({ "savedDocumentId": id, "version": 1 }));
    let edited = owner.save(&letter, &edit).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let document = &edited.json["savedDocument"];
    assert_eq!((&document["_id"], &document["version"], &document["title"]), (&json!(id), &json!(2), &json!("Mine")));
    assert_eq!(document["createdAt"], first["createdAt"]);
    assert_ne!(document["thumbnail"], first["thumbnail"]);
    let opened = owner.opened(&id).await;
    assert!(docx_text(&opened.file("file")).contains("Dear Second,"));
    assert_eq!(opened.json["savedDocument"]["currentDocumentData"][0], json!({ "Name": "Second" }));
    let late = owner.save(&letter, &edit).await;
    assert_eq!((late.status, late.code()), (409, "document_changed"));
    let blind = owner.save(&letter, &values("Third", json!({ "savedDocumentId": id }))).await;
    assert_eq!((blind.status, blind.code()), (400, "invalid_body"));
    assert_eq!(blind.json["details"]["fields"], json!(["version"]));
    let renamed =
        values("Second", json!({ "savedDocumentId": id, "version": 2, "title": " عقد  إيجار ", "blank": true }));
    let renamed = owner.save(&letter, &renamed).await;
    assert_eq!(renamed.json["savedDocument"]["title"], "عقد إيجار");
    assert_eq!(
        (&renamed.json["savedDocument"]["version"], &renamed.json["savedDocument"]["blank"]),
        (&json!(3), &json!(true))
    );
    assert_eq!(owner.titles("").await, (vec!["عقد إيجار".to_owned()], 1));
}

#[tokio::test]
async fn refused_saves_store_nothing() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let list = |values: Value| json!({ "fieldsAndValues": values });
    let cases = [
        (list(json!([])), 400, "missing_fields"),
        (list(json!([{ "Name": "a" }, { "Date": "b" }, { "name": "c" }])), 400, "unknown_field"),
        (list(json!([{ "Name": "a" }, { "Date": "b" }, { "Name": "c" }])), 400, "duplicate_field"),
        (list(json!([{ "Name": "\u{1}" }, { "Date": "b" }])), 400, "illegal_character"),
        (list(json!([{ "Name": "x".repeat(10_001) }, { "Date": "b" }])), 400, "value_too_long"),
        (list(json!([{ "Name": "x".repeat(200_000) }, { "Date": "b" }])), 400, "values_too_long"),
        (list(json!(vec![json!({ "a": "b" }); 2_001])), 400, "too_many_fields"),
        (list(json!([{ "Name": "a" }, { "Date": [] }])), 400, "wrong_value_type"),
        (list(json!([{ "Name": "a" }, { "Date": vec![json!({}); 2_001] }])), 400, "too_many_rows"),
        (
            list(json!([{ "Name": "a" }, { "Date": { "image": "data:image/gif;base64,R0lG" } }])),
            400,
            "unreadable_picture",
        ),
        (list(json!([{ "Name": "a" }, { "Date": large_picture() }])), 400, "value_picture_too_large"),
        (json!({}), 400, "invalid_body"),
        (values("a", json!({ "duplicateOf": "x" })), 400, "invalid_body"),
        (json!({ "duplicateOf": "x", "savedDocumentId": "y" }), 400, "invalid_body"),
        (values("a", json!({ "surprise": 1 })), 400, "invalid_body"),
        (values("a", json!({ "savedDocumentId": "x".repeat(65), "version": 1 })), 400, "invalid_body"),
        (values("a", json!({ "title": "x".repeat(201) })), 400, "title_too_long"),
        (values("a", json!({ "title": "a\u{202e}b" })), 400, "invalid_title"),
        (values("a", json!({ "templateVersion": 2 })), 404, "document_not_found"),
        (values("a", json!({ "savedDocumentId": "x", "version": 1 })), 404, "document_not_found"),
        (json!({ "duplicateOf": "x" }), 404, "document_not_found"),
    ];
    for (body, status, code) in &cases {
        let answer = owner.save(&letter, body).await;
        assert_eq!((answer.status, answer.code()), (*status, *code), "{body}");
        let fill = server.api.fill(&letter, &[("authorization", &bearer(&owner.token))], &with_save(body)).await;
        if body.get("duplicateOf").is_none() && body != &json!({}) {
            assert_eq!((fill.status, fill.code()), (*status, *code), "fill-fields: {body}");
        }
    }
    let nothing = owner.save("nothing", &values("a", json!({}))).await;
    assert_eq!((nothing.status, nothing.code()), (404, "document_not_found"));
    for query in ["limit=0", "limit=101", "page=0", "page=x", &format!("title={}", "x".repeat(201))] {
        let answer = owner.get(&format!("saved?{query}")).await;
        assert_eq!((answer.status, answer.code()), (400, "invalid_query"), "{query}");
    }
    assert_eq!(owner.get("saved/x?download=doc").await.code(), "invalid_query");
    assert_eq!(owner.titles("").await, (vec![], 0));
    assert!(server.items("FILES#").await.is_empty(), "nothing was written");
    let uses = server.api.get(&format!("/api/v1/documents/{letter}")).await.json["document"]["usageCount"].clone();
    assert_eq!(uses, 0);
}

#[tokio::test]
async fn malformed_requests_are_refused() {
    let server = TestServer::in_process("it takes all turns of the engine in this process").await;
    let letter = server.api.publish_letter(&server.admin().await, "Letter").await;
    let owner = Owner::new(&server, "u@example.org").await;
    let long = "x".repeat(65);
    for answer in [
        owner.save(&long, &values("a", json!({}))).await,
        owner.get(&format!("saved/{long}")).await,
        owner.delete(&long).await,
        owner.restore(&long).await,
    ] {
        assert_eq!((answer.status, answer.code()), (400, "invalid_id"), "{answer:?}");
    }
    let path = format!("{letter}/save");
    let key = owner.call("POST", &path, Some(""), Some(&values("a", json!({})))).await;
    assert_eq!((key.status, key.code()), (400, "invalid_idempotency_key"));
    let authorization = bearer(&owner.token);
    let (path, authorization) = (format!("/api/v1/documents/{path}"), ("authorization", authorization.as_str()));
    let send = async |kind: &str, body: Vec<u8>| {
        server.api.send("POST", &path, &[authorization, ("content-type", kind)], body).await
    };
    assert_eq!(send("text/plain", b"{}".to_vec()).await.code(), "json_expected");
    assert_eq!(send("application/json", vec![b' '; 4_000_001]).await.code(), "request_too_large");
    let shares: Vec<_> = std::iter::from_fn(|| RenderPermit::for_caller(owner.account.id.as_str()).ok()).collect();
    let busy = owner.save(&letter, &values("a", json!({}))).await;
    assert_eq!((busy.status, busy.code(), busy.header("retry-after")), (429, "too_busy", "2"));
    drop(shares);
    let cloud = &server.local.cloud;
    while FILL_PER_USER.count_attempt(cloud.attempts(), &owner.account.id, cloud.clock().now()).await.is_ok() {}
    let limited = owner.save(&letter, &values("a", json!({}))).await;
    assert_eq!((limited.status, limited.code()), (429, "too_many_attempts"));
    assert_eq!(owner.titles("").await.1, 0);
}

fn with_save(body: &Value) -> Value {
    let mut body = body.clone();
    body["save"] = json!(true);
    body
}

#[tokio::test]
async fn documents_are_private_to_their_account() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = text_of(&owner.saved(&letter, "Zoé", "").await, "_id");
    let admin = Owner { server: &server, account: owner.account.clone(), token: server.admin().await };
    let other = Owner::new(&server, "other@example.org").await;
    for stranger in [&other, &admin] {
        for answer in [
            stranger.get(&format!("saved/{id}")).await,
            stranger.get(&format!("saved/{id}?download=pdf")).await,
            stranger.delete(&id).await,
            stranger.restore(&id).await,
            stranger.save(&letter, &values("a", json!({ "savedDocumentId": id, "version": 1 }))).await,
            stranger.save(&letter, &json!({ "duplicateOf": id })).await,
        ] {
            assert_eq!((answer.status, answer.code()), (404, "document_not_found"), "{answer:?}");
        }
        assert_eq!(stranger.titles("").await, (vec![], 0));
    }
    // The document cannot be reached through another template either.
    let second = server.api.publish_letter(&admin.token, "Another").await;
    let body = values("a", json!({ "savedDocumentId": id, "version": 1 }));
    assert_eq!(owner.save(&second, &body).await.code(), "document_not_found");
    assert_eq!(owner.save(&second, &json!({ "duplicateOf": id })).await.code(), "document_not_found");
    let untouched = owner.opened(&id).await;
    assert_eq!(
        (&untouched.json["savedDocument"]["version"], &untouched.json["savedDocument"]["usageCount"]),
        (&json!(1), &json!(0))
    );
}

#[tokio::test]
async fn filling_saves_in_the_same_transaction() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let authorization = bearer(&owner.token);
    let headers = [("authorization", authorization.as_str()), ("idempotency-key", "k")];
    let body = values("Zoé", json!({ "save": true, "title": "Mine" }));
    let all = join_all((0..6).map(|_| server.api.fill(&letter, &headers, &body))).await;
    for answer in &all {
        assert_eq!((answer.status, &answer.bytes), (200, &all[0].bytes), "{answer:?}");
    }
    let saved = &all[0].json["savedDocument"];
    assert_eq!((&saved["title"], &all[0].json["fileName"]), (&json!("Mine"), &json!("Mine")));
    let id = text_of(saved, "_id");
    let opened = owner.opened(&id).await;
    assert_eq!(opened.file("pdf"), all[0].file("pdf"), "the saved file equals the response");
    assert_eq!(opened.file("file"), all[0].file("file"));
    let uses = || async {
        server.api.get(&format!("/api/v1/documents/{letter}")).await.json["document"]["usageCount"].clone()
    };
    let downloads =
        || async { server.local.cloud.accounts().account(&owner.account.id).await.unwrap().unwrap().downloads };
    assert_eq!((uses().await, downloads().await), (json!(1), 1));
    assert_eq!(owner.titles("").await.1, 1);
    let edit = values("Amina", json!({ "save": true, "savedDocumentId": id, "version": 1 }));
    let edited = server.api.fill(&letter, &headers[..1], &edit).await;
    assert_eq!((edited.status, &edited.json["savedDocument"]["version"]), (200, &json!(2)));
    let late = server.api.fill(&letter, &headers[..1], &edit).await;
    assert_eq!((late.status, late.code()), (409, "document_changed"));
    assert_eq!((uses().await, downloads().await), (json!(2), 2), "refused requests are not counted");
    let guest = server.api.fill(&letter, &[], &values("a", json!({ "save": true }))).await;
    assert_eq!((guest.status, guest.code()), (401, "login_required"));
    assert_eq!(uses().await, 2);
}

#[tokio::test]
async fn same_idempotency_key_saves_once() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let path = format!("{letter}/save");
    let body = values("Zoé", json!({}));
    let all = join_all((0..8).map(|_| owner.call("POST", &path, Some("k"), Some(&body)))).await;
    for answer in &all {
        assert_eq!((answer.status, &answer.bytes), (201, &all[0].bytes), "{answer:?}");
    }
    let id = text_of(&all[0].json["savedDocument"], "_id");
    let edit = values("Amina", json!({ "savedDocumentId": id, "version": 1 }));
    let all = join_all((0..8).map(|_| owner.call("POST", &path, Some("edit"), Some(&edit)))).await;
    for answer in &all {
        assert_eq!((answer.status, &answer.bytes), (200, &all[0].bytes), "{answer:?}");
    }
    // After further edits, a repeated request still gets the same response.
    let on = values("Third", json!({ "savedDocumentId": id, "version": 2 }));
    assert_eq!(owner.save(&letter, &on).await.status, 200);
    assert_eq!(owner.call("POST", &path, Some("edit"), Some(&edit)).await.bytes, all[0].bytes);
    let copy = json!({ "duplicateOf": id });
    let all = join_all((0..8).map(|_| owner.call("POST", &path, Some("copy"), Some(&copy)))).await;
    for answer in &all {
        assert_eq!((answer.status, &answer.bytes), (201, &all[0].bytes), "{answer:?}");
    }
    assert_eq!(owner.titles("").await.1, 2);
    for other in [values("Other", json!({})), values("Zoé", json!({ "title": "T" })), copy] {
        let answer = owner.call("POST", &path, Some("k"), Some(&other)).await;
        assert_eq!((answer.status, answer.code()), (409, "idempotency_key_reused"));
    }
    let headers = [("authorization", &*bearer(&owner.token)), ("idempotency-key", "k")];
    assert_eq!(server.api.fill(&letter, &headers, &body).await.code(), "idempotency_key_reused");
}

#[tokio::test]
async fn downloads_are_counted_and_return_one_file() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = text_of(&owner.saved(&letter, "Zoé", "").await, "_id");
    let whole = owner.opened(&id).await;
    let pdf = owner.get(&format!("saved/{id}?download=pdf")).await;
    assert_eq!((pdf.status, pdf.file("pdf"), pdf.json.get("file")), (200, whole.file("pdf"), None));
    let word = owner.get(&format!("saved/{id}?download=docx")).await;
    assert_eq!((word.status, word.file("file"), word.json.get("pdf")), (200, whole.file("file"), None));
    assert_eq!(word.json["savedDocument"]["usageCount"], 2);
    let edit = values("Amina", json!({ "savedDocumentId": id, "version": 1 }));
    // A download does not conflict with an edit.
    let path = format!("saved/{id}?download=pdf");
    let (edited, counted) = tokio::join!(owner.save(&letter, &edit), join_all((0..20).map(|_| owner.get(&path))));
    assert_eq!(edited.status, 200);
    assert!(counted.iter().all(|answer| answer.status == 200));
    let opened = owner.opened(&id).await;
    assert_eq!(
        (&opened.json["savedDocument"]["usageCount"], &opened.json["savedDocument"]["version"]),
        (&json!(22), &json!(2))
    );
    assert_eq!(owner.account.downloads, 0);
}

#[tokio::test]
async fn saved_document_is_independent_of_later_template_changes() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = text_of(&owner.saved(&letter, "Zoé", "").await, "_id");
    let before = owner.opened(&id).await;
    second_version(&server, &letter).await;
    let opened = owner.opened(&id).await;
    assert_eq!(opened.file("pdf"), before.file("pdf"));
    assert_eq!(opened.json["savedDocument"], before.json["savedDocument"]);
    let help = json!([{ "field": "Name", "kind": "text", "meaning": "name" }, { "field": "Place", "kind": "text" }]);
    let structure = json!([{ "name": "Name", "type": "text" }, { "name": "Place", "type": "text" }]);
    let newer = json!({
        "templateVersion": 2, "fields": ["Name", "Place"], "structure": structure, "fieldHelp": help, "renamed": [],
        "added": ["Place"], "dropped": ["Date"], "currentDocumentData": [{ "Name": "Zoé" }],
    });
    assert_eq!(opened.json["newerTemplate"], newer);
    // An edit keeps the version of the document, unless another one is requested.
    let edit = values("Amina", json!({ "savedDocumentId": id, "version": 1 }));
    let edited = owner.save(&letter, &edit).await;
    let template = &edited.json["savedDocument"]["template"];
    assert_eq!((&template["templateVersion"], &template["title"]), (&json!(1), &json!("Letter")), "{edited:?}");
    let moved = json!({ "fieldsAndValues": [{ "Name": "Amina" }, { "Place": "Tunis" }], "savedDocumentId": id, "version": 2, "templateVersion": 2 });
    let moved = owner.save(&letter, &moved).await;
    let template = &moved.json["savedDocument"]["template"];
    assert_eq!((&template["templateVersion"], &template["title"]), (&json!(2), &json!("Letter, second")), "{moved:?}");
    assert_eq!(template["fields"], json!(["Name", "Place"]));
    let opened = owner.opened(&id).await;
    assert!(docx_text(&opened.file("file")).contains("we write from Tunis."));
    assert_eq!(opened.json.get("newerTemplate"), None);
    assert_eq!(server.api.set_status(&server.admin().await, &letter, "deactivate").await.status, 200);
    assert_eq!(owner.opened(&id).await.file("pdf"), opened.file("pdf"));
    let values = json!([{ "Name": "Omar" }, { "Place": "Sfax" }]);
    let edit = json!({ "fieldsAndValues": values, "savedDocumentId": id, "version": 3 });
    // An edit can be previewed before it is saved.
    let preview = server.api.fill(&letter, &[("authorization", &bearer(&owner.token))], &edit).await;
    assert_eq!((preview.status, preview.json.get("savedDocument")), (200, None), "{preview:?}");
    assert_eq!(owner.save(&letter, &edit).await.status, 200);
    assert_eq!(owner.save(&letter, &json!({ "duplicateOf": id })).await.status, 201);
    let new = owner.save(&letter, &json!({ "fieldsAndValues": values })).await;
    assert_eq!((new.status, new.code()), (404, "document_not_found"));
    assert_eq!(owner.titles("").await.1, 2);
}

#[tokio::test]
async fn duplicate_is_independent_of_its_original() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = text_of(&owner.saved(&letter, "Zoé", "Mine").await, "_id");
    owner.get(&format!("saved/{id}?download=pdf")).await;
    let original = owner.opened(&id).await;
    let copied = owner.save(&letter, &json!({ "duplicateOf": id, "title": "Mine, again" })).await;
    assert_eq!(copied.status, 201, "{copied:?}");
    let copy = &copied.json["savedDocument"];
    assert_eq!((&copy["title"], &copy["version"], &copy["usageCount"]), (&json!("Mine, again"), &json!(1), &json!(0)));
    let copy_id = text_of(copy, "_id");
    let opened = owner.opened(&copy_id).await;
    assert_eq!((opened.file("pdf"), opened.file("file")), (original.file("pdf"), original.file("file")));
    assert_eq!(
        opened.json["savedDocument"]["currentDocumentData"],
        original.json["savedDocument"]["currentDocumentData"]
    );
    assert_eq!(server.api.get(&text_of(copy, "thumbnail")).await.status, 200);
    let edit = values("Amina", json!({ "savedDocumentId": copy_id, "version": 1 }));
    assert_eq!(owner.save(&letter, &edit).await.status, 200);
    assert_eq!(owner.delete(&copy_id).await.status, 204);
    assert_eq!(owner.opened(&id).await.file("pdf"), original.file("pdf"));
    assert_eq!(owner.save(&letter, &json!({ "duplicateOf": id })).await.json["savedDocument"]["title"], "Mine");
}

#[tokio::test]
async fn list_has_four_orders_and_search_ignores_spelling_variants() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let letter = server.api.publish_letter(&server.admin().await, "Letter").await;
    let owner = Owner::new(&server, "u@example.org").await;
    let mut ids = Vec::new();
    for title in ["École d’été", "عَقْدُ إيجار", "Lease 3", "Lease 1"] {
        ids.push(text_of(&owner.saved(&letter, "a", title).await, "_id"));
        clock.advance(1);
    }
    for (place, times) in [(1, 2), (2, 1)] {
        for _ in 0..times {
            owner.get(&format!("saved/{}?download=pdf", ids[place])).await;
        }
    }
    let edit = values("b", json!({ "savedDocumentId": ids[0], "version": 1 }));
    assert_eq!(owner.save(&letter, &edit).await.status, 200);
    let all = ["École d’été", "عَقْدُ إيجار", "Lease 3", "Lease 1"].map(str::to_owned);
    let order = |places: [usize; 4]| (places.map(|place| all[place].clone()).to_vec(), 4);
    assert_eq!(owner.titles("").await, order([3, 2, 1, 0]));
    assert_eq!(owner.titles("newCreated=true").await, order([3, 2, 1, 0]));
    assert_eq!(owner.titles("oldCreated=true").await, order([0, 1, 2, 3]));
    assert_eq!(owner.titles("most=true").await, order([1, 2, 3, 0]));
    assert_eq!(owner.titles("updated=true").await, order([0, 3, 2, 1]));
    assert_eq!(owner.titles("limit=1&page=2&oldCreated=true").await, (vec![all[1].clone()], 4));
    assert_eq!(owner.titles("page=9").await, (vec![], 4));
    for (words, place) in [("ecole ete", 0), ("ETE", 0), ("%D8%A7%D9%8A%D8%AC%D8%A7%D8%B1", 1), ("3 lease", 2)] {
        assert_eq!(owner.titles(&format!("title={}", words.replace(' ', "%20"))).await, (vec![all[place].clone()], 1));
    }
    assert_eq!(owner.titles("title=lease").await.1, 2);
    assert_eq!(owner.titles("title=nothing").await, (vec![], 0));
}

#[tokio::test]
async fn rename_changes_only_the_title() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let saved = owner.saved(&letter, "Zoé", "First").await;
    let id = text_of(&saved, "_id");
    let before = owner.opened(&id).await;
    let renamed = owner.rename(&id, &json!({ "title": "  Second ", "version": 1 })).await;
    assert_eq!(renamed.status, 200, "{renamed:?}");
    let document = &renamed.json["savedDocument"];
    assert_eq!((&document["title"], &document["version"]), (&json!("Second"), &json!(2)));
    let after = owner.opened(&id).await;
    assert_eq!(after.file("pdf"), before.file("pdf"), "the files stay");
    assert_eq!(after.json["fileName"], "Second");
    for member in ["currentDocumentData", "updatedAt", "createdAt", "thumbnail", "usageCount", "template"] {
        assert_eq!(after.json["savedDocument"][member], before.json["savedDocument"][member], "{member}");
    }

    // A repeated request changes nothing, although its version is old. Another title from an old version is refused.
    assert_eq!(owner.rename(&id, &json!({ "title": "Second", "version": 1 })).await.json, renamed.json);
    let stale = owner.rename(&id, &json!({ "title": "Third", "version": 1 })).await;
    assert_eq!((stale.status, stale.code()), (409, "document_changed"));
    let edit =
        json!({ "savedDocumentId": id, "version": 1, "fieldsAndValues": values("Ana", json!({}))["fieldsAndValues"] });
    let stale = owner.save(&letter, &edit).await;
    assert_eq!((stale.status, stale.code()), (409, "document_changed"), "an edit that began before the rename");
    assert_eq!(owner.rename(&id, &json!({ "title": "Third" })).await.json["savedDocument"]["version"], 3);
    // The document can still be edited and downloaded.
    let edit =
        json!({ "savedDocumentId": id, "version": 3, "fieldsAndValues": values("Ana", json!({}))["fieldsAndValues"] });
    let edited = owner.save(&letter, &edit).await;
    assert_eq!((edited.status, &edited.json["savedDocument"]["title"]), (200, &json!("Third")), "{edited:?}");
    assert_eq!(owner.get(&format!("saved/{id}?download=pdf")).await.status, 200);

    for (body, status, code) in [
        (json!({ "title": "" }), 400, "invalid_title"),
        (json!({ "title": "a\u{7}b" }), 400, "invalid_title"),
        (json!({ "title": "x".repeat(201) }), 400, "title_too_long"),
        (json!({}), 400, "invalid_body"),
        (json!({ "title": "A", "blank": true }), 400, "invalid_body"),
    ] {
        let refused = owner.rename(&id, &body).await;
        assert_eq!((refused.status, refused.code()), (status, code), "{body}");
    }
    let stranger = Owner::new(&server, "v@example.org").await;
    for (caller, id) in [(&stranger, id.as_str()), (&owner, "01kc4n0000000000000000000b")] {
        let refused = caller.rename(id, &json!({ "title": "Mine" })).await;
        assert_eq!((refused.status, refused.code()), (404, "document_not_found"));
    }
    assert_eq!(owner.delete(&id).await.status, 204);
    assert_eq!(owner.rename(&id, &json!({ "title": "Deleted" })).await.code(), "document_not_found");
}

/// Eight renames and eight edits at once: each version has one author, and no rename is lost.
#[tokio::test]
async fn parallel_renames_and_edits_do_not_undo_each_other() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = text_of(&owner.saved(&letter, "Zoé", "Start").await, "_id");
    let edit =
        json!({ "savedDocumentId": id, "version": 1, "fieldsAndValues": values("Ana", json!({}))["fieldsAndValues"] });
    let renames = join_all((0..8).map(|number| {
        let (owner, id) = (&owner, &id);
        async move { owner.rename(id, &json!({ "title": format!("Title {number}") })).await }
    }));
    let edits = join_all((0..8).map(|_| owner.save(&letter, &edit)));
    let (renames, edits) = tokio::join!(renames, edits);
    assert!(renames.iter().all(|answer| answer.status == 200), "{renames:?}");
    let edited = edits.iter().filter(|answer| answer.status == 200).count();
    assert!(edited <= 1, "all edits are based on version 1: {edits:?}");
    let document = owner.opened(&id).await.json["savedDocument"].clone();
    assert_eq!(document["version"], json!(9 + edited));
    assert!(text_of(&document, "title").starts_with("Title "), "{document}");
}

#[tokio::test]
async fn deleted_documents_are_listed_as_long_as_they_can_be_undeleted() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let letter = server.api.publish_letter(&server.admin().await, "Letter").await;
    let owner = Owner::new(&server, "u@example.org").await;
    let mut ids = Vec::new();
    for name in ["Ana", "Bo", "Cy"] {
        ids.push(text_of(&owner.saved(&letter, name, name).await, "_id"));
        clock.advance(60);
    }
    assert_eq!(owner.titles("deleted=true").await, (vec![], 0));
    for id in [&ids[0], &ids[2]] {
        assert_eq!(owner.delete(id).await.status, 204);
        clock.advance(3_600);
    }
    assert_eq!(owner.titles("deleted=true").await, (vec!["Cy".into(), "Ana".into()], 2), "the last deleted first");
    assert_eq!(owner.titles("deleted=true&limit=1&page=2").await, (vec!["Ana".into()], 2));
    assert_eq!(owner.titles("deleted=true&title=an").await, (vec!["Ana".into()], 1));
    assert_eq!(owner.titles("").await, (vec!["Bo".into()], 1));
    let list = owner.get("saved?deleted=true").await.json["savedDocuments"].clone();
    assert!(list[0].get("currentDocumentData").is_none(), "{list}");
    let deleted_at = Timestamp(server.local.cloud.clock().now().0 - 3_600_000);
    assert_eq!(list[0]["deletedAt"], deleted_at.rfc3339());
    assert_eq!(list[0]["undeleteUntil"], deleted_at.plus_seconds(7 * 24 * 3_600).rfc3339());
    assert!(owner.get("saved").await.json["savedDocuments"][0].get("deletedAt").is_none());
    let stranger = Owner::new(&server, "v@example.org").await;
    assert_eq!(stranger.titles("deleted=true").await, (vec![], 0));
    assert_eq!(owner.restore(&ids[2]).await.status, 200);
    assert_eq!(owner.titles("deleted=true").await.0, ["Ana"]);
    clock.advance(7 * 24 * 3_600);
    // Tokens are valid for less than seven days.
    let token = fresh_token(&server, &owner.account).await;
    let owner = Owner { token, ..owner };
    assert_eq!(owner.titles("deleted=true").await, (vec![], 0));
}

#[tokio::test]
async fn list_has_the_values_and_search_finds_them() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    owner.saved(&letter, "Élodie Brûlé", "One").await;
    let id = text_of(&owner.saved(&letter, "أَحمد", "Two").await, "_id");
    let list = owner.get("saved").await.json["savedDocuments"].clone();
    assert_eq!(list[1]["currentDocumentData"], json!([{ "Name": "Élodie Brûlé" }, { "Date": "1 March" }]));
    assert_eq!(owner.titles("title=brule").await, (vec!["One".into()], 1));
    assert_eq!(owner.titles("title=one%20elodie").await, (vec!["One".into()], 1), "in the title and in the values");
    assert_eq!(owner.titles("title=%D8%A7%D8%AD%D9%85%D8%AF").await.0, ["Two"]);
    assert_eq!(owner.titles("title=march").await.1, 2);
    // An edit replaces the words.
    let edit =
        json!({ "savedDocumentId": id, "version": 1, "fieldsAndValues": values("Bo", json!({}))["fieldsAndValues"] });
    assert_eq!(owner.save(&letter, &edit).await.status, 200);
    assert_eq!(owner.titles("title=%D8%A7%D8%AD%D9%85%D8%AF").await.1, 0);
    assert_eq!(owner.titles("title=bo").await.0, ["Two"]);
    // A deleted document is found among the deleted ones, and after it was undeleted.
    owner.delete(&id).await;
    assert_eq!((owner.titles("title=bo").await.1, owner.titles("deleted=true&title=bo").await.1), (0, 1));
    owner.restore(&id).await;
    assert_eq!(owner.titles("title=bo").await.0, ["Two"]);
    // Words of the field names are not values.
    assert_eq!(owner.titles("title=date").await.1, 0);
}

/// Values of 1 MB at most are in one list. The documents after them are listed without values.
#[tokio::test]
async fn list_leaves_out_values_that_do_not_fit() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    // Values of 40 kB each, and two small ones among the oldest documents.
    let long = "é".repeat(10_000);
    for number in 0..29 {
        let (name, date) = if number < 2 { ("Ana", "1 May") } else { (long.as_str(), long.as_str()) };
        let saved = owner.save(&letter, &json!({ "fieldsAndValues": [{ "Name": name }, { "Date": date }] })).await;
        assert_eq!(saved.status, 201, "{saved:?}");
    }
    let shown = async |query: &str| {
        let list = owner.get(&format!("saved?limit=100{query}")).await;
        assert!(list.bytes.len() < 1_100_000, "{}", list.bytes.len());
        let documents = list.json["savedDocuments"].as_array().unwrap().clone();
        documents.iter().map(|document| document.get("currentDocumentData").is_some()).collect::<Vec<_>>()
    };
    let newest_first = shown("").await;
    assert_eq!(newest_first.len(), 29);
    assert_eq!(newest_first.iter().filter(|shown| **shown).count(), 26, "{newest_first:?}");
    assert!(!newest_first[26] && newest_first[27] && newest_first[28], "small values fit: {newest_first:?}");
    let oldest_first = shown("&oldCreated=true").await;
    assert!(oldest_first[0] && oldest_first[25] && !oldest_first[28], "{oldest_first:?}");
}

#[tokio::test]
async fn deleting_can_be_undone_for_seven_days() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let letter = server.api.publish_letter(&server.admin().await, "Letter").await;
    let owner = Owner::new(&server, "u@example.org").await;
    let saved = owner.saved(&letter, "Zoé", "").await;
    let id = text_of(&saved, "_id");
    owner.get(&format!("saved/{id}?download=pdf")).await;
    let before = owner.opened(&id).await;
    // The response may be lost, so a second deletion succeeds too.
    for _ in 0..2 {
        let deleted = owner.delete(&id).await;
        assert_eq!((deleted.status, deleted.bytes.len()), (204, 0), "{deleted:?}");
    }
    assert_eq!(owner.titles("").await, (vec![], 0));
    for answer in [
        owner.get(&format!("saved/{id}")).await,
        owner.save(&letter, &values("a", json!({ "savedDocumentId": id, "version": 1 }))).await,
        owner.save(&letter, &json!({ "duplicateOf": id })).await,
    ] {
        assert_eq!((answer.status, answer.code()), (404, "document_not_found"));
    }
    clock.advance(7 * 24 * 3_600 - 1);
    // The first token has expired meanwhile.
    let owner = Owner { token: fresh_token(&server, &owner.account).await, ..owner };
    for _ in 0..2 {
        let restored = owner.restore(&id).await;
        assert_eq!((restored.status, &restored.json["savedDocument"]["usageCount"]), (200, &json!(1)), "{restored:?}");
    }
    let opened = owner.opened(&id).await;
    assert_eq!(
        (opened.file("pdf"), &opened.json["savedDocument"]),
        (before.file("pdf"), &before.json["savedDocument"])
    );
    assert_eq!(owner.delete(&id).await.status, 204);
    clock.advance(7 * 24 * 3_600);
    let owner = Owner { token: fresh_token(&server, &owner.account).await, ..owner };
    assert_eq!(
        (owner.restore(&id).await.code(), owner.delete(&id).await.code()),
        ("document_not_found", "document_not_found")
    );
}

pub async fn fresh_token(server: &TestServer, account: &Account) -> String {
    let cloud = &server.local.cloud;
    cloud
        .signer()
        .await
        .unwrap()
        .unwrap()
        .issue(account, &LoginSession::new("session", false, cloud.clock().now()), cloud.clock().now())
        .unwrap()
        .token
}

/// The number of parallel requests that a busy machine answers in time.
static AT_ONCE: Semaphore = Semaphore::const_new(24);

/// Repeats a request with the same key until the server, which may be overloaded, has answered it.
async fn retry_until_answered(owner: &Owner<'_>, path: &str, key: &str, body: &Value) -> ApiResponse {
    let _one = AT_ONCE.acquire().await.unwrap();
    for _ in 0..600 {
        let answer = owner.call("POST", path, Some(key), Some(body)).await;
        if !matches!(answer.status, 429 | 503) {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{path} is not answered within a minute");
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_saves_are_all_kept() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let path = format!("{letter}/save");
    let all =
        join_all((0..100).map(|number| {
            let (owner, path) = (&owner, &path);
            async move {
                retry_until_answered(owner, path, &number.to_string(), &values(&number.to_string(), json!({}))).await
            }
        }))
        .await;
    let ids: BTreeSet<String> = all
        .iter()
        .map(|answer| {
            assert_eq!(answer.status, 201, "{answer:?}");
            text_of(&answer.json["savedDocument"], "_id")
        })
        .collect();
    let listed = owner.get("saved?limit=100").await.json;
    let listed_ids: BTreeSet<String> =
        listed["savedDocuments"].as_array().unwrap().iter().map(|document| text_of(document, "_id")).collect();
    assert_eq!((ids.len(), &listed_ids, listed["total"].as_u64()), (100, &ids, Some(100)));
    for (number, answer) in all.iter().enumerate().step_by(9) {
        let opened = owner.opened(&text_of(&answer.json["savedDocument"], "_id")).await;
        assert!(docx_text(&opened.file("file")).contains(&format!("Dear {number},")));
    }
}

/// A hundred writers read and edit one document. A writer who was too late reads it again.
#[tokio::test(flavor = "multi_thread")]
async fn conflicting_edits_are_refused_and_none_is_lost() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = text_of(&owner.saved(&letter, "0", "").await, "_id");
    let path = format!("{letter}/save");
    let edit = |version: u64, name: String| values(&name, json!({ "savedDocumentId": id, "version": version }));
    // All edit the first version at the same time: one succeeds.
    let all = join_all((0..100).map(|number| {
        let (owner, path, body) = (&owner, &path, edit(1, number.to_string()));
        async move { retry_until_answered(owner, path, &format!("at once {number}"), &body).await }
    }))
    .await;
    let done: Vec<usize> =
        all.iter().enumerate().filter(|(_, answer)| answer.status == 200).map(|(number, _)| number).collect();
    assert_eq!(done.len(), 1, "{done:?}");
    assert_eq!(all.iter().filter(|answer| (answer.status, answer.code()) == (409, "document_changed")).count(), 99);
    let opened = owner.opened(&id).await;
    assert_eq!(opened.json["savedDocument"]["version"], 2);
    assert!(docx_text(&opened.file("file")).contains(&format!("Dear {},", done[0])));
    // Ten writers read again after each conflict: all succeed, one after the other.
    let through = join_all((0..10).map(|writer| {
        let (owner, path, id, edit) = (&owner, &path, &id, &edit);
        async move {
            for attempt in 0.. {
                let version = owner.opened(id).await.json["savedDocument"]["version"].as_u64().unwrap();
                let key = format!("{writer}-{attempt}");
                let answer = retry_until_answered(owner, path, &key, &edit(version, format!("writer {writer}"))).await;
                match answer.status {
                    200 => return answer.json["savedDocument"]["version"].as_u64().unwrap(),
                    _ => assert_eq!((answer.status, answer.code()), (409, "document_changed"), "{answer:?}"),
                }
            }
            0
        }
    }))
    .await;
    assert_eq!(through.iter().copied().collect::<BTreeSet<u64>>(), (3..=12).collect());
    assert_eq!(owner.opened(&id).await.json["savedDocument"]["version"], 12);
}

#[tokio::test]
async fn saved_documents_per_account_are_limited() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = text_of(&owner.saved(&letter, "Zoé", "").await, "_id");
    let cloud = &server.local.cloud;
    let count = async |documents: u64| {
        let key = [("pk", format!("USER#{}", owner.account.id)), ("sk", "PROFILE".to_owned())];
        let update = cloud.dynamodb().update_item().table_name(cloud.table_name());
        let update = update.set_key(Some(key.map(|(name, value)| (name.to_owned(), AttributeValue::S(value))).into()));
        let update = update.update_expression("SET documents = :count");
        update.expression_attribute_values(":count", AttributeValue::N(documents.to_string())).send().await.unwrap();
    };
    count(5_000).await;
    let headers = [("authorization", &*bearer(&owner.token))];
    for refused in [
        owner.save(&letter, &values("a", json!({}))).await,
        owner.save(&letter, &json!({ "duplicateOf": id })).await,
        server.api.fill(&letter, &headers, &values("a", json!({ "save": true }))).await,
    ] {
        assert_eq!((refused.status, refused.code()), (409, "too_many_documents"));
        assert_eq!(refused.json["details"]["limit"], 5_000);
    }
    // At the limit, documents can still be changed, and a deletion makes room for a new one.
    let edit = values("Amina", json!({ "savedDocumentId": id, "version": 1 }));
    assert_eq!(owner.save(&letter, &edit).await.status, 200);
    assert_eq!(owner.delete(&id).await.status, 204);
    let next = owner.save(&letter, &values("a", json!({}))).await;
    assert_eq!(next.status, 201);
    assert_eq!(owner.restore(&id).await.code(), "too_many_documents");
    assert_eq!(owner.delete(&text_of(&next.json["savedDocument"], "_id")).await.status, 204);
    assert_eq!(owner.restore(&id).await.status, 200);
}

#[tokio::test]
async fn all_documents_of_an_account_are_listed() {
    let (server, letter) = server_with_letter().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let kept = text_of(&owner.saved(&letter, "Zoé", "").await, "_id");
    let gone = text_of(&owner.saved(&letter, "Amina", "").await, "_id");
    assert_eq!(owner.delete(&gone).await.status, 204);
    let cloud = &server.local.cloud;
    let library = cloud.saved_documents();
    let all = library.all_documents(&owner.account.id).await.unwrap();
    assert_eq!(all.iter().map(|document| &document.id).collect::<BTreeSet<_>>(), BTreeSet::from([&kept, &gone]));
    for document in all {
        let values = library.documents.values(&owner.account.id, &document.id).await.unwrap().unwrap();
        assert_eq!(values[1], ("Date".to_owned(), "1 March".to_owned().into()));
        assert!(cloud.files().get(&document.file_set().pdf()).await.unwrap().unwrap().starts_with(b"%PDF-"));
    }
}
