//! What the product writes to people, and the outbox it is sent from.
//!
//! A mail is decided on in the transaction that causes it: [`Sealed`] lies in the outbox, encrypted, until [`delivery`] has
//! rendered it ([`render`]) and a [`Mailer`] has taken it.

mod delivery;
mod letters;
mod render;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

pub use delivery::{Delivery, LEASE_SECONDS, Outbox, Post, Queued, Waiting};
pub use render::{Message, render};

use crate::accounts::account::{RESET_LIFE_SECONDS, RESTORE_LIFE_SECONDS};
use crate::one_time_password::CODE_LIFE_SECONDS;
use crate::secret::Secret;
use crate::{Chance, Error, Result, Timestamp};

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Letter {
    /// The code that proves a registration's address.
    RegisterCode {
        code: String,
    },
    /// To the owner of an address somebody registered with.
    AlreadyRegistered,
    /// The code that proves an account's new address.
    ChangeEmailCode {
        code: String,
    },
    /// To the owner of an address somebody wanted for his account.
    AddressInUse,
    /// To the old address, once an account has another: the way back.
    EmailChanged {
        token: String,
    },
    /// To the address an account had until a change was taken back.
    EmailRestored,
    /// The way to a new password.
    ResetPassword {
        token: String,
    },
    PasswordChanged,
    /// The code by which an account is deleted.
    DeletionCode {
        code: String,
    },
    /// To the owner of an account that is gone.
    AccountDeleted,
    /// To whoever supports the product: what somebody wrote in the help center. An answer goes to him.
    SupportMessage {
        from: String,
        /// His user name, where he was signed in.
        account: Option<String>,
        message: String,
    },
    /// To whoever wrote in the help center: an admin's answer, and what it is an answer to.
    SupportAnswer {
        question: String,
        answer: String,
    },
    /// Nothing: where the address is nobody's as much is written as where it is somebody's.
    Nothing,
}

impl Letter {
    /// Its name, and that of its folder: `register-code`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::RegisterCode { .. } => "register-code",
            Self::AlreadyRegistered => "already-registered",
            Self::ChangeEmailCode { .. } => "change-email-code",
            Self::AddressInUse => "address-in-use",
            Self::EmailChanged { .. } => "email-changed",
            Self::EmailRestored => "email-restored",
            Self::ResetPassword { .. } => "reset-password",
            Self::PasswordChanged => "password-changed",
            Self::DeletionCode { .. } => "deletion-code",
            Self::AccountDeleted => "account-deleted",
            Self::SupportMessage { .. } => "support-message",
            Self::SupportAnswer { .. } => "support-answer",
            Self::Nothing => "nothing",
        }
    }

    /// How long it is worth being sent.
    fn life_seconds(&self) -> u64 {
        match self {
            Self::RegisterCode { .. } | Self::ChangeEmailCode { .. } | Self::DeletionCode { .. } => CODE_LIFE_SECONDS,
            Self::ResetPassword { .. } => RESET_LIFE_SECONDS,
            Self::EmailChanged { .. } => RESTORE_LIFE_SECONDS,
            // Kept in the table too; a mail system that is down for days shall not lose it.
            Self::SupportMessage { .. } | Self::SupportAnswer { .. } => 7 * 24 * 3_600,
            _ => 24 * 3_600,
        }
    }
}

/// To whom, and in which language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addressee {
    pub address: String,
    /// An interface language's code.
    pub language: String,
}

/// A mail as it lies in the outbox: who looks there sees neither code nor address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    pub id: String,
    /// Base64.
    pub text: String,
    /// When it is not worth sending any more.
    pub expires_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct Content<T, L> {
    to: T,
    letter: L,
}

impl Sealed {
    pub fn new(
        id: String,
        now: Timestamp,
        to: &Addressee,
        letter: &Letter,
        secret: &Secret,
        chance: &dyn Chance,
    ) -> Result<Self> {
        let content = Content { to, letter };
        let plain = serde_json::to_vec(&content).map_err(|error| Error::internal(format!("a mail: {error}")))?;
        let text = BASE64.encode(secret.seal(&id, &plain, chance)?);
        Ok(Self { id, text, expires_at: now.plus_seconds(letter.life_seconds()) })
    }

    pub fn open(&self, secret: &Secret) -> Result<(Addressee, Letter)> {
        let sealed = BASE64.decode(&self.text).map_err(|_| Error::internal("a sealed mail is not base64"))?;
        let plain = secret.open(&self.id, &sealed)?;
        // What a fault would say could quote the mail.
        let content: Content<Addressee, Letter> =
            serde_json::from_slice(&plain).map_err(|_| Error::internal("a mail of the outbox cannot be read"))?;
        Ok((content.to, content.letter))
    }
}

/// Who carries mails out of the house.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Hands a mail over. `undeliverable_email` where the address can never be written to; any other fault may pass. A fault's
    /// cause names neither the address nor anything of the mail.
    async fn send(&self, message: &Message) -> Result<()>;
}
