//! Tests of attacks on registration and sign-in.

use std::collections::BTreeSet;

use async_trait::async_trait;
use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt};
use serde_json::json;
use waraq_core::accounts::{Google, GoogleUser};
use waraq_core::{InterfaceLanguage, Result};

use crate::test_server::{ApiResponse, ManualClock, TestServer};

/// Starts a server with very high limits per source, so that these tests reach only the limits per code and per address.
async fn server_without_source_limits() -> TestServer {
    TestServer::with_options(|options| options.options.source_limits_factor = 1_000).await
}

async fn register(server: &TestServer, email: &str, password: &str) -> String {
    let body = json!({ "userName": "A", "email": email, "password": password });
    let answer = server.api.post("/api/v1/auth/register", &[], &body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json["userId"].as_str().unwrap().to_owned()
}

async fn verify(server: &TestServer, user_id: &str, otp: &str) -> ApiResponse {
    server.api.post("/api/v1/auth/verify-otp", &[], &json!({ "userId": user_id, "otp": otp })).await
}

async fn guesses(server: &TestServer, purpose: &str) -> Vec<u64> {
    let items = server.items(&format!("OTP#{purpose}#")).await;
    items.iter().map(|item| item["guesses"].as_n().unwrap().parse().unwrap()).collect()
}

#[tokio::test]
async fn a_thousand_parallel_guesses_get_at_most_five_tries() {
    let server = server_without_source_limits().await;
    let user_id = register(&server, "a@example.org", "a password").await;
    let code = server.code_to("a@example.org", 0).await;
    let wrong = (0..1_000u32).map(|number| format!("{number:06}")).filter(|guess| *guess != code);
    let wrong: Vec<String> = wrong.collect();
    // Limits the number of parallel calls for small machines. A call with the response 503 is not counted as a guess.
    let answers = stream::iter(wrong.iter().map(|guess| verify(&server, &user_id, guess)));
    let answers: Vec<ApiResponse> = answers.buffer_unordered(100).collect().await;
    let told = |answer: &ApiResponse| matches!(answer.code(), "invalid_otp" | "too_many_attempts" | "unavailable");
    assert!(answers.iter().all(told), "{:?}", answers.iter().find(|answer| !told(answer)));
    assert_eq!(guesses(&server, "register").await, [5]);
    let right = verify(&server, &user_id, &code).await;
    assert_ne!(right.status, 200, "after five wrong attempts the right code is invalid");
    assert_eq!(guesses(&server, "register").await, [5]);
}

#[tokio::test]
async fn two_parallel_uses_of_one_code_give_one_session() {
    let server = server_without_source_limits().await;
    let user_id = register(&server, "a@example.org", "a password").await;
    let code = server.code_to("a@example.org", 0).await;
    let answers = join_all((0..4).map(|_| verify(&server, &user_id, &code))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|answer| answer.status == 200 || answer.code() == "invalid_otp"), "{answers:?}");
}

#[tokio::test]
async fn wrong_codes_are_limited_to_twenty_a_day() {
    let server = server_without_source_limits().await;
    let mut tried = 0;
    for _ in 0..6 {
        let user_id = register(&server, "a@example.org", "a password").await;
        let answers = join_all((0..5).map(|_| verify(&server, &user_id, "000000"))).await;
        tried += answers.iter().filter(|answer| answer.code() == "invalid_otp").count();
        server.end_mail_waits().await;
        if answers.iter().any(|answer| answer.status == 429) {
            break;
        }
    }
    // The test may run across the end of an hour or a day, and 000000 may be one of the right codes.
    assert!((19..=25).contains(&tried), "{tried}");
}

/// A second registration of an address by another person reveals nothing and takes nothing over.
#[tokio::test]
async fn registering_an_address_before_its_owner_gains_nothing() {
    let server = server_without_source_limits().await;
    let email = "victim@example.org";
    let attacker = register(&server, email, "the attacker's").await;
    server.end_mail_waits().await;
    let owner = register(&server, email, "the owner's own").await;
    assert_ne!(attacker, owner);
    let code = server.code_to(email, 1).await;
    assert_eq!(
        verify(&server, &attacker, &code).await.code(),
        "invalid_otp",
        "a code is valid only for its own registration"
    );
    assert_eq!(verify(&server, &owner, &code).await.status, 200);
    let login = json!({ "email": email, "password": "the attacker's" });
    assert_eq!(server.api.post("/api/v1/auth/login", &[], &login).await.code(), "invalid_credentials");
    server.api.login(email, "the owner's own").await;
}

