//! Where the stores are and with which keys; from the environment in a Lambda, from the embedded cloud locally.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use waraq_core::{Error, Result};

/// Keys of AWS. A Lambda is handed its own in the environment, for its whole life.
#[derive(Clone)]
pub struct Credentials {
    pub access_key_id: String,
    pub secret_access_key: String,
    pub session_token: Option<String>,
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
    /// Documents a guest may make in a minute, where it is not the usual number.
    pub guest_fills_per_minute: Option<u64>,
}

impl Settings {
    /// `TABLE_NAME`, `BUCKET_NAME`, `TOKEN_PUBLIC_KEYS` (base64, joined by commas), `TOKEN_PRIVATE_KEY_PARAMETER` (where
    /// tokens are issued), `ORIGIN_SECRET`, and what the platform itself sets.
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
            guest_fills_per_minute: optional("GUEST_FILLS_PER_MINUTE").and_then(|number| number.parse().ok()),
        })
    }
}
