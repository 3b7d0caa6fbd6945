//! Counting uses: sharded counters, one transaction a use.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{TransactWriteItem, Update};
use waraq_core::filling::{Counted, Ingredients, Use, UseKey, Uses, key_reused};
use waraq_core::token::session_ended;
use waraq_core::{Error, Result, Timestamp};

use crate::accounts::user_kind;
use crate::cloud::{spread, unavailable};
use crate::table::{Outcome, Table, data, item, n, s, with_data};
use crate::templates::{key_pk, key_record, record_under, template_pk};

/// A counter is kept in as many pieces: writers seldom meet at the same.
pub const SHARDS: u8 = 16;

/// The `kind` of a shard's counters in the index.
pub fn shard_kind(shard: u8) -> String {
    format!("USE#{shard}")
}

/// What is counted on is ordered by when it was last changed.
pub fn order(at: Timestamp) -> String {
    format!("{:014}", at.0)
}

#[async_trait]
impl Uses for Table {
    async fn count(&self, counted: &Use) -> Result<Counted> {
        let mut writes = vec![self.template_count(counted)?, self.month_count(counted)?];
        let mut user_place = None;
        if let Some(user_id) = &counted.user_id {
            user_place = Some(writes.len());
            writes.push(self.user_count(user_id, counted.at)?);
        }
        let mut key_place = None;
        if let Some((key, ingredients)) = &counted.key {
            key_place = Some(writes.len());
            let record = with_data(item(key_pk(&key.who, &key.key), "IDEM"), ingredients)?;
            writes.push(key_record(self, record, counted.at)?);
        }
        let Outcome::Refused(refused) = self.transact(writes).await? else { return Ok(Counted::Now) };
        let failed = |place: Option<usize>| place.and_then(|place| refused.get(place)).copied().unwrap_or(false);
        if failed(key_place)
            && let Some((key, _)) = &counted.key
            && let Some(before) = self.counted_under(key, counted.at).await?
        {
            return Ok(Counted::Before(before));
        }
        // The account went away while its document was being made.
        if failed(user_place) {
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
    fn template_count(&self, counted: &Use) -> Result<TransactWriteItem> {
        let shard = spread(SHARDS);
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(item(template_pk(&counted.template_id), format!("USE#{shard}"))))
            .update_expression("ADD uses :one SET kind = :kind, kind_order = :at")
            .expression_attribute_values(":one", n(1))
            .expression_attribute_values(":kind", s(shard_kind(shard)))
            .expression_attribute_values(":at", s(order(counted.at)));
        Ok(TransactWriteItem::builder().update(update.build().map_err(unavailable)?).build())
    }

    fn month_count(&self, counted: &Use) -> Result<TransactWriteItem> {
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(item(format!("COUNT#{}", spread(SHARDS)), counted.at.month())))
            .update_expression("ADD uses :one")
            .expression_attribute_values(":one", n(1));
        Ok(TransactWriteItem::builder().update(update.build().map_err(unavailable)?).build())
    }

    /// In the row itself, which is nobody's but his; the list of users finds it by its order.
    fn user_count(&self, user_id: &str, at: Timestamp) -> Result<TransactWriteItem> {
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(item(format!("USER#{user_id}"), "PROFILE")))
            .update_expression("ADD downloads :one SET kind = :kind, kind_order = :at")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":one", n(1))
            .expression_attribute_values(":kind", s(user_kind(user_id)))
            .expression_attribute_values(":at", s(order(at)));
        Ok(TransactWriteItem::builder().update(update.build().map_err(unavailable)?).build())
    }
}
