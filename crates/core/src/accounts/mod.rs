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
mod address_revert;
mod deletion;
mod google;
mod listing;
mod login;
mod logout;
mod managing;
mod passwords;
mod profile;
mod registration;
mod store;

use async_trait::async_trait;
use unicode_normalization::UnicodeNormalization;

pub use account::{
    Account, EndedSession, FormerAddress, GoogleLink, REGISTRATION_LIFE_SECONDS, RESET_LIFE_SECONDS,
    REVERT_LIFE_SECONDS, Role,
};
pub use address::{Address, TypedAddress};
pub use deletion::{AccountCleanup, DeletionMarker, DeletionProof, SETTLE_SECONDS};
pub use google::{Google, GoogleUser, google_refused};
pub use listing::{ListedUser, USERS_PER_PAGE, UserColumn, UserCounts, UserPage, UserRow, UserRows, UserSearch, Users};
pub use profile::{ProfileChange, check_user_name};
pub use registration::{Registration, delete_password_of_missing_account};
pub use store::{AccountWrite, Accounts, AddressClaims, CommitOutcome, Condition, ResetLink};

use crate::audit_log::{AuditEvent, account_change};
use crate::clock::new_id;
use crate::limits::{
    Attempts, Limit, MAIL_PER_ADDRESS, MAIL_PER_ADDRESS_AND_SOURCE, MAIL_PER_SESSION, MAIL_PER_SOURCE, MailKind,
};
use crate::mail::{Mail, Recipient, SealedMail};
use crate::secret::Secret;
use crate::{Clock, Error, ErrorCode, InterfaceLanguage, RandomSource, Result, Timestamp};

/// The allowed number of characters in a password.
pub const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 8..=256;
/// Maximum number of characters in a user name.
pub const LONGEST_USER_NAME: usize = 60;
/// The store of passwords: Cognito, or hashes in a table of the product. It knows accounts only by their ids, so a change of
/// address does not affect it. Passwords must be in the form that [`check_password`] returns.
#[async_trait]
pub trait PasswordStore: Send + Sync {
    /// Returns whether `password` is the password of the account `user_id`. For a missing account, `user_id` is `None` and the
    /// result is false. The call takes the same time if the account or its password does not exist, so that the time does not
    /// reveal which accounts exist.
    async fn verify(&self, user_id: Option<&str>, password: &str) -> Result<bool>;

    /// Sets or replaces the password. After two simultaneous calls, one of the two passwords is set.
    async fn set_password(&self, user_id: &str, password: &str) -> Result<()>;

    /// Deletes the account and its password in this store. Succeeds if the account does not exist.
    async fn remove(&self, user_id: &str) -> Result<()>;
}

/// Checks and normalizes a password. The result is in NFC (RFC 8265 §4.2.2), so it does not depend on the keyboard. A password has
/// 8 to 256 characters. At least one of them is not white space, because a login treats a blank password as missing. `field` is the
/// name that the password has in the request; the error contains this name.
///
/// # Errors
/// `invalid_password`.
pub fn check_password(password: &str, field: &str) -> Result<String> {
    // A password of this length is too long in any form, so its characters are not counted.
    let password: String = if password.len() > 16_384 { String::new() } else { password.nfc().collect() };
    if PASSWORD_LENGTH.contains(&password.chars().count()) && !password.trim().is_empty() {
        return Ok(password);
    }
    let error = Error::new(ErrorCode::InvalidPassword, "A password has 8 to 256 characters.").with_fields([field]);
    Err(error.with_limit(*PASSWORD_LENGTH.end() as u64))
}

/// Normalizes a password for verification. An invalid password becomes an empty text, which is never the password of an account.
fn normalized_password(password: &str) -> String {
    check_password(password, "password").unwrap_or_default()
}

/// The service for accounts. Its fields are its dependencies, such as stores and the clock. Functions that need passwords take a
/// [`PasswordStore`] as a parameter.
pub struct AccountService<'a> {
    pub accounts: &'a dyn Accounts,
    pub attempts: &'a dyn Attempts,
    /// The secret that protects codes and mails. `None` in processes that write neither.
    pub secret: Option<&'a Secret>,
    pub clock: &'a dyn Clock,
    pub random: &'a dyn RandomSource,
    /// A factor by which the rate limits for one IP address are multiplied. It is 1 except in tests.
    pub source_factor: u64,
}

