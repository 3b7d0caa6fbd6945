//! Where the stores are and with which keys, a struct for each concern; from the environment in a Lambda, from the embedded cloud locally.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use waraq_core::{Clock, Error, Result};

use crate::cognito::CognitoSettings;
use crate::google::GoogleSettings;
use crate::snapshots::SNAPSHOT_ROWS;
use crate::system::SystemClock;

/// How long a call of a service may take: less than a function has (`Timeout` in template.yaml), so that a service that hangs is
/// answered for in a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    pub connect: Duration,
    /// One try.
    pub attempt: Duration,
    /// All tries of one call, with the waits between them.
    pub operation: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { connect: Duration::from_secs(1), attempt: Duration::from_secs(2), operation: Duration::from_secs(5) }
    }
}

impl Patience {
    /// For files, which are larger than rows: twice as much.
    pub fn for_files(self) -> Self {
        Self { attempt: self.attempt * 2, operation: self.operation.mul_f64(1.6), ..self }
    }

    /// For what is tried once, here or by others again.
    pub fn for_one_try(self) -> Self {
        Self { attempt: self.operation, ..self }
    }
}

/// Keys of AWS. A Lambda is handed its own in the environment, for its whole life.
#[derive(Clone)]
pub struct Credentials {
    pub access_key_id: String,
    pub secret_access_key: String,
    pub session_token: Option<String>,
}

/// Which AWS, and as whom.
#[derive(Clone)]
pub struct AwsSettings {
    pub region: String,
    pub credentials: Credentials,
    pub endpoints: Endpoints,
}

/// Services that are not AWS's own, by their addresses.
#[derive(Debug, Clone, Default)]
pub struct Endpoints {
    pub dynamodb: Option<String>,
    pub s3: Option<String>,
    pub ssm: Option<String>,
    pub cognito: Option<String>,
    pub ses: Option<String>,
}

/// Where rows and files are.
#[derive(Debug, Clone)]
pub struct StoreSettings {
    pub table: String,
    pub bucket: String,
    /// What stands for the S3 endpoint in links handed out, where a browser cannot reach that.
    pub link_base: Option<String>,
    /// How many rows a list has more than, if a snapshot of it is kept.
    pub snapshot_rows: u64,
}

/// Keys and secrets themselves.
#[derive(Clone, Default)]
pub struct Secrets {
    /// Ed25519 public keys whose tokens hold.
    pub token_public_keys: Vec<Vec<u8>>,
    /// PKCS#8; only where tokens are issued.
    pub token_private_key: Option<Vec<u8>>,
    /// What codes are kept by and mails are sealed with; only where there are any.
    pub code: Option<Vec<u8>>,
    /// What CloudFront sends to prove that a request came through it: any of these.
    pub origin: Vec<String>,
    /// Of the pool's client that serves the API; only where passwords are tried.
    pub cognito_client: Option<String>,
}

/// The parameters of Systems Manager that hold keys and secrets; of those a function does not need it has no name.
#[derive(Debug, Clone, Default)]
pub struct SecretNames {
    /// Base64, joined by commas.
    pub token_public_keys: Option<String>,
    /// Base64.
    pub token_private_key: Option<String>,
    pub code: Option<String>,
    /// Joined by commas.
    pub origin: Option<String>,
    pub cognito_client: Option<String>,
}

impl SecretNames {
    pub fn all(&self) -> Vec<String> {
        let all = [&self.token_public_keys, &self.token_private_key, &self.code, &self.origin, &self.cognito_client];
        all.into_iter().flatten().cloned().collect()
    }
}

/// Where keys and secrets come from.
#[derive(Clone)]
pub enum SecretSettings {
    Given(Secrets),
    Parameters(SecretNames),
}

/// How mails leave the house.
#[derive(Debug, Clone)]
pub enum MailSettings {
    /// `from`: `Waraq <no-reply@waraq.example>`; `reply_to`: where an answer goes, else there; `configuration_set`: what SES does about
    /// bounces and complaints.
    Ses { from: String, reply_to: Option<String>, configuration_set: Option<String> },
    /// As files.
    Folder(PathBuf),
}

/// Who runs the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorSettings {
    pub name: String,
    /// His postal address, on one line.
    pub seat: String,
    /// An address of e-mail, or of a page.
    pub contact: String,
}

/// What pages and mails say of this house.
#[derive(Debug, Clone, Default)]
pub struct HouseSettings {
    /// Where the product is, for links in mails: `https://waraq.example`.
    pub site: String,
    /// Who runs it, as its legal pages name him.
    pub operator: Option<OperatorSettings>,
    /// The marketing site and the mobile app, where there are any.
    pub home_url: Option<String>,
    pub app_url: Option<String>,
    /// Where messages of the help center are mailed to.
    pub support_email: Option<String>,
}

#[derive(Clone)]
pub struct Settings {
    pub aws: AwsSettings,
    pub stores: StoreSettings,
    pub secrets: SecretSettings,
    /// None: mails are written, not sent.
    pub mail: Option<MailSettings>,
    /// Who keeps the passwords; none: the table.
    pub cognito: Option<CognitoSettings>,
    /// None: nobody signs in with Google.
    pub google: Option<GoogleSettings>,
    pub house: HouseSettings,
}

