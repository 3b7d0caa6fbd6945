//! Saved documents in the table. See [`waraq_core::saved`] for their life cycle and that of their files.
//!
//! A document's row is small, and all rows of an account have neighbouring sort keys, so that one query reads the list.
//! Deleted documents are in the same partition, but their sort keys have another prefix, so that this query does not
//! return them. Downloads are counted in an attribute of their own, so that a download and an edit do not conflict.

use std::collections::BTreeMap;

use async_trait::async_trait;
use aws_sdk_dynamodb::types::Update;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use waraq_core::saved::{DeletedDocument, DocumentWrite, FileSet, SavedDocument, SavedDocuments, StoredValues};
use waraq_core::saved::{MOST_SAVED, UNREFERENCED_LIFE_SECONDS, too_many_documents, words_of};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{Item, get_number, get_text, json, n, parse_data, s, with_attribute};
use crate::fault::unavailable;
use crate::items::{self, SAVED, SAVED_AND_DELETED, WORDS};
use crate::stored_values::{parse_values, values_item};
use crate::system::back_off;
use crate::table::{ConditionalWrite, Table, TransactionOutcome};
use crate::uses;

/// Maximum number of attempts to read a document together with its values. An attempt fails if the document is edited
/// between the two reads.
const TRIES: u32 = 16;

/// The reason why a change of a saved document is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SavedDocumentRefusal {
    /// The document has changed since it was read.
    Changed,
    /// The account has the maximum number of documents, or it no longer exists.
    Account,
}

fn parse_document(item: &Item) -> Result<SavedDocument> {
    let mut document: SavedDocument = parse_data(item)?;
    document.uses = get_number(item, "uses").unwrap_or(0);
    Ok(document)
}

/// Returns the id of the document to which an item with values or words belongs.
fn document_id(item: &Item) -> Result<String> {
    let id = get_text(item, "sk").and_then(items::document_of_values);
    id.map(str::to_owned).ok_or_else(|| Error::internal("an item of values with another key"))
}

fn parse_deleted(item: &Item) -> Result<DeletedDocument> {
    let at = get_number(item, "deleted_ms").ok_or_else(|| Error::internal("a deleted document without a time"))?;
    Ok(DeletedDocument { document: parse_document(item)?, at: Timestamp(at) })
}

#[async_trait]
impl SavedDocuments for Table {
    async fn documents(&self, owner: &str) -> Result<Vec<SavedDocument>> {
        let (from, to) = SAVED;
        self.query_range(&items::saved_partition(owner), from, to).await?.iter().map(parse_document).collect()
    }

    async fn deleted_documents(&self, owner: &str) -> Result<Vec<DeletedDocument>> {
        let (from, to) = SAVED_AND_DELETED;
        let all = self.query_range(&items::saved_partition(owner), from, to).await?;
        let all: Vec<DeletedDocument> = all.iter().map(parse_deleted).collect::<Result<_>>()?;
        let now = self.clock().now();
        Ok(all.into_iter().filter(|deleted| deleted.undelete_until() > now).collect())
    }

    async fn document(&self, owner: &str, id: &str) -> Result<Option<SavedDocument>> {
        // Functions that guests call may read only these attributes of the partition, and so not the values of documents.
        let item = self.get_attributes(items::saved_key(owner, id), "pk, sk, uses, version, #data").await?;
        item.as_ref().map(parse_document).transpose()
    }

    async fn document_and_values(&self, owner: &str, id: &str) -> Result<Option<(SavedDocument, StoredValues)>> {
        for attempt in 0..TRIES {
            let Some(row) = self.document(owner, id).await? else { return Ok(None) };
            let item = self.get(items::values_key(owner, id)).await?;
            // The document may have been edited between the two reads.
            if let Some(item) = item.filter(|item| get_number(item, "version") == Some(u64::from(row.version))) {
                return Ok(Some((row, parse_values(&item)?)));
            }
            back_off(attempt).await;
        }
        Err(Error::unavailable("a document was always changed meanwhile"))
    }

