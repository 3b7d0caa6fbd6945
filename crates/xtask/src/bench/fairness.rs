//! `cargo xtask bench fairness`: measures how much one guest slows other users. The guest renders large documents over 50
//! connections.
//!
//! Starts the release build on a free port of this machine, with its own data folder and the starting catalogue. Sends requests
//! only to that server. Goals on two processors: p95 ≤ 2 s for another user's one-page document, p95 ≤ 50 ms for GET `/documents`.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::steps::{cargo, check, target_dir};

const CONNECTIONS: usize = 50;
/// Size in bytes of all values of a large document: just below the limit.
const VALUES_BYTES: usize = 198_000;
/// Time for which the load runs before the first measurement.
const BEFORE: Duration = Duration::from_secs(5);
const FILL_P95: Duration = Duration::from_secs(2);
const LIST_P95: Duration = Duration::from_millis(50);

pub fn run(arguments: &[String]) -> Result<()> {
    let (seconds, program) = parse(arguments)?;
    let program = program.map_or_else(build, Ok)?;
    let server = BenchServer::start(&program)?;
    let large =
        server.template(|pages, fields| fields >= 20 && pages > 1, "with twenty fields and more than a page")?;
    let small = server.template(|pages, _| pages == 1, "of one page")?;
    let token = server.login()?;
    println!("load      {CONNECTIONS} connections of one guest, {VALUES_BYTES} bytes of values into {}", large.id);
    let alone = Measured::measure(&server, &small, &token, Duration::from_secs(3), &AtomicBool::new(false))?;
    alone.print("alone");
    let (ended, answers) = (AtomicBool::new(false), Mutex::new(BTreeMap::new()));
    let beside = thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| load(server.port, &large, &ended, &answers));
        }
        thread::sleep(BEFORE);
        let measured = Measured::measure(&server, &small, &token, Duration::from_secs(seconds), &ended);
        ended.store(true, Ordering::SeqCst);
        measured
    })?;
    beside.print("beside");
    println!("load      answers by status: {:?}", answers.lock().map_err(|_| anyhow::anyhow!("a thread panicked"))?);
    println!("memory    {} MB at most", server.peak_memory_mb().unwrap_or_default());
    let (fill, list) = (percentile(&beside.fills, 95), percentile(&beside.lists, 95));
    if fill > FILL_P95 || list > LIST_P95 || beside.failed > 0 {
        bail!(
            "missed: fill p95 {fill:?} (≤ {FILL_P95:?}), list p95 {list:?} (≤ {LIST_P95:?}), {} failed",
            beside.failed
        );
    }
    Ok(())
}

fn parse(arguments: &[String]) -> Result<(u64, Option<PathBuf>)> {
    let (mut seconds, mut program) = (60, None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let value = rest.next().with_context(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--seconds" => seconds = value.parse().context("--seconds")?,
            "--program" => program = Some(PathBuf::from(value)),
            _ => bail!("bench fairness takes --seconds N and --program FILE, not {argument:?}"),
        }
    }
    Ok((seconds, program))
}

fn build() -> Result<PathBuf> {
    check(&mut cargo(&["build", "--release", "--package", "waraq-local", "--bin", "waraq-local"]))?;
    Ok(target_dir().join("release/waraq-local"))
}

/// The running product. Dropping it ends the process.
struct BenchServer {
    process: Child,
    port: u16,
    data: PathBuf,
}

impl BenchServer {
    /// Starts the product and waits until its catalogue is complete.
    fn start(program: &Path) -> Result<Self> {
        let data = target_dir().join("bench-fairness");
        if data.exists() {
            std::fs::remove_dir_all(&data)?;
        }
        let mut command = Command::new(program);
        command.args(["--port", "0", "--guest-fills-per-minute", "1000000", "--data"]).arg(&data);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let output = process.stdout.take().context("no output")?;
        let mut server = Self { process, port: 0, data };
        for line in BufReader::new(output).lines() {
            let line = line?;
            if let Some((_, port)) = line.split_once("http://localhost:")
                && server.port == 0
            {
                server.port = port.trim().parse()?;
            }
            if line.starts_with("Catalogue") {
                return Ok(server);
            }
        }
        bail!("{} ended before its catalogue was whole", program.display())
    }

    fn login(&self) -> Result<String> {
        let admin = std::fs::read_to_string(self.data.join("first-admin.txt"))?;
        let line = |name: &str| {
            let value = admin.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            value.with_context(|| format!("first-admin.txt has no {name}"))
        };
        let body = json!({ "email": line("email:")?, "password": line("password:")? }).to_string();
        let answer = Connection::open(self.port)?.send("POST", "/api/v1/auth/login", "", &body)?;
        let token = answer.json()?["token"].as_str().map(str::to_owned);
        token.with_context(|| format!("the first admin cannot log in: {}", answer.status))
    }

    fn template(&self, wanted: impl Fn(u64, usize) -> bool, what: &str) -> Result<Template> {
        let answer = Connection::open(self.port)?.send("GET", "/api/v1/documents?limit=100", "", "")?.json()?;
        let all = answer["data"].as_array().context("no list")?;
        let fields = |one: &Value| one["fields"].as_array().map_or(0, Vec::len);
        let fits = |one: &&Value| wanted(one["pages"].as_u64().unwrap_or(0), fields(one));
        let one = all.iter().filter(fits).max_by_key(|one| one["pages"].as_u64());
        let one = one.with_context(|| format!("the catalogue has no template {what}"))?;
        let names = one["fields"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        Ok(Template { id: one["_id"].as_str().unwrap_or_default().to_owned(), fields: names.collect() })
    }

    #[cfg(target_os = "linux")]
    fn peak_memory_mb(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1_000)
    }

