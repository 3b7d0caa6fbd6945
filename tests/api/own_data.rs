//! Tests of a user's own data: the export as a single zip, and the deletion with the account. An interrupted deletion
//! is continued until all data is deleted.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use futures_util::future::join_all;
use serde_json::{Value, json};
use waraq_aws::Cloud;
use waraq_core::accounts::{
    Account, AccountCleanup, AccountWrite, Address, DeletionMarker, Google, GoogleUser, PasswordStore, Role,
    SETTLE_SECONDS,
};
use waraq_core::files::{Files, Upload, saved_prefix};
use waraq_core::personal_records::PersonalRecords;
use waraq_core::{Error, Result, Timestamp};

use crate::crash::{Process, sign_in};
use crate::test_server::{ApiResponse, Form, ManualClock, TestServer, bearer, letter_values};

const EMAIL: &str = "amina@example.org";

async fn delete(server: &TestServer, token: &str, body: &Value) -> ApiResponse {
    if let Some(password) = body["password"].as_str() {
        crate::logs::register_secret(password);
    }
    let authorization = bearer(token);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    server.api.send("DELETE", "/api/v1/users/me", &headers, body.to_string()).await
}

async fn ask_for_code(server: &TestServer, token: &str) -> ApiResponse {
    server.api.send("POST", "/api/v1/users/me/deletion-code", &[("authorization", &bearer(token))], "").await
}

/// Builds a form with a profile photo of one colour.
pub fn photo_form(colour: u8) -> Vec<u8> {
    let mut photo = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(16, 16, image::Rgb([colour; 3])).write_to(&mut photo, image::ImageFormat::Png).unwrap();
    let mut form = b"--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n".to_vec();
    form.extend_from_slice(photo.get_ref());
    form.extend_from_slice(b"\r\n--edge--\r\n");
    form
}

async fn change_photo(server: &TestServer, token: &str, colour: u8) -> String {
    let authorization = bearer(token);
    let headers = [("content-type", "multipart/form-data; boundary=edge"), ("authorization", authorization.as_str())];
    let changed = server.api.send("PATCH", "/api/v1/users/me", &headers, photo_form(colour)).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    changed.json["user"]["photo"].as_str().unwrap().to_owned()
}

