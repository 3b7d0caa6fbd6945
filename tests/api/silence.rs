//! Tests with a service that accepts calls and never responds: every function then responds with an error code before its
//! own time-out.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
use functions::engine::RenderPermit;
use serde_json::{Value, json};
use serde_yaml_ng::Value as Yaml;
use waraq_aws::{Cloud, OUTBOX_PREFIX, RuntimeOptions, SecretSettings, Secrets, Timeouts};
use waraq_core::InterfaceLanguage;
use waraq_core::publishing::Upload;
use waraq_core::token::Signer;

use waraq_local::platform::{FunctionSettings, ORIGIN_SECRET, functions, parse_template};

use crate::platform::{Function, InvocationResult, ParameterService, invoke, program};
use crate::test_server::TestServer;

/// Returns the text of template.yaml.
fn written_template() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../template.yaml");
    std::fs::read_to_string(path).unwrap()
}

/// Returns template.yaml without its tags.
pub fn template() -> Yaml {
    parse_template(&written_template()).unwrap()
}

/// Returns the functions of template.yaml by the names of their programs.
pub fn template_functions() -> BTreeMap<String, FunctionSettings> {
    functions(&written_template()).unwrap()
}

/// Returns the address of a port that accepts connections and never answers.
fn silent_port() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut held = Vec::new();
        while let Ok((connection, _)) = listener.accept() {
            held.push(connection);
        }
    });
    address
}

/// The configuration of all functions, by the variable names of template.yaml.
pub struct FunctionWorld {
    pub server: TestServer,
    values: HashMap<&'static str, String>,
    pub token: String,
    /// The token of another session of the admin, which one function ends.
    ended: String,
    /// The id of a waiting mail.
    mail: String,
}

/// The template of the sample events. The events that change a template use another one, because all are sent at the
/// same time.
const SAMPLE: &str = "en-letter-of-resignation";
const CHANGED: &str = "a-letter-that-changes";
const CHANGING: [&str; 4] = ["documents-activate", "documents-deactivate", "documents-restore", "documents-update"];

const CODE_SECRET: &str = "the secret of codes, long enough to be one";

/// Queues a mail that the test server itself does not send: it is sealed with another secret and not announced. If the
/// server runs the functions' programs, it is sealed with their secret.
async fn waiting_mail(server: &TestServer) -> String {
    let mut settings = server.local.settings.clone();
    if server.local.programs.is_none() {
        settings.secrets = SecretSettings::Given(Secrets { code: Some(CODE_SECRET.into()), ..Secrets::default() });
    }
    let cloud = Cloud::new(settings, RuntimeOptions::default()).unwrap();
    let admin = &server.local.admin.email;
    cloud.account_service().unwrap().forgot_password(admin, "198.51.100.9", InterfaceLanguage::English).await.unwrap();
    let waiting = cloud.outbox().waiting().await.unwrap();
    waiting.into_iter().map(|mail| mail.id).next().expect("a mail waits")
}

impl FunctionWorld {
    pub async fn new() -> Self {
        Self::for_server(TestServer::in_process("the test itself starts the programs").await).await
    }

