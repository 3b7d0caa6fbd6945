//! Reads and writes attributes of DynamoDB items: strings, numbers, and values stored as JSON.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;
use waraq_core::{Error, Result, Timestamp};

pub type Item = HashMap<String, AttributeValue>;

/// The name of the attribute by which DynamoDB deletes expired items (TTL). Its value is in seconds since the Unix
/// epoch. DynamoDB may delete an item days late, so readers must compare the value with the clock.
pub const EXPIRES_AT: &str = "expires_at";

pub fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub fn get_text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    item.get(name)?.as_s().ok().map(String::as_str)
}

pub fn get_number(item: &Item, name: &str) -> Option<u64> {
    item.get(name)?.as_n().ok()?.parse().ok()
}

/// Adds an attribute to an item.
pub fn with_attribute(mut item: Item, name: &str, value: AttributeValue) -> Item {
    item.insert(name.to_owned(), value);
    item
}

/// Adds the attribute `data` to an item. The content of the attribute is `value` as JSON.
pub fn with_data(item: Item, value: &impl Serialize) -> Result<Item> {
    Ok(with_attribute(item, "data", s(json(value)?)))
}

/// Sets the time at which the item expires.
pub fn with_expiry(item: Item, at: Timestamp) -> Item {
    with_attribute(item, EXPIRES_AT, n(at.seconds()))
}

/// Returns the time at which the item expires, or `None` if it does not expire.
pub fn get_expiry(item: &Item) -> Option<Timestamp> {
    get_number(item, EXPIRES_AT).map(|end| Timestamp(0).plus_seconds(end))
}

pub fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::internal(format!("an item's data: {error}")))
}

pub fn parse_data<T: DeserializeOwned>(item: &Item) -> Result<T> {
    let json = get_text(item, "data").ok_or_else(|| Error::internal("an item without data"))?;
    serde_json::from_str(json).map_err(|error| Error::internal(format!("an item's data: {error}")))
}
