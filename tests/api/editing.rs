//! Tests of PATCH /documents/{id}, of its deactivate and activate, and of POST /documents/{id}/try.

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use waraq_core::limits::FILL_PER_USER;

use crate::error_codes::refused;
use crate::saved::large_picture;
use crate::test_server::{ApiResponse, Form, TestServer, bearer, docx, docx_text, letter_values};

fn revision(answer: &ApiResponse) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json["document"]["revision"].to_string()
}

/// Returns the text of a PDF as a reader's search finds it.
fn pdf_text(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdf");
    std::fs::write(&path, bytes).unwrap();
    let output = std::process::Command::new("pdftotext").arg(&path).arg("-").output().expect("pdftotext (Poppler)");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the title in the metadata of a PDF.
fn pdf_title(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdf");
    std::fs::write(&path, bytes).unwrap();
    let output = std::process::Command::new("pdfinfo").arg(&path).output().expect("pdfinfo (Poppler)");
    let said = String::from_utf8(output.stdout).unwrap();
    let title = said.lines().find_map(|line| line.strip_prefix("Title:"));
    title.unwrap_or_default().trim().to_owned()
}

/// Starts a test server with one letter in its catalogue. Returns the server, the admin's token and the id of the
/// letter.
async fn server_with_letter() -> (TestServer, String, String) {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    (server, admin, id)
}

async fn opened(server: &TestServer, admin: &str, id: &str) -> ApiResponse {
    let answer = server.api.get_as(admin, &format!("/api/v1/documents/{id}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer
}

#[tokio::test]
async fn edit_changes_only_the_sent_members() {
    let (server, admin, id) = server_with_letter().await;
    let before = opened(&server, &admin, &id).await;
    assert_eq!(before.json["document"]["revision"], 0);
    let edit = Form::from_texts(&[("title", " A  letter "), ("categories", "Logement, legal,"), ("country", "tn")]);
    let edited = server.api.edit(&admin, &id, &[("accept-language", "fr")], &edit.with("revision", "0")).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let document = &edited.json["document"];
    assert_eq!((&document["title"], &document["country"]["name"]), (&json!("A letter"), &json!("Tunisie")));
    assert_eq!(document["categories"], json!(["housing", "legal"]));
    assert_eq!((&document["revision"], &document["templateVersion"]), (&json!(1), &json!(1)));
    assert_eq!(
        (&document["language"]["code"], &document["createdAt"]),
        (&json!("en"), &before.json["document"]["createdAt"])
    );
    let after = opened(&server, &admin, &id).await;
    assert_eq!(after.file("file"), before.file("file"));
    // Without a new file, too, the template's pages and the documents made from it carry the new title.
    assert_eq!((pdf_title(&before.file("pdf")), pdf_title(&after.file("pdf"))), ("Letter".into(), "A letter".into()));
    let filled = server.api.fill(&id, &[], &letter_values("Zoé")).await;
    assert_eq!(pdf_title(&filled.file("pdf")), "A letter");
    assert_eq!(server.api.get("/api/v1/documents?cat=housing").await.json["data"][0]["title"], "A letter");
    let found = Form::from_texts(&[("keywords", "Quay, رصيف")]);
    assert_eq!(server.api.edit(&admin, &id, &[], &found).await.json["document"]["keywords"], json!(["Quay", "رصيف"]));
    assert_eq!(server.api.get("/api/v1/documents?title=quay").await.json["data"][0]["title"], "A letter");
    // An empty text sets the default; a missing one keeps the value.
    let defaults =
        Form::from_texts(&[("categories", ""), ("keywords", ""), ("language", ""), ("country", ""), ("file", "")]);
    let edited = server.api.edit(&admin, &id, &[], &defaults).await;
    let document = &edited.json["document"];
    assert_eq!((&document["categories"], &document["country"]), (&json!(["general"]), &Value::Null));
    assert_eq!((&document["title"], &document["revision"]), (&json!("A letter"), &json!(3)));
    assert_eq!(document["keywords"], json!([]));
    // An edit that changes nothing makes no new revision.
    let same = server.api.edit(&admin, &id, &[], &Form::from_texts(&[("title", "A letter")])).await;
    assert_eq!((revision(&same), same.json["findings"].as_array().map(Vec::len)), ("3".into(), Some(0)));
}

#[tokio::test]
async fn new_file_makes_a_new_version_and_keeps_the_old_one_usable() {
    let (server, admin, id) = server_with_letter().await;
    let (_, user) = server.account("u@example.org").await;
    let save = json!({ "fieldsAndValues": [{ "Name": "Zoé" }, { "Date": "today" }] });
    let authorization = bearer(&user);
    let headers = [("authorization", authorization.as_str())];
    let kept = server.api.post(&format!("/api/v1/documents/{id}/save"), &headers, &save).await;
    assert_eq!(kept.status, 201, "{kept:?}");
    let file = docx(&["Dear {{Name}},", "we write from {{Place}}.", "{{a font}}"]);
    let edited =
        server.api.edit(&admin, &id, &[], &Form::from_texts(&[("revision", "0")]).with_file(file.clone())).await;
    let document = &edited.json["document"];
    assert_eq!((&document["templateVersion"], &document["revision"]), (&json!(2), &json!(1)));
    assert_eq!(document["fields"], json!(["Name", "Place", "a font"]));
    let now = opened(&server, &admin, &id).await;
    assert_eq!(now.file("file"), file);
    assert!(now.file("pdf").starts_with(b"%PDF-"));
    assert_eq!(now.json["document"], *document);
    // The old values no longer fit, and the error has a code. The saved document belongs to its own version and can
    // still be edited.
    assert_eq!(server.api.fill(&id, &[], &letter_values("a")).await.code(), "unknown_field");
    let old = letter_values("Amina");
    let of_old = json!({ "fieldsAndValues": old["fieldsAndValues"], "templateVersion": 1 });
    let filled = server.api.fill(&id, &[], &of_old).await;
    assert!(docx_text(&filled.file("file")).contains("we write on 1 March"), "{filled:?}");
    let saved = kept.json["savedDocument"]["_id"].as_str().unwrap();
    let saved = server.api.get_as(&user, &format!("/api/v1/documents/saved/{saved}")).await;
    assert_eq!(saved.json["savedDocument"]["template"]["templateVersion"], 1);
    assert_eq!(saved.json["newerTemplate"]["templateVersion"], 2);
}

#[tokio::test]
async fn the_second_of_two_concurrent_edits_is_refused() {
    let (server, admin, id) = server_with_letter().await;
    let forms: Vec<Form> = (0..8)
        .map(|number| {
            let form = Form::from_texts(&[("revision", "0")]).with("title", &format!("Title {number}"));
            if number % 2 == 0 { form.with_file(docx(&[&format!("Number {number}: {{{{Name}}}}")])) } else { form }
        })
        .collect();
    let answers = join_all(forms.iter().map(|form| server.api.edit(&admin, &id, &[], form))).await;
    let done: Vec<&ApiResponse> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(done.len(), 1, "{answers:?}");
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!((answer.status, answer.code()), (409, "template_changed"), "{answer:?}");
    }
    let now = opened(&server, &admin, &id).await;
    assert_eq!(now.json["document"], done[0].json["document"]);
    // Title and file come from the same edit: no edit has overwritten the file of another.
    let number = now.json["document"]["title"].as_str().unwrap().rsplit(' ').next().unwrap().parse::<u32>().unwrap();
    let text = docx_text(&now.file("file"));
    if number % 2 == 0 {
        assert!(text.contains(&format!("Number {number}:")), "{text}");
    } else {
        assert!(text.contains("Dear {{Name}},"), "{text}");
    }
    // The edits that lost have left no files. Four remain: the two of the letter, and two of a new version or of the
    // pages with a new title.
    let of_template = |prefix: &str| format!("{prefix}/{id}/");
    let cloud = &server.local.cloud;
    let mut kept = 0;
    for prefix in [of_template("templates"), of_template("pdf")] {
        let listed = cloud.s3().list_objects_v2().bucket(cloud.bucket_name()).prefix(prefix).send().await.unwrap();
        kept += listed.contents().len();
    }
    assert_eq!(kept, if number % 2 == 0 { 4 } else { 3 });
}

#[tokio::test]
async fn concurrent_edits_fills_and_deactivation_lose_nothing() {
    let (server, admin, id) = server_with_letter().await;
    let fills = (0..24).map(|_| async {
        let answer = server.api.fill(&id, &[], &letter_values("Zoé")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    });
    // Without `revision` an edit applies to the revision that it reads, and fails only if another edit comes in
    // between.
    let edits = (0..6).map(|number| {
        let (server, admin, id) = (&server, &admin, &id);
        async move {
            let form = Form::from_texts(&[]).with("title", &format!("Title {number}"));
            loop {
                let answer = server.api.edit(admin, id, &[], &form).await;
                if answer.status == 200 {
                    break;
                }
                assert_eq!(answer.code(), "template_changed");
            }
        }
    });
    join(join_all(fills), join_all(edits)).await;
    let now = opened(&server, &admin, &id).await;
    assert_eq!((&now.json["document"]["revision"], &now.json["document"]["usageCount"]), (&json!(6), &json!(24)));
    // Deactivation succeeds while edits run, and undoes none of them.
    let edited = async {
        let mut last = 6;
        for number in 0..6 {
            let form = Form::from_texts(&[]).with("title", &format!("Again {number}"));
            let answer = server.api.edit(&admin, &id, &[], &form).await;
            assert!(answer.status == 200 || answer.code() == "template_changed", "{answer:?}");
            if answer.status == 200 {
                last = number;
            }
        }
        last
    };
    let (last, turned) = join(edited, server.api.set_status(&admin, &id, "deactivate")).await;
    assert_eq!(turned.status, 200, "{turned:?}");
    let now = opened(&server, &admin, &id).await;
    assert_eq!(now.json["document"]["status"], "inactive");
    assert_eq!(now.json["document"]["title"], format!("Again {last}"));
}

#[tokio::test]
async fn template_is_deactivated_and_activated_again() {
    let (server, admin, id) = server_with_letter().await;
    let (_, user) = server.account("u@example.org").await;
    let total = async |query: &str| {
        server.api.get_as(&admin, &format!("/api/v1/documents{query}")).await.json["total"].as_u64().unwrap()
    };
    let out = server.api.set_status(&admin, &id, "deactivate").await;
    assert_eq!((out.status, &out.json["document"]["status"]), (200, &json!("inactive")));
    let again = server.api.set_status(&admin, &id, "deactivate").await;
    assert_eq!((again.status, &again.json), (200, &out.json), "a second call changes nothing");
    assert_eq!((total("").await, total("?status=inactive").await, total("?status=all").await), (0, 1, 1));
    // Users and guests do not see it.
    assert_eq!(server.api.get(&format!("/api/v1/documents/{id}")).await.code(), "document_not_found");
    assert_eq!(server.api.get_as(&user, &format!("/api/v1/documents/{id}")).await.code(), "document_not_found");
    assert_eq!(server.api.fill(&id, &[], &letter_values("a")).await.code(), "document_not_found");
    opened(&server, &admin, &id).await;
    let categories = server.api.get("/api/v1/categories").await;
    let general = categories.json["categories"].as_array().unwrap().iter().find(|one| one["name"] == "general");
    assert_eq!(general.unwrap()["count"], 0);
    // An inactive template can still be edited.
    let edited = server.api.edit(&admin, &id, &[], &Form::from_texts(&[("title", "Better"), ("revision", "1")])).await;
    assert_eq!((revision(&edited).as_str(), &edited.json["document"]["status"]), ("2", &json!("inactive")));
    let back = server.api.set_status(&admin, &id, "activate").await;
    assert_eq!((&back.json["document"]["status"], revision(&back).as_str()), (&json!("active"), "3"));
    assert_eq!((total("").await, total("?status=inactive").await), (1, 0));
    for (verb, path) in [("PATCH", "nothing/activate"), ("PATCH", "nothing/deactivate")] {
        let path = format!("/api/v1/documents/{path}");
        let answer = server.api.send(verb, &path, &[("authorization", &bearer(&admin))], "").await;
        assert_eq!((answer.status, answer.code()), (404, "document_not_found"));
    }
    for verb in ["activate", "deactivate"] {
        assert_eq!(server.api.set_status(&user, &id, verb).await.code(), "forbidden");
    }
}

#[tokio::test]
async fn same_idempotency_key_edits_once() {
    let (server, admin, id) = server_with_letter().await;
    let form = Form::from_texts(&[("title", "Second"), ("revision", "0")]).with_file(docx(&["{{One}} {{Two}}"]));
    let key = [("idempotency-key", "k")];
    let all = join_all((0..6).map(|_| server.api.edit(&admin, &id, &key, &form))).await;
    for answer in &all {
        assert_eq!((answer.status, &answer.json), (200, &all[0].json), "{answer:?}");
    }
    assert_eq!(opened(&server, &admin, &id).await.json["document"]["templateVersion"], 2);
    let other = server.api.edit(&admin, &id, &key, &Form::from_texts(&[("title", "Third"), ("revision", "1")])).await;
    assert_eq!((other.status, other.code()), (409, "idempotency_key_reused"));
}

#[tokio::test]
async fn refused_edits_change_nothing() {
    let (server, admin, id) = server_with_letter().await;
    let before = opened(&server, &admin, &id).await;
    let fields: Vec<String> = (0..2_001).map(|number| format!("{{{{field {number}}}}}")).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let cases = [
        (Form::from_texts(&[("title", " ")]), 400, "title_and_file_required"),
        (Form::from_texts(&[("title", &"é".repeat(201))]), 400, "title_too_long"),
        (Form::from_texts(&[("title", "A\u{202e}B")]), 400, "invalid_title"),
        (Form::from_texts(&[("categories", "legal,a\u{200b}b")]), 400, "invalid_category"),
        (Form::from_texts(&[("keywords", "a\u{200b}b")]), 400, "invalid_keyword"),
        (Form::from_texts(&[("language", "xx")]), 400, "unknown_language"),
        (Form::from_texts(&[("country", "XX")]), 400, "unknown_country"),
        (Form::from_texts(&[("revision", "first")]), 400, "invalid_body"),
        (Form::from_texts(&[("revision", "1")]), 409, "template_changed"),
        (Form::from_texts(&[]).with_file(vec![b'x'; 4_000_001]), 413, "file_too_large"),
        (Form::from_texts(&[]).with_file(docx(&["Dear {{Name", "{{}}"])), 422, "template_refused"),
        (Form::from_texts(&[]).with_file(docx(&fields)), 400, "too_many_fields"),
    ];
    for (form, status, code) in cases {
        let answer = server.api.edit(&admin, &id, &[], &form).await;
        assert_eq!((answer.status, answer.code()), (status, code), "{answer:?}");
    }
    for (code, docx) in refused::files() {
        let answer = server.api.edit(&admin, &id, &[], &Form::from_texts(&[]).with_file(docx)).await;
        assert_eq!((answer.status, answer.code()), (422, code), "{answer:?}");
    }
    let form = Form::from_texts(&[("title", "Mine")]);
    assert_eq!(server.api.edit(&admin, "nothing", &[], &form).await.code(), "document_not_found");
    let (_, user) = server.account("u@example.org").await;
    assert_eq!(server.api.edit(&user, &id, &[], &form).await.code(), "forbidden");
    let after = opened(&server, &admin, &id).await;
    assert_eq!(after.bytes, before.bytes);
    let cloud = &server.local.cloud;
    let kept = cloud.s3().list_objects_v2().bucket(cloud.bucket_name()).prefix(format!("templates/{id}/"));
    assert_eq!(kept.send().await.unwrap().contents().len(), 1, "no file of the refused edit remains");
}

async fn try_fill(server: &TestServer, token: &str, id: &str, body: &Value) -> ApiResponse {
    server.api.post(&format!("/api/v1/documents/{id}/try"), &[("authorization", &bearer(token))], body).await
}

#[tokio::test]
async fn test_fill_does_not_count_as_use() {
    let (server, admin, id) = server_with_letter().await;
    server.api.set_status(&admin, &id, "deactivate").await;
    let values = |values: Value| json!({ "fieldsAndValues": values });
    let letter = values(json!([{ "Date": "today" }, { "Name": "Zoé" }]));
    let made = try_fill(&server, &admin, &id, &letter).await;
    assert_eq!(made.status, 200, "{made:?}");
    assert!(docx_text(&made.file("file")).contains("Dear Zoé,"));
    assert!(made.file("pdf").starts_with(b"%PDF-"));
    assert_eq!((&made.json["pages"], &made.json["fileName"]), (&json!(1), &json!("Letter")));
    let blank = json!({ "fieldsAndValues": [{ "Date": "" }, { "Name": "" }], "blank": true });
    assert!(docx_text(&try_fill(&server, &admin, &id, &blank).await.file("file")).contains("Dear ,"));
    assert_eq!(opened(&server, &admin, &id).await.json["document"]["usageCount"], 0);
    let me = server.api.get_as(&admin, "/api/v1/users/me").await;
    assert_eq!(me.json["user"]["downloads"], 0, "{me:?}");
    let cases = [
        (values(json!([{ "Name": "a" }])), "missing_fields"),
        (values(json!([{ "Name": "a" }, { "Date": "b" }, { "name": "c" }])), "unknown_field"),
        (values(json!([{ "Name": "a" }, { "Date": "b" }, { "Name": "c" }])), "duplicate_field"),
        (values(json!([{ "Name": "\u{1}" }, { "Date": "b" }])), "illegal_character"),
        (values(json!([{ "Name": "x".repeat(10_001) }, { "Date": "b" }])), "value_too_long"),
        (values(json!([{ "Name": "x".repeat(200_000) }, { "Date": "b" }])), "values_too_long"),
        (values(json!(vec![json!({ "a": "b" }); 2_001])), "too_many_fields"),
        (values(json!([{ "Name": "a" }, { "Date": [] }])), "wrong_value_type"),
        (values(json!([{ "Name": "a" }, { "Date": vec![json!({}); 2_001] }])), "too_many_rows"),
        (values(json!([{ "Name": "a" }, { "Date": { "image": "x" } }])), "unreadable_picture"),
        (values(json!([{ "Name": "a" }, { "Date": large_picture() }])), "value_picture_too_large"),
        (json!({ "fieldsAndValues": [], "save": true }), "invalid_body"),
    ];
    for (body, code) in &cases {
        let answer = try_fill(&server, &admin, &id, body).await;
        assert_eq!((answer.status, answer.code()), (400, *code), "{body}");
    }
    assert_eq!(try_fill(&server, &admin, "nothing", &letter).await.code(), "document_not_found");
    let (_, user) = server.account("u@example.org").await;
    assert_eq!(try_fill(&server, &user, &id, &letter).await.code(), "forbidden");
    let cloud = &server.local.cloud;
    let admin_id = me.json["user"]["_id"].as_str().unwrap();
    while FILL_PER_USER.count_attempt(cloud.attempts(), admin_id, cloud.clock().now()).await.is_ok() {}
    assert_eq!(try_fill(&server, &admin, &id, &letter).await.code(), "too_many_attempts");
}

#[tokio::test]
async fn check_returns_a_preview_and_stores_nothing() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let seen = server.api.check(&admin, &Form::letter("Letter")).await;
    assert_eq!(seen.status, 200, "{seen:?}");
    assert_eq!((&seen.json["fields"], &seen.json["pages"]), (&json!(["Name", "Date"]), &json!(1)));
    let codes = |answer: &ApiResponse, severity: &str| -> Vec<String> {
        let findings = answer.json["findings"].as_array().unwrap().iter();
        let these = findings.filter(|finding| finding["severity"] == severity);
        these.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    };
    assert!(codes(&seen, "error").is_empty());
    let text = pdf_text(&seen.file("pdf"));
    assert!(text.contains("Dear {{Name}},"), "{text}");
    // A preview before the template exists.
    let values = json!([{ "Name": "Zoé" }, { "Date": "" }]).to_string();
    let filled = server.api.check(&admin, &Form::letter("Letter").with("fieldsAndValues", &values)).await;
    let text = pdf_text(&filled.file("pdf"));
    assert!(text.contains("Dear Zoé,") && text.contains("on ....."), "{text}");
    let blank = Form::letter("").with("fieldsAndValues", &values).with("blank", "true");
    let text = pdf_text(&server.api.check(&admin, &blank).await.file("pdf"));
    assert!(!text.contains("....."), "{text}");
    // A document with errors is shown too, with its pages.
    let wrong = Form::from_texts(&[]).with_file(docx(&["Dear {{Name", "{{}} and {{a|b}}, {{fine}}"]));
    let seen = server.api.check(&admin, &wrong).await;
    assert_eq!((seen.status, codes(&seen, "error").len()), (200, 3), "{seen:?}");
    assert!(pdf_text(&seen.file("pdf")).contains("Dear {{Name"));
    assert_eq!(seen.json["fields"], json!(["fine"]));
    assert_eq!((&seen.json["program"], &seen.json["convertible"]), (&Value::Null, &json!(false)));
    // A template for another program has a mark and its replacement in each diagnostic.
    let other = Form::from_texts(&[]).with_file(docx(&["{#paid}{sum | euro}{/paid}"]));
    let seen = server.api.check(&admin, &other).await;
    assert_eq!((&seen.json["program"], &seen.json["convertible"]), (&json!("docxtemplater"), &json!(true)));
    assert_eq!(codes(&seen, "error"), ["foreign_section", "foreign_expression", "foreign_section"]);
    let mark = json!({ "program": "docxtemplater", "text": "{#paid}", "instead": "{{#paid}}" });
    assert_eq!(seen.json["findings"][0]["mark"], mark);
    // A document without fields has no errors; the empty list of fields informs the admin.
    let plain = server.api.check(&admin, &Form::from_texts(&[]).with_file(docx(&["Closed on Fridays."]))).await;
    assert_eq!((plain.status, &plain.json["fields"]), (200, &json!([])));
    assert_eq!(plain.json["heading"], json!(null));
    let heading = waraq_docx::build::DocumentBuilder::new(
        "<w:p><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:r><w:t>Lease of a flat</w:t></w:r></w:p><w:p/>",
    );
    let seen = server.api.check(&admin, &Form::from_texts(&[]).with_file(heading.to_bytes())).await;
    assert_eq!(seen.json["heading"], "Lease of a flat", "{seen:?}");
    // The language of every template of the starting catalogue is detected correctly.
    for template in waraq_catalogue::templates().into_iter().step_by(5) {
        let seen = server.api.check(&admin, &Form::from_texts(&[]).with_file(template.docx)).await;
        assert_eq!(seen.json["language"], template.language, "{}", template.slug);
    }
    assert_eq!(server.api.get_as(&admin, "/api/v1/documents?status=all").await.json["total"], 0);
}

#[tokio::test]
async fn invalid_checks_are_refused() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let fields: Vec<String> = (0..2_001).map(|number| format!("{{{{field {number}}}}}")).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let with_values = |values: Value| Form::letter("A").with("fieldsAndValues", &values.to_string());
    let cases = [
        (Form::from_texts(&[("title", "A")]), 400, "title_and_file_required"),
        (Form::from_texts(&[]).with_file(vec![b'x'; 4_000_001]), 413, "file_too_large"),
        (Form::from_texts(&[]).with_file(docx(&fields)), 400, "too_many_fields"),
        (with_values(json!([{ "Name": "a" }])), 400, "missing_fields"),
        (with_values(json!([{ "Name": "a" }, { "Date": "b" }, { "name": "c" }])), 400, "unknown_field"),
        (with_values(json!([{ "Name": "a" }, { "Date": "b" }, { "Name": "c" }])), 400, "duplicate_field"),
        (with_values(json!([{ "Name": "\u{1}" }, { "Date": "b" }])), 400, "illegal_character"),
        (with_values(json!([{ "Name": "x".repeat(10_001) }, { "Date": "b" }])), 400, "value_too_long"),
        (with_values(json!([{ "Name": "x".repeat(200_000) }, { "Date": "b" }])), 400, "values_too_long"),
        (with_values(json!([{ "Name": "a" }, { "Date": [] }])), 400, "wrong_value_type"),
        (with_values(json!([{ "Name": "a" }, { "Date": vec![json!({}); 2_001] }])), 400, "too_many_rows"),
        (with_values(json!([{ "Name": "a" }, { "Date": { "image": "x" } }])), 400, "unreadable_picture"),
        (with_values(json!([{ "Name": "a" }, { "Date": large_picture() }])), 400, "value_picture_too_large"),
        (with_values(json!({ "Name": "a" })), 400, "invalid_body"),
    ];
    for (form, status, code) in cases {
        let answer = server.api.check(&admin, &form).await;
        assert_eq!((answer.status, answer.code()), (status, code), "{answer:?}");
    }
    for (code, docx) in refused::files() {
        let answer = server.api.check(&admin, &Form::from_texts(&[]).with_file(docx)).await;
        assert_eq!((answer.status, answer.code()), (422, code), "{answer:?}");
    }
    let (_, user) = server.account("u@example.org").await;
    assert_eq!(server.api.check(&user, &Form::letter("A")).await.code(), "forbidden");
    let cloud = &server.local.cloud;
    let me = server.api.get_as(&admin, "/api/v1/users/me").await.json["user"]["_id"].as_str().unwrap().to_owned();
    while FILL_PER_USER.count_attempt(cloud.attempts(), &me, cloud.clock().now()).await.is_ok() {}
    assert_eq!(server.api.check(&admin, &Form::letter("A")).await.code(), "too_many_attempts");
}

async fn versions(server: &TestServer, admin: &str, id: &str) -> Vec<Value> {
    let answer = server.api.get_as(admin, &format!("/api/v1/documents/{id}/versions")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json["versions"].as_array().unwrap().clone()
}

async fn restore_version(server: &TestServer, token: &str, id: &str, body: &Value) -> ApiResponse {
    server.api.post(&format!("/api/v1/documents/{id}/restore"), &[("authorization", &bearer(token))], body).await
}

#[tokio::test]
async fn renamed_fields_are_followed_across_versions_and_restores() {
    let (server, admin, id) = server_with_letter().await;
    let (_, user) = server.account("u@example.org").await;
    let authorization = bearer(&user);
    let headers = [("authorization", authorization.as_str())];
    let save = json!({ "fieldsAndValues": [{ "Name": "Zoé" }, { "Date": "today" }] });
    let kept = server.api.post(&format!("/api/v1/documents/{id}/save"), &headers, &save).await;
    let saved = kept.json["savedDocument"]["_id"].as_str().unwrap().to_owned();
    let newer = async || {
        server.api.get_as(&user, &format!("/api/v1/documents/saved/{saved}")).await.json["newerTemplate"].clone()
    };
    // `Date` is removed, `Name` is renamed to `Client`, and `Place` is new.
    let file = docx(&["Dear {{Client}},", "from {{Place}}."]);
    let second = Form::from_texts(&[("revision", "0"), ("renamed", r#"{"Name":"Client"}"#)]).with_file(file.clone());
    assert_eq!(server.api.edit(&admin, &id, &[], &second).await.status, 200);
    let told = newer().await;
    assert_eq!(told["renamed"], json!([{ "from": "Name", "to": "Client" }]));
    assert_eq!((&told["added"], &told["dropped"]), (&json!(["Place"]), &json!(["Date"])));
    // After another rename, a field is followed through both.
    let third =
        Form::from_texts(&[("renamed", r#"{"Client":"Customer"}"#)]).with_file(docx(&["{{Place}} {{Customer}}"]));
    assert_eq!(server.api.edit(&admin, &id, &[], &third).await.status, 200);
    let told = newer().await;
    assert_eq!(told["renamed"], json!([{ "from": "Name", "to": "Customer" }]));
    assert_eq!((&told["added"], &told["dropped"]), (&json!(["Place"]), &json!(["Date"])));

    let all = versions(&server, &admin, &id).await;
    let numbers: Vec<u64> = all.iter().map(|version| version["templateVersion"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [3, 2, 1]);
    assert_eq!((&all[1]["fields"], &all[2]["fields"]), (&json!(["Client", "Place"]), &json!(["Name", "Date"])));
    assert_eq!(all[0]["renamed"], json!([{ "from": "Client", "to": "Customer" }]));

    // The first version is restored as the newest, with its file and its field names.
    let title = Form::from_texts(&[("title", "Called otherwise")]);
    assert_eq!(server.api.edit(&admin, &id, &[], &title).await.status, 200);
    let back = restore_version(&server, &admin, &id, &json!({ "templateVersion": 1, "revision": 3 })).await;
    let document = &back.json["document"];
    assert_eq!((&document["templateVersion"], &document["revision"]), (&json!(4), &json!(4)), "{back:?}");
    assert_eq!((&document["title"], &document["fields"]), (&json!("Called otherwise"), &json!(["Name", "Date"])));
    let now = opened(&server, &admin, &id).await;
    assert!(docx_text(&now.file("file")).contains("Dear {{Name}},"));
    assert_eq!(server.api.fill(&id, &[], &letter_values("Zoé")).await.status, 200);
    assert_eq!(versions(&server, &admin, &id).await[0]["renamed"], json!([{ "from": "Customer", "to": "Name" }]));
    let told = newer().await;
    assert_eq!(
        (&told["renamed"], &told["dropped"], &told["added"]),
        (&json!([]), &json!([]), &json!([])),
        "no differences remain"
    );
    // The second version has file names of its own.
    assert_eq!(restore_version(&server, &admin, &id, &json!({ "templateVersion": 2 })).await.status, 200);
    assert_eq!(opened(&server, &admin, &id).await.file("file"), file);
    // Restoring the version that is already the newest changes nothing.
    let same = restore_version(&server, &admin, &id, &json!({ "templateVersion": 5 })).await;
    assert_eq!((same.status, &same.json["document"]["templateVersion"]), (200, &json!(5)));

    let late = restore_version(&server, &admin, &id, &json!({ "templateVersion": 1, "revision": 3 })).await;
    assert_eq!((late.status, late.code()), (409, "template_changed"));
    let none = restore_version(&server, &admin, &id, &json!({ "templateVersion": 9 })).await;
    assert_eq!((none.status, none.code()), (404, "document_not_found"));
    assert_eq!(
        restore_version(&server, &admin, "nothing", &json!({ "templateVersion": 1 })).await.code(),
        "document_not_found"
    );
    assert_eq!(restore_version(&server, &user, &id, &json!({ "templateVersion": 1 })).await.code(), "forbidden");
    for path in ["versions", "history"] {
        let answer = server.api.get_as(&admin, &format!("/api/v1/documents/nothing/{path}")).await;
        assert_eq!((answer.status, answer.code()), (404, "document_not_found"));
        assert_eq!(server.api.get_as(&user, &format!("/api/v1/documents/{id}/{path}")).await.code(), "forbidden");
    }
}

#[tokio::test]
async fn renames_must_be_one_to_one_and_need_a_file() {
    let (server, admin, id) = server_with_letter().await;
    let file = docx(&["Dear {{Client}},", "on {{Date}} from {{Place}}."]);
    for renamed in [
        r#"{"Nobody":"Client"}"#,
        r#"{"Date":"Client"}"#,
        r#"{"Name":"Date"}"#,
        r#"{"Name":"Nowhere"}"#,
        r#"["Name","Client"]"#,
        "no JSON",
    ] {
        let answer =
            server.api.edit(&admin, &id, &[], &Form::from_texts(&[("renamed", renamed)]).with_file(file.clone())).await;
        assert_eq!((answer.status, answer.code()), (400, "invalid_body"), "{renamed}");
        assert_eq!(answer.json["details"]["fields"], json!(["renamed"]));
    }
    let without = server.api.edit(&admin, &id, &[], &Form::from_texts(&[("renamed", r#"{"Name":"Client"}"#)])).await;
    assert_eq!(without.code(), "invalid_body");
    let two = docx(&["{{One}} {{Two}}"]);
    let two = Form::from_texts(&[("renamed", r#"{"Name":"One","Date":"One"}"#)]).with_file(two);
    assert_eq!(server.api.edit(&admin, &id, &[], &two).await.code(), "invalid_body");
    let cloud = &server.local.cloud;
    let kept = cloud.s3().list_objects_v2().bucket(cloud.bucket_name()).prefix(format!("templates/{id}/"));
    assert_eq!(kept.send().await.unwrap().contents().len(), 1, "no file of the refused edit remains");
}

#[tokio::test]
async fn audit_log_lists_changes_with_their_admin() {
    // The index of a template's audit events is late; the most recent events are read from the log.
    let server =
        TestServer::with_options(|options| options.index_delay = Some(std::time::Duration::from_secs(3_600))).await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    server.api.publish_letter(&admin, "Another").await;
    let edit = Form::from_texts(&[("title", "Better"), ("categories", "legal"), ("country", "tn")]);
    assert_eq!(server.api.edit(&admin, &id, &[], &edit.with_file(docx(&["{{a}}"]))).await.status, 200);
    server.api.edit(&admin, &id, &[], &Form::from_texts(&[("title", "Better")])).await;
    for verb in ["deactivate", "deactivate", "activate"] {
        assert_eq!(server.api.set_status(&admin, &id, verb).await.status, 200);
    }
    assert_eq!(restore_version(&server, &admin, &id, &json!({ "templateVersion": 1 })).await.status, 200);
    let answer = server.api.get_as(&admin, &format!("/api/v1/documents/{id}/history")).await;
    let history = answer.json["history"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
    let what: Vec<&str> = history.iter().map(|entry| entry["what"].as_str().unwrap()).collect();
    assert_eq!(
        what,
        ["restored", "activated", "deactivated", "edited", "published"],
        "calls that changed nothing are not in it"
    );
    let changes = json!([
        { "part": "title", "from": "Letter", "to": "Better" },
        { "part": "categories", "from": "general", "to": "legal" },
        { "part": "country", "from": "", "to": "TN" },
        { "part": "file", "from": "1", "to": "2" },
    ]);
    assert_eq!(history[3]["changes"], changes);
    assert_eq!((&history[0]["templateVersion"], &history[0]["fromVersion"]), (&json!(3), &json!(1)));
    let me = server.api.get_as(&admin, "/api/v1/users/me").await.json["user"].clone();
    for entry in history {
        assert_eq!(entry["by"], json!({ "_id": me["_id"], "name": me["name"] }));
    }
    // Events older than the last hundred writes are read through the index.
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    let other = server.api.publish_letter(&admin, "Another").await;
    for _ in 0..55 {
        server.api.set_status(&admin, &other, "deactivate").await;
        server.api.set_status(&admin, &other, "activate").await;
    }
    let answer = server.api.get_as(&admin, &format!("/api/v1/documents/{id}/history")).await;
    assert_eq!(answer.json["history"].as_array().map(Vec::len), Some(1), "{answer:?}");
}
