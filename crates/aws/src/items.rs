//! The keys of every item of the table, and the shapes of those that are written whole.
//!
//! | pk | sk | what |
//! |---|---|---|
//! | `TPL#id` | `META` | a template's row |
//! | `TPL#id` | `V#00001` | one of its versions |
//! | `TPL#id` | `HELP#00001` | what is known of that version's fields |
//! | `TPL#id` | `USE#0` … `USE#15` | its uses, in shards |
//! | `CATEGORIES` | `CATEGORIES` | what admins have made of categories |
//! | `COUNT#0` … `COUNT#15` | `COUNT` | all uses and all accounts, ever and by month, in shards |
//! | `USER#id` | `PROFILE` | an account; on the index once its address is proven |
//! | `USER#id` | `PASSWORD` | its Argon2id hash (where there is no Cognito) |
//! | `SUPPORT#user` | `SUPPORT#id` | a message of somebody who was signed in |
//! | `SUPPORT#id` | `SUPPORT` | one of a guest |
//! | `GOING` | account's id | the mark of an account that is being taken away |
//! | `ADMINS` | `ADMINS` | the ids of all admins, as a set |
//! | `SAVED#user` | `DOC#id` | a saved document |
//! | `SAVED#user` | `VALUES#id` | its values |
//! | `SAVED#user` | `BIN#id` | a saved document that was deleted, as long as that can be undone |
//! | `ANSWERS#user` | `ANSWERS` | the known answers of an account that has switched them on |
//! | `FILES#user` | `document/name` | files of saved documents that may be nobody's |
//! | `EMAIL#hash` | `EMAIL` | whose address it is |
//! | `EMAIL#hash` | `PENDING` | the last registration that waits for it |
//! | `GOOGLE#subject` | `GOOGLE` | whose account it is |
//! | `OTP#purpose#…` | `OTP` | a code's HMAC, and how often it was guessed at |
//! | `RESET#hash` | `RESET` | whose password the link with that token's hash sets |
//! | `OUTBOX#id` | `OUTBOX` | a mail that waits, sealed |
//! | `STAMP#template` | `STAMP` | how many times templates' rows were written |
//! | `STAMP#account` | `00` … `15` | the same of listed accounts, in shards |
//! | `LOG#template`, `LOG#account#0` … `LOG#account#15` | number | which row the write of that number was of; and who has done what |
//! | `IDEM#who#key` | `IDEM` | what a request was answered |
//! | `RATE#action#who#window` | `RATE` | attempts in a window |
//! | `RATE#action#who` | `RATE` | until when one waits |
//!
//! A function's rights end at partitions, not at sort keys: what is written by other functions than accounts are has a partition of its
//! own, or whoever may write the one could write the other.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use waraq_core::accounts::{Account, Address, Going, REGISTRATION_LIFE_SECONDS, ResetLink};
use waraq_core::category::Categories;
use waraq_core::field_help::TemplateHelp;
use waraq_core::history::Deed;
use waraq_core::known_answers::KnownAnswers;
use waraq_core::mail::Sealed;
use waraq_core::one_time_password::CodeKey;
use waraq_core::saved::{FileSet, SavedDocument};
use waraq_core::support::{MessageStatus, SupportMessage};
use waraq_core::template::Template;
use waraq_core::{Result, Timestamp};

use crate::attributes::{Item, ending, n, s, with, with_data};

/// What many write to is kept in as many pieces: writers seldom meet at the same.
pub const SHARDS: u8 = 16;

/// Seconds an Idempotency-Key is remembered.
pub const KEY_LIFE_SECONDS: u64 = 24 * 3_600;

/// How the keys of announced files begin; the table's stream is filtered by it.
pub const FILES_PREFIX: &str = "FILES#";

/// How the keys of mails that wait begin; the table's stream is filtered by it.
pub const OUTBOX_PREFIX: &str = "OUTBOX#";

// ---------------------------------------------------------------- keys

fn key(pk: impl Into<String>, sk: impl Into<String>) -> Item {
    HashMap::from([("pk".to_owned(), s(pk)), ("sk".to_owned(), s(sk))])
}

/// The one of `shards` that what has this id is in: always the same.
pub fn shard_of(id: &str, shards: u8) -> u8 {
    id.bytes().fold(0, u8::wrapping_add) % shards.max(1)
}

pub fn template_partition(id: &str) -> String {
    format!("TPL#{id}")
}

