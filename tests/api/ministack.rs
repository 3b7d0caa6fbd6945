//! The emulator of Cognito and SES, if the test command has started one; `WARAQ_MINISTACK` is its address. Also writes the
//! report that says on which adapters each contract test ran.

use std::io::Write;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use waraq_aws::{CognitoSettings, GoogleSettings};

pub const REGION: &str = "us-east-1";

pub struct Ministack {
    pub address: String,
}

/// Writes a line of the report that the test command shows at its end.
pub fn report_contract(contract: &str, adapter: &str) {
    println!("contract {contract}: {adapter}");
    if let Some(path) = std::env::var_os("WARAQ_CONTRACTS") {
        let mut report = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        writeln!(report, "{contract}\t{adapter}").unwrap();
    }
}

impl Ministack {
    /// Returns `None` if no emulator was started. Then only the adapters of this machine are tested against their
    /// contracts.
    pub fn from_environment(contract: &str) -> Option<Self> {
        let address = std::env::var("WARAQ_MINISTACK").ok();
        if address.is_none() {
            report_contract(contract, "(no emulator: AWS not run)");
        }
        address.map(|address| Self { address })
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> Value {
        let client = Client::builder(TokioExecutor::new()).build_http();
        let answer = client.request(request).await.unwrap();
        let status = answer.status();
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert!(status.is_success(), "{status}: {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap_or(Value::Null)
    }

    fn signed(&self, service: &str) -> http::request::Builder {
        let credential = format!("AWS4-HMAC-SHA256 Credential=test/20260101/{REGION}/{service}/aws4_request");
        let authorization = format!("{credential}, SignedHeaders=host, Signature=0");
        Request::post(format!("{}/", self.address)).header("authorization", authorization)
    }

    /// Calls one operation of Cognito.
    pub async fn cognito(&self, call: &str, body: Value) -> Value {
        let request = self
            .signed("cognito-idp")
            .header("x-amz-target", format!("AWSCognitoIdentityProviderService.{call}"))
            .header("content-type", "application/x-amz-json-1.1");
        self.send(request.body(Full::from(body.to_string())).unwrap()).await
    }

    /// Creates a user pool with the settings of template.yaml, and returns its id.
    pub async fn pool(&self) -> String {
        let policy = json!({ "MinimumLength": 8, "RequireLowercase": false, "RequireUppercase": false, "RequireNumbers": false,
            "RequireSymbols": false });
        let pool = json!({ "PoolName": "waraq", "Policies": { "PasswordPolicy": policy },
            "AdminCreateUserConfig": { "AllowAdminCreateUserOnly": true } });
        self.cognito("CreateUserPool", pool).await["UserPool"]["Id"].as_str().unwrap().to_owned()
    }

    async fn client(&self, pool: &str, secret: bool) -> Value {
        let client = json!({ "UserPoolId": pool, "ClientName": "a", "GenerateSecret": secret,
            "ExplicitAuthFlows": ["ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
            "PreventUserExistenceErrors": "ENABLED" });
        self.cognito("CreateUserPoolClient", client).await["UserPoolClient"].clone()
    }

    /// Creates a pool with the client that the API uses for passwords.
    pub async fn passwords(&self) -> (CognitoSettings, String) {
        let pool = self.pool().await;
        let client = self.client(&pool, true).await;
        let text = |name: &str| client[name].as_str().unwrap().to_owned();
        (CognitoSettings { client_id: text("ClientId"), user_pool_id: pool }, text("ClientSecret"))
    }

    /// Creates a public client in a pool. In the cloud it accepts no passwords; here a sign-in by password replaces
    /// Google's sign-in.
    pub async fn google(&self, pool: &str) -> GoogleSettings {
        let client_id = self.client(pool, false).await["ClientId"].as_str().unwrap().to_owned();
        let domain = "waraq.auth.us-east-1.amazoncognito.com".to_owned();
        GoogleSettings { region: REGION.to_owned(), user_pool_id: pool.to_owned(), client_id, domain }
    }

    /// Creates a user of a pool, linked to a Google subject if one is given.
    pub async fn user(&self, pool: &str, name: &str, (email, verified): (&str, bool), subject: Option<&str>) {
        let attributes = json!([{ "Name": "email", "Value": email }, { "Name": "name", "Value": "Amina" },
            { "Name": "email_verified", "Value": verified.to_string() }]);
        let user =
            json!({ "UserPoolId": pool, "Username": name, "MessageAction": "SUPPRESS", "UserAttributes": attributes });
        self.cognito("AdminCreateUser", user).await;
        let password = json!({ "UserPoolId": pool, "Username": name, "Password": "a password", "Permanent": true });
        self.cognito("AdminSetUserPassword", password).await;
        let Some(subject) = subject else { return };
        let link = json!({ "UserPoolId": pool, "DestinationUser": { "ProviderName": "Cognito", "ProviderAttributeValue": name },
            "SourceUser": { "ProviderName": "Google", "ProviderAttributeName": "Cognito_Subject", "ProviderAttributeValue": subject } });
        let provider = json!({ "UserPoolId": pool, "ProviderName": "Google", "ProviderType": "Google",
            "ProviderDetails": { "client_id": "a", "client_secret": "b", "authorize_scopes": "openid email profile" } });
        let known = self.cognito("ListIdentityProviders", json!({ "UserPoolId": pool })).await;
        if known["Providers"].as_array().is_none_or(Vec::is_empty) {
            self.cognito("CreateIdentityProvider", provider).await;
        }
        self.cognito("AdminLinkProviderForUser", link).await;
    }

    /// Returns the access token and the ID token of a user for a client.
    pub async fn tokens(&self, google: &GoogleSettings, name: &str) -> (String, String) {
        let login = json!({ "UserPoolId": google.user_pool_id, "ClientId": google.client_id,
            "AuthFlow": "ADMIN_USER_PASSWORD_AUTH", "AuthParameters": { "USERNAME": name, "PASSWORD": "a password" } });
        let result = self.cognito("AdminInitiateAuth", login).await["AuthenticationResult"].clone();
        let text = |name: &str| result[name].as_str().unwrap().to_owned();
        (text("AccessToken"), text("IdToken"))
    }

    /// Allows SES to send from this address.
    pub async fn verify_sender(&self, address: &str) {
        let body =
            format!("Action=VerifyEmailIdentity&Version=2010-12-01&EmailAddress={}", address.replace('@', "%40"));
        let request = self.signed("ses").header("content-type", "application/x-www-form-urlencoded");
        self.send(request.body(Full::from(body)).unwrap()).await;
    }

    /// Returns the mails that SES has sent to an address.
    pub async fn mails_to(&self, address: &str) -> Vec<Value> {
        let request = Request::get(format!("{}/_ministack/ses/messages", self.address)).body(Full::default()).unwrap();
        let all = self.send(request).await;
        let mut mails = Vec::new();
        collect(&all["messages"], &mut mails);
        mails.retain(|mail| mail["To"] == json!([address]));
        mails
    }
}

/// Collects the messages from any grouping (by account, by region).
fn collect(value: &Value, mails: &mut Vec<Value>) {
    match value {
        Value::Array(items) => mails.extend(items.iter().cloned()),
        Value::Object(groups) => groups.values().for_each(|group| collect(group, mails)),
        _ => {}
    }
}
