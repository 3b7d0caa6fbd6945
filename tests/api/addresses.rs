//! Tests of e-mail addresses: one form of each, and mails that SES refuses.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::json;
use tokio::net::TcpListener;
use waraq_aws::MailSettings;
use waraq_core::accounts::{Account, Address};
use waraq_core::clock::new_id;

use crate::test_server::{TestServer, bearer, code_of, new_user_account, token_of, wait_until};

/// Forms that are no addresses and were once accepted.
const INVALID_ADDRESSES: [&str; 6] =
    ["x@ex..example", ".x@ex.example", "x.@ex.example", "x..y@ex.example", "a@-x.y", "a@x-.y"];

#[tokio::test]
async fn addresses_are_normalised_and_invalid_ones_refused() {
    let server = TestServer::new().await;
    let register = async |email: &str| {
        let body = json!({ "userName": "A", "email": email, "password": "a password" });
        server.api.post("/api/v1/auth/register", &[], &body).await
    };
    for odd in INVALID_ADDRESSES {
        let refused = register(odd).await;
        assert_eq!((refused.status, refused.code()), (400, "invalid_email"), "{odd}");
        assert_eq!(refused.json["details"]["fields"], json!(["email"]));
        let body = json!({ "email": odd, "message": "Hello" });
        let refused = server.api.post("/api/v1/support-messages", &[], &body).await;
        assert_eq!((refused.status, refused.code()), (400, "invalid_email"), "{odd}");
    }
    let (_, token) = server.user("other@ex.example").await;
    for odd in INVALID_ADDRESSES {
        let headers = [("authorization", &*bearer(&token))];
        let refused = server.api.post("/api/v1/auth/change-email", &headers, &json!({ "newEmail": odd })).await;
        assert_eq!((refused.status, refused.code()), (400, "invalid_email"), "{odd}");
    }
    let registered = register("x@ex.example.").await;
    let otp = server.code_to("x@ex.example", 0).await;
    let proven = json!({ "userId": registered.json["userId"], "otp": otp });
    let proven = server.api.post("/api/v1/auth/verify-otp", &[], &proven).await;
    assert_eq!(proven.json["user"]["email"], "x@ex.example", "{proven:?}");
    for (known, same) in ["x@ex.example", "X@EX.example.", "x@ex\u{3002}example"].into_iter().enumerate() {
        server.api.login(same, "a password").await;
        server.end_mail_waits().await;
        assert_eq!(register(same).await.status, 201);
        let mail = server.mail_of("already-registered", "x@ex.example", known).await;
        assert_eq!(mail.kind, "already-registered", "{same} is the same mailbox");
    }
}

/// Adds an account as it was stored before addresses had one form.
async fn add_stored_account(server: &TestServer, email: &str) -> Account {
    let cloud = &server.local.cloud;
    let account = new_user_account(new_id(cloud.clock(), cloud.random_source()), email, cloud.clock().now());
    let address = Address::stored(email).unwrap();
    assert_eq!(address.as_str(), email);
    waraq_core::accounts::add_account(cloud.accounts(), &account, &address).await.unwrap();
    cloud.password_store().set_password(&account.id, "a password").await.unwrap();
    account
}

#[tokio::test]
async fn accounts_with_invalid_stored_addresses_keep_working() {
    let server = TestServer::new().await;
    for odd in INVALID_ADDRESSES.into_iter().chain(["x@ex.example."]) {
        let account = add_stored_account(&server, odd).await;
        let token = server.api.login(odd, "a password").await;
        let headers = [("authorization", &*bearer(&token))];
        let me = server.api.get_as(&token, "/api/v1/users/me").await;
        assert_eq!(me.json["user"]["email"], odd, "{me:?}");
        let body = json!({ "message": "Hello" });
        let sent = server.api.post("/api/v1/support-messages", &headers, &body).await;
        assert_eq!(sent.status, 201, "{sent:?}");
        let forgot = server.api.post("/api/v1/auth/forgot-password", &[], &json!({ "email": odd })).await;
        assert_eq!(forgot.status, 200, "{forgot:?}");
        let to = odd.trim_end_matches('.');
        let link = token_of(&server.mail_of("reset-password", to, 0).await);
        let reset = json!({ "token": link, "newPassword": "another password" });
        let reset = server.api.post("/api/v1/auth/reset-password", &[], &reset).await;
        assert_eq!(reset.status, 200, "{reset:?}");
        let token = server.api.login(odd, "another password").await;
        let new = format!("{}@new.example", account.id);
        let headers = [("authorization", &*bearer(&token))];
        let asked = server.api.post("/api/v1/auth/change-email", &headers, &json!({ "newEmail": new })).await;
        assert_eq!(asked.status, 200, "{asked:?}");
        let otp = code_of(&server.mail_to(&new, 0).await);
        let body = json!({ "newEmail": new, "otp": otp });
        let changed = server.api.post("/api/v1/auth/verify-change-email-otp", &headers, &body).await;
        assert_eq!(changed.status, 200, "{changed:?}");
        let owner = server.local.cloud.accounts().address_claims(&Address::stored(odd).unwrap()).await.unwrap().owner;
        assert_eq!(owner, None, "the old form is free");
    }
}

/// A call of SendEmail, or the error code and text with which it is refused.
type Sent = HashMap<String, String>;
type Refuses = fn(&Sent) -> Option<(&'static str, &'static str)>;

