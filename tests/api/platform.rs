//! The real programs of the functions, driven as the platform drives them: a stand-in of Lambda's runtime API hands out events and takes
//! answers.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Body;
use axum::extract::{Path as Part, State};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use serde_json::Value;
use tokio::sync::mpsc;

/// What a function answered.
#[derive(Debug)]
pub enum Answered {
    Response(Value),
    /// Of an event, or of the start.
    Error(Value),
}

impl Answered {
    /// Status and code of a route's answer.
    pub fn status_and_code(&self) -> (u64, String) {
        let Self::Response(answer) = self else { panic!("the function failed: {self:?}") };
        let body = answer["body"].as_str().unwrap_or_default();
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        (answer["statusCode"].as_u64().unwrap(), body["code"].as_str().unwrap_or_default().to_owned())
    }
}

struct Platform {
    events: tokio::sync::Mutex<mpsc::Receiver<(Duration, Value)>>,
    answers: mpsc::Sender<Answered>,
    /// Told when the function asks for its first event.
    ready: tokio::sync::Notify,
}

/// What Lambda gives a function to start.
const TO_START: Duration = Duration::from_secs(10);

/// A running function. Dropped, it ends.
pub struct Function {
    process: Child,
    events: mpsc::Sender<(Duration, Value)>,
    answers: mpsc::Receiver<Answered>,
    ended: tokio::task::AbortHandle,
}

impl Drop for Function {
    fn drop(&mut self) {
        self.ended.abort();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The programs lie beside the server's, or in the folder that `WARAQ_PROGRAMS` names: so the tests of this run on what is shipped too.
pub fn program(name: &str) -> PathBuf {
    let program = match std::env::var_os("WARAQ_PROGRAMS") {
        Some(folder) => Path::new(&folder).join(name),
        None => Path::new(env!("CARGO_BIN_EXE_waraq-local")).with_file_name(name),
    };
    assert!(program.is_file(), "{} is not built: run the tests with --workspace", program.display());
    program
}

impl Function {
    /// Of its process.
    #[cfg(feature = "drill")]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Starts a program with this environment and nothing of ours.
    pub async fn start(program: &Path, environment: &HashMap<String, String>) -> Self {
        let (events, handed) = mpsc::channel(1);
        let (taken, answers) = mpsc::channel(1);
        let ready = tokio::sync::Notify::new();
        let platform = Arc::new(Platform { events: tokio::sync::Mutex::new(handed), answers: taken, ready });
        let started = Arc::clone(&platform);
        let app = Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next))
            .route("/2018-06-01/runtime/invocation/{id}/{outcome}", post(answered))
            .route("/2018-06-01/runtime/init/error", post(failed))
            .with_state(platform);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let ended = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() }).abort_handle();
        let process = Command::new(program)
            .env_clear()
            .envs(environment)
            .env("AWS_LAMBDA_RUNTIME_API", address.to_string())
            .env("AWS_LAMBDA_FUNCTION_NAME", "function")
            .env("AWS_LAMBDA_FUNCTION_VERSION", "1")
            .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024")
            .env("AWS_LAMBDA_LOG_GROUP_NAME", "log")
            .env("AWS_LAMBDA_LOG_STREAM_NAME", "stream")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let function = Self { process, events, answers, ended };
        let waited = tokio::time::timeout(TO_START, started.ready.notified()).await;
        waited.unwrap_or_else(|_| panic!("{} does not start in time", program.display()));
        function
    }

    /// What it answers to an event within its time-out; `None`: nothing.
    pub async fn invoke(&mut self, event: Value, time_out: Duration) -> Option<Answered> {
        let asked = event.clone();
        self.events.send((time_out, event)).await.ok()?;
        let answered = tokio::time::timeout(time_out, self.answers.recv()).await.ok()?;
        if let (Some(Answered::Response(answer)), Some(path)) = (&answered, asked["rawPath"].as_str()) {
            let body = serde_json::from_str(answer["body"].as_str().unwrap_or_default()).unwrap_or_default();
            let (method, status) = (&asked["requestContext"]["http"]["method"], &answer["statusCode"]);
            crate::answers::note(method.as_str().unwrap(), path, status.as_u64().unwrap() as u16, &body);
        }
        answered
    }
}

