//! Contract tests of the ports that have two adapters each: the store of passwords and the mailer. Saved documents have
//! one adapter, which is tested on the embedded stores and on an emulator. All adapters pass the same tests. The AWS
//! adapters are tested only if the test command has started an emulator.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_s3::types::{BucketVersioningStatus, VersioningConfiguration};
use futures_util::future::join_all;
use serde_json::json;
use waraq_aws::{Cloud, MailSettings, RuntimeOptions, Timeouts};
use waraq_core::accounts::{Address, PasswordStore, SETTLE_SECONDS, add_account};
use waraq_core::files::FileDelivery;
use waraq_core::filling::Use;
use waraq_core::mail::{DeliveryOutcome, LEASE_SECONDS, Mail, QueuedMail, Recipient, RenderedMail, render};
use waraq_core::publishing::{FilledFiles, FirstPage};
use waraq_core::saved::{FillBasis, NamedValues, SavedDocument, StoredValue, UNDELETE_SECONDS, WantedFiles};
use waraq_core::template::{Template, TemplateStatus};
use waraq_core::{Clock as _, ErrorCode, Timestamp};
use waraq_rules::{Picture, PictureFormat, Row, Value};

use crate::ministack::{Ministack, report_contract};
use crate::test_server::{ManualClock, TestServer, bearer, new_user_account, wait_until};

fn fresh_id(cloud: &Cloud) -> String {
    waraq_core::clock::new_id(cloud.clock(), cloud.random_source())
}

/// Returns the address of a port that accepts calls and never answers.
async fn silent_port() -> (String, tokio::net::TcpListener) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    (format!("http://{}", listener.local_addr().unwrap()), listener)
}

// ---------------------------------------------------------------- passwords

async fn check_password_store(cloud: &Cloud) {
    let identity: &dyn PasswordStore = cloud.password_store();
    let id = fresh_id(cloud);
    let holds = async |id: &str, password: &str| identity.verify(Some(id), password).await.unwrap();
    assert!(!holds(&id, "a password").await, "an unknown user has no password");
    assert!(!identity.verify(None, "a password").await.unwrap() && !identity.verify(None, "").await.unwrap());
    identity.set_password(&id, "a password").await.unwrap();
    // Setting the same password twice succeeds.
    identity.set_password(&id, "a password").await.unwrap();
    assert!(holds(&id, "a password").await);
    for wrong in ["A password", "a passwor", "a password ", "", "another one"] {
        assert!(!holds(&id, wrong).await, "{wrong:?}");
    }
    identity.set_password(&id, "another one").await.unwrap();
    assert!(holds(&id, "another one").await && !holds(&id, "a password").await);
    // Any password of 8 to 256 characters is accepted, and its last character counts.
    for password in
        ["ح".repeat(256), "😀".repeat(256), " blank at the ends ".to_owned(), "a\ttab and\na line".to_owned()]
    {
        identity.set_password(&id, &password).await.unwrap();
        assert!(holds(&id, &password).await, "{password:?}");
        let shorter: String = password.chars().take(password.chars().count() - 1).collect();
        assert!(!holds(&id, &shorter).await, "{shorter:?}");
        assert!(!holds(&id, &format!("{password}x")).await, "257 characters");
    }
    check_concurrent_writes(cloud, &id).await;
    check_concurrent_writes(cloud, &fresh_id(cloud)).await;
    identity.remove(&id).await.unwrap();
    identity.remove(&id).await.unwrap();
    assert!(!holds(&id, "writer one").await && !holds(&id, "writer two").await);
}

/// If two passwords are written at the same time, exactly one of them is valid.
async fn check_concurrent_writes(cloud: &Cloud, id: &str) {
    let identity = cloud.password_store();
    let both =
        futures_util::future::join(identity.set_password(id, "writer one"), identity.set_password(id, "writer two"));
    let (one, two) = both.await;
    one.and(two).unwrap();
    let held = [
        identity.verify(Some(id), "writer one").await.unwrap(),
        identity.verify(Some(id), "writer two").await.unwrap(),
    ];
    assert_eq!(held.iter().filter(|held| **held).count(), 1, "{held:?}");
}

