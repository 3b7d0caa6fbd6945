//! The records of a person. They are exported at the person's request and deleted with the account.

use async_trait::async_trait;

use crate::accounts::DeletionMarker;
use crate::{Result, Timestamp};

/// The records of a person, and the markers of accounts that are being deleted. Data that is not listed here is stored in the
/// partition of the account and is deleted with it.
#[async_trait]
pub trait PersonalRecords: Send + Sync {
    /// Returns the times at which the account's row was written, oldest first, as recorded in the change log.
    async fn change_times(&self, user_id: &str) -> Result<Vec<Timestamp>>;

    /// Deletes every record in the partition of the account. Succeeds if there are no records.
    async fn delete_all(&self, user_id: &str) -> Result<()>;

    /// Returns the deletion marker of an account, if there is one.
    async fn deletion_marker(&self, user_id: &str) -> Result<Option<DeletionMarker>>;

    /// Returns the ids of all accounts that have a deletion marker. The read is consistent.
    async fn deletion_marker_ids(&self) -> Result<Vec<String>>;

    /// Deletes the deletion marker. Must be called last, after everything else of the account has been deleted.
    async fn remove_deletion_marker(&self, user_id: &str) -> Result<()>;
}
