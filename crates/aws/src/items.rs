//! The keys of all items of the table, and functions that build the items which are written as a whole.
//!
//! | pk | sk | content |
//! |---|---|---|
//! | `TPL#id` | `META` | a template's row |
//! | `TPL#id` | `V#00001` | a version of the template |
//! | `TPL#id` | `HELP#00001` | the field settings of that version |
//! | `TPL#id` | `USE#0` … `USE#15` | the template's uses that were counted before they had a partition of their own |
//! | `USES#id` | `USE#0` … `USE#15` | the template's uses, in shards |
//! | `PRIVATE#user` | `META#id` | the row of a private template of the account |
//! | `PRIVATE#user` | `V#id#00001` | a version of the private template |
//! | `PRIVATE#user` | `HELP#id#00001` | the field settings of that version |
//! | `PRIVATE#user` | `USES#id` | the uses of the private template |
//! | `CATEGORIES` | `CATEGORIES` | the categories as edited by admins |
//! | `COUNT#0` … `COUNT#15` | `COUNT` | counts of all uses and all accounts, in total and by month, in shards |
//! | `USER#id` | `PROFILE` | an account; in the index once its address is verified |
//! | `USER#id` | `PASSWORD` | the Argon2id hash of the account's password, if Cognito is not used |
//! | `SUPPORT#user` | `SUPPORT#id` | a support message of a signed-in user |
//! | `SUPPORT#id` | `SUPPORT` | a support message of a guest |
//! | `GOING` | account's id | the deletion marker of an account |
//! | `ADMINS` | `ADMINS` | the ids of all admins, as a set |
//! | `SAVED#user` | `DOC#id` | a saved document |
//! | `SAVED#user` | `VALUES#id` | the values of a saved or deleted document |
//! | `SAVED#user` | `WORDS#id` | the words of the values of a saved or deleted document |
//! | `SAVED#user` | `BIN#id` | a deleted document that can still be undeleted |
//! | `ANSWERS#user` | `ANSWERS` | the saved answers of an account that has enabled them |
//! | `FILES#user` | `document/name` | files that possibly no saved document refers to |
//! | `FILES#user` | `template/id` | a private template that possibly has files and no row |
//! | `EMAIL#hash` | `EMAIL` | the account that owns the address |
//! | `EMAIL#hash` | `PENDING` | the last unverified registration of the address |
//! | `EMAIL#hash` | `PENDING#source` | the last unverified registration of the address from this source |
//! | `GOOGLE#subject` | `GOOGLE` | the account linked to the Google user |
//! | `OTP#purpose#…` | `OTP` | the HMAC of a code and the number of guesses |
//! | `RESET#hash` | `RESET` | the account of a password reset link, by the hash of its token |
//! | `OUTBOX#id` | `OUTBOX` | an encrypted mail that waits to be sent |
//! | `STAMP#template` | `STAMP` | the number of writes of template rows |
//! | `STAMP#account` | `00` … `15` | the number of writes of listed accounts, in shards |
//! | `LOG#template`, `LOG#account#0` … `LOG#account#15` | number | the id of the row that was written, and the audit event of this write |
//! | `IDEM#who#key` | `IDEM` | an idempotency record |
//! | `RATE#action#who#window` | `RATE` | the number of attempts in a time window |
//! | `RATE#action#who` | `RATE` | the time until which the caller must wait |
//!
//! IAM permissions are granted by partition, not by sort key. Some functions write items, but have no permission to
//! write accounts. Their items are therefore in other partitions than the accounts.

use std::collections::HashMap;

use serde::Serialize;
use waraq_core::accounts::{Account, Address, DeletionMarker, REGISTRATION_LIFE_SECONDS, ResetLink};
use waraq_core::audit_log::AuditEvent;
use waraq_core::category::Categories;
use waraq_core::field_settings::TemplateFieldSettings;
use waraq_core::mail::SealedMail;
use waraq_core::one_time_password::CodeKey;
use waraq_core::saved::{FileSet, SavedDocument};
use waraq_core::saved_answers::SavedAnswers;
use waraq_core::support::{MessageStatus, SupportMessage};
use waraq_core::template::Template;
use waraq_core::{Result, Timestamp};

use crate::attributes::{Item, n, s, with_attribute, with_data, with_expiry};

/// Number of shards into which an item with many writers is split, so that concurrent writers rarely conflict.
pub const SHARDS: u8 = 16;

/// The time for which an idempotency record is kept, in seconds.
pub const KEY_LIFE_SECONDS: u64 = 24 * 3_600;

