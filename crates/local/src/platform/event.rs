//! Converts a request into the event that a function gets from CloudFront and an HTTP API of API Gateway (payload
//! format 2.0). Converts the function's result into a response.
//!
//! <https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html>

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::SystemTime;

use aws_smithy_types::DateTime;
use aws_smithy_types::date_time::Format;
use axum::body::Body;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, TRANSFER_ENCODING};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::{Value, json};

/// The host name of the API in the events that functions receive.
const DOMAIN: &str = "api.waraq.localhost";

/// Returns the event of a request. `route` is its route key, such as `GET /api/v1/documents/{id}`; `secret` is the
/// origin secret of the CDN.
pub fn event(parts: &Parts, body: &[u8], route: &str, peer: SocketAddr, secret: &str) -> Value {
    let headers = headers(&parts.headers, peer, secret, body.len());
    let cookies: Vec<String> = parts
        .headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split("; ").map(str::to_owned))
        .collect();
    let text = std::str::from_utf8(body).ok().filter(|_| is_text(&parts.headers));
    let (body, is_base64) = match text {
        _ if body.is_empty() => (Value::Null, false),
        Some(text) => (text.into(), false),
        None => (BASE64.encode(body).into(), true),
    };
    let now = SystemTime::now();
    let milliseconds = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis();
    let time = DateTime::from(now).fmt(Format::DateTime).unwrap_or_default();
    let mut event = json!({
        "version": "2.0",
        "routeKey": route,
        "rawPath": parts.uri.path(),
        "rawQueryString": parts.uri.query().unwrap_or_default(),
        "headers": headers,
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "waraq",
            "domainName": DOMAIN,
            "domainPrefix": "api",
            "http": {
                "method": parts.method.as_str(),
                "path": parts.uri.path(),
                "protocol": "HTTP/1.1",
                // The peer is a CDN node, which may have any address.
                "sourceIp": "192.0.2.1",
                "userAgent": headers.get("user-agent").map_or("", String::as_str),
            },
            "requestId": "JKJaXmPLvHcESHA=",
            "routeKey": route,
            "stage": "$default",
            "time": time,
            "timeEpoch": u64::try_from(milliseconds).unwrap_or(u64::MAX),
        },
        "isBase64Encoded": is_base64,
    });
    if !cookies.is_empty() {
        event["cookies"] = cookies.into();
    }
    if !body.is_null() {
        event["body"] = body;
    }
    event
}

/// Returns the headers of an event, with lower-case names. If a header is repeated, its values are joined by commas.
/// The headers that the CDN sets replace those sent by the caller.
fn headers(sent: &HeaderMap, peer: SocketAddr, secret: &str, length: usize) -> BTreeMap<String, String> {
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in sent {
        if [HOST, COOKIE, CONTENT_LENGTH, TRANSFER_ENCODING].contains(name) || name.as_str().starts_with("cloudfront-")
        {
            continue;
        }
        // Each byte of a value that is not ASCII text becomes one character.
        let value: String = match value.to_str() {
            Ok(value) => value.to_owned(),
            Err(_) => value.as_bytes().iter().map(|byte| char::from(*byte)).collect(),
        };
        let joined = headers.entry(name.as_str().to_owned()).or_default();
        *joined = if joined.is_empty() { value } else { format!("{joined},{value}") };
    }
    let forwarded = match headers.get("x-forwarded-for") {
        Some(others) => format!("{others}, {}", peer.ip()),
        None => peer.ip().to_string(),
    };
    let own = [
        ("cloudfront-viewer-address", format!("{}:{}", peer.ip(), peer.port())),
        ("x-origin-secret", secret.to_owned()),
        ("host", DOMAIN.to_owned()),
        ("content-length", length.to_string()),
        ("x-forwarded-for", forwarded),
        ("x-forwarded-port", "443".to_owned()),
        ("x-forwarded-proto", "https".to_owned()),
    ];
    headers.extend(own.map(|(name, value)| (name.to_owned(), value)));
    headers
}

