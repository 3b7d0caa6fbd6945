//! Tests of the files of saved documents: every referenced file exists, and unreferenced files are deleted.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use serde_json::json;
use waraq_aws::{Cloud, announced_files};
use waraq_core::saved::FileSet;

use crate::saved::{Owner, fresh_token, text_of, values};
use crate::test_server::{ManualClock, TestServer};

type Item = std::collections::HashMap<String, AttributeValue>;

/// Returns every item of the table.
async fn items(cloud: &Cloud) -> Vec<Item> {
    let mut pages = cloud.dynamodb().scan().table_name(cloud.table_name()).into_paginator().items().send();
    let mut items = Vec::new();
    while let Some(item) = pages.next().await {
        items.push(item.unwrap());
    }
    items
}

fn key(item: &Item, name: &str) -> String {
    item[name].as_s().unwrap().clone()
}

/// Returns the existing files of saved documents.
pub async fn existing_files(cloud: &Cloud) -> BTreeSet<String> {
    // The embedded S3 cannot list files while one is deleted.
    for _ in 0..200 {
        if let Some(keys) = list_files(cloud).await {
            return keys;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the files cannot be listed");
}

async fn list_files(cloud: &Cloud) -> Option<BTreeSet<String>> {
    let listing = cloud.s3().list_objects_v2().bucket(cloud.bucket_name()).prefix("saved/");
    let mut pages = listing.into_paginator().send();
    let mut keys = BTreeSet::new();
    while let Some(page) = pages.next().await {
        keys.extend(page.ok()?.contents.unwrap_or_default().into_iter().filter_map(|object| object.key));
    }
    Some(keys)
}

/// Returns the files that records point to, including those of deleted documents. Checks that each record has the
/// values of its version, that no other values exist, and that each account counts its documents correctly.
pub async fn referenced_files(cloud: &Cloud) -> BTreeSet<String> {
    let items = items(cloud).await;
    let of = |prefix: &'static str| {
        let of_people = |item: &&Item| ["USER#", "SAVED#"].iter().any(|people| key(item, "pk").starts_with(people));
        items.iter().filter(move |item| of_people(item) && key(item, "sk").starts_with(prefix))
    };
    let mut files = BTreeSet::new();
    let (mut records, mut documents) = (BTreeSet::new(), Vec::new());
    for item in of("DOC#").chain(of("BIN#")) {
        let data: serde_json::Value = serde_json::from_str(item["data"].as_s().unwrap()).unwrap();
        let (owner, id) = (text_of(&data, "owner"), text_of(&data, "id"));
        let set = FileSet { owner: owner.clone(), document: id.clone(), name: text_of(&data["files"], "name") };
        files.extend([set.docx(), set.pdf(), set.picture()]);
        if data["files"].get("value_picture_bytes").is_some() {
            files.insert(set.value_pictures());
        }
        assert!(
            records.insert((owner.clone(), id, item["version"].as_n().unwrap().clone())),
            "the document is both stored and deleted"
        );
        if key(item, "sk").starts_with("DOC#") {
            documents.push(owner);
        }
    }
    let values = of("VALUES#").map(|item| {
        let (owner, id) = (key(item, "pk"), key(item, "sk"));
        let of = |text: String, prefix: &str| text.trim_start_matches(prefix).to_owned();
        (of(owner, "SAVED#"), of(id, "VALUES#"), item["version"].as_n().unwrap().clone())
    });
    assert_eq!(values.collect::<BTreeSet<_>>(), records);
    for profile in of("PROFILE") {
        let counted = profile.get("documents").map_or(0, |count| count.as_n().unwrap().parse::<usize>().unwrap());
        let owner = key(profile, "pk").trim_start_matches("USER#").to_owned();
        assert_eq!(documents.iter().filter(|other| **other == owner).count(), counted, "{owner}");
    }
    files
}

/// Lets all announcements expire, except those of deleted documents, and waits until they are processed. (The clean-up
/// would renew an announcement of a deleted document, because it compares the time of the deletion too.)
async fn end_announcements(cloud: &Cloud) {
    let announced = async || {
        let items = items(cloud).await;
        let deleted: BTreeSet<String> = items
            .iter()
            .filter(|item| key(item, "sk").starts_with("BIN#"))
            .map(|item| serde_json::from_str::<serde_json::Value>(item["data"].as_s().unwrap()).unwrap())
            .map(|data| text_of(&data["files"], "name"))
            .collect();
        let all = items.into_iter().filter(|item| key(item, "pk").starts_with("FILES#"));
        all.filter(|item| {
            // Announcements of private templates have other keys.
            announced_files(&key(item, "pk"), &key(item, "sk")).is_some_and(|files| !deleted.contains(&files.name))
        })
        .collect::<Vec<Item>>()
    };
    for item in announced().await {
        let update = cloud.dynamodb().update_item().table_name(cloud.table_name());
        let update = update.key("pk", item["pk"].clone()).key("sk", item["sk"].clone());
        let update = update.update_expression("SET expires_at = :past").condition_expression("attribute_exists(pk)");
        update.expression_attribute_values(":past", AttributeValue::N("1".to_owned())).send().await.unwrap();
    }
    while !announced().await.is_empty() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Asserts that the existing files are exactly the referenced ones.
pub async fn assert_files_match_records(cloud: &Cloud) {
    end_announcements(cloud).await;
    let pointed_to = referenced_files(cloud).await;
    // Announcements are removed a moment before the files.
    let mut there = existing_files(cloud).await;
    for _ in 0..400 {
        if there == pointed_to {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        there = self::existing_files(cloud).await;
    }
    assert_eq!(there, pointed_to);
}

#[tokio::test]
async fn files_are_deleted_with_their_records() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| {
        options.options.clock = clock.clone();
        options.sweep = Duration::from_millis(50);
    })
    .await;
    let letter = server.api.publish_letter(&server.admin().await, "Letter").await;
    let owner = Owner::new(&server, "u@example.org").await;
    let cloud = &server.local.cloud;
    let id = text_of(&owner.saved(&letter, "Zoé", "").await, "_id");
    assert!(server.items("FILES#").await.is_empty(), "the save took its announcement back");
    let first = existing_files(cloud).await;
    assert_eq!((first.len(), &first), (3, &referenced_files(cloud).await));
    let prefix = format!("saved/{}/", owner.account.id);
    assert!(first.iter().all(|file| file.starts_with(&prefix)));
    // After an edit the old files stay for links that were issued, then they are deleted.
    let edit = |name: &str, version: u32| values(name, json!({ "savedDocumentId": id, "version": version }));
    assert_eq!(owner.save(&letter, &edit("Amina", 1)).await.status, 200);
    assert!(existing_files(cloud).await.is_superset(&first));
    assert_files_match_records(cloud).await;
    assert!(existing_files(cloud).await.is_disjoint(&first));
    // Writers who are too late leave unreferenced files.
    let late = join_all((0..6).map(|number| {
        let (owner, letter, body) = (&owner, &letter, edit(&number.to_string(), 2));
        async move { owner.save(letter, &body).await.status }
    }))
    .await;
    assert_eq!(late.iter().filter(|status| **status == 200).count(), 1);
    assert_files_match_records(cloud).await;
    // A deleted document is kept for seven days, however often it was deleted and undeleted.
    for _ in 0..2 {
        assert_eq!((owner.delete(&id).await.status, owner.restore(&id).await.status), (204, 200));
    }
    assert_eq!(owner.delete(&id).await.status, 204);
    assert_files_match_records(cloud).await;
    assert_eq!(existing_files(cloud).await.len(), 3);
    assert_eq!(server.items("FILES#").await.len(), 1, "the announcement of the deletion");
    clock.advance(7 * 24 * 3_600);
    let owner = Owner { token: fresh_token(&server, &owner.account).await, ..owner };
    assert_eq!(owner.restore(&id).await.code(), "document_not_found");
    assert_eq!(existing_files(cloud).await.len(), 3, "the files are not deleted yet");
    let item = server.items("FILES#").await.remove(0);
    let update = cloud.dynamodb().update_item().table_name(cloud.table_name());
    let update = update.key("pk", item["pk"].clone()).key("sk", item["sk"].clone());
    let update = update.update_expression("SET expires_at = :past");
    update.expression_attribute_values(":past", AttributeValue::N("1".to_owned())).send().await.unwrap();
    while !existing_files(cloud).await.is_empty() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(referenced_files(cloud).await.is_empty());
    assert!(server.items(&format!("SAVED#{}", owner.account.id)).await.is_empty());
}

/// If a clock is behind, no announcement expires early: documents that can still be undeleted are announced again.
#[tokio::test]
async fn files_of_undeletable_documents_are_kept() {
    let server = TestServer::with_options(|options| options.sweep = Duration::from_millis(50)).await;
    let letter = server.api.publish_letter(&server.admin().await, "Letter").await;
    let owner = Owner::new(&server, "u@example.org").await;
    let id = text_of(&owner.saved(&letter, "Zoé", "").await, "_id");
    assert_eq!(owner.delete(&id).await.status, 204);
    let cloud = &server.local.cloud;
    let item = server.items("FILES#").await.remove(0);
    let files = announced_files(&key(&item, "pk"), &key(&item, "sk")).unwrap();
    let delete = cloud.dynamodb().delete_item().table_name(cloud.table_name());
    delete.key("pk", item["pk"].clone()).key("sk", item["sk"].clone()).send().await.unwrap();
    let function = server.local.cloud_of("account-cleanup");
    assert!(!function.saved_documents().end_announcement(&files).await.unwrap());
    assert_eq!(server.items("FILES#").await, [item]);
    assert_eq!(owner.restore(&id).await.status, 200);
    assert!(server.items("FILES#").await.is_empty());
    assert_files_match_records(cloud).await;
}

/// If an account is deleted while its document is made, the request fails and no data of it stays.
#[tokio::test]
async fn account_deleted_during_a_save_keeps_no_data() {
    let server = TestServer::with_options(|options| options.sweep = Duration::from_millis(50)).await;
    let letter = server.api.publish_letter(&server.admin().await, "Letter").await;
    let owner = Owner::new(&server, "u@example.org").await;
    let cloud = &server.local.cloud;
    let over = AtomicBool::new(false);
    let removing = async {
        // The account is deleted as soon as the files are announced. A quick save may remove the announcement before
        // this loop sees it.
        while server.items("FILES#").await.is_empty() && !over.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let delete = cloud.dynamodb().delete_item().table_name(cloud.table_name());
        let delete = delete.key("pk", AttributeValue::S(format!("USER#{}", owner.account.id)));
        delete.key("sk", AttributeValue::S("PROFILE".into())).send().await.unwrap();
    };
    let body = values("Zoé", json!({}));
    let saving = async {
        let saved = owner.save(&letter, &body).await;
        over.store(true, Ordering::Relaxed);
        saved
    };
    let (saved, ()) = tokio::join!(saving, removing);
    if saved.status == 201 {
        // The save was quicker; its record is deleted together with the account.
        return;
    }
    assert_eq!((saved.status, saved.code()), (401, "session_ended"), "{saved:?}");
    for partition in ["USER#", "SAVED#"] {
        assert!(server.items(&format!("{partition}{}", owner.account.id)).await.is_empty());
    }
    assert_files_match_records(cloud).await;
    assert!(existing_files(cloud).await.is_empty());
}
