//! The test server: the gateway on a free port, with its stores in a temporary folder.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use http::{HeaderMap, Request};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tempfile::TempDir;
use waraq_aws::{MailFolder, SentMail, SystemClock};
use waraq_core::accounts::{Account, Address, Role};
use waraq_core::clock::new_id;
use waraq_core::token::LoginSession;
use waraq_core::{Clock, Timestamp};
use waraq_local::{Options, Server, start};

use crate::cloud;
use crate::logs::{self, register_secret};
use crate::rights::Policies;

/// Time after which a state that a test waits for counts as never reached. Only failing tests wait so long.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Waits until `check` returns true, and panics with `what` if that takes too long.
pub async fn wait_until(what: &str, mut check: impl AsyncFnMut() -> bool) {
    let deadline = tokio::time::Instant::now() + LONGEST_WAIT;
    while !check().await {
        assert!(tokio::time::Instant::now() < deadline, "not within {LONGEST_WAIT:?}: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A clock that stands still until a test moves it.
pub struct ManualClock {
    now: AtomicU64,
    waited: AtomicU64,
}

impl ManualClock {
    /// Starts at the beginning of tomorrow (UTC). Limits count in windows of an hour or a day from the epoch, so a test
    /// that starts near the end of a window would see two of them. The start of today would be in the past, and the
    /// embedded database deletes items that have expired by the machine's clock.
    pub fn new() -> Arc<Self> {
        const DAY: u64 = 24 * 3_600 * 1_000;
        Self::at((SystemClock.now().0 / DAY + 1) * DAY)
    }

    /// Starts at the current time, to match the dates of files.
    pub fn from_now() -> Arc<Self> {
        Self::at(SystemClock.now().0)
    }

    fn at(milliseconds: u64) -> Arc<Self> {
        Arc::new(Self { now: AtomicU64::new(milliseconds), waited: AtomicU64::new(0) })
    }

    /// Returns the total time in milliseconds for which callers have called `wait`. The calls themselves return at once.
    pub fn waited(&self) -> u64 {
        self.waited.load(Ordering::SeqCst)
    }

    pub fn advance(&self, seconds: u64) {
        self.now.fetch_add(seconds * 1_000, Ordering::SeqCst);
    }

    pub fn back(&self, seconds: u64) {
        self.now.fetch_sub(seconds * 1_000, Ordering::SeqCst);
    }
}

#[async_trait]
impl Clock for ManualClock {
    async fn wait(&self, milliseconds: u64) {
        self.waited.fetch_add(milliseconds, Ordering::SeqCst);
    }

    fn now(&self) -> Timestamp {
        Timestamp(self.now.load(Ordering::SeqCst))
    }
}

pub struct TestServer {
    pub local: Server,
    pub api: Api,
    /// The rights of each function.
    rights: Arc<Policies>,
    /// The data folder, which is removed on drop.
    folder: Arc<TempDir>,
}

impl TestServer {
    /// Starts a server without templates.
    pub async fn new() -> Self {
        Self::with_options(|_| {}).await
    }

    pub async fn with_options(change: impl FnOnce(&mut Options)) -> Self {
        Self::prepared(|_| {}, change).await
    }

    /// Starts a server whose handlers always run in this process, for tests that change state which only this process
    /// has.
    pub async fn in_process(why: &'static str) -> Self {
        Self::start(Arc::new(tempfile::tempdir().unwrap()), |_| {}, Some(why)).await
    }

    /// Starts a server in a folder that `prepare` has changed before.
    pub async fn prepared(prepare: impl FnOnce(&Path), change: impl FnOnce(&mut Options)) -> Self {
        let data = Arc::new(tempfile::tempdir().unwrap());
        prepare(data.path());
        Self::start(data, change, None).await
    }

    /// Ends the process of this server and starts another one on the same folder.
    pub async fn restart(self) -> Self {
        Self::reopen(self.stop().await, |_| {}).await
    }

    /// Ends the process of this server and returns its data folder.
    pub async fn stop(self) -> Arc<TempDir> {
        let data = Arc::clone(&self.folder);
        drop(self);
        let lock = std::fs::File::open(data.path().join("lock")).unwrap();
        while lock.try_lock().is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        data
    }

    pub async fn reopen(data: Arc<TempDir>, change: impl FnOnce(&mut Options)) -> Self {
        Self::start(data, change, None).await
    }

    /// `here` is the reason to run the handlers in this process, if the test has one.
    async fn start(data: Arc<TempDir>, change: impl FnOnce(&mut Options), here: Option<&'static str>) -> Self {
        logs::install_log_check();
        let mut options = Options::new(data.path());
        options.starting_catalogue = false;
        let rights = Policies::from_template();
        options.rights = Some(rights.clone());
        let clock = Arc::clone(&options.options.clock);
        change(&mut options);
        if options.programs.is_none() {
            options.programs = cloud::programs_of(&options, &clock, here);
        }
        let server = start(options).await.unwrap();
        register_secret(&server.admin.password);
        Self { api: Api::new(server.address), local: server, rights, folder: data }
    }

    /// Returns the folder of all data.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns every item of the table whose partition key begins with `prefix`.
    pub async fn items(&self, prefix: &str) -> Vec<HashMap<String, AttributeValue>> {
        let cloud = &self.local.cloud;
        let mut pages = cloud.dynamodb().scan().table_name(cloud.table_name()).into_paginator().items().send();
        let mut items = Vec::new();
        while let Some(item) = pages.next().await {
            items.push(item.unwrap());
        }
        items.retain(|item| item["pk"].as_s().unwrap().starts_with(prefix));
        items
    }

    /// Returns the number of tries of each waiting mail.
    pub async fn tries_of_mails(&self) -> Vec<u64> {
        let number = |item: &HashMap<String, AttributeValue>| {
            item.get("tries").map_or(0, |tries| tries.as_n().unwrap().parse().unwrap())
        };
        self.items("OUTBOX#").await.iter().map(number).collect()
    }

    /// Ends the waits before the next tries of all mails in the outbox.
    pub async fn end_waits_of_mails(&self) {
        let now = self.local.cloud.clock().now();
        for item in self.items("OUTBOX#").await {
            let id = item["pk"].as_s().unwrap().trim_start_matches("OUTBOX#").to_owned();
            self.local.cloud.outbox().postpone(&id, now).await.unwrap();
        }
    }

    /// Makes a registration expire, as if a day had passed.
    pub async fn end_registration(&self, id: &str) {
        let cloud = &self.local.cloud;
        let key = [("pk", format!("USER#{id}")), ("sk", "PROFILE".to_owned())];
        let update = cloud.dynamodb().update_item().table_name(cloud.table_name());
        let update = update.set_key(Some(key.map(|(name, value)| (name.to_owned(), AttributeValue::S(value))).into()));
        let update =
            update.update_expression("SET expires_at = :past").condition_expression("attribute_exists(expires_at)");
        update.expression_attribute_values(":past", AttributeValue::N("1".to_owned())).send().await.unwrap();
    }

    pub async fn admin(&self) -> String {
        let admin = &self.local.admin;
        self.api.login(&admin.email, &admin.password).await
    }

    /// Ends the wait between two mails, as if a minute had passed.
    pub async fn end_mail_waits(&self) {
        let cloud = &self.local.cloud;
        for item in self.items("RATE#mail-wait-").await {
            let key = ["pk", "sk"].map(|name| (name.to_owned(), item[name].clone()));
            let delete = cloud.dynamodb().delete_item().table_name(cloud.table_name());
            delete.set_key(Some(key.into())).send().await.unwrap();
        }
    }

    /// Waits until an address has received more than `known` mails, and returns the newest one.
    pub async fn mail_to(&self, email: &str, known: usize) -> SentMail {
        self.mail_of("", email, known).await
    }

    /// Waits until an address has received more than `known` mails of a kind, and returns the newest one. An empty kind
    /// matches all kinds. Mails of different kinds have no fixed order.
    pub async fn mail_of(&self, kind: &str, email: &str, known: usize) -> SentMail {
        for _ in 0..12_000 {
            let mut mails = self.mails_to(email);
            mails.retain(|mail| kind.is_empty() || mail.kind == kind);
            if mails.len() > known {
                return mails.remove(0);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("no mail came to {email}");
    }

    /// Returns every mail to an address, newest first.
    pub fn mails_to(&self, email: &str) -> Vec<SentMail> {
        // The path of the folder may be occupied by a file.
        let mut mails = MailFolder::new(self.folder().join("mail")).mails().unwrap_or_default();
        mails.retain(|mail| mail.to == email);
        mails
    }

    /// Returns the code in the newest mail to an address.
    pub async fn code_to(&self, email: &str, known: usize) -> String {
        code_of(&self.mail_to(email, known).await)
    }

    /// Registers and verifies an address. Returns the session.
    pub async fn registered(&self, email: &str, password: &str) -> Value {
        let known = self.mails_to(email).len();
        let body = json!({ "userName": "Amina", "email": email, "password": password });
        let registered = self.api.post("/api/v1/auth/register", &[], &body).await;
        assert_eq!(registered.status, 201, "{registered:?}");
        let otp = self.code_to(email, known).await;
        let verified = json!({ "userId": registered.json["userId"], "otp": otp });
        let verified = self.api.post("/api/v1/auth/verify-otp", &[], &verified).await;
        assert_eq!(verified.status, 200, "{verified:?}");
        verified.json
    }

    /// Creates an account with the role user and without a password. Returns it with a token.
    pub async fn account(&self, email: &str) -> (Account, String) {
        let cloud = &self.local.cloud;
        let account = new_user_account(new_id(cloud.clock(), cloud.random_source()), email, cloud.clock().now());
        waraq_core::accounts::add_account(cloud.accounts(), &account, &Address::parse(email).unwrap()).await.unwrap();
        let signer = cloud.signer().await.unwrap().unwrap();
        let token = signer
            .issue(&account, &LoginSession::new("session", false, cloud.clock().now()), cloud.clock().now())
            .unwrap()
            .token;
        (account, token)
    }

    /// Creates an account with the role user and the password `a password`. Returns it with a token.
    pub async fn user(&self, email: &str) -> (Account, String) {
        let (account, _) = self.account(email).await;
        self.local.cloud.password_store().set_password(&account.id, "a password").await.unwrap();
        let token = self.api.login(email, "a password").await;
        (account, token)
    }
}

/// Returns a new account with the role user.
pub fn new_user_account(id: String, email: &str, created_at: Timestamp) -> Account {
    Account {
        id,
        user_name: "Somebody".into(),
        name: None,
        email: email.into(),
        verified: true,
        photo: None,
        country: None,
        language: None,
        role: Role::User,
        token_version: 1,
        downloads: 0,
        private_templates: 0,
        created_at,
        revision: 0,
        former_addresses: Vec::new(),
        google: Vec::new(),
        ended_sessions: Vec::new(),
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            logs::assert_no_secret_logged();
            let refused = self.rights.refused();
            assert!(refused.is_empty(), "functions lack rights in template.yaml: {refused:#?}");
        }
    }
}

/// Returns the line of six digits in a mail.
pub fn code_of(mail: &SentMail) -> String {
    let code = mail.text.lines().find(|line| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit()));
    let code = code.unwrap_or_else(|| panic!("no code: {mail:?}"));
    register_secret(code);
    code.to_owned()
}

/// Returns the token in the fragment of a mail's link.
pub fn token_of(mail: &SentMail) -> String {
    let (_, token) = mail.text.lines().find_map(|line| line.split_once("#token=")).expect("a link");
    register_secret(token);
    token.to_owned()
}

/// A client of the API.
#[derive(Clone)]
pub struct Api {
    client: Client<HttpConnector, Full<Bytes>>,
    address: SocketAddr,
    /// Headers that are sent with every call.
    default_headers: Vec<(String, String)>,
}

pub struct ApiResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Bytes,
    /// The body as JSON, or null if it is not JSON.
    pub json: Value,
}

/// Shows the status and only the beginning of the body, because files are long.
impl fmt::Debug for ApiResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body: String = String::from_utf8_lossy(&self.bytes).chars().take(2_000).collect();
        write!(formatter, "{} {body}", self.status)
    }
}

