//! E-mail addresses.

use email_address::{EmailAddress, Options};
use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};
use unicode_normalization::UnicodeNormalization;

use crate::files::content_hash;
use crate::{Error, ErrorCode, Result};

/// A normalized e-mail address, so that equal addresses compare equal. It is trimmed and in NFC, with the local part in lower
/// case and the domain in lower-case Punycode without a final full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

/// Maximum length in bytes of an address (RFC 5321 §4.5.3.1.3, without the angle brackets) and of its local part (§4.5.3.1.1).
const LONGEST: usize = 254;
const LONGEST_LOCAL_PART: usize = 64;

/// An e-mail address that a user has typed to sign in, in the forms under which the account may be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedAddress {
    pub address: Address,
    /// The address in the form in which earlier versions stored it. An old account may be stored under this form. `None` if this
    /// form is equal to `address`.
    pub stored: Option<Address>,
}

impl Address {
    /// Parses and normalizes an address. The local part is a dot-atom (RFC 5321 §4.1.2), and the domain has labels of
    /// letters, digits and hyphens (UTS #46).
    ///
    /// # Errors
    /// `invalid_email` if the text is not an address.
    pub fn parse(text: &str) -> Result<Self> {
        let Self(stored) = Self::stored(text)?;
        // A final full stop names the root of the DNS and does not change the mailbox.
        let address = stored.strip_suffix('.').unwrap_or(&stored).to_owned();
        let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
        Uts46::new()
            .to_ascii(domain.as_bytes(), AsciiDenyList::STD3, Hyphens::CheckFirstLast, DnsLength::Verify)
            .map_err(|_| refused())?;
        let options = Options::default().without_display_text().without_domain_literal();
        EmailAddress::parse_with_options(&address, options).map_err(|_| refused())?;
        Ok(Self(address))
    }

    /// Normalizes the address of a stored account. Some old accounts have addresses that [`Self::parse`] refuses or changes, such
    /// as `.a@b.example` or `a@b.example.`.
    ///
    /// # Errors
    /// `invalid_email` if no account can have this address.
    pub fn stored(text: &str) -> Result<Self> {
        // A text of this length is too long in any form, so it is not normalized.
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

    /// Parses an address that a user has typed to sign in to an existing account.
    ///
    /// # Errors
    /// `invalid_email` if no account can have this address.
    pub fn typed(text: &str) -> Result<TypedAddress> {
        let stored = Self::stored(text)?;
        Ok(match Self::parse(text) {
            Ok(address) if address == stored => TypedAddress { address, stored: None },
            Ok(address) => TypedAddress { address, stored: Some(stored) },
            Err(_) => TypedAddress { address: stored, stored: None },
        })
    }

    /// Parses the address of the recipient of a mail.
    ///
    /// # Errors
    /// `undeliverable_email` if the text is not an address, or if the local part is not ASCII.
    pub fn of_mail(text: &str) -> Result<Self> {
        let typed = Self::typed(text).map_err(|_| undeliverable())?;
        typed.address.deliverable()
    }

    /// Checks that mail can be sent to the address. SES does not support SMTPUTF8 (RFC 6531), so the local part must be ASCII.
    ///
    /// # Errors
    /// `undeliverable_email` if the local part is not ASCII.
    pub fn deliverable(self) -> Result<Self> {
        if self.0.is_ascii() {
            return Ok(self);
        }
        Err(undeliverable())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 hash of the address in hexadecimal. Keys and logs contain this hash instead of the address.
    pub fn hash(&self) -> String {
        content_hash(self.0.as_bytes())
    }

    /// Returns the key under which rate limits count the requests of `whom` that concern this address. `whom` is an IP address,
    /// or an account id and an IP address.
    pub(super) fn limit_key(&self, whom: &str) -> String {
        format!("{}#{whom}", self.hash())
    }
}

fn refused() -> Error {
    Error::new(ErrorCode::InvalidEmail, "This is not a valid email address.").with_fields(["email"])
}

fn undeliverable() -> Error {
    let message = "We can send email only to addresses with plain letters (a to z) before the @.";
    Error::new(ErrorCode::UndeliverableEmail, message).with_fields(["email"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_normalised_and_invalid_ones_refused() {
        let same = |one: &str, other: &str| assert_eq!(Address::parse(one), Address::parse(other), "{one} / {other}");
        same(" Amina@Example.ORG ", "amina@example.org");
        same("a@BÜCHER.example", "a@xn--bcher-kva.example");
        same("e\u{301}@x.example", "\u{e9}@x.example");
        same("x@ex.example", "x@ex.example.");
        same("x@ex.example", "x@ex\u{3002}example\u{ff0e}");
        let long = format!("{}@x.example", "a".repeat(65));
        for refused in
            ["", "@", "a@", "@b", "a b@c.example", "a\n@c.example", "nobody", "a@b@c.example", "a<b@c.example", &long]
        {
            assert!(Address::parse(refused).is_err(), "{refused:?}");
        }
        // An account may have one of these, but no new account gets one.
        for odd in ["x@ex..example", ".x@ex.example", "x.@ex.example", "x..y@ex.example", "a@-x.y", "a@x-.y", "a@.x.y"]
        {
            assert!(Address::parse(odd).is_err(), "{odd}");
            let typed = Address::typed(odd).unwrap();
            assert_eq!((typed.address.as_str(), typed.stored), (odd, None));
        }
        let typed = Address::typed("X@ex.example.").unwrap();
        assert_eq!(typed.address.as_str(), "x@ex.example");
        assert_eq!(typed.stored.unwrap().as_str(), "x@ex.example.");
        for kept in ["a+b@x.example", "o'neil@x.example", "a@x--y.example", "a@localhost", "a_b=c/d@1.example"] {
            assert_eq!(Address::parse(kept).unwrap().as_str(), kept);
        }
        assert!(Address::parse("a@bücher.example").and_then(Address::deliverable).is_ok());
        let arabic = Address::parse("أمينة@example.org").and_then(Address::deliverable);
        assert_eq!(arabic.map_err(|error| error.code), Err(ErrorCode::UndeliverableEmail));
    }
}
