//! One tour through the whole API of a running system: behind `cargo lambda watch` (`cargo xtask test lambda`), or in a
//! stack on an emulator (`cargo xtask rehearse`). `WARAQ_TOUR` names the system. Every route is called, and its
//! response must match the OpenAPI document.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use functions::routes::routes;
use serde_json::{Value, json};

use crate::ministack::Ministack;
use crate::own_data::photo_form;
use crate::test_server::{Api, ApiResponse, Form, bearer, docx, letter_values};

/// Routes that cannot succeed in a short tour, with the error code of each.
const REFUSED: [(&str, &str); 2] = [
    // The system has no Google client.
    ("auth-google-login", "google_unavailable"),
    // An address gets one mail per minute.
    ("auth-resend-otp", "mail_wait"),
];

const PASSWORD: &str = "a password";

struct Tour {
    api: Api,
    /// The URL prefix of invocations of functions without a route.
    functions: String,
    emulator: Ministack,
    /// The names of the functions that were called.
    called: Mutex<BTreeSet<String>>,
}

/// Returns the function that serves a call.
fn function_of(method: &str, path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |route: &str| {
        let segments: Vec<&str> = route.split('/').collect();
        let same = |(segment, part): (&&str, &&str)| segment == part || segment.starts_with('{');
        (segments.len() == parts.len() && segments.iter().zip(&parts).all(same))
            .then(|| segments.iter().filter(|segment| segment.starts_with('{')).count())
    };
    let routes = routes().into_iter().filter(|route| route.method == method);
    let fitting = routes.filter_map(|route| Some((fits(&route.path)?, route.function)));
    fitting.min().map(|(_, function)| function).unwrap_or_else(|| panic!("{method} {path} is no call"))
}

impl Tour {
    /// Calls the API and expects this status.
    async fn call(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
        status: u16,
    ) -> ApiResponse {
        let kind = body.map(|_| "application/json");
        let body = body.map(Value::to_string).unwrap_or_default();
        self.send(method, path, token, kind, body.into_bytes(), status).await
    }

    async fn form(&self, method: &str, path: &str, token: &str, form: Vec<u8>, status: u16) -> ApiResponse {
        self.send(method, path, Some(token), Some("multipart/form-data; boundary=edge"), form, status).await
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        kind: Option<&str>,
        body: Vec<u8>,
        status: u16,
    ) -> ApiResponse {
        let authorization = token.map(bearer);
        let headers = authorization.as_deref().map(|it| ("authorization", it)).into_iter();
        let headers: Vec<(&str, &str)> = headers.chain(kind.map(|it| ("content-type", it))).collect();
        let answer = self.api.send(method, path, &headers, body).await;
        assert_eq!(answer.status, status, "{method} {path}: {answer:?}");
        let function = function_of(method, path);
        if let Some((_, code)) = REFUSED.iter().find(|(refused, _)| *refused == function) {
            assert_eq!(answer.code(), *code, "{method} {path}: {answer:?}");
        }
        self.called.lock().unwrap().insert(function);
        answer
    }

    async fn get(&self, path: &str) -> ApiResponse {
        self.call("GET", path, None, None, 200).await
    }

    async fn get_as(&self, token: &str, path: &str) -> ApiResponse {
        self.call("GET", path, Some(token), None, 200).await
    }

    async fn post(&self, path: &str, token: Option<&str>, body: Value, status: u16) -> ApiResponse {
        self.call("POST", path, token, Some(&body), status).await
    }

