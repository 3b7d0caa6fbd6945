//! The settings, with one struct for each topic. In a Lambda function, they are read from the environment. On a local
//! server, `crates/local` creates them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use waraq_core::{Clock, Error, Result};

use crate::cognito::CognitoSettings;
use crate::google::GoogleSettings;
use crate::snapshots::SNAPSHOT_ROWS;
use crate::system::SystemClock;

/// Time limits of calls to a service. They are shorter than the `Timeout` of the functions in template.yaml. If a
/// service does not respond, the function can therefore return an error code before the platform stops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    /// The time limit of one attempt of a call.
    pub attempt: Duration,
    /// The time limit of a whole call: of all its attempts and the pauses between them.
    pub operation: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(1), attempt: Duration::from_secs(2), operation: Duration::from_secs(5) }
    }
}

impl Timeouts {
    /// Returns longer limits for files, which are larger than rows: 2 times for an attempt, 1.6 times for a call.
    pub fn for_files(self) -> Self {
        Self { attempt: self.attempt * 2, operation: self.operation.mul_f64(1.6), ..self }
    }

    /// Returns limits for calls that the SDK does not retry: one attempt may take the time of the whole call.
    pub fn for_single_attempt(self) -> Self {
        Self { attempt: self.operation, ..self }
    }
}

/// AWS credentials. A Lambda function receives its credentials in the environment; they are valid for the life of the
/// process.
#[derive(Clone)]
pub struct Credentials {
    pub access_key_id: String,
    pub secret_access_key: String,
    pub session_token: Option<String>,
}

/// The AWS region, credentials and endpoints.
#[derive(Clone)]
pub struct AwsSettings {
    pub region: String,
    pub credentials: Credentials,
    pub endpoints: Endpoints,
}

/// The addresses that replace the AWS endpoints of services, such as those of emulators. `None`: the endpoint of AWS.
#[derive(Debug, Clone, Default)]
pub struct Endpoints {
    pub dynamodb: Option<String>,
    pub s3: Option<String>,
    pub ssm: Option<String>,
    pub cognito: Option<String>,
    pub ses: Option<String>,
    pub cloudfront: Option<String>,
}

/// The names of the DynamoDB table and the S3 bucket.
#[derive(Debug, Clone)]
pub struct StoreSettings {
    /// The id of the CloudFront distribution that caches pictures. `None` without a CDN.
    pub distribution: Option<String>,
    pub table: String,
    pub bucket: String,
    /// The address that replaces the S3 endpoint in presigned links, if browsers cannot reach that endpoint. `None`:
    /// links are not changed.
    pub link_base: Option<String>,
    /// A list with more rows than this number has a snapshot, a file with all its rows.
    pub snapshot_rows: u64,
}

/// The values of the keys and secrets.
#[derive(Clone, Default)]
pub struct Secrets {
    /// The Ed25519 public keys of accepted tokens.
    pub token_public_keys: Vec<Vec<u8>>,
    /// The PKCS#8 private key that signs tokens. `None` in functions that issue no tokens.
    pub token_private_key: Option<Vec<u8>>,
    /// The secret that protects stored codes and encrypts mails in the outbox. `None` in functions that do neither.
    pub code: Option<Vec<u8>>,
    /// The origin secrets of CloudFront; each of them proves that a request came through it.
    pub origin: Vec<String>,
    /// The secret of the Cognito pool's client. `None` in functions that do not check passwords.
    pub cognito_client: Option<String>,
}

/// The names of the Systems Manager parameters with keys and secrets. Each Lambda function has only the names of the
/// parameters that it needs.
#[derive(Debug, Clone, Default)]
pub struct SecretNames {
    /// Name of the parameter whose value is a list of public keys in base64, separated by commas.
    pub token_public_keys: Option<String>,
    /// Name of the parameter whose value is one private key in base64.
    pub token_private_key: Option<String>,
    pub code: Option<String>,
    /// Name of the parameter whose value is a list of origin secrets, separated by commas.
    pub origin: Option<String>,
    pub cognito_client: Option<String>,
}

