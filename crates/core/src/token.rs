//! Access tokens of the API: JWT (RFC 7519) in compact form, signed with Ed25519 (RFC 8037). No other algorithm is accepted.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use crate::accounts::account::Account;
use crate::{Error, ErrorCode, Result, Timestamp};

/// Lifetime of a session in seconds.
pub const LIFE_SECONDS: u64 = 12 * 3_600;
/// Lifetime in seconds of a session for which the user chose *remember me*.
pub const REMEMBERED_LIFE_SECONDS: u64 = 30 * 24 * 3_600;

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
}

impl Claims {
    /// Returns whether more than half of the lifetime has passed, so that the token should be renewed.
    pub fn needs_renewal(&self, now: Timestamp) -> bool {
        now.seconds() >= self.iat + self.exp.saturating_sub(self.iat) / 2
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

    pub fn issue(&self, account: &Account, remember: bool, now: Timestamp) -> Result<IssuedToken> {
        let life = if remember { REMEMBERED_LIFE_SECONDS } else { LIFE_SECONDS };
        let header = Header { alg: "EdDSA".into(), typ: "JWT".into(), kid: self.kid.clone() };
        let claims = Claims {
            iss: ISSUER.into(),
            aud: AUDIENCE.into(),
            sub: account.id.clone(),
            token_version: account.token_version,
            remember,
            iat: now.seconds(),
            exp: now.seconds() + life,
        };
        let mut token = format!("{}.{}", encoded(&header)?, encoded(&claims)?);
        let signature = self.pair.sign(token.as_bytes());
        token.push('.');
        token.push_str(&BASE64URL.encode(signature));
        Ok(IssuedToken { token, expires_at: now.plus_seconds(life) })
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
