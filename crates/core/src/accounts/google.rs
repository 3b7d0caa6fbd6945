//! Sign-in with Google.

use async_trait::async_trait;

use super::{
    Account, AccountService, AccountWrite, Address, ChangeOutcome, CommitOutcome, GoogleLink, LONGEST_USER_NAME,
    PasswordStore,
};
use crate::clock::new_id;
use crate::limits::PROOF_PER_SOURCE;
use crate::one_line::to_one_line;
use crate::{Error, ErrorCode, InterfaceLanguage, Result};

/// A user who has signed in with Google. Google has verified their address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleUser {
    /// Google's permanent id of the user.
    pub subject: String,
    pub email: String,
    pub name: Option<String>,
}

/// The Cognito user pool through which users sign in with Google.
#[async_trait]
pub trait Google: Send + Sync {
    /// Returns the Google user for whom an access token was issued.
    ///
    /// # Errors
    /// `google_refused` if the token is not a valid access token of the product's user pool and public client. The error is the
    /// same if Google has not verified the user's address.
    async fn user(&self, access_token: &str) -> Result<GoogleUser>;

    /// Deletes the user pool's record of a Google user. Succeeds if the record does not exist.
    async fn delete_user(&self, subject: &str) -> Result<()>;
}

/// Returns the error for a sign-in with Google that is refused. `cause` is logged, but not sent to the client.
pub fn google_refused(cause: impl Into<String>) -> Error {
    let message = "Google did not confirm your identity. Please try again.";
    let mut error = Error::new(ErrorCode::GoogleRefused, message);
    error.cause = Some(cause.into());
    error
}

/// Maximum number of attempts to sign in a Google user when other requests of the same user write at the same time.
const TRIES: u32 = 8;

impl AccountService<'_> {
    /// Returns the account of a Google user: the account linked to the user, or else the owner of their address, or else a new
    /// account. The address of a new account counts as verified, because Google has verified it. An unverified registration with
    /// this address can then no longer be completed, so its password is deleted.
    pub async fn google_login(
        &self,
        password_store: &dyn PasswordStore,
        google: &dyn Google,
        access_token: &str,
        source: &str,
        language: InterfaceLanguage,
    ) -> Result<Account> {
        let taken_at = self.clock.now();
        self.count_by_source(PROOF_PER_SOURCE, source).await?;
        let user = google.user(access_token).await?;
        let address = Address::parse(&user.email).map_err(|_| google_refused("an address that is none"));
        self.uncount_by_source(PROOF_PER_SOURCE, source, taken_at).await?;
        for attempt in 0..TRIES {
            let linked = self.accounts.account_id_of_google_user(&user.subject).await?;
            if let Some(id) = &linked
                && let Some(account) = self.accounts.account(id).await?
                && account.google.iter().any(|link| link.subject == user.subject)
            {
                return Ok(account);
            }
            // The account of a linked user was found above without the address. From here on, an invalid address is an error.
            let address = address.clone()?;
            let holders = self.accounts.address_claims(&address).await?;
            let owner = match &holders.owner {
                Some(id) => self.accounts.account(id).await?,
                None => None,
            };
            let link = |account_id: &str| AccountWrite::LinkGoogle {
                subject: user.subject.clone(),
                account_id: account_id.to_owned(),
                instead_of: linked.clone(),
            };
            if let Some(owner) = owner {
                let edit = |account: &mut Account| {
                    let name = to_one_line(user.name.as_deref().unwrap_or_default(), LONGEST_USER_NAME);
                    account.name = account.name.take().or_else(|| (!name.is_empty()).then_some(name));
                    account.google.retain(|link| link.subject != user.subject);
                    account.google.push(self.new_google_link(&user));
                };
                if let ChangeOutcome::Done(account) = self.change(&owner, &edit, &[link(&owner.id)]).await? {
                    return Ok(*account);
                }
                self.back_off(attempt).await;
                continue;
            }
            let account = self.new_google_account(&user, &address, language);
            let writes = vec![
                AccountWrite::InsertAccount(Box::new(account.clone())),
                AccountWrite::SetAddressOwner { address: address.clone(), account_id: account.id.clone() },
                link(&account.id),
                AccountWrite::ClearPendingRegistration { address: address.clone() },
                AccountWrite::CountAccount { created_at: account.created_at },
            ];
            if self.accounts.commit(writes).await? == CommitOutcome::Done {
                if let Some(pending) = &holders.pending {
                    password_store.remove(pending).await?;
                }
                return Ok(account);
            }
            self.back_off(attempt).await;
        }
        Err(Error::unavailable("a sign-in with Google kept colliding"))
    }

    fn new_google_link(&self, user: &GoogleUser) -> GoogleLink {
        GoogleLink { subject: user.subject.clone(), linked_at: self.clock.now() }
    }

    fn new_google_account(&self, user: &GoogleUser, address: &Address, language: InterfaceLanguage) -> Account {
        let name = to_one_line(user.name.as_deref().unwrap_or_default(), LONGEST_USER_NAME);
        let local = address.as_str().split('@').next().unwrap_or_default();
        let user_name = if name.is_empty() { to_one_line(local, LONGEST_USER_NAME) } else { name.clone() };
        let mut account = Account::new(new_id(self.clock, self.random), user_name, address, self.clock.now());
        account.verified = true;
        account.name = (!name.is_empty()).then_some(name);
        account.language = Some(language.code().to_owned());
        account.google.push(self.new_google_link(user));
        account
    }
}
