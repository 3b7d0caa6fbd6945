//! Starts the services of the local server. A service that another one needs is started first.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use waraq_aws::{
    AwsSettings, Cloud, CognitoSettings, Credentials, Endpoints, GoogleSettings, InstallationSettings, MailFolder,
    MailSettings, RuntimeOptions, SNAPSHOT_ROWS, SecretNames, SecretSettings, Secrets, Settings, StoreSettings,
    SystemClock, SystemRandomSource, create_table,
};
use waraq_core::RandomSource as _;
use waraq_core::token::Signer;

use crate::admin::{self, FirstAdmin, first_admin};
use crate::background::Background;
use crate::clouds::Clouds;
use crate::delayed_index::DelayedIndex;
use crate::faults::{FaultSettings, Faults};
use crate::folder::DataFolder;
use crate::gateway::{self, CallNotifications, Gateway};
use crate::meter::ReadMeter;
use crate::platform::{self, ProgramSettings, Programs};
use crate::rights::{Guard, INSTALLATION_KEY_ID, Rights};
use crate::signature::Signatures;
use crate::{account_cleanup, dynamodb, expiry, lifecycle, outbox, s3, snapshots};

const TABLE: &str = "waraq";
const BUCKET: &str = "waraq";
const REGION: &str = "us-east-1";
/// Name of the file with the private key that signs session tokens.
const TOKEN_KEY: &str = "token-key.der";
/// Name of the file with the secret of mailed codes.
const CODE_SECRET: &str = "code-secret";

#[derive(Clone)]
pub struct Options {
    /// The port on which the product is served; 0 for any free port.
    pub port: u16,
    pub data: PathBuf,
    /// The folder of the built frontend. `None` serves only the API.
    pub frontend: Option<PathBuf>,
    /// If true, the templates of the starting catalogue are published.
    pub starting_catalogue: bool,
    pub admin_email: String,
    /// Time between two sweeps, which delete expired items. A sweep also deletes unneeded files if this was not done
    /// within the last day.
    pub sweep: Duration,
    /// Number of rows above which a list gets a snapshot, a file with all its rows.
    pub snapshot_rows: u64,
    /// Replication lag of the index, for tests. `None`: the index has no lag.
    pub index_delay: Option<Duration>,
    /// Measures reads of the table, for benchmarks. `None`: reads are not measured.
    pub meter: Option<Arc<ReadMeter>>,
    /// Faults to inject, for tests.
    pub faults: FaultSettings,
    /// Policies of the functions, for tests. `None`: every function may do everything.
    pub rights: Option<Arc<dyn Rights>>,
    /// The programs that serve the functions. `None` uses the handlers in this process.
    pub programs: Option<ProgramSettings>,
    /// Limit on the bytes of all unfinished request bodies; changed only in tests.
    pub body_bytes: u64,
    /// Addresses of proxies in front of table and bucket, such as a TLS proxy. Requests addressed to them are accepted.
    pub proxies: Vec<SocketAddr>,
    /// Clock and limits; changed only in tests.
    pub options: RuntimeOptions,
    /// Endpoints of AWS services that are outside this process.
    pub endpoints: Endpoints,
    /// Settings of the sign-in with Google. `None` disables it.
    pub google: Option<GoogleSettings>,
    /// The Cognito pool that stores the passwords. `None` stores them in the table.
    pub cognito: Option<CognitoSettings>,
    pub cognito_client_secret: Option<String>,
    /// Names of the Systems Manager parameters that contain the keys and secrets. `None` keeps them in the data folder.
    pub secrets: Option<SecretNames>,
    /// Settings of the mail service. `None` stores mails in a folder instead of sending them.
    pub mail: Option<MailSettings>,
    /// Settings of the installation. Without an operator, the legal pages say that the operator is not named yet.
    pub installation: InstallationSettings,
}

impl Options {
    pub fn new(data: impl Into<PathBuf>) -> Self {
        Self {
            port: 0,
            data: data.into(),
            frontend: None,
            starting_catalogue: true,
            admin_email: "admin@waraq.localhost".to_owned(),
            sweep: Duration::from_secs(60),
            snapshot_rows: SNAPSHOT_ROWS,
            index_delay: None,
            meter: None,
            faults: FaultSettings::default(),
            rights: None,
            programs: None,
            body_bytes: gateway::MOST_BODY_BYTES,
            proxies: Vec::new(),
            options: RuntimeOptions::default(),
            endpoints: Endpoints::default(),
            google: None,
            cognito: None,
            cognito_client_secret: None,
            secrets: None,
            mail: None,
            installation: InstallationSettings {
                support_email: Some("support@waraq.localhost".to_owned()),
                ..InstallationSettings::default()
            },
        }
    }
}

