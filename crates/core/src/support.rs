//! The help center: what somebody writes is kept, and mailed to whoever supports the product, in one transaction.
//!
//! The mail goes to the support address alone, with the sender's as where an answer goes. The sender is mailed nothing: an address
//! nobody has proven must not be written to at a stranger's wish.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::accounts::{Account, Accounts, Address};
use crate::clock::new_id;
use crate::files::content_hash;
use crate::filling::{UseKey, key_reused};
use crate::limits::{Attempts, Limit, SUPPORT_PER_PERSON, SUPPORT_PER_SOURCE};
use crate::mail::{Addressee, Letter, Sealed};
use crate::secret::Secret;
use crate::token::session_ended;
use crate::{Chance, Clock, Error, ErrorCode, InterfaceLanguage, Result, Timestamp};

/// Characters of a message.
pub const LONGEST_MESSAGE: usize = 5_000;
/// How long a message is kept.
pub const MESSAGE_LIFE_SECONDS: u64 = 365 * 24 * 3_600;

/// A message as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupportMessage {
    pub id: String,
    /// Who wrote it, where he was signed in; a message of his goes with his account.
    pub user_id: Option<String>,
    /// Where an answer goes. Proven only where there is a `user_id`.
    pub email: String,
    pub message: String,
    /// The code of the language the sender uses the product in.
    pub language: String,
    pub created_at: Timestamp,
    #[serde(default)]
    pub status: MessageStatus,
    /// What was answered, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<SupportAnswer>,
    /// One more with each change: it is made to the message that was read, or not at all.
    #[serde(default)]
    pub version: u64,
}

/// Whether somebody has still to see to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageStatus {
    #[default]
    Open,
    Closed,
}

/// An admin's answer. Who he was is not kept with it: it goes with the message's account, not with his.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupportAnswer {
    pub message: String,
    pub answered_at: Timestamp,
}

/// Part of the messages of a status, the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessagePage {
    pub messages: Vec<SupportMessage>,
    /// Where there are older ones: the last of this page by its id.
    pub next: Option<String>,
}

impl SupportMessage {
    /// When it is kept no longer.
    pub fn expires_at(&self) -> Timestamp {
        self.created_at.plus_seconds(MESSAGE_LIFE_SECONDS)
    }
}

/// What a request was answered, and what it was: the same key with another request is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    pub fingerprint: String,
    pub message: SupportMessage,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    Now,
    /// Another request of the same key came first; nothing was written.
    Before(Box<Received>),
    /// The account is gone; nothing was written.
    NoAccount,
}

/// What became of a change of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageChange {
    Done,
    /// Another request of the same key came first; nothing was written.
    Before(Box<Received>),
    /// It is of another version by now, or gone; nothing was written.
    Changed,
}

/// Where messages are kept.
#[async_trait]
pub trait SupportMessages: Send + Sync {
    /// The message, its mail and what is remembered under the request's key: all of it or nothing.
    async fn keep(&self, received: &Received, mail: &Sealed, key: Option<&UseKey>) -> Result<Kept>;

    /// What was received under this key, if anything was.
    async fn received_under(&self, key: &UseKey, now: Timestamp) -> Result<Option<Received>>;

    /// The newest messages of a status that are older than `before`; those of the last moments may be missing.
    async fn list(&self, status: MessageStatus, before: Option<&str>, limit: usize) -> Result<MessagePage>;

    /// A message as of now.
    async fn message(&self, id: &str) -> Result<Option<SupportMessage>>;

    /// Writes a message anew on the condition that it is of the version before, with a mail and what is remembered under the request's
    /// key: all of it or nothing.
    async fn change(
        &self,
        message: &SupportMessage,
        mail: Option<&Sealed>,
        answered: Option<(&UseKey, &Received)>,
    ) -> Result<MessageChange>;

    /// Everything an account has written that is still kept, the oldest first.
    async fn messages_of(&self, user_id: &str) -> Result<Vec<SupportMessage>>;
}

/// Who writes, and what.
#[derive(Debug, Clone)]
pub struct Request {
    /// Whom it is from; his own address then takes the place of `email`.
    pub account: Option<Account>,
    pub email: String,
    pub message: String,
    pub language: InterfaceLanguage,
    /// Whom the request comes from.
    pub source: String,
    /// The request's Idempotency-Key.
    pub key: Option<String>,
}

/// What takes messages in.
pub struct HelpCenter<'a> {
    pub messages: &'a dyn SupportMessages,
    pub attempts: &'a dyn Attempts,
    pub secret: &'a Secret,
    pub clock: &'a dyn Clock,
    pub chance: &'a dyn Chance,
    /// Where messages are mailed to.
    pub support_email: &'a str,
    /// Limits by source are multiplied by this: 1 but in tests.
    pub source_factor: u64,
}

