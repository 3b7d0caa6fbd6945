//! Messages to the help center, in the table: one of somebody signed in lies in his account's partition, and goes with it.

use async_trait::async_trait;
use waraq_core::filling::{UseKey, key_reused};
use waraq_core::mail::Sealed;
use waraq_core::support::{Kept, Received, SupportMessage, SupportMessages};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::data;
use crate::idempotency::{key_record, record_under};
use crate::items::{SUPPORT_MESSAGES_OF, answer, mail, profile_key, support_message, user_partition};
use crate::table::{Outcome, Table};

/// Why a message is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// There is one of its id, or a mail of that id.
    Known,
    /// The account is gone.
    NoAccount,
    /// There is an answer under the Idempotency-Key.
    KeyUsed,
}

#[async_trait]
impl SupportMessages for Table {
    async fn keep(&self, received: &Received, waiting: &Sealed, key: Option<&UseKey>) -> Result<Kept> {
        let message = &received.message;
        let mut writes = vec![
            self.put_new(support_message(message)?, Refusal::Known)?,
            self.put_new(mail(waiting), Refusal::Known)?,
        ];
        if let Some(user_id) = &message.user_id {
            writes.push(self.there(profile_key(user_id), Refusal::NoAccount)?);
        }
        if let Some(key) = key {
            let record = answer(&key.who, &key.key, received, message.created_at)?;
            writes.push(key_record(self, record, message.created_at, Refusal::KeyUsed)?);
        }
        let Outcome::Refused(refused) = self.transact(writes).await? else { return Ok(Kept::Now) };
        if refused.contains(&Refusal::NoAccount) {
            return Ok(Kept::NoAccount);
        }
        if refused.contains(&Refusal::KeyUsed)
            && let Some(key) = key
            && let Some(before) = self.received_under(key, message.created_at).await?
        {
            return Ok(Kept::Before(Box::new(before)));
        }
        Err(Error::unavailable("a message was refused without a reason"))
    }

    async fn received_under(&self, key: &UseKey, now: Timestamp) -> Result<Option<Received>> {
        let record = record_under(self, &key.who, &key.key, now).await?;
        // A record of another call under the same key has other data.
        record.as_ref().map(|record| data(record).map_err(|_| key_reused())).transpose()
    }

    async fn messages_of(&self, user_id: &str) -> Result<Vec<SupportMessage>> {
        let (from, to) = SUPPORT_MESSAGES_OF;
        let now = self.clock().now();
        let items = self.between(&user_partition(user_id), from, to).await?;
        let messages: Vec<SupportMessage> = items.iter().map(data).collect::<Result<_>>()?;
        // TTL deletes days late.
        Ok(messages.into_iter().filter(|message| message.expires_at() > now).collect())
    }
}
