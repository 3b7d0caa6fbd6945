//! The API held to its OpenAPI document by Schemathesis, from PyPI: thousands of requests made of the document, sent to a running house
//! by a guest, a user and an admin. No answer is a 5xx, and each has a status, a type and a body that the document lists.

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

const SCHEMATHESIS: Environment = Environment { name: "schemathesis", packages: &["schemathesis==4.32.5"] };

/// What is asked of each answer. That a status is listed is among it; what a made-up request may be refused with is the document's to say.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance";

/// Requests a route is sent in each role, at most.
const EXAMPLES: &str = "20";
/// Seconds for a role, after which no more requests are made up.
const SECONDS: &str = "60";
/// The same requests in each run.
const SEED: &str = "20261122";

/// On a busy machine it takes its time.
const PATIENCE: Duration = Duration::from_secs(300);

pub fn install() -> Result<()> {
    SCHEMATHESIS.install()
}

/// A house of its own, in an empty folder. Dropped, it ends.
struct House {
    process: Child,
    address: SocketAddr,
    data: PathBuf,
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl House {
    fn start() -> Result<Self> {
        let data = target_dir().join("schemathesis-data");
        if data.exists() {
            std::fs::remove_dir_all(&data)?;
        }
        std::fs::create_dir_all(&data)?;
        let log = std::fs::File::create(target_dir().join("schemathesis/house.log"))?;
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
        // Held from here on, so that it ends whatever happens.
        let mut house = Self { process, address: ([127, 0, 0, 1], 0).into(), data };
        loop {
            let line = lines.recv_timeout(PATIENCE).context("the server does not get ready")?;
            if let Some((_, port)) = line.split_once("http://localhost:")
                && line.starts_with("Waraq")
            {
                house.address.set_port(port.trim().parse()?);
            }
            if line.starts_with("Catalogue") {
                return Ok(house);
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

    /// Somebody who registers and reads his mail.
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

    /// One request by hand: a client of HTTP is not worth its building here.
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
    let house = House::start()?;
    let roles = [("guest", None), ("user", Some(house.user()?)), ("admin", Some(house.admin()?))];
    let mut failed = Vec::new();
    for (role, token) in roles {
        println!("      as {role}");
        if ask(&house, role, token.as_deref()).is_err() {
            failed.push(role);
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("what {} were answered is not as documented", failed.join(", ")) }
}

/// Every route, in one role.
fn ask(house: &House, role: &str, token: Option<&str>) -> Result<()> {
    let reports = SCHEMATHESIS.folder();
    let mut run = command(&SCHEMATHESIS.program("schemathesis").to_string_lossy(), &["run"]);
    run.arg(root().join("frontend/src/api/openapi.json"))
        .args(["--url", &format!("http://{}", house.address), "--checks", CHECKS])
        .args(["--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES, "--seed", SEED])
        .args(["--max-time", SECONDS])
        // More workers are threads, and Python's parser may fail in one while another is at it until 3.12 (python/cpython#106905).
        .args(["--generation-deterministic", "--workers", "1", "--request-timeout", "60", "--no-color"])
        .args(["--report", "junit", "--report-junit-path"])
        .arg(reports.join(format!("{role}.xml")))
        .current_dir(&reports);
    if let Some(token) = token {
        run.args(["--header", &format!("Authorization: Bearer {token}")]);
    }
    check(&mut run)
}
