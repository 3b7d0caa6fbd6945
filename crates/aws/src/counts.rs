//! Counts of uses and accounts of the whole service. They are spread over shards, so that writers rarely conflict. Each
//! shard is one item. For each count, the item has an attribute for the total and one for each month. One call reads
//! all shards.

use std::collections::BTreeMap;

use async_trait::async_trait;
use aws_sdk_dynamodb::types::Update;
use waraq_core::analytics::{Counters, Counts};
use waraq_core::{Result, Timestamp};

use crate::attributes::{Item, n};
use crate::items::{COUNTED_USERS, COUNTED_USES, SHARDS, count_key};
use crate::system::random_below;
use crate::table::{ConditionalWrite, Table};

impl Table {
    /// Returns the write that adds `by` to two counts: the total of `counted`, and the count of `counted` in the month
    /// of `at`. `counted` is [`COUNTED_USES`] or [`COUNTED_USERS`].
    pub fn count_write<C>(&self, counted: &str, by: i8, at: Timestamp) -> Result<ConditionalWrite<C>> {
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(count_key(random_below(SHARDS))))
            .update_expression("ADD #ever :by, #month :by")
            .expression_attribute_names("#ever", counted)
            .expression_attribute_names("#month", format!("{counted}_{}", at.month()))
            .expression_attribute_values(":by", n(by));
        ConditionalWrite::update(update, None)
    }
}

#[async_trait]
impl Counters for Table {
    async fn counts(&self) -> Result<Counts> {
        let shards = self.get_all((0..SHARDS).map(count_key).collect()).await?;
        let mut counts = Counts::default();
        (counts.users, counts.users_by_month) = sum_shards(&shards, COUNTED_USERS);
        (counts.uses, counts.uses_by_month) = sum_shards(&shards, COUNTED_USES);
        Ok(counts)
    }
}

/// Returns the total of `counted` and its counts by month, summed over all shards. The number in a single shard may be
/// negative, because the creation of an account can be counted in one shard and its deletion in another.
fn sum_shards(shards: &[Item], counted: &str) -> (u64, BTreeMap<String, u64>) {
    let mut ever = 0i64;
    let mut months = BTreeMap::<String, i64>::new();
    for (name, value) in shards.iter().flatten() {
        let Some(number) = value.as_n().ok().and_then(|number| number.parse::<i64>().ok()) else { continue };
        match name.strip_prefix(counted) {
            Some("") => ever += number,
            Some(month) => {
                if let Some(month) = month.strip_prefix('_') {
                    *months.entry(month.to_owned()).or_default() += number;
                }
            }
            None => {}
        }
    }
    let whole = |number: i64| u64::try_from(number).unwrap_or(0);
    (whole(ever), months.into_iter().map(|(month, number)| (month, whole(number))).collect())
}
