//! What an admin does to other people's accounts: he makes them admins or takes that away, and deletes them.
//!
//! Nobody does it to himself, and the last admin stays one, whoever tries and however many at once.

use super::passwords::end_sessions;
use super::removal::last_admin;
use super::{Account, Changed, Registrar, Role, Write, account_busy};
use crate::belongings::Belongings;
use crate::{Error, ErrorCode, Result};

/// Changes of an account that may come in between before one gives up.
const TRIES: u32 = 8;

impl Registrar<'_> {
    /// Makes somebody an admin, or a user. His sessions end: what he may do now, he learns by logging in. Done already, it is done.
    ///
    /// # Errors
    /// `own_account`, `user_not_found`, `last_admin`, `account_busy`.
    pub async fn change_role(&self, admin: &Account, id: &str, role: Role) -> Result<Account> {
        if admin.id == id {
            return Err(own_account());
        }
        self.set_role(&admin.id, id, role).await
    }

    /// The same, by whoever runs the house: the history says it was done by the account itself.
    ///
    /// # Errors
    /// `user_not_found`, `last_admin`, `account_busy`.
    pub async fn set_own_role(&self, id: &str, role: Role) -> Result<Account> {
        self.set_role(id, id, role).await
    }

    async fn set_role(&self, by: &str, id: &str, role: Role) -> Result<Account> {
        let change = |account: &mut Account| {
            account.role = role;
            end_sessions(account);
        };
        let account_id = id.to_owned();
        let with = match role {
            Role::Admin => [Write::Admin { account_id }],
            Role::User => [Write::NoAdmin { account_id }],
        };
        for attempt in 0..TRIES {
            let account = self.listed_account(id).await?;
            if account.role == role {
                return Ok(account);
            }
            match self.change_by(by, &account, &change, &with).await? {
                Changed::Done(account) => return Ok(*account),
                // He is the last, unless another admin was quicker with the same.
                Changed::Refused(_) if self.listed_account(id).await?.role != role => return Err(last_admin()),
                Changed::Refused(_) | Changed::Ended => self.step_aside(attempt).await,
            }
        }
        Err(account_busy())
    }

    /// Begins to take away somebody's account ([`Self::begin_removal`]). Of one that is being taken away already, it is done.
    ///
    /// # Errors
    /// `own_account`, `user_not_found`, `last_admin`, `account_busy`.
    pub async fn delete_user(&self, admin: &Account, belongings: &dyn Belongings, id: &str) -> Result<()> {
        if admin.id == id {
            return Err(own_account());
        }
        for attempt in 0..TRIES {
            let account = match self.listed_account(id).await {
                Err(error) if error.code == ErrorCode::UserNotFound && belongings.going(id).await?.is_some() => {
                    return Ok(());
                }
                account => account?,
            };
            match self.begin_removal(&account, &[]).await {
                // He has changed his password meanwhile, say: that keeps nobody.
                Err(error) if error.code == ErrorCode::SessionEnded => self.step_aside(attempt).await,
                done => return done,
            }
        }
        Err(account_busy())
    }

    /// An account as lists show it: its address is proven.
    async fn listed_account(&self, id: &str) -> Result<Account> {
        let account = self.accounts.account(id).await?;
        account
            .filter(|account| account.verified)
            .ok_or_else(|| Error::new(ErrorCode::UserNotFound, "There is no such user; he may have been deleted."))
    }
}

fn own_account() -> Error {
    let message = "Nobody changes his own role or deletes himself here. Another admin can, and your settings delete your account.";
    Error::new(ErrorCode::OwnAccount, message)
}