/// The prefix of the partition keys of announcements, the items for files that are about to be referenced or deleted.
/// The stream filter in template.yaml contains this prefix too.
pub const FILES_PREFIX: &str = "FILES#";

/// The prefix of the partition keys of mails in the outbox. The stream filter in template.yaml contains this prefix
/// too.
pub const OUTBOX_PREFIX: &str = "OUTBOX#";

// ---------------------------------------------------------------- keys

fn key(pk: impl Into<String>, sk: impl Into<String>) -> Item {
    HashMap::from([("pk".to_owned(), s(pk)), ("sk".to_owned(), s(sk))])
}

/// Returns the shard of an id, from 0 to `shards` - 1. An id always has the same shard.
pub fn shard_of(id: &str, shards: u8) -> u8 {
    id.bytes().fold(0, u8::wrapping_add) % shards.max(1)
}

pub fn template_partition(id: &str) -> String {
    format!("TPL#{id}")
}

pub fn template_key(id: &str) -> Item {
    key(template_partition(id), "META")
}

/// The first and last sort key of the range that contains a template's row and the use counters in its partition.
pub const TEMPLATE_AND_USES: (&str, &str) = ("META", "USE#~");

/// The first and last sort key of a template's versions.
pub const TEMPLATE_VERSIONS: (&str, &str) = ("V#", "V#~");

pub fn template_version_key(id: &str, version: u32) -> Item {
    key(template_partition(id), format!("V#{version:05}"))
}

/// The first and last sort key of the field settings of a template's versions.
pub const TEMPLATE_HELP: (&str, &str) = ("HELP#", "HELP#~");

pub fn template_help_key(id: &str, version: u32) -> Item {
    key(template_partition(id), format!("HELP#{version:05}"))
}

/// Returns the version number in the sort key of field settings, or `None` for any other sort key.
pub fn version_of_help(sk: &str) -> Option<u32> {
    let rest = sk.strip_prefix("HELP#")?;
    rest.rsplit_once('#').map_or(rest, |(_, version)| version).parse().ok()
}

/// Returns the partition key of an account's private templates.
pub fn private_partition(owner: &str) -> String {
    format!("PRIVATE#{owner}")
}

/// The first and last sort key of the rows of an account's private templates.
pub const PRIVATE_ROWS: (&str, &str) = ("META#", "META#~");

/// The first and last sort key of the uses of an account's private templates.
pub const PRIVATE_USES: (&str, &str) = ("USES#", "USES#~");

pub fn private_template_key(owner: &str, id: &str) -> Item {
    key(private_partition(owner), format!("META#{id}"))
}

pub fn private_version_key(owner: &str, id: &str, version: u32) -> Item {
    key(private_partition(owner), format!("V#{id}#{version:05}"))
}

pub fn private_help_key(owner: &str, id: &str, version: u32) -> Item {
    key(private_partition(owner), format!("HELP#{id}#{version:05}"))
}

/// Returns the first and last sort key of the versions of a private template, or of their field settings. `kind` is `V` or `HELP`.
pub fn private_range(kind: &str, id: &str) -> (String, String) {
    (format!("{kind}#{id}#"), format!("{kind}#{id}#~"))
}

pub fn private_uses_key(owner: &str, id: &str) -> Item {
    key(private_partition(owner), format!("USES#{id}"))
}

/// Returns the template id in the sort key of a private template's uses, or `None` for any other sort key.
pub fn template_of_private_uses(sk: &str) -> Option<&str> {
    sk.strip_prefix("USES#")
}

/// The partition key and the sort key of the item with the categories. Changes of this item are recorded in the log of
/// templates, with this text as the id of the changed row.
pub const CATEGORIES: &str = "CATEGORIES";

pub fn categories_key() -> Item {
    key(CATEGORIES, CATEGORIES)
}

/// Returns the partition key of a template's use counters. They are apart from the template, because guests' calls write
/// them, and IAM permissions are granted by partition.
pub fn uses_partition(template_id: &str) -> String {
    format!("USES#{template_id}")
}

/// The first and last sort key of a template's use counters.
pub const USES: (&str, &str) = ("USE#", "USE#~");

pub fn template_uses_key(template_id: &str, shard: u8) -> Item {
    key(uses_partition(template_id), format!("USE#{shard}"))
}

