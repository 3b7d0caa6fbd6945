//! Events of the table's stream, for the Lambda functions that handle events instead of HTTP requests. An event
//! contains the keys of the items that were written or deleted.

use serde::{Deserialize, Serialize};

/// Records of the stream. The event of a scheduled run has no records.
#[derive(Debug, Default, Deserialize)]
pub struct StreamEvent {
    #[serde(rename = "Records", default)]
    pub records: Vec<StreamRecord>,
}

#[derive(Debug, Deserialize)]
pub struct StreamRecord {
    /// The kind of change: `INSERT`, `MODIFY` or `REMOVE`.
    #[serde(rename = "eventName")]
    pub event_name: String,
    pub dynamodb: StreamChange,
}

#[derive(Debug, Deserialize)]
pub struct StreamChange {
    #[serde(rename = "SequenceNumber", default)]
    pub sequence_number: String,
    #[serde(rename = "Keys")]
    pub keys: ItemKeys,
}

#[derive(Debug, Deserialize)]
pub struct ItemKeys {
    pub pk: StringAttribute,
    pub sk: StringAttribute,
}

#[derive(Debug, Deserialize)]
pub struct StringAttribute {
    #[serde(rename = "S")]
    pub text: String,
}

/// A failed record. The platform sends it again with all later records, without the earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedRecord {
    #[serde(rename = "itemIdentifier")]
    pub sequence_number: String,
}

impl StreamRecord {
    /// Returns the entry for this record in the list of failed records.
    pub fn failed(&self) -> FailedRecord {
        FailedRecord { sequence_number: self.dynamodb.sequence_number.clone() }
    }
}
