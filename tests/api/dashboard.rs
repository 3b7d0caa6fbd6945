//! Tests of the counters: they are exact, even under parallel load and with frequent transaction conflicts in the
//! store. `cargo xtask drill counters` counts a thousand fills; the test command counts some dozens.

use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use waraq_core::accounts::Account;

use crate::test_server::{Api, ApiResponse, ManualClock, TestServer, bearer, letter_values};

async fn dashboard(server: &TestServer) -> Value {
    let answer = server.api.get_as(&server.admin().await, "/api/v1/documents/getDashboardData").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json["data"].clone()
}

fn sum(months: &Value) -> u64 {
    months.as_array().unwrap().iter().map(|month| month["count"].as_u64().unwrap()).sum()
}

async fn rename(api: &Api, token: &str, name: &str) -> ApiResponse {
    let authorization = bearer(token);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    api.send("PATCH", "/api/v1/users/me", &headers, json!({ "userName": name }).to_string()).await
}

#[tokio::test]
async fn counters_before_and_after_activity() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let nothing = dashboard(&server).await;
    assert_eq!(
        (&nothing["totalDocuments"], &nothing["totalUsers"], &nothing["totalDownloads"]),
        (&json!(0), &json!(1), &json!(0))
    );
    assert_eq!((sum(&nothing["usersByMonth"]), &nothing["downloadsByMonth"]), (1, &json!([])));
    let admin = server.admin().await;
    let letter = server.api.publish_letter(&admin, "A letter").await;
    server.api.publish_letter(&admin, "Nobody's").await;
    let waits = json!({ "userName": "A", "email": "waits@example.org", "password": "a password" });
    assert_eq!(server.api.post("/api/v1/auth/register", &[], &waits).await.status, 201);
    let session = server.registered("amina@example.org", "a password").await;
    let (_, other) = server.account("other@example.org").await;
    for _ in 0..3 {
        assert_eq!(server.api.fill(&letter, &[], &letter_values("Amina")).await.status, 200);
    }
    let refused = server.api.get_as(&other, "/api/v1/documents/getDashboardData").await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    // The counts are current, except the uses of a template, which are at most a minute old.
    clock.advance(61);
    let data = dashboard(&server).await;
    assert_eq!(
        (&data["totalDocuments"], &data["totalUsers"], &data["totalDownloads"]),
        (&json!(2), &json!(3), &json!(3))
    );
    let this_month = server.local.cloud.clock().now().month();
    let [month] = data["downloadsByMonth"].as_array().unwrap().as_slice() else { panic!("{data}") };
    assert_eq!(format!("{}-{:02}", month["year"], month["month"].as_u64().unwrap()), this_month);
    assert_eq!((month["count"].as_u64(), sum(&data["usersByMonth"])), (Some(3), 3));
    assert_eq!(
        (&data["topDocuments"][0]["title"], &data["topDocuments"][0]["usageCount"]),
        (&json!("A letter"), &json!(3))
    );
    assert_eq!((&data["unusedDocuments"][0]["title"], &data["totalUnusedDocuments"]), (&json!("Nobody's"), &json!(1)));
    // A deleted account does not count, whether its user or an admin deleted it.
    let authorization = bearer(session["token"].as_str().unwrap());
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    let gone =
        server.api.send("DELETE", "/api/v1/users/me", &headers, json!({ "password": "a password" }).to_string()).await;
    assert_eq!(gone.status, 204);
    let other = server.api.get_as(&other, "/api/v1/users/me").await.json["user"]["_id"].as_str().unwrap().to_owned();
    let admin = bearer(&server.admin().await);
    let gone = server.api.send("DELETE", &format!("/api/v1/users/{other}"), &[("authorization", &admin)], "").await;
    assert_eq!(gone.status, 204);
    let data = dashboard(&server).await;
    assert_eq!((&data["totalUsers"], sum(&data["usersByMonth"])), (&json!(1), 1));
    // Events from more than a year ago are not in the chart, but are still in the total.
    clock.advance(400 * 24 * 3_600);
    assert_eq!(server.api.fill(&letter, &[], &letter_values("Amina")).await.status, 200);
    let data = dashboard(&server).await;
    assert_eq!((&data["totalDownloads"], sum(&data["downloadsByMonth"])), (&json!(4), 1));
    assert_eq!((&data["totalUsers"], &data["usersByMonth"]), (&json!(1), &json!([])));
}

