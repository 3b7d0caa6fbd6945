//! Provokes the error codes of the OpenAPI document that the tests of the routes do not produce. `cargo xtask test`
//! fails if the tests leave a code out.

use functions::engine::RenderPermit;
use functions::http::{ErrorCode, Route};
use functions::routes::routes;
use serde_json::{Value, json};
use waraq_core::accounts::Address;
use waraq_core::publishing::Upload;

use crate::test_server::{ApiResponse, Form, ManualClock, TestServer, bearer, docx, letter_values, token_of};

#[path = "../../crates/docx/tests/refused/mod.rs"]
#[allow(dead_code)]
pub mod refused;

/// Returns every route that lists the code.
fn routes_listing(code: ErrorCode) -> impl Iterator<Item = Route> {
    routes().into_iter().filter(move |route| route.refuses.contains(&code))
}

fn path(route: &Route) -> String {
    route.path.replace("{id}", "nothing").replace("{hash}", &"0".repeat(64))
}

#[tokio::test]
async fn extractors_refuse_invalid_requests() {
    let server = TestServer::new().await;
    let admin = bearer(&server.admin().await);
    let ask = async |route: &Route, path: &str, headers: &[(&str, &str)], body: Vec<u8>| {
        let mut all = vec![("authorization", admin.as_str())];
        all.extend_from_slice(headers);
        server.api.send(route.method, path, &all, body).await
    };
    let json = [("content-type", "application/json")];
    let form = [("content-type", "multipart/form-data; boundary=edge")];
    let held = |route: &Route, answer: &ApiResponse, status: u16, code: &str| {
        assert_eq!((answer.status, answer.code()), (status, code), "{}", route.function);
    };
    for route in routes_listing(ErrorCode::JsonExpected) {
        let path = path(&route);
        held(
            &route,
            &ask(&route, &path, &[("content-type", "text/plain")], b"{}".to_vec()).await,
            400,
            "json_expected",
        );
        held(&route, &ask(&route, &path, &json, b"null".to_vec()).await, 400, "invalid_body");
        held(&route, &ask(&route, &path, &json, vec![b' '; 4_000_001]).await, 413, "request_too_large");
    }
    for route in routes_listing(ErrorCode::FormExpected) {
        let path = path(&route);
        let unbounded = [("content-type", "multipart/form-data")];
        held(&route, &ask(&route, &path, &unbounded, b"a=b".to_vec()).await, 400, "form_expected");
        held(&route, &ask(&route, &path, &form, b"--edge\r\nnonsense".to_vec()).await, 400, "invalid_body");
        let head = b"--edge\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\n".to_vec();
        held(&route, &ask(&route, &path, &form, [head, vec![0; 6_000_000]].concat()).await, 413, "request_too_large");
    }
    for route in routes_listing(ErrorCode::InvalidQuery) {
        let long = format!("{}?{}", path(&route), "a".repeat(8_001));
        held(&route, &ask(&route, &long, &json, Vec::new()).await, 400, "invalid_query");
    }
    for route in routes_listing(ErrorCode::UnknownLanguage).filter(|route| route.method == "GET") {
        let path = format!("{}?lang=xx", path(&route));
        held(&route, &ask(&route, &path, &json, Vec::new()).await, 400, "unknown_language");
    }
    for route in routes_listing(ErrorCode::InvalidId) {
        let path = route.path.replace("{id}", &"x".repeat(65)).replace("{hash}", &"x".repeat(65));
        held(&route, &ask(&route, &path, &json, b"{}".to_vec()).await, 400, "invalid_id");
    }
    for route in routes_listing(ErrorCode::InvalidIdempotencyKey) {
        let key = [("idempotency-key", ""), json[0]];
        held(&route, &ask(&route, &path(&route), &key, b"{}".to_vec()).await, 400, "invalid_idempotency_key");
    }
    for route in routes_listing(ErrorCode::LoginRequired) {
        let basic = [("authorization", "Basic dTpw"), json[0]];
        let answer = server.api.send(route.method, &path(&route), &basic, "{}").await;
        held(&route, &answer, 401, "login_required");
    }
}

