//! The secrets and keys of this process. They are either passed in at the start, or read from Systems Manager. In the
//! second case they are read again when they are old or a token has an unknown key.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use waraq_core::secret::Secret;
use waraq_core::token::{Signer, Verifier};
use waraq_core::{Error, Result, Timestamp};

use crate::parameter::Parameters;
use crate::settings::{SecretNames, Secrets};

/// Maximum age of the secrets, in seconds. After a change, every instance of a function uses the new ones after this
/// time.
pub const LIFE_SECONDS: u64 = 3_600;
/// Minimum time between two reads that are caused by tokens with an unknown key, in seconds. Anyone can send such
/// tokens.
pub const PAUSE_SECONDS: u64 = 60;

/// The keys and secrets in usable form.
pub struct Known {
    pub verifier: Verifier,
    /// The signer, in functions that issue tokens.
    pub signer: Option<Arc<Signer>>,
    /// The secret of codes and mails, in functions that use them.
    pub code: Option<Arc<Secret>>,
    /// The origin secrets; each of them proves that a request came through the CDN.
    pub origin: Vec<String>,
    pub cognito_client: Option<String>,
    read_at: Timestamp,
}

impl Known {
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

    /// Returns whether the secrets were read so many seconds ago. If the clock was set back by more than a minute since,
    /// their age is not known, and they count as old.
    fn older_than(&self, seconds: u64, now: Timestamp) -> bool {
        now.seconds() + 60 < self.read_at.seconds() || now.seconds() >= self.read_at.seconds() + seconds
    }
}

/// The source of the secrets.
enum Source {
    Given,
    Parameters { parameters: Box<Parameters>, names: SecretNames },
}

pub struct Keeper {
    source: Source,
    known: RwLock<Option<Arc<Known>>>,
    /// Lets one task read the secrets while the others wait for the result.
    reading: tokio::sync::Mutex<()>,
}

impl Keeper {
    pub fn given(secrets: &Secrets, now: Timestamp) -> Result<Self> {
        let known = Arc::new(Known::new(secrets, now)?);
        Ok(Self { source: Source::Given, known: RwLock::new(Some(known)), reading: tokio::sync::Mutex::default() })
    }

    pub fn of_parameters(parameters: Parameters, names: SecretNames) -> Self {
        let source = Source::Parameters { parameters: Box::new(parameters), names };
        Self { source, known: RwLock::default(), reading: tokio::sync::Mutex::default() }
    }

    /// Returns the secrets.
    ///
    /// # Errors
    /// Fails before [`Keeper::ready`] has completed.
    pub fn known(&self) -> Result<Arc<Known>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        known.ok_or_else(|| Error::unavailable("the secrets have not been read"))
    }

    /// Reads the secrets if they are unknown or too old. If reading them again fails, the old ones stay in use.
    pub async fn ready(&self, now: Timestamp) -> Result<Arc<Known>> {
        match self.known() {
            Err(_) => self.read_unless(now, |_| true).await,
            Ok(known) if known.older_than(LIFE_SECONDS, now) => {
                let read = self.read_unless(now, |known| !known.older_than(LIFE_SECONDS, now)).await;
                Ok(read.unwrap_or_else(|error| {
                    tracing::warn!(cause = error.cause.as_deref(), "the secrets could not be read again");
                    known
                }))
            }
            known => known,
        }
    }

    /// Reads the secrets again because of a token with an unknown key, unless that was done recently.
    pub async fn renewed(&self, now: Timestamp) -> Result<Arc<Known>> {
        match &self.source {
            Source::Given => self.known(),
            Source::Parameters { .. } => self.read_unless(now, |known| !known.older_than(PAUSE_SECONDS, now)).await,
        }
    }

    async fn read_unless(&self, now: Timestamp, fresh: impl Fn(&Known) -> bool) -> Result<Arc<Known>> {
        let _turn = self.reading.lock().await;
        if let Ok(known) = self.known()
            && fresh(&known)
        {
            return Ok(known);
        }
        let Source::Parameters { parameters, names } = &self.source else { return self.known() };
        let wanted = names.all();
        // A function without secrets reads none. The call is boxed to keep the size of the caller's future small.
        let read = if wanted.is_empty() { HashMap::new() } else { Box::pin(parameters.read(&wanted)).await? };
        let known = Arc::new(Known::new(&secrets(names, &read)?, now)?);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&known));
        Ok(known)
    }
}

/// Decodes a base64 key. An invalid key is an internal error, because the caller cannot cause it.
pub fn decoded(text: &str) -> Result<Vec<u8>> {
    BASE64.decode(text.trim()).map_err(|_| Error::internal("a key is not base64"))
}

fn secrets(names: &SecretNames, read: &HashMap<String, String>) -> Result<Secrets> {
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
        token_public_keys: keys.iter().map(|key| decoded(key)).collect::<Result<_>>()?,
        token_private_key: value(&names.token_private_key)?.map(decoded).transpose()?,
        code: value(&names.code)?.map(|code| code.as_bytes().to_vec()),
        origin: list(value(&names.origin)?),
        cognito_client: value(&names.cognito_client)?.map(str::to_owned),
    })
}
