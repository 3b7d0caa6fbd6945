//! Kills the real process (SIGKILL) while users save, edit, delete and undelete documents, and starts it again. No
//! document is half written, and no file is left over. `cargo xtask drill saved` kills it twenty times; the test
//! command a few times.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use waraq_core::accounts::Address;
use waraq_core::clock::new_id;
use waraq_local::{Options, Server, start};

use crate::crash::Process;
use crate::logs::register_secret;
use crate::saved::{text_of, values};
use crate::saved_files::{assert_files_match_records, existing_files, referenced_files};
use crate::test_server::{Api, ApiResponse, Form, bearer, docx_text, new_user_account};

const WRITERS: usize = 6;

/// The expected state of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
enum DocumentState {
    /// Version, and the name it was filled with.
    Saved(u64, String),
    Deleted(u64, String),
}

/// The answered requests of a writer, and the last one without a response.
#[derive(Debug, Default)]
struct Record {
    known: BTreeMap<String, DocumentState>,
    pending: Option<PendingRequest>,
    done: usize,
}

#[derive(Debug, Clone)]
enum PendingRequest {
    /// A new document, with a key so that the request can be repeated.
    New {
        key: String,
        name: String,
    },
    Change {
        id: String,
        to: DocumentState,
    },
}

async fn in_process(data: &Path) -> Server {
    let mut options = Options::new(data);
    options.starting_catalogue = false;
    options.sweep = Duration::from_millis(100);
    let server = start(options).await.unwrap();
    register_secret(&server.admin.password);
    server
}

async fn stop(server: Server, data: &Path) {
    drop(server);
    let lock = std::fs::File::open(data.join("lock")).unwrap();
    while lock.try_lock().is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn email(writer: usize) -> String {
    format!("writer{writer}@example.org")
}

/// Publishes a letter and creates an account for each writer. Returns the letter's id.
async fn prepare(data: &Path) -> String {
    let server = in_process(data).await;
    let cloud = &server.cloud;
    for writer in 0..WRITERS {
        let account =
            new_user_account(new_id(cloud.clock(), cloud.random_source()), &email(writer), cloud.clock().now());
        let address = Address::parse(&email(writer)).unwrap();
        waraq_core::accounts::add_account(cloud.accounts(), &account, &address).await.unwrap();
        cloud.password_store().set_password(&account.id, "a password").await.unwrap();
    }
    let api = Api::new(server.address);
    let token = api.login(&server.admin.email, &server.admin.password).await;
    let published = api.publish(&token, &[], &Form::letter("Letter")).await;
    stop(server, data).await;
    text_of(&published.json["document"], "_id")
}

struct Writer<'a> {
    api: Api,
    token: String,
    letter: String,
    record: &'a Mutex<Record>,
}