/// Checks the account rules above the port through HTTP.
async fn check_account_rules(server: &TestServer, mail: &str) {
    let email = |name: &str| format!("{name}-{mail}@bücher.example");
    let post = async |path: &str, token: Option<&str>, body: serde_json::Value| {
        let authorization = token.map(bearer).unwrap_or_default();
        let headers: Vec<(&str, &str)> = token.iter().map(|_| ("authorization", authorization.as_str())).collect();
        server.api.post(path, &headers, &body).await
    };
    let register = async |password: &str, name: &str| {
        let body = json!({ "userName": "أمينة", "email": email(name), "password": password });
        post("/api/v1/auth/register", None, body).await
    };
    assert_eq!(register(&"a".repeat(257), "long").await.code(), "invalid_password");
    let password = "ح".repeat(256);
    let registered = register(&password, "amina").await;
    assert_eq!(registered.status, 201, "{registered:?}");
    let address = format!("amina-{mail}@xn--bcher-kva.example");
    let otp = server.code_to(&address, 0).await;
    let verified =
        post("/api/v1/auth/verify-otp", None, json!({ "userId": registered.json["userId"], "otp": otp })).await;
    assert_eq!((verified.status, &verified.json["user"]["email"]), (200, &json!(address)), "{verified:?}");
    server.api.login(&email("amina"), &password).await;
    let token = verified.json["token"].as_str().unwrap();
    let wrong = json!({ "oldPassword": "not the old one", "newPassword": "a new password" });
    assert_eq!(post("/api/v1/auth/change-password", Some(token), wrong).await.code(), "wrong_password");
    let right = json!({ "oldPassword": password, "newPassword": "a new password" });
    assert_eq!(post("/api/v1/auth/change-password", Some(token), right).await.status, 200);
    server.api.login(&email("amina"), "a new password").await;
    let old = json!({ "email": email("amina"), "password": password });
    assert_eq!(post("/api/v1/auth/login", None, old).await.code(), "invalid_credentials");
}

/// An unproven registration expires together with its password; a proven one stays.
async fn check_expired_registration(server: &TestServer, mail: &str) {
    let register = async |name: &str| {
        let body = json!({ "userName": "A", "email": format!("{name}-{mail}@example.org"), "password": "a password" });
        let registered = server.api.post("/api/v1/auth/register", &[], &body).await;
        assert_eq!(registered.status, 201, "{registered:?}");
        registered.json["userId"].as_str().unwrap().to_owned()
    };
    let login = async |name: &str| {
        let body = json!({ "email": format!("{name}-{mail}@example.org"), "password": "a password" });
        server.api.post("/api/v1/auth/login", &[], &body).await
    };
    let (gone, stays) = (register("gone").await, register("stays").await);
    let otp = server.code_to(&format!("stays-{mail}@example.org"), 0).await;
    let proven = server.api.post("/api/v1/auth/verify-otp", &[], &json!({ "userId": stays, "otp": otp })).await;
    assert_eq!(proven.status, 200, "{proven:?}");
    assert_eq!(login("gone").await.code(), "email_not_verified");
    let identity = server.local.cloud.password_store();
    server.end_registration(&gone).await;
    while identity.verify(Some(&gone), "a password").await.unwrap() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(server.items(&format!("USER#{gone}")).await.is_empty(), "row and password");
    assert_eq!(login("gone").await.code(), "invalid_credentials");
    assert_eq!(login("stays").await.status, 200);
}

/// Options with short time-outs, so that calls to silent services fail soon.
fn short_timeouts() -> RuntimeOptions {
    let patience = Timeouts {
        connect: Duration::from_millis(50),
        attempt: Duration::from_millis(50),
        operation: Duration::from_millis(200),
    };
    RuntimeOptions { timeouts: patience, ..RuntimeOptions::default() }
}

async fn check_timeout(password_store: &dyn PasswordStore) {
    let error = password_store.set_password("somebody", "a password").await.unwrap_err();
    assert_eq!((error.code.as_str(), error.kind().status()), ("unavailable", 503));
    assert_eq!(password_store.verify(Some("somebody"), "a password").await.unwrap_err().code, "unavailable");
}

#[tokio::test]
async fn passwords_in_the_table() {
    let server = TestServer::with_options(|options| options.sweep = Duration::from_millis(100)).await;
    check_password_store(&server.local.cloud).await;
    check_account_rules(&server, "local").await;
    check_expired_registration(&server, "local").await;
    let (address, _silent) = silent_port().await;
    let mut settings = server.local.settings.clone();
    settings.aws.endpoints.dynamodb = Some(address);
    check_timeout(Cloud::new(settings, short_timeouts()).unwrap().password_store()).await;
    report_contract("passwords", "Argon2id in the table");
}

