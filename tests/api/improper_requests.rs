//! Tests of the gateway with improper requests: slow, broken, ambiguous, or with a wrong method.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::test_server::{Form, TestServer, bearer, docx, letter_values};

/// Sends the pieces on a new connection, and returns all that is received until the server closes it.
async fn exchange(server: &TestServer, pieces: &[&[u8]]) -> String {
    let mut stream = TcpStream::connect(server.local.address).await.unwrap();
    for piece in pieces {
        stream.write_all(piece).await.unwrap();
        stream.flush().await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn slow_headers_and_silent_connections_are_closed() {
    let server = TestServer::new().await;
    let slow: [&[u8]; 1] = [b"GET /api/v1/languages HTTP/1.1\r\nhost: x\r\nx-a: "];
    let kept: [&[u8]; 1] = [b"GET /api/v1/languages HTTP/1.1\r\nhost: x\r\n\r\n"];
    let (slow, silent, kept) = tokio::join!(exchange(&server, &slow), exchange(&server, &[]), exchange(&server, &kept));
    assert!(!slow.contains("200 OK"), "{slow}");
    assert_eq!(silent, "");
    assert!(kept.starts_with("HTTP/1.1 200 OK"), "answered, and closed after the idle time: {kept}");
}

#[tokio::test]
async fn incomplete_bodies_and_broken_chunks_are_refused() {
    let server = TestServer::new().await;
    let head = "POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    let broken = format!("{head}transfer-encoding: chunked\r\n\r\n5\r\n{{\"ema\r\nZZ\r\nil\"\r\n");
    let stopped = format!("{head}content-length: 100\r\n\r\n{{\"email\":");
    let (broken, stopped) = ([broken.as_bytes()], [stopped.as_bytes()]);
    let (broken, stopped) = tokio::join!(exchange(&server, &broken), exchange(&server, &stopped));
    for answer in [broken, stopped] {
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("\"invalid_body\""), "{answer}");
    }
}

/// Sends the head of a request and the beginning of its body from a source address of this machine, 127.0.0.x. Returns
/// when the server waits for the rest: it says so with `100 Continue`.
async fn half_sent(server: &TestServer, last: u8, path: &str, body: &str, bytes: usize) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, last], 0).into()).unwrap();
    let mut stream = socket.connect(server.local.address).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut waits = [0; 25];
    stream.read_exact(&mut waits).await.unwrap();
    assert_eq!(&waits, b"HTTP/1.1 100 Continue\r\n\r\n", "{}", String::from_utf8_lossy(&waits));
    stream.write_all(&body.as_bytes()[..bytes]).await.unwrap();
    stream
}