    /// Returns what `says` finds in a mail to an address, after the first `known` mails. It invokes the outbox function
    /// itself, in addition to any schedule of the system.
    async fn find_in_mail(&self, address: &str, known: usize, says: impl Fn(&str) -> Option<String>) -> String {
        for _ in 0..200 {
            let clock = json!({ "source": "aws.events", "detail-type": "Scheduled Event" });
            let url = format!("{}outbox/invocations", self.functions);
            self.api.send("POST", &url, &[("content-type", "application/json")], clock.to_string()).await;
            let mails = self.emulator.mails_to(address).await;
            let texts = mails.iter().skip(known).filter_map(|mail| mail["BodyText"].as_str());
            if let Some(said) = texts.filter_map(&says).next_back() {
                return said;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        panic!("no such mail came to {address}");
    }

    async fn mails(&self, address: &str) -> usize {
        self.emulator.mails_to(address).await.len()
    }
}

/// Returns the line of six digits in a mail.
fn code(mail: &str) -> Option<String> {
    let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
    mail.lines().map(str::trim).find(is_code).map(str::to_owned)
}

/// Returns the token of a link to a screen.
fn link(screen: &'static str) -> impl Fn(&str) -> Option<String> {
    move |mail| {
        let (_, token) = mail.split_once(&format!("{screen}#token="))?;
        Some(token.split_whitespace().next()?.to_owned())
    }
}

fn text(answer: &ApiResponse, pointer: &str) -> String {
    answer.json.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer}: {answer:?}")).to_owned()
}

impl Tour {
    fn from_environment() -> (Self, [String; 2]) {
        let told = std::env::var("WARAQ_TOUR").expect("WARAQ_TOUR: the addresses of the installation");
        let told: Value = serde_json::from_str(&told).unwrap();
        let text = |name: &str| told[name].as_str().unwrap_or_else(|| panic!("WARAQ_TOUR has no {name}")).to_owned();
        let address: SocketAddr = text("address").parse().unwrap();
        let headers = told["headers"].as_object().into_iter().flatten();
        let headers = headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect();
        let tour = Self {
            api: Api::with_headers(address, headers),
            functions: text("functions"),
            emulator: Ministack { address: text("emulator") },
            called: Mutex::default(),
        };
        (tour, [text("admin"), text("password")])
    }

    /// Calls the routes that are open to everyone.
    async fn as_a_guest(&self) {
        for path in ["health", "settings", "languages?lang=fr", "countries?lang=ar", "categories"] {
            self.get(&format!("/api/v1/{path}")).await;
        }
        let google = json!({ "accessToken": "eyJhbGciOiJSUzI1NiJ9.e30.c2ln" });
        self.post("/api/v1/auth/google-login", None, google, 404).await;
    }

    /// Makes all calls of an admin for a template. Returns the template's id.
    async fn as_an_admin(&self, admin: &str) -> String {
        let size = json!({ "bytes": 5_000_000 });
        self.post("/api/v1/documents/upload", Some(admin), size, 200).await;
        let letter = Form::letter("A tour").with("categories", "boats");
        let checked = self.form("POST", "/api/v1/documents/check", admin, letter.body(), 200).await;
        assert_eq!(checked.json["fields"], json!(["Name", "Date"]), "{checked:?}");
        let published = self.form("POST", "/api/v1/documents/file", admin, letter.body(), 201).await;
        let id = text(&published, "/document/_id");
        let at = |verb: &str| format!("/api/v1/documents/{id}{verb}");
        assert!(self.get(&at("")).await.file("pdf").starts_with(b"%PDF"));
        let changed =
            Form::from_texts(&[("title", "A tour, changed")]).with_file(docx(&["Dear {{Name}}, on {{Date}}:", "yes."]));
        self.form("PATCH", &at(""), admin, changed.body(), 200).await;
        self.get_as(admin, &at("/versions")).await;
        let revision = self.get_as(admin, &at("")).await.json["document"]["revision"].clone();
        let first = json!({ "templateVersion": 1, "revision": revision });
        self.post(&at("/restore"), Some(admin), first, 200).await;
        self.get_as(admin, &at("/history")).await;
        self.call("PATCH", &at("/deactivate"), Some(admin), None, 200).await;
        self.call("PATCH", &at("/activate"), Some(admin), None, 200).await;
        let values = json!({ "fieldsAndValues": letter_values("Amina")["fieldsAndValues"] });
        let tried = self.post(&at("/try"), Some(admin), values, 200).await;
        assert!(tried.file("pdf").starts_with(b"%PDF"), "{tried:?}");

        let ships = Form::letter("Another").with("categories", "ships");
        self.form("POST", "/api/v1/documents/file", admin, ships.body(), 201).await;
        let named = json!({ "name": "boats", "names": { "fr": "Bateaux" } });
        self.call("PATCH", "/api/v1/categories", Some(admin), Some(&named), 200).await;
        let merge = json!({ "name": "ships", "into": "boats" });
        self.post("/api/v1/categories/merge", Some(admin), merge, 200).await;
        self.post("/api/v1/categories/separate", Some(admin), json!({ "name": "ships" }), 200).await;
        self.get_as(admin, "/api/v1/categories/history").await;
        self.get_as(admin, "/api/v1/documents/getDashboardData").await;
        id
    }

