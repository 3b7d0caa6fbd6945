//! A handler becomes a route: where it is, who may call it, and what happens around each of its calls.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::handler::Handler;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue};
use lambda_http::RequestExt;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa_axum::router::UtoipaMethodRouter;
use waraq_aws::Cloud;

use super::answer::Failed;
use super::{
    Accepted, Admin, Error, Failure, Form, Guest, IdempotencyKey, Json, JsonOrForm, LARGEST_BODY_BYTES, MaybeUser,
    Names, Path, Query, User,
};

/// Names a call in the log and in its answer. The gateway sets it on each request; a Lambda has the platform's.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

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
    /// The statuses it refuses a request with.
    const REFUSES: &'static [u16] = &[];
}

impl Argument for State<Arc<Cloud>> {}
impl Argument for Guest {}
impl Argument for Accepted {}
impl Argument for Names {
    const REFUSES: &'static [u16] = &[400];
}
impl Argument for IdempotencyKey {
    const REFUSES: &'static [u16] = &[400, 409];
}
impl Argument for Form {
    const REFUSES: &'static [u16] = &[400, 413];
}
impl<T> Argument for Path<T> {
    const REFUSES: &'static [u16] = &[400];
}
impl<T> Argument for Query<T> {
    const REFUSES: &'static [u16] = &[400];
}
impl<T> Argument for Json<T> {
    const REFUSES: &'static [u16] = &[400, 413];
}
impl<T> Argument for JsonOrForm<T> {
    const REFUSES: &'static [u16] = &[400, 413];
}
impl Argument for MaybeUser {
    const WHO: Who = Who::MaybeUser;
    const REFUSES: &'static [u16] = &[401];
}
impl Argument for User {
    const WHO: Who = Who::User;
    const REFUSES: &'static [u16] = &[401];
}
impl Argument for Admin {
    const WHO: Who = Who::Admin;
    const REFUSES: &'static [u16] = &[401, 403];
}

/// Our own faults and those of the stores: any route may answer so.
const ANY_REFUSES: [u16; 2] = [500, 503];

/// All of a handler's arguments, as axum has them: a mark, then each.
pub trait Arguments {
    const WHO: Who;
    const REFUSE: &'static [&'static [u16]];
}

impl Arguments for ((),) {
    const WHO: Who = Who::Anyone;
    const REFUSE: &'static [&'static [u16]] = &[];
}

macro_rules! arguments {
    ($($argument:ident),+) => {
        impl<Mark, $($argument: Argument),+> Arguments for (Mark, $($argument,)+) {
            const WHO: Who = strictest(&[$($argument::WHO),+]);
            const REFUSE: &'static [&'static [u16]] = &[$($argument::REFUSES),+];
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

const fn strictest(all: &[Who]) -> Who {
    let (mut strictest, mut place) = (Who::Anyone, 0);
    while place < all.len() {
        if all[place] as u8 > strictest as u8 {
            strictest = all[place];
        }
        place += 1;
    }
    strictest
}

/// What a handler's signature says: who may call it, and the statuses its arguments refuse requests with.
pub struct Signature {
    pub who: Who,
    refuse: &'static [&'static [u16]],
}

pub fn signature<T: Arguments, H: Handler<T, Arc<Cloud>>>(_: &H) -> Signature {
    Signature { who: T::WHO, refuse: T::REFUSE }
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
    /// Its handler, and its part of the OpenAPI document.
    pub mounted: UtoipaMethodRouter<Arc<Cloud>>,
}

/// Makes the `route()` of a handler's file, for the gateway, and its `main`, the Lambda.
#[macro_export]
macro_rules! route {
    ($handler:ident) => {
        pub fn route() -> $crate::http::Route {
            $crate::http::Route::new(file!(), $crate::http::signature(&$handler), utoipa_axum::routes!($handler))
        }

        pub fn main() -> std::process::ExitCode {
            $crate::http::lambda::run(route())
        }
    };
}

impl Route {
    /// Of `route!`. `file` is the handler's; an annotation has one method and one path.
    pub fn new(file: &str, of: Signature, (schemas, mut paths, handler): UtoipaMethodRouter<Arc<Cloud>>) -> Self {
        let function = function_of(file);
        let (mut path, mut method) = (String::new(), "");
        for (described, item) in &mut paths.paths {
            path.clone_from(described);
            for (name, operation) in operations(item) {
                method = name;
                operation.operation_id = Some(function.clone());
                describe_refusals(operation, of.refuse);
            }
        }
        let logged: Arc<str> = function.as_str().into();
        let around = from_fn(move |request, next| around(Arc::clone(&logged), request, next));
        let handler = handler.layer(DefaultBodyLimit::max(LARGEST_BODY_BYTES)).route_layer(around);
        Self { function, method, path, who: of.who, mounted: (schemas, paths, handler) }
    }
}

/// What the annotation does not say itself: that the arguments, and whatever is behind, may refuse.
fn describe_refusals(operation: &mut Operation, refuse: &[&[u16]]) {
    for status in refuse.iter().copied().flatten().chain(&ANY_REFUSES) {
        let responses = &mut operation.responses.responses;
        responses.entry(status.to_string()).or_insert_with(|| {
            let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
            RefOr::T(ResponseBuilder::new().content("application/json", body).build())
        });
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

/// Around each call: a panic costs this one request and is answered in a code, and the log gets its line.
async fn around(function: Arc<str>, mut request: Request, next: Next) -> Response {
    let renewed = Renewed::default();
    request.extensions_mut().insert(renewed.clone());
    let method = request.method().clone();
    let id = match request.lambda_context_ref() {
        Some(context) => HeaderValue::from_str(&context.request_id).ok(),
        None => request.headers().get(REQUEST_ID).cloned(),
    };
    let started = Instant::now();
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    // Where it panicked stands in the log already, by the hook.
    let mut response = answered.unwrap_or_else(|_| Failure(Error::internal("panicked")).into_response());
    if let Some(token) = renewed.0.get().and_then(|token| HeaderValue::from_str(token).ok()) {
        response.headers_mut().insert("x-renewed-token", token);
    }
    let (status, ms) = (response.status().as_u16(), u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX));
    let request = id.as_ref().and_then(|id| id.to_str().ok());
    match response.extensions().get::<Failed>() {
        Some(Failed(error)) if status >= 500 => {
            tracing::error!(%function, %method, status, ms, request, code = %error.code, cause = error.cause.as_deref(), "answered");
        }
        Some(Failed(error)) => {
            tracing::info!(%function, %method, status, ms, request, code = %error.code, "answered");
        }
        None => tracing::info!(%function, %method, status, ms, request, "answered"),
    }
    if let Some(id) = id {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
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
    fn functions_are_named_after_their_files() {
        assert_eq!(function_of("functions/documents/fill_fields.rs"), "documents-fill-fields");
        assert_eq!(function_of("functions\\media.rs"), "media");
    }
}
