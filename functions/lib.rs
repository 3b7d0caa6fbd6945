//! The routes of /api/v1: one file and one Lambda function per route. [`outbox`], [`account_cleanup`],
//! [`list_snapshots`] and [`file_sweep`] are Lambda functions that handle events instead of HTTP requests.
//!
//! The file of a route holds its request and response types, its call into `waraq_core`, and a `main` of one line. The
//! file is a module of this library, because the local gateway mounts its handler through [`routes`]. It is also the
//! root of its own binary, the Lambda function. The path `crate::…` would mean the library in one case and the binary
//! in the other. Therefore these files refer to shared items as `functions::…`.
//!
//! Shared parts: [`http`] has the extractors, the responses and the steps to add a route; [`wire`] has the types that
//! several routes share. [`engine`] renders documents within time and memory limits. Every error is a
//! `waraq_core::Error` and is sent as JSON with a code from a closed list.

extern crate self as functions;

pub mod account_cleanup;
pub mod auth;
pub mod categories;
pub mod categories_history;
pub mod categories_merge;
pub mod categories_separate;
pub mod categories_update;
pub mod countries;
pub mod documents;
pub mod engine;
pub mod file_sweep;
pub mod health;
pub mod http;
pub mod languages;
pub mod list_snapshots;
pub mod media;
pub mod my_templates;
pub mod openapi;
pub mod outbox;
pub mod routes;
pub mod settings;
pub mod stream;
pub mod support;
pub mod support_messages;
pub mod users;
pub mod wire;
