//! The secret of an installation. It protects stored codes, and encrypts mails until they are sent.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;

use crate::{Error, RandomSource, Result};

/// Minimum length of a secret in bytes. A shorter one would be easier to guess than the keys.
const MIN_SECRET_BYTES: usize = 32;

/// The cryptographic keys derived from the secret of an installation. They are never printed.
///
/// While the secret is being changed, there are two secrets. New codes and mails use the first one. Codes and mails of the
/// other one stay valid.
pub struct Secret {
    current: Keys,
    previous: Vec<Keys>,
}

/// The keys derived from one secret.
struct Keys {
    codes: hmac::Key,
    seal: LessSafeKey,
}

impl Secret {
    /// Derives the keys. `secret` is one secret, or several with commas between them, the current one first. A comma counts
    /// as a separator only if each part is long enough for a secret.
    ///
    /// # Errors
    /// `internal` if the secret has less than 32 bytes.
    pub fn new(secret: &[u8]) -> Result<Self> {
        let parts = || secret.split(|byte| *byte == b',');
        if parts().any(|part| part.len() < MIN_SECRET_BYTES) {
            return Ok(Self { current: Keys::derive(secret)?, previous: Vec::new() });
        }
        let current = parts().next().unwrap_or_default();
        let previous = parts().skip(1).map(Keys::derive).collect::<Result<_>>()?;
        Ok(Self { current: Keys::derive(current)?, previous })
    }

    /// Returns the MAC that is stored instead of a code, in hexadecimal. The MAC depends on the purpose of the code, so a code for
    /// one purpose is wrong for another purpose. A plain hash would not protect a code, because there are only a million codes to
    /// try.
    pub fn mac(&self, purpose: &str, code: &str) -> String {
        self.current.mac(purpose, code)
    }

    /// Returns whether `mac` is the MAC of a code, with the current secret or a previous one. Each comparison is between two
    /// MACs. They depend on a secret, so the duration of the comparison reveals nothing about the code.
    pub fn is_mac_of(&self, mac: &str, purpose: &str, code: &str) -> bool {
        self.keys().any(|keys| keys.mac(purpose, code) == mac)
    }

    /// Encrypts `plain` with AES-256-GCM. [`Self::open`] can decrypt it only with the same `name`.
    pub fn seal(&self, name: &str, plain: &[u8], random: &dyn RandomSource) -> Result<Vec<u8>> {
        let mut nonce = [0u8; NONCE_LEN];
        random.fill_bytes(&mut nonce);
        let mut text = plain.to_vec();
        self.current
            .seal
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(name.as_bytes()), &mut text)
            .map_err(|_| Error::internal("a mail cannot be sealed"))?;
        Ok([nonce.as_slice(), &text].concat())
    }

    /// Decrypts a text that [`Self::seal`] encrypted with the current secret or a previous one.
    pub fn open(&self, name: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let opened = self.keys().find_map(|keys| keys.open(name, sealed));
        opened.ok_or_else(|| Error::internal("a sealed mail cannot be opened"))
    }

    fn keys(&self) -> impl Iterator<Item = &Keys> {
        std::iter::once(&self.current).chain(&self.previous)
    }
}

impl Keys {
    fn derive(secret: &[u8]) -> Result<Self> {
        if secret.len() < MIN_SECRET_BYTES {
            return Err(Error::internal("the secret of codes has less than 32 bytes"));
        }
        let root = hmac::Key::new(hmac::HMAC_SHA256, secret);
        let derived = |purpose: &[u8]| hmac::sign(&root, purpose);
        let seal = UnboundKey::new(&AES_256_GCM, derived(b"waraq mails").as_ref())
            .map_err(|_| Error::internal("no key to seal mails with"))?;
        Ok(Self {
            codes: hmac::Key::new(hmac::HMAC_SHA256, derived(b"waraq codes").as_ref()),
            seal: LessSafeKey::new(seal),
        })
    }

    fn mac(&self, purpose: &str, code: &str) -> String {
        let mac = hmac::sign(&self.codes, format!("{}:{purpose}{code}", purpose.len()).as_bytes());
        mac.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn open(&self, name: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, text) = sealed.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut text = text.to_vec();
        let plain = self.seal.open_in_place(nonce, Aad::from(name.as_bytes()), &mut text).ok()?;
        Some(plain.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Zeros;

    impl RandomSource for Zeros {
        fn fill_bytes(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    #[test]
    fn sealed_data_opens_only_with_the_same_secret_and_name() {
        let secret = Secret::new(&[7; 32]).unwrap();
        let sealed = secret.seal("a", b"text", &Zeros).unwrap();
        assert_eq!(secret.open("a", &sealed).unwrap(), b"text");
        assert!(secret.open("b", &sealed).is_err() && secret.open("a", &sealed[..9]).is_err());
        assert!(Secret::new(&[8; 32]).unwrap().open("a", &sealed).is_err());
        assert!(Secret::new(&[7; 31]).is_err());
        assert_ne!(secret.mac("a", "bc"), secret.mac("ab", "c"));
    }

    #[test]
    fn codes_and_mails_of_the_previous_secret_stay_valid() {
        let (old, new) = ("o".repeat(32), "n".repeat(32));
        let before = Secret::new(old.as_bytes()).unwrap();
        let both = Secret::new(format!("{new},{old}").as_bytes()).unwrap();
        let after = Secret::new(new.as_bytes()).unwrap();
        let (mac, sealed) = (before.mac("login", "123456"), before.seal("a", b"text", &Zeros).unwrap());
        assert!(both.is_mac_of(&mac, "login", "123456") && !both.is_mac_of(&mac, "login", "123457"));
        assert!(!after.is_mac_of(&mac, "login", "123456"));
        assert_eq!(both.open("a", &sealed).unwrap(), b"text");
        assert!(after.open("a", &sealed).is_err());
        assert!(after.is_mac_of(&both.mac("login", "123456"), "login", "123456"), "new codes use the new secret");
        // A comma in random bytes separates nothing.
        let random = [b"0123456789,".as_slice(), &[1; 30]].concat();
        let sealed = Secret::new(&random).unwrap().seal("a", b"text", &Zeros).unwrap();
        assert!(Secret::new(&random[11..]).is_err() && Secret::new(&random).unwrap().open("a", &sealed).is_ok());
    }
}
