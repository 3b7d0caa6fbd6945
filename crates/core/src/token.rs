//! Access tokens of the API: JWT (RFC 7519) in compact form, signed with Ed25519 (RFC 8037). No other algorithm is accepted.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use crate::accounts::account::Account;
use crate::{Error, ErrorCode, Result, Timestamp};

/// Lifetime of a token in seconds.
pub const LIFE_SECONDS: u64 = 12 * 3_600;
/// Lifetime in seconds of a token for which the user chose *remember me*.
pub const REMEMBERED_LIFE_SECONDS: u64 = 30 * 24 * 3_600;

/// Time in seconds after a login at which renewals end. The user must log in again then.
pub const LONGEST_SESSION_SECONDS: u64 = 7 * 24 * 3_600;
/// The same for a session for which the user chose *remember me*.
pub const LONGEST_REMEMBERED_SESSION_SECONDS: u64 = 90 * 24 * 3_600;

const ISSUER: &str = "waraq";
const AUDIENCE: &str = "waraq-api";
/// Maximum length of a token in bytes. Issued tokens are shorter. Longer texts are rejected without parsing.
const LONGEST_TOKEN: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    iss: String,
    aud: String,
    /// The account's id.
    pub sub: String,
    /// The account's token version when the token was issued.
    #[serde(rename = "tokenVersion")]
    pub token_version: u32,
    /// True if the user chose *remember me*.
    pub remember: bool,
    /// The time of issue, in seconds since the epoch.
    pub iat: u64,
    pub exp: u64,
    /// The id of the session: of the login and all renewals since. `None` in tokens that were issued before sessions had ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sid: Option<String>,
    /// The time of the login, in seconds since the epoch. If it is missing, the token counts as issued at the login.
    #[serde(rename = "authTime", default, skip_serializing_if = "Option::is_none")]
    pub auth_time: Option<u64>,
}

impl Claims {
    /// Returns whether more than half of the lifetime has passed, so that the token should be renewed. False if a renewal could not
    /// prolong the session.
    pub fn needs_renewal(&self, now: Timestamp) -> bool {
        let is_due = now.seconds() >= self.iat + self.exp.saturating_sub(self.iat) / 2;
        is_due && self.exp < self.session(String::new()).end()
    }

    /// Returns the session of the token. A session without an id gets the id `otherwise`.
    pub fn session(&self, otherwise: String) -> LoginSession {
        let id = self.sid.clone().unwrap_or(otherwise);
        LoginSession { id, remember: self.remember, since: self.auth_time.unwrap_or(self.iat) }
    }
}

/// A session: a login, and the tokens that were issued for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginSession {
    pub id: String,
    /// True if the user chose *remember me*.
    pub remember: bool,
    /// The time of the login, in seconds since the epoch.
    pub since: u64,
}

impl LoginSession {
    /// Creates a session that starts with a login at the time `now`.
    pub fn new(id: impl Into<String>, remember: bool, now: Timestamp) -> Self {
        Self { id: id.into(), remember, since: now.seconds() }
    }

    /// Returns the time after which the session cannot be renewed, in seconds since the epoch.
    fn end(&self) -> u64 {
        self.since + if self.remember { LONGEST_REMEMBERED_SESSION_SECONDS } else { LONGEST_SESSION_SECONDS }
    }

