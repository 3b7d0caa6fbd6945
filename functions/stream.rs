//! What the table's stream tells the functions that are no routes: which items were written or taken away, by their keys.

use serde::{Deserialize, Serialize};

/// Records of the stream; the clock wakes a function with an event that has none.
#[derive(Debug, Default, Deserialize)]
pub struct Event {
    #[serde(rename = "Records", default)]
    pub records: Vec<Record>,
}

#[derive(Debug, Deserialize)]
pub struct Record {
    /// `INSERT`, `MODIFY` or `REMOVE`.
    #[serde(rename = "eventName")]
    pub event_name: String,
    pub dynamodb: Change,
}

#[derive(Debug, Deserialize)]
pub struct Change {
    #[serde(rename = "SequenceNumber", default)]
    pub sequence_number: String,
    #[serde(rename = "Keys")]
    pub keys: Keys,
}

#[derive(Debug, Deserialize)]
pub struct Keys {
    pub pk: Text,
    pub sk: Text,
}

#[derive(Debug, Deserialize)]
pub struct Text {
    #[serde(rename = "S")]
    pub text: String,
}

/// A record that a function could not do its part of: the platform sends it again, and those after it, without those before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    #[serde(rename = "itemIdentifier")]
    pub sequence_number: String,
}

impl Record {
    /// That this record was not done.
    pub fn failed(&self) -> Failed {
        Failed { sequence_number: self.dynamodb.sequence_number.clone() }
    }
}
