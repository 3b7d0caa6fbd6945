//! Tests of user management by admins: the list, roles and deletion.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use waraq_core::accounts::{Account, ProfileChange, SETTLE_SECONDS};
use waraq_operations::{AdminOutcome, make_admin};

use crate::test_server::{ApiResponse, ManualClock, TestServer, bearer, letter_values};

async fn users(server: &TestServer, token: &str, query: &str) -> ApiResponse {
    server.api.get_as(token, &format!("/api/v1/users?{query}")).await
}

fn names(answer: &ApiResponse) -> Vec<&str> {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json["users"].as_array().unwrap().iter().map(|user| user["userName"].as_str().unwrap()).collect()
}

async fn create_named_user(server: &TestServer, email: &str, name: &str) -> (Account, String) {
    let (account, token) = server.account(email).await;
    let change = ProfileChange { user_name: Some(name.to_owned()), ..ProfileChange::default() };
    (server.local.cloud.account_service().unwrap().update_profile(&account, change).await.unwrap(), token)
}

pub async fn set_role(server: &TestServer, token: &str, id: &str, role: &str) -> ApiResponse {
    let authorization = bearer(token);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    server.api.send("PATCH", &format!("/api/v1/users/{id}"), &headers, json!({ "role": role }).to_string()).await
}

async fn delete(server: &TestServer, token: &str, id: &str) -> ApiResponse {
    server.api.send("DELETE", &format!("/api/v1/users/{id}"), &[("authorization", &bearer(token))], "").await
}

#[tokio::test]
async fn the_list_is_searched_sorted_and_paged() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    for (number, name) in ["Émilie Roy", "أَمينة بن صالح", "zoé", "Adam Smith"].iter().enumerate() {
        create_named_user(&server, &format!("{}{number}@example.org", ["d", "c", "b", "a"][number]), name).await;
    }
    let all = users(&server, &admin, "").await;
    assert_eq!(all.json["total"], 5);
    assert_eq!(names(&all), ["Adam Smith", "zoé", "أَمينة بن صالح", "Émilie Roy", "Admin"], "the newest first");
    let adam = &all.json["users"][0];
    assert_eq!(
        (&adam["name"], &adam["email"], &adam["photo"], &adam["role"], &adam["downloads"]),
        (&json!("Adam Smith"), &json!("a3@example.org"), &Value::Null, &json!("user"), &json!(0))
    );
    assert!(adam["_id"].is_string() && adam["createdAt"].as_str().unwrap().ends_with('Z'));
    for (query, found) in [
        ("userName=emilie", vec!["Émilie Roy"]),
        ("userName=%D8%A7%D9%85%D9%8A%D9%86%D9%87", vec!["أَمينة بن صالح"]),
        ("userName=ZO", vec!["zoé"]),
        ("userName=C1@EXAMPLE", vec!["أَمينة بن صالح"]),
        ("userName=nobody", vec![]),
        ("sortBy=userName", vec!["Adam Smith", "Admin", "Émilie Roy", "zoé", "أَمينة بن صالح"]),
        ("sortBy=userName&sortOrder=desc&limit=2", vec!["أَمينة بن صالح", "zoé"]),
        ("sortBy=email&limit=2&page=2", vec!["zoé", "أَمينة بن صالح"]),
        ("sortBy=createdAt&limit=1", vec!["Admin"]),
        ("page=99", vec![]),
    ] {
        assert_eq!(names(&users(&server, &admin, query).await), found, "{query}");
    }
    assert_eq!(users(&server, &admin, "userName=ad&limit=1").await.json["total"], 2);
    // The path in the specification ends with a slash.
    assert_eq!(names(&server.api.get_as(&admin, "/api/v1/users/").await).len(), 5);
    let long = format!("userName={}", "x".repeat(201));
    for query in ["sortBy=password", "sortBy=downloads&sortOrder=up", "page=0", "limit=0", "limit=101", "page=x", &long]
    {
        let refused = users(&server, &admin, query).await;
        assert_eq!((refused.status, refused.code()), (400, "invalid_query"), "{query}");
    }
}

/// A second process, cold and with an index that is an hour late, lists changes of the first process at once.
#[tokio::test]
async fn all_processes_list_changes_at_once_despite_a_late_index() {
    let server = TestServer::with_options(|options| options.index_delay = Some(Duration::from_secs(3_600))).await;
    let admin = server.admin().await;
    let warm = |query: &'static str| users(&server, &admin, query);
    assert_eq!(names(&warm("").await), ["Admin"]);
    let (account, token) = create_named_user(&server, "amina@example.org", "Amina").await;
    create_named_user(&server, "brahim@example.org", "Brahim").await;
    assert_eq!(names(&warm("sortBy=userName").await), ["Admin", "Amina", "Brahim"]);
    let headers = bearer(&token);
    let headers = [("authorization", headers.as_str()), ("content-type", "application/json")];
    server.api.send("PATCH", "/api/v1/users/me", &headers, json!({ "userName": "Zahra" }).to_string()).await;
    assert_eq!(names(&warm("sortBy=userName").await), ["Admin", "Brahim", "Zahra"]);
    assert_eq!(set_role(&server, &admin, &account.id, "admin").await.status, 200);
    assert_eq!(warm("userName=zahra").await.json["users"][0]["role"], "admin");
    assert_eq!(delete(&server, &admin, &account.id).await.status, 204);
    assert_eq!(names(&warm("sortBy=userName").await), ["Admin", "Brahim"]);
    let cold = waraq_aws::Cloud::new(server.local.settings.clone(), waraq_aws::RuntimeOptions::default()).unwrap();
    cold.ready().await.unwrap();
    assert_eq!(cold.users().users().await.unwrap().total(), 2);
}