    async fn deleted_document(&self, owner: &str, id: &str) -> Result<Option<DeletedDocument>> {
        self.get(items::deleted_key(owner, id)).await?.as_ref().map(parse_deleted).transpose()
    }

    async fn values(&self, owner: &str, id: &str) -> Result<Option<StoredValues>> {
        self.get(items::values_key(owner, id)).await?.as_ref().map(parse_values).transpose()
    }

    async fn values_of_all(&self, owner: &str, ids: &[&str]) -> Result<BTreeMap<String, StoredValues>> {
        let items = self.get_all(ids.iter().map(|id| items::values_key(owner, id)).collect()).await?;
        items.iter().map(|item| Ok((document_id(item)?, parse_values(item)?))).collect()
    }

    async fn words(&self, owner: &str) -> Result<BTreeMap<String, String>> {
        let items = self.query_range(&items::saved_partition(owner), WORDS.0, WORDS.1).await?;
        let words = |item: &Item| get_text(item, "words").unwrap_or_default().to_owned();
        items.iter().map(|item| Ok((document_id(item)?, words(item)))).collect()
    }

    async fn rename(&self, before: &SavedDocument, renamed: &SavedDocument) -> Result<bool> {
        let values = Update::builder()
            .table_name(self.name())
            .set_key(Some(items::values_key(&renamed.owner, &renamed.id)))
            .update_expression("SET version = :next")
            .condition_expression("version = :known")
            .expression_attribute_values(":next", n(renamed.version))
            .expression_attribute_values(":known", n(before.version));
        self.commit(vec![
            ConditionalWrite::update(self.replace_row(before.version, renamed)?, Some(SavedDocumentRefusal::Changed))?,
            ConditionalWrite::update(values, Some(SavedDocumentRefusal::Changed))?,
        ])
        .await
    }

    async fn announce(&self, files: &FileSet, until: Timestamp) -> Result<()> {
        let put = self.client().put_item().table_name(self.name()).set_item(Some(items::announcement(files, until)));
        put.send().await.map(|_| ()).map_err(unavailable)
    }

    async fn count_download(&self, owner: &str, id: &str) -> Result<bool> {
        let update = Update::builder()
            .table_name(self.name())
            .set_key(Some(items::saved_key(owner, id)))
            .update_expression("ADD uses :one")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":one", n(1));
        // A single write is sent as a transaction, because a transaction is retried when it conflicts with an edit.
        self.commit(vec![ConditionalWrite::update(update, Some(SavedDocumentRefusal::Changed))?]).await
    }

    async fn delete(&self, document: &SavedDocument, now: Timestamp) -> Result<bool> {
        let gone = DeletedDocument { document: document.clone(), at: now };
        let row = self.delete(items::saved_key(&document.owner, &document.id));
        let row = row
            .condition_expression("version = :version AND uses = :uses")
            .expression_attribute_values(":version", n(document.version))
            .expression_attribute_values(":uses", n(document.uses));
        self.commit(vec![
            ConditionalWrite::delete(row, Some(SavedDocumentRefusal::Changed))?,
            ConditionalWrite::put(self.put(items::deleted_document(document, now)?), None)?,
            ConditionalWrite::put(self.put(items::announcement(&document.file_set(), gone.undelete_until())), None)?,
            self.count_documents(&document.owner, -1)?,
        ])
        .await
    }

    async fn undelete(&self, deleted: &DeletedDocument) -> Result<bool> {
        let document = &deleted.document;
        let announced = self.delete(items::files_key(&document.file_set()));
        self.commit(vec![
            self.remove_deleted_write(deleted)?,
            self.put_new(items::saved_document(document)?, SavedDocumentRefusal::Changed)?,
            ConditionalWrite::delete(announced, None)?,
            self.count_documents(&document.owner, 1)?,
        ])
        .await
    }

    async fn delete_permanently(&self, deleted: &DeletedDocument) -> Result<bool> {
        let values = self.delete(items::values_key(&deleted.document.owner, &deleted.document.id));
        let words = self.delete(items::words_key(&deleted.document.owner, &deleted.document.id));
        self.commit(vec![
            self.remove_deleted_write(deleted)?,
            ConditionalWrite::delete(values, None)?,
            ConditionalWrite::delete(words, None)?,
        ])
        .await
    }
}