    pub async fn for_server(server: TestServer) -> Self {
        let (token, ended) = (server.admin().await, server.admin().await);
        let letter = waraq_catalogue::templates().into_iter().find(|it| it.slug == SAMPLE).unwrap();
        let cloud = &server.local.cloud;
        for id in [SAMPLE, CHANGED] {
            let upload = Upload {
                title: letter.title.to_owned(),
                categories: letter.categories.join(","),
                language: letter.language.to_owned(),
                docx: letter.docx.clone(),
                ..Upload::default()
            };
            let making = RenderPermit::for_caller("the test").unwrap();
            making.publisher(cloud).publish(upload, None, Some(id.to_owned())).await.unwrap();
        }
        let kept = std::fs::read(server.folder().join("token-key.der")).unwrap();
        let parameters = ParameterService::default();
        parameters.set_parameter("/waraq/token/public-keys", &BASE64.encode(Signer::new(&kept).unwrap().public_key()));
        parameters.set_parameter("/waraq/token/private-key", &BASE64.encode(&kept));
        parameters.set_parameter("/waraq/code-secret", CODE_SECRET);
        parameters.set_parameter("/waraq/origin-secret", ORIGIN_SECRET);
        parameters.set_parameter("/waraq/cognito/client-secret", "the secret of the client");
        let aws = &server.local.settings.aws;
        let values = HashMap::from([
            ("TABLE_NAME", cloud.table_name().to_owned()),
            ("BUCKET_NAME", cloud.bucket_name().to_owned()),
            ("AWS_REGION", aws.region.clone()),
            ("AWS_ACCESS_KEY_ID", String::new()),
            ("AWS_SECRET_ACCESS_KEY", aws.credentials.secret_access_key.clone()),
            ("AWS_ENDPOINT_URL_DYNAMODB", aws.endpoints.dynamodb.clone().unwrap()),
            ("AWS_ENDPOINT_URL_S3", aws.endpoints.s3.clone().unwrap()),
            ("AWS_ENDPOINT_URL_SSM", format!("http://{}", parameters.serve().await.unwrap())),
            ("AWS_ENDPOINT_URL", String::new()),
            // The port is closed, so calls fail at once.
            ("AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER", "http://127.0.0.1:1".to_owned()),
            ("AWS_ENDPOINT_URL_SES", "http://127.0.0.1:1".to_owned()),
            ("TOKEN_PUBLIC_KEYS_PARAMETER", "/waraq/token/public-keys".to_owned()),
            ("TOKEN_PRIVATE_KEY_PARAMETER", "/waraq/token/private-key".to_owned()),
            ("CODE_SECRET_PARAMETER", "/waraq/code-secret".to_owned()),
            ("ORIGIN_SECRET_PARAMETER", "/waraq/origin-secret".to_owned()),
            ("COGNITO_CLIENT_SECRET_PARAMETER", "/waraq/cognito/client-secret".to_owned()),
            ("COGNITO_USER_POOL_ID", "us-east-1_pool".to_owned()),
            ("COGNITO_CLIENT_ID", "client".to_owned()),
            ("GOOGLE_CLIENT_ID", "site".to_owned()),
            ("GOOGLE_DOMAIN", "waraq.auth.us-east-1.amazoncognito.com".to_owned()),
            ("SNAPSHOT_ROWS", cloud.settings().stores.snapshot_rows.to_string()),
            ("DISTRIBUTION_ID", String::new()),
            ("STACK_NAME", "waraq".to_owned()),
            ("MAIL_CONFIGURATION_SET", "waraq".to_owned()),
            ("HOME_URL", String::new()),
            ("APP_URL", String::new()),
            ("OPERATOR_NAME", "An operator".to_owned()),
            ("OPERATOR_SEAT", "Somewhere 1".to_owned()),
            ("OPERATOR_CONTACT", "mail@example.org".to_owned()),
            ("MAIL_FROM", "Waraq <no-reply@example.org>".to_owned()),
            ("MAIL_REPLY_TO", "help@example.org".to_owned()),
            ("SITE_URL", "https://waraq.example".to_owned()),
            ("SUPPORT_EMAIL", "support@example.org".to_owned()),
        ]);
        let mail = waiting_mail(&server).await;
        Self { server, values, token, ended, mail }
    }

    /// Returns the environment of a function. `silent` is a service that does not answer: the variable of its address,
    /// and the address.
    pub fn environment(&self, function: &FunctionSettings, silent: (&str, &str)) -> HashMap<String, String> {
        let platform = self.values.keys().filter(|name| name.starts_with("AWS_")).map(|name| (*name).to_owned());
        let names = platform.chain(function.variables.iter().cloned());
        let value = |name: &str| match name {
            name if name == silent.0 => silent.1.to_owned(),
            // The access key is the function's name, so that its rights apply.
            "AWS_ACCESS_KEY_ID" => function.name.clone(),
            name => self.values.get(name).unwrap_or_else(|| panic!("what is {name}?")).clone(),
        };
        names.map(|name| (name.clone(), value(&name))).collect()
    }

    /// Returns the function's sample event. If the sample has a token, it is replaced by a valid one.
    pub fn event(&self, function: &str) -> Value {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../events/{function}.json"));
        let mut event = std::fs::read_to_string(path).unwrap();
        if CHANGING.contains(&function) {
            event = event.replace(SAMPLE, CHANGED);
        }
        let mut event: Value = serde_json::from_str(&event).unwrap();
        if function == "auth-google-login" {
            // The claims name the right pool and client. The signature is checked by Cognito.
            let claims = json!({
                "iss": "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_pool", "client_id": "site", "token_use": "access",
            });
            let token = format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims.to_string()));
            event["body"] = json!({ "accessToken": token }).to_string().into();
        }
        if function == "outbox" {
            event["Records"][0]["dynamodb"]["Keys"]["pk"]["S"] = format!("{OUTBOX_PREFIX}{}", self.mail).into();
        }
        if event["headers"].is_object() {
            event["headers"]["x-origin-secret"] = ORIGIN_SECRET.into();
        }
        if let Some(token) = event["headers"].get_mut("authorization") {
            let ours = if function == "auth-logout" { &self.ended } else { &self.token };
            *token = format!("Bearer {ours}").into();
        }
        event
    }

    /// Returns the sample event for one of many calls, each with its own source, content and existing login. `template`
    /// replaces the sample's template by another one with the fields Name and Date.
    pub fn sample(&self, function: &str, template: Option<&str>, call: usize) -> Value {
        let mut event = self.event(function);
        if let Some(headers) = event["headers"].as_object_mut() {
            headers.remove("idempotency-key");
            headers.insert(
                "cloudfront-viewer-address".to_owned(),
                format!("203.0.{}.{}:1", call / 250, call % 250).into(),
            );
        }
        if function == "auth-login" {
            let admin = &self.server.local.admin;
            event["body"] = json!({ "email": admin.email, "password": admin.password }).to_string().into();
        }
        if let Some(template) = template {
            event = serde_json::from_str(&event.to_string().replace(SAMPLE, template)).unwrap();
            event["body"] = crate::test_server::letter_values("Amina").to_string().into();
        }
        event
    }
}