/// The result of changing an account.
enum ChangeOutcome {
    Done(Box<Account>),
    /// The change was rejected, because these conditions of other writes in the same transaction did not hold.
    Refused(Vec<Condition>),
    /// The change was rejected, because the account was deleted or its sessions were ended during the request.
    SessionEnded,
}

/// The client that requests a mail.
enum MailRequester<'a> {
    /// A client that is not signed in, with its IP address.
    Source(&'a str),
    /// A signed-in user, with the IP address of the client. The rate limit counts the mails that this user requests from this IP
    /// address. So other users with the same IP address cannot use up the limit.
    Session(&'a Account, &'a str),
}

impl AccountService<'_> {
    fn secret(&self) -> Result<&Secret> {
        self.secret.ok_or_else(|| Error::internal("there is no secret for codes and mails"))
    }

    async fn count_by_source(&self, limit: Limit, source: &str) -> Result<()> {
        let limit = Limit { most: limit.most.saturating_mul(self.source_factor.max(1)), ..limit };
        limit.count_attempt(self.attempts, source, self.clock.now()).await
    }

    async fn uncount_by_source(&self, limit: Limit, source: &str, taken_at: Timestamp) -> Result<()> {
        limit.uncount_attempt(self.attempts, source, taken_at).await
    }

    /// Checks the rate limits for a mail of this kind to this address, and counts the mail. There are three limits: for all mails
    /// that `asker` requests, for mails of this kind that `asker` requests to this address, and for mails of this kind that anyone
    /// requests to this address. After this call, `asker` cannot request another mail of this kind to this address for one minute.
    async fn check_mail_limits(&self, sort: MailKind, address: &Address, asker: MailRequester<'_>) -> Result<()> {
        let now = self.clock.now();
        let whom = match asker {
            MailRequester::Source(source) => {
                self.count_by_source(MAIL_PER_SOURCE, source).await?;
                source.to_owned()
            }
            MailRequester::Session(account, source) => {
                let whom = format!("{}#{source}", account.id);
                MAIL_PER_SESSION.count_attempt(self.attempts, &whom, now).await?;
                whom
            }
        };
        let here = address.limit_key(&whom);
        sort.start_wait(self.attempts, &here, now).await?;
        let name = sort.name();
        MAIL_PER_ADDRESS_AND_SOURCE.count_attempt(self.attempts, &format!("{name}#{here}"), now).await?;
        let everywhere =
            MAIL_PER_ADDRESS.count_attempt(self.attempts, &format!("{name}#{}", address.hash()), now).await;
        everywhere.map_err(|error| match error.details.retry_after {
            Some(wait) if sort.has_link() => too_many_mails(wait),
            _ => error,
        })
    }

    /// Returns the owner of an address that a user has typed, and the latest unverified registration with this address. An old
    /// account may be stored under another form of the address (`TypedAddress::stored`). If accounts are stored under both forms,
    /// those with the older form are returned.
    async fn holders_of_typed(&self, typed: &TypedAddress) -> Result<AddressClaims> {
        let holders = self.accounts.address_claims(&typed.address).await?;
        let Some(stored) = &typed.stored else { return Ok(holders) };
        let older = self.accounts.address_claims(stored).await?;
        Ok(AddressClaims { owner: older.owner.or(holders.owner), pending: older.pending.or(holders.pending) })
    }

    /// Returns the write that puts a mail into the outbox.
    fn queue_mail(&self, to: &Address, language: InterfaceLanguage, mail: Mail) -> Result<AccountWrite> {
        let to = Recipient { address: to.as_str().to_owned(), language: language.code().to_owned() };
        let now = self.clock.now();
        Ok(AccountWrite::QueueMail(SealedMail::new(
            new_id(self.clock, self.random),
            now,
            &to,
            &mail,
            self.secret()?,
            self.random,
        )?))
    }

    /// Commits writes whose conditions are expected to hold. If a condition does not hold, returns the error `internal`.
    async fn commit_all(&self, writes: Vec<AccountWrite>) -> Result<()> {
        match self.accounts.commit(writes).await? {
            CommitOutcome::Done => Ok(()),
            CommitOutcome::Refused(conditions) => Err(Error::internal(format!("writes were refused: {conditions:?}"))),
        }
    }

    /// Changes an account with `edit`, in one transaction with the writes in `with`. If another request has changed the account
    /// in the meantime, `edit` is applied to the new state.
    ///
    /// # Errors
    /// `account_busy` if other requests keep changing the account.
    async fn change(
        &self,
        account: &Account,
        edit: &(dyn Fn(&mut Account) + Sync),
        with: &[AccountWrite],
    ) -> Result<ChangeOutcome> {
        self.change_by(&account.id, account, edit, with).await
    }

    /// Changes an account with `edit`, in one transaction with the writes in `with`, and tries again after a write conflict
    /// ([`Self::change`]). The audit log records that the account `by` made the change.
    async fn change_by(
        &self,
        by: &str,
        account: &Account,
        edit: &(dyn Fn(&mut Account) + Sync),
        with: &[AccountWrite],
    ) -> Result<ChangeOutcome> {
        let mut before = account.clone();
        for attempt in 0..MAX_WRITE_ATTEMPTS {
            let mut after = before.clone();
            edit(&mut after);
            after.revision = before.revision + 1;
            let event = account_change(&before, &after).map(|what| AuditEvent { by: Some(by.to_owned()), what });
            let mut writes =
                vec![AccountWrite::ReplaceAccount { before: before.revision, after: Box::new(after.clone()), event }];
            writes.extend_from_slice(with);
            let CommitOutcome::Refused(mut refused) = self.accounts.commit(writes).await? else {
                return Ok(ChangeOutcome::Done(Box::new(after)));
            };
            refused.retain(|condition| *condition != Condition::SameRevision);
            if !refused.is_empty() {
                return Ok(ChangeOutcome::Refused(refused));
            }
            self.back_off(attempt).await;
            let now = self.accounts.account(&account.id).await?;
            match now.filter(|now| now.token_version == account.token_version) {
                Some(now) => before = now,
                None => return Ok(ChangeOutcome::SessionEnded),
            }
        }
        Err(account_busy())
    }

    /// Waits after a write conflict (exponential back-off with jitter). `attempt` starts at 0.
    async fn back_off(&self, attempt: u32) {
        let mut byte = [0u8];
        self.random.fill_bytes(&mut byte);
        let longest = 8u64 << attempt.min(5);
        self.clock.wait(longest * u64::from(byte[0]) / 255).await;
    }
}