/// What is as it is everywhere but in tests.
#[derive(Clone)]
pub struct Conditions {
    /// What the time is.
    pub clock: Arc<dyn Clock>,
    pub patience: Patience,
    /// By what limits per source are multiplied.
    pub source_limits_factor: u64,
    /// Documents a guest may make in a minute, where it is not the usual number.
    pub guest_fills_per_minute: Option<u64>,
    /// Seconds that making a document may take, where they are not the usual ones.
    pub document_seconds: Option<u64>,
    /// The work that making a document may take, as the engine counts it, where it is not the usual.
    pub document_work: Option<u64>,
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            patience: Patience::default(),
            source_limits_factor: 1,
            guest_fills_per_minute: None,
            document_seconds: None,
            document_work: None,
        }
    }
}

impl Settings {
    /// `TABLE_NAME`, `BUCKET_NAME`, `SNAPSHOT_ROWS`, `SITE_URL` (where mails are written), the names of the parameters that hold what a function is to know
    /// of keys and secrets (`TOKEN_PUBLIC_KEYS_PARAMETER`, `TOKEN_PRIVATE_KEY_PARAMETER`, `CODE_SECRET_PARAMETER`,
    /// `ORIGIN_SECRET_PARAMETER`, `COGNITO_CLIENT_SECRET_PARAMETER`), and what the platform itself sets.
    pub fn from_environment() -> Result<Self> {
        Ok(Self {
            aws: AwsSettings {
                region: needed("AWS_REGION")?,
                credentials: Credentials {
                    access_key_id: needed("AWS_ACCESS_KEY_ID")?,
                    secret_access_key: needed("AWS_SECRET_ACCESS_KEY")?,
                    session_token: optional("AWS_SESSION_TOKEN"),
                },
                endpoints: Endpoints {
                    dynamodb: endpoint("DYNAMODB"),
                    s3: endpoint("S3"),
                    ssm: endpoint("SSM"),
                    cognito: endpoint("COGNITO_IDENTITY_PROVIDER"),
                    ses: endpoint("SES"),
                },
            },
            stores: StoreSettings {
                table: needed("TABLE_NAME")?,
                bucket: needed("BUCKET_NAME")?,
                link_base: None,
                snapshot_rows: snapshot_rows()?,
            },
            secrets: SecretSettings::Parameters(SecretNames {
                token_public_keys: optional("TOKEN_PUBLIC_KEYS_PARAMETER"),
                token_private_key: optional("TOKEN_PRIVATE_KEY_PARAMETER"),
                code: optional("CODE_SECRET_PARAMETER"),
                origin: optional("ORIGIN_SECRET_PARAMETER"),
                cognito_client: optional("COGNITO_CLIENT_SECRET_PARAMETER"),
            }),
            mail: optional("MAIL_FROM").map(|from| MailSettings::Ses {
                from,
                reply_to: optional("MAIL_REPLY_TO"),
                configuration_set: optional("MAIL_CONFIGURATION_SET"),
            }),
            cognito: cognito()?,
            google: google()?,
            house: HouseSettings {
                site: optional("SITE_URL").unwrap_or_default(),
                operator: operator(),
                home_url: optional("HOME_URL"),
                app_url: optional("APP_URL"),
                support_email: optional("SUPPORT_EMAIL"),
            },
        })
    }
}

fn optional(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Where a service is that is not AWS's own (an emulator's): by its name, or all of them at one address.
fn endpoint(service: &str) -> Option<String> {
    optional(&format!("AWS_ENDPOINT_URL_{service}")).or_else(|| optional("AWS_ENDPOINT_URL"))
}

fn needed(name: &str) -> Result<String> {
    optional(name).ok_or_else(|| Error::internal(format!("{name} is not set")))
}

/// `SNAPSHOT_ROWS`.
fn snapshot_rows() -> Result<u64> {
    let Some(rows) = optional("SNAPSHOT_ROWS") else { return Ok(SNAPSHOT_ROWS) };
    rows.parse().map_err(|_| Error::internal("SNAPSHOT_ROWS is no number"))
}

/// `COGNITO_USER_POOL_ID`, and of the client that serves the API `COGNITO_CLIENT_ID`.
fn cognito() -> Result<Option<CognitoSettings>> {
    let Some(client_id) = optional("COGNITO_CLIENT_ID") else { return Ok(None) };
    Ok(Some(CognitoSettings { user_pool_id: needed("COGNITO_USER_POOL_ID")?, client_id }))
}

/// `OPERATOR_NAME`, `OPERATOR_SEAT` and `OPERATOR_CONTACT`: all of them, or nobody is named.
fn operator() -> Option<OperatorSettings> {
    Some(OperatorSettings {
        name: optional("OPERATOR_NAME")?,
        seat: optional("OPERATOR_SEAT")?,
        contact: optional("OPERATOR_CONTACT")?,
    })
}

/// `GOOGLE_CLIENT_ID` (the pool's public client), `GOOGLE_DOMAIN`, `COGNITO_USER_POOL_ID`.
fn google() -> Result<Option<GoogleSettings>> {
    let Some(client_id) = optional("GOOGLE_CLIENT_ID") else { return Ok(None) };
    Ok(Some(GoogleSettings {
        region: needed("AWS_REGION")?,
        user_pool_id: needed("COGNITO_USER_POOL_ID")?,
        client_id,
        domain: needed("GOOGLE_DOMAIN")?,
    }))
}
