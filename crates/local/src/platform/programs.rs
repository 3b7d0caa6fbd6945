//! The programs of the Lambda functions, with the environment of template.yaml. Each program runs in as many processes
//! as the function has concurrent calls.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::sync::Semaphore;
use waraq_aws::{MailSettings, SecretNames, SecretSettings, Settings};

use super::function::{Function, InvocationResult, LARGEST_EVENT, Log};
use crate::rights::INSTALLATION_KEY_ID;

/// Limit on concurrent calls. Further calls wait (Lambda would refuse them).
const CONCURRENCY: usize = 48;

/// A function as described in template.yaml.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionSettings {
    /// Name of the function, which is also the name of its program.
    pub name: String,
    /// Names of the environment variables that the function gets.
    pub variables: Vec<String>,
    pub time_out: Duration,
    pub memory_mb: u32,
    /// Logical name of the function's IAM role in template.yaml.
    pub role: String,
}

/// Settings for running each Lambda function as a program of its own, instead of as a handler in this process.
#[derive(Clone)]
pub struct ProgramSettings {
    /// The folder that contains the programs. Each program has the name of its function.
    pub folder: PathBuf,
    pub functions: BTreeMap<String, FunctionSettings>,
    /// Receives each line that the programs write to their logs. `None`: the lines are discarded.
    pub log: Option<Log>,
    /// Environment variables to override, for example to put a proxy in front of a service.
    pub overrides: HashMap<String, String>,
    /// If true, each function calls AWS with its own identity, so that its policy applies. Otherwise all use the
    /// identity of the installation.
    pub own_identity: bool,
}

/// Local services of this process that replace those of AWS.
#[derive(Debug, Clone, Copy)]
pub struct LocalServices {
    pub parameters: SocketAddr,
    pub mails: SocketAddr,
}

/// The reason why a call has no result.
#[derive(Debug)]
pub enum InvocationError {
    /// The event is larger than Lambda allows.
    TooLarge,
    /// The function failed, or returned something that is not the result of a route.
    Failed(String),
    /// The function exceeded its time limit.
    TimedOut,
}

pub struct Programs {
    settings: ProgramSettings,
    stand_ins: LocalServices,
    environments: HashMap<String, HashMap<String, String>>,
    idle: Mutex<HashMap<String, Vec<Function>>>,
    calls: Semaphore,
}

impl Programs {
    /// Prepares the environment of each program, but starts no program. `settings` has the names of the table, of the
    /// bucket and of the parameters that contain the secrets.
    pub fn new(programs: ProgramSettings, settings: &Settings, stand_ins: LocalServices) -> Result<Self> {
        let mut environments = HashMap::new();
        for (name, function) in &programs.functions {
            let mut environment = platform_variables(settings, stand_ins);
            let key = if programs.own_identity { name.as_str() } else { INSTALLATION_KEY_ID };
            environment.insert("AWS_ACCESS_KEY_ID".to_owned(), key.to_owned());
            environment.insert("AWS_LAMBDA_FUNCTION_MEMORY_SIZE".to_owned(), function.memory_mb.to_string());
            for variable in &function.variables {
                let value =
                    variable_value(settings, variable).with_context(|| format!("{name}: what is {variable}?"))?;
                environment.insert(variable.clone(), value);
            }
            environment.extend(programs.overrides.clone());
            environments.insert(name.clone(), environment);
        }
        let (idle, calls) = (Mutex::default(), Semaphore::new(CONCURRENCY));
        Ok(Self { settings: programs, stand_ins, environments, idle, calls })
    }

    /// Returns the addresses of the local services.
    pub fn local_services(&self) -> LocalServices {
        self.stand_ins
    }

    /// Ends the processes that handle no call, as Lambda does after a while. Later calls start new processes.
    pub fn end_idle(&self) {
        self.idle().clear();
    }

    /// Returns the environment variables of a function, or `None` if template.yaml has no such function.
    pub fn environment(&self, function: &str) -> Option<&HashMap<String, String>> {
        self.environments.get(function)
    }

    /// Starts another process of a function, in addition to those that serve calls.
    pub async fn start(&self, function: &str) -> Result<Function> {
        let environment = self.environments.get(function);
        let environment = environment.with_context(|| format!("template.yaml has no function {function}"))?;
        Function::start(&self.settings.folder.join(function), environment, self.settings.log.clone()).await
    }

    /// Sends an event to a function. If the caller's future is dropped, the function continues.
    pub async fn invoke(self: &Arc<Self>, function: &str, event: Value) -> Result<Value, InvocationError> {
        if event.to_string().len() > LARGEST_EVENT {
            return Err(InvocationError::TooLarge);
        }
        let (programs, function) = (Arc::clone(self), function.to_owned());
        let answered = tokio::spawn(async move { programs.invoke_process(&function, event).await });
        answered.await.unwrap_or_else(|error| Err(InvocationError::Failed(error.to_string())))
    }

