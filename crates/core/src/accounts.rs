//! Accounts: who somebody is, and signing in.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::clock::new_id;
use crate::files::content_hash;
use crate::limits::{Attempts, LOGIN_PER_ADDRESS, LOGIN_PER_SOURCE};
use crate::{Chance, Clock, Error, ErrorKind, Result, Timestamp};

/// Characters of a password, in every identity.
pub const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 8..=256;
/// Characters of a userName.
pub const LONGEST_USER_NAME: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Admin,
}

/// An account. Its password is the [`Identity`]'s.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub id: String,
    pub user_name: String,
    /// Google's, where there is one.
    pub name: Option<String>,
    pub email: String,
    /// Whether the address has been proven.
    pub verified: bool,
    /// The hash of a picture kept as media.
    pub photo: Option<String>,
    pub country: Option<String>,
    pub language: Option<String>,
    pub role: Role,
    /// Tokens of an earlier version hold no more.
    pub token_version: u32,
    /// Uses counted for this account.
    #[serde(default)]
    pub downloads: u64,
    pub created_at: Timestamp,
}

impl Account {
    /// Google's name, else the userName.
    pub fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.user_name)
    }
}

/// An address in the form in which two are compared: trimmed, NFC, the local part in lower case, the domain in lower-case
/// punycode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Refuses what cannot be an address (`invalid_email`).
    pub fn parse(text: &str) -> Result<Self> {
        let refused = || Error::invalid("invalid_email", "This is not an e-mail address.").with_fields(["email"]);
        let text: String = text.trim().nfc().collect();
        let (local, domain) = text.rsplit_once('@').ok_or_else(refused)?;
        let domain = idna::domain_to_ascii(domain).map_err(|_| refused())?;
        let odd = |letter: char| letter.is_whitespace() || letter.is_control();
        if local.is_empty() || domain.is_empty() || text.len() > 320 || text.contains(odd) || domain.contains(odd) {
            return Err(refused());
        }
        Ok(Self(format!("{}@{domain}", local.to_lowercase())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// SHA-256 in hexadecimal: the key it is found by, so that keys and logs tell no address.
    pub fn hash(&self) -> String {
        content_hash(self.0.as_bytes())
    }
}

/// Where accounts are kept. Reads are of now.
#[async_trait]
pub trait Accounts: Send + Sync {
    async fn account(&self, id: &str) -> Result<Option<Account>>;

    async fn account_of(&self, address: &Address) -> Result<Option<Account>>;

    /// Keeps a new account and its address, both or neither. An address that is taken is `email_taken`.
    async fn add(&self, account: &Account, address: &Address) -> Result<()>;
}

/// Who keeps the passwords: Cognito, or hashes in our table. Accounts are known to it by their id alone, so that a change
/// of address touches nothing there.
#[async_trait]
pub trait Identity: Send + Sync {
    /// Whether this is the account's password. Takes as long for an account that is not there (`None`) or has none.
    async fn verify(&self, user_id: Option<&str>, password: &str) -> Result<bool>;

    /// Sets or replaces the password. [`PASSWORD_LENGTH`] holds already.
    async fn set_password(&self, user_id: &str, password: &str) -> Result<()>;
}

/// 8 to 256 characters, no other rule.
pub fn check_password(password: &str) -> Result<()> {
    if PASSWORD_LENGTH.contains(&password.chars().count()) {
        return Ok(());
    }
    let error = Error::invalid("invalid_password", "A password has 8 to 256 characters.").with_fields(["password"]);
    Err(error.with_limit(*PASSWORD_LENGTH.end() as u64))
}

/// What signing in reaches.
pub struct Door<'a> {
    pub accounts: &'a dyn Accounts,
    pub identity: &'a dyn Identity,
    pub attempts: &'a dyn Attempts,
    pub clock: &'a dyn Clock,
}

impl Door<'_> {
    /// The account of an address and its password. `source`: whom the request comes from.
    pub async fn login(&self, email: &str, password: &str, source: &str) -> Result<Account> {
        let missing: Vec<&str> = [("email", email), ("password", password)]
            .iter()
            .filter(|(_, text)| text.trim().is_empty())
            .map(|(name, _)| *name)
            .collect();
        if !missing.is_empty() {
            let error = Error::invalid("email_password_required", "Email and password are required.");
            return Err(error.with_fields(missing));
        }
        let now = self.clock.now();
        LOGIN_PER_SOURCE.take(self.attempts, source, now).await?;
        // What cannot be an address is nobody's: the same answer as for a wrong password.
        let address = Address::parse(email).map_err(|_| invalid_credentials())?;
        let address_hash = address.hash();
        LOGIN_PER_ADDRESS.take(self.attempts, &address_hash, now).await?;
        let account = self.accounts.account_of(&address).await?;
        let holds = self.identity.verify(account.as_ref().map(|account| account.id.as_str()), password).await?;
        let account = account.filter(|_| holds).ok_or_else(invalid_credentials)?;
        // Only wrong tries are to count.
        LOGIN_PER_ADDRESS.give_back(self.attempts, &address_hash, now).await?;
        LOGIN_PER_SOURCE.give_back(self.attempts, source, now).await?;
        if !account.verified {
            let message = "Please verify your email before logging in: an OTP code was sent to it.";
            let mut error = Error::new(ErrorKind::Unauthenticated, "email_not_verified", message);
            error.details.user_id = Some(account.id);
            return Err(error);
        }
        Ok(account)
    }
}

fn invalid_credentials() -> Error {
    let message = "Invalid email or password. Please try again.";
    Error::new(ErrorKind::Unauthenticated, "invalid_credentials", message)
}

/// A new admin whose address counts as proven: the first of a house.
pub async fn add_admin(
    accounts: &dyn Accounts,
    identity: &dyn Identity,
    clock: &dyn Clock,
    chance: &dyn Chance,
    (email, password): (&str, &str),
) -> Result<Account> {
    check_password(password)?;
    let address = Address::parse(email)?;
    let account = Account {
        id: new_id(clock, chance),
        user_name: "Admin".to_owned(),
        name: None,
        email: address.as_str().to_owned(),
        verified: true,
        photo: None,
        country: None,
        language: None,
        role: Role::Admin,
        token_version: 1,
        downloads: 0,
        created_at: clock.now(),
    };
    // The password first: an account without one could not be entered, a password without an account is nothing.
    identity.set_password(&account.id, password).await?;
    accounts.add(&account, &address).await?;
    Ok(account)
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
        for refused in ["", "@", "a@", "@b", "a b@c.example", "a\n@c.example", "nobody"] {
            assert!(Address::parse(refused).is_err(), "{refused:?}");
        }
    }
}
