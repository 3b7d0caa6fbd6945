//! Tests of pictures as values: in requests, saved documents, exports and the PDF.

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::{Value, json};

use crate::saved::{Owner, text_of};
use crate::test_server::{ApiResponse, Form, TestServer, bearer, docx_of_body, paragraph, table_row};

/// Returns a letter with the text `Name`, the picture `Logo`, the QR code `Code` and the list `items` with the column `photo`.
fn letter() -> Vec<u8> {
    let table = table_row(&["{{#items}}{{item}}", "{{photo}}{{/items}}"]);
    docx_of_body(&(paragraph("Dear {{Name}},") + &paragraph("{{Logo}} {{Code}}") + &table + &paragraph("end")))
}

/// Returns the kinds of the fields. A logo is at most 20 mm wide.
fn settings() -> Value {
    json!([
        { "field": "Logo", "kind": "picture", "maxWidth": 20 },
        { "field": "Code", "kind": "qr_code" },
        { "field": "items", "columns": [{ "field": "photo", "kind": "picture" }] },
    ])
}

async fn publish(server: &TestServer) -> String {
    let form = Form::from_texts(&[("title", "Letter"), ("fieldHelp", &settings().to_string())]).with_file(letter());
    let answer = server.api.publish(&server.admin().await, &[], &form).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    text_of(&answer.json["document"], "_id")
}

/// Returns a transparent PNG of 400 × 100 pixels as a value. `alternative_text` may be empty.
fn logo(alternative_text: &str) -> Value {
    let pixels = RgbaImage::from_fn(400, 100, |x, y| Rgba([10, 110, 110, if (x + y) % 40 < 20 { 255 } else { 0 }]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let image = format!("data:image/png;base64,{}", STANDARD.encode(bytes.into_inner()));
    json!({ "image": image, "alternativeText": alternative_text })
}

/// Returns a JPEG of 60 × 40 pixels with a comment as a value.
fn photo() -> Value {
    let pixels = RgbImage::from_fn(60, 40, |x, y| Rgb([(x * 4) as u8, (y * 6) as u8, 90]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, image::ImageFormat::Jpeg).unwrap();
    let mut bytes = bytes.into_inner();
    bytes.splice(2..2, *b"\xff\xfe\x00\x07Rabat");
    json!({ "image": format!("data:image/jpeg;base64,{}", STANDARD.encode(bytes)), "alternativeText": "" })
}

fn body(logo: Value, items: Value) -> Value {
    json!({ "fieldsAndValues": [{ "Name": "Zoé" }, { "Logo": logo }, { "Code": "https://example.org/7" }, { "items": items }] })
}

fn document_xml(answer: &ApiResponse) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(answer.file("file"))).unwrap();
    std::io::read_to_string(archive.by_name("word/document.xml").unwrap()).unwrap()
}

/// Returns the objects of a PDF, with the content of its streams.
fn pdf_objects(pdf: &[u8]) -> String {
    let (start, end) = (b"stream\n", b"endstream");
    let find = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|window| window == what);
    let (mut rest, mut objects) = (pdf, String::new());
    while let Some(at) = find(rest, start) {
        objects.push_str(&String::from_utf8_lossy(&rest[..at]));
        rest = &rest[at + start.len()..];
        let length = find(rest, end).unwrap_or(rest.len());
        let mut content = Vec::new();
        // A stream that is no deflated data, such as a JPEG, has no objects.
        if flate2::read::ZlibDecoder::new(&rest[..length]).read_to_end(&mut content).is_ok() {
            objects.push_str(&String::from_utf8_lossy(&content));
        }
        rest = &rest[(length + end.len()).min(rest.len())..];
    }
    objects + &String::from_utf8_lossy(rest)
}

#[tokio::test]
async fn picture_is_printed_saved_edited_and_exported() {
    let server = TestServer::new().await;
    let id = publish(&server).await;
    let owner = Owner::new(&server, "u@example.org").await;
    let items = json!([{ "item": "Chair", "photo": photo() }, { "item": "Table", "photo": "" }]);
    let saved = owner.save(&id, &body(logo("Green stripes"), items)).await;
    assert_eq!(saved.status, 201, "{saved:?}");
    let saved_id = text_of(&saved.json["savedDocument"], "_id");
    let opened = owner.opened(&saved_id).await;
    let values = opened.json["savedDocument"]["currentDocumentData"].clone();
    assert_eq!(values[1]["Logo"], logo("Green stripes"));
    let kept_photo = &values[3]["items"][0]["photo"];
    let jpeg = text_of(kept_photo, "image");
    let jpeg = STANDARD.decode(jpeg.strip_prefix("data:image/jpeg;base64,").unwrap()).unwrap();
    assert!(!jpeg.windows(5).any(|bytes| bytes == b"Rabat"), "the comment is left");
    assert_eq!(values[3]["items"][1]["photo"], "");
    let xml = document_xml(&opened);
    // 20 mm wide and 5 mm high: 36,000 EMU are a millimetre.
    assert!(xml.contains("cx=\"720000\" cy=\"180000\""), "{xml}");
    let texts = ["Green stripes", "https://example.org/7", "photo"];
    for text in texts {
        assert!(xml.contains(&format!("descr=\"{text}\"")), "{text}: {xml}");
    }
    let pdf = pdf_objects(&opened.file("pdf"));
    assert_eq!(pdf.matches("/S/Figure").count(), 3, "{pdf}");
    for text in texts {
        assert!(pdf.contains(&format!("/Alt({text})")), "{text}: {pdf}");
    }

    // The values of a saved document can be sent back, and its pictures do not change.
    let edit = json!({ "fieldsAndValues": values, "savedDocumentId": saved_id, "version": 1 });
    assert_eq!(owner.save(&id, &edit).await.status, 200);
    let again = owner.opened(&saved_id).await;
    assert_eq!(again.json["savedDocument"]["currentDocumentData"], values);
    assert_eq!(document_xml(&again), xml);

    let export = server.api.get_as(&owner.token, "/api/v1/users/me/export").await;
    let zip = STANDARD.decode(text_of(&export.json, "file")).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(zip)).unwrap();
    let mut files = (0..archive.len()).map(|at| {
        let mut bytes = Vec::new();
        archive.by_index(at).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    });
    assert!(files.any(|file| file == jpeg), "the export has no photo");
}

