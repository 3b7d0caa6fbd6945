//! Tests of the recovery from a backup: the table takes over the content of a recovered copy while the server runs
//! (docs/runbooks.md).

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::json;
use waraq_aws::create_table;
use waraq_local::cloud::create_stores;
use waraq_local::recovery::{RecoveryResult, recover};

use crate::test_server::TestServer;

#[tokio::test]
async fn the_table_is_as_it_was_and_lists_in_memory_notice() {
    let house = TestServer::new().await;
    let (admin, cloud) = (house.admin().await, &house.local.cloud);
    let (kept, changed) =
        (house.api.publish_letter(&admin, "Kept").await, house.api.publish_letter(&admin, "Changed").await);
    house.user("stays@example.org").await;
    let titles = async || {
        let list = house.api.get("/api/v1/documents?newCreated=true").await;
        let titles: Vec<String> =
            list.json["data"].as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect();
        titles
    };
    let users = async || house.api.get_as(&admin, "/api/v1/users").await.json["total"].clone();
    assert_eq!((titles().await, users().await), (vec!["Changed".to_owned(), "Kept".to_owned()], json!(2)));
    // The copy is like one that point-in-time recovery creates.
    create_table(cloud.dynamodb(), "copy").await.unwrap();
    for item in house.items("").await {
        cloud.dynamodb().put_item().table_name("copy").set_item(Some(item)).send().await.unwrap();
    }
    assert_eq!(house.api.set_status(&admin, &changed, "deactivate").await.status, 200);
    house.api.publish_letter(&admin, "Later").await;
    house.user("later@example.org").await;
    let body = json!({ "userName": "A", "email": "waits@example.org", "password": "a password" });
    assert_eq!(house.api.post("/api/v1/auth/register", &[], &body).await.status, 201);
    let codes = house.items("OTP#").await.len();
    assert_eq!((titles().await, users().await), (vec!["Later".to_owned(), "Kept".to_owned()], json!(3)));
    let done = recover(cloud, "copy").await.unwrap();
    assert!(done.written > 0 && done.removed > 0, "{done:?}");
    assert_eq!((titles().await, users().await), (vec!["Changed".to_owned(), "Kept".to_owned()], json!(2)));
    assert_eq!(house.items("OTP#").await.len(), codes, "what passes is left");
    // A second run writes nothing.
    assert_eq!(recover(cloud, "copy").await.unwrap(), RecoveryResult::default());
    // The server still runs, and new writes are seen.
    assert_eq!(house.api.set_status(&admin, &kept, "deactivate").await.status, 200);
    house.user("new@example.org").await;
    assert_eq!((titles().await, users().await), (vec!["Changed".to_owned()], json!(3)));
    let missing = recover(cloud, "no-such-table").await.unwrap_err();
    assert!(format!("{missing:#}").contains("no-such-table"), "{missing:#}");
}

#[tokio::test]
async fn stores_are_made_where_there_are_none() {
    let house = TestServer::new().await;
    let mut settings = house.local.settings.clone();
    (settings.stores.table, settings.stores.bucket) = ("another".to_owned(), "another".to_owned());
    let cloud = waraq_aws::Cloud::new(settings, waraq_aws::RuntimeOptions::default()).unwrap();
    for _ in 0..2 {
        assert_eq!(create_stores(&cloud).await.unwrap(), "another, another");
    }
    let put = cloud.dynamodb().put_item().table_name("another").item("pk", AttributeValue::S("a".into()));
    put.item("sk", AttributeValue::S("b".into())).send().await.unwrap();
    cloud.files().put("a", "text/plain", b"b".to_vec()).await.unwrap();
}
