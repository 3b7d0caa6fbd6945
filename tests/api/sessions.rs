//! Tests of signing in, of tokens, and of the access to each route.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use functions::http::Access;
use functions::routes::routes;
use serde_json::json;
use waraq_core::Timestamp;
use waraq_core::accounts::Account;
use waraq_core::token::{LIFE_SECONDS, REMEMBERED_LIFE_SECONDS};

use crate::test_server::{ApiResponse, TestServer, bearer};

#[tokio::test]
async fn login_needs_the_right_password() {
    let server = TestServer::new().await;
    let (account, _) = server.user("amina@example.org").await;
    let login = async |body: serde_json::Value| server.api.post("/api/v1/auth/login", &[], &body).await;
    let answer = login(json!({ "email": " Amina@EXAMPLE.org ", "password": "a password" })).await;
    assert_eq!(answer.status, 200);
    assert_eq!((&answer.json["user"]["_id"], &answer.json["user"]["role"]), (&json!(account.id), &json!("user")));
    for (email, password) in [("amina@example.org", "wrong"), ("nobody@example.org", "a password"), ("nonsense", "x")] {
        let answer = login(json!({ "email": email, "password": password })).await;
        assert_eq!((answer.status, answer.code()), (401, "invalid_credentials"));
        assert_eq!(answer.json["message"], "Invalid email or password. Please try again.");
    }
    let empty = login(json!({ "email": " ", "password": "\t" })).await;
    assert_eq!((empty.status, empty.code()), (400, "email_password_required"));
    assert_eq!(login(json!({ "email": "a@b.c" })).await.code(), "invalid_body");
}

#[tokio::test]
async fn password_guesses_are_limited_for_known_and_unknown_addresses() {
    let server = TestServer::new().await;
    server.user("amina@example.org").await;
    for email in ["amina@example.org", "nobody@example.org"] {
        let guess = json!({ "email": email, "password": "wrong" });
        let guesses = (0..14).map(|_| server.api.post("/api/v1/auth/login", &[], &guess));
        let answers = futures_util::future::join_all(guesses).await;
        let tried = answers.iter().filter(|answer| answer.code() == "invalid_credentials").count();
        let stopped: Vec<&ApiResponse> = answers.iter().filter(|answer| answer.status == 429).collect();
        // The test may run across the end of a window; then as many tries are allowed again.
        assert!(tried + stopped.len() == 14 && (tried == 10 || tried > 10 && stopped.len() < 4), "{email}: {tried}");
        assert!(stopped.iter().all(|answer| answer.header("retry-after").parse::<u64>().is_ok()));
    }
}

#[tokio::test]
async fn every_route_checks_every_kind_of_caller() {
    let server = TestServer::new().await;
    let (account, user) = server.user("u@example.org").await;
    let admin = server.admin().await;
    let cloud = &server.local.cloud;
    let signer = cloud.signer().await.unwrap().unwrap();
    let over = Timestamp(cloud.clock().now().0 - LIFE_SECONDS * 1_000 - 1);
    let expired = signer.issue(&account, false, over).unwrap().token;
    let mut gone = account.clone();
    gone.id = "gone".into();
    let deleted = signer.issue(&gone, false, cloud.clock().now()).unwrap().token;
    gone = account.clone();
    gone.token_version = 2;
    let revoked = signer.issue(&gone, false, cloud.clock().now()).unwrap().token;
    let bad = [
        ("forged", forged(&user), "invalid_token"),
        ("unsigned", other_algorithm(&user, "none"), "invalid_token"),
        ("HMAC", other_algorithm(&user, "HS256"), "invalid_token"),
        ("nonsense", "a.b.c".to_owned(), "invalid_token"),
        ("expired", expired, "session_ended"),
        ("deleted", deleted, "session_ended"),
        ("revoked", revoked, "session_ended"),
    ];
    for route in routes() {
        let path = route.path.replace("{id}", "nothing").replace("{hash}", &"0".repeat(64));
        let ask = async |token: Option<&str>| {
            let authorization = token.map(bearer).unwrap_or_default();
            let mut headers = vec![("content-type", "application/json")];
            if token.is_some() {
                headers.push(("authorization", authorization.as_str()));
            }
            let body = r#"{"email":"a@example.org","password":"x","fieldsAndValues":[]}"#;
            let body = if route.method == "GET" { "" } else { body };
            server.api.send(route.method, &path, &headers, body).await
        };
        let let_in = |answer: &ApiResponse| {
            !matches!(answer.code(), "login_required" | "forbidden" | "invalid_token" | "session_ended")
        };
        for (what, token, code) in &bad {
            let answer = ask(Some(token)).await;
            if route.who == Access::Anyone {
                assert!(let_in(&answer), "{} with a token that is {what}: {answer:?}", route.function);
            } else {
                assert_eq!(
                    (answer.status, answer.code()),
                    (401, *code),
                    "{} with a token that is {what}",
                    route.function
                );
            }
        }
        let nobody = ask(None).await;
        assert_eq!(let_in(&nobody), route.who <= Access::MaybeUser, "{} without a token: {nobody:?}", route.function);
        if route.who > Access::MaybeUser {
            assert_eq!((nobody.status, nobody.code()), (401, "login_required"));
        }
        let by_user = ask(Some(&user)).await;
        assert_eq!(let_in(&by_user), route.who <= Access::User, "{} as a user: {by_user:?}", route.function);
        if route.who == Access::Admin {
            assert_eq!((by_user.status, by_user.code()), (403, "forbidden"));
        }
        let by_admin = ask(Some(&admin)).await;
        assert!(let_in(&by_admin), "{} as an admin: {by_admin:?}", route.function);
    }
}

