//! Saved documents in the table. See [`waraq_core::saved`] for their life cycle and that of their files.
//!
//! A document's row is small, and all rows of an account have neighbouring sort keys, so that one query reads the list.
//! Deleted documents have other sort keys in the same partition, so that no list reads them. Downloads are counted
//! outside of the record, so that a download and an edit do not conflict.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{AttributeValue, Update};
use waraq_core::saved::{Deleted, FileSet, NamedValues, Save, SavedDocument, SavedDocuments};
use waraq_core::saved::{LEFT_OVER_SECONDS, MOST_SAVED, too_many_documents};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{Item, data, json, n, number, s};
use crate::fault::unavailable;
use crate::items::{self, SAVED, SAVED_AND_DELETED};
use crate::system::pause;
use crate::table::{Conditioned, Outcome, Table};
use crate::uses;

/// Maximum number of reads of a document and its values until both have the same version.
const TRIES: u32 = 16;

/// The reason why a document is not deleted, undeleted or removed for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// The document has changed since it was read.
    Changed,
    /// The account has the maximum number of documents, or it no longer exists.
    Account,
}

fn document(item: &Item) -> Result<SavedDocument> {
    let mut document: SavedDocument = data(item)?;
    document.uses = number(item, "uses").unwrap_or(0);
    Ok(document)
}

fn deleted(item: &Item) -> Result<Deleted> {
    let at = number(item, "deleted_ms").ok_or_else(|| Error::internal("a deleted document without a time"))?;
    Ok(Deleted { document: document(item)?, at: Timestamp(at) })
}

fn values(item: &Item) -> Result<NamedValues> {
    let texts = match item.get("named_values") {
        Some(AttributeValue::L(texts)) => texts.as_slice(),
        _ => return Err(Error::internal("an item without values")),
    };
    let text = |value: &AttributeValue| value.as_s().ok().cloned();
    let pairs = texts.chunks(2).map(|pair| Some((text(pair.first()?)?, text(pair.get(1)?)?)));
    pairs.collect::<Option<_>>().ok_or_else(|| Error::internal("values that are no texts"))
}

#[async_trait]
impl SavedDocuments for Table {
    async fn documents(&self, owner: &str) -> Result<Vec<SavedDocument>> {
        let (from, to) = SAVED;
        self.between(&items::saved_partition(owner), from, to).await?.iter().map(document).collect()
    }

    async fn deleted_documents(&self, owner: &str) -> Result<Vec<Deleted>> {
        let (from, to) = SAVED_AND_DELETED;
        let all = self.between(&items::saved_partition(owner), from, to).await?;
        let all: Vec<Deleted> = all.iter().map(deleted).collect::<Result<_>>()?;
        let now = self.clock().now();
        Ok(all.into_iter().filter(|deleted| deleted.ends_at() > now).collect())
    }

    async fn document(&self, owner: &str, id: &str) -> Result<Option<SavedDocument>> {
        self.get(items::saved_key(owner, id)).await?.as_ref().map(document).transpose()
    }

    async fn document_and_values(&self, owner: &str, id: &str) -> Result<Option<(SavedDocument, NamedValues)>> {
        for attempt in 0..TRIES {
            let Some(row) = self.document(owner, id).await? else { return Ok(None) };
            let item = self.get(items::values_key(owner, id)).await?;
            // The document may have been edited between the two reads.
            if let Some(item) = item.filter(|item| number(item, "version") == Some(u64::from(row.version))) {
                return Ok(Some((row, values(&item)?)));
            }
            pause(attempt).await;
        }
        Err(Error::unavailable("a document was always changed meanwhile"))
    }

    async fn deleted(&self, owner: &str, id: &str) -> Result<Option<Deleted>> {
        self.get(items::deleted_key(owner, id)).await?.as_ref().map(deleted).transpose()
    }

    async fn values(&self, owner: &str, id: &str) -> Result<Option<NamedValues>> {
        self.get(items::values_key(owner, id)).await?.as_ref().map(values).transpose()
    }

    async fn announce(&self, files: &FileSet, until: Timestamp) -> Result<()> {
        let put = self.client().put_item().table_name(self.name()).set_item(Some(items::announced(files, until)));
        put.send().await.map(|_| ()).map_err(unavailable)
    }

