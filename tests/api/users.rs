//! Tests of how a list of users is loaded: the full list from the index, and newer changes from the stamp and the log.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use serde_json::{Value, json};

use waraq_core::accounts::{Account, Address, add_account};
use waraq_core::clock::new_id;

use crate::test_server::{TestServer, bearer, letter_values, new_user_account};

type Item = HashMap<String, AttributeValue>;

fn get_text<'a>(item: &'a Item, name: &str) -> &'a str {
    item[name].as_s().unwrap()
}

/// Returns the rows of the index by account id.
async fn indexed(server: &TestServer) -> BTreeMap<String, Item> {
    let cloud = &server.local.cloud;
    let mut rows = BTreeMap::new();
    for shard in 0..16 {
        let query = cloud.dynamodb().query().table_name(cloud.table_name()).index_name("kinds");
        let query = query.key_condition_expression("kind = :kind");
        let query = query.expression_attribute_values(":kind", AttributeValue::S(format!("USER#{shard}")));
        for row in query.send().await.unwrap().items.unwrap_or_default() {
            rows.insert(get_text(&row, "pk").trim_start_matches("USER#").to_owned(), row);
        }
    }
    rows
}

/// Returns the account ids in the log, one for each write, oldest first. Checks that each shard's stamp counts its
/// entries without gaps.
async fn logged(server: &TestServer) -> Vec<String> {
    let mut shards: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for entry in server.items("LOG#account#").await {
        let shard: u8 = get_text(&entry, "pk").trim_start_matches("LOG#account#").parse().unwrap();
        shards.entry(format!("{shard:02}")).or_default().push(entry);
    }
    let stamps = server.items("STAMP#account").await;
    let stamps =
        stamps.iter().map(|stamp| (get_text(stamp, "sk").to_owned(), stamp["n"].as_n().unwrap().parse().unwrap()));
    let counted: BTreeMap<String, usize> = stamps.collect();
    assert_eq!(counted, shards.iter().map(|(shard, entries)| (shard.clone(), entries.len())).collect());
    for entries in shards.values_mut() {
        entries.sort_by_key(|entry| get_text(entry, "sk").to_owned());
        for (place, entry) in entries.iter().enumerate() {
            assert_eq!(get_text(entry, "sk").parse::<usize>().unwrap(), place + 1, "without a gap");
        }
    }
    let mut ids: Vec<String> = shards.values().flatten().map(|entry| get_text(entry, "id").to_owned()).collect();
    ids.sort();
    ids
}

fn id_of(session: &Value) -> String {
    session["user"]["_id"].as_str().unwrap().to_owned()
}

async fn first_admin(server: &TestServer) -> String {
    let me = server.api.get_as(&server.admin().await, "/api/v1/users/me").await;
    id_of(&me.json)
}

