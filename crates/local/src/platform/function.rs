//! Runs a function's program as Lambda does: through a local runtime API that sends events and receives results.

use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path as Part, State};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::{Mutex, Notify, mpsc};
use waraq_aws::SystemRandomSource;
use waraq_core::RandomSource as _;

/// Lambda's time limit for the start of a function.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Lambda's limit on an event in bytes.
pub const LARGEST_EVENT: usize = 6 * 1024 * 1024;
/// Lambda's limit on a result in bytes (from the message of `Function.ResponseSizeTooLarge`).
pub const LARGEST_RESULT: usize = 6 * 1024 * 1024 + 100;

/// A callback that receives each line that a function writes to its log.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// The result of one call of a function.
#[derive(Debug)]
pub enum InvocationResult {
    Response(Value),
    /// The error that the function reported: it could not process the event, or could not start.
    Error(Value),
}

impl InvocationResult {
    /// Returns the HTTP status and the error code of a route's response. The code of a successful response is empty. Returns
    /// `None` if the function failed.
    pub fn status_and_code(&self) -> Option<(u64, String)> {
        let Self::Response(answer) = self else { return None };
        let body = answer["body"].as_str().unwrap_or_default();
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        Some((answer["statusCode"].as_u64()?, body["code"].as_str().unwrap_or_default().to_owned()))
    }
}

struct RuntimeApi {
    events: Mutex<mpsc::Receiver<(Duration, Value)>>,
    answers: mpsc::Sender<InvocationResult>,
    /// Notified when the function asks for its first event.
    ready: Notify,
}

/// A running function. Its process ends when this value is dropped.
pub struct Function {
    process: Child,
    events: mpsc::Sender<(Duration, Value)>,
    answers: mpsc::Receiver<InvocationResult>,
    served: tokio::task::AbortHandle,
    /// Time from the program's start to its first request for an event.
    pub started_in: Duration,
}

impl Drop for Function {
    fn drop(&mut self) {
        self.served.abort();
    }
}

impl Function {
    /// Starts a program. The program gets the variables in `environment` and those that Lambda sets, but no other
    /// environment variables of this process. Fails if the program does not ask for an event within Lambda's time
    /// limit.
    pub async fn start(program: &Path, environment: &HashMap<String, String>, log: Option<Log>) -> Result<Self> {
        let (events, handed) = mpsc::channel(1);
        let (taken, answers) = mpsc::channel(1);
        let platform = Arc::new(RuntimeApi { events: Mutex::new(handed), answers: taken, ready: Notify::new() });
        let started = Arc::clone(&platform);
        let app = Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next_event))
            .route("/2018-06-01/runtime/invocation/{id}/{outcome}", post(receive_result))
            .route("/2018-06-01/runtime/init/error", post(receive_error))
            .layer(DefaultBodyLimit::disable())
            .with_state(platform);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let served = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                tracing::error!(%error, "a runtime API stopped");
            }
        });
        let served = served.abort_handle();
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let output = || if log.is_some() { Stdio::piped() } else { Stdio::null() };
        let began = Instant::now();
        let process = Command::new(program)
            .env_clear()
            .env("AWS_LAMBDA_RUNTIME_API", address.to_string())
            .env("AWS_LAMBDA_FUNCTION_NAME", &name)
            .env("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST")
            .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024")
            .env("AWS_LAMBDA_LOG_GROUP_NAME", format!("/aws/lambda/{name}"))
            .env("AWS_LAMBDA_LOG_STREAM_NAME", "stream")
            .env("AWS_LAMBDA_LOG_FORMAT", "JSON")
            .envs(environment)
            .stdin(Stdio::null())
            .stdout(output())
            .stderr(output())
            .kill_on_drop(true)
            .spawn();
        let process = process.with_context(|| format!("{} cannot be started", program.display()));
        let mut function = Self {
            process: process.inspect_err(|_| served.abort())?,
            events,
            answers,
            served,
            started_in: START_TIMEOUT,
        };
        if let Some(log) = log {
            forward_lines(function.process.stdout.take(), Arc::clone(&log));
            forward_lines(function.process.stderr.take(), log);
        }
        tokio::select! {
            () = started.ready.notified() => {}
            ended = function.process.wait() => bail!("{name} ended at its start: {:?}", ended?),
            () = tokio::time::sleep(START_TIMEOUT) => bail!("{name} does not start in time"),
        }
        function.started_in = began.elapsed();
        Ok(function)
    }

    /// Returns the id of the function's process, or `None` if the process has ended.
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Sends an event and waits for the result. Returns `None` if the process of the function ends or exceeds
    /// `time_out`.
    pub async fn invoke(&mut self, event: Value, time_out: Duration) -> Option<InvocationResult> {
        self.events.send((time_out, event)).await.ok()?;
        tokio::select! {
            answered = self.answers.recv() => answered,
            _ = self.process.wait() => None,
            () = tokio::time::sleep(time_out) => None,
        }
    }
}

/// Passes each line of a program's output to the log.
fn forward_lines(output: Option<impl AsyncRead + Unpin + Send + 'static>, log: Log) {
    let Some(output) = output else { return };
    tokio::spawn(async move {
        let mut lines = BufReader::new(output).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            log(&line);
        }
    });
}

async fn next_event(State(platform): State<Arc<RuntimeApi>>) -> Response {
    platform.ready.notify_one();
    let (time_out, event) = match platform.events.lock().await.recv().await {
        Some(event) => event,
        None => std::future::pending().await,
    };
    let deadline = SystemTime::now() + time_out;
    let deadline = deadline.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis();
    let mut response = Response::new(Body::from(event.to_string()));
    for (name, value) in [
        ("lambda-runtime-aws-request-id", request_id().as_str()),
        ("lambda-runtime-deadline-ms", deadline.to_string().as_str()),
        ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:us-east-1:123456789012:function:function"),
        ("content-type", "application/json"),
    ] {
        if let Ok(value) = http::HeaderValue::from_str(value) {
            response.headers_mut().insert(http::HeaderName::from_static(name), value);
        }
    }
    response
}

/// Generates the id of an event, a random UUID.
fn request_id() -> String {
    let mut bytes = [0u8; 16];
    SystemRandomSource.fill_bytes(&mut bytes);
    let mut id: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    for place in [20, 16, 12, 8] {
        id.insert(place, '-');
    }
    id
}

async fn receive_result(
    State(platform): State<Arc<RuntimeApi>>,
    Part((_, outcome)): Part<(String, String)>,
    body: Bytes,
) -> Response {
    if outcome == "response" && body.len() > LARGEST_RESULT {
        let message = format!("Response payload size exceeded maximum allowed payload size ({LARGEST_RESULT} bytes).");
        let error = serde_json::json!({ "errorType": "Function.ResponseSizeTooLarge", "errorMessage": message });
        let _ = platform.answers.send(InvocationResult::Error(error)).await;
        return accepted(413);
    }
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let answered = if outcome == "response" { InvocationResult::Response(body) } else { InvocationResult::Error(body) };
    let _ = platform.answers.send(answered).await;
    accepted(202)
}

async fn receive_error(State(platform): State<Arc<RuntimeApi>>, body: Bytes) -> Response {
    let _ = platform.answers.send(InvocationResult::Error(serde_json::from_slice(&body).unwrap_or_default())).await;
    accepted(202)
}

fn accepted(status: u16) -> Response {
    let mut response = Response::new(Body::from("{}"));
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap_or_default();
    response
}
