//! The list of users: their rows in memory, kept up to date by the log.

use std::sync::Arc;

use async_trait::async_trait;
use waraq_core::Result;
use waraq_core::accounts::{ListedUser, UserCounts, UserRow, UserRows, Users};

use crate::accounts::parse_account;
use crate::attributes::{Item, get_number, get_text};
use crate::items::{SHARDS, account_of_profile, profile_key, user_kind_of};
use crate::log::{RowKind, USERS};
use crate::snapshots::Snapshots;
use crate::table::Table;
use crate::warm::{ListKind, WarmList};

pub struct UserList {
    warm: WarmList<AccountList>,
}

impl UserList {
    pub fn new(table: Table, snapshots: Snapshots) -> Self {
        Self { warm: WarmList::new(table, snapshots) }
    }
}

#[async_trait]
impl Users for UserList {
    async fn users(&self) -> Result<Arc<UserRows>> {
        self.warm.rows().await
    }

    async fn users_if_loaded(&self) -> Result<Option<Arc<UserRows>>> {
        if self.warm.is_loaded() { self.warm.rows().await.map(Some) } else { Ok(None) }
    }
}

/// The list of users as a [`ListKind`]. This type has no fields, because each row contains its own counts.
#[derive(Default)]
pub struct AccountList;

/// Returns the counts of a user's row. An attribute that is missing was never counted.
pub(crate) fn parse_counts(profile: &Item) -> UserCounts {
    let number = |name| get_number(profile, name).unwrap_or(0);
    UserCounts { downloads: number("downloads"), private_templates: number("private_templates") }
}

fn parse_listed_user(profile: &Item) -> Result<ListedUser> {
    parse_account(profile).map(ListedUser::from)
}

#[async_trait]
impl ListKind for AccountList {
    type Rows = UserRows;
    type Loading = UserRows;
    type ListedRow = ListedUser;
    type PreparedRow = UserRow;
    /// User id and counts.
    type Counter = (String, UserCounts);

    const KIND: RowKind = USERS;
    const MAX_INDEX_LAG: u64 = 128;
    const ATTRIBUTES: &'static [&'static str] = &["data", "downloads", "private_templates"];
    // Only the counts are read from the index. For all other attributes, the log has newer values.
    const COUNTER_ATTRIBUTES: &'static [&'static str] = &["pk", "sk", "downloads", "private_templates"];
    const COUNTERS_IN_ROWS: bool = true;

    fn key(id: &str) -> Item {
        profile_key(id)
    }

    fn id(row: &Item) -> Option<&str> {
        account_of_profile(get_text(row, "pk")?, get_text(row, "sk")?)
    }

    fn kinds() -> Vec<String> {
        (0..SHARDS).map(user_kind_of).collect()
    }

    fn counter_kinds() -> Vec<String> {
        Self::kinds()
    }

    fn parse_row(profile: &Item) -> Result<ListedUser> {
        parse_listed_user(profile)
    }

    fn parse_counter(profile: &Item) -> Result<Option<Self::Counter>> {
        Ok(Self::id(profile).map(|id| (id.to_owned(), parse_counts(profile))))
    }

    fn prepare_row(kept: ListedUser) -> UserRow {
        UserRow::new(&kept)
    }

    async fn begin_loading(_: &Table) -> Result<UserRows> {
        Ok(UserRows::default())
    }

    fn add_rows(loading: &mut UserRows, rows: Vec<UserRow>) {
        loading.extend(rows);
    }

    fn finish_loading(loading: UserRows) -> UserRows {
        loading.deduplicated()
    }

    fn apply_changes(rows: &mut UserRows, written: &[Item], gone: &[String]) -> Result<()> {
        rows.apply_changes(written.iter().map(parse_listed_user).collect::<Result<Vec<_>>>()?, gone);
        Ok(())
    }

    fn update_counters(&mut self, rows: &mut Arc<UserRows>, counted: Vec<Self::Counter>) {
        Arc::make_mut(rows).update_counts(counted);
    }
}
