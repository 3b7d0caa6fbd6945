//! Tests of POST /documents/{id}/fill-fields.

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use waraq_core::limits::FILL_PER_USER;
use waraq_docx::build::DocumentBuilder;

use crate::test_server::{ApiResponse, Form, TestServer, bearer, docx, docx_text, letter_values};

async fn uses(server: &TestServer, id: &str) -> u64 {
    server.api.get(&format!("/api/v1/documents/{id}")).await.json["document"]["usageCount"].as_u64().unwrap()
}

#[tokio::test]
async fn the_files_contain_the_values() {
    let server = TestServer::new().await;
    let id = server.api.publish_letter(&server.admin().await, "Letter: 1/2").await;
    let answer = server.api.fill(&id, &[], &letter_values("Zoé & <fils>")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(docx_text(&answer.file("file")).contains("Dear Zoé &amp; &lt;fils&gt;,"));
    assert!(answer.file("pdf").starts_with(b"%PDF-"));
    assert_eq!((answer.json["fileName"].as_str(), answer.json["pages"].as_u64()), (Some("Letter- 1-2"), Some(1)));
    assert_eq!(uses(&server, &id).await, 1);
}

#[tokio::test]
async fn refused_fills_are_not_counted() {
    let server = TestServer::new().await;
    let id = server.api.publish_letter(&server.admin().await, "Letter").await;
    let values = |values: serde_json::Value| json!({ "fieldsAndValues": values });
    let cases = [
        (values(json!([])), 400, "missing_fields"),
        (values(json!([{ "Name": "a" }])), 400, "missing_fields"),
        (values(json!([{ "Name": "a" }, { "Date": "b" }, { "name": "c" }])), 400, "unknown_field"),
        (values(json!([{ "Name": "a" }, { "Date": "b" }, { "Name": "c" }])), 400, "duplicate_field"),
        (values(json!([{ "Name": "a", "Date": "b" }])), 400, "invalid_body"),
        (values(json!([{ "Name": "\u{1}" }, { "Date": "b" }])), 400, "illegal_character"),
        (values(json!([{ "Name": "x".repeat(10_001) }, { "Date": "b" }])), 400, "value_too_long"),
        (values(json!({ "Name": "a" })), 400, "invalid_body"),
        (json!({ "fieldsAndValues": [{ "Name": "a" }, { "Date": "b" }], "save": true }), 401, "login_required"),
        (
            json!({ "fieldsAndValues": [{ "Name": "a" }, { "Date": "b" }], "savedDocumentId": "x" }),
            401,
            "login_required",
        ),
    ];
    for (body, status, code) in cases {
        let answer = server.api.fill(&id, &[], &body).await;
        assert_eq!((answer.status, answer.code()), (status, code), "{body}");
    }
    let missing = server.api.fill(&id, &[], &values(json!([]))).await;
    assert_eq!(missing.json["details"]["fields"], json!(["Name", "Date"]));
    let unknown = server.api.fill(&id, &[], &values(json!([{ "Nam": "a" }]))).await;
    assert_eq!(unknown.json["details"]["suggestions"], json!(["Name"]));
    let unknown =
        server.api.fill(&id, &[], &values(json!([{ "Date ": "a" }, { "Dates": "a" }, { "Quux": "a" }]))).await;
    assert_eq!(unknown.json["details"]["fields"], json!(["Dates", "Quux"]));
    assert_eq!(unknown.json["details"]["suggestions"], json!(["Date", null]));
    assert_eq!(server.api.fill("nothing", &[], &letter_values("a")).await.code(), "document_not_found");
    assert_eq!(uses(&server, &id).await, 0);
}

#[tokio::test]
async fn same_idempotency_key_gives_the_same_response_and_counts_once() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    let (_, user) = server.user("u@example.org").await;
    let authorization = bearer(&user);
    let headers = [("idempotency-key", "k"), ("authorization", authorization.as_str())];
    let values = letter_values("Zoé");
    let answers = join_all((0..8).map(|_| server.api.fill(&id, &headers, &values))).await;
    for answer in &answers {
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.bytes, answers[0].bytes);
    }
    assert_eq!(uses(&server, &id).await, 1);
    let other = server.api.fill(&id, &headers, &letter_values("Another")).await;
    assert_eq!((other.status, other.code()), (409, "idempotency_key_reused"));
    let key = [("idempotency-key", "")];
    assert_eq!(server.api.fill(&id, &key, &values).await.code(), "invalid_idempotency_key");
}

