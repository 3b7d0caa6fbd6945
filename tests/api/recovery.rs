//! Tests of the recovery from a backup: the table takes over the content of a recovered copy while the server runs
//! (docs/runbooks.md).

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::json;
use waraq_aws::create_table;
use waraq_operations::{RecoveryResult, create_stores, recover};

use crate::test_server::{TestServer, bearer};

#[tokio::test]
async fn recovery_restores_the_table_and_cached_lists_follow() {
    let server = TestServer::new().await;
    let (admin, cloud) = (server.admin().await, &server.local.cloud);
    let (kept, changed) =
        (server.api.publish_letter(&admin, "Kept").await, server.api.publish_letter(&admin, "Changed").await);
    server.user("stays@example.org").await;
    let titles = async || {
        let list = server.api.get("/api/v1/documents?newCreated=true").await;
        let titles: Vec<String> =
            list.json["data"].as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect();
        titles
    };
    let users = async || server.api.get_as(&admin, "/api/v1/users").await.json["total"].clone();
    assert_eq!((titles().await, users().await), (vec!["Changed".to_owned(), "Kept".to_owned()], json!(2)));
    // The copy is like one that point-in-time recovery creates.
    create_table(cloud.dynamodb(), "copy").await.unwrap();
    for item in server.items("").await {
        cloud.dynamodb().put_item().table_name("copy").set_item(Some(item)).send().await.unwrap();
    }
    assert_eq!(server.api.set_status(&admin, &changed, "deactivate").await.status, 200);
    server.api.publish_letter(&admin, "Later").await;
    server.user("later@example.org").await;
    let body = json!({ "userName": "A", "email": "waits@example.org", "password": "a password" });
    assert_eq!(server.api.post("/api/v1/auth/register", &[], &body).await.status, 201);
    let codes = server.items("OTP#").await.len();
    assert_eq!((titles().await, users().await), (vec!["Later".to_owned(), "Kept".to_owned()], json!(3)));
    let done = recover(cloud, "copy").await.unwrap();
    assert!(done.written > 0 && done.removed > 0, "{done:?}");
    assert_eq!((titles().await, users().await), (vec!["Changed".to_owned(), "Kept".to_owned()], json!(2)));
    assert_eq!(server.items("OTP#").await.len(), codes, "items that expire are not touched");
    // A second run writes nothing.
    assert_eq!(recover(cloud, "copy").await.unwrap(), RecoveryResult::default());
    // The server still runs, and new writes are seen.
    assert_eq!(server.api.set_status(&admin, &kept, "deactivate").await.status, 200);
    server.user("new@example.org").await;
    assert_eq!((titles().await, users().await), (vec!["Changed".to_owned()], json!(3)));
    let missing = recover(cloud, "no-such-table").await.unwrap_err();
    assert!(format!("{missing:#}").contains("no-such-table"), "{missing:#}");
}

/// Changes the status of a template `count` times.
async fn change_status(server: &TestServer, admin: &str, template: &str, count: usize) {
    for number in 0..count {
        let status = if number % 2 == 0 { "deactivate" } else { "activate" };
        assert_eq!(server.api.set_status(admin, template, status).await.status, 200, "write {number}");
    }
}

#[tokio::test]
async fn server_can_write_during_and_after_a_recovery() {
    let server = TestServer::new().await;
    let (admin, cloud) = (server.admin().await, &server.local.cloud);
    let template = server.api.publish_letter(&admin, "Letter").await;
    create_table(cloud.dynamodb(), "copy").await.unwrap();
    for item in server.items("").await {
        cloud.dynamodb().put_item().table_name("copy").set_item(Some(item)).send().await.unwrap();
    }
    // Items that the recovery must write, so that the server writes meanwhile.
    for number in 0..300 {
        let put = cloud.dynamodb().put_item().table_name("copy");
        let put = put.item("pk", AttributeValue::S(format!("TEST#{number}"))).item("sk", AttributeValue::S("A".into()));
        put.send().await.unwrap();
    }
    let (done, ()) = tokio::join!(recover(cloud, "copy"), change_status(&server, &admin, &template, 40));
    assert!(done.unwrap().written >= 300);
    change_status(&server, &admin, &template, 2).await;
    assert_eq!(server.api.publish_letter(&admin, "Later").await.len(), template.len());
}

/// Sets all stamps back by `writes`, as a recovery that wrote an old stamp beside a live server did.
async fn set_stamps_back(server: &TestServer, writes: u64) {
    let cloud = &server.local.cloud;
    let stamps = server.items("STAMP#").await;
    assert!(!stamps.is_empty());
    for mut stamp in stamps {
        let number: u64 = stamp["n"].as_n().unwrap().parse().unwrap();
        let behind = number.saturating_sub(writes).max(1);
        stamp.insert("n".to_owned(), AttributeValue::N(behind.to_string()));
        cloud.dynamodb().put_item().table_name(cloud.table_name()).set_item(Some(stamp)).send().await.unwrap();
    }
}

#[tokio::test]
async fn writers_skip_log_entries_that_the_stamp_has_not_counted() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let (letter, other) =
        (server.api.publish_letter(&admin, "Letter").await, server.api.publish_letter(&admin, "Other").await);
    change_status(&server, &admin, &letter, 40).await;
    for (users, behind) in [1, 2, 17, 1_000].into_iter().enumerate() {
        for (status, published) in [("deactivate", 1), ("activate", 2)] {
            set_stamps_back(&server, behind).await;
            assert_eq!(server.api.set_status(&admin, &other, status).await.status, 200, "behind by {behind}");
            let list = server.api.get("/api/v1/documents").await.json;
            assert_eq!(list["total"], published, "behind by {behind}: {list}");
        }
        set_stamps_back(&server, behind).await;
        let renamed = json!({ "name": "legal", "names": { "fr": format!("Droit {behind}") } });
        let authorization = bearer(&admin);
        let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
        let renamed = server.api.send("PATCH", "/api/v1/categories", &headers, renamed.to_string()).await;
        assert_eq!(renamed.status, 200, "behind by {behind}: {renamed:?}");
        set_stamps_back(&server, behind).await;
        server.user(&format!("user{users}@example.org")).await;
        let listed = server.api.get_as(&admin, "/api/v1/users").await.json;
        assert_eq!(listed["total"], users + 2, "behind by {behind}: the admin and each new user");
    }
}

#[tokio::test]
async fn missing_stores_are_created() {
    let server = TestServer::new().await;
    let mut settings = server.local.settings.clone();
    (settings.stores.table, settings.stores.bucket) = ("another".to_owned(), "another".to_owned());
    let cloud = waraq_aws::Cloud::new(settings, waraq_aws::RuntimeOptions::default()).unwrap();
    for _ in 0..2 {
        assert_eq!(create_stores(&cloud).await.unwrap(), "another, another");
    }
    let put = cloud.dynamodb().put_item().table_name("another").item("pk", AttributeValue::S("a".into()));
    put.item("sk", AttributeValue::S("b".into())).send().await.unwrap();
    cloud.files().put("a", "text/plain", b"b".to_vec()).await.unwrap();
}
