//! Tasks of an operator on the table and the bucket of an installation, in AWS or in an emulator:
//!
//! - [`create_stores`] creates the table and the bucket (emulator only).
//! - [`publish_catalogue`] publishes the starting catalogue, which is the set of templates of a new installation.
//! - [`make_admin`] gives an account the role of an admin.
//! - [`recover`] takes over the content of a table that point-in-time recovery has created.
//!
//! The program `waraq-operations` runs one task. `cargo xtask cloud STACK …` calls it with the environment variables of the stack.
//! The local server uses the same functions.
//!
//! # Errors
//!
//! All functions return an error if the table or the bucket cannot be reached. They can be called again after an error.

#![warn(missing_docs)]

mod installation;
mod recovery;
mod starting_catalogue;

pub use installation::{AdminOutcome, cloud_from_environment, create_stores, make_admin, new_password};
pub use recovery::{RecoveryResult, recover};
pub use starting_catalogue::publish_catalogue;