    async fn login(&self, email: &str, password: &str) -> String {
        let login = json!({ "email": email, "password": password });
        text(&self.post("/api/v1/auth/login", None, login, 200).await, "/token")
    }

    /// Registers an account. Returns its id and a token.
    async fn registered(&self, email: &str) -> (String, String) {
        let new = json!({ "userName": "Amina", "email": email, "password": PASSWORD });
        let known = self.mails(email).await;
        let id = text(&self.post("/api/v1/auth/register", None, new, 201).await, "/userId");
        self.post("/api/v1/auth/resend-otp", None, json!({ "userId": id }), 429).await;
        let otp = self.find_in_mail(email, known, code).await;
        let session = self.post("/api/v1/auth/verify-otp", None, json!({ "userId": id, "otp": otp }), 200).await;
        (id, text(&session, "/token"))
    }

    /// Makes all calls of a user, from the registration to the deletion of the account.
    async fn as_a_user(&self, admin: &str, letter: &str) {
        let email = "tour@example.org";
        let (id, token) = self.registered(email).await;
        assert_eq!(text(&self.get_as(&token, "/api/v1/users/me").await, "/user/email"), email);
        let me = self.form("PATCH", "/api/v1/users/me", &token, photo_form(7), 200).await;
        let photo = self.get(&text(&me, "/user/photo")).await;
        assert!(photo.header("content-type").starts_with("image/"), "{photo:?}");

        self.documents(&token, letter).await;
        self.saved_answers(&token).await;

        let message = json!({ "message": "How do I print a letter?" });
        let message = self.post("/api/v1/support-messages", Some(&token), message, 201).await;
        let message = format!("/api/v1/support-messages/{}", text(&message, "/supportMessage/_id"));
        self.get_as(admin, "/api/v1/support-messages?status=open").await;
        let said = json!({ "message": "By the printer's dialog.", "version": 0, "close": true });
        self.post(&format!("{message}/answer"), Some(admin), said, 200).await;
        self.call("PATCH", &message, Some(admin), Some(&json!({ "status": "open" })), 200).await;

        let changed = json!({ "oldPassword": PASSWORD, "newPassword": "another password" });
        let changed = self.post("/api/v1/auth/change-password", Some(&token), changed, 200).await;
        let known = self.mails(email).await;
        self.post("/api/v1/auth/forgot-password", None, json!({ "email": email }), 200).await;
        let forgot = self.find_in_mail(email, known, link("/reset-password")).await;
        self.reset(&forgot).await;
        self.call("GET", "/api/v1/users/me", Some(&text(&changed, "/token")), None, 401).await;
        let token = self.login(email, PASSWORD).await;
        let token = self.change_and_revert_address(&token, email, "tour-moved@example.org").await;

        let list = self.get_as(admin, "/api/v1/users?userName=Amina").await;
        assert_eq!(list.json["total"], 1, "{list:?}");
        let him = format!("/api/v1/users/{id}");
        self.get_as(admin, &format!("{him}/history")).await;
        self.call("PATCH", &him, Some(admin), Some(&json!({ "role": "admin" })), 200).await;
        self.call("GET", "/api/v1/users/me", Some(&token), None, 401).await;
        self.call("PATCH", &him, Some(admin), Some(&json!({ "role": "user" })), 200).await;
        let token = self.login(email, PASSWORD).await;
        self.get_as(&token, "/api/v1/users/me/export").await;
        let known = self.mails(email).await;
        self.call("POST", "/api/v1/users/me/deletion-code", Some(&token), None, 200).await;
        let code = self.find_in_mail(email, known, code).await;
        self.call("DELETE", "/api/v1/users/me", Some(&token), Some(&json!({ "code": code })), 204).await;
        self.call("GET", "/api/v1/users/me", Some(&token), None, 401).await;
        let (other, token) = self.registered("tour-other@example.org").await;
        self.call("DELETE", &format!("/api/v1/users/{other}"), Some(admin), None, 204).await;
        self.call("GET", "/api/v1/users/me", Some(&token), None, 401).await;
    }

