//! Tests of registration, verification of an address, forgotten and changed passwords, e-mail changes and the profile.

use serde_json::json;
use waraq_aws::OperatorSettings;

use crate::test_server::{TestServer, bearer, token_of};

#[tokio::test]
async fn account_is_registered_verified_and_logged_in() {
    let server = TestServer::new().await;
    let email = "amina@example.org";
    let body = json!({ "userName": " Amina  B. ", "email": " Amina@Example.ORG ", "password": "a long password" });
    let registered = server.api.post("/api/v1/auth/register", &[("accept-language", "ar")], &body).await;
    assert_eq!(registered.status, 201, "{registered:?}");
    let user_id = registered.json["userId"].as_str().unwrap().to_owned();
    let mail = server.mail_to(email, 0).await;
    assert_eq!((mail.kind.as_str(), mail.language.as_str()), ("register-code", "ar"));
    let login = json!({ "email": email, "password": "a long password" });
    let early = server.api.post("/api/v1/auth/login", &[], &login).await;
    assert_eq!((early.status, early.code()), (401, "email_not_verified"));
    assert!(early.json["message"].as_str().unwrap().contains("OTP"));
    assert_eq!(early.json["details"]["userId"], json!(user_id));
    let wrong = json!({ "email": email, "password": "another password" });
    assert_eq!(server.api.post("/api/v1/auth/login", &[], &wrong).await.code(), "invalid_credentials");
    // The code in Arabic-Indic digits, as an Arabic keyboard types it.
    let arabic: String = crate::test_server::code_of(&mail)
        .chars()
        .map(|digit| char::from_u32(digit as u32 - 0x30 + 0x660).unwrap())
        .collect();
    let verified = server.api.post("/api/v1/auth/verify-otp", &[], &json!({ "userId": user_id, "otp": arabic })).await;
    assert_eq!(verified.status, 200, "{verified:?}");
    let user = &verified.json["user"];
    assert_eq!((&user["_id"], &user["userName"], &user["email"]), (&json!(user_id), &json!("Amina B."), &json!(email)));
    assert_eq!((&user["role"], &user["language"]), (&json!("user"), &json!("ar")));
    let me = server.api.get_as(verified.json["token"].as_str().unwrap(), "/api/v1/users/me").await;
    assert_eq!(&me.json["user"], user);
    server.api.login(email, "a long password").await;
    let again = server.api.post("/api/v1/auth/verify-otp", &[], &json!({ "userId": user_id, "otp": arabic })).await;
    assert_eq!((again.status, again.code()), (400, "invalid_otp"));
}

#[tokio::test]
async fn invalid_registrations_are_refused() {
    let server = TestServer::new().await;
    let cases = [
        (json!({ "userName": " ", "email": "a@example.org", "password": "12345678" }), "fields_required"),
        (json!({ "userName": "a".repeat(61), "email": "a@example.org", "password": "12345678" }), "invalid_user_name"),
        (json!({ "userName": "A\u{202e}B", "email": "a@example.org", "password": "12345678" }), "invalid_user_name"),
        (json!({ "userName": "A\u{2067}B", "email": "a@example.org", "password": "12345678" }), "invalid_user_name"),
        (json!({ "userName": "\u{3164}", "email": "a@example.org", "password": "12345678" }), "invalid_user_name"),
        (json!({ "userName": "A", "email": "nonsense", "password": "12345678" }), "invalid_email"),
        (json!({ "userName": "A", "email": "أمينة@example.org", "password": "12345678" }), "undeliverable_email"),
        (json!({ "userName": "A", "email": "a@example.org", "password": "1234567" }), "invalid_password"),
        (json!({ "userName": "A", "email": "a@example.org", "password": "ح".repeat(257) }), "invalid_password"),
        (json!({ "userName": "A", "email": "a@example.org", "password": "12345678", "role": "admin" }), "invalid_body"),
    ];
    for (body, code) in cases {
        let answer = server.api.post("/api/v1/auth/register", &[], &body).await;
        assert_eq!((answer.status, answer.code()), (400, code), "{body}");
    }
    let unicode = json!({ "userName": "أمينة", "email": "Amina@BÜCHER.example", "password": "ح".repeat(256) });
    assert_eq!(server.api.post("/api/v1/auth/register", &[], &unicode).await.status, 201);
    server.mail_to("amina@xn--bcher-kva.example", 0).await;
}

