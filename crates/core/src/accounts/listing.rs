//! The list of users: search by name, sort orders and pages over rows that a warm process keeps in memory.
//!
//! The list is built for a million users. A row is one text and a few numbers. A sort order is a list of row indexes, computed
//! when it is first used and then kept. A new version of the list shares unchanged parts with the previous one.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};
use serde::{Deserialize, Serialize};

use super::{Account, Role};
use crate::catalogue::{Page, search_words};
use crate::fold::fold;
use crate::{Error, ErrorCode, Result, Timestamp};

/// Default number of users on a page (specification §9).
pub const USERS_PER_PAGE: u32 = 10;
/// Maximum number of characters in the text of a search for users.
const LONGEST_SEARCH: usize = 200;

/// The store of the user list.
#[async_trait]
pub trait Users: Send + Sync {
    /// Returns all verified accounts. The result contains every change that was made before this call; only [`UserCounts`]
    /// may be a minute old.
    async fn users(&self) -> Result<Arc<UserRows>>;

    /// Returns all verified accounts, or `None` if the list is not in memory yet. Reads only the changes since the last call.
    async fn users_if_loaded(&self) -> Result<Option<Arc<UserRows>>>;
}

/// An account as shown in lists. The snapshot files of the list have this format (`crates/aws/src/snapshot.rs`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedUser {
    pub id: String,
    pub user_name: String,
    /// The name that Google knows for the user. `None` if Google gave no name, or the user never signed in with Google.
    pub name: Option<String>,
    pub email: String,
    /// The name of the profile photo under `/media/`. `None` if the user has no photo.
    pub photo: Option<String>,
    pub role: Role,
    /// The account's token version. Only tokens with this version are valid. 0 if sessions of the account were ended by a logout:
    /// the list then does not know which tokens are valid.
    pub token_version: u32,
    pub downloads: u64,
    pub private_templates: u64,
    pub created_at: Timestamp,
}

/// The numbers in a row of the user list that change without an entry in the change log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserCounts {
    pub downloads: u64,
    pub private_templates: u64,
}

impl From<Account> for ListedUser {
    fn from(account: Account) -> Self {
        Self {
            id: account.id,
            user_name: account.user_name,
            name: account.name,
            email: account.email,
            photo: account.photo,
            role: account.role,
            token_version: if account.ended_sessions.is_empty() { account.token_version } else { 0 },
            downloads: account.downloads,
            private_templates: account.private_templates,
            created_at: account.created_at,
        }
    }
}

/// A column by which the user list can be sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserColumn {
    Id,
    /// The name from Google, or else the user name.
    Name,
    UserName,
    Email,
    Downloads,
    PrivateTemplates,
    CreatedAt,
}

const COLUMNS: usize = 7;

/// A row of the user list. All texts of the user are concatenated, and the end position of each text is stored.
#[derive(Debug, Clone)]
pub struct UserRow {
    text: Box<str>,
    ends: [u16; Self::TEXTS - 1],
    has_name: bool,
    has_photo: bool,
    role: Role,
    token_version: u32,
    downloads: u64,
    private_templates: u64,
    created_at: Timestamp,
}

impl UserRow {
    const TEXTS: usize = 7;
    const ID: usize = 0;
    const USER_NAME: usize = 1;
    const NAME: usize = 2;
    const EMAIL: usize = 3;
    const PHOTO: usize = 4;
    const FOLDED_USER_NAME: usize = 5;
    /// Index of the folded name from Google among the texts of the row. This text is empty if the user has no name from Google.
    const FOLDED_NAME: usize = 6;

    pub fn new(user: &ListedUser) -> Self {
        let name = user.name.as_deref().unwrap_or_default();
        let photo = user.photo.as_deref().unwrap_or_default();
        let (folded_user_name, folded_name) = (fold(&user.user_name), fold(name));
        let texts: [&str; Self::TEXTS] =
            [&user.id, &user.user_name, name, &user.email, photo, &folded_user_name, &folded_name];
        let mut ends = [0; Self::TEXTS - 1];
        let mut end = 0;
        for (place, text) in ends.iter_mut().zip(texts) {
            end += text.len();
            *place = u16::try_from(end).unwrap_or(u16::MAX);
        }
        Self {
            text: texts.concat().into_boxed_str(),
            ends,
            has_name: user.name.is_some(),
            has_photo: user.photo.is_some(),
            role: user.role,
            token_version: user.token_version,
            downloads: user.downloads,
            private_templates: user.private_templates,
            created_at: user.created_at,
        }
    }

