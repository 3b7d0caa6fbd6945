//! The mails of the product, and the outbox from which they are sent.
//!
//! A mail is written to the outbox in the transaction that causes it. It stays there, encrypted as [`SealedMail`], until [`OutboxSender`]
//! has rendered it with [`render`] and a [`Mailer`] has accepted it.

mod delivery;
mod render;
mod texts;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

pub use delivery::{ClaimedMail, DeliveryOutcome, DeliveryReport, LEASE_SECONDS, Outbox, OutboxSender, QueuedMail};
pub use render::{RenderedMail, render};

use crate::accounts::account::{RESET_LIFE_SECONDS, REVERT_LIFE_SECONDS};
use crate::one_time_password::CODE_LIFE_SECONDS;
use crate::secret::Secret;
use crate::{Error, RandomSource, Result, Timestamp};

/// The content of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Mail {
    /// The code that verifies the address of a registration. The mail also has a link that verifies the address and sets a new
    /// password.
    RegisterCode {
        code: String,
        /// The token of the link. Empty in old mails, which have no link.
        #[serde(default)]
        token: String,
    },
    /// A notice to the owner of an address: the address was used for another registration.
    AlreadyRegistered,
    /// The code that verifies the new address of an account.
    ChangeEmailCode {
        code: String,
    },
    /// A notice to the owner of an address: the user of another account has tried to change to this address.
    AddressInUse,
    /// A notice to the old address of an account: the account now has another address. The notice contains a link that reverts the
    /// change.
    EmailChanged {
        token: String,
    },
    /// A notice to the new address of an account: the change to this address was reverted.
    EmailRestored,
    /// The link with which the user sets a new password.
    ResetPassword {
        token: String,
    },
    PasswordChanged,
    /// The code that confirms the deletion of an account.
    DeletionCode {
        code: String,
    },
    /// A notice to the user of a deleted account.
    AccountDeleted,
    /// A message that a user or guest has sent through the help center. It is mailed to the support address. Replies to this mail
    /// go to the sender of the message.
    SupportMessage {
        from: String,
        /// The user name of the sender. `None` if the sender was not signed in.
        account: Option<String>,
        message: String,
    },
    /// An admin's reply to a message to the help center. The mail also quotes the message.
    SupportAnswer {
        question: String,
        answer: String,
    },
    /// An empty mail, which is never sent. If a user requests a mail to an address without an account, this mail is written to the
    /// outbox. So the request does the same work as for an existing account, and does not reveal that no account exists.
    Nothing,
}

impl Mail {
    /// Returns the kind of the mail, such as `register-code`. The folder with the texts of the mail has the same name.
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

    /// Returns how long, in seconds, the mail is useful. If it is not sent in this time, it is removed from the outbox.
    fn life_seconds(&self) -> u64 {
        match self {
            Self::RegisterCode { .. } | Self::ChangeEmailCode { .. } | Self::DeletionCode { .. } => CODE_LIFE_SECONDS,
            Self::ResetPassword { .. } => RESET_LIFE_SECONDS,
            Self::EmailChanged { .. } => REVERT_LIFE_SECONDS,
            // Support messages are also kept in the table, but their mails must not be lost if the mail provider is down for
            // days.
            Self::SupportMessage { .. } | Self::SupportAnswer { .. } => 7 * 24 * 3_600,
            _ => 24 * 3_600,
        }
    }
}

/// The recipient of a mail, with their language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    pub address: String,
    /// The code of an interface language.
    pub language: String,
}

/// An encrypted mail in the outbox. People who can read the outbox see neither codes nor addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedMail {
    pub id: String,
    /// The encrypted mail in Base64.
    pub text: String,
    /// The time after which the mail is removed from the outbox if it was not sent.
    pub expires_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct SealedContent<T, L> {
    to: T,
    letter: L,
}

impl SealedMail {
    pub fn new(
        id: String,
        now: Timestamp,
        to: &Recipient,
        mail: &Mail,
        secret: &Secret,
        random: &dyn RandomSource,
    ) -> Result<Self> {
        let content = SealedContent { to, letter: mail };
        let plain = serde_json::to_vec(&content).map_err(|error| Error::internal(format!("a mail: {error}")))?;
        let text = BASE64.encode(secret.seal(&id, &plain, random)?);
        Ok(Self { id, text, expires_at: now.plus_seconds(mail.life_seconds()) })
    }

    pub fn open(&self, secret: &Secret) -> Result<(Recipient, Mail)> {
        let sealed = BASE64.decode(&self.text).map_err(|_| Error::internal("a sealed mail is not base64"))?;
        let plain = secret.open(&self.id, &sealed)?;
        // The error of the parser is dropped, because it could quote the mail.
        let content: SealedContent<Recipient, Mail> =
            serde_json::from_slice(&plain).map_err(|_| Error::internal("a mail of the outbox cannot be read"))?;
        Ok((content.to, content.letter))
    }
}

/// The mail provider.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends a mail.
    ///
    /// # Errors
    /// `undeliverable_email` if the provider will never accept the mail, for example because of a wrong address. Other errors may be
    /// temporary. The cause of an error contains neither the address nor any part of the mail.
    async fn send(&self, message: &RenderedMail) -> Result<()>;
}
