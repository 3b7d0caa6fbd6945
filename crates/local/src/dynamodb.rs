//! DynamoDB on a loopback port.
//!
//! Other users of this machine, and web pages in its browsers, can reach the port. dynoxide's own server accepts any
//! signature and lets every web page read its responses. Therefore this module has its own server for dynoxide's
//! operations. It accepts only requests that are signed with a secret, which is new at every start.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use dynoxide::{Database, DynoxideError};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method, StatusCode};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::delayed_index::DelayedIndex;
use crate::faults::Faults;
use crate::loopback;
use crate::meter::ReadMeter;
use crate::rights::{INSTALLATION_KEY_ID, Rights, calls};
use crate::signature::Signatures;

/// DynamoDB's limit on a request body in bytes.
const LARGEST_BODY_BYTES: usize = 16 * 1024 * 1024;
/// The DynamoDB operations that write items.
const WRITES: [&str; 5] = ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"];
/// The header that names the operation.
const TARGET: &str = "x-amz-target";

struct DynamoDb {
    addresses: Vec<SocketAddr>,
    database: Database,
    signatures: Signatures,
    hooks: TestHooks,
}

/// Hooks that tests and benchmarks add to the database. Empty in normal use.
pub struct TestHooks {
    pub delayed_index: Option<DelayedIndex>,
    pub faults: Arc<Faults>,
    pub meter: Option<Arc<ReadMeter>>,
    pub rights: Option<Arc<dyn Rights>>,
    /// Addresses of proxies in front of the database. Requests addressed to them are accepted as well.
    pub proxies: Vec<SocketAddr>,
}

/// Opens the database at `path`, or creates it. If the file is damaged, returns an error and does not change the file.
/// An empty file is damaged too, unless `first_start`: a process that was killed during the first start may leave one.
pub fn open(path: &Path, first_start: bool) -> Result<Database> {
    let name = path.to_str().context("the data folder's name is not UTF-8")?;
    if path.exists() {
        check(path, first_start).map_err(|error| {
            anyhow!(
                "the database {name} is damaged ({error}). The file was not changed: restore a copy of it, or move it away to start with an empty installation"
            )
        })?;
    }
    Database::new(name).map_err(|error| anyhow!("the database {name} cannot be opened: {error}"))
}

/// Checks the database file for damage: reads the whole file, without writing. Without this check, SQLite would notice
/// some damage only when a query reads the damaged part.
fn check(path: &Path, may_be_empty: bool) -> Result<()> {
    // SQLite regards an empty file as a new database.
    if !may_be_empty && std::fs::metadata(path)?.len() == 0 {
        return Err(anyhow!("the file is empty"));
    }
    let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let found: String = file.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(anyhow!(found)) }
}

/// Serves the database until `ended`, and returns its address.
pub async fn serve(
    database: Database,
    signatures: Signatures,
    hindrances: TestHooks,
    ended: CancellationToken,
) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let addresses = [&[address], &*hindrances.proxies].concat();
    let dynamodb = Arc::new(DynamoDb { addresses, database, signatures, hooks: hindrances });
    let app = Router::new().fallback(handle_request).with_state(dynamodb);
    tokio::spawn(async move {
        let served = axum::serve(listener, app).with_graceful_shutdown(ended.cancelled_owned()).await;
        if let Err(error) = served {
            tracing::error!(%error, "the database stopped");
        }
    });
    Ok(address)
}

async fn handle_request(State(dynamodb): State<Arc<DynamoDb>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !loopback::is_for(&dynamodb.addresses, &parts.headers) {
        return empty(StatusCode::FORBIDDEN);
    }
    if parts.method != Method::POST || parts.uri.path() != "/" {
        return empty(StatusCode::NOT_FOUND);
    }
    let Ok(body) = to_bytes(body, LARGEST_BODY_BYTES).await else { return empty(StatusCode::PAYLOAD_TOO_LARGE) };
    let Some(caller) = dynamodb.signatures.caller(&parts, &body, &[TARGET]) else {
        return refused("InvalidSignatureException", "The signature does not hold.");
    };
    let target = parts.headers.get(TARGET).and_then(|target| target.to_str().ok()).unwrap_or_default();
    let Some(operation) = target.strip_prefix("DynamoDB_20120810.").map(str::to_owned) else {
        return refused("UnknownOperationException", "");
    };
    if !dynamodb.hooks.is_allowed(&caller, &operation, &body) {
        return refused("AccessDeniedException", "There is no right to do this.");
    }
    // The call blocks while the database waits for its lock or its disk.
    let answered = tokio::task::spawn_blocking(move || dynamodb.execute_with_faults(&operation, &body)).await;
    answered.unwrap_or_else(|error| {
        tracing::error!(%error, "the database failed");
        json(StatusCode::INTERNAL_SERVER_ERROR, error_json("InternalServerError", ""))
    })
}

impl TestHooks {
    fn is_allowed(&self, caller: &str, operation: &str, body: &[u8]) -> bool {
        let Some(rights) = self.rights.as_ref().filter(|_| caller != INSTALLATION_KEY_ID) else { return true };
        calls(caller, operation, &parsed(body)).iter().all(|call| rights.allow(call))
    }
}

