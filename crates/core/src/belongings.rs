//! What is kept of a person: handed to him when he asks for it, taken away with his account.

use async_trait::async_trait;

use crate::accounts::Going;
use crate::{Result, Timestamp};

/// The records of a person, and the marks of those who go. What is not listed here lies with his account in one partition, and goes with it.
#[async_trait]
pub trait Belongings: Send + Sync {
    /// When the account's row was written, the oldest first: what the log of changes knows.
    async fn changes_of(&self, user_id: &str) -> Result<Vec<Timestamp>>;

    /// Takes away every record that lies with the account; it is no fault if there is none.
    async fn remove_all(&self, user_id: &str) -> Result<()>;

    /// The mark of an account that is being taken away.
    async fn going(&self, user_id: &str) -> Result<Option<Going>>;

    /// The ids of all accounts that are marked, as of now.
    async fn all_going(&self) -> Result<Vec<String>>;

    /// Nothing is left of the account: the mark goes.
    async fn gone(&self, user_id: &str) -> Result<()>;
}