async fn rest_of(mut stream: TcpStream, rest: &str) -> String {
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn half_sent_requests_occupy_no_rendering_slots() {
    let server = TestServer::new().await;
    let letter = server.api.publish_letter(&server.admin().await, "Letter").await;
    let (path, body) = (format!("/api/v1/documents/{letter}/fill-fields"), letter_values("a").to_string());
    // More than all callers may render at once, and fewer of each source than one caller may.
    let mut halves = Vec::new();
    for number in 0..260u16 {
        halves.push(half_sent(&server, u8::try_from(2 + number % 5).unwrap(), &path, &body, 10).await);
    }
    let whole = server.api.fill(&letter, &[], &letter_values("b")).await;
    assert_eq!(whole.status, 200, "{whole:?}");
    let finished = rest_of(halves.remove(0), &body[10..]).await;
    assert!(finished.starts_with("HTTP/1.1 200"), "{finished}");
}

#[tokio::test]
async fn the_bytes_of_unfinished_requests_are_bounded() {
    let server = TestServer::with_options(|options| options.body_bytes = 100_000).await;
    let body = json!({ "email": "a@example.org", "password": "x".repeat(70_000) }).to_string();
    let path = "/api/v1/auth/login";
    let (mut one, mut other) =
        (half_sent(&server, 2, path, &body, 60_000).await, half_sent(&server, 3, path, &body, 60_000).await);
    let (mut from_one, mut from_other) = ([0; 12], [0; 12]);
    // The body that began earlier is refused.
    let (given_up, begins, stays) = tokio::select! {
        read = one.read_exact(&mut from_one) => (read.map(|_| one), from_one, other),
        read = other.read_exact(&mut from_other) => (read.map(|_| other), from_other, one),
    };
    assert_eq!(&begins, b"HTTP/1.1 503", "{}", String::from_utf8_lossy(&begins));
    assert!(rest_of(given_up.unwrap(), "").await.contains("\"unavailable\""));
    let finished = rest_of(stays, &body[60_000..]).await;
    assert!(finished.starts_with("HTTP/1.1 401"), "{finished}");
}

#[tokio::test]
async fn options_and_405_list_the_allowed_methods() {
    let server = TestServer::new().await;
    for (path, methods) in [
        ("/api/v1/documents", "GET,HEAD"),
        ("/api/v1/users/me/export", "GET,HEAD"),
        ("/api/v1/auth/login", "POST"),
        ("/", "GET,HEAD"),
        ("/dev/mail", "GET,HEAD"),
    ] {
        let sorted = |allow: &str| {
            let mut methods: Vec<String> = allow.split(',').map(|method| method.trim().to_owned()).collect();
            methods.sort();
            methods.join(",")
        };
        let options = server.api.send("OPTIONS", path, &[], "").await;
        assert_eq!((options.status, sorted(options.header("allow"))), (204, methods.to_owned()), "{path}");
        let refused = server.api.send("DELETE", path, &[], "").await;
        assert_eq!((refused.status, refused.code()), (405, "method_not_allowed"), "{path}");
        assert_eq!(sorted(refused.header("allow")), methods, "{path}");
    }
    for path in ["/api/v1/documents", "/api/v1/languages"] {
        let head = server.api.send("HEAD", path, &[], "").await;
        assert_eq!((head.status, head.bytes.len()), (200, 0), "{path}");
    }
    assert_eq!(server.api.send("OPTIONS", "/api/v1/nothing", &[], "").await.status, 404);
}

#[tokio::test]
async fn json_bodies_are_objects_without_repeated_keys() {
    let server = TestServer::new().await;
    let json = [("content-type", "application/json")];
    for body in [
        r#"["admin@waraq.localhost", "a password"]"#,
        r#"{"email":"a@example.org","password":"x","email":"b@example.org"}"#,
        r#"{"email":"a@example.org","password":"x","extra":{"a":1,"a":2}}"#,
        r#"{"email":"a@example.org","password":"x"} {}"#,
        "null",
        "",
    ] {
        let answer = server.api.send("POST", "/api/v1/auth/login", &json, body).await;
        assert_eq!((answer.status, answer.code()), (400, "invalid_body"), "{body}");
    }
    let id = server.api.publish_letter(&server.admin().await, "Letter").await;
    let path = format!("/api/v1/documents/{id}/fill-fields");
    let twice = r#"{"fieldsAndValues":[{"Name":"a","Name":"b"},{"Date":"c"}]}"#;
    let answer = server.api.send("POST", &path, &json, twice).await;
    assert_eq!((answer.status, answer.code()), (400, "invalid_body"));
}

#[tokio::test]
async fn bodies_are_limited_and_need_their_content_type() {
    let server = TestServer::new().await;
    let json = [("content-type", "application/json")];
    let large = server.api.send("POST", "/api/v1/auth/login", &json, vec![b' '; 4_000_001]).await;
    assert_eq!((large.status, large.code()), (413, "request_too_large"));
    let admin = server.admin().await;
    let form = |texts| Form { texts, docx: None };
    let twice = form(vec![("title", "a".to_owned()), ("title", "b".to_owned())]);
    assert_eq!(server.api.publish(&admin, &[], &twice).await.code(), "invalid_body");
    let many = form(vec![("a", String::new()); 33]);
    assert_eq!(server.api.publish(&admin, &[], &many).await.code(), "invalid_body");
    let authorization = bearer(&admin);
    let headers = [("authorization", authorization.as_str()), ("content-type", "text/plain")];
    let plain = server.api.send("POST", "/api/v1/documents/file", &headers, "title=a").await;
    assert_eq!((plain.status, plain.code()), (400, "form_expected"));
    let plain = server.api.send("POST", "/api/v1/auth/login", &[("content-type", "text/plain")], "{}").await;
    assert_eq!((plain.status, plain.code()), (400, "json_expected"));
}

#[tokio::test]
async fn long_ids_and_queries_are_refused() {
    let server = TestServer::new().await;
    let long = "x".repeat(3_000);
    let values = letter_values("a");
    for answer in [
        server.api.get(&format!("/api/v1/documents/{long}")).await,
        server.api.fill(&long, &[], &values).await,
        server.api.get(&format!("/media/{long}")).await,
        server.api.get("/api/v1/documents/%ff%fe").await,
    ] {
        assert_eq!((answer.status, answer.code()), (400, "invalid_id"), "{answer:?}");
    }
    let body = json!({ "userId": long, "otp": "123456" });
    let answer = server.api.post("/api/v1/auth/verify-otp", &[], &body).await;
    assert!((400..500).contains(&answer.status), "{answer:?}");
    for query in [
        format!("cat={}", ",".repeat(9_000)),
        format!("cat={}", vec!["a"; 51].join(",")),
        format!("title={}", "x".repeat(201)),
        format!("lang={}", "x".repeat(9_000)),
    ] {
        let answer = server.api.get(&format!("/api/v1/documents?{query}")).await;
        assert_eq!((answer.status, answer.code()), (400, "invalid_query"), "{}", &query[..20]);
    }
}

/// The local gateway refuses with an error code what API Gateway and Lambda would not accept.
#[tokio::test]
async fn requests_over_platform_limits_are_refused() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let (path, authorization) = ("/api/v1/languages", bearer(&admin));
    let of = |bytes: usize| [("x-a", "a".repeat(bytes)), ("x-b", "b".repeat(5_000))];
    for (bytes, status) in [(5_000, 200), (5_300, 431)] {
        let headers = of(bytes);
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = server.api.send("GET", path, &headers, "").await;
        assert_eq!(answer.status, status, "{bytes}: {answer:?}");
        if status == 431 {
            let said = (answer.code(), &answer.json["details"]["limit"]);
            assert_eq!(said, ("headers_too_large", &json!(10_240)));
        }
    }
    let long = server.api.get(&format!("{path}?{}", "x".repeat(10_300))).await;
    assert_eq!((long.status, long.code()), (431, "headers_too_large"));
    // The event contains a form in base64: 4.7 MB become 6.3 MB.
    let letter = Form::letter("A letter").docx.unwrap();
    let ballast = |bytes: usize| Form {
        texts: vec![("title", "A".to_owned()), ("junk", "x".repeat(bytes))],
        docx: Some(letter.clone()),
    };
    let refused = server.api.publish(&admin, &[], &ballast(4_700_000)).await;
    let said = (refused.status, refused.code(), &refused.json["details"]["limit"]);
    assert_eq!(said, (413, "request_too_large", &json!(4_700_000)));
    // The largest file that a form may contain arrives whole; it is refused only because it is not an archive.
    let largest = Form { texts: vec![("title", "A".to_owned())], docx: Some(vec![0; 4_000_000]) };
    let read = server.api.publish(&admin, &[], &largest).await;
    assert_eq!((read.status, read.code()), (422, "not_a_zip"), "{read:?}");
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    let json_of = |bytes: usize| json!({ "userName": "\"".repeat(bytes / 2) }).to_string();
    let answer = server.api.send("PATCH", "/api/v1/users/me", &headers, json_of(1_900_000)).await;
    assert_eq!(answer.code(), "invalid_user_name", "JSON may be twice as long because of escapes: {answer:?}");
}

