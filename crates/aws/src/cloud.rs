//! The ports, each built when it is first asked for: a function pays at its cold start for what it uses.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::timeout::TimeoutConfig;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use tokio::sync::OnceCell;
use waraq_core::accounts::{Accounts, Google, Identity, Registrar};
use waraq_core::catalogue::Templates;
use waraq_core::files::Files;
use waraq_core::filling::Uses;
use waraq_core::limits::{Attempts, FILL_PER_GUEST, Limit};
use waraq_core::mail::{Mailer, Outbox, Post};
use waraq_core::secret::Secret;
use waraq_core::token::{Signer, Verifier};
use waraq_core::{Chance, Clock, Error, Result};

use crate::cognito::Cognito;
use crate::files::Bucket;
use crate::google::GooglePool;
use crate::log::{self, Position};
use crate::mail_folder::MailFolder;
use crate::passwords::Passwords;
use crate::ses::Ses;
use crate::system::SystemChance;
use crate::table::Table;
use crate::templates::Catalogue;
use crate::{Credentials, MailSettings, Settings};

pub struct Cloud {
    settings: Settings,
    http: OnceLock<SharedHttpClient>,
    table: OnceLock<Table>,
    catalogue: OnceLock<Catalogue>,
    bucket: OnceLock<Bucket>,
    identity: OnceLock<Box<dyn Identity>>,
    google: OnceLock<Option<GooglePool>>,
    verifier: OnceLock<Verifier>,
    signer: OnceCell<Option<Arc<Signer>>>,
    secret: OnceLock<Secret>,
    mailer: OnceLock<Box<dyn Mailer>>,
}

