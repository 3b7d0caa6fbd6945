//! Measures reads of the table in DynamoDB's read units, for benchmarks.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

/// The sum of the read units consumed.
#[derive(Debug, Default)]
pub struct ReadMeter {
    /// The consumed read units, counted in halves: half a unit is the smallest amount that DynamoDB counts.
    halves: AtomicU64,
}

impl ReadMeter {
    /// Returns the read units consumed so far.
    pub fn units(&self) -> f64 {
        self.halves.load(Ordering::SeqCst) as f64 / 2.0
    }

    /// Returns a copy of the body of a read operation that also asks for the consumed capacity. Returns `None` for
    /// other operations.
    pub(crate) fn with_capacity_request(operation: &str, body: &[u8]) -> Option<Vec<u8>> {
        if !["GetItem", "BatchGetItem", "Query", "Scan"].contains(&operation) {
            return None;
        }
        let mut asked: Value = serde_json::from_slice(body).ok()?;
        asked.as_object_mut()?.insert("ReturnConsumedCapacity".to_owned(), json!("TOTAL"));
        serde_json::to_vec(&asked).ok()
    }

    /// Reads the consumed capacity from a response and adds it to the sum.
    pub(crate) fn add_consumed(&self, answer: &str) {
        let answer: Value = serde_json::from_str(answer).unwrap_or_default();
        let units = |said: &Value| said["CapacityUnits"].as_f64().unwrap_or(0.0);
        let consumed = &answer["ConsumedCapacity"];
        let units = consumed.as_array().map_or_else(|| units(consumed), |each| each.iter().map(units).sum());
        self.halves.fetch_add((units * 2.0).round() as u64, Ordering::SeqCst);
    }
}
