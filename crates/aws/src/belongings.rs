//! The DynamoDB implementation of [`Belongings`]: the partitions of an account, and the deletion markers. All deletion
//! markers are in one partition, so that one consistent query finds all of them.

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use waraq_core::accounts::Going;
use waraq_core::belongings::Belongings;
use waraq_core::{Result, Timestamp};

use crate::attributes::{Item, data, s, text};
use crate::fault::unavailable;
use crate::items::{GOING, going_key, partitions_of};
use crate::log::{self, USERS};
use crate::table::Table;

/// Number of concurrent deletions.
const AT_ONCE: usize = 16;

#[async_trait]
impl Belongings for Table {
    async fn changes_of(&self, user_id: &str) -> Result<Vec<Timestamp>> {
        log::of_row(self, USERS, user_id).await
    }

    async fn remove_all(&self, user_id: &str) -> Result<()> {
        for partition in partitions_of(user_id) {
            let query = self.client().query().table_name(self.name()).consistent_read(true);
            let query = query.key_condition_expression("pk = :pk").projection_expression("pk, sk");
            let mut pages = query.expression_attribute_values(":pk", s(partition)).into_paginator().send();
            while let Some(page) = pages.next().await {
                let keys = page.map_err(unavailable)?.items.unwrap_or_default();
                let deletions = stream::iter(keys.into_iter().map(|key| self.take_away(key)));
                deletions.buffer_unordered(AT_ONCE).try_collect::<()>().await?;
            }
        }
        Ok(())
    }

    async fn going(&self, user_id: &str) -> Result<Option<Going>> {
        self.get(going_key(user_id)).await?.as_ref().map(data).transpose()
    }

    async fn all_going(&self) -> Result<Vec<String>> {
        let query = self.client().query().table_name(self.name()).consistent_read(true);
        let query = query.key_condition_expression("pk = :pk").expression_attribute_values(":pk", s(GOING));
        let mut marks = query.into_paginator().items().send();
        let mut ids = Vec::new();
        while let Some(mark) = marks.next().await {
            ids.extend(text(&mark.map_err(unavailable)?, "sk").map(str::to_owned));
        }
        Ok(ids)
    }

    async fn gone(&self, user_id: &str) -> Result<()> {
        self.take_away(going_key(user_id)).await
    }
}

impl Table {
    async fn take_away(&self, key: Item) -> Result<()> {
        let delete = self.client().delete_item().table_name(self.name()).set_key(Some(key));
        delete.send().await.map(|_| ()).map_err(unavailable)
    }
}
