//! The secret of an installation. It protects stored codes, and encrypts mails until they are sent.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;

use crate::{Error, RandomSource, Result};

/// The cryptographic keys derived from the secret of an installation. They are never printed.
pub struct Secret {
    codes: hmac::Key,
    seal: LessSafeKey,
}

impl Secret {
    /// Derives the keys. The secret must have at least 32 bytes, because a shorter one would be easier to guess than the keys.
    ///
    /// # Errors
    /// `internal` if the secret is too short.
    pub fn new(secret: &[u8]) -> Result<Self> {
        if secret.len() < 32 {
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

    /// Returns the MAC that is stored instead of a code, in hexadecimal. The MAC depends on the purpose of the code, so a code for
    /// one purpose is wrong for another purpose. A plain hash would not protect a code, because there are only a million codes to
    /// try.
    pub fn mac(&self, purpose: &str, code: &str) -> String {
        let mac = hmac::sign(&self.codes, format!("{}:{purpose}{code}", purpose.len()).as_bytes());
        mac.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Encrypts `plain` with AES-256-GCM. [`Self::open`] can decrypt it only with the same `name`.
    pub fn seal(&self, name: &str, plain: &[u8], random: &dyn RandomSource) -> Result<Vec<u8>> {
        let mut nonce = [0u8; NONCE_LEN];
        random.fill_bytes(&mut nonce);
        let mut text = plain.to_vec();
        self.seal
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(name.as_bytes()), &mut text)
            .map_err(|_| Error::internal("a mail cannot be sealed"))?;
        Ok([nonce.as_slice(), &text].concat())
    }

    pub fn open(&self, name: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let broken = || Error::internal("a sealed mail cannot be opened");
        let (nonce, text) = sealed.split_at_checked(NONCE_LEN).ok_or_else(broken)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| broken())?;
        let mut text = text.to_vec();
        let plain = self.seal.open_in_place(nonce, Aad::from(name.as_bytes()), &mut text).map_err(|_| broken())?;
        Ok(plain.to_vec())
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
}
