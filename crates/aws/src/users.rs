//! The list of users: their rows in memory, following the log.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use waraq_core::accounts::{ListedUser, UserRow, UserRows, Users};
use waraq_core::{Result, Timestamp};

use crate::accounts::account_of;
use crate::attributes::{Item, number, text};
use crate::items::{SHARDS, account_of_profile, order, profile_key, user_kind_of};
use crate::log::{Kind, USERS};
use crate::table::Table;
use crate::warm::{Listed, Warm};

/// Shards read at once: what one core takes in.
const AT_ONCE: usize = 8;

pub struct UserList {
    warm: Warm<Profiles>,
}

impl UserList {
    pub fn new(table: Table) -> Self {
        Self { warm: Warm::new(table) }
    }
}

#[async_trait]
impl Users for UserList {
    async fn users(&self) -> Result<Arc<UserRows>> {
        self.warm.rows().await
    }
}

/// Accounts' rows have their counts in themselves: nothing is to be known beside them.
struct Profiles;

fn listed(profile: &Item) -> Result<ListedUser> {
    account_of(profile).map(ListedUser::from)
}

#[async_trait]
impl Listed for Profiles {
    type Rows = UserRows;

    const KIND: Kind = USERS;
    const REPLAYED: u64 = 128;

    fn key(id: &str) -> Item {
        profile_key(id)
    }

    fn id(row: &Item) -> Option<&str> {
        account_of_profile(text(row, "pk")?, text(row, "sk")?)
    }

    async fn load(table: &Table) -> Result<(Self, UserRows)> {
        let shards = stream::iter(0..SHARDS).map(|shard| {
            let table = table.clone();
            // Each in a task of its own: reading them is mostly work of the processor.
            tokio::spawn(async move {
                let row = |profile: &Item| Ok(UserRow::new(&listed(profile)?));
                table.map_kind((&user_kind_of(shard), ""), &["data", "downloads"], row).await
            })
        });
        let shards = shards.buffer_unordered(AT_ONCE).map_err(|error| waraq_core::Error::internal(error.to_string()));
        let rows = shards.try_fold(UserRows::default(), |mut rows, shard| async {
            rows.extend(shard?);
            Ok(rows)
        });
        Ok((Self, rows.await?))
    }

    fn take(rows: &mut UserRows, written: &[Item], gone: &[String]) -> Result<()> {
        rows.take(written.iter().map(listed).collect::<Result<Vec<_>>>()?, gone);
        Ok(())
    }

    async fn count(&mut self, table: &Table, since: Option<Timestamp>, rows: &mut Arc<UserRows>) -> Result<()> {
        // A list that was just loaded has them.
        let Some(since) = since else { return Ok(()) };
        let mut counted = Vec::new();
        for shard in 0..SHARDS {
            // Only what is counted: of all else the log knows better than the index.
            let count = |profile: &Item| Ok(Self::id(profile).map(str::to_owned).zip(number(profile, "downloads")));
            let from = order(since);
            let found = table.map_kind((&user_kind_of(shard), &from), &["pk", "sk", "downloads"], count).await?;
            counted.extend(found.into_iter().flatten());
        }
        if !counted.is_empty() {
            Arc::make_mut(rows).count(counted);
        }
        Ok(())
    }
}
