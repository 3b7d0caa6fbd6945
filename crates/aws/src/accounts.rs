//! Accounts in the table.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{Delete, ReturnValue, TransactWriteItem, Update};
use waraq_core::accounts::{Account, Accounts, Address, Commit, Holders, REGISTRATION_LIFE_SECONDS, ResetLink, Write};
use waraq_core::one_time_password::{CodeKey, MOST_GUESSES};
use waraq_core::{Result, Timestamp};

use crate::cloud::unavailable;
use crate::outbox;
use crate::table::{EXPIRES_AT, Item, Outcome, Table, data, item, json, n, number, s, text, with_data};
use crate::templates::put;

fn user_pk(id: &str) -> String {
    format!("USER#{id}")
}

fn email_pk(address: &Address) -> String {
    format!("EMAIL#{}", address.hash())
}

fn code_item(key: &CodeKey) -> Item {
    item(format!("OTP#{}", key.as_str()), "OTP")
}

fn reset_item(token_hash: &str) -> Item {
    item(format!("RESET#{token_hash}"), "RESET")
}

#[async_trait]
impl Accounts for Table {
    async fn account(&self, id: &str) -> Result<Option<Account>> {
        let Some(profile) = self.get(user_pk(id), "PROFILE").await? else { return Ok(None) };
        let mut account: Account = data(&profile)?;
        // Counted beside the row, so that a use and a change of the profile do not meet.
        account.downloads = number(&profile, "downloads").unwrap_or(0);
/// Whose profile an item with these keys is.
pub fn account_of_profile<'a>(pk: &'a str, sk: &str) -> Option<&'a str> {
    pk.strip_prefix("USER#").filter(|_| sk == "PROFILE")
}

        Ok(Some(account))
    }

    async fn holders(&self, address: &Address) -> Result<Holders> {
        // Both, always: it takes as long whoever's it is.
        let (owner, pending) =
            tokio::try_join!(self.get(email_pk(address), "EMAIL"), self.get(email_pk(address), "PENDING"))?;
        let id = |item: Option<Item>| item.as_ref().and_then(|item| text(item, "user_id")).map(str::to_owned);
        Ok(Holders { owner: id(owner), pending: id(pending) })
    }

    async fn of_google(&self, subject: &str) -> Result<Option<String>> {
        let known = self.get(format!("GOOGLE#{subject}"), "GOOGLE").await?;
        Ok(known.as_ref().and_then(|item| text(item, "user_id")).map(str::to_owned))
    }

    async fn guess(&self, key: &CodeKey, now: Timestamp) -> Result<Option<String>> {
        let counted = self
            .client()
            .update_item()
            .table_name(self.name())
            .set_key(Some(code_item(key)))
            .update_expression("ADD guesses :one")
            .condition_expression("guesses < :most AND expires_at > :now")
            .expression_attribute_values(":one", n(1))
            .expression_attribute_values(":most", n(MOST_GUESSES))
            .expression_attribute_values(":now", n(now.seconds()))
            .return_values(ReturnValue::AllNew)
            .send()
            .await;
        match counted {
            Ok(counted) => Ok(counted.attributes.as_ref().and_then(|item| text(item, "mac")).map(str::to_owned)),
            Err(error)
                if error.as_service_error().is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                Ok(None)
            }
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn reset_link(&self, token_hash: &str) -> Result<Option<ResetLink>> {
        let Some(link) = self.get(format!("RESET#{token_hash}"), "RESET").await? else { return Ok(None) };
        Ok(text(&link, "user_id").zip(number(&link, EXPIRES_AT)).map(|(account_id, end)| ResetLink {
            token_hash: token_hash.to_owned(),
            account_id: account_id.to_owned(),
            expires_at: Timestamp(0).plus_seconds(end),
        }))
    }

    async fn commit(&self, writes: Vec<Write>) -> Result<Commit> {
        let writes = writes.iter().map(|write| self.account_write(write)).collect::<Result<_>>()?;
        Ok(match self.transact(writes).await? {
            Outcome::Done => Commit::Done,
            Outcome::Refused(refused) => Commit::Refused(
                refused.iter().enumerate().filter(|(_, failed)| **failed).map(|(place, _)| place).collect(),
            ),
        })
    }
}

