//! Tests of GET /documents.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use waraq_aws::{Cloud, RuntimeOptions};

use crate::test_server::{ApiResponse, Form, TestServer, bearer, letter_values};

fn titles(answer: &ApiResponse) -> Vec<String> {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json["data"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn list_is_filtered_sorted_and_paged() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let forms = [
        Form::letter("Bail d’habitation").with("language", "fr").with("country", "FR").with("categories", "housing"),
        Form::letter("Tenancy agreement").with("categories", "housing,legal"),
        Form::letter("عقد عملٍ").with("language", "ar").with("country", "TN").with("categories", "employment"),
        Form::letter("Œuvre à céder").with("language", "fr"),
    ];
    for form in &forms {
        assert_eq!(server.api.publish(&admin, &[], form).await.status, 201);
    }
    let list = async |query: &str| titles(&server.api.get(&format!("/api/v1/documents?{query}")).await);
    assert_eq!(list("").await, ["Œuvre à céder", "عقد عملٍ", "Tenancy agreement", "Bail d’habitation"]);
    assert_eq!(list("oldCreated=true&limit=1").await, ["Bail d’habitation"]);
    assert_eq!(list("lang=fr").await, ["Œuvre à céder", "Bail d’habitation"]);
    assert_eq!(list("country=TN").await, ["Œuvre à céder", "عقد عملٍ", "Tenancy agreement"]);
    assert_eq!(list("cat=Employment,legal").await, ["عقد عملٍ", "Tenancy agreement"]);
    assert_eq!(list("cat=logement").await, ["Tenancy agreement", "Bail d’habitation"]);
    assert_eq!(list("title=OEUVRE%20a").await, ["Œuvre à céder"]);
    assert_eq!(list("title=d'habitation").await, ["Bail d’habitation"]);
    assert_eq!(list("title=%D8%B9%D9%85%D9%84").await, ["عقد عملٍ"]);
    // The visitor's country, then no country, then other countries; words in the title count more; other orders stay.
    let from_tunisia = ["عقد عملٍ", "Œuvre à céder", "Tenancy agreement", "Bail d’habitation"];
    assert_eq!(list("countryFirst=TN").await, from_tunisia);
    assert_eq!(list("countryFirst=TN&limit=3&page=2").await, from_tunisia[3..]);
    assert_eq!(list("countryFirst=FR&country=FR").await, ["Bail d’habitation", "Œuvre à céder", "Tenancy agreement"]);
    assert_eq!(list("countryFirst=TN&title=housing").await, ["Tenancy agreement", "Bail d’habitation"]);
    assert_eq!(list("countryFirst=FR&title=housing").await, ["Bail d’habitation", "Tenancy agreement"]);
    assert_eq!(list("countryFirst=TN&oldCreated=true&limit=1").await, ["Bail d’habitation"]);
    assert_eq!(list("countryFirst=XX&limit=1").await, ["Œuvre à céder"]);
    // The visitor's language counts more than words in the title, and those more than the country.
    let in_french = ["Œuvre à céder", "Bail d’habitation", "عقد عملٍ", "Tenancy agreement"];
    assert_eq!(list("languageFirst=fr").await, in_french);
    assert_eq!(list("languageFirst=fr&limit=2&page=2").await, in_french[2..]);
    assert_eq!(list("languageFirst=fr&countryFirst=FR").await[..2], ["Bail d’habitation", "Œuvre à céder"]);
    assert_eq!(list("languageFirst=fr&title=housing").await, ["Bail d’habitation", "Tenancy agreement"]);
    assert_eq!(list("languageFirst=en&title=housing").await, ["Tenancy agreement", "Bail d’habitation"]);
    assert_eq!(list("languageFirst=en&title=bail").await, ["Tenancy agreement", "Bail d’habitation"], "a synonym");
    assert_eq!(list("languageFirst=fr&oldCreated=true&limit=1").await, ["Bail d’habitation"]);
    assert_eq!(list("languageFirst=xx&limit=1").await, ["Œuvre à céder"]);
    // The numbers of templates in the categories are those of one language.
    let counts = async |query: &str| {
        let answer = server.api.get(&format!("/api/v1/categories{query}")).await;
        let categories = answer.json["categories"].as_array().unwrap().clone();
        let of =
            |name: &str| categories.iter().find(|one| one["name"] == name).map(|one| one["count"].as_u64().unwrap());
        (of("housing"), of("employment"))
    };
    assert_eq!(counts("").await, (Some(2), Some(1)));
    assert_eq!(counts("?lang=fr").await, (Some(1), Some(0)));
    assert_eq!(counts("?lang=ar").await, (Some(0), Some(1)));
    assert_eq!(server.api.get("/api/v1/categories?lang=xx").await.code(), "unknown_language");
    let second = server.api.get("/api/v1/documents?limit=3&page=2").await;
    assert_eq!((titles(&second).len(), second.json["total"].as_u64()), (1, Some(4)));
    assert!(list("page=9").await.is_empty());
    for wrong in ["limit=0", "limit=101", "page=0", "page=x", "status=some", "newCreated=maybe"] {
        let answer = server.api.get(&format!("/api/v1/documents?{wrong}")).await;
        assert_eq!((answer.status, answer.code()), (400, "invalid_query"), "{wrong}");
    }
    assert_eq!(server.api.get("/api/v1/documents?lang=xx").await.code(), "unknown_language");
    assert_eq!(server.api.get("/api/v1/documents?country=XX").await.code(), "unknown_country");
}

#[tokio::test]
async fn only_admins_can_filter_by_status() {
    let server = TestServer::new().await;
    let (admin, (_, user)) = (server.admin().await, server.user("u@example.org").await);
    assert_eq!(server.api.get_as(&admin, "/api/v1/documents?status=all").await.status, 200);
    assert_eq!(server.api.get_as(&user, "/api/v1/documents?status=all").await.code(), "forbidden");
    assert_eq!(server.api.get("/api/v1/documents?status=inactive").await.code(), "forbidden");
}

#[tokio::test]
async fn cold_process_sorts_by_number_of_uses() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let used = server.api.publish_letter(&admin, "Used").await;
    server.api.publish_letter(&admin, "Unused").await;
    let headers = bearer(&admin);
    for _ in 0..3 {
        assert_eq!(server.api.fill(&used, &[("authorization", &headers)], &letter_values("Zoé")).await.status, 200);
    }
    let cold = Cloud::new(server.local.settings.clone(), RuntimeOptions::default()).unwrap();
    let rows = cold.templates().rows().await.unwrap();
    assert_eq!(rows.uses(&used), 3);
    let mut search = waraq_core::catalogue::Search::default();
    search.sort = waraq_core::catalogue::Sort::MostUsed;
    let found: Vec<_> = search.results(&rows).page.into_iter().map(|(template, uses)| (template.title, uses)).collect();
    assert_eq!(found, [("Used".to_owned(), 3), ("Unused".to_owned(), 0)]);
}

