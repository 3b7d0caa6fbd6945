//! The help center. A message is stored, and mailed to the support address, in one transaction.
//!
//! The mail has the sender's address as its reply address. Nothing is mailed to the sender: anyone could enter the address of
//! another person, and unverified addresses must not receive mail.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::accounts::{Account, Accounts, Address};
use crate::clock::new_id;
use crate::files::content_hash;
use crate::filling::{RequestKey, key_reused};
use crate::limits::{Attempts, Limit, SUPPORT_PER_PERSON, SUPPORT_PER_SOURCE};
use crate::mail::{Mail, Recipient, SealedMail};
use crate::one_line::is_visible;
use crate::secret::Secret;
use crate::token::session_ended;
use crate::{Clock, Error, ErrorCode, InterfaceLanguage, RandomSource, Result, Timestamp};

/// Maximum number of characters in a message to the help center.
pub const LONGEST_MESSAGE: usize = 5_000;
/// How long, in seconds, a message to the help center is kept.
pub const MESSAGE_LIFE_SECONDS: u64 = 365 * 24 * 3_600;

/// A message to the help center, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupportMessage {
    pub id: String,
    /// The account of the sender, if they were signed in. The message is deleted with the account.
    pub user_id: Option<String>,
    /// The address for replies. It is verified only if there is a `user_id`.
    pub email: String,
    pub message: String,
    /// The code of the sender's interface language.
    pub language: String,
    pub created_at: Timestamp,
    #[serde(default)]
    pub status: MessageStatus,
    /// The replies, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<SupportReply>,
    /// The number of times the message was changed. It prevents lost updates: a change is written only if the stored message still
    /// has the version that was read.
    #[serde(default)]
    pub version: u64,
}

/// The status of a message: whether an admin still has to handle it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageStatus {
    #[default]
    Open,
    Closed,
}

/// An admin's reply to a message. The admin is not recorded, because a reply stays when the admin's account is deleted. It is deleted
/// with the account of the user who sent the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupportReply {
    pub message: String,
    pub answered_at: Timestamp,
}

/// A page of messages with one status, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessagePage {
    pub messages: Vec<SupportMessage>,
    /// The id of the last message on this page, from which the next page starts. `None` if there are no older messages.
    pub next: Option<String>,
}

impl SupportMessage {
    /// Returns the time at which the message is deleted.
    pub fn expires_at(&self) -> Timestamp {
        self.created_at.plus_seconds(MESSAGE_LIFE_SECONDS)
    }
}

/// An idempotency record: a hash of a request (`fingerprint`), and its response. If the same key is used with another hash, the
/// request is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdempotencyRecord {
    pub fingerprint: String,
    pub message: SupportMessage,
}

/// The result of storing a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreOutcome {
    Stored,
    /// An earlier request with the same key was already processed, so nothing was written now. Contains the record of
    /// that request.
    Repeated(Box<IdempotencyRecord>),
    /// The account was deleted. Nothing was written.
    NoAccount,
}

/// The result of writing a changed message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageChange {
    Done,
    /// An earlier request with the same key was already processed, so nothing was written now. Contains the record of
    /// that request.
    Repeated(Box<IdempotencyRecord>),
    /// The message was changed or deleted in the meantime. Nothing was written.
    Changed,
}

/// The store of messages.
#[async_trait]
pub trait SupportMessages: Send + Sync {
    /// Writes the message, its mail and the idempotency record in one transaction.
    async fn store(
        &self,
        received: &IdempotencyRecord,
        mail: &SealedMail,
        key: Option<&RequestKey>,
    ) -> Result<StoreOutcome>;

    /// Returns the idempotency record of this key, if there is one.
    async fn record_of_key(&self, key: &RequestKey, now: Timestamp) -> Result<Option<IdempotencyRecord>>;

    /// Returns up to `limit` messages with this status, newest first. If `before` is given, returns only messages that are older
    /// than the message with the id `before`. The read is eventually consistent: very recent messages may be missing.
    async fn list(&self, status: MessageStatus, before: Option<&str>, limit: usize) -> Result<MessagePage>;

    /// Returns a message. The read is consistent.
    async fn message(&self, id: &str) -> Result<Option<SupportMessage>>;

