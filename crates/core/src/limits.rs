//! Rate limits. The file docs/limits.md describes the rules.
//!
//! In the comments below, an *IP address* is an IPv4 address or an IPv6 /64 network. It is the *source* of a request.
//!
//! A limit that blocks requests counts by target (such as an e-mail address) *and* by IP address. So an attacker cannot block a user
//! who has another IP address. Counters for all IP addresses together only slow requests down ([`Slowdown`]). There is one exception:
//! the limit of mails to one e-mail address counts over all IP addresses together, but blocks requests.

use async_trait::async_trait;

use crate::{Clock, Error, ErrorCode, Result, Timestamp};

/// A limit of `most` attempts in each time window of `window_seconds` seconds. The first window starts at the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The name of the counter, which is part of its key.
    pub action: &'static str,
    pub most: u64,
    pub window_seconds: u64,
}

/// Limit of failed logins with one e-mail address from one IP address.
pub const LOGIN_PER_ADDRESS_AND_SOURCE: Limit = Limit { action: "login-pair", most: 10, window_seconds: 15 * 60 };
/// Limit of failed logins from one IP address. It is high, because all users in an office may have the same IP address.
pub const LOGIN_PER_SOURCE: Limit = Limit { action: "login-source", most: 100, window_seconds: 15 * 60 };
/// Delay of logins after many failed logins with one e-mail address, counted over all IP addresses together.
pub const LOGIN_PER_ADDRESS: Slowdown =
    Slowdown { action: "login-address", free_attempts: 20, window_seconds: 15 * 60, step_ms: 250, longest_ms: 3_000 };

/// Limit of mails that one IP address can request, so that the product cannot be misused to send mails to a list of addresses.
pub const MAIL_PER_SOURCE: Limit = Limit { action: "mail-source", most: 60, window_seconds: 3_600 };
/// Limit of mails that one account can request from one IP address, whatever the recipients are.
pub const MAIL_PER_SESSION: Limit = Limit { action: "mail-session", most: 20, window_seconds: 3_600 };
/// Limit of mails that one IP address can request to one e-mail address. Each kind of mail is counted separately.
pub const MAIL_PER_ADDRESS_AND_SOURCE: Limit = Limit { action: "mail-pair", most: 5, window_seconds: 3_600 };
/// Limit of mails of one kind to one e-mail address from all IP addresses together. It protects the mailbox, and limits how many
/// codes an attacker can guess.
pub const MAIL_PER_ADDRESS: Limit = Limit { action: "mail-address", most: 20, window_seconds: 3_600 };

/// Limit of failed attempts with codes, mailed links and Google access tokens from one IP address.
pub const PROOF_PER_SOURCE: Limit = Limit { action: "proof-source", most: 100, window_seconds: 15 * 60 };
/// Limit of wrong codes for one registration, one change of address or one deletion of an account.
pub const WRONG_CODES_PER_FLOW: Limit = Limit { action: "code-flow", most: 20, window_seconds: 24 * 3_600 };
/// Limit of wrong codes for registrations with one e-mail address from one IP address.
pub const WRONG_CODES_PER_ADDRESS_AND_SOURCE: Limit =
    Limit { action: "code-pair", most: 20, window_seconds: 24 * 3_600 };

/// Limit of wrong passwords for one account from one IP address, when the signed-in user changes the password or deletes the
/// account.
pub const WRONG_OLD_PASSWORDS: Limit = Limit { action: "old-password-pair", most: 10, window_seconds: 15 * 60 };
/// Delay after many wrong passwords for one account, counted over all IP addresses together. It applies when a signed-in user must
/// enter the current password.
pub const WRONG_OLD_PASSWORDS_EVERYWHERE: Slowdown = Slowdown {
    action: "old-password-account",
    free_attempts: 20,
    window_seconds: 15 * 60,
    step_ms: 250,
    longest_ms: 3_000,
};

/// Limit of messages to the help center from one account. For guests, the limit is for one e-mail address and IP address
/// together.
pub const SUPPORT_PER_PERSON: Limit = Limit { action: "support-person", most: 5, window_seconds: 3_600 };
/// Limit of messages to the help center by guests with one IP address. It is high, because all users in an office may have the same
/// IP address.
pub const SUPPORT_PER_SOURCE: Limit = Limit { action: "support-source", most: 20, window_seconds: 3_600 };

/// Limit of requests by one account to export its data.
pub const EXPORTS: Limit = Limit { action: "export", most: 5, window_seconds: 3_600 };

/// Limit of documents filled by guests with one IP address.
pub const FILL_PER_GUEST: Limit = Limit { action: "fill-guest", most: 60, window_seconds: 60 };
/// Limit of documents filled by a signed-in user: more than a person can do by hand, fewer than a program in an endless loop.
pub const FILL_PER_USER: Limit = Limit { action: "fill-user", most: 240, window_seconds: 60 };

/// Limit of private templates that one account creates, changes or duplicates. Each of them writes files.
pub const PRIVATE_TEMPLATE_WRITES: Limit = Limit { action: "my-template", most: 120, window_seconds: 3_600 };
/// Limit of files that one account uploads for private templates without a form.
pub const PRIVATE_TEMPLATE_UPLOADS: Limit = Limit { action: "my-upload", most: 60, window_seconds: 3_600 };

