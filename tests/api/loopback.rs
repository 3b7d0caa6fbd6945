//! Tests of the loopback ports, which every program of this machine and every page in its browsers can reach.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};

use crate::test_server::{Form, TestServer};

/// Sends these bytes and reads to the end of the connection. Returns head and body.
fn exchange(address: SocketAddr, request: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    (head.to_lowercase(), body.to_owned())
}

fn status(head: &str) -> u16 {
    head.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn address(endpoint: &Option<String>) -> SocketAddr {
    endpoint.as_deref().unwrap().trim_start_matches("http://").parse().unwrap()
}

const FORGED: &str = "Authorization: AWS4-HMAC-SHA256 Credential=waraq-local/20261122/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=00\r\nX-Amz-Date: 20261122T120000Z\r\n";

#[tokio::test(flavor = "multi_thread")]
async fn the_database_accepts_only_the_secret_of_this_start() {
    let server = TestServer::new().await;
    server.user("somebody@example.org").await;
    let settings = &server.local.settings;
    let database = address(&settings.aws.endpoints.dynamodb);
    let scan = |host: &str, more: &str| {
        let body = "{\"TableName\":\"waraq\"}";
        let head =
            "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.Scan\r\nConnection: close\r\n";
        format!("POST / HTTP/1.1\r\nHost: {host}\r\n{head}{more}Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let own = database.to_string();
    for (host, more) in [
        (own.as_str(), ""),
        (own.as_str(), FORGED),
        (own.as_str(), "Origin: http://evil.example\r\n"),
        (own.as_str(), &format!("Origin: http://evil.example\r\n{FORGED}")),
        ("evil.example", FORGED),
        ("localhost", FORGED),
    ] {
        let (head, body) = exchange(database, &scan(host, more));
        assert!([400, 403].contains(&status(&head)), "{host} {more}: {head}");
        assert!(!head.contains("access-control"), "{head}");
        assert!(!body.contains("pk") && !body.contains("example.org"), "{body}");
    }
    let preflight = format!(
        "OPTIONS / HTTP/1.1\r\nHost: {own}\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n"
    );
    let (head, _) = exchange(database, &preflight);
    assert!(status(&head) >= 400 && !head.contains("access-control"), "{head}");
    // Access depends on the keys, not on the client.
    let client = |secret: &str| {
        let keys = Credentials::new(&settings.aws.credentials.access_key_id, secret, None, None, "test");
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(settings.aws.region.clone()))
            .credentials_provider(keys)
            .endpoint_url(settings.aws.endpoints.dynamodb.clone().unwrap())
            .http_client(aws_smithy_http_client::Builder::new().build_http());
        aws_sdk_dynamodb::Client::from_conf(config.build())
    };
    let items = client(&settings.aws.credentials.secret_access_key).scan().table_name("waraq").send().await.unwrap();
    assert!(items.count() > 0);
    let refused = client("guessed").scan().table_name("waraq").send().await.unwrap_err();
    assert!(format!("{refused:?}").contains("InvalidSignatureException"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_need_the_secret_or_a_signed_link() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let published = server.api.publish(&admin, &[], &Form::letter("A letter")).await;
    let key = format!("/waraq/templates/{}/1.docx", published.json["document"]["_id"].as_str().unwrap());
    let files = address(&server.local.settings.aws.endpoints.s3);
    let own = files.to_string();
    let get = |host: &str, path: &str, more: &str| {
        let (head, body) =
            exchange(files, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n"));
        assert!(!head.contains("access-control"), "{head}");
        (status(&head), body.contains("PK\u{3}"))
    };
    assert_eq!(get(&own, &key, ""), (403, false), "no signature");
    assert_eq!(get(&own, "/", ""), (403, false));
    let link = server.local.cloud.files().link(key.trim_start_matches("/waraq/"), "letter.docx").await.unwrap();
    let signed = link.strip_prefix("/signed").unwrap();
    assert!(get(&own, signed, "").1, "a signed link works");
    assert_eq!(get("evil.example", signed, "").0, 403, "by another name");
    assert_eq!(get(&own, signed, "Origin: http://evil.example\r\n").0, 403, "from a page");
    // Through the gateway the link works, as a browser fetches it.
    assert_eq!(server.api.get(&link).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn local_mails_are_shown_only_to_local_pages() {
    let server = TestServer::new().await;
    server.registered("reader@example.org", "a password").await;
    let gateway = server.local.address;
    let sees = |host: &str, more: &str| {
        let request = format!("GET /dev/mail.json HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n");
        exchange(gateway, &request).1.contains("reader@example.org")
    };
    let (local, own) = (format!("localhost:{}", gateway.port()), gateway.to_string());
    assert!(sees(&local, "") && sees(&own, ""));
    assert!(sees(&local, &format!("Origin: http://{local}\r\nSec-Fetch-Site: same-origin\r\n")), "its own page");
    assert!(sees(&local, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"), "a link that is followed");
    assert!(!sees("evil.example", ""), "another name");
    assert!(!sees(&format!("evil.example:{}", gateway.port()), ""));
    assert!(!sees("localhost.evil.example", ""));
    assert!(!sees(&local, "Origin: http://evil.example\r\n"), "another page");
    assert!(!sees(&local, "Origin: null\r\n"), "a page without an origin");
    assert!(!sees(&local, "Origin: http://localhost:1\r\n"), "another port's page");
    assert!(!sees(&local, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"), "a script of another page");
}
