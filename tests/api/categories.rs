//! Tests of PATCH /categories and POST /categories/merge.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::test_server::{ApiResponse, Form, TestServer, bearer};

async fn call(server: &TestServer, token: &str, method: &str, path: &str, body: &Value) -> ApiResponse {
    let authorization = bearer(token);
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    server.api.send(method, &format!("/api/v1/categories{path}"), &headers, body.to_string()).await
}

fn find_category(answer: &ApiResponse, name: &str) -> Value {
    let all = answer.json["categories"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
    all.iter().find(|category| category["name"] == name).cloned().unwrap_or(Value::Null)
}

async fn count_templates(server: &TestServer, cat: &str) -> u64 {
    server.api.get(&format!("/api/v1/documents?cat={cat}")).await.json["total"].as_u64().unwrap()
}

#[tokio::test]
async fn categories_are_renamed_and_merged() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    for (title, categories) in [("A", "boats, legal"), ("B", "ships"), ("C", "housing")] {
        let answer = server.api.publish(&admin, &[], &Form::letter(title).with("categories", categories)).await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    let names = json!({ "name": "boats", "names": { "en": "Boats", "fr": "Bateaux", "ar": "قوارب" } });
    let named = call(&server, &admin, "PATCH", "", &names).await;
    assert_eq!((named.status, &find_category(&named, "boats")["names"]), (200, &names["names"]), "{named:?}");
    // Each of the names finds the category and can be used to publish. A name that is left out stays; an empty one is
    // removed.
    assert_eq!(count_templates(&server, "bateaux").await, 1);
    let form = Form::letter("D").with("categories", "Bateaux");
    let published = server.api.publish(&admin, &[], &form).await;
    assert_eq!(published.json["document"]["categories"], json!(["boats"]));
    let fewer = call(&server, &admin, "PATCH", "", &json!({ "name": "boats", "names": { "ar": "" } })).await;
    assert_eq!(find_category(&fewer, "boats")["names"], json!({ "en": "Boats", "fr": "Bateaux" }));
    // A built-in category can be renamed too.
    let renamed = call(&server, &admin, "PATCH", "", &json!({ "name": "legal", "names": { "fr": "Droit" } })).await;
    assert_eq!(find_category(&renamed, "legal")["names"]["fr"], "Droit");

    // A search for a category's new name finds its templates.
    let titled = async |words: &str| {
        server.api.get(&format!("/api/v1/documents?title={words}")).await.json["total"].as_u64().unwrap()
    };
    assert_eq!((titled("bateau").await, titled("droit").await, titled("ships").await), (2, 1, 1));

    let merged = call(&server, &admin, "POST", "/merge", &json!({ "name": "ships", "into": "boats" })).await;
    assert_eq!((merged.status, find_category(&merged, "ships")), (200, Value::Null), "{merged:?}");
    let boats = find_category(&merged, "boats");
    assert_eq!((&boats["count"], &boats["merged"]), (&json!(3), &json!(["ships"])));
    // Both names now find all templates, and new templates get the category that was kept.
    assert_eq!((count_templates(&server, "ships").await, count_templates(&server, "boats").await), (3, 3));
    assert_eq!((titled("bateau").await, titled("ships").await), (3, 1));
    let form = Form::letter("E").with("categories", "ships");
    let published = server.api.publish(&admin, &[], &form).await;
    assert_eq!(published.json["document"]["categories"], json!(["boats"]));
    let id = published.json["document"]["_id"].as_str().unwrap().to_owned();
    let edited = server.api.edit(&admin, &id, &[], &Form::from_texts(&[("categories", "Ships, Droit")])).await;
    assert_eq!(edited.json["document"]["categories"], json!(["boats", "legal"]));
}

#[tokio::test]
async fn merges_can_be_undone_and_are_in_the_audit_log() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    for (title, categories) in [("A", "boats"), ("B", "ships")] {
        assert_eq!(
            server.api.publish(&admin, &[], &Form::letter(title).with("categories", categories)).await.status,
            201
        );
    }
    let merge = json!({ "name": "ships", "into": "boats" });
    assert_eq!(call(&server, &admin, "POST", "/merge", &merge).await.status, 200);
    let ships = json!({ "name": "ships" });
    let separated = call(&server, &admin, "POST", "/separate", &ships).await;
    assert_eq!((separated.status, &find_category(&separated, "ships")["count"]), (200, &json!(1)), "{separated:?}");
    assert_eq!(find_category(&separated, "boats")["merged"], json!([]));
    assert_eq!((count_templates(&server, "ships").await, count_templates(&server, "boats").await), (1, 1));
    let again = call(&server, &admin, "POST", "/separate", &ships).await;
    assert_eq!((again.status, again.code()), (404, "category_not_found"));
    // After a second merge another category takes the old name; that category must be renamed before the merge can be
    // undone.
    assert_eq!(call(&server, &admin, "POST", "/merge", &merge).await.status, 200);
    let called = |name: &str| json!({ "name": "boats", "names": { "en": name } });
    assert_eq!(call(&server, &admin, "PATCH", "", &called("Ships")).await.status, 200);
    let taken = call(&server, &admin, "POST", "/separate", &ships).await;
    assert_eq!((taken.status, taken.code()), (409, "category_name_taken"));
    assert_eq!(call(&server, &admin, "PATCH", "", &called("Boats")).await.status, 200);
    assert_eq!(
        call(&server, &admin, "PATCH", "", &called("Boats")).await.status,
        200,
        "a repeated change adds no audit event"
    );
    assert_eq!(call(&server, &admin, "POST", "/separate", &ships).await.status, 200);

    let history = server.api.get_as(&admin, "/api/v1/categories/history").await;
    let entries = history.json["history"].as_array().unwrap_or_else(|| panic!("{history:?}"));
    let events: Vec<(&str, &Value, &Value)> =
        entries.iter().map(|entry| (entry["what"].as_str().unwrap(), &entry["category"], &entry["other"])).collect();
    let (ships, boats, none) = (json!("ships"), json!("boats"), Value::Null);
    assert_eq!(
        events,
        [
            ("separated", &ships, &boats),
            ("renamed", &boats, &none),
            ("renamed", &boats, &none),
            ("merged", &ships, &boats),
            ("separated", &ships, &boats),
            ("merged", &ships, &boats),
        ]
    );
    assert_eq!((&entries[1]["from"], &entries[1]["to"]), (&json!({ "en": "Ships" }), &json!({ "en": "Boats" })));
    assert!(entries.iter().all(|entry| entry["by"]["name"] == "Admin" && entry["at"].is_string()), "{history:?}");
}

