//! Runs each route as its Lambda function does: the sample events go through the service that the function gives to
//! Lambda's runtime.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::to_bytes;
use functions::http::lambda::service;
use functions::http::{Access, Failure, Json, Route, State, signature};
use functions::routes::routes;
use serde_json::{Value, json};
use tower::ServiceExt;
use waraq_aws::{Cloud, RuntimeOptions, SecretSettings};

use crate::test_server::TestServer;

/// Returns the status and the error code of a route's Lambda for an event.
async fn invoke_route(route: Route, cloud: &Arc<Cloud>, event: &Value) -> (u16, String) {
    let request = lambda_http::request::from_str(&event.to_string()).unwrap();
    let response = service(vec![route], cloud).oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), 10_000_000).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let asked = |name: &str| event.pointer(name).and_then(Value::as_str).unwrap().to_owned();
    crate::documented_responses::check_response(
        &asked("/requestContext/http/method"),
        &asked("/rawPath"),
        status,
        &body,
    );
    (status, body["code"].as_str().unwrap_or_default().to_owned())
}

fn event(function: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../events");
    serde_json::from_slice(&std::fs::read(format!("{path}/{function}.json")).unwrap()).unwrap()
}

#[tokio::test]
async fn sample_events_reach_their_handlers() {
    let server = TestServer::new().await;
    for route in routes() {
        let (function, event) = (route.function.clone(), event(&route.function));
        let (status, code) = invoke_route(route, &server.local.cloud, &event).await;
        assert!(status < 500 && status != 405 && code != "route_not_found", "{function}: {status} {code}");
        assert!(!matches!(code.as_str(), "invalid_body" | "json_expected" | "form_expected"), "{function}: {code}");
    }
}

#[tokio::test]
async fn trailing_slash_is_ignored() {
    let server = TestServer::new().await;
    let route = routes().into_iter().find(|route| route.function == "countries").unwrap();
    let mut event = event("countries");
    event["rawPath"] = "/api/v1/countries/".into();
    assert_eq!(invoke_route(route, &server.local.cloud, &event).await.0, 200);
}

/// The API's own address is public. Calls that bypass the CDN are not filtered by its firewall, and their source
/// address is not reliable.
#[tokio::test]
async fn without_the_cdn_secret_only_health_responds() {
    let server = TestServer::new().await;
    let mut settings = server.local.settings.clone();
    let SecretSettings::Given(secrets) = &mut settings.secrets else { panic!("the secrets are given directly") };
    secrets.origin = vec!["the new secret".to_owned(), "the old one".to_owned()];
    let cloud = Arc::new(Cloud::new(settings, RuntimeOptions::default()).unwrap());
    let refused = (403, "origin_refused".to_owned());
    for route in routes() {
        let (function, mut event) = (route.function.clone(), event(&route.function));
        if function == "health" {
            assert_eq!(invoke_route(route, &cloud, &event).await.0, 200);
            continue;
        }
        assert_eq!(invoke_route(route, &cloud, &event).await, refused, "{function}");
        let again = || routes().into_iter().find(|route| route.function == function).unwrap();
        event["headers"]["x-origin-secret"] = "another".into();
        assert_eq!(invoke_route(again(), &cloud, &event).await, refused, "{function}");
        event["headers"]["x-origin-secret"] = "the old one".into();
        assert_ne!(invoke_route(again(), &cloud, &event).await, refused, "{function}");
    }
}

#[utoipa::path(get, path = "/api/v1/countries", responses((status = 200)))]
async fn oversized_response(State(_): State<Arc<Cloud>>) -> Result<Json<Value>, Failure> {
    // Each quotation mark takes two bytes in the body, and four in the envelope.
    Ok(Json(json!({ "quotes": "\"".repeat(1_600_000) })))
}

#[tokio::test]
async fn a_response_over_the_platform_limit_becomes_an_error() {
    let server = TestServer::new().await;
    let route = Route::new(
        "functions/endless.rs",
        signature(&oversized_response),
        &[],
        utoipa_axum::routes!(oversized_response),
    );
    assert_eq!(invoke_route(route, &server.local.cloud, &event("countries")).await, (500, "internal".to_owned()));
}

static PANICKING: AtomicBool = AtomicBool::new(true);

#[utoipa::path(get, path = "/api/v1/countries", responses((status = 200)))]
async fn panicking(State(_): State<Arc<Cloud>>) -> Result<Json<Value>, Failure> {
    assert!(!PANICKING.load(Ordering::SeqCst), "test panic for someone@example.org");
    Ok(Json(json!({})))
}

/// The log is watched: it must not contain the panic's message, which includes an address.
#[tokio::test]
async fn panic_fails_only_its_own_request() {
    let server = TestServer::new().await;
    let route = || Route::new("functions/panicking.rs", signature(&panicking), &[], utoipa_axum::routes!(panicking));
    assert_eq!(route().who, Access::Anyone);
    let event = event("countries");
    assert_eq!(invoke_route(route(), &server.local.cloud, &event).await, (500, "internal".to_owned()));
    PANICKING.store(false, Ordering::SeqCst);
    assert_eq!(invoke_route(route(), &server.local.cloud, &event).await.0, 200);
}