#[tokio::test]
async fn passwords_in_cognito() {
    let Some(ministack) = Ministack::from_environment("passwords") else { return };
    let (cognito, secret) = ministack.passwords().await;
    let server = TestServer::with_options(|options| {
        options.cognito = Some(cognito);
        options.cognito_client_secret = Some(secret);
        options.endpoints.cognito = Some(ministack.address.clone());
        options.sweep = Duration::from_millis(100);
    })
    .await;
    check_password_store(&server.local.cloud).await;
    check_account_rules(&server, "cognito").await;
    check_expired_registration(&server, "cognito").await;
    let (address, _silent) = silent_port().await;
    let mut settings = server.local.settings.clone();
    settings.aws.endpoints.cognito = Some(address);
    check_timeout(Cloud::new(settings, short_timeouts()).unwrap().password_store()).await;
    report_contract("passwords", "Cognito (ministack)");
}

/// An admin deletes a user who has a password and also signs in with Google. Both users in the pool are deleted; other
/// users stay.
#[tokio::test]
async fn admin_deletion_removes_cognito_users() {
    let Some(ministack) = Ministack::from_environment("an admin's deletion") else { return };
    let (cognito, secret) = ministack.passwords().await;
    let (pool, google) = (cognito.user_pool_id.clone(), ministack.google(&cognito.user_pool_id).await);
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| {
        options.cognito = Some(cognito);
        options.cognito_client_secret = Some(secret);
        options.google = Some(google.clone());
        options.endpoints.cognito = Some(ministack.address.clone());
        options.options.clock = clock.clone();
        options.sweep = Duration::from_millis(100);
    })
    .await;
    let stays = server.registered("stays@example.org", "a password").await["user"]["_id"].clone();
    let goes = server.registered("goes@example.org", "a password").await["user"]["_id"].clone();
    ministack.user(&pool, "person-7", ("goes@example.org", true), Some("7")).await;
    let signed_in = json!({ "accessToken": ministack.tokens(&google, "person-7").await.0 });
    let signed_in = server.api.post("/api/v1/auth/google-login", &[], &signed_in).await;
    assert_eq!(signed_in.json["user"]["_id"], goes, "{signed_in:?}");
    // The record that Cognito creates itself for a Google user.
    ministack.user(&pool, "Google_7", ("goes@example.org", true), None).await;
    let users = async || {
        let listed = ministack.cognito("ListUsers", json!({ "UserPoolId": pool })).await;
        let users = listed["Users"].as_array().cloned().unwrap_or_default();
        users.into_iter().map(|user| user["Username"].clone()).collect::<Vec<_>>()
    };
    let there = users().await;
    assert!([&goes, &json!("Google_7"), &stays].iter().all(|name| there.contains(name)), "{there:?}");
    let (admin, path) = (server.admin().await, format!("/api/v1/users/{}", goes.as_str().unwrap()));
    let deleted = server.api.send("DELETE", &path, &[("authorization", &bearer(&admin))], "").await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    let gone = async || {
        let left = users().await;
        !left.contains(&goes) && !left.contains(&json!("Google_7"))
    };
    while !gone().await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(users().await.contains(&stays));
    server.api.login("stays@example.org", "a password").await;
    let login = json!({ "email": "goes@example.org", "password": "a password" });
    assert_eq!(server.api.post("/api/v1/auth/login", &[], &login).await.code(), "invalid_credentials");
    // A second run finds nothing to delete. It succeeds and leaves no deletion marker.
    clock.advance(SETTLE_SECONDS);
    assert_eq!(server.local.cloud.account_cleanup().clean_up_all().await.unwrap(), 0);
    report_contract("an admin's deletion", "Cognito (ministack)");
}

// ---------------------------------------------------------------- files

/// Removing a prefix deletes every version of each file below it, and nothing else.
async fn check_permanent_removal(cloud: &Cloud) -> Vec<String> {
    let files = cloud.files();
    let keys: Vec<String> = (0..3).map(|number| format!("saved/goes/{number}.pdf")).collect();
    for key in keys.iter().map(String::as_str).chain(["saved/goes-not/1.pdf"]) {
        for content in ["the first", "the second"] {
            files.put(key, "application/pdf", content.into()).await.unwrap();
        }
    }
    // One of the files was deleted before.
    files.remove(&keys[0]).await.unwrap();
    files.remove_all("saved/goes/").await.unwrap();
    files.remove_all("saved/goes/").await.unwrap();
    for key in &keys {
        assert_eq!(files.get(key).await.unwrap(), None);
    }
    assert_eq!(files.get("saved/goes-not/1.pdf").await.unwrap().as_deref(), Some(b"the second".as_slice()));
    keys
}

