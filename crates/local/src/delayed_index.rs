//! DynamoDB as it is in a bad hour, for tests: what was written lately is not in the index yet.
//!
//! The embedded DynamoDB's reads are always strong, so a design that leans on its index would never be found out. This
//! takes, out of every answer of the index, the items that were written within the delay.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

pub struct DelayedIndex {
    delay: Duration,
    /// When each item was last written, by its keys.
    written: Mutex<HashMap<String, Instant>>,
}

impl DelayedIndex {
    pub fn new(delay: Duration) -> Self {
        Self { delay, written: Mutex::default() }
    }

    /// Remembers the items a request writes: `Item` and `Key` of PutItem and UpdateItem, and those of a transaction. To be called before
    /// the request is carried out: an index query answered meanwhile must not see them.
    pub fn note(&self, asked: &Value) {
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

    /// The answer to `asked` as the index gives it.
    pub fn answer(&self, asked: &Value, answer: String) -> serde_json::Result<String> {
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