/// The functions that the platform invokes without a route.
const NON_ROUTE_FUNCTIONS: [&str; 4] = ["outbox", "account-cleanup", "list-snapshots", "file-sweep"];

/// Each service, and some of the functions that need it for their sample event.
const SERVICES: [(&str, &[&str]); 5] = [
    (
        "AWS_ENDPOINT_URL_DYNAMODB",
        &[
            "auth-login",
            "auth-register",
            "categories",
            "documents-list",
            "documents-get",
            "documents-fill-fields",
            "users-me",
        ],
    ),
    ("AWS_ENDPOINT_URL_S3", &["documents-get", "documents-fill-fields", "documents-file", "media"]),
    ("AWS_ENDPOINT_URL_SES", &[]),
    ("AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER", &["auth-login", "auth-google-login", "auth-change-password"]),
    ("AWS_ENDPOINT_URL_SSM", &["auth-login", "auth-register", "documents-list", "documents-fill-fields", "users-me"]),
];

#[tokio::test(flavor = "multi_thread")]
async fn functions_respond_in_time_if_a_service_is_silent() {
    let world = FunctionWorld::new().await;
    let silent = silent_port();
    let described = template_functions();
    for (service, needing) in SERVICES {
        let mut waiting = Vec::new();
        for (name, function) in &described {
            let environment = world.environment(function, (service, &silent));
            let (event, time_out, name) = (world.event(name), function.time_out, name.clone());
            waiting.push(tokio::spawn(async move {
                let mut function = Function::start(&program(&name), &environment, None).await.unwrap();
                let answered = invoke(&mut function, event, time_out).await;
                (name, answered)
            }));
        }
        let mut unavailable = Vec::new();
        for answer in waiting {
            let (name, answered) = answer.await.unwrap();
            let answered = answered.unwrap_or_else(|| panic!("{service} is silent, and so is {name}"));
            match &answered {
                // A function without a route returns an error, and the platform tries again.
                InvocationResult::Error(error) if NON_ROUTE_FUNCTIONS.contains(&name.as_str()) => {
                    assert!(error["errorMessage"].as_str().unwrap().contains("unavailable"), "{name}: {error}");
                }
                InvocationResult::Response(done) if NON_ROUTE_FUNCTIONS.contains(&name.as_str()) => {
                    let left = u64::from(name == "outbox" && service == "AWS_ENDPOINT_URL_SES");
                    assert!(done["left"].as_u64().unwrap_or_default() >= left, "{service}, {name}: {done}");
                }
                answered => {
                    let (status, code) = answered.status_and_code().unwrap();
                    assert!(
                        status < 500 || (status, code.as_str()) == (503, "unavailable"),
                        "{service}, {name}: {answered:?}"
                    );
                    if status == 503 {
                        unavailable.push(name);
                    }
                }
            }
        }
        for name in needing {
            assert!(unavailable.iter().any(|other| other == name), "{name} does without {service}: {unavailable:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_responds_if_the_database_hangs() {
    let server = TestServer::with_options(|options| {
        let (attempt, operation) = (Duration::from_secs(2), Duration::from_secs(3));
        options.options.timeouts = Timeouts { attempt, operation, ..Timeouts::default() };
    })
    .await;
    let database = rusqlite::Connection::open(server.folder().join("dynamodb.sqlite")).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    let person = json!({ "userName": "Amina", "email": "amina@example.org", "password": "a password of hers" });
    let hanging = server.api.post("/api/v1/auth/register", &[], &person).await;
    assert_eq!((hanging.status, hanging.code(), hanging.header("retry-after")), (503, "unavailable", "1"));
    database.execute_batch("ROLLBACK").unwrap();
    drop(database);
    assert_eq!(server.api.post("/api/v1/auth/register", &[], &person).await.status, 201);
}
