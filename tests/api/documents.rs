//! Tests of GET /documents/{id}.

use crate::test_server::{Form, TestServer, docx_text};

#[tokio::test]
async fn template_is_returned_with_its_file_and_pdf() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let form = Form::letter("Letter");
    let id = server.api.publish(&admin, &[], &form).await.json["document"]["_id"].as_str().unwrap().to_owned();
    let answer = server.api.get(&format!("/api/v1/documents/{id}")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json["document"]["title"], "Letter");
    assert_eq!(answer.file("file"), form.docx.unwrap(), "byte for byte what was uploaded");
    assert!(docx_text(&answer.file("file")).contains("Dear {{Name}},"));
    assert!(answer.file("pdf").starts_with(b"%PDF-"));
    for unknown in ["nothing", "..%2f..", "%00"] {
        let answer = server.api.get(&format!("/api/v1/documents/{unknown}")).await;
        assert_eq!((answer.status, answer.code()), (404, "document_not_found"), "{unknown}");
    }
}

#[tokio::test]
async fn a_client_that_has_the_current_version_gets_no_body() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    let path = format!("/api/v1/documents/{id}");
    let first = server.api.get(&path).await;
    let tag = first.header("etag").to_owned();
    assert_eq!((first.status, first.header("cache-control")), (200, "no-cache"));
    let again = async |tag: &str| server.api.send("GET", &path, &[("if-none-match", tag)], "").await;
    let same = again(&tag).await;
    assert_eq!((same.status, same.bytes.len(), same.header("etag")), (304, 0, &*tag));
    assert_eq!(again("\"other\"").await.status, 200);
    let in_french = [("if-none-match", &*tag), ("accept-language", "fr")];
    let french = server.api.send("GET", &path, &in_french, "").await;
    assert_eq!(french.status, 200, "names in another language are another version");
    let edited = server.api.edit(&admin, &id, &[], &Form::from_texts(&[("title", "New title")])).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let changed = again(&tag).await;
    assert_eq!((changed.status, changed.json["document"]["title"].as_str()), (200, Some("New title")));
    assert_ne!(changed.header("etag"), tag);
    let inactive = server.api.set_status(&admin, &id, "deactivate").await;
    assert_eq!(inactive.status, 200, "{inactive:?}");
    assert_eq!(again(changed.header("etag")).await.status, 404, "a template that left the catalogue");
}
