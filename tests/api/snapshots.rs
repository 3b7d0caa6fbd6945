//! Tests of snapshots of long lists.
//!
//! A cold process lists the same rows from a snapshot as from the index, even after later writes. A snapshot is ignored if
//! it is broken, old, of another format version, or of another history of the table.
//!
//! To prove that a list was read from its snapshot, a test uses a reader without the right to read the index.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use dynoxide::types::AttributeValue as Stored;
use dynoxide::{Database, ImportOptions};
use flate2::read::GzDecoder;
use functions::list_snapshots::{ScheduledEvent, SnapshotsResult, list_snapshots};
use serde_json::json;
use waraq_aws::{Cloud, create_table};
use waraq_core::Timestamp;
use waraq_core::accounts::{Account, UserSearch};
use waraq_core::catalogue::{Search, StatusFilter};
use waraq_core::template::{Template, TemplateStatus};
use waraq_local::Options;
use waraq_operations::recover;

use crate::rights::Policies;
use crate::test_server::{ManualClock, TestServer, bearer, letter_values, new_user_account};

/// More rows than the part of the log that is replayed after every load, so that some rows come only from the snapshot.
const TEMPLATES: u64 = 1_200;
const USERS: u64 = 2_700;
/// The minimum length of a list with a snapshot: fewer rows than both lists have.
const ROWS: u64 = 1_000;

/// A sweep interval that never ends: snapshots are made only when a test requests it.
const NEVER: Duration = Duration::from_secs(24 * 3_600);

const BEGINNING: u64 = 1_577_836_800_000;

fn id_of(number: u64) -> String {
    format!("01{number:024}")
}

fn account(number: u64) -> Account {
    Account {
        user_name: format!("Somebody {number}"),
        name: number.is_multiple_of(5).then(|| "أمينة Œuvrard".to_owned()),
        ..new_user_account(id_of(number), &format!("somebody{number}@example.org"), Timestamp(BEGINNING + number))
    }
}

fn template(number: u64) -> Template {
    Template {
        id: id_of(number),
        title: format!("Contrat de bail {number}"),
        categories: vec![["housing", "general"][(number % 2) as usize].to_owned()],
        keywords: vec!["loyer".to_owned()],
        language: ["fr", "en", "ar"][(number % 3) as usize].to_owned(),
        country: number.is_multiple_of(4).then(|| "TN".to_owned()),
        fields: vec!["Nom".to_owned()],
        stored_structure: Default::default(),
        owner: None,
        status: if number.is_multiple_of(10) { TemplateStatus::Inactive } else { TemplateStatus::Active },
        version: 1,
        revision: 1,
        files: String::new(),
        pdf: String::new(),
        renamed: BTreeMap::new(),
        pages: 1,
        picture: None,
        small_picture: None,
        file_bytes: 1,
        pdf_bytes: 1,
        created_at: Timestamp(BEGINNING + number),
        updated_at: Timestamp(BEGINNING + number),
    }
}

type StoredItem = std::collections::HashMap<String, Stored>;

fn stored(item: std::collections::HashMap<String, AttributeValue>) -> StoredItem {
    let value = |value| match value {
        AttributeValue::S(text) => Stored::S(text),
        AttributeValue::N(number) => Stored::N(number),
        other => panic!("{other:?}"),
    };
    item.into_iter().map(|(name, given)| (name, value(given))).collect()
}

fn item(texts: &[(&str, String)], number: Option<(&str, u64)>) -> StoredItem {
    let texts = texts.iter().map(|(name, text)| ((*name).to_owned(), Stored::S(text.clone())));
    texts.chain(number.map(|(name, number)| (name.to_owned(), Stored::N(number.to_string())))).collect()
}