/// A published template is in the next list, even if the index is an hour late.
#[tokio::test]
async fn published_templates_are_listed_at_once_despite_a_late_index() {
    let server = TestServer::with_options(|options| options.index_delay = Some(Duration::from_secs(3_600))).await;
    let admin = server.admin().await;
    server.api.publish_letter(&admin, "First").await;
    assert_eq!(titles(&server.api.get("/api/v1/documents").await), ["First"]);
    server.api.publish_letter(&admin, "Second").await;
    assert_eq!(titles(&server.api.get("/api/v1/documents").await), ["Second", "First"]);
    let parallel = (0..20).map(|number| {
        let (api, admin) = (server.api.clone(), admin.clone());
        async move {
            let title = format!("Number {number}");
            api.publish_letter(&admin, &title).await;
            // The template is in the list as soon as the 201 has arrived.
            let next = titles(&api.get(&format!("/api/v1/documents?title=number%20{number}&limit=100")).await);
            assert!(next.contains(&title), "{title} is not in {next:?}");
        }
    });
    join_all(parallel).await;
    let all: BTreeSet<String> = titles(&server.api.get("/api/v1/documents?limit=100").await).into_iter().collect();
    assert_eq!(all.len(), 22);
    // A process that starts now has only the late index and the change log.
    let cold = Cloud::new(server.local.settings.clone(), RuntimeOptions::default()).unwrap();
    let rows = cold.templates().rows().await.unwrap();
    assert_eq!(rows.templates().map(|template| template.title.clone()).collect::<BTreeSet<_>>(), all);
}
