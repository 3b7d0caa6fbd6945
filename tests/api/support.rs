//! Tests of the help center. A message is stored and mailed once, even if the request is repeated. The responses do not
//! reveal whether an address has an account.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::test_server::{Api, ApiResponse, ManualClock, TestServer, bearer};

const SUPPORT: &str = "support@waraq.localhost";

async fn send(api: &Api, headers: &[(&str, &str)], body: &Value) -> ApiResponse {
    api.post("/api/v1/support-messages", headers, body).await
}

fn guest(message: &str) -> Value {
    json!({ "email": "guest@example.org", "message": message })
}

async fn count_messages(server: &TestServer) -> usize {
    server.items("SUPPORT#").await.len()
}

#[tokio::test]
async fn guest_message_is_stored_and_mailed_with_the_guest_as_reply_address() {
    let server = TestServer::new().await;
    let headers = [("accept-language", "ar")];
    let text = "  كيف أطبع رسالة؟\r\n<b>bold</b> & {{site}}\u{7} ";
    let answer = send(&server.api, &headers, &json!({ "email": " Guest@Example.org ", "message": text })).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let message = &answer.json["supportMessage"];
    assert_eq!(message["email"], "guest@example.org");
    assert_eq!(message["message"], "كيف أطبع رسالة؟\n<b>bold</b> & {{site}}");
    assert_eq!(answer.json["message"], "Your message has been sent successfully!");
    let mail = server.mail_to(SUPPORT, 0).await;
    assert_eq!((mail.kind.as_str(), mail.language.as_str()), ("support-message", "ar"));
    assert_eq!(mail.reply_to.as_deref(), Some("guest@example.org"));
    assert!(
        mail.text.contains("<b>bold</b> & {{site}}") && mail.html.contains("&lt;b&gt;bold&lt;/b&gt; &amp; {{site}}")
    );
    let [item] = server.items("SUPPORT#").await.try_into().unwrap_or_else(|items| panic!("{items:?}"));
    assert!(item["data"].as_s().unwrap().contains(message["_id"].as_str().unwrap()));
    assert!(item.contains_key("expires_at") && item["kind"].as_s().unwrap() == "SUPPORT", "{item:?}");
    // The guest gets no mail without a reply.
    assert!(server.mails_to("guest@example.org").is_empty());
}

#[tokio::test]
async fn messages_of_signed_in_users_have_the_account_address() {
    let server = TestServer::new().await;
    let (account, token) = server.account("amina@example.org").await;
    let authorization = bearer(&token);
    let headers = [("authorization", authorization.as_str())];
    for email in [json!("somebody.else@example.org"), json!("nonsense"), json!("")] {
        let answer = send(&server.api, &headers, &json!({ "email": email, "message": "Hello" })).await;
        assert_eq!((answer.status, &answer.json["supportMessage"]["email"]), (201, &json!("amina@example.org")));
    }
    let answer = send(&server.api, &headers, &json!({ "message": "Hello" })).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let mail = server.mail_to(SUPPORT, 3).await;
    assert!(mail.text.contains("User name: Somebody"), "{}", mail.text);
    assert_eq!(mail.reply_to.as_deref(), Some("amina@example.org"));
    assert_eq!(server.items(&format!("SUPPORT#{}", account.id)).await.len(), 4);
    assert_eq!(count_messages(&server).await, 4, "and nowhere else");
    let ended = send(&server.api, &[("authorization", "Bearer nonsense")], &guest("Hello")).await;
    assert_eq!((ended.status, ended.code()), (401, "invalid_token"));
}

#[tokio::test]
async fn refused_messages_are_neither_stored_nor_mailed() {
    let server = TestServer::new().await;
    for (email, message, code, fields) in [
        ("", "Hello", "email_required", json!(["email"])),
        ("  ", "Hello", "email_required", json!(["email"])),
        ("nonsense", "Hello", "invalid_email", json!(["email"])),
        ("a@b.example\r\nbcc: all@example.org", "Hello", "invalid_email", json!(["email"])),
        ("أمينة@example.org", "Hello", "undeliverable_email", json!(["email"])),
        ("a@example.org", "", "message_required", json!(["message"])),
        ("a@example.org", " \n\u{200b}", "message_required", json!(["message"])),
        ("a@example.org", "\u{2800}\u{3164}", "message_required", json!(["message"])),
        ("a@example.org", &"x".repeat(5_001), "message_too_long", json!(["message"])),
        ("a@example.org", &"ع".repeat(500_000), "message_too_long", json!(["message"])),
        ("", "", "message_required", json!(["message", "email"])),
    ] {
        let answer = send(&server.api, &[], &json!({ "email": email, "message": message })).await;
        assert_eq!((answer.status, answer.code()), (400, code), "{answer:?}");
        assert_eq!(answer.json["details"]["fields"], fields, "{code}");
    }
    let limit = send(&server.api, &[], &guest(&"x".repeat(5_001))).await;
    assert_eq!(limit.json["details"]["limit"], 5_000);
    for body in [json!({}), json!({ "message": 1 }), json!({ "message": "a", "to": "everybody@example.org" })] {
        assert_eq!(send(&server.api, &[], &body).await.code(), "invalid_body");
    }
    assert_eq!(send(&server.api, &[("idempotency-key", "")], &guest("a")).await.code(), "invalid_idempotency_key");
    assert_eq!(count_messages(&server).await, 0);
    assert!(server.items("RATE#").await.is_empty(), "refused messages do not count against the limit");
    assert_eq!(send(&server.api, &[], &guest(&"ع".repeat(5_000))).await.status, 201);
    server.mail_to(SUPPORT, 0).await;
    assert_eq!(server.mails_to(SUPPORT).len(), 1);
}