#[tokio::test]
async fn local_files_are_removed_permanently() {
    let server = TestServer::new().await;
    check_permanent_removal(&server.local.cloud).await;
    report_contract("files", "embedded S3");
}

#[tokio::test]
async fn files_of_a_versioned_bucket_are_removed_permanently() {
    let Some(ministack) = Ministack::from_environment("files") else { return };
    let server = TestServer::new().await;
    let mut settings = server.local.settings.clone();
    settings.aws.endpoints.s3 = Some(ministack.address.clone());
    settings.stores.bucket = format!("versions-{}", fresh_id(&server.local.cloud));
    let bucket = settings.stores.bucket.clone();
    let cloud = Cloud::new(settings, RuntimeOptions::default()).unwrap();
    cloud.s3().create_bucket().bucket(&bucket).send().await.unwrap();
    let versions = VersioningConfiguration::builder().status(BucketVersioningStatus::Enabled).build();
    cloud.s3().put_bucket_versioning().bucket(&bucket).versioning_configuration(versions).send().await.unwrap();
    check_permanent_removal(&cloud).await;
    let left = cloud.s3().list_object_versions().bucket(&bucket).send().await.unwrap();
    assert!(left.delete_markers().is_empty(), "{left:?}");
    let keys: Vec<&str> = left.versions().iter().filter_map(|version| version.key()).collect();
    assert_eq!(keys, ["saved/goes-not/1.pdf"; 2], "both versions of the other file remain");
    report_contract("files", "S3 with versions (ministack)");
}

// ---------------------------------------------------------------- saved documents

fn letter() -> Template {
    Template {
        id: "letter".into(),
        title: "Letter".into(),
        categories: vec!["general".into()],
        keywords: Vec::new(),
        language: "en".into(),
        country: None,
        fields: vec!["Name".into()],
        stored_structure: Default::default(),
        owner: None,
        status: TemplateStatus::Active,
        version: 1,
        revision: 0,
        files: String::new(),
        pdf: String::new(),
        renamed: Default::default(),
        pages: 1,
        picture: None,
        small_picture: None,
        file_bytes: 0,
        pdf_bytes: 0,
        created_at: Timestamp(0),
        updated_at: Timestamp(0),
    }
}

/// Saves a document with the text `text`: a new one, or an edit of `before`.
async fn save_document(
    cloud: &Cloud,
    owner: &str,
    before: Option<SavedDocument>,
    text: &str,
) -> waraq_core::Result<SavedDocument> {
    save_values(cloud, owner, before, (text, vec![("Name".into(), text.into())])).await
}

/// Saves a document whose files have the content `text`.
async fn save_values(
    cloud: &Cloud,
    owner: &str,
    before: Option<SavedDocument>,
    (text, values): (&str, NamedValues),
) -> waraq_core::Result<SavedDocument> {
    let first_page = FirstPage { bytes: text.into(), width: 1, height: 1 };
    let filled = FilledFiles {
        docx: text.into(),
        pdf: text.into(),
        pages: 1,
        first_page: Some(first_page),
        warnings: Vec::new(),
    };
    let basis = FillBasis { template: Arc::new(letter()), title: "Letter".into(), before };
    let (library, at) = (cloud.saved_documents(), cloud.clock().now());
    let save = library.store(owner, basis, (values, false), &filled, at).await?;
    let document = save.document.clone();
    let writing = Use { template_id: None, user_id: Some(owner.to_owned()), at, saved: Some(save), key: None };
    cloud.uses().count(&writing).await.map(|_| document)
}

