//! Management of other users' accounts by admins: roles and deletion.
//!
//! Admins cannot change their own accounts here. At least one admin always remains, even if several requests remove admins at the
//! same time.

use super::deletion::last_admin;
use super::{Account, AccountService, AccountWrite, ChangeOutcome, Role, account_busy};
use crate::personal_records::PersonalRecords;
use crate::{Error, ErrorCode, Result};

/// Maximum number of attempts to write an account that other requests change at the same time.
const TRIES: u32 = 8;

impl AccountService<'_> {
    /// Changes the role of a user and ends their sessions, so that the new role applies from the next login. Succeeds if the
    /// user already has the role.
    ///
    /// # Errors
    /// `own_account`, `user_not_found`, `last_admin`, `account_busy`.
    pub async fn change_role(&self, admin: &Account, id: &str, role: Role) -> Result<Account> {
        if admin.id == id {
            return Err(own_account());
        }
        self.set_role(&admin.id, id, role).await
    }

    /// Changes the role of an account on behalf of the person who operates the installation. This person is not signed in. The audit
    /// log therefore names the changed account itself as the one that made the change.
    ///
    /// # Errors
    /// `user_not_found`, `last_admin`, `account_busy`.
    pub async fn set_role_as_operator(&self, id: &str, role: Role) -> Result<Account> {
        self.set_role(id, id, role).await
    }

    async fn set_role(&self, by: &str, id: &str, role: Role) -> Result<Account> {
        let change = |account: &mut Account| {
            account.role = role;
            account.end_sessions();
        };
        let account_id = id.to_owned();
        let with = match role {
            Role::Admin => [AccountWrite::AddAdmin { account_id }],
            Role::User => [AccountWrite::RemoveAdmin { account_id }],
        };
        for attempt in 0..TRIES {
            let account = self.listed_account(id).await?;
            if account.role == role {
                return Ok(account);
            }
            match self.change_by(by, &account, &change, &with).await? {
                ChangeOutcome::Done(account) => return Ok(*account),
                // This is the last admin, unless another request has made the same change first.
                ChangeOutcome::Refused(_) if self.listed_account(id).await?.role != role => return Err(last_admin()),
                ChangeOutcome::Refused(_) | ChangeOutcome::SessionEnded => self.back_off(attempt).await,
            }
        }
        Err(account_busy())
    }

    /// Starts the deletion of a user's account ([`Self::begin_deletion`]). Succeeds if the deletion has already started.
    ///
    /// # Errors
    /// `own_account`, `user_not_found`, `last_admin`, `account_busy`.
    pub async fn delete_user(&self, admin: &Account, personal_records: &dyn PersonalRecords, id: &str) -> Result<()> {
        if admin.id == id {
            return Err(own_account());
        }
        for attempt in 0..TRIES {
            let account = match self.listed_account(id).await {
                Err(error)
                    if error.code == ErrorCode::UserNotFound
                        && personal_records.deletion_marker(id).await?.is_some() =>
                {
                    return Ok(());
                }
                account => account?,
            };
            match self.begin_deletion(&account, &[]).await {
                // The account has changed since it was read, for example because the user has just changed their password. This
                // must not prevent the deletion.
                Err(error) if error.code == ErrorCode::SessionEnded => self.back_off(attempt).await,
                done => return done,
            }
        }
        Err(account_busy())
    }

    /// Returns an account if its address is verified. Other accounts are not in the list of users, so they are treated as
    /// missing.
    async fn listed_account(&self, id: &str) -> Result<Account> {
        let account = self.accounts.account(id).await?;
        account
            .filter(|account| account.verified)
            .ok_or_else(|| Error::new(ErrorCode::UserNotFound, "User not found. The account may have been deleted."))
    }
}

fn own_account() -> Error {
    let message = "You cannot change your own role or delete your own account here. Please ask another admin.";
    Error::new(ErrorCode::OwnAccount, message)
}
