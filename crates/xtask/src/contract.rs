//! Tests the API against its OpenAPI document with Schemathesis, from PyPI. Thousands of generated requests are sent to a running
//! server as a guest, a user and an admin. No response may be a 5xx, and the document must list each status, type and body.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::python::Environment;
use crate::steps::{check, command, root, target_dir};

pub const ENVIRONMENT: Environment = Environment { name: "schemathesis", packages: &["schemathesis==4.32.5"] };

/// The checks that Schemathesis applies to each response. The OpenAPI document decides which status a generated request
/// may get.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance";

/// Maximum number of generated requests per route and role.
const EXAMPLES: &str = "20";
/// Maximum time in seconds per role; then no more requests are generated.
const SECONDS: &str = "60";
/// Fixed seed, so that every run sends the same requests.
const SEED: &str = "20261122";

/// Maximum time until the server is ready. It is long, because a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(300);

pub fn install() -> Result<()> {
    ENVIRONMENT.install()
}

/// A server with its own empty data folder. Dropping it ends the process.
struct ContractServer {
    process: Child,
    address: SocketAddr,
    data: PathBuf,
}

impl Drop for ContractServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl ContractServer {
    fn start() -> Result<Self> {
        let data = target_dir().join("schemathesis-data");
        if data.exists() {
            std::fs::remove_dir_all(&data)?;
        }
        std::fs::create_dir_all(&data)?;
        let log = std::fs::File::create(target_dir().join("schemathesis/server.log"))?;
        let mut process = Command::new(target_dir().join("debug/waraq-local"))
            .args(["--port", "0", "--limits-factor", "1000000", "--guest-fills-per-minute", "1000000", "--data"])
            .arg(&data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .context("the server cannot be started")?;
        let said = process.stdout.take().context("the server has no output")?;
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(said).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        // From here on, dropping this value ends the process, also after an error.
        let mut server = Self { process, address: ([127, 0, 0, 1], 0).into(), data };
        loop {
            let line = lines.recv_timeout(PATIENCE).context("the server does not get ready")?;
            if let Some((_, port)) = line.split_once("http://localhost:")
                && line.starts_with("Waraq")
            {
                server.address.set_port(port.trim().parse()?);
            }
            if line.starts_with("Catalogue") {
                return Ok(server);
            }
        }
    }

    fn admin(&self) -> Result<String> {
        let file = std::fs::read_to_string(self.data.join("first-admin.txt"))?;
        let line =
            |name: &str| file.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
        let login = json!({ "email": line("email:"), "password": line("password:") });
        token(&self.post("/api/v1/auth/login", &login)?)
    }

    /// Registers a user with the code from the mail, and returns a token of the user.
    fn user(&self) -> Result<String> {
        let person = json!({ "userName": "Amina", "email": "amina@example.org", "password": "a password of hers" });
        let registered = self.post("/api/v1/auth/register", &person)?;
        for _ in 0..600 {
            let mails = self.get("/dev/mail.json")?;
            let text = mails.as_array().and_then(|mails| mails.first()).and_then(|mail| mail["text"].as_str());
            let six = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
            if let Some(code) = text.and_then(|text| text.lines().find(six)) {
                let proof = json!({ "userId": registered["userId"], "otp": code });
                return token(&self.post("/api/v1/auth/verify-otp", &proof)?);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        bail!("no code was mailed")
    }

    fn get(&self, path: &str) -> Result<Value> {
        self.exchange(&format!("GET {path} HTTP/1.1\r\n"), "")
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.exchange(&format!("POST {path} HTTP/1.1\r\nContent-Type: application/json\r\n"), &body.to_string())
    }

    /// Sends a single HTTP request and returns the JSON body of the response. It uses no library for HTTP, because such
    /// a library would take too long to compile.
    fn exchange(&self, head: &str, body: &str) -> Result<Value> {
        let mut stream = TcpStream::connect(self.address)?;
        let (address, length) = (self.address, body.len());
        write!(stream, "{head}Host: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").context("no answer")?;
        serde_json::from_str(body).with_context(|| format!("no JSON was answered: {body}"))
    }
}

fn token(session: &Value) -> Result<String> {
    session["token"].as_str().map(str::to_owned).with_context(|| format!("no session: {session}"))
}

pub fn run() -> Result<()> {
    let server = ContractServer::start()?;
    let roles = [("guest", None), ("user", Some(server.user()?)), ("admin", Some(server.admin()?))];
    let mut failed = Vec::new();
    for (role, token) in roles {
        println!("      as {role}");
        if run_schemathesis(&server, role, token.as_deref()).is_err() {
            failed.push(role);
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("what {} were answered is not as documented", failed.join(", ")) }
}

/// Sends generated requests to every route. `role` is the role of the caller; a guest has no `token`.
fn run_schemathesis(server: &ContractServer, role: &str, token: Option<&str>) -> Result<()> {
    let reports = ENVIRONMENT.folder();
    let mut run = command(&ENVIRONMENT.program("schemathesis").to_string_lossy(), &["run"]);
    run.arg(root().join("frontend/src/api/openapi.json"))
        .args(["--url", &format!("http://{}", server.address), "--checks", CHECKS])
        .args(["--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES, "--seed", SEED])
        .args(["--max-time", SECONDS])
        // Each worker is a thread. Before Python 3.12, a parser can fail while another thread is parsing
        // (python/cpython#106905).
        .args(["--generation-deterministic", "--workers", "1", "--request-timeout", "60", "--no-color"])
        .args(["--report", "junit", "--report-junit-path"])
        .arg(reports.join(format!("{role}.xml")))
        .current_dir(&reports);
    if let Some(token) = token {
        // A logout would end the session of all later requests.
        run.args(["--exclude-path", "/api/v1/auth/logout"]);
        run.args(["--header", &format!("Authorization: Bearer {token}")]);
    }
    check(&mut run)
}