    async fn count_download(&self, owner: &str, id: &str) -> Result<bool> {
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(items::saved_key(owner, id)))
            .update_expression("ADD uses :one")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":one", n(1));
        // A transaction of one write, because it is retried when it conflicts with an edit.
        self.done(vec![Conditioned::update(update, Some(Refusal::Changed))?]).await
    }

    async fn delete(&self, document: &SavedDocument, now: Timestamp) -> Result<bool> {
        let gone = Deleted { document: document.clone(), at: now };
        let row = self.delete(items::saved_key(&document.owner, &document.id));
        let row = row
            .condition_expression("version = :version AND uses = :uses")
            .expression_attribute_values(":version", n(document.version))
            .expression_attribute_values(":uses", n(document.uses));
        self.done(vec![
            Conditioned::delete(row, Some(Refusal::Changed))?,
            Conditioned::put(self.put(items::deleted(document, now)?), None)?,
            Conditioned::put(self.put(items::announced(&document.file_set(), gone.ends_at())), None)?,
            self.documents_more(&document.owner, -1)?,
        ])
        .await
    }

    async fn restore(&self, deleted: &Deleted) -> Result<bool> {
        let document = &deleted.document;
        let announced = self.delete(items::files_key(&document.file_set()));
        self.done(vec![
            self.no_more_deleted(deleted)?,
            self.put_new(items::saved(document)?, Refusal::Changed)?,
            Conditioned::delete(announced, None)?,
            self.documents_more(&document.owner, 1)?,
        ])
        .await
    }

    async fn forget(&self, deleted: &Deleted) -> Result<bool> {
        let values = self.delete(items::values_key(&deleted.document.owner, &deleted.document.id));
        self.done(vec![self.no_more_deleted(deleted)?, Conditioned::delete(values, None)?]).await
    }
}

impl Table {
    /// Returns the writes that save a document. Their conditions are that its files are announced and that the document
    /// it replaces is unchanged since it was read.
    pub(crate) fn save_writes(&self, save: &Save, now: Timestamp) -> Result<Vec<Conditioned<uses::Refusal>>> {
        let document = &save.document;
        let announced = self.delete(items::files_key(&document.file_set()));
        let announced = announced.condition_expression("attribute_exists(pk)");
        let values = self.put(items::values(document, &save.values));
        let mut writes =
            vec![Conditioned::delete(announced, Some(uses::Refusal::Files))?, Conditioned::put(values, None)?];
        let Some(before) = &save.before else {
            writes.push(self.put_new(items::saved(document)?, uses::Refusal::Files)?);
            return Ok(writes);
        };
        let row = Update::builder()
            .table_name(self.name())
            .set_key(Some(items::saved_key(&document.owner, &document.id)))
            .update_expression("SET #data = :data, version = :next")
            .condition_expression("version = :known")
            .expression_attribute_names("#data", "data")
            .expression_attribute_values(":data", s(json(document)?))
            .expression_attribute_values(":next", n(document.version))
            .expression_attribute_values(":known", n(before.version));
        writes.push(Conditioned::update(row, Some(uses::Refusal::Changed))?);
        let replaced = items::announced(&before.files, now.plus_seconds(LEFT_OVER_SECONDS));
        writes.push(Conditioned::put(self.put(replaced), None)?);
        Ok(writes)
    }

    fn no_more_deleted(&self, deleted: &Deleted) -> Result<Conditioned<Refusal>> {
        let row = self.delete(items::deleted_key(&deleted.document.owner, &deleted.document.id));
        let row = row.condition_expression("deleted_ms = :at").expression_attribute_values(":at", n(deleted.at.0));
        Conditioned::delete(row, Some(Refusal::Changed))
    }

    /// Adds `more` to the number of an account's documents, if that does not exceed the limit.
    fn documents_more(&self, owner: &str, more: i8) -> Result<Conditioned<Refusal>> {
        let room = if more > 0 { " AND documents < :most" } else { "" };
        let mut update = Update::builder()
            .table_name(self.name())
            .set_key(Some(items::profile_key(owner)))
            .update_expression("ADD documents :more")
            .condition_expression(format!("attribute_exists(documents){room}"))
            .expression_attribute_values(":more", n(more));
        if more > 0 {
            update = update.expression_attribute_values(":most", n(MOST_SAVED));
        }
        Conditioned::update(update, Some(Refusal::Account))
    }

    /// Returns whether the conditions of `writes` held.
    async fn done(&self, writes: Vec<Conditioned<Refusal>>) -> Result<bool> {
        match self.transact(writes).await? {
            Outcome::Done => Ok(true),
            Outcome::Refused(refused) if refused.contains(&Refusal::Changed) => Ok(false),
            Outcome::Refused(_) => Err(too_many_documents()),
        }
    }
}
