//! Sign-in with address and password.

use super::{Account, AccountService, Address, AddressClaims, PasswordStore, normalized_password};
use crate::limits::{LOGIN_PER_ADDRESS, LOGIN_PER_ADDRESS_AND_SOURCE, LOGIN_PER_SOURCE};
use crate::{Error, ErrorCode, ErrorKind, InterfaceLanguage, Result};

/// An account id that does not exist. If no account is found, this id is read instead, so that the response takes the same time in
/// both cases.
pub(super) const MISSING_ACCOUNT_ID: &str = "nobody";

impl AccountService<'_> {
    /// Returns the account with this address and password. `source` is the IP address of the client, for rate limits.
    ///
    /// If the address is not verified yet, mails a new code and returns the error `email_not_verified`. `language` is the
    /// language of this mail, unless the account has its own.
    pub async fn login(
        &self,
        password_store: &dyn PasswordStore,
        (email, password): (&str, &str),
        source: &str,
        language: InterfaceLanguage,
    ) -> Result<Account> {
        let missing: Vec<&str> = [("email", email), ("password", password)]
            .iter()
            .filter(|(_, text)| text.trim().is_empty())
            .map(|(name, _)| *name)
            .collect();
        if !missing.is_empty() {
            let error = Error::new(ErrorCode::EmailPasswordRequired, "Email and password are required.");
            return Err(error.with_fields(missing));
        }
        let now = self.clock.now();
        self.count_by_source(LOGIN_PER_SOURCE, source).await?;
        // An invalid address gets the same response as a wrong password.
        let typed = Address::typed(email).map_err(|_| invalid_credentials())?;
        let address = &typed.address;
        let (everywhere, here) = (address.hash(), address.limit_key(source));
        LOGIN_PER_ADDRESS_AND_SOURCE.count_attempt(self.attempts, &here, now).await?;
        let slowed_at = LOGIN_PER_ADDRESS.count_attempt(self.attempts, &everywhere, self.clock).await?;
        let holders = self.holders_of_typed(&typed).await?;
        let from_here = self.accounts.pending_from(address, source).await?;
        let account =
            self.authenticated_account(password_store, &holders, from_here, &normalized_password(password)).await?;
        // The login succeeded. The limits are for failed logins only, so this attempt is subtracted again.
        LOGIN_PER_ADDRESS.uncount_attempt(self.attempts, &everywhere, slowed_at).await?;
        LOGIN_PER_ADDRESS_AND_SOURCE.uncount_attempt(self.attempts, &here, now).await?;
        self.uncount_by_source(LOGIN_PER_SOURCE, source, now).await?;
        if account.verified {
            return Ok(account);
        }
        // If too many mails were sent, the user can use the code from an earlier mail.
        match self.send_registration_code(&account, source, language).await {
            Err(error) if error.kind() != ErrorKind::TooMany => return Err(error),
            _ => {}
        }
        let message = "Please verify your email before logging in: an OTP code was sent to it.";
        let mut error = Error::new(ErrorCode::EmailNotVerified, message);
        error.details.user_id = Some(account.id);
        Err(error)
    }

    /// Returns the account that the password belongs to. Several accounts may have the same password. Then the first of them in this
    /// order is returned: the owner of the address, the latest unverified registration from the same IP address, the latest
    /// unverified registration from any IP address. The passwords of registrations are checked even if the address has an owner.
    /// Otherwise, a client could register and then log in to find out whether the address has an owner.
    async fn authenticated_account(
        &self,
        identity: &dyn PasswordStore,
        holders: &AddressClaims,
        from_here: Option<String>,
        password: &str,
    ) -> Result<Account> {
        let now = self.clock.now();
        let held_by =
            async |id: &Option<String>| self.accounts.account(id.as_deref().unwrap_or(MISSING_ACCOUNT_ID)).await;
        let owner = held_by(&holders.owner).await?.filter(|owner| owner.verified);
        let waiting = held_by(&holders.pending).await?.filter(|waiting| waiting.is_pending(now));
        let from_here = from_here.filter(|id| holders.pending.as_ref() != Some(id));
        let from_here = held_by(&from_here).await?.filter(|waiting| waiting.is_pending(now));
        let verify = async |account: &Option<Account>| {
            identity.verify(account.as_ref().map(|account| account.id.as_str()), password).await
        };
        // The same number of passwords is checked in every case, so that the response takes the same time: without an account, with
        // an owner, and with one or two registrations.
        let (owners, waits, waits_here) = (verify(&owner).await?, verify(&waiting).await?, verify(&from_here).await?);
        let waiting = from_here.filter(|_| waits_here).or(waiting.filter(|_| waits));
        owner.filter(|_| owners).or(waiting).ok_or_else(invalid_credentials)
    }
}

fn invalid_credentials() -> Error {
    let message = "Invalid email or password. Please try again.";
    Error::new(ErrorCode::InvalidCredentials, message)
}