/// Stores data of every kind for an account. Returns the paths of its photos.
async fn store_data_of_every_kind(server: &TestServer, account: &Account, token: &str) -> [String; 2] {
    let cloud = &server.local.cloud;
    let letter = server.api.publish_letter(&server.admin().await, "A letter").await;
    let authorization = bearer(token);
    let headers = [("authorization", authorization.as_str()), ("idempotency-key", "his")];
    assert_eq!(server.api.fill(&letter, &headers, &letter_values("Amina")).await.status, 200);
    let saved = json!({ "fieldsAndValues": letter_values("Amina")["fieldsAndValues"] });
    let saved = server.api.post(&format!("/api/v1/documents/{letter}/save"), &headers[..1], &saved).await;
    assert_eq!(saved.status, 201, "{saved:?}");
    let form = [("authorization", authorization.as_str()), ("content-type", "multipart/form-data; boundary=edge")];
    let private = Form::letter("A private letter").body();
    assert_eq!(server.api.send("POST", "/api/v1/my-templates", &form, private).await.status, 201);
    let message = json!({ "message": "A private matter" });
    assert_eq!(server.api.post("/api/v1/support-messages", &headers[..1], &message).await.status, 201);
    let answers = [("PUT", r#"{"on":true}"#), ("POST", r#"{"answers":[{"meaning":"name","value":"Amina"}]}"#)];
    for (method, body) in answers {
        let headers = [headers[0], ("content-type", "application/json")];
        assert_eq!(server.api.send(method, "/api/v1/users/me/answers", &headers, body).await.status, 200);
    }
    let photos = [change_photo(server, token, 1).await, change_photo(server, token, 2).await];
    for name in ["one.pdf", "one.docx", "deep/er.webp"] {
        let key = format!("{}{name}", saved_prefix(&account.id));
        cloud.files().put(&key, "application/pdf", b"saved".to_vec()).await.unwrap();
    }
    let sent = format!("{}{}/one.docx", waraq_core::files::UPLOADS_PREFIX, account.id);
    cloud.files().put(&sent, "application/pdf", b"on its way".to_vec()).await.unwrap();
    for (pk, sk) in [
        (format!("USER#{}", account.id), "ANY#1"),
        (format!("USER#{}", account.id), "ANY#2"),
        (format!("FILES#{}", account.id), "1/2"),
    ] {
        let put = cloud.dynamodb().put_item().table_name(cloud.table_name());
        let text = |text: &str| aws_sdk_dynamodb::types::AttributeValue::S(text.to_owned());
        put.item("pk", text(&pk)).item("sk", text(sk)).item("data", text("{}")).send().await.unwrap();
    }
    photos
}

/// Returns the data of an account that still exists in the table, the bucket and the store of passwords. Items that
/// expire within a day and log entries that only contain its id are left out.
async fn remaining_data(server: &TestServer, account: &Account) -> BTreeSet<String> {
    let cloud = &server.local.cloud;
    let address = Address::parse(&account.email).unwrap();
    let mut left = BTreeSet::new();
    for item in server.items("").await {
        let text = format!("{item:?}");
        let key = format!("{} {}", item["pk"].as_s().unwrap(), item["sk"].as_s().unwrap());
        let his = [&account.id, &account.email, &address.hash()].into_iter().any(|his| text.contains(his));
        let passing = item.contains_key("expires_at")
            && ["RATE#", "IDEM#", "OTP#", "OUTBOX#"].iter().any(|kind| key.starts_with(kind));
        // The change log names rows by their ids, and must have no gaps.
        let logged = key.starts_with("LOG#account#") && !text.contains(&account.email);
        if his && !passing && !logged {
            left.insert(key);
        }
    }
    let mut pages = cloud.s3().list_objects_v2().bucket(cloud.bucket_name()).into_paginator().send();
    while let Some(page) = pages.next().await {
        let keys = page.unwrap().contents.unwrap_or_default().into_iter().filter_map(|object| object.key);
        let photos = waraq_core::files::photo_prefix(&account.id);
        left.extend(keys.filter(|key| key.contains(&account.id) || key.starts_with(&photos)));
    }
    if cloud.password_store().verify(Some(&account.id), "a password").await.unwrap() {
        left.insert("his password".to_owned());
    }
    left
}

fn deletion_marker_only(account: &Account) -> BTreeSet<String> {
    BTreeSet::from([format!("GOING {}", account.id)])
}

/// Waits until exactly `wanted` is left of an account.
async fn wait_until_remaining(server: &TestServer, account: &Account, wanted: &BTreeSet<String>) {
    for _ in 0..3_000 {
        if remaining_data(server, account).await == *wanted {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("{:?} is left", remaining_data(server, account).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn deletion_by_password_removes_exactly_the_account() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let (account, token) = server.user(EMAIL).await;
    let (other, others_token) = server.user("other@example.org").await;
    let photos = store_data_of_every_kind(&server, &account, &token).await;
    let others_photo = change_photo(&server, &others_token, 2).await;
    assert_ne!(others_photo, photos[1], "equal photos of two accounts are separate files");
    let before = remaining_data(&server, &other).await;
    let gone = delete(&server, &token, &json!({ "password": "a password" })).await;
    assert_eq!((gone.status, gone.bytes.len()), (204, 0), "{gone:?}");
    // The response ends all sessions and logins, and no later response reveals that the account existed.
    let me = server.api.get_as(&token, "/api/v1/users/me").await;
    assert_eq!((me.status, me.code()), (401, "session_ended"));
    let login = server.api.post("/api/v1/auth/login", &[], &json!({ "email": EMAIL, "password": "a password" })).await;
    assert_eq!((login.status, login.code()), (401, "invalid_credentials"));
    wait_until_remaining(&server, &account, &deletion_marker_only(&account)).await;
    for photo in &photos {
        assert_eq!(server.api.get(photo).await.status, 404);
    }
    assert_eq!(server.api.get(&others_photo).await.status, 200);
    assert_eq!(remaining_data(&server, &other).await, before);
    let mail = server.mail_to(EMAIL, 0).await;
    assert_eq!(mail.kind, "account-deleted");
    // A call that was running stores data after the sweep. The last sweep runs when no such call can run any longer,
    // and deletes it.
    let late = format!("{}late.pdf", saved_prefix(&account.id));
    server.local.cloud.files().put(&late, "application/pdf", b"late".to_vec()).await.unwrap();
    server.local.cloud.password_store().set_password(&account.id, "a password").await.unwrap();
    clock.advance(SETTLE_SECONDS);
    assert_eq!(server.local.cloud.account_cleanup().clean_up_all().await.unwrap(), 0);
    assert_eq!(remaining_data(&server, &account).await, BTreeSet::new());
    // The address is free again, for another account.
    let again = server.registered(EMAIL, "another password").await;
    assert_ne!(again["user"]["_id"], json!(account.id));
}

#[tokio::test]
async fn deletion_code_works_once_and_only_for_deletion() {
    let server = TestServer::new().await;
    let (account, token) = server.account(EMAIL).await;
    let (_, others_token) = server.account("other@example.org").await;
    assert_eq!(ask_for_code(&server, &token).await.status, 200);
    let code = server.code_to(EMAIL, 0).await;
    assert_eq!(server.mail_to(EMAIL, 0).await.kind, "deletion-code");
    let soon = ask_for_code(&server, &token).await;
    assert_eq!((soon.status, soon.code()), (429, "mail_wait"));
    // The code is refused for another account and for another purpose.
    let others = delete(&server, &others_token, &json!({ "code": code })).await;
    assert_eq!(
        (others.status, others.code(), &others.json["details"]["fields"]),
        (400, "invalid_otp", &json!(["code"]))
    );
    let body = json!({ "newEmail": EMAIL, "otp": code });
    let changed =
        server.api.post("/api/v1/auth/verify-change-email-otp", &[("authorization", &bearer(&token))], &body).await;
    assert_eq!(changed.code(), "invalid_otp");
    let arabic: String = code.chars().map(|digit| char::from_u32(u32::from(digit) - 0x30 + 0x660).unwrap()).collect();
    let body = json!({ "code": arabic });
    let answers = join_all((0..6).map(|_| delete(&server, &token, &body))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 204).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|answer| [204, 400, 401].contains(&answer.status)), "{answers:?}");
    wait_until_remaining(&server, &account, &deletion_marker_only(&account)).await;
}

#[tokio::test]
async fn an_invalid_proof_deletes_nothing() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let (account, token) = server.user(EMAIL).await;
    for body in [
        json!({}),
        json!({ "password": "" }),
        json!({ "code": "" }),
        json!({ "password": "a password", "code": "012345" }),
    ] {
        let answer = delete(&server, &token, &body).await;
        assert_eq!((answer.status, answer.code()), (400, "password_or_code_required"), "{body}");
    }
    for body in [json!({ "password": 1 }), json!({ "userId": account.id }), json!([])] {
        assert_eq!(delete(&server, &token, &body).await.code(), "invalid_body", "{body}");
    }
    for password in ["A password", " a password", &"x".repeat(10_000)] {
        let answer = delete(&server, &token, &json!({ "password": password })).await;
        assert_eq!(
            (answer.status, answer.code(), &answer.json["details"]["fields"]),
            (400, "wrong_password", &json!(["password"]))
        );
    }
    // Every code is wrong until one has been requested.
    for code in ["000000", "12345", "abcdef"] {
        assert_eq!(delete(&server, &token, &json!({ "code": code })).await.code(), "invalid_otp");
    }
    assert_eq!(ask_for_code(&server, &token).await.status, 200);
    let code = server.code_to(EMAIL, 0).await;
    // The first code has expired, and the second belongs to a session that has ended.
    clock.advance(601);
    assert_eq!(delete(&server, &token, &json!({ "code": code })).await.code(), "invalid_otp");
    assert_eq!(ask_for_code(&server, &token).await.status, 200);
    let code = server.code_to(EMAIL, 1).await;
    let passwords = json!({ "oldPassword": "a password", "newPassword": "another password" });
    let changed =
        server.api.post("/api/v1/auth/change-password", &[("authorization", &bearer(&token))], &passwords).await;
    assert_eq!(delete(&server, &token, &json!({ "code": code })).await.code(), "session_ended");
    let token = changed.json["token"].as_str().unwrap();
    assert_eq!(delete(&server, token, &json!({ "code": code })).await.code(), "invalid_otp");
    // The number of password guesses is limited as it is when a password is changed.
    let mut tried = 0;
    for _ in 0..12 {
        let answer = delete(&server, token, &json!({ "password": "a guess" })).await;
        tried += usize::from(answer.code() == "wrong_password");
        assert!(answer.code() == "wrong_password" || answer.status == 429, "{answer:?}");
    }
    assert!(tried <= 10, "{tried}");
    let nobody = server.api.send("DELETE", "/api/v1/users/me", &[("content-type", "application/json")], "{}").await;
    assert_eq!((nobody.status, nobody.code()), (401, "login_required"));
    assert_eq!(server.api.get_as(token, "/api/v1/users/me").await.status, 200);
}

/// Gives an account the admin role directly in the store.
async fn promote(server: &TestServer, account: &Account) {
    let accounts = server.local.cloud.accounts();
    let now = accounts.account(&account.id).await.unwrap().unwrap();
    let after = Account { role: Role::Admin, revision: now.revision + 1, ..now.clone() };
    let writes = vec![
        AccountWrite::ReplaceAccount { before: now.revision, after: Box::new(after), event: None },
        AccountWrite::AddAdmin { account_id: account.id.clone() },
    ];
    assert_eq!(accounts.commit(writes).await.unwrap(), waraq_core::accounts::CommitOutcome::Done);
}

#[tokio::test]
async fn two_concurrent_deletions_leave_one_admin() {
    let server = TestServer::new().await;
    let (first, first_password) = (server.admin().await, server.local.admin.password.clone());
    let refused = delete(&server, &first, &json!({ "password": first_password })).await;
    assert_eq!((refused.status, refused.code()), (409, "last_admin"), "{refused:?}");
    assert_eq!(server.api.get_as(&first, "/api/v1/users/me").await.status, 200);
    let (second, second_token) = server.user(EMAIL).await;
    promote(&server, &second).await;
    let (one, other) = (json!({ "password": first_password }), json!({ "password": "a password" }));
    let both = futures_util::future::join(delete(&server, &first, &one), delete(&server, &second_token, &other)).await;
    let mut told = [(both.0.status, both.0.code().to_owned()), (both.1.status, both.1.code().to_owned())];
    told.sort();
    assert_eq!(told, [(204, String::new()), (409, "last_admin".to_owned())]);
    let admins = server.items("ADMINS").await;
    assert_eq!(admins[0]["ids"].as_ss().unwrap().len(), 1, "{admins:?}");
}

/// A start of the server continues a deletion that a crash has interrupted.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_continues_an_interrupted_deletion() {
    let server = TestServer::new().await;
    let (account, token) = server.user(EMAIL).await;
    store_data_of_every_kind(&server, &account, &token).await;
    // The state after a kill that followed the first transaction.
    let cloud = Arc::clone(&server.local.cloud);
    let now = cloud.accounts().account(&account.id).await.unwrap().unwrap();
    cloud.account_service().unwrap().begin_deletion(&now, &[]).await.unwrap();
    assert!(remaining_data(&server, &account).await.len() > 8, "{:?}", remaining_data(&server, &account).await);
    drop(cloud);
    let server = server.restart().await;
    wait_until_remaining(&server, &account, &deletion_marker_only(&account)).await;
}

/// The stores with a counter of their calls. Calls from number `last` on fail.
struct FailingStores<'a> {
    cloud: &'a Cloud,
    calls: AtomicUsize,
    last: usize,
    /// True if call number `last` is carried out but its response is lost.
    carried_out: bool,
}

