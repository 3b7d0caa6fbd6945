//! Signing in.

pub mod login;
