//! The source address of a request, as used by rate limits.

use std::net::{IpAddr, Ipv6Addr};

use http::HeaderMap;

/// The header with which CloudFront proves its identity.
pub const ORIGIN_SECRET: &str = "x-origin-secret";

/// Returns the source address of a request. If the request came through CloudFront, this is the address in
/// `CloudFront-Viewer-Address`, and otherwise `peer`. `proves` returns whether a secret is the one that CloudFront
/// sends. An IPv6 address is reduced to its /64 network, because one household has a whole /64 network.
pub fn source_address(headers: &HeaderMap, peer: &str, proves: impl Fn(&str) -> bool) -> String {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let through_cdn = header(ORIGIN_SECRET).is_some_and(proves);
    // The header holds address and port: `198.51.100.7:4711`, `2001:db8::1:4711`.
    let viewer =
        header("cloudfront-viewer-address").and_then(|value| value.rsplit_once(':')).map(|(address, _)| address);
    network(viewer.filter(|_| through_cdn).unwrap_or(peer))
}

fn network(address: &str) -> String {
    match address.trim_matches(['[', ']']).parse() {
        Ok(IpAddr::V4(address)) => address.to_string(),
        Ok(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
            Some(address) => address.to_string(),
            None => {
                let network = address.to_bits() >> 64 << 64;
                format!("{}/64", Ipv6Addr::from_bits(network))
            }
        },
        Err(_) => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cdn_header_gives_the_source_only_with_the_secret() {
        let mut headers = HeaderMap::new();
        headers.insert("cloudfront-viewer-address", http::HeaderValue::from_static("2001:db8:1:2:3:4:5:6:4711"));
        assert_eq!(
            source_address(&headers, "::ffff:10.0.0.1", |sent| sent == "s"),
            "10.0.0.1",
            "without the secret the header is anybody's"
        );
        headers.insert("x-origin-secret", http::HeaderValue::from_static("s"));
        assert_eq!(source_address(&headers, "10.0.0.1", |sent| sent == "s"), "2001:db8:1:2::/64");
        assert_eq!(source_address(&headers, "10.0.0.1", |_| false), "10.0.0.1");
    }
}
