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
/// Documents a guest makes.
pub const FILL_PER_GUEST: Limit = Limit { action: "fill-guest", most: 60, window_seconds: 60 };

/// Where attempts are counted: one conditional write each, so that any number of processes agree.
#[async_trait]
pub trait Attempts: Send + Sync {
    /// Counts one and answers how many there are now in this window.
    async fn count(&self, action: &str, who: &str, window: u64, expires_at: Timestamp) -> Result<u64>;

    /// Takes one back.
    async fn take_back(&self, action: &str, who: &str, window: u64) -> Result<()>;
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