pub fn template_key(id: &str) -> Item {
    key(template_partition(id), "META")
}

/// The sort keys of a template's row and of its uses, and what lies between: from, to.
pub const TEMPLATE_AND_USES: (&str, &str) = ("META", "USE#~");

/// The sort keys of a template's versions: from, to.
pub const TEMPLATE_VERSIONS: (&str, &str) = ("V#", "V#~");

pub fn template_version_key(id: &str, version: u32) -> Item {
    key(template_partition(id), format!("V#{version:05}"))
}

/// The sort keys of what is known of the fields of a template's versions: from, to.
pub const TEMPLATE_HELP: (&str, &str) = ("HELP#", "HELP#~");

pub fn template_help_key(id: &str, version: u32) -> Item {
    key(template_partition(id), format!("HELP#{version:05}"))
}

/// The version that what is known of fields is of, by its sort key.
pub fn version_of_help(sk: &str) -> Option<u32> {
    sk.strip_prefix("HELP#")?.parse().ok()
}

/// Both keys of what admins have made of categories, and its id in the log of templates.
pub const CATEGORIES: &str = "CATEGORIES";

pub fn categories_key() -> Item {
    key(CATEGORIES, CATEGORIES)
}

pub fn template_uses_key(id: &str, shard: u8) -> Item {
    key(template_partition(id), format!("USE#{shard}"))
}

/// The shard of a template's uses with this sort key.
pub fn uses_shard(sk: &str) -> Option<u8> {
    sk.strip_prefix("USE#")?.parse().ok()
}

/// The template an item of its partition is of.
pub fn template_of(pk: &str) -> Option<&str> {
    pk.strip_prefix("TPL#")
}

/// Counts of what happens in the whole house.
pub fn count_key(shard: u8) -> Item {
    key(format!("COUNT#{shard}"), "COUNT")
}

/// The attributes of [`count_key`]: how many ever, and followed by a month, how many of that month.
pub const COUNTED_USES: &str = "uses";
pub const COUNTED_USERS: &str = "users";

/// The account itself.
fn user_partition(id: &str) -> String {
    format!("USER#{id}")
}

/// The saved documents of an account.
pub fn saved_partition(owner: &str) -> String {
    format!("SAVED#{owner}")
}

/// The messages of an account to the help center, each under its id.
pub fn support_partition(user_id: &str) -> String {
    format!("SUPPORT#{user_id}")
}

/// The known answers of an account.
fn answers_partition(user_id: &str) -> String {
    format!("ANSWERS#{user_id}")
}

/// Every partition of an account's own.
pub fn partitions_of(id: &str) -> [String; 5] {
    let files = format!("{FILES_PREFIX}{id}");
    [user_partition(id), saved_partition(id), support_partition(id), answers_partition(id), files]
}

pub fn profile_key(id: &str) -> Item {
    key(user_partition(id), "PROFILE")
}

/// The sort keys of an account's messages to the help center: from, to.
pub const SUPPORT_MESSAGES_OF: (&str, &str) = ("SUPPORT#", "SUPPORT#~");

/// Whose profile an item with these keys is.
pub fn account_of_profile<'a>(pk: &'a str, sk: &str) -> Option<&'a str> {
    pk.strip_prefix("USER#").filter(|_| sk == "PROFILE")
}

pub fn support_message_key(message: &SupportMessage) -> Item {
    match &message.user_id {
        Some(user_id) => key(support_partition(user_id), format!("SUPPORT#{}", message.id)),
        None => key(format!("SUPPORT#{}", message.id), "SUPPORT"),
    }
}

pub fn known_answers_key(user_id: &str) -> Item {
    key(answers_partition(user_id), "ANSWERS")
}

pub fn password_key(id: &str) -> Item {
    key(user_partition(id), "PASSWORD")
}

/// The sort keys of an account's saved documents: from, to.
pub const SAVED: (&str, &str) = ("DOC#", "DOC#~");
/// Of those that are deleted.
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

pub fn files_key(files: &FileSet) -> Item {
    key(format!("{FILES_PREFIX}{}", files.owner), format!("{}/{}", files.document, files.name))
}

/// The files an announcement with these keys is of.
pub fn announced_files(pk: &str, sk: &str) -> Option<FileSet> {
    let owner = pk.strip_prefix(FILES_PREFIX)?;
    let (document, name) = sk.split_once('/')?;
    Some(FileSet { owner: owner.to_owned(), document: document.to_owned(), name: name.to_owned() })
}