async fn check_saved_documents(cloud: &Cloud, clock: &ManualClock) {
    let (library, files) = (cloud.saved_documents(), cloud.files());
    let account = new_user_account(fresh_id(cloud), "somebody@example.org", clock.now());
    let owner = account.id.as_str();
    add_account(cloud.accounts(), &account, &Address::parse(&account.email).unwrap()).await.unwrap();
    let documents = library.documents;
    let first = save_document(cloud, owner, None, "one \"quoted\"").await.unwrap();
    let read = documents.document_and_values(owner, &first.id).await.unwrap().unwrap();
    assert_eq!(read, (first.clone(), vec![("Name".to_owned(), StoredValue::Text("one \"quoted\"".to_owned()))]));
    assert_eq!(files.get(&first.file_set().pdf()).await.unwrap().as_deref(), Some(b"one \"quoted\"".as_slice()));
    // Two edits at the same time: one succeeds completely, and the other gets an error.
    let both = futures_util::future::join(
        save_document(cloud, owner, Some(first.clone()), "writer one"),
        save_document(cloud, owner, Some(first.clone()), "writer two"),
    );
    let edits: Vec<_> = <[_; 2]>::from(both.await).into_iter().zip(["writer one", "writer two"]).collect();
    let (held, told): (Vec<_>, Vec<_>) = edits.iter().partition(|(edit, _)| edit.is_ok());
    let ([(Ok(second), text)], [(Err(refused), _)]) = (held.as_slice(), told.as_slice()) else { panic!("{edits:?}") };
    assert_eq!(refused.code, ErrorCode::DocumentChanged);
    let (read, values) = documents.document_and_values(owner, &first.id).await.unwrap().unwrap();
    assert_eq!((&read, read.version, &values[0].1), (second, 2, &StoredValue::Text((*text).to_owned())));
    // The files of the old state stay until their announcement is removed.
    assert!(files.get(&first.file_set().docx()).await.unwrap().is_some());
    assert!(library.end_announcement(&first.file_set()).await.unwrap());
    assert!(!library.end_announcement(&second.file_set()).await.unwrap());
    assert_eq!(files.get(&first.file_set().docx()).await.unwrap(), None);
    assert!(files.get(&second.file_set().docx()).await.unwrap().is_some());
    let names: Vec<String> = (0..8).map(|number| number.to_string()).collect();
    for written in join_all(names.iter().map(|name| save_document(cloud, owner, None, name))).await {
        written.unwrap();
    }
    assert_eq!(documents.documents(owner).await.unwrap().len(), 9);
    let counted = join_all((0..8).map(|_| documents.count_download(owner, &first.id))).await;
    assert!(counted.into_iter().all(|counted| counted.unwrap()));
    assert!(!documents.count_download(owner, "nothing").await.unwrap());
    // The deletion succeeds only if the document is unchanged since it was read.
    assert!(!documents.delete(second, clock.now()).await.unwrap());
    library.delete(owner, &first.id).await.unwrap();
    assert_eq!(documents.document(owner, &first.id).await.unwrap(), None);
    assert_eq!(library.undelete(owner, &first.id).await.unwrap().uses, 8);
    library.delete(owner, &first.id).await.unwrap();
    let deleted = documents.deleted_document(owner, &first.id).await.unwrap().unwrap();
    assert_eq!(library.all_documents(owner).await.unwrap().len(), 9);
    clock.advance(UNDELETE_SECONDS);
    assert_eq!(library.undelete(owner, &first.id).await.unwrap_err().code, ErrorCode::DocumentNotFound);
    assert!(library.end_announcement(&second.file_set()).await.unwrap());
    assert!(!documents.undelete(&deleted).await.unwrap() && !documents.delete_permanently(&deleted).await.unwrap());
    assert_eq!(documents.values(owner, &first.id).await.unwrap(), None);
    assert_eq!(files.get(&second.file_set().pdf()).await.unwrap(), None);
    assert_eq!(library.all_documents(owner).await.unwrap().len(), 8);
}

