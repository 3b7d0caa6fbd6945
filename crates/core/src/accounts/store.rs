//! The port for the store of accounts: consistent reads, and transactions.

use async_trait::async_trait;

use super::{Account, Address, DeletionMarker};
use crate::audit_log::{AccountChange, AuditEvent};
use crate::mail::SealedMail;
use crate::one_time_password::CodeKey;
use crate::{Result, Timestamp};

/// The accounts that own, or have registered with, one e-mail address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressClaims {
    /// The id of the account that owns the address because it verified it first.
    pub owner: Option<String>,
    /// The account id of the latest registration that has not verified the address yet.
    pub pending: Option<String>,
}

/// A link for setting a new password. Anyone who has its token can use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResetLink {
    /// The SHA-256 hash of the token.
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
    /// The Google subject is linked to no account, or to the expected one.
    GoogleSubjectFree,
    /// The code exists and is the expected one.
    CodeMatches,
    /// The link for setting a new password exists.
    ResetLinkExists,
    /// The mail id is unused.
    NewMail,
    /// The account is an admin, and there is at least one other admin.
    AnotherAdminExists,
}

/// A write in a transaction, with its condition.
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
    /// Links a Google subject to the account, if it is not linked or is linked to `instead_of` (a deleted account).
    LinkGoogle {
        subject: String,
        account_id: String,
        instead_of: Option<String>,
    },
    /// Stores a code, replacing an earlier one with this key. For `mac`, see [`crate::secret::Secret::mac`].
    PutCode {
        key: CodeKey,
        mac: String,
        expires_at: Timestamp,
    },
    /// Deletes a code that is being used, if it exists and has this MAC.
    ConsumeCode {
        key: CodeKey,
        mac: String,
    },
    PutResetLink(ResetLink),
    /// Deletes a link for setting a password that is being used, if it exists.
    ConsumeResetLink {
        token_hash: String,
    },
    /// Adds a mail to the outbox.
    QueueMail(SealedMail),
    /// Deletes the account's row, if it has not changed since it was read.
    DeleteAccount {
        account: Box<Account>,
    },
    /// Removes the link of a Google subject to the account. Does nothing if the subject is linked to another account now.
    UnlinkGoogle {
        subject: String,
        account_id: String,
    },
    /// Adds the deletion marker of an account. Used in the transaction that deletes the account's row.
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
    /// Removes the account from the list of admins, if the list has another one. Used in every transaction that removes an admin.
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

    /// Returns the account id of the latest registration with the address from this client IP address. Registrations from other
    /// IP addresses do not replace it.
    async fn pending_from(&self, address: &Address, source: &str) -> Result<Option<String>>;

    /// Returns the id of the account that is linked to a Google subject.
    async fn account_id_of_google_user(&self, subject: &str) -> Result<Option<String>>;

    /// Counts a guess at a code and returns the code's MAC. Returns `None` if the code does not exist, or after
    /// [`crate::one_time_password::MOST_GUESSES`] guesses. This is one conditional write, so the count is exact even with several
    /// processes.
    async fn count_guess(&self, key: &CodeKey, now: Timestamp) -> Result<Option<String>>;

    async fn reset_link(&self, token_hash: &str) -> Result<Option<ResetLink>>;

    /// Commits all of `writes`, or none.
    async fn commit(&self, writes: Vec<AccountWrite>) -> Result<CommitOutcome>;
}
