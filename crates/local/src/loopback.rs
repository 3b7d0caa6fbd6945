//! Access control of services on loopback ports.
//!
//! A web page can make the browser of its reader send requests to these ports. Two headers show that a request comes
//! from a web page:
//!
//! - `Origin`: the browser sends it if the page calls the port from its own origin.
//! - `Host`: with "DNS rebinding", the host name of the page resolves to this machine. The header then contains that
//!   name instead of the address of the service.

use std::net::SocketAddr;

use http::HeaderMap;
use http::header::{HOST, ORIGIN};

/// Returns `true` if a request comes from a program that addressed one of the `own` addresses directly. Returns `false`
/// for requests of web pages. `own` has the address of the service, followed by those of the proxies in front of it.
pub fn is_for(own: &[SocketAddr], headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    own.iter().any(|own| host == Some(own.to_string().as_str())) && !headers.contains_key(ORIGIN)
}