#[tokio::test]
async fn registering_a_taken_address_reveals_and_opens_nothing() {
    let server = TestServer::new().await;
    let email = "amina@example.org";
    server.user(email).await;
    let body = json!({ "userName": "Somebody else", "email": email, "password": "his password" });
    let known = server.api.post("/api/v1/auth/register", &[], &body).await;
    let unknown = json!({ "userName": "Somebody else", "email": "new@example.org", "password": "his password" });
    let unknown = server.api.post("/api/v1/auth/register", &[], &unknown).await;
    assert_eq!((known.status, &known.json["message"]), (unknown.status, &unknown.json["message"]));
    assert_eq!(server.mail_to(email, 0).await.kind, "already-registered");
    // The password of the later registration does not open the owner's account. It leads only to that registration,
    // with the same response as for a new address.
    for (email, registered) in [(email, &known), ("new@example.org", &unknown)] {
        let stranger = json!({ "email": email, "password": "his password" });
        let answer = server.api.post("/api/v1/auth/login", &[], &stranger).await;
        assert_eq!((answer.status, answer.code()), (401, "email_not_verified"));
        assert_eq!(answer.json["details"]["userId"], registered.json["userId"]);
    }
    server.api.login(email, "a password").await;
    // If the address has an account, every code is invalid. The error is the same as for a wrong code.
    for answer in [&known, &unknown] {
        let guess = json!({ "userId": answer.json["userId"], "otp": "000000" });
        let guessed = server.api.post("/api/v1/auth/verify-otp", &[], &guess).await;
        assert!(guessed.code() == "invalid_otp" || guessed.status == 200, "{guessed:?}");
    }
    // The wait between two mails applies to both in the same way.
    for answer in [&known, &unknown] {
        let again = json!({ "userId": answer.json["userId"] });
        let again = server.api.post("/api/v1/auth/resend-otp", &[], &again).await;
        assert!(again.code() == "mail_wait" || again.code() == "registration_ended", "{again:?}");
    }
}

#[tokio::test]
async fn verification_mails_are_limited_per_minute_and_hour() {
    let server = TestServer::new().await;
    let body = json!({ "userName": "A", "email": "a@example.org", "password": "a password" });
    let registered = server.api.post("/api/v1/auth/register", &[], &body).await;
    let resend = json!({ "userId": registered.json["userId"] });
    let soon = server.api.post("/api/v1/auth/resend-otp", &[], &resend).await;
    assert_eq!((soon.status, soon.code()), (429, "mail_wait"));
    let wait: u64 = soon.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait) && soon.json["details"]["retryAfter"] == wait);
    // The minute between two mails passes.
    let mut sent = 1;
    for _ in 0..5 {
        server.end_mail_waits().await;
        let again = server.api.post("/api/v1/auth/resend-otp", &[], &resend).await;
        match again.status {
            200 => sent += 1,
            _ => assert_eq!((again.status, again.code()), (429, "too_many_attempts")),
        }
    }
    // The test may run across the end of an hour, which starts a new limit.
    assert!((5..=6).contains(&sent), "{sent}");
    // Earlier codes are no longer valid; the last one is.
    let last = server.code_to("a@example.org", sent - 1).await;
    let first = server.mails_to("a@example.org").last().map(crate::test_server::code_of).unwrap();
    let verify = async |otp: &str| {
        let body = json!({ "userId": registered.json["userId"], "otp": otp });
        server.api.post("/api/v1/auth/verify-otp", &[], &body).await
    };
    if first != last {
        assert_eq!(verify(&first).await.code(), "invalid_otp");
    }
    assert_eq!(verify(&last).await.status, 200);
}

#[tokio::test]
async fn forgotten_password_is_reset_by_a_mailed_link() {
    let server = TestServer::new().await;
    let email = "amina@example.org";
    let (_, token) = server.user(email).await;
    let known = server.api.post("/api/v1/auth/forgot-password", &[], &json!({ "email": email })).await;
    let unknown = server.api.post("/api/v1/auth/forgot-password", &[], &json!({ "email": "nobody@example.org" })).await;
    assert_eq!((known.status, &known.json), (200, &unknown.json));
    let mail = server.mail_to(email, 0).await;
    let link = token_of(&mail);
    assert_eq!(link.len(), 22, "128 bits in base64url");
    let reset = async |token: &str, password: &str| {
        server.api.post("/api/v1/auth/reset-password", &[], &json!({ "token": token, "newPassword": password })).await
    };
    assert_eq!(reset("AAAAAAAAAAAAAAAAAAAAAA", "a new password").await.code(), "invalid_reset_link");
    assert_eq!(reset(&link, "         ").await.code(), "invalid_password", "login treats a blank password as missing");
    let short = reset(&link, "short").await;
    assert_eq!((short.code(), &short.json["details"]["fields"]), ("invalid_password", &json!(["newPassword"])));
    let both = futures_util::future::join(reset(&link, "the new password"), reset(&link, "the other password")).await;
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort();
    assert_eq!(statuses, [200, 400], "a link works once");
    let new = if both.0.status == 200 { "the new password" } else { "the other password" };
    server.api.login(email, new).await;
    assert_eq!(server.api.get_as(&token, "/api/v1/users/me").await.code(), "session_ended");
    let old = json!({ "email": email, "password": "a password" });
    assert_eq!(server.api.post("/api/v1/auth/login", &[], &old).await.code(), "invalid_credentials");
    assert_eq!(server.mail_to(email, 1).await.kind, "password-changed");
    assert!(server.mails_to("nobody@example.org").is_empty());
}