impl SecretNames {
    pub fn all(&self) -> Vec<String> {
        let all = [&self.token_public_keys, &self.token_private_key, &self.code, &self.origin, &self.cognito_client];
        all.into_iter().flatten().cloned().collect()
    }
}

/// The source of keys and secrets.
#[derive(Clone)]
pub enum SecretSettings {
    Given(Secrets),
    Parameters(SecretNames),
}

/// The way in which mails are sent.
#[derive(Debug, Clone)]
pub enum MailSettings {
    /// Sends mails through SES. `from` is the sender, such as `Waraq <no-reply@waraq.example>`. `reply_to` is the
    /// address for replies, `from` by default. `configuration_set` is the name of the configuration set of SES, which
    /// handles bounces and complaints.
    Ses { from: String, reply_to: Option<String>, configuration_set: Option<String> },
    /// Writes mails as files to a folder.
    Folder(PathBuf),
}

/// The operator of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorSettings {
    pub name: String,
    /// The postal address of the operator, on one line.
    pub seat: String,
    /// The e-mail address of the operator, or the address of a page for contacting the operator.
    pub contact: String,
}

/// The details of this installation that pages and mails show.
#[derive(Debug, Clone, Default)]
pub struct InstallationSettings {
    /// The address of the site for links in mails, such as `https://waraq.example`.
    pub site: String,
    /// The operator of the site, as named on its legal pages. `None`: the pages say that the operator is not named yet.
    pub operator: Option<OperatorSettings>,
    /// The address of the marketing site, if there is one.
    pub home_url: Option<String>,
    /// The address of the mobile app, if there is one.
    pub app_url: Option<String>,
    /// The address to which support messages are mailed. `None`: the help center cannot accept messages.
    pub support_email: Option<String>,
}

#[derive(Clone)]
pub struct Settings {
    pub aws: AwsSettings,
    pub stores: StoreSettings,
    pub secrets: SecretSettings,
    /// The mail settings. `None`: mails are written to the outbox and not sent.
    pub mail: Option<MailSettings>,
    /// The Cognito pool that stores the passwords. `None`: the table stores them.
    pub cognito: Option<CognitoSettings>,
    /// The Google sign-in. `None`: it is disabled.
    pub google: Option<GoogleSettings>,
    pub installation: InstallationSettings,
}

/// Parameters that differ from their defaults only in tests.
#[derive(Clone)]
pub struct RuntimeOptions {
    /// The clock that all time-dependent code reads.
    pub clock: Arc<dyn Clock>,
    /// The clock for the signatures of calls to the table. `None`: the system clock.
    pub signing_clock: Option<Arc<dyn Clock>>,
    pub timeouts: Timeouts,
    /// The factor by which the rate limits for each source address are multiplied.
    pub source_limits_factor: u64,
    /// Number of documents that a guest may render in a minute. `None`: the default number.
    pub guest_fills_per_minute: Option<u64>,
    /// Number of seconds that rendering a document may take. `None`: the default.
    pub document_seconds: Option<u64>,
    /// Amount of work that rendering a document may take, in the units of the engine. `None`: the default.
    pub document_work: Option<u64>,
}

impl Default for RuntimeOptions {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            signing_clock: None,
            timeouts: Timeouts::default(),
            source_limits_factor: 1,
            guest_fills_per_minute: None,
            document_seconds: None,
            document_work: None,
        }
    }
}