impl FailingStores<'_> {
    /// Makes a call of a store, or fails if the process would have died before it.
    async fn step<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if number < self.last {
            return work.await;
        }
        if number == self.last && self.carried_out {
            work.await?;
        }
        Err(Error::unavailable("killed"))
    }
}

#[async_trait]
impl PersonalRecords for FailingStores<'_> {
    async fn change_times(&self, user_id: &str) -> Result<Vec<Timestamp>> {
        self.cloud.personal_records().change_times(user_id).await
    }
    async fn delete_all(&self, user_id: &str) -> Result<()> {
        self.step(self.cloud.personal_records().delete_all(user_id)).await
    }
    async fn deletion_marker(&self, user_id: &str) -> Result<Option<DeletionMarker>> {
        self.cloud.personal_records().deletion_marker(user_id).await
    }
    async fn deletion_marker_ids(&self) -> Result<Vec<String>> {
        self.cloud.personal_records().deletion_marker_ids().await
    }
    async fn remove_deletion_marker(&self, user_id: &str) -> Result<()> {
        self.step(self.cloud.personal_records().remove_deletion_marker(user_id)).await
    }
}

#[async_trait]
impl Files for FailingStores<'_> {
    async fn put(&self, _: &str, _: &'static str, _: Vec<u8>) -> Result<()> {
        unreachable!()
    }
    async fn get(&self, _: &str) -> Result<Option<Vec<u8>>> {
        unreachable!()
    }
    async fn upload(&self, _: &str, _: &'static str) -> Result<Box<dyn Upload + '_>> {
        unreachable!()
    }
    async fn remove(&self, _: &str) -> Result<()> {
        unreachable!()
    }
    async fn remove_all(&self, prefix: &str) -> Result<()> {
        self.step(self.cloud.files().remove_all(prefix)).await
    }
    async fn link(&self, _: &str, _: &str) -> Result<String> {
        unreachable!()
    }
}