impl Writer<'_> {
    async fn ask(&self, method: &str, path: &str, key: Option<&str>, body: &Value) -> Result<ApiResponse, String> {
        let authorization = bearer(&self.token);
        let mut headers = vec![("authorization", authorization.as_str()), ("content-type", "application/json")];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        let body = if method == "POST" { body.to_string() } else { String::new() };
        self.api.try_send(method, &format!("/api/v1/documents/{path}"), &headers, body).await
    }

    async fn save(&self, key: Option<&str>, body: &Value) -> Result<ApiResponse, String> {
        loop {
            let answer = self.ask("POST", &format!("{}/save", self.letter), key, body).await?;
            // The writer is faster than the rate limit allows, and waits for the next minute.
            if answer.status != 429 {
                return Ok(answer);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn set_pending(&self, asked: PendingRequest) {
        self.record.lock().unwrap().pending = Some(asked);
    }

    fn set_known(&self, id: String, state: DocumentState) {
        let mut record = self.record.lock().unwrap();
        record.known.insert(id, state);
        record.pending = None;
        record.done += 1;
    }

    async fn new_document(&self, key: String, name: String) -> Result<(), String> {
        self.set_pending(PendingRequest::New { key: key.clone(), name: name.clone() });
        let answer = self.save(Some(&key), &values(&name, json!({}))).await?;
        assert_eq!(answer.status, 201, "{answer:?}");
        self.set_known(text_of(&answer.json["savedDocument"], "_id"), DocumentState::Saved(1, name));
        Ok(())
    }

    async fn edit(&self, id: &str, version: u64, name: String) -> Result<(), String> {
        let to = DocumentState::Saved(version + 1, name.clone());
        self.set_pending(PendingRequest::Change { id: id.to_owned(), to: to.clone() });
        let answer = self.save(None, &values(&name, json!({ "savedDocumentId": id, "version": version }))).await?;
        assert_eq!(answer.status, 200, "{answer:?}");
        self.set_known(id.to_owned(), to);
        Ok(())
    }

    async fn delete(&self, id: &str, (version, name): (u64, String)) -> Result<(), String> {
        let to = DocumentState::Deleted(version, name);
        self.set_pending(PendingRequest::Change { id: id.to_owned(), to: to.clone() });
        let answer = self.ask("DELETE", &format!("saved/{id}"), None, &Value::Null).await?;
        assert_eq!(answer.status, 204, "{answer:?}");
        self.set_known(id.to_owned(), to);
        Ok(())
    }

    async fn restore(&self, id: &str, (version, name): (u64, String)) -> Result<(), String> {
        let to = DocumentState::Saved(version, name);
        self.set_pending(PendingRequest::Change { id: id.to_owned(), to: to.clone() });
        let answer = self.ask("POST", &format!("saved/{id}/restore"), None, &json!({})).await?;
        assert_eq!(answer.status, 200, "{answer:?}");
        self.set_known(id.to_owned(), to);
        Ok(())
    }

    /// Writes until the process dies.
    async fn write(&self, round: usize) -> Result<(), String> {
        for number in 0.. {
            let name = |what: &str| format!("{what} {round} {number}");
            self.new_document(format!("{round}-{number}"), name("new")).await?;
            let known: Vec<(String, DocumentState)> =
                self.record.lock().unwrap().known.iter().map(|(id, state)| (id.clone(), state.clone())).collect();
            // The two newest documents, and one of the others.
            for (id, state) in known.iter().rev().take(2).chain(known.get(number % known.len())) {
                // A separate statement, because inside the match the lock would be held.
                let state = self.record.lock().unwrap().known.get(id).cloned().unwrap_or(state.clone());
                match (state, number % 3) {
                    (DocumentState::Saved(version, _), 0 | 1) => self.edit(id, version, name("edit")).await?,
                    (DocumentState::Saved(version, name), _) => self.delete(id, (version, name)).await?,
                    (DocumentState::Deleted(version, name), _) => self.restore(id, (version, name)).await?,
                }
            }
        }
        Ok(())
    }

    /// Returns the state of a document, after a check of its files.
    async fn state(&self, id: &str) -> Option<DocumentState> {
        let answer = self.ask("GET", &format!("saved/{id}"), None, &Value::Null).await.unwrap();
        if answer.status == 404 {
            return None;
        }
        assert_eq!(answer.status, 200, "{answer:?}");
        let document = &answer.json["savedDocument"];
        let name = text_of(&document["currentDocumentData"][0], "Name");
        assert!(
            docx_text(&answer.file("file")).contains(&format!("Dear {name},")),
            "files and values belong to one version"
        );
        assert!(answer.file("pdf").starts_with(b"%PDF-"));
        assert_eq!(self.api.get(&text_of(document, "thumbnail")).await.status, 200);
        Some(DocumentState::Saved(document["version"].as_u64().unwrap(), name))
    }

    /// Checks that every answered request took effect. The last request may have taken effect or not.
    async fn check(&self) {
        let (known, asked) = {
            let mut record = self.record.lock().unwrap();
            (record.known.clone(), record.pending.take())
        };
        for (id, state) in known {
            let found = self.state(&id).await;
            let asked_for = match &asked {
                Some(PendingRequest::Change { id: changed, to }) if *changed == id => Some(to.clone()),
                _ => None,
            };
            let now = [Some(state), asked_for].into_iter().flatten().find(|state| match (state, &found) {
                (DocumentState::Saved(..), Some(found)) => state == found,
                (DocumentState::Deleted(..), None) => true,
                _ => false,
            });
            let now = now.unwrap_or_else(|| panic!("{id} is {found:?}; the last request was {asked:?}"));
            self.record.lock().unwrap().known.insert(id, now);
        }
        // The repeated request with its key creates the document once.
        if let Some(PendingRequest::New { key, name }) = asked {
            self.new_document(key, name).await.unwrap();
        }
        let (mut listed, known) = (0, self.record.lock().unwrap().known.clone());
        for page in 1.. {
            let answer = self.ask("GET", &format!("saved?limit=100&page={page}"), None, &Value::Null).await.unwrap();
            let documents = answer.json["savedDocuments"].as_array().unwrap();
            listed += documents.len();
            for document in documents {
                assert!(matches!(known[&text_of(document, "_id")], DocumentState::Saved(..)), "{document}");
            }
            if documents.is_empty() {
                let total = answer.json["total"].as_u64().unwrap() as usize;
                let there = known.values().filter(|state| matches!(state, DocumentState::Saved(..))).count();
                assert_eq!((listed, total), (there, there));
                return;
            }
        }
    }
}

/// Signs the writers in.
async fn writers<'a>(api: &Api, letter: &str, records: &'a [Arc<Mutex<Record>>]) -> Vec<Writer<'a>> {
    let mut writers = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let token = api.login(&email(number), "a password").await;
        writers.push(Writer { api: api.clone(), token, letter: letter.to_owned(), record });
    }
    writers
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_during_saves_and_deletions_leaves_no_partial_document() {
    let kills = std::env::var("WARAQ_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(2);
    let data = tempfile::tempdir().unwrap();
    let letter = prepare(data.path()).await;
    let records: Vec<Arc<Mutex<Record>>> = (0..WRITERS).map(|_| Arc::default()).collect();
    let done = |records: &[Arc<Mutex<Record>>]| records.iter().map(|record| record.lock().unwrap().done).sum::<usize>();
    for round in 0..kills {
        let process = Process::start(data.path());
        let writers = writers(&process.api, &letter, &records).await;
        let enough = done(&records) + 40 + round * 7 % 30;
        let writing = futures_util::future::join_all(writers.iter().map(|writer| writer.write(round)));
        let killing = async {
            while done(&records) < enough {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            process.kill();
        };
        tokio::join!(writing, killing);
        drop(writers);
        let server = in_process(data.path()).await;
        for writer in self::writers(&Api::new(server.address), &letter, &records).await {
            writer.check().await;
        }
        let (there, pointed_to) = (existing_files(&server.cloud).await, referenced_files(&server.cloud).await);
        assert!(there.is_superset(&pointed_to), "a record points to a file that is not there");
        let left_over = there.len() - pointed_to.len();
        println!(
            "kill {}: {} calls answered, {} files, {left_over} of them nobody's",
            round + 1,
            done(&records),
            there.len()
        );
        stop(server, data.path()).await;
    }
    let server = in_process(data.path()).await;
    assert_files_match_records(&server.cloud).await;
    println!(
        "after the sweep: {} files, each with a record that points to it",
        existing_files(&server.cloud).await.len()
    );
    stop(server, data.path()).await;
}
