//! Turns a handler into a route: its method and path, its authorisation, and the middleware around each call.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::{HttpBody, to_bytes};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::handler::Handler;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::HeaderValue;
use http::header::CONTENT_LENGTH;
use lambda_http::RequestExt;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa_axum::router::UtoipaMethodRouter;
use waraq_aws::Cloud;
use waraq_core::ErrorCode::{self, *};
use waraq_core::clock::new_id;

use super::caching::IfNoneMatch;
use super::response::LoggedError;
use super::{
    AcceptedLanguage, Admin, AdminsUsers, Error, Failure, Form, IdempotencyKey, Json, JsonOrForm, LARGEST_BODY_BYTES,
    MaybeUser, NamesLanguage, Path, Query, RequestSource, TokenHolder, User, metrics, source,
};

/// The callers that a route accepts. If the arguments of its handler accept different callers, the strictest argument
/// decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// The route accepts any caller and ignores a token.
    Anyone,
    /// The route accepts any caller, but a token must be valid if one is sent.
    MaybeUser,
    User,
    Admin,
}

/// A type that a handler may take as an argument.
pub trait Argument {
    /// The callers for whom this argument can be extracted from a request.
    const ACCESS: Access = Access::Anyone;
    /// The error codes with which extraction refuses a request.
    const REFUSES: &'static [ErrorCode] = &[];

    /// Returns the codes with which extraction refuses a request, by default `REFUSES`. A type that contains another
    /// argument must add the codes of that argument.
    fn refuses() -> Vec<ErrorCode> {
        Self::REFUSES.to_vec()
    }
}

impl Argument for State<Arc<Cloud>> {}
impl Argument for RequestSource {}
impl Argument for AcceptedLanguage {}
impl Argument for NamesLanguage {
    const REFUSES: &'static [ErrorCode] = &[InvalidQuery, UnknownLanguage];
}
impl Argument for IfNoneMatch {}
impl Argument for IdempotencyKey {
    const REFUSES: &'static [ErrorCode] = &[InvalidIdempotencyKey, IdempotencyKeyReused];
}
impl Argument for Form {
    const REFUSES: &'static [ErrorCode] = &[FormExpected, InvalidBody, RequestTooLarge];
}
impl<T> Argument for Path<T> {
    const REFUSES: &'static [ErrorCode] = &[InvalidId];
}
impl<T> Argument for Query<T> {
    const REFUSES: &'static [ErrorCode] = &[InvalidQuery];
}
impl<T> Argument for Json<T> {
    const REFUSES: &'static [ErrorCode] = &[JsonExpected, InvalidBody, RequestTooLarge];
}
impl<T> Argument for JsonOrForm<T> {
    const REFUSES: &'static [ErrorCode] = &[JsonExpected, FormExpected, InvalidBody, RequestTooLarge];
}
impl Argument for MaybeUser {
    const ACCESS: Access = Access::MaybeUser;
    const REFUSES: &'static [ErrorCode] = &[LoginRequired, InvalidToken, SessionEnded];
}
impl Argument for User {
    const ACCESS: Access = Access::User;
    const REFUSES: &'static [ErrorCode] = &[LoginRequired, InvalidToken, SessionEnded];
}
impl Argument for TokenHolder {
    const ACCESS: Access = User::ACCESS;
    const REFUSES: &'static [ErrorCode] = User::REFUSES;
}
impl Argument for Admin {
    const ACCESS: Access = Access::Admin;
    const REFUSES: &'static [ErrorCode] = &[LoginRequired, InvalidToken, SessionEnded, Forbidden];
}
impl Argument for AdminsUsers {
    const ACCESS: Access = Admin::ACCESS;
    const REFUSES: &'static [ErrorCode] = Admin::REFUSES;
}

/// Error codes that any route may return: internal errors, unavailable stores, calls that bypass the CDN, and headers
/// the platform refuses.
const ANY_REFUSES: &[ErrorCode] = &[HeadersTooLarge, Internal, OriginRefused, Unavailable];

/// Limit on a response body: the 6 MB and 100 bytes of a Lambda response, less 16 KB for the headers.
const LARGEST_RESPONSE_BYTES: usize = 6_291_556 - 16_384;

/// The functions that end the session of the request's token or return its successor. Their successful responses do not ask
/// the client to renew the old token.
const REPLACE_TOKEN: [&str; 5] =
    ["auth-change-password", "auth-logout", "auth-refresh", "auth-verify-change-email-otp", "users-delete-me"];

/// The name of the only function that accepts calls which bypass the CDN.
const HEALTH: &str = "health";

/// The callers that a handler accepts and the error codes of its arguments, derived from its signature.
pub struct Signature {
    access: Access,
    refuses: Vec<ErrorCode>,
}

/// The tuple with which axum describes the arguments of a handler: a marker type, then the types of the arguments.
pub trait Arguments {
    fn signature() -> Signature;
}

impl Arguments for ((),) {
    fn signature() -> Signature {
        Signature { access: Access::Anyone, refuses: Vec::new() }
    }
}