#[tokio::test]
async fn repeated_request_has_the_same_picture() {
    let server = TestServer::new().await;
    let id = publish(&server).await;
    let key = [("idempotency-key", "one")];
    let sent = body(logo(""), json!([]));
    let first = server.api.fill(&id, &key, &sent).await;
    assert_eq!(first.status, 200, "{first:?}");
    assert!(document_xml(&first).contains("descr=\"Logo\""));
    let again = server.api.fill(&id, &key, &sent).await;
    assert_eq!((again.file("file"), again.file("pdf")), (first.file("file"), first.file("pdf")));
}

#[tokio::test]
async fn too_long_qr_codes_and_texts_for_pictures_are_refused() {
    let server = TestServer::new().await;
    let id = publish(&server).await;
    let mut long = body(logo(""), json!([]));
    long["fieldsAndValues"][2]["Code"] = json!("x".repeat(5_000));
    let cases = [
        (long, "qr_code_too_long", "Code"),
        (body(json!("Our logo"), json!([])), "wrong_value_type", "Logo"),
        (body(logo(""), json!([{ "item": "", "photo": "a" }])), "wrong_value_type", "items[0].photo"),
    ];
    for (body, code, field) in cases {
        let answer = server.api.fill(&id, &[], &body).await;
        assert_eq!((answer.status, answer.code()), (400, code), "{answer:?}");
        assert_eq!(answer.json["details"]["fields"], json!([field]));
    }
    let nothing = server.api.fill(&id, &[], &body(json!(""), json!([]))).await;
    assert_eq!(nothing.status, 200, "{nothing:?}");
}

#[tokio::test]
async fn test_fill_uses_the_kinds_that_the_admin_has_entered() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let values = body(logo("Green stripes"), json!([]));
    let form = Form::from_texts(&[("fieldsAndValues", &values["fieldsAndValues"].to_string())]).with_file(letter());
    let refused = server.api.check(&admin, &form).await;
    assert_eq!((refused.code(), &refused.json["details"]["fields"]), ("wrong_value_type", &json!(["Logo"])));
    let form = Form::from_texts(&[("fieldsAndValues", &values["fieldsAndValues"].to_string())]).with_file(letter());
    let checked = server.api.check(&admin, &form.with("fieldHelp", &settings().to_string())).await;
    assert_eq!(checked.status, 200, "{checked:?}");
    assert_eq!(checked.json["structure"][1], json!({ "name": "Logo", "type": "picture" }));
    assert!(pdf_objects(&checked.file("pdf")).contains("/Alt(Green stripes)"));
}

#[tokio::test]
async fn types_are_restored_with_their_version() {
    let server = TestServer::new().await;
    let (id, admin) = (publish(&server).await, server.admin().await);
    let path = format!("/api/v1/documents/{id}");
    let texts = json!([
        { "field": "Logo", "kind": "long_text", "hint": "In words" },
        { "field": "items", "columns": [{ "field": "photo", "label": "Description" }] },
    ]);
    let edited = server.api.edit(&admin, &id, &[], &Form::from_texts(&[("fieldHelp", &texts.to_string())])).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let types = async || {
        let opened = server.api.get_as(&admin, &path).await.json;
        let kinds = |at: usize| opened["fieldHelp"][at]["kind"].clone();
        let structure = &opened["document"]["structure"];
        let column = (&structure[3]["columns"][1]["type"], &opened["fieldHelp"][3]["columns"][1]);
        assert_eq!((&structure[1]["type"], column.0), (&kinds(1), &column.1["kind"]), "{opened}");
        (structure[1]["type"].clone(), opened["fieldHelp"][1]["hint"].clone(), column.1["label"].clone())
    };
    let opened = server.api.get_as(&admin, &path).await.json;
    assert_eq!(opened["document"]["structure"][1]["type"], "text");
    assert_eq!(opened["fieldHelp"][1]["kind"], "long_text");
    let headers = bearer(&admin);
    let body = json!({ "templateVersion": 1 });
    let restored = server.api.post(&format!("{path}/restore"), &[("authorization", &headers)], &body).await;
    assert_eq!(restored.status, 200, "{restored:?}");
    assert_eq!(types().await, (json!("picture"), json!("In words"), json!("Description")));
    // An edit of the settings keeps the types, because the settings have them too.
    let opened = server.api.get_as(&admin, &path).await.json;
    let kinds = json!([{ "field": "Logo", "kind": opened["fieldHelp"][1]["kind"], "hint": "A file" }]);
    let edited = server.api.edit(&admin, &id, &[], &Form::from_texts(&[("fieldHelp", &kinds.to_string())])).await;
    assert_eq!(edited.json["document"]["structure"][1]["type"], "picture", "{edited:?}");
}
