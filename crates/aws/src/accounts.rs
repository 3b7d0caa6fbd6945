//! Accounts in the table.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::TransactWriteItem;
use waraq_core::accounts::{Account, Accounts, Address};
use waraq_core::{Error, ErrorKind, Result};

use crate::cloud::unavailable;
use crate::table::{Outcome, Table, data, item, number, s, text, with_data};
use crate::templates::put;

#[async_trait]
impl Accounts for Table {
    async fn account(&self, id: &str) -> Result<Option<Account>> {
        let Some(profile) = self.get(format!("USER#{id}"), "PROFILE").await? else { return Ok(None) };
        let mut account: Account = data(&profile)?;
        // Counted beside the row, so that a use and a change of the profile do not meet.
        account.downloads = number(&profile, "downloads").unwrap_or(0);
        Ok(Some(account))
    }

    async fn account_of(&self, address: &Address) -> Result<Option<Account>> {
        let owner = self.get(format!("EMAIL#{}", address.hash()), "EMAIL").await?;
        match owner.as_ref().and_then(|owner| text(owner, "user_id")) {
            Some(id) => self.account(id).await,
            None => Ok(None),
        }
    }

    async fn add(&self, account: &Account, address: &Address) -> Result<()> {
        let profile = with_data(item(format!("USER#{}", account.id), "PROFILE"), account)?;
        let mut email = item(format!("EMAIL#{}", address.hash()), "EMAIL");
        email.insert("user_id".to_owned(), s(&account.id));
        let mut writes = Vec::new();
        for new in [profile, email] {
            let put = put(self, new).condition_expression("attribute_not_exists(pk)");
            writes.push(TransactWriteItem::builder().put(put.build().map_err(unavailable)?).build());
        }
        match self.transact(writes).await? {
            Outcome::Done => Ok(()),
            Outcome::Refused(_) => {
                Err(Error::new(ErrorKind::Conflict, "email_taken", "There is an account with this address."))
            }
        }
    }
}