/// A message in the form it is kept in: lines end in `\n`, other control characters are gone, nothing blank around it.
///
/// # Errors
/// `message_required` where nothing is left, `message_too_long` past [`LONGEST_MESSAGE`].
pub fn check_message(typed: &str) -> Result<String> {
    let too_long = || {
        let message = format!("A message has at most {LONGEST_MESSAGE} characters.");
        Error::new(ErrorCode::MessageTooLong, message).with_fields(["message"]).with_limit(LONGEST_MESSAGE as u64)
    };
    // Not worth counting.
    if typed.len() > 16 * LONGEST_MESSAGE {
        return Err(too_long());
    }
    let lines = typed.replace("\r\n", "\n").replace('\r', "\n");
    let kept = lines.nfc().filter(|letter| matches!(letter, '\n' | '\t') || !letter.is_control());
    let message: String = kept.collect::<String>().trim().to_owned();
    if !message.chars().any(is_seen) {
        let error = Error::new(ErrorCode::MessageRequired, "Please write a message.");
        return Err(error.with_fields(["message"]));
    }
    if message.chars().count() > LONGEST_MESSAGE {
        return Err(too_long());
    }
    Ok(message)
}

/// Whether a character shows anything: neither white space nor one of those that only steer others.
fn is_seen(letter: char) -> bool {
    let steers = matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    !letter.is_whitespace() && !letter.is_control() && !steers
}

impl HelpCenter<'_> {
    /// Keeps a message and mails it, once for each Idempotency-Key.
    ///
    /// # Errors
    /// `message_required`, `message_too_long`, `email_required`, `invalid_email`, `undeliverable_email`; `too_many_attempts` with
    /// the time to wait; `idempotency_key_reused`; `session_ended` where the account went meanwhile.
    pub async fn receive(&self, request: Request) -> Result<SupportMessage> {
        let message = check_message(&request.message);
        let address = self.sender(&request);
        let (message, address) = match (message, address) {
            (Ok(message), Ok(address)) => (message, address),
            (Err(mut error), Err(other)) => {
                // Both are told of at once, under the code of the first.
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
        let key = request.key.clone().map(|key| UseKey { who, key });
        let now = self.clock.now();
        if let Some(key) = &key
            && let Some(before) = self.messages.received_under(key, now).await?
        {
            return answered(before, &fingerprint);
        }
        let limits = self.limits(&request, &address);
        for (limit, who) in &limits {
            limit.take(self.attempts, who, now).await?;
        }
        let message = SupportMessage {
            id: new_id(self.clock, self.chance),
            user_id: request.account.as_ref().map(|account| account.id.clone()),
            email: address.as_str().to_owned(),
            message,
            language: request.language.code().to_owned(),
            created_at: now,
            status: MessageStatus::Open,
            answers: Vec::new(),
            version: 0,
        };
        let letter = Letter::SupportMessage {
            from: message.email.clone(),
            account: request.account.map(|account| account.user_name),
            message: message.message.clone(),
        };
        let to = Addressee { address: self.support_email.to_owned(), language: message.language.clone() };
        let mail = Sealed::new(new_id(self.clock, self.chance), now, &to, &letter, self.secret, self.chance)?;
        let received = Received { fingerprint, message };
        match self.messages.keep(&received, &mail, key.as_ref()).await? {
            Kept::Now => Ok(received.message),
            Kept::Before(before) => {
                // The same call twice at once is one message.
                for (limit, who) in &limits {
                    limit.give_back(self.attempts, who, now).await?;
                }
                answered(*before, &received.fingerprint)
            }
            Kept::NoAccount => Err(session_ended()),
        }
    }

    fn sender(&self, request: &Request) -> Result<Address> {
        if let Some(account) = &request.account {
            return account.address();
        }
        if request.email.trim().is_empty() {
            let message = "Please enter the address an answer is to go to.";
            return Err(Error::new(ErrorCode::EmailRequired, message).with_fields(["email"]));
        }
        Address::parse(&request.email)?.deliverable()
    }

    /// What a message counts against. Whoever is signed in is counted by his account alone: nobody else's messages stand in his way.
    fn limits(&self, request: &Request, address: &Address) -> Vec<(Limit, String)> {
        if let Some(account) = &request.account {
            return vec![(SUPPORT_PER_PERSON, account.id.clone())];
        }
        let factor = self.source_factor.max(1);
        let of_source = Limit { most: SUPPORT_PER_SOURCE.most.saturating_mul(factor), ..SUPPORT_PER_SOURCE };
        let here = format!("{}#{}", address.hash(), request.source);
        vec![(of_source, request.source.clone()), (SUPPORT_PER_PERSON, here)]
    }
}

/// What looks after messages that were taken in.
pub struct SupportDesk<'a> {
    pub messages: &'a dyn SupportMessages,
    pub accounts: &'a dyn Accounts,
    pub clock: &'a dyn Clock,
    pub chance: &'a dyn Chance,
}

