//! Tests with services that fail for a while under load (`cargo xtask drill faults`). Proxies between the real programs of
//! the functions and the emulated AWS services produce the faults. Every request gets a response with a code in time, no
//! data is half written, and the system recovers by itself.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use futures_util::future::join_all;
use http::StatusCode;
use http::header::{CONTENT_TYPE, TRANSFER_ENCODING};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::json;
use tokio::net::TcpListener;

use crate::cloud::settings;
use crate::ministack::Ministack;
use crate::saved_files::assert_files_match_records;
use crate::test_server::{Api, TestServer, bearer, letter_values};

/// The behaviour of a failing service towards a failing call.
#[derive(Clone, Copy)]
enum FaultBehavior {
    /// Responds with this status, content type and body.
    Responds(u16, &'static str, &'static str),
    /// Accepts the call and never responds.
    Hangs,
}

/// A proxy in front of a service, which passes calls on or applies a fault.
struct FaultProxy {
    listener: Option<TcpListener>,
    address: SocketAddr,
    fault: Arc<Mutex<Option<(FaultBehavior, usize)>>>,
    failed: Arc<AtomicUsize>,
}

struct ProxyState {
    target: String,
    client: Client<HttpConnector, Body>,
    fault: Arc<Mutex<Option<(FaultBehavior, usize)>>>,
    calls: AtomicUsize,
    failed: Arc<AtomicUsize>,
}

impl FaultProxy {
    async fn bound() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        Self { listener: Some(listener), address, fault: Arc::default(), failed: Arc::default() }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn serve(&mut self, target: &str) {
        let passing = Arc::new(ProxyState {
            target: target.to_owned(),
            client: Client::builder(TokioExecutor::new()).build_http(),
            fault: Arc::clone(&self.fault),
            calls: AtomicUsize::new(0),
            failed: Arc::clone(&self.failed),
        });
        let app = Router::new().fallback(forward_or_fail).with_state(passing);
        let listener = self.listener.take().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    }

    /// Applies a fault, or none. One of so many calls is passed on as usual; 0 fails all calls.
    fn set_fault(&self, fault: Option<(FaultBehavior, usize)>) {
        *self.fault.lock().unwrap() = fault;
    }
}

async fn forward_or_fail(State(passing): State<Arc<ProxyState>>, request: Request) -> Response {
    let fault = *passing.fault.lock().unwrap();
    let number = passing.calls.fetch_add(1, Ordering::SeqCst);
    if let Some((does, of)) = fault
        && (of == 0 || !number.is_multiple_of(of))
    {
        passing.failed.fetch_add(1, Ordering::SeqCst);
        let FaultBehavior::Responds(status, kind, body) = does else { return std::future::pending().await };
        // S3 responds only after the whole request has arrived.
        let _ = to_bytes(request.into_body(), usize::MAX).await;
        let response = Response::builder().status(status).header(CONTENT_TYPE, kind);
        return response.body(Body::from(body)).unwrap();
    }
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    parts.headers.remove(TRANSFER_ENCODING);
    parts.uri = format!("{}{}", passing.target, parts.uri.path_and_query().unwrap()).parse().unwrap();
    match passing.client.request(Request::from_parts(parts, Body::from(body))).await {
        Ok(answer) => answer.map(Body::new),
        Err(_) => Response::builder().status(StatusCode::BAD_GATEWAY).body(Body::empty()).unwrap(),
    }
}

/// Users who work while services fail.
struct LoadUsers {
    server: TestServer,
    letter: String,
    tokens: Vec<String>,
    /// Clients with different source addresses, because one address would meet its rate limits.
    clients: Vec<Api>,
    number: AtomicUsize,
}

const CALLS: [&str; 5] = ["list", "fill", "save", "login", "register"];

