//! Counting uses: sharded counters, one transaction a use.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::Update;
use waraq_core::filling::{Counted, Ingredients, Use, UseKey, Uses, key_reused};
use waraq_core::token::session_ended;
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{data, n, s};
use crate::idempotency::{key_record, record_under};
use crate::items::{SHARDS, answer, month_key, order, profile_key, shard_kind, template_uses_key, user_kind};
use crate::system::spread;
use crate::table::{Conditioned, Outcome, Table};

/// Why a use is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// The account is gone.
    NoAccount,
    /// There is an answer under the Idempotency-Key.
    KeyUsed,
}

#[async_trait]
impl Uses for Table {
    async fn count(&self, counted: &Use) -> Result<Counted> {
        let mut writes = vec![self.template_count(counted)?, self.month_count(counted)?];
        if let Some(user_id) = &counted.user_id {
            writes.push(self.user_count(user_id, counted.at)?);
        }
        if let Some((key, ingredients)) = &counted.key {
            let record = answer(&key.who, &key.key, ingredients, counted.at)?;
            writes.push(key_record(self, record, counted.at, Refusal::KeyUsed)?);
        }
        let Outcome::Refused(refused) = self.transact(writes).await? else { return Ok(Counted::Now) };
        if refused.contains(&Refusal::KeyUsed)
            && let Some((key, _)) = &counted.key
            && let Some(before) = self.counted_under(key, counted.at).await?
        {
            return Ok(Counted::Before(before));
        }
        // The account went away while its document was being made.
        if refused.contains(&Refusal::NoAccount) {
            return Err(session_ended());
        }
        Err(Error::unavailable("a use was refused without a reason"))
    }

    async fn counted_under(&self, key: &UseKey, now: Timestamp) -> Result<Option<Ingredients>> {
        let record = record_under(self, &key.who, &key.key, now).await?;
        // A record of another call under the same key has other data.
        record.as_ref().map(|record| data(record).map_err(|_| key_reused())).transpose()
    }
}

impl Table {
    fn template_count(&self, counted: &Use) -> Result<Conditioned<Refusal>> {
        let shard = spread(SHARDS);
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(template_uses_key(&counted.template_id, shard)))
            .update_expression("ADD uses :one SET kind = :kind, kind_order = :at")
            .expression_attribute_values(":one", n(1))
            .expression_attribute_values(":kind", s(shard_kind(shard)))
            .expression_attribute_values(":at", s(order(counted.at)));
        Conditioned::update(update, None)
    }

    fn month_count(&self, counted: &Use) -> Result<Conditioned<Refusal>> {
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(month_key(spread(SHARDS), &counted.at.month())))
            .update_expression("ADD uses :one")
            .expression_attribute_values(":one", n(1));
        Conditioned::update(update, None)
    }

    /// In the row itself, which is nobody's but his; the list of users finds it by its order.
    fn user_count(&self, user_id: &str, at: Timestamp) -> Result<Conditioned<Refusal>> {
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(profile_key(user_id)))
            .update_expression("ADD downloads :one SET kind = :kind, kind_order = :at")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":one", n(1))
            .expression_attribute_values(":kind", s(user_kind(user_id)))
            .expression_attribute_values(":at", s(order(at)));
        Conditioned::update(update, Some(Refusal::NoAccount))
    }
}