/// The store of attempt counters. Each method is one conditional write, so the counters are exact even with several processes.
#[async_trait]
pub trait Attempts: Send + Sync {
    /// Counts an attempt of `who` in the time window with the number `window`. Returns the number of attempts in this window,
    /// including this one. The counter is not needed after `expires_at`.
    async fn count(&self, action: &str, who: &str, window: u64, expires_at: Timestamp) -> Result<u64>;

    /// Subtracts one attempt of `who` from the counter of the time window with the number `window`.
    async fn uncount(&self, action: &str, who: &str, window: u64) -> Result<()>;

    /// Blocks an action of `who` until `until`, and returns `None`. If an earlier block has not ended at `now`, changes nothing and
    /// returns the end of that block. A stored end later than `until` is ignored, because it was written before the clock was set back:
    /// all blocks of an action have the same length.
    async fn start_wait(&self, action: &str, who: &str, now: Timestamp, until: Timestamp) -> Result<Option<Timestamp>>;
}

/// A kind of mail. The same client can request a mail of one kind to one address only once a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// The mail with the code of a registration.
    RegisterCode,
    /// The mail with the code of a change of address.
    ChangeCode,
    ResetLink,
    /// The mail with the code that confirms the deletion of an account.
    DeletionCode,
}

/// Minimum time in seconds between two mails of the same kind that one client requests for the same e-mail address.
pub const MAIL_WAIT_SECONDS: u64 = 60;

impl MailKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::RegisterCode => "code",
            Self::ChangeCode => "change",
            Self::ResetLink => "reset",
            Self::DeletionCode => "deletion",
        }
    }

    /// Returns whether the mail has a link with which the recipient can verify the address and set a password.
    pub fn has_link(self) -> bool {
        matches!(self, Self::RegisterCode | Self::ResetLink)
    }

    /// Starts the time in which `who` cannot request another mail of this kind.
    ///
    /// # Errors
    /// `mail_wait` with the remaining time, if `who` still has to wait after an earlier mail.
    pub async fn start_wait(self, attempts: &dyn Attempts, who: &str, now: Timestamp) -> Result<()> {
        let action = format!("mail-wait-{}", self.name());
        let until = now.plus_seconds(MAIL_WAIT_SECONDS);
        let Some(end) = attempts.start_wait(&action, who, now, until).await? else { return Ok(()) };
        let wait = end.seconds().saturating_sub(now.seconds()).max(1);
        let message = format!("An email was just sent. Request another one in {wait} s.");
        Err(Error::too_many(ErrorCode::MailWait, message, wait))
    }
}

/// Returns the number of the time window that contains `now`, and the end of this window. The window that starts at the Unix epoch
/// has the number 0.
fn window(now: Timestamp, window_seconds: u64) -> (u64, Timestamp) {
    let number = now.seconds() / window_seconds.max(1);
    (number, Timestamp(0).plus_seconds((number + 1).saturating_mul(window_seconds)))
}

impl Limit {
    /// Counts an attempt of `who`.
    ///
    /// # Errors
    /// `too_many_attempts` with the time to wait, if the limit is exceeded.
    pub async fn count_attempt(&self, attempts: &dyn Attempts, who: &str, now: Timestamp) -> Result<()> {
        let (window, end) = window(now, self.window_seconds);
        let count = attempts.count(self.action, who, window, end.plus_seconds(60)).await?;
        if count <= self.most {
            return Ok(());
        }
        let wait = end.seconds().saturating_sub(now.seconds()).max(1);
        let error =
            Error::too_many(ErrorCode::TooManyAttempts, format!("Too many attempts. Try again in {wait} s."), wait);
        Err(error.with_limit(self.most))
    }

    /// Subtracts an attempt of `who` that was counted at the time `taken_at`.
    pub async fn uncount_attempt(&self, attempts: &dyn Attempts, who: &str, taken_at: Timestamp) -> Result<()> {
        attempts.uncount(self.action, who, window(taken_at, self.window_seconds).0).await
    }
}

/// A delay for attempts after the first `free_attempts` in a window. Each of these attempts waits `step_ms` longer than the attempt
/// before, at most `longest_ms`. No attempt is refused, so users with the right password can always sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slowdown {
    /// The name of the counter, which is part of its key.
    pub action: &'static str,
    pub free_attempts: u64,
    pub window_seconds: u64,
    pub step_ms: u64,
    /// The longest delay in milliseconds. It is well below the time-out of a Lambda function.
    pub longest_ms: u64,
}

impl Slowdown {
    /// Counts an attempt of `who` and waits for the delay, if there is one. Returns the time at which the attempt was counted,
    /// for [`Self::uncount_attempt`].
    pub async fn count_attempt(&self, attempts: &dyn Attempts, who: &str, clock: &dyn Clock) -> Result<Timestamp> {
        let now = clock.now();
        let (window, end) = window(now, self.window_seconds);
        let count = attempts.count(self.action, who, window, end.plus_seconds(60)).await?;
        let wait = count.saturating_sub(self.free_attempts).saturating_mul(self.step_ms).min(self.longest_ms);
        if wait > 0 {
            clock.wait(wait).await;
        }
        Ok(now)
    }

    /// Subtracts an attempt of `who` that was counted at the time `taken_at`.
    pub async fn uncount_attempt(&self, attempts: &dyn Attempts, who: &str, taken_at: Timestamp) -> Result<()> {
        attempts.uncount(self.action, who, window(taken_at, self.window_seconds).0).await
    }
}