    /// Writes a changed message if the stored message has not changed since it was read. Also writes the mail and the idempotency
    /// record, if given, in the same transaction.
    async fn change(
        &self,
        message: &SupportMessage,
        mail: Option<&SealedMail>,
        answered: Option<(&RequestKey, &IdempotencyRecord)>,
    ) -> Result<MessageChange>;

    /// Returns all stored messages of an account, oldest first.
    async fn messages_of_account(&self, user_id: &str) -> Result<Vec<SupportMessage>>;
}

/// A request to send a message to the help center.
#[derive(Debug, Clone)]
pub struct NewMessageRequest {
    /// The account of the sender, or `None` for a guest. If there is an account, the address of the account is used instead of
    /// `email`.
    pub account: Option<Account>,
    pub email: String,
    pub message: String,
    pub language: InterfaceLanguage,
    /// The IP address of the client, for rate limits.
    pub source: String,
    /// The Idempotency-Key of the request, if it has one.
    pub key: Option<String>,
}

/// The service that receives messages to the help center. Its fields are its dependencies, such as stores and the clock.
pub struct HelpCenter<'a> {
    pub messages: &'a dyn SupportMessages,
    pub attempts: &'a dyn Attempts,
    pub secret: &'a Secret,
    pub clock: &'a dyn Clock,
    pub random: &'a dyn RandomSource,
    /// The address to which messages are mailed.
    pub support_email: &'a str,
    /// A factor by which the rate limit for one IP address is multiplied. It is 1 except in tests.
    pub source_factor: u64,
}

/// Normalizes a message: line ends become `\n`, other control characters except tabs are removed, and white space at the start
/// and end is removed.
///
/// # Errors
/// `message_required` if the message has no visible character; `message_too_long` if it is longer than [`LONGEST_MESSAGE`].
pub fn check_message(typed: &str) -> Result<String> {
    let too_long = || {
        let message = format!("A message can have at most {LONGEST_MESSAGE} characters.");
        Error::new(ErrorCode::MessageTooLong, message).with_fields(["message"]).with_limit(LONGEST_MESSAGE as u64)
    };
    // A text of this length is too long in any form, so its characters are not counted.
    if typed.len() > 16 * LONGEST_MESSAGE {
        return Err(too_long());
    }
    let lines = typed.replace("\r\n", "\n").replace('\r', "\n");
    let kept = lines.nfc().filter(|letter| matches!(letter, '\n' | '\t') || !letter.is_control());
    let message: String = kept.collect::<String>().trim().to_owned();
    if !message.chars().any(is_visible) {
        let error = Error::new(ErrorCode::MessageRequired, "Please write a message.");
        return Err(error.with_fields(["message"]));
    }
    if message.chars().count() > LONGEST_MESSAGE {
        return Err(too_long());
    }
    Ok(message)
}