async fn next(State(platform): State<Arc<Platform>>) -> Response {
    platform.ready.notify_one();
    let (time_out, event) = match platform.events.lock().await.recv().await {
        Some(event) => event,
        None => std::future::pending().await,
    };
    let deadline = SystemTime::now() + time_out;
    let deadline = deadline.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    Response::builder()
        .header("lambda-runtime-aws-request-id", "8476a536-e9f4-11e8-9739-2dfe598c3fcd")
        .header("lambda-runtime-deadline-ms", deadline.to_string())
        .header("lambda-runtime-invoked-function-arn", "arn:aws:lambda:us-east-1:123456789012:function:function")
        .header("content-type", "application/json")
        .body(Body::from(event.to_string()))
        .unwrap()
}

async fn answered(
    State(platform): State<Arc<Platform>>,
    Part((_, outcome)): Part<(String, String)>,
    body: Bytes,
) -> Response {
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let answered = if outcome == "response" { Answered::Response(body) } else { Answered::Error(body) };
    taken(&platform, answered).await
}

async fn failed(State(platform): State<Arc<Platform>>, body: Bytes) -> Response {
    taken(&platform, Answered::Error(serde_json::from_slice(&body).unwrap_or_default())).await
}

async fn taken(platform: &Platform, answered: Answered) -> Response {
    let _ = platform.answers.send(answered).await;
    Response::builder().status(202).body(Body::from("{}")).unwrap()
}

/// Systems Manager, as far as its parameters go.
#[derive(Clone, Default)]
pub struct Parameters(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    values: HashMap<String, String>,
    reads: usize,
}

impl Parameters {
    pub fn set(&self, name: &str, value: &str) {
        self.0.lock().unwrap().values.insert(name.to_owned(), value.to_owned());
    }

    /// How often GetParameters was called.
    pub fn reads(&self) -> usize {
        self.0.lock().unwrap().reads
    }

    /// Serves them; their address.
    pub async fn serve(&self) -> SocketAddr {
        let app = Router::new().fallback(parameters).with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        address
    }
}

async fn parameters(State(kept): State<Parameters>, headers: http::HeaderMap, body: Bytes) -> Response {
    let asked: Value = serde_json::from_slice(&body).unwrap();
    let name = |name: &Value| name.as_str().unwrap().to_owned();
    let mut kept = kept.0.lock().unwrap();
    let Kept { values, reads } = &mut *kept;
    let found = |name: &str| values.get(name).map(|value| serde_json::json!({ "Name": name, "Value": value }));
    let answer = match headers["x-amz-target"].to_str().unwrap() {
        "AmazonSSM.GetParameters" => {
            assert_eq!(asked["WithDecryption"], true);
            *reads += 1;
            let names: Vec<String> = asked["Names"].as_array().unwrap().iter().map(name).collect();
            let parameters: Vec<Value> = names.iter().filter_map(|name| found(name)).collect();
            let invalid: Vec<&String> = names.iter().filter(|name| !values.contains_key(*name)).collect();
            serde_json::json!({ "Parameters": parameters, "InvalidParameters": invalid })
        }
        "AmazonSSM.GetParameter" => serde_json::json!({ "Parameter": found(asked["Name"].as_str().unwrap()) }),
        "AmazonSSM.PutParameter" => {
            let there = values.contains_key(asked["Name"].as_str().unwrap());
            assert!(!there || asked["Overwrite"] == true, "{asked}");
            values.insert(name(&asked["Name"]), name(&asked["Value"]));
            serde_json::json!({ "Version": 1 })
        }
        other => panic!("{other}"),
    };
    Response::builder()
        .header("content-type", "application/x-amz-json-1.1")
        .body(Body::from(answer.to_string()))
        .unwrap()
}
