//! Accounts: registration, sign-in, profile changes, roles and deletion.
//!
//! An e-mail address belongs to at most one account: the first one that verified it (the *owner*). A registration creates an
//! unverified account that owns no address. Several registrations may wait for the same address; the first one that is verified
//! becomes the owner. So registering with another person's address gains nothing.
//!
//! The response to a registration does not reveal whether the address is known. In both cases the writes and the work are the
//! same, and only the mail differs.

pub(crate) mod account;
pub(crate) mod address;
mod address_change;
mod address_restoring;
mod google;
mod listing;
mod login;
mod managing;
mod passwords;
mod profile;
mod registration;
mod removal;
mod store;

use async_trait::async_trait;
use unicode_normalization::UnicodeNormalization;

pub use account::{
    Account, FormerAddress, GoogleLink, REGISTRATION_LIFE_SECONDS, RESET_LIFE_SECONDS, RESTORE_LIFE_SECONDS, Role,
};
pub use address::{Address, TypedAddress};
pub use google::{Google, GoogleUser, google_refused};
pub use listing::{FoundUsers, ListedUser, USERS_PER_PAGE, UserColumn, UserRow, UserRows, UserSearch, Users};
pub use profile::{ProfileChange, check_user_name};
pub use registration::{Registration, forget_password_of_gone};
pub use removal::{Going, Proof, Removal, SETTLE_SECONDS};
pub use store::{Accounts, Commit, Condition, Holders, ResetLink, Write};

use crate::clock::new_id;
use crate::history::{Deed, account_changes};
use crate::limits::{
    Attempts, Limit, MAIL_PER_ADDRESS, MAIL_PER_ADDRESS_AND_SOURCE, MAIL_PER_SESSION, MAIL_PER_SOURCE, MailSort,
};
use crate::mail::{Addressee, Letter, Sealed};
use crate::secret::Secret;
use crate::{Chance, Clock, Error, ErrorCode, InterfaceLanguage, Result, Timestamp};

/// The number of characters in a password.
pub const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 8..=256;
/// Maximum number of characters in a user name.
pub const LONGEST_USER_NAME: usize = 60;
/// The store of passwords: Cognito, or hashes in a table of the product. It knows accounts only by their ids, so a change of
/// address does not affect it. Passwords must be in the form that [`check_password`] returns.
#[async_trait]
pub trait Identity: Send + Sync {
    /// Returns whether this is the account's password. Takes the same time if the account (`None`) or the password does not
    /// exist.
    async fn verify(&self, user_id: Option<&str>, password: &str) -> Result<bool>;

    /// Sets or replaces the password. After two simultaneous calls, one of the two passwords is set.
    async fn set_password(&self, user_id: &str, password: &str) -> Result<()>;

    /// Deletes the account and its password in this store. Succeeds if the account does not exist.
    async fn remove(&self, user_id: &str) -> Result<()>;
}

/// Checks and normalizes a password. The result does not depend on the keyboard (NFC, as in RFC 8265 §4.2.2). A password has 8
/// to 256 characters, of which at least one is not white space, because a login treats a blank password as missing. `field` is
/// the name of the request's field.
///
/// # Errors
/// `invalid_password`.
pub fn check_password(password: &str, field: &str) -> Result<String> {
    // Far too long in any case, so the characters are not counted.
    let password: String = if password.len() > 16_384 { String::new() } else { password.nfc().collect() };
    if PASSWORD_LENGTH.contains(&password.chars().count()) && !password.trim().is_empty() {
        return Ok(password);
    }
    let error = Error::new(ErrorCode::InvalidPassword, "A password has 8 to 256 characters.").with_fields([field]);
    Err(error.with_limit(*PASSWORD_LENGTH.end() as u64))
}

/// Normalizes a password for verification. An invalid password becomes empty, which never matches.
fn claimed_password(password: &str) -> String {
    check_password(password, "password").unwrap_or_default()
}