/// Lists, yes/no answers and pictures are stored with a document, and pictures are deleted with it.
async fn check_typed_values(cloud: &Cloud, clock: &ManualClock) {
    let (library, files) = (cloud.saved_documents(), cloud.files());
    let account = new_user_account(fresh_id(cloud), "typed@example.org", clock.now());
    let owner = account.id.as_str();
    add_account(cloud.accounts(), &account, &Address::parse(&account.email).unwrap()).await.unwrap();
    let values = |content: &[u8]| -> NamedValues {
        let bytes = [b"\x89PNG\r\n\x1a\n", content].concat().into();
        let alternative_text = "A chair, \"blue\"".to_owned();
        let photo = Value::Picture(Picture { format: PictureFormat::Png, bytes, alternative_text });
        let part = Row::from([("Part".to_owned(), Value::from("leg")), ("Photo".to_owned(), photo.clone())]);
        let row = Row::from([
            ("Item".to_owned(), Value::from("")),
            ("In stock".to_owned(), Value::YesNo(true)),
            ("Parts".to_owned(), Value::List(vec![part, Row::new()])),
        ]);
        let list = Value::List(vec![row, Row::new()]);
        let named = [("Items", list), ("Guarantor", Value::YesNo(false)), ("Logo", photo), ("Name", "Zoé".into())];
        named.map(|(name, value)| (name.to_owned(), value)).to_vec()
    };
    let opened = async |id: &str| {
        let delivery = FileDelivery { max_inline_bytes: 1_000, file_name: str::to_owned };
        library.open(owner, id, WantedFiles::Both, &delivery).await.unwrap()
    };
    let first = save_values(cloud, owner, None, ("one", values(b"1"))).await.unwrap();
    assert_eq!(opened(&first.id).await.values, values(b"1"));
    assert_eq!(first.files.value_picture_bytes, 9);
    let copy = library.copy(owner, "letter", &first.id, None).await.unwrap();
    let copied = copy.document.clone();
    let writing = Use { template_id: None, user_id: Some(owner.into()), at: clock.now(), saved: Some(copy), key: None };
    cloud.uses().count(&writing).await.unwrap();
    let second = save_values(cloud, owner, Some(first.clone()), ("two", values(b"22"))).await.unwrap();
    assert_eq!(opened(&first.id).await.values, values(b"22"));
    assert!(library.end_announcement(&first.file_set()).await.unwrap());
    assert_eq!(files.get(&first.file_set().value_pictures()).await.unwrap(), None);
    assert_eq!(opened(&copied.id).await.values, values(b"1"), "a copy has pictures of its own");
    library.delete(owner, &first.id).await.unwrap();
    assert!(files.get(&second.file_set().value_pictures()).await.unwrap().is_some());
    library.undelete(owner, &first.id).await.unwrap();
    assert_eq!(opened(&first.id).await.values, values(b"22"));
    library.delete(owner, &first.id).await.unwrap();
    clock.advance(UNDELETE_SECONDS);
    assert!(library.end_announcement(&second.file_set()).await.unwrap());
    assert_eq!(files.get(&second.file_set().value_pictures()).await.unwrap(), None);
}

#[tokio::test]
async fn saved_documents_in_the_local_stores() {
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| options.options.clock = clock.clone()).await;
    check_saved_documents(&server.local.cloud, &clock).await;
    check_typed_values(&server.local.cloud, &clock).await;
    report_contract("saved documents", "embedded DynamoDB and S3");
}

#[tokio::test]
async fn saved_documents_on_aws() {
    let Some(ministack) = Ministack::from_environment("saved documents") else { return };
    let clock = ManualClock::new();
    let server = TestServer::new().await;
    let mut settings = server.local.settings.clone();
    settings.aws.endpoints.dynamodb = Some(ministack.address.clone());
    settings.aws.endpoints.s3 = Some(ministack.address.clone());
    let name = format!("saved-{}", fresh_id(&server.local.cloud));
    (settings.stores.table, settings.stores.bucket) = (name.clone(), name.clone());
    let cloud = Cloud::new(settings, RuntimeOptions { clock: clock.clone(), ..RuntimeOptions::default() }).unwrap();
    waraq_aws::create_table(cloud.dynamodb(), &name).await.unwrap();
    cloud.s3().create_bucket().bucket(&name).send().await.unwrap();
    check_saved_documents(&cloud, &clock).await;
    check_typed_values(&cloud, &clock).await;
    report_contract("saved documents", "DynamoDB and S3 (ministack)");
}

// ---------------------------------------------------------------- mails

/// The mails to an address: subject, text and HTML of each.
type Mails = Vec<(String, String, String)>;

enum Mailbox<'a> {
    Folder(&'a TestServer),
    Ministack(&'a Ministack),
}

impl Mailbox<'_> {
    async fn mails_to(&self, address: &str) -> Mails {
        match self {
            Self::Folder(server) => {
                server.mails_to(address).into_iter().map(|mail| (mail.subject, mail.text, mail.html)).collect()
            }
            Self::Ministack(ministack) => {
                let text = |mail: &serde_json::Value, name: &str| mail[name].as_str().unwrap_or_default().to_owned();
                let mails = ministack.mails_to(address).await;
                mails
                    .iter()
                    .map(|mail| (text(mail, "Subject"), text(mail, "BodyText"), text(mail, "BodyHtml")))
                    .collect()
            }
        }
    }
}

