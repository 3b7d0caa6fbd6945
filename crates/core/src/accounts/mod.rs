//! Accounts: who somebody is, how he proves it, and what he may change.
//!
//! An address belongs to at most one account: the one that proved it first (the *owner*). A registration makes an account that
//! is not verified and owns nothing; any number of them may wait for the same address, and the first to prove it becomes the
//! owner. So whoever registers somebody else's address first gains nothing by it, and a registration answers alike whether or
//! not the address is known: the same writes, the same work, only the mail differs.

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
pub use address::Address;
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

/// Characters of a password, in every identity.
pub const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 8..=256;
/// Characters of a userName.
pub const LONGEST_USER_NAME: usize = 60;
/// Who keeps the passwords: Cognito, or hashes in our table. Accounts are known to it by their id alone, so that a change
/// of address touches nothing there. Passwords come in the form of [`check_password`].
#[async_trait]
pub trait Identity: Send + Sync {
    /// Whether this is the account's password. Takes as long for an account that is not there (`None`) or has none.
    async fn verify(&self, user_id: Option<&str>, password: &str) -> Result<bool>;

    /// Sets or replaces the password. Of two at once one holds, whole.
    async fn set_password(&self, user_id: &str, password: &str) -> Result<()>;

    /// Forgets the account's password, and the account; it is no fault if there is none.
    async fn remove(&self, user_id: &str) -> Result<()>;
}

/// The one form of a password, whichever keyboard it was typed on (NFC, as in RFC 8265 §4.2.2); 8 to 256 characters, no other rule
/// but that not all of them are white space: a login takes such a one for none. `field`: what the request calls it.
pub fn check_password(password: &str, field: &str) -> Result<String> {
    // Not worth counting.
    let password: String = if password.len() > 16_384 { String::new() } else { password.nfc().collect() };
    if PASSWORD_LENGTH.contains(&password.chars().count()) && !password.trim().is_empty() {
        return Ok(password);
    }
    let error = Error::new(ErrorCode::InvalidPassword, "A password has 8 to 256 characters.").with_fields([field]);
    Err(error.with_limit(*PASSWORD_LENGTH.end() as u64))
}

/// A password somebody claims to be his: one that could not have been set becomes one that is nobody's.
fn claimed_password(password: &str) -> String {
    check_password(password, "password").unwrap_or_default()
}

/// The rules of accounts, and what they reach. What needs to know passwords is given an [`Identity`].
pub struct Registrar<'a> {
    pub accounts: &'a dyn Accounts,
    pub attempts: &'a dyn Attempts,
    /// Only what writes codes and mails has it.
    pub secret: Option<&'a Secret>,
    pub clock: &'a dyn Clock,
    pub chance: &'a dyn Chance,
    /// Limits by source are multiplied by this: 1 but in tests.
    pub source_factor: u64,
}

/// What became of a change of an account.
enum Changed {
    Done(Box<Account>),
    /// The conditions of the other writes that did not hold.
    Refused(Vec<Condition>),
    /// The account is gone, or its sessions were ended meanwhile.
    Ended,
}

/// At whose wish a mail is sent.
enum Asker<'a> {
    /// Anybody, from a source.
    Source(&'a str),
    /// Somebody signed in, from a source: nobody else's mails stand in his way.
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

    /// May a mail of this sort go to this address? The wait of a minute and the limits count from now.
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
        MAIL_PER_ADDRESS.take(self.attempts, &format!("{name}#{}", address.hash()), now).await
    }

    /// A mail, as a write of the transaction that causes it.
    fn mail(&self, to: &Address, language: InterfaceLanguage, letter: Letter) -> Result<Write> {
        let to = Addressee { address: to.as_str().to_owned(), language: language.code().to_owned() };
        let now = self.clock.now();
        Ok(Write::Mail(Sealed::new(new_id(self.clock, self.chance), now, &to, &letter, self.secret()?, self.chance)?))
    }

    /// Writes all of it; a condition that does not hold is not expected.
    async fn write(&self, writes: Vec<Write>) -> Result<()> {
        match self.accounts.commit(writes).await? {
            Commit::Done => Ok(()),
            Commit::Refused(conditions) => Err(Error::internal(format!("writes were refused: {conditions:?}"))),
        }
    }

    /// Changes an account, together with other writes. Where it was changed meanwhile the change is made to what it is now. `account_busy` where others keep changing it.
    async fn change(&self, account: &Account, edit: &(dyn Fn(&mut Account) + Sync), with: &[Write]) -> Result<Changed> {
        self.change_by(&account.id, account, edit, with).await
    }

    /// The same in the name of another account.
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

    /// Waits before the try after the `attempt`th (from 0) that met others: longer each time, and by chance, or they meet again.
    async fn step_aside(&self, attempt: u32) {
        let mut byte = [0u8];
        self.chance.fill(&mut byte);
        let longest = 8u64 << attempt.min(5);
        self.clock.wait(longest * u64::from(byte[0]) / 255).await;
    }
}

/// Changes of one account that may stand in each other's way before one gives up.
const MOST_COLLISIONS: u32 = 24;

/// A new admin whose address counts as proven: the first of a house.
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
    // The password first: an account without one could not be entered, a password without an account is nothing.
    identity.set_password(&account.id, &password).await?;
    add(accounts, &account, &address).await?;
    Ok(account)
}

/// Keeps a new account and its address, both or neither. An address that is taken is `email_taken`.
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

fn account_busy() -> Error {
    let message = "This account is being changed by other requests at the same time. Please try again.";
    Error::new(ErrorCode::AccountBusy, message)
}

fn email_taken() -> Error {
    Error::new(ErrorCode::EmailTaken, "There is an account with this address.").with_fields(["email"])
}