#[async_trait]
impl PasswordStore for FailingStores<'_> {
    async fn verify(&self, user_id: Option<&str>, password: &str) -> Result<bool> {
        self.cloud.password_store().verify(user_id, password).await
    }
    async fn set_password(&self, user_id: &str, password: &str) -> Result<()> {
        self.cloud.password_store().set_password(user_id, password).await
    }
    async fn remove(&self, user_id: &str) -> Result<()> {
        self.step(self.cloud.password_store().remove(user_id)).await
    }
}

#[async_trait]
impl Google for FailingStores<'_> {
    async fn user(&self, _: &str) -> Result<GoogleUser> {
        unreachable!()
    }
    async fn delete_user(&self, _: &str) -> Result<()> {
        self.step(async { Ok(()) }).await
    }
}

/// A deletion is interrupted before or after each of its steps and started again: no data is left, and the deletion marker
/// is removed last.
#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_interrupted_at_any_step_can_be_repeated() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| {
        options.options.clock = clock.clone();
        // Only the test continues the deletion.
        options.sweep = std::time::Duration::from_secs(86_400);
    })
    .await;
    let cloud = &server.local.cloud;
    let mut steps = 0;
    for last in 1.. {
        let mut done = false;
        for carried_out in [false, true] {
            let email = format!("amina{last}{carried_out}@example.org");
            let (account, token) = server.user(&email).await;
            let link =
                waraq_core::accounts::GoogleLink { subject: format!("subject-{email}"), linked_at: clock_now(cloud) };
            link_google(cloud, &account, link).await;
            store_data_of_every_kind(&server, &account, &token).await;
            let now = cloud.accounts().account(&account.id).await.unwrap().unwrap();
            cloud.account_service().unwrap().begin_deletion(&now, &[]).await.unwrap();
            clock.advance(SETTLE_SECONDS);
            let dying = FailingStores { cloud, calls: AtomicUsize::new(0), last, carried_out };
            let removal = AccountCleanup {
                personal_records: &dying,
                files: &dying,
                password_store: &dying,
                cache: None,
                google: Some(&dying),
                clock: cloud.clock(),
            };
            let ended = removal.clean_up(&account.id).await;
            done = ended.is_ok();
            steps = steps.max(dying.calls.load(Ordering::SeqCst));
            if !(done || carried_out && last == 9) {
                assert!(
                    remaining_data(&server, &account).await.contains(deletion_marker_only(&account).first().unwrap()),
                    "step {last}: the mark goes last"
                );
            }
            assert_eq!(cloud.account_cleanup().clean_up_all().await.unwrap(), 0);
            assert_eq!(remaining_data(&server, &account).await, BTreeSet::new(), "ended at step {last}");
        }
        if done {
            break;
        }
    }
    assert_eq!(steps, 9, "five kinds of files, records, password, Google, deletion marker");
}

