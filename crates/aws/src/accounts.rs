//! The DynamoDB implementation of [`Accounts`]: accounts, e-mail addresses, codes and password reset links.
//!
//! An account with a verified address is listed. Its row has the keys of the index. Every write of the row also writes
//! the stamp and the log of accounts (see [`log`]), so the list of users is always up to date. The `kind_order` of a
//! row is the time at which the row or its download count was last written. To update the download counts of a list,
//! the index is queried for rows with a `kind_order` after the last such query.
//!
//! An unverified registration is neither listed nor logged. If it were logged, one client that registers in a loop
//! could block every other writer of accounts.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue, Update};
use waraq_core::accounts::{Account, Accounts, Address, Commit, Condition, Holders, ResetLink, Write};
use waraq_core::history::{AccountWhat, Deed};
use waraq_core::one_time_password::{CodeKey, MOST_GUESSES};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{Item, data, end, json, n, number, s, text};
use crate::fault::unavailable;
use crate::items;
use crate::log::{self, USERS};
use crate::system::pause;
use crate::table::{Conditioned, Outcome, Table};

/// Maximum number of attempts to write while other writers change the same stamp.
const TRIES: u32 = 64;

/// The reason why a transaction is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Rule(Condition),
    /// The stamp has changed: another account of the same shard was written at the same time.
    Stamp,
}

#[async_trait]
impl Accounts for Table {
    async fn account(&self, id: &str) -> Result<Option<Account>> {
        self.get(items::profile_key(id)).await?.as_ref().map(account_of).transpose()
    }

    async fn holders(&self, address: &Address) -> Result<Holders> {
        // Always reads both items, so that the response time does not reveal who holds the address.
        let (owner, pending) =
            tokio::try_join!(self.get(items::owner_key(address)), self.get(items::pending_key(address)))?;
        let id = |item: Option<Item>| item.as_ref().and_then(|item| text(item, "user_id")).map(str::to_owned);
        Ok(Holders { owner: id(owner), pending: id(pending) })
    }

    async fn pending_from(&self, address: &Address, source: &str) -> Result<Option<String>> {
        let pending = self.get(items::pending_from_key(address, source)).await?;
        Ok(pending.as_ref().and_then(|item| text(item, "user_id")).map(str::to_owned))
    }

    async fn of_google(&self, subject: &str) -> Result<Option<String>> {
        let known = self.get(items::google_key(subject)).await?;
        Ok(known.as_ref().and_then(|item| text(item, "user_id")).map(str::to_owned))
    }

    async fn guess(&self, key: &CodeKey, now: Timestamp) -> Result<Option<String>> {
        let counted = self
            .client()
            .update_item()
            .table_name(self.name())
            .set_key(Some(items::code_key(key)))
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
        let Some(link) = self.get(items::reset_key(token_hash)).await? else { return Ok(None) };
        Ok(text(&link, "user_id").zip(end(&link)).map(|(account_id, expires_at)| ResetLink {
            token_hash: token_hash.to_owned(),
            account_id: account_id.to_owned(),
            token_version: number(&link, "token_version").and_then(|version| u32::try_from(version).ok()).unwrap_or(0),
            expires_at,
        }))
    }

    async fn commit(&self, writes: Vec<Write>) -> Result<Commit> {
        let now = self.clock().now();
        let ours: Vec<_> = writes.iter().map(|write| self.account_write(write, now)).collect::<Result<_>>()?;
        let (listed, deed) = (writes.iter().find_map(listed), writes.iter().find_map(deed));
        for attempt in 0..TRIES {
            let mut all = ours.clone();
            if let Some(id) = listed {
                all.extend(log::entry_of(self, USERS, id, deed.as_ref(), now, Refusal::Stamp).await?);
            }
            let Outcome::Refused(refused) = self.transact(all).await? else { return Ok(Commit::Done) };
            let rules = refused.iter().filter_map(|refusal| match refusal {
                Refusal::Rule(condition) => Some(*condition),
                Refusal::Stamp => None,
            });
            let rules: Vec<Condition> = rules.collect();
            if !rules.is_empty() {
                return Ok(Commit::Refused(rules));
            }
            pause(attempt).await;
        }
        Err(Error::unavailable("other writers were always quicker"))
    }
}

/// Returns the account in a profile item.
pub fn account_of(profile: &Item) -> Result<Account> {
    let mut account: Account = data(profile)?;
    // Downloads are counted in an attribute of their own, so that a use and a change of the profile do not conflict.
    account.downloads = number(profile, "downloads").unwrap_or(0);
    Ok(account)
}

/// Returns the id of the account if `write` changes a row that is shown in the list of users.
fn listed(write: &Write) -> Option<&str> {
    match write {
        Write::NewAccount(account) | Write::Account { after: account, .. } | Write::NoAccount { account }
            if account.verified =>
        {
            Some(&account.id)
        }
        _ => None,
    }
}

/// Returns the audit event that the log stores for a write.
fn deed(write: &Write) -> Option<Deed<AccountWhat>> {
    match write {
        Write::Account { deed, .. } => deed.clone(),
        Write::NewAccount(account) if account.verified => {
            Some(Deed { by: Some(account.id.clone()), what: AccountWhat::Joined })
        }
        _ => None,
    }
}