impl Table {
    /// Returns the writes that save a document. They are refused if the files of the document are not announced. If the
    /// document already exists, they are also refused if it has changed since it was read.
    pub(crate) fn save_writes(
        &self,
        save: &DocumentWrite,
        now: Timestamp,
    ) -> Result<Vec<ConditionalWrite<uses::UseRefusal>>> {
        let document = &save.document;
        let announced = self.delete(items::files_key(&document.file_set()));
        let announced = announced.condition_expression("attribute_exists(pk)");
        let values = self.put(values_item(document, &save.values));
        let words = items::words_key(&document.owner, &document.id);
        let words = with_attribute(words, "words", s(words_of(&save.values)));
        let mut writes = vec![
            ConditionalWrite::delete(announced, Some(uses::UseRefusal::Files))?,
            ConditionalWrite::put(values, None)?,
            ConditionalWrite::put(self.put(words), None)?,
        ];
        let Some(before) = &save.before else {
            writes.push(self.put_new(items::saved_document(document)?, uses::UseRefusal::Files)?);
            return Ok(writes);
        };
        let row = self.replace_row(before.version, document)?;
        writes.push(ConditionalWrite::update(row, Some(uses::UseRefusal::Changed))?);
        let replaced = items::announcement(&before.files, now.plus_seconds(UNREFERENCED_LIFE_SECONDS));
        writes.push(ConditionalWrite::put(self.put(replaced), None)?);
        Ok(writes)
    }

    /// Returns the update that replaces the record of a document, if the stored one has the version `known`. The number of downloads
    /// stays.
    fn replace_row(&self, known: u32, document: &SavedDocument) -> Result<UpdateBuilder> {
        let row = Update::builder()
            .table_name(self.name())
            .set_key(Some(items::saved_key(&document.owner, &document.id)))
            .update_expression("SET #data = :data, version = :next")
            .condition_expression("version = :known")
            .expression_attribute_names("#data", "data")
            .expression_attribute_values(":data", s(json(document)?))
            .expression_attribute_values(":next", n(document.version))
            .expression_attribute_values(":known", n(known));
        Ok(row)
    }

    fn remove_deleted_write(&self, deleted: &DeletedDocument) -> Result<ConditionalWrite<SavedDocumentRefusal>> {
        let row = self.delete(items::deleted_key(&deleted.document.owner, &deleted.document.id));
        let row = row.condition_expression("deleted_ms = :at").expression_attribute_values(":at", n(deleted.at.0));
        ConditionalWrite::delete(row, Some(SavedDocumentRefusal::Changed))
    }

    /// Returns the write that adds `more`, which may be negative, to the number of an account's documents. It is
    /// refused if the number would exceed the limit.
    fn count_documents(&self, owner: &str, more: i8) -> Result<ConditionalWrite<SavedDocumentRefusal>> {
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
        ConditionalWrite::update(update, Some(SavedDocumentRefusal::Account))
    }

    /// Executes all `writes` in a single transaction. Returns false if the document has changed since it was read.
    /// Fails if the account has too many documents.
    async fn commit(&self, writes: Vec<ConditionalWrite<SavedDocumentRefusal>>) -> Result<bool> {
        match self.transact(writes).await? {
            TransactionOutcome::Done => Ok(true),
            TransactionOutcome::Refused(refused) if refused.contains(&SavedDocumentRefusal::Changed) => Ok(false),
            TransactionOutcome::Refused(_) => Err(too_many_documents()),
        }
    }
}
