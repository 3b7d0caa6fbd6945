//! The DynamoDB implementation of [`Accounts`]: accounts, e-mail addresses, codes and password reset links.
//!
//! The list of users contains only accounts with a verified address. The row of such an account has the attributes
//! `kind` and `kind_order`, the keys of the index. Every write of the row also writes the stamp and the log of accounts
//! (see [`log`]). So a process that keeps the list in memory always finds the changed rows. Counts are not in
//! the log; the process reads them from the index. The `kind_order` of a row is the time at which the row or its
//! counts were last written. The process reads the rows whose `kind_order` is after its previous read.
//!
//! An unverified registration is neither listed nor logged. If it were logged, one client that registers in a loop
//! could block every other writer of accounts.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue, Update};
use waraq_core::accounts::{
    Account, AccountWrite, Accounts, Address, AddressClaims, CommitOutcome, Condition, ResetLink,
};
use waraq_core::audit_log::{AccountChange, AuditEvent};
use waraq_core::one_time_password::{CodeKey, MOST_GUESSES};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{Item, get_expiry, get_number, get_text, json, n, parse_data, s};
use crate::fault::unavailable;
use crate::items;
use crate::log::{LogConflict, NextLogEntry, USERS};
use crate::system::back_off;
use crate::table::{ConditionalWrite, Table, TransactionOutcome};
use crate::users::parse_counts;

/// Maximum number of attempts to write an account. An attempt fails if another account in the same shard of the log is
/// written at the same time.
const TRIES: u32 = 64;

/// The reason why the transaction that writes an account is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AccountRefusal {
    Condition(Condition),
    /// Another account of the same shard was written at the same time, or the log already has an entry with the next
    /// number.
    Log(LogConflict),
}

#[async_trait]
impl Accounts for Table {
    async fn account(&self, id: &str) -> Result<Option<Account>> {
        self.get(items::profile_key(id)).await?.as_ref().map(parse_account).transpose()
    }

    async fn address_claims(&self, address: &Address) -> Result<AddressClaims> {
        // Always reads both items, so that the response time does not reveal whether the address has an account.
        let (owner, pending) =
            tokio::try_join!(self.get(items::owner_key(address)), self.get(items::pending_key(address)))?;
        let id = |item: Option<Item>| item.as_ref().and_then(|item| get_text(item, "user_id")).map(str::to_owned);
        Ok(AddressClaims { owner: id(owner), pending: id(pending) })
    }

    async fn pending_from(&self, address: &Address, source: &str) -> Result<Option<String>> {
        let pending = self.get(items::pending_from_key(address, source)).await?;
        Ok(pending.as_ref().and_then(|item| get_text(item, "user_id")).map(str::to_owned))
    }

    async fn account_id_of_google_user(&self, subject: &str) -> Result<Option<String>> {
        let known = self.get(items::google_key(subject)).await?;
        Ok(known.as_ref().and_then(|item| get_text(item, "user_id")).map(str::to_owned))
    }

    async fn count_guess(&self, key: &CodeKey, now: Timestamp) -> Result<Option<String>> {
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
            Ok(counted) => Ok(counted.attributes.as_ref().and_then(|item| get_text(item, "mac")).map(str::to_owned)),
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
        Ok(get_text(&link, "user_id").zip(get_expiry(&link)).map(|(account_id, expires_at)| ResetLink {
            token_hash: token_hash.to_owned(),
            account_id: account_id.to_owned(),
            token_version: get_number(&link, "token_version")
                .and_then(|version| u32::try_from(version).ok())
                .unwrap_or(0),
            expires_at,
        }))
    }

