//! Tests of rate limits against an attacker: the attacker's attempts are limited, and they never block users at other
//! sources.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::test_server::{Api, ApiResponse, ManualClock, TestServer, bearer, token_of};

const EMAIL: &str = "amina@example.org";

async fn server_with_clock() -> (TestServer, Arc<ManualClock>) {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    (server, clock)
}

async fn post(api: &Api, path: &str, body: Value) -> ApiResponse {
    api.post(&format!("/api/v1/auth/{path}"), &[], &body).await
}

async fn post_as(api: &Api, token: &str, path: &str, body: Value) -> ApiResponse {
    api.post(&format!("/api/v1/auth/{path}"), &[("authorization", &bearer(token))], &body).await
}

async fn login(api: &Api, email: &str, password: &str) -> ApiResponse {
    post(api, "login", json!({ "email": email, "password": password })).await
}

async fn register(api: &Api, password: &str) -> ApiResponse {
    post(api, "register", json!({ "userName": "A", "email": EMAIL, "password": password })).await
}

#[tokio::test]
async fn failed_logins_from_elsewhere_do_not_lock_an_admin_out() {
    let (server, clock) = server_with_clock().await;
    let (email, password) = (server.local.admin.email.clone(), server.local.admin.password.clone());
    // Attempts of an earlier window do not count in the next one.
    for _ in 0..2 {
        let attacker = server.api.with_source(2);
        let mut tried = 0;
        for _ in 0..14 {
            let answer = login(&attacker, &email, "a guess").await;
            tried += usize::from(answer.code() == "invalid_credentials");
        }
        assert_eq!(tried, 10, "one source has ten attempts");
        assert_eq!(
            login(&attacker, &email, &password).await.code(),
            "too_many_attempts",
            "the attacker's source is blocked"
        );
        assert_eq!(login(&server.api.with_source(3), &email, &password).await.status, 200);
        clock.advance(15 * 60);
    }
    assert_eq!(clock.waited(), 0, "few wrong attempts delay no login");
}

#[tokio::test]
async fn distributed_guessing_is_slowed_and_the_owner_can_log_in() {
    let (server, clock) = server_with_clock().await;
    server.user(EMAIL).await;
    let mut tried = 0;
    for place in 10..14 {
        for _ in 0..12 {
            tried += usize::from(
                login(&server.api.with_source(place), EMAIL, "a guess").await.code() == "invalid_credentials",
            );
        }
    }
    assert_eq!(tried, 40);
    // The 21st attempt waits 250 ms, each further one 250 ms longer, up to 3 s.
    let waits = (1..=20u64).map(|beyond| (beyond * 250).min(3_000)).sum::<u64>();
    assert_eq!(clock.waited(), waits);
    assert_eq!(login(&server.api.with_source(3), EMAIL, "a password").await.status, 200);
    assert_eq!(clock.waited(), waits + 3_000);
}

#[tokio::test]
async fn registrations_from_elsewhere_do_not_use_up_the_owners_limits() {
    let (server, clock) = server_with_clock().await;
    let owner = server.api.with_source(3);
    let attacker = server.api.with_source(2);
    let (mut tried, mut mails) = (0, 0);
    // For a day an outsider registers another person's address and guesses codes.
    for _ in 0..24 {
        for _ in 0..7 {
            let registered = register(&attacker, "the attacker's").await;
            mails += usize::from(registered.status == 201);
            let user_id = registered.json["userId"].as_str().unwrap_or("none").to_owned();
            for _ in 0..6 {
                let guess = post(&attacker, "verify-otp", json!({ "userId": user_id, "otp": "000000" })).await;
                assert_ne!(guess.status, 200, "000000 happened to be the code (one in a million)");
                tried += usize::from(guess.code() == "invalid_otp" && registered.status == 201);
            }
            clock.advance(61);
        }
        if tried >= 20 {
            break;
        }
        clock.advance(3_600);
    }
    assert!((20..=24).contains(&tried), "{tried}: twenty attempts a day, at most five for one code");
    assert!(mails <= 5, "five mails an hour: {mails}");
    // The owner's mail is the newest only after all of the attacker's mails have arrived.
    server.mail_to(EMAIL, mails - 1).await;
    let registered = register(&owner, "the owner's own").await;
    assert_eq!(registered.status, 201, "{registered:?}");
    let otp = server.code_to(EMAIL, mails).await;
    let proven = post(&owner, "verify-otp", json!({ "userId": registered.json["userId"], "otp": otp })).await;
    assert_eq!(proven.status, 200, "{proven:?}");
    assert_eq!(login(&owner, EMAIL, "the owner's own").await.status, 200);
}