    fn text_at(&self, which: usize) -> &str {
        let start = which.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(which).map_or(self.text.len(), |end| usize::from(*end));
        self.text.get(usize::from(start)..end).unwrap_or_default()
    }

    fn user(&self) -> ListedUser {
        let owned = |which| self.text_at(which).to_owned();
        ListedUser {
            id: owned(Self::ID),
            user_name: owned(Self::USER_NAME),
            name: self.has_name.then(|| owned(Self::NAME)),
            email: owned(Self::EMAIL),
            photo: self.has_photo.then(|| owned(Self::PHOTO)),
            role: self.role,
            token_version: self.token_version,
            downloads: self.downloads,
            private_templates: self.private_templates,
            created_at: self.created_at,
        }
    }

    /// Returns the text of this row that is compared when the list is sorted by `column`. Names are folded, as in searches. For a
    /// column of numbers, the text is the id, because rows with equal numbers are sorted by id.
    fn sort_text(&self, column: UserColumn) -> &str {
        match column {
            UserColumn::Name if self.has_name => self.text_at(Self::FOLDED_NAME),
            UserColumn::Name | UserColumn::UserName => self.text_at(Self::FOLDED_USER_NAME),
            UserColumn::Email => self.text_at(Self::EMAIL),
            UserColumn::Id | UserColumn::Downloads | UserColumn::PrivateTemplates | UserColumn::CreatedAt => {
                self.text_at(Self::ID)
            }
        }
    }

    fn number(&self, column: UserColumn) -> u64 {
        match column {
            UserColumn::Downloads => self.downloads,
            UserColumn::PrivateTemplates => self.private_templates,
            UserColumn::CreatedAt => self.created_at.0,
            _ => 0,
        }
    }

    fn counts(&self) -> UserCounts {
        UserCounts { downloads: self.downloads, private_templates: self.private_templates }
    }

    /// Returns a number for sorting rows quickly: the value in a column of numbers, or the first 16 bytes of a text. Rows with
    /// equal numbers must be compared with [`Self::compare`].
    fn sort_key_prefix(&self, column: UserColumn) -> u128 {
        if matches!(column, UserColumn::Downloads | UserColumn::PrivateTemplates | UserColumn::CreatedAt) {
            return u128::from(self.number(column));
        }
        let mut first = [0u8; 16];
        for (place, byte) in first.iter_mut().zip(self.sort_text(column).bytes()) {
            *place = byte;
        }
        u128::from_be_bytes(first)
    }

    /// Compares two rows by a column. Equal rows are ordered by id.
    fn compare(&self, other: &Self, column: UserColumn) -> Ordering {
        let numbers = self.number(column).cmp(&other.number(column));
        numbers
            .then_with(|| self.sort_text(column).cmp(other.sort_text(column)))
            .then_with(|| self.text_at(Self::ID).cmp(other.text_at(Self::ID)))
    }
}

/// Number of rows in a [`RowChunk`]. A changed list copies only the chunks with changed rows and shares the other chunks with the
/// old list.
const CHUNK_ROWS: usize = 1_024;

/// A block of consecutive rows of the user list.
#[derive(Debug, Clone, Default)]
struct RowChunk {
    rows: Vec<UserRow>,
    /// The folded names and addresses of all users in this block, one line for each user, so that one text search covers the whole
    /// block. Created at the first search.
    names: OnceLock<Box<str>>,
}

/// The separator between the user name, the name from Google and the e-mail address of one user. None of them contains it, nor do
/// search words.
const BETWEEN_NAMES: char = '\u{1f}';