    async fn commit(&self, writes: Vec<AccountWrite>) -> Result<CommitOutcome> {
        let now = self.clock().now();
        let ours: Vec<_> = writes.iter().map(|write| self.account_write(write, now)).collect::<Result<_>>()?;
        let (listed, deed) = (writes.iter().find_map(listed_account_id), writes.iter().find_map(audit_event));
        let mut entry = listed.map(|id| NextLogEntry::new(USERS, id, now));
        for attempt in 0..TRIES {
            let mut all = ours.clone();
            if let Some(entry) = &entry {
                all.extend(entry.writes(self, deed.as_ref(), AccountRefusal::Log).await?);
            }
            let TransactionOutcome::Refused(refused) = self.transact(all).await? else {
                return Ok(CommitOutcome::Done);
            };
            let (mut rules, mut conflicts) = (Vec::new(), Vec::new());
            for refusal in refused {
                match refusal {
                    AccountRefusal::Condition(condition) => rules.push(condition),
                    AccountRefusal::Log(conflict) => conflicts.push(conflict),
                }
            }
            if !rules.is_empty() {
                return Ok(CommitOutcome::Refused(rules));
            }
            if let Some(entry) = &mut entry {
                entry.refused(&conflicts);
            }
            back_off(attempt).await;
        }
        Err(Error::unavailable("other writers were always quicker"))
    }
}

/// Converts a profile item into the account that it stores.
pub fn parse_account(profile: &Item) -> Result<Account> {
    let mut account: Account = parse_data(profile)?;
    // Counts have attributes of their own, so that a use and a change of the profile do not conflict.
    let counts = parse_counts(profile);
    (account.downloads, account.private_templates) = (counts.downloads, counts.private_templates);
    Ok(account)
}

/// Returns the id of the account if `write` changes a row of the list of users, and `None` otherwise.
fn listed_account_id(write: &AccountWrite) -> Option<&str> {
    match write {
        AccountWrite::InsertAccount(account)
        | AccountWrite::ReplaceAccount { after: account, .. }
        | AccountWrite::DeleteAccount { account }
            if account.verified =>
        {
            Some(&account.id)
        }
        _ => None,
    }
}

/// Returns the audit event of a write, to be stored in the log. `None` if the write has no event.
fn audit_event(write: &AccountWrite) -> Option<AuditEvent<AccountChange>> {
    match write {
        AccountWrite::ReplaceAccount { event: deed, .. } => deed.clone(),
        AccountWrite::InsertAccount(account) if account.verified => {
            Some(AuditEvent { by: Some(account.id.clone()), what: AccountChange::Joined })
        }
        _ => None,
    }
}

/// Returns a condition expression: the row exists, and its revision is the value of `:known`. The caller must set
/// `:known` to `revision`. For revision 0, the attribute `revision` may be missing, because old rows do not have it.
fn revision_condition(revision: u64) -> &'static str {
    if revision == 0 {
        "attribute_exists(pk) AND (attribute_not_exists(revision) OR revision = :known)"
    } else {
        "attribute_exists(pk) AND revision = :known"
    }
}