fn clock_now(cloud: &Cloud) -> Timestamp {
    cloud.clock().now()
}

async fn link_google(cloud: &Cloud, account: &Account, link: waraq_core::accounts::GoogleLink) {
    let now = cloud.accounts().account(&account.id).await.unwrap().unwrap();
    let mut after = Account { revision: now.revision + 1, ..now.clone() };
    after.google.push(link.clone());
    let writes = vec![
        AccountWrite::ReplaceAccount { before: now.revision, after: Box::new(after), event: None },
        AccountWrite::LinkGoogle { subject: link.subject, account_id: account.id.clone(), instead_of: None },
    ];
    assert_eq!(cloud.accounts().commit(writes).await.unwrap(), waraq_core::accounts::CommitOutcome::Done);
}

/// Kills the real process (SIGKILL) before and after a write of a deletion, and starts it again. `cargo xtask drill
/// deletion` does this at every write; the test command at some of them.
#[tokio::test(flavor = "multi_thread")]
async fn deletion_continues_after_a_kill_at_any_write() {
    let all = std::env::var_os("WARAQ_DELETION").is_some();
    let kills: Vec<(u32, &str)> = if all {
        (1..=24).flat_map(|write| [(write, "--kill-before-write"), (write, "--kill-after-write")]).collect()
    } else {
        vec![
            (1, "--kill-before-write"),
            (1, "--kill-after-write"),
            (4, "--kill-after-write"),
            (8, "--kill-before-write"),
        ]
    };
    let server = TestServer::new().await;
    let mut people = Vec::new();
    for number in 0..kills.len() {
        let (account, token) = server.user(&format!("amina{number}@example.org")).await;
        store_data_of_every_kind(&server, &account, &token).await;
        people.push((account, token));
    }
    let data = server.stop().await;
    let mut killed = 0;
    for ((account, token), (write, option)) in people.iter().zip(&kills) {
        let mut process = Process::start_with(data.path(), &[option, &write.to_string()]);
        let (admin, _) = sign_in(&process.api, data.path()).await;
        let authorization = bearer(&admin);
        let headers = [("authorization", authorization.as_str())];
        // The process may die before it has responded.
        let path = format!("/api/v1/users/{}", account.id);
        let deleted = process.api.try_send("DELETE", &path, &headers, "").await;
        assert!(deleted.as_ref().is_ok_and(|answer| answer.status == 204) || deleted.is_err(), "{deleted:?}");
        if !process.wait_for_exit().await {
            // The deletion has fewer writes than this number.
            process.kill();
            assert!(all && *write > 8, "not killed at write {write}");
            continue;
        }
        killed += 1;
        let process = Process::start(data.path());
        // A deletion that was committed is continued; otherwise it is requested again.
        let me = process.api.get_as(token, "/api/v1/users/me").await;
        assert_eq!(me.status == 200, (*write, *option) == (1, "--kill-before-write"), "{option} {write}: {me:?}");
        if me.status == 200 {
            let (admin, _) = sign_in(&process.api, data.path()).await;
            let again = process.api.send("DELETE", &path, &[("authorization", &bearer(&admin))], "").await;
            assert_eq!(again.status, 204, "{again:?}");
        }
        process.kill();
    }
    let clock = ManualClock::new();
    clock.advance(SETTLE_SECONDS);
    let server = TestServer::reopen(data, |options| options.options.clock = clock.clone()).await;
    assert_eq!(server.local.cloud.account_cleanup().clean_up_all().await.unwrap(), 0);
    for (account, _) in &people {
        assert_eq!(remaining_data(&server, account).await, BTreeSet::new());
    }
    println!("killed {killed} times: nothing of {} people is left", people.len());
}

