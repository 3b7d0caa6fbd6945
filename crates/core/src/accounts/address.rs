//! Addresses of e-mail.

use unicode_normalization::UnicodeNormalization;

use crate::files::content_hash;
use crate::{Error, ErrorCode, Result};

/// An address in the form in which two are compared: trimmed, NFC, the local part in lower case, the domain in lower-case
/// punycode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

/// Octets of an address (RFC 5321 §4.5.3.1.3, without the angle brackets) and of its local part (§4.5.3.1.1).
const LONGEST: usize = 254;
const LONGEST_LOCAL_PART: usize = 64;

impl Address {
    /// Refuses what cannot be an address (`invalid_email`).
    pub fn parse(text: &str) -> Result<Self> {
        let refused = || Error::new(ErrorCode::InvalidEmail, "This is not an e-mail address.").with_fields(["email"]);
        // Longer ones are not worth normalising.
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

    /// Refuses an address no mail can be sent to (`undeliverable_email`): the services know only ASCII before the @ (SES has no
    /// SMTPUTF8, RFC 6531).
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

    /// SHA-256 in hexadecimal: the key it is found by, so that keys and logs tell no address.
    pub fn hash(&self) -> String {
        content_hash(self.0.as_bytes())
    }

    /// The address together with whom a request comes from, as limits count by.
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