#[tokio::test]
async fn registrations_from_elsewhere_do_not_replace_that_of_the_owner() {
    let (server, _clock) = server_with_clock().await;
    let owner = server.api.with_source(3);
    let registered = register(&owner, "the owner's own").await;
    let otp = server.code_to(EMAIL, 0).await;
    for place in 10..15 {
        assert_eq!(register(&server.api.with_source(place), "an outsider's").await.status, 201);
    }
    let entered = login(&owner, EMAIL, "the owner's own").await;
    assert_eq!((entered.status, entered.code()), (401, "email_not_verified"), "{entered:?}");
    assert_eq!(entered.json["details"]["userId"], registered.json["userId"]);
    let proven = post(&owner, "verify-otp", json!({ "userId": registered.json["userId"], "otp": otp })).await;
    assert_eq!(proven.status, 200, "{proven:?}");
    assert_eq!(login(&server.api.with_source(4), EMAIL, "the owner's own").await.status, 200);
}

#[tokio::test]
async fn registrations_from_elsewhere_do_not_lock_the_owner_out() {
    let (server, clock) = server_with_clock().await;
    let owner = server.api.with_source(3);
    let mut outsiders = Vec::new();
    for place in 10..30 {
        let registered = register(&server.api.with_source(place), "an outsider's").await;
        assert_eq!(registered.status, 201, "{registered:?}");
        outsiders.push((place, registered.json["userId"].clone()));
    }
    let refused = register(&owner, "the owner's own").await;
    assert_eq!((refused.status, refused.code()), (429, "too_many_mails"), "{refused:?}");
    assert!(!refused.header("retry-after").is_empty());
    clock.advance(61);
    let again = post(&server.api.with_source(10), "resend-otp", json!({ "userId": outsiders[0].1 })).await;
    assert_eq!((again.status, again.code()), (429, "too_many_mails"), "{again:?}");
    // The link of any of the mails gives the holder of the mailbox an account with a password of their own.
    server.mail_to(EMAIL, 19).await;
    let mails = server.mails_to(EMAIL);
    let reset = async |mail: usize, password: &str| {
        post(&owner, "reset-password", json!({ "token": token_of(&mails[mail]), "newPassword": password })).await
    };
    let own = reset(7, "the owner's own").await;
    assert_eq!(own.status, 200, "{own:?}");
    let entered = login(&owner, EMAIL, "the owner's own").await;
    assert_eq!(entered.status, 200, "{entered:?}");
    assert_eq!(entered.json["user"]["email"], EMAIL);
    // No outsider gets in, and no other link takes the address.
    for (place, user_id) in &outsiders {
        let outsider = server.api.with_source(*place);
        assert_ne!(login(&outsider, EMAIL, "an outsider's").await.status, 200);
        let guess = post(&outsider, "verify-otp", json!({ "userId": user_id, "otp": "000000" })).await;
        assert_ne!(guess.status, 200);
    }
    for mail in [7, 0, 19] {
        assert_eq!(reset(mail, "another password").await.code(), "invalid_reset_link");
    }
    assert_eq!(login(&owner, EMAIL, "the owner's own").await.status, 200);
    // A user who forgot that they never verified the address gets such a link as well.
    let email = "late@example.org";
    let body = json!({ "userName": "A", "email": email, "password": "an outsider's" });
    assert_eq!(post(&server.api.with_source(40), "register", body).await.status, 201);
    assert_eq!(post(&owner, "forgot-password", json!({ "email": email })).await.status, 200);
    let link = token_of(&server.mail_of("reset-password", email, 0).await);
    let own = post(&owner, "reset-password", json!({ "token": link, "newPassword": "the owner's own" })).await;
    assert_eq!(own.status, 200, "{own:?}");
    assert_eq!(login(&owner, email, "the owner's own").await.status, 200);
    assert_eq!(login(&owner, email, "an outsider's").await.code(), "invalid_credentials");
}

