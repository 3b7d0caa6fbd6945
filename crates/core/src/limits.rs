//! How often somebody may do something. The rules in words: docs/limits.md.
//!
//! What bars is counted by whom it is about *and* where it comes from, so that nobody can use up the tries of somebody elsewhere.
//! What is counted over all sources only slows down ([`Slowdown`]), but for the mails an address gets.

use async_trait::async_trait;

use crate::{Clock, Error, ErrorCode, Result, Timestamp};

/// At most `most` times in each window of `window_seconds`, counted from the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Names the counter.
    pub action: &'static str,
    pub most: u64,
    pub window_seconds: u64,
}

/// Wrong logins to one address from one source.
pub const LOGIN_PER_ADDRESS_AND_SOURCE: Limit = Limit { action: "login-pair", most: 10, window_seconds: 15 * 60 };
/// Wrong logins from one source: an office shares one.
pub const LOGIN_PER_SOURCE: Limit = Limit { action: "login-source", most: 100, window_seconds: 15 * 60 };
/// Wrong logins to one address from everywhere.
pub const LOGIN_PER_ADDRESS: Slowdown =
    Slowdown { action: "login-address", free: 20, window_seconds: 15 * 60, step_ms: 250, longest_ms: 3_000 };

/// Mails one source causes: whoever has a list of addresses is not to reach them through us.
pub const MAIL_PER_SOURCE: Limit = Limit { action: "mail-source", most: 60, window_seconds: 3_600 };
/// Mails to whatever addresses that an account causes from one source.
pub const MAIL_PER_SESSION: Limit = Limit { action: "mail-session", most: 20, window_seconds: 3_600 };
/// Mails of one sort to one address that one source causes.
pub const MAIL_PER_ADDRESS_AND_SOURCE: Limit = Limit { action: "mail-pair", most: 5, window_seconds: 3_600 };
/// Mails of one sort to one address, whoever causes them: a mailbox is not to be flooded, and each code can be guessed at.
pub const MAIL_PER_ADDRESS: Limit = Limit { action: "mail-address", most: 20, window_seconds: 3_600 };

/// Wrong codes, links and tokens of others that one source tries.
pub const PROOF_PER_SOURCE: Limit = Limit { action: "proof-source", most: 100, window_seconds: 15 * 60 };
/// Wrong codes for one registration, or one change of address.
pub const WRONG_CODES_PER_FLOW: Limit = Limit { action: "code-flow", most: 20, window_seconds: 24 * 3_600 };
/// Wrong codes for registrations of one address from one source.
pub const WRONG_CODES_PER_ADDRESS_AND_SOURCE: Limit =
    Limit { action: "code-pair", most: 20, window_seconds: 24 * 3_600 };

/// Wrong old passwords when one is changed, for one account from one source.
pub const WRONG_OLD_PASSWORDS: Limit = Limit { action: "old-password-pair", most: 10, window_seconds: 15 * 60 };
/// Wrong old passwords for one account from everywhere.
pub const WRONG_OLD_PASSWORDS_EVERYWHERE: Slowdown =
    Slowdown { action: "old-password-account", free: 20, window_seconds: 15 * 60, step_ms: 250, longest_ms: 3_000 };

/// Messages to the help center: of an account, or of an address from one source.
pub const SUPPORT_PER_PERSON: Limit = Limit { action: "support-person", most: 5, window_seconds: 3_600 };
/// Messages of guests to the help center from one source: an office shares one.
pub const SUPPORT_PER_SOURCE: Limit = Limit { action: "support-source", most: 20, window_seconds: 3_600 };

/// Exports of everything that is kept of an account.
pub const EXPORTS: Limit = Limit { action: "export", most: 5, window_seconds: 3_600 };

/// Documents a guest makes.
pub const FILL_PER_GUEST: Limit = Limit { action: "fill-guest", most: 60, window_seconds: 60 };
/// Documents somebody signed in makes: more than anybody's hands do, fewer than a program that runs away.
pub const FILL_PER_USER: Limit = Limit { action: "fill-user", most: 240, window_seconds: 60 };

