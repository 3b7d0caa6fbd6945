//! Tests of POST /auth/google-login with real tokens of a pool. They run only if the test command has started an
//! emulator.

use serde_json::json;
use waraq_aws::GoogleSettings;

use crate::error_codes::keep_changing;
use crate::ministack::{Ministack, report_contract};
use crate::test_server::{ApiResponse, TestServer};

struct GoogleSetup {
    ministack: Ministack,
    server: TestServer,
    google: GoogleSettings,
}

impl GoogleSetup {
    async fn start() -> Self {
        let ministack = Ministack::from_environment("google").expect("WARAQ_MINISTACK: an emulator of Cognito");
        let pool = ministack.pool().await;
        let google = ministack.google(&pool).await;
        let server = TestServer::with_options(|options| {
            options.google = Some(google.clone());
            options.endpoints.cognito = Some(ministack.address.clone());
        })
        .await;
        Self { ministack, server, google }
    }

    async fn login(&self, token: &str) -> ApiResponse {
        self.server.api.post("/api/v1/auth/google-login", &[], &json!({ "accessToken": token })).await
    }
}

#[tokio::test]
#[ignore = "needs an emulator of Cognito: cargo xtask test rust"]
async fn only_valid_google_tokens_sign_in() {
    let signing = GoogleSetup::start().await;
    let GoogleSetup { ministack, google, server } = &signing;
    let pool = &google.user_pool_id;
    ministack.user(pool, "person-1", ("Amina@example.org", true), Some("1")).await;
    ministack.user(pool, "person-2", ("unverified@example.org", false), Some("2")).await;
    ministack.user(pool, "somebody", ("somebody@example.org", true), None).await;
    let (access, id) = ministack.tokens(google, "person-1").await;
    let session = signing.login(&access).await;
    assert_eq!(session.status, 200, "{session:?}");
    let user = &session.json["user"];
    assert_eq!((&user["email"], &user["name"]), (&json!("amina@example.org"), &json!("Amina")));
    let again = signing.login(&ministack.tokens(google, "person-1").await.0).await;
    assert_eq!(again.json["user"]["_id"], user["_id"]);
    let me = server.api.get_as(session.json["token"].as_str().unwrap(), "/api/v1/users/me").await;
    assert_eq!(&me.json["user"], user);
    // Tokens of another client of the same pool, and of another pool.
    let other_client = ministack.google(pool).await;
    let other_pool = ministack.google(&ministack.pool().await).await;
    ministack.user(&other_pool.user_pool_id, "person-1", ("amina@example.org", true), Some("1")).await;
    // A token of the other pool whose claims name this pool.
    let theirs = ministack.tokens(&other_pool, "person-1").await.0;
    let refused = [
        ("an ID token", id),
        ("another client's", ministack.tokens(&other_client, "person-1").await.0),
        ("another pool's", theirs),
        ("not Google's", ministack.tokens(google, "somebody").await.0),
        ("not verified", ministack.tokens(google, "person-2").await.0),
        ("nonsense", "a.b.c".to_owned()),
        ("ours", session.json["token"].as_str().unwrap().to_owned()),
        ("empty", String::new()),
        ("endless", "a".repeat(100_000)),
    ];
    for (what, token) in refused {
        let answer = signing.login(&token).await;
        assert_eq!((answer.status, answer.code()), (401, "google_refused"), "{what}: {answer:?}");
    }
    let settings = server.api.get("/api/v1/settings").await;
    assert_eq!(settings.json["google"]["clientId"], json!(google.client_id));
    assert!(settings.header("content-security-policy").contains(&google.domain));
    report_contract("google", "Cognito (ministack)");
}

#[tokio::test]
#[ignore = "needs an emulator of Cognito: cargo xtask test rust"]
async fn busy_accounts_and_too_many_wrong_tokens_are_refused() {
    let signing = GoogleSetup::start().await;
    let GoogleSetup { ministack, google, server } = &signing;
    let (account, _) = server.user("amina@example.org").await;
    ministack.user(&google.user_pool_id, "person-1", ("amina@example.org", true), Some("1")).await;
    keep_changing(server, &account.id).await;
    let busy = signing.login(&ministack.tokens(google, "person-1").await.0).await;
    assert_eq!((busy.status, busy.code()), (409, "account_busy"), "{busy:?}");
    let mut tried = 0;
    while signing.login("a.b.c").await.code() != "too_many_attempts" {
        tried += 1;
        assert!(tried < 210, "no limit applies (one window may end during the test)");
    }
}

#[tokio::test]
#[ignore = "needs an emulator of Cognito: cargo xtask test rust"]
async fn google_login_uses_the_password_account_of_the_same_address() {
    let signing = GoogleSetup::start().await;
    let GoogleSetup { ministack, google, server } = &signing;
    let before = server.registered("amina@example.org", "a password").await;
    ministack.user(&google.user_pool_id, "person-1", ("amina@example.org", true), Some("1")).await;
    let session = signing.login(&ministack.tokens(google, "person-1").await.0).await;
    assert_eq!(session.json["user"]["_id"], before["user"]["_id"], "{session:?}");
    // The password was set by the owner of the verified address, so it stays.
    server.api.login("amina@example.org", "a password").await;
}

/// Google's user replaces an unverified registration of the same address, and its password is deleted.
#[tokio::test]
#[ignore = "needs an emulator of Cognito: cargo xtask test rust"]
async fn a_google_login_replaces_a_pending_registration() {
    let signing = GoogleSetup::start().await;
    let GoogleSetup { ministack, google, server } = &signing;
    let body = json!({ "userName": "Mallory", "email": "amina@example.org", "password": "a password" });
    let registered = server.api.post("/api/v1/auth/register", &[], &body).await;
    assert_eq!(registered.status, 201, "{registered:?}");
    ministack.user(&google.user_pool_id, "person-1", ("amina@example.org", true), Some("1")).await;
    let session = signing.login(&ministack.tokens(google, "person-1").await.0).await;
    assert_eq!(session.status, 200, "{session:?}");
    let pending = registered.json["userId"].as_str().unwrap();
    assert_ne!(session.json["user"]["_id"], pending);
    assert!(!server.local.cloud.password_store().verify(Some(pending), "a password").await.unwrap());
}
