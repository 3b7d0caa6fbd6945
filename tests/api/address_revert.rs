//! Tests of reverting an e-mail change with the link that was mailed to the old address.

use futures_util::future::join;
use serde_json::{Value, json};
use waraq_core::InterfaceLanguage;

use crate::attacks::FakeGoogle;
use crate::test_server::{ApiResponse, ManualClock, TestServer, bearer, token_of};

const OLD: &str = "amina@example.org";
const NEW: &str = "thief@example.org";

async fn post(house: &TestServer, token: Option<&str>, path: &str, body: Value) -> ApiResponse {
    let authorization = token.map(bearer).unwrap_or_default();
    let headers: Vec<(&str, &str)> = token.iter().map(|_| ("authorization", authorization.as_str())).collect();
    house.api.post(&format!("/api/v1/auth/{path}"), &headers, &body).await
}

/// Changes the address of an account. Returns the new session and the token of the link that was mailed to the old
/// address.
async fn change(house: &TestServer, token: &str, from: &str, to: &str) -> (String, String) {
    const KIND: &str = "email-changed";
    let known = house.mails_to(to).len();
    let told = house.mails_to(from).iter().filter(|mail| mail.kind == KIND).count();
    let asked = post(house, Some(token), "change-email", json!({ "newEmail": to })).await;
    assert_eq!(asked.status, 200, "{asked:?}");
    let otp = house.code_to(to, known).await;
    let proof = json!({ "newEmail": to, "otp": otp });
    let changed = post(house, Some(token), "verify-change-email-otp", proof).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let mail = house.mail_of(KIND, from, told).await;
    (changed.json["token"].as_str().unwrap().to_owned(), token_of(&mail))
}

async fn restore(house: &TestServer, token: &str) -> ApiResponse {
    post(house, None, "restore-email", json!({ "token": token })).await
}

async fn login(house: &TestServer, email: &str, password: &str) -> ApiResponse {
    post(house, None, "login", json!({ "email": email, "password": password })).await
}

async fn new_password(house: &TestServer, link: &str, password: &str) -> ApiResponse {
    post(house, None, "reset-password", json!({ "token": link, "newPassword": password })).await
}

/// Starts a test server with a standing clock, which orders mails by their time and passes the minute between two of a
/// kind.
async fn server_with_clock() -> (TestServer, std::sync::Arc<ManualClock>) {
    let clock = ManualClock::new();
    (TestServer::with_options(|options| options.options.clock = clock.clone()).await, clock)
}

#[tokio::test]
async fn a_stolen_session_does_not_become_the_thiefs_account() {
    let (house, clock) = server_with_clock().await;
    let (account, token) = house.user(OLD).await;
    // The thief changes the address, then the password, then the address again.
    let (_, way_back) = change(&house, &token, OLD, NEW).await;
    clock.advance(1);
    assert_eq!(post(&house, None, "forgot-password", json!({ "email": NEW })).await.status, 200);
    let link = token_of(&house.mail_to(NEW, 1).await);
    clock.advance(1);
    assert_eq!(new_password(&house, &link, "the thief's own").await.status, 200);
    let session = login(&house, NEW, "the thief's own").await.json["token"].as_str().unwrap().to_owned();
    house.mail_to(NEW, 2).await;
    clock.advance(61);
    let further = "elsewhere@example.org";
    let (session, thiefs_way_back) = change(&house, &session, NEW, further).await;
    clock.advance(61);
    assert_eq!(post(&house, None, "forgot-password", json!({ "email": further })).await.status, 200);
    let link = token_of(&house.mail_to(further, 1).await);
    clock.advance(6 * 24 * 3_600);
    let told = house.mails_to(OLD).len();
    let restored = restore(&house, &way_back).await;
    assert_eq!(restored.status, 200, "{restored:?}");
    // All sessions and passwords of the thief are invalid.
    assert_eq!(house.api.get_as(&session, "/api/v1/users/me").await.code(), "session_ended");
    for email in [OLD, NEW, further] {
        assert_eq!(login(&house, email, "the thief's own").await.code(), "invalid_credentials", "{email}");
        assert_eq!(login(&house, email, "a password").await.code(), "invalid_credentials", "{email}");
    }
    assert_eq!(new_password(&house, &link, "another of his").await.code(), "invalid_reset_link");
    assert_eq!(restore(&house, &thiefs_way_back).await.code(), "invalid_restore_link");
    assert_eq!(restore(&house, &way_back).await.code(), "invalid_restore_link", "once");
    assert_eq!(house.mail_to(further, 2).await.kind, "email-restored");
    // The owner signs in by the mailed link.
    let mail = house.mail_to(OLD, told).await;
    assert_eq!(mail.kind, "reset-password");
    assert_eq!(new_password(&house, &token_of(&mail), "the owner's new one").await.status, 200);
    let session = login(&house, OLD, "the owner's new one").await;
    assert_eq!((session.status, &session.json["user"]["_id"]), (200, &json!(account.id)), "{session:?}");
    assert_eq!(session.json["user"]["email"], OLD);
    // The addresses that the thief used are free.
    house.registered(NEW, "somebody else's").await;
}