/// Imports rows and their log entries as the product would write them after the existing ones. It writes into the
/// database directly, which is quicker.
fn import(folder: &Path, stamps: &BTreeMap<(String, String), u64>) {
    let mut stamps = stamps.clone();
    let mut items = Vec::new();
    let mut log = |items: &mut Vec<StoredItem>, partition: String, stamp: (String, String), id: &str| {
        let written = stamps.entry(stamp).or_default();
        *written += 1;
        let keys = [("pk", format!("LOG#{partition}")), ("sk", format!("{written:020}"))];
        let at = Timestamp(BEGINNING + *written).rfc3339();
        items.push(item(&[keys, [("id", id.to_owned()), ("at", at)]].concat(), None));
    };
    for number in 0..USERS {
        let id = id_of(number);
        let shard = id.bytes().fold(0, u8::wrapping_add) % 16;
        log(&mut items, format!("account#{shard}"), ("STAMP#account".into(), format!("{shard:02}")), &id);
        let mut profile = waraq_aws::account_item(&account(number), Timestamp(BEGINNING)).unwrap();
        profile.insert("downloads".into(), AttributeValue::N((number % 7).to_string()));
        items.push(stored(profile));
    }
    for number in 0..TEMPLATES {
        let id = id_of(number);
        log(&mut items, "template".into(), ("STAMP#template".into(), "STAMP".into()), &id);
        items.push(stored(waraq_aws::template_item(&template(number)).unwrap()));
        for shard in 0..number % 3 {
            let keys = [("pk", format!("TPL#{id}")), ("sk", format!("USE#{shard}"))];
            let index = [("kind", format!("USE#{shard}")), ("kind_order", format!("{BEGINNING:014}"))];
            items.push(item(&[keys, index].concat(), Some(("uses", number % 11 + 1))));
        }
    }
    for ((pk, sk), written) in stamps {
        items.push(item(&[("pk", pk), ("sk", sk)], Some(("n", written))));
    }
    let database = Database::new(folder.join("dynamodb.sqlite").to_str().unwrap()).unwrap();
    database.import_items("waraq", items, ImportOptions::default()).unwrap();
}

/// Starts a test server with long lists.
async fn server_with_long_lists(change: impl FnOnce(&mut Options)) -> TestServer {
    let server = TestServer::new().await;
    let mut stamps = BTreeMap::new();
    for stamp in server.items("STAMP#").await {
        let text = |name: &str| stamp[name].as_s().unwrap().clone();
        stamps.insert((text("pk"), text("sk")), stamp["n"].as_n().unwrap().parse().unwrap());
    }
    let data = server.stop().await;
    import(data.path(), &stamps);
    TestServer::reopen(data, |options| {
        options.snapshot_rows = ROWS;
        options.sweep = NEVER;
        change(options);
    })
    .await
}

async fn write_snapshots(server: &TestServer) -> usize {
    let SnapshotsResult { made } =
        list_snapshots(server.local.cloud_of("list-snapshots"), ScheduledEvent::default()).await.unwrap();
    made
}

/// Starts a cold process of a function with that function's rights.
fn cold_cloud(server: &TestServer, function: &str, snapshot_rows: u64) -> Cloud {
    let mut settings = server.local.settings.clone();
    settings.aws.credentials.access_key_id = function.to_owned();
    settings.stores.snapshot_rows = snapshot_rows;
    Cloud::new(settings, server.local.cloud.options().clone()).unwrap()
}

/// Returns everything that a list of templates contains, from all of its pages.
async fn templates(cloud: &Cloud) -> waraq_core::Result<Vec<String>> {
    let rows = cloud.templates().rows().await?;
    let mut search = Search::default();
    search.status = StatusFilter::All;
    let mut all = Vec::new();
    for page in 1.. {
        let found = search.clone().page(Some(page), Some(100)).unwrap().results(&rows).page;
        if found.is_empty() {
            break;
        }
        all.extend(found.iter().map(|one| format!("{one:?}")));
    }
    // A search by words finds the same in both.
    let found = Search::default().title("logement 7").unwrap().results(&rows);
    all.push(format!("{found:?}"));
    Ok(all)
}

async fn users(cloud: &Cloud) -> waraq_core::Result<Vec<String>> {
    let rows = cloud.users().users().await?;
    let mut all = Vec::new();
    for page in 1.. {
        let found = UserSearch::new("", ("_id", ""), Some(page), Some(100)).unwrap().results(&rows).page;
        if found.is_empty() {
            break;
        }
        all.extend(found.iter().map(|one| format!("{one:?}")));
    }
    Ok(all)
}

