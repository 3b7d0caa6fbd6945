//! The list of users: their rows in memory, kept up to date by the log.

use std::sync::Arc;

use async_trait::async_trait;
use waraq_core::Result;
use waraq_core::accounts::{ListedUser, UserRow, UserRows, Users};

use crate::accounts::account_of;
use crate::attributes::{Item, number, text};
use crate::items::{SHARDS, account_of_profile, profile_key, user_kind_of};
use crate::log::{Kind, USERS};
use crate::snapshots::Snapshots;
use crate::table::Table;
use crate::warm::{Listed, Warm};

pub struct UserList {
    warm: Warm<Profiles>,
}

impl UserList {
    pub fn new(table: Table, snapshots: Snapshots) -> Self {
        Self { warm: Warm::new(table, snapshots) }
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

/// The list of accounts. It needs no further state, because each row contains its own counts.
#[derive(Default)]
pub struct Profiles;

fn listed(profile: &Item) -> Result<ListedUser> {
    account_of(profile).map(ListedUser::from)
}

#[async_trait]
impl Listed for Profiles {
    type Rows = UserRows;
    type Loading = UserRows;
    type Kept = ListedUser;
    type New = UserRow;
    /// User id and number of downloads.
    type Counted = (String, u64);

    const KIND: Kind = USERS;
    const REPLAYED: u64 = 128;
    const ATTRIBUTES: &'static [&'static str] = &["data", "downloads"];
    // Reads only the counter, because the log has newer information on all other attributes than the index.
    const COUNTED_ATTRIBUTES: &'static [&'static str] = &["pk", "sk", "downloads"];
    const COUNTED_IN_ROWS: bool = true;

    fn key(id: &str) -> Item {
        profile_key(id)
    }

    fn id(row: &Item) -> Option<&str> {
        account_of_profile(text(row, "pk")?, text(row, "sk")?)
    }

    fn kinds() -> Vec<String> {
        (0..SHARDS).map(user_kind_of).collect()
    }

    fn counted_kinds() -> Vec<String> {
        Self::kinds()
    }

    fn kept(profile: &Item) -> Result<ListedUser> {
        listed(profile)
    }

    fn counted(profile: &Item) -> Result<Option<Self::Counted>> {
        Ok(Self::id(profile).map(str::to_owned).zip(number(profile, "downloads")))
    }

    fn new_row(kept: ListedUser) -> UserRow {
        UserRow::new(&kept)
    }

    async fn begin(_: &Table) -> Result<UserRows> {
        Ok(UserRows::default())
    }

    fn add(loading: &mut UserRows, rows: Vec<UserRow>) {
        loading.extend(rows);
    }

    fn loaded(loading: UserRows) -> UserRows {
        loading.without_doubles()
    }

    fn take(rows: &mut UserRows, written: &[Item], gone: &[String]) -> Result<()> {
        rows.take(written.iter().map(listed).collect::<Result<Vec<_>>>()?, gone);
        Ok(())
    }

    fn count(&mut self, rows: &mut Arc<UserRows>, counted: Vec<Self::Counted>) {
        Arc::make_mut(rows).count(counted);
    }
}