impl Table {
    fn account_write(&self, write: &AccountWrite, now: Timestamp) -> Result<ConditionalWrite<AccountRefusal>> {
        let condition = write.condition().map(AccountRefusal::Condition);
        let put = |item: Item| ConditionalWrite::put(self.put(item), condition);
        let put_new = |item: Item| {
            ConditionalWrite::put(self.put(item).condition_expression("attribute_not_exists(pk)"), condition)
        };
        // Deletes an item only if the condition `holds` is true. In the condition, `:is` has the value `is`.
        let delete_only = |key: Item, holds: &str, is: &str| {
            let delete = self.delete(key).condition_expression(holds).expression_attribute_values(":is", s(is));
            ConditionalWrite::delete(delete, condition)
        };
        match write {
            AccountWrite::InsertAccount(account) => put_new(items::profile(account, now)?),
            AccountWrite::ReplaceAccount { before, after, .. } => {
                ConditionalWrite::update(self.changed_account(*before, after, now)?, condition)
            }
            AccountWrite::SetAddressOwner { address, account_id } => put_new(items::address_owner(address, account_id)),
            AccountWrite::RemoveAddressOwner { address, account_id } => {
                delete_only(items::owner_key(address), "user_id = :is", account_id)
            }
            AccountWrite::SetPendingRegistration { address, account_id, expires_at } => {
                put(items::pending_registration(address, account_id, *expires_at))
            }
            AccountWrite::PendingFrom { address, source, account_id, expires_at } => {
                put(items::pending_from(address, source, account_id, *expires_at))
            }
            AccountWrite::ClearPendingRegistration { address } => {
                ConditionalWrite::delete(self.delete(items::pending_key(address)), condition)
            }
            AccountWrite::LinkGoogle { subject, account_id, instead_of: None } => {
                put_new(items::google_subject(subject, account_id))
            }
            AccountWrite::LinkGoogle { subject, account_id, instead_of: Some(gone) } => {
                let put = self.put(items::google_subject(subject, account_id));
                let put = put.condition_expression("user_id = :is").expression_attribute_values(":is", s(gone));
                ConditionalWrite::put(put, condition)
            }
            AccountWrite::PutCode { key, mac, expires_at } => put(items::one_time_code(key, mac, *expires_at)),
            AccountWrite::ConsumeCode { key, mac } => delete_only(items::code_key(key), "mac = :is", mac),
            AccountWrite::PutResetLink(link) => put(items::reset_link(link)),
            AccountWrite::ConsumeResetLink { token_hash } => {
                let delete = self.delete(items::reset_key(token_hash)).condition_expression("attribute_exists(pk)");
                ConditionalWrite::delete(delete, condition)
            }
            AccountWrite::QueueMail(mail) => put_new(items::outbox_mail(mail)),
            AccountWrite::DeleteAccount { account } => {
                let delete = self
                    .delete(items::profile_key(&account.id))
                    .condition_expression(revision_condition(account.revision));
                let delete = delete.expression_attribute_values(":known", n(account.revision));
                ConditionalWrite::delete(delete, condition)
            }
            AccountWrite::UnlinkGoogle { subject, account_id } => {
                // A Google subject that is now linked to another account is not deleted.
                let delete = self.delete(items::google_key(subject));
                let delete = delete.condition_expression("attribute_not_exists(pk) OR user_id = :is");
                ConditionalWrite::delete(delete.expression_attribute_values(":is", s(account_id)), condition)
            }
            AccountWrite::PutDeletionMarker(mark) => put(items::deletion_marker(mark)?),
            AccountWrite::CountAccount { created_at } => self.count_write(items::COUNTED_USERS, 1, *created_at),
            AccountWrite::UncountAccount { created_at } => self.count_write(items::COUNTED_USERS, -1, *created_at),
            AccountWrite::AddAdmin { account_id } => {
                ConditionalWrite::update(self.admins("ADD ids :id", account_id), condition)
            }
            AccountWrite::RemoveAdmin { account_id } => {
                let update = self.admins("DELETE ids :id", account_id);
                let update = update.condition_expression("contains(ids, :is) AND size(ids) > :one");
                let update = update.expression_attribute_values(":is", s(account_id));
                ConditionalWrite::update(update.expression_attribute_values(":one", n(1)), condition)
            }
        }
    }

    fn admins(&self, expression: &str, account_id: &str) -> UpdateBuilder {
        let update = Update::builder().table_name(self.name()).set_key(Some(items::admins_key()));
        let ids = AttributeValue::Ss(vec![account_id.to_owned()]);
        update.update_expression(expression).expression_attribute_values(":id", ids)
    }

    /// Returns the update that changes the stored account to `after`. The update is refused if the stored revision
    /// differs from `before`. It sets single attributes instead of the whole item, because other writers count uses in
    /// the item too.
    fn changed_account(&self, before: u64, after: &Account, now: Timestamp) -> Result<UpdateBuilder> {
        let listed = if after.verified { ", kind = :kind, kind_order = :at REMOVE expires_at" } else { "" };
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(items::profile_key(&after.id)))
            .update_expression(format!("SET #data = :data, revision = :next{listed}"))
            .condition_expression(revision_condition(before))
            .expression_attribute_names("#data", "data")
            .expression_attribute_values(":data", s(json(after)?))
            .expression_attribute_values(":next", n(after.revision))
            .expression_attribute_values(":known", n(before));
        if !after.verified {
            return Ok(update);
        }
        Ok(update
            .expression_attribute_values(":kind", s(items::user_kind(&after.id)))
            .expression_attribute_values(":at", s(items::sortable_time(now))))
    }
}