impl ApiResponse {
    pub fn code(&self) -> &str {
        self.json["code"].as_str().unwrap_or("")
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("")
    }

    /// Returns the bytes of a base64 member of the body.
    pub fn file(&self, name: &str) -> Vec<u8> {
        BASE64.decode(self.json[name].as_str().unwrap_or_else(|| panic!("no {name}: {self:?}"))).unwrap()
    }
}

impl Api {
    pub fn new(address: SocketAddr) -> Self {
        Self { client: Client::builder(TokioExecutor::new()).build_http(), address, default_headers: Vec::new() }
    }

    /// Creates a client that sends additional headers with every call.
    pub fn with_headers(address: SocketAddr, always: Vec<(String, String)>) -> Self {
        Self { default_headers: always, ..Self::new(address) }
    }

    /// Returns a client of the same API with another source address of this machine: 127.0.0.x.
    pub fn with_source(&self, last: u8) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_local_address(Some(std::net::IpAddr::from([127, 0, 0, last])));
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Self { client, address: self.address, default_headers: self.default_headers.clone() }
    }

    /// Returns an error if the server closes the connection.
    pub async fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Result<ApiResponse, String> {
        // A signed link to a file is a complete URL.
        let uri = if path.starts_with("http://") { path.to_owned() } else { format!("http://{}{path}", self.address) };
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        for (name, value) in self.default_headers.iter().filter(|_| path.starts_with('/')) {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(body.into())).unwrap();
        let response = self.client.request(request).await.map_err(|error| error.to_string())?;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.map_err(|error| error.to_string())?.to_bytes();
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        crate::documented_responses::check_response(method, path, parts.status.as_u16(), &json);
        Ok(ApiResponse { status: parts.status.as_u16(), headers: parts.headers, bytes, json })
    }

    pub async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> ApiResponse {
        self.try_send(method, path, headers, body).await.unwrap()
    }

    pub async fn get(&self, path: &str) -> ApiResponse {
        self.send("GET", path, &[], "").await
    }

    pub async fn get_as(&self, token: &str, path: &str) -> ApiResponse {
        self.send("GET", path, &[("authorization", &bearer(token))], "").await
    }

    pub async fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> ApiResponse {
        for (name, value) in body.as_object().into_iter().flatten() {
            if name.to_lowercase().ends_with("password") {
                register_secret(value.as_str().unwrap_or_default());
            }
        }
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        self.send("POST", path, &all, body.to_string()).await
    }

    pub async fn login(&self, email: &str, password: &str) -> String {
        let answer = self.post("/api/v1/auth/login", &[], &json!({ "email": email, "password": password })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json["token"].as_str().unwrap().to_owned()
    }

    pub async fn publish(&self, token: &str, headers: &[(&str, &str)], form: &Form) -> ApiResponse {
        self.try_publish(token, headers, form).await.unwrap()
    }

    pub async fn try_publish(&self, token: &str, headers: &[(&str, &str)], form: &Form) -> Result<ApiResponse, String> {
        let bearer = bearer(token);
        let mut all = vec![("authorization", bearer.as_str()), ("content-type", "multipart/form-data; boundary=edge")];
        all.extend_from_slice(headers);
        self.try_send("POST", "/api/v1/documents/file", &all, form.body()).await
    }

    /// Calls POST /documents/check.
    pub async fn check(&self, token: &str, form: &Form) -> ApiResponse {
        let bearer = bearer(token);
        let all = [("authorization", bearer.as_str()), ("content-type", "multipart/form-data; boundary=edge")];
        self.send("POST", "/api/v1/documents/check", &all, form.body()).await
    }

    /// Calls PATCH /documents/{id}.
    pub async fn edit(&self, token: &str, id: &str, headers: &[(&str, &str)], form: &Form) -> ApiResponse {
        let bearer = bearer(token);
        let mut all = vec![("authorization", bearer.as_str()), ("content-type", "multipart/form-data; boundary=edge")];
        all.extend_from_slice(headers);
        self.send("PATCH", &format!("/api/v1/documents/{id}"), &all, form.body()).await
    }

    /// Calls PATCH /documents/{id}/deactivate or activate.
    pub async fn set_status(&self, token: &str, id: &str, verb: &str) -> ApiResponse {
        let path = format!("/api/v1/documents/{id}/{verb}");
        self.send("PATCH", &path, &[("authorization", &bearer(token))], "").await
    }

    /// Publishes a letter with the fields `Name` and `Date`, and returns its id.
    pub async fn publish_letter(&self, token: &str, title: &str) -> String {
        let answer = self.publish(token, &[], &Form::letter(title)).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json["document"]["_id"].as_str().unwrap().to_owned()
    }

    pub async fn fill(&self, id: &str, headers: &[(&str, &str)], body: &Value) -> ApiResponse {
        self.post(&format!("/api/v1/documents/{id}/fill-fields"), headers, body).await
    }
}