/// Number of use counters that a template can have. The first [`SHARDS`] counters are in the partition of the template, where
/// uses were counted in the past. These counters are no longer written, but their numbers are still part of the total. The other
/// counters are in the partition [`uses_partition`].
pub const USE_COUNTERS: u8 = 2 * SHARDS;

/// Returns the template id of a use counter, and the index of the counter. The index is less than [`USE_COUNTERS`].
/// Returns `None` if `pk` and `sk` are not the keys of a use counter.
pub fn use_counter<'a>(pk: &'a str, sk: &str) -> Option<(&'a str, u8)> {
    let shard: u8 = sk.strip_prefix("USE#")?.parse().ok().filter(|shard| *shard < SHARDS)?;
    match pk.strip_prefix("USES#") {
        Some(template) => Some((template, SHARDS + shard)),
        None => Some((template_of(pk)?, shard)),
    }
}

/// Returns the template id in the partition key of a template, or `None` for any other partition key.
pub fn template_of(pk: &str) -> Option<&str> {
    pk.strip_prefix("TPL#")
}

/// Returns the key of one shard of the counts of the whole service (uses and accounts).
pub fn count_key(shard: u8) -> Item {
    key(format!("COUNT#{shard}"), "COUNT")
}

/// The names of the counts in the items at [`count_key`]: uses and accounts. For example, the attribute `uses` has the
/// total number of uses, and `uses_2026-11` has the number of uses in November 2026.
pub const COUNTED_USES: &str = "uses";
pub const COUNTED_USERS: &str = "users";

/// Returns the partition key of the items with an account's profile and password.
fn user_partition(id: &str) -> String {
    format!("USER#{id}")
}

/// Returns the partition key of an account's saved documents.
pub fn saved_partition(owner: &str) -> String {
    format!("SAVED#{owner}")
}

/// Returns the partition key of an account's support messages. Their sort keys are `SUPPORT#` and the id of the
/// message.
pub fn support_partition(user_id: &str) -> String {
    format!("SUPPORT#{user_id}")
}

/// Returns the partition key of an account's saved answers.
fn answers_partition(user_id: &str) -> String {
    format!("ANSWERS#{user_id}")
}

/// Returns the partition keys of all items that belong to an account.
pub fn account_partitions(id: &str) -> [String; 6] {
    let files = format!("{FILES_PREFIX}{id}");
    [
        user_partition(id),
        private_partition(id),
        saved_partition(id),
        support_partition(id),
        answers_partition(id),
        files,
    ]
}

pub fn profile_key(id: &str) -> Item {
    key(user_partition(id), "PROFILE")
}

/// The first and last sort key of an account's support messages.
pub const SUPPORT_MESSAGES_OF: (&str, &str) = ("SUPPORT#", "SUPPORT#~");

/// Returns the account id if `pk` and `sk` are the keys of a profile, and `None` otherwise.
pub fn account_of_profile<'a>(pk: &'a str, sk: &str) -> Option<&'a str> {
    pk.strip_prefix("USER#").filter(|_| sk == "PROFILE")
}

pub fn support_message_key(message: &SupportMessage) -> Item {
    match &message.user_id {
        Some(user_id) => key(support_partition(user_id), format!("SUPPORT#{}", message.id)),
        None => key(format!("SUPPORT#{}", message.id), "SUPPORT"),
    }
}

pub fn saved_answers_key(user_id: &str) -> Item {
    key(answers_partition(user_id), "ANSWERS")
}

pub fn password_key(id: &str) -> Item {
    key(user_partition(id), "PASSWORD")
}

/// The first and last sort key of an account's saved documents.
pub const SAVED: (&str, &str) = ("DOC#", "DOC#~");
/// The first and last sort key of an account's deleted documents.
pub const SAVED_AND_DELETED: (&str, &str) = ("BIN#", "BIN#~");

pub fn saved_key(owner: &str, id: &str) -> Item {
    key(saved_partition(owner), format!("DOC#{id}"))
}

pub fn deleted_key(owner: &str, id: &str) -> Item {
    key(saved_partition(owner), format!("BIN#{id}"))
}

pub fn values_key(owner: &str, id: &str) -> Item {
    key(saved_partition(owner), format!("VALUES#{id}"))
}

/// Sort keys of the words of all documents of an account.
pub const WORDS: (&str, &str) = ("WORDS#", "WORDS#~");

pub fn words_key(owner: &str, id: &str) -> Item {
    key(saved_partition(owner), format!("WORDS#{id}"))
}