    async fn reset(&self, token: &str) {
        let reset = json!({ "token": token, "newPassword": PASSWORD });
        self.post("/api/v1/auth/reset-password", None, reset, 200).await;
    }

    /// Changes the address of an account and reverts it by the link that was mailed to the first one. Returns a new
    /// session.
    async fn change_and_revert_address(&self, token: &str, email: &str, moved: &str) -> String {
        let (told, known) = (self.mails(email).await, self.mails(moved).await);
        let address = json!({ "newEmail": moved });
        self.post("/api/v1/auth/change-email", Some(token), address, 200).await;
        let proof = json!({ "newEmail": moved, "otp": self.find_in_mail(moved, known, code).await });
        self.post("/api/v1/auth/verify-change-email-otp", Some(token), proof, 200).await;
        let back = self.find_in_mail(email, told, link("/restore-email")).await;
        let told = self.mails(email).await;
        self.post("/api/v1/auth/restore-email", None, json!({ "token": back }), 200).await;
        // The old password is invalid now.
        let own = self.find_in_mail(email, told, link("/reset-password")).await;
        self.reset(&own).await;
        self.login(email, PASSWORD).await
    }

    /// Switches saved answers on, adds one, and deletes it.
    async fn saved_answers(&self, token: &str) {
        let path = "/api/v1/users/me/answers";
        self.call("PUT", path, Some(token), Some(&json!({ "on": true })), 200).await;
        let answers = json!({ "answers": [{ "meaning": "name", "value": "Amina" }] });
        let kept = self.post(path, Some(token), answers, 200).await;
        let one = format!("{path}/{}", text(&kept, "/answers/0/_id"));
        self.call("DELETE", &one, Some(token), None, 204).await;
        self.call("DELETE", path, Some(token), None, 204).await;
        assert_eq!(self.get_as(token, path).await.json["on"], true);
    }

    /// Fills a letter and saves it.
    async fn documents(&self, token: &str, letter: &str) {
        let list = self.get_as(token, "/api/v1/documents?title=tour").await;
        assert!(list.json["total"].as_u64().unwrap() > 0, "{list:?}");
        let at = |verb: &str| format!("/api/v1/documents/{letter}/{verb}");
        let filled = self.post(&at("fill-fields"), Some(token), letter_values("Amina"), 200).await;
        assert!(filled.file("pdf").starts_with(b"%PDF"), "{filled:?}");
        let values = json!({ "fieldsAndValues": letter_values("Amina")["fieldsAndValues"] });
        let saved = self.post(&at("save"), Some(token), values, 201).await;
        let saved = format!("/api/v1/documents/saved/{}", text(&saved, "/savedDocument/_id"));
        self.get_as(token, &saved).await;
        assert_eq!(self.get_as(token, "/api/v1/documents/saved").await.json["total"], 1);
        self.call("DELETE", &saved, Some(token), None, 204).await;
        self.call("POST", &format!("{saved}/restore"), Some(token), None, 200).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a running installation: cargo xtask test lambda, cargo xtask rehearse"]
async fn every_route_answers() {
    let (tour, [email, password]) = Tour::from_environment();
    let login = json!({ "email": email, "password": password });
    let session = tour.post("/api/v1/auth/login", None, login, 200).await;
    let admin = text(&session, "/token");
    tour.as_a_guest().await;
    let letter = tour.as_an_admin(&admin).await;
    tour.as_a_user(&admin, &letter).await;
    let renewed = text(&tour.post("/api/v1/auth/refresh", Some(&admin), json!({}), 200).await, "/token");
    tour.call("POST", "/api/v1/auth/logout", Some(&renewed), None, 204).await;
    let called = tour.called.lock().unwrap();
    let left: Vec<String> = routes().into_iter().map(|it| it.function).filter(|it| !called.contains(it)).collect();
    assert!(left.is_empty(), "not called: {left:?}");
    println!("{} routes answered", called.len());
}
