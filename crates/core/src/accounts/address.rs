//! E-mail addresses.

use unicode_normalization::UnicodeNormalization;

use crate::files::content_hash;
use crate::{Error, ErrorCode, Result};

/// A normalized e-mail address, so that equal addresses compare equal. It is trimmed and in NFC, with the local part in lower
/// case and the domain in lower-case Punycode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

/// Maximum length in bytes of an address (RFC 5321 §4.5.3.1.3, without the angle brackets) and of its local part (§4.5.3.1.1).
const LONGEST: usize = 254;
const LONGEST_LOCAL_PART: usize = 64;

impl Address {
    /// Parses and normalizes an address.
    ///
    /// # Errors
    /// `invalid_email` if the text cannot be an address.
    pub fn parse(text: &str) -> Result<Self> {
        let refused = || Error::new(ErrorCode::InvalidEmail, "This is not an e-mail address.").with_fields(["email"]);
        // Far too long in any case, so it is not normalized.
        if text.len() > 4 * LONGEST {
            return Err(refused());
        }
        let text: String = text.trim().nfc().collect();
        let (local, domain) = text.rsplit_once('@').ok_or_else(refused)?;
        let domain = idna::domain_to_ascii(domain).map_err(|_| refused())?;
        let address = format!("{}@{domain}", local.to_lowercase());
        let odd = |letter: char| {
            letter.is_whitespace() || letter.is_control() || matches!(letter, '<' | '>' | ',' | ';' | '"' | '\\')
        };
        let host = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '.';
        if local.is_empty()
            || domain.is_empty()
            || local.contains(odd)
            || local.contains('@')
            || !domain.chars().all(host)
        {
            return Err(refused());
        }
        if local.len() > LONGEST_LOCAL_PART || address.len() > LONGEST {
            return Err(refused());
        }
        Ok(Self(address))
    }

    /// Checks that mail can be sent to the address. SES does not support SMTPUTF8 (RFC 6531), so the local part must be ASCII.
    ///
    /// # Errors
    /// `undeliverable_email`.
    pub fn deliverable(self) -> Result<Self> {
        if self.0.is_ascii() {
            return Ok(self);
        }
        let message = "Mail can be sent only to addresses with plain letters (a to z) before the @.";
        Err(Error::new(ErrorCode::UndeliverableEmail, message).with_fields(["email"]))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 hash in hexadecimal. It is used in keys and logs, so that they do not contain addresses.
    pub fn hash(&self) -> String {
        content_hash(self.0.as_bytes())
    }

    /// Returns the key by which limits count an address together with the source of a request.
    pub(super) fn hash_and(&self, whom: &str) -> String {
        format!("{}#{whom}", self.hash())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let same = |one: &str, other: &str| assert_eq!(Address::parse(one), Address::parse(other), "{one} / {other}");
        same(" Amina@Example.ORG ", "amina@example.org");
        same("a@BÜCHER.example", "a@xn--bcher-kva.example");
        same("e\u{301}@x.example", "\u{e9}@x.example");
        let long = format!("{}@x.example", "a".repeat(65));
        for refused in
            ["", "@", "a@", "@b", "a b@c.example", "a\n@c.example", "nobody", "a@b@c.example", "a<b@c.example", &long]
        {
            assert!(Address::parse(refused).is_err(), "{refused:?}");
        }
        assert!(Address::parse("a@bücher.example").and_then(Address::deliverable).is_ok());
        let arabic = Address::parse("أمينة@example.org").and_then(Address::deliverable);
        assert_eq!(arabic.map_err(|error| error.code), Err(ErrorCode::UndeliverableEmail));
    }
}