    async fn invoke_process(&self, name: &str, event: Value) -> Result<Value, InvocationError> {
        let failed = |error: &dyn std::fmt::Display| InvocationError::Failed(format!("{name}: {error}"));
        let _permit = self.calls.acquire().await.map_err(|error| failed(&error))?;
        let time_out = self.settings.functions.get(name).map(|function| function.time_out).unwrap_or_default();
        let waiting = self.idle().get_mut(name).and_then(Vec::pop);
        let mut function = match waiting {
            Some(function) => function,
            None => self.start(name).await.map_err(|error| failed(&format!("{error:#}")))?,
        };
        // A function that returns no result in time is ended, as on Lambda.
        let answered = function.invoke(event, time_out).await.ok_or(InvocationError::TimedOut)?;
        self.idle().entry(name.to_owned()).or_default().push(function);
        match answered {
            InvocationResult::Response(answer) => Ok(answer),
            InvocationResult::Error(error) => Err(failed(&error)),
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, HashMap<String, Vec<Function>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the environment variables that Lambda sets, and those with the addresses of the AWS services.
fn platform_variables(settings: &Settings, stand_ins: LocalServices) -> HashMap<String, String> {
    let aws = &settings.aws;
    let at = |address: SocketAddr| format!("http://{address}");
    let mut environment = HashMap::from([
        ("AWS_REGION", aws.region.clone()),
        ("AWS_DEFAULT_REGION", aws.region.clone()),
        ("AWS_SECRET_ACCESS_KEY", aws.credentials.secret_access_key.clone()),
        ("AWS_ENDPOINT_URL_SSM", aws.endpoints.ssm.clone().unwrap_or_else(|| at(stand_ins.parameters))),
        ("AWS_ENDPOINT_URL_SES", aws.endpoints.ses.clone().unwrap_or_else(|| at(stand_ins.mails))),
        // Without an endpoint for Cognito, no service listens at the address used here, so that calls fail at once.
        (
            "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER",
            aws.endpoints.cognito.clone().unwrap_or_else(|| "http://127.0.0.1:1".to_owned()),
        ),
    ]);
    environment.extend(aws.endpoints.dynamodb.clone().map(|url| ("AWS_ENDPOINT_URL_DYNAMODB", url)));
    environment.extend(aws.endpoints.s3.clone().map(|url| ("AWS_ENDPOINT_URL_S3", url)));
    environment.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the names of the parameters that contain the keys and secrets of `settings`. Keys and secrets without a
/// parameter get a default name.
pub fn secret_names(settings: &Settings) -> SecretNames {
    match &settings.secrets {
        SecretSettings::Parameters(names) => names.clone(),
        SecretSettings::Given(_) => {
            let name = |name: &str| Some(format!("/waraq/{name}"));
            SecretNames {
                token_public_keys: name("token/public-keys"),
                token_private_key: name("token/private-key"),
                code: name("code-secret"),
                origin: name("origin-secret"),
                cognito_client: name("cognito/client-secret"),
            }
        }
    }
}

/// Returns the value that a variable of template.yaml has in this installation. The value is empty if the installation
/// has no such setting. Returns `None` if the variable is unknown.
fn variable_value(settings: &Settings, variable: &str) -> Option<String> {
    let (house, names) = (&settings.installation, secret_names(settings));
    let operator = |part: fn(&waraq_aws::OperatorSettings) -> &String| {
        house.operator.as_ref().map(|operator| part(operator).clone())
    };
    let (cognito, google) = (settings.cognito.as_ref(), settings.google.as_ref());
    let value = match variable {
        "TABLE_NAME" => Some(settings.stores.table.clone()),
        "BUCKET_NAME" => Some(settings.stores.bucket.clone()),
        "SNAPSHOT_ROWS" => Some(settings.stores.snapshot_rows.to_string()),
        "STACK_NAME" => Some("waraq".to_owned()),
        // This variable would apply to all services, but each local service has its own endpoint.
        "AWS_ENDPOINT_URL" => None,
        "SITE_URL" => Some(house.site.clone()),
        "HOME_URL" => house.home_url.clone(),
        "APP_URL" => house.app_url.clone(),
        "SUPPORT_EMAIL" => house.support_email.clone(),
        "OPERATOR_NAME" => operator(|operator| &operator.name),
        "OPERATOR_SEAT" => operator(|operator| &operator.seat),
        "OPERATOR_CONTACT" => operator(|operator| &operator.contact),
        "MAIL_FROM" => Some(match &settings.mail {
            Some(MailSettings::Ses { from, .. }) => from.clone(),
            _ => "Waraq <no-reply@waraq.localhost>".to_owned(),
        }),
        "MAIL_REPLY_TO" => match &settings.mail {
            Some(MailSettings::Ses { reply_to, .. }) => reply_to.clone(),
            _ => None,
        },
        "MAIL_CONFIGURATION_SET" => Some("waraq".to_owned()),
        "TOKEN_PUBLIC_KEYS_PARAMETER" => names.token_public_keys,
        "TOKEN_PRIVATE_KEY_PARAMETER" => names.token_private_key,
        "CODE_SECRET_PARAMETER" => names.code,
        "ORIGIN_SECRET_PARAMETER" => names.origin,
        "COGNITO_CLIENT_SECRET_PARAMETER" => names.cognito_client.filter(|_| cognito.is_some()),
        "COGNITO_USER_POOL_ID" => {
            let pool = cognito.map(|cognito| &cognito.user_pool_id);
            pool.or(google.map(|google| &google.user_pool_id)).cloned()
        }
        "COGNITO_CLIENT_ID" => cognito.map(|cognito| cognito.client_id.clone()),
        "GOOGLE_CLIENT_ID" => google.map(|google| google.client_id.clone()),
        "GOOGLE_DOMAIN" => google.map(|google| google.domain.clone()),
        _ => return None,
    };
    Some(value.unwrap_or_default())
}
