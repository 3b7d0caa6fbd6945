//! The [`Cloud`] of each function. With access control, each function has its own identity and secrets; else all share
//! one.

use std::collections::HashMap;
use std::sync::Arc;

use functions::routes::routes;
use waraq_aws::{Cloud, SecretSettings, Secrets};
use waraq_core::Result;

use crate::rights::Rights;

/// The functions that are not routes.
const NO_ROUTES: [&str; 3] = ["outbox", "gone-accounts", "list-snapshots"];

pub struct Clouds {
    house: Arc<Cloud>,
    own: HashMap<String, Arc<Cloud>>,
}

impl Clouds {
    pub fn new(house: &Arc<Cloud>, rights: Option<&dyn Rights>) -> Result<Self> {
        let mut own = HashMap::new();
        if let Some(rights) = rights {
            let functions = routes().into_iter().map(|route| route.function);
            for function in functions.chain(NO_ROUTES.map(str::to_owned)) {
                let cloud = cloud_of(house, &function, &rights.variables(&function))?;
                own.insert(function, Arc::new(cloud));
            }
        }
        Ok(Self { house: Arc::clone(house), own })
    }

    pub fn house(&self) -> &Arc<Cloud> {
        &self.house
    }

    pub fn of(&self, function: &str) -> Arc<Cloud> {
        Arc::clone(self.own.get(function).unwrap_or(&self.house))
    }
}

/// Creates the cloud of one function. `variables` are the names of the variables in its environment.
fn cloud_of(house: &Cloud, function: &str, variables: &[String]) -> Result<Cloud> {
    let mut settings = house.settings().clone();
    settings.aws.credentials.access_key_id = function.to_owned();
    if let SecretSettings::Given(secrets) = &mut settings.secrets {
        *secrets = told(secrets, variables);
    }
    Cloud::new(settings, house.conditions().clone())
}

/// Returns the secrets whose parameters are named in a function's environment.
fn told(all: &Secrets, variables: &[String]) -> Secrets {
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
