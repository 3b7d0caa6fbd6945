//! Tests of the data folder: its permissions, its clean-up, and the messages at start about damaged data.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use waraq_aws::SystemClock;
use waraq_core::files::{media_key, pdf_key, photo_name, template_key, upload_key};
use waraq_core::{Clock as _, Timestamp};
use waraq_local::{AdminCreation, Options, start};

use crate::logs::register_secret;
use crate::saved::{Owner, fresh_token};
use crate::test_server::{Form, ManualClock, TestServer, bearer, wait_until};

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    if folder.is_dir() {
        for entry in std::fs::read_dir(folder).unwrap() {
            found.extend(files_below(&entry.unwrap().path()));
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_readable_by_their_owner_only() {
    let loosen = |folder: &Path| {
        std::fs::create_dir(folder.join("mail")).unwrap();
        std::fs::write(folder.join("mail/old.json"), "{}").unwrap();
        std::fs::write(folder.join("note"), "of an older version").unwrap();
        for (name, mode) in [("mail", 0o755), ("mail/old.json", 0o644), ("note", 0o666)] {
            std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    let server = TestServer::prepared(loosen, |_| {}).await;
    let admin = server.admin().await;
    server.api.publish_letter(&admin, "A letter").await;
    let kept = files_below(server.folder());
    assert!(kept.iter().any(|path| path.ends_with("dynamodb.sqlite")));
    assert!(kept.iter().any(|path| path.extension().is_some_and(|ending| ending == "docx")));
    for path in kept {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} is {mode:o}", path.display());
    }
}

fn options(folder: &Path) -> Options {
    let mut options = Options::new(folder);
    options.starting_catalogue = false;
    options
}

/// Stops the server and waits until its folder is unlocked.
async fn stop(server: waraq_local::Server, folder: &Path) {
    drop(server);
    let lock = std::fs::File::open(folder.join("lock")).unwrap();
    wait_until("the folder is unlocked", async || lock.try_lock().is_ok()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_database_creates_a_new_admin() {
    let data = tempfile::tempdir().unwrap();
    let server = start(options(data.path())).await.unwrap();
    let first = server.admin.clone();
    register_secret(&first.password);
    assert_eq!(first.creation, AdminCreation::FirstStart);
    stop(server, data.path()).await;
    let server = start(options(data.path())).await.unwrap();
    assert_eq!((server.admin.creation, &server.admin.password), (AdminCreation::Earlier, &first.password));
    stop(server, data.path()).await;
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(data.path().join(format!("dynamodb.sqlite{ending}")));
    }
    let server = start(options(data.path())).await.unwrap();
    register_secret(&server.admin.password);
    assert_eq!(server.admin.creation, AdminCreation::AfterDataLoss);
    assert_ne!(
        server.admin.password, first.password,
        "the old password may be known to people who may not use the server"
    );
    let api = crate::test_server::Api::new(server.address);
    api.login(&server.admin.email, &server.admin.password).await;
    stop(server, data.path()).await;
    assert_eq!(start(options(data.path())).await.unwrap().admin.creation, AdminCreation::Earlier);
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_database_is_reported_and_not_changed() {
    let data = tempfile::tempdir().unwrap();
    let server = start(options(data.path())).await.unwrap();
    register_secret(&server.admin.password);
    stop(server, data.path()).await;
    let path = data.path().join("dynamodb.sqlite");
    // The checkpoint moves the whole content into the one file.
    let database = rusqlite::Connection::open(&path).unwrap();
    database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(database);
    let whole = std::fs::read(&path).unwrap();
    let mut torn = whole.clone();
    torn[4_096..].fill(0xa5);
    for (what, bytes) in [
        ("no database", b"no database at all".repeat(500)),
        ("half", whole[..whole.len() / 2].to_vec()),
        ("torn", torn),
        ("empty", Vec::new()),
    ] {
        std::fs::write(&path, &bytes).unwrap();
        let said = match start(options(data.path())).await {
            Ok(_) => panic!("{what}: it started"),
            Err(error) => format!("{error:#}"),
        };
        assert!(said.contains("dynamodb.sqlite is damaged"), "{what}: {said}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{what}: the file was changed");
    }
    std::fs::write(&path, &whole).unwrap();
    assert_eq!(start(options(data.path())).await.unwrap().admin.creation, AdminCreation::Earlier, "a copy put back");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_keys_are_reported_with_their_file() {
    let data = tempfile::tempdir().unwrap();
    let server = start(options(data.path())).await.unwrap();
    register_secret(&server.admin.password);
    stop(server, data.path()).await;
    for (name, damaged) in [("token-key.der", "no key"), ("token-key.der", ""), ("code-secret", "")] {
        let path = data.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, damaged).unwrap();
        let said = start(options(data.path())).await.err().map(|error| format!("{error:#}")).unwrap();
        assert!(said.contains(&format!("{} is damaged", path.display())) && said.contains("delete it"), "{said}");
        assert_eq!(std::fs::read(&path).unwrap(), damaged.as_bytes(), "the file was changed");
        std::fs::write(&path, &whole).unwrap();
    }
    assert_eq!(start(options(data.path())).await.unwrap().admin.creation, AdminCreation::Earlier);
}

#[tokio::test(flavor = "multi_thread")]
async fn processed_records_of_the_stream_are_deleted() {
    let server = TestServer::with_options(|options| options.sweep = Duration::from_millis(20)).await;
    let attempts = server.local.cloud.attempts();
    let position = || {
        let position = std::fs::read_to_string(server.folder().join("stream-position")).unwrap_or_default();
        // Sequence numbers have 21 digits.
        let number = position.parse::<u128>().unwrap_or_default().saturating_sub(100_000_000_000_000_000_000);
        u64::try_from(number).unwrap()
    };
    // DynamoDB does not delete items that expired more than five years ago.
    let expired = Timestamp(SystemClock.now().0 - 60_000);
    // Each expired item becomes a record of the stream.
    let expire = async |many: u64| {
        let last = position();
        for number in 0..many {
            attempts.count("old", &format!("{last}-{number}"), 0, expired).await.unwrap();
        }
        wait_until("the records are processed", async || position() >= last + many).await;
    };
    expire(20).await;
    expire(1).await;
    let database = rusqlite::Connection::open(server.folder().join("dynamodb.sqlite")).unwrap();
    let records = || {
        let count = database.query_row("SELECT COUNT(*) FROM _stream_records", [], |row| row.get::<_, u64>(0));
        count.unwrap()
    };
    wait_until("only the last record is left", async || records() == 1).await;
    expire(2).await;
    assert!(position() >= 23, "the records are numbered on");
}

/// Starts the program and returns its output and its log until it is ready.
fn started(data: &Path) -> (String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_waraq-local"))
        .args(["--port", "0", "--no-templates", "--data"])
        .arg(data)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    while !said.contains("Catalogue") {
        said.push_str(&lines.next().expect("it ended").unwrap());
        said.push('\n');
    }
    std::thread::sleep(Duration::from_millis(500));
    child.kill().unwrap();
    let logged = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    (said, logged)
}

#[test]
fn admin_password_is_shown_once_and_starts_log_no_warnings() {
    let data = tempfile::tempdir().unwrap();
    let (first, first_log) = started(data.path());
    let file = std::fs::read_to_string(data.path().join("first-admin.txt")).unwrap();
    let password = file.lines().find_map(|line| line.strip_prefix("password: ")).unwrap();
    assert!(first.contains(password), "{first}");
    let (second, second_log) = started(data.path());
    assert!(!second.contains(password) && second.contains("first-admin.txt"), "{second}");
    for log in [first_log, second_log] {
        assert!(!log.contains("\"WARN\"") && !log.contains("\"ERROR\""), "{log}");
        assert!(!log.contains(password));
    }
}

const SWEEP: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread")]
async fn unreferenced_files_are_deleted_after_a_day() {
    let clock = ManualClock::from_now();
    let ours = clock.clone();
    let server = TestServer::with_options(|options| {
        options.options.clock = ours;
        options.sweep = SWEEP;
    })
    .await;
    let admin = server.admin().await;
    let id = server.api.publish_letter(&admin, "A letter").await;
    let mut photo = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(16, 16).write_to(&mut photo, image::ImageFormat::Png).unwrap();
    let mut form = b"--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n".to_vec();
    form.extend_from_slice(photo.get_ref());
    form.extend_from_slice(b"\r\n--edge--\r\n");
    let authorization = bearer(&admin);
    let headers = [("content-type", "multipart/form-data; boundary=edge"), ("authorization", authorization.as_str())];
    let changed = server.api.send("PATCH", "/api/v1/users/me", &headers, form).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let photo = changed.json["photo"].as_str().or(changed.json["user"]["photo"].as_str()).unwrap().to_owned();
    let account = changed.json["user"]["_id"].as_str().unwrap().to_owned();
    let owner = Owner::new(&server, "u@example.org").await;
    let made = owner.create(None, &Form::letter("A private letter")).await;
    assert_eq!(made.status, 201, "{made:?}");
    let (owners_id, private_id) = (owner.account.id.clone(), made.json["document"]["_id"].as_str().unwrap().to_owned());
    let files = server.local.cloud.files();
    let lost = [
        "answers/01JD.pdf".to_owned(),
        upload_key("01JD", "never-published"),
        template_key("refused", 1),
        pdf_key("refused", 1),
        media_key(&"0123456789abcdef".repeat(4)),
        // A killed edit leaves the files of the next version, and a replaced photo stays.
        template_key(&id, "killed-edit"),
        pdf_key(&id, "killed-edit"),
        media_key(&photo_name(&account, b"an earlier photo")),
        format!("private/{owners_id}/{private_id}/killed-edit.docx"),
    ];
    for key in &lost {
        files.put(key, "application/pdf", b"left over".to_vec()).await.unwrap();
    }
    // The first sweep only records its time; the files are deleted a day later.
    let sweep_time = || std::fs::read_to_string(server.folder().join("files-swept")).unwrap_or_default();
    wait_until("the first sweep", async || !sweep_time().is_empty()).await;
    let first_sweep = sweep_time();
    let swept = |key: String| async move { files.get(&key).await.unwrap().is_none() };
    clock.advance(23 * 3_600);
    // The time of the last sweep is read at each tick, so some ticks are waited for.
    tokio::time::sleep(5 * SWEEP).await;
    assert_eq!(sweep_time(), first_sweep, "no sweep within a day");
    for key in &lost {
        assert!(!swept(key.clone()).await, "{key} is less than a day old");
    }
    clock.advance(2 * 3_600);
    // The time is written at the end of a sweep.
    wait_until("the sweep of the next day", async || sweep_time() != first_sweep).await;
    for key in &lost {
        assert!(swept(key.clone()).await, "{key} is kept");
    }
    // Referenced files still exist.
    let got = server.api.get(&format!("/api/v1/documents/{id}")).await;
    assert!(got.status == 200 && got.file("file").starts_with(b"PK"), "{got:?}");
    assert_eq!(server.api.get(got.json["document"]["thumbnail"].as_str().unwrap()).await.status, 200);
    assert_eq!(server.api.get(&photo).await.status, 200);
    // The first token has expired meanwhile.
    let token = fresh_token(&server, &owner.account).await;
    let owner = Owner { token, ..owner };
    let mine = owner.mine("GET", &format!("/{private_id}"), &[], Vec::new()).await;
    assert!(mine.status == 200 && mine.file("file").starts_with(b"PK"), "{mine:?}");
    assert_eq!(server.api.get(mine.json["document"]["thumbnail"].as_str().unwrap()).await.status, 200);
}