/// An admin's answer to a message, as it is asked for.
#[derive(Debug, Clone)]
pub struct AnswerRequest {
    /// The message's.
    pub id: String,
    pub message: String,
    /// Of the message that was read: what was answered meanwhile must not be answered again unseen.
    pub version: u64,
    /// Whether nobody has to see to the message any more.
    pub close: bool,
    /// The request's Idempotency-Key.
    pub key: Option<String>,
}

/// Messages a page where nothing else is asked for.
pub const MESSAGES_PER_PAGE: usize = 20;
/// Answers to one message: more would not fit into one record.
pub const MOST_ANSWERS: usize = 20;
/// Changes of a message that may come in between before one gives up.
const TRIES: u32 = 8;

impl SupportDesk<'_> {
    /// Mails an answer to whoever wrote, in his language, once for each Idempotency-Key; the message as it is then. It goes to the address an
    /// account has now.
    ///
    /// # Errors
    /// `message_required`, `message_too_long`, `message_not_found`, `message_changed`, `too_many_answers`, `idempotency_key_reused`.
    pub async fn answer(&self, admin: &Account, secret: &Secret, request: AnswerRequest) -> Result<SupportMessage> {
        let text = check_message(&request.message)?;
        let asked = format!("answer\n{}\n{}\n{}\n{text}", request.id, request.version, request.close);
        let fingerprint = content_hash(asked.as_bytes());
        let now = self.clock.now();
        let key = request.key.map(|key| UseKey { who: admin.id.clone(), key });
        if let Some(key) = &key
            && let Some(before) = self.messages.received_under(key, now).await?
        {
            return answered(before, &fingerprint);
        }
        let mut message = self.message(&request.id).await?;
        if message.version != request.version {
            return self.changed(key.as_ref(), &fingerprint).await;
        }
        if message.answers.len() >= MOST_ANSWERS {
            let said = format!("A message takes at most {MOST_ANSWERS} answers.");
            return Err(Error::new(ErrorCode::TooManyAnswers, said).with_limit(MOST_ANSWERS as u64));
        }
        let address = match &message.user_id {
            Some(id) => self.accounts.account(id).await?.ok_or_else(not_found)?.email,
            None => message.email.clone(),
        };
        let letter = Letter::SupportAnswer { question: message.message.clone(), answer: text.clone() };
        let to = Addressee { address, language: message.language.clone() };
        let mail = Sealed::new(new_id(self.clock, self.chance), now, &to, &letter, secret, self.chance)?;
        message.answers.push(SupportAnswer { message: text, answered_at: now });
        message.version += 1;
        if request.close {
            message.status = MessageStatus::Closed;
        }
        let received = Received { fingerprint, message };
        let under = key.as_ref().map(|key| (key, &received));
        match self.messages.change(&received.message, Some(&mail), under).await? {
            MessageChange::Done => Ok(received.message),
            MessageChange::Before(before) => answered(*before, &received.fingerprint),
            MessageChange::Changed => self.changed(key.as_ref(), &received.fingerprint).await,
        }
    }

    /// Closes a message, or opens it again; done already, it is done.
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

    /// A message that is not as it was read: by this very request, which came twice, or by somebody else.
    async fn changed(&self, key: Option<&UseKey>, fingerprint: &str) -> Result<SupportMessage> {
        let before = match key {
            Some(key) => self.messages.received_under(key, self.clock.now()).await?,
            None => None,
        };
        before.map_or_else(|| Err(changed()), |before| answered(before, fingerprint))
    }

    async fn message(&self, id: &str) -> Result<SupportMessage> {
        self.messages.message(id).await?.ok_or_else(not_found)
    }
}

fn not_found() -> Error {
    Error::new(ErrorCode::MessageNotFound, "There is no such message; whoever wrote it may have deleted his account.")
}

fn changed() -> Error {
    Error::new(ErrorCode::MessageChanged, "Somebody else has answered or changed this message meanwhile.")
}

fn answered(before: Received, fingerprint: &str) -> Result<SupportMessage> {
    if before.fingerprint == fingerprint { Ok(before.message) } else { Err(key_reused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
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