/// The running product. It ends when this value is dropped.
pub struct Server {
    pub address: SocketAddr,
    clouds: Arc<Clouds>,
    /// The programs that serve the functions, or `None` if the handlers in this process serve them.
    pub programs: Option<Arc<Programs>>,
    /// The settings of `cloud`. With them, a test can create a second [`Cloud`] that uses the same table and bucket but
    /// has empty caches.
    pub settings: Settings,
    pub cloud: Arc<Cloud>,
    pub admin: FirstAdmin,
    /// The task that publishes the starting catalogue. Its result is the number of templates published.
    pub catalogue: JoinHandle<Result<usize>>,
    ended: CancellationToken,
    gateway: JoinHandle<std::io::Result<()>>,
    _folder: Arc<DataFolder>,
}

impl Server {
    /// Returns the cloud of a function. With access control, the cloud uses the identity of the function.
    pub fn cloud_of(&self, function: &str) -> Arc<Cloud> {
        self.clouds.for_function(function)
    }

    /// Serves the product until the gateway stops.
    pub async fn serve(mut self) {
        match (&mut self.gateway).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the gateway stopped"),
            Err(error) => tracing::error!(%error, "the gateway stopped"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.cancel();
    }
}

/// Starts all services. Fails if the port is taken or another process holds the folder.
pub async fn start(options: Options) -> Result<Server> {
    let folder = Arc::new(DataFolder::open(&options.data)?);
    let listener = TcpListener::bind(("127.0.0.1", options.port)).await;
    let listener = listener.with_context(|| format!("port {} is taken; name another with --port", options.port))?;
    let address = listener.local_addr()?;
    let ended = CancellationToken::new();
    let credentials = new_credentials();
    let faults = Arc::new(Faults::new(options.faults));
    let guard = Guard(options.rights.clone());
    let secret = credentials.secret_access_key.clone();
    let fronts = &options.proxies;
    let s3_faults = Arc::clone(&faults);
    let s3_address = s3::serve(&folder.path("s3"), BUCKET, &secret, guard, s3_faults, fronts, ended.clone()).await?;
    let database_path = folder.path("dynamodb.sqlite");
    let lost = !database_path.exists() && admin::forget_lost(&folder)?;
    if lost {
        folder.delete_file(expiry::POSITION)?;
    }
    // The key is written after the database was created.
    let first_start = !folder.path(TOKEN_KEY).exists();
    let database = dynamodb::open(&database_path, first_start)?;
    let clock = options.options.signing_clock.clone().unwrap_or_else(|| Arc::new(SystemClock));
    let signatures = Signatures { secret, region: REGION.to_owned(), service: "dynamodb", clock };
    let hindrances = dynamodb::TestHooks {
        delayed_index: options.index_delay.map(DelayedIndex::new),
        faults,
        meter: options.meter.clone(),
        rights: options.rights.clone(),
        proxies: fronts.clone(),
    };
    let dynamodb_address = dynamodb::serve(database.clone(), signatures, hindrances, ended.clone()).await?;
    let private_key = folder.read_or_create(TOKEN_KEY, || Signer::generate(&SystemRandomSource))?;
    let signer = Signer::new(&private_key).with_context(|| {
        damaged(&folder.path(TOKEN_KEY), "delete it: a new key is generated, and everybody must sign in again")
    })?;
    let code_secret = folder.read_or_create(CODE_SECRET, || {
        let mut secret = vec![0u8; 32];
        SystemRandomSource.fill_bytes(&mut secret);
        secret
    })?;
    if code_secret.is_empty() {
        bail!(damaged(
            &folder.path(CODE_SECRET),
            "delete it: a new secret is generated, and mailed codes become invalid"
        ));
    }
    // The programs read the secret from a parameter, and parameters contain only text.
    let code_secret = match String::from_utf8(code_secret) {
        Ok(text) => text.into_bytes(),
        Err(bytes) if options.programs.is_none() => bytes.into_bytes(),
        Err(bytes) => bytes.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>().into_bytes(),
    };
    let mails = folder.path("mail");
    let given = Secrets {
        token_public_keys: vec![signer.public_key()],
        token_private_key: Some(private_key),
        code: Some(code_secret),
        origin: Vec::new(),
        cognito_client: options.cognito_client_secret.clone(),
    };
    let secrets = match &options.secrets {
        Some(names) => SecretSettings::Parameters(names.clone()),
        None => SecretSettings::Given(given.clone()),
    };
    let settings = Settings {
        aws: AwsSettings {
            region: REGION.to_owned(),
            credentials,
            endpoints: Endpoints {
                dynamodb: Some(format!("http://{dynamodb_address}")),
                s3: Some(format!("http://{s3_address}")),
                ..options.endpoints.clone()
            },
        },
        stores: StoreSettings {
            distribution: None,
            table: TABLE.to_owned(),
            bucket: BUCKET.to_owned(),
            link_base: Some(gateway::LINK_PREFIX.to_owned()),
            snapshot_rows: options.snapshot_rows,
        },
        secrets,
        mail: Some(options.mail.clone().unwrap_or_else(|| MailSettings::Folder(mails.clone()))),
        cognito: options.cognito.clone(),
        google: options.google.clone(),
        installation: InstallationSettings {
            site: format!("http://localhost:{}", address.port()),
            ..options.installation.clone()
        },
    };
    let cloud = Arc::new(Cloud::new(settings.clone(), options.options.clone())?);
    cloud.ready().await?;
    create_table(cloud.dynamodb(), cloud.table_name()).await?;
    let admin = first_admin(&folder, &cloud, &options.admin_email, lost).await?;
    let clouds = Arc::new(Clouds::new(&cloud, options.rights.as_deref())?);
    let programs = match &options.programs {
        Some(programs) => {
            let folder = MailFolder::new(mails.clone());
            Some(platform::start(programs.clone(), &settings, &given, folder, options.rights.clone()).await?)
        }
        None => None,
    };
    let background = Arc::new(Background { clouds: Arc::clone(&clouds), programs: programs.clone() });
    let expiry = expiry::Expiry {
        database,
        database_path,
        table: cloud.table_name().to_owned(),
        background: Arc::clone(&background),
        folder: Arc::clone(&folder),
    };
    tokio::spawn(expiry.drive(options.sweep, ended.clone()));
    let lifecycle = lifecycle::Lifecycle {
        cloud: Arc::clone(&cloud),
        background: Arc::clone(&background),
        folder: Arc::clone(&folder),
    };
    tokio::spawn(lifecycle.drive(options.sweep, ended.clone()));
    let written = Arc::new(Notify::new());
    tokio::spawn(outbox::drive(Arc::clone(&background), Arc::clone(&written), ended.clone()));
    let deleted = Arc::new(Notify::new());
    tokio::spawn(account_cleanup::drive(Arc::clone(&background), options.sweep, Arc::clone(&deleted), ended.clone()));
    tokio::spawn(snapshots::drive(background, options.sweep, ended.clone()));
    let told = CallNotifications { written, deleted };
    let gateway = Gateway {
        clouds: Arc::clone(&clouds),
        programs: programs.clone(),
        frontend: options.frontend.clone(),
        s3: s3_address,
        body_bytes: options.body_bytes,
        mails: MailFolder::new(mails),
        notifications: told,
    };
    let gateway = tokio::spawn(gateway.serve(listener, ended.clone()));
    let publishing = Arc::clone(&cloud);
    let wanted = options.starting_catalogue;
    let catalogue =
        tokio::spawn(
            async move { if wanted { waraq_operations::publish_catalogue(&publishing).await } else { Ok(0) } },
        );
    Ok(Server { address, clouds, programs, settings, cloud, admin, catalogue, ended, gateway, _folder: folder })
}

/// Returns the message about a damaged file of the data folder. `otherwise` says what to do without a copy of the file.
fn damaged(path: &Path, otherwise: &str) -> String {
    format!("{} is damaged. The file was not changed: restore a copy of it, or {otherwise}", path.display())
}

/// Generates the credentials for the local DynamoDB and S3. They are new at every start, because other users of this
/// machine can reach the ports.
fn new_credentials() -> Credentials {
    let mut secret = [0u8; 32];
    SystemRandomSource.fill_bytes(&mut secret);
    Credentials {
        access_key_id: INSTALLATION_KEY_ID.to_owned(),
        secret_access_key: secret.iter().map(|byte| format!("{byte:02x}")).collect(),
        session_token: None,
    }
}
