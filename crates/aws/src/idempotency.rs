//! Idempotency records: the saved responses of requests with an Idempotency-Key.

use waraq_core::{Result, Timestamp};

use crate::attributes::{Item, end, n};
use crate::items::answer_key;
use crate::table::{Conditioned, Table};

/// Returns the write of an idempotency record ([`crate::items::answer`]). It is refused with `condition` if an
/// unexpired record of the same key exists.
pub fn key_record<C>(table: &Table, record: Item, now: Timestamp, condition: C) -> Result<Conditioned<C>> {
    let put = table
        .put(record)
        .condition_expression("attribute_not_exists(pk) OR expires_at < :now")
        .expression_attribute_values(":now", n(now.seconds()));
    Conditioned::put(put, Some(condition))
}

/// Returns the idempotency record of a key, unless it has expired.
pub async fn record_under(table: &Table, who: &str, key: &str, now: Timestamp) -> Result<Option<Item>> {
    let record = table.get(answer_key(who, key)).await?;
    Ok(record.filter(|record| end(record).is_some_and(|end| end.seconds() >= now.seconds())))
}