/// A call that runs while the account is deleted is either carried out before or refused: no data comes back.
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_calls_restore_no_deleted_data() {
    let server = TestServer::new().await;
    let letter = server.api.publish_letter(&server.admin().await, "A letter").await;
    for round in 0..6 {
        let (account, token) = server.user(&format!("amina{round}@example.org")).await;
        let authorization = bearer(&token);
        let headers = [("authorization", authorization.as_str())];
        let names = (0..4).map(|number| {
            let body = json!({ "userName": format!("Amina {number}") }).to_string();
            let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
            let api = server.api.clone();
            async move { api.send("PATCH", "/api/v1/users/me", &headers, body).await.status }
        });
        let values = letter_values("Amina");
        let fills = (0..4).map(|_| async { server.api.fill(&letter, &headers, &values).await.status });
        let message = json!({ "message": "Hello" });
        let messages =
            (0..4).map(|_| async { server.api.post("/api/v1/support-messages", &headers, &message).await.status });
        let password = json!({ "password": "a password" });
        let (gone, names, fills, messages) =
            tokio::join!(delete(&server, &token, &password), join_all(names), join_all(fills), join_all(messages));
        assert_eq!(gone.status, 204, "{gone:?}");
        for status in names.into_iter().chain(fills).chain(messages) {
            assert!([200, 201, 401, 409].contains(&status), "{status}");
        }
        wait_until_remaining(&server, &account, &deletion_marker_only(&account)).await;
    }
}

