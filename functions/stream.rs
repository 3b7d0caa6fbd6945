//! What the table's stream tells the functions that are no routes: which items were written or taken away, by their keys.

use serde::Deserialize;

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
