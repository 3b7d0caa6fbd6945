//! The table: reading and writing items, transactions that collide tried again.

use std::collections::HashMap;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
    KeysAndAttributes, Projection, ProjectionType, ScalarAttributeType, TimeToLiveSpecification, TransactWriteItem,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use waraq_core::{Error, Result};

use crate::cloud::{spread, unavailable};

pub type Item = HashMap<String, AttributeValue>;

/// The index lists are loaded from.
pub const KINDS: &str = "kinds";
/// Where TTL looks. Seconds since the epoch; code compares it too, since TTL deletes days late.
pub const EXPIRES_AT: &str = "expires_at";

/// Tries of a transaction that collides: with waits that double from 5 ms to 160, about four seconds.
const TRIES: u32 = 32;

#[derive(Clone)]
pub struct Table {
    client: Client,
    name: String,
}

/// What became of a transaction.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// Nothing was written; for each item whether its condition failed.
    Refused(Vec<bool>),
}

pub fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// An item with its keys.
pub fn item(pk: impl Into<String>, sk: impl Into<String>) -> Item {
    HashMap::from([("pk".to_owned(), s(pk)), ("sk".to_owned(), s(sk))])
}

pub fn text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    item.get(name)?.as_s().ok().map(String::as_str)
}

pub fn number(item: &Item, name: &str) -> Option<u64> {
    item.get(name)?.as_n().ok()?.parse().ok()
}

/// `value` as JSON in the attribute `data`.
pub fn with_data(mut item: Item, value: &impl Serialize) -> Result<Item> {
    item.insert("data".to_owned(), s(json(value)?));
    Ok(item)
}

pub fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::internal(format!("an item's data: {error}")))
}

pub fn data<T: DeserializeOwned>(item: &Item) -> Result<T> {
    let json = text(item, "data").ok_or_else(|| Error::internal("an item without data"))?;
    serde_json::from_str(json).map_err(|error| Error::internal(format!("an item's data: {error}")))
}

