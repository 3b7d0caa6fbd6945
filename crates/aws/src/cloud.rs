//! Access to all AWS services. Each client is built at its first use, so that the cold start of a function builds only
//! the clients that the function needs.

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_smithy_async::time::TimeSource;
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::timeout::TimeoutConfig;
use waraq_core::accounts::{AccountCleanup, AccountService, Accounts, Google, PasswordStore, Users};
use waraq_core::analytics::Counters;
use waraq_core::audit_log::AuditLog;
use waraq_core::catalogue::Templates;
use waraq_core::direct_uploads::DirectUploads;
use waraq_core::export::Exporter;
use waraq_core::file_sweep::{FileSweep, PublicCache};
use waraq_core::files::{Files, content_hash};
use waraq_core::filling::Uses;
use waraq_core::limits::{Attempts, FILL_PER_GUEST, Limit};
use waraq_core::mail::{Mailer, Outbox, OutboxSender};
use waraq_core::personal_records::PersonalRecords;
use waraq_core::private_templates::PrivateTemplates;
use waraq_core::saved::SavedDocumentService;
use waraq_core::saved_answers::SavedAnswerService;
use waraq_core::secret::Secret;
use waraq_core::support::{HelpCenter, SupportDesk, SupportMessages};
use waraq_core::token::{Claims, Signer};
use waraq_core::{Clock, Error, RandomSource, Result};

use crate::cdn::Cdn;
use crate::cognito::Cognito;
use crate::connection;
use crate::files::Bucket;
use crate::google::GooglePool;
use crate::log::{self, LogPosition};
use crate::mail_folder::MailFolder;
use crate::parameter::ParameterClient;
use crate::passwords::TablePasswords;
use crate::private_templates::PrivateTemplateStore;
use crate::secrets::SecretCache;
use crate::ses::Ses;
use crate::snapshots::{SnapshotRun, Snapshots};
use crate::system::SystemRandomSource;
use crate::table::Table;
use crate::templates::{Catalogue, TemplateList};
use crate::users::{AccountList, UserList};
use crate::{
    AwsSettings, Credentials, MailSettings, RuntimeOptions, SecretSettings, Settings, StoreSettings, Timeouts,
};

pub struct Cloud {
    settings: Settings,
    options: RuntimeOptions,
    secrets: SecretCache,
    http: SharedHttpClient,
    table: OnceLock<Table>,
    catalogue: OnceLock<Catalogue>,
    users: OnceLock<UserList>,
    bucket: OnceLock<Bucket>,
    password_store: OnceLock<Box<dyn PasswordStore>>,
    google: OnceLock<Option<GooglePool>>,
    code_secret: OnceLock<Arc<Secret>>,
    mailer: OnceLock<Box<dyn Mailer>>,
    cdn: OnceLock<Option<Cdn>>,
}

impl Cloud {
    /// Prepares the access to the AWS services with these settings. The client of a service is built at its first use.
    ///
    /// # Errors
    /// Fails if a key in the settings is not valid.
    pub fn new(settings: Settings, options: RuntimeOptions) -> Result<Self> {
        let http = http(&settings);
        let secrets = match &settings.secrets {
            SecretSettings::Given(secrets) => SecretCache::from_secrets(secrets, options.clock.now())?,
            SecretSettings::Parameters(names) => {
                let parameters = ParameterClient {
                    http: http.clone(),
                    region: settings.aws.region.clone(),
                    credentials: credentials(&settings.aws.credentials),
                    endpoint: settings.aws.endpoints.ssm.clone(),
                    timeouts: options.timeouts,
                };
                SecretCache::from_parameters(parameters, names.clone())
            }
        };
        Ok(Self {
            settings,
            options,
            secrets,
            http,
            table: OnceLock::new(),
            catalogue: OnceLock::new(),
            users: OnceLock::new(),
            bucket: OnceLock::new(),
            password_store: OnceLock::new(),
            google: OnceLock::new(),
            code_secret: OnceLock::new(),
            mailer: OnceLock::new(),
            cdn: OnceLock::new(),
        })
    }

    /// Reads the keys and secrets if they have not been read yet or are too old. Must be awaited before each request.
    pub async fn ready(&self) -> Result<()> {
        self.secrets.load_if_stale(self.clock().now()).await.map(|_| ())
    }

    /// Opens a connection to the table while a function starts, so that the first request of the function finds an open
    /// connection. Failures are ignored here, because the first use of the table reports them.
    pub async fn connect(&self) {
        let aws = &self.settings.aws;
        let own = || format!("https://dynamodb.{}.amazonaws.com", aws.region);
        let endpoint = aws.endpoints.dynamodb.clone().unwrap_or_else(own);
        connection::open_connection(self.http.clone(), &endpoint, self.options.timeouts).await;
    }