/// A stand-in for SES that refuses some mails and keeps the calls.
struct Ses {
    refuses: Refuses,
    calls: Mutex<Vec<Sent>>,
}

async fn answer(State(ses): State<Arc<Ses>>, body: Bytes) -> Response {
    let asked: Sent = url_decoded(&body);
    let refused = (ses.refuses)(&asked);
    ses.calls.lock().unwrap().push(asked);
    let (status, text) = match refused {
        Some((code, message)) => (
            StatusCode::BAD_REQUEST,
            format!(
                "<ErrorResponse><Error><Type>Sender</Type><Code>{code}</Code><Message>{message}</Message></Error></ErrorResponse>"
            ),
        ),
        None => {
            let result = "<SendEmailResult><MessageId>1</MessageId></SendEmailResult>";
            (
                StatusCode::OK,
                format!(
                    "<SendEmailResponse xmlns=\"http://ses.amazonaws.com/doc/2010-12-01/\">{result}</SendEmailResponse>"
                ),
            )
        }
    };
    (status, [(CONTENT_TYPE, "text/xml")], text).into_response()
}

fn url_decoded(body: &[u8]) -> Sent {
    serde_urlencoded::from_bytes(body).unwrap()
}

impl Ses {
    async fn start_server(refuses: Refuses) -> (TestServer, Arc<Self>) {
        let ses = Arc::new(Self { refuses, calls: Mutex::default() });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let app = Router::new().fallback(answer).with_state(Arc::clone(&ses));
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        let server = TestServer::with_options(|options| {
            options.mail = Some(MailSettings::Ses {
                from: "Waraq <no-reply@waraq.example>".to_owned(),
                reply_to: None,
                configuration_set: None,
            });
            options.endpoints.ses = Some(address);
        })
        .await;
        (server, ses)
    }

    /// Waits until a number of calls were made and no mail waits. Returns recipient and reply address of each call.
    async fn calls(&self, server: &TestServer, number: usize) -> Vec<(String, Option<String>)> {
        let are_sent = async || self.calls.lock().unwrap().len() >= number && server.items("OUTBOX#").await.is_empty();
        wait_until("all mails are sent", are_sent).await;
        let calls = self.calls.lock().unwrap();
        let name = |call: &Sent, name: &str| call.get(name).cloned();
        let of = |call| {
            let to = name(call, "Destination.ToAddresses.member.1").unwrap();
            (to, name(call, "ReplyToAddresses.member.1"))
        };
        calls.iter().map(of).collect()
    }
}

#[tokio::test]
async fn permanently_refused_mails_are_not_retried() {
    let (server, ses) = Ses::start_server(|call| match call["Destination.ToAddresses.member.1"].as_str() {
        "never@ex.example" => Some(("InvalidParameterValue", "Domain contains illegal character")),
        "blocked@ex.example" => Some(("MessageRejected", "Address blacklisted.")),
        _ => None,
    })
    .await;
    for (known, email) in ["never@ex.example", "blocked@ex.example", "taken@ex.example"].into_iter().enumerate() {
        let body = json!({ "userName": "A", "email": email, "password": "a password" });
        assert_eq!(server.api.post("/api/v1/auth/register", &[], &body).await.status, 201);
        let calls = ses.calls(&server, known + 1).await;
        assert_eq!(calls[known..], [(email.to_owned(), None)]);
    }
}

#[tokio::test]
async fn temporarily_refused_mails_stay_in_the_outbox() {
    let (server, ses) = Ses::start_server(|_| Some(("MessageRejected", "Email address is not verified."))).await;
    let body = json!({ "userName": "A", "email": "a@ex.example", "password": "a password" });
    assert_eq!(server.api.post("/api/v1/auth/register", &[], &body).await.status, 201);
    wait_until("a mail is refused", async || !ses.calls.lock().unwrap().is_empty()).await;
    assert_eq!(server.items("OUTBOX#").await.len(), 1);
}

#[tokio::test]
async fn support_mails_are_sent_without_an_invalid_reply_address() {
    let refuses: Refuses = |call| {
        let reply_to = call.get("ReplyToAddresses.member.1")?;
        (reply_to == "refused@ex.example").then_some(("InvalidParameterValue", "Illegal address"))
    };
    let (server, ses) = Ses::start_server(refuses).await;
    let support = "support@waraq.localhost";
    let body = json!({ "email": "refused@ex.example", "message": "Hello" });
    assert_eq!(server.api.post("/api/v1/support-messages", &[], &body).await.status, 201);
    let to = |reply_to: Option<&str>| (support.to_owned(), reply_to.map(str::to_owned));
    let calls = ses.calls(&server, 2).await;
    assert_eq!(
        calls,
        [to(Some("refused@ex.example")), to(None)],
        "the second attempt has no reply address and is accepted"
    );
    add_stored_account(&server, "أمينة@ex.example").await;
    let token = server.api.login("أمينة@ex.example", "a password").await;
    let headers = [("authorization", &*bearer(&token))];
    let sent = server.api.post("/api/v1/support-messages", &headers, &json!({ "message": "Hello" })).await;
    assert_eq!(sent.status, 201, "{sent:?}");
    assert_eq!(ses.calls(&server, 3).await[2], to(None));
}
