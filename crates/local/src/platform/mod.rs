//! A local Lambda platform. It runs the programs of the functions with the environment of template.yaml. It has local
//! versions of the runtime API, of the Parameter Store of Systems Manager and of SES. `cargo xtask test cloud` runs the
//! API tests against it; `cargo xtask bench cold` measures cold starts.

mod event;
mod function;
mod mails;
mod parameters;
mod programs;
mod template;

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use functions::http::{Error, ErrorCode, Failure};
use functions::routes::{not_found, other_method, routes};
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderValue};
use serde_json::json;
use waraq_aws::{MailFolder, Secrets, Settings};

use crate::rights::Rights;
pub use function::{Function, InvocationResult, LARGEST_EVENT, LARGEST_RESULT, Log};
pub use parameters::ParameterService;
pub use programs::{FunctionSettings, InvocationError, LocalServices, ProgramSettings, Programs};
pub use template::{functions, parse_template};

/// The secret with which the local CDN proves its identity.
pub const ORIGIN_SECRET: &str = "theSecretBetweenTheGatewayAndItsFunctions";
/// API Gateway's limit on a body in bytes; Lambda's is lower.
const LARGEST_BODY: usize = 10 * 1000 * 1000;

/// Prepares the programs of an installation, and starts local replacements of the Parameter Store and of SES. A program
/// itself is started at its first call.
pub async fn start(
    programs: ProgramSettings,
    settings: &Settings,
    secrets: &Secrets,
    mails: MailFolder,
    rights: Option<Arc<dyn Rights>>,
) -> Result<Arc<Programs>> {
    let parameters = ParameterService::with_rights(rights);
    let names = programs::secret_names(settings);
    let keys: Vec<String> = secrets.token_public_keys.iter().map(|key| BASE64.encode(key)).collect();
    let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| BASE64.encode(bytes));
    let code = secrets.code.as_ref().map(|code| String::from_utf8_lossy(code).into_owned());
    for (name, value) in [
        (names.token_public_keys, Some(keys.join(","))),
        (names.token_private_key, text(&secrets.token_private_key)),
        (names.code, code),
        (names.origin, Some(ORIGIN_SECRET.to_owned())),
        (names.cognito_client, secrets.cognito_client.clone()),
    ] {
        if let (Some(name), Some(value)) = (name, value) {
            parameters.set_parameter(&name, &value);
        }
    }
    let stand_ins = LocalServices { parameters: parameters.serve().await?, mails: mails::serve(mails).await? };
    Ok(Arc::new(Programs::new(programs, settings, stand_ins)?))
}

/// Returns a router that calls the programs for the routes of the API, as API Gateway would call the functions.
pub fn router(programs: &Arc<Programs>) -> Router {
    let router = routes().into_iter().fold(Router::new(), |router, route| {
        let Ok(filter) = MethodFilter::try_from(http::Method::try_from(route.method).unwrap_or_default()) else {
            return router;
        };
        let called = RouteTarget {
            programs: Arc::clone(programs),
            key: format!("{} {}", route.method, route.path),
            function: route.function,
        };
        router.route(&route.path, on(filter, call).with_state(Arc::new(called)))
    });
    router.method_not_allowed_fallback(other_method).fallback(not_found)
}

struct RouteTarget {
    programs: Arc<Programs>,
    function: String,
    key: String,
}

async fn call(
    State(called): State<Arc<RouteTarget>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let too_large = || {
        let message = "This request is larger than the platform takes.";
        Failure(Error::new(ErrorCode::RequestTooLarge, message).with_limit(LARGEST_EVENT as u64)).into_response()
    };
    let body = match to_bytes(body, LARGEST_BODY).await {
        Ok(body) => body,
        Err(error) if is_too_long(&error) => return too_large(),
        Err(_) => {
            let message = "The request body is incomplete.";
            return Failure(Error::new(ErrorCode::InvalidBody, message)).into_response();
        }
    };
    let event = event::event(&parts, &body, &called.key, peer, ORIGIN_SECRET);
    match called.programs.invoke(&called.function, event).await {
        Ok(answer) => event::response(&answer).unwrap_or_else(|| {
            tracing::error!(function = called.function, "the function's result is not the response of a route");
            gateway_error(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
        }),
        Err(InvocationError::TooLarge) => too_large(),
        Err(InvocationError::Failed(error)) => {
            tracing::error!(function = called.function, error, "failed");
            gateway_error(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
        }
        Err(InvocationError::TimedOut) => {
            tracing::error!(function = called.function, "the function timed out");
            gateway_error(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable")
        }
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Returns an error response as API Gateway itself creates it. The body has a message but no error code.
fn gateway_error(status: StatusCode, message: &str) -> Response {
    let mut response = Response::new(Body::from(json!({ "message": message }).to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
