//! Tests of private templates: the routes of /my-templates, and saved documents that were made from private templates.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::filling::letter_with_a_large_picture;
use crate::own_data::unzipped;
use crate::saved::{Owner, text_of, values};
use crate::test_server::{ApiResponse, Form, ManualClock, TestServer, bearer, docx, docx_text};

const ROUTE: &str = "/api/v1/my-templates";
const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=edge");
const JSON: (&str, &str) = ("content-type", "application/json");

impl Owner<'_> {
    /// Calls a route below /my-templates with a form or another body.
    pub async fn mine(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Vec<u8>>,
    ) -> ApiResponse {
        let authorization = bearer(&self.token);
        let headers = [headers, &[("authorization", authorization.as_str())]].concat();
        self.server.api.send(method, &format!("{ROUTE}{path}"), &headers, body.into()).await
    }

    pub async fn create(&self, key: Option<&str>, form: &Form) -> ApiResponse {
        let mut headers = vec![FORM];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        self.mine("POST", "", &headers, form.body()).await
    }

    /// Saves a letter as a private template, and returns its id.
    async fn created(&self, title: &str) -> String {
        let answer = self.create(None, &Form::letter(title)).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        text_of(&answer.json["document"], "_id")
    }

    async fn change(&self, id: &str, key: Option<&str>, form: &Form) -> ApiResponse {
        let mut headers = vec![FORM];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        self.mine("PUT", &format!("/{id}"), &headers, form.body()).await
    }

    async fn copy(&self, id: &str, key: Option<&str>, body: &Value) -> ApiResponse {
        let mut headers = vec![JSON];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        self.mine("POST", &format!("/{id}/duplicate"), &headers, body.to_string()).await
    }

    async fn fill(&self, id: &str, key: Option<&str>, body: &Value) -> ApiResponse {
        let mut headers = vec![JSON];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        self.mine("POST", &format!("/{id}/fill-fields"), &headers, body.to_string()).await
    }

    async fn template(&self, id: &str) -> ApiResponse {
        self.mine("GET", &format!("/{id}"), &[], "").await
    }

    /// Returns the list of the private templates.
    async fn my_templates(&self) -> Value {
        let answer = self.mine("GET", "", &[], "").await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json
    }

    async fn my_titles(&self) -> Vec<String> {
        let list = self.my_templates().await;
        list["data"].as_array().unwrap().iter().map(|template| text_of(template, "title")).collect()
    }
}

/// Returns the keys of all files that belong to private templates: their files, and pictures under the hash of the account's id.
async fn private_files(server: &TestServer, account: &str) -> Vec<String> {
    let cloud = &server.local.cloud;
    let mut pages = cloud.s3().list_objects_v2().bucket(cloud.bucket_name()).into_paginator().send();
    let mut found = Vec::new();
    let pictures = waraq_core::files::photo_prefix(account);
    while let Some(page) = pages.next().await {
        let keys = page.unwrap().contents.unwrap_or_default().into_iter().filter_map(|object| object.key);
        found.extend(keys.filter(|key| key.starts_with("private/") || key.starts_with(&pictures)));
    }
    found
}

