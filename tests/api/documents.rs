//! Tests of GET /documents/{id}.

use crate::test_server::{Form, TestServer, docx_text};

#[tokio::test]
async fn a_template_with_its_file_and_its_pages() {
    let house = TestServer::new().await;
    let admin = house.admin().await;
    let form = Form::letter("Letter");
    let id = house.api.publish(&admin, &[], &form).await.json["document"]["_id"].as_str().unwrap().to_owned();
    let answer = house.api.get(&format!("/api/v1/documents/{id}")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json["document"]["title"], "Letter");
    assert_eq!(answer.file("file"), form.docx.unwrap(), "byte for byte what was uploaded");
    assert!(docx_text(&answer.file("file")).contains("Dear {{Name}},"));
    assert!(answer.file("pdf").starts_with(b"%PDF-"));
    for unknown in ["nothing", "..%2f..", "%00"] {
        let answer = house.api.get(&format!("/api/v1/documents/{unknown}")).await;
        assert_eq!((answer.status, answer.code()), (404, "document_not_found"), "{unknown}");
    }
}
