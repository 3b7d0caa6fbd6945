//! Tests of POST /documents/upload: template files that are too large for a form.

use std::io::Write;

use serde_json::json;

use crate::managing_users::set_role;
use crate::test_server::{ApiResponse, Form, TestServer, bearer, docx};

/// A letter with 6 MB of ballast that cannot be compressed.
pub fn large_docx() -> Vec<u8> {
    let mut written =
        zip::ZipWriter::new_append(std::io::Cursor::new(docx(&["Dear {{Name}},", "on {{Date}}."]))).unwrap();
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    written.start_file("word/media/ballast.bin", stored).unwrap();
    let mut number: u32 = 1;
    let ballast: Vec<u8> = (0..6_000_000)
        .map(|_| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 24) as u8
        })
        .collect();
    written.write_all(&ballast).unwrap();
    written.finish().unwrap().into_inner()
}

async fn request_upload(server: &TestServer, token: &str, bytes: usize) -> ApiResponse {
    let authorization = bearer(token);
    let headers = [("authorization", authorization.as_str())];
    server.api.post("/api/v1/documents/upload", &headers, &json!({ "bytes": bytes })).await
}

/// Begins an upload. Returns its id, URL and content type.
async fn begin_upload(server: &TestServer, token: &str, bytes: usize) -> (String, String, String) {
    let answer = request_upload(server, token, bytes).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let text = |name: &str| answer.json[name].as_str().unwrap().to_owned();
    (text("upload"), text("url"), text("contentType"))
}

async fn send_file(server: &TestServer, url: &str, content_type: &str, file: Vec<u8>) -> ApiResponse {
    server.api.send("PUT", url, &[("content-type", content_type)], file).await
}

fn by_upload(title: &str, upload: &str) -> Form {
    Form::from_texts(&[("title", title), ("upload", upload)])
}

#[tokio::test]
async fn large_file_is_uploaded_checked_published_and_edited() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let file = large_docx();
    let in_form = Form { texts: vec![("title", "A".into())], docx: Some(file[..4_500_000].to_vec()) };
    let refused = server.api.publish(&admin, &[], &in_form).await;
    assert_eq!((refused.code(), &refused.json["details"]["limit"]), ("file_too_large", &json!(4_000_000)));

    let (upload, url, content_type) = begin_upload(&server, &admin, file.len()).await;
    let put = send_file(&server, &url, &content_type, file.clone()).await;
    assert_eq!(put.status, 200, "{put:?}");
    let checked = server.api.check(&admin, &Form::from_texts(&[("upload", &upload)])).await;
    assert_eq!((checked.status, &checked.json["fields"]), (200, &json!(["Name", "Date"])), "{checked:?}");
    // One uploaded file can be used several times; a request with the same key gets the same response.
    let key = [("idempotency-key", "large")];
    let published = server.api.publish(&admin, &key, &by_upload("Letterhead", &upload)).await;
    assert_eq!(published.status, 201, "{published:?}");
    let again = server.api.publish(&admin, &key, &by_upload("Letterhead", &upload)).await;
    assert_eq!((again.status, &again.json), (201, &published.json));
    let id = published.json["document"]["_id"].as_str().unwrap();
    let got = server.api.get(&format!("/api/v1/documents/{id}")).await;
    let kept = server.api.get(got.json["fileUrl"].as_str().unwrap()).await;
    assert!(kept.bytes == file, "the file is unchanged");
    let filled = server.api.fill(id, &[], &crate::test_server::letter_values("Zoé")).await;
    assert_eq!(filled.status, 200, "{filled:?}");
    let edited = server.api.edit(&admin, id, &[], &by_upload("Letterhead", &upload)).await;
    assert_eq!((edited.status, &edited.json["document"]["templateVersion"]), (200, &json!(2)), "{edited:?}");
}

async fn another_admin(server: &TestServer, admin: &str) -> String {
    let registered = server.registered("second@example.org", "a password").await;
    let id = registered["user"]["_id"].as_str().unwrap();
    assert_eq!(set_role(server, admin, id, "admin").await.status, 200);
    server.api.login("second@example.org", "a password").await
}

#[tokio::test]
async fn invalid_uploads_are_refused() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let (_, user) = server.user("u@example.org").await;
    assert_eq!(request_upload(&server, &user, 1).await.code(), "forbidden");
    let large = request_upload(&server, &admin, 20_000_001).await;
    assert_eq!(
        (large.status, large.code(), &large.json["details"]["limit"]),
        (413, "file_too_large", &json!(20_000_000))
    );
    assert_eq!(request_upload(&server, &admin, 0).await.code(), "invalid_body");

    let file = docx(&["Dear {{Name}},"]);
    let (upload, url, content_type) = begin_upload(&server, &admin, file.len()).await;
    // The URL was not signed for another length, content type, path or method.
    let mut longer = file.clone();
    longer.push(0);
    let elsewhere = url.replace(&upload, &format!("{upload}x"));
    for (what, url, content_type, body) in [
        ("longer", &url, content_type.as_str(), &longer),
        ("shorter", &url, &content_type, &file[1..].to_vec()),
        ("another type", &url, "text/html", &file),
        ("another place", &elsewhere, &content_type, &file),
    ] {
        let answer = send_file(&server, url, content_type, body.clone()).await;
        assert!(answer.status == 403, "{what}: {answer:?}");
    }
    assert_eq!(server.api.get(&url).await.status, 403, "the link is only for uploading");
    // These uploads were never sent, never begun, belong to another admin, or have no valid id.
    let mut missing = vec![upload.clone(), "never".into(), "../templates/x".into(), "x".repeat(65), "ø".into()];
    assert_eq!(send_file(&server, &url, &content_type, file.clone()).await.status, 200);
    let other = another_admin(&server, &admin).await;
    for name in missing.drain(1..) {
        let answer = server.api.publish(&admin, &[], &by_upload("A", &name)).await;
        assert_eq!((answer.status, answer.code()), (404, "upload_not_found"), "{name}: {answer:?}");
    }
    for answer in [
        server.api.publish(&other, &[], &by_upload("A", &upload)).await,
        server.api.check(&other, &by_upload("A", &upload)).await,
    ] {
        assert_eq!((answer.status, answer.code()), (404, "upload_not_found"), "{answer:?}");
    }
    let both = Form { texts: vec![("title", "A".into()), ("upload", upload.clone())], docx: Some(file.clone()) };
    assert_eq!(server.api.publish(&admin, &[], &both).await.code(), "invalid_body");
    // An invalid file is refused as such, however it was sent.
    let (junk, url, content_type) = begin_upload(&server, &admin, 9).await;
    assert_eq!(send_file(&server, &url, &content_type, b"not a zip".to_vec()).await.status, 200);
    let answer = server.api.publish(&admin, &[], &by_upload("A", &junk)).await;
    assert_eq!((answer.status, answer.code()), (422, "not_a_zip"), "{answer:?}");
    assert_eq!(server.api.publish(&admin, &[], &by_upload("A", &upload)).await.status, 201);
}