/// The functions whose lists are read here, and the kinds of the index that they may not read. They can list only with
/// a snapshot.
const BY_SNAPSHOT: [(&str, &str); 2] = [("documents-dashboard", "TEMPLATE#*"), ("users-list", "USER#*")];

fn policies() -> Arc<Policies> {
    Policies::without_rights(&BY_SNAPSHOT.map(|(function, kinds)| (function, "dynamodb:Query", Some(kinds))))
}

/// Returns both lists as the local server reads them from the index, of which it may read everything.
async fn lists_from_index(server: &TestServer) -> [Vec<String>; 2] {
    let cloud = cold_cloud(server, "waraq-local", u64::MAX);
    [templates(&cloud).await.unwrap(), users(&cloud).await.unwrap()]
}

/// Returns both lists as the local server reads them, from a snapshot if one is usable.
async fn lists_from_snapshot_or_index(server: &TestServer) -> [Vec<String>; 2] {
    let cloud = cold_cloud(server, "waraq-local", server.local.settings.stores.snapshot_rows);
    [templates(&cloud).await.unwrap(), users(&cloud).await.unwrap()]
}

/// Returns both lists as read from a snapshot, or `None` without a usable one.
async fn lists_from_snapshot(server: &TestServer) -> [Option<Vec<String>>; 2] {
    let rows = server.local.settings.stores.snapshot_rows;
    let [of_templates, of_users] = BY_SNAPSHOT.map(|(function, _)| cold_cloud(server, function, rows));
    [templates(&of_templates).await.ok(), users(&of_users).await.ok()]
}

const SOON: Duration = Duration::from_millis(10);

/// Asserts that the lists are the same. A failure shows only the first difference, because the lists are long.
fn assert_same(is: [Option<Vec<String>>; 2], expected: [Option<Vec<String>>; 2], case: &str) {
    for (is, expected) in is.into_iter().zip(expected) {
        assert_eq!(is.is_some(), expected.is_some(), "{case}: only one of the two has a list");
        let (is, expected) = (is.unwrap_or_default(), expected.unwrap_or_default());
        let differing = is.iter().zip(&expected).find(|(one, other)| one != other);
        assert_eq!((differing, is.len()), (None, expected.len()), "{case}");
    }
}

const FILES: [&str; 2] = ["snapshots/template", "snapshots/account"];

async fn file(server: &TestServer, key: &str) -> Option<Vec<u8>> {
    server.local.cloud.files().get(key).await.unwrap()
}

async fn store_file(server: &TestServer, key: &str, bytes: Vec<u8>) {
    // Stored like a snapshot. A file that is sent in one piece would get a checksum locally, which the next content
    // must match.
    let files = server.local.cloud.files();
    let mut upload = files.upload(key, "application/octet-stream").await.unwrap();
    upload.add_part(bytes).await.unwrap();
    upload.finish().await.unwrap();
}

/// Returns the start and the content of each part of a snapshot file.
fn parts(file: &[u8]) -> Vec<(usize, String)> {
    let mut at = file.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let mut parts = Vec::new();
    while at < file.len() {
        let bytes = u32::from_le_bytes(file[at + 1..at + 5].try_into().unwrap()) as usize;
        let mut content = String::new();
        GzDecoder::new(&file[at + 5..at + 5 + bytes]).read_to_string(&mut content).unwrap();
        parts.push((at, content));
        at += 5 + bytes;
    }
    parts
}

async fn users_call(server: &TestServer, admin: &str, method: &str, id: &str, body: &str) -> u16 {
    let authorization = bearer(admin);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    server.api.send(method, &format!("/api/v1/users/{id}"), &headers, body.to_owned()).await.status
}

