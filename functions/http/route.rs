//! A handler becomes a route: where it is, who may call it, and what happens around each of its calls.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::{HttpBody, to_bytes};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::handler::Handler;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::HeaderValue;
use lambda_http::RequestExt;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa_axum::router::UtoipaMethodRouter;
use waraq_aws::Cloud;
use waraq_core::ErrorCode::{self, *};
use waraq_core::clock::new_id;

use super::answer::Failed;
use super::{
    Accepted, Admin, AdminsUsers, Error, Failure, Form, Guest, IdempotencyKey, Json, JsonOrForm, LARGEST_BODY_BYTES,
    MaybeUser, Names, Path, Query, User, figures, source,
};

/// Who may call a route: the strictest of what its handler asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// Anybody; a token is not looked at.
    Anyone,
    /// Anybody; a token that is sent must hold.
    MaybeUser,
    User,
    Admin,
}

/// What a handler may ask for.
pub trait Argument {
    /// Who can be given this at all.
    const WHO: Who = Who::Anyone;
    /// The codes it refuses a request with.
    const REFUSES: &'static [ErrorCode] = &[];
}

impl Argument for State<Arc<Cloud>> {}
impl Argument for Guest {}
impl Argument for Accepted {}
impl Argument for Names {
    const REFUSES: &'static [ErrorCode] = &[InvalidQuery, UnknownLanguage];
}
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
    const WHO: Who = Who::MaybeUser;
    const REFUSES: &'static [ErrorCode] = &[LoginRequired, InvalidToken, SessionEnded];
}
impl Argument for User {
    const WHO: Who = Who::User;
    const REFUSES: &'static [ErrorCode] = &[LoginRequired, InvalidToken, SessionEnded];
}
impl Argument for Admin {
    const WHO: Who = Who::Admin;
    const REFUSES: &'static [ErrorCode] = &[LoginRequired, InvalidToken, SessionEnded, Forbidden];
}
impl Argument for AdminsUsers {
    const WHO: Who = Admin::WHO;
    const REFUSES: &'static [ErrorCode] = Admin::REFUSES;
}

/// Our own faults and those of the stores, a call that goes round the CDN, and one whose head the platform does not take: any route may
/// answer so.
const ANY_REFUSES: &[ErrorCode] = &[HeadersTooLarge, Internal, OriginRefused, Unavailable];

/// What a Lambda may answer (6 MB and 100 bytes), less a head.
const LARGEST_ANSWER_BYTES: usize = 6_291_556 - 16_384;

/// The one function that answers calls which do not come by the site's address.
const HEALTH: &str = "health";

/// What a handler's signature says: who may call it, and the codes its arguments refuse requests with.
pub struct Signature {
    who: Who,
    refuses: Vec<ErrorCode>,
}

/// All of a handler's arguments, as axum has them: a mark, then each.
pub trait Arguments {
    fn signature() -> Signature;
}

impl Arguments for ((),) {
    fn signature() -> Signature {
        Signature { who: Who::Anyone, refuses: Vec::new() }
    }
}