/// Waits before the `attempt`th try (from 0), a while that chance and the attempt make longer.
pub async fn pause(attempt: u32) {
    let most = 5u64 << attempt.min(5);
    let ms = most / 2 + most * u64::from(spread(255)) / 510;
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

impl Table {
    pub fn new(client: Client, name: String) -> Self {
        Self { client, name }
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// An item as of now.
    pub async fn get(&self, pk: impl Into<String>, sk: impl Into<String>) -> Result<Option<Item>> {
        let request = self.client.get_item().table_name(&self.name).consistent_read(true).set_key(Some(item(pk, sk)));
        Ok(request.send().await.map_err(unavailable)?.item)
    }

    /// Items by their keys, as of now, in no order; those that are not there are left out.
    pub async fn get_all(&self, keys: Vec<Item>) -> Result<Vec<Item>> {
        let mut items = Vec::with_capacity(keys.len());
        // DynamoDB takes a hundred at a time, and may leave some for the next call.
        for chunk in keys.chunks(100) {
            let mut wanted = chunk.to_vec();
            for attempt in 0.. {
                let asked = KeysAndAttributes::builder().consistent_read(true).set_keys(Some(wanted)).build();
                let asked = asked.map_err(unavailable)?;
                let answer = self.client.batch_get_item().request_items(&self.name, asked).send().await;
                let answer = answer.map_err(unavailable)?;
                items.extend(answer.responses.unwrap_or_default().remove(&self.name).unwrap_or_default());
                let left = answer.unprocessed_keys.unwrap_or_default().remove(&self.name);
                wanted = left.map(|left| left.keys).unwrap_or_default();
                if wanted.is_empty() {
                    break;
                }
                if attempt == TRIES {
                    return Err(Error::unavailable("a batch was never read to its end"));
                }
                pause(attempt).await;
            }
        }
        Ok(items)
    }

    /// All items of a partition whose sort key lies between two texts, as of now, in order.
    pub async fn between(&self, pk: &str, from: &str, to: &str) -> Result<Vec<Item>> {
        let query = self.client.query().consistent_read(true);
        let query = query.key_condition_expression("pk = :pk AND sk BETWEEN :from AND :to");
        let query = query.expression_attribute_values(":pk", s(pk)).expression_attribute_values(":to", s(to));
        self.all(query.expression_attribute_values(":from", s(from))).await
    }

    /// All items of a kind from an order on, by the index: what was written lately may be missing or old.
    pub async fn of_kind(&self, kind: &str, from: &str) -> Result<Vec<Item>> {
        let query = self.client.query().index_name(KINDS);
        let query = query.key_condition_expression("kind = :kind AND kind_order >= :from");
        let query = query.expression_attribute_values(":kind", s(kind));
        self.all(query.expression_attribute_values(":from", s(from))).await
    }

    /// A query's items, page after page.
    async fn all(&self, query: QueryFluentBuilder) -> Result<Vec<Item>> {
        let mut pages = query.table_name(&self.name).into_paginator().items().send();
        let mut items = Vec::new();
        while let Some(item) = pages.next().await {
            items.push(item.map_err(unavailable)?);
        }
        Ok(items)
    }

    /// All of `writes` or none. Where others write the same items at once it is tried again.
    pub async fn transact(&self, writes: Vec<TransactWriteItem>) -> Result<Outcome> {
        for attempt in 0..TRIES {
            let sent = self.client.transact_write_items().set_transact_items(Some(writes.clone())).send().await;
            let error = match sent {
                Ok(_) => return Ok(Outcome::Done),
                Err(error) => error,
            };
            let Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) = error.as_service_error()
            else {
                return Err(unavailable(error));
            };
            let reasons: Vec<&str> =
                cancelled.cancellation_reasons().iter().map(|why| why.code().unwrap_or("")).collect();
            if reasons.contains(&"ConditionalCheckFailed") {
                return Ok(Outcome::Refused(reasons.iter().map(|why| *why == "ConditionalCheckFailed").collect()));
            }
            let passing = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];
            if !reasons.iter().any(|why| passing.contains(why)) {
                return Err(unavailable(error));
            }
            pause(attempt).await;
        }
        Err(Error::unavailable("a transaction kept colliding"))
    }
}

/// Makes the table, as `template.yaml` describes it; one that is there already is left alone.
pub async fn create_table(client: &Client, name: &str) -> Result<()> {
    let attribute = |name: &str| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(ScalarAttributeType::S)
            .build()
            .map_err(unavailable)
    };
    let key = |name: &str, key: KeyType| {
        KeySchemaElement::builder().attribute_name(name).key_type(key).build().map_err(unavailable)
    };
    let kinds = GlobalSecondaryIndex::builder()
        .index_name(KINDS)
        .key_schema(key("kind", KeyType::Hash)?)
        .key_schema(key("kind_order", KeyType::Range)?)
        .projection(Projection::builder().projection_type(ProjectionType::All).build())
        .build()
        .map_err(unavailable)?;
    let made = client
        .create_table()
        .table_name(name)
        .billing_mode(BillingMode::PayPerRequest)
        .attribute_definitions(attribute("pk")?)
        .attribute_definitions(attribute("sk")?)
        .attribute_definitions(attribute("kind")?)
        .attribute_definitions(attribute("kind_order")?)
        .key_schema(key("pk", KeyType::Hash)?)
        .key_schema(key("sk", KeyType::Range)?)
        .global_secondary_indexes(kinds)
        .send()
        .await;
    if let Err(error) = made {
        let there = error.as_service_error().is_some_and(|error| error.is_resource_in_use_exception());
        if !there {
            return Err(unavailable(error));
        }
        return Ok(());
    }
    let expiry =
        TimeToLiveSpecification::builder().attribute_name(EXPIRES_AT).enabled(true).build().map_err(unavailable)?;
    client
        .update_time_to_live()
        .table_name(name)
        .time_to_live_specification(expiry)
        .send()
        .await
        .map_err(unavailable)?;
    Ok(())
}