/// Returns the id of the document to which an item with values or words belongs.
pub fn document_of_values(sk: &str) -> Option<&str> {
    sk.strip_prefix("VALUES#").or_else(|| sk.strip_prefix("WORDS#"))
}

pub fn files_key(files: &FileSet) -> Item {
    key(format!("{FILES_PREFIX}{}", files.owner), format!("{}/{}", files.document, files.name))
}

/// Returns the files that an announcement lists. An announcement is an item for files that are about to be referenced
/// or deleted. Its keys contain the id of the account, the id of the document, and the name of the files. Returns
/// `None` if `pk` and `sk` are not the keys of an announcement.
pub fn announced_files(pk: &str, sk: &str) -> Option<FileSet> {
    let owner = pk.strip_prefix(FILES_PREFIX)?;
    let (document, name) = sk.split_once('/').filter(|(document, _)| *document != ANNOUNCED_TEMPLATE)?;
    Some(FileSet { owner: owner.to_owned(), document: document.to_owned(), name: name.to_owned() })
}

/// The first part of the sort key of the announcement of a private template. The second part is the id of the template.
const ANNOUNCED_TEMPLATE: &str = "template";

fn template_announcement_key(owner: &str, id: &str) -> Item {
    key(format!("{FILES_PREFIX}{owner}"), format!("{ANNOUNCED_TEMPLATE}/{id}"))
}

/// Returns the account and the id of an announced private template. Returns `None` if `pk` and `sk` are not the keys of
/// such an announcement.
pub fn announced_template<'a>(pk: &'a str, sk: &'a str) -> Option<(&'a str, &'a str)> {
    let (kind, id) = sk.split_once('/')?;
    Some((pk.strip_prefix(FILES_PREFIX)?, id)).filter(|_| kind == ANNOUNCED_TEMPLATE)
}

/// The partition key of all deletion markers. There is one for each account that is being deleted. The stream filter in
/// template.yaml contains this text too.
pub const DELETION_MARKERS: &str = "GOING";

pub fn deletion_marker_key(id: &str) -> Item {
    key(DELETION_MARKERS, id)
}

pub fn admins_key() -> Item {
    key("ADMINS", "ADMINS")
}

pub fn owner_key(address: &Address) -> Item {
    key(format!("EMAIL#{}", address.hash()), "EMAIL")
}

pub fn pending_key(address: &Address) -> Item {
    key(format!("EMAIL#{}", address.hash()), "PENDING")
}

pub fn pending_from_key(address: &Address, source: &str) -> Item {
    key(format!("EMAIL#{}", address.hash()), format!("PENDING#{source}"))
}

pub fn google_key(subject: &str) -> Item {
    key(format!("GOOGLE#{subject}"), "GOOGLE")
}

pub fn code_key(code: &CodeKey) -> Item {
    key(format!("OTP#{}", code.as_str()), "OTP")
}

pub fn reset_key(token_hash: &str) -> Item {
    key(format!("RESET#{token_hash}"), "RESET")
}

pub fn mail_key(id: &str) -> Item {
    key(format!("{OUTBOX_PREFIX}{id}"), "OUTBOX")
}

pub fn stamp_partition(kind: &str) -> String {
    format!("STAMP#{kind}")
}

/// Returns the sort key of a shard's stamp, the item with the number of the shard's last log entry.
pub fn stamp_shard(shard: u8) -> String {
    format!("{shard:02}")
}

/// Returns the key of a stamp, the item with the number of the last log entry of a kind of rows (see [`crate::log`]).
/// `shard` is `None` for a kind without shards.
pub fn stamp_key(kind: &str, shard: Option<u8>) -> Item {
    key(stamp_partition(kind), shard.map_or_else(|| "STAMP".to_owned(), stamp_shard))
}

/// Returns the partition key of a log. `partition` is the name of a kind, such as `template`, or of a shard of a kind,
/// such as `account#3`.
pub fn log_partition(partition: &str) -> String {
    format!("LOG#{partition}")
}

pub fn log_number(number: u64) -> String {
    format!("{number:020}")
}

pub fn log_key(partition: &str, number: u64) -> Item {
    key(log_partition(partition), log_number(number))
}

/// Returns the key of an idempotency record. `who` is the caller, and `name` is the Idempotency-Key.
pub fn idempotency_key(who: &str, name: &str) -> Item {
    key(format!("IDEM#{who}#{name}"), "IDEM")
}

pub fn attempts_key(action: &str, who: &str, window: u64) -> Item {
    key(format!("RATE#{action}#{who}#{window}"), "RATE")
}

