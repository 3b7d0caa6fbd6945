//! The port to where accounts are kept: reads as of now, and writes that happen together or not at all.

use async_trait::async_trait;

use super::{Account, Address, Going};
use crate::history::{AccountWhat, Deed};
use crate::mail::Sealed;
use crate::one_time_password::CodeKey;
use crate::{Result, Timestamp};

/// Whose an address is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holders {
    /// The account that proved it.
    pub owner: Option<String>,
    /// The last registration that waits to prove it.
    pub pending: Option<String>,
}

/// A way to a new password: whoever has its token may set one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResetLink {
    /// SHA-256 of the token.
    pub token_hash: String,
    pub account_id: String,
    /// The account's when the link was made: what ends sessions ends links too.
    pub token_version: u32,
    pub expires_at: Timestamp,
}

/// What a write of a transaction can be made on the condition of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// There is no account of this id.
    NewAccount,
    /// The account is as it was read: nobody has changed it since.
    SameRevision,
    /// Nobody owns the address.
    FreeAddress,
    /// The account owns the address.
    OwnAddress,
    /// Google's subject is nobody's, or whose it was said to be.
    FreeSubject,
    /// The code is there, and is this one.
    LiveCode,
    /// The link is there.
    LiveLink,
    /// There is no mail of this id.
    NewMail,
    /// There is another admin, and this is one.
    OtherAdmin,
}

/// One write of a transaction, with the condition it is made on.
#[derive(Debug, Clone)]
pub enum Write {
    /// On the condition that there is none of its id. One that is not verified goes away by itself after
    /// [`super::REGISTRATION_LIFE_SECONDS`].
    NewAccount(Box<Account>),
    /// On the condition that the account is of revision `before`.
    Account {
        before: u64,
        after: Box<Account>,
        /// What the log keeps of it.
        deed: Option<Deed<AccountWhat>>,
    },
    /// The account owns the address, on the condition that nobody does.
    Owner {
        address: Address,
        account_id: String,
    },
    /// The account owns the address no more, on the condition that it did.
    NoOwner {
        address: Address,
        account_id: String,
    },
    /// The last registration that waits for the address.
    Pending {
        address: Address,
        account_id: String,
        expires_at: Timestamp,
    },
    NoPending {
        address: Address,
    },
    /// The account is Google's subject's, on the condition that nobody is, or `instead_of` (an account that is gone).
    Google {
        subject: String,
        account_id: String,
        instead_of: Option<String>,
    },
    /// A code can be used; an earlier one of that key no more. `mac`: see [`crate::secret::Secret::mac`].
    Code {
        key: CodeKey,
        mac: String,
        expires_at: Timestamp,
    },
    /// The code is used up, on the condition that it is there and is this one.
    UseCode {
        key: CodeKey,
        mac: String,
    },
    Reset(ResetLink),
    /// The link is used up, on the condition that it is there.
    UseReset {
        token_hash: String,
    },
    /// A mail, to be sent once.
    Mail(Sealed),
    /// The account's row goes, on the condition that it is as it was read.
    NoAccount {
        account: Box<Account>,
    },
    /// The account is no more Google's subject's; where that is another's already, nothing is done.
    NoGoogle {
        subject: String,
        account_id: String,
    },
    /// The mark of an account whose row goes in this transaction.
    Going(Going),
    /// One account more is counted, by when it was made: goes with the write that makes it one whose address is proven.
    Joined {
        created_at: Timestamp,
    },
    /// One account less is counted: goes with the write that takes such a one away.
    Left {
        created_at: Timestamp,
    },
    /// The account is an admin's: goes with every write that makes it one.
    Admin {
        account_id: String,
    },
    /// It is no admin's any more, on the condition that there is another: goes with every write that takes an admin away.
    NoAdmin {
        account_id: String,
    },
}

impl Write {
    /// What it is made on the condition of.
    pub fn condition(&self) -> Option<Condition> {
        match self {
            Self::NewAccount(_) => Some(Condition::NewAccount),
            Self::Account { .. } | Self::NoAccount { .. } => Some(Condition::SameRevision),
            Self::Owner { .. } => Some(Condition::FreeAddress),
            Self::NoOwner { .. } => Some(Condition::OwnAddress),
            Self::Google { .. } => Some(Condition::FreeSubject),
            Self::UseCode { .. } => Some(Condition::LiveCode),
            Self::UseReset { .. } => Some(Condition::LiveLink),
            Self::Mail(_) => Some(Condition::NewMail),
            Self::NoAdmin { .. } => Some(Condition::OtherAdmin),
            Self::NoGoogle { .. } => Some(Condition::FreeSubject),
            Self::Pending { .. }
            | Self::NoPending { .. }
            | Self::Code { .. }
            | Self::Reset(_)
            | Self::Going(_)
            | Self::Joined { .. }
            | Self::Left { .. }
            | Self::Admin { .. } => None,
        }
    }
}

/// What became of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Commit {
    Done,
    /// Nothing was written; the conditions that did not hold.
    Refused(Vec<Condition>),
}

/// Where accounts are kept. Reads are of now.
#[async_trait]
pub trait Accounts: Send + Sync {
    async fn account(&self, id: &str) -> Result<Option<Account>>;

    async fn holders(&self, address: &Address) -> Result<Holders>;

    /// The account of Google's subject.
    async fn of_google(&self, subject: &str) -> Result<Option<String>>;

    /// Counts one guess at a code, and answers the code's `mac`; `None` if there is no code any more, or it has been guessed at
    /// [`crate::one_time_password::MOST_GUESSES`] times already. One conditional write, so that any number of processes agree.
    async fn guess(&self, key: &CodeKey, now: Timestamp) -> Result<Option<String>>;

    async fn reset_link(&self, token_hash: &str) -> Result<Option<ResetLink>>;

    /// All of `writes` or none.
    async fn commit(&self, writes: Vec<Write>) -> Result<Commit>;
}