macro_rules! arguments {
    ($($argument:ident),+) => {
        impl<Mark, $($argument: Argument),+> Arguments for (Mark, $($argument,)+) {
            fn signature() -> Signature {
                let access = [$($argument::ACCESS),+].into_iter().max().unwrap_or(Access::Anyone);
                Signature { access, refuses: [$($argument::refuses()),+].concat() }
            }
        }
    };
}

arguments!(A);
arguments!(A, B);
arguments!(A, B, C);
arguments!(A, B, C, D);
arguments!(A, B, C, D, E);
arguments!(A, B, C, D, E, F);
arguments!(A, B, C, D, E, F, G);

pub fn signature<T: Arguments, H: Handler<T, Arc<Cloud>>>(_: &H) -> Signature {
    T::signature()
}

/// A route of the API.
pub struct Route {
    /// Name of the Lambda function and the binary: `documents-fill-fields` for `documents/fill_fields.rs`.
    pub function: String,
    /// HTTP method: `GET`, `POST` …
    pub method: &'static str,
    /// Path pattern, with `{name}` for a variable segment.
    pub path: String,
    pub who: Access,
    /// The codes of all errors that the route may return.
    pub refuses: BTreeSet<ErrorCode>,
    /// The axum handler of the route, and its part of the OpenAPI document.
    pub handler: UtoipaMethodRouter<Arc<Cloud>>,
}

/// Returns the handler of a route with a limit on the size of bodies, and with the middleware that runs around each
/// call.
pub fn with_middleware(route: Route, cloud: &Arc<Cloud>) -> UtoipaMethodRouter<Arc<Cloud>> {
    let (schemas, paths, handler) = route.handler;
    let around = from_fn_with_state((Arc::from(route.function), Arc::clone(cloud)), handle_call);
    (schemas, paths, handler.layer(DefaultBodyLimit::max(LARGEST_BODY_BYTES)).route_layer(around))
}

/// Generates the `route()` of a handler's file, for the gateway, and its `main`, for the Lambda function. `refuses`
/// lists the error codes of the handler itself, without those of its arguments:
/// `functions::route!(login, refuses: [InvalidCredentials, TooManyAttempts]);`. `+ A_LIST` adds the codes of a
/// constant.
#[macro_export]
macro_rules! route {
    ($handler:ident $(, refuses: [$($code:ident),* $(,)?] $(+ $more:ident)*)?) => {
        pub fn route() -> $crate::http::Route {
            let refuses: &[&[$crate::http::ErrorCode]] = &[$(&[$($crate::http::ErrorCode::$code),*] $(, $more)*)?];
            let signature = $crate::http::signature(&$handler);
            $crate::http::Route::new(file!(), signature, refuses, utoipa_axum::routes!($handler))
        }

        pub fn main() -> std::process::ExitCode {
            $crate::http::lambda::run_route(route())
        }
    };
}