pub fn wait_key(action: &str, who: &str) -> Item {
    key(format!("RATE#{action}#{who}"), "RATE")
}

// ---------------------------------------------------------------- the index

/// Returns the `kind` of a template's row in the index. Rows of a kind are ordered by id. Templates are spread over
/// [`SHARDS`] kinds, which can be read in parallel; a template always has the same kind.
pub fn template_kind(id: &str) -> String {
    template_kind_of(shard_of(id, SHARDS))
}

pub fn template_kind_of(shard: u8) -> String {
    format!("{UNSHARDED_TEMPLATES}#{shard}")
}

/// The `kind` of template rows that were last written before there were shards.
pub const UNSHARDED_TEMPLATES: &str = "TEMPLATE";

/// The `kind` of mails in the outbox. The index orders them by id.
pub const MAILS: &str = "OUTBOX";

/// The `kind` of open support messages. The index orders them by id. Closed messages have the kind [`CLOSED_MESSAGES`].
pub const OPEN_MESSAGES: &str = "SUPPORT";
pub const CLOSED_MESSAGES: &str = "SUPPORT#closed";

pub fn messages_kind(status: MessageStatus) -> &'static str {
    match status {
        MessageStatus::Open => OPEN_MESSAGES,
        MessageStatus::Closed => CLOSED_MESSAGES,
    }
}

/// Returns the `kind` of an account's row in the index. Rows of a kind are ordered by the time at which the row or its
/// download count was last written. Accounts are spread over [`SHARDS`] kinds by their id, so an account always
/// has the same kind.
pub fn user_kind(id: &str) -> String {
    user_kind_of(shard_of(id, SHARDS))
}

pub fn user_kind_of(shard: u8) -> String {
    format!("USER#{shard}")
}

/// Returns the `kind` of the audit events of the row `id`. The index orders these events by the number of their log
/// entry.
pub fn audit_events_kind(partition: &str, id: &str) -> String {
    format!("LOG#{partition}#{id}")
}

/// Returns the `kind` of a shard's use counters. The index orders these counters by the time of their last change.
pub fn use_counters_kind(shard: u8) -> String {
    format!("USE#{shard}")
}

/// Returns a time as a `kind_order`: milliseconds with leading zeros, so that the order of the texts is the order of
/// the times.
pub fn sortable_time(at: Timestamp) -> String {
    format!("{:014}", at.0)
}

/// Adds the attributes `kind` and `kind_order` to an item, so that the index contains it.
fn indexed(item: Item, kind: &str, order: &str) -> Item {
    with_attribute(with_attribute(item, "kind", s(kind)), "kind_order", s(order))
}

// ---------------------------------------------------------------- shapes

pub fn template_row(template: &Template) -> Result<Item> {
    let row = with_attribute(with_data(template_key(&template.id), template)?, "revision", n(template.revision));
    Ok(indexed(row, &template_kind(&template.id), &template.id))
}

pub fn categories(categories: &Categories) -> Result<Item> {
    Ok(with_attribute(with_data(categories_key(), categories)?, "revision", n(categories.revision)))
}

pub fn template_version(template: &Template) -> Result<Item> {
    with_data(template_version_key(&template.id, template.version), template)
}

pub fn template_help(template: &Template, help: &TemplateFieldSettings) -> Result<Item> {
    with_data(template_help_key(&template.id, template.version), help)
}

pub fn private_template_row(owner: &str, template: &Template) -> Result<Item> {
    let row = with_data(private_template_key(owner, &template.id), template)?;
    Ok(with_attribute(row, "revision", n(template.revision)))
}

pub fn private_template_version(owner: &str, template: &Template) -> Result<Item> {
    with_data(private_version_key(owner, &template.id, template.version), template)
}

pub fn private_template_help(owner: &str, template: &Template, help: &TemplateFieldSettings) -> Result<Item> {
    with_data(private_help_key(owner, &template.id, template.version), help)
}

pub fn template_announcement(owner: &str, id: &str, until: Timestamp) -> Item {
    with_expiry(template_announcement_key(owner, id), until)
}

/// Returns the item of a new saved document.
pub fn saved_document(document: &SavedDocument) -> Result<Item> {
    Ok(with_counters(with_data(saved_key(&document.owner, &document.id), document)?, document))
}

pub fn deleted_document(document: &SavedDocument, at: Timestamp) -> Result<Item> {
    let item = with_counters(with_data(deleted_key(&document.owner, &document.id), document)?, document);
    Ok(with_attribute(item, "deleted_ms", n(at.0)))
}

