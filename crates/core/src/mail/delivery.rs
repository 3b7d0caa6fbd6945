//! Delivery of mails from the outbox to the mail provider. Every mail is sent at least once. Any number of processes can
//! deliver at the same time; a lease makes sure that only one of them sends a given mail.
//!
//! A mail is sent twice in one case only: a process stops after the provider has accepted the mail, but before the process has called
//! [`Outbox::remove`]. Another process then sends the mail again when the lease has expired. SES has no idempotency key that would
//! prevent this. A process could instead mark the mail as sent before it sends the mail. But if the process stopped before the
//! provider's confirmation, the mail would be lost. A duplicate mail does no harm; a lost mail does.

use async_trait::async_trait;

use super::{Mail, Mailer, SealedMail, render};
use crate::clock::creation_time;
use crate::secret::Secret;
use crate::{Clock, Error, ErrorCode, Result, Timestamp};

/// How long, in seconds, a process claims a mail. Sending takes less time. Afterwards, another process may claim the mail.
pub const LEASE_SECONDS: u64 = 60;
/// The wait in seconds after the first failed attempt. It doubles with each further failed attempt.
const FIRST_WAIT_SECONDS: u64 = 2;
const LONGEST_WAIT_SECONDS: u64 = 60;

/// A mail of the outbox that this process has claimed.
#[derive(Debug, Clone)]
pub struct ClaimedMail {
    pub sealed: SealedMail,
    /// The number of times that any process has claimed the mail before.
    pub tries: u32,
}

/// A mail of the outbox. No process can claim the mail before `claimed_until`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedMail {
    pub id: String,
    pub claimed_until: Timestamp,
}

/// The queue of mails that are not sent yet.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Returns every mail in the outbox. The read is eventually consistent: very recent mails may be missing.
    async fn waiting(&self) -> Result<Vec<QueuedMail>>;

    /// Claims a mail until the time `until`, with one conditional write. Returns `None` if the mail was removed, or if another
    /// process has claimed it.
    async fn claim(&self, id: &str, now: Timestamp, until: Timestamp) -> Result<Option<ClaimedMail>>;

    /// Makes a mail unavailable to all processes until the time `until`.
    async fn postpone(&self, id: &str, until: Timestamp) -> Result<()>;

    /// Removes a mail from the outbox.
    async fn remove(&self, id: &str) -> Result<()>;
}

/// The result of an attempt to send a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryOutcome {
    Sent,
    /// The mail was removed, or another process has claimed it.
    NotClaimed,
    /// The mail was not sent before it expired, so it was removed.
    Expired,
    /// The mail can never be delivered, for example because of a wrong address, so it was removed.
    Undeliverable,
    /// Sending failed. The mail will be sent again later.
    Postponed,
}

/// The result of an attempt to send all mails of the outbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeliveryReport {
    /// The number of mails that are still in the outbox.
    pub remaining: usize,
    /// The time at which the oldest of these mails was written. `None` if there are no mails.
    pub oldest: Option<Timestamp>,
    /// The number of mails that were removed because they expired.
    pub expired: usize,
    /// The number of mails that were removed because they can never be delivered.
    pub undeliverable: usize,
}

impl DeliveryReport {
    /// Adds the outcome for one mail.
    pub fn count(&mut self, outcome: DeliveryOutcome) {
        match outcome {
            DeliveryOutcome::Sent | DeliveryOutcome::NotClaimed => {}
            DeliveryOutcome::Expired => self.expired += 1,
            DeliveryOutcome::Undeliverable => self.undeliverable += 1,
            DeliveryOutcome::Postponed => self.remaining += 1,
        }
    }
}

/// The service that sends the mails in the outbox. Its fields are its dependencies, such as the outbox and the clock.
pub struct OutboxSender<'a> {
    pub outbox: &'a dyn Outbox,
    pub mailer: &'a dyn Mailer,
    pub secret: &'a Secret,
    pub clock: &'a dyn Clock,
    /// The base URL of the product, such as `https://waraq.example`.
    pub site: &'a str,
}

impl OutboxSender<'_> {
    /// Sends one mail, unless another process has claimed it.
    pub async fn deliver(&self, id: &str) -> Result<DeliveryOutcome> {
        let now = self.clock.now();
        let Some(waiting) = self.outbox.claim(id, now, now.plus_seconds(LEASE_SECONDS)).await? else {
            return Ok(DeliveryOutcome::NotClaimed);
        };
        if waiting.sealed.expires_at <= now {
            return self.discard(id, "its time is over", DeliveryOutcome::Expired).await;
        }
        let (to, letter) = match waiting.sealed.open(self.secret) {
            Ok(opened) => opened,
            // The secret may have been changed by mistake. The mail waits until its secret is known again, or until it
            // expires.
            Err(error) => return self.postpone(id, "sealed", waiting.tries, &error).await,
        };
        if letter == Mail::Nothing {
            self.outbox.remove(id).await?;
            return Ok(DeliveryOutcome::Sent);
        }
        let message = render(id, &to, &letter, self.site);
        match self.mailer.send(&message).await {
            Ok(()) => {
                self.outbox.remove(id).await?;
                Ok(DeliveryOutcome::Sent)
            }
            Err(error) if error.code == ErrorCode::UndeliverableEmail => {
                let why = error.cause.as_deref().unwrap_or("its address takes no mail");
                self.discard(id, why, DeliveryOutcome::Undeliverable).await
            }
            Err(error) => self.postpone(id, letter.kind(), waiting.tries, &error).await,
        }
    }

    /// Sends every mail that no process has claimed.
    pub async fn deliver_all(&self) -> Result<DeliveryReport> {
        let mut report = DeliveryReport::default();
        for queued in self.outbox.waiting().await? {
            let due = queued.claimed_until <= self.clock.now();
            if due {
                let outcome = self.deliver(&queued.id).await?;
                report.count(outcome);
                if outcome != DeliveryOutcome::Postponed {
                    continue;
                }
            } else {
                report.remaining += 1;
            }
            report.oldest = [report.oldest, creation_time(&queued.id)].into_iter().flatten().min();
        }
        Ok(report)
    }

    async fn postpone(&self, id: &str, kind: &str, tries: u32, error: &Error) -> Result<DeliveryOutcome> {
        let wait = (FIRST_WAIT_SECONDS << tries.min(5)).min(LONGEST_WAIT_SECONDS);
        tracing::warn!(mail = id, kind, wait, cause = error.cause.as_deref(), "a mail waits");
        self.outbox.postpone(id, self.clock.now().plus_seconds(wait)).await?;
        Ok(DeliveryOutcome::Postponed)
    }

    async fn discard(&self, id: &str, why: &str, outcome: DeliveryOutcome) -> Result<DeliveryOutcome> {
        tracing::error!(mail = id, why, "a mail was dropped unsent");
        self.outbox.remove(id).await?;
        Ok(outcome)
    }
}