impl Settings {
    /// Reads the settings from the environment. The variables are:
    ///
    /// - `TABLE_NAME`, `BUCKET_NAME`, `SNAPSHOT_ROWS`;
    /// - `SITE_URL`, in functions that write mails;
    /// - the names of the parameters with keys and secrets: `TOKEN_PUBLIC_KEYS_PARAMETER`,
    ///   `TOKEN_PRIVATE_KEY_PARAMETER`, `CODE_SECRET_PARAMETER`, `ORIGIN_SECRET_PARAMETER`,
    ///   `COGNITO_CLIENT_SECRET_PARAMETER`;
    /// - `MAIL_FROM`, `MAIL_REPLY_TO`, `MAIL_CONFIGURATION_SET`, `HOME_URL`, `APP_URL`, `SUPPORT_EMAIL`, and those of
    ///   Cognito, Google and the operator;
    /// - the variables that the Lambda platform sets.
    ///
    /// # Errors
    /// Fails if a required variable is missing or a variable is not valid.
    pub fn from_environment() -> Result<Self> {
        Ok(Self {
            aws: AwsSettings {
                region: required("AWS_REGION")?,
                credentials: Credentials {
                    access_key_id: required("AWS_ACCESS_KEY_ID")?,
                    secret_access_key: required("AWS_SECRET_ACCESS_KEY")?,
                    session_token: optional("AWS_SESSION_TOKEN"),
                },
                endpoints: Endpoints {
                    dynamodb: endpoint("DYNAMODB"),
                    s3: endpoint("S3"),
                    ssm: endpoint("SSM"),
                    cognito: endpoint("COGNITO_IDENTITY_PROVIDER"),
                    ses: endpoint("SES"),
                    cloudfront: endpoint("CLOUDFRONT"),
                },
            },
            stores: StoreSettings {
                distribution: optional("DISTRIBUTION_ID"),
                table: required("TABLE_NAME")?,
                bucket: required("BUCKET_NAME")?,
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
            installation: InstallationSettings {
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

/// Returns the address that replaces the AWS endpoint of a service, such as that of an emulator. Reads the variable of
/// this service, or else the variable for all services. `None`: the endpoint of AWS.
fn endpoint(service: &str) -> Option<String> {
    optional(&format!("AWS_ENDPOINT_URL_{service}")).or_else(|| optional("AWS_ENDPOINT_URL"))
}

fn required(name: &str) -> Result<String> {
    optional(name).ok_or_else(|| Error::internal(format!("{name} is not set")))
}

/// Reads the variable `SNAPSHOT_ROWS`. If it is not set, the result is the constant [`SNAPSHOT_ROWS`].
fn snapshot_rows() -> Result<u64> {
    let Some(rows) = optional("SNAPSHOT_ROWS") else { return Ok(SNAPSHOT_ROWS) };
    rows.parse().map_err(|_| Error::internal("SNAPSHOT_ROWS is no number"))
}

/// Reads `COGNITO_USER_POOL_ID` and `COGNITO_CLIENT_ID`, the pool's client for the API. `None` if `COGNITO_CLIENT_ID`
/// is not set.
fn cognito() -> Result<Option<CognitoSettings>> {
    let Some(client_id) = optional("COGNITO_CLIENT_ID") else { return Ok(None) };
    Ok(Some(CognitoSettings { user_pool_id: required("COGNITO_USER_POOL_ID")?, client_id }))
}

/// Reads `OPERATOR_NAME`, `OPERATOR_SEAT` and `OPERATOR_CONTACT`. If one is missing, the result is `None`.
fn operator() -> Option<OperatorSettings> {
    Some(OperatorSettings {
        name: optional("OPERATOR_NAME")?,
        seat: optional("OPERATOR_SEAT")?,
        contact: optional("OPERATOR_CONTACT")?,
    })
}

/// Reads `GOOGLE_CLIENT_ID` (the pool's public client), `GOOGLE_DOMAIN` and `COGNITO_USER_POOL_ID`. `None` if
/// `GOOGLE_CLIENT_ID` is not set.
fn google() -> Result<Option<GoogleSettings>> {
    let Some(client_id) = optional("GOOGLE_CLIENT_ID") else { return Ok(None) };
    Ok(Some(GoogleSettings {
        region: required("AWS_REGION")?,
        user_pool_id: required("COGNITO_USER_POOL_ID")?,
        client_id,
        domain: required("GOOGLE_DOMAIN")?,
    }))
}