pub fn unzipped(answer: &ApiResponse) -> Vec<(String, Vec<u8>)> {
    assert_eq!(answer.status, 200, "{answer:?}");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(answer.file("file"))).unwrap();
    let files = (0..archive.len()).map(|place| {
        let mut file = archive.by_index(place).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (file.name().unwrap().into_owned(), bytes)
    });
    files.collect()
}

#[tokio::test]
async fn export_contains_all_own_data_and_none_of_others() {
    let server = TestServer::new().await;
    let (account, token) = server.user(EMAIL).await;
    let (other, others_token) = server.user("other@example.org").await;
    store_data_of_every_kind(&server, &account, &token).await;
    let message = json!({ "message": "Not his" });
    server.api.post("/api/v1/support-messages", &[("authorization", &bearer(&others_token))], &message).await;
    // The message was sent without a login, so it does not count as this user's.
    server.api.post("/api/v1/support-messages", &[], &json!({ "email": EMAIL, "message": "A guest's" })).await;
    let answer = server.api.get_as(&token, "/api/v1/users/me/export").await;
    let name = answer.json["fileName"].as_str().unwrap();
    assert!(name.starts_with("waraq-2") && name.ends_with(".zip"), "{name}");
    let files = unzipped(&answer);
    let json = |wanted: &str| -> Value {
        let file = files.iter().find(|(name, _)| name == wanted).unwrap_or_else(|| panic!("no {wanted}"));
        serde_json::from_slice(&file.1).unwrap()
    };
    let kept = json("account.json");
    assert_eq!((&kept["_id"], &kept["email"], &kept["downloads"]), (&json!(account.id), &json!(EMAIL), &json!(1)));
    let messages = json("support-messages.json");
    let texts: Vec<&Value> =
        messages["supportMessages"].as_array().unwrap().iter().map(|message| &message["message"]).collect();
    assert_eq!(texts, ["A private matter"]);
    let answers = json("known-answers.json");
    assert_eq!(answers, json!({ "knownAnswers": [{ "meaning": "name", "value": "Amina" }] }));
    // The creation and two photos.
    assert_eq!(json("changes.json")["changedAt"].as_array().unwrap().len(), 3);
    let photo = &files.iter().find(|(name, _)| name == "photo.jpg").expect("a photo").1;
    assert_eq!(photo[..2], [0xff, 0xd8]);
    for (name, bytes) in &files {
        let text = String::from_utf8_lossy(bytes);
        for secret in ["tokenVersion", "token_version", "argon2", &other.id, "Not his", "A guest's"] {
            assert!(!text.contains(secret), "{name} tells {secret}");
        }
    }
    let nobody = server.api.get("/api/v1/users/me/export").await;
    assert_eq!((nobody.status, nobody.code()), (401, "login_required"));
}

#[tokio::test]
async fn exports_are_rate_limited() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    clock.advance(3_600 - server.local.cloud.clock().now().seconds() % 3_600);
    let (_, token) = server.account(EMAIL).await;
    for _ in 0..5 {
        assert_eq!(server.api.get_as(&token, "/api/v1/users/me/export").await.status, 200);
    }
    let refused = server.api.get_as(&token, "/api/v1/users/me/export").await;
    assert_eq!((refused.status, refused.code(), refused.header("retry-after")), (429, "too_many_attempts", "3600"));
}