/// The partition of the marks of accounts that go; the table's stream is filtered by it.
pub const GOING: &str = "GOING";

pub fn going_key(id: &str) -> Item {
    key(GOING, id)
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

/// The sort key of a shard's stamp.
pub fn stamp_shard(shard: u8) -> String {
    format!("{shard:02}")
}

/// `shard`: of a kind that has several.
pub fn stamp_key(kind: &str, shard: Option<u8>) -> Item {
    key(stamp_partition(kind), shard.map_or_else(|| "STAMP".to_owned(), stamp_shard))
}

/// `partition`: a kind's, or a shard's of a kind.
pub fn log_partition(partition: &str) -> String {
    format!("LOG#{partition}")
}

pub fn log_number(number: u64) -> String {
    format!("{number:020}")
}

pub fn log_key(partition: &str, number: u64) -> Item {
    key(log_partition(partition), log_number(number))
}

/// `name`: an Idempotency-Key.
pub fn answer_key(who: &str, name: &str) -> Item {
    key(format!("IDEM#{who}#{name}"), "IDEM")
}

pub fn attempts_key(action: &str, who: &str, window: u64) -> Item {
    key(format!("RATE#{action}#{who}#{window}"), "RATE")
}

pub fn wait_key(action: &str, who: &str) -> Item {
    key(format!("RATE#{action}#{who}"), "RATE")
}

// ---------------------------------------------------------------- the index

/// The `kind` of a template's row, ordered by its id: always the same of [`SHARDS`], so that all of them can be read at once.
pub fn template_kind(id: &str) -> String {
    template_kind_of(shard_of(id, SHARDS))
}

pub fn template_kind_of(shard: u8) -> String {
    format!("{UNSHARDED_TEMPLATES}#{shard}")
}

/// The `kind` of the rows of templates that were last written before there were shards.
pub const UNSHARDED_TEMPLATES: &str = "TEMPLATE";

/// The `kind` of mails that wait, ordered by their id.
pub const MAILS: &str = "OUTBOX";

/// The `kind` of messages to the help center, ordered by their id: of those somebody has still to see to, and of the others.
pub const OPEN_MESSAGES: &str = "SUPPORT";
pub const CLOSED_MESSAGES: &str = "SUPPORT#closed";

pub fn messages_kind(status: MessageStatus) -> &'static str {
    match status {
        MessageStatus::Open => OPEN_MESSAGES,
        MessageStatus::Closed => CLOSED_MESSAGES,
    }
}

/// The `kind` of an account's row, ordered by when it was last written or counted on: always the same of [`SHARDS`], for each use
/// counted on it is written there too.
pub fn user_kind(id: &str) -> String {
    user_kind_of(shard_of(id, SHARDS))
}

pub fn user_kind_of(shard: u8) -> String {
    format!("USER#{shard}")
}

/// The `kind` of the entries of a log that say what was done to one row, ordered by their numbers.
pub fn deeds_kind(partition: &str, id: &str) -> String {
    format!("LOG#{partition}#{id}")
}

/// The `kind` of a shard's counters of uses, ordered by when they were last counted on.
pub fn shard_kind(shard: u8) -> String {
    format!("USE#{shard}")
}

/// What is counted on is ordered by when it was last changed.
pub fn order(at: Timestamp) -> String {
    format!("{:014}", at.0)
}

/// An item with the keys of the index.
fn indexed(item: Item, kind: &str, order: &str) -> Item {
    with(with(item, "kind", s(kind)), "kind_order", s(order))
}

// ---------------------------------------------------------------- shapes

pub fn template_row(template: &Template) -> Result<Item> {
    let row = with(with_data(template_key(&template.id), template)?, "revision", n(template.revision));
    Ok(indexed(row, &template_kind(&template.id), &template.id))
}

pub fn categories(categories: &Categories) -> Result<Item> {
    Ok(with(with_data(categories_key(), categories)?, "revision", n(categories.revision)))
}

pub fn template_version(template: &Template) -> Result<Item> {
    with_data(template_version_key(&template.id, template.version), template)
}

pub fn template_help(template: &Template, help: &TemplateHelp) -> Result<Item> {
    with_data(template_help_key(&template.id, template.version), help)
}

