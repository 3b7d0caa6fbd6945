//! The table: reads and writes items, and retries transactions that conflict.

use std::collections::HashMap;
use std::sync::Arc;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::builders::{ConditionCheckBuilder, DeleteBuilder, PutBuilder, UpdateBuilder};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, ConditionCheck, Delete, GlobalSecondaryIndex, KeySchemaElement, KeyType,
    KeysAndAttributes, Projection, ProjectionType, Put, ScalarAttributeType, TimeToLiveSpecification,
    TransactWriteItem,
};
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::sync::mpsc;
use waraq_core::{Clock, Error, Result};

use crate::attributes::{EXPIRES_AT, Item, s};
use crate::fault::unavailable;
use crate::system::back_off;

/// The name of the index that lists are loaded from.
pub const KINDS_INDEX: &str = "kinds";
/// Maximum number of items in a page of the index. About as many items fit into DynamoDB's limit of one megabyte. An
/// explicit maximum is needed, because the embedded DynamoDB of local servers reads all items before it applies that
/// limit.
const PAGE: i32 = 1_000;
/// Number of values of `kind` for which the index is read concurrently.
const KINDS_AT_ONCE: usize = 8;
/// Number of batches of keys that are read concurrently.
const BATCHES_AT_ONCE: usize = 8;
/// Maximum number of attempts of a transaction that conflicts with others. The pause between two attempts doubles from
/// 5 ms up to 160 ms. All pauses together take about four seconds.
const TRIES: u32 = 32;

#[derive(Clone)]
pub struct Table {
    client: Client,
    name: String,
    clock: Arc<dyn Clock>,
}

/// A write of a transaction. `condition` is a value that the caller chooses for the condition of the write. If the
/// condition does not hold, the transaction is refused with this value. `None` for a write without a condition.
#[derive(Clone)]
pub struct ConditionalWrite<C> {
    write: TransactWriteItem,
    condition: Option<C>,
}

impl<C> ConditionalWrite<C> {
    pub fn put(put: PutBuilder, condition: Option<C>) -> Result<Self> {
        let write = TransactWriteItem::builder().put(put.build().map_err(unavailable)?).build();
        Ok(Self { write, condition })
    }

    pub fn update(update: UpdateBuilder, condition: Option<C>) -> Result<Self> {
        let write = TransactWriteItem::builder().update(update.build().map_err(unavailable)?).build();
        Ok(Self { write, condition })
    }

    pub fn delete(delete: DeleteBuilder, condition: Option<C>) -> Result<Self> {
        let write = TransactWriteItem::builder().delete(delete.build().map_err(unavailable)?).build();
        Ok(Self { write, condition })
    }

    /// Creates an entry of a transaction that writes nothing and only checks a condition. If the condition does not
    /// hold, the other writes of the transaction are not executed either.
    pub fn check(check: ConditionCheckBuilder, condition: C) -> Result<Self> {
        let write = TransactWriteItem::builder().condition_check(check.build().map_err(unavailable)?).build();
        Ok(Self { write, condition: Some(condition) })
    }
}

/// The outcome of a transaction.
#[derive(Debug, PartialEq, Eq)]
pub enum TransactionOutcome<C> {
    Done,
    /// The transaction wrote nothing. Contains the conditions that did not hold.
    Refused(Vec<C>),
}

impl Table {
    pub fn new(client: Client, name: String, clock: Arc<dyn Clock>) -> Self {
        Self { client, name, clock }
    }

    /// The clock for all times that are written to the table.
    pub fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads an item by a consistent read. Returns `None` if it does not exist.
    pub async fn get(&self, key: Item) -> Result<Option<Item>> {
        let request = self.client.get_item().table_name(&self.name).consistent_read(true).set_key(Some(key));
        Ok(request.send().await.map_err(unavailable)?.item)
    }

