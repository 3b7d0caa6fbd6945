//! Tests of reverting an e-mail change with the link that was mailed to the old address.

use futures_util::future::join;
use serde_json::{Value, json};
use waraq_core::InterfaceLanguage;
use waraq_core::token::LoginSession;

use crate::attacks::FakeGoogle;
use crate::test_server::{ApiResponse, ManualClock, TestServer, bearer, token_of};

const OLD: &str = "amina@example.org";
const NEW: &str = "thief@example.org";

async fn post(server: &TestServer, token: Option<&str>, path: &str, body: Value) -> ApiResponse {
    let authorization = token.map(bearer).unwrap_or_default();
    let headers: Vec<(&str, &str)> = token.iter().map(|_| ("authorization", authorization.as_str())).collect();
    server.api.post(&format!("/api/v1/auth/{path}"), &headers, &body).await
}

/// Changes the address of an account. Returns the new session and the token of the link that was mailed to the old
/// address.
async fn change(server: &TestServer, token: &str, from: &str, to: &str) -> (String, String) {
    const KIND: &str = "email-changed";
    let known = server.mails_to(to).len();
    let told = server.mails_to(from).iter().filter(|mail| mail.kind == KIND).count();
    let asked = post(server, Some(token), "change-email", json!({ "newEmail": to })).await;
    assert_eq!(asked.status, 200, "{asked:?}");
    let otp = server.code_to(to, known).await;
    let proof = json!({ "newEmail": to, "otp": otp });
    let changed = post(server, Some(token), "verify-change-email-otp", proof).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let mail = server.mail_of(KIND, from, told).await;
    (changed.json["token"].as_str().unwrap().to_owned(), token_of(&mail))
}

async fn restore(server: &TestServer, token: &str) -> ApiResponse {
    post(server, None, "restore-email", json!({ "token": token })).await
}

async fn login(server: &TestServer, email: &str, password: &str) -> ApiResponse {
    post(server, None, "login", json!({ "email": email, "password": password })).await
}

async fn new_password(server: &TestServer, link: &str, password: &str) -> ApiResponse {
    post(server, None, "reset-password", json!({ "token": link, "newPassword": password })).await
}

/// Starts a test server with a standing clock, which orders mails by their time and passes the minute between two of a
/// kind.
async fn server_with_clock() -> (TestServer, std::sync::Arc<ManualClock>) {
    let clock = ManualClock::new();
    (TestServer::with_options(|options| options.options.clock = clock.clone()).await, clock)
}

#[tokio::test]
async fn revert_returns_the_account_after_a_session_was_stolen() {
    let (server, clock) = server_with_clock().await;
    let (account, token) = server.user(OLD).await;
    // The thief changes the address, then the password, then the address again.
    let (_, revert_link) = change(&server, &token, OLD, NEW).await;
    clock.advance(1);
    assert_eq!(post(&server, None, "forgot-password", json!({ "email": NEW })).await.status, 200);
    let link = token_of(&server.mail_to(NEW, 1).await);
    clock.advance(1);
    assert_eq!(new_password(&server, &link, "the thief's own").await.status, 200);
    let session = login(&server, NEW, "the thief's own").await.json["token"].as_str().unwrap().to_owned();
    server.mail_to(NEW, 2).await;
    clock.advance(61);
    let further = "elsewhere@example.org";
    let (session, thiefs_revert_link) = change(&server, &session, NEW, further).await;
    clock.advance(61);
    assert_eq!(post(&server, None, "forgot-password", json!({ "email": further })).await.status, 200);
    let link = token_of(&server.mail_to(further, 1).await);
    clock.advance(6 * 24 * 3_600);
    let told = server.mails_to(OLD).len();
    let restored = restore(&server, &revert_link).await;
    assert_eq!(restored.status, 200, "{restored:?}");
    // All sessions and passwords of the thief are invalid.
    assert_eq!(server.api.get_as(&session, "/api/v1/users/me").await.code(), "session_ended");
    for email in [OLD, NEW, further] {
        assert_eq!(login(&server, email, "the thief's own").await.code(), "invalid_credentials", "{email}");
        assert_eq!(login(&server, email, "a password").await.code(), "invalid_credentials", "{email}");
    }
    assert_eq!(new_password(&server, &link, "another of his").await.code(), "invalid_reset_link");
    assert_eq!(restore(&server, &thiefs_revert_link).await.code(), "invalid_restore_link");
    assert_eq!(restore(&server, &revert_link).await.code(), "invalid_restore_link", "once");
    assert_eq!(server.mail_to(further, 2).await.kind, "email-restored");
    // The owner signs in by the mailed link.
    let mail = server.mail_to(OLD, told).await;
    assert_eq!(mail.kind, "reset-password");
    assert_eq!(new_password(&server, &token_of(&mail), "the owner's new one").await.status, 200);
    let session = login(&server, OLD, "the owner's new one").await;
    assert_eq!((session.status, &session.json["user"]["_id"]), (200, &json!(account.id)), "{session:?}");
    assert_eq!(session.json["user"]["email"], OLD);
    // The addresses that the thief used are free.
    server.registered(NEW, "somebody else's").await;
}

