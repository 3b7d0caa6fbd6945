//! Tests of POST /documents/upload: template files that are too large for a form.

use std::io::Write;

use serde_json::json;

use crate::managing_users::set_role;
use crate::test_server::{ApiResponse, Form, TestServer, bearer, docx};

/// A letter with 6 MB of ballast that cannot be compressed.
fn large() -> Vec<u8> {
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

async fn address(house: &TestServer, token: &str, bytes: usize) -> ApiResponse {
    let authorization = bearer(token);
    let headers = [("authorization", authorization.as_str())];
    house.api.post("/api/v1/documents/upload", &headers, &json!({ "bytes": bytes })).await
}

/// Begins an upload. Returns its id, URL and content type.
async fn begin_upload(house: &TestServer, token: &str, bytes: usize) -> (String, String, String) {
    let answer = address(house, token, bytes).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let text = |name: &str| answer.json[name].as_str().unwrap().to_owned();
    (text("upload"), text("url"), text("contentType"))
}

async fn send_file(house: &TestServer, url: &str, content_type: &str, file: Vec<u8>) -> ApiResponse {
    house.api.send("PUT", url, &[("content-type", content_type)], file).await
}

fn by_upload(title: &str, upload: &str) -> Form {
    Form::from_texts(&[("title", title), ("upload", upload)])
}

#[tokio::test]
async fn a_large_letterhead_is_sent_checked_published_and_edited() {
    let house = TestServer::new().await;
    let admin = house.admin().await;
    let file = large();
    let in_form = Form { texts: vec![("title", "A".into())], docx: Some(file[..4_500_000].to_vec()) };
    let refused = house.api.publish(&admin, &[], &in_form).await;
    assert_eq!((refused.code(), &refused.json["details"]["limit"]), ("file_too_large", &json!(4_000_000)));

    let (upload, url, content_type) = begin_upload(&house, &admin, file.len()).await;
    let put = send_file(&house, &url, &content_type, file.clone()).await;
    assert_eq!(put.status, 200, "{put:?}");
    let checked = house.api.check(&admin, &Form::from_texts(&[("upload", &upload)])).await;
    assert_eq!((checked.status, &checked.json["fields"]), (200, &json!(["Name", "Date"])), "{checked:?}");
    // One uploaded file can be used several times; a request with the same key gets the same response.
    let key = [("idempotency-key", "large")];
    let published = house.api.publish(&admin, &key, &by_upload("Letterhead", &upload)).await;
    assert_eq!(published.status, 201, "{published:?}");
    let again = house.api.publish(&admin, &key, &by_upload("Letterhead", &upload)).await;
    assert_eq!((again.status, &again.json), (201, &published.json));
    let id = published.json["document"]["_id"].as_str().unwrap();
    let got = house.api.get(&format!("/api/v1/documents/{id}")).await;
    let kept = house.api.get(got.json["fileUrl"].as_str().unwrap()).await;
    assert!(kept.bytes == file, "as it was sent");
    let filled = house.api.fill(id, &[], &crate::test_server::letter_values("Zoé")).await;
    assert_eq!(filled.status, 200, "{filled:?}");
    let edited = house.api.edit(&admin, id, &[], &by_upload("Letterhead", &upload)).await;
    assert_eq!((edited.status, &edited.json["document"]["templateVersion"]), (200, &json!(2)), "{edited:?}");
}

async fn another_admin(house: &TestServer, admin: &str) -> String {
    let registered = house.registered("second@example.org", "a password").await;
    let id = registered["user"]["_id"].as_str().unwrap();
    assert_eq!(set_role(house, admin, id, "admin").await.status, 200);
    house.api.login("second@example.org", "a password").await
}

#[tokio::test]
async fn what_is_refused() {
    let house = TestServer::new().await;
    let admin = house.admin().await;
    let (_, user) = house.user("u@example.org").await;
    assert_eq!(address(&house, &user, 1).await.code(), "forbidden");
    let large = address(&house, &admin, 20_000_001).await;
    assert_eq!(
        (large.status, large.code(), &large.json["details"]["limit"]),
        (413, "file_too_large", &json!(20_000_000))
    );
    assert_eq!(address(&house, &admin, 0).await.code(), "invalid_body");

    let file = docx(&["Dear {{Name}},"]);
    let (upload, url, content_type) = begin_upload(&house, &admin, file.len()).await;
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
        let answer = send_file(&house, url, content_type, body.clone()).await;
        assert!(answer.status == 403, "{what}: {answer:?}");
    }
    assert_eq!(house.api.get(&url).await.status, 403, "it is for sending");
    // These uploads were never sent, never begun, belong to another admin, or have no valid id.
    let mut missing = vec![upload.clone(), "never".into(), "../templates/x".into(), "x".repeat(65), "ø".into()];
    assert_eq!(send_file(&house, &url, &content_type, file.clone()).await.status, 200);
    let other = another_admin(&house, &admin).await;
    for name in missing.drain(1..) {
        let answer = house.api.publish(&admin, &[], &by_upload("A", &name)).await;
        assert_eq!((answer.status, answer.code()), (404, "upload_not_found"), "{name}: {answer:?}");
    }
    for answer in [
        house.api.publish(&other, &[], &by_upload("A", &upload)).await,
        house.api.check(&other, &by_upload("A", &upload)).await,
    ] {
        assert_eq!((answer.status, answer.code()), (404, "upload_not_found"), "{answer:?}");
    }
    let both = Form { texts: vec![("title", "A".into()), ("upload", upload.clone())], docx: Some(file.clone()) };
    assert_eq!(house.api.publish(&admin, &[], &both).await.code(), "invalid_body");
    // An invalid file is refused as such, however it was sent.
    let (junk, url, content_type) = begin_upload(&house, &admin, 9).await;
    assert_eq!(send_file(&house, &url, &content_type, b"not a zip".to_vec()).await.status, 200);
    let answer = house.api.publish(&admin, &[], &by_upload("A", &junk)).await;
    assert_eq!((answer.status, answer.code()), (422, "not_a_zip"), "{answer:?}");
    assert_eq!(house.api.publish(&admin, &[], &by_upload("A", &upload)).await.status, 201);
}