    fn table(&self) -> &Table {
        self.table.get_or_init(|| {
            let config = aws_sdk_dynamodb::Config::builder()
                .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest())
                .region(aws_sdk_dynamodb::config::Region::new(self.settings.aws.region.clone()))
                .credentials_provider(credentials(&self.settings.aws.credentials))
                .timeout_config(sdk_timeouts(self.options.timeouts))
                .http_client(self.http.clone());
            let config = match &self.settings.aws.endpoints.dynamodb {
                Some(url) => config.endpoint_url(url).disable_clock_skew_correction(is_local(url)),
                None => config,
            };
            let config = match &self.options.signing_clock {
                Some(clock) => config.time_source(SigningTime(Arc::clone(clock))),
                None => config,
            };
            let client = aws_sdk_dynamodb::Client::from_conf(config.build());
            Table::new(client, self.settings.stores.table.clone(), Arc::clone(&self.options.clock))
        })
    }

    fn bucket(&self) -> &Bucket {
        let patience = self.options.timeouts.for_files();
        self.bucket.get_or_init(|| bucket(&self.settings.aws, &self.settings.stores, patience, &self.http))
    }

    fn snapshots(&self) -> Snapshots {
        let (aws, stores) = (self.settings.aws.clone(), self.settings.stores.clone());
        let (patience, http) = (self.options.timeouts.for_files(), self.http.clone());
        Snapshots { min_rows: stores.snapshot_rows, bucket: Arc::new(move || bucket(&aws, &stores, patience, &http)) }
    }

    /// Writes new snapshots of the list of templates and of the list of users. A snapshot is written only if the
    /// present one is missing or old. Returns the outcomes in this order.
    pub async fn write_due_snapshots(&self) -> Result<[SnapshotRun; 2]> {
        let snapshots = self.snapshots();
        // Creates one snapshot after the other, so that only one needs memory at a time.
        let templates = snapshots.write_if_due::<TemplateList>(self.table()).await?;
        let users = snapshots.write_if_due::<AccountList>(self.table()).await?;
        Ok([templates, users])
    }

    /// The DynamoDB client of the table, for code that sets up or inspects the table itself.
    pub fn dynamodb(&self) -> &aws_sdk_dynamodb::Client {
        self.table().client()
    }

    /// The S3 client of the bucket.
    pub fn s3(&self) -> &aws_sdk_s3::Client {
        &self.bucket().client
    }

    pub fn table_name(&self) -> &str {
        &self.settings.stores.table
    }

    pub fn region(&self) -> &str {
        &self.settings.aws.region
    }

    pub fn bucket_name(&self) -> &str {
        &self.settings.stores.bucket
    }

    fn catalogue(&self) -> &Catalogue {
        self.catalogue.get_or_init(|| Catalogue::new(self.table().clone(), self.snapshots()))
    }

    pub fn templates(&self) -> &dyn Templates {
        self.catalogue()
    }

    /// The audit log of templates.
    pub fn audit_log(&self) -> &dyn AuditLog {
        self.catalogue()
    }

    /// The private templates of one account.
    pub fn templates_of_owner(&self, owner: &str) -> PrivateTemplateStore {
        PrivateTemplateStore::new(self.table().clone(), owner.to_owned())
    }

    /// The private templates of all accounts.
    pub fn private_templates(&self) -> &dyn PrivateTemplates {
        self.table()
    }

    pub fn files(&self) -> &dyn Files {
        self.bucket()
    }

    /// Uploads of files that are too large for a form. The client sends them directly to the bucket.
    pub fn direct_uploads(&self) -> DirectUploads<'_> {
        DirectUploads { uploads: self.bucket(), clock: self.clock(), random: self.random_source() }
    }

    pub fn uses(&self) -> &dyn Uses {
        self.table()
    }

    /// The operations on saved documents, with the table and the bucket as their stores.
    pub fn saved_documents(&self) -> SavedDocumentService<'_> {
        self.saved_documents_from(self.templates())
    }

    /// The operations on saved documents that were made from these templates.
    pub fn saved_documents_from<'a>(&'a self, templates: &'a dyn Templates) -> SavedDocumentService<'a> {
        SavedDocumentService {
            documents: self.table(),
            templates,
            files: self.files(),
            clock: self.clock(),
            random: self.random_source(),
        }
    }

    /// The counts of uses and accounts of the whole service.
    pub fn counters(&self) -> &dyn Counters {
        self.table()
    }

    pub fn accounts(&self) -> &dyn Accounts {
        self.table()
    }

    /// The list of users.
    pub fn users(&self) -> &dyn Users {
        self.users.get_or_init(|| UserList::new(self.table().clone(), self.snapshots()))
    }

    /// Returns the ids of the accounts that were written after the position `since` of the log, and the position up to
    /// which the log was read. Only accounts with a verified address are in the log. Each id appears once. If `since`
    /// is `None`, the log is read from its start.
    pub async fn accounts_written(&self, since: Option<&LogPosition>) -> Result<(Vec<String>, LogPosition)> {
        let to = log::position(self.table(), log::USERS).await?;
        let from = since.cloned().unwrap_or_else(|| to.earlier_by(u64::MAX));
        let written = log::written_rows(self.table(), log::USERS, &from, &to).await?;
        if !written.is_complete {
            return Err(Error::internal("entries are missing in the log of accounts"));
        }
        Ok((written.ids, to))
    }

    pub fn attempts(&self) -> &dyn Attempts {
        self.table()
    }

    pub fn password_store(&self) -> &dyn PasswordStore {
        let identity = self.password_store.get_or_init(|| match &self.settings.cognito {
            Some(settings) => Box::new(Cognito::new(self.cognito(), settings.clone(), self.cognito_client_secret())),
            None => Box::new(TablePasswords::new(self.table().clone())),
        });
        identity.as_ref()
    }

    /// The Google sign-in, or `None` if it is not configured.
    pub fn google(&self) -> Option<&dyn Google> {
        let google = self
            .google
            .get_or_init(|| self.settings.google.clone().map(|settings| GooglePool::new(self.cognito(), settings)));
        google.as_ref().map(|google| google as &dyn Google)
    }

    fn cognito(&self) -> aws_sdk_cognitoidentityprovider::Client {
        let config = aws_sdk_cognitoidentityprovider::Config::builder()
            .behavior_version(aws_sdk_cognitoidentityprovider::config::BehaviorVersion::latest())
            .region(aws_sdk_cognitoidentityprovider::config::Region::new(self.settings.aws.region.clone()))
            .credentials_provider(credentials(&self.settings.aws.credentials))
            .timeout_config(sdk_timeouts(self.options.timeouts))
            .http_client(self.http.clone());
        let config = match &self.settings.aws.endpoints.cognito {
            Some(url) => config.endpoint_url(url),
            None => config,
        };
        aws_sdk_cognitoidentityprovider::Client::from_conf(config.build())
    }

    fn ses(&self) -> aws_sdk_ses::Client {
        let config = aws_sdk_ses::Config::builder()
            .behavior_version(aws_sdk_ses::config::BehaviorVersion::latest())
            .region(aws_sdk_ses::config::Region::new(self.settings.aws.region.clone()))
            .credentials_provider(credentials(&self.settings.aws.credentials))
            .timeout_config(sdk_timeouts(self.options.timeouts.for_single_attempt()))
            // The SDK must not retry: if the outcome of a call is unknown, a retry could send the mail twice. The
            // outbox tries again later.
            .retry_config(aws_sdk_ses::config::retry::RetryConfig::disabled())
            .http_client(self.http.clone());
        let config = match &self.settings.aws.endpoints.ses {
            Some(url) => config.endpoint_url(url),
            None => config,
        };
        aws_sdk_ses::Client::from_conf(config.build())
    }

    /// The operations on accounts, with the table as their store.
    pub fn account_service(&self) -> Result<AccountService<'_>> {
        Ok(AccountService {
            accounts: self.table(),
            attempts: self.table(),
            secret: self.secrets.current()?.code.is_some().then(|| self.secret()).transpose()?,
            clock: self.clock(),
            random: self.random_source(),
            source_factor: self.options.source_limits_factor,
        })
    }

    /// The clean-up of accounts that are being deleted.
    pub fn account_cleanup(&self) -> AccountCleanup<'_> {
        AccountCleanup {
            personal_records: self.table(),
            files: self.bucket(),
            password_store: self.password_store(),
            google: self.google(),
            cache: self.public_cache(),
            clock: self.clock(),
        }
    }

    /// The CDN that caches pictures, or `None` without a CDN.
    fn public_cache(&self) -> Option<&dyn PublicCache> {
        let cdn = self.cdn.get_or_init(|| {
            Some(Cdn {
                http: self.http.clone(),
                credentials: credentials(&self.settings.aws.credentials),
                endpoint: self.settings.aws.endpoints.cloudfront.clone(),
                distribution: self.settings.stores.distribution.clone()?,
                timeouts: self.options.timeouts,
            })
        });
        cdn.as_ref().map(|cdn| cdn as &dyn PublicCache)
    }

    /// The sweep of unneeded files.
    pub fn file_sweep(&self) -> FileSweep<'_> {
        FileSweep {
            listing: self.bucket(),
            files: self.bucket(),
            templates: self.templates(),
            owners: self.table(),
            cache: self.public_cache(),
            clock: self.clock(),
        }
    }

    /// The export of everything that is stored about an account.
    pub fn exporter(&self) -> Exporter<'_> {
        Exporter {
            personal_records: self.table(),
            support: self.table(),
            saved: self.table(),
            templates: self.table(),
            answers: self.table(),
            files: self.bucket(),
            attempts: self.table(),
            clock: self.clock(),
            random: self.random_source(),
        }
    }

    /// The operations on the saved answers of accounts.
    pub fn saved_answers(&self) -> SavedAnswerService<'_> {
        SavedAnswerService { store: self.table(), clock: self.clock(), random: self.random_source() }
    }

    pub fn personal_records(&self) -> &dyn PersonalRecords {
        self.table()
    }

    pub fn support_messages(&self) -> &dyn SupportMessages {
        self.table()
    }

    /// The help center, which accepts messages from users and guests.
    ///
    /// # Errors
    /// Fails if the settings have no address to which support messages are mailed.
    pub fn help_center(&self) -> Result<HelpCenter<'_>> {
        let support_email = self.settings.installation.support_email.as_deref();
        Ok(HelpCenter {
            messages: self.table(),
            attempts: self.table(),
            secret: self.secret()?,
            clock: self.clock(),
            random: self.random_source(),
            support_email: support_email.ok_or_else(|| Error::internal("SUPPORT_EMAIL is not set"))?,
            source_factor: self.options.source_limits_factor,
        })
    }

    /// The operations of admins on messages that the help center has accepted.
    pub fn support_desk(&self) -> SupportDesk<'_> {
        SupportDesk {
            messages: self.table(),
            accounts: self.table(),
            clock: self.clock(),
            random: self.random_source(),
        }
    }

    /// The secret that protects stored codes and encrypts the mails in the outbox.
    pub fn code_secret(&self) -> Result<&Secret> {
        self.secret()
    }

    /// The sender of the mails in the outbox.
    pub fn outbox_sender(&self) -> Result<OutboxSender<'_>> {
        Ok(OutboxSender {
            outbox: self.table(),
            mailer: self.mailer()?,
            secret: self.secret()?,
            clock: self.clock(),
            site: &self.settings.installation.site,
        })
    }

    pub fn outbox(&self) -> &dyn Outbox {
        self.table()
    }

    pub fn mailer(&self) -> Result<&dyn Mailer> {
        let mail = self.settings.mail.as_ref().ok_or_else(|| Error::internal("MAIL_FROM is not set"))?;
        let mailer = self.mailer.get_or_init(|| match mail {
            MailSettings::Folder(path) => Box::new(MailFolder::new(path.clone())),
            MailSettings::Ses { from, reply_to, configuration_set } => Box::new(Ses {
                client: self.ses(),
                from: from.clone(),
                reply_to: reply_to.clone(),
                configuration_set: configuration_set.clone(),
            }),
        });
        Ok(mailer.as_ref())
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the secret of codes and mails. A process keeps the first secret that it has read, so that all codes and
    /// mails of a request use the same one.
    fn secret(&self) -> Result<&Secret> {
        if let Some(secret) = self.code_secret.get() {
            return Ok(secret);
        }
        let secret = self.secrets.current()?.code.clone();
        let secret = secret.ok_or_else(|| Error::internal("this function has no secret of codes"))?;
        Ok(self.code_secret.get_or_init(|| secret))
    }

    fn cognito_client_secret(&self) -> Option<String> {
        self.secrets.current().ok()?.cognito_client.clone()
    }

    pub fn clock(&self) -> &dyn Clock {
        self.options.clock.as_ref()
    }

    pub fn random_source(&self) -> &dyn RandomSource {
        &SystemRandomSource
    }

    /// Verifies a token and returns its claims. A token that is not valid or has expired is an error. If the key of the
    /// token is not known, the keys are read again first, because they may have been changed.
    pub async fn verify(&self, token: &str) -> Result<Claims> {
        let now = self.clock().now();
        let mut known = self.secrets.load_if_stale(now).await?;
        if known.verifier.lacks_key_of(token) {
            known = self.secrets.reload_for_unknown_key(now).await?;
        }
        known.verifier.verify(token, now)
    }

    /// Returns the signer of tokens, or `None` in a Lambda function that may not issue tokens.
    pub async fn signer(&self) -> Result<Option<Arc<Signer>>> {
        Ok(self.secrets.load_if_stale(self.clock().now()).await?.signer.clone())
    }

    /// Returns whether to accept a request. `sent` is the origin secret in the request, or `None` if the request
    /// has no secret. A correct secret proves that the request came through the CDN. If no origin secret is configured,
    /// the service runs without a CDN, and every request is accepted.
    pub fn accepts_origin_secret(&self, sent: Option<&str>) -> bool {
        let alone = self.secrets.current().is_ok_and(|known| known.origin.is_empty());
        alone || sent.is_some_and(|sent| self.is_origin_secret(sent))
    }

    /// Returns whether `sent` is one of the CDN's origin secrets.
    pub fn is_origin_secret(&self, sent: &str) -> bool {
        let known = self.secrets.current();
        // Compares hashes, so that the duration of the comparison reveals nothing about the secret.
        let sent = content_hash(sent.as_bytes());
        known.is_ok_and(|known| known.origin.iter().any(|secret| content_hash(secret.as_bytes()) == sent))
    }

    pub fn options(&self) -> &RuntimeOptions {
        &self.options
    }

    pub fn fill_limit(&self) -> Limit {
        Limit { most: self.options.guest_fills_per_minute.unwrap_or(FILL_PER_GUEST.most), ..FILL_PER_GUEST }
    }
}

