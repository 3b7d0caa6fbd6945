//! Rate limits. The file docs/limits.md describes the rules.
//!
//! A limit that blocks requests counts by target *and* source, so that an attacker cannot block a user elsewhere. A counter
//! over all sources only slows requests down ([`Slowdown`]). The exception is the limit of mails to one address.

use async_trait::async_trait;

use crate::{Clock, Error, ErrorCode, Result, Timestamp};

/// A limit of `most` attempts in each window of `window_seconds`. Windows are counted from the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The name of the counter.
    pub action: &'static str,
    pub most: u64,
    pub window_seconds: u64,
}

/// Limit of failed logins to one address from one source.
pub const LOGIN_PER_ADDRESS_AND_SOURCE: Limit = Limit { action: "login-pair", most: 10, window_seconds: 15 * 60 };
/// Limit of failed logins from one source. An office may share one source.
pub const LOGIN_PER_SOURCE: Limit = Limit { action: "login-source", most: 100, window_seconds: 15 * 60 };
/// Slow-down of failed logins to one address from all sources.
pub const LOGIN_PER_ADDRESS: Slowdown =
    Slowdown { action: "login-address", free_attempts: 20, window_seconds: 15 * 60, step_ms: 250, longest_ms: 3_000 };

/// Limit of mails caused by one source, so that the product cannot be misused to mail a list of addresses.
pub const MAIL_PER_SOURCE: Limit = Limit { action: "mail-source", most: 60, window_seconds: 3_600 };
/// Limit of mails to any addresses that one account causes from one source.
pub const MAIL_PER_SESSION: Limit = Limit { action: "mail-session", most: 20, window_seconds: 3_600 };
/// Limit of mails of one kind to one address caused by one source.
pub const MAIL_PER_ADDRESS_AND_SOURCE: Limit = Limit { action: "mail-pair", most: 5, window_seconds: 3_600 };
/// Limit of mails of one kind to one address from all sources. It protects the mailbox, and limits the codes that can be
/// guessed.
pub const MAIL_PER_ADDRESS: Limit = Limit { action: "mail-address", most: 20, window_seconds: 3_600 };

/// Limit of invalid codes, mailed links and Google access tokens tried by one source.
pub const PROOF_PER_SOURCE: Limit = Limit { action: "proof-source", most: 100, window_seconds: 15 * 60 };
/// Limit of wrong codes for one registration or one change of address.
pub const WRONG_CODES_PER_FLOW: Limit = Limit { action: "code-flow", most: 20, window_seconds: 24 * 3_600 };
/// Limit of wrong codes for registrations of one address from one source.
pub const WRONG_CODES_PER_ADDRESS_AND_SOURCE: Limit =
    Limit { action: "code-pair", most: 20, window_seconds: 24 * 3_600 };

/// Limit of wrong old passwords in password changes, for one account from one source.
pub const WRONG_OLD_PASSWORDS: Limit = Limit { action: "old-password-pair", most: 10, window_seconds: 15 * 60 };
/// Slow-down of wrong old passwords for one account from all sources.
pub const WRONG_OLD_PASSWORDS_EVERYWHERE: Slowdown = Slowdown {
    action: "old-password-account",
    free_attempts: 20,
    window_seconds: 15 * 60,
    step_ms: 250,
    longest_ms: 3_000,
};

/// Limit of messages to the help center, from one account, or from one address and source.
pub const SUPPORT_PER_PERSON: Limit = Limit { action: "support-person", most: 5, window_seconds: 3_600 };
/// Limit of guests' messages to the help center from one source. An office may share one source.
pub const SUPPORT_PER_SOURCE: Limit = Limit { action: "support-source", most: 20, window_seconds: 3_600 };

/// Limit of exports of an account's data.
pub const EXPORTS: Limit = Limit { action: "export", most: 5, window_seconds: 3_600 };

/// Limit of documents filled by a guest.
pub const FILL_PER_GUEST: Limit = Limit { action: "fill-guest", most: 60, window_seconds: 60 };
/// Limit of documents filled by a signed-in user: more than a person can do by hand, fewer than a program in an endless loop.
pub const FILL_PER_USER: Limit = Limit { action: "fill-user", most: 240, window_seconds: 60 };

/// The store of attempt counters. Each method is one conditional write, so that any number of processes agree.
#[async_trait]
pub trait Attempts: Send + Sync {
    /// Counts an attempt. Returns the number of attempts in this window.
    async fn count(&self, action: &str, who: &str, window: u64, expires_at: Timestamp) -> Result<u64>;

    /// Subtracts one attempt from the counter of this window.
    async fn uncount(&self, action: &str, who: &str, window: u64) -> Result<()>;

    /// Blocks an action of `who` until `until`, and returns `None`. If an earlier block has not ended at `now`, changes nothing and
    /// returns the end of that block.
    async fn start_wait(&self, action: &str, who: &str, now: Timestamp, until: Timestamp) -> Result<Option<Timestamp>>;
}

/// A kind of mail. Two mails of the same kind to the same address, requested by the same source, must be a minute apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// The code of a registration.
    RegisterCode,
    /// The code of a change of address.
    ChangeCode,
    ResetLink,
    /// The code that confirms the deletion of an account.
    DeletionCode,
}

/// Minimum time in seconds between two mails of one kind to one address requested by one source.
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

    /// Returns whether the mail has a link with which the holder of the mailbox gets an account with a password of their own.
    pub fn has_link(self) -> bool {
        matches!(self, Self::RegisterCode | Self::ResetLink)
    }

    /// Starts the wait after a mail.
    ///
    /// # Errors
    /// `mail_wait` with the remaining time, if an earlier wait has not ended.
    pub async fn start_wait(self, attempts: &dyn Attempts, who: &str, now: Timestamp) -> Result<()> {
        let action = format!("mail-wait-{}", self.name());
        let until = now.plus_seconds(MAIL_WAIT_SECONDS);
        let Some(end) = attempts.start_wait(&action, who, now, until).await? else { return Ok(()) };
        let wait = end.seconds().saturating_sub(now.seconds()).max(1);
        let message = format!("An email was just sent. Request another one in {wait} s.");
        Err(Error::too_many(ErrorCode::MailWait, message, wait))
    }
}

/// Returns the number of the window that contains a time, and the end of that window.
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

    /// Takes back the attempt that was counted at `taken_at`.
    pub async fn uncount_attempt(&self, attempts: &dyn Attempts, who: &str, taken_at: Timestamp) -> Result<()> {
        attempts.uncount(self.action, who, window(taken_at, self.window_seconds).0).await
    }
}

/// A delay for attempts after the first `free_attempts` in a window. Each one waits `step_ms` longer than the one before, at most
/// `longest_ms`. No attempt is refused, so users with the right password can always sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slowdown {
    /// The name of the counter.
    pub action: &'static str,
    pub free_attempts: u64,
    pub window_seconds: u64,
    pub step_ms: u64,
    /// The longest delay in milliseconds. It is well below the time-out of a function.
    pub longest_ms: u64,
}

impl Slowdown {
    /// Counts an attempt of `who` and waits. Returns the time of counting, for [`Self::uncount_attempt`].
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

    /// Takes back the attempt that was counted at `taken_at`.
    pub async fn uncount_attempt(&self, attempts: &dyn Attempts, who: &str, taken_at: Timestamp) -> Result<()> {
        attempts.uncount(self.action, who, window(taken_at, self.window_seconds).0).await
    }
}
