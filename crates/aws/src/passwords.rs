//! Stores passwords as Argon2id hashes in the table. Used by installations without Cognito.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use async_trait::async_trait;
use waraq_core::accounts::PasswordStore;
use waraq_core::{Error, RandomSource, Result};

use crate::attributes::{get_text, s, with_attribute};
use crate::fault::unavailable;
use crate::items::password_key;
use crate::system::SystemRandomSource;
use crate::table::Table;

pub struct TablePasswords {
    table: Table,
}

impl TablePasswords {
    pub fn new(table: Table) -> Self {
        Self { table }
    }
}

fn hash(password: &str) -> Result<String> {
    let mut salt = [0u8; 16];
    SystemRandomSource.fill_bytes(&mut salt);
    let hashed = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
    hashed
        .map(|hash| hash.to_string())
        .map_err(|error| Error::internal(format!("a password cannot be hashed: {error}")))
}

/// Runs `work` on a blocking thread. Hashing takes tens of milliseconds of CPU time and would delay other requests.
async fn on_blocking_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::internal(format!("hashing ended: {error}")))?
}

#[async_trait]
impl PasswordStore for TablePasswords {
    async fn verify(&self, user_id: Option<&str>, password: &str) -> Result<bool> {
        // Makes the same reads and does the same work whether or not the account exists, so that the response time does
        // not reveal it.
        let item = self.table.get(password_key(user_id.unwrap_or("nobody"))).await?;
        let known = item.as_ref().and_then(|item| get_text(item, "hash")).map(str::to_owned);
        let password = password.to_owned();
        on_blocking_thread(move || {
            let Some(known) = known else {
                hash(&password)?;
                return Ok(false);
            };
            let known = PasswordHash::new(&known).map_err(|_| Error::internal("a password hash cannot be read"))?;
            Ok(Argon2::default().verify_password(password.as_bytes(), &known).is_ok())
        })
        .await
    }

    async fn set_password(&self, user_id: &str, password: &str) -> Result<()> {
        let password = password.to_owned();
        let hash = on_blocking_thread(move || hash(&password)).await?;
        let record = with_attribute(password_key(user_id), "hash", s(hash));
        let put = self.table.client().put_item().table_name(self.table.name()).set_item(Some(record));
        put.send().await.map(|_| ()).map_err(unavailable)
    }

    async fn remove(&self, user_id: &str) -> Result<()> {
        let remove = self.table.client().delete_item().table_name(self.table.name());
        let removed = remove.set_key(Some(password_key(user_id))).send().await;
        removed.map(|_| ()).map_err(unavailable)
    }
}
