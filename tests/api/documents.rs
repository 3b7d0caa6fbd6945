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
