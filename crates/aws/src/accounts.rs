//! Accounts in the table.
//!
//! Who has proven his address is listed: his row carries the keys of the index, and every write of it goes with the kind's stamp and the
//! log (see [`log`]), so that a list of users is right from the first one on. Its `kind_order` is when it was last written or counted
//! on: a list asks the index for the uses that changed since it last looked. A registration that waits is nobody's business: were it
//! logged too, whoever registers without end would hold up everybody's change.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{Delete, ReturnValue, TransactWriteItem, Update};
use waraq_core::accounts::{Account, Accounts, Address, Commit, Holders, REGISTRATION_LIFE_SECONDS, ResetLink, Write};
use waraq_core::one_time_password::{CodeKey, MOST_GUESSES};
use waraq_core::{Clock, Error, Result, Timestamp};

use crate::cloud::{SystemClock, unavailable};
use crate::log::{self, Kind};
use crate::outbox;
use crate::table::{EXPIRES_AT, Item, Outcome, Table, data, item, json, n, number, pause, s, text, with_data};
use crate::templates::put;
use crate::uses::{SHARDS, order};

/// The stamp and the log of the accounts that are listed.
const USERS: Kind = Kind("user");

/// Writers that may stand in each other's way before one gives up.
const TRIES: u32 = 64;

/// The `kind` of an account's row in the index: always the same of [`SHARDS`], for each use counted on it is written there too.
pub fn user_kind(id: &str) -> String {
    let shard = id.bytes().last().unwrap_or_default() % SHARDS;
    format!("USER#{shard}")
}

fn user_pk(id: &str) -> String {
    format!("USER#{id}")
}

/// Whose profile an item with these keys is.
pub fn account_of_profile<'a>(pk: &'a str, sk: &str) -> Option<&'a str> {
    pk.strip_prefix("USER#").filter(|_| sk == "PROFILE")
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
        let now = SystemClock.now();
        let items: Vec<_> = writes.iter().map(|write| self.account_write(write, now)).collect::<Result<_>>()?;
        let listed = writes.iter().find_map(listed);
        for attempt in 0..TRIES {
            let mut all = items.clone();
            if let Some(id) = listed {
                let stamp = log::stamp(self, USERS).await?;
                all.extend(log::entry(self, USERS, stamp, id, now)?);
            }
            let Outcome::Refused(refused) = self.transact(all).await? else { return Ok(Commit::Done) };
            let places: Vec<usize> = (0..items.len()).filter(|place| refused.get(*place) == Some(&true)).collect();
            if !places.is_empty() {
                return Ok(Commit::Refused(places));
            }
            // Only the stamp: another account was written meanwhile.
            pause(attempt).await;
        }
        Err(Error::unavailable("other writers were always quicker"))
    }
}

/// The account whose row a list shows, if that is what is written.
fn listed(write: &Write) -> Option<&str> {
    match write {
        Write::NewAccount(account) | Write::Account { after: account, .. } if account.verified => Some(&account.id),
        _ => None,
    }
}

impl Table {
    fn account_write(&self, write: &Write, now: Timestamp) -> Result<TransactWriteItem> {
        match write {
            Write::NewAccount(account) => self.put_new(profile(account, now)?),
            Write::Account { before, after } => self.changed_account(*before, after, now),
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
    fn changed_account(&self, before: u64, after: &Account, now: Timestamp) -> Result<TransactWriteItem> {
        // A row of before there were revisions has none.
        let known =
            if before == 0 { "attribute_not_exists(revision) OR revision = :known" } else { "revision = :known" };
        let listed = if after.verified { ", kind = :kind, kind_order = :at REMOVE expires_at" } else { "" };
        let mut update = Update::builder()
            .table_name(self.name())
            .set_key(Some(item(user_pk(&after.id), "PROFILE")))
            .update_expression(format!("SET #data = :data, revision = :next{listed}"))
            .condition_expression(format!("attribute_exists(pk) AND ({known})"))
            .expression_attribute_names("#data", "data")
            .expression_attribute_values(":data", s(json(after)?))
            .expression_attribute_values(":next", n(after.revision))
            .expression_attribute_values(":known", n(before));
        if after.verified {
            update = update
                .expression_attribute_values(":kind", s(user_kind(&after.id)))
                .expression_attribute_values(":at", s(order(now)));
        }
        Ok(TransactWriteItem::builder().update(update.build().map_err(unavailable)?).build())
    }
}

fn profile(account: &Account, now: Timestamp) -> Result<Item> {
    let mut profile = with_data(item(user_pk(&account.id), "PROFILE"), account)?;
    profile.insert("revision".to_owned(), n(account.revision));
    if account.verified {
        profile.insert("kind".to_owned(), s(user_kind(&account.id)));
        profile.insert("kind_order".to_owned(), s(order(now)));
    }
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