#[tokio::test]
async fn an_address_that_somebody_else_has_by_now_is_not_taken_from_him() {
    let (house, clock) = server_with_clock().await;
    let (_, token) = house.user(OLD).await;
    let (session, way_back) = change(&house, &token, OLD, NEW).await;
    clock.advance(1);
    house.registered(OLD, "the next one's").await;
    let refused = restore(&house, &way_back).await;
    assert_eq!((refused.status, refused.code()), (409, "email_taken"));
    assert_eq!(house.api.get_as(&session, "/api/v1/users/me").await.json["user"]["email"], NEW, "nothing is half done");
    assert_eq!(login(&house, OLD, "the next one's").await.status, 200);
    assert_eq!(login(&house, NEW, "a password").await.status, 200);
}

#[tokio::test]
async fn the_way_back_is_open_for_seven_days_and_once() {
    let (house, clock) = server_with_clock().await;
    let (account, token) = house.user(OLD).await;
    let (token, way_back) = change(&house, &token, OLD, NEW).await;
    for wrong in ["", "nonsense", &format!("{}.AAAAAAAAAAAAAAAAAAAAAA", account.id), &"x.".repeat(3_000)] {
        assert_eq!(restore(&house, wrong).await.code(), "invalid_restore_link", "{wrong:.40}");
    }
    let both = join(restore(&house, &way_back), restore(&house, &way_back)).await;
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort();
    assert_eq!(statuses, [200, 400], "{both:?}");
    assert_eq!(house.api.get_as(&token, "/api/v1/users/me").await.code(), "session_ended");
    // The address is changed again, and a week passes.
    let restored = house.local.cloud.accounts().account(&account.id).await.unwrap().unwrap();
    let signer = house.local.cloud.signer().await.unwrap().unwrap();
    let token = signer.issue(&restored, false, house.local.cloud.clock().now()).unwrap().token;
    clock.advance(61);
    let (_, way_back) = change(&house, &token, OLD, "third@example.org").await;
    clock.advance(7 * 24 * 3_600);
    assert_eq!(restore(&house, &way_back).await.code(), "invalid_restore_link");
}

#[tokio::test]
async fn googles_user_whom_the_thief_let_in_is_let_in_no_more() {
    let (house, clock) = server_with_clock().await;
    let cloud = &house.local.cloud;
    let (account, token) = house.user(OLD).await;
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
    let (_, way_back) = change(&house, &token, OLD, NEW).await;
    assert_eq!(sign_in(&thiefs).await.id, account.id, "by the address he has proven");
    assert_eq!(restore(&house, &way_back).await.status, 200);
    assert_ne!(sign_in(&thiefs).await.id, account.id);
    assert_eq!(sign_in(&owners).await.id, account.id);
}