impl DynamoDb {
    fn execute_with_faults(&self, operation: &str, body: &[u8]) -> Response {
        if operation == "TransactWriteItems"
            && let Some(refusal) = self.hooks.faults.conflict(body)
        {
            return json(StatusCode::BAD_REQUEST, refusal);
        }
        if !WRITES.contains(&operation) {
            return self.execute_with_delay(operation, body);
        }
        let begins_removal =
            operation == "TransactWriteItems" && String::from_utf8_lossy(body).contains(r#"{"S":"GOING"}"#);
        let counted = self.hooks.faults.before_write(begins_removal);
        let answer = self.execute_with_delay(operation, body);
        self.hooks.faults.after_write(counted);
        answer
    }

    fn execute_with_delay(&self, operation: &str, body: &[u8]) -> Response {
        let lagging = self.hooks.delayed_index.as_ref().map(|index| (index, parsed(body)));
        if let Some((index, asked)) = &lagging {
            let table = asked["TableName"].as_str().or_else(|| table_of_writes(asked)).unwrap_or_default();
            index.record_writes(operation, asked, |key| self.read_item(table, key));
        }
        let answered = self.execute_metered(operation, body).and_then(|answer| match &lagging {
            Some((index, asked)) => index.as_before(asked, answer).map_err(internal),
            None => Ok(answer),
        });
        match answered {
            Ok(answer) => json(StatusCode::OK, answer),
            Err(error) => {
                let status = StatusCode::from_u16(error.status_code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                json(status, error.to_json())
            }
        }
    }

    /// Returns an item of the table, if it exists.
    fn read_item(&self, table: &str, key: &Value) -> Option<Value> {
        let request = serde_json::json!({ "TableName": table, "Key": key, "ConsistentRead": true }).to_string();
        let found = self.dispatch("GetItem", request.as_bytes()).ok()?;
        parsed(found.as_bytes()).get_mut("Item").map(Value::take)
    }

    fn execute_metered(&self, operation: &str, body: &[u8]) -> Result<String, DynoxideError> {
        let Some(meter) = &self.hooks.meter else { return self.dispatch(operation, body) };
        let Some(asking) = ReadMeter::with_capacity_request(operation, body) else {
            return self.dispatch(operation, body);
        };
        let answer = self.dispatch(operation, &asking)?;
        meter.add_consumed(&answer);
        Ok(answer)
    }

    /// Executes a DynamoDB operation and returns the response. Only the operations that the product and its tests use
    /// are supported.
    fn dispatch(&self, operation: &str, body: &[u8]) -> Result<String, DynoxideError> {
        macro_rules! call {
            ($method:ident) => {{
                let request = serde_json::from_slice(body)
                    .map_err(|error| DynoxideError::SerializationException(error.to_string()))?;
                serde_json::to_string(&self.database.$method(request)?).map_err(internal)
            }};
        }
        if operation == "Query" && compares_with_empty_key(&parsed(body)) {
            let message = "The AttributeValue for a key attribute cannot contain an empty string value.";
            return Err(DynoxideError::ValidationException(message.to_owned()));
        }
        match operation {
            "CreateTable" => call!(create_table),
            "DescribeTable" => call!(describe_table),
            "UpdateTimeToLive" => call!(update_time_to_live),
            "DescribeTimeToLive" => call!(describe_time_to_live),
            "GetItem" => call!(get_item),
            "PutItem" => call!(put_item),
            "UpdateItem" => call!(update_item),
            "DeleteItem" => call!(delete_item),
            "BatchGetItem" => call!(batch_get_item),
            "BatchWriteItem" => call!(batch_write_item),
            "Query" => call!(query),
            "Scan" => call!(scan),
            "TransactGetItems" => call!(transact_get_items),
            "TransactWriteItems" => call!(transact_write_items),
            other => Err(DynoxideError::ValidationException(format!("{other} is not served here"))),
        }
    }
}

/// Returns the name of the table that a transaction or a batch writes.
fn table_of_writes(asked: &Value) -> Option<&str> {
    let batch = asked["RequestItems"].as_object().and_then(|tables| tables.keys().next());
    let transaction = || asked["TransactItems"][0].as_object()?.values().next()?["TableName"].as_str();
    batch.map(String::as_str).or_else(transaction)
}

/// Returns whether a query compares a key with an empty text. DynamoDB refuses this; dynoxide does not.
fn compares_with_empty_key(query: &Value) -> bool {
    let condition = query["KeyConditionExpression"].as_str().unwrap_or_default();
    let values = query["ExpressionAttributeValues"].as_object();
    let mut empty = values.into_iter().flatten().filter(|(_, value)| value["S"] == "").map(|(name, _)| name.as_str());
    let named = |name: &str| {
        condition.split(|letter: char| !letter.is_alphanumeric() && letter != ':').any(|word| word == name)
    };
    empty.any(named)
}

fn parsed(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}

fn internal(error: serde_json::Error) -> DynoxideError {
    DynoxideError::InternalServerError(error.to_string())
}

fn refused(kind: &str, message: &str) -> Response {
    json(StatusCode::BAD_REQUEST, error_json(kind, message))
}

fn error_json(kind: &str, message: &str) -> String {
    serde_json::json!({ "__type": format!("com.amazon.coral.service#{kind}"), "message": message }).to_string()
}

fn json(status: StatusCode, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-amz-json-1.0"));
    response
}

fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}
