//! Tests the rotation of the signing key with the commands in docs/deploying.md: no step ends a session on any instance. Also
//! tests the rotation of the secret of codes and mails.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;
use waraq_aws::{Cloud, SecretNames};
use waraq_core::accounts::Account;
use waraq_core::token::{LoginSession, Signer};
use waraq_core::{Clock as _, Timestamp};

use crate::logs::register_secret;
use crate::platform::ParameterService;
use crate::test_server::{ManualClock, TestServer};

/// A shell for the commands, in which `aws` is a substitute that only knows parameters.
struct Shell {
    folder: TempDir,
    address: String,
}

const AWS: &str = r#"#!/usr/bin/env python3
import json, os, sys, urllib.request
service, command, *rest = sys.argv[1:]
assert service == "ssm", service
names = {"--name": "Name", "--value": "Value", "--type": "Type"}
asked, rest = {}, iter(rest)
for word in rest:
    if word == "--overwrite": asked["Overwrite"] = True
    elif word == "--with-decryption": asked["WithDecryption"] = True
    elif word == "--query": assert next(rest) == "Parameter.Value"
    elif word == "--output": assert next(rest) == "text"
    else: asked[names[word]] = next(rest)
operation = {"put-parameter": "PutParameter", "get-parameter": "GetParameter"}[command]
headers = {"X-Amz-Target": "AmazonSSM." + operation, "Content-Type": "application/x-amz-json-1.1"}
request = urllib.request.Request(os.environ["PARAMETERS"], json.dumps(asked).encode(), headers)
answer = json.load(urllib.request.urlopen(request))
print(answer["Parameter"]["Value"] if command == "get-parameter" else json.dumps(answer))
"#;

