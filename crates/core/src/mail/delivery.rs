//! From the outbox to whoever carries mails: each at least once, and once however often it is tried and by however many.
//!
//! One thing sends a mail twice: a process that dies between the carrier's yes and [`Outbox::remove`] leaves it, and when its
//! lease is over it is another's to send. SES takes no mark by which it would know a mail again, and a mark of ours, set before
//! sending, would lose the mails of processes that die between mark and yes. A mail that comes twice does no harm, one that never comes does.

use async_trait::async_trait;

use super::{Letter, Mailer, Sealed, render};
use crate::clock::time_of;
use crate::secret::Secret;
use crate::{Clock, ErrorCode, Result, Timestamp};

/// How long a mail is one process's own: longer than sending takes, for then it is another's to try again.
pub const LEASE_SECONDS: u64 = 60;
/// How long a mail that was not taken waits, after the first time: twice as long after each further one.
const FIRST_WAIT_SECONDS: u64 = 2;
const LONGEST_WAIT_SECONDS: u64 = 60;

/// A mail of the outbox, claimed.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub sealed: Sealed,
    /// How often it was claimed before.
    pub tries: u32,
}

/// A mail of the outbox, and until when nobody may claim it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queued {
    pub id: String,
    pub claimed_until: Timestamp,
}

/// Where mails wait.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Every mail that waits; those of the last moments may be missing.
    async fn waiting(&self) -> Result<Vec<Queued>>;

    /// Claims a mail until a time: one conditional write. `None` where it is gone or somebody else's.
    async fn claim(&self, id: &str, now: Timestamp, until: Timestamp) -> Result<Option<Waiting>>;

    /// Nobody claims it before a time.
    async fn put_off(&self, id: &str, until: Timestamp) -> Result<()>;

    /// It waits no more.
    async fn remove(&self, id: &str) -> Result<()>;
}

/// What became of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Sent,
    /// It is gone, or another process has it.
    NotOurs,
    /// It was worth sending no more, or can never be sent.
    Dropped,
    /// It will be tried again.
    PutOff,
}

/// Mails that still wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Left {
    pub mails: usize,
    /// When the oldest of them was written.
    pub oldest: Option<Timestamp>,
}

/// What sends mails.
pub struct Post<'a> {
    pub outbox: &'a dyn Outbox,
    pub mailer: &'a dyn Mailer,
    pub secret: &'a Secret,
    pub clock: &'a dyn Clock,
    /// Where the product is: `https://waraq.example`.
    pub site: &'a str,
}

impl Post<'_> {
    /// Sends one mail, unless another process does.
    pub async fn deliver(&self, id: &str) -> Result<Delivery> {
        let now = self.clock.now();
        let Some(waiting) = self.outbox.claim(id, now, now.plus_seconds(LEASE_SECONDS)).await? else {
            return Ok(Delivery::NotOurs);
        };
        if waiting.sealed.expires_at <= now {
            return self.drop(id, "its time is over").await;
        }
        let (to, letter) = match waiting.sealed.open(self.secret) {
            Ok(opened) => opened,
            Err(error) => return self.drop(id, error.cause.as_deref().unwrap_or_default()).await,
        };
        if letter == Letter::Nothing {
            self.outbox.remove(id).await?;
            return Ok(Delivery::Sent);
        }
        let message = render(id, &to, &letter, self.site);
        match self.mailer.send(&message).await {
            Ok(()) => {
                self.outbox.remove(id).await?;
                Ok(Delivery::Sent)
            }
            Err(error) if error.code == ErrorCode::UndeliverableEmail => {
                self.drop(id, "its address takes no mail").await
            }
            Err(error) => {
                let wait = (FIRST_WAIT_SECONDS << waiting.tries.min(5)).min(LONGEST_WAIT_SECONDS);
                tracing::warn!(mail = id, kind = letter.kind(), wait, cause = error.cause.as_deref(), "a mail waits");
                self.outbox.put_off(id, self.clock.now().plus_seconds(wait)).await?;
                Ok(Delivery::PutOff)
            }
        }
    }

    /// Sends what waits and is nobody's; answers what still waits.
    pub async fn deliver_waiting(&self) -> Result<Left> {
        let mut left = Left::default();
        for queued in self.outbox.waiting().await? {
            let due = queued.claimed_until <= self.clock.now();
            if due && self.deliver(&queued.id).await? != Delivery::PutOff {
                continue;
            }
            left.mails += 1;
            left.oldest = [left.oldest, time_of(&queued.id)].into_iter().flatten().min();
        }
        Ok(left)
    }

    async fn drop(&self, id: &str, why: &str) -> Result<Delivery> {
        tracing::error!(mail = id, why, "a mail is not sent");
        self.outbox.remove(id).await?;
        Ok(Delivery::Dropped)
    }
}