#[tokio::test]
async fn private_template_is_created_listed_filled_and_deleted() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let none = json!({ "data": [], "total": 0, "limit": 50 });
    assert_eq!(owner.my_templates().await, none);
    let form = Form::letter("My letter").with("language", "fr").with("country", "TN");
    let form = form.with("fieldHelp", r#"[{"field":"Name","hint":"As in the passport"}]"#);
    let checked = owner.mine("POST", "/check", &[FORM], form.body()).await;
    assert_eq!((checked.status, &checked.json["fields"]), (200, &json!(["Name", "Date"])), "{checked:?}");
    let made = owner.create(None, &form).await;
    assert_eq!(made.status, 201, "{made:?}");
    let document = &made.json["document"];
    let id = text_of(document, "_id");
    assert_eq!(
        (&document["categories"], &document["keywords"], &document["usageCount"]),
        (&json!([]), &json!([]), &json!(0))
    );
    assert_eq!((&document["language"]["code"], &document["country"]["_id"]), (&json!("fr"), &json!("TN")));
    assert_eq!(server.api.get(&text_of(document, "thumbnail")).await.status, 200);

    let opened = owner.template(&id).await;
    assert_eq!(
        (opened.status, &opened.json["fieldHelp"][0]["hint"]),
        (200, &json!("As in the passport")),
        "{opened:?}"
    );
    assert!(opened.file("file") == docx(&["Dear {{Name}},", "we write on {{Date}}."]), "the file is unchanged");
    assert!(opened.file("pdf").starts_with(b"%PDF-"));
    for _ in 0..2 {
        let filled = owner.fill(&id, None, &values("Zoé", json!({}))).await;
        assert_eq!(filled.status, 200, "{filled:?}");
        assert!(docx_text(&filled.file("file")).contains("Dear Zoé,"));
    }
    let second = owner.created("Another").await;
    assert_eq!(owner.my_titles().await, ["Another", "My letter"]);
    let list = owner.my_templates().await;
    assert_eq!((&list["total"], &list["data"][1]["usageCount"]), (&json!(2), &json!(2)));

    // The uses count for the person, and the catalogue has no trace of the templates.
    let me = server.api.get_as(&owner.token, "/api/v1/users/me").await;
    assert_eq!(me.json["user"]["downloads"], 2);
    let catalogue = server.api.get_as(&admin, "/api/v1/documents?status=all&limit=100").await;
    assert!(!catalogue.json.to_string().contains("my-"), "{catalogue:?}");
    let dashboard = server.api.get_as(&admin, "/api/v1/documents/getDashboardData").await;
    assert_eq!(dashboard.json["data"]["totalDownloads"], 2);
    assert!(!dashboard.json.to_string().contains("My letter"), "{dashboard:?}");
    assert!(server.items("LOG#template").await.iter().all(|item| !format!("{item:?}").contains("my-")));

    assert_eq!(owner.mine("DELETE", &format!("/{id}"), &[], "").await.status, 204);
    assert_eq!(owner.my_titles().await, ["Another"]);
    let gone = owner.mine("DELETE", &format!("/{id}"), &[], "").await;
    assert_eq!((gone.status, gone.code()), (404, "document_not_found"));
    assert_eq!(owner.template(&second).await.status, 200);
}

