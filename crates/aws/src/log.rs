//! Stamp and log: how readers learn what is new without asking an index that lags behind and without trusting clocks.
//!
//! Every write of a row of a kind is one transaction of three: the row; the kind's stamp n + 1, on the condition that it is
//! n; and the log's entry n + 1, which names the row. A reader who knows the rows as of stamp m asks for the stamp, and if
//! it is n > m reads the entries m + 1 to n and the rows they name, all from the base table, all as of now.

use aws_sdk_dynamodb::types::{Put, TransactWriteItem, Update};
use waraq_core::{Result, Timestamp};

use crate::cloud::unavailable;
use crate::table::{Item, Table, item, n, number, s, text};

/// A kind of rows.
#[derive(Debug, Clone, Copy)]
pub struct Kind(pub &'static str);

impl Kind {
    fn stamp_key(self) -> String {
        format!("STAMP#{}", self.0)
    }

    fn log_key(self) -> String {
        format!("LOG#{}", self.0)
    }
}

fn entry_key(number: u64) -> String {
    format!("{number:020}")
}

/// How many times rows of this kind have been written, as of now.
pub async fn stamp(table: &Table, kind: Kind) -> Result<u64> {
    let item = table.get(kind.stamp_key(), "STAMP").await?;
    Ok(item.as_ref().and_then(|item| number(item, "n")).unwrap_or(0))
}

/// The two writes that go with the write of row `id`, after `stamp` of them. Either's condition fails where another writer
/// was quicker: then read the stamp again.
pub fn entry(table: &Table, kind: Kind, stamp: u64, id: &str, now: Timestamp) -> Result<[TransactWriteItem; 2]> {
    let update = Update::builder()
        .table_name(table.name())
        .set_key(Some(item(kind.stamp_key(), "STAMP")))
        .update_expression("SET n = :next")
        .condition_expression(if stamp == 0 { "attribute_not_exists(pk)" } else { "n = :known" })
        .expression_attribute_values(":next", n(stamp + 1));
    let update = if stamp == 0 { update } else { update.expression_attribute_values(":known", n(stamp)) };
    let mut log: Item = item(kind.log_key(), entry_key(stamp + 1));
    log.insert("id".to_owned(), s(id));
    // For people who look into the table; no code orders by it.
    log.insert("at".to_owned(), s(now.rfc3339()));
    let put =
        Put::builder().table_name(table.name()).set_item(Some(log)).condition_expression("attribute_not_exists(pk)");
    Ok([
        TransactWriteItem::builder().update(update.build().map_err(unavailable)?).build(),
        TransactWriteItem::builder().put(put.build().map_err(unavailable)?).build(),
    ])
}

/// The ids the writes `from` to `to` (inclusive) were of, each once; `None` if the log no longer holds them all.
pub async fn written(table: &Table, kind: Kind, from: u64, to: u64) -> Result<Option<Vec<String>>> {
    let entries = table.between(&kind.log_key(), &entry_key(from), &entry_key(to)).await?;
    if entries.len() as u64 != to + 1 - from {
        return Ok(None);
    }
    let mut ids: Vec<String> = entries.iter().filter_map(|entry| text(entry, "id")).map(str::to_owned).collect();
    ids.sort();
    ids.dedup();
    Ok(Some(ids))
}
