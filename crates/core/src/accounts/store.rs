//! The trait for the store of accounts. The store offers consistent reads and transactions.

use async_trait::async_trait;

use super::{Account, Address, DeletionMarker};
use crate::audit_log::{AccountChange, AuditEvent};
use crate::mail::SealedMail;
use crate::one_time_password::CodeKey;
use crate::{Result, Timestamp};

/// The accounts that claim one e-mail address: its owner, and the latest registration that is not verified yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressClaims {
    /// The id of the account that owns the address, which is the first account that verified the address. `None` if the address has
    /// no owner.
    pub owner: Option<String>,
    /// The account id of the latest registration that has not verified the address yet. `None` if no registration waits for
    /// verification.
    pub pending: Option<String>,
}

/// A link for setting a new password. Anyone who has the token of the link can use the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResetLink {
    /// The SHA-256 hash of the token in the link.
    pub token_hash: String,
    pub account_id: String,
    /// The account's token version when the link was created. Ending the account's sessions changes the version and so makes the
    /// link invalid.
    pub token_version: u32,
    pub expires_at: Timestamp,
}

/// A condition of a write in a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The account id is unused.
    NewAccount,
    /// The account has not changed since it was read.
    SameRevision,
    /// The address has no owner.
    FreeAddress,
    /// The account owns the address.
    AddressOwned,
    /// The Google subject (the id of a Google user) is linked to no account, or to the account that the write expects.
    GoogleSubjectFree,
    /// The code is still stored, with the MAC that the write contains.
    CodeMatches,
    /// The link for setting a new password is still stored.
    ResetLinkExists,
    /// The mail id is unused.
    NewMail,
    /// The account is an admin, and there is at least one other admin.
    AnotherAdminExists,
}

/// A write in a transaction. If the write has a condition that does not hold, the transaction is rejected.
#[derive(Debug, Clone)]
pub enum AccountWrite {
    /// Adds an account, if its id is unused. An unverified account is deleted automatically after
    /// [`super::REGISTRATION_LIFE_SECONDS`].
    InsertAccount(Box<Account>),
    /// Replaces an account, if the stored one has the revision `before`.
    ReplaceAccount {
        before: u64,
        after: Box<Account>,
        /// The audit event of the change. `None` if the change is not recorded.
        event: Option<AuditEvent<AccountChange>>,
    },
    /// Makes the account the owner of the address, if the address has no owner.
    SetAddressOwner {
        address: Address,
        account_id: String,
    },
    /// Removes the ownership of the address, if the account owns it.
    RemoveAddressOwner {
        address: Address,
        account_id: String,
    },
    /// Records the account as the latest registration that has not verified the address yet.
    SetPendingRegistration {
        address: Address,
        account_id: String,
        expires_at: Timestamp,
    },
    /// Records the account as the latest registration with the address from one client IP address (`source`).
    PendingFrom {
        address: Address,
        source: String,
        account_id: String,
        expires_at: Timestamp,
    },
    ClearPendingRegistration {
        address: Address,
    },
    /// Links a Google subject (the id of a Google user) to the account. The condition is that the subject is linked to no account,
    /// or to `instead_of`, an account that was deleted.
    LinkGoogle {
        subject: String,
        account_id: String,
        instead_of: Option<String>,
    },
    /// Stores the MAC of a code ([`crate::secret::Secret::mac`]) and replaces an earlier code with this key.
    PutCode {
        key: CodeKey,
        mac: String,
        expires_at: Timestamp,
    },
    /// Deletes a code when it is used, if the code is still stored and has this MAC. So a code can be used only once.
    ConsumeCode {
        key: CodeKey,
        mac: String,
    },
    PutResetLink(ResetLink),
    /// Deletes a link for setting a password when the link is used, if it still exists. So a link can be used only once.
    ConsumeResetLink {
        token_hash: String,
    },
    /// Adds a mail to the outbox.
    QueueMail(SealedMail),
    /// Deletes the account's row, if the account has not changed since it was read.
    DeleteAccount {
        account: Box<Account>,
    },
    /// Removes the link of a Google subject to the account. Does nothing if the subject is linked to another account now.
    UnlinkGoogle {
        subject: String,
        account_id: String,
    },
    /// Adds the deletion marker of an account: a record of the data that remains to be deleted. Used in the transaction that
    /// deletes the account's row.
    PutDeletionMarker(DeletionMarker),
    /// Adds a new account to the usage counters, in the month of `created_at`. Used in the transaction that makes its address
    /// verified.
    CountAccount {
        created_at: Timestamp,
    },
    /// Subtracts a deleted account from the usage counters. Used in the transaction that deletes a verified account.
    UncountAccount {
        created_at: Timestamp,
    },
    /// Adds the account to the list of admins. Used in every transaction that makes an account an admin.
    AddAdmin {
        account_id: String,
    },
    /// Removes the account from the list of admins, if the list has another admin. Used in every transaction that removes an admin.
    RemoveAdmin {
        account_id: String,
    },
}

