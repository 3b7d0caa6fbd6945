//! Where the stores are and with which keys; from the environment in a Lambda, from the embedded cloud locally.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use waraq_core::{Clock, Error, Result};

use crate::cognito::CognitoSettings;
use crate::google::GoogleSettings;
use crate::system::SystemClock;

/// Calls that take longer have gone wrong.
pub const PATIENCE: Duration = Duration::from_secs(8);

/// Keys of AWS. A Lambda is handed its own in the environment, for its whole life.
#[derive(Clone)]
pub struct Credentials {
    pub access_key_id: String,
    pub secret_access_key: String,
    pub session_token: Option<String>,
}

/// How mails leave the house.
#[derive(Debug, Clone)]
pub enum MailSettings {
    /// `from`: `Waraq <no-reply@waraq.example>`; `reply_to`: where an answer goes, else there.
    Ses { from: String, reply_to: Option<String> },
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

#[derive(Clone)]
pub struct Settings {
    pub table: String,
    pub bucket: String,
    pub region: String,
    pub credentials: Credentials,
    /// Instead of AWS's own.
    pub dynamodb_endpoint: Option<String>,
    pub s3_endpoint: Option<String>,
    /// What stands for the S3 endpoint in links handed out, where a browser cannot reach that.
    pub link_base: Option<String>,
    /// Ed25519 public keys whose tokens hold.
    pub token_public_keys: Vec<Vec<u8>>,
    /// PKCS#8; only where tokens are issued.
    pub token_private_key: Option<Vec<u8>>,
    /// The parameter of Systems Manager that holds it in base64, where it is not given itself.
    pub token_private_key_parameter: Option<String>,
    pub ssm_endpoint: Option<String>,
    /// What CloudFront sends to prove that a request came through it.
    pub origin_secret: Option<String>,
    /// What codes are kept by and mails are sealed with; only where there are any.
    pub code_secret: Option<Vec<u8>>,
    /// Where the product is, for links in mails: `https://waraq.example`.
    pub site: String,
    /// None: this function sends no mails.
    pub mail: Option<MailSettings>,
    /// Who keeps the passwords; none: the table.
    pub cognito: Option<CognitoSettings>,
    /// None: nobody signs in with Google.
    pub google: Option<GoogleSettings>,
    pub cognito_endpoint: Option<String>,
    pub ses_endpoint: Option<String>,
    /// Who runs the site, as its legal pages name him.
    pub operator: Option<OperatorSettings>,
    /// The marketing site and the mobile app, where there are any.
    pub home_url: Option<String>,
    pub app_url: Option<String>,
    /// How long one try of a call to a service may take.
    pub patience: Duration,
    /// By what limits per source are multiplied: 1 but in tests.
    pub source_limits_factor: u64,
    /// What the time is: the machine's, but in tests.
    pub clock: Arc<dyn Clock>,
    /// Documents a guest may make in a minute, where it is not the usual number.
    pub guest_fills_per_minute: Option<u64>,
}

impl Settings {
    /// `TABLE_NAME`, `BUCKET_NAME`, `TOKEN_PUBLIC_KEYS` (base64, joined by commas), `TOKEN_PRIVATE_KEY_PARAMETER` (where
    /// tokens are issued), `ORIGIN_SECRET`, `CODE_SECRET` and `SITE_URL` (where mails are written), and what the platform itself sets.
    pub fn from_environment() -> Result<Self> {
        let optional = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let needed = |name: &str| optional(name).ok_or_else(|| Error::internal(format!("{name} is not set")));
        let decoded = |text: &str| BASE64.decode(text.trim()).map_err(|_| Error::internal("a token key is not base64"));
        Ok(Self {
            table: needed("TABLE_NAME")?,
            bucket: needed("BUCKET_NAME")?,
            region: needed("AWS_REGION")?,
            credentials: Credentials {
                access_key_id: needed("AWS_ACCESS_KEY_ID")?,
                secret_access_key: needed("AWS_SECRET_ACCESS_KEY")?,
                session_token: optional("AWS_SESSION_TOKEN"),
            },
            dynamodb_endpoint: optional("AWS_ENDPOINT_URL_DYNAMODB"),
            s3_endpoint: optional("AWS_ENDPOINT_URL_S3"),
            link_base: None,
            token_public_keys: needed("TOKEN_PUBLIC_KEYS")?.split(',').map(decoded).collect::<Result<_>>()?,
            token_private_key: None,
            token_private_key_parameter: optional("TOKEN_PRIVATE_KEY_PARAMETER"),
            ssm_endpoint: optional("AWS_ENDPOINT_URL_SSM"),
            origin_secret: optional("ORIGIN_SECRET"),
            code_secret: optional("CODE_SECRET").map(String::into_bytes),
            site: optional("SITE_URL").unwrap_or_default(),
            mail: optional("MAIL_FROM").map(|from| MailSettings::Ses { from, reply_to: optional("MAIL_REPLY_TO") }),
            cognito: cognito(&needed, &optional)?,
            google: google(&needed, &optional)?,
            cognito_endpoint: optional("AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER"),
            ses_endpoint: optional("AWS_ENDPOINT_URL_SES"),
            operator: operator(&optional),
            home_url: optional("HOME_URL"),
            app_url: optional("APP_URL"),
            patience: PATIENCE,
            source_limits_factor: 1,
            clock: Arc::new(SystemClock),
            guest_fills_per_minute: optional("GUEST_FILLS_PER_MINUTE").and_then(|number| number.parse().ok()),
        })
    }
}

type Needed<'a> = &'a dyn Fn(&str) -> Result<String>;
type Optional<'a> = &'a dyn Fn(&str) -> Option<String>;

/// `COGNITO_USER_POOL_ID`, and of the client that serves the API `COGNITO_CLIENT_ID` and `COGNITO_CLIENT_SECRET`.
fn cognito(needed: Needed, optional: Optional) -> Result<Option<CognitoSettings>> {
    let Some(client_id) = optional("COGNITO_CLIENT_ID") else { return Ok(None) };
    Ok(Some(CognitoSettings {
        user_pool_id: needed("COGNITO_USER_POOL_ID")?,
        client_id,
        client_secret: needed("COGNITO_CLIENT_SECRET")?,
    }))
}

/// `OPERATOR_NAME`, `OPERATOR_SEAT` and `OPERATOR_CONTACT`: all of them, or nobody is named.
fn operator(optional: Optional) -> Option<OperatorSettings> {
    Some(OperatorSettings {
        name: optional("OPERATOR_NAME")?,
        seat: optional("OPERATOR_SEAT")?,
        contact: optional("OPERATOR_CONTACT")?,
    })
}

/// `GOOGLE_CLIENT_ID` (the pool's public client), `GOOGLE_DOMAIN`, `COGNITO_USER_POOL_ID`.
fn google(needed: Needed, optional: Optional) -> Result<Option<GoogleSettings>> {
    let Some(client_id) = optional("GOOGLE_CLIENT_ID") else { return Ok(None) };
    Ok(Some(GoogleSettings {
        region: needed("AWS_REGION")?,
        user_pool_id: needed("COGNITO_USER_POOL_ID")?,
        client_id,
        domain: needed("GOOGLE_DOMAIN")?,
    }))
}
