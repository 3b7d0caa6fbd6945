//! Simulates the replication lag of a DynamoDB index, for tests. The index then does not return recent writes.
//!
//! The embedded DynamoDB always reads with strong consistency. Without a lag, tests would not find code that wrongly
//! expects a current index. [`DelayedIndex`] removes recently written items from every result of the index.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

pub struct DelayedIndex {
    delay: Duration,
    /// Time of the last write of each item, by the partition key and the sort key of the item.
    written: Mutex<HashMap<String, Instant>>,
}

impl DelayedIndex {
    pub fn new(delay: Duration) -> Self {
        Self { delay, written: Mutex::default() }
    }

    /// Records the items that a request writes. These are the `Item` or `Key` of PutItem and UpdateItem, and the `Item`
    /// or `Key` of each write of a transaction. Call this function before the request is executed, so that a concurrent
    /// index query cannot return the items.
    pub fn record_writes(&self, asked: &Value) {
        let single = asked.get("UpdateExpression").is_some() || asked.get("Item").is_some();
        let mut items: Vec<&Value> =
            if single { [asked.get("Item"), asked.get("Key")].into_iter().flatten().collect() } else { vec![] };
        let writes = asked.get("TransactItems").and_then(Value::as_array);
        for write in writes.into_iter().flatten().filter_map(Value::as_object).flat_map(|write| write.values()) {
            items.extend([write.get("Item"), write.get("Key")].into_iter().flatten());
        }
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        for key in items.into_iter().filter_map(key) {
            written.insert(key, Instant::now());
        }
    }

    /// Returns the response to a request. If the request queries an index, items that the index does not have yet are
    /// left out.
    pub fn without_recent(&self, asked: &Value, answer: String) -> serde_json::Result<String> {
        if asked.get("IndexName").is_none() {
            return Ok(answer);
        }
        let mut answer: Value = serde_json::from_str(&answer)?;
        if let Some(items) = answer.get_mut("Items").and_then(Value::as_array_mut) {
            items.retain(|item| !self.written_lately(item));
        }
        serde_json::to_string(&answer)
    }

    fn written_lately(&self, item: &Value) -> bool {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        key(item).and_then(|key| written.get(&key).copied()).is_some_and(|at| at.elapsed() < self.delay)
    }
}

fn key(item: &Value) -> Option<String> {
    let text = |name: &str| item.get(name)?.get("S")?.as_str();
    Some(format!("{}\n{}", text("pk")?, text("sk")?))
}