impl Route {
    /// Creates a route, as the macro `route!` does. `file` is the source file of the handler. The `#[utoipa::path]` of
    /// the handler has one method and one path.
    pub fn new(
        file: &str,
        signature: Signature,
        refuses: &[&[ErrorCode]],
        (schemas, mut paths, handler): UtoipaMethodRouter<Arc<Cloud>>,
    ) -> Self {
        let function = function_of(file);
        let refuses = [&signature.refuses, ANY_REFUSES, &refuses.concat()].concat().into_iter();
        let refuses = refuses.filter(|code| function != HEALTH || *code != OriginRefused).collect();
        let (mut path, mut method) = (String::new(), "");
        for (described, item) in &mut paths.paths {
            path.clone_from(described);
            for (name, operation) in operations(item) {
                method = name;
                operation.operation_id = Some(function.clone());
                operation.responses.responses.extend(crate::openapi::error_responses(&refuses));
            }
        }
        Self { function, method, path, who: signature.access, refuses, handler: (schemas, paths, handler) }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let all = [
        ("GET", &mut item.get),
        ("POST", &mut item.post),
        ("PUT", &mut item.put),
        ("PATCH", &mut item.patch),
        ("DELETE", &mut item.delete),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// Returns the name of the Lambda function for a source file: `functions/documents/fill_fields.rs` →
/// `documents-fill-fields`.
fn function_of(file: &str) -> String {
    let file = file.replace('\\', "/");
    let inside = file.rsplit_once("functions/").map_or(file.as_str(), |(_, inside)| inside);
    inside.trim_end_matches(".rs").replace(['/', '_'], "-")
}

/// True if the client should renew the token of the request. The extractor that verifies the token sets this flag. The
/// response then has the header `X-Renewal-Due: true`, and the client calls POST /auth/refresh.
#[derive(Clone, Default)]
pub(super) struct RenewalDue(pub Arc<AtomicBool>);

/// Handles one call: a panic or a timeout becomes an error response of this call only. Writes a line to the log.
async fn handle_call(
    State((function, cloud)): State<(Arc<str>, Arc<Cloud>)>,
    mut request: Request,
    next: Next,
) -> Response {
    let renewal_due = RenewalDue::default();
    request.extensions_mut().insert(renewal_due.clone());
    let method = request.method().clone();
    let lambda = request.lambda_context_ref();
    let lambda_function = lambda.is_some();
    let id = lambda.map_or_else(|| new_id(cloud.clock(), cloud.random_source()), |context| context.request_id.clone());
    let time = lambda.map_or(LONGEST_CALL, |context| time_left(context.deadline));
    let started = Instant::now();
    let sent = request.headers().get(source::ORIGIN_SECRET).cloned();
    let known_versions = IfNoneMatch::from_headers(request.headers());
    let answered = AssertUnwindSafe(with_time_limit(time, async {
        cloud.ready().await?;
        let sent = sent.as_ref().and_then(|sent| sent.to_str().ok());
        if &*function != HEALTH && !cloud.accepts_origin_secret(sent) {
            let message = "Requests are accepted only at the address of the site.";
            return Err(Error::new(OriginRefused, message));
        }
        check_response_size(next.run(request).await).await
    }));
    // The panic hook has already logged the location.
    let answered = answered.catch_unwind().await.unwrap_or_else(|_| Err(Error::internal("panicked")));
    let mut response = answered.unwrap_or_else(|error| Failure(error).into_response());
    known_versions.apply(&mut response);
    let is_replaced = response.status().is_success() && REPLACE_TOKEN.contains(&&*function);
    if renewal_due.0.load(Ordering::Relaxed) && !is_replaced {
        response.headers_mut().insert("x-renewal-due", HeaderValue::from_static("true"));
    }
    if lambda_function {
        metrics::count_response(&function, response.status());
    }
    let (status, ms) = (response.status().as_u16(), u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX));
    match response.extensions().get::<LoggedError>() {
        Some(LoggedError(error)) if status >= 500 => {
            tracing::error!(%function, %method, status, ms, request = id, code = %error.code, cause = error.cause.as_deref(), "answered");
        }
        Some(LoggedError(error)) => {
            tracing::info!(%function, %method, status, ms, request = id, code = %error.code, "answered");
        }
        None => tracing::info!(%function, %method, status, ms, request = id, "answered"),
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", id);
    }
    response
}

/// Replaces a response that is too large for the platform by an internal error, because the platform's own error would
/// have no code and no line in the log.
async fn check_response_size(response: Response) -> Result<Response, Error> {
    // A body in several chunks has no size of its own, but a Content-Length.
    let length = response.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let size = response.body().size_hint().upper().or(length);
    // In the JSON of a Lambda response, a byte takes at most two bytes, because it is escaped or in base64.
    if size.is_some_and(|bytes: u64| bytes <= LARGEST_RESPONSE_BYTES as u64 / 2) {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, LARGEST_RESPONSE_BYTES).await;
    let body = body.map_err(|error| Error::internal(format!("an answer: {error}")))?;
    let escaped = body.iter().filter(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).count();
    let bytes = match std::str::from_utf8(&body) {
        Ok(_) => body.len() + escaped,
        Err(_) => body.len().div_ceil(3) * 4,
    };
    if bytes > LARGEST_RESPONSE_BYTES {
        return Err(Error::internal(format!("an answer of {bytes} bytes is more than the platform takes")));
    }
    Ok(Response::from_parts(parts, body.into()))
}

/// Time limit of a call for which the platform gives no deadline. API Gateway's own limit is 30 s.
const LONGEST_CALL: Duration = Duration::from_secs(29);
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Time reserved to send the response.
const RESPONSE_RESERVE: Duration = Duration::from_millis(500);

/// Returns the time until shortly before the platform ends the call. `deadline` is in milliseconds since the epoch.
pub(super) fn time_left(deadline: u64) -> Duration {
    time_left_at(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(), Duration::from_millis(deadline))
}

fn time_left_at(now: Duration, deadline: Duration) -> Duration {
    // `cargo lambda watch` always sends a deadline ten minutes after the epoch (1970). A deadline more than a day in
    // the past is ignored.
    if deadline + A_DAY < now {
        return LONGEST_CALL;
    }
    deadline.saturating_sub(now).saturating_sub(RESPONSE_RESERVE)
}

pub(super) async fn with_time_limit<T>(
    time: Duration,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let done = tokio::time::timeout(time, work).await;
    done.unwrap_or_else(|_| Err(Error::unavailable("the call took too long")))
}

/// Installs a panic hook that logs where a panic happened. The message is left out because it may contain user data.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "panicked");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadline_in_1970_is_ignored() {
        let now = Duration::from_secs(1_800_000_000);
        assert_eq!(time_left_at(now, now + Duration::from_secs(10)), Duration::from_millis(9_500));
        assert_eq!(time_left_at(now, now - Duration::from_secs(1)), Duration::ZERO);
        assert_eq!(time_left_at(now, Duration::from_millis(600_000)), LONGEST_CALL);
    }

    #[test]
    fn functions_are_named_after_their_files() {
        assert_eq!(function_of("functions/documents/fill_fields.rs"), "documents-fill-fields");
        assert_eq!(function_of("functions\\media.rs"), "media");
    }
}