impl RowChunk {
    fn names(&self) -> &str {
        self.names.get_or_init(|| {
            let mut names = String::new();
            for row in &self.rows {
                names.push_str(row.text_at(UserRow::FOLDED_USER_NAME));
                names.push(BETWEEN_NAMES);
                names.push_str(row.text_at(UserRow::FOLDED_NAME));
                names.push(BETWEEN_NAMES);
                names.push_str(&fold(row.text_at(UserRow::EMAIL)));
                names.push('\n');
            }
            names.into_boxed_str()
        })
    }

    /// Returns, for each row, whether all words occur in the user's names or address. Each word may be in the user name, in the name
    /// from Google or in the e-mail address.
    fn matching_rows(&self, words: &[Finder<'_>]) -> Vec<bool> {
        let mut having = vec![true; self.rows.len()];
        for word in words {
            let mut has = vec![false; self.rows.len()];
            let mut rest = self.names().as_bytes();
            let mut row = 0;
            while let Some(at) = word.find(rest) {
                let (before, from) = rest.split_at(at);
                row += memchr_iter(b'\n', before).count();
                if let Some(has) = has.get_mut(row) {
                    *has = true;
                }
                // One match is enough for a row, so the search continues with the next row.
                row += 1;
                let Some(end) = memchr(b'\n', from) else { break };
                rest = from.get(end + 1..).unwrap_or_default();
            }
            having.iter_mut().zip(has).for_each(|(all, has)| *all &= has);
        }
        having
    }
}

/// The list of all verified users, kept in memory.
#[derive(Debug, Clone, Default)]
pub struct UserRows {
    /// All rows, including deleted ones. The index of a deleted row is in `free` but not in `orders`. A new row takes the place of
    /// a deleted one.
    chunks: Vec<Arc<RowChunk>>,
    free: Vec<u32>,
    /// For each column, the row indexes, sorted by this column in ascending order. Each order is computed when it is first used.
    orders: [OnceLock<Vec<u32>>; COLUMNS],
}

impl Extend<UserRow> for UserRows {
    /// Adds users. Does not check whether a user is already in the list (see [`UserRows::deduplicated`]).
    fn extend<I: IntoIterator<Item = UserRow>>(&mut self, rows: I) {
        let new: Vec<u32> = rows.into_iter().map(|row| self.insert_row(row)).collect();
        self.insert_into_orders(&new, &ALL_COLUMNS);
    }
}

impl UserRows {
    pub fn new(users: impl IntoIterator<Item = ListedUser>) -> Self {
        let mut rows = Self::default();
        rows.extend(users.into_iter().map(|user| UserRow::new(&user)));
        rows
    }

    /// Keeps only the last added row of each user. Duplicates occur if a row changes its position in DynamoDB's index while the
    /// index is read.
    pub fn deduplicated(mut self) -> Self {
        let id = |place: &u32| self.row(*place).map(|row| row.text_at(UserRow::ID));
        let doubled = self.order(UserColumn::Id).chunk_by(|one, other| id(one) == id(other));
        let earlier = |places: &[u32]| {
            let last = places.iter().max().copied();
            places.iter().copied().filter(move |place| Some(*place) != last).collect::<Vec<u32>>()
        };
        let earlier: Vec<u32> = doubled.filter(|places| places.len() > 1).flat_map(earlier).collect();
        self.remove_from_orders(&earlier, &ALL_COLUMNS);
        self.free.extend(earlier);
        self
    }

    /// Returns the number of users.
    pub fn total(&self) -> usize {
        self.index_count() - self.free.len()
    }

    fn index_count(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK_ROWS + last.rows.len())
    }

    /// Returns the row at an index. The result is never `None` in practice, because only this type creates indexes.
    fn row(&self, place: u32) -> Option<&UserRow> {
        self.chunks.get(place as usize / CHUNK_ROWS)?.rows.get(place as usize % CHUNK_ROWS)
    }