#[tokio::test]
async fn private_template_is_edited_and_a_conflict_is_refused() {
    let server = TestServer::new().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = owner.created("Letter").await;
    let renamed = owner.change(&id, None, &Form::from_texts(&[("title", "Renamed"), ("revision", "0")])).await;
    assert_eq!((renamed.status, &renamed.json["document"]["revision"]), (200, &json!(1)), "{renamed:?}");
    let stale = owner.change(&id, None, &Form::from_texts(&[("title", "Lost"), ("revision", "0")])).await;
    assert_eq!((stale.status, stale.code()), (409, "template_changed"));
    let file = docx(&["Dear {{Full name}},", "we write on {{Date}}."]);
    let form = Form::from_texts(&[("renamed", r#"{"Name":"Full name"}"#), ("revision", "1")]).with_file(file.clone());
    let edited = owner.change(&id, Some("edit"), &form).await;
    assert_eq!((edited.status, &edited.json["document"]["templateVersion"]), (200, &json!(2)), "{edited:?}");
    let again = owner.change(&id, Some("edit"), &form).await;
    assert_eq!((again.status, &again.json["document"]), (200, &edited.json["document"]));
    let opened = owner.template(&id).await;
    assert_eq!((&opened.json["document"]["title"], opened.file("file")), (&json!("Renamed"), file));
    // Two edits at once: one is written, and the other one is refused without a trace.
    let both = ["One", "Two"].map(|title| Form::from_texts(&[("title", title), ("revision", "2")]));
    let mut statuses: Vec<u16> =
        join_all(both.iter().map(|form| owner.change(&id, None, form))).await.iter().map(|it| it.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[tokio::test]
async fn repeated_requests_have_one_effect() {
    let server = TestServer::new().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let first = owner.create(Some("one"), &Form::letter("Letter")).await;
    let again = owner.create(Some("one"), &Form::letter("Letter")).await;
    assert_eq!((first.status, again.status, &again.json), (201, 201, &first.json));
    let other = owner.create(Some("one"), &Form::letter("Other")).await;
    assert_eq!(other.code(), "idempotency_key_reused");
    let id = text_of(&first.json["document"], "_id");
    let copy = owner.copy(&id, Some("two"), &json!({ "title": "Copy" })).await;
    assert_eq!((copy.status, owner.copy(&id, Some("two"), &json!({ "title": "Copy" })).await.json), (201, copy.json));
    assert_eq!(owner.my_titles().await, ["Copy", "Letter"]);
    let filled = owner.fill(&id, Some("three"), &values("Zoé", json!({}))).await;
    let again = owner.fill(&id, Some("three"), &values("Zoé", json!({}))).await;
    assert_eq!((filled.status, &again.json), (200, &filled.json));
    assert_eq!(owner.my_templates().await["data"][1]["usageCount"], 1);
}

#[tokio::test]
async fn duplicate_is_a_template_of_its_own() {
    let server = TestServer::with_options(|options| options.sweep = Duration::from_millis(50)).await;
    let owner = Owner::new(&server, "u@example.org").await;
    let form = Form::letter("Letter").with("fieldHelp", r#"[{"field":"Name","hint":"As in the passport"}]"#);
    let id = text_of(&owner.create(None, &form).await.json["document"], "_id");
    let copied = owner.copy(&id, None, &json!({})).await;
    assert_eq!((copied.status, &copied.json["document"]["title"]), (201, &json!("Letter")), "{copied:?}");
    let copy = text_of(&copied.json["document"], "_id");
    let long = owner.copy(&id, None, &json!({ "title": "x".repeat(201) })).await;
    assert_eq!(long.code(), "title_too_long");
    // The original and everything of it is deleted, and the copy is complete.
    assert_eq!(owner.mine("DELETE", &format!("/{id}"), &[], "").await.status, 204);
    expire_announcements(&server).await;
    let left = private_files(&server, &owner.account.id).await;
    assert_eq!(left.len(), 4, "the file, the PDF and two pictures of the copy: {left:?}");
    assert!(server.items("PRIVATE#").await.iter().all(|item| item["sk"].as_s().unwrap().contains(&copy)));
    let opened = owner.template(&copy).await;
    assert_eq!(
        (opened.status, &opened.json["fieldHelp"][0]["hint"]),
        (200, &json!("As in the passport")),
        "{opened:?}"
    );
    assert_eq!(server.api.get(&text_of(&opened.json["document"], "thumbnail")).await.status, 200);
    assert_eq!(owner.fill(&copy, None, &values("Zoé", json!({}))).await.status, 200);
}

/// Lets all announcements expire, and waits until the clean-up has deleted what they name.
async fn expire_announcements(server: &TestServer) {
    let cloud = &server.local.cloud;
    for item in server.items("FILES#").await {
        let update = cloud.dynamodb().update_item().table_name(cloud.table_name());
        let update = update.key("pk", item["pk"].clone()).key("sk", item["sk"].clone());
        let update = update.update_expression("SET expires_at = :past");
        update.expression_attribute_values(":past", AttributeValue::N("1".to_owned())).send().await.unwrap();
    }
    // Rows are deleted after the announcement, and files after the rows.
    for _ in 0..400 {
        let rows = server.items("PRIVATE#").await;
        let sort_key = |item: &std::collections::HashMap<String, AttributeValue>| item["sk"].as_s().unwrap().clone();
        let live: Vec<String> =
            rows.iter().map(sort_key).filter_map(|sk| sk.strip_prefix("META#").map(str::to_owned)).collect();
        let of_live = |key: &str| live.iter().any(|id| key.contains(id.as_str()));
        let account = rows.first().map(|row| row["pk"].as_s().unwrap().trim_start_matches("PRIVATE#").to_owned());
        let files = private_files(server, account.as_deref().unwrap_or_default()).await;
        let files_done = files.iter().filter(|key| key.starts_with("private/")).all(|key| of_live(key));
        if server.items("FILES#").await.is_empty() && rows.iter().all(|row| of_live(&sort_key(row))) && files_done {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the announcements are not done");
}

#[tokio::test]
async fn accounts_have_at_most_fifty_templates() {
    let server = TestServer::new().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = owner.created("Letter").await;
    for _ in 0..48 {
        assert_eq!(owner.copy(&id, None, &json!({})).await.status, 201);
    }
    // Two requests at once compete for the last place.
    let body = json!({});
    let both = join_all([owner.copy(&id, None, &body), owner.copy(&id, None, &body)]).await;
    let mut statuses: Vec<u16> = both.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    let list = owner.my_templates().await;
    assert_eq!((&list["total"], &list["limit"]), (&json!(50), &json!(50)));
    for refused in [owner.create(None, &Form::letter("One more")).await, owner.copy(&id, None, &body).await] {
        assert_eq!((refused.status, refused.code()), (409, "too_many_templates"));
        assert_eq!(refused.json["details"]["limit"], 50);
    }
    // At the limit, templates can still be changed, and a deletion makes room.
    assert_eq!(owner.change(&id, None, &Form::from_texts(&[("title", "New")])).await.status, 200);
    assert_eq!(owner.mine("DELETE", &format!("/{id}"), &[], "").await.status, 204);
    assert_eq!(owner.create(None, &Form::letter("One more")).await.status, 201);
    // The limit counts for each account.
    assert_eq!(Owner::new(&server, "other@example.org").await.create(None, &Form::letter("A")).await.status, 201);
}

/// Another account, an admin and a guest get the same responses for an existing id as for an unknown one.
#[tokio::test]
async fn admin_sees_the_number_of_private_templates() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let admin = server.admin().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let counts = || async {
        let list = server.api.get_as(&admin, "/api/v1/users?sortBy=privateTemplates&sortOrder=desc").await;
        assert_eq!(list.status, 200, "{list:?}");
        let users = list.json["users"].as_array().unwrap();
        assert!(!list.json.to_string().contains("letter"), "the list has no titles: {list:?}");
        users
            .iter()
            .map(|user| (text_of(user, "email"), user["privateTemplates"].as_u64().unwrap()))
            .collect::<Vec<_>>()
    };
    let of = |email: &str, count: u64| (email.to_owned(), count);
    let first = counts().await;
    assert!(first.len() == 2 && first.iter().all(|(_, count)| *count == 0), "{first:?}");
    let id = owner.created("A letter").await;
    owner.created("Another letter").await;
    assert_eq!(owner.copy(&id, None, &json!({})).await.status, 201);
    clock.advance(61);
    assert_eq!(counts().await[0], of("u@example.org", 3));
    assert_eq!(owner.mine("DELETE", &format!("/{id}"), &[], "").await.status, 204);
    clock.advance(61);
    assert_eq!(counts().await[0], of("u@example.org", 2));
}

#[tokio::test]
async fn only_the_owner_finds_a_private_template() {
    let server = TestServer::new().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let other = Owner::new(&server, "other@example.org").await;
    let admin = server.admin().await;
    let id = owner.created("Letter").await;
    let saved = text_of(&owner.saved(&id, "Zoé", "").await, "_id");
    let unknown = "my-01kc4n0000000000000000000d";
    let letter = server.api.publish_letter(&admin, "In the catalogue").await;
    let form = Form::from_texts(&[("title", "Stolen")]).body();
    let fill = values("Eve", json!({})).to_string().into_bytes();
    let save = values("Eve", json!({ "savedDocumentId": saved, "version": 1 })).to_string().into_bytes();
    let copy = json!({ "duplicateOf": saved }).to_string().into_bytes();
    let calls = [
        ("GET", "/my-templates/{id}", None, vec![]),
        ("PUT", "/my-templates/{id}", Some(FORM), form.clone()),
        ("DELETE", "/my-templates/{id}", None, vec![]),
        ("POST", "/my-templates/{id}/duplicate", Some(JSON), b"{}".to_vec()),
        ("POST", "/my-templates/{id}/fill-fields", Some(JSON), fill.clone()),
        ("GET", "/documents/{id}", None, vec![]),
        ("PATCH", "/documents/{id}", Some(FORM), form),
        ("POST", "/documents/{id}/fill-fields", Some(JSON), fill.clone()),
        ("POST", "/documents/{id}/try", Some(JSON), fill.clone()),
        ("POST", "/documents/{id}/save", Some(JSON), fill),
        ("POST", "/documents/{id}/save", Some(JSON), save),
        ("POST", "/documents/{id}/save", Some(JSON), copy),
    ];
    for (method, path, content_type, body) in calls {
        for token in [Some(&other.token), Some(&admin), None] {
            let authorization = token.map(|token| bearer(token));
            let mut headers: Vec<(&str, &str)> = content_type.into_iter().collect();
            headers.extend(authorization.as_deref().map(|text| ("authorization", text)));
            let mut answers = Vec::new();
            for id in [id.as_str(), unknown] {
                let path = format!("/api/v1{}", path.replace("{id}", id));
                let answer = server.api.send(method, &path, &headers, body.clone()).await;
                answers.push((answer.status, answer.json));
            }
            assert!([401, 403, 404].contains(&answers[0].0), "{method} {path}: {answers:?}");
            assert!(token.is_some() || answers[0].0 != 403, "{method} {path}");
            assert_eq!(answers[0], answers[1], "{method} {path}");
        }
    }
    // The routes of private templates do not find templates of the catalogue.
    for token in [&owner.token, &admin] {
        let headers = [("authorization", &*bearer(token)), JSON];
        for (method, path, body) in [
            ("GET", "", String::new()),
            ("DELETE", "", String::new()),
            ("POST", "/duplicate", "{}".to_owned()),
            ("POST", "/fill-fields", values("Eve", json!({})).to_string()),
        ] {
            let answer = server.api.send(method, &format!("{ROUTE}/{letter}{path}"), &headers, body).await;
            assert_eq!((answer.status, answer.code()), (404, "document_not_found"), "{method} {path}");
        }
    }
    for (method, path) in [("GET", ""), ("POST", ""), ("POST", "/check"), ("POST", "/upload")] {
        let guest = server.api.send(method, &format!("{ROUTE}{path}"), &[FORM], Form::letter("A").body()).await;
        assert_eq!((guest.status, guest.code()), (401, "login_required"), "{method} {path}");
    }
    assert_eq!(other.my_templates().await["total"], 0);
    assert_eq!(owner.my_titles().await, ["Letter"]);
}

#[tokio::test]
async fn documents_of_private_templates_are_saved_edited_and_moved_to_new_versions() {
    let server = TestServer::with_options(|options| options.sweep = Duration::from_millis(50)).await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = owner.created("Letter").await;
    let document = owner.saved(&id, "Zoé", "For Zoé").await;
    let saved = text_of(&document, "_id");
    assert_eq!(
        (&document["template"]["private"], &document["template"]["fields"]),
        (&json!(true), &json!(["Name", "Date"]))
    );
    // The same by the route that also returns the files.
    let filled = owner.fill(&id, None, &values("Amina", json!({ "save": true }))).await;
    assert_eq!((filled.status, &filled.json["savedDocument"]["template"]["_id"]), (200, &json!(id)), "{filled:?}");
    let edit = values("Zoé B", json!({ "savedDocumentId": saved, "version": 1 }));
    assert_eq!(owner.save(&id, &edit).await.status, 200);
    assert_eq!(owner.save(&id, &edit).await.code(), "document_changed");
    let edit = values("Zoé C", json!({ "savedDocumentId": saved, "version": 2, "save": true }));
    assert_eq!(owner.fill(&id, None, &edit).await.json["savedDocument"]["version"], 3);

    let file = docx(&["Dear {{Full name}},", "we write from {{Place}}."]);
    let form = Form::from_texts(&[("renamed", r#"{"Name":"Full name"}"#)]).with_file(file);
    assert_eq!(owner.change(&id, None, &form).await.status, 200);
    let opened = owner.opened(&saved).await;
    let newer = &opened.json["newerTemplate"];
    assert_eq!((&newer["templateVersion"], &newer["added"]), (&json!(2), &json!(["Place"])), "{opened:?}");
    assert_eq!(newer["currentDocumentData"], json!([{ "Full name": "Zoé C" }]));
    let moved = json!({ "fieldsAndValues": [{ "Full name": "Zoé" }, { "Place": "Tunis" }],
        "savedDocumentId": saved, "version": 3, "templateVersion": 2 });
    let moved = owner.save(&id, &moved).await;
    assert_eq!(
        (moved.status, &moved.json["savedDocument"]["template"]["templateVersion"]),
        (200, &json!(2)),
        "{moved:?}"
    );
    let list = owner.get("saved").await;
    assert_eq!(list.json["savedDocuments"][1]["template"]["fields"], json!(["Full name", "Place"]), "{list:?}");
    assert_eq!(owner.save(&id, &json!({ "duplicateOf": saved })).await.status, 201);
    assert_eq!(owner.delete(&saved).await.status, 204);
    assert_eq!(owner.restore(&saved).await.status, 200);
    let title = json!({ "title": "Renamed", "version": 4 });
    let renamed = owner.call("PATCH", &format!("saved/{saved}"), None, Some(&title)).await;
    assert_eq!(
        (renamed.status, &renamed.json["savedDocument"]["template"]["fields"]),
        (200, &json!(["Full name", "Place"])),
        "{renamed:?}"
    );

    // Without its template, a document can be opened and downloaded, but not edited.
    assert_eq!(owner.mine("DELETE", &format!("/{id}"), &[], "").await.status, 204);
    expire_announcements(&server).await;
    let opened = owner.opened(&saved).await;
    assert_eq!(opened.json.get("newerTemplate"), None);
    assert!(docx_text(&opened.file("file")).contains("we write from Tunis."));
    assert_eq!(
        opened.json["savedDocument"]["currentDocumentData"],
        json!([{ "Full name": "Zoé" }, { "Place": "Tunis" }])
    );
    let edit =
        json!({ "fieldsAndValues": [{ "Full name": "A" }, { "Place": "B" }], "savedDocumentId": saved, "version": 5 });
    for refused in [owner.save(&id, &edit).await, owner.fill(&id, None, &edit).await] {
        assert_eq!((refused.status, refused.code()), (404, "document_not_found"));
    }
}

#[tokio::test]
async fn private_templates_are_exported() {
    let server = TestServer::new().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let form = Form::letter("Letter: 1").with("fieldHelp", r#"[{"field":"Name","hint":"As in the passport"}]"#);
    assert_eq!(owner.create(None, &form).await.status, 201);
    owner.created("Second").await;
    Owner::new(&server, "other@example.org").await.created("Not theirs").await;
    let files = unzipped(&server.api.get_as(&owner.token, "/api/v1/users/me/export").await);
    let file = |wanted: &str| &files.iter().find(|(name, _)| name == wanted).unwrap_or_else(|| panic!("no {wanted}")).1;
    let exported: Value = serde_json::from_slice(file("templates.json")).unwrap();
    let [first, second] = exported["templates"].as_array().unwrap().as_slice() else { panic!("{exported}") };
    assert_eq!((&first["title"], &second["title"]), (&json!("Letter: 1"), &json!("Second")));
    assert_eq!(first["fieldSettings"][0]["hint"], "As in the passport");
    assert_eq!(
        (&first["file"], &second["file"]),
        (&json!("templates/0001 Letter- 1.docx"), &json!("templates/0002 Second.docx"))
    );
    assert!(*file("templates/0001 Letter- 1.docx") == docx(&["Dear {{Name}},", "we write on {{Date}}."]));
}

#[tokio::test]
async fn large_file_is_uploaded_and_saved() {
    let server = TestServer::new().await;
    let owner = Owner::new(&server, "u@example.org").await;
    let file = crate::uploads::large_docx();
    let asked = owner.mine("POST", "/upload", &[JSON], json!({ "bytes": file.len() }).to_string()).await;
    assert_eq!(asked.status, 200, "{asked:?}");
    let (upload, url) = (text_of(&asked.json, "upload"), text_of(&asked.json, "url"));
    let content_type = text_of(&asked.json, "contentType");
    let put = server.api.send("PUT", &url, &[("content-type", content_type.as_str())], file.clone()).await;
    assert_eq!(put.status, 200, "{put:?}");
    let form = Form::from_texts(&[("title", "Letterhead"), ("upload", &upload)]);
    let checked = owner.mine("POST", "/check", &[FORM], form.body()).await;
    assert_eq!((checked.status, &checked.json["fields"]), (200, &json!(["Name", "Date"])), "{checked:?}");
    let made = owner.create(None, &form).await;
    assert_eq!(made.status, 201, "{made:?}");
    let id = text_of(&made.json["document"], "_id");
    let opened = owner.template(&id).await;
    assert!(server.api.get(&text_of(&opened.json, "fileUrl")).await.bytes == file, "the file is unchanged");
    let changed = owner.change(&id, None, &form).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    // An upload belongs to its sender.
    let other = Owner::new(&server, "other@example.org").await;
    assert_eq!(other.create(None, &form).await.code(), "upload_not_found");
}

#[tokio::test]
async fn changes_and_uploads_are_rate_limited() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let owner = Owner::new(&server, "u@example.org").await;
    for _ in 0..60 {
        let asked = owner.mine("POST", "/upload", &[JSON], json!({ "bytes": 1 }).to_string()).await;
        assert_eq!(asked.status, 200, "{asked:?}");
    }
    let refused = owner.mine("POST", "/upload", &[JSON], json!({ "bytes": 1 }).to_string()).await;
    assert_eq!((refused.status, refused.code()), (429, "too_many_attempts"));
    let unknown = "my-01kc4n0000000000000000000d";
    for _ in 0..120 {
        assert_eq!(owner.copy(unknown, None, &json!({})).await.status, 404);
    }
    let title = Form::from_texts(&[("title", "A")]);
    for refused in [
        owner.copy(unknown, None, &json!({})).await,
        owner.change(unknown, None, &title).await,
        owner.create(None, &Form::letter("A")).await,
    ] {
        assert_eq!((refused.status, refused.code()), (429, "too_many_attempts"));
    }
    clock.advance(3_600);
    assert_eq!(owner.create(None, &Form::letter("A")).await.status, 201);
}

#[tokio::test]
async fn large_files_of_private_templates_are_sent_as_links() {
    let server = TestServer::new().await;
    let (account, token) = server.user("u@example.org").await;
    let owner = Owner { server: &server, account, token };
    let form = Form::from_texts(&[("title", "Noise")]).with_file(letter_with_a_large_picture());
    let checked = owner.mine("POST", "/check", &[FORM], form.body()).await;
    let made = owner.create(None, &form).await;
    assert_eq!((checked.status, made.status), (200, 201), "{checked:?} {made:?}");
    let id = text_of(&made.json["document"], "_id");
    let filled = owner.fill(&id, None, &values("Zoé", json!({}))).await;
    let links = [(&checked, "pdfUrl"), (&filled, "pdfUrl"), (&filled, "fileUrl")];
    let links = links.map(|(answer, name)| text_of(&answer.json, name));
    for link in &links {
        let file = server.api.get(link).await;
        assert_eq!(
            (file.status, file.bytes.starts_with(b"%PDF-") || file.bytes.starts_with(b"PK")),
            (200, true),
            "{link}"
        );
    }
    let proof = json!({ "password": "a password" }).to_string();
    let headers = [("authorization", bearer(&owner.token)), ("content-type", "application/json".to_owned())];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    let deleted = server.api.send("DELETE", "/api/v1/users/me", &headers, proof).await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    server.local.cloud.account_cleanup().clean_up_all().await.unwrap();
    for link in &links {
        assert_eq!(server.api.get(link).await.status, 404, "deleted with the account: {link}");
    }
}