pub fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

/// Returns values for the fields of a letter.
pub fn letter_values(name: &str) -> Value {
    json!({ "fieldsAndValues": [{ "Name": name }, { "Date": "1 March" }], "save": false })
}

/// A form that is uploaded.
pub struct Form {
    pub texts: Vec<(&'static str, String)>,
    pub docx: Option<Vec<u8>>,
}

impl Form {
    pub fn letter(title: &str) -> Self {
        let docx = docx(&["Dear {{Name}},", "we write on {{Date}}."]);
        Self { texts: vec![("title", title.to_owned())], docx: Some(docx) }
    }

    /// Creates a form of texts without a file.
    pub fn from_texts(texts: &[(&'static str, &str)]) -> Self {
        Self { texts: texts.iter().map(|(name, text)| (*name, (*text).to_owned())).collect(), docx: None }
    }

    pub fn with_file(mut self, docx: Vec<u8>) -> Self {
        self.docx = Some(docx);
        self
    }

    pub fn with(mut self, name: &'static str, text: &str) -> Self {
        self.texts.push((name, text.to_owned()));
        self
    }

    pub fn body(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for (name, text) in &self.texts {
            let part = format!("--edge\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
            body.extend_from_slice(part.as_bytes());
        }
        if let Some(docx) = &self.docx {
            let disposition = "content-disposition: form-data; name=\"file\"; filename=\"a.docx\"";
            body.extend_from_slice(format!("--edge\r\n{disposition}\r\n\r\n").as_bytes());
            body.extend_from_slice(docx);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--edge--\r\n");
        body
    }
}

/// Builds a Word file of plain paragraphs.
pub fn docx(paragraphs: &[&str]) -> Vec<u8> {
    docx_of_body(&paragraphs.iter().map(|text| paragraph(text)).collect::<String>())
}

/// Returns a paragraph in WordprocessingML.
pub fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// Returns a table with one row in WordprocessingML.
pub fn table_row(cells: &[&str]) -> String {
    let columns = "<w:gridCol w:w=\"3000\"/>".repeat(cells.len());
    let cells: String = cells.iter().map(|text| format!("<w:tc>{}</w:tc>", paragraph(text))).collect();
    format!("<w:tbl><w:tblPr/><w:tblGrid>{columns}</w:tblGrid><w:tr>{cells}</w:tr></w:tbl>")
}

/// Builds a Word file from the content of its body in WordprocessingML.
pub fn docx_of_body(body: &str) -> Vec<u8> {
    let document = format!(
        "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>{body}</w:body></w:document>"
    );
    let office = "http://schemas.openxmlformats.org";
    let types = format!(
        "<Types xmlns=\"{office}/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>"
    );
    let relationships = format!(
        "<Relationships xmlns=\"{office}/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"{office}/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>"
    );
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in
        [("[Content_Types].xml", types), ("_rels/.rels", relationships), ("word/document.xml", document)]
    {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Returns the text of a .docx file's main part without its tags.
pub fn docx_text(bytes: &[u8]) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let xml = std::io::read_to_string(archive.by_name("word/document.xml").unwrap()).unwrap();
    xml.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect()
}