    fn insert_row(&mut self, row: UserRow) -> u32 {
        if let Some(place) = self.free.pop() {
            if let Some(piece) = self.chunks.get_mut(place as usize / CHUNK_ROWS).map(Arc::make_mut)
                && let Some(old) = piece.rows.get_mut(place as usize % CHUNK_ROWS)
            {
                *old = row;
                piece.names = OnceLock::new();
            }
            return place;
        }
        let place = u32::try_from(self.index_count()).unwrap_or(u32::MAX);
        if self.chunks.last().is_none_or(|piece| piece.rows.len() == CHUNK_ROWS) {
            self.chunks.push(Arc::new(RowChunk { rows: Vec::with_capacity(CHUNK_ROWS), names: OnceLock::new() }));
        }
        if let Some(piece) = self.chunks.last_mut().map(Arc::make_mut) {
            piece.rows.push(row);
            piece.names = OnceLock::new();
        }
        place
    }

    fn row_mut(&mut self, place: u32) -> Option<&mut UserRow> {
        Arc::make_mut(self.chunks.get_mut(place as usize / CHUNK_ROWS)?).rows.get_mut(place as usize % CHUNK_ROWS)
    }

    fn compare(&self, one: u32, other: u32, column: UserColumn) -> Ordering {
        match (self.row(one), self.row(other)) {
            (Some(one), Some(other)) => one.compare(other, column),
            _ => Ordering::Equal,
        }
    }

    /// Returns the row indexes, sorted by a column in ascending order.
    fn order(&self, column: UserColumn) -> &[u32] {
        self.orders[column as usize].get_or_init(|| {
            let free: std::collections::HashSet<u32> = self.free.iter().copied().collect();
            let rows = self.chunks.iter().flat_map(|piece| &piece.rows).zip(0u32..);
            let rows = rows.filter(|(_, place)| !free.contains(place));
            // Compares the starts of the sort keys first. Most rows differ there, so the rows themselves are rarely read.
            let mut places: Vec<(u128, u32)> = rows.map(|(row, place)| (row.sort_key_prefix(column), place)).collect();
            places
                .sort_unstable_by(|one, other| one.0.cmp(&other.0).then_with(|| self.compare(one.1, other.1, column)));
            places.into_iter().map(|(_, place)| place).collect()
        })
    }

    fn index_of(&self, id: &str) -> Option<u32> {
        let order = self.order(UserColumn::Id);
        let id_at = |place: &u32| self.row(*place).map_or("", |row| row.text_at(UserRow::ID));
        order.binary_search_by(|place| id_at(place).cmp(id)).ok().and_then(|at| order.get(at)).copied()
    }

    /// Returns whether the account is an admin and `token_version` is its current token version. False also if sessions of the
    /// account were ended by a logout; then the account must be read. The list can be trusted for this
    /// check: the change log records every change of a role or token version, and the list applies these changes.
    pub fn is_admin(&self, id: &str, token_version: u32) -> bool {
        let row = self.index_of(id).and_then(|place| self.row(place));
        row.is_some_and(|row| row.role == Role::Admin && row.token_version == token_version)
    }

    /// Applies changes: adds or replaces the users in `written`, and removes the users whose ids are in `gone`.
    pub fn apply_changes(&mut self, written: impl IntoIterator<Item = ListedUser>, gone: &[String]) {
        let written: BTreeMap<String, ListedUser> = written.into_iter().map(|user| (user.id.clone(), user)).collect();
        let ids = written.keys().chain(gone);
        let old: Vec<u32> = ids.filter_map(|id| self.index_of(id)).collect();
        self.remove_from_orders(&old, &ALL_COLUMNS);
        self.free.extend(old);
        let new: Vec<u32> = written.values().map(|user| self.insert_row(UserRow::new(user))).collect();
        self.insert_into_orders(&new, &ALL_COLUMNS);
    }

