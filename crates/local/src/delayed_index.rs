//! Simulates the replication lag of a DynamoDB index, for tests. The index then shows the items as they were before recent
//! writes: without new items, with the old versions of changed items, and with deleted items.
//!
//! The embedded DynamoDB always reads with strong consistency. Without a lag, tests would not find code that wrongly
//! expects a current index.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

pub struct DelayedIndex {
    delay: Duration,
    /// The writes of each item, oldest first, by the partition key and the sort key of the item.
    written: Mutex<HashMap<String, Vec<Write>>>,
}

struct Write {
    at: Instant,
    /// The item before the write. `None` if the write created it.
    before: Option<Value>,
}

impl DelayedIndex {
    pub fn new(delay: Duration) -> Self {
        Self { delay, written: Mutex::default() }
    }

    /// Records the items that a request writes. `read` returns the item with the given key, if it exists. Call this function
    /// before the request is executed, so that a concurrent query of the index cannot return the new items.
    pub fn record_writes(&self, operation: &str, asked: &Value, read: impl Fn(&Value) -> Option<Value>) {
        for named in written_items(operation, asked) {
            let Some(name) = key(named) else { continue };
            let before = read(&serde_json::json!({ "pk": named["pk"], "sk": named["sk"] }));
            let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            let writes = written.entry(name).or_default();
            // Writes that the index has already replicated are not needed any more.
            writes.retain(|write| write.at.elapsed() < self.delay);
            writes.push(Write { at: Instant::now(), before });
        }
    }

    /// Returns the response to a request. If the request queries an index, recently written items are as they were before.
    pub fn as_before(&self, asked: &Value, answer: String) -> serde_json::Result<String> {
        if asked.get("IndexName").is_none() {
            return Ok(answer);
        }
        let mut answer: Value = serde_json::from_str(&answer)?;
        let last = answer.get("LastEvaluatedKey").cloned();
        let Some(items) = answer.get_mut("Items").and_then(Value::as_array_mut) else {
            return serde_json::to_string(&answer);
        };
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = |name: &str| {
            written.get(name)?.iter().find(|write| write.at.elapsed() < self.delay).map(|write| &write.before)
        };
        items.retain(|item| key(item).is_none_or(|name| earlier(&name).is_none()));
        let descending = asked["ScanIndexForward"] == Value::Bool(false);
        let order = |one: &Value, other: &Value| {
            let ascending = position(one).cmp(&position(other));
            if descending { ascending.reverse() } else { ascending }
        };
        let old = written.keys().filter_map(|name| earlier(name)?.as_ref());
        let in_page = old.filter(|item| {
            matches(asked, item)
                && asked.get("ExclusiveStartKey").is_none_or(|start| order(item, start) == Ordering::Greater)
                && last.as_ref().is_none_or(|last| order(item, last) != Ordering::Greater)
        });
        items.extend(in_page.cloned());
        items.sort_by(order);
        let count = items.len();
        answer["Count"] = count.into();
        serde_json::to_string(&answer)
    }
}

/// Returns the items or keys that a request writes.
fn written_items<'a>(operation: &str, asked: &'a Value) -> Vec<&'a Value> {
    match operation {
        "PutItem" => vec![&asked["Item"]],
        "UpdateItem" | "DeleteItem" => vec![&asked["Key"]],
        "TransactWriteItems" => {
            let writes = asked["TransactItems"].as_array().into_iter().flatten();
            writes.flat_map(|write| [&write["Put"]["Item"], &write["Update"]["Key"], &write["Delete"]["Key"]]).collect()
        }
        "BatchWriteItem" => {
            let tables = asked["RequestItems"].as_object().into_iter().flatten();
            let writes = tables.flat_map(|(_, writes)| writes.as_array().into_iter().flatten());
            writes.flat_map(|write| [&write["PutRequest"]["Item"], &write["DeleteRequest"]["Key"]]).collect()
        }
        _ => Vec::new(),
    }
}

fn text<'a>(item: &'a Value, name: &str) -> Option<&'a str> {
    item.get(name)?.get("S")?.as_str()
}

fn key(item: &Value) -> Option<String> {
    Some(format!("{}\n{}", text(item, "pk")?, text(item, "sk")?))
}

/// Returns the position of an item in its partition of the index.
fn position(item: &Value) -> [Option<&str>; 3] {
    ["kind_order", "pk", "sk"].map(|name| text(item, name))
}

/// Returns whether an item matches the key condition of a query: `kind = :a`, or `kind = :a AND kind_order <op> :b`.
fn matches(query: &Value, item: &Value) -> bool {
    let condition = query["KeyConditionExpression"].as_str().unwrap_or_default();
    condition.split(" AND ").all(|part| {
        let mut words = part.split_whitespace();
        let (Some(name), Some(operator), Some(value)) = (words.next(), words.next(), words.next()) else {
            return false;
        };
        let (Some(ours), Some(theirs)) = (text(item, name), text(&query["ExpressionAttributeValues"], value)) else {
            return false;
        };
        match operator {
            "=" => ours == theirs,
            "<" => ours < theirs,
            "<=" => ours <= theirs,
            ">" => ours > theirs,
            ">=" => ours >= theirs,
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn item(id: &str, order: &str) -> Value {
        json!({ "pk": { "S": id }, "sk": { "S": "META" }, "kind": { "S": "K" }, "kind_order": { "S": order } })
    }

    #[test]
    fn index_shows_items_as_before_recent_writes() {
        let index = DelayedIndex::new(Duration::from_secs(3_600));
        let table = HashMap::from([("changed", item("changed", "2")), ("deleted", item("deleted", "4"))]);
        let read = |key: &Value| table.get(text(key, "pk").unwrap_or_default()).cloned();
        let key = |id: &str| json!({ "pk": { "S": id }, "sk": { "S": "META" } });
        index.record_writes("UpdateItem", &json!({ "Key": key("changed") }), read);
        index.record_writes(
            "BatchWriteItem",
            &json!({ "RequestItems": { "t": [{ "DeleteRequest": { "Key": key("deleted") } }] } }),
            read,
        );
        index.record_writes(
            "TransactWriteItems",
            &json!({ "TransactItems": [{ "Put": { "Item": item("new", "3") } }] }),
            read,
        );
        index.record_writes("GetItem", &json!({ "Key": key("read") }), read);
        let now = json!({ "Items": [item("read", "1"), item("new", "3"), item("changed", "9")], "Count": 3 });
        let view = |query: Value| {
            let seen: Value = serde_json::from_str(&index.as_before(&query, now.to_string()).unwrap()).unwrap();
            let items = seen["Items"].as_array().unwrap();
            assert_eq!(seen["Count"], items.len());
            items.iter().map(|item| text(item, "pk").unwrap().to_owned()).collect::<Vec<_>>()
        };
        let query = json!({
            "IndexName": "kinds",
            "KeyConditionExpression": "kind = :kind",
            "ExpressionAttributeValues": { ":kind": { "S": "K" }, ":to": { "S": "4" } },
        });
        assert_eq!(view(query.clone()), ["read", "changed", "deleted"]);
        let mut backwards = query.clone();
        backwards["ScanIndexForward"] = json!(false);
        backwards["KeyConditionExpression"] = json!("kind = :kind AND kind_order < :to");
        assert_eq!(view(backwards), ["changed", "read"]);
        let mut next_page = query;
        next_page["ExclusiveStartKey"] = item("changed", "2");
        assert_eq!(view(next_page), ["read", "deleted"], "old items are on the page that they belong to");
    }
}
