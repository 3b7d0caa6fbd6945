//! Checks that an outsider cannot learn whether an address has an account. The responses to a registration and any two
//! further calls are the same for both kinds of address, and so is the amount of work.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::{Value, json};
use waraq_core::accounts::{
    Account, AccountService, AccountWrite, Accounts, Address, AddressClaims, CommitOutcome, PasswordStore,
    Registration, ResetLink,
};
use waraq_core::limits::Attempts;
use waraq_core::one_time_password::CodeKey;
use waraq_core::{InterfaceLanguage, Result, Timestamp};

use crate::test_server::{ApiResponse, ManualClock, TestServer, bearer};

/// A call that an outsider can make with an address.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Register,
    /// Sign-in with the password of the registration.
    Login,
    LoginOtherwise,
    Resend,
    Verify,
    Forgot,
    Reset,
    ChangeEmail,
    VerifyChange,
}

const STEPS: [Step; 9] = [
    Step::Register,
    Step::Login,
    Step::LoginOtherwise,
    Step::Resend,
    Step::Verify,
    Step::Forgot,
    Step::Reset,
    Step::ChangeEmail,
    Step::VerifyChange,
];

const WRONG_LINK: &str = "AAAAAAAAAAAAAAAAAAAAAA";

/// Returns a JSON value with all texts and numbers masked, except codes and messages.
fn mask_values(name: &str, value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), mask_values(name, value))).collect()
        }
        Value::Array(items) => items.iter().map(|item| mask_values("", item)).collect(),
        Value::String(_) if name == "code" => value.clone(),
        // The number of seconds in "in 59 s" is masked.
        Value::String(text) if name == "message" => json!(text.replace(|letter: char| letter.is_ascii_digit(), "")),
        Value::String(_) => json!("text"),
        Value::Number(_) => json!("number"),
        other => other.clone(),
    }
}

/// An outsider who has an account and also registers another address, `email`.
struct Outsider<'a> {
    server: &'a TestServer,
    token: String,
    email: String,
    user_id: String,
}

impl Outsider<'_> {
    async fn perform(&mut self, step: Step) -> (u16, Vec<String>, Value) {
        let answer = self.send(step).await;
        let told = answer.json["userId"].as_str().or_else(|| answer.json["details"]["userId"].as_str());
        if let Some(user_id) = told {
            self.user_id = user_id.to_owned();
        }
        let mut headers: Vec<String> = answer.headers.keys().map(ToString::to_string).collect();
        headers.sort();
        (answer.status, headers, mask_values("", &answer.json))
    }

    async fn send(&self, step: Step) -> ApiResponse {
        let (path, signed_in, body) = match step {
            Step::Register => {
                ("register", false, json!({ "userName": "A", "email": self.email, "password": "the outsider's" }))
            }
            Step::Login => ("login", false, json!({ "email": self.email, "password": "the outsider's" })),
            Step::LoginOtherwise => ("login", false, json!({ "email": self.email, "password": "another one" })),
            Step::Resend => ("resend-otp", false, json!({ "userId": self.user_id })),
            Step::Verify => ("verify-otp", false, json!({ "userId": self.user_id, "otp": "000000" })),
            Step::Forgot => ("forgot-password", false, json!({ "email": self.email })),
            Step::Reset => ("reset-password", false, json!({ "token": WRONG_LINK, "newPassword": "another one" })),
            Step::ChangeEmail => ("change-email", true, json!({ "newEmail": self.email })),
            Step::VerifyChange => ("verify-change-email-otp", true, json!({ "newEmail": self.email, "otp": "000000" })),
        };
        let bearer = bearer(&self.token);
        let headers = if signed_in { vec![("authorization", bearer.as_str())] } else { vec![] };
        self.server.api.post(&format!("/api/v1/auth/{path}"), &headers, &body).await
    }
}

#[tokio::test]
async fn pairs_of_calls_do_not_reveal_whether_an_address_has_an_account() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| {
        options.options.clock = clock.clone();
        options.options.source_limits_factor = 1_000;
    })
    .await;
    let mut number = 0;
    for first in STEPS {
        for second in STEPS {
            // With a minute between the calls each may send its mail; without it, only the first may.
            for seconds in [0, 61] {
                if seconds > 0 && ![first, second].iter().all(|step| step_mails(*step)) {
                    continue;
                }
                number += 1;
                let mut told = Vec::new();
                for known in [true, false] {
                    let email = format!("{}{number}@example.org", if known { "known" } else { "unknown" });
                    if known {
                        server.account(&email).await;
                    }
                    let (_, token) = server.account(&format!("outsider-{email}")).await;
                    let mut outsider = Outsider { server: &server, token, email, user_id: "nobody".to_owned() };
                    let mut seen = Vec::new();
                    for step in [Step::Register, first, second] {
                        seen.push(outsider.perform(step).await);
                        clock.advance(seconds);
                    }
                    told.push(seen);
                }
                assert_eq!(told[0], told[1], "after a registration {first:?}, {second:?}, {seconds} s between");
            }
        }
    }
}

fn step_mails(step: Step) -> bool {
    matches!(step, Step::Register | Step::Login | Step::Resend | Step::Forgot | Step::ChangeEmail)
}

/// A recorder of all calls to the stores and to the store of passwords, in order.
struct Recorder<'a> {
    accounts: &'a dyn Accounts,
    attempts: &'a dyn Attempts,
    password_store: &'a dyn PasswordStore,
    calls: Mutex<Vec<String>>,
}

impl Recorder<'_> {
    fn record(&self, what: impl Into<String>) {
        self.calls.lock().unwrap().push(what.into());
    }

    fn take_calls(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }
}