impl LoadUsers {
    /// Makes the next call of the kind `which`. Returns its kind, status with code, and duration.
    async fn call(&self, which: usize) -> (u16, String, Duration) {
        let number = self.number.fetch_add(1, Ordering::SeqCst);
        let api = &self.clients[number % self.clients.len()];
        let token = bearer(&self.tokens[number % self.tokens.len()]);
        let began = Instant::now();
        let answer = match CALLS[which] {
            "list" => api.get("/api/v1/documents?limit=10").await,
            "fill" => api.fill(&self.letter, &[], &letter_values("Amina")).await,
            "save" => {
                let path = format!("/api/v1/documents/{}/save", self.letter);
                let values = json!({ "fieldsAndValues": [{ "Name": "Amina" }, { "Date": "1 March" }] });
                api.post(&path, &[("authorization", &token)], &values).await
            }
            "login" => {
                let person = json!({ "email": "person0@example.org", "password": "a password" });
                api.post("/api/v1/auth/login", &[], &person).await
            }
            _ => {
                let email = format!("new{number}@example.org");
                let person = json!({ "userName": "A", "email": email, "password": "a password" });
                api.post("/api/v1/auth/register", &[], &person).await
            }
        };
        (answer.status, answer.code().to_owned(), began.elapsed())
    }

    /// Makes calls of all kinds, six at a time, until `ended` is set. Returns the number of calls by status and code,
    /// and the longest duration.
    async fn load(&self, ended: &AtomicBool) -> (BTreeMap<String, usize>, Duration) {
        let seen = Mutex::new((BTreeMap::new(), Duration::ZERO));
        let workers = (0..6).map(|worker| {
            let seen = &seen;
            async move {
                let mut which = worker;
                while !ended.load(Ordering::SeqCst) {
                    which = (which + 1) % CALLS.len();
                    let (status, code, took) = self.call(which).await;
                    let told = (200..300).contains(&status) || !code.is_empty();
                    assert!(told, "{}: {status} without a code", CALLS[which]);
                    assert!(
                        status < 500 || (status, code.as_str()) == (503, "unavailable"),
                        "{}: {status} {code}",
                        CALLS[which]
                    );
                    let mut seen = seen.lock().unwrap();
                    *seen.0.entry(format!("{status} {code}").trim().to_owned()).or_default() += 1;
                    seen.1 = seen.1.max(took);
                }
            }
        });
        join_all(workers).await;
        seen.into_inner().unwrap()
    }