#[tokio::test]
async fn download_counts_are_at_most_a_minute_old() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let admin = server.admin().await;
    let letter = server.api.publish_letter(&admin, "A letter").await;
    let (_, amina) = create_named_user(&server, "amina@example.org", "Amina").await;
    create_named_user(&server, "brahim@example.org", "Brahim").await;
    assert_eq!(names(&users(&server, &admin, "sortBy=downloads&sortOrder=desc&limit=1").await).len(), 1);
    let authorization = bearer(&amina);
    let headers = [("authorization", authorization.as_str())];
    for _ in 0..3 {
        assert_eq!(server.api.fill(&letter, &headers, &letter_values("Amina")).await.status, 200);
    }
    clock.advance(61);
    let list = users(&server, &admin, "sortBy=downloads&sortOrder=desc").await;
    assert_eq!((&list.json["users"][0]["userName"], &list.json["users"][0]["downloads"]), (&json!("Amina"), &json!(3)));
    assert_eq!(names(&users(&server, &admin, "sortBy=downloads").await)[2], "Amina");
}

#[tokio::test]
async fn role_changes_take_effect_at_once() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let me = server.api.get_as(&admin, "/api/v1/users/me").await.json["user"]["_id"].as_str().unwrap().to_owned();
    let (account, token) = server.user("amina@example.org").await;
    let refused = users(&server, &token, "").await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    let promoted = set_role(&server, &admin, &account.id, "admin").await;
    assert_eq!((promoted.status, &promoted.json["user"]["role"]), (200, &json!("admin")));
    // The user's session has ended; the next one has the new role.
    assert_eq!(users(&server, &token, "").await.code(), "session_ended");
    let token = server.api.login("amina@example.org", "a password").await;
    assert_eq!(users(&server, &token, "").await.status, 200);
    // Giving a role that the user already has ends no session.
    assert_eq!(set_role(&server, &admin, &account.id, "admin").await.status, 200);
    assert_eq!(users(&server, &token, "").await.status, 200);
    for (id, code, status) in [(me.as_str(), "own_account", 409), ("nobody", "user_not_found", 404)] {
        let refused = set_role(&server, &admin, id, "user").await;
        assert_eq!((refused.status, refused.code()), (status, code));
        let refused = delete(&server, &admin, id).await;
        assert_eq!((refused.status, refused.code()), (status, code));
    }
    let demoted = set_role(&server, &admin, &account.id, "user").await;
    assert_eq!((demoted.status, &demoted.json["user"]["role"]), (200, &json!("user")));
    assert_eq!(users(&server, &token, "").await.code(), "session_ended");
    let token = server.api.login("amina@example.org", "a password").await;
    assert_eq!(users(&server, &token, "").await.code(), "forbidden");
    assert_eq!(set_role(&server, &admin, &account.id, "owner").await.code(), "invalid_body");
}