#[async_trait]
impl Accounts for Recorder<'_> {
    async fn account(&self, id: &str) -> Result<Option<Account>> {
        self.record("read an account");
        self.accounts.account(id).await
    }

    async fn address_claims(&self, address: &Address) -> Result<AddressClaims> {
        self.record("read the holders");
        self.accounts.address_claims(address).await
    }

    async fn pending_from(&self, address: &Address, source: &str) -> Result<Option<String>> {
        self.record("read the registration from a source");
        self.accounts.pending_from(address, source).await
    }

    async fn account_id_of_google_user(&self, subject: &str) -> Result<Option<String>> {
        self.record("read a subject");
        self.accounts.account_id_of_google_user(subject).await
    }

    async fn count_guess(&self, key: &CodeKey, now: Timestamp) -> Result<Option<String>> {
        self.record("guess");
        self.accounts.count_guess(key, now).await
    }

    async fn reset_link(&self, token_hash: &str) -> Result<Option<ResetLink>> {
        self.record("read a link");
        self.accounts.reset_link(token_hash).await
    }

    async fn commit(&self, writes: Vec<AccountWrite>) -> Result<CommitOutcome> {
        let kind = |write: &AccountWrite| format!("{write:?}").split(['(', ' ']).next().unwrap_or_default().to_owned();
        self.record(format!("write {}", writes.iter().map(kind).collect::<Vec<_>>().join(", ")));
        self.accounts.commit(writes).await
    }
}

#[async_trait]
impl Attempts for Recorder<'_> {
    async fn count(&self, action: &str, who: &str, window: u64, expires_at: Timestamp) -> Result<u64> {
        self.record(format!("count {action}"));
        self.attempts.count(action, who, window, expires_at).await
    }

    async fn uncount(&self, action: &str, who: &str, window: u64) -> Result<()> {
        self.record(format!("take back {action}"));
        self.attempts.uncount(action, who, window).await
    }

    async fn start_wait(&self, action: &str, who: &str, now: Timestamp, until: Timestamp) -> Result<Option<Timestamp>> {
        self.record(format!("reserve {action}"));
        self.attempts.start_wait(action, who, now, until).await
    }
}

#[async_trait]
impl PasswordStore for Recorder<'_> {
    async fn verify(&self, user_id: Option<&str>, password: &str) -> Result<bool> {
        self.record("verify a password");
        self.password_store.verify(user_id, password).await
    }

    async fn set_password(&self, user_id: &str, password: &str) -> Result<()> {
        self.record("set a password");
        self.password_store.set_password(user_id, password).await
    }

    async fn remove(&self, user_id: &str) -> Result<()> {
        self.record("remove a password");
        self.password_store.remove(user_id).await
    }
}

#[tokio::test]
async fn the_same_work_is_done_whether_or_not_an_address_has_an_account() {
    let server = TestServer::with_options(|options| options.options.source_limits_factor = 1_000).await;
    let cloud = &server.local.cloud;
    let recorder = Recorder {
        accounts: cloud.accounts(),
        attempts: cloud.attempts(),
        password_store: cloud.password_store(),
        calls: Mutex::default(),
    };
    let real = cloud.account_service().unwrap();
    let registrar = AccountService { accounts: &recorder, attempts: &recorder, ..real };
    let (language, source) = (InterfaceLanguage::English, "192.0.2.1");
    let mut done: BTreeMap<bool, Vec<(String, Vec<String>)>> = BTreeMap::new();
    for known in [true, false] {
        // The account has a password, as most accounts do.
        let email = if known { "known@example.org" } else { "unknown@example.org" };
        if known {
            let (account, _) = server.account(email).await;
            cloud.password_store().set_password(&account.id, "a password").await.unwrap();
        }
        let (outsider, _) = server.account(&format!("outsider-of-{email}")).await;
        let mut note = |what: &str, told: Result<()>| {
            let told = told.map_or_else(|error| error.code.as_str(), |()| "ok");
            done.entry(known).or_default().push((format!("{what}: {told}"), recorder.take_calls()));
        };
        let login =
            async |password: &str| registrar.login(&recorder, (email, password), source, language).await.map(|_| ());
        note("log in before", login("the outsider's").await);
        let request =
            Registration { user_name: "A".into(), email: email.into(), password: "the outsider's".into(), language };
        let mut user_id = String::new();
        let registered = registrar.register(&recorder, request, source).await.map(|id| user_id = id);
        note("register", registered);
        note("log in", login("the outsider's").await);
        note("log in otherwise", login("another one").await);
        server.end_mail_waits().await;
        note("log in a minute later", login("the outsider's").await);
        server.end_mail_waits().await;
        note("resend", registrar.resend_code(&user_id, source, language).await);
        note("verify", registrar.verify_registration(&user_id, "000000", source).await.map(|_| ()));
        note("forgot", registrar.forgot_password(email, source, language).await);
        note("reset", registrar.reset_password(&recorder, WRONG_LINK, "another one", source).await);
        note("change", registrar.change_address(&outsider, email, source, language).await);
        note("verify change", registrar.verify_address(&outsider, email, "000000").await.map(|_| ()));
    }
    assert_eq!(done[&true], done[&false]);
    let log_in = &done[&true][2];
    assert_eq!(log_in.0, "log in: email_not_verified", "the login matches the password of the registration");
    let verifications = |calls: &[String]| calls.iter().filter(|asked| *asked == "verify a password").count();
    for (step, calls) in done.values().flatten().filter(|(step, _)| step.starts_with("log in")) {
        assert_eq!(verifications(calls), 3, "{step}: the time must not reveal a registration that waits");
    }
}
