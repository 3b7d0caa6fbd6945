//! Events of the table's stream for the functions that are not routes: the keys of the items that were written or
//! deleted.

use serde::{Deserialize, Serialize};

/// Records of the stream. A scheduled invocation has none.
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

/// A failed record. The platform sends it again with all later records, without the earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    #[serde(rename = "itemIdentifier")]
    pub sequence_number: String,
}

impl Record {
    /// Marks this record as failed.
    pub fn failed(&self) -> Failed {
        Failed { sequence_number: self.dynamodb.sequence_number.clone() }
    }
}