/// Two admins remove each other's role at the same time, repeatedly: at least one admin always remains.
#[tokio::test(flavor = "multi_thread")]
async fn last_admin_cannot_be_removed() {
    let server = TestServer::new().await;
    let mut first = server.admin().await;
    let first_id = server.api.get_as(&first, "/api/v1/users/me").await.json["user"]["_id"].as_str().unwrap().to_owned();
    for round in 0..6 {
        let (second, _) = server.user(&format!("second{round}@example.org")).await;
        assert_eq!(set_role(&server, &first, &second.id, "admin").await.status, 200);
        let token = server.api.login(&second.email, "a password").await;
        let (one, other) = if round % 2 == 0 {
            tokio::join!(set_role(&server, &first, &second.id, "user"), set_role(&server, &token, &first_id, "user"))
        } else {
            tokio::join!(delete(&server, &first, &second.id), set_role(&server, &token, &first_id, "user"))
        };
        let told = [&one, &other].map(|answer| (answer.status, answer.code().to_owned()));
        let one_of = |answer: &ApiResponse| ["", "last_admin", "session_ended"].contains(&answer.code());
        assert!(one_of(&one) && one_of(&other), "{told:?}");
        assert_eq!(server.items("ADMINS").await[0]["ids"].as_ss().unwrap().len(), 1, "{told:?}");
        // If the second admin remains, they make the first one an admin again.
        if server.api.get_as(&first, "/api/v1/users/me").await.status != 200 {
            assert_eq!(set_role(&server, &token, &first_id, "admin").await.status, 200, "{told:?}");
            first = server.admin().await;
            assert_eq!(set_role(&server, &first, &second.id, "user").await.status, 200);
        }
        assert_eq!(users(&server, &first, "").await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn user_deletion_takes_effect_at_once_and_can_be_repeated() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let admin = server.admin().await;
    let (account, token) = server.user("amina@example.org").await;
    let (_, other) = server.user("other@example.org").await;
    let refused = delete(&server, &other, &account.id).await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    // Several deletions at the same time all succeed.
    let answers = join_all((0..5).map(|_| delete(&server, &admin, &account.id))).await;
    assert!(answers.iter().all(|answer| answer.status == 204), "{answers:?}");
    assert_eq!(server.api.get_as(&token, "/api/v1/users/me").await.code(), "session_ended");
    let login = json!({ "email": "amina@example.org", "password": "a password" });
    assert_eq!(server.api.post("/api/v1/auth/login", &[], &login).await.code(), "invalid_credentials");
    assert_eq!(server.mail_to("amina@example.org", 0).await.kind, "account-deleted");
    assert_eq!(server.mails_to("amina@example.org").len(), 1, "one mail is sent");
    assert_eq!(delete(&server, &admin, &account.id).await.status, 204, "while the clean-up is pending");
    clock.advance(SETTLE_SECONDS);
    assert_eq!(server.local.cloud.account_cleanup().clean_up_all().await.unwrap(), 0);
    assert_eq!(delete(&server, &admin, &account.id).await.code(), "user_not_found");
    assert_eq!(server.api.get_as(&other, "/api/v1/users/me").await.status, 200);
}

/// If an account keeps changing, its deletion fails with an error and leaves it whole.
#[tokio::test]
async fn constantly_changing_account_is_busy() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    let admin = server.admin().await;
    let (account, _) = server.user("amina@example.org").await;
    crate::error_codes::keep_changing(&server, &account.id).await;
    let busy = set_role(&server, &admin, &account.id, "admin").await;
    assert_eq!((busy.status, busy.code()), (409, "account_busy"));
    let busy = delete(&server, &admin, &account.id).await;
    assert_eq!((busy.status, busy.code()), (409, "account_busy"));
    assert!(server.items("GOING").await.is_empty());
}

#[tokio::test]
async fn audit_log_of_a_user_lists_changes_with_their_author() {
    let server = TestServer::with_options(|options| options.index_delay = Some(Duration::from_secs(3_600))).await;
    let admin = server.admin().await;
    let cloud = &server.local.cloud;
    let (account, _) = create_named_user(&server, "amina@example.org", "Amina").await;
    let both = ProfileChange {
        user_name: Some("Amina B".to_owned()),
        country: Some("TN".to_owned()),
        ..ProfileChange::default()
    };
    cloud.account_service().unwrap().update_profile(&account, both).await.unwrap();
    for role in ["admin", "user", "user"] {
        assert_eq!(set_role(&server, &admin, &account.id, role).await.status, 200);
    }
    let history = server.api.get_as(&admin, &format!("/api/v1/users/{}/history", account.id)).await;
    let entries = history.json["history"].as_array().unwrap_or_else(|| panic!("{history:?}"));
    let events: Vec<Value> = entries
        .iter()
        .map(|entry| json!([entry["what"], entry["parts"], entry["role"], entry["by"]["name"]]))
        .collect();
    assert_eq!(
        events,
        [
            json!(["role_changed", [], "user", "Admin"]),
            json!(["role_changed", [], "admin", "Admin"]),
            json!(["changed", ["user_name", "country"], null, "Amina B"]),
            json!(["changed", ["user_name"], null, "Amina B"]),
            json!(["joined", [], null, "Amina B"]),
        ]
    );
    assert!(
        !history.bytes.windows(7).any(|bytes| bytes == b"example"),
        "the audit log contains no address: {history:?}"
    );
    let nobody = server.api.get_as(&admin, "/api/v1/users/nobody/history").await;
    assert_eq!((nobody.status, nobody.code()), (404, "user_not_found"));
}

/// Tests what `cargo xtask cloud STACK admin EMAIL` does, for addresses with and without an account.
#[tokio::test]
async fn operator_can_make_new_and_existing_addresses_admins() {
    let server = TestServer::new().await;
    let cloud = &server.local.cloud;
    let AdminOutcome::New(password) = make_admin(cloud, "new@example.org").await.unwrap() else {
        panic!("the account existed before")
    };
    crate::logs::register_secret(&password);
    let token = server.api.login("new@example.org", &password).await;
    assert_eq!(server.api.get_as(&token, "/api/v1/users").await.status, 200);
    let (_, token) = server.user("known@example.org").await;
    assert_eq!(server.api.get_as(&token, "/api/v1/users").await.code(), "forbidden");
    for _ in 0..2 {
        assert_eq!(make_admin(cloud, "Known@example.org").await.unwrap(), AdminOutcome::Promoted);
    }
    assert_eq!(
        server.api.get_as(&token, "/api/v1/users").await.code(),
        "session_ended",
        "the new role needs a new login"
    );
    let token = server.api.login("known@example.org", "a password").await;
    assert_eq!(server.api.get_as(&token, "/api/v1/users").await.status, 200);
}