/// An export that is too large for a response is stored as a file, and the response has a link. The file is written in
/// parts, to bound the memory.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_export_is_a_link() {
    let server = TestServer::new().await;
    let (account, token) = server.user(EMAIL).await;
    let cloud = &server.local.cloud;
    // Noise cannot be compressed. This photo is larger than any that a user can upload.
    let mut noise = vec![0u8; 9_500_000];
    cloud.random_source().fill_bytes(&mut noise);
    let name = waraq_core::files::photo_name(&account.id, &noise);
    cloud.files().put(&waraq_core::files::media_key(&name), "image/jpeg", noise.clone()).await.unwrap();
    let now = cloud.accounts().account(&account.id).await.unwrap().unwrap();
    let after = Account { photo: Some(name), revision: now.revision + 1, ..now.clone() };
    cloud
        .accounts()
        .commit(vec![AccountWrite::ReplaceAccount { before: now.revision, after: Box::new(after), event: None }])
        .await
        .unwrap();
    let answer = server.api.get_as(&token, "/api/v1/users/me/export").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.json["file"].is_null());
    let fetched = server.api.get(answer.json["fileUrl"].as_str().unwrap()).await;
    assert_eq!(fetched.status, 200);
    assert!(fetched.header("content-disposition").contains(answer.json["fileName"].as_str().unwrap()));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(fetched.bytes.to_vec())).unwrap();
    let mut photo = Vec::new();
    archive.by_name("photo.jpg").unwrap().read_to_end(&mut photo).unwrap();
    assert!(photo == noise);
    assert_eq!(delete(&server, &token, &json!({ "password": "a password" })).await.status, 204);
    cloud.account_cleanup().clean_up_all().await.unwrap();
    let deleted = server.api.get(answer.json["fileUrl"].as_str().unwrap()).await;
    assert_eq!(deleted.status, 404, "the export is deleted with the account");
}

#[tokio::test]
async fn export_contains_saved_documents_unchanged() {
    let server = TestServer::new().await;
    let (_, token) = server.account(EMAIL).await;
    let letter = server.api.publish_letter(&server.admin().await, "A / letter").await;
    let authorization = bearer(&token);
    let headers = [("authorization", authorization.as_str())];
    let save = async |name: &str| {
        let values = json!({ "fieldsAndValues": [{ "Name": name }, { "Date": "1 March" }] });
        let saved = server.api.post(&format!("/api/v1/documents/{letter}/save"), &headers, &values).await;
        assert_eq!(saved.status, 201, "{saved:?}");
        saved.json["savedDocument"]["_id"].as_str().unwrap().to_owned()
    };
    let (kept, deleted) = (save("Amina").await, save("Brahim").await);
    let gone = server.api.send("DELETE", &format!("/api/v1/documents/saved/{deleted}"), &headers, "").await;
    assert_eq!(gone.status, 204, "{gone:?}");
    let files = unzipped(&server.api.get_as(&token, "/api/v1/users/me/export").await);
    let file = |wanted: &str| &files.iter().find(|(name, _)| name == wanted).unwrap_or_else(|| panic!("no {wanted}")).1;
    let list: Value = serde_json::from_slice(file("saved-documents.json")).unwrap();
    let [one, other] = list["savedDocuments"].as_array().unwrap().as_slice() else { panic!("{list}") };
    assert_eq!((&one["_id"], &other["_id"]), (&json!(kept), &json!(deleted)));
    assert_eq!(one["fieldsAndValues"], json!([{ "Name": "Amina" }, { "Date": "1 March" }]));
    assert!(
        one["deletedAt"].is_null() && other["deletedAt"].is_string(),
        "documents that can be undeleted are included: {list}"
    );
    assert_eq!(one["files"]["pdf"], "documents/0001 A - letter.pdf");
    for document in [one, other] {
        assert!(file(document["files"]["pdf"].as_str().unwrap()).starts_with(b"%PDF-"));
        assert!(file(document["files"]["docx"].as_str().unwrap()).starts_with(b"PK"));
    }
}
