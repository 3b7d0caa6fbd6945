//! Logout.

use super::{Account, AccountService, ChangeOutcome};
use crate::token::{Claims, session_ended};
use crate::{Error, Result};

impl AccountService<'_> {
    /// Ends the session with these claims: its token and all tokens that were renewed from it, copies included. Other sessions of
    /// the account stay.
    ///
    /// # Errors
    /// `session_ended` if all sessions were ended at the same time; `account_busy`.
    pub async fn log_out(&self, account: &Account, claims: &Claims) -> Result<()> {
        let now = self.clock.now();
        match self.change(account, &|account| account.end_session(claims, now), &[]).await? {
            ChangeOutcome::Done(_) => Ok(()),
            ChangeOutcome::SessionEnded => Err(session_ended()),
            ChangeOutcome::Refused(conditions) => Err(Error::internal(format!("writes were refused: {conditions:?}"))),
        }
    }
}
