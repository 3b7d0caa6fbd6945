//! The secrets and keys of this process: given, or read from Systems Manager, and read again when a key was changed meanwhile.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use waraq_core::secret::Secret;
use waraq_core::token::{Signer, Verifier};
use waraq_core::{Error, Result, Timestamp};

use crate::parameter::Parameters;
use crate::settings::{SecretNames, Secrets};

/// How old what was read may get, in seconds: so long after a change the last instance of a function knows of it.
pub const LIFE_SECONDS: u64 = 3_600;
/// How long a token with a key nobody knows does not make them be read again, in seconds: such tokens are anybody's to send.
pub const PAUSE_SECONDS: u64 = 60;

/// What is made of the secrets.
pub struct Known {
    pub verifier: Verifier,
    /// Only where tokens are issued.
    pub signer: Option<Arc<Signer>>,
    /// Only where there are codes or mails.
    pub code: Option<Arc<Secret>>,
    /// Any of them proves that a request came through the CDN.
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

    fn older_than(&self, seconds: u64, now: Timestamp) -> bool {
        now.seconds() >= self.read_at.seconds() + seconds
    }
}

/// Where they come from.
enum Source {
    Given,
    Parameters { parameters: Box<Parameters>, names: SecretNames },
}

pub struct Keeper {
    source: Source,
    known: RwLock<Option<Arc<Known>>>,
    /// One reads, the others wait for what it has read.
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

    /// What is known; an error before [`Keeper::ready`] has been waited for.
    pub fn known(&self) -> Result<Arc<Known>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        known.ok_or_else(|| Error::unavailable("the secrets have not been read"))
    }

    /// Reads them, unless they are known; again where they are old. What cannot be read again is kept as it was.
    pub async fn ready(&self, now: Timestamp) -> Result<Arc<Known>> {
        match self.known() {
            Err(_) => self.read_unless(now, |_| true).await,
            Ok(known) if known.older_than(LIFE_SECONDS, now) => {
                let read = self.read_unless(now, |known| !known.older_than(LIFE_SECONDS, now)).await;
                Ok(read.unwrap_or_else(|error| {
                    tracing::warn!(cause = error.cause.as_deref(), "the secrets are not read again");
                    known
                }))
            }
            known => known,
        }
    }

    /// Reads them again for the sake of a token whose key is not known, unless that was done a short while ago.
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
        // A function that has no secrets reads none. (Boxed: whoever waits for it need not be as large as a call of AWS.)
        let read = if wanted.is_empty() { HashMap::new() } else { Box::pin(parameters.read(&wanted)).await? };
        let known = Arc::new(Known::new(&secrets(names, &read)?, now)?);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&known));
        Ok(known)
    }
}

/// A key in base64; one that is not is nobody's fault who calls.
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