    /// Updates the counts of users. `counts` has pairs of user id and counts. Downloads never decrease, so counts with fewer
    /// downloads than the current ones are out of date and ignored.
    pub fn update_counts(&mut self, counts: impl IntoIterator<Item = (String, UserCounts)>) {
        let changed: Vec<(u32, UserCounts)> = counts
            .into_iter()
            .filter_map(|(id, counts)| Some((self.index_of(&id)?, counts)))
            .filter(|(place, counts)| {
                self.row(*place).is_some_and(|row| row.downloads <= counts.downloads && row.counts() != *counts)
            })
            .collect();
        let places: Vec<u32> = changed.iter().map(|(place, _)| *place).collect();
        self.remove_from_orders(&places, &COUNT_COLUMNS);
        for (place, counts) in changed {
            if let Some(row) = self.row_mut(place)
                && row.downloads <= counts.downloads
            {
                row.downloads = counts.downloads;
                row.private_templates = counts.private_templates;
            }
        }
        self.insert_into_orders(&places, &COUNT_COLUMNS);
    }

    /// Removes the rows with the indexes `places` from the sort orders of `columns`. Does nothing for orders that are not computed
    /// yet.
    fn remove_from_orders(&mut self, places: &[u32], columns: &[UserColumn]) {
        if places.is_empty() {
            return;
        }
        let mut leaves = vec![false; self.index_count()];
        for place in places {
            if let Some(leaves) = leaves.get_mut(*place as usize) {
                *leaves = true;
            }
        }
        for column in columns {
            if let Some(order) = self.orders[*column as usize].get_mut() {
                order.retain(|place| !leaves.get(*place as usize).copied().unwrap_or(true));
            }
        }
    }

    fn insert_into_orders(&mut self, places: &[u32], columns: &[UserColumn]) {
        for column in columns {
            let Some(order) = self.orders[*column as usize].take() else { continue };
            let mut new = places.to_vec();
            new.sort_by(|one, other| self.compare(*one, *other, *column));
            new.dedup();
            let mut merged = Vec::with_capacity(order.len() + new.len());
            let mut rest = order.as_slice();
            for place in new {
                let at = rest.partition_point(|known| self.compare(*known, place, *column) == Ordering::Less);
                let (before, after) = rest.split_at(at);
                merged.extend_from_slice(before);
                merged.push(place);
                rest = after;
            }
            merged.extend_from_slice(rest);
            self.orders[*column as usize] = OnceLock::from(merged);
        }
    }
}

/// The columns that [`UserRows::update_counts`] changes.
const COUNT_COLUMNS: [UserColumn; 2] = [UserColumn::Downloads, UserColumn::PrivateTemplates];

const ALL_COLUMNS: [UserColumn; COLUMNS] = [
    UserColumn::Id,
    UserColumn::Name,
    UserColumn::UserName,
    UserColumn::Email,
    UserColumn::Downloads,
    UserColumn::PrivateTemplates,
    UserColumn::CreatedAt,
];

/// A search for users by name or e-mail address, with the column to sort by and the page to return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSearch {
    words: Vec<String>,
    column: UserColumn,
    descending: bool,
    page: Page,
}

impl UserSearch {
    /// Creates a search for users: each word of `user_name` must be in the user name, the name from Google or the e-mail address.
    /// `sort_by` is a column name of the API; if it is empty, the newest users come first. `sort_order` is `asc` (the default) or
    /// `desc`.
    ///
    /// # Errors
    /// `invalid_query`.
    pub fn new(
        user_name: &str,
        (sort_by, sort_order): (&str, &str),
        page: Option<u32>,
        limit: Option<u32>,
    ) -> Result<Self> {
        let refused = |field: &str, message: &str| {
            Err(Error::new(ErrorCode::InvalidQuery, message.to_owned()).with_fields([field]))
        };
        let (column, newest_first) = match sort_by {
            "" => (UserColumn::CreatedAt, true),
            "_id" => (UserColumn::Id, false),
            "name" => (UserColumn::Name, false),
            "userName" => (UserColumn::UserName, false),
            "email" => (UserColumn::Email, false),
            "downloads" => (UserColumn::Downloads, false),
            "privateTemplates" => (UserColumn::PrivateTemplates, false),
            "createdAt" => (UserColumn::CreatedAt, false),
            _ => {
                let columns = "_id, name, userName, email, downloads, privateTemplates or createdAt";
                return refused("sortBy", &format!("sortBy is {columns}."));
            }
        };
        let descending = match sort_order {
            "" => newest_first,
            "asc" => false,
            "desc" => true,
            _ => return refused("sortOrder", "sortOrder is asc or desc."),
        };
        let words = search_words(user_name, "userName", LONGEST_SEARCH)?;
        Ok(Self { words, column, descending, page: Page::new(page, Some(limit.unwrap_or(USERS_PER_PAGE)))? })
    }

