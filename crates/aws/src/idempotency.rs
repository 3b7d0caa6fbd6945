//! What was answered under an Idempotency-Key.

use waraq_core::{Result, Timestamp};

use crate::attributes::{Item, end, n};
use crate::items::answer_key;
use crate::table::{Conditioned, Table};

/// A record under an Idempotency-Key ([`crate::items::answer`]), written only where none is that still counts; else `condition` is
/// refused.
pub fn key_record<C>(table: &Table, record: Item, now: Timestamp, condition: C) -> Result<Conditioned<C>> {
    let put = table
        .put(record)
        .condition_expression("attribute_not_exists(pk) OR expires_at < :now")
        .expression_attribute_values(":now", n(now.seconds()));
    Conditioned::put(put, Some(condition))
}

/// The record under an Idempotency-Key, unless its time is over.
pub async fn record_under(table: &Table, who: &str, key: &str, now: Timestamp) -> Result<Option<Item>> {
    let record = table.get(answer_key(who, key)).await?;
    Ok(record.filter(|record| end(record).is_some_and(|end| end.seconds() >= now.seconds())))
}
