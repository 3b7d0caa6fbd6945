//! The secrets and keys of this process. They are either passed in at the start, or read from Systems Manager. In the
//! second case they are read again when they are old or a token has an unknown key.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use waraq_core::secret::Secret;
use waraq_core::token::{Signer, Verifier};
use waraq_core::{Error, Result, Timestamp};

use crate::parameter::ParameterClient;
use crate::settings::{SecretNames, Secrets};

/// Maximum age of the secrets, in seconds. If a secret is changed, every running function uses the new one after at
/// most this time.
pub const MAX_AGE_SECONDS: u64 = 3_600;
/// Number of seconds after a read of the keys during which a token with an unknown key does not cause another read.
/// This limit is needed, because anyone can send such tokens.
pub const MIN_RELOAD_SECONDS: u64 = 60;

/// The keys and secrets, parsed and ready for use.
pub struct LoadedSecrets {
    pub verifier: Verifier,
    /// The signer of tokens. `None` in functions that issue no tokens.
    pub signer: Option<Arc<Signer>>,
    /// The secret that protects stored codes and encrypts mails in the outbox. `None` in functions that do neither.
    pub code: Option<Arc<Secret>>,
    /// The origin secrets; each of them proves that a request came through the CDN.
    pub origin: Vec<String>,
    pub cognito_client: Option<String>,
    read_at: Timestamp,
}

impl LoadedSecrets {
    pub fn new(secrets: &Secrets, now: Timestamp) -> Result<Self> {
        let signer = secrets.token_private_key.as_deref().map(Signer::new).transpose()?;
        let code = secrets.code.as_deref().map(Secret::new).transpose()?;
        Ok(Self {
            verifier: Verifier::new(secrets.token_public_keys.iter().cloned()),
            signer: signer.map(Arc::new),
            code: code.map(Arc::new),
            origin: secrets.origin.clone(),
            cognito_client: secrets.cognito_client.clone(),
            read_at: now,
        })
    }

    /// Returns whether the secrets were read at least `seconds` ago. If the clock was set back by more than a minute
    /// since then, their age is not known, and the result is true.
    fn older_than(&self, seconds: u64, now: Timestamp) -> bool {
        now.seconds() + 60 < self.read_at.seconds() || now.seconds() >= self.read_at.seconds() + seconds
    }
}

/// The source of the secrets.
enum SecretSource {
    Given,
    Parameters { parameters: Box<ParameterClient>, names: SecretNames },
}

pub struct SecretCache {
    source: SecretSource,
    loaded: RwLock<Option<Arc<LoadedSecrets>>>,
    /// Lets one task read the secrets while the others wait for the result.
    reading: tokio::sync::Mutex<()>,
}

impl SecretCache {
    pub fn from_secrets(secrets: &Secrets, now: Timestamp) -> Result<Self> {
        let known = Arc::new(LoadedSecrets::new(secrets, now)?);
        Ok(Self {
            source: SecretSource::Given,
            loaded: RwLock::new(Some(known)),
            reading: tokio::sync::Mutex::default(),
        })
    }

    pub fn from_parameters(parameters: ParameterClient, names: SecretNames) -> Self {
        let source = SecretSource::Parameters { parameters: Box::new(parameters), names };
        Self { source, loaded: RwLock::default(), reading: tokio::sync::Mutex::default() }
    }

    /// Returns the secrets.
    ///
    /// # Errors
    /// Fails before [`SecretCache::load_if_stale`] has completed.
    pub fn current(&self) -> Result<Arc<LoadedSecrets>> {
        let known = self.loaded.read().unwrap_or_else(PoisonError::into_inner).clone();
        known.ok_or_else(|| Error::unavailable("the secrets have not been read"))
    }

    /// Returns the secrets. Reads them first if they have not been read yet or are too old. If reading them again
    /// fails, the old ones are returned.
    pub async fn load_if_stale(&self, now: Timestamp) -> Result<Arc<LoadedSecrets>> {
        match self.current() {
            Err(_) => self.load_unless(now, |_| true).await,
            Ok(known) if known.older_than(MAX_AGE_SECONDS, now) => {
                let read = self.load_unless(now, |known| !known.older_than(MAX_AGE_SECONDS, now)).await;
                Ok(read.unwrap_or_else(|error| {
                    tracing::warn!(cause = error.cause.as_deref(), "the secrets could not be read again");
                    known
                }))
            }
            known => known,
        }
    }

    /// Reads the secrets again after a token with an unknown key, and returns them. If they were read less than
    /// [`MIN_RELOAD_SECONDS`] ago, they are not read again.
    pub async fn reload_for_unknown_key(&self, now: Timestamp) -> Result<Arc<LoadedSecrets>> {
        match &self.source {
            SecretSource::Given => self.current(),
            SecretSource::Parameters { .. } => {
                self.load_unless(now, |known| !known.older_than(MIN_RELOAD_SECONDS, now)).await
            }
        }
    }

    async fn load_unless(&self, now: Timestamp, fresh: impl Fn(&LoadedSecrets) -> bool) -> Result<Arc<LoadedSecrets>> {
        let _turn = self.reading.lock().await;
        if let Ok(known) = self.current()
            && fresh(&known)
        {
            return Ok(known);
        }
        let SecretSource::Parameters { parameters, names } = &self.source else { return self.current() };
        let wanted = names.all();
        // A function without secrets reads none. The call is boxed to keep the size of the caller's future small.
        let read =
            if wanted.is_empty() { HashMap::new() } else { Box::pin(parameters.get_parameters(&wanted)).await? };
        let known = Arc::new(LoadedSecrets::new(&parse_secrets(names, &read)?, now)?);
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&known));
        Ok(known)
    }
}

/// Decodes a base64 key. An invalid key is an internal error, because only the configuration can cause it.
pub fn decode_base64(text: &str) -> Result<Vec<u8>> {
    BASE64.decode(text.trim()).map_err(|_| Error::internal("a key is not base64"))
}

fn parse_secrets(names: &SecretNames, read: &HashMap<String, String>) -> Result<Secrets> {
    let value = |name: &Option<String>| match name {
        None => Ok(None),
        Some(name) => match read.get(name) {
            Some(value) => Ok(Some(value.trim())),
            None => Err(Error::unavailable(format!("there is no parameter {name}"))),
        },
    };
    let list = |text: Option<&str>| -> Vec<String> {
        let parts = text.unwrap_or_default().split(',').map(|part| part.trim().to_owned());
        parts.filter(|part| !part.is_empty()).collect()
    };
    let keys = list(value(&names.token_public_keys)?);
    Ok(Secrets {
        token_public_keys: keys.iter().map(|key| decode_base64(key)).collect::<Result<_>>()?,
        token_private_key: value(&names.token_private_key)?.map(decode_base64).transpose()?,
        code: value(&names.code)?.map(|code| code.as_bytes().to_vec()),
        origin: list(value(&names.origin)?),
        cognito_client: value(&names.cognito_client)?.map(str::to_owned),
    })
}