impl Table {
    fn account_write(&self, write: &Write) -> Result<TransactWriteItem> {
        match write {
            Write::NewAccount(account) => self.put_new(profile(account)?),
            Write::Account { before, after } => self.changed_account(*before, after),
            Write::Owner { address, account_id } => self.put_new(owned(item(email_pk(address), "EMAIL"), account_id)),
            Write::NoOwner { address, account_id } => {
                self.delete(item(email_pk(address), "EMAIL"), Some(("user_id = :is", account_id)))
            }
            Write::Pending { address, account_id, expires_at } => {
                self.put_over(owned(ending(item(email_pk(address), "PENDING"), *expires_at), account_id))
            }
            Write::NoPending { address } => self.delete(item(email_pk(address), "PENDING"), None),
            Write::Google { subject, account_id, instead_of } => {
                let known = owned(item(format!("GOOGLE#{subject}"), "GOOGLE"), account_id);
                let put = match instead_of {
                    None => put(self, known).condition_expression("attribute_not_exists(pk)"),
                    Some(gone) => put(self, known)
                        .condition_expression("user_id = :is")
                        .expression_attribute_values(":is", s(gone)),
                };
                Ok(TransactWriteItem::builder().put(put.build().map_err(unavailable)?).build())
            }
            Write::Code { key, mac, expires_at } => {
                let mut code = ending(code_item(key), *expires_at);
                code.insert("mac".to_owned(), s(mac));
                code.insert("guesses".to_owned(), n(0));
                self.put_over(code)
            }
            Write::UseCode { key, mac } => self.delete(code_item(key), Some(("mac = :is", mac))),
            Write::Reset(link) => {
                self.put_over(owned(ending(reset_item(&link.token_hash), link.expires_at), &link.account_id))
            }
            Write::UseReset { token_hash } => {
                let delete = Delete::builder().table_name(self.name()).set_key(Some(reset_item(token_hash)));
                let delete = delete.condition_expression("attribute_exists(pk)").build().map_err(unavailable)?;
                Ok(TransactWriteItem::builder().delete(delete).build())
            }
            Write::Mail(mail) => self.put_new(outbox::waiting_item(mail)),
        }
    }

    fn put_new(&self, item: Item) -> Result<TransactWriteItem> {
        let put = put(self, item).condition_expression("attribute_not_exists(pk)");
        Ok(TransactWriteItem::builder().put(put.build().map_err(unavailable)?).build())
    }

    fn put_over(&self, item: Item) -> Result<TransactWriteItem> {
        Ok(TransactWriteItem::builder().put(put(self, item).build().map_err(unavailable)?).build())
    }

    /// `only`: a condition, and what `:is` is in it.
    fn delete(&self, key: Item, only: Option<(&str, &str)>) -> Result<TransactWriteItem> {
        let mut delete = Delete::builder().table_name(self.name()).set_key(Some(key));
        if let Some((condition, is)) = only {
            delete = delete.condition_expression(condition).expression_attribute_values(":is", s(is));
        }
        Ok(TransactWriteItem::builder().delete(delete.build().map_err(unavailable)?).build())
    }

    /// Not the whole item: the uses beside it are counted by others.
    fn changed_account(&self, before: u64, after: &Account) -> Result<TransactWriteItem> {
        // A row of before there were revisions has none.
        let known =
            if before == 0 { "attribute_not_exists(revision) OR revision = :known" } else { "revision = :known" };
        let expiry = if after.verified { " REMOVE expires_at" } else { "" };
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(item(user_pk(&after.id), "PROFILE")))
            .update_expression(format!("SET #data = :data, revision = :next{expiry}"))
            .condition_expression(format!("attribute_exists(pk) AND ({known})"))
            .expression_attribute_names("#data", "data")
            .expression_attribute_values(":data", s(json(after)?))
            .expression_attribute_values(":next", n(after.revision))
            .expression_attribute_values(":known", n(before));
        Ok(TransactWriteItem::builder().update(update.build().map_err(unavailable)?).build())
    }
}

fn profile(account: &Account) -> Result<Item> {
    let mut profile = with_data(item(user_pk(&account.id), "PROFILE"), account)?;
    profile.insert("revision".to_owned(), n(account.revision));
    // A registration nobody proves goes away.
    let end = account.created_at.plus_seconds(REGISTRATION_LIFE_SECONDS);
    Ok(if account.verified { profile } else { ending(profile, end) })
}

fn owned(mut item: Item, account_id: &str) -> Item {
    item.insert("user_id".to_owned(), s(account_id));
    item
}

fn ending(mut item: Item, at: Timestamp) -> Item {
    item.insert(EXPIRES_AT.to_owned(), n(at.seconds()));
    item
}