fn message(cloud: &Cloud, address: &str) -> RenderedMail {
    let to = Recipient { address: address.to_owned(), language: "ar".to_owned() };
    render(
        &fresh_id(cloud),
        &to,
        &Mail::RegisterCode { code: "012345".to_owned(), token: String::new() },
        "https://waraq.example",
    )
}

async fn check_mailer(cloud: &Arc<Cloud>, mailbox: &Mailbox<'_>) {
    let mailer = cloud.mailer().unwrap();
    let sent = message(cloud, "one@bücher.example");
    mailer.send(&sent).await.unwrap();
    let mut to = mailbox.mails_to("one@bücher.example").await;
    to.extend(mailbox.mails_to("one@xn--bcher-kva.example").await);
    assert_eq!(to, [(sent.subject, sent.text, sent.html)], "the mail is unchanged");
    let refused = mailer.send(&message(cloud, "أمينة@example.org")).await.unwrap_err();
    assert_eq!(refused.code, "undeliverable_email");
    let (one, two) = (message(cloud, "two@example.org"), message(cloud, "two@example.org"));
    let both = futures_util::future::join(mailer.send(&one), mailer.send(&two)).await;
    both.0.and(both.1).unwrap();
    assert_eq!(mailbox.mails_to("two@example.org").await.len(), 2);
    // Several senders that try to send the same mail at the same time send it once.
    let registrar = cloud.account_service().unwrap();
    let account = waraq_core::accounts::Registration {
        user_name: "A".into(),
        email: "once@example.org".into(),
        password: "a password".into(),
        language: waraq_core::InterfaceLanguage::French,
    };
    registrar.register(cloud.password_store(), account, "192.0.2.1").await.unwrap();
    let waiting = cloud.outbox().waiting().await.unwrap();
    let [QueuedMail { id, .. }] = waiting.as_slice() else { panic!("expected one queued mail: {waiting:?}") };
    let deliveries = (0..8).map(|_| {
        let (cloud, id) = (Arc::clone(cloud), id.clone());
        async move { cloud.outbox_sender().unwrap().deliver(&id).await.unwrap() }
    });
    let deliveries = join_all(deliveries).await;
    assert_eq!(deliveries.iter().filter(|delivery| **delivery == DeliveryOutcome::Sent).count(), 1, "{deliveries:?}");
    assert_eq!(mailbox.mails_to("once@example.org").await.len(), 1);
    assert!(cloud.outbox().waiting().await.unwrap().is_empty());
}

/// Creates a second `Cloud` with the stores and mailer of a test server, without a gateway that would empty the outbox.
fn second_cloud(server: &TestServer, change: impl FnOnce(&mut waraq_aws::Settings)) -> Arc<Cloud> {
    let mut settings = server.local.settings.clone();
    change(&mut settings);
    Arc::new(Cloud::new(settings, RuntimeOptions::default()).unwrap())
}

#[tokio::test]
async fn mails_as_files() {
    let server = TestServer::new().await;
    check_mailer(&second_cloud(&server, |_| {}), &Mailbox::Folder(&server)).await;
    let blocked = server.folder().join("a file");
    std::fs::write(&blocked, "").unwrap();
    let blocked = second_cloud(&server, |settings| settings.mail = Some(MailSettings::Folder(blocked)));
    let error = blocked.mailer().unwrap().send(&message(&blocked, "three@example.org")).await.unwrap_err();
    assert_eq!(error.code, "unavailable");
    report_contract("mails", "files, /dev/mail");
}

#[tokio::test]
async fn mails_by_ses() {
    let Some(ministack) = Ministack::from_environment("mails") else { return };
    let server = TestServer::new().await;
    ministack.verify_sender("no-reply@waraq.example").await;
    let ses = |from: &str, endpoint: &str| {
        second_cloud(&server, |settings| {
            settings.mail =
                Some(MailSettings::Ses { from: format!("Waraq <{from}>"), reply_to: None, configuration_set: None });
            settings.aws.endpoints.ses = Some(endpoint.to_owned());
        })
    };
    check_mailer(&ses("no-reply@waraq.example", &ministack.address), &Mailbox::Ministack(&ministack)).await;
    let refused = ses("nobody@refused.example", &ministack.address);
    let error = refused.mailer().unwrap().send(&message(&refused, "three@example.org")).await.unwrap_err();
    assert_eq!((error.code.as_str(), error.cause.as_deref()), ("unavailable", Some("SES: MessageRejected")));
    let (address, _silent) = silent_port().await;
    let mut settings = server.local.settings.clone();
    settings.mail =
        Some(MailSettings::Ses { from: "no-reply@waraq.example".into(), reply_to: None, configuration_set: None });
    settings.aws.endpoints.ses = Some(address);
    let silent = Arc::new(Cloud::new(settings, short_timeouts()).unwrap());
    let error = silent.mailer().unwrap().send(&message(&silent, "three@example.org")).await.unwrap_err();
    assert_eq!(error.code, "unavailable");
    report_contract("mails", "SES (ministack)");
}

