//! What every route stands on, over axum: who calls, what a request may hold, what an answer looks like, and how a handler becomes a route
//! of the gateway and a Lambda.
//!
//! How a route is added:
//! 1. A file `functions/<resource>/<verb>.rs` with an `async fn` under `#[utoipa::path]`, which alone says method and path, and
//!    `functions::route!(<the fn>);`, which makes its `route()` and its `main`. The function's name is made of the file's path.
//! 2. Asking for [`User`], [`Admin`] or [`MaybeUser`] in the signature is the authorisation. What is asked for comes from this module
//!    ([`Json`], [`Query`], [`Path`] …): only these refuse in codes, and axum's own do not compile there.
//!    What the handler refuses itself is listed in its `route!`, by the codes of [`ErrorCode`]; the OpenAPI document tells of them.
//! 3. The answer is `Result<…, Failure>`; every [`Error`] becomes a [`Failure`] by `?`.
//! 4. A line in `routes.rs`, a `[[bin]]` in `Cargo.toml`; `template.yaml`, `events/` and cargo lambda's router get theirs: the tests in
//!    `functions/tests` say what is missing.
//! 5. `UPDATE=1 cargo test -p functions openapi` writes the frontend's copy of the OpenAPI document anew.

mod answer;
mod caller;
pub mod figures;
mod form;
pub mod lambda;
mod request;
mod route;
pub mod source;

pub use answer::{Created, Done, Failure, Json, Saved};
pub use axum::extract::State;
pub use caller::{Admin, AdminsUsers, Guest, MaybeUser, User};
pub use form::{Form, JsonOrForm};
pub use request::{Accepted, IdempotencyKey, LARGEST_BODY_BYTES, LONGEST_ID, Names, NamesQuery, Path, Query};
pub(crate) use route::served;
pub use route::{Argument, Route, Signature, Who, log_panics, signature};
pub use waraq_core::{Error, ErrorCode};
