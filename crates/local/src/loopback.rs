//! Whom a service on a loopback port answers.
//!
//! A web page can make its reader's browser send requests to this machine: from its own origin, which the browser then names, or by a
//! name of its own that it lets point here ("DNS rebinding"), which is then in `Host`.

use std::net::SocketAddr;

use http::HeaderMap;
use http::header::{HOST, ORIGIN};

/// Whether a request comes from a program that called this very address: no page, and no other name.
/// (`own`: where it listens itself first, then what passes on to it.)
pub fn is_for(own: &[SocketAddr], headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    own.iter().any(|own| host == Some(own.to_string().as_str())) && !headers.contains_key(ORIGIN)
}