// ---------------------------------------------------------------- a mailer that refuses for a time

/// Delivers all mails that are due, until no mail is due and no sender has a claim on one.
async fn deliver_all_due(server: &TestServer, clock: &ManualClock) {
    let cloud = &server.local.cloud;
    wait_until("all mails that are due are delivered", async || {
        cloud.outbox_sender().unwrap().deliver_all().await.unwrap();
        // A mail that a sender has claimed stays claimed for a minute from now. The next try of any other mail is earlier.
        let (now, held) = (clock.now(), clock.now().plus_seconds(LEASE_SECONDS));
        let rests = |mail: &QueuedMail| mail.claimed_until > now && mail.claimed_until < held;
        cloud.outbox().waiting().await.unwrap().iter().all(rests)
    })
    .await;
}

async fn check_no_mail_is_lost(
    server: &TestServer,
    clock: &ManualClock,
    mailbox: &Mailbox<'_>,
    heal: impl AsyncFnOnce(),
) {
    let addresses: Vec<String> = (0..6).map(|number| format!("late{number}@example.org")).collect();
    let registered = addresses.iter().map(|email| async move {
        let body = json!({ "userName": "A", "email": email, "password": "a password" });
        assert_eq!(server.api.post("/api/v1/auth/register", &[], &body).await.status, 201);
    });
    join_all(registered).await;
    deliver_all_due(server, clock).await;
    for _ in 0..60 {
        clock.advance(1);
        deliver_all_due(server, clock).await;
    }
    assert_eq!(server.tries_of_mails().await, [5; 6], "at once, and after 2, 6, 14 and 30 seconds");
    for address in &addresses {
        assert!(mailbox.mails_to(address).await.is_empty());
    }
    heal().await;
    for _ in 0..60 {
        clock.advance(1);
        deliver_all_due(server, clock).await;
    }
    assert!(server.tries_of_mails().await.is_empty(), "the outbox is empty");
    for address in &addresses {
        assert_eq!(mailbox.mails_to(address).await.len(), 1, "once");
    }
}

#[tokio::test]
async fn no_mail_is_lost_while_the_folder_fails() {
    let clock = ManualClock::new();
    // A file occupies the path of the mail folder. As soon as it is removed, the folder can be created.
    let in_the_way = |data: &std::path::Path| std::fs::write(data.join("mail"), "in the way").unwrap();
    let server = TestServer::prepared(in_the_way, |options| options.options.clock = clock.clone()).await;
    let heal = async || std::fs::remove_file(server.folder().join("mail")).unwrap();
    check_no_mail_is_lost(&server, &clock, &Mailbox::Folder(&server), heal).await;
    report_contract("mails, refused for a minute", "files, /dev/mail");
}

#[tokio::test]
async fn no_mail_is_lost_while_ses_fails() {
    let Some(ministack) = Ministack::from_environment("mails, refused for a minute") else { return };
    // A random sender name, because the emulator may already know a fixed one.
    let mut number = [0u8; 4];
    waraq_core::RandomSource::fill_bytes(&waraq_aws::SystemRandomSource, &mut number);
    let sender = format!("late{}@waraq.example", u32::from_le_bytes(number));
    let clock = ManualClock::new();
    let server = TestServer::with_options(|options| {
        options.mail =
            Some(MailSettings::Ses { from: format!("Waraq <{sender}>"), reply_to: None, configuration_set: None });
        options.endpoints.ses = Some(ministack.address.clone());
        options.options.clock = clock.clone();
    })
    .await;
    let heal = async || ministack.verify_sender(&sender).await;
    check_no_mail_is_lost(&server, &clock, &Mailbox::Ministack(&ministack), heal).await;
    report_contract("mails, refused for a minute", "SES (ministack)");
}
