//! The HTTP layer of all routes, built on axum: extractors for callers and request data, responses, and middleware.
//! Turns a handler into a route of the gateway and a Lambda function.
//!
//! To add a route:
//! 1. Add a file `functions/<resource>/<verb>.rs` with an `async fn` under `#[utoipa::path]`, the only place that
//!    states method and path. `functions::route!(<the fn>);` generates its `route()` and its `main`. The function's
//!    name is derived from the file's path.
//! 2. Name [`User`], [`Admin`] or [`MaybeUser`] in the signature to authorise the caller. Use the extractors of this
//!    module ([`Json`], [`Query`], [`Path`] …): they refuse requests with error codes, and axum's own do not compile
//!    there. List the codes that the handler itself refuses with in its `route!`, by the names in [`ErrorCode`]; the
//!    OpenAPI document includes them.
//! 3. Return `Result<…, Failure>`; `?` converts every [`Error`] into a [`Failure`].
//! 4. Add a line to `routes.rs` and a `[[bin]]` to `Cargo.toml`. Update `template.yaml`, `events/` and cargo lambda's
//!    router: the tests in `functions/tests` report what is missing.
//! 5. Run `UPDATE=1 cargo test -p functions openapi` to update the frontend's copy of the OpenAPI document.

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