#[tokio::test]
async fn parallel_fills_are_all_counted_for_template_user_and_month() {
    let server = TestServer::new().await;
    let id = server.api.publish_letter(&server.admin().await, "Letter").await;
    let (account, user) = server.user("u@example.org").await;
    let authorization = bearer(&user);
    let (headers, values) = ([("authorization", authorization.as_str())], letter_values("Zoé"));
    let answers = join_all((0..40).map(|_| server.api.fill(&id, &headers, &values))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    assert_eq!(uses(&server, &id).await, 40);
    let cloud = &server.local.cloud;
    assert_eq!(cloud.accounts().account(&account.id).await.unwrap().unwrap().downloads, 40);
    let mut month = 0;
    for shard in 0..16 {
        let scan = cloud.dynamodb().query().table_name(cloud.table_name()).key_condition_expression("pk = :pk");
        let pk = aws_sdk_dynamodb::types::AttributeValue::S(format!("COUNT#{shard}"));
        let counted = scan.expression_attribute_values(":pk", pk).send().await.unwrap();
        let uses = counted.items().iter().filter_map(|item| item.get("uses"));
        month += uses.map(|uses| uses.as_n().unwrap().parse::<u64>().unwrap()).sum::<u64>();
    }
    assert_eq!(month, 40);
}

#[tokio::test]
async fn guests_and_users_have_separate_rate_limits() {
    let server = TestServer::with_options(|options| options.options.guest_fills_per_minute = Some(0)).await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    let limited = server.api.fill(&id, &[], &letter_values("a")).await;
    assert_eq!((limited.status, limited.code()), (429, "too_many_attempts"));
    assert!(limited.header("retry-after").parse::<u64>().unwrap() <= 60);
    let (account, user) = server.user("u@example.org").await;
    let authorization = bearer(&user);
    let fill = async || server.api.fill(&id, &[("authorization", &authorization)], &letter_values("a")).await;
    assert_eq!(fill().await.status, 200);
    let cloud = &server.local.cloud;
    while FILL_PER_USER.count_attempt(cloud.attempts(), &account.id, cloud.clock().now()).await.is_ok() {}
    let limited = fill().await;
    assert_eq!((limited.status, limited.code()), (429, "too_many_attempts"));
}

#[tokio::test]
async fn an_empty_value_is_a_dotted_line_unless_blank() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let form = Form { texts: vec![("title", "A".into())], docx: Some(docx(&["Dear {{Name}}!"])) };
    let id = server.api.publish(&admin, &[], &form).await.json["document"]["_id"].as_str().unwrap().to_owned();
    let empty = async |blank: bool| {
        let answer = server.api.fill(&id, &[], &json!({ "fieldsAndValues": [{ "Name": "" }], "blank": blank })).await;
        docx_text(&answer.file("file"))
    };
    assert_eq!(empty(true).await, "Dear !");
    let dotted = empty(false).await;
    assert!(dotted.starts_with("Dear .....") && dotted.ends_with("..!"), "{dotted}");
}

#[tokio::test]
async fn signed_link_is_valid_only_for_its_file() {
    let server = TestServer::new().await;
    let files = server.local.cloud.files();
    files.put("answers/a.pdf", "application/pdf", b"%PDF-1.7".to_vec()).await.unwrap();
    let link = files.link("answers/a.pdf", "عقد.pdf").await.unwrap();
    assert!(link.starts_with("/signed/"), "{link}");
    let file = server.api.get(&link).await;
    assert_eq!((file.status, &file.bytes[..]), (200, &b"%PDF-1.7"[..]));
    assert!(file.header("content-disposition").contains("filename*=UTF-8''%D8%B9"), "{file:?}");
    assert_eq!(server.api.get(link.split('?').next().unwrap()).await.status, 403);
    assert_eq!(server.api.get(&link.replace("a.pdf?", "b.pdf?")).await.status, 403);
}