#[tokio::test]
async fn password_change_ends_all_other_sessions() {
    let server = TestServer::new().await;
    let email = "amina@example.org";
    let (_, own) = server.user(email).await;
    let other = server.api.login(email, "a password").await;
    let change = async |token: &str, old: &str, new: &str| {
        let body = json!({ "oldPassword": old, "newPassword": new });
        server.api.post("/api/v1/auth/change-password", &[("authorization", &bearer(token))], &body).await
    };
    let wrong = change(&own, "wrong", "another password").await;
    assert_eq!((wrong.status, wrong.code()), (400, "wrong_password"));
    assert_eq!(change(&own, "a password", "short").await.code(), "invalid_password");
    let changed = change(&own, "a password", "another password").await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let renewed = changed.json["token"].as_str().unwrap();
    assert_eq!(server.api.get_as(renewed, "/api/v1/users/me").await.status, 200);
    for ended in [&own, &other] {
        assert_eq!(server.api.get_as(ended, "/api/v1/users/me").await.code(), "session_ended");
    }
    server.api.login(email, "another password").await;
    // Two changes at the same time: exactly one succeeds, and its password is valid.
    let both = futures_util::future::join(
        change(renewed, "another password", "password one"),
        change(renewed, "another password", "password two"),
    )
    .await;
    let won: Vec<&str> = [(&both.0, "password one"), (&both.1, "password two")]
        .into_iter()
        .filter(|(answer, _)| answer.status == 200)
        .map(|(_, password)| password)
        .collect();
    assert_eq!(won.len(), 1, "{both:?}");
    server.api.login(email, won[0]).await;
}

#[tokio::test]
async fn email_address_is_changed_with_a_mailed_code() {
    let server = TestServer::new().await;
    let (old, new) = ("old@example.org", "new@example.org");
    let (_, token) = server.user(old).await;
    server.user("taken@example.org").await;
    let ask = async |token: &str, email: &str| {
        let body = json!({ "newEmail": email });
        server.api.post("/api/v1/auth/change-email", &[("authorization", &bearer(token))], &body).await
    };
    let prove = async |token: &str, email: &str, otp: &str| {
        let body = json!({ "newEmail": email, "otp": otp });
        server.api.post("/api/v1/auth/verify-change-email-otp", &[("authorization", &bearer(token))], &body).await
    };
    assert_eq!(ask(&token, "OLD@example.org").await.code(), "same_email");
    assert_eq!(ask(&token, "nonsense").await.json["details"]["fields"], json!(["newEmail"]));
    let taken = ask(&token, "taken@example.org").await;
    let free = ask(&token, new).await;
    assert_eq!((taken.status, &taken.json), (200, &free.json));
    assert_eq!(server.mail_to("taken@example.org", 0).await.kind, "address-in-use");
    let code = server.code_to(new, 0).await;
    assert_eq!(
        prove(&token, "taken@example.org", &code).await.code(),
        "invalid_otp",
        "a code is valid for one address"
    );
    let (_, another) = server.user("another@example.org").await;
    assert_eq!(prove(&another, new, &code).await.code(), "invalid_otp", "and for one account only");
    let changed = prove(&token, new, &code).await;
    assert_eq!((changed.status, &changed.json["user"]["email"]), (200, &json!(new)), "{changed:?}");
    assert_eq!(server.api.get_as(&token, "/api/v1/users/me").await.code(), "session_ended");
    assert_eq!(server.api.get_as(changed.json["token"].as_str().unwrap(), "/api/v1/users/me").await.status, 200);
    assert_eq!(server.mail_to(old, 0).await.kind, "email-changed");
    server.api.login(new, "a password").await;
    let gone = json!({ "email": old, "password": "a password" });
    assert_eq!(server.api.post("/api/v1/auth/login", &[], &gone).await.code(), "invalid_credentials");
    server.registered(old, "somebody else's").await;
}

