//! Recovery of the table from another table, which point-in-time recovery has created (docs/runbooks.md).

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, bail};
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::{StreamExt, TryStreamExt, stream};
use waraq_aws::{Cloud, back_off};

type Item = HashMap<String, AttributeValue>;

/// Number of concurrent writes.
const AT_ONCE: usize = 32;
/// Maximum number of attempts to write a stamp while the server writes it too.
const TRIES: u32 = 64;

/// Prefixes of short-lived items. These items are not recovered, because otherwise mails would be sent twice, and used
/// codes would become valid again.
const SHORT_LIVED: [&str; 6] = ["OUTBOX#", "OTP#", "RESET#", "RATE#", "IDEM#", "GOING"];
/// Prefix of the stamps, which count the writes per kind of item. They must never decrease, because lists in memory
/// detect changes by them.
const STAMPS: &str = "STAMP#";

/// The result of a recovery.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RecoveryResult {
    /// Number of items written.
    pub written: usize,
    /// Number of items deleted because the other table does not have them.
    pub removed: usize,
}

fn text<'a>(item: &'a Item, name: &str) -> &'a str {
    item.get(name).and_then(|value| value.as_s().ok()).map_or("", String::as_str)
}

fn key(item: &Item) -> Item {
    ["pk", "sk"].into_iter().filter_map(|name| Some((name.to_owned(), item.get(name)?.clone()))).collect()
}

fn is_short_lived(item: &Item) -> bool {
    SHORT_LIVED.iter().any(|prefix| text(item, "pk").starts_with(prefix))
}

/// Calls `each` for every item of `table` that is not short-lived.
async fn for_each_item(cloud: &Cloud, table: &str, mut each: impl FnMut(Item)) -> Result<()> {
    let mut items = cloud.dynamodb().scan().table_name(table).consistent_read(true).into_paginator().items().send();
    while let Some(item) = items.next().await {
        let item = item.with_context(|| format!("the table {table} cannot be read"))?;
        if !is_short_lived(&item) {
            each(item);
        }
    }
    Ok(())
}

/// Makes the table of this installation equal to the table `other`. May be repeated: items that are already equal are
/// not written. The server may run during the recovery. A write that the server makes meanwhile is either kept or
/// replaced by the state of `other`.
pub async fn recover(cloud: &Cloud, other: &str) -> Result<RecoveryResult> {
    let table = cloud.table_name();
    let (mut wanted, mut stamps) = (HashMap::new(), Vec::new());
    for_each_item(cloud, other, |item| {
        if text(&item, "pk").starts_with(STAMPS) {
            stamps.push(item);
        } else {
            wanted.insert((text(&item, "pk").to_owned(), text(&item, "sk").to_owned()), item);
        }
    })
    .await?;
    let (mut there, mut gone) = (HashSet::new(), Vec::new());
    for_each_item(cloud, table, |item| {
        if text(&item, "pk").starts_with(STAMPS) {
            stamps.push(item);
            return;
        }
        let name = (text(&item, "pk").to_owned(), text(&item, "sk").to_owned());
        match wanted.get(&name) {
            Some(same) if *same == item => drop(there.insert(name)),
            Some(_) => {}
            None => gone.push(key(&item)),
        }
    })
    .await?;
    wanted.retain(|name, _| !there.contains(name));
    let done = RecoveryResult { written: wanted.len(), removed: gone.len() };
    let writes = wanted.into_values().map(|item| async move {
        let put = cloud.dynamodb().put_item().table_name(table).set_item(Some(item));
        put.send().await.map(|_| ()).context("an item cannot be written")
    });
    stream::iter(writes).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
    let removals = gone.into_iter().map(|key| async move {
        let delete = cloud.dynamodb().delete_item().table_name(table).set_key(Some(key));
        delete.send().await.map(|_| ()).context("an item cannot be deleted")
    });
    stream::iter(removals).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
    // Written last: readers then see writes that are missing in the log, and read the whole list again.
    for stamp in latest_stamps(stamps) {
        increase_stamp(cloud, stamp).await?;
    }
    Ok(done)
}

/// Writes a stamp that is higher than both `stamp` and the current stamp of this table. The current stamp is read
/// again, because the server may have written since the table was scanned. A stamp must never be lower than the number of
/// the last entry in its log.
async fn increase_stamp(cloud: &Cloud, mut stamp: Item) -> Result<()> {
    let table = cloud.table_name();
    for attempt in 0..TRIES {
        let get = cloud.dynamodb().get_item().table_name(table).set_key(Some(key(&stamp))).consistent_read(true);
        let current = get.send().await.context("a stamp cannot be read")?.item;
        let next = current.as_ref().map_or(0, number).max(number(&stamp)) + 1;
        stamp.insert("n".to_owned(), AttributeValue::N(next.to_string()));
        let put = cloud.dynamodb().put_item().table_name(table).set_item(Some(stamp.clone()));
        let put = match current.as_ref().and_then(|current| current.get("n").cloned()) {
            Some(known) => put.condition_expression("n = :known").expression_attribute_values(":known", known),
            None => put.condition_expression("attribute_not_exists(n)"),
        };
        match put.send().await {
            Ok(_) => return Ok(()),
            Err(error)
                if error.as_service_error().is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                back_off(attempt).await;
            }
            Err(error) => return Err(error).context("a stamp cannot be written"),
        }
    }
    bail!("the stamp {} was changed by other writers {TRIES} times; repeat the recovery", text(&stamp, "pk"))
}

/// Returns the number of writes in a stamp.
fn number(stamp: &Item) -> u64 {
    stamp.get("n").and_then(|n| n.as_n().ok()?.parse().ok()).unwrap_or(0)
}

/// Returns one stamp for each key: the highest. The two tables can have different stamps with the same key.
fn latest_stamps(stamps: Vec<Item>) -> Vec<Item> {
    let mut latest: HashMap<(String, String), Item> = HashMap::new();
    for stamp in stamps {
        let name = (text(&stamp, "pk").to_owned(), text(&stamp, "sk").to_owned());
        let known = latest.get(&name).map_or(0, number);
        if number(&stamp) >= known {
            latest.insert(name, stamp);
        }
    }
    latest.into_values().collect()
}
