//! The routes of /api/v1: one file per route, one Lambda per file; and [`outbox`], [`gone_accounts`] and [`list_snapshots`],
//! which are none.
//!
//! A file of a route holds its request, its call into core, its answer, and a `main` of one line; it is a module of this
//! library (the local gateway mounts its handler through [`routes`]) and the root of its own binary (the Lambda).
//! Therefore the files say `functions::…` for what they share.

extern crate self as functions;

pub mod auth;
pub mod categories;
pub mod categories_history;
pub mod categories_merge;
pub mod categories_separate;
pub mod categories_update;
pub mod countries;
pub mod documents;
pub mod engine;
pub mod gone_accounts;
pub mod health;
pub mod http;
pub mod languages;
pub mod list_snapshots;
pub mod media;
pub mod openapi;
pub mod outbox;
pub mod routes;
pub mod settings;
pub mod stream;
pub mod support;
pub mod support_messages;
pub mod users;
pub mod wire;