/// Maximum number of attempts to write an account that other requests change at the same time.
const MAX_WRITE_ATTEMPTS: u32 = 24;

/// Creates an admin account with a verified address. Used for the first admin of an installation.
pub async fn add_admin(
    accounts: &dyn Accounts,
    password_store: &dyn PasswordStore,
    clock: &dyn Clock,
    random: &dyn RandomSource,
    (email, password): (&str, &str),
) -> Result<Account> {
    let password = check_password(password, "password")?;
    let address = Address::parse(email)?;
    let mut account = Account::new(new_id(clock, random), "Admin".to_owned(), &address, clock.now());
    account.verified = true;
    account.role = Role::Admin;
    // The password comes first: an account without a password cannot be used, but a password without an account does no harm.
    password_store.set_password(&account.id, &password).await?;
    add_account(accounts, &account, &address).await?;
    Ok(account)
}

/// Writes a new account and makes it the owner of its address, in one transaction.
///
/// # Errors
/// `email_taken` if the address already has an owner.
pub async fn add_account(accounts: &dyn Accounts, account: &Account, address: &Address) -> Result<()> {
    let mut writes = vec![
        AccountWrite::InsertAccount(Box::new(account.clone())),
        AccountWrite::SetAddressOwner { address: address.clone(), account_id: account.id.clone() },
    ];
    if account.verified {
        writes.push(AccountWrite::CountAccount { created_at: account.created_at });
    }
    if account.role == Role::Admin {
        writes.push(AccountWrite::AddAdmin { account_id: account.id.clone() });
    }
    match accounts.commit(writes).await? {
        CommitOutcome::Done => Ok(()),
        CommitOutcome::Refused(_) => Err(email_taken()),
    }
}

/// Returns the error for an address to which too many mails with a link were sent in the last hour. Other people may have requested
/// these mails, but the owner of the address can use the link in any of them. `wait` is the time in seconds until another mail can
/// be sent.
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