impl AccountWrite {
    /// Returns the condition of the write, or `None` if the write needs none.
    pub fn condition(&self) -> Option<Condition> {
        match self {
            Self::InsertAccount(_) => Some(Condition::NewAccount),
            Self::ReplaceAccount { .. } | Self::DeleteAccount { .. } => Some(Condition::SameRevision),
            Self::SetAddressOwner { .. } => Some(Condition::FreeAddress),
            Self::RemoveAddressOwner { .. } => Some(Condition::AddressOwned),
            Self::LinkGoogle { .. } => Some(Condition::GoogleSubjectFree),
            Self::ConsumeCode { .. } => Some(Condition::CodeMatches),
            Self::ConsumeResetLink { .. } => Some(Condition::ResetLinkExists),
            Self::QueueMail(_) => Some(Condition::NewMail),
            Self::RemoveAdmin { .. } => Some(Condition::AnotherAdminExists),
            Self::UnlinkGoogle { .. } => Some(Condition::GoogleSubjectFree),
            Self::SetPendingRegistration { .. }
            | Self::PendingFrom { .. }
            | Self::ClearPendingRegistration { .. }
            | Self::PutCode { .. }
            | Self::PutResetLink(_)
            | Self::PutDeletionMarker(_)
            | Self::CountAccount { .. }
            | Self::UncountAccount { .. }
            | Self::AddAdmin { .. } => None,
        }
    }
}

/// The result of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitOutcome {
    Done,
    /// The transaction was rejected. Contains the conditions that did not hold.
    Refused(Vec<Condition>),
}

/// The store of accounts. All reads are consistent.
#[async_trait]
pub trait Accounts: Send + Sync {
    async fn account(&self, id: &str) -> Result<Option<Account>>;

    async fn address_claims(&self, address: &Address) -> Result<AddressClaims>;

    /// Returns the account id of the latest registration with the address from this client IP address. Registrations from other IP
    /// addresses do not change the result. `None` if this IP address has no registration with the address.
    async fn pending_from(&self, address: &Address, source: &str) -> Result<Option<String>>;

    /// Returns the id of the account that is linked to a Google subject (the id of a Google user), or `None` if the subject is not
    /// linked.
    async fn account_id_of_google_user(&self, subject: &str) -> Result<Option<String>>;

    /// Counts a guess at a code and returns the code's MAC. Returns `None` if the code does not exist, or after
    /// [`crate::one_time_password::MOST_GUESSES`] guesses. This is one conditional write, so the count is exact even with several
    /// processes.
    async fn count_guess(&self, key: &CodeKey, now: Timestamp) -> Result<Option<String>>;

    async fn reset_link(&self, token_hash: &str) -> Result<Option<ResetLink>>;

    /// Commits all of `writes`, or none.
    async fn commit(&self, writes: Vec<AccountWrite>) -> Result<CommitOutcome>;
}
