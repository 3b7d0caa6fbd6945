//! Tests of signing in, of tokens, and of the access to each route.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use functions::http::Access;
use functions::routes::routes;
use serde_json::json;
use waraq_core::Timestamp;
use waraq_core::accounts::Account;
use waraq_core::token::{
    LIFE_SECONDS, LONGEST_REMEMBERED_SESSION_SECONDS, LONGEST_SESSION_SECONDS, LoginSession, REMEMBERED_LIFE_SECONDS,
};

use crate::test_server::{ApiResponse, ManualClock, TestServer, bearer};

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
    let expired = signer.issue(&account, &LoginSession::new("session", false, over), over).unwrap().token;
    let mut gone = account.clone();
    gone.id = "gone".into();
    let deleted = signer
        .issue(&gone, &LoginSession::new("session", false, cloud.clock().now()), cloud.clock().now())
        .unwrap()
        .token;
    gone = account.clone();
    gone.token_version = 2;
    let revoked = signer
        .issue(&gone, &LoginSession::new("session", false, cloud.clock().now()), cloud.clock().now())
        .unwrap()
        .token;
    let bad = [
        ("forged", forged(&user), "invalid_token"),
        ("unsigned", other_algorithm(&user, "none"), "invalid_token"),
        ("HMAC", other_algorithm(&user, "HS256"), "invalid_token"),
        ("nonsense", "a.b.c".to_owned(), "invalid_token"),
        ("expired", expired, "session_ended"),
        ("deleted", deleted, "session_ended"),
        ("revoked", revoked, "session_ended"),
    ];
    let admins_account = cloud.verify(&admin).await.unwrap().sub;
    let admins_account = cloud.accounts().account(&admins_account).await.unwrap().unwrap();
    for route in routes() {
        // Each route gets a session of its own, because one of them ends it.
        let now = cloud.clock().now();
        let session = |account: &Account| {
            signer.issue(account, &LoginSession::new(route.function.as_str(), false, now), now).unwrap().token
        };
        let user_now = cloud.accounts().account(&account.id).await.unwrap().unwrap();
        let (user, admin) = (session(&user_now), session(&admins_account));
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
        let young = signer
            .issue(
                &account,
                &LoginSession::new("session", remember, Timestamp(now.0 - (life / 2 - 60) * 1_000)),
                Timestamp(now.0 - (life / 2 - 60) * 1_000),
            )
            .unwrap()
            .token;
        assert_eq!(server.api.get_as(&young, "/api/v1/documents").await.header("x-renewal-due"), "");
        let old = signer
            .issue(
                &account,
                &LoginSession::new("session", remember, Timestamp(now.0 - (life / 2 + 1) * 1_000)),
                Timestamp(now.0 - (life / 2 + 1) * 1_000),
            )
            .unwrap()
            .token;
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
    let revoked = signer
        .issue(
            &revoked,
            &LoginSession::new("session", true, server.local.cloud.clock().now()),
            server.local.cloud.clock().now(),
        )
        .unwrap()
        .token;
    let ended = refresh(&server, &revoked).await;
    assert_eq!((ended.status, ended.code()), (401, "session_ended"));
}

async fn log_out(server: &TestServer, token: &str) -> ApiResponse {
    server.api.post("/api/v1/auth/logout", &[("authorization", &bearer(token))], &json!({})).await
}

#[tokio::test]
async fn logout_ends_one_session_and_all_its_tokens() {
    let server = TestServer::new().await;
    let email = "u@example.org";
    server.user(email).await;
    let (phone, laptop) = (server.api.login(email, "a password").await, server.api.login(email, "a password").await);
    let renewed = refresh(&server, &phone).await.json["token"].as_str().unwrap().to_owned();
    let ended = log_out(&server, &phone).await;
    assert!(ended.status == 204 && ended.bytes.is_empty(), "{ended:?}");
    for token in [&phone, &renewed] {
        for answer in [
            server.api.get_as(token, "/api/v1/users/me").await,
            server.api.get_as(token, "/api/v1/documents").await,
            refresh(&server, token).await,
            log_out(&server, token).await,
        ] {
            assert_eq!((answer.status, answer.code()), (401, "session_ended"), "{answer:?}");
        }
    }
    let other = server.api.get_as(&laptop, "/api/v1/users/me").await;
    assert_eq!(other.status, 200, "the session on another device stays: {other:?}");
    assert_eq!(log_out(&server, &laptop).await.status, 204);
    let guest = server.api.post("/api/v1/auth/logout", &[], &json!({})).await;
    assert_eq!((guest.status, guest.code()), (401, "login_required"));
}

