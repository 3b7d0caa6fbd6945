//! How often somebody may do something.

use async_trait::async_trait;

use crate::{Error, Result, Timestamp};

/// At most `most` times in each window of `window_seconds`, counted from the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Names the counter.
    pub action: &'static str,
    pub most: u64,
    pub window_seconds: u64,
}

/// Tries to log in to one address.
pub const LOGIN_PER_ADDRESS: Limit = Limit { action: "login-address", most: 10, window_seconds: 15 * 60 };
/// Tries to log in from one source: an office shares one.
pub const LOGIN_PER_SOURCE: Limit = Limit { action: "login-source", most: 100, window_seconds: 15 * 60 };
/// Mails one source causes: whoever has a list of addresses is not to reach them through us.
pub const MAIL_PER_SOURCE: Limit = Limit { action: "mail-source", most: 60, window_seconds: 3_600 };
/// Mails of one sort to one address.
pub const MAILS_PER_HOUR: Limit = Limit { action: "mail-address", most: 5, window_seconds: 3_600 };
/// Codes, links and tokens of others that one source tries.
pub const PROOF_PER_SOURCE: Limit = Limit { action: "proof-source", most: 100, window_seconds: 15 * 60 };
/// Wrong codes for one address, whatever they are for.
pub const WRONG_CODES_PER_ADDRESS: Limit = Limit { action: "code-address", most: 20, window_seconds: 24 * 3_600 };
/// Wrong old passwords when one is changed.
pub const WRONG_OLD_PASSWORDS: Limit = Limit { action: "old-password", most: 10, window_seconds: 15 * 60 };
/// Documents a guest makes.
pub const FILL_PER_GUEST: Limit = Limit { action: "fill-guest", most: 60, window_seconds: 60 };

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

/// Sorts of mail, each with a wait of a minute between two to the same address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailWait {
    Code,
    ResetLink,
}

/// Seconds between two mails of a sort to one address.
pub const MAIL_WAIT_SECONDS: u64 = 60;

impl MailWait {
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::ResetLink => "reset",
        }
    }

    /// Begins the wait, or says how long the one that runs still takes (`mail_wait`).
    pub async fn reserve(self, attempts: &dyn Attempts, who: &str, now: Timestamp) -> Result<()> {
        let action = format!("mail-wait-{}", self.name());
        let until = now.plus_seconds(MAIL_WAIT_SECONDS);
        let Some(end) = attempts.reserve(&action, who, now, until).await? else { return Ok(()) };
        let wait = end.seconds().saturating_sub(now.seconds()).max(1);
        let message = format!("A mail was sent a moment ago. Ask for another one in {wait} s.");
        Err(Error::too_many("mail_wait", message, wait))
    }
}

impl Limit {
    fn window(&self, now: Timestamp) -> u64 {
        now.seconds() / self.window_seconds.max(1)
    }

    /// Counts an attempt of `who`; the one too many is `too_many_attempts`, saying when to try again.
    pub async fn take(&self, attempts: &dyn Attempts, who: &str, now: Timestamp) -> Result<()> {
        let window = self.window(now);
        let end = Timestamp(0).plus_seconds((window + 1).saturating_mul(self.window_seconds));
        let count = attempts.count(self.action, who, window, end.plus_seconds(60)).await?;
        if count <= self.most {
            return Ok(());
        }
        let wait = end.seconds().saturating_sub(now.seconds()).max(1);
        let error = Error::too_many("too_many_attempts", format!("Too many attempts. Try again in {wait} s."), wait);
        Err(error.with_limit(self.most))
    }

    /// The attempt taken at `taken_at` shall not count.
    pub async fn give_back(&self, attempts: &dyn Attempts, who: &str, taken_at: Timestamp) -> Result<()> {
        attempts.take_back(self.action, who, self.window(taken_at)).await
    }
}
