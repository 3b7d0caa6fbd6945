//! The HTTP layer of all routes, built on axum: extractors for callers and request data, responses, and middleware.
//! The module turns a handler into a route of the gateway and into a Lambda function.
//!
//! To add a route:
//! 1. Add a file `functions/<resource>/<verb>.rs` with an `async fn` under `#[utoipa::path]`. State method and path
//!    only in this attribute. `functions::route!(<the fn>);` generates the `route()` and the `main` of the file. The
//!    name of the Lambda function is derived from the file's path.
//! 2. Name [`User`], [`Admin`] or [`MaybeUser`] in the signature to authorise the caller. Use the extractors of this
//!    module ([`Json`], [`Query`], [`Path`] …), which refuse requests with error codes. Handlers with axum's own extractors
//!    do not compile. In `route!`, list the codes with which the handler itself refuses requests, by their names in
//!    [`ErrorCode`]. The OpenAPI document includes these codes.
//! 3. Return `Result<…, Failure>`; `?` converts every [`Error`] into a [`Failure`].
//! 4. Add a line to `routes.rs` and a `[[bin]]` to `Cargo.toml`. Update `template.yaml`, `events/` and cargo lambda's
//!    router: the tests in `functions/tests` report what is missing.
//! 5. Run `UPDATE=1 cargo test -p functions openapi` to update the frontend's copy of the OpenAPI document.

pub mod caching;
mod caller;
mod form;
pub mod lambda;
pub mod metrics;
mod request;
mod response;
mod route;
pub mod source;

pub use axum::extract::State;
pub use caller::{Admin, AdminsUsers, MaybeUser, RequestSource, TokenHolder, User};
pub use form::{Form, JsonOrForm};
pub use request::{
    AcceptedLanguage, IdempotencyKey, LARGEST_BODY_BYTES, LONGEST_ID, NamesLanguage, NamesQuery, Path, Query,
};
pub use response::{Created, CreatedOrUpdated, Failure, Json, NoContent};
pub(crate) use route::with_middleware;
pub use route::{Access, Argument, Route, Signature, log_panics, signature};
pub use waraq_core::{Error, ErrorCode};