/// The service for accounts, with the ports it needs. Operations that need passwords take an [`Identity`].
pub struct Registrar<'a> {
    pub accounts: &'a dyn Accounts,
    pub attempts: &'a dyn Attempts,
    /// The secret. Only functions that write codes and mails have it.
    pub secret: Option<&'a Secret>,
    pub clock: &'a dyn Clock,
    pub chance: &'a dyn Chance,
    /// A factor for the limits by source. It is 1 except in tests.
    pub source_factor: u64,
}

/// The result of changing an account.
enum Changed {
    Done(Box<Account>),
    /// The conditions of the other writes that did not hold.
    Refused(Vec<Condition>),
    /// The account was deleted, or its sessions were ended during the request.
    Ended,
}

/// The origin of a request for a mail.
enum Asker<'a> {
    /// A request without a session, from a source.
    Source(&'a str),
    /// A request of a signed-in account, from a source. It is limited by account, so that other people's mails do not block it.
    Session(&'a Account, &'a str),
}

impl Registrar<'_> {
    fn secret(&self) -> Result<&Secret> {
        self.secret.ok_or_else(|| Error::internal("there is no secret for codes and mails"))
    }

    async fn take_of_source(&self, limit: Limit, source: &str) -> Result<()> {
        let limit = Limit { most: limit.most.saturating_mul(self.source_factor.max(1)), ..limit };
        limit.take(self.attempts, source, self.clock.now()).await
    }

    async fn give_back_to_source(&self, limit: Limit, source: &str, taken_at: Timestamp) -> Result<()> {
        limit.give_back(self.attempts, source, taken_at).await
    }

    /// Checks the rate limits for a mail of this kind to this address, counts the mail, and starts the wait of one minute until
    /// the next one. The limits apply to the source or session of `asker`, and to the address.
    async fn may_mail(&self, sort: MailSort, address: &Address, asker: Asker<'_>) -> Result<()> {
        let now = self.clock.now();
        let whom = match asker {
            Asker::Source(source) => {
                self.take_of_source(MAIL_PER_SOURCE, source).await?;
                source.to_owned()
            }
            Asker::Session(account, source) => {
                let whom = format!("{}#{source}", account.id);
                MAIL_PER_SESSION.take(self.attempts, &whom, now).await?;
                whom
            }
        };
        let here = address.hash_and(&whom);
        sort.reserve(self.attempts, &here, now).await?;
        let name = sort.name();
        MAIL_PER_ADDRESS_AND_SOURCE.take(self.attempts, &format!("{name}#{here}"), now).await?;
        let everywhere = MAIL_PER_ADDRESS.take(self.attempts, &format!("{name}#{}", address.hash()), now).await;
        everywhere.map_err(|error| match error.details.retry_after {
            Some(wait) if sort.has_link() => too_many_mails(wait),
            _ => error,
        })
    }

    /// Returns the accounts that have, or want to have, an address that a user typed. An account under an older form of it
    /// comes first.
    async fn holders_of_typed(&self, typed: &TypedAddress) -> Result<Holders> {
        let holders = self.accounts.holders(&typed.address).await?;
        let Some(stored) = &typed.stored else { return Ok(holders) };
        let older = self.accounts.holders(stored).await?;
        Ok(Holders { owner: older.owner.or(holders.owner), pending: older.pending.or(holders.pending) })
    }

    /// Returns the write that puts a mail into the outbox.
    fn mail(&self, to: &Address, language: InterfaceLanguage, letter: Letter) -> Result<Write> {
        let to = Addressee { address: to.as_str().to_owned(), language: language.code().to_owned() };
        let now = self.clock.now();
        Ok(Write::Mail(Sealed::new(new_id(self.clock, self.chance), now, &to, &letter, self.secret()?, self.chance)?))
    }

    /// Commits writes whose conditions must hold. If one does not, the error is `internal`.
    async fn write(&self, writes: Vec<Write>) -> Result<()> {
        match self.accounts.commit(writes).await? {
            Commit::Done => Ok(()),
            Commit::Refused(conditions) => Err(Error::internal(format!("writes were refused: {conditions:?}"))),
        }
    }

    /// Changes an account, together with other writes. If another request has changed the account, the change is applied to its
    /// current state.
    ///
    /// # Errors
    /// `account_busy` if other requests keep changing the account.
    async fn change(&self, account: &Account, edit: &(dyn Fn(&mut Account) + Sync), with: &[Write]) -> Result<Changed> {
        self.change_by(&account.id, account, edit, with).await
    }

    /// Changes an account like [`Self::change`], on behalf of the account `by`.
    async fn change_by(
        &self,
        by: &str,
        account: &Account,
        edit: &(dyn Fn(&mut Account) + Sync),
        with: &[Write],
    ) -> Result<Changed> {
        let mut before = account.clone();
        for attempt in 0..MOST_COLLISIONS {
            let mut after = before.clone();
            edit(&mut after);
            after.revision = before.revision + 1;
            let deed = account_changes(&before, &after).map(|what| Deed { by: Some(by.to_owned()), what });
            let mut writes = vec![Write::Account { before: before.revision, after: Box::new(after.clone()), deed }];
            writes.extend_from_slice(with);
            let Commit::Refused(mut refused) = self.accounts.commit(writes).await? else {
                return Ok(Changed::Done(Box::new(after)));
            };
            refused.retain(|condition| *condition != Condition::SameRevision);
            if !refused.is_empty() {
                return Ok(Changed::Refused(refused));
            }
            self.step_aside(attempt).await;
            let now = self.accounts.account(&account.id).await?;
            match now.filter(|now| now.token_version == account.token_version) {
                Some(now) => before = now,
                None => return Ok(Changed::Ended),
            }
        }
        Err(account_busy())
    }

    /// Exponential back-off with jitter after a write conflict. `attempt` starts at 0.
    async fn step_aside(&self, attempt: u32) {
        let mut byte = [0u8];
        self.chance.fill(&mut byte);
        let longest = 8u64 << attempt.min(5);
        self.clock.wait(longest * u64::from(byte[0]) / 255).await;
    }
}