    /// Returns the expiry time of a token that is issued at the time `now`, in seconds since the epoch.
    pub(crate) fn token_end(&self, now: Timestamp) -> u64 {
        let life = if self.remember { REMEMBERED_LIFE_SECONDS } else { LIFE_SECONDS };
        self.end().min(now.seconds() + life)
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    alg: String,
    typ: String,
    kid: String,
}

/// Verifies tokens. `keys` has the id and the bytes of each public key that is accepted.
#[derive(Debug, Clone, Default)]
pub struct Verifier {
    keys: Vec<(String, Vec<u8>)>,
}

/// Issues tokens. Only Lambda functions that issue tokens have a signer.
pub struct Signer {
    kid: String,
    pair: Ed25519KeyPair,
}

/// A token and its expiry time.
#[derive(Debug, Clone)]
pub struct IssuedToken {
    pub token: String,
    pub expires_at: Timestamp,
}

impl Signer {
    /// Generates a private key in PKCS#8.
    pub fn generate(chance: &dyn crate::RandomSource) -> Vec<u8> {
        // PKCS#8 v1 around a seed of 32 bytes (RFC 8410 §7).
        let mut seed = [0u8; 32];
        chance.fill_bytes(&mut seed);
        let mut document =
            vec![0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
        document.extend_from_slice(&seed);
        document
    }

    /// Creates a signer from a PKCS#8 key, as written by `openssl genpkey -algorithm ed25519 -outform DER`.
    pub fn new(pkcs8: &[u8]) -> Result<Self> {
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(pkcs8)
            .map_err(|_| Error::internal("the token key is no Ed25519 key in PKCS#8"))?;
        Ok(Self { kid: key_id(pair.public_key().as_ref()), pair })
    }

    pub fn public_key(&self) -> Vec<u8> {
        self.pair.public_key().as_ref().to_vec()
    }

    /// Issues a token of a session.
    pub fn issue(&self, account: &Account, session: &LoginSession, now: Timestamp) -> Result<IssuedToken> {
        let exp = session.token_end(now);
        let header = Header { alg: "EdDSA".into(), typ: "JWT".into(), kid: self.kid.clone() };
        let claims = Claims {
            iss: ISSUER.into(),
            aud: AUDIENCE.into(),
            sub: account.id.clone(),
            token_version: account.token_version,
            remember: session.remember,
            iat: now.seconds(),
            exp,
            sid: Some(session.id.clone()),
            auth_time: Some(session.since),
        };
        let mut token = format!("{}.{}", encoded(&header)?, encoded(&claims)?);
        let signature = self.pair.sign(token.as_bytes());
        token.push('.');
        token.push_str(&BASE64URL.encode(signature));
        Ok(IssuedToken { token, expires_at: Timestamp(0).plus_seconds(exp) })
    }
}

impl Verifier {
    /// Creates a verifier from raw Ed25519 public keys of 32 bytes each.
    pub fn new(keys: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self { keys: keys.into_iter().map(|key| (key_id(&key), key)).collect() }
    }

    /// Returns the claims of a valid token. The caller must also compare the token version with that of the account.
    ///
    /// # Errors
    /// `invalid_token` if the token was not issued by this installation; `session_ended` if it has expired.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<Claims> {
        let claims = self
            .parse(token)
            .ok_or_else(|| Error::new(ErrorCode::InvalidToken, "The access token is invalid. Please log in."))?;
        if claims.exp <= now.seconds() {
            return Err(session_ended());
        }
        Ok(claims)
    }

    /// Returns whether a token has the right form but names a signing key that this verifier does not have.
    pub fn lacks_key_of(&self, token: &str) -> bool {
        let header = token.split_once('.').filter(|_| token.len() <= LONGEST_TOKEN);
        let header: Option<Header> = header.and_then(|(header, _)| decoded(header));
        header.is_some_and(|header| header.alg == "EdDSA" && self.keys.iter().all(|(kid, _)| *kid != header.kid))
    }

    fn parse(&self, token: &str) -> Option<Claims> {
        if token.len() > LONGEST_TOKEN {
            return None;
        }
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let header: Header = decoded(header)?;
        if header.alg != "EdDSA" {
            return None;
        }
        let (_, key) = self.keys.iter().find(|(kid, _)| *kid == header.kid)?;
        let signature = BASE64URL.decode(signature).ok()?;
        UnparsedPublicKey::new(&ED25519, key).verify(signed.as_bytes(), &signature).ok()?;
        let claims: Claims = decoded(claims)?;
        (claims.iss == ISSUER && claims.aud == AUDIENCE).then_some(claims)
    }
}

/// Returns the error for a token that has expired or was revoked.
pub fn session_ended() -> Error {
    Error::new(ErrorCode::SessionEnded, "Your session has ended. Please log in again.")
}

/// Returns the id of a key: the first eight bytes of its SHA-256 hash, in hexadecimal.
fn key_id(public_key: &[u8]) -> String {
    crate::files::content_hash(public_key).chars().take(16).collect()
}

fn encoded(value: &impl Serialize) -> Result<String> {
    let json = serde_json::to_vec(value).map_err(|error| Error::internal(error.to_string()))?;
    Ok(BASE64URL.encode(json))
}

fn decoded<T: for<'de> Deserialize<'de>>(text: &str) -> Option<T> {
    serde_json::from_slice(&BASE64URL.decode(text).ok()?).ok()
}