/// Fifty callers request large documents and disconnect. The work that has no caller left is neither done nor counted.
#[tokio::test]
async fn requests_of_disconnected_callers_are_dropped() {
    let server = TestServer::with_options(|options| options.options.guest_fills_per_minute = Some(1_000)).await;
    let admin = server.admin().await;
    let fields: Vec<String> = (0..20).map(|number| format!("{{{{field {number}}}}}")).collect();
    let paragraphs: Vec<&str> = fields.iter().map(String::as_str).collect();
    let form = Form { texts: vec![("title", "Large".to_owned())], docx: Some(docx(&paragraphs)) };
    let id = server.api.publish(&admin, &[], &form).await.json["document"]["_id"].as_str().unwrap().to_owned();
    let values = |of: &str| {
        let value = |number: usize| json!({ format!("field {number}"): of.repeat(9_000 / of.len()) });
        json!({ "fieldsAndValues": (0..20).map(value).collect::<Vec<_>>() })
    };
    let body = values("some words ").to_string();
    let head = format!(
        "POST /api/v1/documents/{id}/fill-fields HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let request = [head.as_bytes(), body.as_bytes()].concat();
    let mut gone = Vec::new();
    for _ in 0..50 {
        let mut stream = TcpStream::connect(server.local.address).await.unwrap();
        stream.write_all(&request).await.unwrap();
        gone.push(stream);
    }
    drop(gone);
    // This is another large request of the same caller. If the others were still waiting, it would be the last of them.
    let answer = server.api.fill(&id, &[], &values("other words ")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let made = uses(&server, &id).await;
    assert!(made < 15, "{made} of 51 documents were rendered");
}

/// A letter with a picture of noise, which cannot be compressed: as large as a template may be.
pub(crate) fn letter_with_a_large_picture() -> Vec<u8> {
    const SIDES: (u32, u32) = (1_152, 1_156);
    // The noise is the same in each run (xorshift).
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let noise = (0..SIDES.0 * SIDES.1 * 3).map(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    });
    let picture = image::RgbImage::from_raw(SIDES.0, SIDES.1, noise.collect()).unwrap();
    let mut png = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let drawing = "http://schemas.openxmlformats.org/drawingml/2006";
    let mut document = DocumentBuilder::new("");
    let id = document.add_relationship("image", "media/image1.png", false);
    let body = format!(
        "<w:p><w:r><w:t>Dear {{{{Name}}}}, on {{{{Date}}}} وزارة العدل</w:t></w:r></w:p><w:p><w:r><w:drawing>\
         <wp:inline xmlns:wp=\"{drawing}/wordprocessingDrawing\"><wp:extent cx=\"5000000\" cy=\"5000000\"/>\
         <a:graphic xmlns:a=\"{drawing}/main\"><a:graphicData uri=\"{drawing}/picture\"><pic:pic xmlns:pic=\"{drawing}/picture\">\
         <pic:blipFill><a:blip r:embed=\"{id}\"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr/></pic:pic>\
         </a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    );
    let main = DocumentBuilder::new(&body).parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap().1;
    document.with_part("word/document.xml", main).with_part("word/media/image1.png", png.into_inner()).to_bytes()
}

/// Files above 4 MB do not fit into a Lambda response: every function that makes files responds with links instead.
#[tokio::test]
async fn large_files_are_sent_as_links() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let docx = letter_with_a_large_picture();
    assert!((3_990_000..4_000_000).contains(&docx.len()), "{}", docx.len());
    let form = Form::from_texts(&[("title", "Noise")]).with_file(docx);
    let fetched = async |answer: &ApiResponse, name: &str| {
        let link = answer.json[name].as_str().unwrap_or_else(|| panic!("no {name}: {answer:?}"));
        let got = server.api.get(link).await;
        assert_eq!(got.status, 200, "{link}");
        assert_eq!(got.header("cache-control"), "private, no-store");
        assert!(link.contains("response-cache-control=private%2C%20no-store"), "S3 is told so too: {link}");
        got.bytes
    };
    let checked = server.api.check(&admin, &form).await;
    assert_eq!(checked.status, 200, "{checked:?}");
    assert!(fetched(&checked, "pdfUrl").await.starts_with(b"%PDF-"));
    let published = server.api.publish(&admin, &[], &form).await;
    assert_eq!(published.status, 201, "{published:?}");
    let id = published.json["document"]["_id"].as_str().unwrap();
    let values = json!({ "fieldsAndValues": [{ "Name": "Zoé" }, { "Date": "today" }] });
    let tried =
        server.api.post(&format!("/api/v1/documents/{id}/try"), &[("authorization", &bearer(&admin))], &values).await;
    let filled = server.api.fill(id, &[], &letter_values("Zoé")).await;
    for answer in [tried, filled] {
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(fetched(&answer, "pdfUrl").await.starts_with(b"%PDF-"));
        assert!(docx_text(&fetched(&answer, "fileUrl").await).contains("Dear Zoé"));
    }
}

/// Moves the use counters of all templates to the partitions of the templates, where they were in tables that were written
/// before the counters had partitions of their own.
async fn move_counters_to_templates(server: &TestServer) {
    let cloud = &server.local.cloud;
    let counters = server.items("USES#").await;
    assert!(!counters.is_empty());
    for mut counter in counters {
        let (pk, sk) = (counter["pk"].clone(), counter["sk"].clone());
        let old = pk.as_s().unwrap().replace("USES#", "TPL#");
        counter.insert("pk".to_owned(), AttributeValue::S(old));
        let table = cloud.table_name();
        cloud.dynamodb().put_item().table_name(table).set_item(Some(counter)).send().await.unwrap();
        cloud.dynamodb().delete_item().table_name(table).key("pk", pk).key("sk", sk).send().await.unwrap();
    }
}

#[tokio::test]
async fn uses_counted_in_an_older_table_still_count() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    let filled = async |server: &TestServer, count: usize| {
        for _ in 0..count {
            let answer = server.api.fill(&id, &[], &letter_values("A")).await;
            assert_eq!(answer.status, 200, "{answer:?}");
        }
    };
    filled(&server, 20).await;
    move_counters_to_templates(&server).await;
    // A restart reads the lists again. New uses are counted in the new partition, and both are shown.
    let server = server.restart().await;
    let listed = async |server: &TestServer| {
        server.api.get("/api/v1/documents").await.json["data"][0]["usageCount"].as_u64().unwrap()
    };
    assert_eq!((uses(&server, &id).await, listed(&server).await), (20, 20));
    filled(&server, 5).await;
    let server = server.restart().await;
    assert_eq!((uses(&server, &id).await, listed(&server).await), (25, 25));
    assert!(server.items("TPL#").await.iter().any(|item| item["sk"].as_s().unwrap().starts_with("USE#")));
}
