//! Tests of languages, countries and categories, and of the gateway's response to unknown routes.

use crate::test_server::{Form, TestServer};

#[tokio::test]
async fn names_are_in_the_requested_language() {
    let server = TestServer::new().await;
    let english = server.api.get("/api/v1/languages").await;
    let codes: Vec<_> = english.json["languages"].as_array().unwrap().iter().map(|one| one["code"].clone()).collect();
    assert_eq!(codes, ["en", "fr", "ar"]);
    assert_eq!(english.json["languages"][2]["name"], "Arabic");
    assert_eq!(english.json["languages"][2]["nativeName"], "العربية");
    let name_of_tunisia = |answer: &crate::test_server::ApiResponse| {
        let countries = answer.json["countries"].as_array().unwrap().clone();
        assert_eq!(countries.len(), 249);
        countries.into_iter().find(|country| country["_id"] == "TN").unwrap()["name"].clone()
    };
    assert_eq!(name_of_tunisia(&server.api.get("/api/v1/countries?lang=ar").await), "تونس");
    assert_eq!(name_of_tunisia(&server.api.get("/api/v1/countries/").await), "Tunisia");
    let accepting = server.api.send("GET", "/api/v1/countries", &[("accept-language", "fr-FR, en;q=0.5")], "").await;
    assert_eq!(name_of_tunisia(&accepting), "Tunisie");
    let unknown = server.api.get("/api/v1/countries?lang=xx").await;
    assert_eq!((unknown.status, unknown.code()), (400, "unknown_language"));
}

#[tokio::test]
async fn categories_are_the_predefined_ones_and_those_in_use() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let form = Form::letter("A boat for sale").with("categories", "logement, Boats,");
    assert_eq!(server.api.publish(&admin, &[], &form).await.status, 201);
    let answer = server.api.get("/api/v1/categories").await;
    let category = |name: &str| {
        let all = answer.json["categories"].as_array().unwrap().clone();
        all.into_iter().find(|category| category["name"] == name).unwrap_or_else(|| panic!("no {name}: {answer:?}"))
    };
    assert_eq!(category("housing")["names"]["ar"], "السكن");
    assert_eq!((category("housing")["count"].clone(), category("boats")["count"].clone()), (1.into(), 1.into()));
    assert_eq!(category("general")["count"], 0);
}

#[tokio::test]
async fn unknown_routes_return_json_errors_with_security_headers() {
    let server = TestServer::new().await;
    let nothing = server.api.get("/api/v1/nothing").await;
    assert_eq!((nothing.status, nothing.code()), (404, "route_not_found"));
    let method = server.api.send("DELETE", "/api/v1/documents", &[], "").await;
    assert_eq!((method.status, method.code(), method.header("allow")), (405, "method_not_allowed", "GET,HEAD"));
    assert_eq!(nothing.header("x-content-type-options"), "nosniff");
    assert!(nothing.header("content-security-policy").contains("'wasm-unsafe-eval'"));
    let large = server.api.try_send(
        "POST",
        "/api/v1/auth/login",
        &[("content-type", "application/json")],
        vec![b' '; 6_000_001],
    );
    let large = large.await.unwrap();
    assert_eq!((large.status, large.code()), (413, "request_too_large"));
}

#[tokio::test]
async fn lists_for_everybody_may_be_kept() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    for (path, cache) in [
        ("/api/v1/languages", "public, max-age=3600"),
        ("/api/v1/countries?lang=ar", "public, max-age=3600"),
        ("/api/v1/categories", "public, max-age=0"),
    ] {
        let first = server.api.get(path).await;
        assert_eq!((first.status, first.header("cache-control")), (200, cache), "{path}");
        let tag = first.header("etag").to_owned();
        let same = server.api.send("GET", path, &[("if-none-match", &tag)], "").await;
        assert_eq!((same.status, same.bytes.len(), same.header("etag")), (304, 0, &*tag), "{path}");
        let other = server.api.send("GET", path, &[("if-none-match", "\"other\"")], "").await;
        assert_eq!((other.status, &other.json), (200, &first.json), "{path}");
    }
    let before = server.api.get("/api/v1/categories").await.header("etag").to_owned();
    server.api.publish_letter(&admin, "Letter").await;
    let after = server.api.send("GET", "/api/v1/categories", &[("if-none-match", &before)], "").await;
    assert_eq!(after.status, 200, "a new template changes the counts");
}