/// A [`Google`] port that confirms one given user for any token, to test the account rules. The module `google` tests
/// the real adapter.
pub struct FakeGoogle(GoogleUser);

impl FakeGoogle {
    pub fn confirming(subject: &str, email: &str) -> Self {
        Self(GoogleUser { subject: subject.into(), email: email.into(), name: Some("The Victim".into()) })
    }
}

#[async_trait]
impl Google for FakeGoogle {
    async fn user(&self, _: &str) -> Result<GoogleUser> {
        Ok(self.0.clone())
    }

    async fn delete_user(&self, _: &str) -> Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn registration_gains_nothing_after_the_owner_signs_in_with_google() {
    let server = server_without_source_limits().await;
    let cloud = &server.local.cloud;
    let email = "victim@example.org";
    let attacker = register(&server, email, "the attacker's").await;
    let code = server.code_to(email, 0).await;
    assert!(cloud.password_store().verify(Some(&attacker), "the attacker's").await.unwrap());
    let registrar = cloud.account_service().unwrap();
    let google = FakeGoogle::confirming("1", email);
    let sign_in =
        || registrar.google_login(cloud.password_store(), &google, "a token", "192.0.2.1", InterfaceLanguage::French);
    let accounts = join_all((0..4).map(|_| sign_in())).await;
    let ids: BTreeSet<String> = accounts.into_iter().map(|account| account.unwrap().id).collect();
    assert_eq!(ids.len(), 1, "parallel sign-ins give one account");
    assert!(!ids.contains(&attacker));
    // The attacker's password is deleted, and the attacker's code is invalid.
    assert!(!cloud.password_store().verify(Some(&attacker), "the attacker's").await.unwrap());
    assert_ne!(verify(&server, &attacker, &code).await.status, 200);
    let login = json!({ "email": email, "password": "the attacker's" });
    assert_eq!(server.api.post("/api/v1/auth/login", &[], &login).await.code(), "invalid_credentials");
    // Another Google subject with the same address is the same person: the owner of the address.
    let other = FakeGoogle::confirming("2", email);
    let again =
        registrar.google_login(cloud.password_store(), &other, "a token", "192.0.2.1", InterfaceLanguage::French);
    assert!(ids.contains(&again.await.unwrap().id));
}

#[tokio::test]
async fn mails_to_many_addresses_are_limited() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock).await;
    let server = &server;
    let forgot = (0..70).map(|number| async move {
        let body = json!({ "email": format!("stranger{number}@example.org") });
        for _ in 0..20 {
            let answer = server.api.post("/api/v1/auth/forgot-password", &[], &body).await;
            // A busy machine may answer some of the seventy parallel requests with "try again" (503).
            if answer.status != 503 {
                return answer;
            }
        }
        panic!("stranger{number} got no response");
    });
    let answers = join_all(forgot).await;
    let with = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
    let (sent, stopped) = (with(200), with(429));
    assert_eq!(sent + stopped, 70, "{answers:?}");
    // A request that was answered with 503 may have been counted too.
    assert!(sent <= 60, "{sent} sent, {stopped} stopped");
    let stopped = answers.iter().find(|answer| answer.status == 429).unwrap();
    assert_eq!(stopped.code(), "too_many_attempts");
    assert!(stopped.header("retry-after").parse::<u64>().is_ok());
}

/// The table contains no codes and no link tokens, and addresses appear only in the accounts themselves.
#[tokio::test]
async fn the_table_contains_no_codes() {
    let server = TestServer::prepared(|data| std::fs::write(data.join("mail"), "in the way").unwrap(), |_| {}).await;
    register(&server, "a@example.org", "a password").await;
    server.user("b@example.org").await;
    let forgot = json!({ "email": "b@example.org" });
    assert_eq!(server.api.post("/api/v1/auth/forgot-password", &[], &forgot).await.status, 200);
    let before = format!("{:?}", server.items("").await);
    let outside: Vec<_> =
        server.items("").await.into_iter().filter(|item| !item["pk"].as_s().unwrap().starts_with("USER#")).collect();
    assert!(!format!("{outside:?}").contains("example.org"));
    std::fs::remove_file(server.folder().join("mail")).unwrap();
    server.end_waits_of_mails().await;
    let code = server.code_to("a@example.org", 0).await;
    let token = crate::test_server::token_of(&server.mail_to("b@example.org", 0).await);
    assert!(!before.contains(&format!("\"{code}\"")) && !before.contains(&token));
}
