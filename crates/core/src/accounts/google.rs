//! Signing in with Google.

use async_trait::async_trait;

use super::{Account, Address, Changed, Commit, GoogleLink, Identity, LONGEST_USER_NAME, Registrar, Write};
use crate::clock::new_id;
use crate::limits::PROOF_PER_SOURCE;
use crate::one_line::made_one_line;
use crate::{Error, ErrorCode, InterfaceLanguage, Result};

/// Somebody Google vouches for; his address is verified by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleUser {
    /// Google's own, unchanging id of him.
    pub subject: String,
    pub email: String,
    pub name: Option<String>,
}

/// Who stands behind an access token of the pool that Google's users sign in to.
#[async_trait]
pub trait Google: Send + Sync {
    /// `google_refused` for a token that is not of our pool and our public client, is no access token, is over, or is not of
    /// somebody whom Google vouches for with a verified address.
    async fn user(&self, access_token: &str) -> Result<GoogleUser>;

    /// Forgets what the pool knows of a subject; it is no fault if that is nothing.
    async fn forget(&self, subject: &str) -> Result<()>;
}

/// A token that proves nothing; `cause` is logged, not sent.
pub fn google_refused(cause: impl Into<String>) -> Error {
    let message = "Google did not confirm who you are. Please try again.";
    let mut error = Error::new(ErrorCode::GoogleRefused, message);
    error.cause = Some(cause.into());
    error
}

/// Sign-ins of one person that may stand in each other's way before one gives up.
const TRIES: u32 = 8;

impl Registrar<'_> {
    /// The account of a user of Google: the one that knows his subject, else the owner of his address, else a new one.
    /// He proves the address by signing in: a password somebody set for it without a proof is deleted.
    pub async fn google_login(
        &self,
        identity: &dyn Identity,
        google: &dyn Google,
        access_token: &str,
        source: &str,
        language: InterfaceLanguage,
    ) -> Result<Account> {
        let taken_at = self.clock.now();
        self.take_of_source(PROOF_PER_SOURCE, source).await?;
        let user = google.user(access_token).await?;
        let address = Address::parse(&user.email).map_err(|_| google_refused("an address that is none"))?;
        self.give_back_to_source(PROOF_PER_SOURCE, source, taken_at).await?;
        for attempt in 0..TRIES {
            let linked = self.accounts.of_google(&user.subject).await?;
            if let Some(id) = &linked
                && let Some(account) = self.accounts.account(id).await?
                && account.google.iter().any(|link| link.subject == user.subject)
            {
                return Ok(account);
            }
            let holders = self.accounts.holders(&address).await?;
            let owner = match &holders.owner {
                Some(id) => self.accounts.account(id).await?,
                None => None,
            };
            let link = |account_id: &str| Write::Google {
                subject: user.subject.clone(),
                account_id: account_id.to_owned(),
                instead_of: linked.clone(),
            };
            if let Some(owner) = owner {
                let edit = |account: &mut Account| {
                    let name = made_one_line(user.name.as_deref().unwrap_or_default(), LONGEST_USER_NAME);
                    account.name = account.name.take().or_else(|| (!name.is_empty()).then_some(name));
                    account.google.retain(|link| link.subject != user.subject);
                    account.google.push(self.link_of(&user));
                };
                if let Changed::Done(account) = self.change(&owner, &edit, &[link(&owner.id)]).await? {
                    return Ok(*account);
                }
                self.step_aside(attempt).await;
                continue;
            }
            let account = self.account_of(&user, &address, language);
            let writes = vec![
                Write::NewAccount(Box::new(account.clone())),
                Write::Owner { address: address.clone(), account_id: account.id.clone() },
                link(&account.id),
                Write::NoPending { address: address.clone() },
                Write::Joined { created_at: account.created_at },
            ];
            if self.accounts.commit(writes).await? == Commit::Done {
                if let Some(pending) = &holders.pending {
                    identity.remove(pending).await?;
                }
                return Ok(account);
            }
            self.step_aside(attempt).await;
        }
        Err(Error::unavailable("a sign-in with Google kept colliding"))
    }

    fn link_of(&self, user: &GoogleUser) -> GoogleLink {
        GoogleLink { subject: user.subject.clone(), linked_at: self.clock.now() }
    }

    fn account_of(&self, user: &GoogleUser, address: &Address, language: InterfaceLanguage) -> Account {
        let name = made_one_line(user.name.as_deref().unwrap_or_default(), LONGEST_USER_NAME);
        let local = address.as_str().split('@').next().unwrap_or_default();
        let user_name = if name.is_empty() { made_one_line(local, LONGEST_USER_NAME) } else { name.clone() };
        let mut account = Account::new(new_id(self.clock, self.chance), user_name, address, self.clock.now());
        account.verified = true;
        account.name = (!name.is_empty()).then_some(name);
        account.language = Some(language.code().to_owned());
        account.google.push(self.link_of(user));
        account
    }
}
