//! The records of a person. They are exported at the person's request and deleted with the account.

use async_trait::async_trait;

use crate::accounts::Going;
use crate::{Result, Timestamp};

/// The records of a person, and the markers of accounts that are being deleted. Data that is not listed here is stored in the
/// partition of the account and is deleted with it.
#[async_trait]
pub trait Belongings: Send + Sync {
    /// Returns the times at which the account's row was written, oldest first, as recorded in the change log.
    async fn changes_of(&self, user_id: &str) -> Result<Vec<Timestamp>>;

    /// Deletes every record in the partition of the account. Succeeds if there are no records.
    async fn remove_all(&self, user_id: &str) -> Result<()>;

    /// Returns the deletion marker of an account, if there is one.
    async fn going(&self, user_id: &str) -> Result<Option<Going>>;

    /// Returns the ids of all accounts that have a deletion marker. The read is consistent.
    async fn all_going(&self) -> Result<Vec<String>>;

    /// Deletes the deletion marker. Must be called last, after everything else of the account has been deleted.
    async fn gone(&self, user_id: &str) -> Result<()>;
}