/// The lists are the same for writes before, during and after the snapshot, however late the index is.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_the_same_with_a_snapshot_and_without() {
    const LATE: Duration = Duration::from_millis(100);
    let clock = ManualClock::from_now();
    let server = server_with_long_lists(|options| {
        options.options.clock = clock.clone();
        options.index_delay = Some(LATE);
        options.rights = Some(policies());
    })
    .await;
    let admin = server.admin().await;
    let letter = server.api.publish_letter(&admin, "A letter").await;
    let (gone, _) = server.account("gone@example.org").await;
    tokio::time::sleep(LATE + SOON).await;
    assert_same(lists_from_snapshot(&server).await, [None, None], "there is none yet");
    // While snapshots are made, rows are written: some that are already in the snapshot, and others.
    let over = AtomicBool::new(false);
    let making = async {
        let made = write_snapshots(&server).await;
        over.store(true, Ordering::Relaxed);
        made
    };
    let writing = async {
        let mut number = 0;
        while !over.load(Ordering::Relaxed) {
            let id = id_of(number * 37 % TEMPLATES);
            assert_eq!(server.api.set_status(&admin, &id, "deactivate").await.status, 200);
            let id = id_of(number * 53 % USERS);
            assert_eq!(users_call(&server, &admin, "PATCH", &id, r#"{"role":"admin"}"#).await, 200);
            number += 1;
        }
        number
    };
    let (made, written) = tokio::join!(making, writing);
    assert!(made == 2 && written > 0, "{made} {written}");
    // After the snapshot, rows are changed, counted on, deleted and added.
    assert_eq!(server.api.set_status(&admin, &letter, "deactivate").await.status, 200);
    assert_eq!(server.api.set_status(&admin, &letter, "activate").await.status, 200);
    assert_eq!(server.api.fill(&letter, &[], &letter_values("Amina")).await.status, 200);
    let (_, token) = server.account("new@example.org").await;
    let headers = [("authorization", bearer(&token))];
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(server.api.fill(&letter, &headers, &letter_values("Amina")).await.status, 200);
    assert_eq!(users_call(&server, &admin, "DELETE", &gone.id, "").await, 204);
    tokio::time::sleep(LATE + SOON).await;
    clock.advance(61);
    let right = lists_from_index(&server).await;
    // The letter and the line of a search; the admin and the new user.
    assert_eq!(right.each_ref().map(|all| all.len() as u64), [TEMPLATES + 2, USERS + 2]);
    assert_same(lists_from_snapshot(&server).await, right.clone().map(Some), "with a snapshot");
    // A deleted user leaves the list at once, and the snapshot within a day.
    let address = format!("{:?}", gone.email);
    let told = async || {
        let file = file(&server, FILES[1]).await.unwrap();
        parts(&file).iter().any(|(_, content)| content.contains(&address))
    };
    assert!(told().await, "the snapshot is older");
    clock.advance(24 * 3_600);
    // Two processes may make snapshots at the same time.
    let (one, other) = tokio::join!(write_snapshots(&server), write_snapshots(&server));
    assert!((2..=4).contains(&(one + other)), "{one} {other}");
    assert!(!told().await);
    assert_same(lists_from_snapshot(&server).await, right.map(Some), "with another");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incomplete_snapshot_is_not_read() {
    let clock = ManualClock::from_now();
    let server = server_with_long_lists(|options| {
        options.options.clock = clock;
        options.rights = Some(policies());
    })
    .await;
    assert_eq!(write_snapshots(&server).await, 2);
    let right = lists_from_index(&server).await;
    assert_same(lists_from_snapshot(&server).await, right.clone().map(Some), "as they were made");
    let [template, account] = [file(&server, FILES[0]).await.unwrap(), file(&server, FILES[1]).await.unwrap()];
    let all = parts(&template);
    let (last, _) = all[all.len() - 1];
    let (rows, _) = *all.iter().find(|(at, _)| template[*at] == b'r').unwrap();
    let mut broken = template.clone();
    broken[rows + 200] ^= 0x55;
    let mut other_version = template.clone();
    other_version[11] = b'9';
    // One page is missing, but all other parts are whole.
    let next = all.iter().map(|(at, _)| *at).find(|at| *at > rows).unwrap();
    let fewer = [&template[..rows], &template[next..]].concat();
    let cases = [
        ("cut in a part", template[..template.len() / 2].to_vec()),
        ("cut before its end", template[..last].to_vec()),
        ("broken", broken),
        ("of another version", other_version),
        ("of fewer rows", fewer),
        ("of another list", account),
        ("hardly begun", b"waraq".to_vec()),
        ("no snapshot", b"<html>".to_vec()),
    ];
    for (case, bytes) in cases {
        store_file(&server, FILES[0], bytes).await;
        let [(function, _), _] = BY_SNAPSHOT;
        assert!(templates(&cold_cloud(&server, function, ROWS)).await.is_err(), "{case}");
        let of_index = templates(&cold_cloud(&server, "waraq-local", ROWS)).await.ok();
        assert_same([of_index, None], [Some(right[0].clone()), None], case);
    }
    // The next run writes a whole snapshot.
    assert_eq!(write_snapshots(&server).await, 1);
    assert_same(lists_from_snapshot(&server).await, right.map(Some), "made anew");
}

/// The table is replaced by an earlier state of itself, and then gets other writes.
#[tokio::test(flavor = "multi_thread")]
async fn snapshot_of_a_replaced_table_is_not_read() {
    let clock = ManualClock::from_now();
    let server = server_with_long_lists(|options| {
        options.options.clock = clock.clone();
        options.rights = Some(policies());
    })
    .await;
    let (admin, cloud) = (server.admin().await, &server.local.cloud);
    let turned = async |number: u64, verb: &str| server.api.set_status(&admin, &id_of(number), verb).await.status;
    // The replayed part of the log does not contain these rows, so a wrong value could only come from a snapshot.
    assert_eq!(turned(3, "deactivate").await, 200);
    assert_eq!(write_snapshots(&server).await, 2);
    let earlier = lists_from_index(&server).await;
    assert_same(lists_from_snapshot(&server).await, earlier.clone().map(Some), "as they were made");
    let stamp = async || {
        let stamp = server.items("STAMP#template").await.remove(0);
        stamp["n"].as_n().unwrap().parse::<u64>().unwrap()
    };
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let entry = |number: u64| text(&format!("{number:020}"));
    let forget = async |number: u64| {
        let delete = cloud.dynamodb().delete_item().table_name(cloud.table_name());
        delete.key("pk", text("LOG#template")).key("sk", entry(number)).send().await.unwrap();
    };
    let now = stamp().await;
    forget(now).await;
    let back = cloud.dynamodb().update_item().table_name(cloud.table_name()).update_expression("SET n = :n");
    let back = back.key("pk", text("STAMP#template")).key("sk", text("STAMP"));
    back.expression_attribute_values(":n", AttributeValue::N((now - 1).to_string())).send().await.unwrap();
    assert_same(lists_from_snapshot(&server).await, [None, Some(earlier[1].clone())], "of a future");
    assert_same(lists_from_snapshot_or_index(&server).await.map(Some), earlier.map(Some), "of a future");
    clock.advance(5);
    assert_eq!(turned(4, "deactivate").await, 200);
    assert_eq!(stamp().await, now);
    assert!(lists_from_snapshot(&server).await[0].is_none(), "the snapshot belongs to the replaced table");
    assert_same(
        lists_from_snapshot_or_index(&server).await.map(Some),
        lists_from_index(&server).await.map(Some),
        "the snapshot belongs to the replaced table",
    );
    // The next run makes a new snapshot at once, although the last one is not old.
    assert_eq!(write_snapshots(&server).await, 1);
    assert_same(lists_from_snapshot(&server).await, lists_from_index(&server).await.map(Some), "made just now");
    // With a gap in the log the writes are unknown, so the snapshot is not used.
    assert_eq!(turned(5, "deactivate").await, 200);
    assert_eq!(turned(6, "deactivate").await, 200);
    forget(now + 1).await;
    assert!(lists_from_snapshot(&server).await[0].is_none(), "with a hole");
    assert_same(
        lists_from_snapshot_or_index(&server).await.map(Some),
        lists_from_index(&server).await.map(Some),
        "with a hole",
    );
}

/// Tests `cargo xtask cloud STACK restore`: it leaves a gap in the log of the restored table, which invalidates older
/// snapshots.
#[tokio::test]
async fn snapshot_from_before_a_recovery_is_not_read() {
    let server = TestServer::with_options(|options| {
        options.snapshot_rows = 1;
        options.sweep = NEVER;
        options.rights = Some(policies());
    })
    .await;
    let (admin, cloud) = (server.admin().await, &server.local.cloud);
    let kept = server.api.publish_letter(&admin, "Kept").await;
    server.user("stays@example.org").await;
    server.api.publish_letter(&admin, "Kept too").await;
    create_table(cloud.dynamodb(), "copy").await.unwrap();
    for item in server.items("").await {
        cloud.dynamodb().put_item().table_name("copy").set_item(Some(item)).send().await.unwrap();
    }
    server.user("later@example.org").await;
    assert_eq!(server.api.set_status(&admin, &kept, "deactivate").await.status, 200);
    server.api.publish_letter(&admin, "Later").await;
    assert_eq!(write_snapshots(&server).await, 2);
    assert_same(lists_from_snapshot(&server).await, lists_from_index(&server).await.map(Some), "made just now");
    recover(cloud, "copy").await.unwrap();
    assert_eq!(lists_from_snapshot(&server).await, [None, None]);
    let now = lists_from_index(&server).await;
    assert_eq!((now[0].len(), now[1].len()), (3, 2));
    assert_eq!(lists_from_snapshot_or_index(&server).await, now);
}

#[tokio::test]
async fn snapshots_are_written_of_long_lists_after_many_writes() {
    let clock = ManualClock::from_now();
    let server = TestServer::with_options(|options| {
        options.options.clock = clock.clone();
        options.snapshot_rows = 2;
        options.sweep = NEVER;
    })
    .await;
    let admin = server.admin().await;
    let letter = server.api.publish_letter(&admin, "A letter").await;
    assert_eq!(write_snapshots(&server).await, 0, "few writes");
    for verb in ["deactivate", "activate"] {
        assert_eq!(server.api.set_status(&admin, &letter, verb).await.status, 200);
    }
    assert_eq!(write_snapshots(&server).await, 0, "many writes, few rows");
    for title in ["Another", "A third"] {
        server.api.publish_letter(&admin, title).await;
    }
    let (first, _) = server.account("a@example.org").await;
    let (second, _) = server.account("b@example.org").await;
    assert_eq!(write_snapshots(&server).await, 2);
    assert_eq!(write_snapshots(&server).await, 0, "nothing was written");
    // Each list is requested from a process that has not loaded it yet.
    let list = server.api.get("/api/v1/documents").await;
    assert_eq!(list.json["total"], 3, "{list:?}");
    let users = server.api.get_as(&admin, "/api/v1/users").await;
    assert_eq!(users.json["total"], 3, "{users:?}");
    let board = server.api.get_as(&admin, "/api/v1/documents/getDashboardData").await;
    assert_eq!(board.json["data"]["totalDocuments"], 3, "{board:?}");
    let categories = server.api.get("/api/v1/categories").await;
    assert_eq!(categories.status, 200, "{categories:?}");
    let name = |place: usize| categories.json["categories"][place]["_id"].clone();
    let [renamed, merged] = [name(0), name(1)];
    let authorization = bearer(&admin);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    for (method, path, body) in [
        ("PATCH", "", json!({ "name": renamed, "names": { "en": "Boats" } })),
        ("POST", "/merge", json!({ "name": merged, "into": renamed })),
        ("POST", "/separate", json!({ "name": merged })),
    ] {
        let path = format!("/api/v1/categories{path}");
        let done = server.api.send(method, &path, &headers, body.to_string()).await;
        assert_eq!(done.status, 200, "{path}: {done:?}");
    }
    assert_eq!(write_snapshots(&server).await, 1, "category changes are in the log of templates");
    clock.advance(24 * 3_600 - 1);
    assert_eq!(write_snapshots(&server).await, 0, "a day is not over");
    clock.advance(1);
    assert_eq!(write_snapshots(&server).await, 2);
    // When the list is short again, the snapshot with its personal data is deleted.
    assert!(file(&server, FILES[1]).await.is_some());
    let admin = server.admin().await;
    for gone in [first, second] {
        assert_eq!(users_call(&server, &admin, "DELETE", &gone.id, "").await, 204);
    }
    assert_eq!(write_snapshots(&server).await, 0);
    assert!(file(&server, FILES[1]).await.is_none());
    assert!(file(&server, FILES[0]).await.is_some());
    assert_eq!(server.api.get_as(&admin, "/api/v1/users").await.json["total"], 1);
}