    /// Reads some attributes of an item by a consistent read. `attributes` is a projection expression, in which `#data`
    /// stands for the attribute `data`, because `data` is a reserved word of DynamoDB.
    pub async fn get_attributes(&self, key: Item, attributes: &str) -> Result<Option<Item>> {
        let request = self.client.get_item().table_name(&self.name).consistent_read(true).set_key(Some(key));
        let request = request.projection_expression(attributes).expression_attribute_names("#data", "data");
        Ok(request.send().await.map_err(unavailable)?.item)
    }

    pub fn put(&self, item: Item) -> PutBuilder {
        Put::builder().table_name(&self.name).set_item(Some(item))
    }

    pub fn delete(&self, key: Item) -> DeleteBuilder {
        Delete::builder().table_name(&self.name).set_key(Some(key))
    }

    /// Creates a check that an item with this key exists. If it does not, the transaction is refused with `condition`.
    pub fn check_exists<C>(&self, key: Item, condition: C) -> Result<ConditionalWrite<C>> {
        let check = ConditionCheck::builder().table_name(&self.name).set_key(Some(key));
        ConditionalWrite::check(check.condition_expression("attribute_exists(pk)"), condition)
    }

    /// Creates the write of a new item. If an item with the same key exists, the transaction is refused with
    /// `condition`.
    pub fn put_new<C>(&self, item: Item, condition: C) -> Result<ConditionalWrite<C>> {
        ConditionalWrite::put(self.put(item).condition_expression("attribute_not_exists(pk)"), Some(condition))
    }

    /// Reads items by their keys, by consistent reads. The result is in no particular order. Items that do not exist
    /// are left out.
    pub async fn get_all(&self, keys: Vec<Item>) -> Result<Vec<Item>> {
        // The limit of DynamoDB is 100 keys in a request.
        let batches: Vec<_> = keys.chunks(100).map(|batch| self.get_batch(batch.to_vec())).collect();
        let mut batches = stream::iter(batches).buffer_unordered(BATCHES_AT_ONCE);
        let mut items = Vec::with_capacity(keys.len());
        while let Some(batch) = batches.try_next().await? {
            items.extend(batch);
        }
        Ok(items)
    }

