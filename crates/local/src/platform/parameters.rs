//! A local replacement for the Parameter Store of AWS Systems Manager.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::{Value, json};

use crate::rights::{FunctionCall, INSTALLATION_KEY_ID, Resource, Rights};

/// A local replacement for the AWS Parameter Store: returns parameters by name.
#[derive(Clone, Default)]
pub struct ParameterService {
    kept: Arc<Mutex<ParameterValues>>,
    rights: Option<Arc<dyn Rights>>,
}

#[derive(Default)]
struct ParameterValues {
    values: HashMap<String, String>,
    reads: usize,
}

impl ParameterService {
    /// Creates a service without parameters. If `rights` is given, a function can read only the parameters that its
    /// policy allows.
    pub fn with_rights(rights: Option<Arc<dyn Rights>>) -> Self {
        Self { rights, ..Self::default() }
    }

    fn kept(&self) -> MutexGuard<'_, ParameterValues> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn set_parameter(&self, name: &str, value: &str) {
        self.kept().values.insert(name.to_owned(), value.to_owned());
    }

    /// Returns the number of calls of GetParameters.
    pub fn reads(&self) -> usize {
        self.kept().reads
    }

    /// Starts the service in the background and returns its address. The service runs until this process ends.
    pub async fn serve(&self) -> Result<SocketAddr> {
        let app = Router::new().fallback(handle_request).with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                tracing::error!(%error, "the local parameter store stopped");
            }
        });
        Ok(address)
    }

    fn is_allowed(&self, function: &str, names: &[&str]) -> bool {
        let Some(rights) = self.rights.as_ref().filter(|_| function != INSTALLATION_KEY_ID) else { return true };
        let call = |name: &&str| FunctionCall {
            function: function.to_owned(),
            action: "ssm:GetParameters".to_owned(),
            resource: Resource::Parameter((*name).to_owned()),
        };
        names.iter().all(|name| rights.allow(&call(name)))
    }
}

/// Returns the access key id with which a request is signed.
pub fn caller(headers: &HeaderMap) -> &str {
    let authorization = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let credential = authorization.split_once("Credential=").map_or("", |(_, rest)| rest);
    credential.split('/').next().unwrap_or_default()
}

async fn handle_request(State(parameters): State<ParameterService>, headers: HeaderMap, body: Bytes) -> Response {
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    let call = headers.get("x-amz-target").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let names: Vec<&str> = asked["Names"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !parameters.is_allowed(caller(&headers), &names) {
        return refused("AccessDeniedException");
    }
    let mut kept = parameters.kept();
    let ParameterValues { values, reads } = &mut *kept;
    let name = asked["Name"].as_str().unwrap_or_default();
    let found = |name: &str| values.get(name).map(|value| json!({ "Name": name, "Value": value }));
    match call {
        "AmazonSSM.GetParameters" if asked["WithDecryption"] == true => {
            *reads += 1;
            let there: Vec<Value> = names.iter().filter_map(|name| found(name)).collect();
            let invalid: Vec<&&str> = names.iter().filter(|name| !values.contains_key(**name)).collect();
            json_response(StatusCode::OK, &json!({ "Parameters": there, "InvalidParameters": invalid }))
        }
        "AmazonSSM.GetParameter" => match found(name) {
            Some(parameter) => json_response(StatusCode::OK, &json!({ "Parameter": parameter })),
            None => refused("ParameterNotFound"),
        },
        "AmazonSSM.PutParameter" if values.contains_key(name) && asked["Overwrite"] != true => {
            refused("ParameterAlreadyExists")
        }
        "AmazonSSM.PutParameter" => {
            values.insert(name.to_owned(), asked["Value"].as_str().unwrap_or_default().to_owned());
            json_response(StatusCode::OK, &json!({ "Version": 1 }))
        }
        _ => refused("ValidationException"),
    }
}

fn refused(kind: &str) -> Response {
    json_response(StatusCode::BAD_REQUEST, &json!({ "__type": kind, "message": "" }))
}

fn json_response(status: StatusCode, answer: &Value) -> Response {
    let mut response = Response::new(Body::from(answer.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-amz-json-1.1"));
    response
}
