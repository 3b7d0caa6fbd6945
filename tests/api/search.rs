//! Tests of the search in GET /documents: the matches, and the suggestions if nothing matches.

use serde_json::json;

use crate::test_server::{Form, TestServer};

/// Starts a test server with documents in three languages, the newest last.
async fn server_with_templates() -> TestServer {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let forms = [
        Form::letter("Residential tenancy agreement").with("categories", "housing,legal").with("country", "GB"),
        Form::letter("Bail d’habitation").with("language", "fr").with("country", "FR").with("categories", "housing"),
        Form::letter("عقد إيجار سكني").with("language", "ar").with("categories", "السكن"),
        Form::letter("Facture").with("language", "fr").with("categories", "business"),
        Form::letter("Employment contract").with("categories", "employment"),
        Form::letter("Lettre de résiliation").with("language", "fr").with("keywords", "Internet, mobile phone،هاتف"),
    ];
    for form in &forms {
        let answer = server.api.publish(&admin, &[], form).await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    server
}

async fn titles(server: &TestServer, query: &str) -> Vec<String> {
    let answer = server.api.get(&format!("/api/v1/documents?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {answer:?}");
    assert_eq!(answer.json["instead"].is_null(), answer.json["total"] != 0, "{query}");
    answer.json["data"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect()
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

async fn found(server: &TestServer, words: &str) -> Vec<String> {
    titles(server, &format!("title={}", encoded(words))).await
}

const LEASES: [&str; 3] = ["عقد إيجار سكني", "Bail d’habitation", "Residential tenancy agreement"];

#[tokio::test]
async fn lease_is_found_by_its_synonyms_in_three_languages() {
    let server = server_with_templates().await;
    for words in [
        "rent",
        "ren",
        "Lease",
        "leases",
        "the rental agreement",
        "BAIL",
        "baux",
        "loyer",
        "contrat de location",
        "إيجار",
        "الإيجار",
        "كراء",
        "عقد كراء",
        "logement",
        "السكن",
    ] {
        let mut titles = found(&server, words).await;
        titles.sort();
        let mut leases = LEASES;
        leases.sort_unstable();
        assert_eq!(titles, leases, "{words}");
    }
    assert_eq!(found(&server, "bill").await, ["Facture"]);
    assert_eq!(found(&server, "فاتورة").await, ["Facture"]);
    assert_eq!(found(&server, "contrat de travail").await, ["Employment contract"]);
    // A keyword matches at the start of its words, in any language; a phrase matches by all its words.
    for words in ["internet", "phone", "هاتف", "Lettre mobile", "letter"] {
        assert_eq!(found(&server, words).await, ["Lettre de résiliation"], "{words}");
    }
    assert!(found(&server, "nternet").await.is_empty());
}

#[tokio::test]
async fn title_matches_come_first_unless_another_order_is_requested() {
    let server = server_with_templates().await;
    let contract = encoded("contract");
    // Sorted by date, the employment contract would come first, then three leases. Here it is the only match in a
    // title.
    assert_eq!(titles(&server, &format!("title={contract}")).await[0], "Employment contract");
    let tenancy = ["Residential tenancy agreement", "Employment contract", "عقد إيجار سكني", "Bail d’habitation"];
    assert_eq!(found(&server, "agreement").await, tenancy);
    let oldest = titles(&server, "title=agreement&oldCreated=true").await;
    assert_eq!(oldest, ["Residential tenancy agreement", "Bail d’habitation", "عقد إيجار سكني", "Employment contract"]);
    let most = titles(&server, "title=agreement&most=true").await;
    assert_eq!(most, ["Employment contract", "عقد إيجار سكني", "Bail d’habitation", "Residential tenancy agreement"]);
}

#[tokio::test]
async fn empty_results_offer_suggestions() {
    let server = server_with_templates().await;
    let instead =
        async |query: &str| server.api.get(&format!("/api/v1/documents?{query}")).await.json["instead"].clone();
    // A misspelling of a title, of a keyword or of a synonym; the suggestion has the original spelling.
    assert_eq!(instead("title=factuer").await, json!({ "titles": ["facture"], "unfiltered": 0 }));
    assert_eq!(instead("title=intrenet").await["titles"], json!(["internet"]));
    assert_eq!(instead("title=resilation").await["titles"], json!(["résiliation"]));
    assert_eq!(instead("title=tenency%20agreement").await["titles"][0], "tenancy agreement");
    assert_eq!(instead(&format!("title={}", encoded("إيجاز"))).await["titles"][0], "إيجار");
    // The search has one word too many.
    assert_eq!(instead("title=car%20rental").await["titles"], json!(["rental"]));
    // The filters hide the matches.
    assert_eq!(instead("title=invoice&lang=en").await["unfiltered"], 1);
    assert_eq!(instead("title=lease&lang=ar&country=TN&cat=legal").await, json!({ "titles": [], "unfiltered": 3 }));
    assert_eq!(instead("lang=ar&cat=finance").await, json!({ "titles": [], "unfiltered": 6 }));
    // Suggestions that have no match with the same filters are not shown.
    assert_eq!(instead("title=factuer&lang=en").await, json!({ "titles": [], "unfiltered": 0 }));
    assert_eq!(instead("title=zzzzzzzz").await, json!({ "titles": [], "unfiltered": 0 }));
}

#[tokio::test]
async fn keywords_are_stored_and_limited() {
    let server = TestServer::new().await;
    let admin = server.admin().await;
    let form = Form::letter("A").with("keywords", " Rental  agreement ,loyer،إيجار ,, LOYER,");
    let document = server.api.publish(&admin, &[], &form).await.json["document"].clone();
    assert_eq!(document["keywords"], json!(["Rental agreement", "loyer", "إيجار"]));
    let path = format!("/api/v1/documents/{}", document["_id"].as_str().unwrap());
    assert_eq!(server.api.get(&path).await.json["document"]["keywords"], document["keywords"]);
    for (keywords, limit) in [("x".repeat(61), 60), ("a\u{200b}b".to_owned(), 60), ("x,".repeat(31), 30)] {
        let answer = server.api.publish(&admin, &[], &Form::letter("A").with("keywords", &keywords)).await;
        assert_eq!((answer.status, answer.code()), (400, "invalid_keyword"), "{answer:?}");
        assert_eq!(answer.json["details"]["fields"], json!(["keywords"]));
        assert_eq!(answer.json["details"]["limit"], limit);
    }
}