/// Returns whether API Gateway passes a body of this type as text. All other bodies are sent in base64.
fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind.starts_with("text/")
        || ["application/json", "application/javascript", "application/xml"].contains(&kind.as_str())
        || kind.ends_with("+json")
        || kind.ends_with("+xml")
}

/// Returns the response that a function's result describes, or `None` if it is not the result of a route.
pub fn response(answer: &Value) -> Option<Response> {
    let status = StatusCode::from_u16(u16::try_from(answer["statusCode"].as_u64()?).ok()?).ok()?;
    let body = answer["body"].as_str().unwrap_or_default();
    let body = if answer["isBase64Encoded"] == true { BASE64.decode(body).ok()? } else { body.as_bytes().to_vec() };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    for (name, value) in answer["headers"].as_object().into_iter().flatten() {
        let name = HeaderName::try_from(name.as_str()).ok()?;
        // The server computes the length again.
        if name != CONTENT_LENGTH {
            response.headers_mut().insert(name, HeaderValue::try_from(value.as_str()?).ok()?);
        }
    }
    for cookie in answer["cookies"].as_array().into_iter().flatten() {
        response.headers_mut().append(http::header::SET_COOKIE, HeaderValue::try_from(cookie.as_str()?).ok()?);
    }
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(builder: http::request::Builder) -> Parts {
        builder.body(()).unwrap().into_parts().0
    }

    fn peer() -> SocketAddr {
        "198.51.100.7:4711".parse().unwrap()
    }

    #[test]
    fn event_contains_the_request_and_its_source() {
        let asked = http::Request::post("/api/v1/documents/a%20b/save?x=1")
            .header("content-type", "application/json; charset=utf-8")
            .header("x-origin-secret", "guessed")
            .header("cloudfront-viewer-address", "203.0.113.1:1")
            .header("accept", "a")
            .header("accept", "b")
            .header("cookie", "a=1; b=2");
        let event = event(&parts(asked), b"{\"a\": 1}", "POST /api/v1/documents/{id}/save", peer(), "secret");
        assert_eq!(
            (&event["rawPath"], &event["rawQueryString"]),
            (&json!("/api/v1/documents/a%20b/save"), &json!("x=1"))
        );
        assert_eq!((&event["body"], &event["isBase64Encoded"]), (&json!("{\"a\": 1}"), &json!(false)));
        assert_eq!(event["cookies"], json!(["a=1", "b=2"]));
        let headers = &event["headers"];
        assert_eq!(headers["x-origin-secret"], "secret");
        assert_eq!(headers["cloudfront-viewer-address"], "198.51.100.7:4711");
        assert_eq!((&headers["accept"], &headers["cookie"]), (&json!("a,b"), &Value::Null));
        assert_eq!(event["requestContext"]["http"]["method"], "POST");
    }

    #[test]
    fn binary_bodies_are_base64_encoded() {
        let form = http::Request::post("/a").header("content-type", "multipart/form-data; boundary=x");
        let sent = event(&parts(form), b"--x", "POST /a", peer(), "s");
        assert_eq!((&sent["body"], &sent["isBase64Encoded"]), (&json!("LS14"), &json!(true)));
        let torn = http::Request::post("/a").header("content-type", "application/json");
        assert_eq!(event(&parts(torn), &[0xff], "POST /a", peer(), "s")["isBase64Encoded"], true);
    }

    #[test]
    fn function_result_becomes_an_http_response() {
        let answer = json!({ "statusCode": 201, "headers": { "x-a": "b", "content-length": "9" }, "body": "AAE=",
            "isBase64Encoded": true, "cookies": [] });
        let made = response(&answer).unwrap();
        assert_eq!((made.status().as_u16(), made.headers()["x-a"].to_str().unwrap()), (201, "b"));
        assert!(made.headers().get("content-length").is_none());
        assert!(response(&json!({ "errorMessage": "no" })).is_none());
        assert!(response(&json!({ "statusCode": 99 })).is_none());
    }
}