/// Adds the attributes `version` and `uses` to an item. Every change of the document is conditional on its version. The
/// uses are an attribute of their own, so that counting a use does not change the attribute `data`.
fn with_counters(item: Item, document: &SavedDocument) -> Item {
    with_attribute(with_attribute(item, "version", n(document.version)), "uses", n(document.uses))
}

pub fn saved_answers(user_id: &str, all: &SavedAnswers) -> Result<Item> {
    Ok(with_attribute(with_data(saved_answers_key(user_id), all)?, "revision", s(&all.revision)))
}

pub fn announcement(files: &FileSet, until: Timestamp) -> Item {
    with_expiry(files_key(files), until)
}

/// Returns the item of an account. If the address is verified, the item is in the index; otherwise it expires.
pub fn profile(account: &Account, now: Timestamp) -> Result<Item> {
    let profile = with_attribute(with_data(profile_key(&account.id), account)?, "revision", n(account.revision));
    if account.verified {
        return Ok(indexed(profile, &user_kind(&account.id), &sortable_time(now)));
    }
    Ok(with_expiry(profile, account.created_at.plus_seconds(REGISTRATION_LIFE_SECONDS)))
}

pub fn address_owner(address: &Address, account_id: &str) -> Item {
    with_account_id(owner_key(address), account_id)
}

pub fn pending_registration(address: &Address, account_id: &str, expires_at: Timestamp) -> Item {
    with_account_id(with_expiry(pending_key(address), expires_at), account_id)
}

pub fn pending_from(address: &Address, source: &str, account_id: &str, expires_at: Timestamp) -> Item {
    with_account_id(with_expiry(pending_from_key(address, source), expires_at), account_id)
}

pub fn google_subject(subject: &str, account_id: &str) -> Item {
    with_account_id(google_key(subject), account_id)
}

pub fn one_time_code(key: &CodeKey, mac: &str, expires_at: Timestamp) -> Item {
    with_attribute(with_attribute(with_expiry(code_key(key), expires_at), "mac", s(mac)), "guesses", n(0))
}

pub fn reset_link(link: &ResetLink) -> Item {
    let reset = with_account_id(with_expiry(reset_key(&link.token_hash), link.expires_at), &link.account_id);
    with_attribute(reset, "token_version", n(link.token_version))
}

pub fn outbox_mail(mail: &SealedMail) -> Item {
    let waiting = with_attribute(with_expiry(mail_key(&mail.id), mail.expires_at), "sealed", s(&mail.text));
    indexed(with_attribute(waiting, "claimed_until", n(0)), MAILS, &mail.id)
}

pub fn deletion_marker(going: &DeletionMarker) -> Result<Item> {
    with_data(deletion_marker_key(&going.id), going)
}

/// Returns the item of a support message. The index contains the messages of users and those of guests.
pub fn support_message(message: &SupportMessage) -> Result<Item> {
    let kept = with_expiry(with_data(support_message_key(message), message)?, message.expires_at());
    let kept = with_attribute(kept, "version", n(message.version));
    Ok(indexed(kept, messages_kind(message.status), &message.id))
}

/// Returns the log entry `number`, which records a write of the row `id`. If `event` is given, the index contains the
/// entry too. In the index, all events of a row have the same `kind`.
pub fn log_entry<W: Serialize>(
    partition: &str,
    number: u64,
    id: &str,
    event: Option<&AuditEvent<W>>,
    now: Timestamp,
) -> Result<Item> {
    // Entries are ordered by number and not by `at`.
    let entry = with_attribute(with_attribute(log_key(partition, number), "id", s(id)), "at", s(now.rfc3339()));
    let Some(deed) = event else { return Ok(entry) };
    let entry = indexed(with_data(entry, &deed.what)?, &audit_events_kind(partition, id), &log_number(number));
    Ok(match &deed.by {
        Some(by) => with_attribute(entry, "by", s(by)),
        None => entry,
    })
}

/// Returns an idempotency record, which is kept for [`KEY_LIFE_SECONDS`].
pub fn idempotency_record(who: &str, name: &str, answer: &impl Serialize, now: Timestamp) -> Result<Item> {
    Ok(with_expiry(with_data(idempotency_key(who, name), answer)?, now.plus_seconds(KEY_LIFE_SECONDS)))
}

fn with_account_id(item: Item, account_id: &str) -> Item {
    with_attribute(item, "user_id", s(account_id))
}