#[tokio::test]
async fn unknown_routes_are_refused() {
    let server = TestServer::new().await;
    for path in ["/api", "/api/", "/api/v1", "/api/v1/nothing", "/media", "/media/a/b"] {
        let answer = server.api.get(path).await;
        assert_eq!((answer.status, answer.code()), (404, "route_not_found"), "{path}");
    }
    for route in routes() {
        let with_put = ["/api/v1/users/me/answers", "/api/v1/my-templates/{id}"];
        let other = if with_put.iter().any(|path| route.path.starts_with(path)) { "PATCH" } else { "PUT" };
        let answer = server.api.send(other, &path(&route), &[], "").await;
        assert_eq!((answer.status, answer.code()), (405, "method_not_allowed"), "{}", route.function);
    }
}

#[tokio::test]
async fn non_word_documents_are_refused() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    for (code, docx) in refused::files() {
        let form = Form { texts: vec![("title", "A".into())], docx: Some(docx) };
        let answer = server.api.publish(&admin, &[], &form).await;
        assert_eq!((answer.status, answer.code()), (422, code), "{answer:?}");
        assert_eq!(answer.json["details"]["fields"], json!(["file"]), "{code}");
    }
}

#[tokio::test]
async fn too_many_fields_and_too_long_values_are_refused() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let names: Vec<String> = (0..2_001).map(|number| format!("{{{{a{number}}}}}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let form = Form { texts: vec![("title", "A".into())], docx: Some(docx(&names)) };
    let many = server.api.publish(&admin, &[], &form).await;
    assert_eq!((many.status, many.code(), &many.json["details"]["limit"]), (400, "too_many_fields", &json!(2_000)));
    let id = server.api.publish_letter(&admin, "Letter").await;
    let values: Vec<Value> = (0..2_001).map(|number| json!({ format!("a{number}"): "" })).collect();
    let many = server.api.fill(&id, &[], &json!({ "fieldsAndValues": values })).await;
    assert_eq!((many.status, many.code(), &many.json["details"]["limit"]), (400, "too_many_fields", &json!(2_000)));
    let long = server.api.fill(&id, &[], &letter_values(&"x".repeat(200_000))).await;
    assert_eq!((long.status, long.code(), &long.json["details"]["limit"]), (400, "values_too_long", &json!(200_000)));
}

#[tokio::test]
async fn slow_and_complex_documents_are_refused() {
    type Change = fn(&mut waraq_local::Options);
    let changes: [(Change, &str); 2] = [
        (|options| options.options.document_seconds = Some(0), "document_too_slow"),
        (|options| options.options.document_work = Some(1), "too_complex"),
    ];
    for (change, code) in changes {
        let server = TestServer::with_options(change).await;
        let letter = Upload {
            title: "Letter".into(),
            docx: docx(&["Dear {{Name}}, we write on {{Date}}."]),
            ..Upload::default()
        };
        let admin = server.admin().await;
        let authorization = bearer(&admin);
        let authorized = [("authorization", authorization.as_str())];
        let values = json!({ "fieldsAndValues": letter_values("Zoé")["fieldsAndValues"] });
        // The document is published with the usual time limit.
        let making = RenderPermit::for_caller("the test").unwrap();
        let published = making.publisher(&server.local.cloud).publish(letter, None, None).await.unwrap();
        for answer in [
            server.api.publish(&admin, &[], &Form::letter("Another")).await,
            server.api.fill(&published.template.id, &[], &letter_values("Zoé")).await,
            server.api.check(&admin, &Form::letter("Checked")).await,
            server.api.edit(&admin, &published.template.id, &[], &Form::letter("Edited")).await,
            server.api.post(&format!("/api/v1/documents/{}/try", published.template.id), &authorized, &values).await,
        ] {
            assert_eq!((answer.status, answer.code()), (422, code), "{answer:?}");
        }
    }
}

#[tokio::test]
async fn concurrent_documents_per_caller_are_limited() {
    let server = TestServer::in_process("it takes all turns of the engine in this process").await;
    let (account, token) = server.user("u@example.org").await;
    let authorization = bearer(&token);
    let all: Vec<RenderPermit> = std::iter::from_fn(|| RenderPermit::for_caller(&account.id).ok()).take(64).collect();
    let mut asked = 0;
    for route in routes_listing(ErrorCode::TooBusy).filter(|route| !route.refuses.contains(&ErrorCode::Forbidden)) {
        let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
        let busy = server.api.send(route.method, &path(&route), &headers, "{}").await;
        assert_eq!((busy.status, busy.code()), (429, "too_busy"), "{}", route.function);
        assert_eq!(busy.header("retry-after"), "2");
        asked += 1;
    }
    drop(all);
    let cloud = &server.local.cloud;
    let address = Address::parse(&server.local.admin.email).unwrap();
    let admin = cloud.accounts().address_claims(&address).await.unwrap().owner.unwrap();
    let token = bearer(&server.admin().await);
    let all: Vec<RenderPermit> = std::iter::from_fn(|| RenderPermit::for_caller(&admin).ok()).take(64).collect();
    for route in routes_listing(ErrorCode::TooBusy).filter(|route| route.refuses.contains(&ErrorCode::Forbidden)) {
        let busy = server.api.send(route.method, &path(&route), &[("authorization", &token)], "").await;
        assert_eq!((busy.status, busy.code()), (429, "too_busy"), "{}", route.function);
        asked += 1;
    }
    drop(all);
    assert!(asked >= 2);
}

async fn post(server: &TestServer, token: Option<&str>, path: &str, body: Value) -> ApiResponse {
    let authorization = token.map(bearer).unwrap_or_default();
    let headers: Vec<(&str, &str)> = token.iter().map(|_| ("authorization", authorization.as_str())).collect();
    server.api.post(&format!("/api/v1/auth/{path}"), &headers, &body).await
}

/// Makes the revision of an account in its row differ from the one that is read, as if others changed the account all
/// the time.
pub async fn keep_changing(server: &TestServer, id: &str) {
    use aws_sdk_dynamodb::types::AttributeValue;
    let cloud = &server.local.cloud;
    let key = [("pk", format!("USER#{id}")), ("sk", "PROFILE".to_owned())];
    let key = key.map(|(name, value)| (name.to_owned(), AttributeValue::S(value)));
    let update = cloud.dynamodb().update_item().table_name(cloud.table_name()).set_key(Some(key.into()));
    let update = update.update_expression("SET revision = :other");
    update.expression_attribute_values(":other", AttributeValue::N("999999".into())).send().await.unwrap();
}

#[tokio::test]
async fn constantly_changing_account_is_busy() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let busy = |answer: ApiResponse| assert_eq!((answer.status, answer.code()), (409, "account_busy"), "{answer:?}");
    let email = "amina@example.org";

    let registration = json!({ "userName": "A", "email": "new@example.org", "password": "a password" });
    let id = post(&server, None, "register", registration).await.json["userId"].clone();
    let otp = server.code_to("new@example.org", 0).await;
    keep_changing(&server, id.as_str().unwrap()).await;
    busy(post(&server, None, "verify-otp", json!({ "userId": id, "otp": otp })).await);

    let (account, token) = server.user(email).await;
    let asked = post(&server, Some(&token), "change-email", json!({ "newEmail": "second@example.org" })).await;
    assert_eq!(asked.status, 200);
    let otp = server.code_to("second@example.org", 0).await;
    let proof = json!({ "newEmail": "second@example.org", "otp": otp });
    let changed = post(&server, Some(&token), "verify-change-email-otp", proof).await;
    let token = changed.json["token"].as_str().unwrap().to_owned();
    let revert_link = token_of(&server.mail_to(email, 0).await);
    clock.advance(61);
    let asked = post(&server, Some(&token), "change-email", json!({ "newEmail": "third@example.org" })).await;
    assert_eq!(asked.status, 200);
    let otp = server.code_to("third@example.org", 0).await;
    post(&server, None, "forgot-password", json!({ "email": "second@example.org" })).await;
    let link = token_of(&server.mail_to("second@example.org", 1).await);

    keep_changing(&server, &account.id).await;
    let proof = json!({ "newEmail": "third@example.org", "otp": otp });
    busy(post(&server, Some(&token), "verify-change-email-otp", proof).await);
    let passwords = json!({ "oldPassword": "a password", "newPassword": "another password" });
    busy(post(&server, Some(&token), "change-password", passwords).await);
    busy(post(&server, Some(&token), "logout", json!({})).await);
    busy(post(&server, None, "reset-password", json!({ "token": link, "newPassword": "another password" })).await);
    busy(post(&server, None, "restore-email", json!({ "token": revert_link })).await);
    let authorization = bearer(&token);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    busy(server.api.send("PATCH", "/api/v1/users/me", &headers, r#"{"userName":"B"}"#).await);
    busy(server.api.send("DELETE", "/api/v1/users/me", &headers, r#"{"password":"a password"}"#).await);
    assert!(clock.waited() > 0, "it waits between attempts");
    server.api.login("second@example.org", "a password").await;
}

#[tokio::test]
async fn undeliverable_invalid_and_taken_addresses_are_refused() {
    let server = TestServer::new().await;
    let (_, token) = server.user("amina@example.org").await;
    let arabic = post(&server, Some(&token), "change-email", json!({ "newEmail": "أمينة@example.org" })).await;
    assert_eq!((arabic.status, arabic.code()), (400, "undeliverable_email"));
    let none = post(&server, None, "forgot-password", json!({ "email": "nonsense" })).await;
    assert_eq!((none.status, none.code()), (400, "invalid_email"));
    let wanted = "wanted@example.org";
    assert_eq!(post(&server, Some(&token), "change-email", json!({ "newEmail": wanted })).await.status, 200);
    let otp = server.code_to(wanted, 0).await;
    server.registered(wanted, "somebody else's").await;
    let late = post(&server, Some(&token), "verify-change-email-otp", json!({ "newEmail": wanted, "otp": otp })).await;
    assert_eq!((late.status, late.code()), (409, "email_taken"));
}

#[tokio::test]
async fn rate_limits_of_codes_links_and_mails() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let (_, token) = server.user("amina@example.org").await;
    let stopped = |answer: &ApiResponse| {
        let stopped = answer.code() == "too_many_attempts";
        assert_eq!(stopped, answer.status == 429 && answer.header("retry-after").parse::<u64>().is_ok(), "{answer:?}");
        stopped
    };
    // An address gets at most five mails of a kind per hour, with a minute between them.
    let mut sent = 0;
    let wanted = json!({ "newEmail": "wanted@example.org" });
    while !stopped(&post(&server, Some(&token), "change-email", wanted.clone()).await) {
        sent += 1;
        clock.advance(61);
    }
    assert!((5..=10).contains(&sent), "{sent}: an hour may end in the middle");
    let proof = json!({ "newEmail": "wanted@example.org", "otp": "000000" });
    let mut tried = 0;
    while !stopped(&post(&server, Some(&token), "verify-change-email-otp", proof.clone()).await) {
        tried += 1;
    }
    assert_eq!(tried, 20);
    // A source with a list of addresses can cause at most sixty mails per hour.
    let mut registered = 0;
    loop {
        let email = format!("person-{registered}@example.org");
        let registration = json!({ "userName": "A", "email": email, "password": "a password" });
        if stopped(&post(&server, None, "register", registration).await) {
            break;
        }
        registered += 1;
    }
    assert_eq!(registered, 60);
    // A source may try a hundred wrong links in a quarter of an hour.
    let mut tried = 0;
    while !stopped(&post(&server, None, "restore-email", json!({ "token": "nonsense" })).await) {
        tried += 1;
    }
    assert_eq!(tried, 100);
}

#[tokio::test]
async fn photo_with_too_many_pixels_is_refused() {
    let server = TestServer::new().await;
    let (_, token) = server.user("amina@example.org").await;
    // A bitmap whose header states 30,000 by 30,000 pixels.
    let side = 30_000_u32.to_le_bytes();
    let head = b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".as_slice();
    let bitmap = [head, &side, &side, b"\x01\0\x18\0", &[0; 24], &[0; 16]].concat();
    let form = Form { texts: Vec::new(), docx: Some(bitmap) }.body();
    let authorization = bearer(&token);
    let headers = [("authorization", authorization.as_str()), ("content-type", "multipart/form-data; boundary=edge")];
    let large = server.api.send("PATCH", "/api/v1/users/me", &headers, form).await;
    assert_eq!((large.status, large.code()), (422, "photo_dimensions"), "{large:?}");
}