impl HelpCenter<'_> {
    /// Stores a message and mails it to the support address. If a request is repeated with the same Idempotency-Key, nothing is
    /// stored or mailed again.
    ///
    /// # Errors
    /// `message_required`, `message_too_long`, `email_required`, `invalid_email`, `undeliverable_email`; `too_many_attempts`
    /// with the time to wait; `idempotency_key_reused`; `session_ended` if the account was deleted during the request.
    pub async fn receive(&self, request: NewMessageRequest) -> Result<SupportMessage> {
        let message = check_message(&request.message);
        let address = self.sender(&request);
        let (message, address) = match (message, address) {
            (Ok(message), Ok(address)) => (message, address),
            (Err(mut error), Err(other)) => {
                // The returned error has the code of the first error and the fields of both.
                error.details.fields.extend(other.details.fields);
                return Err(error);
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let who = match &request.account {
            Some(account) => account.id.clone(),
            None => format!("guest:{}", request.source),
        };
        let fingerprint = content_hash(format!("{}\n{message}", address.as_str()).as_bytes());
        let key = request.key.clone().map(|key| RequestKey { who, key });
        let now = self.clock.now();
        if let Some(key) = &key
            && let Some(before) = self.messages.record_of_key(key, now).await?
        {
            return check_fingerprint(before, &fingerprint);
        }
        let limits = self.limits(&request, &address);
        for (limit, who) in &limits {
            limit.count_attempt(self.attempts, who, now).await?;
        }
        let message = SupportMessage {
            id: new_id(self.clock, self.random),
            user_id: request.account.as_ref().map(|account| account.id.clone()),
            email: address.as_str().to_owned(),
            message,
            language: request.language.code().to_owned(),
            created_at: now,
            status: MessageStatus::Open,
            answers: Vec::new(),
            version: 0,
        };
        let letter = Mail::SupportMessage {
            from: message.email.clone(),
            account: request.account.map(|account| account.user_name),
            message: message.message.clone(),
        };
        let to = Recipient { address: self.support_email.to_owned(), language: message.language.clone() };
        let mail = SealedMail::new(new_id(self.clock, self.random), now, &to, &letter, self.secret, self.random)?;
        let received = IdempotencyRecord { fingerprint, message };
        match self.messages.store(&received, &mail, key.as_ref()).await? {
            StoreOutcome::Stored => Ok(received.message),
            StoreOutcome::Repeated(before) => {
                // A repeated request with the same key is not counted again.
                for (limit, who) in &limits {
                    limit.uncount_attempt(self.attempts, who, now).await?;
                }
                check_fingerprint(*before, &received.fingerprint)
            }
            StoreOutcome::NoAccount => Err(session_ended()),
        }
    }

    fn sender(&self, request: &NewMessageRequest) -> Result<Address> {
        if let Some(account) = &request.account {
            return account.address();
        }
        if request.email.trim().is_empty() {
            let message = "Please enter the address for our reply.";
            return Err(Error::new(ErrorCode::EmailRequired, message).with_fields(["email"]));
        }
        Address::parse(&request.email)?.deliverable()
    }

    /// Returns the rate limits that apply to a message. Signed-in users are limited by account only, so that messages of other
    /// people with the same IP address do not block them.
    fn limits(&self, request: &NewMessageRequest, address: &Address) -> Vec<(Limit, String)> {
        if let Some(account) = &request.account {
            return vec![(SUPPORT_PER_PERSON, account.id.clone())];
        }
        let factor = self.source_factor.max(1);
        let of_source = Limit { most: SUPPORT_PER_SOURCE.most.saturating_mul(factor), ..SUPPORT_PER_SOURCE };
        let here = format!("{}#{}", address.hash(), request.source);
        vec![(of_source, request.source.clone()), (SUPPORT_PER_PERSON, here)]
    }
}

/// The service with which admins handle messages to the help center. Its fields are its dependencies, such as stores and the clock.
pub struct SupportDesk<'a> {
    pub messages: &'a dyn SupportMessages,
    pub accounts: &'a dyn Accounts,
    pub clock: &'a dyn Clock,
    pub random: &'a dyn RandomSource,
}

/// A request to reply to a message.
#[derive(Debug, Clone)]
pub struct ReplyRequest {
    /// The id of the message.
    pub id: String,
    pub message: String,
    /// The version of the message that the admin last saw. If the message has another version now, the reply is refused.
    pub version: u64,
    /// If true, the reply also closes the message.
    pub close: bool,
    /// The Idempotency-Key of the request, if it has one.
    pub key: Option<String>,
}

/// Default number of messages on a page.
pub const MESSAGES_PER_PAGE: usize = 20;
/// Maximum number of replies to one message. More would not fit into one record.
pub const MOST_REPLIES: usize = 20;
/// Maximum number of attempts to write a message that other requests change at the same time.
const TRIES: u32 = 8;

