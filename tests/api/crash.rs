//! Tests that no data is lost or counted twice if the real process is killed (SIGKILL) under load and started
//! again.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::test_server::{Api, Form, bearer, letter_values};

pub struct Process {
    child: Child,
    pub api: Api,
}

impl Process {
    pub fn start(data: &Path) -> Self {
        Self::start_with(data, &[])
    }

    pub fn start_with(data: &Path, arguments: &[&str]) -> Self {
        Self::start_with_log(data, arguments, Stdio::null())
    }

    /// Starts the process with `log` as its standard error.
    pub fn start_with_log(data: &Path, arguments: &[&str], log: Stdio) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_waraq-local"))
            .args(["--port", "0", "--no-templates", "--data"])
            .arg(data)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let told =
            lines.find_map(|line| line.unwrap().split_once("http://localhost:").map(|(_, port)| port.to_owned()));
        let address: SocketAddr = format!("127.0.0.1:{}", told.expect("the process ended at once")).parse().unwrap();
        // The rest of the output is read too, otherwise the process would block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, api: Api::new(address) }
    }

    /// Returns true if the process ends by itself within ten seconds.
    pub async fn wait_for_exit(&mut self) -> bool {
        for _ in 0..500 {
            if self.child.try_wait().unwrap().is_some() {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub async fn sign_in(api: &Api, data: &Path) -> (String, u64) {
    let file = std::fs::read_to_string(data.join("first-admin.txt")).unwrap();
    let line = |name: &str| file.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    let body = serde_json::json!({ "email": line("email:"), "password": line("password:") });
    let answer = api.post("/api/v1/auth/login", &[], &body).await;
    (answer.json["token"].as_str().unwrap().to_owned(), answer.json["user"]["downloads"].as_u64().unwrap())
}

/// The requests that were sent, and those that were answered before the process died.
#[derive(Default)]
struct Record {
    published: BTreeSet<String>,
    sent_keys: BTreeSet<String>,
    filled_keys: BTreeSet<String>,
}

/// Publishes and fills until the process dies.
async fn load(api: &Api, token: &str, id: &str, round: u32, record: &Arc<Mutex<Record>>) {
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..2 {
        let (api, token, record) = (api.clone(), token.to_owned(), Arc::clone(record));
        workers.spawn(async move {
            for number in 0.. {
                let form = Form::letter(&format!("Round {round}, worker {worker}, number {number}"));
                let Ok(answer) = api.try_publish(&token, &[], &form).await else { return };
                assert_eq!(answer.status, 201, "{answer:?}");
                record.lock().unwrap().published.insert(answer.json["document"]["_id"].as_str().unwrap().to_owned());
            }
        });
    }
    for worker in 0..4 {
        let (api, token, id, record) = (api.clone(), token.to_owned(), id.to_owned(), Arc::clone(record));
        workers.spawn(async move {
            for number in 0.. {
                let key = format!("{round}-{worker}-{number}");
                record.lock().unwrap().sent_keys.insert(key.clone());
                let Ok(status) = fill(&api, &token, &id, &key).await else { return };
                assert_eq!(status, 200);
                record.lock().unwrap().filled_keys.insert(key);
            }
        });
    }
    while let Some(ended) = workers.join_next().await {
        ended.unwrap();
    }
}

async fn fill(api: &Api, token: &str, id: &str, key: &str) -> Result<u16, String> {
    let authorization = bearer(token);
    let headers = [("content-type", "application/json"), ("authorization", &authorization), ("idempotency-key", key)];
    let path = format!("/api/v1/documents/{id}/fill-fields");
    Ok(api.try_send("POST", &path, &headers, letter_values(key).to_string()).await?.status)
}

async fn uses(api: &Api, id: &str) -> u64 {
    api.get(&format!("/api/v1/documents/{id}")).await.json["document"]["usageCount"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_under_load_loses_nothing_and_counts_nothing_twice() {
    let data = tempfile::tempdir().unwrap();
    let record = Arc::new(Mutex::new(Record::default()));
    let mut process = Process::start(data.path());
    let (mut token, _) = sign_in(&process.api, data.path()).await;
    let id = process.api.publish_letter(&token, "The one that is filled").await;
    for round in 0..2 {
        let reached = process.api.clone();
        let loading = load(&reached, &token, &id, round, &record);
        let (seen, api) = (Arc::clone(&record), process.api.clone());
        let enough = (round as usize + 1) * 6;
        let killing = async move {
            loop {
                tokio::time::sleep(Duration::from_millis(20)).await;
                let record = seen.lock().unwrap();
                if record.published.len() >= enough && record.filled_keys.len() >= enough * 4 {
                    break;
                }
            }
            drop(api);
            process.kill();
        };
        tokio::join!(loading, killing);
        process = Process::start(data.path());
        let downloads;
        (token, downloads) = sign_in(&process.api, data.path()).await;
        let (asked, filled) = {
            let record = record.lock().unwrap();
            (record.sent_keys.len() as u64, record.filled_keys.len() as u64)
        };
        let counted = uses(&process.api, &id).await;
        assert!((filled..=asked).contains(&counted), "{filled} answered, {asked} asked, {counted} counted");
        assert_eq!(downloads, counted, "template and user are counted together or not at all");
    }
    let api = &process.api;
    let (published, keys) = {
        let record = record.lock().unwrap();
        (record.published.clone(), record.sent_keys.clone())
    };
    // Every request is repeated with its key: requests that were counted before are not counted again.
    for key in &keys {
        assert_eq!(fill(api, &token, &id, key).await.unwrap(), 200);
    }
    assert_eq!(uses(api, &id).await, keys.len() as u64);
    let mut listed = BTreeSet::new();
    for page in 1.. {
        let answer = api.get(&format!("/api/v1/documents?limit=100&page={page}")).await;
        let data = answer.json["data"].as_array().unwrap().clone();
        if data.is_empty() {
            break;
        }
        listed.extend(data.iter().map(|document| document["_id"].as_str().unwrap().to_owned()));
    }
    assert!(published.is_subset(&listed), "a template that was answered with 201 is gone");
    for id in listed.iter().filter(|other| **other != id) {
        let answer = api.get(&format!("/api/v1/documents/{id}")).await;
        assert_eq!(answer.status, 200);
        assert!(answer.file("pdf").starts_with(b"%PDF-") && answer.file("file").starts_with(b"PK"));
        assert_eq!(api.get(answer.json["document"]["thumbnail"].as_str().unwrap()).await.status, 200);
        assert_eq!(fill(api, &token, id, &format!("check-{id}")).await.unwrap(), 200);
    }
    process.kill();
}

#[test]
fn data_folder_is_locked_by_one_process() {
    let data = tempfile::tempdir().unwrap();
    let first = Process::start(data.path());
    let second = Command::new(env!("CARGO_BIN_EXE_waraq-local"))
        .args(["--port", "0", "--no-templates", "--data"])
        .arg(data.path())
        .output()
        .unwrap();
    assert!(!second.status.success());
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("is in use: Waraq is running on it already"), "{said}");
    first.kill();
}

/// `/dev/full` fails each write like a full disk. It exists only on Linux.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn requests_are_answered_if_the_log_cannot_be_written() {
    let data = tempfile::tempdir().unwrap();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let process = Process::start_with_log(data.path(), &[], full.into());
    for _ in 0..3 {
        assert_eq!(process.api.get("/api/v1/languages").await.status, 200);
    }
    process.kill();
}
