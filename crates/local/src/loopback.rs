//! Access control of services on loopback ports.
//!
//! A web page can make its reader's browser send requests to this machine. From the page's own origin, the browser
//! sends an `Origin` header. With "DNS rebinding", the page makes its own host name resolve to this machine, and that
//! name is in the `Host` header.

use std::net::SocketAddr;

use http::HeaderMap;
use http::header::{HOST, ORIGIN};

/// Returns `true` if a request comes from a program that addressed one of the `own` addresses directly. Returns `false`
/// for requests of web pages. `own` is the service's own address, followed by the proxies in front of it.
pub fn is_for(own: &[SocketAddr], headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    own.iter().any(|own| host == Some(own.to_string().as_str())) && !headers.contains_key(ORIGIN)
}