    async fn get_batch(&self, mut wanted: Vec<Item>) -> Result<Vec<Item>> {
        let mut items = Vec::with_capacity(wanted.len());
        // DynamoDB may leave some keys unprocessed.
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
            back_off(attempt).await;
        }
        Ok(items)
    }

    /// Returns all items of a partition with a sort key in the range `from` to `to`, in order, by a consistent read.
    pub async fn query_range(&self, pk: &str, from: &str, to: &str) -> Result<Vec<Item>> {
        let query = self.client.query().consistent_read(true);
        let query = query.key_condition_expression("pk = :pk AND sk BETWEEN :from AND :to");
        let query = query.expression_attribute_values(":pk", s(pk)).expression_attribute_values(":to", s(to));
        self.collect_pages(query.expression_attribute_values(":from", s(from))).await
    }

    /// Reads from the index all items of a kind that have a `kind_order` of at least `from`. The index lags behind the
    /// table, so the result may not contain the latest writes.
    pub async fn items_of_kind(&self, kind: &str, from: &str) -> Result<Vec<Item>> {
        self.collect_pages(self.of_kind_query(kind, from)).await
    }

    /// Reads the items of several kinds from the index, page by page. Converts each page with `make` and sends the
    /// result to the returned channel. `kinds` is a list of kinds, each with the first `kind_order` to read. An empty
    /// `kind_order` reads all items of the kind. Kinds are read concurrently, and the pages of one kind arrive in
    /// order. `only` has the names of the attributes to read. Pages are read only when the channel has room, so the
    /// items are never all in memory.
    pub fn pages_of_kinds<P: Send + 'static>(
        &self,
        kinds: Vec<(String, String)>,
        only: &'static [&'static str],
        make: fn(&[Item]) -> Result<P>,
    ) -> mpsc::Receiver<Result<P>> {
        let (sender, pages) = mpsc::channel(KINDS_AT_ONCE);
        let table = self.clone();
        tokio::spawn(async move {
            let tasks = kinds.into_iter().map(|(kind, from)| {
                let (table, sender) = (table.clone(), sender.clone());
                // Each kind is read in a task of its own, because decoding is mostly CPU work.
                tokio::spawn(async move { table.send_pages((&kind, &from), only, make, sender).await })
            });
            let mut tasks = stream::iter(tasks).buffer_unordered(KINDS_AT_ONCE);
            while let Some(ended) = tasks.next().await {
                let ended = ended.map_err(|error| Error::internal(error.to_string()));
                if let Err(error) = ended.and_then(|ended| ended) {
                    // The receiver may have been dropped.
                    let _ = sender.send(Err(error)).await;
                    return;
                }
            }
        });
        pages
    }

    async fn send_pages<P>(
        &self,
        (kind, from): (&str, &str),
        only: &[&str],
        make: fn(&[Item]) -> Result<P>,
        sender: mpsc::Sender<Result<P>>,
    ) -> Result<()> {
        let names = only.iter().enumerate().map(|(number, name)| (format!("#{number}"), (*name).to_owned()));
        let names: HashMap<String, String> = names.collect();
        let wanted: Vec<&str> = names.keys().map(String::as_str).collect();
        let query = self.of_kind_query(kind, from).projection_expression(wanted.join(", "));
        let mut pages = query.set_expression_attribute_names(Some(names.clone())).into_paginator().send();
        while let Some(page) = pages.next().await {
            let made = make(page.map_err(unavailable)?.items())?;
            if sender.send(Ok(made)).await.is_err() {
                // The receiver was dropped.
                return Ok(());
            }
        }
        Ok(())
    }

    fn of_kind_query(&self, kind: &str, from: &str) -> QueryFluentBuilder {
        let query = self.client.query().table_name(&self.name).index_name(KINDS_INDEX);
        let query = query.expression_attribute_values(":kind", s(kind)).limit(PAGE);
        // DynamoDB accepts no empty string as a key, even in a comparison.
        match from {
            "" => query.key_condition_expression("kind = :kind"),
            from => query
                .key_condition_expression("kind = :kind AND kind_order >= :from")
                .expression_attribute_values(":from", s(from)),
        }
    }

    /// Returns the items of all pages of a query.
    async fn collect_pages(&self, query: QueryFluentBuilder) -> Result<Vec<Item>> {
        let mut pages = query.table_name(&self.name).into_paginator().items().send();
        let mut items = Vec::new();
        while let Some(item) = pages.next().await {
            items.push(item.map_err(unavailable)?);
        }
        Ok(items)
    }

    /// Executes all `writes` or none. Retries if others write the same items at the same time.
    pub async fn transact<C: Copy>(&self, writes: Vec<ConditionalWrite<C>>) -> Result<TransactionOutcome<C>> {
        let items: Vec<TransactWriteItem> = writes.iter().map(|conditioned| conditioned.write.clone()).collect();
        for attempt in 0..TRIES {
            let sent = self.client.transact_write_items().set_transact_items(Some(items.clone())).send().await;
            let error = match sent {
                Ok(_) => return Ok(TransactionOutcome::Done),
                Err(error) => error,
            };
            let Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) = error.as_service_error()
            else {
                return Err(unavailable(error));
            };
            // One reason for each write, in the order of the writes.
            let reasons: Vec<&str> =
                cancelled.cancellation_reasons().iter().map(|why| why.code().unwrap_or("")).collect();
            if reasons.contains(&"ConditionalCheckFailed") {
                let failed = writes.iter().zip(&reasons).filter(|(_, why)| **why == "ConditionalCheckFailed");
                let conditions: Option<Vec<C>> = failed.map(|(write, _)| write.condition).collect();
                let nameless = || Error::internal("a condition without a name did not hold");
                return conditions.map(TransactionOutcome::Refused).ok_or_else(nameless);
            }
            let passing = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];
            if !reasons.iter().any(|why| passing.contains(why)) {
                return Err(unavailable(error));
            }
            back_off(attempt).await;
        }
        Err(Error::unavailable("a transaction kept colliding"))
    }
}

/// Creates the table as `template.yaml` describes it. An existing table is kept.
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
        .index_name(KINDS_INDEX)
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
