//! Measures the start of each function with the programs that are shipped (`cargo xtask bench cold`): size, time from
//! start to ready, time from start to the first response, memory and processor time. Each function gets its sample
//! event; TLS is used to the table, the bucket and the parameters.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cloud::settings;
use crate::ministack::Ministack;
use crate::platform::{Function, InvocationResult, invoke, program};
use crate::silence::{FunctionWorld, template_functions};
use crate::test_server::{Form, TestServer, docx};
use crate::tls::TlsProxies;

/// Number of calls of a warm function.
const WARM: usize = 5;
/// The memory size at which Lambda gives a function one whole processor. Below it, the share is proportional to the
/// memory.
const WHOLE_PROCESSOR_MB: f64 = 1_769.0;
const SIZES_MB: [u32; 5] = [128, 256, 512, 1_024, 1_769];

/// The measurements of one start, in milliseconds and megabytes.
#[derive(Clone)]
struct Start {
    ready: f64,
    first_answer: f64,
    resident: f64,
    peak: f64,
    /// Processor time: until ready, for the first call, and for each later call.
    cpu: [f64; 3],
    status: u64,
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Returns the processor time of a process in milliseconds, for all of its threads together.
fn cpu(process: u32) -> f64 {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let nanoseconds = threads.filter_map(|thread| {
        let line = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    });
    nanoseconds.sum::<u64>() as f64 / 1e6
}

fn memory(process: u32, name: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1_024.0
}

async fn started(
    name: &str,
    environment: &HashMap<String, String>,
    time_out: Duration,
    event: impl Fn(usize) -> Value,
) -> Start {
    let (first, began) = (event(0), Instant::now());
    let mut function = Function::start(&program(name), environment, None).await.unwrap();
    let process = function.id().unwrap();
    let at_ready = cpu(process);
    let answered = invoke(&mut function, first, time_out).await.unwrap();
    let first_answer = ms(began.elapsed());
    let after_first = cpu(process);
    let (resident, peak) = (memory(process, "VmRSS"), memory(process, "VmHWM"));
    for call in 1..=WARM {
        invoke(&mut function, event(call), time_out).await.unwrap();
    }
    let warm = (cpu(process) - after_first) / WARM as f64;
    let status = answered.status_and_code().map_or(0, |(status, _)| status);
    Start {
        ready: ms(function.started_in),
        first_answer,
        resident,
        peak,
        cpu: [at_ready, after_first - at_ready, warm],
        status,
    }
}

fn median(starts: &[Start], of: impl Fn(&Start) -> f64) -> f64 {
    let mut all: Vec<f64> = starts.iter().map(of).collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// A letter of five pages.
fn five_pages() -> Form {
    let paragraph =
        "The parties agree on what follows, each having read it whole, and sign it of their own will. ".repeat(6);
    let mut paragraphs = vec!["Dear {{Name}},"];
    paragraphs.extend(std::iter::repeat_n(paragraph.as_str(), 36));
    paragraphs.push("{{Date}}");
    Form { texts: vec![("title", "Five pages".to_owned())], docx: Some(docx(&paragraphs)) }
}

/// A test server with TLS fronts before its services, which programs outside this process can use.
struct Bench {
    world: FunctionWorld,
    /// The id of a template of five pages.
    long: String,
    addresses: [SocketAddr; 4],
    certificate: PathBuf,
}

impl Bench {
    async fn new() -> Self {
        let Some(ministack) = Ministack::from_environment("cold") else {
            panic!("WARAQ_MINISTACK: passwords are Cognito's")
        };
        let (cognito, secret) = ministack.passwords().await;
        let fronts = TlsProxies::bind().await;
        let addresses = fronts.addresses();
        let server = TestServer::with_options(|options| {
            options.proxies = addresses.to_vec();
            options.cognito = Some(cognito);
            options.cognito_client_secret = Some(secret);
            options.endpoints.cognito = Some(ministack.address.clone());
            options.programs = Some(settings(options));
        })
        .await;
        let endpoints = &server.local.settings.aws.endpoints;
        let [table, bucket] = [&endpoints.dynamodb, &endpoints.s3].map(|url| url.clone().unwrap());
        let programs = server.local.programs.clone().unwrap();
        let parameters = programs.environment("health").unwrap()["AWS_ENDPOINT_URL_SSM"].clone();
        let certificate = fronts.serve([&table, &bucket, &parameters, &ministack.address]).await;
        let world = FunctionWorld::for_server(server).await;
        let long = world.server.api.publish(&world.token, &[], &five_pages()).await;
        assert_eq!((long.status, &long.json["document"]["pages"]), (201, &json!(5)), "{long:?}");
        let long = long.json["document"]["_id"].as_str().unwrap().to_owned();
        Self { world, long, addresses, certificate }
    }

    fn environment(&self, name: &str) -> HashMap<String, String> {
        let programs = self.world.server.local.programs.as_ref().unwrap();
        with_tls(programs.environment(name).unwrap().clone(), &self.addresses, &self.certificate)
    }

    /// The shapes of a function to measure: the name in the result table, and the template if it is not the sample's.
    fn shapes(&self, name: &str) -> Vec<(String, Option<String>)> {
        let mut shapes = vec![(name.to_owned(), None)];
        if name == "documents-fill-fields" {
            shapes.push((format!("{name}, five pages"), Some(self.long.clone())));
        }
        shapes
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: cargo xtask bench cold"]
async fn measure_cold_starts() {
    let runs = std::env::var("WARAQ_COLD").expect("WARAQ_COLD: number of starts");
    let runs: usize = runs.parse().unwrap();
    let bench = Bench::new().await;
    let world = &bench.world;

    let mut rows = Vec::new();
    for (name, function) in template_functions() {
        let environment = bench.environment(&name);
        for (label, template) in bench.shapes(&name) {
            let event = |call: usize| world.sample(&name, template.as_deref(), call);
            let mut starts = Vec::new();
            for _ in 0..runs {
                starts.push(started(&name, &environment, function.time_out, event).await);
            }
            let size = std::fs::metadata(program(&name)).unwrap().len() as f64 / 1e6;
            rows.push((label, function.memory_mb, size, starts));
        }
    }
    println!("\n| function | MB | ready, ms | first answer, ms | resident, MB | peak, MB | status |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (label, _, size, starts) in &rows {
        println!(
            "| {label} | {size:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {} |",
            median(starts, |start| start.ready),
            median(starts, |start| start.first_answer),
            median(starts, |start| start.resident),
            median(starts, |start| start.peak),
            starts[0].status,
        );
    }
    println!(
        "\n| function | has, MB | CPU to ready, ms | CPU of the first call | CPU of a later call | at {} MB |",
        sizes().join(" | at ")
    );
    println!("|---|---:|---:|---:|---:|{}", "---:|".repeat(SIZES_MB.len()));
    for (label, memory, _, starts) in &rows {
        let [to_ready, first, warm] = [0, 1, 2].map(|part| median(starts, |start| start.cpu[part]));
        let at = SIZES_MB.map(|size| {
            let share = (f64::from(size) / WHOLE_PROCESSOR_MB).min(1.0);
            format!("{:.0} / {:.0}", first / share, warm / share)
        });
        println!("| {label} | {memory} | {to_ready:.1} | {first:.1} | {warm:.1} | {} |", at.join(" | "));
    }
}

/// Functions whose memory size depends on their computation: they lay out documents, decode pictures or call Cognito.
/// Their sample events give the same response each time.
const COMPUTING: [&str; 5] =
    ["auth-login", "documents-check", "documents-file", "documents-fill-fields", "documents-save"];

/// The period in which Lambda shares out processor time, in microseconds.
const SLICE: u64 = 20_000;

/// A control group of processes that share a part of one processor. It is removed on drop.
struct Quota(PathBuf);

impl Quota {
    /// Creates a control group (version 2 or 1). Panics if the machine has none or if the process may not create one.
    fn with_share(share: f64) -> Self {
        let name = format!("waraq-{}", std::process::id());
        let quota = (SLICE as f64 * share) as u64;
        let two = Path::new("/sys/fs/cgroup").join(&name);
        if Path::new("/sys/fs/cgroup/cgroup.controllers").exists() && std::fs::create_dir_all(&two).is_ok() {
            let made = Self(two);
            std::fs::write(made.0.join("cpu.max"), format!("{quota} {SLICE}"))
                .expect("enabling the cpu controller failed");
            return made;
        }
        let made = Self(Path::new("/sys/fs/cgroup/cpu").join(&name));
        std::fs::create_dir_all(&made.0).expect("creating a control group failed: run this as root");
        std::fs::write(made.0.join("cpu.cfs_period_us"), SLICE.to_string()).unwrap();
        std::fs::write(made.0.join("cpu.cfs_quota_us"), quota.to_string()).unwrap();
        made
    }

    fn add_process(&self, process: u32) {
        std::fs::write(self.0.join("cgroup.procs"), process.to_string()).unwrap();
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        // The group can be removed only after its last process has ended.
        for _ in 0..200 {
            if std::fs::remove_dir(&self.0).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Measures the first and the later calls at a share of a processor, in milliseconds. The start has a whole processor,
/// as in Lambda.
async fn measure_at_share(
    share: f64,
    name: &str,
    environment: &HashMap<String, String>,
    time_out: Duration,
    event: impl Fn(usize) -> Value,
) -> [f64; 2] {
    let quota = Quota::with_share(share);
    let mut function = Function::start(&program(name), environment, None).await.unwrap();
    quota.add_process(function.id().unwrap());
    let mut took = Vec::new();
    for call in 0..=WARM {
        let (event, began) = (event(call), Instant::now());
        // The function's time-out belongs to its real size; a smaller share needs more time.
        let answered = invoke(&mut function, event, time_out * 10).await;
        let Some(InvocationResult::Response(answer)) = answered else { panic!("{name} at {share} does not respond") };
        // A response from a rate limit would measure no computation.
        assert!(answer["statusCode"].as_u64().unwrap() < 300, "{name} at {share}: {answer}");
        took.push(ms(began.elapsed()));
    }
    let mut later = took.split_off(1);
    later.sort_by(f64::total_cmp);
    drop(function);
    [took[0], later[later.len() / 2]]
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: cargo xtask bench quota"]
async fn measure_cpu_shares() {
    let runs = std::env::var("WARAQ_QUOTA").expect("WARAQ_QUOTA: number of runs");
    let runs: usize = runs.parse().unwrap();
    let bench = Bench::new().await;
    println!("\n| function | has, MB | at {} MB |", sizes().join(" | at "));
    println!("|---|---:|{}", "---:|".repeat(SIZES_MB.len()));
    for (name, function) in template_functions().into_iter().filter(|(name, _)| COMPUTING.contains(&name.as_str())) {
        let environment = bench.environment(&name);
        for (label, template) in bench.shapes(&name) {
            let mut cells = Vec::new();
            for (place, size) in SIZES_MB.into_iter().enumerate() {
                let share = (f64::from(size) / WHOLE_PROCESSOR_MB).min(1.0);
                let mut took = Vec::new();
                for run in 0..runs {
                    // Each run has its own source address, so that no rate limit refuses its calls.
                    let first = (place * runs + run) * (WARM + 1);
                    let event = |call: usize| bench.world.sample(&name, template.as_deref(), first + call);
                    took.push(measure_at_share(share, &name, &environment, function.time_out, event).await);
                }
                let middle = |part: usize| {
                    let mut all: Vec<f64> = took.iter().map(|took| took[part]).collect();
                    all.sort_by(f64::total_cmp);
                    all[all.len() / 2]
                };
                cells.push(format!("{:.0} / {:.0}", middle(0), middle(1)));
            }
            println!("| {label} | {} | {} |", function.memory_mb, cells.join(" | "));
        }
    }
}

fn sizes() -> [String; 5] {
    SIZES_MB.map(|size| size.to_string())
}

/// Changes an environment so that the services are reached by TLS and this certificate is trusted.
fn with_tls(
    mut environment: HashMap<String, String>,
    fronts: &[SocketAddr; 4],
    certificate: &Path,
) -> HashMap<String, String> {
    let services = ["DYNAMODB", "S3", "SSM", "COGNITO_IDENTITY_PROVIDER"];
    for (service, front) in services.into_iter().zip(fronts) {
        let name = format!("AWS_ENDPOINT_URL_{service}");
        environment.insert(name, format!("https://{front}"));
    }
    environment.insert("SSL_CERT_FILE".to_owned(), certificate.to_str().unwrap().to_owned());
    environment
}