#[tokio::test]
async fn same_idempotency_key_sends_once_with_the_same_response() {
    let server = TestServer::new().await;
    let (_, token) = server.account("amina@example.org").await;
    let authorization = bearer(&token);
    for headers in
        [vec![("idempotency-key", "one")], vec![("idempotency-key", "one"), ("authorization", &*authorization)]]
    {
        let message = guest("Hello");
        let mut answers = Vec::new();
        for _ in 0..3 {
            answers.extend(join_all((0..4).map(|_| send(&server.api, &headers, &message))).await);
        }
        for answer in &answers {
            assert_eq!((answer.status, &answer.json), (201, &answers[0].json), "{answer:?}");
        }
        let other = send(&server.api, &headers, &guest("Something else")).await;
        assert_eq!((other.status, other.code()), (409, "idempotency_key_reused"));
        for item in server.items("RATE#support-").await {
            assert_eq!(item["attempts"].as_n().unwrap(), "1", "repeated calls count once: {item:?}");
        }
    }
    assert_eq!(count_messages(&server).await, 2, "keys of guests and users are separate");
    server.mail_to(SUPPORT, 1).await;
    assert_eq!(server.mails_to(SUPPORT).len(), 2);
}

#[tokio::test]
async fn idempotency_key_of_another_call_is_refused() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "Letter").await;
    let authorization = bearer(&admin);
    let headers = [("idempotency-key", "one"), ("authorization", authorization.as_str())];
    assert_eq!(server.api.fill(&id, &headers, &crate::test_server::letter_values("Amina")).await.status, 200);
    let answer = send(&server.api, &headers, &guest("Hello")).await;
    assert_eq!((answer.status, answer.code()), (409, "idempotency_key_reused"));
}

#[tokio::test]
async fn messages_are_limited_per_person_and_per_source() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let (_, token) = server.account("amina@example.org").await;
    let authorization = bearer(&token);
    let signed_in = [("authorization", authorization.as_str())];
    // The clock moves to the beginning of an hour, so that the test stays within one.
    clock.advance(3_600 - server.local.cloud.clock().now().seconds() % 3_600);
    let from = |last: u8| server.api.with_source(last);
    let of = |name: &str| json!({ "email": format!("{name}@example.org"), "message": "Hello" });
    for _ in 0..5 {
        assert_eq!(send(&from(2), &[], &of("a")).await.status, 201);
    }
    let refused = send(&from(2), &[], &of("a")).await;
    assert_eq!((refused.status, refused.code(), refused.header("retry-after")), (429, "too_many_attempts", "3600"));
    assert_eq!(send(&from(3), &[], &of("a")).await.status, 201, "the limit of an address applies per source");
    // A source may send twenty messages: six were tried, and fourteen more are accepted.
    for number in 0..14 {
        assert_eq!(send(&from(2), &[], &of(&format!("b{number}"))).await.status, 201);
    }
    assert_eq!(send(&from(2), &[], &of("c")).await.code(), "too_many_attempts");
    // A signed-in user is counted by account, independent of the source and of other senders there.
    for place in [2, 2, 3, 3, 4] {
        assert_eq!(send(&from(place), &signed_in, &of("a")).await.status, 201);
    }
    assert_eq!(send(&from(5), &signed_in, &of("a")).await.code(), "too_many_attempts");
    let messages = count_messages(&server).await;
    clock.advance(3_600);
    assert_eq!(send(&from(2), &[], &of("a")).await.status, 201);
    assert_eq!(send(&from(2), &signed_in, &of("a")).await.status, 201);
    assert_eq!(count_messages(&server).await, messages + 2);
}

/// Responses to a guest do not reveal whether an address has an account.
#[tokio::test]
async fn responses_do_not_reveal_whether_an_address_has_an_account() {
    let server = TestServer::new().await;
    server.user("known@example.org").await;
    let mut told = Vec::new();
    for (place, email) in [(2, "known@example.org"), (3, "unknown@example.org")] {
        let api = server.api.with_source(place);
        let mut answers = Vec::new();
        for number in 0..6 {
            let answer = send(&api, &[], &json!({ "email": email, "message": format!("Message {number}") })).await;
            let mut headers: Vec<String> = answer.headers.keys().map(ToString::to_string).collect();
            headers.sort();
            answers.push((answer.status, answer.code().to_owned(), headers));
        }
        told.push(answers);
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0][5].0, 429);
}
