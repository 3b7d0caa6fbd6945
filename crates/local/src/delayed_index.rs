//! DynamoDB as it is in a bad hour, for tests: what was written lately is not in the index yet.
//!
//! The embedded DynamoDB's reads are always strong, so a design that leans on its index would never be found out. This
//! stands before it and takes, out of every answer of the index, the items that were written within the delay.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const LARGEST_BODY: usize = 16 * 1024 * 1024;

struct Delay {
    client: Client<HttpConnector, Full<bytes::Bytes>>,
    behind: SocketAddr,
    delay: Duration,
    /// When each item was last written, by its keys.
    written: Mutex<HashMap<String, Instant>>,
}

/// Stands before the DynamoDB at `behind` until `ended`; answers its address.
pub async fn serve(behind: SocketAddr, delay: Duration, ended: CancellationToken) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let client = Client::builder(TokioExecutor::new()).build_http();
    let state = Arc::new(Delay { client, behind, delay, written: Mutex::default() });
    let app = Router::new().fallback(pass).with_state(state);
    tokio::spawn(async move {
        let served = axum::serve(listener, app).with_graceful_shutdown(ended.cancelled_owned()).await;
        if let Err(error) = served {
            tracing::error!(%error, "the delayed index stopped");
        }
    });
    Ok(address)
}

async fn pass(State(delay): State<Arc<Delay>>, request: Request) -> Response {
    match delay.pass(request).await {
        Ok(response) => response,
        Err(error) => {
            tracing::warn!(%error, "the delayed index");
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::BAD_GATEWAY;
            response
        }
    }
}

impl Delay {
    async fn pass(&self, request: Request) -> Result<Response> {
        let (mut parts, body) = request.into_parts();
        let body = to_bytes(body, LARGEST_BODY).await?;
        parts.uri = format!("http://{}/", self.behind).parse()?;
        let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
        let of_index = asked.get("IndexName").is_some();
        // Before it is passed on: an index query answered meanwhile must not see it.
        self.note(&asked);
        let answer = self.client.request(http::Request::from_parts(parts, Full::new(body))).await?;
        let (mut parts, body) = answer.into_parts();
        let bytes = body.collect().await?.to_bytes();
        if !of_index {
            return Ok(Response::from_parts(parts, Body::from(bytes)));
        }
        let mut answer: Value = serde_json::from_slice(&bytes)?;
        if let Some(items) = answer.get_mut("Items").and_then(Value::as_array_mut) {
            items.retain(|item| !self.written_lately(item));
        }
        parts.headers.remove("x-amz-crc32");
        parts.headers.remove(http::header::CONTENT_LENGTH);
        Ok(Response::from_parts(parts, Body::from(serde_json::to_vec(&answer)?)))
    }

    /// Remembers the items a request writes: `Item` and `Key` of PutItem and UpdateItem, and those of a transaction.
    fn note(&self, asked: &Value) {
        let single = asked.get("UpdateExpression").is_some() || asked.get("Item").is_some();
        let mut items: Vec<&Value> =
            if single { [asked.get("Item"), asked.get("Key")].into_iter().flatten().collect() } else { vec![] };
        let writes = asked.get("TransactItems").and_then(Value::as_array);
        for write in writes.into_iter().flatten().filter_map(Value::as_object).flat_map(|write| write.values()) {
            items.extend([write.get("Item"), write.get("Key")].into_iter().flatten());
        }
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        for key in items.into_iter().filter_map(key) {
            written.insert(key, Instant::now());
        }
    }

    fn written_lately(&self, item: &Value) -> bool {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        key(item).and_then(|key| written.get(&key).copied()).is_some_and(|at| at.elapsed() < self.delay)
    }
}

fn key(item: &Value) -> Option<String> {
    let text = |name: &str| item.get(name)?.get("S")?.as_str();
    Some(format!("{}\n{}", text("pk")?, text("sk")?))
}