/// The list of users in memory also tells who is an admin.
#[tokio::test]
async fn logout_of_an_admin_ends_the_access_to_users() {
    let server = TestServer::new().await;
    let (first, second) = (server.admin().await, server.admin().await);
    assert_eq!(server.api.get_as(&first, "/api/v1/users").await.status, 200);
    assert_eq!(log_out(&server, &first).await.status, 204);
    assert_eq!(server.api.get_as(&first, "/api/v1/users").await.code(), "session_ended");
    assert_eq!(server.api.get_as(&second, "/api/v1/users").await.status, 200);
}

#[tokio::test]
async fn many_logouts_end_all_sessions() {
    let server = TestServer::new().await;
    let (account, other) = server.user("u@example.org").await;
    let cloud = &server.local.cloud;
    let (signer, now) = (cloud.signer().await.unwrap().unwrap(), cloud.clock().now());
    let session =
        |number: u32| signer.issue(&account, &LoginSession::new(number.to_string(), false, now), now).unwrap();
    for number in 0..20 {
        assert_eq!(log_out(&server, &session(number).token).await.status, 204);
    }
    assert_eq!(server.api.get_as(&other, "/api/v1/users/me").await.status, 200);
    assert_eq!(log_out(&server, &session(20).token).await.status, 204);
    for token in [&other, &session(0).token, &session(20).token, &session(21).token] {
        assert_eq!(server.api.get_as(token, "/api/v1/users/me").await.code(), "session_ended");
    }
    let stored = cloud.accounts().account(&account.id).await.unwrap().unwrap();
    assert_eq!((stored.ended_sessions.len(), stored.token_version), (0, account.token_version + 1));
}

#[tokio::test]
async fn renewals_end_some_time_after_the_login() {
    for (remember, life, longest) in [
        (false, LIFE_SECONDS, LONGEST_SESSION_SECONDS),
        (true, REMEMBERED_LIFE_SECONDS, LONGEST_REMEMBERED_SESSION_SECONDS),
    ] {
        let clock = ManualClock::new();
        let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
        server.user("u@example.org").await;
        let login = json!({ "email": "u@example.org", "password": "a password", "remember": remember });
        let login = server.api.post("/api/v1/auth/login", &[], &login).await;
        let mut token = login.json["token"].as_str().unwrap().to_owned();
        let mut passed = 0;
        loop {
            let step = (life - 60).min(longest - passed - 60);
            clock.advance(step);
            passed += step;
            let due = server.api.get_as(&token, "/api/v1/users/me").await;
            let can_be_prolonged = passed + 60 < longest;
            assert_eq!(due.header("x-renewal-due"), if can_be_prolonged { "true" } else { "" }, "after {passed} s");
            let renewed = refresh(&server, &token).await;
            assert_eq!((renewed.status, renewed.header("x-renewal-due")), (200, ""));
            token = renewed.json["token"].as_str().unwrap().to_owned();
            if !can_be_prolonged {
                break;
            }
        }
        clock.advance(60);
        let ended = refresh(&server, &token).await;
        assert_eq!((ended.status, ended.code()), (401, "session_ended"), "{longest} s after the login");
    }
}

#[tokio::test]
async fn revoked_tokens_are_not_due_for_renewal() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let (_, token) = server.user("u@example.org").await;
    clock.advance(LIFE_SECONDS / 2 + 60);
    let change = async |old: &str| {
        let passwords = json!({ "oldPassword": old, "newPassword": "another password" });
        server.api.post("/api/v1/auth/change-password", &[("authorization", &bearer(&token))], &passwords).await
    };
    let refused = change("wrong password").await;
    assert_eq!((refused.code(), refused.header("x-renewal-due")), ("wrong_password", "true"));
    let changed = change("a password").await;
    assert_eq!((changed.status, changed.header("x-renewal-due")), (200, ""), "the call has revoked the token");
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