macro_rules! arguments {
    ($($argument:ident),+) => {
        impl<Mark, $($argument: Argument),+> Arguments for (Mark, $($argument,)+) {
            fn signature() -> Signature {
                let who = [$($argument::WHO),+].into_iter().max().unwrap_or(Who::Anyone);
                Signature { who, refuses: [$($argument::REFUSES),+].concat() }
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
    /// The Lambda and the binary: `documents-fill-fields` for `documents/fill_fields.rs`.
    pub function: String,
    /// `GET`, `POST` …
    pub method: &'static str,
    /// With `{name}` for a part that varies.
    pub path: String,
    pub who: Who,
    /// The codes of the errors it answers with.
    pub refuses: BTreeSet<ErrorCode>,
    /// Its handler, and its part of the OpenAPI document.
    pub mounted: UtoipaMethodRouter<Arc<Cloud>>,
}

/// A route as it is called, with what happens around each of its calls.
pub fn served(route: Route, cloud: &Arc<Cloud>) -> UtoipaMethodRouter<Arc<Cloud>> {
    let (schemas, paths, handler) = route.mounted;
    let around = from_fn_with_state((Arc::from(route.function), Arc::clone(cloud)), around);
    (schemas, paths, handler.layer(DefaultBodyLimit::max(LARGEST_BODY_BYTES)).route_layer(around))
}

/// Makes the `route()` of a handler's file, for the gateway, and its `main`, the Lambda. `refuses` are the codes that the handler itself
/// refuses with, besides those of what it asks for: `functions::route!(login, refuses: [InvalidCredentials, TooManyAttempts]);`, with
/// `+ A_LIST` for codes that have a name together.
#[macro_export]
macro_rules! route {
    ($handler:ident $(, refuses: [$($code:ident),* $(,)?] $(+ $more:ident)*)?) => {
        pub fn route() -> $crate::http::Route {
            let refuses: &[&[$crate::http::ErrorCode]] = &[$(&[$($crate::http::ErrorCode::$code),*] $(, $more)*)?];
            let signature = $crate::http::signature(&$handler);
            $crate::http::Route::new(file!(), signature, refuses, utoipa_axum::routes!($handler))
        }

        pub fn main() -> std::process::ExitCode {
            $crate::http::lambda::run(route())
        }
    };
}

impl Route {
    /// Of `route!`. `file` is the handler's; an annotation has one method and one path.
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
                operation.responses.responses.extend(crate::openapi::refusals(&refuses));
            }
        }
        Self { function, method, path, who: signature.who, refuses, mounted: (schemas, paths, handler) }
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

/// `functions/documents/fill_fields.rs` → `documents-fill-fields`.
fn function_of(file: &str) -> String {
    let file = file.replace('\\', "/");
    let inside = file.rsplit_once("functions/").map_or(file.as_str(), |(_, inside)| inside);
    inside.trim_end_matches(".rs").replace(['/', '_'], "-")
}

/// A token that replaces the one a request came with: whoever checks the token puts it here, and it is sent back as `X-Renewed-Token`.
#[derive(Clone, Default)]
pub(super) struct Renewed(pub Arc<OnceLock<String>>);

/// Around each call: a panic, or a time that is over, costs this one request and is answered in a code; the log gets its line.
async fn around(State((function, cloud)): State<(Arc<str>, Arc<Cloud>)>, mut request: Request, next: Next) -> Response {
    let renewed = Renewed::default();
    request.extensions_mut().insert(renewed.clone());
    let method = request.method().clone();
    let lambda = request.lambda_context_ref();
    let lambda_function = lambda.is_some();
    let id = lambda.map_or_else(|| new_id(cloud.clock(), cloud.chance()), |context| context.request_id.clone());
    let time = lambda.map_or(LONGEST_CALL, |context| time_left(context.deadline));
    let started = Instant::now();
    let sent = request.headers().get(source::ORIGIN_SECRET).cloned();
    let answered = AssertUnwindSafe(in_time(time, async {
        cloud.ready().await?;
        let sent = sent.as_ref().and_then(|sent| sent.to_str().ok());
        if &*function != HEALTH && !cloud.takes_calls_of(sent) {
            let message = "Calls are taken at the address of the site alone.";
            return Err(Error::new(OriginRefused, message));
        }
        within_bounds(next.run(request).await).await
    }));
    // Where it panicked stands in the log already, by the hook.
    let answered = answered.catch_unwind().await.unwrap_or_else(|_| Err(Error::internal("panicked")));
    let mut response = answered.unwrap_or_else(|error| Failure(error).into_response());
    if let Some(token) = renewed.0.get().and_then(|token| HeaderValue::from_str(token).ok()) {
        response.headers_mut().insert("x-renewed-token", token);
    }
    if lambda_function {
        figures::count(&function, response.status());
    }
    let (status, ms) = (response.status().as_u16(), u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX));
    match response.extensions().get::<Failed>() {
        Some(Failed(error)) if status >= 500 => {
            tracing::error!(%function, %method, status, ms, request = id, code = %error.code, cause = error.cause.as_deref(), "answered");
        }
        Some(Failed(error)) => {
            tracing::info!(%function, %method, status, ms, request = id, code = %error.code, "answered");
        }
        None => tracing::info!(%function, %method, status, ms, request = id, "answered"),
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", id);
    }
    response
}

/// An answer that the platform would not carry is our fault, told in a code and in the log: the platform's own word for it is neither.
async fn within_bounds(response: Response) -> Result<Response, Error> {
    // In its envelope each byte takes two at most: escaped as JSON, or in base64.
    if response.body().size_hint().upper().is_some_and(|bytes| bytes <= LARGEST_ANSWER_BYTES as u64 / 2) {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, LARGEST_ANSWER_BYTES).await;
    let body = body.map_err(|error| Error::internal(format!("an answer: {error}")))?;
    let escaped = body.iter().filter(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).count();
    let bytes = match std::str::from_utf8(&body) {
        Ok(_) => body.len() + escaped,
        Err(_) => body.len().div_ceil(3) * 4,
    };
    if bytes > LARGEST_ANSWER_BYTES {
        return Err(Error::internal(format!("an answer of {bytes} bytes is more than the platform takes")));
    }
    Ok(Response::from_parts(parts, body.into()))
}

/// What takes longer is given up where the platform does not say how long a call may take, as API Gateway does (30 s).
const LONGEST_CALL: Duration = Duration::from_secs(29);
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// What it takes to send an answer.
const TO_ANSWER: Duration = Duration::from_millis(500);

/// Until shortly before the platform would end a call without an answer. `deadline`: in milliseconds since the epoch.
pub(super) fn time_left(deadline: u64) -> Duration {
    time_left_at(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(), Duration::from_millis(deadline))
}

fn time_left_at(now: Duration, deadline: Duration) -> Duration {
    // `cargo lambda watch` says ten minutes after 1970, whenever it is: what is over for so long is nobody's deadline.
    if deadline + A_DAY < now {
        return LONGEST_CALL;
    }
    deadline.saturating_sub(now).saturating_sub(TO_ANSWER)
}

pub(super) async fn in_time<T>(time: Duration, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let done = tokio::time::timeout(time, work).await;
    done.unwrap_or_else(|_| Err(Error::unavailable("the call took too long")))
}

/// What a panic leaves in the log: where it happened. Its message may hold what a caller sent, so it is left out.
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
    fn a_deadline_of_1970_is_none() {
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
