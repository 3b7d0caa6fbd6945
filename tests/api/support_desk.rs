//! Tests of help-center messages for admins: the list, a single reply, closing, and deletion with the account.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::test_server::{ApiResponse, ManualClock, TestServer, bearer};

const PATH: &str = "/api/v1/support-messages";

async fn send_message(server: &TestServer, headers: &[(&str, &str)], email: &str, message: &str) -> String {
    let sent = server.api.post(PATH, headers, &json!({ "email": email, "message": message })).await;
    assert_eq!(sent.status, 201, "{sent:?}");
    sent.json["supportMessage"]["_id"].as_str().unwrap().to_owned()
}

async fn list(server: &TestServer, token: &str, query: &str) -> ApiResponse {
    server.api.get_as(token, &format!("{PATH}?{query}")).await
}

fn texts(answer: &ApiResponse) -> Vec<&str> {
    assert_eq!(answer.status, 200, "{answer:?}");
    let messages = answer.json["supportMessages"].as_array().unwrap();
    messages.iter().map(|message| message["message"].as_str().unwrap()).collect()
}

async fn reply(server: &TestServer, token: &str, id: &str, key: Option<&str>, body: &Value) -> ApiResponse {
    let authorization = bearer(token);
    let mut headers = vec![("authorization", authorization.as_str())];
    headers.extend(key.map(|key| ("idempotency-key", key)));
    server.api.post(&format!("{PATH}/{id}/answer"), &headers, body).await
}

async fn set_status(server: &TestServer, token: &str, id: &str, status: &str) -> ApiResponse {
    let authorization = bearer(token);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    server.api.send("PATCH", &format!("{PATH}/{id}"), &headers, json!({ "status": status }).to_string()).await
}

#[tokio::test]
async fn messages_are_listed_by_status_in_pages() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let admin = server.admin().await;
    let (account, token) = server.account("amina@example.org").await;
    let empty = list(&server, &admin, "").await;
    assert_eq!((texts(&empty).len(), &empty.json["next"]), (0, &Value::Null));
    let authorization = bearer(&token);
    for number in 1..=5 {
        clock.advance(1);
        let headers = [("authorization", authorization.as_str()), ("accept-language", "fr")];
        let headers = if number % 2 == 0 { &headers[..] } else { &headers[1..] };
        send_message(&server, headers, "guest@example.org", &format!("Message {number}")).await;
    }
    let first = list(&server, &admin, "limit=2").await;
    assert_eq!(texts(&first), ["Message 5", "Message 4"]);
    let [of_guest, of_amina] = first.json["supportMessages"].as_array().unwrap().as_slice() else {
        panic!("{first:?}")
    };
    assert_eq!((&of_guest["userId"], &of_guest["email"]), (&Value::Null, &json!("guest@example.org")));
    assert_eq!((&of_amina["userId"], &of_amina["email"]), (&json!(account.id), &json!("amina@example.org")));
    assert_eq!(
        (&of_amina["language"], &of_amina["status"], &of_amina["answers"]),
        (&json!("fr"), &json!("open"), &json!([]))
    );
    let second = list(&server, &admin, &format!("limit=2&before={}", first.json["next"].as_str().unwrap())).await;
    assert_eq!(texts(&second), ["Message 3", "Message 2"]);
    let closed = of_amina["_id"].as_str().unwrap();
    for _ in 0..2 {
        let done = set_status(&server, &admin, closed, "closed").await;
        assert_eq!((done.status, &done.json["supportMessage"]["status"]), (200, &json!("closed")));
    }
    assert_eq!(texts(&list(&server, &admin, "").await), ["Message 5", "Message 3", "Message 2", "Message 1"]);
    assert_eq!(texts(&list(&server, &admin, "status=closed").await), ["Message 4"]);
    assert_eq!(set_status(&server, &admin, closed, "open").await.status, 200);
    assert!(texts(&list(&server, &admin, "status=closed").await).is_empty());
    let long = format!("before={}", "x".repeat(65));
    for query in ["status=all", "limit=0", "limit=101", &long] {
        assert_eq!(list(&server, &admin, query).await.code(), "invalid_query", "{query}");
    }
    assert_eq!(list(&server, &token, "").await.code(), "forbidden");
    // Messages expire after a year, even if the table's TTL is late.
    clock.advance(366 * 24 * 3_600);
    assert!(texts(&list(&server, &server.admin().await, "").await).is_empty());
}