/// Builds the HTTP client of all services. It has no TLS if all endpoints are `http://` addresses, because loading the
/// TLS certificates takes time.
fn http(settings: &Settings) -> SharedHttpClient {
    let endpoints = &settings.aws.endpoints;
    let services = [
        Some(&endpoints.dynamodb),
        Some(&endpoints.s3),
        (settings.cognito.is_some() || settings.google.is_some()).then_some(&endpoints.cognito),
        matches!(settings.mail, Some(MailSettings::Ses { .. })).then_some(&endpoints.ses),
        matches!(settings.secrets, SecretSettings::Parameters(_)).then_some(&endpoints.ssm),
    ];
    let plain = |endpoint: &Option<String>| endpoint.as_ref().is_some_and(|url| url.starts_with("http://"));
    if services.into_iter().flatten().all(plain) {
        return Builder::new().build_http();
    }
    Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https()
}

/// Returns whether an endpoint is on this machine. A service on this machine has the same clock as this process. The
/// SDK must then not correct the time of signatures by the `Date` header of responses, because this header can be
/// wrong. After the machine's clock is set back, hyper keeps sending the old time in it, and every signature would be
/// refused.
fn is_local(endpoint: &str) -> bool {
    let authority = endpoint.split_once("://").map_or(endpoint, |(_, rest)| rest);
    let authority = authority.split('/').next().unwrap_or_default();
    authority.parse().is_ok_and(|address: SocketAddr| address.ip().is_loopback())
        || authority.split(':').next() == Some("localhost")
}