#[tokio::test]
async fn profile_and_photo_are_updated() {
    let server = TestServer::new().await;
    let (_, token) = server.user("amina@example.org").await;
    let bearer = bearer(&token);
    let patch = async |content_type: &str, body: Vec<u8>| {
        let headers = [("authorization", bearer.as_str()), ("content-type", content_type)];
        server.api.send("PATCH", "/api/v1/users/me", &headers, body).await
    };
    let json_patch = async |body: serde_json::Value| patch("application/json", body.to_string().into_bytes()).await;
    let changed = json_patch(json!({ "userName": "أمينة", "country": "TN", "language": "fr" })).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let user = &changed.json["user"];
    assert_eq!((&user["userName"], &user["country"], &user["language"]), (&json!("أمينة"), &json!("TN"), &json!("fr")));
    let cleared = json_patch(json!({ "country": "" })).await;
    assert_eq!((&cleared.json["user"]["country"], &cleared.json["user"]["language"]), (&json!(null), &json!("fr")));
    assert_eq!(json_patch(json!({ "country": "XX" })).await.code(), "unknown_country");
    assert_eq!(json_patch(json!({ "language": "de" })).await.code(), "unknown_language");
    assert_eq!(json_patch(json!({ "userName": "" })).await.code(), "invalid_user_name");
    assert_eq!(json_patch(json!({ "userName": "Amina\u{200b}" })).await.code(), "invalid_user_name");
    assert_eq!(json_patch(json!({ "role": "admin" })).await.code(), "invalid_body");
    let form = |file: &[u8]| {
        let mut body = b"--edge\r\ncontent-disposition: form-data; name=\"userName\"\r\n\r\nAmina\r\n--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n".to_vec();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--edge--\r\n");
        body
    };
    // A bitmap of four pixels.
    let bmp: Vec<u8> = [
        b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\x18\0\0\0\0\0\x10\0\0\0".as_slice(),
        &[0; 16],
        &[0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0],
    ]
    .concat();
    let multipart = "multipart/form-data; boundary=edge";
    let with_photo = patch(multipart, form(&bmp)).await;
    assert_eq!(with_photo.status, 200, "{with_photo:?}");
    assert_eq!(with_photo.json["user"]["userName"], "Amina");
    let photo = server.api.get(with_photo.json["user"]["photo"].as_str().unwrap()).await;
    assert_eq!((photo.status, photo.header("content-type")), (200, "image/jpeg"));
    assert!(photo.header("cache-control").contains("immutable"));
    for (file, status, code) in [
        (b"<svg/>".to_vec(), 422, "photo_type"),
        (bmp[..40].to_vec(), 422, "photo_unreadable"),
        (vec![0; 2_000_001], 413, "photo_too_large"),
    ] {
        let refused = patch(multipart, form(&file)).await;
        assert_eq!((refused.status, refused.code()), (status, code), "{refused:?}");
        assert_eq!(refused.json["details"]["fields"], json!(["file"]));
    }
    let me = server.api.get_as(&token, "/api/v1/users/me").await;
    assert_eq!(me.json["user"]["photo"], with_photo.json["user"]["photo"]);
}

#[tokio::test]
async fn settings_and_local_mail_pages() {
    let server =
        TestServer::with_options(|options| options.installation.home_url = Some("https://home.example".into())).await;
    let settings = server.api.get("/api/v1/settings").await;
    let nobody = json!({ "google": null, "homeUrl": "https://home.example", "appUrl": null, "operator": null });
    assert_eq!(settings.json, nobody);
    let operator = OperatorSettings {
        name: "Dār al-Waraq SARL".into(),
        seat: "12 rue du Livre, 1000 Tunis".into(),
        contact: "legal@waraq.example".into(),
    };
    let named = TestServer::with_options(|options| options.installation.operator = Some(operator))
        .await
        .api
        .get("/api/v1/settings")
        .await;
    let operator =
        json!({ "name": "Dār al-Waraq SARL", "seat": "12 rue du Livre, 1000 Tunis", "contact": "legal@waraq.example" });
    assert_eq!(named.json["operator"], operator);
    assert_eq!(
        server.api.post("/api/v1/auth/google-login", &[], &json!({ "accessToken": "a.b.c" })).await.code(),
        "google_unavailable"
    );
    server.registered("amina@example.org", "a password").await;
    let list = server.api.get("/dev/mail").await;
    assert!(String::from_utf8_lossy(&list.bytes).contains("amina@example.org"));
    let mails = server.api.get("/dev/mail.json").await;
    let id = mails.json[0]["id"].as_str().unwrap();
    let mail = server.api.get(&format!("/dev/mail/{id}")).await;
    assert!(String::from_utf8_lossy(&mail.bytes).contains("<iframe sandbox="));
    let foreign = server.api.send("GET", "/dev/mail.json", &[("host", "evil.example")], "").await;
    assert!(foreign.json.is_null(), "other host names are refused");
}