/// Makes `numbers` calls, at most 32 at the same time.
async fn run_parallel<T>(numbers: usize, call: impl AsyncFn(usize) -> T) -> Vec<T> {
    stream::iter(0..numbers).map(|number| call(number)).buffer_unordered(32).collect().await
}

/// Fills one template while profiles are changed and users register, all at the same time.
async fn counts_are_exact(server: &TestServer, (fills, changes, registrations): (usize, usize, usize)) {
    let before = dashboard(server).await;
    let letter = server.api.publish_letter(&server.admin().await, "A letter").await;
    const PEOPLE: usize = 8;
    let emails: Vec<String> = (0..PEOPLE).map(|number| format!("person{number}@example.org")).collect();
    let people: Vec<(Account, String)> = join_all(emails.iter().map(|email| server.account(email))).await;
    let headers: Vec<String> = people.iter().map(|(_, token)| bearer(token)).collect();
    let filled = run_parallel(fills, async |number: usize| {
        let authorization = headers[number % PEOPLE].as_str();
        server.api.fill(&letter, &[("authorization", authorization)], &letter_values("Amina")).await
    });
    let changed = run_parallel(changes, async |number: usize| {
        rename(&server.api, &people[number % PEOPLE].1, &format!("Amina {number}")).await
    });
    let registered = run_parallel(registrations, async |number: usize| {
        server.registered(&format!("new{number}@example.org"), "a password").await
    });
    let (filled, changed, registered) = tokio::join!(filled, changed, registered);
    assert_eq!(registered.len(), registrations);
    assert!(
        filled.iter().all(|answer| answer.status == 200),
        "{:?}",
        filled.iter().find(|answer| answer.status != 200)
    );
    assert!(changed.iter().all(|answer| answer.status == 200 || answer.code() == "account_busy"));
    let template = server.api.get(&format!("/api/v1/documents/{letter}")).await;
    assert_eq!(template.json["document"]["usageCount"], fills);
    let mut downloads = 0;
    for (account, _) in &people {
        downloads += server.local.cloud.accounts().account(&account.id).await.unwrap().unwrap().downloads as usize;
    }
    assert_eq!(downloads, fills);
    let after = dashboard(server).await;
    let grown = |name: &str| after[name].as_u64().unwrap() - before[name].as_u64().unwrap();
    assert_eq!((grown("totalDownloads"), grown("totalUsers")), (fills as u64, (PEOPLE + registrations) as u64));
    assert_eq!(sum(&after["downloadsByMonth"]) - sum(&before["downloadsByMonth"]), fills as u64);
    assert_eq!(sum(&after["usersByMonth"]), after["totalUsers"].as_u64().unwrap());
    println!("{fills} fills, {changes} changes of profiles, {registrations} registrations: every count is exact");
}

/// The numbers of fills, profile changes and registrations.
fn load() -> (usize, usize, usize) {
    if std::env::var_os("WARAQ_COUNTERS").is_some() { (1_000, 100, 100) } else { (60, 16, 8) }
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_are_exact_under_load() {
    let server = TestServer::with_options(|options| options.options.source_limits_factor = 1_000).await;
    counts_are_exact(&server, load()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_are_exact_with_frequent_write_conflicts() {
    let server = TestServer::with_options(|options| {
        options.options.source_limits_factor = 1_000;
        options.faults.conflict_every = Some(3);
    })
    .await;
    counts_are_exact(&server, load()).await;
}