impl Shell {
    fn new(address: String) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let aws = folder.path().join("aws");
        std::fs::write(&aws, AWS).unwrap();
        std::fs::set_permissions(&aws, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder, address }
    }

    fn run(&self, commands: &str) {
        let path = format!("{}:{}", self.folder.path().display(), std::env::var("PATH").unwrap());
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", commands]).current_dir(self.folder.path());
        let output = bash.env("PATH", path).env("PARAMETERS", &self.address).output().unwrap();
        assert!(output.status.success(), "{commands}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Returns the commands of the guide after this text, one element per code block, up to the next heading.
fn commands_after(after: &str) -> Vec<String> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/deploying.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let (_, section) = guide.split_once(after).unwrap_or_else(|| panic!("no {after:?}"));
    let section = section.split("\n#").next().unwrap();
    section.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// Starts an instance of a function.
async fn start_instance(server: &TestServer, clock: &Arc<ManualClock>) -> Cloud {
    let conditions = waraq_aws::RuntimeOptions { clock: clock.clone(), ..Default::default() };
    let cloud = Cloud::new(server.local.settings.clone(), conditions).unwrap();
    cloud.ready().await.unwrap();
    cloud
}

async fn token(cloud: &Cloud, account: &Account) -> String {
    let signer = cloud.signer().await.unwrap().unwrap();
    let token = signer
        .issue(account, &LoginSession::new("session", false, cloud.clock().now()), cloud.clock().now())
        .unwrap()
        .token;
    register_secret(&token);
    token
}

async fn assert_all_valid(server: &TestServer, instances: &[&Cloud], tokens: &[String]) {
    for token in tokens {
        for cloud in instances {
            cloud.verify(token).await.unwrap();
        }
        assert_eq!(server.api.get_as(token, "/api/v1/users/me").await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changing_the_signing_key_ends_no_session() {
    let parameters = ParameterService::default();
    let address = format!("http://{}", parameters.serve().await.unwrap());
    let shell = Shell::new(address.clone());
    shell.run(&commands_after("### Keys and secrets by hand")[0]);
    let clock = ManualClock::new();
    let name = |name: &str| Some(format!("/waraq/{name}"));
    let names = SecretNames {
        token_public_keys: name("token/public-keys"),
        token_private_key: name("token/private-key"),
        code: name("code-secret"),
        // The local server has no CDN that would send the secret.
        origin: None,
        cognito_client: None,
    };
    let ours = clock.clone();
    let server = TestServer::with_options(|options| {
        options.secrets = Some(names);
        options.endpoints.ssm = Some(address);
        options.options.clock = ours;
    })
    .await;
    let (account, first) = server.user("amina@example.org").await;
    let warm = start_instance(&server, &clock).await;
    let mut tokens = vec![first, token(&warm, &account).await];
    assert_all_valid(&server, &[&warm], &tokens).await;

    // Tokens with an unknown key make the instance read the keys only once, however many tokens there are.
    let foreign = Signer::new(&Signer::generate(server.local.cloud.random_source())).unwrap();
    clock.advance(61);
    let read = parameters.reads();
    for _ in 0..20 {
        let foreign = foreign
            .issue(&account, &LoginSession::new("session", false, Timestamp(clock.now().0)), Timestamp(clock.now().0))
            .unwrap()
            .token;
        assert_eq!(warm.verify(&foreign).await.unwrap_err().code, "invalid_token");
    }
    assert_eq!(parameters.reads(), read + 1);

    let [both, sign, one] = commands_after("### Changing the signing key").try_into().unwrap();
    shell.run(&both);
    let second = start_instance(&server, &clock).await;
    tokens.push(token(&second, &account).await);
    assert_all_valid(&server, &[&warm, &second], &tokens).await;

    // The wait of two minutes in the guide.
    clock.advance(120);
    shell.run(&sign);
    let third = start_instance(&server, &clock).await;
    tokens.extend([token(&third, &account).await, token(&warm, &account).await]);
    assert_all_valid(&server, &[&warm, &second, &third], &tokens).await;
    assert_ne!(
        kid(&tokens[3]),
        kid(&tokens[4]),
        "a new instance signs with the new key, a running one with the old key"
    );

    // After an hour every instance signs with the new key.
    clock.advance(3_600);
    tokens.extend([token(&warm, &account).await, token(&second, &account).await]);
    assert!(tokens[5..].iter().all(|token| kid(token) == kid(&tokens[3])));
    assert_all_valid(&server, &[&warm, &second, &third], &tokens).await;

    // After thirty days the old tokens have expired.
    clock.advance(30 * 24 * 3_600);
    let mut tokens = vec![token(&warm, &account).await, token(&third, &account).await];
    shell.run(&one);
    let fourth = start_instance(&server, &clock).await;
    tokens.push(token(&fourth, &account).await);
    assert_all_valid(&server, &[&warm, &second, &third, &fourth], &tokens).await;
    clock.advance(3_600);
    assert_all_valid(&server, &[&warm, &second, &third, &fourth], &tokens).await;
}

/// Returns the id of the key that signed a token, from its header.
fn kid(token: &str) -> String {
    use base64::Engine as _;
    let header = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(token.split('.').next().unwrap()).unwrap();
    let header: serde_json::Value = serde_json::from_slice(&header).unwrap();
    header["kid"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn changing_the_secret_of_codes_loses_no_waiting_mail() {
    let (old, new) = ("o".repeat(32), "n".repeat(32));
    // A file occupies the path of the mail folder, so that no mail can be sent.
    let prepare = |data: &Path| {
        std::fs::write(data.join("code-secret"), &old).unwrap();
        std::fs::write(data.join("mail"), "in the way").unwrap();
    };
    let server = TestServer::prepared(prepare, |_| {}).await;
    let body = json!({ "userName": "Amina", "email": "amina@example.org", "password": "a password" });
    let registered = server.api.post("/api/v1/auth/register", &[], &body).await;
    assert_eq!(registered.status, 201, "{registered:?}");

    // Without the old secret, the mail cannot be opened. It waits.
    let data = server.stop().await;
    std::fs::write(data.path().join("code-secret"), &new).unwrap();
    std::fs::remove_file(data.path().join("mail")).unwrap();
    let server = TestServer::reopen(data, |_| {}).await;
    server.end_waits_of_mails().await;
    server.local.cloud.outbox_sender().unwrap().deliver_all().await.unwrap();
    assert_eq!(server.tries_of_mails().await.len(), 1);
    assert!(server.mails_to("amina@example.org").is_empty());

    // With both secrets, the mail is sent, and its code is right.
    let data = server.stop().await;
    std::fs::write(data.path().join("code-secret"), format!("{new},{old}")).unwrap();
    let server = TestServer::reopen(data, |_| {}).await;
    server.end_waits_of_mails().await;
    server.local.cloud.outbox_sender().unwrap().deliver_all().await.unwrap();
    let otp = server.code_to("amina@example.org", 0).await;
    let verified = json!({ "userId": registered.json["userId"], "otp": otp });
    let verified = server.api.post("/api/v1/auth/verify-otp", &[], &verified).await;
    assert_eq!(verified.status, 200, "{verified:?}");
    assert!(server.tries_of_mails().await.is_empty());
}