    /// Returns one page of the matching users, and the total number of matching users.
    pub fn results(&self, rows: &UserRows) -> UserPage {
        let order = rows.order(self.column);
        if self.words.is_empty() {
            return self.result_page(rows, order.len(), order.iter().copied());
        }
        // Searches the chunks in the order in which they are in memory, which is fast. Then selects the users of the page in the
        // sort order.
        let words: Vec<Finder> = self.words.iter().map(Finder::new).collect();
        let mut found: Vec<bool> = rows.chunks.iter().flat_map(|piece| piece.matching_rows(&words)).collect();
        for place in &rows.free {
            if let Some(found) = found.get_mut(*place as usize) {
                *found = false;
            }
        }
        let total = found.iter().filter(|found| **found).count();
        let finds = |place: &u32| found.get(*place as usize).copied().unwrap_or(false);
        self.result_page(rows, total, order.iter().copied().filter(finds))
    }

    fn result_page(&self, rows: &UserRows, total: usize, places: impl DoubleEndedIterator<Item = u32>) -> UserPage {
        let part = self.page.range();
        let user = |place: u32| rows.row(place).map(UserRow::user);
        let page = if self.descending {
            places.rev().skip(part.start).take(part.len()).filter_map(user).collect()
        } else {
            places.skip(part.start).take(part.len()).filter_map(user).collect()
        };
        UserPage { page, total: total as u64 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserPage {
    pub page: Vec<ListedUser>,
    pub total: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(id: &str, user_name: &str, downloads: u64) -> ListedUser {
        ListedUser {
            id: id.to_owned(),
            user_name: user_name.to_owned(),
            name: None,
            email: format!("{id}@example.org"),
            photo: None,
            role: Role::User,
            token_version: 1,
            downloads,
            private_templates: 100 - downloads.min(100),
            created_at: Timestamp(id.len() as u64),
        }
    }

    fn ids(rows: &UserRows, name: &str, sort: (&str, &str)) -> Vec<String> {
        let found = UserSearch::new(name, sort, None, Some(100)).unwrap().results(rows);
        assert_eq!(found.total, found.page.len() as u64);
        found.page.into_iter().map(|user| user.id).collect()
    }

    #[test]
    fn search_covers_names_and_addresses_and_ignores_case_accents_and_letter_variants() {
        let mut google = user("c", "someone", 0);
        google.name = Some("Amélie Œuvrard".to_owned());
        let rows = UserRows::new([user("a", "أَمينة", 0), user("b", "Émile", 0), google.clone()]);
        assert_eq!(ids(&rows, "امينه", ("", "")), ["a"]);
        assert_eq!(ids(&rows, "EMIL", ("", "")), ["b"]);
        assert_eq!(ids(&rows, "oeuvrard ame", ("", "")), ["c"]);
        assert_eq!(UserSearch::new("ame", ("", ""), None, None).unwrap().results(&rows).page, [google]);
        assert_eq!(ids(&rows, "B@Example.org", ("", "")), ["b"]);
        assert_eq!(ids(&rows, "oeuvrard c@example", ("", "")), ["c"], "one word in the name, one in the address");
        assert!(ids(&rows, "nobody", ("", "")).is_empty());
    }

    #[test]
    fn columns_sort_in_both_directions_and_names_ignore_case_and_accents() {
        let rows = UserRows::new([user("a", "zoé", 5), user("b", "Émile", 10), user("c", "adam", 7)]);
        for (column, ascending) in [
            ("_id", "abc"),
            ("name", "cba"),
            ("userName", "cba"),
            ("email", "abc"),
            ("downloads", "acb"),
            ("privateTemplates", "bca"),
        ] {
            let reversed: String = ascending.chars().rev().collect();
            assert_eq!(ids(&rows, "", (column, "asc")).concat(), ascending, "{column}");
            assert_eq!(ids(&rows, "", (column, "")).concat(), ascending, "{column}");
            assert_eq!(ids(&rows, "", (column, "desc")).concat(), reversed, "{column}");
        }
        for wrong in [("password", ""), ("_id", "up")] {
            assert_eq!(UserSearch::new("", wrong, None, None).unwrap_err().code, ErrorCode::InvalidQuery);
        }
    }

    #[test]
    fn duplicate_rows_keep_the_last_one_read() {
        let mut rows = UserRows::default();
        rows.extend([user("a", "first", 1), user("b", "other", 0), user("a", "second", 2)].map(|it| UserRow::new(&it)));
        rows.extend([user("a", "third", 3)].map(|it| UserRow::new(&it)));
        let mut rows = rows.deduplicated();
        assert_eq!(rows.total(), 2);
        assert_eq!(ids(&rows, "", ("downloads", "")), ["b", "a"]);
        assert_eq!((ids(&rows, "third", ("", "")).len(), ids(&rows, "first", ("", "")).len()), (1, 0));
        rows.apply_changes([user("c", "new", 0)], &["a".to_owned()]);
        assert_eq!(ids(&rows, "", ("_id", "")), ["b", "c"]);
    }

    #[test]
    fn changes_give_the_same_order_as_a_new_list() {
        let number =
            |number: u64| user(&format!("{:04}", number * 7919 % 10_000), &format!("n{}", number % 37), number % 11);
        let mut rows = UserRows::new((0..3_000).map(number));
        let mut expected: BTreeMap<String, ListedUser> =
            (0..3_000).map(number).map(|user| (user.id.clone(), user)).collect();
        for round in 0..20u64 {
            // Some orders are computed before the change, some are not.
            for column in ["_id", "userName", "downloads", "privateTemplates"].iter().take(round as usize % 5) {
                UserSearch::new("", (column, ""), None, None).unwrap().results(&rows);
            }
            let earlier = rows.clone();
            let before = earlier.total();
            let written: Vec<ListedUser> =
                (0..round).map(|k| user(&format!("{:04}", k * 31 * round), "new", k)).collect();
            let gone: Vec<String> = expected.keys().skip(round as usize * 3).take(4).cloned().collect();
            let gone: Vec<String> = gone.into_iter().filter(|id| written.iter().all(|user| user.id != *id)).collect();
            rows.apply_changes(written.clone(), &gone);
            for id in &gone {
                expected.remove(id);
            }
            for user in written {
                expected.insert(user.id.clone(), user);
            }
            let counts = UserCounts { downloads: 20 + round, private_templates: round % 5 };
            let counted: Vec<(String, UserCounts)> =
                expected.keys().step_by(50).map(|id| (id.clone(), counts)).collect();
            rows.update_counts(counted.clone());
            // Counts that were read before are ignored.
            let earlier_counts = UserCounts { downloads: 19 + round, private_templates: 9 };
            rows.update_counts(counted.iter().map(|(id, _)| (id.clone(), earlier_counts)));
            for (id, counts) in counted {
                let user = expected.get_mut(&id).unwrap();
                (user.downloads, user.private_templates) = (counts.downloads, counts.private_templates);
            }
            assert_eq!(earlier.total(), before, "a reader's version stays as it was");
        }
        let fresh = UserRows::new(expected.into_values());
        assert_eq!(rows.total(), fresh.total());
        for column in ["_id", "name", "userName", "email", "downloads", "privateTemplates", "createdAt"] {
            for page in [1, 2, 29] {
                let search = UserSearch::new("", (column, ""), Some(page), Some(100)).unwrap();
                assert_eq!(search.results(&rows), search.results(&fresh), "{column}");
                let search = UserSearch::new("N3", (column, "desc"), Some(page), Some(10)).unwrap();
                assert_eq!(search.results(&rows), search.results(&fresh), "{column}");
            }
        }
    }
}