impl Cloud {
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            http: OnceLock::new(),
            table: OnceLock::new(),
            catalogue: OnceLock::new(),
            bucket: OnceLock::new(),
            identity: OnceLock::new(),
            google: OnceLock::new(),
            verifier: OnceLock::new(),
            signer: OnceCell::new(),
            secret: OnceLock::new(),
            mailer: OnceLock::new(),
        }
    }

    fn http(&self) -> SharedHttpClient {
        let plain = |endpoint: &Option<String>| endpoint.as_ref().is_some_and(|url| url.starts_with("http://"));
        let client = self.http.get_or_init(|| {
            // Without TLS where no call needs it: its certificates take time to load.
            let services = [
                Some(&self.settings.dynamodb_endpoint),
                Some(&self.settings.s3_endpoint),
                (self.settings.cognito.is_some() || self.settings.google.is_some())
                    .then_some(&self.settings.cognito_endpoint),
                matches!(self.settings.mail, Some(MailSettings::Ses { .. })).then_some(&self.settings.ses_endpoint),
            ];
            if services.into_iter().flatten().all(plain) {
                return Builder::new().build_http();
            }
            Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https()
        });
        client.clone()
    }

    fn table(&self) -> &Table {
        self.table.get_or_init(|| {
            let config = aws_sdk_dynamodb::Config::builder()
                .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest())
                .region(aws_sdk_dynamodb::config::Region::new(self.settings.region.clone()))
                .credentials_provider(credentials(&self.settings.credentials))
                .timeout_config(self.patience())
                .http_client(self.http());
            let config = match &self.settings.dynamodb_endpoint {
                Some(url) => config.endpoint_url(url),
                None => config,
            };
            let client = aws_sdk_dynamodb::Client::from_conf(config.build());
            Table::new(client, self.settings.table.clone(), Arc::clone(&self.settings.clock))
        })
    }

    fn bucket(&self) -> &Bucket {
        self.bucket.get_or_init(|| {
            let config = aws_sdk_s3::Config::builder()
                .behavior_version(aws_sdk_s3::config::BehaviorVersion::latest())
                .region(aws_sdk_s3::config::Region::new(self.settings.region.clone()))
                .credentials_provider(credentials(&self.settings.credentials))
                .http_client(self.http());
            let config = match &self.settings.s3_endpoint {
                Some(url) => config.endpoint_url(url).force_path_style(true),
                None => config,
            };
            Bucket {
                client: aws_sdk_s3::Client::from_conf(config.build()),
                name: self.settings.bucket.clone(),
                links: self.settings.s3_endpoint.clone().zip(self.settings.link_base.clone()),
            }
        })
    }

    /// The table's client, for who sets up or looks into the table itself.
    pub fn dynamodb(&self) -> &aws_sdk_dynamodb::Client {
        self.table().client()
    }

    /// The bucket's client.
    pub fn s3(&self) -> &aws_sdk_s3::Client {
        &self.bucket().client
    }

    pub fn table_name(&self) -> &str {
        &self.settings.table
    }

    pub fn bucket_name(&self) -> &str {
        &self.settings.bucket
    }

    pub fn templates(&self) -> &dyn Templates {
        self.catalogue.get_or_init(|| Catalogue::new(self.table().clone()))
    }

    pub fn files(&self) -> &dyn Files {
        self.bucket()
    }

    pub fn uses(&self) -> &dyn Uses {
        self.table()
    }

    pub fn accounts(&self) -> &dyn Accounts {
        self.table()
    }

    /// The accounts that are listed and were written after `since` (`None`: ever), each once, and until when that is.
    pub async fn accounts_written(&self, since: Option<&Position>) -> Result<(Vec<String>, Position)> {
        let to = log::position(self.table(), log::USERS).await?;
        let from = since.cloned().unwrap_or_else(|| to.back(u64::MAX));
        let ids = log::written(self.table(), log::USERS, &from, &to).await?;
        Ok((ids.ok_or_else(|| Error::internal("the log of accounts has gaps"))?, to))
    }

    pub fn attempts(&self) -> &dyn Attempts {
        self.table()
    }

    pub fn identity(&self) -> &dyn Identity {
        let identity = self.identity.get_or_init(|| match &self.settings.cognito {
            Some(settings) => Box::new(Cognito::new(self.cognito(), settings.clone())),
            None => Box::new(Passwords::new(self.table().clone())),
        });
        identity.as_ref()
    }

    /// `None` where nobody signs in with Google.
    pub fn google(&self) -> Option<&dyn Google> {
        let google = self
            .google
            .get_or_init(|| self.settings.google.clone().map(|settings| GooglePool::new(self.cognito(), settings)));
        google.as_ref().map(|google| google as &dyn Google)
    }

    fn cognito(&self) -> aws_sdk_cognitoidentityprovider::Client {
        let config = aws_sdk_cognitoidentityprovider::Config::builder()
            .behavior_version(aws_sdk_cognitoidentityprovider::config::BehaviorVersion::latest())
            .region(aws_sdk_cognitoidentityprovider::config::Region::new(self.settings.region.clone()))
            .credentials_provider(credentials(&self.settings.credentials))
            .timeout_config(self.patience())
            .http_client(self.http());
        let config = match &self.settings.cognito_endpoint {
            Some(url) => config.endpoint_url(url),
            None => config,
        };
        aws_sdk_cognitoidentityprovider::Client::from_conf(config.build())
    }

    fn ses(&self) -> aws_sdk_ses::Client {
        let config = aws_sdk_ses::Config::builder()
            .behavior_version(aws_sdk_ses::config::BehaviorVersion::latest())
            .region(aws_sdk_ses::config::Region::new(self.settings.region.clone()))
            .credentials_provider(credentials(&self.settings.credentials))
            .timeout_config(self.patience())
            // The outbox tries again; here a try whose outcome is not known could send a mail twice.
            .retry_config(aws_sdk_ses::config::retry::RetryConfig::disabled())
            .http_client(self.http());
        let config = match &self.settings.ses_endpoint {
            Some(url) => config.endpoint_url(url),
            None => config,
        };
        aws_sdk_ses::Client::from_conf(config.build())
    }

    /// How long one try of a call may take.
    fn patience(&self) -> TimeoutConfig {
        TimeoutConfig::builder()
            .connect_timeout(Duration::from_secs(2))
            .operation_attempt_timeout(self.settings.patience)
            .build()
    }

    /// The rules of accounts, on these stores.
    pub fn registrar(&self) -> Result<Registrar<'_>> {
        Ok(Registrar {
            accounts: self.table(),
            attempts: self.table(),
            secret: self.settings.code_secret.is_some().then(|| self.secret()).transpose()?,
            clock: self.clock(),
            chance: self.chance(),
            source_factor: self.settings.source_limits_factor,
        })
    }

    /// What sends mails.
    pub fn post(&self) -> Result<Post<'_>> {
        Ok(Post {
            outbox: self.table(),
            mailer: self.mailer()?,
            secret: self.secret()?,
            clock: self.clock(),
            site: &self.settings.site,
        })
    }

    pub fn outbox(&self) -> &dyn Outbox {
        self.table()
    }

    pub fn mailer(&self) -> Result<&dyn Mailer> {
        let mail = self.settings.mail.as_ref().ok_or_else(|| Error::internal("MAIL_FROM is not set"))?;
        let mailer = self.mailer.get_or_init(|| match mail {
            MailSettings::Folder(path) => Box::new(MailFolder::new(path.clone())),
            MailSettings::Ses { from, reply_to } => {
                Box::new(Ses { client: self.ses(), from: from.clone(), reply_to: reply_to.clone() })
            }
        });
        Ok(mailer.as_ref())
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn secret(&self) -> Result<&Secret> {
        if let Some(secret) = self.secret.get() {
            return Ok(secret);
        }
        let bytes = self.settings.code_secret.as_deref();
        let secret = Secret::new(bytes.ok_or_else(|| Error::internal("CODE_SECRET is not set"))?)?;
        Ok(self.secret.get_or_init(|| secret))
    }

    pub fn clock(&self) -> &dyn Clock {
        self.settings.clock.as_ref()
    }

    pub fn chance(&self) -> &dyn Chance {
        &SystemChance
    }

    pub fn verifier(&self) -> &Verifier {
        self.verifier.get_or_init(|| Verifier::new(self.settings.token_public_keys.iter().cloned()))
    }

    /// `None` in a function that may not issue tokens.
    pub async fn signer(&self) -> Result<Option<Arc<Signer>>> {
        let made = self.signer.get_or_try_init(|| async {
            let key = match (&self.settings.token_private_key, &self.settings.token_private_key_parameter) {
                (Some(key), _) => key.clone(),
                (None, Some(parameter)) => self.private_key(parameter).await?,
                (None, None) => return Ok(None),
            };
            Ok::<_, Error>(Some(Arc::new(Signer::new(&key)?)))
        });
        made.await.cloned()
    }

    async fn private_key(&self, parameter: &str) -> Result<Vec<u8>> {
        let (settings, keys) = (&self.settings, credentials(&self.settings.credentials));
        let endpoint = settings.ssm_endpoint.as_deref();
        let text = crate::parameter::read(self.http(), &settings.region, &keys, endpoint, parameter).await?;
        BASE64.decode(text.trim()).map_err(|_| Error::internal("the token key is not base64"))
    }

    pub fn origin_secret(&self) -> Option<&str> {
        self.settings.origin_secret.as_deref()
    }

    pub fn fill_limit(&self) -> Limit {
        Limit { most: self.settings.guest_fills_per_minute.unwrap_or(FILL_PER_GUEST.most), ..FILL_PER_GUEST }
    }
}

fn credentials(keys: &Credentials) -> aws_sdk_dynamodb::config::Credentials {
    aws_sdk_dynamodb::config::Credentials::new(
        &keys.access_key_id,
        &keys.secret_access_key,
        keys.session_token.clone(),
        None,
        "settings",
    )
}
