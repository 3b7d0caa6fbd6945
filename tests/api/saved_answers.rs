//! Tests of saved answers. An account stores them only after the user has switched the feature on. They are listed, can
//! be deleted one by one or all together, and are deleted with the account.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::test_server::{ApiResponse, TestServer, bearer};

const PATH: &str = "/api/v1/users/me/answers";

async fn call(server: &TestServer, token: &str, method: &str, path: &str, body: Value) -> ApiResponse {
    let authorization = bearer(token);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    server.api.send(method, path, &headers, body).await
}

async fn switch_feature(server: &TestServer, token: &str, on: bool) -> Value {
    let answer = call(server, token, "PUT", PATH, json!({ "on": on })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json
}

async fn add_answers(server: &TestServer, token: &str, answers: Value) -> Value {
    let answer = call(server, token, "POST", PATH, json!({ "answers": answers })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json
}

async fn saved_answers(server: &TestServer, token: &str) -> Value {
    let answer = server.api.get_as(token, PATH).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json
}

fn values(known: &Value) -> Vec<&str> {
    known["answers"].as_array().unwrap().iter().map(|answer| answer["value"].as_str().unwrap()).collect()
}

fn name(value: &str) -> Value {
    json!({ "meaning": "name", "value": value })
}

#[tokio::test]
async fn answers_are_stored_only_while_the_feature_is_on() {
    let server = TestServer::new().await;
    let (account, token) = server.user("amina@example.org").await;
    let (_, others_token) = server.user("other@example.org").await;
    let off = json!({ "on": false, "answers": [] });
    assert_eq!(saved_answers(&server, &token).await, off);
    assert_eq!(add_answers(&server, &token, json!([name("Amina")])).await, off);
    assert_eq!(server.items("ANSWERS#").await.len(), 0);

    assert_eq!(switch_feature(&server, &token, true).await, json!({ "on": true, "answers": [] }));
    let filled_in = json!([
        { "meaning": "name", "party": "tenant", "value": "  Amina  Ben Salah " },
        { "meaning": "street-address", "value": "5, rue du Lac\n1053 Tunis" },
        { "meaning": "address-level2", "party": null, "value": "تونس" },
        name("\u{200b}"),
    ]);
    let kept = add_answers(&server, &token, filled_in).await;
    assert_eq!(values(&kept), ["Amina Ben Salah", "5, rue du Lac\n1053 Tunis", "تونس"]);
    assert_eq!((&kept["answers"][0]["meaning"], &kept["answers"][0]["parties"]), (&json!("name"), &json!(["tenant"])));
    // Switching the feature on again has no effect on the saved answers.
    assert_eq!(switch_feature(&server, &token, true).await, kept);
    assert_eq!(saved_answers(&server, &token).await, kept);
    let items = server.items("ANSWERS#").await;
    assert_eq!(items[0]["pk"].as_s().unwrap(), &format!("ANSWERS#{}", account.id));
    // The answers belong to this account only.
    assert_eq!(saved_answers(&server, &others_token).await, off);

    // Deleting an answer deletes all its spellings. Deleting it again succeeds too.
    let id = kept["answers"][0]["_id"].as_str().unwrap();
    for _ in 0..2 {
        let gone = call(&server, &token, "DELETE", &format!("{PATH}/{id}"), Value::Null).await;
        assert_eq!((gone.status, gone.bytes.len()), (204, 0), "{gone:?}");
    }
    assert_eq!(call(&server, &others_token, "DELETE", &format!("{PATH}/{id}"), Value::Null).await.status, 204);
    assert_eq!(values(&saved_answers(&server, &token).await), ["5, rue du Lac\n1053 Tunis", "تونس"]);
    assert_eq!(call(&server, &token, "DELETE", PATH, Value::Null).await.status, 204);
    assert_eq!(saved_answers(&server, &token).await, json!({ "on": true, "answers": [] }));

    add_answers(&server, &token, json!([name("Amina")])).await;
    assert_eq!(switch_feature(&server, &token, false).await, off);
    assert_eq!(server.items("ANSWERS#").await.len(), 0);
    assert_eq!(switch_feature(&server, &token, false).await, off);
    assert_eq!(call(&server, &token, "DELETE", PATH, Value::Null).await.status, 204);
    assert_eq!(
        switch_feature(&server, &token, true).await,
        json!({ "on": true, "answers": [] }),
        "deleted answers stay deleted"
    );
}

#[tokio::test]
async fn invalid_requests_are_refused() {
    let server = TestServer::new().await;
    let (_, token) = server.user("amina@example.org").await;
    switch_feature(&server, &token, true).await;
    for (method, body) in [
        ("PUT", json!({})),
        ("PUT", json!({ "on": "yes" })),
        ("PUT", json!({ "on": true, "more": 1 })),
        ("POST", json!({})),
        ("POST", json!({ "answers": [{ "meaning": "iban", "value": "TN59" }] })),
        ("POST", json!({ "answers": [{ "meaning": "name", "party": "stranger", "value": "Amina" }] })),
        ("POST", json!({ "answers": [{ "meaning": "name" }] })),
    ] {
        let answer = call(&server, &token, method, PATH, body.clone()).await;
        assert_eq!((answer.status, answer.code()), (400, "invalid_body"), "{body}");
    }
    let many = vec![name("Amina"); 2_001];
    let answer = call(&server, &token, "POST", PATH, json!({ "answers": many })).await;
    assert_eq!((answer.status, answer.code()), (400, "too_many_fields"), "{answer:?}");
    let id = call(&server, &token, "DELETE", &format!("{PATH}/{}", "x".repeat(200)), Value::Null).await;
    assert_eq!((id.status, id.code()), (400, "invalid_id"), "{id:?}");
    assert_eq!(values(&saved_answers(&server, &token).await), Vec::<&str>::new());
    for (method, path) in
        [("GET", PATH), ("PUT", PATH), ("POST", PATH), ("DELETE", PATH), ("DELETE", "/api/v1/users/me/answers/1")]
    {
        let headers = [("content-type", "application/json")];
        let nobody = server.api.send(method, path, &headers, r#"{"on":true,"answers":[]}"#).await;
        assert_eq!((nobody.status, nobody.code()), (401, "login_required"), "{method}");
    }
}

#[tokio::test]
async fn the_oldest_answers_are_dropped() {
    let server = TestServer::new().await;
    let (_, token) = server.user("amina@example.org").await;
    switch_feature(&server, &token, true).await;
    let names: Vec<Value> = (0..2_000).map(|number| name(&format!("Name {number}"))).collect();
    let kept = add_answers(&server, &token, json!(names)).await;
    assert_eq!((values(&kept).len(), values(&kept)[0]), (12, "Name 0"));
    let kept = add_answers(&server, &token, json!([name("Another"), name("NAME 3")])).await;
    assert_eq!((values(&kept).len(), &values(&kept)[..3]), (12, &["Another", "NAME 3", "Name 0"][..]));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_changes_lose_no_answers_and_restore_no_deleted_ones() {
    let server = TestServer::new().await;
    let (_, token) = server.user("amina@example.org").await;
    join_all((0..4).map(|_| switch_feature(&server, &token, true))).await;
    let added = join_all((0..10).map(|number| {
        let (server, token) = (&server, &token);
        async move { add_answers(server, token, json!([name(&format!("Name {number}"))])).await }
    }));
    added.await;
    let now = saved_answers(&server, &token).await;
    let mut kept = values(&now);
    kept.sort_unstable();
    assert_eq!(kept, (0..10).map(|number| format!("Name {number}")).collect::<Vec<_>>());

    // Answers are erased while others are added: every answer that exists afterwards was added after the deletion.
    let adding = join_all((0..6).map(|number| {
        let (server, token) = (&server, &token);
        async move { add_answers(server, token, json!([name(&format!("Later {number}"))])).await }
    }));
    let erasing = async {
        switch_feature(&server, &token, false).await;
        switch_feature(&server, &token, true).await
    };
    futures_util::future::join(adding, erasing).await;
    let now = saved_answers(&server, &token).await;
    assert!(values(&now).iter().all(|value| value.starts_with("Later")), "{now}");
}