/// Adapts a [`Clock`] to the SDK's trait for time sources.
#[derive(Clone)]
struct SigningTime(Arc<dyn Clock>);

impl fmt::Debug for SigningTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SigningTime")
    }
}

impl TimeSource for SigningTime {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.0.now().0)
    }
}

fn bucket(aws: &AwsSettings, stores: &StoreSettings, patience: Timeouts, http: &SharedHttpClient) -> Bucket {
    let config = aws_sdk_s3::Config::builder()
        .behavior_version(aws_sdk_s3::config::BehaviorVersion::latest())
        .region(aws_sdk_s3::config::Region::new(aws.region.clone()))
        .credentials_provider(credentials(&aws.credentials))
        .timeout_config(sdk_timeouts(patience))
        .http_client(http.clone());
    let config = match &aws.endpoints.s3 {
        Some(url) => config.endpoint_url(url).force_path_style(true).disable_clock_skew_correction(is_local(url)),
        None => config,
    };
    Bucket {
        client: aws_sdk_s3::Client::from_conf(config.build()),
        name: stores.bucket.clone(),
        link_base: aws.endpoints.s3.clone().zip(stores.link_base.clone()),
        timeouts: patience,
    }
}

/// Converts time limits into those of the SDK. By default, the SDK makes three attempts, with exponential back-off and
/// jitter.
fn sdk_timeouts(timeouts: Timeouts) -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(timeouts.connect)
        .operation_attempt_timeout(timeouts.attempt)
        .operation_timeout(timeouts.operation)
        .build()
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
