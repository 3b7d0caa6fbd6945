//! Tests of POST /documents/file.

use futures_util::future::join_all;

use crate::test_server::{Form, TestServer, bearer, docx};

#[tokio::test]
async fn template_with_all_members_is_published() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let form = Form::letter("  Tenancy\u{a0} agreement ").with("categories", "Logement, legal,").with("language", "fr");
    let answer = server.api.publish(&admin, &[("accept-language", "ar")], &form.with("country", "tn")).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let document = &answer.json["document"];
    assert_eq!(document["title"], "Tenancy agreement");
    assert_eq!(document["categories"], serde_json::json!(["housing", "legal"]));
    assert_eq!(document["language"]["code"], "fr");
    assert_eq!(document["country"]["name"], "تونس");
    assert_eq!(document["fields"], serde_json::json!(["Name", "Date"]));
    assert_eq!((document["status"].as_str(), document["templateVersion"].as_u64()), (Some("active"), Some(1)));
    assert_eq!(document["pages"], 1);
    let picture = server.api.get(document["thumbnail"].as_str().unwrap()).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/webp"));
    assert!(picture.header("cache-control").contains("immutable"));
    let small = server.api.get(document["smallThumbnail"].as_str().unwrap()).await;
    assert_eq!((small.status, small.header("content-type")), (200, "image/webp"));
    assert!(small.bytes.len() < picture.bytes.len());
    assert_eq!(server.api.get(&format!("/media/{}", "0".repeat(64))).await.code(), "media_not_found");
    assert_eq!(server.api.get("/media/..%2ftoken-key.der").await.code(), "media_not_found");
}

#[tokio::test]
async fn empty_members_get_defaults() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let form = Form::letter("A").with("categories", "").with("language", "").with("country", "");
    let document = server.api.publish(&admin, &[], &form).await.json["document"].clone();
    assert_eq!(document["categories"], serde_json::json!(["general"]));
    assert_eq!((document["language"]["code"].as_str(), &document["country"]), (Some("en"), &serde_json::Value::Null));
}

#[tokio::test]
async fn invalid_templates_are_refused_with_their_code() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let with_file = |docx: Vec<u8>| Form { texts: vec![("title", "A".into())], docx: Some(docx) };
    let cases = [
        (Form { texts: vec![], docx: None }, 400, "title_and_file_required"),
        (Form::letter(" "), 400, "title_and_file_required"),
        (Form::letter(&"é".repeat(201)), 400, "title_too_long"),
        (Form::letter("A\u{202e}B"), 400, "invalid_title"),
        (Form::letter("A\u{200b}B"), 400, "invalid_title"),
        (Form::letter("A").with("categories", "legal,a\u{200b}b"), 400, "invalid_category"),
        (Form::letter("A").with("language", "xx"), 400, "unknown_language"),
        (Form::letter("A").with("country", "XX"), 400, "unknown_country"),
        (Form::letter("A").with("categories", &"x".repeat(61)), 400, "invalid_category"),
        (with_file(vec![b'x'; 4_000_001]), 413, "file_too_large"),
        (with_file(docx(&["Dear {{Name", "{{}} and {{a|b}}"])), 422, "template_refused"),
    ];
    for (form, status, code) in cases {
        let answer = server.api.publish(&admin, &[], &form).await;
        assert_eq!((answer.status, answer.code()), (status, code), "{answer:?}");
    }
    let refused = server.api.publish(&admin, &[], &with_file(docx(&["Dear {{Name", "{{}} and {{a|b}}"]))).await;
    let findings = refused.json["details"]["findings"].as_array().unwrap().clone();
    assert!(findings.len() >= 3, "all findings at once: {findings:?}");
    assert!(findings.iter().all(|finding| finding["part"] == "word/document.xml" && finding["paragraph"].is_u64()));
    let no_zip = server.api.publish(&admin, &[], &with_file(b"not a zip".to_vec())).await;
    assert_eq!(no_zip.status, 422, "{no_zip:?}");
    assert_eq!(server.api.get("/api/v1/documents").await.json["total"], 0);
    let garbage =
        [("authorization", bearer(&admin)), ("content-type", "multipart/form-data; boundary=edge".to_owned())];
    let garbage: Vec<_> = garbage.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let answer = server.api.send("POST", "/api/v1/documents/file", &garbage, "--edge\r\nnonsense").await;
    assert_eq!((answer.status, answer.code()), (400, "invalid_body"));
    assert_eq!(server.api.send("POST", "/api/v1/documents/file", &garbage[..1], "x").await.code(), "form_expected");
}

#[tokio::test]
async fn same_idempotency_key_publishes_once() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let key = [("idempotency-key", "one")];
    let form = Form::letter("Once");
    let all = join_all((0..6).map(|_| server.api.publish(&admin, &key, &form))).await;
    for answer in &all {
        assert_eq!((answer.status, &answer.json), (201, &all[0].json));
    }
    assert_eq!(server.api.get("/api/v1/documents").await.json["total"], 1);
    let other = server.api.publish(&admin, &key, &Form::letter("Another")).await;
    assert_eq!((other.status, other.code()), (409, "idempotency_key_reused"));
    let (_, user) = server.user("u@example.org").await;
    assert_eq!(server.api.publish(&user, &key, &Form::letter("Once")).await.code(), "forbidden");
}

/// The fields are counted before any other work, because the check of 60,000 names alone took seconds.
#[tokio::test]
async fn a_template_has_at_most_two_thousand_fields() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let template = |count: usize| {
        let fields: Vec<String> = (0..count).map(|number| format!("{{{{field {number}}}}}")).collect();
        let paragraphs: Vec<String> = fields.chunks(10).map(|fields| fields.join(" ")).collect();
        let paragraphs: Vec<&str> = paragraphs.iter().map(String::as_str).collect();
        Form { texts: vec![("title", "Fields".to_owned())], docx: Some(docx(&paragraphs)) }
    };
    for count in [2_001, 60_000] {
        let answer = server.api.publish(&admin, &[], &template(count)).await;
        assert_eq!((answer.status, answer.code()), (400, "too_many_fields"), "{count}");
        assert_eq!(answer.json["details"]["limit"], 2_000);
    }
    let answer = server.api.publish(&admin, &[], &template(2_000)).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(answer.json["document"]["fields"].as_array().map(Vec::len), Some(2_000));
}
