//! Access to all database records of an account, for the export of personal data and for the deletion of the account.

use async_trait::async_trait;

use crate::accounts::DeletionMarker;
use crate::{Result, Timestamp};

/// Access to those records of an account that no other trait reads: the times at which the account was changed, and the deletion
/// marker. [`Self::delete_all`] also deletes the records that other traits read, such as saved documents and answers.
#[async_trait]
pub trait PersonalRecords: Send + Sync {
    /// Returns the times at which the account's row was written, oldest first, as recorded in the change log.
    async fn change_times(&self, user_id: &str) -> Result<Vec<Timestamp>>;

    /// Deletes all records of the account: those in the database partitions with its id. Succeeds if there are no records.
    async fn delete_all(&self, user_id: &str) -> Result<()>;

    /// Returns the deletion marker of an account, if there is one.
    async fn deletion_marker(&self, user_id: &str) -> Result<Option<DeletionMarker>>;

    /// Returns the ids of all accounts that have a deletion marker. The read is consistent.
    async fn deletion_marker_ids(&self) -> Result<Vec<String>>;

    /// Deletes the deletion marker. Must be called last, after everything else of the account has been deleted.
    async fn remove_deletion_marker(&self, user_id: &str) -> Result<()>;
}
