//! From an HTTP request to a handler's arguments, and from its answer back. The same for Lambda and the local gateway.

mod body;
mod call;
mod caller;
mod handler;
mod idempotency;
pub mod lambda;
mod multipart;
mod query;
mod reply;
pub mod source;

pub use body::Json;
pub use call::{Call, Extract, Who};
pub use caller::{Admin, Guest, MaybeUser, User};
pub use handler::{Handler, respond};
pub use idempotency::IdempotencyKey;
pub use multipart::{JsonOrForm, Multipart, Part};
pub use query::{Accepted, Names, NamesQuery, Path, Query};
pub use reply::{Created, Reply};
pub use waraq_core::{Error, ErrorKind};
