//! Tests of a machine whose clock is set back or forward while the server runs.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use http::HeaderValue;
use http::header::{DATE, TRANSFER_ENCODING};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::json;
use tokio::net::TcpListener;
use waraq_aws::{Cloud, SystemClock};
use waraq_core::Clock as _;

use crate::test_server::{ManualClock, TestServer, bearer};

/// AWS accepts signatures of up to five minutes ago.
const HOUR_SECONDS: u64 = 3_600;

#[tokio::test]
async fn requests_succeed_after_clock_changes() {
    let clock = ManualClock::from_now();
    let server = TestServer::with_options(|options| options.options.signing_clock = Some(clock.clone())).await;
    let (_, token) = server.user("u@example.org").await;
    let changes: [&dyn Fn(); 4] =
        [&|| clock.back(HOUR_SECONDS), &|| clock.advance(3 * HOUR_SECONDS), &|| clock.back(24 * HOUR_SECONDS), &|| {
            clock.advance(48 * HOUR_SECONDS)
        }];
    for change in changes {
        change();
        for _ in 0..3 {
            let answer = server.api.get_as(&token, "/api/v1/users/me").await;
            assert_eq!(answer.status, 200, "{answer:?}");
        }
        let name = json!({ "userName": "Amina" }).to_string();
        let headers = [("authorization", bearer(&token)), ("content-type", "application/json".to_owned())];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let changed = server.api.send("PATCH", "/api/v1/users/me", &headers, name).await;
        assert_eq!(changed.status, 200, "{changed:?}");
    }
}

#[tokio::test]
async fn waits_for_mails_end_after_the_clock_was_set_back() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let request = json!({ "email": "amina@example.org" });
    let ask = async || server.api.post("/api/v1/auth/forgot-password", &[], &request).await;
    assert_eq!(ask().await.status, 200);
    assert_eq!(ask().await.code(), "mail_wait");
    clock.back(HOUR_SECONDS);
    let answer = ask().await;
    assert_eq!(answer.status, 200, "a wait of more than a minute is not believed: {answer:?}");
    let waits = ask().await;
    assert_eq!(waits.code(), "mail_wait");
    assert!(waits.header("retry-after").parse::<u64>().unwrap() <= 60, "{waits:?}");
}

/// A proxy whose responses have the time of another clock: after a clock was set back, hyper sends the last time before.
struct DatedProxy {
    behind: SocketAddr,
    client: Client<HttpConnector, Body>,
    ahead_seconds: Arc<AtomicI64>,
}

async fn send_with_other_date(State(dated): State<Arc<DatedProxy>>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    parts.headers.remove(TRANSFER_ENCODING);
    parts.uri = format!("http://{}{}", dated.behind, parts.uri.path_and_query().unwrap()).parse().unwrap();
    let mut answer = dated.client.request(Request::from_parts(parts, Body::from(body))).await.unwrap().map(Body::new);
    let now = i64::try_from(SystemClock.now().seconds()).unwrap() + dated.ahead_seconds.load(Ordering::SeqCst);
    let date = DateTime::from_secs(now).fmt(Format::HttpDate).unwrap();
    answer.headers_mut().insert(DATE, HeaderValue::try_from(date).unwrap());
    answer
}

#[tokio::test]
async fn response_dates_of_the_stores_are_ignored() {
    let listeners = [TcpListener::bind("127.0.0.1:0").await.unwrap(), TcpListener::bind("127.0.0.1:0").await.unwrap()];
    let fronts = listeners.each_ref().map(|listener| listener.local_addr().unwrap());
    let server = TestServer::with_options(|options| options.proxies = fronts.to_vec()).await;
    let ahead_seconds = Arc::new(AtomicI64::new(0));
    let mut settings = server.local.settings.clone();
    let endpoints = &mut settings.aws.endpoints;
    for (listener, endpoint) in listeners.into_iter().zip([&mut endpoints.dynamodb, &mut endpoints.s3]) {
        let front = format!("http://{}", listener.local_addr().unwrap());
        let behind = endpoint.replace(front).unwrap().trim_start_matches("http://").parse().unwrap();
        let client = Client::builder(TokioExecutor::new()).build_http();
        let dated_of = Arc::new(DatedProxy { behind, client, ahead_seconds: Arc::clone(&ahead_seconds) });
        let app = Router::new().fallback(send_with_other_date).with_state(dated_of);
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    }
    let cloud = Cloud::new(settings, server.local.cloud.options().clone()).unwrap();
    for ahead in [3_600, -3_600, 0] {
        ahead_seconds.store(ahead, Ordering::SeqCst);
        for call in 0..3 {
            let row = cloud.accounts().account("nobody").await;
            assert!(row.is_ok_and(|row| row.is_none()), "{ahead} s, call {call}");
            let file = cloud.files().get("templates/nothing.docx").await;
            assert!(file.is_ok_and(|file| file.is_none()), "{ahead} s, call {call}");
        }
    }
}