    /// Returns the time from now until calls of every kind succeed.
    async fn recovered(&self) -> Duration {
        let began = Instant::now();
        for (which, name) in CALLS.iter().enumerate() {
            while !(200..300).contains(&self.call(which).await.0) {
                assert!(began.elapsed() < Duration::from_secs(120), "{name} does not recover");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        began.elapsed()
    }
}

const JSON: &str = "application/x-amz-json-1.0";

/// The faults: name, index of the failing service, behaviour, and the divisor of the calls that are passed on (0:
/// none).
fn drills() -> [(&'static str, usize, FaultBehavior, usize); 5] {
    let throttled = r#"{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"Rate exceeded"}"#;
    let broken = "<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>";
    let refused = "<ErrorResponse><Error><Type>Sender</Type><Code>Throttling</Code><Message>Maximum sending rate exceeded.</Message></Error></ErrorResponse>";
    let parameters = r#"{"__type":"ThrottlingException","message":"Rate exceeded"}"#;
    [
        ("DynamoDB throttles two calls of three", 0, FaultBehavior::Responds(400, JSON, throttled), 3),
        ("S3 answers 500", 1, FaultBehavior::Responds(500, "application/xml", broken), 0),
        ("SES refuses", 2, FaultBehavior::Responds(400, "text/xml", refused), 0),
        ("Cognito is silent", 3, FaultBehavior::Hangs, 0),
        (
            "SSM throttles, functions start anew",
            4,
            FaultBehavior::Responds(400, "application/x-amz-json-1.1", parameters),
            0,
        ),
    ]
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: cargo xtask drill faults"]
async fn measure_recovery_from_faults() {
    let seconds = std::env::var("WARAQ_FAULTS").expect("WARAQ_FAULTS: seconds of each fault");
    let during = Duration::from_secs(seconds.parse().unwrap());
    let Some(ministack) = Ministack::from_environment("faults") else {
        panic!("WARAQ_MINISTACK: passwords are Cognito's")
    };
    let (cognito, secret) = ministack.passwords().await;
    let mut fronts = Vec::new();
    for _ in 0..5 {
        fronts.push(FaultProxy::bound().await);
    }
    let services = ["DYNAMODB", "S3", "SES", "COGNITO_IDENTITY_PROVIDER", "SSM"];
    let instead: HashMap<String, String> =
        services.iter().zip(&fronts).map(|(name, front)| (format!("AWS_ENDPOINT_URL_{name}"), front.url())).collect();
    let server = TestServer::with_options(|options| {
        options.proxies = fronts.iter().map(|front| front.address).collect();
        options.sweep = Duration::from_millis(500);
        options.cognito = Some(cognito);
        options.cognito_client_secret = Some(secret);
        options.endpoints.cognito = Some(ministack.address.clone());
        let mut programs = settings(options);
        programs.overrides = instead;
        options.programs = Some(programs);
    })
    .await;
    let programs = server.local.programs.clone().unwrap();
    let endpoints = &server.local.settings.aws.endpoints;
    let stand_ins = programs.local_services();
    let behind = [
        endpoints.dynamodb.clone().unwrap(),
        endpoints.s3.clone().unwrap(),
        format!("http://{}", stand_ins.mails),
        ministack.address.clone(),
        format!("http://{}", stand_ins.parameters),
    ];
    for (front, behind) in fronts.iter_mut().zip(&behind) {
        front.serve(behind);
    }
    let letter = server.api.publish_letter(&server.admin().await, "A letter").await;
    let mut tokens = Vec::new();
    for number in 0..10 {
        tokens.push(server.user(&format!("person{number}@example.org")).await.1);
    }
    let clients = (2..=250).map(|last| server.api.with_source(last)).collect();
    let people = LoadUsers { server, letter, tokens, clients, number: AtomicUsize::new(0) };
    people.recovered().await;

    println!(
        "\n| what fails, for {} s | calls that failed | answers | slowest, s | all well again after, s |",
        during.as_secs()
    );
    println!("|---|---:|---|---:|---:|");
    for (what, which, does, of) in drills() {
        let front = &fronts[which];
        front.failed.store(0, Ordering::SeqCst);
        if services[which] == "SSM" {
            programs.end_idle();
        }
        front.set_fault(Some((does, of)));
        let ended = AtomicBool::new(false);
        let (_, (answers, slowest)) = tokio::join!(
            async {
                tokio::time::sleep(during).await;
                ended.store(true, Ordering::SeqCst);
            },
            people.load(&ended)
        );
        front.set_fault(None);
        let recovered = people.recovered().await;
        let told: Vec<String> = answers.iter().map(|(answer, count)| format!("{answer}: {count}")).collect();
        println!(
            "| {what} | {} | {} | {:.1} | {:.1} |",
            front.failed.load(Ordering::SeqCst),
            told.join(", "),
            slowest.as_secs_f64(),
            recovered.as_secs_f64()
        );
        assert!(front.failed.load(Ordering::SeqCst) > 0, "{what}: nothing failed");
        // Every document has its files, and every file has its document.
        assert_files_match_records(&people.server.local.cloud).await;
    }
    // Every mail that was postponed is sent.
    let waiting = || async { people.server.items("OUTBOX#").await.len() };
    for _ in 0..600 {
        if waiting().await == 0 {
            break;
        }
        people.server.end_waits_of_mails().await;
        people.call(4).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(waiting().await, 0, "mails are left");
}