/// Sends waiting mails as the table's stream would do. The local outbox finds them by the index, which has no rows
/// here.
async fn deliver_mails(server: &TestServer) {
    loop {
        for mail in server.items("OUTBOX#").await {
            let id = get_text(&mail, "pk").trim_start_matches("OUTBOX#");
            server.local.cloud.outbox_sender().unwrap().deliver(id).await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn every_user_write_is_in_the_change_log_despite_a_late_index() {
    let server = TestServer::with_options(|options| options.index_delay = Some(Duration::from_secs(3_600))).await;
    tokio::select! {
        () = deliver_mails(&server) => {}
        () = writes_of_users(&server) => {}
    }
}

async fn writes_of_users(server: &TestServer) {
    let admin = first_admin(server).await;
    assert_eq!(logged(server).await, [admin.as_str()], "the first admin");
    let waits = json!({ "userName": "A", "email": "waits@example.org", "password": "a password" });
    assert_eq!(server.api.post("/api/v1/auth/register", &[], &waits).await.status, 201);
    assert_eq!(logged(server).await.len(), 1, "unverified registrations are not listed");
    let session = server.registered("amina@example.org", "a password").await;
    let amina = id_of(&session);
    assert_eq!(logged(server).await, [admin.clone(), amina.clone()]);
    let token = bearer(session["token"].as_str().unwrap());
    let headers = [("authorization", token.as_str()), ("content-type", "application/json")];
    let changed = server.api.send("PATCH", "/api/v1/users/me", &headers, json!({ "userName": "B" }).to_string()).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(logged(server).await, [admin.clone(), amina.clone(), amina.clone()]);
    // Many parallel registrations: each is in the log, and none twice.
    let emails: Vec<String> = (0..12).map(|number| format!("many{number}@example.org")).collect();
    let many = join_all(emails.iter().map(|email| server.registered(email, "a password"))).await;
    let mut all: BTreeSet<String> = many.iter().map(id_of).collect();
    assert_eq!(logged(server).await.len(), 3 + many.len());
    all.extend([admin, amina]);
    assert_eq!(logged(server).await.into_iter().collect::<BTreeSet<_>>(), all);
    assert!(indexed(server).await.is_empty(), "the index has no rows yet");
}

#[tokio::test]
async fn index_has_all_users_with_the_time_of_their_last_count() {
    let server = TestServer::new().await;
    let admin = first_admin(&server).await;
    let waits = json!({ "userName": "A", "email": "waits@example.org", "password": "a password" });
    assert_eq!(server.api.post("/api/v1/auth/register", &[], &waits).await.status, 201);
    let session = server.registered("amina@example.org", "a password").await;
    let amina = id_of(&session);
    let before = indexed(&server).await;
    assert_eq!(before.keys().collect::<BTreeSet<_>>(), BTreeSet::from([&admin, &amina]));
    let letter = server.api.publish_letter(&server.admin().await, "A letter").await;
    let token = bearer(session["token"].as_str().unwrap());
    let filled = server.api.fill(&letter, &[("authorization", &token)], &letter_values("Amina")).await;
    assert_eq!(filled.status, 200, "{filled:?}");
    let after = indexed(&server).await;
    assert_eq!(after[&amina]["downloads"].as_n().unwrap(), "1");
    assert!(
        get_text(&after[&amina], "kind_order") > get_text(&before[&amina], "kind_order"),
        "the row is found by a query for new uses"
    );
    assert_eq!(after[&admin], before[&admin]);
    assert_eq!(logged(&server).await, [admin, amina], "a use touches neither stamp nor log");
}

/// A process that follows the log learns of every account in every shard, even if the index has no rows yet.
#[tokio::test]
async fn parallel_registrations_are_all_written_and_seen_by_other_processes() {
    let server = TestServer::with_options(|options| options.index_delay = Some(Duration::from_secs(3_600))).await;
    let cloud = &server.local.cloud;
    let (before, position) = cloud.accounts_written(None).await.unwrap();
    assert_eq!(before, [first_admin(&server).await]);
    let accounts: Vec<Account> = (0..192)
        .map(|number| {
            new_user_account(
                new_id(cloud.clock(), cloud.random_source()),
                &format!("many{number}@example.org"),
                cloud.clock().now(),
            )
        })
        .collect();
    // 64 writers with three accounts each.
    let writers = accounts.chunks(3).map(|own| async move {
        for account in own {
            add_account(cloud.accounts(), account, &Address::parse(&account.email).unwrap()).await.unwrap();
        }
    });
    join_all(writers).await;
    let (written, after) = cloud.accounts_written(Some(&position)).await.unwrap();
    let ids: BTreeSet<String> = accounts.into_iter().map(|account| account.id).collect();
    assert_eq!(written.into_iter().collect::<BTreeSet<_>>(), ids);
    assert_eq!(logged(&server).await.len(), 1 + ids.len());
    assert_eq!(cloud.accounts_written(Some(&after)).await.unwrap(), (vec![], after), "no later changes");
}

#[tokio::test]
async fn parallel_profile_changes_succeed_or_return_a_conflict() {
    let server = TestServer::new().await;
    let (_, token) = server.account("amina@example.org").await;
    let bearer = bearer(&token);
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let changes = (0..30).map(|number| {
        let body = json!({ "userName": format!("Amina {number}") }).to_string();
        server.api.send("PATCH", "/api/v1/users/me", &headers, body)
    });
    let answers = join_all(changes).await;
    for answer in &answers {
        assert!(answer.status == 200 || (answer.status, answer.code()) == (409, "account_busy"), "{answer:?}");
    }
    let changed: Vec<&Value> =
        answers.iter().filter(|answer| answer.status == 200).map(|answer| &answer.json).collect();
    let me = server.api.get_as(&token, "/api/v1/users/me").await;
    assert!(changed.iter().any(|answer| answer["user"]["userName"] == me.json["user"]["userName"]), "{me:?}");
    // One write for each change, in the log too.
    assert_eq!(logged(&server).await.len(), 2 + changed.len());
}
