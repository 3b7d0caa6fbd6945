//! Idempotency records: the saved responses of requests with an Idempotency-Key.

use waraq_core::{Result, Timestamp};

use crate::attributes::{Item, get_expiry, n};
use crate::items::idempotency_key;
use crate::table::{ConditionalWrite, Table};

/// Returns the write of an idempotency record ([`crate::items::idempotency_record`]). It is refused with `condition` if
/// an unexpired record of the same key exists.
pub fn put_record<C>(table: &Table, record: Item, now: Timestamp, condition: C) -> Result<ConditionalWrite<C>> {
    let put = table
        .put(record)
        .condition_expression("attribute_not_exists(pk) OR expires_at < :now")
        .expression_attribute_values(":now", n(now.seconds()));
    ConditionalWrite::put(put, Some(condition))
}

/// Returns the idempotency record of a key, unless it has expired.
pub async fn record_of_key(table: &Table, who: &str, key: &str, now: Timestamp) -> Result<Option<Item>> {
    let record = table.get(idempotency_key(who, key)).await?;
    Ok(record.filter(|record| get_expiry(record).is_some_and(|end| end.seconds() >= now.seconds())))
}
