//! The list of users: their rows in memory, following the log.

use std::sync::Arc;

use async_trait::async_trait;
use waraq_core::accounts::{ListedUser, UserRow, UserRows, Users};
use waraq_core::{Result, Timestamp};

use crate::accounts::account_of;
use crate::attributes::{Item, number, text};
use crate::items::{SHARDS, account_of_profile, order, profile_key, user_kind_of};
use crate::log::{Kind, USERS};
use crate::table::Table;
use crate::warm::{Listed, Warm};

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

    async fn users_at_hand(&self) -> Result<Option<Arc<UserRows>>> {
        if self.warm.is_loaded() { self.warm.rows().await.map(Some) } else { Ok(None) }
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
        let kinds = (0..SHARDS).map(|shard| (user_kind_of(shard), String::new()));
        let mut rows = UserRows::default();
        let row = |profile: &Item| Ok(UserRow::new(&listed(profile)?));
        table.map_kinds(kinds, &["data", "downloads"], row, |shard| rows.extend(shard)).await?;
        Ok((Self, rows))
    }

    fn take(rows: &mut UserRows, written: &[Item], gone: &[String]) -> Result<()> {
        rows.take(written.iter().map(listed).collect::<Result<Vec<_>>>()?, gone);
        Ok(())
    }

    async fn count(&mut self, table: &Table, since: Option<Timestamp>, rows: &mut Arc<UserRows>) -> Result<()> {
        // A list that was just loaded has them.
        let Some(since) = since else { return Ok(()) };
        let kinds = (0..SHARDS).map(|shard| (user_kind_of(shard), order(since)));
        // Only what is counted: of all else the log knows better than the index.
        let count = |profile: &Item| Ok(Self::id(profile).map(str::to_owned).zip(number(profile, "downloads")));
        let mut counted: Vec<(String, u64)> = Vec::new();
        table
            .map_kinds(kinds, &["pk", "sk", "downloads"], count, |found| counted.extend(found.into_iter().flatten()))
            .await?;
        if !counted.is_empty() {
            Arc::make_mut(rows).count(counted);
        }
        Ok(())
    }
}