#[tokio::test]
async fn reply_is_mailed_once_in_the_language_of_the_sender() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let id = send_message(&server, &[("accept-language", "ar")], "guest@example.org", "كيف أطبع؟").await;
    let body = json!({ "message": " اختر A4 & <b>اطبع</b> ", "version": 0, "close": true });
    // Repeated requests at the same time.
    let answers = join_all((0..4).map(|_| reply(&server, &admin, &id, Some("one"), &body))).await;
    for done in &answers {
        assert_eq!((done.status, &done.json), (200, &answers[0].json), "{done:?}");
    }
    let message = &answers[0].json["supportMessage"];
    assert_eq!((&message["status"], &message["version"]), (&json!("closed"), &json!(1)));
    assert_eq!(message["answers"][0]["message"], "اختر A4 & <b>اطبع</b>");
    let mail = server.mail_to("guest@example.org", 0).await;
    assert_eq!((mail.kind.as_str(), mail.language.as_str()), ("support-answer", "ar"));
    assert!(mail.text.contains("اختر A4 & <b>اطبع</b>") && mail.text.contains("كيف أطبع؟"));
    assert!(mail.html.contains("&lt;b&gt;"));
    assert_eq!(server.mails_to("guest@example.org").len(), 1);
    let other = reply(&server, &admin, &id, Some("one"), &json!({ "message": "Another", "version": 0 })).await;
    assert_eq!((other.status, other.code()), (409, "idempotency_key_reused"));
    // Another admin replies without having seen this reply.
    let late = reply(&server, &admin, &id, None, &json!({ "message": "Too late", "version": 0 })).await;
    assert_eq!((late.status, late.code()), (409, "message_changed"));
    for (message, code) in [(" ", "message_required"), (&*"x".repeat(5_001), "message_too_long")] {
        let refused = reply(&server, &admin, &id, None, &json!({ "message": message, "version": 1 })).await;
        assert_eq!(
            (refused.status, refused.code(), &refused.json["details"]["fields"]),
            (400, code, &json!(["message"]))
        );
    }
    for version in 1..20 {
        let again = reply(&server, &admin, &id, None, &json!({ "message": "Again", "version": version })).await;
        assert_eq!(again.status, 200, "{again:?}");
    }
    let refused = reply(&server, &admin, &id, None, &json!({ "message": "Again", "version": 20 })).await;
    assert_eq!(
        (refused.status, refused.code(), &refused.json["details"]["limit"]),
        (409, "too_many_answers", &json!(20))
    );
    assert_eq!(reply(&server, &admin, "nothing", None, &body).await.code(), "message_not_found");
    assert_eq!(set_status(&server, &admin, "nothing", "open").await.code(), "message_not_found");
}

/// A reply goes to the current address of the account. Messages of a deleted account can neither be seen nor answered.
#[tokio::test(flavor = "multi_thread")]
async fn messages_are_deleted_with_their_account() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let (account, token) = server.user("amina@example.org").await;
    let id = send_message(&server, &[("authorization", &bearer(&token))], "", "A private matter").await;
    server.mail_to("support@waraq.localhost", 0).await;
    let body = json!({ "message": "We see to it", "version": 0 });
    assert_eq!(reply(&server, &admin, &id, None, &body).await.status, 200);
    assert_eq!(server.mail_to("amina@example.org", 0).await.language, "en");
    let export = server.api.get_as(&token, "/api/v1/users/me/export").await;
    assert_eq!(export.status, 200);
    let deleted = server
        .api
        .send("DELETE", &format!("/api/v1/users/{}", account.id), &[("authorization", &bearer(&admin))], "")
        .await;
    assert_eq!(deleted.status, 204);
    for _ in 0..3_000 {
        if texts(&list(&server, &admin, "").await).is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(texts(&list(&server, &admin, "").await).is_empty());
    let gone = reply(&server, &admin, &id, None, &json!({ "message": "Hello", "version": 1 })).await;
    assert_eq!((gone.status, gone.code()), (404, "message_not_found"));
}