/// Maximum number of attempts when other requests change the same account.
const MOST_COLLISIONS: u32 = 24;

/// Creates an admin account with a verified address. Used for the first admin of an installation.
pub async fn add_admin(
    accounts: &dyn Accounts,
    identity: &dyn Identity,
    clock: &dyn Clock,
    chance: &dyn Chance,
    (email, password): (&str, &str),
) -> Result<Account> {
    let password = check_password(password, "password")?;
    let address = Address::parse(email)?;
    let mut account = Account::new(new_id(clock, chance), "Admin".to_owned(), &address, clock.now());
    account.verified = true;
    account.role = Role::Admin;
    // The password comes first: an account without a password cannot be used, but a password without an account does no harm.
    identity.set_password(&account.id, &password).await?;
    add(accounts, &account, &address).await?;
    Ok(account)
}

/// Writes a new account and its address in one transaction.
///
/// # Errors
/// `email_taken` if the address already has an owner.
pub async fn add(accounts: &dyn Accounts, account: &Account, address: &Address) -> Result<()> {
    let mut writes = vec![
        Write::NewAccount(Box::new(account.clone())),
        Write::Owner { address: address.clone(), account_id: account.id.clone() },
    ];
    if account.verified {
        writes.push(Write::Joined { created_at: account.created_at });
    }
    if account.role == Role::Admin {
        writes.push(Write::Admin { account_id: account.id.clone() });
    }
    match accounts.commit(writes).await? {
        Commit::Done => Ok(()),
        Commit::Refused(_) => Err(email_taken()),
    }
}

/// Returns the error for an address to which others may have caused all mails of this hour. Its owner can use any of them.
fn too_many_mails(wait: u64) -> Error {
    let message = "Many emails were sent to this address in the last hour. The link in each of them is valid.";
    Error::too_many(ErrorCode::TooManyMails, message, wait).with_limit(MAIL_PER_ADDRESS.most)
}

fn account_busy() -> Error {
    let message = "This account is being changed by other requests at the same time. Please try again.";
    Error::new(ErrorCode::AccountBusy, message)
}

fn email_taken() -> Error {
    Error::new(ErrorCode::EmailTaken, "This address is already used by another account.").with_fields(["email"])
}