/// A new saved document.
pub fn saved(document: &SavedDocument) -> Result<Item> {
    Ok(counted(with_data(saved_key(&document.owner, &document.id), document)?, document))
}

pub fn deleted(document: &SavedDocument, at: Timestamp) -> Result<Item> {
    let item = counted(with_data(deleted_key(&document.owner, &document.id), document)?, document);
    Ok(with(item, "deleted_ms", n(at.0)))
}

/// What changes are made on the condition of, and what is counted beside the record.
fn counted(item: Item, document: &SavedDocument) -> Item {
    with(with(item, "version", n(document.version)), "uses", n(document.uses))
}

/// Names and values in turn. A list, for JSON would make two bytes of a quotation mark, and an item has 400 kB at most.
pub fn values(document: &SavedDocument, values: &[(String, String)]) -> Item {
    let list = values.iter().flat_map(|(name, value)| [s(name), s(value)]).collect();
    let item = with(values_key(&document.owner, &document.id), "named_values", AttributeValue::L(list));
    with(item, "version", n(document.version))
}

pub fn known_answers(user_id: &str, all: &KnownAnswers) -> Result<Item> {
    Ok(with(with_data(known_answers_key(user_id), all)?, "revision", s(&all.revision)))
}

pub fn announced(files: &FileSet, until: Timestamp) -> Item {
    ending(files_key(files), until)
}

/// Who has proven his address is on the index; a registration nobody proves goes away.
pub fn profile(account: &Account, now: Timestamp) -> Result<Item> {
    let profile = with(with_data(profile_key(&account.id), account)?, "revision", n(account.revision));
    if account.verified {
        return Ok(indexed(profile, &user_kind(&account.id), &order(now)));
    }
    Ok(ending(profile, account.created_at.plus_seconds(REGISTRATION_LIFE_SECONDS)))
}

pub fn owner(address: &Address, account_id: &str) -> Item {
    owned(owner_key(address), account_id)
}

pub fn pending(address: &Address, account_id: &str, expires_at: Timestamp) -> Item {
    owned(ending(pending_key(address), expires_at), account_id)
}

pub fn google_subject(subject: &str, account_id: &str) -> Item {
    owned(google_key(subject), account_id)
}

pub fn code(key: &CodeKey, mac: &str, expires_at: Timestamp) -> Item {
    with(with(ending(code_key(key), expires_at), "mac", s(mac)), "guesses", n(0))
}

pub fn reset(link: &ResetLink) -> Item {
    let reset = owned(ending(reset_key(&link.token_hash), link.expires_at), &link.account_id);
    with(reset, "token_version", n(link.token_version))
}

pub fn mail(mail: &Sealed) -> Item {
    let waiting = with(ending(mail_key(&mail.id), mail.expires_at), "sealed", s(&mail.text));
    indexed(with(waiting, "claimed_until", n(0)), MAILS, &mail.id)
}

pub fn going(going: &Going) -> Result<Item> {
    with_data(going_key(&going.id), going)
}

/// A message to the help center: on the index, wherever it lies.
pub fn support_message(message: &SupportMessage) -> Result<Item> {
    let kept = ending(with_data(support_message_key(message), message)?, message.expires_at());
    let kept = with(kept, "version", n(message.version));
    Ok(indexed(kept, messages_kind(message.status), &message.id))
}

/// With a deed it is on the index, under the row it is of.
pub fn log_entry<W: Serialize>(
    partition: &str,
    number: u64,
    id: &str,
    deed: Option<&Deed<W>>,
    now: Timestamp,
) -> Result<Item> {
    // `at` is for people to read; no code orders by it.
    let entry = with(with(log_key(partition, number), "id", s(id)), "at", s(now.rfc3339()));
    let Some(deed) = deed else { return Ok(entry) };
    let entry = indexed(with_data(entry, &deed.what)?, &deeds_kind(partition, id), &log_number(number));
    Ok(match &deed.by {
        Some(by) => with(entry, "by", s(by)),
        None => entry,
    })
}

/// What a request was answered, remembered for [`KEY_LIFE_SECONDS`].
pub fn answer(who: &str, name: &str, answer: &impl Serialize, now: Timestamp) -> Result<Item> {
    Ok(ending(with_data(answer_key(who, name), answer)?, now.plus_seconds(KEY_LIFE_SECONDS)))
}

fn owned(item: Item, account_id: &str) -> Item {
    with(item, "user_id", s(account_id))
}