impl SupportDesk<'_> {
    /// Mails a reply to the sender in their language and returns the changed message. A request that is repeated with the same
    /// Idempotency-Key sends nothing again. If the sender has an account, the reply goes to the current address of the account.
    ///
    /// # Errors
    /// `message_required`, `message_too_long`, `message_not_found`, `message_changed`, `too_many_answers`,
    /// `idempotency_key_reused`.
    pub async fn reply(&self, admin: &Account, secret: &Secret, request: ReplyRequest) -> Result<SupportMessage> {
        let text = check_message(&request.message)?;
        let asked = format!("answer\n{}\n{}\n{}\n{text}", request.id, request.version, request.close);
        let fingerprint = content_hash(asked.as_bytes());
        let now = self.clock.now();
        let key = request.key.map(|key| RequestKey { who: admin.id.clone(), key });
        if let Some(key) = &key
            && let Some(before) = self.messages.record_of_key(key, now).await?
        {
            return check_fingerprint(before, &fingerprint);
        }
        let mut message = self.message(&request.id).await?;
        if message.version != request.version {
            return self.resolve_conflict(key.as_ref(), &fingerprint).await;
        }
        if message.answers.len() >= MOST_REPLIES {
            let said = format!("A message can have at most {MOST_REPLIES} replies.");
            return Err(Error::new(ErrorCode::TooManyAnswers, said).with_limit(MOST_REPLIES as u64));
        }
        let address = match &message.user_id {
            Some(id) => self.accounts.account(id).await?.ok_or_else(not_found)?.email,
            None => message.email.clone(),
        };
        let letter = Mail::SupportAnswer { question: message.message.clone(), answer: text.clone() };
        let to = Recipient { address, language: message.language.clone() };
        let mail = SealedMail::new(new_id(self.clock, self.random), now, &to, &letter, secret, self.random)?;
        message.answers.push(SupportReply { message: text, answered_at: now });
        message.version += 1;
        if request.close {
            message.status = MessageStatus::Closed;
        }
        let received = IdempotencyRecord { fingerprint, message };
        let under = key.as_ref().map(|key| (key, &received));
        match self.messages.change(&received.message, Some(&mail), under).await? {
            MessageChange::Done => Ok(received.message),
            MessageChange::Repeated(before) => check_fingerprint(*before, &received.fingerprint),
            MessageChange::Changed => self.resolve_conflict(key.as_ref(), &received.fingerprint).await,
        }
    }

    /// Closes or reopens a message. Succeeds if the message already has the status.
    ///
    /// # Errors
    /// `message_not_found`.
    pub async fn set_status(&self, id: &str, status: MessageStatus) -> Result<SupportMessage> {
        for _ in 0..TRIES {
            let mut message = self.message(id).await?;
            if message.status == status {
                return Ok(message);
            }
            message.status = status;
            message.version += 1;
            if self.messages.change(&message, None, None).await? == MessageChange::Done {
                return Ok(message);
            }
        }
        Err(Error::unavailable("a message kept being changed"))
    }

    /// Handles a message that has changed in the meantime. If an earlier attempt of the same request has changed it, returns the
    /// stored response of that attempt.
    ///
    /// # Errors
    /// `message_changed` if another request has changed the message.
    async fn resolve_conflict(&self, key: Option<&RequestKey>, fingerprint: &str) -> Result<SupportMessage> {
        let before = match key {
            Some(key) => self.messages.record_of_key(key, self.clock.now()).await?,
            None => None,
        };
        before.map_or_else(|| Err(changed()), |before| check_fingerprint(before, fingerprint))
    }

    async fn message(&self, id: &str) -> Result<SupportMessage> {
        self.messages.message(id).await?.ok_or_else(not_found)
    }
}

fn not_found() -> Error {
    Error::new(ErrorCode::MessageNotFound, "Message not found. Its author may have deleted their account.")
}

fn changed() -> Error {
    Error::new(ErrorCode::MessageChanged, "Someone else has replied to this message or changed it in the meantime.")
}

fn check_fingerprint(before: IdempotencyRecord, fingerprint: &str) -> Result<SupportMessage> {
    if before.fingerprint == fingerprint { Ok(before.message) } else { Err(key_reused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_cleaned_and_limited() {
        assert_eq!(check_message("  a\r\nb\u{7}\rc\t ").unwrap(), "a\nb\nc");
        assert_eq!(check_message(&"😀".repeat(LONGEST_MESSAGE)).unwrap().chars().count(), LONGEST_MESSAGE);
        for (typed, code) in [
            (String::new(), ErrorCode::MessageRequired),
            (" \n\t".to_owned(), ErrorCode::MessageRequired),
            ("\u{200b}\u{feff}\u{202e}".to_owned(), ErrorCode::MessageRequired),
            ("a".repeat(LONGEST_MESSAGE + 1), ErrorCode::MessageTooLong),
            (" ".repeat(100 * LONGEST_MESSAGE), ErrorCode::MessageTooLong),
        ] {
            assert_eq!(check_message(&typed).unwrap_err().code, code);
        }
    }
}