#[tokio::test]
async fn mail_limits_block_no_user_and_protect_mailboxes() {
    let (server, clock) = server_with_clock().await;
    server.user(EMAIL).await;
    let forgot =
        async |place: u8| post(&server.api.with_source(place), "forgot-password", json!({ "email": EMAIL })).await;
    let mut sent = 0;
    for _ in 0..8 {
        sent += usize::from(forgot(2).await.status == 200);
        clock.advance(61);
    }
    assert!((5..=8).contains(&sent), "five, or more where the hour ends in the middle: {sent}");
    let asked = forgot(3).await;
    assert_eq!(asked.status, 200, "{asked:?}");
    sent += 1;
    // From many sources together, an address gets at most twenty mails an hour.
    clock.advance(3_600 - clock_seconds(&server) % 3_600);
    let mut all = 0;
    for place in 10..18 {
        for _ in 0..5 {
            all += usize::from(forgot(place).await.status == 200);
            clock.advance(61);
        }
        if clock_seconds(&server) % 3_600 > 3_000 {
            break;
        }
    }
    assert_eq!(all, 20);
    // A user with a valid link is not blocked by wrong tokens, even if these come from the same source.
    for _ in 0..110 {
        let wrong = json!({ "token": "AAAAAAAAAAAAAAAAAAAAAA", "newPassword": "a new password" });
        post(&server.api.with_source(3), "reset-password", wrong).await;
    }
    let again = forgot(4).await;
    assert_eq!(again.code(), "too_many_mails");
    let link = token_of(&server.mail_to(EMAIL, sent + all - 1).await);
    let reset = json!({ "token": link, "newPassword": "a new password" });
    let reset = post(&server.api.with_source(3), "reset-password", reset).await;
    assert_eq!(reset.status, 200, "{reset:?}");
}

fn clock_seconds(server: &TestServer) -> u64 {
    server.local.cloud.clock().now().seconds()
}

#[tokio::test]
async fn a_session_is_not_blocked_by_other_callers() {
    let (server, clock) = server_with_clock().await;
    let (_, token) = server.user(EMAIL).await;
    let (thief, owner) = (server.api.with_source(2), server.api.with_source(3));
    // A thief of the token guesses the password.
    let passwords = |old: &str| json!({ "oldPassword": old, "newPassword": "another password" });
    let mut tried = 0;
    for _ in 0..14 {
        let answer = post_as(&thief, &token, "change-password", passwords("a guess")).await;
        tried += usize::from(answer.code() == "wrong_password");
    }
    assert_eq!(tried, 10);
    // Other users request the same new address, and try codes and links from the owner's source.
    let new = "new@example.org";
    for (known, name) in ["b", "c", "d"].into_iter().enumerate() {
        let (_, other) = server.account(&format!("{name}@example.org")).await;
        let asked = post_as(&owner, &other, "change-email", json!({ "newEmail": new })).await;
        assert_eq!(asked.status, 200, "{asked:?}");
        server.mail_to(new, known).await;
        // A later time keeps the mails in order.
        clock.advance(1);
        for _ in 0..8 {
            let guess = json!({ "newEmail": new, "otp": "000000" });
            assert_eq!(post_as(&owner, &other, "verify-change-email-otp", guess).await.code(), "invalid_otp");
        }
    }
    for _ in 0..110 {
        post(&owner, "verify-otp", json!({ "userId": "nobody", "otp": "000000" })).await;
    }
    assert_eq!(post_as(&owner, &token, "change-email", json!({ "newEmail": new })).await.status, 200);
    let otp = server.code_to(new, 3).await;
    let proven = post_as(&owner, &token, "verify-change-email-otp", json!({ "newEmail": new, "otp": otp })).await;
    assert_eq!(proven.status, 200, "{proven:?}");
    let token = proven.json["token"].as_str().unwrap();
    let changed = post_as(&owner, token, "change-password", passwords("a password")).await;
    assert_eq!(changed.status, 200, "{changed:?}");
}