/// The response for a document with many problems stays small enough for Lambda.
#[tokio::test]
async fn ten_thousand_warnings_fit_in_a_response() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    // Each paragraph has a stray brace, and the last paragraph consists of characters that no font has.
    let strays: Vec<String> = (0..10_000).map(|number| format!("{number} }}}} {{{{Name}}}}")).collect();
    let letters: String = (0..10_000).filter_map(|number| char::from_u32(0xe000 + number % 6_400)).collect();
    let paragraphs: Vec<&str> = strays.iter().map(String::as_str).chain([letters.as_str()]).collect();
    let form = Form { texts: vec![("title", "Strays".to_owned())], docx: Some(docx(&paragraphs)) };
    let checked = server.api.check(&admin, &form).await;
    assert_eq!(checked.status, 200, "{checked:?}");
    let findings = checked.json["findings"].as_array().unwrap().len();
    assert!((500..1_200).contains(&findings) && checked.bytes.len() < 6_000_000, "{findings}");
    let published = server.api.publish(&admin, &[], &form).await;
    assert_eq!(published.status, 201, "{published:?}");
    let id = published.json["document"]["_id"].as_str().unwrap();
    let values = json!({ "fieldsAndValues": [{ "Name": "Amina" }], "save": false });
    let filled = server.api.fill(id, &[], &values).await;
    assert!(filled.status == 200 && filled.bytes.len() < 6_000_000, "{filled:?}");
    assert!(!filled.json["warnings"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn static_files_are_served_only_from_their_folder() {
    let built = tempfile::tempdir().unwrap();
    let folder = built.path().join("dist");
    std::fs::create_dir_all(folder.join("assets")).unwrap();
    std::fs::write(built.path().join("secret"), "secret").unwrap();
    std::fs::write(folder.join("index.html"), "the page").unwrap();
    std::fs::write(folder.join("assets/a.js"), "a script").unwrap();
    let server = TestServer::with_options(|options| options.frontend = Some(folder.clone())).await;
    let ask = async |path: &str| {
        let answer = server.api.get(path).await;
        assert!(answer.header("content-security-policy").contains("default-src"), "{answer:?}");
        (String::from_utf8(answer.bytes.to_vec()).unwrap(), answer.header("cache-control").to_owned())
    };
    assert_eq!(ask("/assets/a.js").await, ("a script".into(), "public, max-age=31536000, immutable".into()));
    assert_eq!(ask("/assets/b.js").await.0, "There is no such file.\n");
    for path in ["/", "/documents/1", "/../secret", "/%2e%2e/secret", "/a/%2e%2e%2f%2e%2e/secret", "/%ff", "/assets"] {
        assert_eq!(ask(path).await, ("the page".into(), "no-cache".into()), "{path}");
    }
}

#[tokio::test]
async fn every_response_has_a_request_id() {
    let server = TestServer::new().await;
    let answer = server.api.send("GET", "/api/v1/languages", &[("x-request-id", "mine")], "").await;
    let (one, two) = (answer.header("x-request-id"), server.api.get("/api/v1/languages").await);
    assert!(one.len() >= 26 && one != two.header("x-request-id"), "{one}");
}