#[tokio::test]
async fn invalid_changes_and_non_admins_are_refused() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let (_, user) = server.account("u@example.org").await;
    let name = |name: &str, code: &str, shown: &str| json!({ "name": name, "names": { code: shown } });
    let cases = [
        ("PATCH", "", name("nothing", "fr", "Rien"), 404, "category_not_found"),
        ("PATCH", "", name("legal", "fr", "Logement"), 409, "category_name_taken"),
        ("PATCH", "", name("legal", "de", "Recht"), 400, "invalid_category"),
        ("PATCH", "", name("legal", "fr", "a, b"), 400, "invalid_category"),
        ("PATCH", "", name("legal", "fr", &"x".repeat(61)), 400, "invalid_category"),
        ("PATCH", "", name("legal", "fr", "a\u{200b}b"), 400, "invalid_category"),
        ("POST", "/merge", json!({ "name": "nothing", "into": "legal" }), 404, "category_not_found"),
        ("POST", "/merge", json!({ "name": "legal", "into": "nothing" }), 404, "category_not_found"),
        ("POST", "/merge", json!({ "name": "legal", "into": "legal" }), 400, "invalid_category"),
        ("POST", "/merge", json!({ "name": "general", "into": "legal" }), 400, "invalid_category"),
    ];
    let before = server.api.get("/api/v1/categories").await;
    for (method, path, body, status, code) in &cases {
        let answer = call(&server, &admin, method, path, body).await;
        assert_eq!((answer.status, answer.code()), (*status, *code), "{body}");
        assert_eq!(call(&server, &user, method, path, body).await.code(), "forbidden");
    }
    assert_eq!(server.api.get("/api/v1/categories").await.json, before.json);
}

#[tokio::test]
async fn concurrent_changes_are_all_kept() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let known = ["employment", "housing", "business", "legal", "finance", "personal"];
    let changes = known.map(|name| json!({ "name": name, "names": { "en": format!("Changed {name}") } }));
    let answers = join_all(changes.iter().map(|body| call(&server, &admin, "PATCH", "", body))).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    let now = server.api.get("/api/v1/categories").await;
    for name in known {
        assert_eq!(find_category(&now, name)["names"]["en"], format!("Changed {name}"));
    }
}

/// Each function has its own list in memory, and learns from the log that another function changed categories.
#[tokio::test]
async fn cached_lists_follow_category_changes() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    for (title, category) in [("A", "boats"), ("B", "ships"), ("C", "rafts")] {
        let answer = server.api.publish(&admin, &[], &Form::letter(title).with("categories", category)).await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    for (round, merged) in [(0, "ships"), (1, "rafts")] {
        assert_eq!(count_templates(&server, "boats").await, 1 + round);
        let all = server.api.get("/api/v1/categories").await;
        assert_eq!(find_category(&all, "boats")["count"], 1 + round);
        assert_eq!(server.api.get_as(&admin, "/api/v1/documents/getDashboardData").await.status, 200);
        let names = json!({ "name": "boats", "names": { "en": format!("Boats {round}") } });
        let named = call(&server, &admin, "PATCH", "", &names).await;
        assert_eq!(find_category(&named, "boats")["count"], 1 + round, "{named:?}");
        let into = call(&server, &admin, "POST", "/merge", &json!({ "name": merged, "into": "boats" })).await;
        assert_eq!(find_category(&into, "boats")["count"], 2 + round, "{into:?}");
    }
}
