//! The DynamoDB implementation of [`PersonalRecords`]: it deletes the partitions of an account, and reads and removes
//! deletion markers. All deletion markers are in one partition, so that one consistent query finds all of them.

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use waraq_core::accounts::DeletionMarker;
use waraq_core::personal_records::PersonalRecords;
use waraq_core::{Result, Timestamp};

use crate::attributes::{Item, get_text, parse_data, s};
use crate::fault::unavailable;
use crate::items::{DELETION_MARKERS, account_partitions, deletion_marker_key};
use crate::log::{self, USERS};
use crate::table::Table;

/// Number of items that are deleted concurrently.
const CONCURRENT_DELETES: usize = 16;

#[async_trait]
impl PersonalRecords for Table {
    async fn change_times(&self, user_id: &str) -> Result<Vec<Timestamp>> {
        log::write_times(self, USERS, user_id).await
    }

    async fn delete_all(&self, user_id: &str) -> Result<()> {
        for partition in account_partitions(user_id) {
            let query = self.client().query().table_name(self.name()).consistent_read(true);
            let query = query.key_condition_expression("pk = :pk").projection_expression("pk, sk");
            let mut pages = query.expression_attribute_values(":pk", s(partition)).into_paginator().send();
            while let Some(page) = pages.next().await {
                let keys = page.map_err(unavailable)?.items.unwrap_or_default();
                let deletions = stream::iter(keys.into_iter().map(|key| self.delete_item(key)));
                deletions.buffer_unordered(CONCURRENT_DELETES).try_collect::<()>().await?;
            }
        }
        Ok(())
    }

    async fn deletion_marker(&self, user_id: &str) -> Result<Option<DeletionMarker>> {
        self.get(deletion_marker_key(user_id)).await?.as_ref().map(parse_data).transpose()
    }

    async fn deletion_marker_ids(&self) -> Result<Vec<String>> {
        let query = self.client().query().table_name(self.name()).consistent_read(true);
        let query = query.key_condition_expression("pk = :pk").expression_attribute_values(":pk", s(DELETION_MARKERS));
        let mut marks = query.into_paginator().items().send();
        let mut ids = Vec::new();
        while let Some(mark) = marks.next().await {
            ids.extend(get_text(&mark.map_err(unavailable)?, "sk").map(str::to_owned));
        }
        Ok(ids)
    }

    async fn remove_deletion_marker(&self, user_id: &str) -> Result<()> {
        self.delete_item(deletion_marker_key(user_id)).await
    }
}

impl Table {
    pub(crate) async fn delete_item(&self, key: Item) -> Result<()> {
        let delete = self.client().delete_item().table_name(self.name()).set_key(Some(key));
        delete.send().await.map(|_| ()).map_err(unavailable)
    }
}