#[tokio::test]
async fn revert_is_refused_if_the_old_address_is_taken() {
    let (server, clock) = server_with_clock().await;
    let (_, token) = server.user(OLD).await;
    let (session, revert_link) = change(&server, &token, OLD, NEW).await;
    clock.advance(1);
    server.registered(OLD, "the next one's").await;
    let refused = restore(&server, &revert_link).await;
    assert_eq!((refused.status, refused.code()), (409, "email_taken"));
    assert_eq!(
        server.api.get_as(&session, "/api/v1/users/me").await.json["user"]["email"],
        NEW,
        "the account is unchanged"
    );
    assert_eq!(login(&server, OLD, "the next one's").await.status, 200);
    assert_eq!(login(&server, NEW, "a password").await.status, 200);
}

#[tokio::test]
async fn revert_link_works_once_within_seven_days() {
    let (server, clock) = server_with_clock().await;
    let (account, token) = server.user(OLD).await;
    let (token, revert_link) = change(&server, &token, OLD, NEW).await;
    for wrong in ["", "nonsense", &format!("{}.AAAAAAAAAAAAAAAAAAAAAA", account.id), &"x.".repeat(3_000)] {
        assert_eq!(restore(&server, wrong).await.code(), "invalid_restore_link", "{wrong:.40}");
    }
    let both = join(restore(&server, &revert_link), restore(&server, &revert_link)).await;
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort();
    assert_eq!(statuses, [200, 400], "{both:?}");
    assert_eq!(server.api.get_as(&token, "/api/v1/users/me").await.code(), "session_ended");
    // The address is changed again, and a week passes.
    let restored = server.local.cloud.accounts().account(&account.id).await.unwrap().unwrap();
    let signer = server.local.cloud.signer().await.unwrap().unwrap();
    let token = signer
        .issue(
            &restored,
            &LoginSession::new("session", false, server.local.cloud.clock().now()),
            server.local.cloud.clock().now(),
        )
        .unwrap()
        .token;
    clock.advance(61);
    let (_, revert_link) = change(&server, &token, OLD, "third@example.org").await;
    clock.advance(7 * 24 * 3_600);
    assert_eq!(restore(&server, &revert_link).await.code(), "invalid_restore_link");
}

#[tokio::test]
async fn revert_unlinks_google_users_of_the_new_address() {
    let (server, clock) = server_with_clock().await;
    let cloud = &server.local.cloud;
    let (account, token) = server.user(OLD).await;
    let registrar = cloud.account_service().unwrap();
    let sign_in = async |google: &FakeGoogle| {
        let answer = registrar
            .google_login(cloud.password_store(), google, "a token", "192.0.2.1", InterfaceLanguage::English)
            .await;
        answer.unwrap()
    };
    let (owners, thiefs) = (FakeGoogle::confirming("owner", OLD), FakeGoogle::confirming("thief", NEW));
    let linked = sign_in(&owners).await;
    assert_eq!(linked.id, account.id);
    clock.advance(1);
    let (_, revert_link) = change(&server, &token, OLD, NEW).await;
    assert_eq!(sign_in(&thiefs).await.id, account.id, "by the verified new address");
    assert_eq!(restore(&server, &revert_link).await.status, 200);
    assert_ne!(sign_in(&thiefs).await.id, account.id);
    assert_eq!(sign_in(&owners).await.id, account.id);
}