/// Where attempts are counted: one conditional write each, so that any number of processes agree.
#[async_trait]
pub trait Attempts: Send + Sync {
    /// Counts one and answers how many there are now in this window.
    async fn count(&self, action: &str, who: &str, window: u64, expires_at: Timestamp) -> Result<u64>;

    /// Takes one back.
    async fn take_back(&self, action: &str, who: &str, window: u64) -> Result<()>;

    /// Nobody may do this again before `until`. Answers the end of an earlier wait that is not over, which then stays.
    async fn reserve(&self, action: &str, who: &str, now: Timestamp, until: Timestamp) -> Result<Option<Timestamp>>;
}

/// Sorts of mail, each with a wait of a minute between two to the same address at the same wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailSort {
    /// The code of a registration.
    RegisterCode,
    /// The code of a change of address.
    ChangeCode,
    ResetLink,
    /// The code by which an account is deleted.
    DeletionCode,
}

/// Seconds between two mails of a sort to one address at the wish of one source.
pub const MAIL_WAIT_SECONDS: u64 = 60;

impl MailSort {
    pub fn name(self) -> &'static str {
        match self {
            Self::RegisterCode => "code",
            Self::ChangeCode => "change",
            Self::ResetLink => "reset",
            Self::DeletionCode => "deletion",
        }
    }

    /// Begins the wait, or says how long the one that runs still takes (`mail_wait`).
    pub async fn reserve(self, attempts: &dyn Attempts, who: &str, now: Timestamp) -> Result<()> {
        let action = format!("mail-wait-{}", self.name());
        let until = now.plus_seconds(MAIL_WAIT_SECONDS);
        let Some(end) = attempts.reserve(&action, who, now, until).await? else { return Ok(()) };
        let wait = end.seconds().saturating_sub(now.seconds()).max(1);
        let message = format!("A mail was sent a moment ago. Ask for another one in {wait} s.");
        Err(Error::too_many(ErrorCode::MailWait, message, wait))
    }
}

/// The number of the window a moment lies in, and when that window ends.
fn window(now: Timestamp, window_seconds: u64) -> (u64, Timestamp) {
    let number = now.seconds() / window_seconds.max(1);
    (number, Timestamp(0).plus_seconds((number + 1).saturating_mul(window_seconds)))
}

impl Limit {
    /// Counts an attempt of `who`; the one too many is `too_many_attempts`, saying when to try again.
    pub async fn take(&self, attempts: &dyn Attempts, who: &str, now: Timestamp) -> Result<()> {
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

    /// The attempt taken at `taken_at` shall not count.
    pub async fn give_back(&self, attempts: &dyn Attempts, who: &str, taken_at: Timestamp) -> Result<()> {
        attempts.take_back(self.action, who, window(taken_at, self.window_seconds).0).await
    }
}

/// Attempts past `free` in a window wait before they are looked at, each `step_ms` longer than the one before, `longest_ms` at most.
/// None is refused: whoever knows the right answer gets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slowdown {
    /// Names the counter.
    pub action: &'static str,
    pub free: u64,
    pub window_seconds: u64,
    pub step_ms: u64,
    /// Well below a function's own time-out.
    pub longest_ms: u64,
}

impl Slowdown {
    /// Counts an attempt of `who` and waits as long as it has to; answers when it was counted, for [`Self::give_back`].
    pub async fn take(&self, attempts: &dyn Attempts, who: &str, clock: &dyn Clock) -> Result<Timestamp> {
        let now = clock.now();
        let (window, end) = window(now, self.window_seconds);
        let count = attempts.count(self.action, who, window, end.plus_seconds(60)).await?;
        let wait = count.saturating_sub(self.free).saturating_mul(self.step_ms).min(self.longest_ms);
        if wait > 0 {
            clock.wait(wait).await;
        }
        Ok(now)
    }

    /// The attempt taken at `taken_at` shall not count.
    pub async fn give_back(&self, attempts: &dyn Attempts, who: &str, taken_at: Timestamp) -> Result<()> {
        attempts.take_back(self.action, who, window(taken_at, self.window_seconds).0).await
    }
}