#[tokio::test]
async fn token_is_renewed_after_half_its_life_and_keeps_remember() {
    let server = TestServer::new().await;
    let (account, _) = server.user("u@example.org").await;
    let cloud = &server.local.cloud;
    let signer = cloud.signer().await.unwrap().unwrap();
    let now = cloud.clock().now();
    for (remember, life) in [(false, LIFE_SECONDS), (true, REMEMBERED_LIFE_SECONDS)] {
        let young = signer.issue(&account, remember, Timestamp(now.0 - (life / 2 - 60) * 1_000)).unwrap().token;
        assert_eq!(server.api.get_as(&young, "/api/v1/documents").await.header("x-renewal-due"), "");
        let old = signer.issue(&account, remember, Timestamp(now.0 - (life / 2 + 1) * 1_000)).unwrap().token;
        for path in ["/api/v1/documents", "/api/v1/users/me", "/api/v1/documents/saved"] {
            assert_eq!(server.api.get_as(&old, path).await.header("x-renewal-due"), "true", "{path}");
        }
        let renewed = refresh(&server, &old).await;
        assert_eq!((renewed.status, &renewed.json["user"]["_id"]), (200, &json!(account.id)));
        let claims = cloud.verify(renewed.json["token"].as_str().unwrap()).await.unwrap();
        assert_eq!(
            (claims.sub.as_str(), claims.remember, claims.exp - claims.iat),
            (account.id.as_str(), remember, life)
        );
    }
}

async fn refresh(server: &TestServer, token: &str) -> ApiResponse {
    server.api.post("/api/v1/auth/refresh", &[("authorization", &bearer(token))], &json!({})).await
}

#[tokio::test]
async fn ended_session_is_not_renewed() {
    let server = TestServer::new().await;
    let (account, token) = server.user("u@example.org").await;
    let guest = server.api.post("/api/v1/auth/refresh", &[], &json!({})).await;
    assert_eq!((guest.status, guest.code()), (401, "login_required"));
    let invalid = refresh(&server, &forged(&token)).await;
    assert_eq!((invalid.status, invalid.code()), (401, "invalid_token"));
    let signer = server.local.cloud.signer().await.unwrap().unwrap();
    let revoked = Account { token_version: account.token_version + 1, ..account };
    let revoked = signer.issue(&revoked, true, server.local.cloud.clock().now()).unwrap().token;
    let ended = refresh(&server, &revoked).await;
    assert_eq!((ended.status, ended.code()), (401, "session_ended"));
}

/// Changes the signature of a token.
fn forged(token: &str) -> String {
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let mut bytes = BASE64URL.decode(signature).unwrap();
    bytes[0] ^= 1;
    format!("{signed}.{}", BASE64URL.encode(bytes))
}

/// Signs the same claims with another algorithm and a key that an attacker knows.
fn other_algorithm(token: &str, algorithm: &str) -> String {
    let parts: Vec<&str> = token.split('.').collect();
    let mut header: serde_json::Value = serde_json::from_slice(&BASE64URL.decode(parts[0]).unwrap()).unwrap();
    header["alg"] = algorithm.into();
    let signed = format!("{}.{}", BASE64URL.encode(header.to_string()), parts[1]);
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, b"public");
    let signature =
        if algorithm == "none" { vec![] } else { ring::hmac::sign(&key, signed.as_bytes()).as_ref().to_vec() };
    format!("{signed}.{}", BASE64URL.encode(signature))
}
