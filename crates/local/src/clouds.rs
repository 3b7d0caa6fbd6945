//! Provides the [`Cloud`] of each function. If access control is enabled, each function has its own identity and
//! secrets. Otherwise, all functions share one cloud.

use std::collections::HashMap;
use std::sync::Arc;

use functions::routes::routes;
use waraq_aws::{Cloud, SecretSettings, Secrets};
use waraq_core::Result;

use crate::rights::Rights;

/// The functions that serve no route.
const NON_ROUTE_FUNCTIONS: [&str; 4] = ["outbox", "account-cleanup", "list-snapshots", "file-sweep"];

pub struct Clouds {
    installation: Arc<Cloud>,
    by_function: HashMap<String, Arc<Cloud>>,
}

impl Clouds {
    pub fn new(installation: &Arc<Cloud>, rights: Option<&dyn Rights>) -> Result<Self> {
        let mut own = HashMap::new();
        if let Some(rights) = rights {
            let functions = routes().into_iter().map(|route| route.function);
            for function in functions.chain(NON_ROUTE_FUNCTIONS.map(str::to_owned)) {
                let cloud = cloud_of(installation, &function, &rights.variables(&function))?;
                own.insert(function, Arc::new(cloud));
            }
        }
        Ok(Self { installation: Arc::clone(installation), by_function: own })
    }

    pub fn installation(&self) -> &Arc<Cloud> {
        &self.installation
    }

    pub fn for_function(&self, function: &str) -> Arc<Cloud> {
        Arc::clone(self.by_function.get(function).unwrap_or(&self.installation))
    }
}

/// Creates the [`Cloud`] of one function. `variables` are the names of the function's environment variables. They
/// decide which secrets the function can use.
fn cloud_of(installation: &Cloud, function: &str, variables: &[String]) -> Result<Cloud> {
    let mut settings = installation.settings().clone();
    settings.aws.credentials.access_key_id = function.to_owned();
    if let SecretSettings::Given(secrets) = &mut settings.secrets {
        *secrets = visible_secrets(secrets, variables);
    }
    Cloud::new(settings, installation.options().clone())
}

/// Returns the secrets whose parameters are named in a function's environment.
fn visible_secrets(all: &Secrets, variables: &[String]) -> Secrets {
    let is_told = |name: &str| variables.iter().any(|variable| variable == name);
    Secrets {
        token_public_keys: match is_told("TOKEN_PUBLIC_KEYS_PARAMETER") {
            true => all.token_public_keys.clone(),
            false => Vec::new(),
        },
        token_private_key: all.token_private_key.clone().filter(|_| is_told("TOKEN_PRIVATE_KEY_PARAMETER")),
        code: all.code.clone().filter(|_| is_told("CODE_SECRET_PARAMETER")),
        origin: if is_told("ORIGIN_SECRET_PARAMETER") { all.origin.clone() } else { Vec::new() },
        cognito_client: all.cognito_client.clone().filter(|_| is_told("COGNITO_CLIENT_SECRET_PARAMETER")),
    }
}
