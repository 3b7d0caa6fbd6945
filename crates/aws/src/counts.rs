//! Counts of what happens in the whole house: an item for each of some shards, so that writers seldom meet at one, with an attribute for
//! everything and one for each month. All of them are read by one call.

use std::collections::BTreeMap;

use async_trait::async_trait;
use aws_sdk_dynamodb::types::Update;
use waraq_core::analytics::{Counters, Counts};
use waraq_core::{Result, Timestamp};

use crate::attributes::{Item, n};
use crate::items::{COUNTED_USERS, COUNTED_USES, SHARDS, count_key};
use crate::system::spread;
use crate::table::{Conditioned, Table};

impl Table {
    /// `by` more of what `counted` names, ever and in the month of `at`: a write of the transaction in which it happens.
    pub fn counted<C>(&self, counted: &str, by: i8, at: Timestamp) -> Result<Conditioned<C>> {
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(count_key(spread(SHARDS))))
            .update_expression("ADD #ever :by, #month :by")
            .expression_attribute_names("#ever", counted)
            .expression_attribute_names("#month", format!("{counted}_{}", at.month()))
            .expression_attribute_values(":by", n(by));
        Conditioned::update(update, None)
    }
}

#[async_trait]
impl Counters for Table {
    async fn counts(&self) -> Result<Counts> {
        let shards = self.get_all((0..SHARDS).map(count_key).collect()).await?;
        let mut counts = Counts::default();
        (counts.users, counts.users_by_month) = sums(&shards, COUNTED_USERS);
        (counts.uses, counts.uses_by_month) = sums(&shards, COUNTED_USES);
        Ok(counts)
    }
}

/// Over all shards. One alone may be below nothing: an account can be counted in one and its going in another.
fn sums(shards: &[Item], counted: &str) -> (u64, BTreeMap<String, u64>) {
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