/// Returns the condition that a row exists and has the revision `:known`. Rows that were written before revisions
/// existed have no `revision` attribute.
fn known(revision: u64) -> &'static str {
    if revision == 0 {
        "attribute_exists(pk) AND (attribute_not_exists(revision) OR revision = :known)"
    } else {
        "attribute_exists(pk) AND revision = :known"
    }
}

impl Table {
    fn account_write(&self, write: &Write, now: Timestamp) -> Result<Conditioned<Refusal>> {
        let condition = write.condition().map(Refusal::Rule);
        let put = |item: Item| Conditioned::put(self.put(item), condition);
        let put_new =
            |item: Item| Conditioned::put(self.put(item).condition_expression("attribute_not_exists(pk)"), condition);
        // Deletes an item only if its attribute has the expected value.
        let delete_only = |key: Item, holds: &str, is: &str| {
            let delete = self.delete(key).condition_expression(holds).expression_attribute_values(":is", s(is));
            Conditioned::delete(delete, condition)
        };
        match write {
            Write::NewAccount(account) => put_new(items::profile(account, now)?),
            Write::Account { before, after, .. } => {
                Conditioned::update(self.changed_account(*before, after, now)?, condition)
            }
            Write::Owner { address, account_id } => put_new(items::owner(address, account_id)),
            Write::NoOwner { address, account_id } => {
                delete_only(items::owner_key(address), "user_id = :is", account_id)
            }
            Write::Pending { address, account_id, expires_at } => put(items::pending(address, account_id, *expires_at)),
            Write::PendingFrom { address, source, account_id, expires_at } => {
                put(items::pending_from(address, source, account_id, *expires_at))
            }
            Write::NoPending { address } => Conditioned::delete(self.delete(items::pending_key(address)), condition),
            Write::Google { subject, account_id, instead_of: None } => {
                put_new(items::google_subject(subject, account_id))
            }
            Write::Google { subject, account_id, instead_of: Some(gone) } => {
                let put = self.put(items::google_subject(subject, account_id));
                let put = put.condition_expression("user_id = :is").expression_attribute_values(":is", s(gone));
                Conditioned::put(put, condition)
            }
            Write::Code { key, mac, expires_at } => put(items::code(key, mac, *expires_at)),
            Write::UseCode { key, mac } => delete_only(items::code_key(key), "mac = :is", mac),
            Write::Reset(link) => put(items::reset(link)),
            Write::UseReset { token_hash } => {
                let delete = self.delete(items::reset_key(token_hash)).condition_expression("attribute_exists(pk)");
                Conditioned::delete(delete, condition)
            }
            Write::Mail(mail) => put_new(items::mail(mail)),
            Write::NoAccount { account } => {
                let delete = self.delete(items::profile_key(&account.id)).condition_expression(known(account.revision));
                let delete = delete.expression_attribute_values(":known", n(account.revision));
                Conditioned::delete(delete, condition)
            }
            Write::NoGoogle { subject, account_id } => {
                // A Google subject that is now linked to another account is not deleted.
                let delete = self.delete(items::google_key(subject));
                let delete = delete.condition_expression("attribute_not_exists(pk) OR user_id = :is");
                Conditioned::delete(delete.expression_attribute_values(":is", s(account_id)), condition)
            }
            Write::Going(mark) => put(items::going(mark)?),
            Write::Joined { created_at } => self.counted(items::COUNTED_USERS, 1, *created_at),
            Write::Left { created_at } => self.counted(items::COUNTED_USERS, -1, *created_at),
            Write::Admin { account_id } => Conditioned::update(self.admins("ADD ids :id", account_id), condition),
            Write::NoAdmin { account_id } => {
                let update = self.admins("DELETE ids :id", account_id);
                let update = update.condition_expression("contains(ids, :is) AND size(ids) > :one");
                let update = update.expression_attribute_values(":is", s(account_id));
                Conditioned::update(update.expression_attribute_values(":one", n(1)), condition)
            }
        }
    }

    fn admins(&self, expression: &str, account_id: &str) -> UpdateBuilder {
        let update = Update::builder().table_name(self.name()).set_key(Some(items::admins_key()));
        let ids = AttributeValue::Ss(vec![account_id.to_owned()]);
        update.update_expression(expression).expression_attribute_values(":id", ids)
    }

    /// Updates single attributes instead of the whole item, because other writers count uses in the same item.
    fn changed_account(&self, before: u64, after: &Account, now: Timestamp) -> Result<UpdateBuilder> {
        let listed = if after.verified { ", kind = :kind, kind_order = :at REMOVE expires_at" } else { "" };
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(items::profile_key(&after.id)))
            .update_expression(format!("SET #data = :data, revision = :next{listed}"))
            .condition_expression(known(before))
            .expression_attribute_names("#data", "data")
            .expression_attribute_values(":data", s(json(after)?))
            .expression_attribute_values(":next", n(after.revision))
            .expression_attribute_values(":known", n(before));
        if !after.verified {
            return Ok(update);
        }
        Ok(update
            .expression_attribute_values(":kind", s(items::user_kind(&after.id)))
            .expression_attribute_values(":at", s(items::order(now))))
    }
}