    #[cfg(not(target_os = "linux"))]
    fn peak_memory_mb(&self) -> Option<u64> {
        None
    }
}

impl Drop for BenchServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}

struct Template {
    id: String,
    fields: Vec<String>,
}

impl Template {
    fn path(&self) -> String {
        format!("/api/v1/documents/{}/fill-fields", self.id)
    }

    /// Returns values for the fields of the template, with about `bytes` bytes in total.
    fn values(&self, bytes: usize) -> String {
        let each = (bytes / self.fields.len().max(1)).min(9_990);
        let value: String = "all the words of a value ".chars().cycle().take(each).collect();
        let values: Vec<Value> = self.fields.iter().map(|name| json!({ name.as_str(): value })).collect();
        json!({ "fieldsAndValues": values }).to_string()
    }
}

/// Sends fill requests for large documents on one connection of the guest, without a pause between them.
fn load(port: u16, template: &Template, ended: &AtomicBool, answers: &Mutex<BTreeMap<u16, usize>>) {
    let (path, body) = (template.path(), template.values(VALUES_BYTES));
    let mut connection = None;
    while !ended.load(Ordering::SeqCst) {
        let answered = match connection.take().map_or_else(|| Connection::open(port), Ok) {
            Ok(mut open) => open.send("POST", &path, "", &body).map(|answer| (open, answer.status)),
            Err(error) => Err(error),
        };
        let status = match answered {
            Ok((open, status)) => {
                connection = Some(open);
                status
            }
            Err(_) => 0,
        };
        if let Ok(mut answers) = answers.lock() {
            *answers.entry(status).or_default() += 1;
        }
        if status != 200 {
            // The client does not wait as long as Retry-After says, but it waits a little.
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// The response times of the other user's requests.
struct Measured {
    fills: Vec<Duration>,
    lists: Vec<Duration>,
    failed: usize,
}

impl Measured {
    fn measure(
        server: &BenchServer,
        small: &Template,
        token: &str,
        time: Duration,
        ended: &AtomicBool,
    ) -> Result<Self> {
        let authorization = format!("authorization: Bearer {token}\r\n");
        let (path, body) = (small.path(), small.values(200));
        let until = Instant::now() + time;
        let repeat = |pause: Duration,
                      ask: &dyn Fn(&mut Connection) -> Result<HttpResponse>|
         -> Result<(Vec<Duration>, usize)> {
            let (mut times, mut failed) = (Vec::new(), 0);
            let mut connection = Connection::open(server.port)?;
            while Instant::now() < until && !ended.load(Ordering::SeqCst) {
                let started = Instant::now();
                let answer = ask(&mut connection)?;
                times.push(started.elapsed());
                failed += usize::from(answer.status != 200);
                thread::sleep(pause);
            }
            Ok((times, failed))
        };
        let (fills, lists) = thread::scope(|scope| {
            let fills = scope.spawn(|| {
                repeat(Duration::from_millis(300), &|connection| connection.send("POST", &path, &authorization, &body))
            });
            let lists = scope.spawn(|| {
                repeat(Duration::from_millis(50), &|connection| connection.send("GET", "/api/v1/documents", "", ""))
            });
            (fills.join(), lists.join())
        });
        let joined = |result: thread::Result<Result<(Vec<Duration>, usize)>>| {
            result.map_err(|_| anyhow::anyhow!("a thread panicked"))?
        };
        let ((fills, fills_failed), (lists, lists_failed)) = (joined(fills)?, joined(lists)?);
        Ok(Self { fills, lists, failed: fills_failed + lists_failed })
    }

    fn print(&self, name: &str) {
        for (what, times) in [("one page", &self.fills), ("GET /documents", &self.lists)] {
            println!(
                "{name:<9} {what:<15} {:>4} times: median {:>6.1} ms, p95 {:>6.1} ms, longest {:>6.1} ms",
                times.len(),
                percentile(times, 50).as_secs_f64() * 1e3,
                percentile(times, 95).as_secs_f64() * 1e3,
                percentile(times, 100).as_secs_f64() * 1e3
            );
        }
    }
}

fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or_default()
}

/// An HTTP/1.1 connection to this machine.
struct Connection(BufReader<TcpStream>);

struct HttpResponse {
    status: u16,
    body: Vec<u8>,
}

impl HttpResponse {
    fn json(&self) -> Result<Value> {
        Ok(serde_json::from_slice(&self.body)?)
    }
}

impl Connection {
    fn open(port: u16) -> Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        Ok(Self(BufReader::new(stream)))
    }

    fn send(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Result<HttpResponse> {
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n"
        );
        // The server may respond and close the connection before the whole body is sent.
        let sent = self.0.get_mut().write_all(format!("{head}{body}").as_bytes());
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        let status = line.split_whitespace().nth(1).and_then(|status| status.parse().ok());
        let Some(status) = status else { bail!("no answer ({sent:?})") };
        let mut length = 0;
        loop {
            line.clear();
            if self.0.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok(HttpResponse { status, body })
    }
}
